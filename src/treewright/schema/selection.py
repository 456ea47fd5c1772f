"""The rows that count: those of weight 0 are as if absent, so they are taken out at the door.

Taking them out before anything is learned also keeps levels and classes out that occur in no other
row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["keep_rows", "take_rows"]


def keep_rows(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return table, target and weights without the rows of weight 0.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        The table.
    y : array-like or series
        The target.
    sample_weight : array-like of float or None
        The weights. They are not checked here.

    Returns
    -------
    tuple
        `X`, `y` and `sample_weight`, the very same objects if no weight is 0.

    Examples
    --------
    >>> keep_rows({"age": [30, 40, 50]}, ["a", "b", "a"], [1.0, 0.0, 2.0])[0]
    {'age': [30, 50]}
    """
    if sample_weight is None:
        return X, y, sample_weight
    weights = np.asarray(sample_weight)
    if weights.ndim != 1 or weights.dtype.kind not in "biuf" or (weights != 0).all():
        return X, y, sample_weight
    kept = np.flatnonzero(weights != 0)
    if kept.size == 0 or _length(X) != weights.size or _length(y) != weights.size:
        return X, y, sample_weight  # for the checks that come later to word
    return take_rows(X, kept), take_rows(y, kept), weights[kept]


def _length(data: Any) -> int | None:
    if isinstance(data, Mapping):
        return next((len(column) for column in data.values()), None)
    shape = getattr(data, "shape", None)
    if shape is not None and len(shape) > 0:
        return int(shape[0])
    return len(data) if hasattr(data, "__len__") else None


def take_rows(data: Any, kept: NDArray[np.intp]) -> Any:
    """Return some rows of a table or column of any library, in the order given.

    Parameters
    ----------
    data : data frame, array, series, list, or dict of columns
        The table or column.
    kept : ndarray of int
        Positions of the rows.

    Returns
    -------
    same type as `data`
        These rows.

    Examples
    --------
    >>> take_rows({"age": [30, 40, 50]}, np.array([2, 0]))
    {'age': [50, 30]}
    """
    if isinstance(data, np.ndarray):
        return data[kept]
    if isinstance(data, Mapping):
        return {name: take_rows(column, kept) for name, column in data.items()}
    if isinstance(data, list | tuple):
        return [data[index] for index in kept]
    import narwhals.stable.v2 as nw

    native = nw.from_native(data, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(native, nw.DataFrame | nw.Series):
        return native[kept.tolist()].to_native()
    return np.asarray(data)[kept]
