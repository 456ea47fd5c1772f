"""Searches of what the fast one does not know: constraints of paths, trends and multiway splits.

Under prices, groups, forbidden pairs and rules for the first split, what a node may ask, and what
that costs, depends on the columns read above it. The core searches over rows, depth and columns of
the path together (``search/limited``), with one thread, and in which order leaves predict. The same
search knows splits with a branch for each level; the best tree with two branches everywhere, found
before, is where it begins.
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
from treewright.optimal.goals import ClassGoal, Goal, NumberGoal
from treewright.optimal.order import order_rules

if TYPE_CHECKING:
    from treewright.optimal.search import Search

__all__ = ["search_branchings", "search_limited"]

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
    keeps_paths = search.limits.columns.are_kept_on_paths(relaxed.tree)
    if relaxed.certificate.proven and keeps_paths and not search.limits.trends:
        return relaxed.with_proof(tests=search.words(words))
    if ending_of(relaxed.certificate.status).is_asked_for:
        seconds = 0.0
    limit = None if known is None else known.certificate.objective
    is_hint = keeps_paths and bool(search.limits.trends) and relaxed.plan is not None
    result = _ask(
        search,
        dictionary,
        seconds,
        limit,
        least=relaxed.certificate.lower_bound,
        hint=relaxed if is_hint else None,
    )
    return _found(search, dictionary, words, result, relaxed, known, began)


def search_branchings(
    search: Search, dictionary: Dictionary, words: str, seconds: float, binary: Found
) -> Found:
    """Search over a dictionary for the best tree, whose splits may have a branch per level.

    Parameters
    ----------
    search : Search
        How to search.
    dictionary : Dictionary
        The conditions, and the columns whose levels may have a branch each.
    words : str
        Which conditions these are, for the certificate.
    seconds : float
        Time there is.
    binary : Found
        What was found over the conditions with two branches: only better trees are looked for.

    Returns
    -------
    Found
        The best tree found.
    """
    began = time.perf_counter()
    if ending_of(binary.certificate.status).is_asked_for:
        seconds = 0.0
    # What no tree of two branches goes below is no bound here.
    relaxed = binary.with_proof(lower_bound=0.0)
    result = _ask(search, dictionary, seconds, binary.certificate.objective)
    found = _found(search, dictionary, words, result, relaxed, binary, began)
    return found if result.found else replace(found, tests=binary.tests)


def _ask(
    search: Search,
    dictionary: Dictionary,
    seconds: float,
    limit: float | None,
    *,
    least: float = 0.0,
    hint: Found | None = None,
) -> _core.LimitedSearchResult:
    """Have the core search, for trees that cost less than a limit; none costs less than `least`.

    The tree of the hint is the one looked for if its leaves are in order.
    """
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
    options.unit = _noise(goal)
    options.least = least
    if hint is not None:
        options.hint_cost = hint.certificate.objective
    if limit is not None:
        options.limit = limit
    codes, numbers, cost_matrix = np.empty(0, dtype=np.int32), np.empty(0), np.empty((0, 0))
    if isinstance(goal, ClassGoal):
        codes, cost_matrix = goal.codes, np.ascontiguousarray(goal.costs)
    else:
        numbers = goal.numbers
    branchings = dictionary.branchings
    levels = np.array([branching.by_row for branching in branchings], dtype=np.int32)
    return _core.search_limited_tree(
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
        order_rules(
            dictionary,
            limits.trends,
            search.schema.n_levels.tolist(),
            (np.isnan(search.table.values).sum(axis=0) > 0).tolist(),
            readable=search.readable,
        ),
        None if hint is None else hint.plan,
        options,
        progress=search.report(options.unit),
        levels=levels if branchings else None,
        level_columns=[branching.column for branching in branchings],
        n_levels=[len(branching.levels) for branching in branchings],
    )


def _found(
    search: Search,
    dictionary: Dictionary,
    words: str,
    result: _core.LimitedSearchResult,
    relaxed: Found,
    known: Found | None,
    began: float,
) -> Found:
    """Put together what was found with what was known before."""
    status = cast("Status", result.status)
    if known is None or result.found:
        tree = search.tree_of(result.tree, dictionary)
        used = tuple(test for test in tests_in(result.tree) if test < len(dictionary))
        objective = search.objective_of(tree)
    else:
        tree, used, objective = known.tree, (), known.certificate.objective
    bound = min(max(result.lower_bound, relaxed.certificate.lower_bound), objective)
    if ending_of(relaxed.certificate.status).is_asked_for and not ending_of(status).is_complete:
        status = relaxed.certificate.status
    if ending_of(status).is_complete:
        closed = is_closed(objective, bound) or objective <= _noise(search.goal)
        bound, status = (objective, "optimal") if closed else (bound, "rounded")
    certificate = Certificate(
        objective,
        bound,
        status,
        (relaxed.certificate.seconds or 0.0) + time.perf_counter() - began,
        search.words(words),
        statistics=dict(result.statistics),
    )
    relaxed_bound = relaxed.certificate.lower_bound if search.limits.trends else None
    return Found(tree, certificate, used, len(dictionary), relaxed_bound=relaxed_bound)


def _noise(goal: Goal) -> float:
    """Give what is nothing beside the loss of one leaf."""
    return max(goal.least_loss(np.zeros(goal.n_rows, dtype=np.intp)) * _REPORTED, 1e-300)
