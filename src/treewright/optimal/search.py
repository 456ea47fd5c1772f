"""One search: a dictionary of conditions and a goal in, the best tree and its certificate out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.building import build_tree
from treewright.optimal.certificate import Certificate, SearchProgress, Status, ending_of, is_closed
from treewright.optimal.deadline import Deadline
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.few_columns import search_few_columns
from treewright.optimal.found import Found, SizeBounds, tests_in
from treewright.optimal.front import front_of
from treewright.optimal.goals import Goal
from treewright.optimal.limited import search_branchings, search_limited
from treewright.optimal.order import trends_in_words
from treewright.optimal.units import Units
from treewright.predicates import Predicate
from treewright.predicates.trends import trend_of
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.tree.column_limits import NO_LIMITS, ColumnLimits
from treewright.words import plural

__all__ = ["Asked", "Limits", "Progress", "Search", "cost_of"]

_ROUNDING = 1e-9  # relative, of sums of doubles
_OF_TIME_FOR_ALL_TREES = 4  # a quarter, for what bounds a longer search
# Seconds that making the tree takes, set aside for it: of every tree, and for each row and level.
_BUILDING, _BUILDING_OF_ROW = 5e-4, 5e-8

_NO_BITS = np.empty((0, 0), dtype=np.uint8)

Progress: TypeAlias = Callable[[SearchProgress], bool | None]


@dataclass(frozen=True)
class Limits:
    """What trees are allowed, what their parts cost, and how long to search.

    Parameters
    ----------
    max_depth : int
        Most splits on a path.
    max_tests : int or None
        Most splits in the tree.
    pair_levels : int
        Levels, from the root on, where two conditions may be joined.
    pair_functions : int
        3 joins by and, or, xor; 5 also by "and not", both ways round.
    penalty, term_penalty : float
        What a leaf beyond the first, and a column beyond the first in a split, cost, as a
        proportion of the weight of all rows (of the squared error of one prediction for all).
    min_rows : int
        Fewest rows of a leaf.
    min_weight : float
        Least weight of a leaf, as a proportion of all weight.
    seconds : float
        Time there is.
    memory : int
        Bytes the search may keep, the bits of its conditions among them.
    n_jobs : int
        Threads.
    smallest : bool
        Whether of equally good trees one with the fewest splits must be found.
    columns : ColumnLimits
        What experts ask of the columns.
    likely_depth : int or None
        If not None, trees of any depth are allowed: `max_depth` is the most splits that are worth
        their penalties, and this the depth that the best tree is likely to have.
    most_branches : int
        Most branches of a split; with more than two the levels of a column may have one each.
    trends : tuple of int
        With which columns predictions may only rise (1) or fall (-1); none for no constraint.
    """

    max_depth: int
    max_tests: int | None = None
    pair_levels: int = 0
    pair_functions: int = 3
    penalty: float = 0.0
    term_penalty: float = 0.0
    min_rows: int = 1
    min_weight: float = 0.0
    seconds: float = math.inf
    memory: int = 1 << 30
    n_jobs: int = 1
    smallest: bool = False
    columns: ColumnLimits = NO_LIMITS
    likely_depth: int | None = None
    most_branches: int = 2
    trends: tuple[int, ...] = ()

    def words(self, names: Sequence[str] = ()) -> str:
        """Say in words which trees are allowed; of monotonic constraints with names of columns."""
        parts = [
            f"of depth {self.max_depth} at most" if self.likely_depth is None else "of any depth"
        ]
        if self.max_tests is not None:
            parts.append(f"with {plural(self.max_tests, 'split')} at most")
        if self.min_rows > 1:
            parts.append(f"with {self.min_rows} rows per leaf at least")
        if self.min_weight > 0.0:
            share = f"{100.0 * self.min_weight:.10g} %"
            parts.append(f"with {share} of all weight per leaf at least")
        if self.pair_levels:
            levels = (
                "at the root"
                if self.pair_levels == 1
                else f"in the first {self.pair_levels} levels"
            )
            parts.append(f"that may join two conditions {levels}")
        if self.columns.max_columns is not None:
            parts.append(f"with {plural(self.columns.max_columns, 'column')} at most")
        if self.columns is not NO_LIMITS and self.columns.of_any_number != NO_LIMITS:
            parts.append("that keep the constraints")
        if names and any(self.trends):
            parts.append(f"whose predictions {trends_in_words(names, self.trends)}")
        return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]

    @property
    def most_tests(self) -> int:
        """Most splits that a tree can have."""
        return self._full if self.max_tests is None else min(self._full, self.max_tests)

    @property
    def is_every_size(self) -> bool:
        """Whether a tree may have as many splits as its depth has room for."""
        return self.most_tests == self._full

    @property
    def expected_depth(self) -> int:
        """Depth to reckon with."""
        return (
            self.max_depth if self.likely_depth is None else min(self.max_depth, self.likely_depth)
        )

    @property
    def _full(self) -> int:
        """Most splits by depth."""
        if self.likely_depth is not None:
            return self.max_depth
        return int((self.most_branches ** min(self.max_depth, 40) - 1) // (self.most_branches - 1))

    def allows(self, predicate: Predicate) -> bool:
        """Whether a condition can stand in a tree somewhere."""
        has_trend = trend_of(predicate, self.trends) is not None
        return has_trend and self.columns.allows(predicate)

    @property
    def along_chains(self) -> bool:
        """Whether a search may go along chains of thresholds instead of by pairs of conditions."""
        return self.pair_levels == 0 and self.is_every_size and not self.smallest

    @property
    def most_thresholds(self) -> int:
        """Most single conditions in a tree, those of pairs counted one by one."""
        pairs = int(2 ** min(self.pair_levels, self.max_depth, 40)) - 1
        return self.most_tests + min(pairs, self.most_tests)


@dataclass(frozen=True)
class Asked:
    """What the core is asked, in whole numbers."""

    units: Units
    prices: NDArray[np.int64]
    options: _core.SearchOptions

    def problem(self, dictionary: Dictionary, *, by_ranks: bool = False) -> dict[str, Any]:
        """Give rows and conditions as the core takes them: by bits, or by ranks along chains."""
        rows = {"bits": _NO_BITS, "ranks": dictionary.ranks()} if by_ranks else {}
        return {
            **(rows or {"bits": dictionary.bits}),
            "n_rows": len(self.units.targets),
            "targets": self.units.targets,
            "weights": self.units.weights,
            "costs": self.units.costs,
            "prices": self.prices,
            "last_levels": dictionary.last_level,
            "chains": dictionary.chain,
            "sources": dictionary.source,
        }


@dataclass(frozen=True)
class Search:
    """Searches for the best tree over a dictionary.

    Parameters
    ----------
    goal : Goal
        What is to be predicted.
    schema : Schema
        Columns and classes.
    table : treewright._core.Table
        The training rows.
    limits : Limits
        What is allowed.
    readable : bool
        Whether thresholds are made short.
    with_front : bool
        Whether to find the best tree of every size, too.
    progress : callable or None
        Told how far the search is; it stops the search by returning False, or 0.
    deadline : Deadline
        When there is no time left to prepare for the search.
    """

    goal: Goal
    schema: Schema
    table: _core.Table
    limits: Limits
    readable: bool = True
    with_front: bool = False
    progress: Progress | None = None
    deadline: Deadline = field(default_factory=Deadline, compare=False)

    def leaf(self) -> Found:
        """Give the tree without a split, where no time was left to look for others."""
        found = self.run(Dictionary.joined([], self.goal.n_rows), "", 0.0)
        return found.with_proof(
            status="time_limit" if found.certificate.objective > 0.0 else "optimal",
            lower_bound=0.0,
            tests=self.words("conditions that there was no time to list"),
        )

    def run(
        self,
        dictionary: Dictionary,
        words: str,
        seconds: float | None = None,
        known: Found | None = None,
    ) -> Found:
        """Search over a dictionary.

        Parameters
        ----------
        dictionary : Dictionary
            The conditions.
        words : str
            Which conditions these are, for the certificate.
        seconds : float or None, default None
            Time there is, if other than the limits say.
        known : Found or None, default None
            What was found over some of the conditions: only better trees are looked for, unless the
            search keeps trees of all sizes apart.

        Returns
        -------
        Found
            The best tree found, which is the known one if only better ones were looked for and
            there is none.
        """
        began = time.perf_counter()
        columns = self.limits.columns
        if columns.max_columns is not None:
            free = replace(self, limits=replace(self.limits, columns=columns.of_any_number))
            few = search_few_columns(
                lambda some, left: free.run(some, words, left),
                dictionary,
                self.schema.n_columns,
                columns.max_columns,
                self.limits.seconds if seconds is None else seconds,
            )
            # A bound over a few columns is none over all thresholds of all.
            of_all = 0.0 if self.limits.trends else None
            return replace(few.with_proof(tests=self.words(words)), relaxed_bound=of_all)
        if columns.limits_paths or columns.first_columns or self.limits.trends:
            left = self.limits.seconds if seconds is None else seconds
            # The best of all trees bounds those that keep the constraints, and may be one of them.
            free = replace(self, limits=replace(self.limits, columns=NO_LIMITS, trends=()))
            relaxed = free.run(dictionary, words, left / _OF_TIME_FOR_ALL_TREES)
            left -= time.perf_counter() - began
            return search_limited(self, dictionary, words, left, relaxed, known)
        limits = self.limits
        seconds = limits.seconds if seconds is None else seconds
        if dictionary.branchings:
            binary = self.run(
                replace(dictionary, branchings=()), words, seconds / _OF_TIME_FOR_ALL_TREES, known
            )
            seconds -= time.perf_counter() - began
            return search_branchings(self, dictionary, words, seconds, binary)
        levels = limits.expected_depth + 1
        building = _BUILDING + _BUILDING_OF_ROW * self.goal.n_rows * levels
        asked = self.asked(dictionary, max(seconds - (time.perf_counter() - began) - building, 0.0))
        units, options = asked.units, asked.options
        along_chains = limits.along_chains and not self.with_front
        options.memory = max(limits.memory - dictionary.n_bytes(along_chains=along_chains), 0)
        if known is not None and limits.is_every_size and not self.with_front:
            options.limit = units.limit(known.certificate.objective, limits.most_tests)
        result = self._ask(dictionary, asked)
        least, least_of_sizes = result.lower_bound, result.front
        front = [self.tree_of(point.tree, dictionary) for point in result.front]
        plan = None
        if known is None or result.found:
            plan, tree = result.tree, self.tree_of(result.tree, dictionary)
            if not (units.has_whole_weights or all(map(self._is_heavy_enough, (tree, *front)))):
                # Leaves that are too light by rounding only were let in, so that the bound holds.
                options.min_weight = units.least_weight(limits.min_weight, is_strict=True)
                options.seconds = max(seconds - (time.perf_counter() - began) - building, 0.0)
                result = self._ask(dictionary, asked)
                plan, tree = result.tree, self.tree_of(result.tree, dictionary)
                front = [self.tree_of(point.tree, dictionary) for point in result.front]
            used, objective = tests_in(result.tree), self.objective_of(tree)
        else:
            tree, used, objective = known.tree, (), known.certificate.objective
        bound = max(least * units.unit - units.slack(objective, limits.most_tests), 0.0)
        status, sizes = cast("Status", result.status), None
        if ending_of(status).is_complete:
            closed = objective <= units.noise or is_closed(objective, bound)
            bound = objective if closed else bound
            if self.with_front:
                bounds = self._bounds_of_sizes(front, least_of_sizes, units)
                sizes = SizeBounds(self.words(words), bounds)
                costs = {one.n_leaves: self._cost(one) for one in front}
                closed &= all(is_closed(costs[size], bounds[size]) for size in bounds)
            status = "optimal" if closed else "rounded"
        certificate = Certificate(
            objective,
            min(bound, objective),
            status,
            time.perf_counter() - began,
            self.words(words),
            statistics=dict(result.statistics),
        )
        size = cast("Status", result.status_of_size)
        sequence = front_of(front, tree) if self.with_front else None
        return Found(tree, certificate, used, len(dictionary), sequence, size, sizes, plan)

    def with_less_time(self, seconds: float) -> Search:
        """Return the same with so many seconds gone."""
        if math.isinf(self.limits.seconds):
            return self
        left = max(self.limits.seconds - seconds, 0.0)
        return replace(self, limits=replace(self.limits, seconds=left))

    def goes_on(self, found: Found, seconds: float) -> bool:
        """Tell how far a search in rounds is, and whether there may be a further one."""
        if self.progress is None:
            return True
        objective, bound = found.certificate.objective, found.certificate.lower_bound
        n_tests = found.n_tests
        return _goes_on(self.progress(SearchProgress(seconds, objective, bound, n_tests, n_tests)))

    def words(self, tests: str) -> str:
        """Say in words over which trees and conditions a certificate holds."""
        return f"trees {self.limits.words(self.schema.names)} over {tests}"

    def asked(self, dictionary: Dictionary, seconds: float) -> Asked:
        """Put what the core is asked into whole numbers.

        Parameters
        ----------
        dictionary : Dictionary
            The conditions.
        seconds : float
            Time there is.

        Returns
        -------
        Asked
            Units, prices of the conditions in them, and options.
        """
        limits, prices, penalty, pair_price = self.limits, dictionary.price, 0.0, 0.0
        is_priced = bool(prices.any())
        if limits.penalty > 0.0 or limits.term_penalty > 0.0 or is_priced:
            # A test dearer than one leaf for all rows is never used; dearer makes no difference.
            worth = self.goal.price_unit
            dearest = 2.0 * self.goal.least_loss(np.zeros(self.goal.n_rows, dtype=np.intp))
            prices = np.minimum(prices * worth, dearest)
            penalty = min(limits.penalty * worth, dearest)
            pair_price = min(limits.term_penalty * worth, dearest)
        units = self.goal.units(
            [penalty, pair_price, *(set(prices.tolist()) if is_priced else ())],
            with_least_weight=limits.min_weight > 0.0,
        )
        options = self._options(seconds)
        options.penalty, options.pair_price = units.whole(penalty), units.whole(pair_price)
        if limits.min_weight > 0.0:
            options.min_weight = units.least_weight(limits.min_weight)
        whole = units.wholes(prices) if is_priced else np.zeros(len(prices), dtype=np.int64)
        return Asked(units, whole, options)

    def _ask(self, dictionary: Dictionary, asked: Asked) -> _core.SearchResult:
        by_ranks = _core.reads_ranks_only(dictionary.n_rows, dictionary.chain, asked.options)
        unknown: dict[str, Any] = {}
        if self.limits.pair_levels and (dictionary.unknown >= 0).any():
            sets, of_tests = dictionary.unknown_rows(range(len(dictionary)), self.table)
            unknown = {"unknown": sets, "unknown_of": of_tests}
        return _core.search_tree(
            **asked.problem(dictionary, by_ranks=by_ranks),
            **unknown,
            options=asked.options,
            progress=self.report(asked.units.unit),
            losses=asked.units.losses,
        )

    def objective_of(self, tree: Tree) -> float:
        """Give the objective of a tree, as the certificate defines it."""
        cost, penalty = self._cost(tree), self.limits.penalty
        if penalty == 0.0:
            return cost
        return cost + penalty * (tree.n_leaves - 1) * self.goal.price_unit

    def _cost(self, tree: Tree) -> float:
        """Give the objective of a tree without what its size costs."""
        return cost_of(tree, self.goal, self.table, self.limits)

    def _bounds_of_sizes(
        self, front: Sequence[Tree], least: Sequence[_core.SearchFrontPoint], units: Units
    ) -> dict[int, float]:
        """Tell what no tree of each number of leaves in a Pareto front costs less than."""
        bounds = {}
        for point in least:
            best = min(
                (tree for tree in front if tree.n_leaves - 1 <= point.n_tests), key=self._cost
            )
            cost = self._cost(best)
            bound = point.cost * units.unit - units.slack(cost, point.n_tests)
            closed = cost <= units.noise or is_closed(cost, bound)
            bounds[best.n_leaves] = cost if closed else min(max(bound, 0.0), cost)
        return bounds

    def _is_heavy_enough(self, tree: Tree) -> bool:
        """Tell whether all leaves have the weight they need."""
        leaves = tree.core.n_branches == 0
        least = self.limits.min_weight * float(self.goal.weights.sum()) * (1.0 - _ROUNDING)
        return bool(tree.node_weights[leaves].min() >= least)

    def _options(self, seconds: float) -> _core.SearchOptions:
        limits, options = self.limits, _core.SearchOptions()
        options.max_depth = limits.max_depth
        options.max_nodes = -1 if limits.max_tests is None else limits.most_tests
        options.min_rows = limits.min_rows
        options.pair_levels = limits.pair_levels
        options.pair_functions = limits.pair_functions
        options.front = self.with_front
        options.n_jobs = limits.n_jobs
        options.seconds = seconds
        options.smallest = limits.smallest
        return options

    def report(self, unit: float) -> Callable[..., bool] | None:
        """Return what the core tells its progress to, in whole numbers of a unit."""
        tell = self.progress
        if tell is None:
            return None

        def report(elapsed: float, best: int, bound: int, closed: int, total: int) -> bool:
            return _goes_on(tell(SearchProgress(elapsed, best * unit, bound * unit, closed, total)))

        return report

    def tree_of(self, answer: _core.SearchTree, dictionary: Dictionary) -> Tree:
        """Make the tree of a plan over a dictionary."""
        return build_tree(
            answer,
            dictionary,
            self.goal,
            self.schema,
            self.table,
            readable=self.readable,
            keeps_places=bool(self.limits.trends),
        )


def cost_of(tree: Tree, goal: Goal, table: _core.Table, limits: Limits) -> float:
    """Give what a tree loses on its training rows and pays for columns, but not for its size."""
    loss, price = goal.tree_loss(tree.core, table), limits.term_penalty
    loss += limits.columns.price_of(tree) * goal.price_unit
    if price == 0.0:
        return loss
    n_further = int(np.maximum(tree.node_terms - 1, 0).sum())
    return loss + price * n_further * goal.price_unit


def _goes_on(answer: bool | None) -> bool:
    """Read what a progress callback returned, which may be nothing."""
    return answer is None or bool(answer)
