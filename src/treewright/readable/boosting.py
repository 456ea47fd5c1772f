"""Boosted trees, which teach nobody: how good a model is that is too large to read.

They are asked of rows out of their folds. Each fold is a piece of work of its own, so that threads
end at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from treewright.base.workers import Report
from treewright.estimators.training import TrainingRows
from treewright.readable.school import School, one_thread
from treewright.readable.teacher import Ceiling
from treewright.readable.terms import Terms

__all__ = ["Boosting"]

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]

_MOST_FOLDS = 3
_ROUNDS, _LEAVES, _RATE = 20, 10, 0.3
_BINS = 63  # of the values of a term
_FEW_CLASSES = 10  # with more, boosting takes a tree a class and is left out


@dataclass(frozen=True)
class Boosting:
    """Boosted trees on folds of some rows.

    Parameters
    ----------
    school : School
        How their predictions are judged.
    rows : TrainingRows
        The rows.
    matrix : ndarray of shape (n_rows, n_terms)
        What they are described by, as bins.
    folds : tuple of tuple of ndarray of intp
        Rows to learn from, and those held out; none where boosting cannot be asked.
    """

    school: School
    rows: TrainingRows
    matrix: Numbers
    folds: tuple[tuple[Rows, Rows], ...]

    @classmethod
    def of(cls, school: School, rows: TrainingRows, terms: Terms) -> Boosting:
        """Prepare the folds.

        Parameters
        ----------
        school : School
            How predictions are judged.
        rows : TrainingRows
            The rows.
        terms : Terms
            What they are described by.

        Returns
        -------
        Boosting
            Without folds where there are too few rows or too many classes.
        """
        n_folds = school.n_folds(rows)
        if n_folds < 2 or not len(terms.columns) or len(rows.labels) > _FEW_CLASSES:
            return cls(school, rows, np.empty((len(rows.truth), 0)), ())
        matrix = _in_bins(terms.matrix(rows.values)).T
        return cls(school, rows, matrix, (*school.deal(min(n_folds, _MOST_FOLDS), rows),))

    def ask(self, fold: tuple[Rows, Rows], report: Report) -> Numbers:
        """Boost trees on one fold.

        Parameters
        ----------
        fold : tuple of ndarray of intp
            One of the folds.
        report : callable
            Told that it begins; what it raises ends the work.

        Returns
        -------
        ndarray of float64
            What they predict for its held-out rows.
        """
        report(0.0)
        learn, ask = fold
        settings: dict[str, Any] = {
            "max_iter": _ROUNDS,
            "max_leaf_nodes": _LEAVES,
            "learning_rate": _RATE,
            "max_bins": _BINS,
            "early_stopping": False,
            "random_state": self.school.seed,
        }
        matrix, truth, weights = self.matrix, self.rows.truth[learn], self.rows.weights[learn]
        with one_thread("openmp"):
            if not self.school.is_classification:
                regressor = HistGradientBoostingRegressor(**settings)
                said = regressor.fit(matrix[learn], truth, weights).predict(matrix[ask])
                return np.asarray(said)
            booster = HistGradientBoostingClassifier(**settings)
            said = booster.fit(matrix[learn], truth, weights).predict_proba(matrix[ask])
        answers = np.zeros((len(ask), len(self.rows.labels)))
        answers[:, booster.classes_.astype(np.intp)] = said
        return answers

    def ceilings(self, said: Sequence[Numbers]) -> tuple[Ceiling, ...]:
        """Say how good they are.

        Parameters
        ----------
        said : sequence of ndarray of float64
            What they predict for the held-out rows of every fold.

        Returns
        -------
        tuple of Ceiling
            One; none where boosting cannot be asked.
        """
        if not self.folds:
            return ()
        answers = self.school.same_for_all(self.rows)
        for (_, ask), one in zip(self.folds, said, strict=True):
            answers[ask] = one
        _, score = self.school.loss_and_score(answers, self.rows)
        return (Ceiling("boosted trees", self.school.worth(answers, self.rows, score)),)


def _in_bins(matrix: Numbers) -> Numbers:
    """Give terms by the bins that their values lie in; finding these with weights is slow there."""
    steps = np.linspace(0.0, 1.0, _BINS + 1)[1:-1]
    edges = np.quantile(matrix, steps, axis=1)
    bins = [np.searchsorted(edges[:, term], matrix[term]) for term in range(len(matrix))]
    return np.array(bins, dtype=np.float64)
