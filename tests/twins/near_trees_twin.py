"""All trees of a small problem, listed one by one: a twin of the set that the core counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright import _core


@dataclass(frozen=True)
class SmallProblem:
    """Rows and conditions in whole numbers; no classes for numbers."""

    passes: np.ndarray  # [condition][row]
    targets: np.ndarray
    weights: np.ndarray
    costs: np.ndarray  # [class][label]; no columns where every mistake costs 1
    columns: list[list[int]]
    prices: np.ndarray
    last_levels: np.ndarray
    depth: int
    penalty: int
    min_rows: int
    min_weight: int

    @property
    def n_columns(self) -> int:
        return 1 + max(column for read in self.columns for column in read)

    def found(self, slack: int, n_trees: int, *, with_idle: bool = False, **limits: float) -> Any:
        """Ask the core."""
        options, near = _core.SearchOptions(), _core.NearOptions()
        for name, limit in limits.items():
            setattr(options, name, limit)
        options.max_depth, options.penalty = self.depth, self.penalty
        options.min_rows, options.min_weight = self.min_rows, self.min_weight
        near.slack, near.n_trees, near.with_idle_tests = slack, n_trees, with_idle
        return _core.search_near_trees(
            np.packbits(self.passes, axis=1, bitorder="little"),
            len(self.targets),
            self.targets,
            self.weights,
            self.costs,
            self.prices,
            self.last_levels,
            np.full(len(self.passes), -1, dtype=np.int32),
            np.array([r[0] if len(r) == 1 else -1 for r in self.columns], dtype=np.int32),
            self.columns,
            self.n_columns,
            options,
            near,
        )

    def leaf(self, rows: tuple[int, ...]) -> tuple[int, Any]:
        """Give the cost of a leaf and what it predicts."""
        at = list(rows)
        weights, targets = self.weights[at], self.targets[at]
        if not len(self.costs):
            numbers = targets - self.targets.min()
            moment, weight = int(weights @ numbers), int(weights.sum())
            reward = np.floor(moment * moment / weight + 0.25)
            return int(weights @ numbers**2) - int(reward), (moment / weight)
        n_classes = len(self.costs)
        costs = self.costs if self.costs.shape[1] else 1 - np.eye(n_classes, dtype=np.int64)
        spent = np.bincount(targets, weights, n_classes) @ costs
        overall = np.bincount(self.targets, self.weights, n_classes) @ costs
        label = min(range(costs.shape[1]), key=lambda one: (spent[one], overall[one], one))
        return int(spent[label]), label

    def questions(self, rows: tuple[int, ...], level: int) -> Iterator[tuple[int, Any, Any]]:
        """Give the conditions of a node, with the rows on both sides."""
        known = set()
        for test, passes in enumerate(self.passes):
            sides = tuple(r for r in rows if passes[r]), tuple(r for r in rows if not passes[r])
            if level > self.last_levels[test] or not all(map(self._is_leaf, sides)):
                continue
            name = (tuple(self.columns[test]), frozenset(sides))
            if name not in known:
                known.add(name)
                yield test, *sides

    def _is_leaf(self, rows: tuple[int, ...]) -> bool:
        return len(rows) >= max(self.min_rows, 1) and (
            int(self.weights[list(rows)].sum()) >= self.min_weight
        )

    def trees(self, *, with_idle: bool) -> list[tuple[int, Any]]:
        """List all trees with their costs: (test, passed, failed), or (prediction,) in leaves."""
        return self._trees(tuple(range(len(self.targets))), 0, with_idle)

    def _trees(self, rows: tuple[int, ...], level: int, with_idle: bool) -> list[tuple[int, Any]]:
        cost, label = self.leaf(rows)
        found: list[tuple[int, Any]] = [(cost, (label,))]
        if level == self.depth:
            return found
        for test, passed, failed in self.questions(rows, level):
            fixed = self.penalty + int(self.prices[test])
            others = self._trees(failed, level + 1, with_idle)
            for one, tree in self._trees(passed, level + 1, with_idle):
                for other, against in others:
                    if with_idle or len(tree) > 1 or tree != against:
                        found.append((fixed + one + other, (test, tree, against)))
        return found

    def predictions(self, tree: Any) -> tuple[Any, ...]:
        """Say what a tree predicts, or of numbers which rows share a leaf."""
        is_numeric = not len(self.costs)

        def leaf_of(row: int) -> Any:
            at, path = tree, []
            while len(at) == 3:
                path.append(0 if self.passes[at[0], row] else 1)
                at = at[1 + path[-1]]
            return tuple(path) if is_numeric else at[0]

        leaves = [leaf_of(row) for row in range(len(self.targets))]
        names = {leaf: leaves.index(leaf) for leaf in leaves}
        return tuple(names[leaf] for leaf in leaves) if is_numeric else tuple(leaves)

    def columns_in(self, tree: Any) -> set[int]:
        """Say which columns a tree reads."""
        if len(tree) == 1:
            return set()
        return {*self.columns[tree[0]], *self.columns_in(tree[1]), *self.columns_in(tree[2])}


def plan_as_tuple(plan: _core.SearchTree, problem: SmallProblem) -> Any:
    """Write a plan of the core as the trees here are."""
    first, passed, failed = plan.first.tolist(), plan.passed.tolist(), plan.failed.tolist()
    answers = plan.answers.tolist()

    def at(node: int, rows: tuple[int, ...]) -> Any:
        if first[node] < 0:
            return (problem.leaf(rows)[1],) if not len(problem.costs) else (answers[node],)
        passes = problem.passes[first[node]]
        return (
            first[node],
            at(passed[node], tuple(r for r in rows if passes[r])),
            at(failed[node], tuple(r for r in rows if not passes[r])),
        )

    return at(0, tuple(range(len(problem.targets))))


def random_problem(rng: np.random.Generator, depth: int) -> SmallProblem:
    """Draw a problem: classes with or without costs, or numbers; weights, prices and limits."""
    n_rows, n_tests = int(rng.integers(5, 13)), int(rng.integers(3, 7 if depth < 3 else 5))
    n_classes = int(rng.choice([0, 2, 2, 3]))
    passes = rng.random((n_tests, n_rows)) < rng.uniform(0.2, 0.8, (n_tests, 1))
    if rng.random() < 0.4:  # one like another, or its opposite
        passes[-1] = passes[0] ^ bool(rng.random() < 0.5)
    costs = np.empty((n_classes, 0), dtype=np.int64)
    if n_classes and rng.random() < 0.25:
        costs = rng.integers(1, 4, (n_classes, n_classes)) * (1 - np.eye(n_classes, dtype=np.int64))
    columns = [[test] for test in range(n_tests)]
    if rng.random() < 0.5:
        columns = [sorted({*rng.integers(0, 3, rng.integers(1, 3)).tolist()}) for _ in columns]
    price_of = {tuple(read): int(rng.integers(0, 3)) for read in columns}
    if rng.random() < 0.7:
        price_of = dict.fromkeys(price_of, 0)
    is_plain = rng.random() < 0.5
    targets = rng.integers(0, n_classes or 6, n_rows)
    return SmallProblem(
        passes,
        targets.astype(np.int64),
        np.ones(n_rows, np.int64) if is_plain else rng.integers(1, 4, n_rows),
        costs,
        columns,
        np.array([price_of[tuple(read)] for read in columns], np.int64),
        np.full(n_tests, 255, np.int32)
        if rng.random() < 0.8
        else rng.integers(0, depth, n_tests).astype(np.int32),
        depth,
        int(rng.integers(0, 3)),
        int(rng.integers(1, 3)) if rng.random() < 0.3 else 1,
        int(rng.integers(0, 4)) if rng.random() < 0.3 else 0,
    )


def check_problem(problem: SmallProblem, slack: int) -> None:
    """Compare all that the core says of a set with the list of its trees."""
    everything = problem.trees(with_idle=True)
    optimum = min(cost for cost, _ in everything)
    for with_idle in (False, True):
        near = [
            (cost, tree)
            for cost, tree in (everything if with_idle else problem.trees(with_idle=False))
            if cost <= optimum + slack
        ]
        found = problem.found(slack, 100_000, with_idle=with_idle)
        assert found.status == "optimal"
        assert found.optimum == optimum
        by_cost = Counter(cost for cost, _ in near)
        assert found.costs == sorted(by_cost)
        assert found.counts == [by_cost[cost] for cost in sorted(by_cost)]
        read = [problem.columns_in(tree) for _, tree in near]
        assert found.without == [
            sum(column not in one for one in read) for column in range(problem.n_columns)
        ]
        best: dict[Any, int] = {}
        for cost, tree in near:
            name = problem.predictions(tree)
            best[name] = min(best.get(name, cost), cost)
        listed = [(one.cost, plan_as_tuple(one.tree, problem)) for one in found.trees]
        assert found.has_all_trees
        assert [cost for cost, _ in listed] == sorted(best.values())
        assert {problem.predictions(tree): cost for cost, tree in listed} == best
        assert set(listed) <= set(near)
    by_first: dict[tuple[int, ...], int] = {}
    for cost, tree in everything:
        if len(tree) > 1:
            name = tuple(problem.columns[tree[0]])
            by_first[name] = min(by_first.get(name, cost), cost)
    assert {tuple(one.columns): one.cost for one in found.first} == by_first
    costs = {tree: cost for cost, tree in everything}
    for one in found.first:
        tree = plan_as_tuple(one.tree, problem)
        assert costs[tree] == one.cost
        assert tuple(problem.columns[tree[0]]) == tuple(one.columns)
