"""Several trees in the same passes, each without the rows of one fold.

A row belongs to a fold by a random number that is the same in every pass, so that nothing has to be
kept where the rows are. Rows of the fold that a tree must not see weigh nothing for it: partitions
are read once, and counted once for each tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Question, Rows
from treewright.bigdata.questions import Frame, Sample, Sampled, mixed, row_keys
from treewright.prune.held_out import NodeLosses
from treewright.tree.summaries import columns_read

__all__ = ["EVERY_ROW", "DealtSample", "Folds", "HeldOut", "Lost", "Together"]

Numbers = NDArray[np.float64]

#: In place of the number of a fold: no row is left out.
EVERY_ROW = -1


@dataclass(frozen=True)
class Folds:
    """How rows are dealt to folds.

    Attributes
    ----------
    n_folds : int
        How many folds there are.
    seed : int
        Another one deals them otherwise.
    share : float or None
        None for folds of about one size; otherwise the proportion of the rows in fold 0.
    """

    n_folds: int
    seed: int = 0
    share: float | None = None

    def of(self, part: int, n_rows: int) -> NDArray[np.intp]:
        """Return the fold of each row of a partition."""
        return self.of_keys(row_keys(part, n_rows))

    def of_keys(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return the fold of rows by their keys, of which those of a sample are the smallest."""
        with np.errstate(over="ignore"):
            dealt = mixed(keys + np.uint64(2 * self.seed + 1))
        if self.share is None:
            return np.asarray(dealt % np.uint64(self.n_folds), dtype=np.intp)
        return np.asarray(dealt.astype(np.float64) >= self.share * 2.0**64, dtype=np.intp)


@dataclass(frozen=True)
class Together:
    """Asks several questions in one pass, each of the rows outside of one fold.

    Attributes
    ----------
    frame : Frame
        The table.
    folds : Folds
        How rows are dealt.
    questions : tuple of (int, Question)
        The fold that each question leaves out, and the question.
    """

    frame: Frame
    folds: Folds
    questions: tuple[tuple[int, Question], ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of all questions."""
        return tuple(sorted({column for _, one in self.questions for column in one.columns}))

    def answer(self, rows: Rows) -> tuple[Any, ...]:
        """Reply to all questions."""
        rows = self.frame.widened(rows)
        fold = self.folds.of(rows.part, len(rows.target))
        weights = np.ones(len(fold)) if rows.weights is None else rows.weights
        return tuple(
            one.answer(replace(rows, weights=np.where(fold == left_out, 0.0, weights)))
            for left_out, one in self.questions
        )

    def merge(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """Join the replies question by question."""
        return tuple(
            one.merge(*both)
            for (_, one), both in zip(self.questions, zip(first, second, strict=True), strict=True)
        )


# ---------------------------------------------------------------------------------------- sample


@dataclass(frozen=True)
class DealtSample:
    """Asks for a sample of all rows, and for the statistics of each fold.

    Attributes
    ----------
    sample : Sample
        What to draw.
    folds : Folds
        How rows are dealt.
    """

    sample: Sample
    folds: Folds

    @property
    def columns(self) -> tuple[int, ...]:
        """All columns."""
        return self.sample.columns

    def answer(self, rows: Rows) -> tuple[Sampled, list[Sampled]]:
        """Draw from one partition, and count the rows of its folds."""
        fold = self.folds.of(rows.part, len(rows.target))
        counting = self._counting()
        counted = []
        for number in range(self.folds.n_folds):
            there = fold == number
            part = Rows(
                rows.part,
                np.empty((int(there.sum()), 0)),
                (),
                rows.target[there],
                None if rows.weights is None else rows.weights[there],
            )
            counted.append(counting.answer(part))
        return self.sample.answer(rows), counted

    def merge(
        self, first: tuple[Sampled, list[Sampled]], second: tuple[Sampled, list[Sampled]]
    ) -> tuple[Sampled, list[Sampled]]:
        """Join samples and counts."""
        counting = self._counting()
        counted = [counting.merge(*both) for both in zip(first[1], second[1], strict=True)]
        return self.sample.merge(first[0], second[0]), counted

    def without(self, reply: tuple[Sampled, list[Sampled]], left_out: int) -> Sampled:
        """Return what a sample of the rows outside of a fold would be."""
        sampled, counted = reply
        if left_out == EVERY_ROW:
            return sampled
        others = [one for number, one in enumerate(counted) if number != left_out]
        count = reduce(self._counting().merge, others)
        inside = self.folds.of_keys(sampled.keys) == left_out
        return replace(
            sampled,
            weights=np.where(inside, 0.0, sampled.weights),
            n_rows=count.n_rows,
            statistics=count.statistics,
            unit_weights=count.unit_weights,
        )

    def _counting(self) -> Sample:
        return Sample(self.sample.frame, 0)


# ---------------------------------------------------------------------------------------- losses


@dataclass(frozen=True)
class Lost:
    """What held-out rows lose.

    Attributes
    ----------
    losses : tuple of tuples of ndarray
        For each tree the sums at each node, as :func:`treewright._core.node_losses` gives them.
    weights : ndarray of float64
        Weight of the rows in each fold, without class weights and priors.
    """

    losses: tuple[NodeLosses, ...]
    weights: Numbers


@dataclass(frozen=True)
class HeldOut:
    """Asks what the rows of folds lose at each node of the trees that were grown without them.

    Attributes
    ----------
    frame : Frame
        The table.
    folds : Folds
        How rows are dealt.
    trees : tuple of (int, treewright._core.Tree)
        Folds and their trees.
    """

    frame: Frame
    folds: Folds
    trees: Sequence[tuple[int, _core.Tree]]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns by which rows are routed."""
        return tuple(sorted({column for _, tree in self.trees for column in columns_read(tree)}))

    def answer(self, rows: Rows) -> Lost:
        """Route the rows of one partition."""
        fold = self.folds.of(rows.part, len(rows.target))
        weights = np.ones(len(fold)) if rows.weights is None else rows.weights
        case_weights = weights if rows.case_weights is None else rows.case_weights
        losses = []
        for number, tree in self.trees:
            there = fold == number
            part = replace(
                rows,
                values=np.asfortranarray(rows.values[there]),
                target=rows.target[there],
                weights=weights[there],
                case_weights=case_weights[there],
            )
            table, target = self.frame.core(part)
            losses.append(_core.node_losses(tree, table, target, absolute_error=False))
        counted = np.bincount(fold, case_weights, minlength=self.folds.n_folds)
        return Lost(tuple(losses), counted.astype(np.float64))

    def merge(self, first: Lost, second: Lost) -> Lost:
        """Add losses and weights."""
        losses = [
            (one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3])
            for one, two in zip(first.losses, second.losses, strict=True)
        ]
        return Lost(tuple(losses), first.weights + second.weights)
