"""Growth over partitions: the tree that growth in memory makes, from sums alone.

For all open nodes of a level together: sums of every column by bin (:class:`Tally`); where bounds
leave bins in which a better cut, or one as good, may lie, these bins again, divided more finely, at
most three times; then what is left by value (:class:`Runs`). The compiled growth
(``cpp/treewright/grow/partitioned.hpp``) scores, chooses and divides; nothing is scored here.

Split methods that look at moments of several columns (MUST, FTest) run in the compiled growth too,
and say what they lack: moments of sets of columns (:class:`Moments`), sums along a linear
combination (:class:`Tally`), or where shorter coefficients would divide the rows the same way
(:class:`Sides`). What all open nodes lack is asked for in one pass, and the method run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.tasks import Task, is_regression
from treewright.base.workers import check_interrupt
from treewright.bigdata.edges import (
    Lines,
    Resolution,
    Unsettled,
    first_cells,
    limit_cells,
    wanted_cells,
    zoomed_cells,
)
from treewright.bigdata.exactness import Exactness
from treewright.bigdata.parts import Engine, Question
from treewright.bigdata.questions import (
    Frame,
    Moments,
    Open,
    Runs,
    Sample,
    Sampled,
    Sides,
    Tally,
    Together,
)
from treewright.bigdata.supported import check_supported
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.schema import Schema
from treewright.splits import Axis
from treewright.tree import Tree

__all__ = ["grow"]

_Ask: TypeAlias = tuple[Any, Callable[[Any, Any], None]]
"""A question, and who takes it with its reply."""


def grow(
    engine: Engine,
    schema: Schema,
    target_kind: Task,
    options: GrowthOptions,
    *,
    weighting: ClassWeighting | None = None,
    report: Callable[[float], None] | None = None,
    time_limit: float | None = None,
    resolution: Resolution | None = None,
) -> tuple[Tree, Exactness]:
    """Grow the tree of all rows that an engine asks.

    Parameters
    ----------
    engine : Engine
        Asks the partitions.
    schema : Schema
        Columns and, for classification, the classes.
    target_kind : {"classification", "regression"}
        What the target is.
    options : GrowthOptions
        How to grow, as an estimator says it.
    weighting : ClassWeighting or None, default None
        What errors cost. Class weights are in the weights of the rows already.
    report : callable or None, default None
        Called after every pass with the proportion of the rows that stand in finished nodes.
    time_limit : float or None, default None
        Seconds; growth ends at the next level, and the tree so far stands.
    resolution : Resolution or None, default None
        How finely columns are looked at. The tree does not depend on it.

    Returns
    -------
    tree : Tree
        The tree.
    exactness : Exactness
        What is proven of it.

    Raises
    ------
    UnsupportedError
        Before anything is read, if growth over partitions does not offer what the options ask for.
    """
    check_supported(options, schema, weighting)
    n_classes = 0 if is_regression(target_kind) else len(schema.classes or ())
    conductor = _Conductor(
        engine,
        Frame(schema.n_levels, n_classes),
        resolution or Resolution(),
        report,
        None if time_limit is None else time.monotonic() + time_limit,
    )
    sample = conductor.sample()
    total = sample.statistics.sum() if n_classes else sample.statistics[0]
    core = options.core(sample.n_rows, float(total), schema.n_columns)
    if weighting is not None:
        weighting.put_costs(core)
    growth = _core.PartitionedGrowth(
        schema.n_levels,
        n_classes,
        core,
        options.categorical,
        sample.n_rows,
        sample.unit_weights,
        None if isinstance(options.split, Axis) else options.method(schema),
    )
    growth.plant(sample.statistics)
    while growth.n_open and not conductor.is_over():
        conductor.level(growth, sample, options)
    tree, is_open = growth.finish()
    exactness = Exactness(tuple(growth.gaps()), conductor.passes, conductor.fetched, is_open)
    return Tree(tree, schema), exactness


@dataclass
class _Conductor:
    """Asks the questions of one growth, and counts what they cost."""

    engine: Engine
    frame: Frame
    resolution: Resolution
    report: Callable[[float], None] | None
    deadline: float | None
    passes: int = 0
    fetched: int = 0
    done: float = field(default=0.0)

    def ask(self, question: Question) -> Any:
        """Ask all partitions."""
        check_interrupt()
        reply = self.engine.ask(question)
        self.passes += 1
        if self.report is not None:
            self.report(self.done)
        return reply

    def sample(self) -> Sampled:
        """Draw the sample, and count the rows."""
        size, n_rows = self.resolution.sample, self.engine.n_rows
        share = 1.25 * size / n_rows if n_rows else 1.0
        sampled: Sampled = self.ask(Sample(self.frame, size, share))
        return sampled

    def is_over(self) -> bool:
        """Whether the time is."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def level(
        self, growth: _core.PartitionedGrowth, sample: Sampled, options: GrowthOptions
    ) -> None:
        """Find the splits of all open nodes."""
        tree, nodes = growth.tree()
        level = _Level(self, growth, sample, Open(tree, nodes, growth.means), options.criterion)
        self.done = max(self.done, 1.0 - float(level.share.sum()))
        if isinstance(options.split, Axis):
            level.look_at_columns()
        else:
            level.run_method()
        growth.settle()


@dataclass
class _Level:
    """The open nodes of one level."""

    conductor: _Conductor
    growth: _core.PartitionedGrowth
    sample: Sampled
    asked: Open
    measure: str
    zooms: int = 0
    gave_up: bool = False

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """Proportion of the rows at each node."""
        return self.growth.rows / self.sample.n_rows

    def look_at_columns(self) -> None:
        """Look at every column, and closer where a better cut may lie."""
        self._ask([self._bins(None)])
        while self._ask(self._closer([])):
            pass

    def run_method(self) -> None:
        """Tell the method what it lacks, until it has found all splits."""
        while True:
            sets, bins, below, compared, combinations = self.growth.wanted()
            asks = self._closer(combinations)
            if sets:
                asks.append((Moments(self.frame, self.asked, sets), self._put_moments))
            if len(bins[0]):
                asks.append(self._bins(Lines(bins[0], bins[1], combinations)))
            if len(below[0]):
                cells = limit_cells(Lines(below[0], below[1], combinations), below[2])
                asks.append((Tally(self.frame, self.asked, cells), self._put_below))
            if compared:
                asks.append((Sides(self.frame, self.asked, compared), self._put_sides))
            if not self._ask(asks) and not self.gave_up:
                return
            self.gave_up = False

    @property
    def frame(self) -> Frame:
        """The table."""
        return self.conductor.frame

    def _ask(self, asks: list[_Ask]) -> bool:
        """Ask in one pass, and take the replies; False if there is nothing to ask."""
        if not asks:
            return False
        if len(asks) == 1:
            ((question, take),) = asks
            take(question, self.conductor.ask(question))
            return True
        replies = self.conductor.ask(Together(tuple(question for question, _ in asks)))
        for (question, take), reply in zip(asks, replies, strict=True):
            take(question, reply)
        return True

    def _bins(self, lines: Lines | None) -> _Ask:
        self.zooms = 0
        n_bins = self.conductor.resolution.bins(self.share)
        cells = first_cells(self.sample, self.frame, self.asked, self.measure, n_bins, lines)
        return Tally(self.frame, self.asked, cells), self._put

    def _closer(self, combinations: list[Any]) -> list[_Ask]:
        """Return what to ask about bins where a better cut may lie."""
        unsettled: Unsettled = self.growth.unsettled()
        if not len(unsettled[0]):
            return []
        resolution = self.conductor.resolution
        n_values = float(unsettled[2][:, 4].sum())
        few = resolution.fetched * self.sample.n_rows * len(self.frame.n_levels)
        if n_values > few and self.zooms < resolution.max_zooms:
            self.zooms += 1
            n_bins = resolution.bins(self.share, zooming=True)
            cells = zoomed_cells(unsettled, n_bins, combinations)
            return [(Tally(self.frame, self.asked, cells), self._refine)]
        if n_values > resolution.most_fetched:
            self.growth.give_up()
            self.gave_up = True
            return []
        cells, wanted = wanted_cells(unsettled, combinations)
        self.conductor.fetched += int(n_values)
        return [(Runs(self.frame, self.asked, cells, wanted), self._refine_by_value)]

    def _put(self, question: Tally, lines: Any) -> None:
        self.growth.put(question.cells.flat(self.asked), lines)

    def _refine(self, question: Tally, lines: Any) -> None:
        self.growth.refine(question.cells.flat(self.asked), lines)

    def _refine_by_value(self, question: Runs, runs: Any) -> None:
        self.growth.refine_by_value(question.cells.flat(self.asked), np.ascontiguousarray(runs))

    def _put_moments(self, question: Moments, numbers: Any) -> None:
        self.growth.put_moments(question.sets, numbers)

    def _put_below(self, question: Tally, lines: Any) -> None:
        self.growth.put_below(question.cells.flat(self.asked), lines)

    def _put_sides(self, question: Sides, numbers: Any) -> None:
        self.growth.put_sides(question.compared, numbers)
