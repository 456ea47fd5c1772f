"""How well the probabilities of a tree put the rows of one class first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.page import OperatingPoint, Ranking

__all__ = ["ranking_of"]


def ranking_of(
    probabilities: NDArray[np.float64],
    truth: NDArray[Any],
    positive: int | None = None,
    counts: NDArray[np.int64] | None = None,
) -> Ranking | None:
    """Rank rows by the probability of one class, and compare with what is true.

    Parameters
    ----------
    probabilities : ndarray of float64
        Rows times classes.
    truth : ndarray of int
        The true class of each row.
    positive : int or None, default None
        The class that readers look for; None: the second of two.
    counts : ndarray of int or None, default None
        How often each row occurs; None: once.

    Returns
    -------
    Ranking or None
        None with more classes and no positive one, and where rows are all of one kind.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.1], [0.4, 0.6], [0.4, 0.6], [0.2, 0.8]])
    >>> ranking = ranking_of(probabilities, np.array([0, 0, 1, 1]))
    >>> ranking.auc, [point.recall for point in ranking.points]
    (0.875, [0.5, 1.0, 1.0])
    """
    if positive is None:
        if probabilities.shape[1] != 2:
            return None
        positive = 1
    is_positive = truth == positive
    if counts is None:
        counts = np.ones(len(truth), dtype=np.int64)
    n_positive, n_others = int(counts[is_positive].sum()), int(counts[~is_positive].sum())
    if not n_positive or not n_others:
        return None
    levels, level_of_row = np.unique(probabilities[:, positive].round(12), return_inverse=True)
    held = np.bincount(level_of_row, counts, minlength=len(levels))[::-1]
    hits = np.bincount(level_of_row, counts * is_positive, minlength=len(levels))[::-1].cumsum()
    recall = hits / n_positive
    precision = hits / held.cumsum()
    false_alarms = (held.cumsum() - hits) / n_others
    steps = np.diff(recall, prepend=0.0)
    before = np.concatenate([[0.0], recall[:-1]])
    auc = np.sum(np.diff(false_alarms, prepend=0.0) * (recall + before) / 2.0)
    columns = (levels[::-1], recall, precision, false_alarms)
    points = zip(*(column.tolist() for column in columns), strict=True)
    return Ranking(
        positive,
        n_positive / (n_positive + n_others),
        float(auc),
        float(np.sum(steps * precision)),
        tuple(OperatingPoint(*point) for point in points),
    )
