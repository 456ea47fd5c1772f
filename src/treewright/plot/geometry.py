"""Where a line or a plane cuts a box, and the polygons it leaves.

All work is done in the unit box, to which the box is mapped first: columns may differ in scale by
many powers of ten. With `u_j = w_j (high_j - low_j)` the cut is `sum u_j z_j = t - sum w_j low_j`;
a `u_j` below 1e-12 of the largest counts as 0, so that the cut is parallel to that axis.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

__all__ = ["Box", "area", "clipped", "cut_in_box", "rectangle", "unit_cut"]

Box = tuple[NDArray[np.float64], NDArray[np.float64]]  # lowest and highest corner

_NOTHING = 1e-12


def cut_in_box(
    coefficients: NDArray[np.float64], threshold: float, box: Box
) -> NDArray[np.float64] | None:
    """Find where ``sum w_j x_j = t`` cuts a box.

    Parameters
    ----------
    coefficients : ndarray of float64
        One a dimension, two or three.
    threshold : float
        The right side.
    box : pair of ndarray of float64
        The lowest and the highest corner.

    Returns
    -------
    ndarray of float64 or None
        Two ends of a line, or three to six corners of a polygon in order; None if it misses the
        box.

    Examples
    --------
    >>> box = np.zeros(2), np.ones(2)
    >>> cut_in_box(np.array([1.0, 1.0]), 0.5, box).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    low, high = box
    slope, offset = unit_cut(coefficients, threshold, box)
    corners = np.array(list(product((0.0, 1.0), repeat=len(low))))
    sides = corners @ slope - offset
    points = []
    for first, second in product(range(len(corners)), repeat=2):
        is_edge = first < second and np.abs(corners[first] - corners[second]).sum() == 1.0
        if is_edge and (sides[first] > 0.0) != (sides[second] > 0.0):
            along = sides[first] / (sides[first] - sides[second])
            points.append(corners[first] + along * (corners[second] - corners[first]))
    if not points:
        return None
    return low + _in_order(np.array(points), slope) * (high - low)


def clipped(
    polygon: NDArray[np.float64], coefficients: NDArray[np.float64], threshold: float, box: Box
) -> NDArray[np.float64]:
    """Cut off the part of a convex polygon in a box where ``sum w_j x_j <= t``.

    Returns
    -------
    ndarray of float64
        The corners of the rest in order, none if nothing is left.
    """
    slope, offset = unit_cut(coefficients, threshold, box)
    sides = _to_unit(polygon, box) @ slope - offset
    rest: list[NDArray[np.float64]] = []
    for here in range(len(polygon)):
        before = here - 1
        if (sides[here] > 0.0) != (sides[before] > 0.0):
            along = sides[before] / (sides[before] - sides[here])
            rest.append(polygon[before] + along * (polygon[here] - polygon[before]))
        if sides[here] > 0.0:
            rest.append(polygon[here])
    return np.array(rest).reshape(-1, 2)


def area(polygon: NDArray[np.float64], box: Box) -> float:
    """Return the area of a polygon as a fraction of the box.

    Examples
    --------
    >>> area(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), (np.zeros(2), np.array([2.0, 1.0])))
    0.5
    """
    if len(polygon) < 3:
        return 0.0
    (x, y), (next_x, next_y) = _to_unit(polygon, box).T, np.roll(_to_unit(polygon, box), -1, 0).T
    return 0.5 * abs(float(np.sum(x * next_y - next_x * y)))


def rectangle(box: Box) -> NDArray[np.float64]:
    """Return the four corners of a box of two dimensions in order."""
    (left, bottom), (right, top) = box
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])


def unit_cut(
    coefficients: NDArray[np.float64], threshold: float, box: Box
) -> tuple[NDArray[np.float64], float]:
    """Write the cut in the coordinates of the unit box, with slopes of at most 1."""
    low, high = box
    largest = np.abs(coefficients).max()
    if largest == 0.0:
        return np.zeros(len(low)), -1.0 if threshold < 0.0 else 1.0
    weights = coefficients / largest
    slope = weights * (high - low)
    steepest = np.abs(slope).max()
    with np.errstate(over="ignore"):  # a cut so far away is outside of the box anyway
        offset = np.clip((threshold / largest - weights @ low) / steepest, -1e9, 1e9)
    slope = slope / steepest
    return np.where(np.abs(slope) < _NOTHING, 0.0, slope), float(offset)


def _to_unit(points: NDArray[np.float64], box: Box) -> NDArray[np.float64]:
    low, high = box
    return (points - low) / (high - low)


def _in_order(points: NDArray[np.float64], normal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Order the corners of a polygon in a plane around its middle."""
    if points.shape[1] == 2:
        return points
    axis = np.eye(3)[np.abs(normal).argmin()]
    first = np.cross(normal, axis)
    second = np.cross(normal, first)
    spokes = points - points.mean(axis=0)
    # Lengths do not matter to an angle up to one common factor, so the two are made equally long.
    angles = np.arctan2(
        spokes @ second / np.linalg.norm(second), spokes @ first / np.linalg.norm(first)
    )
    return points[np.argsort(angles)]
