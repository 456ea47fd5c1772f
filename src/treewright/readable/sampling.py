"""Orders of rows: one that does not depend on how they were given, and one to take samples from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.training import TrainingRows

__all__ = ["evenly_dealt", "order_of_content"]

_GOLDEN = 0.6180339887498949  # its multiples, without their whole parts, fill [0, 1) evenly
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_MISSING = np.uint64(0x7FF8000000000000)


def order_of_content(rows: TrainingRows) -> NDArray[np.intp]:
    """Give an order of rows that depends on what they hold alone, and on that as if by chance.

    Parameters
    ----------
    rows : TrainingRows
        The rows.

    Returns
    -------
    ndarray of int
        Their positions; only equal rows may change places when rows are given in another order.

    Examples
    --------
    >>> from treewright.estimators.training import read_numbers
    >>> order_of_content(read_numbers([[3.0], [1.0], [2.0]], [1, 2, 3], None, "")).shape
    (3,)
    """
    keys = np.zeros(len(rows.truth), dtype=np.uint64)
    for column in (*rows.values.T, rows.truth, rows.weights):
        numbers = np.asarray(column, dtype=np.float64) + 0.0  # -0.0 is 0.0
        bits = np.where(np.isnan(numbers), _MISSING, np.ascontiguousarray(numbers).view(np.uint64))
        keys = (keys ^ bits) * _FACTOR
        keys ^= keys >> _SHIFT
    return np.argsort(keys, kind="stable")


def evenly_dealt(truth: NDArray[np.generic]) -> NDArray[np.intp]:
    """Give rows in an order of which every beginning is an even sample of classes or numbers.

    Parameters
    ----------
    truth : ndarray
        Classes or numbers.

    Returns
    -------
    ndarray of int
        Positions.

    Examples
    --------
    >>> classes = np.array([0] * 900 + [1] * 100)
    >>> int(classes[evenly_dealt(classes)[:100]].sum())
    10
    """
    ranked = np.argsort(truth, kind="stable")
    steps = np.argsort(np.arange(len(truth)) * _GOLDEN % 1.0, kind="stable")
    dealt = np.empty(len(truth), dtype=np.intp)
    dealt[steps] = ranked
    return dealt
