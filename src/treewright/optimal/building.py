"""The Tree from the answer of the search: the same tests, thresholds made short, and statistics.

The answer names tests by their position in the dictionary. Each becomes a predicate that sends the
rows of its node the way their bits said: a threshold may be any number between the values of the
node's rows on its two sides, and rows with a missing value follow the default branch. Whether the
finished tree really routes every training row to its leaf is checked every time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.node import MISSING_POLICIES
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.goals import Goal
from treewright.predicates import Axis, Connective, Pair, Predicate, Subset
from treewright.predicates.base import FlatKind, FlatTest
from treewright.rounding import shortest_between
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["build_tree", "tree_costs"]

_SINGLE = 0
_CONNECTIVES: dict[int, Connective] = {1: "and", 2: "or", 3: "xor", 4: "and not"}

Rows = NDArray[np.intp]


def build_tree(
    answer: _core.SearchTree,
    dictionary: Dictionary,
    goal: Goal,
    schema: Schema,
    table: _core.Table,
    *,
    readable: bool = True,
) -> Tree:
    """Make the tree of an answer.

    Parameters
    ----------
    answer : treewright._core.SearchTree
        Tests and leaves by position.
    dictionary : Dictionary
        The tests.
    goal : Goal
        Classes or numbers of the training rows.
    schema : Schema
        Columns and classes.
    table : treewright._core.Table
        The training rows.
    readable : bool, default True
        Make thresholds short for the rows of their node; otherwise cut halfway between the
        neighbouring values of the whole column.

    Returns
    -------
    Tree
        A tree with the statistics of the training rows.
    """
    shape = _Shape(answer)
    leaves = _core.search_leaves(answer, dictionary.bits, goal.n_rows)
    tests = _Tests(answer, leaves, dictionary, table, readable)
    core = _core.Tree.from_state(_state(shape, leaves, tests, goal, schema.n_levels))
    if not np.array_equal(core.apply(table), shape.node_at(leaves)):
        raise AssertionError("An optimal tree routes its training rows otherwise than its search.")
    return Tree(core, schema)


def tree_costs(answer: _core.SearchTree, prices: NDArray[np.float64], pair_price: float) -> float:
    """Sum the prices of the tests of an answer."""
    if pair_price == 0.0 and not prices.any():
        return 0.0
    first, second = answer.first, answer.second
    used = np.concatenate([first[first >= 0], second[second >= 0]])
    return float(prices[used].sum() + pair_price * np.count_nonzero(second >= 0))


class _Shape:
    """The nodes of an answer in the order of a Tree, where siblings stand together.

    Attributes
    ----------
    places : list of int
        Where each node stands in the answer.
    first_child, parents : list of int
        Nodes by their order here, -1 if there is none.
    told : list of int
        What the leaves answer, -1 for the others.
    """

    def __init__(self, answer: _core.SearchTree) -> None:
        passed, failed, answers = (
            part.tolist() for part in (answer.passed, answer.failed, answer.answers)
        )
        self.places, self.first_child, self.parents = [0], [-1], [-1]
        open_nodes = [0]
        while open_nodes:
            node = open_nodes.pop()
            place = self.places[node]
            if passed[place] < 0:
                continue
            child = len(self.places)
            self.first_child[node] = child
            self.places += (passed[place], failed[place])
            self.first_child += (-1, -1)
            self.parents += (node, node)
            open_nodes += (child + 1, child)
        self.told = [answers[place] for place in self.places]

    def __len__(self) -> int:
        return len(self.places)

    def node_at(self, places: NDArray[np.int32]) -> NDArray[np.intp]:
        """Give the nodes that stand at these places of the answer."""
        nodes = np.empty(len(self), dtype=np.intp)
        nodes[self.places] = np.arange(len(self))
        return nodes[places]


class _Tests:
    """The tests of an answer as predicates."""

    def __init__(
        self,
        answer: _core.SearchTree,
        leaves: NDArray[np.int32],
        dictionary: Dictionary,
        table: _core.Table,
        readable: bool,
    ) -> None:
        self._first, self._second = answer.first.tolist(), answer.second.tolist()
        self._function = answer.function.tolist()
        self._failed = answer.failed.tolist()
        self._leaves, self._dictionary, self._table = leaves, dictionary, table
        self._readable = readable

    def at(self, place: int) -> tuple[FlatTest, int]:
        """Give the test at a place of the answer, and where rows without a value went, or -1."""
        test = self._first[place]
        if test < 0:
            return (FlatKind.LEAF, [], []), -1
        if self._function[place] != _SINGLE:
            return self._pair(place).encode(), -1
        if test < self._dictionary.n_two_valued:
            return self._whole_cut(test).encode(), -1
        if self._dictionary.column[test] < 0:
            return self._other(place, test)
        return self._cut(place, test)

    def _rows(self, place: int) -> tuple[Rows, NDArray[np.bool_]]:
        """Give the rows of a node, and which of them pass its test.

        Nodes stand in preorder, so that the leaves below one are neighbours: first those of the
        rows that pass.
        """
        end = self._failed[place]
        while self._failed[end] >= 0:
            end = self._failed[end]
        rows = np.flatnonzero((self._leaves >= place) & (self._leaves <= end))
        return rows, self._leaves[rows] < self._failed[place]

    def _pair(self, place: int) -> Pair:
        first = self._dictionary.predicate(self._first[place])
        second = self._dictionary.predicate(self._second[place])
        assert isinstance(first, Axis | Subset)
        assert isinstance(second, Axis | Subset)
        return Pair(_CONNECTIVES[self._function[place]], first, second)

    def _other(self, place: int, test: int) -> tuple[FlatTest, int]:
        """Give a test that is no threshold."""
        flat, unknown = (
            self._dictionary.predicate(test).encode(),
            int(self._dictionary.unknown[test]),
        )
        if unknown >= 0:
            rows = self._rows(place)[0].astype(np.uint32)
            if (_core.route(flat, self._table, rows) < 0).any():
                return flat, unknown
        return flat, -1

    def _cut(self, place: int, test: int) -> tuple[FlatTest, int]:
        """Give a threshold between the values of the node's own rows."""
        column, unknown = int(self._dictionary.column[test]), int(self._dictionary.unknown[test])
        rows, passes = self._rows(place)
        numbers, branch = self._table.values[rows, column], -1
        if unknown >= 0:
            is_known = ~np.isnan(numbers)
            if not is_known.all():
                branch = unknown
                numbers, passes = numbers[is_known], passes[is_known]
        if not self._readable or np.count_nonzero(passes) in (0, len(numbers)):
            return self._whole_cut(test).encode(), branch
        low, high = float(numbers[passes].max()), float(numbers[~passes].min())
        return Axis(column, shortest_between(low, high)).encode(), branch

    def _whole_cut(self, test: int) -> Predicate:
        """Give ``x <= t`` with a threshold for all rows, halfway unless it is to be short."""
        if self._readable:
            return self._dictionary.predicate(test)
        low, high = float(self._dictionary.low[test]), float(self._dictionary.high[test])
        return Axis(int(self._dictionary.column[test]), low + (high - low) / 2)


def _state(
    shape: _Shape,
    leaves: NDArray[np.int32],
    written: _Tests,
    goal: Goal,
    n_levels: NDArray[np.int32],
) -> dict[str, Any]:
    """Write nodes as the state of a compiled tree."""
    n_nodes = len(shape)
    tests, unknown = zip(*map(written.at, shape.places), strict=True)
    features = [feature for _, part, _ in tests for feature in part]
    numbers = [number for _, _, part in tests for number in part]
    leaf_of_row = shape.node_at(leaves)
    statistics = goal.statistics(leaf_of_row, n_nodes)
    rows = np.bincount(leaf_of_row, minlength=n_nodes).astype(np.float64)
    for node in reversed(range(n_nodes)):
        child = shape.first_child[node]
        if child >= 0:
            statistics[node] = goal.joined(statistics[child], statistics[child + 1])
            rows[node] = rows[child] + rows[child + 1]
    first_child = np.array(shape.first_child, dtype=np.int32)
    default_branch = np.array(unknown, dtype=np.int32)
    gain = np.zeros(n_nodes)
    inner = np.flatnonzero(first_child >= 0)
    left, right = first_child[inner], first_child[inner] + 1
    impurities, weights = goal.impurities(statistics), goal.node_weights(statistics)
    gain[inner] = np.maximum(impurities[inner] - impurities[left] - impurities[right], 0.0)
    heavier = (weights[right] > weights[left]).astype(np.int32)
    default_branch[inner] = np.where(default_branch[inner] < 0, heavier, default_branch[inner])
    n_branches = np.zeros(n_nodes, dtype=np.int32)
    n_branches[inner] = 2
    default = MISSING_POLICIES.index("default")
    no_bytes, no_ends = np.empty(0, dtype=np.int8), np.empty(0, dtype=np.int64)
    return {
        "is_classification": goal.is_classification,
        "n_levels": n_levels,
        "cost": np.empty(0) if goal.cost is None else goal.cost.ravel(),
        "statistics": statistics,
        "kind": np.array([kind for kind, _, _ in tests], dtype=np.int8),
        "first_child": first_child,
        "n_branches": n_branches,
        "feature_end": np.cumsum([len(part) for _, part, _ in tests], dtype=np.int64),
        "features": np.array(features, dtype=np.int32),
        "number_end": np.cumsum([len(part) for _, _, part in tests], dtype=np.int64),
        "numbers": np.array(numbers, dtype=np.float64),
        "rows": rows,
        "value": np.array(goal.answers(statistics, shape.told, shape.parents)),
        "gain": gain,
        "missing": np.full(n_nodes, default, dtype=np.int8),
        "default_branch": default_branch,
        "surrogate_end": np.zeros(n_nodes, dtype=np.int64),
        "surrogate_kind": no_bytes,
        "surrogate_feature_end": no_ends,
        "surrogate_features": np.empty(0, dtype=np.int32),
        "surrogate_number_end": no_ends,
        "surrogate_numbers": np.empty(0),
        "surrogate_swapped": no_bytes,
        "surrogate_agreement": np.empty(0),
        "surrogate_adjusted": np.empty(0),
    }
