"""Larger trees than can be searched: the best of each size with one split more, again and again.

A leaf is split by the condition of the pool, or by one of those proposed for its own rows, that
takes most off the cost; the leaf is the one where that is most. Where the search has a tree of
the next size, the cheaper of the two is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report
from treewright.optimal.dictionary import Dictionary, predicate_tests
from treewright.predicates import Predicate
from treewright.predicates.trends import trend_of
from treewright.readable.order import ANY_ANSWER, Answers, answers_below
from treewright.readable.pool import EXACT_DEPTH, EXACT_LEAVES, GINI, ParetoFront, Problem
from treewright.tree.column_limits import NO_LIMITS

__all__ = ["Extension"]

Rows: TypeAlias = NDArray[np.uint32]
Columns: TypeAlias = frozenset[int]

_LEAST_DECREASE = 1e-9  # of the cost of all rows in one leaf


@dataclass(frozen=True, eq=False)
class _Leaf:
    place: int  # in the plan
    rows: Rows
    depth: int
    path: Columns  # read above it
    answers: Answers  # that it may predict


@dataclass(frozen=True)
class _Plan:
    """Conditions by place, those of leaves -1, and the places of what is below."""

    first: list[int]
    passed: list[int]
    failed: list[int]

    @classmethod
    def of(cls, plan: _core.SearchTree) -> _Plan:
        return cls(plan.first.tolist(), plan.passed.tolist(), plan.failed.tolist())

    def splitting(self, place: int, condition: int) -> _Plan:
        """Give the plan with one split more; what is below it stands at the end."""
        first, passed, failed = (
            [*self.first, -1, -1],
            [*self.passed, -1, -1],
            [*self.failed, -1, -1],
        )
        end = len(self.first)
        first[place], passed[place], failed[place] = condition, end, end + 1
        return _Plan(first, passed, failed)

    def core(self) -> _core.SearchTree:
        parts = (np.array(one, dtype=np.int32) for one in (self.first, self.passed, self.failed))
        return _core.SearchTree(*parts)


@dataclass(frozen=True)
class _Improvement:
    """What splitting a leaf takes off the cost."""

    decrease: float
    condition: int


@dataclass(frozen=True)
class _Grown:
    """A tree, its leaves and its cost as the search counts it."""

    plan: _Plan
    cost: float
    leaves: tuple[_Leaf, ...]
    read: Columns


class Extension:
    """Grows trees beyond what was searched.

    Parameters
    ----------
    front : ParetoFront
        The best trees that could be searched.
    problem : Problem
        The rows and the target that they were searched for.

    Attributes
    ----------
    front : ParetoFront
        The same trees where none is cheaper, and those that were grown so far.
    """

    def __init__(self, front: ParetoFront, problem: Problem) -> None:
        self.front: ParetoFront = front
        self._problem = problem
        met = _unpacked(front.conditions, problem.table.n_rows)
        self._met = [*met]
        searched = met[: front.n_searched].T
        self._in_pool = np.ascontiguousarray(searched, dtype=np.float64)  # [row][condition]
        prices = problem.prices(front.conditions.others)
        self._price, self._price_of = prices[: front.n_searched], prices.tolist()
        self._added: list[Predicate] = []
        self._amounts = problem.whole.amounts.astype(np.float64)
        self._columns = front.conditions.columns_read()
        self._limits = problem.budget.limits
        trends = self._asked_trends = problem.budget.trends
        self._trends = [trend_of(one, trends) or 0 for one in front.conditions.others]
        self._known: dict[tuple[bytes, Columns, Columns, Answers], _Improvement | None] = {}
        self._known_leaves: dict[tuple[_Leaf, Columns], _Improvement | None] = {}

    def run(self, leaves: int, report: Report | None = None) -> ParetoFront:
        """Grow further.

        Parameters
        ----------
        leaves : int
            Most leaves; beyond those of the budget, paths may be of any length.
        report : callable or None, default None
            Called now and then; what it raises ends the growth.

        Returns
        -------
        ParetoFront
            What is then known.
        """
        front, budget = self.front, self._problem.budget
        plans, costs, grown = dict(front.plans), dict(front.costs), set(front.grown)
        begin = max(size for size in plans if not self._can_be_grown(size))
        best = self._of_plan(plans[begin])
        least = _LEAST_DECREASE * max(abs(self._cost(self._of_plan(plans[1]).leaves[0])), 1.0)
        for size in range(begin + 1, leaves + 1):
            if report is not None:
                report(size / leaves)
            one = self._of_plan(plans[size]) if size in plans else None
            if self._can_be_grown(size) and len(best.leaves) == size - 1:
                other = self._split(best, budget.depth if size <= budget.leaves else size)
                if other is not None and (one is None or other.cost < one.cost - least):
                    one = other
                    grown.add(size)
            if one is None or not one.cost < best.cost - least:
                continue
            best = one
            if size in grown - front.grown:
                plans[size] = best.plan.core()
                scale, offset = self._problem.whole.scale, self._problem.whole.offset
                costs[size] = max(scale * (best.cost + offset), 0.0)
        conditions = [front.conditions, predicate_tests(self._added, self._problem.table)]
        self._added = []
        self.front = replace(
            front,
            conditions=Dictionary.joined(conditions, self._problem.table.n_rows),
            plans={size: plans[size] for size in sorted(plans)},
            costs=costs,
            grown=frozenset(grown & set(plans)),
        )
        return self.front

    def _can_be_grown(self, size: int) -> bool:
        """Tell whether trees of so many leaves are more than were searched, and not yet grown."""
        budget = self._problem.budget
        depth = budget.depth if size <= budget.leaves else size
        is_beyond = size > min(budget.leaves, EXACT_LEAVES) or depth > EXACT_DEPTH
        return size > 1 and is_beyond and size not in self.front.grown

    def _of_plan(self, plan: _core.SearchTree) -> _Grown:
        """Give the tree of a plan with the rows of its leaves."""
        places = _Plan.of(plan)
        leaves: list[_Leaf] = []
        price = 0.0

        def visit(place: int, rows: Rows, depth: int, path: Columns, answers: Answers) -> None:
            nonlocal price
            condition = places.first[place]
            if condition < 0:
                leaves.append(_Leaf(place, rows, depth, path, answers))
                return
            met = self._met[condition][rows]
            own = self._columns[condition]
            price += self._price_of[condition] + self._price_of_columns(own - path, rows)
            sides = self._answers_below(condition, rows, met, answers)
            visit(places.passed[place], rows[met], depth + 1, path | own, sides[0])
            visit(places.failed[place], rows[~met], depth + 1, path | own, sides[1])

        every = np.arange(self._problem.table.n_rows, dtype=np.uint32)
        visit(0, every, 0, frozenset(), ANY_ANSWER)
        read = frozenset[int]().union(*(leaf.path for leaf in leaves))
        return _Grown(places, price + sum(map(self._cost, leaves)), tuple(leaves), read)

    def _split(self, tree: _Grown, depth: int) -> _Grown | None:
        """Split the leaf where that takes most off the cost; None where nothing does."""
        found = [
            (self._improvement(leaf, tree.read), leaf) for leaf in tree.leaves if leaf.depth < depth
        ]
        able = [(one, leaf) for one, leaf in found if one is not None]
        if not able:
            return None
        best, leaf = max(able, key=lambda pair: pair[0].decrease)
        met = self._met[best.condition][leaf.rows]
        own = self._columns[best.condition]
        path = leaf.path | own
        told = self._answers_below(best.condition, leaf.rows, met, leaf.answers)
        end = len(tree.plan.first)
        below = [
            _Leaf(place, leaf.rows[side], leaf.depth + 1, path, answers)
            for place, side, answers in zip((end, end + 1), (met, ~met), told, strict=True)
        ]
        plan = tree.plan.splitting(leaf.place, best.condition)
        leaves = [one for old in tree.leaves for one in (below if old is leaf else [old])]
        return _Grown(plan, tree.cost - best.decrease, tuple(leaves), tree.read | own)

    def _improvement(self, leaf: _Leaf, read: Columns) -> _Improvement | None:
        """Give the best split of a leaf of a tree that reads some columns."""
        if self._limits.max_columns is None:
            read = frozenset()
        if (leaf, read) not in self._known_leaves:
            path = frozenset[int]() if self._limits == NO_LIMITS else leaf.path
            key = leaf.rows.tobytes(), path, read, leaf.answers
            if key not in self._known:
                self._known[key] = self._best_split(leaf, read)
            self._known_leaves[leaf, read] = self._known[key]
        return self._known_leaves[leaf, read]

    def _best_split(self, leaf: _Leaf, read: Columns) -> _Improvement | None:
        rows = leaf.rows
        amounts = self._amounts[rows]
        if self._weight(amounts) < 2.0 * self._problem.least:
            return None
        cost, costs = self._costs(self._in_pool, self._amounts, rows)
        costs += self._price + self._surcharges(self._columns[: len(self._price)], leaf, read)
        if self._asked_trends:
            of_pool = self._trends[: len(self._price)]
            costs += self._disorder(self._in_pool[rows], amounts, of_pool, leaf.answers)
        own = self._ways(self._problem.kept(self._problem.proposed_at(rows), rows), rows)
        if own:
            met = np.array([way for *_, way in own]).T.astype(np.float64, order="C")
            _, of_own = self._costs(met, amounts, np.arange(len(rows), dtype=np.uint32))
            price = self._problem.prices([predicate for predicate, *_ in own])
            columns = [frozenset(predicate.columns) for predicate, *_ in own]
            price += self._surcharges(columns, leaf, read)
            if self._asked_trends:
                trends = [trend_of(predicate, self._asked_trends) or 0 for predicate, *_ in own]
                price += self._disorder(met, amounts, trends, leaf.answers)
            costs = np.concatenate([costs, of_own + price])
        if not len(costs):
            return None
        best = int(np.argmin(costs))
        if not costs[best] < cost - _LEAST_DECREASE * abs(cost):
            return None
        decrease = cost - float(costs[best])
        if best >= len(self._price):
            predicate, side, _ = own[best - len(self._price)]
            best = self._add(predicate, side)
        return _Improvement(decrease, best)

    def _surcharges(
        self, columns: Sequence[Columns], leaf: _Leaf, read: Columns
    ) -> NDArray[np.float64]:
        """Give what a leaf pays for the columns of conditions; infinity for those it may not read.

        Parameters
        ----------
        columns : sequence of frozenset of int
            Columns of each condition.
        leaf : _Leaf
            Where it is to stand.
        read : frozenset of int
            Columns that the tree reads, where that is limited.
        """
        limits, surcharges = self._limits, np.zeros(len(columns))
        if limits == NO_LIMITS:
            return surcharges
        first, most = frozenset(limits.first_columns), limits.max_columns
        for place, own in enumerate(columns):
            is_first = leaf.depth > 0 or not first or own <= first
            is_few = most is None or len(read | own) <= most
            is_allowed = is_first and is_few and limits.join(leaf.path | own)
            new = own - leaf.path
            surcharges[place] = self._price_of_columns(new, leaf.rows) if is_allowed else np.inf
        return surcharges

    def _disorder(
        self,
        met: NDArray[np.float64],
        amounts: NDArray[np.float64],
        trends: Sequence[int],
        answers: Answers,
    ) -> NDArray[np.float64]:
        """Give infinity for conditions whose two leaves would not predict what they may."""
        sums = met.T @ amounts
        with np.errstate(invalid="ignore", divide="ignore"):
            told = [
                part[:, 1] / (part.sum(axis=1) if self._of_classes else part[:, 0])
                for part in (sums, amounts.sum(axis=0) - sums)
            ]
        rise = np.array(trends) * (told[1] - told[0])
        kept = rise >= 0.0
        for one in told:
            kept &= (one >= answers[0]) & (one <= answers[1])
        return np.where(kept, 0.0, np.inf)

    def _answers_below(
        self, condition: int, rows: Rows, met: NDArray[np.bool_], answers: Answers
    ) -> tuple[Answers, Answers]:
        """Say what leaves on the two sides of a split may predict."""
        if not self._asked_trends:
            return answers, answers
        told = []
        for side in (met, ~met):
            amounts = self._amounts[rows[side]]
            told.append(float(amounts[:, 1].sum()) / self._weight(amounts))
        return answers_below(self._trends[condition], told[0], told[1], answers)

    @property
    def _of_classes(self) -> bool:
        return self._problem.target.is_classification

    def _price_of_columns(self, columns: Columns, rows: Rows) -> float:
        """Give what rows pay for columns."""
        prices = self._problem.column_prices
        if not len(prices):
            return 0.0
        return float(prices[sorted(columns)].sum()) * self._weight(self._amounts[rows])

    def _ways(
        self, predicates: Sequence[Predicate], rows: Rows
    ) -> list[tuple[Predicate, int, NDArray[np.bool_]]]:
        """Give conditions with the branch of unknown rows (-1: there are none) and who meets them.

        A condition of which some row has no value stands there twice.
        """
        found = []
        for predicate in predicates:
            branches = _core.route(predicate.encode(), self._problem.table, rows)
            for side in (0, 1) if (branches < 0).any() else (-1,):
                found.append((predicate, side, (branches == 0) | ((branches < 0) & (side == 0))))
        return found

    def _add(self, predicate: Predicate, side: int) -> int:
        """Add a condition beyond the pool, and give its place."""
        self._added.append(predicate)
        place = len(self._met) + int(side == 1)
        every_row = np.arange(self._problem.table.n_rows, dtype=np.uint32)
        ways = [way for *_, way in self._ways([predicate], every_row)]
        self._met += ways
        self._price_of += self._problem.prices([predicate] * len(ways)).tolist()
        self._columns += [frozenset(predicate.columns)] * len(ways)
        self._trends += [trend_of(predicate, self._asked_trends) or 0] * len(ways)
        return place

    def _weight(self, amounts: NDArray[np.float64]) -> float:
        return float(amounts.sum() if self._of_classes else amounts[:, 0].sum())

    def _cost(self, leaf: _Leaf) -> float:
        nothing = np.empty((len(self._amounts), 0))
        return self._costs(nothing, self._amounts, leaf.rows)[0]

    def _costs(
        self, met: NDArray[np.float64], amounts: NDArray[np.float64], rows: Rows
    ) -> tuple[float, NDArray[np.float64]]:
        """Give what one leaf costs, and the two leaves of each condition, as the search counts."""
        problem = self._problem
        costs = problem.target.costs()
        return _core.split_costs(met, amounts, rows, costs, GINI, problem.least)


def _unpacked(conditions: Dictionary, n_rows: int) -> NDArray[np.bool_]:
    """Tell which rows meet each condition."""
    bits = np.unpackbits(conditions.bits, axis=1, count=n_rows, bitorder="little")
    return np.asarray(bits.astype(bool))
