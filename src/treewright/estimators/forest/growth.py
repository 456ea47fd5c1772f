"""Growing the trees of a forest on several threads that share one table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators.forest.bags import Bags
from treewright.estimators.targets import ClassTarget, NumberTarget

__all__ = ["ForestGrowth"]

_LONGEST_TIME = 1e9  # seconds; more limits nothing
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
            The threads; each grows one tree at a time.

        Returns
        -------
        trees : list of treewright._core.Tree
            In the order of their numbers, none left out: at the time limit those before the first
            that was not finished. The tree of number 0 is there in any case, if need be cut short.
        out_of_time : bool
            Whether the time limit ended growth.
        """
        deadline = math.inf if self.time_limit is None else time.monotonic() + self.time_limit

        def grow(number: int, report: Report) -> tuple[_core.Tree | None, bool]:
            seconds, is_needed = deadline - time.monotonic(), first + number == 0
            if seconds <= 0.0 and not is_needed:
                return None, True
            tree, was_cut = self._grow_one(first + number, ranks, max(seconds, 0.0), report)
            return tree if is_needed or not was_cut else None, was_cut

        ranks = self._ranks(first)
        grown = workers.run(grow, n_trees)
        trees: list[_core.Tree] = []
        for tree, _ in grown:
            if tree is None:
                break
            trees.append(tree)
        return trees, any(was_cut for _, was_cut in grown)

    def _ranks(self, number: int) -> _core.Ranks | None:
        """Rank all columns once, where that saves every tree of keeping them in order."""
        n_offered = self.make_options(1.0).max_features
        is_few = 0 < _WORTH_RANKS * n_offered <= self.table.n_columns
        if not is_few or not self.make_method().needs_sorted_columns:
            return None
        return _core.Ranks(self.table, self.make_target(number).core())

    def _grow_one(
        self, number: int, ranks: _core.Ranks | None, seconds: float, report: Report
    ) -> tuple[_core.Tree, bool]:
        """Grow the tree of one bag; also says whether it was cut short."""
        target = self.make_target(number)
        options = self.make_options(float(target.weights.sum()))
        options.seed = self.bags.growth_seed(number)
        return _core.grow(
            self.table,
            target.core(),
            self.make_method(),
            options,
            time_limit=min(seconds, _LONGEST_TIME),
            progress=report,
            ranks=ranks,
        )
