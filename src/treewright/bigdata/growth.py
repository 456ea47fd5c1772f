"""Growth over partitions: the tree that growth in memory makes, from sums alone.

For all open nodes of a level together: sums of every column by bin (:class:`Tally`); where bounds
leave bins in which a better cut, or one as good, may lie, these bins again, divided more finely, at
most three times; then what is left by value (:class:`Runs`). The compiled growth
(``cpp/treewright/grow/partitioned.hpp``) scores, chooses and divides; nothing is scored here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
from treewright.bigdata.parts import Engine, Question
from treewright.bigdata.questions import Frame, Open, Runs, Sample, Sampled, Tally
from treewright.bigdata.supported import check_supported
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["grow"]


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
    )
    growth.plant(sample.statistics)
    while growth.n_open and not conductor.is_over():
        conductor.level(growth, sample, options.criterion)
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

    def level(self, growth: _core.PartitionedGrowth, sample: Sampled, measure: str) -> None:
        """Find the splits of all open nodes."""
        tree, nodes = growth.tree()
        asked = Open(tree, nodes, growth.means)
        share = growth.rows / sample.n_rows
        self.done = max(self.done, 1.0 - float(share.sum()))
        cells = first_cells(sample, self.frame, asked, measure, self.resolution.bins(share))
        growth.put(cells.flat(asked), self.ask(Tally(self.frame, asked, cells)))
        self._settle(growth, asked, sample.n_rows)
        growth.settle()

    def _settle(self, growth: _core.PartitionedGrowth, asked: Open, n_rows: int) -> None:
        """Look closer where a better cut may lie, until there is no such place."""
        share = growth.rows / n_rows
        few = self.resolution.fetched * n_rows * len(self.frame.n_levels)
        zooms = 0
        while True:
            unsettled: Unsettled = growth.unsettled()
            if not len(unsettled[0]):
                return
            n_values = float(unsettled[2][:, 4].sum())
            if n_values > few and zooms < self.resolution.max_zooms:
                zooms += 1
                cells = zoomed_cells(unsettled, self.resolution.bins(share, zooming=True))
                growth.refine(cells.flat(asked), self.ask(Tally(self.frame, asked, cells)))
                continue
            if n_values > self.resolution.most_fetched:
                return
            cells, wanted = wanted_cells(unsettled)
            self.fetched += int(n_values)
            runs = self.ask(Runs(self.frame, asked, cells, wanted))
            growth.refine_by_value(cells.flat(asked), np.ascontiguousarray(runs))
