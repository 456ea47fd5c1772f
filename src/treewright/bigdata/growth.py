"""Growth over partitions: the tree that growth in memory makes, from sums alone.

For all open nodes of a level together: sums of every column by bin (:class:`Tally`); where bounds
leave bins in which a better cut, or one as good, may lie, these bins again, divided more finely, at
most three times; then what is left by value (:class:`Runs`). The compiled growth
(``cpp/treewright/grow/partitioned.hpp``) scores, chooses and divides; nothing is scored here.

The trees of cross-validation are grown in the same passes: a growth says what it has to know, and
what all of them have to know at a time is asked together (``folds``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.tasks import Task, is_regression
from treewright.base.workers import check_interrupt
from treewright.bigdata.edges import (
    Resolution,
    Unsettled,
    first_cells,
    wanted_cells,
    zoomed_cells,
)
from treewright.bigdata.exactness import Exactness
from treewright.bigdata.folds import EVERY_ROW, DealtSample, Folds, Together
from treewright.bigdata.handover import Fetch, grow_node, next_batch
from treewright.bigdata.parts import Engine, Question
from treewright.bigdata.questions import Frame, Open, Runs, Sample, Sampled, Tally
from treewright.bigdata.supported import check_supported
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import DataError
from treewright.schema import Schema
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
    core = options.core(whole.n_rows, _weight(whole, n_classes), schema.n_columns)
    if weighting is not None:
        weighting.put_costs(core)
    growths = []
    for sample in samples:
        if not _weight(sample, n_classes) > 0.0:
            raise DataError("All rows are in one fold; choose fewer folds, or give more rows.")
        growth = _core.PartitionedGrowth(
            schema.n_levels,
            n_classes,
            core,
            options.categorical,
            sample.n_rows,
            sample.unit_weights,
        )
        growth.plant(sample.statistics)
        growths.append(
            _TreeGrowth(
                growth,
                sample,
                conductor,
                options,
                lambda: options.method(schema),
                hand_over // len(samples) if options.max_leaf_nodes is None else 0,
            )
        )
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
    sample: Sampled
    conductor: _Conductor
    options: GrowthOptions
    method: Callable[[], _core.Method]
    hand_over: int
    depth: int = 0
    fetched: int = 0
    finished_in_memory: int = 0
    out_of_time: bool = False
    done: float = 0.0

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
        growth, frame = self.growth, self.conductor.frame
        tree, nodes = growth.tree()
        fetch = Fetch(frame, Open(tree, nodes[batch], growth.means[batch]))
        reply = yield fetch
        # Places behind a finished one move up.
        for n_finished, rows in enumerate(fetch.by_place(reply)):
            place = int(batch[n_finished]) - n_finished
            seconds = self.conductor.seconds_left()
            self.finished_in_memory += len(rows.target)
            if grow_node(growth, place, frame, rows, self.method, seconds):
                self.out_of_time = True

    def _level(self) -> Steps:
        """Find the splits of all open nodes."""
        growth, frame = self.growth, self.conductor.frame
        tree, nodes = growth.tree()
        asked = Open(tree, nodes, growth.means)
        share = growth.rows / self.sample.n_rows
        self.done = max(self.done, 1.0 - float(share.sum()))
        bins = self.conductor.resolution.bins(share)
        cells = first_cells(self.sample, frame, asked, self.options.criterion, bins)
        growth.put(cells.flat(asked), (yield Tally(frame, asked, cells)))
        yield from self._settle(asked, share)
        growth.settle()

    def _settle(self, asked: Open, share: NDArray[np.float64]) -> Steps:
        """Look closer where a better cut may lie, until there is no such place."""
        growth, frame, resolution = self.growth, self.conductor.frame, self.conductor.resolution
        few = resolution.fetched * self.sample.n_rows * len(frame.n_levels)
        zooms = 0
        while True:
            unsettled: Unsettled = growth.unsettled()
            if not len(unsettled[0]):
                return
            n_values = float(unsettled[2][:, 4].sum())
            if n_values > few and zooms < resolution.max_zooms:
                zooms += 1
                cells = zoomed_cells(unsettled, resolution.bins(share, zooming=True))
                growth.refine(cells.flat(asked), (yield Tally(frame, asked, cells)))
                continue
            if n_values > resolution.most_fetched:
                return
            cells, wanted = wanted_cells(unsettled)
            self.fetched += int(n_values)
            runs = yield Runs(frame, asked, cells, wanted)
            growth.refine_by_value(cells.flat(asked), np.ascontiguousarray(runs))
