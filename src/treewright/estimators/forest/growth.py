"""Growing the trees of a forest on several threads that share one table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators.forest.bags import Bags
from treewright.estimators.targets import ClassTarget, NumberTarget

__all__ = ["ForestGrowth"]

_LONGEST_TIME = 1e9  # seconds; more limits nothing
_ROWS_AT_ONCE = 1 << 14  # times trees, for one call of the core
_PIECES_OF_THREAD = 4  # at least, so that all threads end at the same time
_WORTH_RANKS = 3  # columns for each that is offered; with fewer, keeping all in order is faster


@dataclass(frozen=True)
class ForestGrowth:
    """The data of a fit, and how to grow trees on bags of them.

    Parameters
    ----------
    table : treewright._core.Table
        The rows, shared by all threads.
    bags : Bags
        What each tree learns from, and its seed.
    make_target : callable
        ``make_target(number)`` gives the target of the tree of this number, with the rows out of
        its bag at weight 0.
    make_method : callable
        Gives a new working split method; one is not for two threads.
    make_options : callable
        ``make_options(total_weight)`` gives new options of growth for a bag of this weight.
    time_limit : float or None
        Seconds for all trees together.
    """

    table: _core.Table
    bags: Bags
    make_target: Callable[[int], ClassTarget | NumberTarget]
    make_method: Callable[[], _core.Method]
    make_options: Callable[[float], _core.GrowOptions]
    time_limit: float | None

    def grow(self, first: int, n_trees: int, workers: Workers) -> tuple[list[_core.Tree], bool]:
        """Grow trees.

        Parameters
        ----------
        first : int
            Number of the first of them.
        n_trees : int
            How many.
        workers : Workers
            The threads; each grows a few trees at a time.

        Returns
        -------
        trees : list of treewright._core.Tree
            In the order of their numbers, none left out: at the time limit those before the first
            that was not finished. The tree of number 0 is there in any case, if need be cut short.
        out_of_time : bool
            Whether the time limit ended growth.
        """
        deadline = math.inf if self.time_limit is None else time.monotonic() + self.time_limit
        at_once = self._n_at_once(n_trees, workers.n_threads)
        firsts = range(first, first + n_trees, at_once)

        def grow(piece: int, report: Report) -> list[tuple[_core.Tree, bool]]:
            numbers = range(firsts[piece], min(firsts[piece] + at_once, first + n_trees))
            seconds = deadline - time.monotonic()
            if seconds <= 0.0 and numbers[0] != 0:
                return []
            return self._grow_some(numbers, ranks, max(seconds, 0.0), report)

        ranks = self._ranks(first)
        grown = [*chain(*workers.run(grow, len(firsts), worth=n_trees))]
        whole = [tree for tree, _ in takewhile(lambda one: not one[1], grown)]
        is_needed = first == 0 and not whole
        return [grown[0][0]] if is_needed else whole, len(whole) < n_trees

    def _n_at_once(self, n_trees: int, n_threads: int) -> int:
        """Say how many trees a thread grows between two looks at Python."""
        most = max(_ROWS_AT_ONCE // max(self.table.n_rows, 1), 1)
        return max(min(most, n_trees // (_PIECES_OF_THREAD * n_threads)), 1)

    def _ranks(self, number: int) -> _core.Ranks | None:
        """Rank all columns once, where that saves every tree of keeping them in order."""
        n_offered = self.make_options(1.0).max_features
        is_few = 0 < _WORTH_RANKS * n_offered <= self.table.n_columns
        if not is_few or not self.make_method().needs_sorted_columns:
            return None
        return _core.Ranks(self.table, self.make_target(number).core())

    def _grow_some(
        self, numbers: Sequence[int], ranks: _core.Ranks | None, seconds: float, report: Report
    ) -> list[tuple[_core.Tree, bool]]:
        """Grow the trees of some bags; also says whether the last of them was cut short."""
        return _core.grow_all(
            self.table,
            [self._task(number) for number in numbers],
            time_limit=min(seconds, _LONGEST_TIME),
            progress=report,
            ranks=ranks,
        )

    def _task(self, number: int) -> tuple[_core.Target, _core.Method, _core.GrowOptions]:
        """Give what a tree is grown from."""
        target = self.make_target(number)
        options = self.make_options(float(target.weights.sum()))
        options.seed = self.bags.growth_seed(number)
        return target.core(), self.make_method(), options
