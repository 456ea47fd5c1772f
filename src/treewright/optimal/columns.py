"""The conditions that a table of columns offers to the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.branching import FEWEST_LEVELS, Branching
from treewright.optimal.deadline import Deadline
from treewright.optimal.dictionary import CHAIN_LENGTH, Dictionary, search_bytes
from treewright.optimal.goals import Goal
from treewright.optimal.levels import LevelTests, level_tests
from treewright.optimal.passing import Packed, Ranked
from treewright.optimal.thresholds import (
    ColumnCuts,
    column_cuts,
    cuts_alone,
    guessed_cuts,
    quantile_cuts,
)
from treewright.words import plural

__all__ = ["THRESHOLDS", "TableTests", "table_tests"]

THRESHOLDS = ("auto", "all", "quantile", "guess")

_FEW_CUTS = 32  # of a column; all are offered unless there are more
# What a search among all thresholds may take, by pairs of tests or along chains.
_QUICK_BY_PAIRS, _QUICK_ALONG_CHAINS = 1.0, 12.0  # seconds
# Rows times thresholds: of errors at depth 2, where chains are passed at the root only, and else.
_DEPTH_OF_ONE_PASS, _QUICK_CELLS_AT_ROOT, _QUICK_CELLS = 2, 1 << 33, 1 << 29
_MOST_ROWS = 5000  # that thresholds are guessed from
_QUANTILES = 16  # beside guessed cuts; twice as many where they stand alone

Values = NDArray[np.float64]


@dataclass(frozen=True)
class TableTests:
    """The conditions of a table, and where they come from.

    Parameters
    ----------
    two_valued : Dictionary
        The conditions of numeric columns without missing values that hold two values only.
    cuts : tuple of ColumnCuts
        The cuts of all other numeric columns.
    on_levels : tuple of LevelTests
        The conditions of the categorical columns.
    values : ndarray of float64
        The training rows.
    deadline : Deadline
        When there is no time left to make dictionaries of them.
    branchings : tuple of Branching, default ()
        Columns whose levels may have a branch each, too.
    """

    two_valued: Dictionary
    cuts: tuple[ColumnCuts, ...]
    on_levels: tuple[LevelTests, ...]
    values: Values
    deadline: Deadline = field(default_factory=Deadline, compare=False)
    branchings: tuple[Branching, ...] = ()

    def dictionary(self) -> Dictionary:
        """Put all conditions into one dictionary.

        Raises
        ------
        OutOfTime
            If there is no time left for that.
        """
        parts = [self.two_valued]
        for cuts in self.cuts:
            self.deadline.check()
            parts += _tests_of(cuts, self.values[:, cuts.column])
        parts += [tests.dictionary(self.deadline) for tests in self.on_levels]
        self.deadline.check()
        whole = Dictionary.joined(parts, len(self.values))
        return replace(whole, branchings=self.branchings) if self.branchings else whole

    def with_branchings(self, n_levels: NDArray[np.int32]) -> TableTests:
        """Return the same where categorical columns may have a branch per level."""
        branchings = []
        for tests in self.on_levels:
            levels, column = tests.sets.levels, tests.sets.column
            if len(levels) >= FEWEST_LEVELS:
                by_row = np.where(tests.by_row < len(levels), tests.by_row, -1).astype(np.int32)
                branchings.append(Branching(column, levels, by_row, int(n_levels[column])))
        return replace(self, branchings=tuple(branchings))

    def offering(self, cuts: Sequence[ColumnCuts]) -> TableTests:
        """Return the same with other cuts offered."""
        return replace(self, cuts=tuple(cuts))

    @property
    def is_whole(self) -> bool:
        """Whether every threshold of every numeric column is offered."""
        return all(cuts.is_whole for cuts in self.cuts)

    def n_bytes(self, *, along_chains: bool) -> int:
        """Count the bytes that a search takes for its conditions; see ``search_bytes``."""
        n_alone = len(self.two_valued)
        n_tests = n_alone + self.n_offered + sum(map(len, self.on_levels))
        n_chains = n_alone + len(self.cuts) + sum(tests.n_chains for tests in self.on_levels)
        return search_bytes(len(self.values), n_tests, n_chains, along_chains=along_chains)

    @property
    def n_offered(self) -> int:
        """Number of thresholds offered, of columns with more than two values."""
        return sum(len(cuts.offered) for cuts in self.cuts)

    @property
    def n_cuts(self) -> int:
        """Number of all thresholds, offered or not, of columns with more than two values."""
        return sum(cuts.n_cuts for cuts in self.cuts)

    def is_quick(self, goal: Goal, depth: int, *, along_chains: bool) -> bool:
        """Tell whether a search among all thresholds takes a few seconds at most.

        Where chains of thresholds are long, some of each are tried at every node, and the rows of
        the node are passed for each column; otherwise the time grows with rows * conditions^depth.
        The constants are measured.
        """
        n_rows, depth = len(self.values), min(depth, 20)
        n_alone = len(self.two_valued) + sum(map(len, self.on_levels))
        n_tests, n_chains = self.n_cuts + n_alone, len(self.cuts) + n_alone
        if not along_chains or n_tests < CHAIN_LENGTH * n_chains:
            return 2e-9 * n_rows * (n_tests / 10.0) ** depth <= _QUICK_BY_PAIRS
        n_tried = sum(min(cuts.n_cuts, 12) for cuts in self.cuts) + n_alone
        n_nodes = (2.0 * n_tried) ** max(depth - 2, 0)
        pass_of_node = 3e-8 * n_rows * n_chains * goal.effort
        is_at_root = goal.effort == 1.0 and depth <= _DEPTH_OF_ONE_PASS
        is_few = self.n_cuts * n_rows <= (_QUICK_CELLS_AT_ROOT if is_at_root else _QUICK_CELLS)
        return bool(pass_of_node * n_nodes <= _QUICK_ALONG_CHAINS and is_few)

    def whole(self) -> TableTests:
        """Return the same with every threshold offered."""
        return self.offering([cuts.offering(np.arange(cuts.n_cuts)) for cuts in self.cuts])

    def thinned(
        self, goal: Goal, thresholds: str = "auto", seconds: float | None = None
    ) -> TableTests:
        """Return the same with fewer thresholds offered of columns that have many.

        Within the time that is given, that is; quantiles are always there.
        """
        deadline = self.deadline if seconds is None else Deadline(seconds, respite=0.0)
        return self.offering(_chosen(self, goal, thresholds, deadline))

    def words(self) -> str:
        """Say in words which conditions these are."""
        n_columns = len(self.cuts) + len(self.two_valued)
        offered = len(self.two_valued) + self.n_offered
        n_cuts = len(self.two_valued) + self.n_cuts
        parts = []
        if n_columns:
            of_columns = f"of {plural(n_columns, 'numeric column')}"
            if offered == n_cuts:
                every = "the 1 threshold" if n_cuts == 1 else f"all {n_cuts} thresholds"
                parts.append(f"{every} {of_columns}")
            else:
                parts.append(f"{offered} of the {plural(n_cuts, 'threshold')} {of_columns}")
        on_levels = [tests for tests in self.on_levels if len(tests)]
        if on_levels:
            count = sum(tests.n_sets for tests in on_levels)
            of_columns = plural(len(on_levels), "categorical column")
            parts.append(f"{plural(count, 'set')} of levels of {of_columns}")
        if self.branchings:
            of_columns = plural(len(self.branchings), "categorical column")
            parts.append(f"multiway splits of {of_columns}")
        together = ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + "".join(parts[-1:])
        return together or "no condition, as every column is constant,"


def table_tests(
    values: Values,
    n_levels: NDArray[np.int32],
    goal: Goal,
    thresholds: str,
    *,
    depth: int = 3,
    along_chains: bool = True,
    seconds: float | None = None,
    deadline: Deadline | None = None,
) -> TableTests:
    """Find the conditions that a table offers.

    Parameters
    ----------
    values : ndarray of float64
        The training rows.
    n_levels : ndarray of int32
        Levels of each column, 0 for numeric ones.
    goal : Goal
        What is to be predicted.
    thresholds : {"auto", "all", "quantile", "guess"}
        Which thresholds of numeric columns to offer.
    depth : int, default 3
        Depth of the trees they are for; in shallow ones ``"auto"`` can afford all thresholds.
    along_chains : bool, default True
        Whether the search may go along chains of thresholds, see ``Limits.along_chains``.
    seconds : float or None, default None
        Time there is to look for good thresholds; None for as long as the deadline allows.
    deadline : Deadline or None, default None
        When all must be done; None for never.

    Returns
    -------
    TableTests
        The conditions.

    Raises
    ------
    OutOfTime
        If the deadline has passed before the conditions were known.
    """
    deadline = Deadline() if deadline is None else deadline
    two_valued, rest = _two_valued(values, n_levels)
    columns = []
    for column in rest.tolist():
        deadline.check()
        cuts = column_cuts(column, values[:, column], goal.weights)
        if cuts.n_cuts > 0:
            columns.append(cuts)
    on_levels = []
    categorical = np.flatnonzero(n_levels).tolist()
    if categorical:
        ranking = goal.ranking()
        for column in categorical:
            deadline.check()
            on_levels.append(level_tests(column, values[:, column], ranking, goal.weights))
    tests = TableTests(two_valued, tuple(columns), tuple(on_levels), values, deadline)
    if thresholds == "all":
        return tests
    if thresholds == "auto" and tests.is_quick(goal, depth, along_chains=along_chains):
        return tests
    return tests.thinned(goal, thresholds, seconds)


def _two_valued(
    values: Values, n_levels: NDArray[np.int32]
) -> tuple[Dictionary, NDArray[np.int32]]:
    """Make the conditions of columns with two values at once; also give the other numeric ones."""
    columns, low, high, bits, rest = _core.two_valued_columns(values)
    if n_levels.any():
        is_number = n_levels[columns] == 0
        columns, low, high, bits = (part[is_number] for part in (columns, low, high, bits))
        rest = rest[n_levels[rest] == 0]
    rows = Packed(bits)
    two_valued = Dictionary.of_cuts(
        rows, len(values), columns, low, high, n_two_valued=len(columns)
    )
    return two_valued, rest


def _chosen(
    tests: TableTests, goal: Goal, thresholds: str, deadline: Deadline
) -> Sequence[ColumnCuts]:
    """Offer fewer cuts of the columns that have many; quantiles as soon as the deadline is over."""
    columns, values = tests.cuts, tests.values
    long = [cuts for cuts in columns if cuts.n_cuts > _FEW_CUTS]
    if not long:
        return columns
    if len(values) > _MOST_ROWS:
        rows = np.linspace(0, len(values) - 1, _MOST_ROWS).astype(np.intp)
        values, goal = values[rows], goal.part(rows)
    guessed = {}
    if thresholds != "quantile":
        guessed = guessed_cuts(long, values, goal, deadline)
    target = goal.core()
    offered = {}
    for cuts in long:
        tests.deadline.check()
        if thresholds == "quantile":
            chosen = [quantile_cuts(cuts, 2 * _QUANTILES)]
        elif thresholds == "guess":
            chosen = [guessed[cuts.column]]
        else:
            chosen = [quantile_cuts(cuts, _QUANTILES), guessed[cuts.column]]
            if not deadline.is_over:
                chosen.append(cuts_alone(cuts, values[:, cuts.column], target))
        offered[cuts.column] = cuts.offering(np.concatenate(chosen))
    return [offered.get(cuts.column, cuts) for cuts in columns]


def _ranks(cuts: ColumnCuts, low: NDArray[np.float64], numbers: Values) -> NDArray[np.int32]:
    """Count the thresholds that each row lies above; missing values stand above all."""
    if not cuts.is_whole:
        return np.searchsorted(low, numbers).astype(np.int32)
    # To sort many numbers takes less time than to look all of them up.
    order = np.argsort(numbers)
    ranked = numbers[order]
    ranks = np.zeros(len(numbers), dtype=np.int32)
    ranks[order[1:]] = np.cumsum(ranked[1:] > ranked[:-1], dtype=np.int32)
    return ranks


def _tests_of(cuts: ColumnCuts, numbers: Values) -> list[Dictionary]:
    """Make the conditions of a numeric column, twice where values are missing."""
    if not len(cuts.offered):
        return []
    low, high = cuts.values[cuts.offered], cuts.values[cuts.offered + 1]
    column = np.full(len(low), cuts.column, dtype=np.int32)
    gaps = np.isnan(numbers)
    ranks = _ranks(cuts, low, numbers)
    if not gaps.any():
        return [Dictionary.of_cuts(Ranked(ranks, len(low)), len(numbers), column, low, high)]
    passing = Ranked(np.where(gaps, np.int32(0), ranks), len(low))
    return [
        Dictionary.of_cuts(passing, len(numbers), column, low, high, unknown=0),
        Dictionary.of_cuts(Ranked(ranks, len(low)), len(numbers), column, low, high, unknown=1),
    ]
