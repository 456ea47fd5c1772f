"""School: how teachers are asked, so that they say nothing about rows they have learned from."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import ThreadpoolController

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators import ForestClassifier, ForestRegressor
from treewright.estimators.forest.votes import mean_votes
from treewright.estimators.training import TrainingRows
from treewright.exceptions import OutOfBagWarning
from treewright.readable.given import GivenTeacher, PlacedRows
from treewright.readable.teacher import (
    ONE_PREDICTION,
    TEACHERS_OF_CLASSES,
    TEACHERS_OF_NUMBERS,
    Lesson,
    Teacher,
)
from treewright.readable.terms import Terms

__all__ = ["School", "numbered"]

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]
Forest: TypeAlias = ForestClassifier | ForestRegressor

_FOLDS = 4
_LEAST_PROBABILITY = 1e-3


@dataclass(frozen=True)
class School:
    """How teachers are asked.

    Parameters
    ----------
    n_trees : int
        Of a forest.
    seed : int
        Of forests and folds.
    is_classification : bool
        Whether classes are taught.
    given : GivenTeacher or None, default None
        The only teacher, if the user brings one.
    cost : ndarray of shape (n_classes, n_classes + 1) or None, default None
        What labels cost where rows may be referred.
    """

    n_trees: int
    seed: int
    is_classification: bool
    given: GivenTeacher | None = None
    cost: Numbers | None = None

    @property
    def teachers(self) -> tuple[Teacher, ...]:
        """All that can be asked."""
        if self.given is not None:
            return (ONE_PREDICTION, Teacher(False, None, self.given))
        return TEACHERS_OF_CLASSES if self.is_classification else TEACHERS_OF_NUMBERS

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Give the context of a whole fit: linear algebra on one thread, and no warnings of bags.

        More threads wait for one another on small matrices, and rows in every bag have a mean.
        Both are settings of the process, so they are made once and not by each of several threads;
        a teacher of the user's own keeps what it has.
        """
        if self.given is not None:
            yield
            return
        with _libraries().limit(limits=1, user_api="blas"), warnings.catch_warnings():
            warnings.simplefilter("ignore", OutOfBagWarning)
            yield

    def teach(
        self,
        placed: PlacedRows,
        terms: Terms,
        report: Report,
        *,
        only: Teacher | None = None,
        n_jobs: int = 1,
    ) -> list[Lesson]:
        """Ask teachers about rows that they have not learned from.

        Parameters
        ----------
        placed : PlacedRows
            The rows.
        terms : Terms
            What regression uses.
        report : callable
            Told of the growth of the forest, then of the regressions; what it raises ends them.
        only : Teacher or None, default None
            The one to ask; None: all.
        n_jobs : int, default 1
            Threads of the forest and of the regressions.

        Returns
        -------
        list of Lesson
            One a teacher; one who cannot be asked is left out.
        """
        asked = self.teachers if only is None else (only,)
        rows = placed.rows
        alone = self.same_for_all(rows)
        forest: Forest | None = None
        if any(teacher.has_forest for teacher in asked):
            forest = self._grow_forest(rows, report, n_jobs)
        strengths = [*{one.strength: None for one in asked if one.strength is not None}]
        of_regression = self._of_regressions(rows, terms, strengths, Workers(n_jobs, report))
        lessons = []
        for teacher in asked:
            parts = []
            if teacher.given is not None:
                parts.append(teacher.given.answers(placed, self.seed))
            if teacher.has_forest and forest is not None:
                votes = self._out_of_bag(forest)
                parts.append(np.where(np.isnan(votes), alone, votes))
            if teacher.strength is not None:
                if teacher.strength not in of_regression:
                    continue
                parts.append(of_regression[teacher.strength])
            answers = np.mean(parts, axis=0) if parts else alone
            predict = partial(self._predict, teacher, placed, terms, forest, n_jobs)
            lessons.append(self._judged(teacher, answers, rows, predict))
        return lessons or [
            self._judged(
                ONE_PREDICTION,
                alone,
                rows,
                partial(self._predict, ONE_PREDICTION, placed, terms, None, n_jobs),
            )
        ]

    def n_folds(self, rows: TrainingRows) -> int:
        """Say how many folds models have that are asked of rows out of them.

        Parameters
        ----------
        rows : TrainingRows
            The rows.

        Returns
        -------
        int
            0 or 1 where there are too few rows.
        """
        if not self.is_classification:
            return _FOLDS if len(rows.truth) >= 2 * _FOLDS else 0
        counts = np.bincount(rows.truth)
        rarest = int(counts[counts > 0].min())
        return min(_FOLDS, rarest) if rarest > 1 and np.count_nonzero(counts) > 1 else 0

    def deal(self, n_folds: int, rows: TrainingRows) -> Iterator[tuple[Rows, Rows]]:
        """Deal rows to folds, classes evenly.

        Parameters
        ----------
        n_folds : int
            Two at least.
        rows : TrainingRows
            The rows.

        Yields
        ------
        tuple of ndarray of intp
            Those to learn from, and those held out.
        """
        kind = StratifiedKFold if self.is_classification else KFold
        folds = kind(n_folds, shuffle=True, random_state=self.seed)
        yield from folds.split(np.zeros(len(rows.truth)), rows.truth)

    def same_for_all(self, rows: TrainingRows) -> Numbers:
        """Give one prediction for all rows: proportions of the classes, or the mean.

        Parameters
        ----------
        rows : TrainingRows
            The rows.

        Returns
        -------
        ndarray of float64
            For each row.
        """
        if not self.is_classification:
            return np.full(len(rows.truth), _mean(rows))
        held = np.bincount(rows.truth, rows.weights, minlength=len(rows.labels))
        return np.tile(held / held.sum(), (len(rows.truth), 1))

    def worth(self, answers: Numbers, rows: TrainingRows, score: float) -> float:
        """Say how good predictions are, in the words of the evidence.

        Parameters
        ----------
        answers : ndarray of float64
            The predictions.
        rows : TrainingRows
            The rows they are about.
        score : float
            Their score.

        Returns
        -------
        float
            1 less the mean cost where rows may be referred, otherwise the score.
        """
        if self.cost is None:
            return score
        said = (answers @ self.cost).argmin(axis=1)
        return 1.0 - float(np.average(self.cost[rows.truth, said], weights=rows.weights))

    def loss_and_score(self, answers: Numbers, rows: TrainingRows) -> tuple[float, float]:
        """Judge predictions.

        Parameters
        ----------
        answers : ndarray of float64
            Probabilities of classes, or numbers.
        rows : TrainingRows
            The rows they are about.

        Returns
        -------
        tuple of float
            Logarithmic loss and accuracy, or squared error and coefficient of determination.
        """
        if self.is_classification:
            of_label = answers[np.arange(len(answers)), rows.truth]
            logarithms = np.log(np.maximum(of_label, _LEAST_PROBABILITY))
            hits = answers.argmax(axis=1) == rows.truth
            return (
                float(np.average(-logarithms, weights=rows.weights)),
                float(np.average(hits, weights=rows.weights)),
            )
        spread = float(np.average((rows.truth - _mean(rows)) ** 2, weights=rows.weights))
        loss = float(np.average((answers - rows.truth) ** 2, weights=rows.weights))
        return loss, 1.0 - loss / spread if spread > 0.0 else 0.0

    def _predict(
        self,
        teacher: Teacher,
        placed: PlacedRows,
        terms: Terms,
        forest: Forest | None,
        n_jobs: int,
        others: PlacedRows,
    ) -> Numbers:
        """Say of other rows what a teacher says who learned from all of these."""
        parts = []
        if teacher.given is not None:
            parts.append(teacher.given.predict(placed, others))
        if teacher.has_forest and forest is not None:
            table = _core.Table(others.rows.values, others.rows.schema.n_levels)
            votes = mean_votes(forest.trees_, table, hard=False, n_jobs=n_jobs)
            parts.append(votes if self.is_classification else votes[:, 0])
        if teacher.strength is not None:
            centre, spread = _scale(terms.matrix(placed.rows.values))
            learned, asked = (
                (terms.matrix(one.rows.values) - centre) / spread for one in (placed, others)
            )
            parts.append(
                self._regression(placed.rows, slice(None), teacher.strength, learned, asked)
            )
        if not parts:
            alone = self.same_for_all(placed.rows)
            return np.repeat(alone[:1], len(others.rows.values), axis=0)
        return np.asarray(np.mean(parts, axis=0))

    def _judged(
        self,
        teacher: Teacher,
        answers: Numbers,
        rows: TrainingRows,
        predict: Callable[[PlacedRows], Numbers],
    ) -> Lesson:
        """Give predictions with their loss and score."""
        name = teacher.name(self.is_classification)
        if not self.is_classification:
            loss, score = self.loss_and_score(answers, rows)
            return Lesson(teacher, name, answers, loss, score, score, predict)
        answers = _clipped(answers)
        loss, score = self.loss_and_score(answers, rows)
        return Lesson(
            teacher,
            name,
            answers,
            loss,
            score,
            self.worth(answers, rows, score),
            lambda others: _clipped(predict(others)),
        )

    def _grow_forest(self, rows: TrainingRows, report: Report, n_jobs: int) -> Forest:
        settings: dict[str, Any] = {
            "min_samples_leaf": 2,
            "oob_score": True,
            "random_state": self.seed,
            "n_jobs": n_jobs,
            "progress": report,
        }
        if self.is_classification:
            return ForestClassifier(self.n_trees, **settings).fit_rows(rows)
        return ForestRegressor(self.n_trees, max_features=0.5, **settings).fit_rows(rows)

    @staticmethod
    def _out_of_bag(forest: Forest) -> Numbers:
        """Give the predictions of a forest for rows out of its bags; NaN where there is none."""
        if isinstance(forest, ForestClassifier):
            return forest.oob_decision_function_
        return forest.oob_prediction_

    def _of_regressions(
        self, rows: TrainingRows, terms: Terms, strengths: Sequence[float], workers: Workers
    ) -> dict[float, Numbers]:
        """Give the predictions of regressions for rows out of their folds, by strength."""
        n_folds = self.n_folds(rows) if len(terms.columns) else 0
        if n_folds < 2 or not strengths:
            return {}
        matrix = terms.matrix(rows.values)
        centre, spread = _scale(matrix)
        matrix = (matrix - centre) / spread
        pieces = [(one, fold) for fold in self.deal(n_folds, rows) for one in strengths]

        def ask(place: int, report: Report) -> Numbers:
            strength, (learn, ask) = pieces[place]
            return self._regression(rows, learn, strength, matrix[:, learn], matrix[:, ask], report)

        workers.expect(len(pieces))
        shape = (len(rows.truth), *self.same_for_all(rows).shape[1:])
        answers = {one: np.zeros(shape) for one in strengths}
        for (one, (_, asked)), said in zip(pieces, workers.run(ask, len(pieces)), strict=True):
            answers[one][asked] = said
        return answers

    def _regression(
        self,
        rows: TrainingRows,
        learn: Rows | slice,
        strength: float,
        learned: Numbers,
        asked: Numbers,
        report: Report | None = None,
    ) -> Numbers:
        """Give what a regression on some rows predicts for others; terms stand in rows."""
        truth, weights = rows.truth[learn], rows.weights[learn]
        if not self.is_classification:
            return _core.linear_answers(learned, truth, weights, 1.0 / strength, asked)
        present, labels = numbered(truth)
        answers = np.zeros((asked.shape[1], len(rows.labels)))
        answers[:, present] = _core.logistic_answers(
            learned, labels, weights, len(present), 1.0 / strength, asked, report
        )
        return answers


def _clipped(answers: Numbers) -> Numbers:
    clipped = np.maximum(answers, _LEAST_PROBABILITY)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def _mean(rows: TrainingRows) -> float:
    return float(np.average(rows.truth, weights=rows.weights))


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries with threads of their own; all are loaded with this module."""
    return ThreadpoolController()


def numbered(truth: NDArray[np.integer]) -> tuple[Rows, NDArray[np.int32]]:
    """Give the classes that are there numbers of their own.

    Parameters
    ----------
    truth : ndarray of int
        Classes of rows.

    Returns
    -------
    present : ndarray of intp
        The classes, ascending.
    labels : ndarray of int32
        For each row the place of its class among them.
    """
    present, labels = np.unique(truth, return_inverse=True)
    return present.astype(np.intp), labels.astype(np.int32)


def _scale(matrix: Numbers) -> tuple[Numbers, Numbers]:
    """Give the mean and the deviation of each row, however large its numbers are."""
    peak = np.abs(matrix).max(axis=1, keepdims=True)
    peak = np.where(peak > 0.0, peak, 1.0)
    small = matrix / peak
    spread = small.std(axis=1, keepdims=True) * peak
    return small.mean(axis=1, keepdims=True) * peak, np.where(spread > 0.0, spread, 1.0)
