"""HHCART at one node, written plainly: what the compiled method must find on small tables.

Covariances and eigenvectors are numpy's, every reflected table X H is formed, and every threshold
of every column of it is judged by the measures of `twins`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from must_twin import best_threshold
from twins import gain


@dataclass(frozen=True)
class Found:
    """A normal, the best threshold along it, and its gain."""

    normal: np.ndarray
    threshold: float
    gain: float


def principal_axes(covariance: np.ndarray) -> np.ndarray:
    """Eigenvectors as rows, the largest eigenvalue first, the first number not above 0."""
    axes = np.linalg.eigh(covariance)[1].T[::-1].copy()
    axes[axes[:, 0] > 0] *= -1
    return axes


def mirrors(axes: np.ndarray) -> list[np.ndarray]:
    """The reflections that make each axis the first one, for either sign of it."""
    return [householder(sign * axis) for axis in axes for sign in (1, -1)]


def householder(axis: np.ndarray) -> np.ndarray:
    """The reflection that makes `axis` the first one."""
    u = np.eye(len(axis))[0] - axis
    square = u @ u
    return np.eye(len(axis)) - 2 * np.outer(u, u) / (square or 1.0)


def cuts(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    *,
    reflections: str = "all",
    standardize: bool = False,
    measure: str = "gini",
    min_leaf: int = 1,
) -> list[Found]:
    """The best cut along every normal: the columns first, then class by class."""
    centre = np.average(X, axis=0, weights=w)
    spread = np.sqrt(np.average((X - centre) ** 2, axis=0, weights=w))
    unit = spread if standardize else np.ones(X.shape[1])
    Z = (X - centre) / unit
    spaces = [np.eye(X.shape[1])]
    # Classes in any order: only the best of all cuts is looked at.
    for label in np.unique(y):
        rows = y == label
        if rows.sum() < 2:
            continue
        covariance = np.cov(Z[rows].T, aweights=w[rows], ddof=0)
        axes = principal_axes(np.atleast_2d(covariance))
        spaces += mirrors(axes if reflections == "all" else axes[:1])

    found = []
    for H in spaces:
        for normal, column in zip(H.T, (Z @ H).T, strict=True):
            values = column.round(9)  # sums that differ by rounding only are equal
            score, threshold = best_threshold(values, y, w, min_leaf, partial(gain, measure))
            found.append(Found(normal / unit, threshold, score))
    return found
