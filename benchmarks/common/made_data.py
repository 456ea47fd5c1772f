"""Made tables of any size: what a piece of work is done on, and the rows for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BLOCK = 4096  # rows made at a time, so that making the data leaves no peak of its own
NOISE = 0.1  # share of labels replaced by a random one


@dataclass(frozen=True)
class Job:
    """One piece of work."""

    work: str  # "fit", "predict", "argsort" or "hook"
    library: str = "numpy"
    rows: int = 0
    columns: int = 0
    classes: int = 2  # 0: regression
    distinct: int | None = None  # about how many values a column has; None: all differ
    depth: int | None = None
    measure: str = "gini"
    batch: int = 0  # rows of one call of predict
    calls: int = 1


def signal(X: np.ndarray) -> np.ndarray:
    """Return what the label depends on: five columns, with a product and two bends."""
    return X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + np.abs(X[:, 4])


def make_data(job: Job, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of independent normal columns, and labels or numbers.

    Classes are equal slices of the signal, 10 % of the labels are replaced at random; numbers are
    the signal with normal noise. The columns beyond the fifth say nothing.
    """
    random = np.random.default_rng(seed)
    X = np.empty((rows, job.columns))
    y = np.empty(rows, dtype=np.int64 if job.classes else np.float64)
    sample = signal(np.random.default_rng(1).standard_normal((20_000, 5)))
    cuts = np.quantile(sample, np.arange(1, max(job.classes, 1)) / max(job.classes, 1))
    for start in range(0, rows, BLOCK):
        block = X[start : start + BLOCK]
        random.standard_normal(out=block)
        if job.distinct is not None:
            np.round(block * (job.distinct / 6), out=block)
        scores = signal(block if job.distinct is None else block / (job.distinct / 6))
        if job.classes:
            labels = np.searchsorted(cuts, scores)
            wrong = random.random(len(block)) < NOISE
            labels[wrong] = random.integers(job.classes, size=wrong.sum())
            y[start : start + BLOCK] = labels
        else:
            y[start : start + BLOCK] = scores + 0.5 * random.standard_normal(len(block))
    return X, y
