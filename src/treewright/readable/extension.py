"""Larger trees than can be searched: the best of each size with one split more, again and again.

A leaf is split by the condition of the pool, or by one of those proposed for its own rows, that
takes most off the cost; the leaf is the one where that is most. Where the search has a tree of
the next size, the cheaper of the two is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report
from treewright.optimal.dictionary import Dictionary, predicate_tests
from treewright.predicates import Predicate
from treewright.readable.pool import (
    EXACT_DEPTH,
    EXACT_LEAVES,
    GINI,
    ParetoFront,
    Problem,
)

__all__ = ["extended"]

Rows: TypeAlias = NDArray[np.intp]

_LEAST_DECREASE = 1e-9  # of the cost of all rows in one leaf


@dataclass(frozen=True, eq=False)
class _Leaf:
    rows: Rows
    depth: int


@dataclass(frozen=True, eq=False)
class _Split:
    condition: int
    passed: _Part
    failed: _Part


_Part: TypeAlias = _Leaf | _Split


@dataclass(frozen=True)
class _Improvement:
    """What splitting a leaf takes off the cost."""

    decrease: float
    condition: int


@dataclass(frozen=True)
class _Grown:
    """A tree, its leaves and its cost as the search counts it."""

    root: _Part
    cost: float
    leaves: tuple[_Leaf, ...] = field(default=())


def extended(
    front: ParetoFront, problem: Problem, leaves: int, report: Report | None = None
) -> ParetoFront:
    """Grow trees beyond what was searched.

    Parameters
    ----------
    front : ParetoFront
        The best trees that could be searched, or those with larger ones that were grown earlier.
    problem : Problem
        The rows and the target that they were searched for.
    leaves : int
        Most leaves; beyond those of the budget, paths may be of any length.
    report : callable or None, default None
        Called now and then; what it raises ends the growth.

    Returns
    -------
    ParetoFront
        The same trees where none is cheaper, and those beyond.
    """
    return _Extension(front, problem).run(leaves, report)


class _Extension:
    def __init__(self, front: ParetoFront, problem: Problem) -> None:
        self._front, self._problem = front, problem
        self._dictionaries = [front.conditions]
        met = _unpacked(front.conditions, problem.table.n_rows)
        self._met = [*met]
        searched = met[: front.n_searched]
        self._in_pool = np.ascontiguousarray(searched.T, dtype=np.float64)  # [row][condition]
        self._price = problem.prices(front.conditions.others).tolist()
        self._amounts = problem.whole.amounts.astype(np.float64)
        self._known: dict[bytes, _Improvement | None] = {}

    def run(self, leaves: int, report: Report | None) -> ParetoFront:
        front, budget = self._front, self._problem.budget
        plans, costs, grown = dict(front.plans), dict(front.costs), set(front.grown)
        best = self._of_plan(front.plans[1])
        least = _LEAST_DECREASE * max(abs(best.cost), 1.0)
        for size in range(2, leaves + 1):
            if report is not None:
                report(size / leaves)
            is_within = size <= budget.leaves
            depth = budget.depth if is_within else size
            searched = front.plans.get(size)
            one = None if searched is None else self._of_plan(searched)
            can_be_grown = size > min(budget.leaves, EXACT_LEAVES) or depth > EXACT_DEPTH
            if can_be_grown and size not in front.grown:
                other = self._split(best, depth) if len(best.leaves) == size - 1 else None
                if other is not None and (one is None or other.cost < one.cost - least):
                    one = other
                    grown.add(size)
            if one is None or not one.cost < best.cost - least:
                continue
            best = one
            if size in grown - front.grown:
                plans[size] = _plan_of(best.root)
                scale, offset = self._problem.whole.scale, self._problem.whole.offset
                costs[size] = max(scale * (best.cost + offset), 0.0)
        return replace(
            front,
            conditions=Dictionary.joined(self._dictionaries, self._problem.table.n_rows),
            plans={size: plans[size] for size in sorted(plans)},
            costs=costs,
            grown=frozenset(grown & set(plans)),
        )

    def _of_plan(self, plan: _core.SearchTree) -> _Grown:
        """Give the tree of a plan with the rows of its leaves."""
        first, passed, failed = plan.first.tolist(), plan.passed.tolist(), plan.failed.tolist()
        leaves: list[_Leaf] = []
        price = 0.0

        def part(place: int, rows: Rows, depth: int) -> _Part:
            nonlocal price
            if first[place] < 0:
                leaves.append(_Leaf(rows, depth))
                return leaves[-1]
            met = self._met[first[place]][rows]
            price += self._price[first[place]]
            return _Split(
                first[place],
                part(passed[place], rows[met], depth + 1),
                part(failed[place], rows[~met], depth + 1),
            )

        root = part(0, np.arange(self._problem.table.n_rows), 0)
        cost = price + sum(self._cost(leaf.rows) for leaf in leaves)
        return _Grown(root, cost, tuple(leaves))

    def _split(self, tree: _Grown, depth: int) -> _Grown | None:
        """Split the leaf where that takes most off the cost; None where nothing does."""
        found = [(self._improvement(leaf), leaf) for leaf in tree.leaves if leaf.depth < depth]
        able = [(one, leaf) for one, leaf in found if one is not None]
        if not able:
            return None
        best, leaf = max(able, key=lambda pair: pair[0].decrease)
        met = self._met[best.condition][leaf.rows]
        below = [_Leaf(leaf.rows[side], leaf.depth + 1) for side in (met, ~met)]
        split = _Split(best.condition, *below)
        leaves = [one for old in tree.leaves for one in (below if old is leaf else [old])]
        return _Grown(_replaced(tree.root, leaf, split), tree.cost - best.decrease, tuple(leaves))

    def _improvement(self, leaf: _Leaf) -> _Improvement | None:
        key = leaf.rows.tobytes()
        if key not in self._known:
            self._known[key] = self._best_split(leaf.rows)
        return self._known[key]

    def _best_split(self, rows: Rows) -> _Improvement | None:
        amounts = self._amounts[rows]
        total = amounts.sum(axis=0)
        cost = float(self._costs(total[None])[0])
        if self._weights(total[None])[0] < 2.0 * self._problem.least:
            return None
        own = self._ways(self._problem.proposed_at(rows), rows)
        met = amounts.T @ self._in_pool[rows]
        if own:
            met = np.hstack([met, amounts.T @ np.array([way for *_, way in own]).T])
        prices = self._price[: self._front.n_searched]
        prices += self._problem.prices([predicate for predicate, *_ in own]).tolist()
        if not prices:
            return None
        costs = self._costs(met.T) + self._costs(total - met.T) + np.array(prices)
        best = int(np.argmin(costs))
        if not costs[best] < cost - _LEAST_DECREASE * abs(cost):
            return None
        decrease = cost - float(costs[best])
        if best >= self._front.n_searched:
            predicate, side, _ = own[best - self._front.n_searched]
            best = self._added(predicate, side)
        return _Improvement(decrease, best)

    def _ways(
        self, predicates: Sequence[Predicate], rows: Rows
    ) -> list[tuple[Predicate, int, NDArray[np.bool_]]]:
        """Give conditions with the branch of unknown rows (-1: there are none) and who meets them.

        A condition of which some row has no value stands there twice.
        """
        found = []
        for predicate in predicates:
            branches = _core.route(predicate.encode(), self._problem.table, rows.astype(np.uint32))
            for side in (0, 1) if (branches < 0).any() else (-1,):
                found.append((predicate, side, (branches == 0) | ((branches < 0) & (side == 0))))
        return found

    def _added(self, predicate: Predicate, side: int) -> int:
        """Add a condition beyond the pool, and give its place."""
        tests = predicate_tests([predicate], self._problem.table)
        self._dictionaries.append(tests)
        place = len(self._met) + int(side == 1)
        self._met += [*_unpacked(tests, self._problem.table.n_rows)]
        self._price += self._problem.prices(tests.others).tolist()
        return place

    def _cost(self, rows: Rows) -> float:
        return float(self._costs(self._amounts[rows].sum(axis=0)[None])[0])

    def _weights(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(
            sums.sum(axis=1) if self._problem.target.is_classification else sums[:, 0]
        )

    def _costs(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what leaves with these sums cost, as the search counts; too small ones infinity."""
        weights = self._weights(sums)
        safe = np.maximum(weights, 1e-300)
        if self._problem.target.is_classification:
            risks = (sums @ self._problem.target.costs()).min(axis=1)
            costs = risks + GINI * (weights - (sums**2).sum(axis=1) / safe)
        else:
            costs = -(sums[:, 1] ** 2) / safe
        return np.where(weights >= self._problem.least, costs, np.inf)


def _unpacked(conditions: Dictionary, n_rows: int) -> NDArray[np.bool_]:
    """Tell which rows meet each condition."""
    bits = np.unpackbits(conditions.bits, axis=1, count=n_rows, bitorder="little")
    return np.asarray(bits.astype(bool))


def _replaced(part: _Part, leaf: _Leaf, split: _Split) -> _Part:
    if part is leaf:
        return split
    if isinstance(part, _Leaf):
        return part
    passed, failed = (_replaced(side, leaf, split) for side in (part.passed, part.failed))
    return _Split(part.condition, passed, failed)


def _plan_of(root: _Part) -> _core.SearchTree:
    """Write a tree as a plan, in preorder."""
    first: list[int] = []
    passed: list[int] = []
    failed: list[int] = []

    def write(part: _Part) -> int:
        place = len(first)
        first.append(-1 if isinstance(part, _Leaf) else part.condition)
        passed.append(-1)
        failed.append(-1)
        if isinstance(part, _Split):
            passed[place] = write(part.passed)
            failed[place] = write(part.failed)
        return place

    write(root)
    return _core.SearchTree(*(np.array(one, dtype=np.int32) for one in (first, passed, failed)))
