"""Growth over partitions: the tree that growth in memory makes, from sums alone.

For all open nodes of a level together: sums of every column by bin (:class:`Tally`); where bounds
leave bins in which a better cut, or one as good, may lie, these bins again, divided more finely, at
most three times; then what is left by value (:class:`Runs`). The compiled growth
(``cpp/treewright/grow/partitioned.hpp``) scores, chooses and divides; nothing is scored here.

Split methods that look at moments of several columns (MUST, FTest) run in the compiled growth too,
and say what they lack: moments of sets of columns (:class:`Moments`), sums along a linear
combination (:class:`Tally`), or where shorter coefficients would divide the rows the same way
(:class:`Sides`). What all open nodes lack is asked for in one pass, and the method run again.

The trees of cross-validation are grown in the same passes: a growth says what it has to know, and
what all of them have to know at a time is asked together (``folds``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
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
from treewright.bigdata.folds import EVERY_ROW, DealtSample, Folds, Together
from treewright.bigdata.handover import Beginning, Branch, Fetch, next_batch
from treewright.bigdata.parts import Engine, Question
from treewright.bigdata.questions import (
    Frame,
    Moments,
    Open,
    Runs,
    Sample,
    Sampled,
    Several,
    Sides,
    Tally,
)
from treewright.bigdata.supported import check_supported
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import DataError
from treewright.schema import Schema
from treewright.splits import Axis
from treewright.tree import Tree

__all__ = ["Grown", "grow", "grow_together"]


@dataclass(frozen=True)
class Grown:
    """Trees that were grown in the same passes.

    Attributes
    ----------
    trees : tuple of Tree
        The trees.
    gaps : tuple
        Of each, the nodes that are not proven, as :class:`Exactness` has them.
    frame : Frame
        What questions know of the table.
    passes, fetched, finished_in_memory : int
        What it cost.
    is_open : bool
        Whether the time limit left nodes open.
    """

    trees: tuple[Tree, ...]
    gaps: tuple[tuple[tuple[int, float], ...], ...]
    frame: Frame
    passes: int
    fetched: int
    finished_in_memory: int
    is_open: bool


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
    hand_over: int = 0,
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
    hand_over : int, default 0
        Rows that may be fetched at a time to finish small nodes in memory; 0 for none. The tree
        does not depend on it.

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
    grown = grow_together(
        engine,
        schema,
        target_kind,
        options,
        weighting=weighting,
        report=report,
        time_limit=time_limit,
        resolution=resolution,
        hand_over=hand_over,
    )
    exactness = Exactness(
        grown.gaps[0],
        grown.passes,
        grown.fetched,
        grown.is_open,
        finished_in_memory=grown.finished_in_memory,
    )
    return grown.trees[0], exactness


def grow_together(
    engine: Engine,
    schema: Schema,
    target_kind: Task,
    options: GrowthOptions,
    folds: Folds | None = None,
    left_out: Sequence[int] = (EVERY_ROW,),
    *,
    weighting: ClassWeighting | None = None,
    report: Callable[[float], None] | None = None,
    time_limit: float | None = None,
    resolution: Resolution | None = None,
    hand_over: int = 0,
) -> Grown:
    """Grow several trees, each without the rows of one fold, in the same passes.

    Parameters
    ----------
    engine, schema, target_kind, options, weighting, report, time_limit, resolution, hand_over
        As :func:`grow` takes them. Limits that are proportions count all rows.
    folds : Folds or None, default None
        How rows are dealt.
    left_out : sequence of int, default (EVERY_ROW,)
        The fold that each tree is grown without.

    Returns
    -------
    Grown
        The trees, in the order of `left_out`.

    Raises
    ------
    UnsupportedError
        Before anything is read, if growth over partitions does not offer what the options ask for.
    DataError
        If all rows are in one fold.
    """
    check_supported(options, schema, weighting)
    n_classes = 0 if is_regression(target_kind) else len(schema.classes or ())
    conductor = _Conductor(
        engine,
        Frame(schema.n_levels, n_classes),
        folds,
        resolution or Resolution(),
        report,
        None if time_limit is None else time.monotonic() + time_limit,
    )
    whole, samples = conductor.sample(left_out)
    growths = []
    for sample in samples:
        if not _weight(sample, n_classes) > 0.0:
            raise DataError("All rows are in one fold; choose fewer folds, or give more rows.")
        beginning = Beginning(
            conductor.frame,
            schema,
            options,
            weighting,
            whole.n_rows,
            _weight(whole, n_classes),
            sample.n_rows,
            sample.statistics,
            sample.unit_weights,
        )
        limit = hand_over // len(samples) if options.max_leaf_nodes is None else 0
        growths.append(_TreeGrowth(beginning.growth(), beginning, sample, conductor, limit))
    conductor.run(left_out, growths)
    finished = [one.growth.finish() for one in growths]
    return Grown(
        tuple(Tree(tree, schema) for tree, _ in finished),
        tuple(tuple(one.growth.gaps()) for one in growths),
        conductor.frame,
        conductor.passes,
        sum(one.fetched for one in growths),
        sum(one.finished_in_memory for one in growths),
        any(is_open for _, is_open in finished) or any(one.out_of_time for one in growths),
    )


def _weight(sample: Sampled, n_classes: int) -> float:
    return float(sample.statistics.sum() if n_classes else sample.statistics[0])


@dataclass
class _Conductor:
    """Asks the questions of growths that take the same passes."""

    engine: Engine
    frame: Frame
    folds: Folds | None
    resolution: Resolution
    report: Callable[[float], None] | None
    deadline: float | None
    passes: int = 0
    done: float = 0.0

    def ask(self, question: Question) -> Any:
        """Ask all partitions."""
        check_interrupt()
        reply = self.engine.ask(question)
        self.passes += 1
        if self.report is not None:
            self.report(self.done)
        return reply

    def sample(self, left_out: Sequence[int]) -> tuple[Sampled, list[Sampled]]:
        """Draw the sample, and count the rows: all of them, and those that each tree may see."""
        size, n_rows = self.resolution.sample, self.engine.n_rows
        share = 1.25 * size / n_rows if n_rows else 1.0
        sample = Sample(self.frame, size, share)
        if self.folds is None:
            sampled: Sampled = self.ask(sample)
            return sampled, [sampled]
        dealt = DealtSample(sample, self.folds)
        reply = self.ask(dealt)
        return reply[0], [dealt.without(reply, fold) for fold in left_out]

    def is_over(self) -> bool:
        """Whether the time is."""
        return self.seconds_left() == 0.0

    def seconds_left(self) -> float | None:
        """Return how much time there is; None for as much as it takes."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def run(self, left_out: Sequence[int], growths: Sequence[_TreeGrowth]) -> None:
        """Let growths take their steps; what they ask for is asked together."""
        steps = [one.steps() for one in growths]
        asked = {place: one for place, step in enumerate(steps) if (one := next(step, None))}
        while asked:
            self.done = max(self.done, float(np.mean([one.done for one in growths])))
            questions = tuple((left_out[place], one) for place, one in asked.items())
            if self.folds is None:
                replies = (self.ask(questions[0][1]),)
            else:
                replies = self.ask(Together(self.frame, self.folds, questions))
            for place, reply in zip(list(asked), replies, strict=True):
                try:
                    asked[place] = steps[place].send(reply)
                except StopIteration:
                    del asked[place]


Steps: TypeAlias = Generator[Question, Any, None]
"""Asks questions, and is sent the replies."""


@dataclass
class _TreeGrowth:
    """The growth of one tree: says what it has to know, and goes on when it is told."""

    growth: _core.PartitionedGrowth
    beginning: Beginning
    sample: Sampled
    conductor: _Conductor
    hand_over: int
    depth: int = 0
    fetched: int = 0
    finished_in_memory: int = 0
    out_of_time: bool = False
    done: float = 0.0

    @property
    def options(self) -> GrowthOptions:
        """How to grow."""
        return self.beginning.options

    def steps(self) -> Steps:
        """Grow to the end, or to the end of the time."""
        while self.growth.n_open and not self.conductor.is_over():
            most = self.options.max_depth
            left = math.inf if most is None else most - self.depth
            batch = next_batch(self.growth.rows, self.hand_over, left)
            if batch is None:
                yield from self._level()
                self.depth += 1
            else:
                yield from self._finish(batch)
        self.done = 1.0

    def _finish(self, batch: NDArray[np.intp]) -> Steps:
        """Fetch the rows of some open nodes, and grow on in memory."""
        growth = self.growth
        tree, nodes = growth.tree()
        fetch = Fetch(self.conductor.frame, Open(tree, nodes[batch], growth.means[batch]))
        reply = yield fetch
        seconds = self.conductor.seconds_left()
        until = None if seconds is None else time.time() + seconds
        branches = (
            Branch(self.beginning, self.depth, rows, until) for rows in fetch.by_place(reply)
        )
        grown = self.conductor.engine.each(branches)
        self.finished_in_memory += int(sum(tree.rows[0] for tree, _ in grown))
        for n_grafted, (place, (branch, was_cut)) in enumerate(
            zip(batch.tolist(), grown, strict=True)
        ):
            growth.graft(place - n_grafted, branch)  # places behind one that is finished move up
            self.out_of_time |= was_cut

    def _level(self) -> Steps:
        """Find the splits of all open nodes."""
        growth = self.growth
        tree, nodes = growth.tree()
        level = _Level(self, Open(tree, nodes, growth.means))
        self.done = max(self.done, 1.0 - float(level.share.sum()))
        if isinstance(self.options.split, Axis):
            yield from level.look_at_columns()
        else:
            yield from level.run_method()
        growth.settle()


@dataclass
class _Level:
    """The open nodes of one level of a tree."""

    tree: _TreeGrowth
    asked: Open
    zooms: int = 0
    gave_up: bool = False

    @property
    def growth(self) -> _core.PartitionedGrowth:
        """What it is told."""
        return self.tree.growth

    @property
    def frame(self) -> Frame:
        """The table."""
        return self.tree.conductor.frame

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """Proportion of the rows at each node."""
        return self.growth.rows / self.tree.sample.n_rows

    def look_at_columns(self) -> Steps:
        """Look at every column, and closer where a better cut may lie."""
        yield from self._ask([self._bins(None)])
        while (yield from self._ask(self._closer([]))):
            pass

    def run_method(self) -> Steps:
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
            if not (yield from self._ask(asks)) and not self.gave_up:
                return
            self.gave_up = False

    def _ask(self, asks: list[_Ask]) -> Generator[Question, Any, bool]:
        """Ask in one pass, and take the replies; False if there is nothing to ask."""
        if not asks:
            return False
        if len(asks) == 1:
            ((question, take),) = asks
            take(question, (yield question))
            return True
        replies = yield Several(tuple(question for question, _ in asks))
        for (question, take), reply in zip(asks, replies, strict=True):
            take(question, reply)
        return True

    def _bins(self, lines: Lines | None) -> _Ask:
        self.zooms = 0
        n_bins = self.tree.conductor.resolution.bins(self.share)
        cells = first_cells(
            self.tree.sample, self.frame, self.asked, self.tree.options.criterion, n_bins, lines
        )
        return Tally(self.frame, self.asked, cells), self._put

    def _closer(self, combinations: list[Any]) -> list[_Ask]:
        """Return what to ask about bins where a better cut may lie."""
        unsettled: Unsettled = self.growth.unsettled()
        if not len(unsettled[0]):
            return []
        resolution = self.tree.conductor.resolution
        n_values = float(unsettled[2][:, 4].sum())
        few = resolution.fetched * self.tree.sample.n_rows * len(self.frame.n_levels)
        if n_values > few and self.zooms < resolution.max_zooms:
            self.zooms += 1
            n_bins = resolution.bins(self.share, zooming=True)
            cells = zoomed_cells(unsettled, n_bins, resolution.zoom_together, combinations)
            return [(Tally(self.frame, self.asked, cells), self._refine)]
        if n_values > resolution.most_fetched:
            self.growth.give_up()
            self.gave_up = True
            return []
        cells, wanted = wanted_cells(unsettled, combinations)
        self.tree.fetched += int(n_values)
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
