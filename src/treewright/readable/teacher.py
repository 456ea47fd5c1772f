"""Teachers: what models too large to read say about rows that they have not learned from.

A forest predicts rows out of its bags, logistic (or ridge) regression rows out of its folds, and
each of them may do so together with the other. The best on the labels is taken; where none
does better than the proportions of the classes (or the mean), these are what is taught. A tree that
learns from such predictions beside the labels is steadier: they tell what is rare from chance.
Users may bring a teacher of their own (`given.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treewright.readable.given import GivenTeacher, PlacedRows

__all__ = [
    "ONE_PREDICTION",
    "TEACHERS_OF_CLASSES",
    "TEACHERS_OF_NUMBERS",
    "Ceiling",
    "Lesson",
    "Teacher",
    "best_of",
]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Teacher:
    """A forest, a regression, both, neither, or one that the user brings.

    Parameters
    ----------
    has_forest : bool
        Whether a forest is asked.
    strength : float or None
        How freely a regression fits: the inverse of its penalty; None: none is asked.
    given : GivenTeacher or None, default None
        The one that the user brings.
    """

    has_forest: bool
    strength: float | None
    given: GivenTeacher | None = None

    def name(self, is_classification: bool) -> str:
        """Say who it is."""
        if self.given is not None:
            return self.given.name
        parts = ["a forest"] * self.has_forest
        if self.strength is not None:
            kind = "logistic" if is_classification else "ridge"
            parts.append(f"{kind} regression (C = {self.strength:g})")
        return " and ".join(parts) or "one prediction for all rows"


ONE_PREDICTION = Teacher(False, None)
TEACHERS_OF_CLASSES = (
    ONE_PREDICTION,
    Teacher(True, None),
    Teacher(False, 1.0),
    Teacher(False, 100.0),
    Teacher(True, 1.0),
    Teacher(True, 100.0),
)
TEACHERS_OF_NUMBERS = (
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
    worth : float
        The score; where rows may be referred, 1 less the mean cost of the cheapest labels.
    predict : callable
        ``predict(rows)`` says the same of rows that were not among these.
    """

    teacher: Teacher
    name: str
    answers: Numbers
    loss: float
    score: float
    worth: float
    predict: Callable[[PlacedRows], Numbers] = field(repr=False)


@dataclass(frozen=True)
class Ceiling:
    """How well a model that is too large to read does on the same rows.

    Parameters
    ----------
    name : str
        What it is.
    score : float
        Accuracy, or coefficient of determination, on rows it did not learn from.
    """

    name: str
    score: float


def best_of(lessons: Sequence[Lesson]) -> Lesson:
    """Give the one with the smallest loss, of equal ones the first."""
    return min(lessons, key=lambda lesson: lesson.loss)
