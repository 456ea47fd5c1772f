"""The Tree from the answer of the search: the same tests, thresholds made short, and statistics.

The answer names tests by their position in the dictionary. Each becomes a predicate that sends the
rows of its node the way their bits said: a threshold may be any number between the values of the
node's rows on its two sides, and rows with a missing value follow the default branch. Whether the
finished tree really routes every training row to its leaf is checked every time.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass
class _Node:
    """A node on the way from the answer to the tree."""

    rows: Rows
    statistics: NDArray[np.float64]
    value: float
    test: FlatTest | None = None
    first_child: int = -1
    default_branch: int = -1  # heavier unless rows without a value took one


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
    builder = _Builder(answer, dictionary, goal, table, readable)
    nodes, leaf_of_row = builder.build()
    core = _core.Tree.from_state(_state(nodes, goal, schema.n_levels))
    tree = Tree(core, schema)
    if not np.array_equal(core.apply(table), leaf_of_row):
        raise AssertionError("An optimal tree routes its training rows otherwise than its search.")
    return tree


def tree_costs(answer: _core.SearchTree, prices: NDArray[np.float64], pair_price: float) -> float:
    """Sum the prices of the tests of an answer."""
    first, second = answer.first, answer.second
    used = np.concatenate([first[first >= 0], second[second >= 0]])
    return float(prices[used].sum() + pair_price * np.count_nonzero(second >= 0))


class _Builder:
    """Walks the answer depth first, as the nodes of a Tree are ordered."""

    def __init__(
        self,
        answer: _core.SearchTree,
        dictionary: Dictionary,
        goal: Goal,
        table: _core.Table,
        readable: bool,
    ) -> None:
        self._first, self._second = answer.first, answer.second
        self._function = answer.function
        self._passed, self._failed = answer.passed, answer.failed
        self._answers = answer.answers
        self._dictionary, self._goal, self._readable = dictionary, goal, readable
        self._table, self._values = table, table.values

    def build(self) -> tuple[list[_Node], NDArray[np.int32]]:
        """Give the nodes in their order, and the leaf of every row."""
        all_rows = np.arange(self._goal.n_rows)
        nodes = [self._node(0, all_rows, 0.0)]
        leaf_of_row = np.zeros(len(all_rows), dtype=np.int32)
        open_nodes = [(0, 0)]
        while open_nodes:
            at, place = open_nodes.pop()
            node = nodes[at]
            if self._first[place] < 0:
                leaf_of_row[node.rows] = at
                continue
            passes = self._passes(place)[node.rows]
            node.test = self._predicate(place, node, passes).encode()
            node.first_child = len(nodes)
            children = (int(self._passed[place]), int(self._failed[place]))
            sides = (node.rows[passes], node.rows[~passes])
            for child, rows in zip(children, sides, strict=True):
                nodes.append(self._node(child, rows, node.value))
            open_nodes += [(node.first_child + 1, children[1]), (node.first_child, children[0])]
        return nodes, leaf_of_row

    def _node(self, place: int, rows: Rows, before: float) -> _Node:
        statistics = self._goal.statistics(rows)
        return _Node(rows, statistics, self._goal.answer(statistics, self._answers[place], before))

    def _passes(self, place: int) -> NDArray[np.bool_]:
        """Tell which of all rows pass the test of a node."""
        n_rows = self._goal.n_rows
        first = self._dictionary.passes(int(self._first[place]), n_rows)
        if self._function[place] == _SINGLE:
            return first
        second = self._dictionary.passes(int(self._second[place]), n_rows)
        match _CONNECTIVES[int(self._function[place])]:
            case "and":
                return first & second
            case "or":
                return first | second
            case "xor":
                return first ^ second
            case "and not":
                return first & ~second

    def _predicate(self, place: int, node: _Node, passes: NDArray[np.bool_]) -> Predicate:
        """Give the test of a node, and tell the node which way rows without a value went."""
        test, n_passed = int(self._first[place]), np.count_nonzero(passes)
        if self._function[place] != _SINGLE:
            first = self._dictionary.predicate(test)
            second = self._dictionary.predicate(int(self._second[place]))
            assert isinstance(first, Axis | Subset)
            assert isinstance(second, Axis | Subset)
            return Pair(_CONNECTIVES[int(self._function[place])], first, second)
        unknown, column = int(self._dictionary.unknown[test]), int(self._dictionary.column[test])
        if column < 0:
            predicate = self._dictionary.predicate(test)
            if unknown >= 0:
                rows = node.rows.astype(np.uint32)
                if (_core.route(predicate.encode(), self._table, rows) < 0).any():
                    node.default_branch = unknown
            return predicate
        if test < self._dictionary.n_two_valued:
            return self._whole_cut(test)
        numbers = self._values[node.rows, column]
        if unknown >= 0:
            is_known = ~np.isnan(numbers)
            if not is_known.all():
                node.default_branch = unknown
                numbers, passes = numbers[is_known], passes[is_known]
                n_passed = np.count_nonzero(passes)
        if not self._readable or n_passed in (0, len(numbers)):
            return self._whole_cut(test)
        low, high = float(numbers[passes].max()), float(numbers[~passes].min())
        return Axis(column, shortest_between(low, high))

    def _whole_cut(self, test: int) -> Predicate:
        """Give ``x <= t`` with a threshold for all rows, halfway unless it is to be short."""
        if self._readable:
            return self._dictionary.predicate(test)
        low, high = float(self._dictionary.low[test]), float(self._dictionary.high[test])
        return Axis(int(self._dictionary.column[test]), low + (high - low) / 2)


def _state(nodes: list[_Node], goal: Goal, n_levels: NDArray[np.int32]) -> dict[str, Any]:
    """Write nodes as the state of a compiled tree."""
    tests = [node.test or (FlatKind.LEAF, [], []) for node in nodes]
    features = [feature for _, part, _ in tests for feature in part]
    numbers = [number for _, _, part in tests for number in part]
    statistics = np.array([node.statistics for node in nodes])
    first_child = np.array([node.first_child for node in nodes], dtype=np.int32)
    default_branch = np.array([node.default_branch for node in nodes], dtype=np.int32)
    gain = np.zeros(len(nodes))
    inner = np.flatnonzero(first_child >= 0)
    left, right = first_child[inner], first_child[inner] + 1
    impurities, weights = goal.impurities(statistics), goal.node_weights(statistics)
    gain[inner] = np.maximum(impurities[inner] - impurities[left] - impurities[right], 0.0)
    heavier = (weights[right] > weights[left]).astype(np.int32)
    default_branch[inner] = np.where(default_branch[inner] < 0, heavier, default_branch[inner])
    n_branches = np.zeros(len(nodes), dtype=np.int32)
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
        "rows": np.array([float(len(node.rows)) for node in nodes]),
        "value": np.array([node.value for node in nodes]),
        "gain": gain,
        "missing": np.full(len(nodes), default, dtype=np.int8),
        "default_branch": default_branch,
        "surrogate_end": np.zeros(len(nodes), dtype=np.int64),
        "surrogate_kind": no_bytes,
        "surrogate_feature_end": no_ends,
        "surrogate_features": np.empty(0, dtype=np.int32),
        "surrogate_number_end": no_ends,
        "surrogate_numbers": np.empty(0),
        "surrogate_swapped": no_bytes,
        "surrogate_agreement": np.empty(0),
        "surrogate_adjusted": np.empty(0),
    }
