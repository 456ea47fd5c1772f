"""Folds: how many, and which rows are held out."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from treewright.optimal.goals import ClassGoal, NumberGoal

__all__ = ["FEWEST_FOLDS", "Fold", "deal", "usual_folds"]

#: The rows to learn from, and those that are held out.
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]

_FEW_ROWS, _MANY_ROWS = 50, 1000  # from so many on, and from so many on again, fewer folds do
_FOLDS_OF_FEW, _FOLDS, FEWEST_FOLDS = 10, 5, 3


def usual_folds(n_rows: int) -> int:
    """Say how many folds so many rows have, where the time allows it."""
    if n_rows < _FEW_ROWS:
        return min(_FOLDS_OF_FEW, n_rows)
    return _FOLDS if n_rows < _MANY_ROWS else FEWEST_FOLDS


def deal(goal: ClassGoal | NumberGoal, n_rows: int, n_folds: int, seed: int) -> list[Fold]:
    """Deal the rows to folds, classes evenly; fewer than two are none."""
    every = np.zeros(n_rows)
    if n_folds < 2:
        return []
    match goal:
        case ClassGoal(codes=codes):
            places = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
            if int(np.bincount(codes).max()) < n_folds:
                places = KFold(n_folds, shuffle=True, random_state=seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of classes with fewer rows
                return [*places.split(every, codes)]
        case NumberGoal():
            return [*KFold(n_folds, shuffle=True, random_state=seed).split(every)]
