"""The Tree from the plan of the search: the same conditions, thresholds made short, and statistics.

The plan names conditions by their position in the dictionary. Each becomes a predicate that sends
the rows of its node the way their bits said: a threshold may be any number between the values of
the node's rows on its two sides, and rows whose branch is unknown follow the default one. Whether
the finished tree really routes every training row to its leaf is checked every time.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.found import tests_in
from treewright.optimal.goals import Goal
from treewright.optimal.passing import Bits
from treewright.optimal.rounding import shortest_between
from treewright.optimal.short_sums import shortened
from treewright.predicates import Connective, Linear, Pair, Simple, decode
from treewright.predicates.base import FlatKind, FlatTest
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Written", "build_tree"]

_SINGLE = 0
_NO_NUMBERS = np.empty(0)
_CONNECTIVES: dict[int, Connective] = {1: "and", 2: "or", 3: "xor", 4: "and not"}

Rows = NDArray[np.intp]
Written = dict[tuple[int, bytes], tuple[FlatTest, int]]  # by condition and rows of its node


def build_tree(
    answer: _core.SearchTree,
    dictionary: Dictionary,
    goal: Goal,
    schema: Schema,
    table: _core.Table,
    *,
    readable: bool = True,
    shortens_sums: bool = False,
    keeps_places: bool = False,
    known: Written | None = None,
) -> Tree:
    """Make the tree of a plan.

    Parameters
    ----------
    answer : treewright._core.SearchTree
        Conditions and leaves by position.
    dictionary : Dictionary
        The conditions.
    goal : Goal
        Classes or numbers of the training rows.
    schema : Schema
        Columns and classes.
    table : treewright._core.Table
        The training rows.
    readable : bool, default True
        Make thresholds short for the rows of their node; otherwise cut halfway between the
        neighbouring values of the whole column.
    shortens_sums : bool, default False
        Write sums with shorter numbers and fewer terms where that sends the rows of their node the
        same way.
    keeps_places : bool, default False
        Write every condition as it is for the whole table, and send rows without a value where it
        says even if a node has none, as places in the space of columns were reckoned so.
    known : dict or None, default None
        What trees over the same rows and conditions have written already; filled.

    Returns
    -------
    Tree
        A tree with the statistics of the training rows.
    """
    nodes = goal.nodes(*_by_bits(answer, dictionary, table))
    tests = _Tests(
        answer,
        nodes,
        dictionary,
        table,
        readable,
        shortens_sums,
        keeps_places,
        {} if known is None else known,
    )
    written, branches = tests.of_nodes()
    nodes["default_branch"] = nodes["heavier"]
    if any(branch >= 0 for branch in branches):
        known_branch = np.array(branches, dtype=np.int32)
        nodes["default_branch"] = np.where(known_branch >= 0, known_branch, nodes["heavier"])
    cost = _NO_NUMBERS if goal.cost is None else goal.cost.ravel()
    core = _core.Tree.from_nodes(nodes, written, goal.is_classification, schema.n_levels, cost)
    if not np.array_equal(core.apply(table), nodes["leaf_of_row"]):
        raise AssertionError("An optimal tree routes its training rows otherwise than its search.")
    return Tree(core, schema)


def _by_bits(
    answer: _core.SearchTree, dictionary: Dictionary, table: _core.Table
) -> tuple[_core.SearchTree, Bits]:
    """Give a plan whose conditions are numbered as columns of bits are, and these."""
    has_pairs = (answer.second >= 0).any()
    if dictionary.has_bits and not (dictionary.branchings or has_pairs):
        return answer, dictionary.bits
    used = tests_in(answer)
    single = [test for test in used if test < len(dictionary)]
    numbers, bits, unknown = [*single], dictionary.bits_of(single), None
    for test in used[len(single) :]:
        branching, level = dictionary.branching(test)
        of_levels = branching.bits(level)
        numbers += [test] * len(of_levels)  # the first of its columns of bits stands for all
        bits = np.concatenate([bits, of_levels])
    if has_pairs:
        sets, places = dictionary.unknown_rows(used, table)
        unknown = np.where(places >= 0, places + len(used), -1).astype(np.int32)
        bits = np.concatenate([bits, sets])
    return answer.over(np.array(numbers, dtype=np.int32), unknown), bits


class _Tests:
    """The conditions of the nodes of a plan as predicates."""

    def __init__(
        self,
        answer: _core.SearchTree,
        nodes: dict[str, Any],
        dictionary: Dictionary,
        table: _core.Table,
        readable: bool,
        shortens_sums: bool,
        keeps_places: bool,
        known: Written,
    ) -> None:
        self._first, self._second = answer.first.tolist(), answer.second.tolist()
        self._function = answer.function.tolist()
        self._nodes, self._dictionary, self._table = nodes, dictionary, table
        self._readable = readable
        self._shortens_sums = shortens_sums
        self._keeps_places = keeps_places
        self._known = known

    def of_nodes(self) -> tuple[list[FlatTest | None], list[int]]:
        """Give the condition of each node, None of a leaf, and where rows without a value went.

        That is -1 where there are none.
        """
        found = [self._at(node, place) for node, place in enumerate(self._nodes["places"].tolist())]
        return [test for test, _ in found], [branch for _, branch in found]

    def _at(self, node: int, place: int) -> tuple[FlatTest | None, int]:
        test = self._first[place]
        if test < 0:
            return None, -1
        if test >= len(self._dictionary):
            branching, level = self._dictionary.branching(test)
            heaviest = int(self._nodes["heavier"][node])
            multiway, unknown = branching.at(self._rows_of_nodes[node], level, heaviest)
            return multiway.encode(), unknown
        if self._function[place] != _SINGLE:
            return self._pair(node, place)
        if self._keeps_places:
            return self._whole(test), int(self._dictionary.unknown[test])
        if test < self._dictionary.n_two_valued:
            return self._whole(test), -1
        if self._dictionary.column[test] < 0:
            return self._other(node, test)
        return self._cut(node, test)

    @cached_property
    def _rows_of_nodes(self) -> list[Rows]:
        """The rows of every node."""
        leaf_of_row = self._nodes["leaf_of_row"]
        rows = np.argsort(leaf_of_row, kind="stable")
        ends = np.cumsum(np.bincount(leaf_of_row, minlength=len(self._nodes["rows"]))).tolist()
        found = [rows[begin:end] for begin, end in pairwise([0, *ends])]
        branches = self._nodes["n_branches"].tolist()
        for node, child in reversed([*enumerate(self._nodes["first_child"].tolist())]):
            if child >= 0:
                found[node] = np.concatenate(found[child : child + branches[node]])
        return found

    def _pair(self, node: int, place: int) -> tuple[FlatTest, int]:
        """Give two conditions joined; rows for which they are unknown together go one way."""
        first = decode(self._whole(self._first[place]))
        second = decode(self._whole(self._second[place]))
        assert isinstance(first, Simple)
        assert isinstance(second, Simple)
        flat = Pair(_CONNECTIVES[self._function[place]], first, second).encode()
        if self._dictionary.unknown[[self._first[place], self._second[place]]].max() < 0:
            return flat, -1
        child = int(self._nodes["first_child"][node])
        for branch in (0, 1):
            rows = self._rows_of_nodes[child + branch].astype(np.uint32)
            if (_core.route(flat, self._table, rows) < 0).any():
                return flat, branch
        return flat, -1

    def _other(self, node: int, test: int) -> tuple[FlatTest, int]:
        """Give a condition that is no threshold."""
        rows = np.sort(self._rows_of_nodes[node]).astype(np.uint32)
        key = (test, rows.tobytes())
        if key not in self._known:
            self._known[key] = self._written(test, rows)
        return self._known[key]

    def _written(self, test: int, rows: NDArray[np.uint32]) -> tuple[FlatTest, int]:
        predicate, unknown = self._dictionary.predicate(test), int(self._dictionary.unknown[test])
        if self._shortens_sums and isinstance(predicate, Linear):
            predicate = shortened(predicate, self._table, rows)
        flat = predicate.encode()
        if unknown >= 0 and (_core.route(flat, self._table, rows) < 0).any():
            return flat, unknown
        return flat, -1

    def _cut(self, node: int, test: int) -> tuple[FlatTest, int]:
        """Give a threshold between the values of the node's own rows."""
        column, unknown = int(self._dictionary.column[test]), int(self._dictionary.unknown[test])
        child, branch = int(self._nodes["first_child"][node]), -1
        numbers = self._table.values[:, column]
        passed, failed = (numbers[self._rows_of_nodes[part]] for part in (child, child + 1))
        if unknown >= 0:
            known = [side[~np.isnan(side)] for side in (passed, failed)]
            if len(known[0]) + len(known[1]) < len(passed) + len(failed):
                branch, (passed, failed) = unknown, known
        if not self._readable or not len(passed) or not len(failed):
            return self._whole(test), branch
        threshold = shortest_between(float(passed.max()), float(failed.min()))
        return (FlatKind.AXIS, [column], [threshold]), branch

    def _whole(self, test: int) -> FlatTest:
        """Write a condition for all rows; a threshold lies halfway unless it is to be short."""
        column = int(self._dictionary.column[test])
        if column < 0:
            return self._dictionary.predicate(test).encode()
        threshold = self._dictionary.threshold(test, readable=self._readable)
        return FlatKind.AXIS, [column], [threshold]
