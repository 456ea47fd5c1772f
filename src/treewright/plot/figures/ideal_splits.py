"""Ideal splits over two columns: where logistic regression divides the classes in two.

Each way of dividing the classes in two has one boundary ``a0 + a1 x1 + a2 x2 = 0``, the line where
both groups are as likely. It is given here by the angle of its normal and its distance from the
origin, ``x1 cos(angle) + x2 sin(angle) = offset`` with an angle in [0, 180) degrees.

Reference: Truong (2009), chapter 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.plot.figures.impurities import Sample, impurity_after

__all__ = ["IdealSplit", "ideal_splits", "projected"]

_MOST_WAYS = 127  # all ways to divide eight classes
_SEED = 0


class IdealSplit(NamedTuple):
    """The boundary between two groups of classes."""

    inside: tuple[int, ...]  # codes of the smaller group, or of that with the first class
    angle: float
    offset: float
    impurity: float  # NaN where too few rows are on a side


def projected(points: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Return ``x1 cos(angle) + x2 sin(angle)`` of each point, the angle in degrees.

    Right angles give the columns themselves.

    Examples
    --------
    >>> projected(np.array([[3.0, 4.0]]), 90.0).tolist()
    [4.0]
    """
    if angle == 90.0:  # its cosine is not quite 0
        return points[:, 1]
    turn = np.radians(angle)
    return np.asarray(np.cos(turn) * points[:, 0] + np.sin(turn) * points[:, 1])


def ideal_splits(sample: Sample, points: NDArray[np.float64]) -> list[IdealSplit]:
    """Fit the boundary of each way of dividing the classes in two.

    Parameters
    ----------
    sample : Sample
        The rows, with classes.
    points : ndarray of float64
        Two numbers of each row.

    Returns
    -------
    list of IdealSplit
        The best first, those that leave too few rows on a side last.
    """
    assert sample.schema.classes is not None, "numbers cannot be divided in two groups"
    table = _core.Table(np.asfortranarray(points), np.zeros(2, dtype=np.int32))
    codes = np.ascontiguousarray(sample.target, dtype=np.int32)
    target = _core.Target.classes(codes, len(sample.schema.classes), sample.weights)
    rows = np.arange(len(points), dtype=np.uint32)
    present = np.unique(codes).tolist()
    if len(present) < 2:
        return []
    found = []
    for way in _core.ways_to_divide(table, [0, 1], target, "auto", _MOST_WAYS, _SEED):
        inside = np.array(way, dtype=np.uint8)[codes]
        models = _core.NodeModels(table, target, rows, [0, 1], inside)
        if models.can_fit:
            model = models.fit()
            slopes = np.zeros(2)
            slopes[model.columns] = model.slopes
            length = float(np.hypot(*slopes))
            if length > 0.0:
                angle = float(np.degrees(np.arctan2(slopes[1], slopes[0])))
                sign = -1.0 if not 0.0 <= angle < 180.0 else 1.0
                offset = -sign * model.intercept / length
                angle = angle % 180.0
                impurity = impurity_after(sample, projected(points, angle) <= offset)
                found.append(IdealSplit(_named_side(way, present), angle, offset, impurity))
    return sorted(found, key=lambda split: (np.isnan(split.impurity), split.impurity))


def _named_side(way: list[int], present: list[int]) -> tuple[int, ...]:
    """Return the classes of the smaller side, of equal ones that with the first class."""
    sides = [tuple(code for code in present if bool(way[code]) is side) for side in (True, False)]
    return min(sides, key=lambda side: (len(side), side))
