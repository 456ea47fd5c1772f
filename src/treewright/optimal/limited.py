"""Search under constraints of columns: prices, groups, forbidden pairs and the first split.

What a node may ask, and what that costs, depends on the columns read above it. The core searches
over rows, depth and columns of the path together (``search/limited``), with one thread.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from treewright import _core
from treewright.optimal.certificate import Certificate, Status, ending_of, is_closed
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.found import Found, tests_in
from treewright.optimal.goals import ClassGoal, NumberGoal

if TYPE_CHECKING:
    from treewright.optimal.search import Search

__all__ = ["search_limited"]

_REPORTED = 2.0**-40  # of the loss of one leaf: the unit in which the core tells how far it is


def search_limited(
    search: Search,
    dictionary: Dictionary,
    words: str,
    seconds: float,
    relaxed: Found,
    known: Found | None,
) -> Found:
    """Search over a dictionary for the best tree that keeps constraints of paths.

    Parameters
    ----------
    search : Search
        How to search; its limits hold the constraints.
    dictionary : Dictionary
        The conditions.
    words : str
        Which conditions these are, for the certificate.
    seconds : float
        Time there is.
    relaxed : Found
        What was found over the same conditions without the constraints: its bound holds under
        them, too, and its tree is the one looked for if it keeps them.
    known : Found or None
        What was found over some of the conditions: only better trees are looked for.

    Returns
    -------
    Found
        The best tree found.
    """
    began = time.perf_counter()
    # One that is optimal up to rounding only is searched for again, by sums that are not rounded.
    if relaxed.certificate.proven and search.limits.columns.are_kept_on_paths(relaxed.tree):
        return replace(relaxed, certificate=replace(relaxed.certificate, tests=search.words(words)))
    if ending_of(relaxed.certificate.status).is_asked_for:
        seconds = 0.0
    goal, limits = search.goal, search.limits
    assert isinstance(goal, ClassGoal | NumberGoal)
    worth, total = goal.price_unit, float(goal.weights.sum())
    rules = limits.columns.core()
    rules.max_columns = rules.max_terms = rules.largest_whole = 0  # kept by the dictionary
    costs = limits.columns.costs or (0.0,) * search.schema.n_columns
    rules.costs = [cost * worth / total for cost in costs]
    options = _core.LimitedSearchOptions()
    options.max_depth = limits.max_depth
    options.penalty = limits.penalty * worth
    options.min_rows = float(limits.min_rows)
    options.min_weight = limits.min_weight * total
    options.seconds = max(seconds, 0.0)
    options.memory = max(limits.memory - dictionary.bits.nbytes, 0)
    leaf = goal.least_loss(np.zeros(goal.n_rows, dtype=np.intp))
    options.unit = max(leaf * _REPORTED, 1e-300)
    if known is not None:
        options.limit = known.certificate.objective
    codes, numbers, cost_matrix = np.empty(0, dtype=np.int32), np.empty(0), np.empty((0, 0))
    if isinstance(goal, ClassGoal):
        codes, cost_matrix = goal.codes, np.ascontiguousarray(goal.costs)
    else:
        numbers = goal.numbers
    result = _core.search_limited_tree(
        dictionary.bits,
        goal.n_rows,
        codes,
        numbers,
        goal.weights,
        cost_matrix,
        dictionary.price * worth,
        dictionary.last_level,
        dictionary.chain,
        [list(columns) for columns in dictionary.columns_read()],
        rules,
        options,
        progress=search.report(options.unit),
    )
    status = cast("Status", result.status)
    if known is None or result.found:
        tree = search.tree_of(result.tree, dictionary)
        used, objective = tests_in(result.tree), search.objective_of(tree)
    else:
        tree, used, objective = known.tree, (), known.certificate.objective
    bound = min(max(result.lower_bound, relaxed.certificate.lower_bound), objective)
    if ending_of(relaxed.certificate.status).is_asked_for and not ending_of(status).is_complete:
        status = relaxed.certificate.status
    if ending_of(status).is_complete:
        closed = is_closed(objective, bound) or objective <= leaf * _REPORTED
        bound, status = (objective, "optimal") if closed else (bound, "rounded")
    certificate = Certificate(
        objective,
        bound,
        status,
        (relaxed.certificate.seconds or 0.0) + time.perf_counter() - began,
        search.words(words),
        statistics=dict(result.statistics),
    )
    return Found(tree, certificate, used, len(dictionary))
