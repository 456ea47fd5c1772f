"""Calibration: whether what a tree says of 80 % of the rows is so in 80 of 100.

Rows are put in order of a predicted probability: that of the class that readers look for, if one is
named; otherwise of the second of two classes, or of the predicted one of more. Rows with the same
probability come from the same leaves and stay together; neighbouring ones are joined until each
group has enough rows to say something, at most ten groups.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.page import CalibrationPoint
from treewright.statistics.intervals import share_interval

__all__ = ["calibration_points"]

_MOST_GROUPS = 10
_FEWEST_ROWS = 20


def calibration_points(
    shares: NDArray[np.float64],
    answers: NDArray[Any],
    truth: NDArray[Any],
    positive: int | None = None,
    counts: NDArray[np.int64] | None = None,
) -> tuple[CalibrationPoint, ...]:
    """Compare predicted probabilities with what is true.

    Parameters
    ----------
    shares : ndarray of float64
        Rows times classes: the probability that the tree gives to each class.
    answers, truth : ndarray of int
        The class that it predicts, and the true one.
    positive : int or None, default None
        The class that readers look for.
    counts : ndarray of int or None, default None
        How often each row occurs; None: once.

    Returns
    -------
    tuple of CalibrationPoint
        From the lowest predicted probability up.

    Examples
    --------
    >>> shares = np.array([[0.9, 0.1]] * 20 + [[0.2, 0.8]] * 20)
    >>> truth = np.array([0] * 19 + [1] * 20 + [0])
    >>> for point in calibration_points(shares, shares.argmax(axis=1), truth):
    ...     print(point.stated, point.observed, point.rows)
    0.1 0.05 20.0
    0.8 0.95 20.0
    """
    if positive is None and shares.shape[1] == 2:
        positive = 1
    if positive is not None:
        stated, happened = shares[:, positive], truth == positive
    else:
        stated, happened = shares[np.arange(len(answers)), answers], truth == answers
    if counts is None:
        counts = np.ones(len(truth), dtype=np.int64)
    levels, level_of_row = np.unique(stated.round(9), return_inverse=True)
    rows = np.asarray(np.bincount(level_of_row, counts), dtype=np.float64)
    true_rows = np.bincount(level_of_row, counts * happened)
    fewest = max(_FEWEST_ROWS, float(counts.sum()) / _MOST_GROUPS)
    points = []
    for group in _joined(rows, fewest):
        count = float(rows[group].sum())
        observed = float(true_rows[group].sum()) / count
        low, high = share_interval(observed, count) or (0.0, 1.0)
        points.append(
            CalibrationPoint(
                stated=float(levels[group] @ rows[group]) / count,
                observed=observed,
                low=low,
                high=high,
                rows=count,
            )
        )
    return tuple(points)


def _joined(rows: NDArray[np.float64], fewest: float) -> list[slice]:
    """Join neighbours until each group has enough rows; what is left over goes to the last."""
    groups: list[slice] = []
    start, count = 0, 0.0
    for place, more in enumerate(rows.tolist(), start=1):
        count += more
        if count >= fewest:
            groups.append(slice(start, place))
            start, count = place, 0.0
    if start < len(rows):
        first = groups.pop().start if groups else 0
        groups.append(slice(first, len(rows)))
    return groups
