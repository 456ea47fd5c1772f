"""Orders of rows: one that does not depend on how they were given, and one to take samples from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.training import TrainingRows

__all__ = ["evenly_dealt", "order_of_content"]

_GOLDEN = 0.6180339887498949  # its multiples, without their whole parts, fill [0, 1) evenly


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
    table = _core.Table(rows.values, rows.schema.n_levels)
    hashes = _core.row_hashes(table, rows.truth.astype(np.float64), rows.weights)
    order = np.argsort(hashes)
    in_order = hashes[order]
    if (in_order[1:] > in_order[:-1]).all():
        return order
    return np.argsort(hashes, kind="stable")


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
    steps = np.argsort(np.arange(len(truth)) * _GOLDEN % 1.0)  # all of them differ
    dealt = np.empty(len(truth), dtype=np.intp)
    dealt[steps] = ranked
    return dealt
