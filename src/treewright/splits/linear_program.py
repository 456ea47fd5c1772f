"""Linear splits by linear programming: each class against the others.

Over coefficients w and offset b on standardised columns z, for the rows of a class and of the
others,

    minimax   min d   with  z'w - d <= b (class),  z'w + d >= b (others),  b + sum w = const
    hinge     min sum v_i s_i   with  z'w - b <= s_i - 1 (class),  z'w - b >= 1 - s_i (others),
                                      s_i >= 0

where v_i is the weight of the row as a proportion of its side. The first is that of Brown, Pittard
and Park (1996), the second that of Bennett and Mangasarian (1992). Where they give no direction, or
no single one, the condition of the first becomes w'(mean of the others - mean of the class) = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.base.workers import run_in_thread
from treewright.predicates import Axis, FlatTest
from treewright.splits.base import NodeData, SplitMethod

__all__ = ["LinearProgram"]

_Numbers = NDArray[np.float64]
_Sides = NDArray[np.bool_]
_ROUNDING = 1e-9  # of the largest coefficient: what the solver leaves of a zero
_NO_SPREAD = 1e-12  # of the mean
_LIMIT_REACHED = 1  # status of a program that the solver gave up


class LinearProgram(SplitMethod):
    """Linear splits by linear programming, each class of the node against the others.

    Each program gives a direction; the threshold along it is the best one, and the best of these
    splits is taken.

    Parameters
    ----------
    loss : {"hinge", "minimax"}, default "hinge"
        What is made small. ``hinge``: the sum of what rows lack to be on the right side with a
        margin, both sides counting alike; the one to use. ``minimax``: the largest distance of a
        row on the wrong side, as published; one outlier decides, and weights do not matter.

    See Also
    --------
    Logistic : Linear combinations by logistic regression.
    treewright.recipes.linear_program : The whole system, with pruning.

    Notes
    -----
    For classification only. Rows with a missing value are left out of the programs. A node of K > 2
    classes needs K programs, one of two classes a single one, ``minimax`` twice as many. The time
    is that of the solver: it grows faster than the number of rows, and nothing is sampled. A
    program is given up when the ``time_limit`` of the estimator is over; the best split that other
    programs of the node gave until then is taken, and without one the node is a leaf.

    The condition b + sum w = const of ``minimax`` does not treat all directions alike, so the
    program is solved for const 1 and -1. It has no end where the classes can be separated, and ends
    at z'w = 0 where they overlap too much or columns depend on each other; ``hinge`` has many
    solutions where they can be separated. In these cases the largest error is made small as a
    proportion of the distance between the means of the two sides, whatever units and offsets are.

    References
    ----------
    Brown, Pittard, Park (1996), Classification trees with optimal multivariate decision nodes,
    *Pattern Recognition Letters* 17.

    Bennett, Mangasarian (1992), Robust linear programming discrimination of two linearly
    inseparable sets, *Optimization Methods and Software* 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=LinearProgram(), max_depth=2).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y) > 0.98
    (3, True)
    """

    _checks: ClassVar[dict[str, Check]] = {"loss": choice("hinge", "minimax")}

    def __init__(self, loss: str = "hinge") -> None:
        self.loss = loss

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        directions = _hinge_directions if self.loss == "hinge" else _minimax_directions

        def propose(node: NodeData, seed: int) -> Iterable[FlatTest]:
            found: list[FlatTest] = []
            with suppress(_OutOfTime):
                for test in _tests(node, directions):
                    found.append(test)
            return found

        return _core.make_python_method(propose)


class _OutOfTime(Exception):  # noqa: N818
    """The time limit of growth is over."""


def _tests(node: NodeData, directions: Any) -> Iterator[FlatTest]:
    if node.n_classes == 0:
        raise ValueError(
            "The split method LinearProgram is for classification only; use split=MUST() or "
            "split='axis' for regression."
        )
    rows = _StandardRows(node)
    classes = np.unique(rows.y)
    if len(classes) < 2 or not rows.columns:
        return
    for label in classes[:1] if len(classes) == 2 else classes:
        for direction in directions(rows, rows.y == label):
            used = np.flatnonzero(np.abs(direction) > _ROUNDING * np.abs(direction).max())
            test = _cut(node, np.array(rows.columns)[used], direction[used] / rows.scale[used])
            if test is not None:
                yield test


def _cut(node: NodeData, columns: NDArray[np.intp], coefficients: _Numbers) -> FlatTest | None:
    """Return the best split along a direction, scaled to a largest coefficient of 1."""
    if columns.size == 0:
        return None
    unit = np.copysign(np.abs(coefficients).max(), coefficients[0])
    test = node.cut(columns.tolist(), (coefficients / unit).tolist())
    if test is None or columns.size > 1:
        return test
    return Axis(int(columns[0]), test[2][-1]).encode()


class _StandardRows:
    """The rows of a node without missing values, on the columns that vary, standardised by weight.

    Equal rows are one row with the sum of their weights, and they are sorted, so that neither the
    order of rows nor how often one is written decides among equally good solutions.
    """

    columns: list[int]

    def __init__(self, node: NodeData) -> None:
        self.node = node
        X, w = node.X, node.w
        known = w @ ~np.isnan(X) >= w.sum() / 2
        with np.errstate(invalid="ignore"):
            varies = np.fmax.reduce(X, axis=0) > np.fmin.reduce(X, axis=0)
        X = X[:, known & varies]
        self.columns = np.asarray(node.numeric_columns)[known & varies].tolist()
        complete = ~np.isnan(X).any(axis=1)
        table = np.column_stack([np.asarray(node.y)[complete], X[complete]])
        rows, place = np.unique(table, axis=0, return_inverse=True)
        self.w = np.bincount(place.ravel(), weights=w[complete], minlength=len(rows))
        self.y, X = rows[:, 0].astype(np.intp), rows[:, 1:]
        if not len(rows):
            self.columns = []
            return
        with np.errstate(over="ignore"):
            mean = self.w @ X / self.w.sum()
            scale = np.sqrt(self.w @ (X - mean) ** 2 / self.w.sum())
        spread = np.isfinite(scale) & (scale > _NO_SPREAD * np.abs(mean))
        self.columns = [column for column, has in zip(self.columns, spread, strict=True) if has]
        self.scale = scale[spread]
        self.Z = (X[:, spread] - mean[spread]) / self.scale


def _hinge_directions(rows: _StandardRows, inside: _Sides) -> Iterator[_Numbers]:
    from scipy.sparse import csc_array, eye_array, hstack

    n_rows, n_columns = rows.Z.shape
    shares = rows.w / np.where(inside, rows.w[inside].sum(), rows.w[~inside].sum())
    found = _solve(
        rows.node,
        np.concatenate([np.zeros(n_columns + 1), shares]),
        A_ub=hstack([csc_array(_beyond(rows, inside)), -eye_array(n_rows)]),
        b_ub=-np.ones(n_rows),
        bounds=[(None, None)] * (n_columns + 1) + [(0.0, None)] * n_rows,
    )
    if found is None or shares @ found[n_columns + 1 :] < _ROUNDING:
        yield from _mean_directions(rows, inside)
    else:
        yield found[:n_columns]


def _minimax_directions(rows: _StandardRows, inside: _Sides) -> Iterator[_Numbers]:
    n_columns = rows.Z.shape[1]
    condition = np.concatenate([np.ones(n_columns + 1), [0.0]])
    found = [_minimax(rows, inside, condition, const) for const in (1.0, -1.0)]
    directions = [one for one in found if one is not None and _tells_rows_apart(rows, one)]
    yield from directions or _mean_directions(rows, inside)


def _tells_rows_apart(rows: _StandardRows, direction: _Numbers) -> bool:
    """Tell whether z'w is more than rounding: it is 0 for w = 0 and where columns cancel out."""
    largest = np.abs(direction).max()
    return bool(largest > _ROUNDING and np.ptp(rows.Z @ direction) > _ROUNDING * largest)


def _mean_directions(rows: _StandardRows, inside: _Sides) -> Iterator[_Numbers]:
    """Make the largest error small relative to the distance between the means of the sides."""
    means = [np.average(rows.Z[side], axis=0, weights=rows.w[side]) for side in (~inside, inside)]
    found = _minimax(rows, inside, np.concatenate([means[0] - means[1], [0.0, 0.0]]), 1.0)
    if found is not None:
        yield found


def _minimax(
    rows: _StandardRows, inside: _Sides, condition: _Numbers, const: float
) -> _Numbers | None:
    """Minimise d with condition'(w, b, d) = const."""
    n_rows, n_columns = rows.Z.shape
    found = _solve(
        rows.node,
        np.concatenate([np.zeros(n_columns + 1), [1.0]]),
        A_ub=np.column_stack([_beyond(rows, inside), -np.ones(n_rows)]),
        b_ub=np.zeros(n_rows),
        A_eq=condition[np.newaxis, :],
        b_eq=[const],
        bounds=(None, None),
    )
    return None if found is None else found[:n_columns]


def _beyond(rows: _StandardRows, inside: _Sides) -> _Numbers:
    """Coefficients of (w, b) in how far each row lies beyond the boundary, on the wrong side."""
    sign = np.where(inside, 1.0, -1.0)[:, np.newaxis]
    beyond: _Numbers = sign * np.column_stack([rows.Z, -np.ones(len(rows.Z))])
    return beyond


def _solve(node: NodeData, goal: _Numbers, **program: Any) -> _Numbers | None:
    """Return the solution, or None if the program has no end or the solver finds none.

    Raises
    ------
    _OutOfTime
        If the time limit of growth is over before it is solved.
    """
    from scipy.optimize import linprog

    seconds = node.seconds_left
    if seconds == 0.0:
        raise _OutOfTime
    options = {"time_limit": seconds} if seconds < math.inf else {}
    try:  # the solver looks at the clock now and then only
        result = run_in_thread(
            lambda: linprog(goal, method="highs", options=options, **program), seconds
        )
    except TimeoutError:
        raise _OutOfTime from None
    if result.status == _LIMIT_REACHED:
        raise _OutOfTime
    return None if result.x is None else np.asarray(result.x)
