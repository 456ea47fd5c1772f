"""Optimal trees by trying everything: what the compiled search must find on small tables.

A set of rows is a Python integer, bit r for row r. For each set, depth left and number k of tests
the least cost follows from the definition,

    V(S, d, k) = min over tests p and a + b = k - 1 of price(p) + V(S+, d-1, a) + V(S-, d-1, b),

without any bound; only sets already met are remembered. All is in whole numbers, as in the search.
The cost of a set under squared error is ``sum w y^2 - (sum w y)^2 / sum w`` with the quotient
rounded down.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

ANYWHERE = 255  # of `last_levels`
SINGLE, AND, OR, XOR, AND_NOT = range(5)


def costs_of_errors(n_classes: int) -> np.ndarray:
    """Every wrong answer costs 1."""
    return 1 - np.eye(n_classes, dtype=np.int64)


NUMBERS = np.zeros((0, 0), dtype=np.int64)  # in place of a cost matrix: squared error


@dataclass(frozen=True, eq=False)
class Problem:
    """All that the search is asked, named as there; `passes[p, r]`: row r passes test p."""

    passes: np.ndarray
    targets: np.ndarray
    costs: np.ndarray = field(default_factory=lambda: costs_of_errors(2))
    weights: np.ndarray | None = None
    prices: np.ndarray | None = None
    last_levels: np.ndarray | None = None
    chains: np.ndarray | None = None
    sources: np.ndarray | None = None
    max_depth: int = 3
    max_nodes: int = -1
    penalty: int = 0
    min_rows: int = 1
    min_weight: int = 0
    pair_levels: int = 0
    pair_functions: int = 3
    pair_price: int = 0

    def __post_init__(self) -> None:
        n_tests, n_rows = self.passes.shape
        for name, length, value, kind in (
            ("weights", n_rows, 1, np.int64),
            ("prices", n_tests, 0, np.int64),
            ("last_levels", n_tests, ANYWHERE, np.int32),
            ("chains", n_tests, -1, np.int32),
            ("sources", n_tests, -1, np.int32),
        ):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.full(length, value, dtype=kind))

    @property
    def n_rows(self) -> int:
        return self.passes.shape[1]

    @property
    def most_tests(self) -> int:
        """How many tests a tree may have by its depth and its budget."""
        by_depth = 2**self.max_depth - 1
        return by_depth if self.max_nodes < 0 else min(by_depth, self.max_nodes)

    def price_of_pair(self, i: int, j: int) -> int:
        """What both tests cost joined: the pair price only if they read different columns."""
        is_one_column = self.sources[i] == self.sources[j] >= 0
        return int(self.prices[i] + self.prices[j]) + (0 if is_one_column else self.pair_price)

    @property
    def of_numbers(self) -> bool:
        return self.costs.size == 0


@dataclass(frozen=True)
class Test:
    """One test that may stand at a node: columns, function, the rows that pass, price."""

    __test__ = False  # no test of pytest's

    first: int
    second: int
    function: int
    passed: int
    price: int


class Twin:
    """The optimum of a problem for every number of tests."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.all_rows = (1 << problem.n_rows) - 1
        self.columns = [_as_bits(column) for column in problem.passes]
        kinds: dict[tuple[int, int], int] = defaultdict(int)
        rows = zip(problem.targets.tolist(), problem.weights.tolist(), strict=True)
        for r, (target, weight) in enumerate(rows):
            kinds[target, weight] |= 1 << r
        self.kinds = [(*kind, rows) for kind, rows in kinds.items()]
        self.tests = [self._cheapest(level) for level in range(problem.max_depth)]
        self.known: dict[tuple[int, int], list[int]] = {}
        self.known_least: dict[tuple[int, int], int] = {}

    @property
    def objective(self) -> int:
        """The least cost of leaves, prices and penalty together."""
        if self.problem.max_nodes < 0:
            return self.least(self.all_rows, self.problem.max_depth)
        penalty = self.problem.penalty
        return min(cost + penalty * k for k, cost in enumerate(self.profile))

    def least(self, rows: int, depth: int) -> int:
        """Least cost, penalty included, of a set of rows with as many tests as the depth allows."""
        key = rows, depth
        if key not in self.known_least:
            best = self.leaf_cost(rows)
            for test in self.tests[self.problem.max_depth - depth] if depth else ():
                passed, failed = rows & test.passed, rows & ~test.passed
                if self.big_enough(passed) and self.big_enough(failed):
                    cost = test.price + self.problem.penalty
                    cost += self.least(passed, depth - 1) + self.least(failed, depth - 1)
                    best = min(best, cost)
            self.known_least[key] = best
        return self.known_least[key]

    @property
    def profile(self) -> list[int]:
        """Least cost without penalty for 0, 1, 2, ... tests at most."""
        return self.values(self.all_rows, self.problem.max_depth)[: self.problem.most_tests + 1]

    @property
    def front(self) -> list[tuple[int, int]]:
        """Number of tests and cost without penalty, where the cost falls."""
        profile = self.profile
        return [(k, cost) for k, cost in enumerate(profile) if k == 0 or cost < profile[k - 1]]

    def values(self, rows: int, depth: int) -> list[int]:
        """Least cost of a set of rows with 0, 1, ..., 2^depth - 1 tests at most."""
        key = rows, depth
        if key not in self.known:
            self.known[key] = self._values(rows, depth)
        return self.known[key]

    def _values(self, rows: int, depth: int) -> list[int]:
        best = [self.leaf_cost(rows)] * 2**depth
        for test in self.tests[self.problem.max_depth - depth] if depth else ():
            passed, failed = rows & test.passed, rows & ~test.passed
            if not (self.big_enough(passed) and self.big_enough(failed)):
                continue
            left, right = self.values(passed, depth - 1), self.values(failed, depth - 1)
            for (a, one), (b, other) in itertools.product(enumerate(left), enumerate(right)):
                best[a + b + 1] = min(best[a + b + 1], test.price + one + other)
        return [*itertools.accumulate(best, min)]

    def leaf_cost(self, rows: int) -> int:
        """Cost of the best answer for a set of rows."""
        found = [(t, w * (rows & kind).bit_count()) for t, w, kind in self.kinds]
        if self.problem.of_numbers:
            weight = sum(w for _, w in found)
            total = sum(w * y for y, w in found)
            squares = sum(w * y * y for y, w in found)
            return squares - total * total // weight if weight else 0
        matrix = self.problem.costs.tolist()
        return min(sum(w * matrix[c][answer] for c, w in found) for answer in range(len(matrix[0])))

    def big_enough(self, rows: int) -> bool:
        """Whether a set of rows may be a leaf beside others."""
        if rows.bit_count() < max(1, self.problem.min_rows):
            return False
        if self.problem.min_weight <= 0:
            return True
        weight = sum(w * (rows & kind).bit_count() for _, w, kind in self.kinds)
        return weight >= self.problem.min_weight

    def _cheapest(self, level: int) -> list[Test]:
        """Of the tests that part all rows alike the cheapest one."""
        found: dict[int, Test] = {}
        for test in self._tests(level):
            key = min(test.passed, self.all_rows & ~test.passed)
            if key and (key not in found or test.price < found[key].price):
                found[key] = test
        return [*found.values()]

    def _tests(self, level: int) -> Iterator[Test]:
        """All tests that may stand at a level, singles first."""
        problem, columns = self.problem, self.columns
        prices = problem.prices.tolist()
        allowed = [p for p, last in enumerate(problem.last_levels.tolist()) if level <= last]
        for p in allowed:
            yield Test(p, -1, SINGLE, columns[p], prices[p])
        for i, j in itertools.combinations(allowed, 2) if level < problem.pair_levels else ():
            price = problem.price_of_pair(i, j)
            yield Test(i, j, AND, columns[i] & columns[j], price)
            yield Test(i, j, OR, columns[i] | columns[j], price)
            yield Test(i, j, XOR, columns[i] ^ columns[j], price)
            if problem.pair_functions == 5:
                yield Test(i, j, AND_NOT, columns[i] & ~columns[j], price)
                yield Test(j, i, AND_NOT, columns[j] & ~columns[i], price)


def _as_bits(passes: np.ndarray) -> int:
    return sum(1 << r for r in np.flatnonzero(passes).tolist())


# ------------------------------------------------------------------------- the cost of a given tree


@dataclass
class Cost:
    """What a tree costs without penalty, and what it is made of."""

    cost: int = 0
    n_tests: int = 0
    depth: int = 0


def cost_of(tree: Any, problem: Problem) -> Cost:
    """Route every row through a tree of the search; fail where the tree breaks a limit."""
    found = Cost()
    every_row = np.ones(problem.n_rows, dtype=bool)
    todo = [(0, every_row, 0)]
    visited = []
    while todo:
        node, rows, level = todo.pop()
        visited.append(node)
        found.depth = max(found.depth, level)
        if tree.first[node] < 0:
            found.cost += _cost_of_leaf(problem, rows, tree.answers[node])
            continue
        found.n_tests += 1
        price, passes = _test_at(tree, node, level, problem)
        found.cost += price
        for child, side in ((tree.failed[node], ~passes), (tree.passed[node], passes)):
            part = rows & side
            assert part.sum() >= max(1, problem.min_rows)
            assert problem.weights[part].sum() >= problem.min_weight
            todo.append((child, part, level + 1))
    assert visited == [*range(len(tree.first))], "nodes stand in preorder, each met once"
    assert found.depth <= problem.max_depth
    assert found.n_tests <= problem.most_tests
    return found


def _test_at(tree: Any, node: int, level: int, problem: Problem) -> tuple[int, np.ndarray]:
    """Price of the test at a node, and the rows that pass it."""
    i, j, function = tree.first[node], tree.second[node], tree.function[node]
    price = int(problem.prices[i])
    a = problem.passes[i].astype(bool)
    assert problem.last_levels[i] >= level
    if function == SINGLE:
        assert j == -1
        return price, a
    b = problem.passes[j].astype(bool)
    assert level < problem.pair_levels
    assert problem.last_levels[j] >= level
    assert i != j
    assert function <= problem.pair_functions - (problem.pair_functions == 5)
    passes = {AND: a & b, OR: a | b, XOR: a ^ b, AND_NOT: a & ~b}[function]
    return problem.price_of_pair(i, j), passes


def _cost_of_leaf(problem: Problem, rows: np.ndarray, answer: int) -> int:
    w, y = problem.weights[rows], problem.targets[rows]
    if problem.of_numbers:
        assert answer == -1
        total = int(w @ y)
        return int(w @ (y * y)) - total * total // int(w.sum())
    return int(w @ problem.costs[y, answer])
