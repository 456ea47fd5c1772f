"""Folds for cross-validation: each row belongs to one and is held out once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import Check, integer
from treewright.exceptions import DataError, brief
from treewright.prune.base import Growth

__all__ = [
    "assign_folds",
    "balanced_folds",
    "balanced_part",
    "count_folds",
    "folds_check",
    "hold_out",
    "n_growths",
]


def folds_check() -> Check:
    """Allow what `folds` of a pruner may be."""
    return Check("an int >= 2, one fold a row, or a splitter", _is_folds)


def assign_folds(folds: Any, growth: Growth) -> NDArray[np.intp]:
    """Give the fold of each row, counted from 0.

    Parameters
    ----------
    folds : int, array-like of int, or splitter of scikit-learn
        A number of folds, the fold of each row, or an object with ``split(X, y)``.
    growth : Growth
        The rows. Folds made here are balanced: rows in order of class (or of the number to
        predict) are dealt out in turn, shuffled before where there is a random state.

    Returns
    -------
    ndarray of int
        One fold a row.

    Raises
    ------
    DataError
        If given folds do not fit the rows.
    """
    if isinstance(folds, int | np.integer):
        n_folds = min(int(folds), growth.n_rows)
        return balanced_folds(growth.strata, n_folds, growth.random_state)
    if hasattr(folds, "split"):
        return _split(folds, growth)
    return _given(np.asarray(folds), growth)


def count_folds(folds: Any) -> int | None:
    """Count the folds that `assign_folds` will make, at most; None if only the rows can tell.

    Parameters
    ----------
    folds : int, array-like of int, or splitter of scikit-learn
        The `folds` parameter of a pruner.

    Returns
    -------
    int or None
        The number of folds.
    """
    if isinstance(folds, int | np.integer):
        return int(folds)
    if not hasattr(folds, "split"):
        return len(np.unique(np.asarray(folds)))
    try:
        return int(folds.get_n_splits())
    except (AttributeError, TypeError, ValueError):
        return None


def n_growths(folds: Any, n_rows: int) -> int:
    """Count the trees grown at most: one on all rows, and one for each fold."""
    n_folds = count_folds(folds)
    return 1 + (n_rows if n_folds is None else min(n_folds, n_rows))


def hold_out(share: float, growth: Growth) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Divide the rows into a part to grow on and a balanced part that is held out.

    The part that is held out has one row at least.

    Parameters
    ----------
    share : float
        Proportion of the rows to hold out.
    growth : Growth
        The rows of the fit.

    Returns
    -------
    grown, held_out : ndarray of intp
        Positions of the rows of both parts.

    Raises
    ------
    DataError
        If no row would be left to grow on.
    """
    count = max(1, round(share * growth.n_rows))
    if count >= growth.n_rows:
        raise DataError(
            f"A hold-out set of {share:g} cannot be taken from {growth.n_rows} sample(s); give "
            "more rows, or another proportion."
        )
    held = balanced_part(growth.strata, count, growth.random_state)
    return np.flatnonzero(~held), np.flatnonzero(held)


def balanced_part(
    strata: NDArray[Any], count: int, random_state: np.random.RandomState | None = None
) -> NDArray[np.bool_]:
    """Mark some rows so that every class, or every range of numbers, has its proportion of them.

    Parameters
    ----------
    strata : ndarray
        Class codes, or numbers.
    count : int
        How many rows to mark.
    random_state : RandomState or None, default None
        Shuffles the rows of a class before; with None the same rows are marked every time.

    Returns
    -------
    ndarray of bool
        True for `count` of the rows.

    Examples
    --------
    >>> balanced_part(np.array([0, 1, 1, 0, 1, 1]), 3).astype(int).tolist()
    [0, 0, 1, 1, 0, 1]
    """
    n_rows = len(strata)
    position = np.empty(n_rows, dtype=np.intp)
    position[_balanced_order(strata, random_state)] = np.arange(n_rows)
    # Evenly spaced places in the balanced order.
    marked: NDArray[np.bool_] = ((position + 1) * count) // n_rows > (position * count) // n_rows
    return marked


def balanced_folds(
    strata: NDArray[Any], n_folds: int, random_state: np.random.RandomState | None = None
) -> NDArray[np.intp]:
    """Deal rows out to folds so that every class, or every range of numbers, is in all of them.

    Parameters
    ----------
    strata : ndarray
        Class codes, or numbers.
    n_folds : int
        Number of folds, at most as many as rows.
    random_state : RandomState or None, default None
        Shuffles the rows of a class before; with None the folds are the same every time.

    Returns
    -------
    ndarray of int
        The fold of each row, counted from 0.

    Examples
    --------
    >>> balanced_folds(np.array([0, 1, 1, 0, 1, 1]), 2).tolist()
    [0, 0, 1, 1, 0, 1]
    """
    fold = np.empty(len(strata), dtype=np.intp)
    fold[_balanced_order(strata, random_state)] = np.arange(len(strata)) % n_folds
    return fold


def _balanced_order(
    strata: NDArray[Any], random_state: np.random.RandomState | None
) -> NDArray[np.intp]:
    rows = np.arange(len(strata))
    if random_state is not None:
        rows = random_state.permutation(rows)
    return rows[np.argsort(strata[rows], kind="stable")]


def _given(folds: NDArray[Any], growth: Growth) -> NDArray[np.intp]:
    if growth.kept is not None and len(folds) == growth.n_given:
        folds = folds[growth.kept]
    if folds.shape != (growth.n_rows,):
        raise DataError(
            f"The 'folds' must be a number, or one fold a row, {growth.n_given} in all. Got an "
            f"array of shape {folds.shape}."
        )
    return _numbered(folds)


def _split(splitter: Any, growth: Growth) -> NDArray[np.intp]:
    fold = np.full(growth.n_rows, -1, dtype=np.intp)
    try:
        parts = list(splitter.split(np.zeros((growth.n_rows, 1)), growth.strata))
    except (TypeError, ValueError) as error:
        raise DataError(
            f"The 'folds' {brief(splitter)} cannot divide the rows ({error}); give the fold of "
            "each row instead."
        ) from None
    for number, (_, held_out) in enumerate(parts):
        if np.max(held_out, initial=-1) >= growth.n_rows:
            raise DataError(
                f"The 'folds' hold out row {int(np.max(held_out))}, and there are only "
                f"{growth.n_rows} rows of positive weight; give the fold of each row instead."
            )
        if np.any(fold[held_out] >= 0):
            raise DataError(
                "The 'folds' hold out some row more than once; use a splitter that holds out each "
                "row once, such as KFold."
            )
        fold[held_out] = number
    if np.any(fold < 0):
        raise DataError(
            f"The 'folds' never hold out row {int(np.argmin(fold))}; use a splitter that holds out "
            "each row once, such as KFold."
        )
    return _numbered(fold)


def _numbered(folds: NDArray[Any]) -> NDArray[np.intp]:
    """Turn names of folds into numbers from 0 on."""
    names, fold = np.unique(folds, return_inverse=True)
    if len(names) < 2:
        raise DataError(f"The 'folds' must name two folds at least. Got only {brief(names[0])}.")
    return np.asarray(fold, dtype=np.intp)


def _is_folds(value: Any) -> bool:
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return False
    if integer(0).accepts(value):
        return integer(2).accepts(value)
    try:
        return hasattr(value, "split") or np.ndim(value) == 1
    except ValueError:  # lists of unequal length
        return False
