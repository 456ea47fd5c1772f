"""Shorter splits for the nodes of a tree: each linear split refitted on ever fewer columns.

A split on several columns divides the classes of its node in two, so it can be fitted again, on
fewer columns, as a logistic regression of "the class is inside" on the training rows of the node,
whatever method found it. With f_k the proportion of class k that it sends to branch 1,

    inside = { k : f_k > 1/2 };  if that is none or all:  { k : f_k > proportion of all rows };
    if still none or all:  the class with the largest f_k

unless the logistic boundary of another division, on the same columns, sends the rows just as the
split does, and that of this one does not: then the split was made for the other one. Where a tree
predicts numbers, "inside" is branch 1 itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates.base import FlatKind
from treewright.tree import Tree

__all__ = ["ConciseTests", "NodeFits", "NodeRows", "inside_classes", "shorter_tests"]

_MOST_CLASSES = 6  # of whose divisions all but the opposite one are tried
_PACKAGE_LAMBDA = 1e-6  # least penalty of R's oblique.tree, as a proportion of the largest


@dataclass(frozen=True)
class ConciseTests:
    """How the splits of a node are made shorter.

    Parameters
    ----------
    path : {"backward", "l1"}
        Drop the column that costs least deviance, again and again; or take the columns along an L1
        path, from the least penalty on.
    refit : bool
        Refit the columns found along an L1 path, without the penalty.
    tau : float
        The ridge of the fits.
    as_package : bool, default False
        L1 paths on columns as they are and on a grid of penalties, as R's oblique.tree has them.
    """

    path: str
    refit: bool
    tau: float
    as_package: bool = False


class NodeRows:
    """The training rows of a tree, by node.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : treewright._core.Table
        The rows it was grown on.
    """

    def __init__(self, tree: Tree, table: _core.Table) -> None:
        self.tree: Tree = tree
        self.table: _core.Table = table
        starts, nodes = tree.core.decision_paths(table)
        rows = np.repeat(np.arange(table.n_rows, dtype=np.uint32), np.diff(starts))
        order = np.argsort(nodes, kind="stable")
        ends = np.searchsorted(nodes[order], np.arange(1, tree.n_nodes))
        self._rows = np.split(rows[order], ends)

    def __getitem__(self, node: int) -> NDArray[np.uint32]:
        return np.ascontiguousarray(self._rows[node])


class NodeFits(NodeRows):
    """Logistic models of the splits of a tree, on its training rows.

    Parameters
    ----------
    tree : Tree
        The tree.
    table, target : treewright._core.Table, treewright._core.Target
        The rows it was grown on.
    tau : float
        The ridge of the fits.
    """

    def __init__(self, tree: Tree, table: _core.Table, target: _core.Target, tau: float) -> None:
        super().__init__(tree, table)
        self.target: _core.Target = target
        self.tau: float = tau
        self._inside: dict[int, NDArray[np.bool_]] = {}

    def sums(self) -> Iterator[tuple[int, list[int]]]:
        """Give the nodes with linear splits and their columns; logistic models have no levels."""
        core = self.tree.core
        for node in np.flatnonzero(core.kind == FlatKind.LINEAR).tolist():
            test = core.test(node)
            assert test is not None
            _, columns, numbers = test
            if len(numbers) == len(columns) + 1:  # else levels stand among the numbers
                yield node, list(columns)

    def models(self, node: int, columns: list[int]) -> _core.NodeModels:
        """Return the logistic models of a node on some of the columns of its split."""
        if node not in self._inside:
            self._inside[node] = self._find_inside(node)
        return self._models(node, columns, self._inside[node])

    def _models(self, node: int, columns: list[int], inside: NDArray[np.bool_]) -> _core.NodeModels:
        sides = inside[self[node]].astype(np.uint8)
        return _core.NodeModels(self.table, self.target, self[node], columns, sides, tau=self.tau)

    def _find_inside(self, node: int) -> NDArray[np.bool_]:
        """Tell for each row of the table whether the split of a node means it to be inside."""
        core = self.tree.core
        first = int(core.first_child[node])
        if not self.tree.is_classification:
            inside = np.zeros(self.table.n_rows, dtype=np.bool_)
            inside[self[first + 1]] = True
            return inside
        left, right = core.statistics[first : first + 2]
        likely = inside_classes(left, right)
        labels = np.asarray(self.target.labels)
        test = core.test(node)
        assert test is not None
        branches = _core.route(test, self.table, self[node])
        for classes in _divisions(likely, np.flatnonzero(left + right > 0.0)):
            models = self._models(node, list(test[1]), classes[labels])
            model = models.fit() if models.can_fit else None
            if model is None or not model.columns:
                continue
            found = _core.route(model.test, self.table, self[node])
            if np.all((found != branches) == model.is_swapped):
                return np.asarray(classes[labels])
        return np.asarray(likely[labels])


def _divisions(likely: NDArray[np.bool_], present: NDArray[np.intp]) -> Iterator[NDArray[np.bool_]]:
    """Give the likely division of the classes first, then the others, or those like it."""
    most_changes = len(present) - 1 if len(present) <= _MOST_CLASSES else 1
    for n_changes in range(most_changes + 1):
        for changed in combinations(present.tolist(), n_changes):
            classes = likely.copy()
            classes[list(changed)] = ~classes[list(changed)]
            if 0 < np.count_nonzero(classes[present]) < len(present):
                yield classes


def inside_classes(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which classes a split with these class weights in its two branches has in branch 1.

    Examples
    --------
    >>> inside_classes(np.array([9.0, 1.0, 0.0]), np.array([1.0, 4.0, 0.0]))
    array([False,  True, False])
    >>> inside_classes(np.array([90.0, 20.0]), np.array([1.0, 10.0]))
    array([False,  True])
    """
    with np.errstate(invalid="ignore"):
        share = np.where(left + right > 0.0, right / (left + right), 0.0)
    overall = right.sum() / (left.sum() + right.sum())
    present = int(np.count_nonzero(left + right > 0.0))
    for limit in (0.5, overall):
        inside: NDArray[np.bool_] = share > limit
        if 0 < inside.sum() < present:
            return inside
    return np.asarray(np.arange(len(share)) == np.argmax(share))


def shorter_tests(fits: NodeFits, tests: ConciseTests) -> dict[int, list[_core.LogisticModel]]:
    """Give for each node with a linear split the models on ever fewer columns, at most one each.

    Parameters
    ----------
    fits : NodeFits
        The tree and its training rows.
    tests : ConciseTests
        How splits are made shorter.

    Returns
    -------
    dict of int to list of treewright._core.LogisticModel
        By node id. A node whose rows cannot be fitted has no models.
    """
    found = {}
    for node, columns in fits.sums():
        models = fits.models(node, columns)
        if not models.can_fit:
            continue
        if tests.path == "backward":
            found[node] = models.dropping()
        else:
            found[node] = _along_l1(fits, node, tests, models, len(columns))
    return found


def _along_l1(
    fits: NodeFits, node: int, tests: ConciseTests, models: _core.NodeModels, n_columns: int
) -> list[_core.LogisticModel]:
    if tests.as_package:
        path = models.lasso(least_lambda=_PACKAGE_LAMBDA, one_at_a_time=False, in_raw_units=True)
    else:
        path = models.lasso()
    kept: list[_core.LogisticModel] = []
    size = n_columns
    for model in reversed(path):
        if 0 < len(model.columns) < size:
            size = len(model.columns)
            kept.append(fits.models(node, list(model.columns)).fit() if tests.refit else model)
    return kept
