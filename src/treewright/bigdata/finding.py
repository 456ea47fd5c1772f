"""Trees that are searched for: found on a sample, with thresholds and counts of all rows."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.encoding import Encoder
from treewright.bigdata.engines import PassEngine
from treewright.bigdata.exactness import FoundOnSample
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Frame, Sample, Sampled
from treewright.bigdata.recounting import Counts, Losses, Place, losses_of
from treewright.estimators.training import TrainingRows
from treewright.optimal.front import front_of
from treewright.prune import TreeSequence
from treewright.readable.recut import best_threshold, with_thresholds
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["find"]

Numbers = NDArray[np.float64]

_MOST_EDGES = 4095
_SLACK = 1.25  # of the share of rows that is looked at for the sample


def find(
    estimator: Any,
    engine: PassEngine,
    schema: Schema,
    n_rows: int,
    encoders: tuple[Encoder, Encoder],
    cost: Numbers | None,
    rows_sampled: int,
) -> FoundOnSample:
    """Find a tree on a sample, and give it the thresholds and counts of all rows.

    Parameters
    ----------
    estimator : estimator
        One that searches.
    engine : PassEngine
        Asks the partitions.
    schema : Schema
        Columns and, for classification, the classes.
    n_rows : int
        Rows whose weight is not 0.
    encoders : tuple of two Encoders
        How rows are read with their own weights, and with those of their classes.
    cost : ndarray of float64 or None
        What mistakes cost, if they do not all cost the same.
    rows_sampled : int
        Rows of the sample.

    Returns
    -------
    FoundOnSample
        What was looked at, and how good the tree is on the other rows.
    """
    began = time.perf_counter()
    frame = Frame(schema.n_levels, len(schema.classes or ()))
    engine.read_by(encoders[0], n_rows)
    share = _SLACK * rows_sampled / n_rows
    sample: Sampled = engine.ask(Sample(frame, rows_sampled, share))
    n_sampled = len(sample.keys)
    values = np.asfortranarray(sample.values)
    estimator._fit_rows(
        TrainingRows(schema, values, sample.target, sample.weights, n_sampled), began
    )
    if n_sampled == n_rows:
        return FoundOnSample(n_rows, n_rows, None, engine.n_passes)
    engine.read_by(encoders[1], n_rows)
    front: TreeSequence | None = estimator._path
    trees = (estimator.tree_,) if front is None else tuple(entry.tree for entry in front)
    chosen = trees.index(estimator.tree_)
    others = engine.ask(Counts(frame, trees, int(sample.keys[-1])))[chosen][1]
    score = _score(estimator.tree_, others)
    rows = Rows(0, values, tuple(range(schema.n_columns)), sample.target, sample.weights)
    for places in _by_height(trees):
        trees = _moved(engine, frame, trees, places, rows, cost)
    counts = engine.ask(Counts(frame, trees))
    trees = tuple(
        tree.with_core(_core.with_statistics(tree.core, nodes, np.ravel(statistics)))
        for tree, (nodes, statistics) in zip(trees, counts, strict=True)
    )
    _put(estimator, trees, chosen, front, n_sampled, n_rows)
    return FoundOnSample(n_rows, n_sampled, score, engine.n_passes)


def _by_height(trees: tuple[Tree, ...]) -> list[list[Place]]:
    """Put splits with a threshold in an order in which those below others come before them."""
    levels: dict[int, list[Place]] = {}
    for number, tree in enumerate(trees):
        first, counts = tree.core.first_child.tolist(), tree.core.n_branches.tolist()
        height = [0] * tree.n_nodes
        for node in reversed(range(tree.n_nodes)):
            if counts[node]:
                below = height[first[node] : first[node] + counts[node]]
                height[node] = 1 + max(below)
                levels.setdefault(height[node], []).append((number, node))
    return [levels[height] for height in sorted(levels)]


def _moved(
    engine: PassEngine,
    frame: Frame,
    trees: tuple[Tree, ...],
    places: list[Place],
    sample: Rows,
    cost: Numbers | None,
) -> tuple[Tree, ...]:
    """Put thresholds where all rows lose least, of the places between values of the sample."""
    asked, edges = [], []
    for number in sorted({number for number, _ in places}):
        losses = losses_of(trees[number], frame, sample, cost)
        for node in losses.splits:
            if (number, node) in places:
                asked.append((number, node))
                edges.append(_edges(losses.along(node)[0]))
    if not asked:
        return trees
    replies = engine.ask(Losses(frame, trees, tuple(asked), tuple(edges), cost))
    thresholds: dict[int, dict[int, float]] = {}
    for (number, node), lines in zip(asked, replies, strict=True):
        lines = lines[lines[:, 2] <= lines[:, 3]]
        lost = np.cumsum(lines[:, 0])[:-1]
        now = float(lines[:, 1].sum())
        threshold = best_threshold(lost, lines[:-1, 3], lines[1:, 2], now)
        if threshold is not None:
            thresholds.setdefault(number, {})[node] = threshold
    return tuple(
        with_thresholds(tree, thresholds[number]) if number in thresholds else tree
        for number, tree in enumerate(trees)
    )


def _edges(sums: Numbers) -> Numbers:
    """Choose at most so many of the values, evenly among the rows."""
    values = np.unique(sums)
    if len(values) <= _MOST_EDGES:
        return values
    return np.unique(np.quantile(sums, np.linspace(0.0, 1.0, _MOST_EDGES), method="lower"))


def _score(tree: Tree, statistics: Numbers) -> float:
    """Give accuracy, or R², on rows with these statistics in the nodes of a tree."""
    core = tree.core
    leaves = core.n_branches == 0
    held, said = statistics[leaves], core.value[leaves]
    if tree.is_classification:
        right = held[np.arange(len(held)), said.astype(np.intp)].sum()
        return float(right / statistics[0].sum())
    lost = (held[:, 2] + held[:, 0] * (held[:, 1] - said) ** 2).sum()
    return float(1.0 - lost / statistics[0, 2]) if statistics[0, 2] > 0.0 else 0.0


def _put(
    estimator: Any,
    trees: tuple[Tree, ...],
    chosen: int,
    before: TreeSequence | None,
    n_sampled: int,
    n_rows: int,
) -> None:
    """Give an estimator the counted trees in place of those of the sample."""
    estimator.tree_ = trees[chosen]
    if before is not None:
        front = front_of(tuple(reversed(trees)), trees[chosen])
        risks = before.cv_risks
        if risks is not None and before.chosen is not None and before.cv_unit is not None:
            more = trees[0].node(0).weight / before[0].tree.node(0).weight
            front = front.with_cross_validation(
                risks[0] * more, risks[1] * more, before.chosen, before.cv_unit * more
            )
        estimator._set_path(front)
    searched = getattr(getattr(estimator, "evidence_", None), "rows", None)
    if searched is None:  # otherwise it has been said that not even the sample was
        estimator.certificate_ = estimator.certificate_.on_sample(n_sampled)
        searched = (n_sampled, n_sampled)
    if hasattr(estimator, "evidence_"):
        estimator.evidence_ = replace(estimator.evidence_, rows=(searched[0], n_rows))
