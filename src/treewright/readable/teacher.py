"""Teachers: what models too large to read say about rows that they have not learned from.

A forest predicts rows out of its bags, logistic (or ridge) regression rows out of its folds, and
each of them may do so together with the other. The best on the labels is taken; where none
does better than the proportions of the classes (or the mean), these are what is taught. A tree that
learns from such predictions beside the labels is steadier: they tell what is rare from chance.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits

from treewright.base.workers import Report
from treewright.estimators import ForestClassifier, ForestRegressor
from treewright.estimators.training import TrainingRows
from treewright.exceptions import OutOfBagWarning
from treewright.readable.terms import Terms

__all__ = ["ONE_PREDICTION", "Lesson", "School", "Teacher", "best_of"]

Numbers = NDArray[np.float64]

_FOLDS = 4
_LEAST_PROBABILITY = 1e-3
_MOST_ITERATIONS, _TOLERANCE = 100, 1e-3
_MANY_TERMS = 300  # times classes; then a method without second derivatives is quicker


@dataclass(frozen=True)
class Teacher:
    """A forest, a regression, both, or neither.

    Parameters
    ----------
    has_forest : bool
        Whether a forest is asked.
    strength : float or None
        How freely a regression fits: the inverse of its penalty; None: none is asked.
    """

    has_forest: bool
    strength: float | None

    def name(self, is_classification: bool) -> str:
        """Say who it is."""
        parts = ["a forest"] * self.has_forest
        if self.strength is not None:
            kind = "logistic" if is_classification else "ridge"
            parts.append(f"{kind} regression (C = {self.strength:g})")
        return " and ".join(parts) or "one prediction for all rows"


ONE_PREDICTION = Teacher(False, None)
_OF_CLASSES = (
    ONE_PREDICTION,
    Teacher(True, None),
    Teacher(False, 1.0),
    Teacher(False, 100.0),
    Teacher(True, 1.0),
    Teacher(True, 100.0),
)
_OF_NUMBERS = (
    ONE_PREDICTION,
    Teacher(True, None),
    Teacher(False, 1.0),
    Teacher(True, 1.0),
)


@dataclass(frozen=True)
class Lesson:
    """What a teacher says.

    Parameters
    ----------
    teacher : Teacher
        Who says it.
    name : str
        The same in words.
    answers : ndarray of float64
        Probabilities of classes, or numbers, of every row.
    loss : float
        Mean logarithmic loss, or mean squared error.
    score : float
        Accuracy, or coefficient of determination.
    """

    teacher: Teacher
    name: str
    answers: Numbers
    loss: float
    score: float


def best_of(lessons: Sequence[Lesson]) -> Lesson:
    """Give the one with the smallest loss, of equal ones the first."""
    return min(lessons, key=lambda lesson: lesson.loss)


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
    """

    n_trees: int
    seed: int
    is_classification: bool

    @property
    def teachers(self) -> tuple[Teacher, ...]:
        """All that can be asked."""
        return _OF_CLASSES if self.is_classification else _OF_NUMBERS

    def teach(
        self,
        rows: TrainingRows,
        terms: Terms,
        report: Report,
        *,
        only: Teacher | None = None,
        n_jobs: int = 1,
    ) -> list[Lesson]:
        """Ask teachers about rows that they have not learned from.

        Parameters
        ----------
        rows : TrainingRows
            The rows.
        terms : Terms
            What regression uses.
        report : callable
            Told of the growth of the forest.
        only : Teacher or None, default None
            The one to ask; None: all.
        n_jobs : int, default 1
            Threads of the forest.

        Returns
        -------
        list of Lesson
            One a teacher; one who cannot be asked is left out.
        """
        asked = self.teachers if only is None else (only,)
        alone = _alone(rows, self.is_classification)
        of_forest = None
        if any(teacher.has_forest for teacher in asked):
            of_forest = self._of_forest(rows, alone, report, n_jobs)
        n_folds = _n_folds(rows, self.is_classification) if len(terms.columns) else 0
        with threadpool_limits(1, "blas"):  # its threads wait for one another on small matrices
            of_regression = {
                strength: self._of_regression(rows, terms, strength, n_folds)
                for strength in {teacher.strength for teacher in asked}
                if strength is not None and n_folds > 1
            }
        lessons = []
        for teacher in asked:
            parts = [of_forest] if teacher.has_forest and of_forest is not None else []
            if teacher.strength is not None:
                if teacher.strength not in of_regression:
                    continue
                parts.append(of_regression[teacher.strength])
            answers = np.mean(parts, axis=0) if parts else alone
            lessons.append(self._judged(teacher, answers, rows))
        return lessons or [self._judged(ONE_PREDICTION, alone, rows)]

    def _judged(self, teacher: Teacher, answers: Numbers, rows: TrainingRows) -> Lesson:
        """Give predictions with their loss and score."""
        name = teacher.name(self.is_classification)
        if self.is_classification:
            clipped = np.maximum(answers, _LEAST_PROBABILITY)
            answers = clipped / clipped.sum(axis=1, keepdims=True)
            of_label = answers[np.arange(len(answers)), rows.truth]
            loss = float(np.average(-np.log(of_label), weights=rows.weights))
            hits = np.average(answers.argmax(axis=1) == rows.truth, weights=rows.weights)
            return Lesson(teacher, name, answers, loss, float(hits))
        spread = float(np.average((rows.truth - _mean(rows)) ** 2, weights=rows.weights))
        loss = float(np.average((answers - rows.truth) ** 2, weights=rows.weights))
        return Lesson(teacher, name, answers, loss, 1.0 - loss / spread if spread > 0.0 else 0.0)

    def _of_forest(
        self, rows: TrainingRows, alone: Numbers, report: Report, n_jobs: int
    ) -> Numbers:
        """Give the predictions of a forest for rows out of its bags."""
        settings: dict[str, Any] = {
            "min_samples_leaf": 2,
            "oob_score": True,
            "random_state": self.seed,
            "n_jobs": n_jobs,
            "progress": report,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OutOfBagWarning)
            if self.is_classification:
                classifier = ForestClassifier(self.n_trees, **settings).fit_rows(rows)
                votes = classifier.oob_decision_function_
            else:
                regressor = ForestRegressor(self.n_trees, max_features=0.5, **settings)
                votes = regressor.fit_rows(rows).oob_prediction_
        return np.where(np.isnan(votes), alone, votes)

    def _of_regression(
        self, rows: TrainingRows, terms: Terms, strength: float, n_folds: int
    ) -> Numbers:
        """Give the predictions of a regression for rows out of its folds."""
        matrix = _standardised(terms.matrix(rows.values).T)
        if not self.is_classification:
            answers = np.empty(len(matrix))
            for learn, ask in KFold(n_folds, shuffle=True, random_state=self.seed).split(matrix):
                model = Ridge(alpha=1.0 / strength).fit(
                    matrix[learn], rows.truth[learn], sample_weight=rows.weights[learn]
                )
                answers[ask] = model.predict(matrix[ask])
            return answers
        quick = len(rows.labels) * matrix.shape[1] <= _MANY_TERMS
        model = LogisticRegression(
            C=strength,
            max_iter=_MOST_ITERATIONS,
            tol=_TOLERANCE,
            solver="newton-cholesky" if quick else "lbfgs",
        )
        answers = np.zeros((len(matrix), len(rows.labels)))
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=self.seed)
        for learn, ask in folds.split(matrix, rows.truth):
            with warnings.catch_warnings():  # a teacher need not be at its end
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(matrix[learn], rows.truth[learn], sample_weight=rows.weights[learn])
            answers[np.ix_(ask, model.classes_.astype(np.intp))] = model.predict_proba(matrix[ask])
        return answers


def _mean(rows: TrainingRows) -> float:
    return float(np.average(rows.truth, weights=rows.weights))


def _alone(rows: TrainingRows, is_classification: bool) -> Numbers:
    """Give one prediction for all rows: proportions of the classes, or the mean."""
    if not is_classification:
        return np.full(len(rows.truth), _mean(rows))
    held = np.bincount(rows.truth, rows.weights, minlength=len(rows.labels))
    return np.tile(held / held.sum(), (len(rows.truth), 1))


def _n_folds(rows: TrainingRows, is_classification: bool) -> int:
    """Say how many folds a regression has; 0 where it cannot be asked."""
    if not is_classification:
        return _FOLDS if len(rows.truth) >= 2 * _FOLDS else 0
    counts = np.bincount(rows.truth)
    rarest = int(counts[counts > 0].min())
    return min(_FOLDS, rarest) if rarest > 1 and np.count_nonzero(counts) > 1 else 0


def _standardised(matrix: Numbers) -> Numbers:
    spread = matrix.std(axis=0)
    return np.asarray((matrix - matrix.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0))
