"""Repeated stratified cross-validation: its parts, its folds, and what is known of their means.

The folds of a repeat are shuffled by its number, so that all methods and all scripts are judged on
the same rows. A task is one fit: anything with `do(data)` that returns folds.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import KFold, StratifiedKFold

from benchmarks.common.data_sets import DataSet
from benchmarks.common.measuring import timed
from treewright.base.progress import working
from treewright.exceptions import UnseenLevelWarning

FOLDS = 5


@dataclass(frozen=True)
class Fold:
    """What one tree did on the rows that were held out."""

    data: str
    method: str
    repeat: int
    fold: int
    accuracy: float
    leaves: int
    depth: int
    effort: float  # values looked at per training row
    seconds: float  # process CPU time of the fit, the choice of the tree included


class Task(Protocol):
    """One fit on some of the rows, judged on others."""

    def do(self, data: DataSet) -> list[Fold]: ...


class Outcome:
    """All folds of one method on one set of data."""

    def __init__(self, data: DataSet, method: str, folds: list[Fold]) -> None:
        self.data, self.method = data, method
        self.folds = sorted(folds, key=lambda fold: (fold.repeat, fold.fold))
        self.accuracies = self._by_repeat([100 * fold.accuracy for fold in self.folds])

    @property
    def leaves(self) -> np.ndarray:
        return self._by_repeat([fold.leaves for fold in self.folds])

    @property
    def accuracy(self) -> float:
        return float(self.accuracies.mean())

    def mean(self, name: str) -> float:
        return statistics.fmean(getattr(fold, name) for fold in self.folds)

    def _by_repeat(self, values: list[float]) -> np.ndarray:
        n_repeats = len({fold.repeat for fold in self.folds})
        return np.array(values).reshape(n_repeats, -1)


def rows_of(
    data: DataSet, repeat: int, fold: int, n_folds: int = FOLDS
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows to train on and those held out."""
    kind = KFold if data.is_regression else StratifiedKFold
    parts = kind(n_folds, shuffle=True, random_state=repeat)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")  # fgl, in ten folds
        return [*parts.split(data.target, data.target)][fold]


def seed_of(repeat: int, fold: int) -> int:
    """Return what the methods draw from in this fold."""
    return FOLDS * repeat + fold


def fit(data: DataSet, trained: np.ndarray, held_out: np.ndarray, model: Any) -> tuple[Any, ...]:
    """Return what a fold says of an estimator of treewright, from its accuracy on."""
    seconds, _ = timed(model.fit, data.rows(trained), data.target[trained])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)  # rare levels, all rows held out
        accuracy = model.score(data.rows(held_out), data.target[held_out])
    tree = model.tree_
    return accuracy, tree.n_leaves, tree.depth, tree.reading_effort, seconds


def work_through(data: DataSet, tasks: Sequence[Task], n_jobs: int) -> list[Fold]:
    """Do the tasks on one set, some at the same time, with a bar that shows how far they are."""
    folds: list[Fold] = []
    start = time.perf_counter()
    workers = Parallel(n_jobs, return_as="generator_unordered")
    with working(f"{data.name}: {len(tasks)} fits") as update:
        for done, found in enumerate(workers(delayed(task.do)(data) for task in tasks), 1):
            folds += found
            if update:
                update(done / len(tasks))
    print(f"{data.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return folds


def corrected_error(values: np.ndarray) -> float:
    """Return the standard error of the mean over repeats (rows) and folds (columns).

    The trees of different folds share most of their training rows, so that the usual s / sqrt(m)
    is too small. Nadeau and Bengio (2003) correct it, for repeated cross-validation (Bouckaert
    and Frank 2004), to s sqrt(1 / m + rows held out / rows trained on).
    """
    return float(values.std(ddof=1) * np.sqrt(1 / values.size + 1 / (values.shape[1] - 1)))


def spread_of_repeats(values: np.ndarray) -> float | None:
    """Return the standard deviation of the means of the repeats; None for less than three."""
    return float(values.mean(axis=1).std(ddof=1)) if len(values) >= 3 else None


def error_of_repeats(values: np.ndarray) -> float | None:
    """Return the standard error of the means of the repeats: of the choice of folds alone."""
    spread = spread_of_repeats(values)
    return None if spread is None else float(spread / np.sqrt(len(values)))
