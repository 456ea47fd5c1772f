"""Alternatives of a fitted optimal tree: the rows again, and the search for trees as good."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.base.parameters import check_arguments, count, none, number, one_of
from treewright.estimators.search import given_tests, offered_tests
from treewright.estimators.search_options import SearchOptions
from treewright.exceptions import DataError
from treewright.optimal.alternatives import Alternatives, find_near_trees
from treewright.optimal.columns import TableTests
from treewright.optimal.deadline import Deadline
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.goals import Goal
from treewright.optimal.search import Search
from treewright.predicates import Axis, Predicate
from treewright.schema import Schema
from treewright.splits import SplitMethod
from treewright.tree import Tree

__all__ = ["alternatives"]

_CHECKS = {
    "tolerance": number(0, 1),
    "n": count(0),
    "time_limit": one_of(none(), number(0)),
}
_REFUSED: dict[str, object] = {
    "max_nodes": None,
    "pair_levels": 0,
    "monotonic_cst": None,
    "constraints": None,
    "tune": None,
    "categorical": "subset",
}


def alternatives(
    self: Any,
    X: Any,
    y: Any,
    *,
    tolerance: float = 0.01,
    n: int = 20,
    sample_weight: Any = None,
    time_limit: float | None = 60.0,
) -> Alternatives:
    """Find the trees that are nearly as good as the best one, and what they have in common.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows that the model was fitted on, which it does not keep.
    y : array-like or series
        Their classes or numbers.
    tolerance : float, default 0.01
        How much larger than the least one the objective of a tree may be, in the measure of
        `penalty`: with 0.01 a tree may have wrong predictions for another 1 % of the rows (or 1 %
        more of the squared error of one prediction for all). Raise it for more trees.
    n : int, default 20
        How many of them are listed, the best first; all are counted.
    sample_weight : array-like of float or None, default None
        The weights that `fit` was given.
    time_limit : float or None, default 60.0
        Seconds after which counting ends with what was found, and says so.

    Returns
    -------
    Alternatives
        The trees, their number, the proportion of them that read each column, and the best tree for
        each column of the first split; see :class:`treewright.optimal.Alternatives`.

    Raises
    ------
    ValueError
        If a parameter is wrong, or the model was fitted with losses, an `objective` such as
        ``"f1"``, ``"brier"`` or ``"absolute_error"``, `max_nodes`, `pair_levels`, `monotonic_cst`,
        `constraints`, `tune`, ``max_depth=None`` or split methods in `dictionary`, under which
        trees are not counted.
    DataError
        If the rows are not those of the model.

    Notes
    -----
    The conditions are those that `fit` offered first, with those of its tree; `refine` adds none.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> X = {"hour": [1, 3, 5, 7, 8, 9], "day": [1, 1, 2, 2, 3, 3]}
    >>> y = ["off", "off", "off", "on", "on", "on"]
    >>> model = OptimalTreeClassifier(max_depth=2, penalty=0.1).fit(X, y)
    >>> print(model.alternatives(X, y, tolerance=0.2))
    11 trees have an objective of at most 1.8; the best has 0.6.
    Columns in some: hour 82 %, day 36 %.
    Least objective by column of the first split: hour 0.6, day 1.2.
    """
    began = time.perf_counter()
    check_is_fitted(self)
    owner = type(self).__name__
    given = {"tolerance": tolerance, "n": n, "time_limit": time_limit}
    check_arguments(f"{owner}.alternatives", given, _CHECKS)
    options = SearchOptions.of(self)
    _check_options(options)
    if not self._objective().has_alternatives:
        raise ValueError(
            f"{owner}.alternatives counts trees by errors, balanced accuracy or squared error. "
            f"This model has objective={self.objective!r}; fit one with another."
        )
    if hasattr(self, "action_losses_"):
        raise ValueError(
            f"{owner}.alternatives counts trees that predict classes or numbers. This model was "
            "fitted with losses; fit one with y."
        )
    schema, values, goal = self._read_goal(X, y, sample_weight)
    _check_rows(self.tree_, schema, goal, owner)
    limits = replace(
        options.limits(goal, schema, values),
        seconds=math.inf if time_limit is None else float(time_limit),
        smallest=False,
    )
    search = Search(
        goal,
        schema,
        _core.Table(values, schema.n_levels),
        limits,
        bool(options.readable),
        deadline=Deadline(limits.seconds, began),
    )
    dictionary, words = _dictionary(self.tree_, values, search, options)
    search = search.with_less_time(time.perf_counter() - began)
    return find_near_trees(search, dictionary, words, self.tree_, float(tolerance), int(n))


def _check_options(options: SearchOptions) -> None:
    """Refuse models whose trees are not counted."""
    for name, allowed in _REFUSED.items():
        if getattr(options, name) != allowed:
            raise ValueError(
                f"The {name!r} parameter of {options.owner} must be {allowed!r} for alternatives, "
                f"which are trees of single splits, of any size. Got {getattr(options, name)!r}; "
                "fit a model without it."
            )
    if options.max_depth is None:
        raise ValueError(
            f"The 'max_depth' parameter of {options.owner} must be an int for alternatives. Got "
            "None; fit a model with a depth."
        )
    methods = [item for item in options.given() or () if isinstance(item, SplitMethod)]
    if methods:
        raise ValueError(
            f"The 'dictionary' parameter of {options.owner} must not hold split methods for "
            f"alternatives, as they propose splits for one tree. Got {methods[0]!r}; give the "
            "conditions themselves."
        )


def _check_rows(tree: Tree, schema: Schema, goal: Goal, owner: str) -> None:
    """Refuse rows that the model was not fitted on."""
    whole = goal.nodes(
        _core.SearchTree(*(np.array([-1], dtype=np.int32),) * 3),
        Dictionary.joined([], goal.n_rows).bits,
    )
    same_root = np.allclose(whole["statistics"][0], tree.core.statistics[0], rtol=1e-9)
    if schema != tree.schema or whole["rows"][0] != tree.core.rows[0] or not same_root:
        raise DataError(
            f"The rows given to {owner}.alternatives must be those that the model was fitted on, "
            "with the same targets and weights. Got others; give these, or fit a model on them."
        )


def _dictionary(
    tree: Tree, values: NDArray[np.float64], search: Search, options: SearchOptions
) -> tuple[Dictionary, str]:
    """Give the conditions that the search of the model was offered first, and those of its tree."""
    given = options.given()
    if given is not None:
        return given_tests([item for item in given if isinstance(item, Predicate)], search, options)
    tests = _with_cuts_of(tree, offered_tests(values, search, options))
    return tests.dictionary(), tests.words()


def _with_cuts_of(tree: Tree, tests: TableTests) -> TableTests:
    """Offer the thresholds that a tree uses, too."""
    used: dict[int, list[float]] = {}
    for node in range(tree.n_nodes):
        predicate = tree.node(node).predicate
        if isinstance(predicate, Axis):
            used.setdefault(predicate.column, []).append(predicate.threshold)
    cuts = []
    for column in tests.cuts:
        places = np.searchsorted(column.values, used.get(column.column, []), side="right") - 1
        cuts.append(column.offering(np.concatenate([column.offered, places])))
    return tests.offering(cuts)
