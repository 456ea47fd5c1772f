"""The pool: conditions that small trees over soft targets propose, and the best trees over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report
from treewright.optimal.dictionary import Dictionary, predicate_tests
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.predicates.trends import trend_of
from treewright.readable.few_columns import SizedTree, search_few_columns
from treewright.readable.keeping import whole_sum
from treewright.readable.soft import GINI, SoftTarget, WholeAmounts, are_whole
from treewright.readable.terms import Terms
from treewright.tree.column_limits import NO_LIMITS, ColumnLimits

__all__ = [
    "EXACT_DEPTH",
    "EXACT_LEAVES",
    "GINI",
    "Budget",
    "ParetoFront",
    "Problem",
    "search_front",
]

EXACT_DEPTH, EXACT_LEAVES = 3, 8  # of the largest trees that are searched

_DEPTH_OF_PROPOSALS, _DEPTH_OF_SAMPLES = 4, 3
_DEPTH_OF_NUMBERS = 3  # where several conditions of a node are followed
_SHRINKAGE_OF_CLASSES, _SHRINKAGE_OF_NUMBERS = 0.3, 0.1
_RIDGE = 10.0


@dataclass(frozen=True)
class Budget:
    """How large a tree may be, and what is proposed for it.

    Parameters
    ----------
    leaves : int
        Most leaves.
    depth : int
        Most conditions on a path.
    terms : int
        Most terms in a condition.
    min_weight : float
        Least weight of a leaf.
    term_price : float
        What each term beyond the first in a condition costs, as a proportion of what is at stake.
    samples : int
        Bootstrap samples that propose conditions.
    screened : int
        Terms that sums are made of in one node.
    limits : ColumnLimits, default NO_LIMITS
        What is asked of the columns that trees read.
    trends : tuple of int, default ()
        The direction in which predictions may go with each column; none for either.
    """

    leaves: int
    depth: int
    terms: int
    min_weight: float
    term_price: float
    samples: int
    screened: int
    limits: ColumnLimits = NO_LIMITS
    trends: tuple[int, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether all trees that are allowed can be searched."""
        return self.leaves <= EXACT_LEAVES and self.depth <= EXACT_DEPTH


@dataclass(frozen=True)
class ParetoFront:
    """The best tree of each size over a pool.

    Parameters
    ----------
    conditions : Dictionary
        The pool.
    plans : dict of int to treewright._core.SearchTree
        By the number of leaves.
    costs : dict of int to float
        What each of them costs.
    is_exact : bool
        Whether neither numbers nor weights had to be rounded for the search.
    n_searched : int
        How many conditions, the first ones, the search had.
    grown : frozenset of int
        Sizes of trees that were grown beyond what was searched.
    others : tuple of dict of int to treewright._core.PoolTree
        Plans with their costs, by leaves, for each set of columns that a root can read; empty
        where trees may read few columns only.
    within : dict of int to frozenset of int
        Where not all sets of so many columns could be searched, the columns over which the tree of
        a size is the best.
    """

    conditions: Dictionary
    plans: dict[int, _core.SearchTree]
    costs: dict[int, float]
    is_exact: bool
    n_searched: int
    grown: frozenset[int] = frozenset()
    others: tuple[dict[int, _core.PoolTree], ...] = ()
    within: dict[int, frozenset[int]] = field(default_factory=dict)

    def at_most(self, leaves: int) -> int:
        """Give the largest size there is up to a number of leaves."""
        return max(size for size in self.plans if size <= leaves)


@dataclass(frozen=True)
class Problem:
    """Rows, what conditions on them are made of, and what is to be predicted.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The rows.
    terms : Terms
        What conditions are made of.
    target : SoftTarget
        What is to be predicted.
    budget : Budget
        Which trees are allowed.
    enough : int, default 100
        Conditions after which no more are looked for.
    """

    values: NDArray[np.float64]
    terms: Terms
    target: SoftTarget
    budget: Budget
    enough: int = 100

    @cached_property
    def table(self) -> _core.Table:
        """The rows as the core reads them."""
        return _core.Table(self.values, self.terms.n_levels)

    @cached_property
    def whole(self) -> WholeAmounts:
        """The amounts as the search counts them."""
        return self.target.whole_amounts()

    @cached_property
    def _matrix(self) -> NDArray[np.float64]:
        return self.terms.matrix(self.values)

    @cached_property
    def _amounts(self) -> NDArray[np.float64]:
        return self.target.amounts()

    @property
    def least(self) -> float:
        """Least amount in a leaf."""
        return max(self.budget.min_weight * self.whole.unit, 1.0)

    def prices(self, conditions: Sequence[Predicate]) -> NDArray[np.float64]:
        """Give what using each condition costs."""
        one = self.budget.term_price * self.target.price_unit / self.whole.scale
        return np.array([one * (condition.n_terms - 1.0) for condition in conditions])

    @cached_property
    def column_prices(self) -> NDArray[np.float64]:
        """What a unit of weight pays for each column, as the search counts; empty for nothing."""
        costs = np.array(self.budget.limits.costs, dtype=np.float64)
        worth = self.target.price_unit / float(self.target.weights.sum())
        return np.asarray(costs * worth / (self.whole.unit * self.whole.scale))

    def rules(self) -> _core.ColumnRules | None:
        """Give what paths may read, and at which price, as the search takes it."""
        limits = self.budget.limits
        if not limits.asks_where:
            return None
        rules = limits.of_paths.core()
        rules.costs = self.column_prices.tolist()
        return rules

    def kept(
        self, proposed: Iterable[Predicate], rows: NDArray[np.uint32] | None = None
    ) -> list[Predicate]:
        """Give conditions that keep the constraints wherever they stand, sums in whole numbers.

        Parameters
        ----------
        proposed : iterable of Predicate
            The conditions.
        rows : ndarray of uint32 or None, default None
            The rows for which sums are rounded; None for all.

        Returns
        -------
        list of Predicate
            Those that can keep them, in their order.
        """
        limits, trends = self.budget.limits, self.budget.trends
        if trends:
            proposed = [one for one in proposed if trend_of(one, trends) is not None]
        if limits == NO_LIMITS:
            return [*proposed]
        values = self.values if rows is None else self.values[rows]
        written = (one if limits.allows(one) else self._whole(one, values) for one in proposed)
        return [
            one
            for one in written
            if one is not None
            and limits.allows(one)
            and limits.join(frozenset(one.columns))
            and trend_of(one, trends) is not None
        ]

    def _whole(self, predicate: Predicate, values: NDArray[np.float64]) -> Predicate | None:
        """Write a sum with whole coefficients, where that is asked for."""
        largest = self.budget.limits.largest_whole
        match predicate:
            case Linear():
                if largest is None:
                    return None
                return whole_sum(predicate, values, self.terms.n_levels, largest)
            case Axis() | Subset() | Multiway() | Pair() | Machine():
                return None
            case _:
                assert_never(predicate)

    def proposed(self, seed: int, report: Report | None) -> list[Predicate]:
        """Give the conditions of small greedy trees of all rows and of samples of them."""
        depth = _DEPTH_OF_PROPOSALS if self.target.is_classification else _DEPTH_OF_NUMBERS
        return self._found(self._matrix, self._amounts, depth, self.budget.samples, seed, report)

    def proposed_at(self, rows: NDArray[np.uint32]) -> list[Predicate]:
        """Give the best conditions of each number of terms for some rows."""
        return self._found(
            np.ascontiguousarray(self._matrix[:, rows]), self._amounts[rows], 1, 0, 0, None
        )

    def _found(
        self,
        matrix: NDArray[np.float64],
        amounts: NDArray[np.float64],
        depth: int,
        samples: int,
        seed: int,
        report: Report | None,
    ) -> list[Predicate]:
        if not len(self.terms.columns):
            return []
        budget, classes = self.budget, self.target.is_classification
        found = _core.propose_conditions(
            matrix,
            amounts,
            classes,
            self.terms.n_numeric,
            budget.terms,
            budget.min_weight,
            depth,
            _DEPTH_OF_SAMPLES,
            samples if classes else 0,
            budget.screened,
            _SHRINKAGE_OF_CLASSES if classes else _SHRINKAGE_OF_NUMBERS,
            _RIDGE,
            not classes,
            self.enough,
            seed,
            report,
        )
        return [
            self.terms.predicate(used.tolist(), weights.tolist(), threshold)
            for used, weights, threshold, _ in found
        ]


def search_front(
    problem: Problem,
    proposed: Iterable[Predicate],
    *,
    n_jobs: int = 1,
    report: Report | None = None,
    with_others: bool = False,
) -> ParetoFront:
    """Find the best tree of every size over conditions.

    Parameters
    ----------
    problem : Problem
        Rows, target and budget.
    proposed : iterable of Predicate
        The conditions.
    n_jobs : int, default 1
        Threads.
    report : callable or None, default None
        Called now and then; what it raises ends the search.
    with_others : bool, default False
        Whether the best trees with other roots are kept.

    Returns
    -------
    ParetoFront
        With one leaf at least.
    """
    limits = problem.budget.limits
    shortest_first = sorted(problem.kept(proposed), key=lambda predicate: predicate.n_terms)
    conditions = _without_twins(
        predicate_tests(shortest_first, problem.table), problem.table.n_rows, problem.budget
    )
    search = _Search(problem, conditions, n_jobs, report)
    if limits.max_columns is None:
        found = search.run(with_others=with_others)
        trees, within = {_n_leaves(one.tree): one for one in found.trees}, {}
        others = tuple({_n_leaves(one.tree): one for one in group} for group in found.by_group)
        plans = {leaves: one.tree for leaves, one in trees.items()}
        costs = {leaves: one.cost for leaves, one in trees.items()}
    else:
        few = search_few_columns(search, limits.max_columns)
        plans, costs, within, others = few.plans, few.costs, few.within, ()
    scale, offset = problem.whole.scale, problem.whole.offset
    is_exact = problem.target.is_classification and are_whole(problem.target.weights)
    return ParetoFront(
        conditions,
        plans,
        {leaves: max(scale * (cost + offset), 0.0) for leaves, cost in costs.items()},
        is_exact,
        len(conditions),
        others=others,
        within=within,
    )


class _Search:
    """Searches a pool, or a part of it.

    Parameters
    ----------
    problem : Problem
        Rows, target and budget.
    conditions : Dictionary
        The pool.
    n_jobs : int
        Threads.
    report : callable or None
        Called now and then; what it raises ends the search.
    """

    def __init__(
        self, problem: Problem, conditions: Dictionary, n_jobs: int, report: Report | None
    ) -> None:
        self.columns = conditions.columns_read()
        self._problem, self._conditions = problem, conditions
        self._n_jobs, self._report = n_jobs, report
        self._prices = problem.prices(conditions.others)
        self._rules = problem.rules()
        trends = problem.budget.trends
        self._trends: NDArray[np.int32] | None = None
        if trends:
            of_conditions = [trend_of(one, trends) or 0 for one in conditions.others]
            self._trends = np.array(of_conditions, dtype=np.int32)

    def run(self, *, with_others: bool = False) -> _core.PoolFront:
        """Search over all conditions."""
        every = np.arange(len(self._conditions))
        groups = _column_sets(self._conditions) if with_others else None
        return self._over(every, groups)

    def over(self, allowed: frozenset[int]) -> list[SizedTree]:
        """Search over the conditions that read some columns alone."""
        places = np.array(
            [place for place, read in enumerate(self.columns) if read <= allowed], dtype=np.intp
        )
        found = []
        for one in self._over(places, None).trees:
            first = one.tree.first.copy()
            used = first >= 0
            first[used] = places[first[used]]
            plan = _core.SearchTree(first, one.tree.passed, one.tree.failed)
            read = frozenset[int]().union(*(self.columns[test] for test in first[used]))
            found.append(SizedTree(int(used.sum()) + 1, one.cost, plan, read))
        return found

    def _over(self, places: NDArray[np.intp], groups: NDArray[np.int32] | None) -> _core.PoolFront:
        problem, rules = self._problem, self._rules
        budget = problem.budget
        columns = [] if rules is None else [sorted(self.columns[place]) for place in places]
        return _core.search_pool(
            np.ascontiguousarray(self._conditions.bits[places]),
            problem.whole.amounts,
            problem.target.costs(),
            self._prices[places],
            GINI,
            problem.least,
            min(budget.depth, EXACT_DEPTH),
            min(budget.leaves, EXACT_LEAVES),
            self._n_jobs,
            self._report,
            groups,
            columns,
            rules,
            None if self._trends is None else self._trends[places],
        )


def _n_leaves(plan: _core.SearchTree) -> int:
    return int((plan.first >= 0).sum()) + 1


def _column_sets(conditions: Dictionary) -> NDArray[np.int32]:
    """Give each set of columns that conditions read a number."""
    numbers: dict[frozenset[int], int] = {}
    read = (frozenset(predicate.columns) for predicate in conditions.others)
    return np.array([numbers.setdefault(one, len(numbers)) for one in read], dtype=np.int32)


def _without_twins(conditions: Dictionary, n_rows: int, budget: Budget) -> Dictionary:
    """Keep the first of conditions that divide the rows alike.

    Where it matters which columns are read, only those that read the same are alike.
    """
    if not len(conditions):
        return conditions
    last = np.uint8((1 << (n_rows - 1) % 8 + 1) - 1)  # bits of the last byte that are rows
    turned = np.where(conditions.bits[:, :1] & 1, ~conditions.bits, conditions.bits)
    turned[:, -1] &= last
    divides = np.asarray(turned.any(axis=1))
    limits = budget.limits
    if limits.asks_where or limits.max_columns is not None or budget.trends:
        sets = np.ascontiguousarray(_column_sets(conditions)[:, None]).view(np.uint8)
        turned = np.hstack([turned, sets])
    _, first = np.unique(turned, axis=0, return_index=True)
    kept = np.array([place for place in np.sort(first) if divides[place]], dtype=np.intp)
    return Dictionary.of_predicates(
        conditions.bits[kept],
        n_rows,
        [conditions.others[place] for place in kept.tolist()],
        conditions.source[kept],
        conditions.unknown[kept],
    )
