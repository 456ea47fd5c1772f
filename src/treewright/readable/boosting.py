"""Boosted trees, which teach nobody: how good a model is that is too large to read.

They are asked of rows out of their folds. Each fold is a piece of work of its own, so that threads
end at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report
from treewright.estimators.training import TrainingRows
from treewright.readable.school import School, numbered
from treewright.readable.teacher import Ceiling
from treewright.readable.terms import Terms

__all__ = ["Boosting"]

Numbers = NDArray[np.float64]
Bins = NDArray[np.uint8]
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
    bins : ndarray of uint8 of shape (n_terms, n_rows)
        What they are described by.
    folds : tuple of tuple of ndarray of intp
        Rows to learn from, and those held out; none where boosting cannot be asked.
    """

    school: School
    rows: TrainingRows
    bins: Bins
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
            return cls(school, rows, np.empty((0, len(rows.truth)), dtype=np.uint8), ())
        bins = _in_bins(terms.matrix(rows.values))
        return cls(school, rows, bins, (*school.deal(min(n_folds, _MOST_FOLDS), rows),))

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
        learn, ask = fold
        learned, asked = self.bins[:, learn], self.bins[:, ask]
        truth, weights = self.rows.truth[learn], self.rows.weights[learn]
        settings = _ROUNDS, _LEAVES, _RATE, report
        if not self.school.is_classification:
            return _core.boosted_numbers(learned, truth, weights, asked, *settings)
        present, labels = numbered(truth)
        answers = np.zeros((len(ask), len(self.rows.labels)))
        answers[:, present] = _core.boosted_classes(
            learned, labels, weights, len(present), asked, *settings
        )
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


def _in_bins(matrix: Numbers) -> Bins:
    """Give terms by the bins that their values lie in, each of about as many rows."""
    steps = np.linspace(0.0, 1.0, _BINS + 1)[1:-1]
    edges = np.quantile(matrix, steps, axis=1)
    bins = [np.searchsorted(edges[:, term], matrix[term]) for term in range(len(matrix))]
    return np.array(bins, dtype=np.uint8)
