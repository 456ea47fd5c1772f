"""Rows of new data as the array that training made of its table: which columns, and what they hold.

Columns of numbers and booleans are written as they come, and looked through for infinity together;
all others are read cell by cell in the terms of the column they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.schema.cells import Level, has_finite_sum, read_cells, refuse_infinite
from treewright.schema.columns import Column
from treewright.schema.encoding import align
from treewright.schema.frames import Frame
from treewright.schema.plain import NativeColumns, plain_array

__all__ = ["as_doubles", "encode_all_numbers", "encode_rows"]

_BLOCK = 1 << 16  # rows looked at together when searching an array for infinity
_TAKEN_AS_THEY_ARE = {"numeric": "iufb", "boolean": "b", "categorical": "", "ordinal": ""}


def encode_rows(
    frame: Frame, columns: Sequence[Column], needed: Sequence[int], positions: Sequence[int]
) -> tuple[NDArray[np.float64], dict[str, dict[Level, int]]]:
    """Write rows as doubles.

    Parameters
    ----------
    frame : Frame
        The rows.
    columns : sequence of Column
        The columns of the training table.
    needed : sequence of int
        Positions of those that will be read; the others become NaN.
    positions : sequence of int
        For each column that is needed, where it stands in `frame`.

    Returns
    -------
    values : ndarray of float64
        A column for each of `columns`.
    unseen : dict
        By name of the column, the levels that training did not know with their counts.

    Raises
    ------
    DataError
        If a column cannot be read, or holds infinity.
    SchemaError
        If a column holds another type of cells than in training.
    """
    matrix = _matrix(frame, columns, needed, positions)
    values = np.empty((frame.shape[0], len(columns)), order="F")
    if len(needed) < len(columns):
        values.fill(np.nan)
    if matrix is None:
        return values, _fill_columns(values, frame, columns, needed, positions)
    part = as_doubles(np.take(matrix, positions, axis=1), [columns[index] for index in needed])
    values[:, list(needed)] = part
    return values, {}


def encode_all_numbers(frame: Frame, columns: Sequence[Column]) -> NDArray[np.float64] | None:
    """Return a table with all columns in their order, all of them numbers, without a copy.

    Parameters
    ----------
    frame : Frame
        The rows.
    columns : sequence of Column
        The columns of the training table, all numeric.

    Returns
    -------
    ndarray of float64 or None
        The table; None if it is not all numbers at once.

    Raises
    ------
    DataError
        If an array holds infinity, in whatever column.
    """
    if frame.matrix is not None:
        return as_doubles(frame.matrix, columns)
    matrix = frame.columns.matrix(()) if isinstance(frame.columns, NativeColumns) else None
    if matrix is None or not has_finite_sum(matrix):
        return None
    return as_doubles(matrix, columns)


def _matrix(
    frame: Frame, columns: Sequence[Column], needed: Sequence[int], positions: Sequence[int]
) -> NDArray[Any] | None:
    """Return a data frame as one array, if all that is needed of it can be taken as it is."""
    kinds = [columns[index].kind for index in needed]
    if not isinstance(frame.columns, NativeColumns) or not {"numeric", "boolean"}.issuperset(kinds):
        return None
    booleans = [p for p, kind in zip(positions, kinds, strict=True) if kind == "boolean"]
    return frame.columns.matrix(booleans)


def _fill_columns(
    values: NDArray[np.float64],
    frame: Frame,
    columns: Sequence[Column],
    needed: Sequence[int],
    positions: Sequence[int],
) -> dict[str, dict[Level, int]]:
    """Write the columns that are needed one by one, and return the levels that are new."""
    given = frame.columns
    as_plain = given.plain if isinstance(given, NativeColumns) else plain_array
    unseen: dict[str, dict[Level, int]] = {}
    plain: list[int] = []
    for index, position in zip(needed, positions, strict=True):
        column, one = columns[index], given[position]
        array = as_plain(one)
        if array is not None and array.dtype.kind in _TAKEN_AS_THEY_ARE[column.kind]:
            values[:, index] = array
            plain.append(index)
            continue
        cells = read_cells(one if array is None else array, column.name)
        found = align(values[:, index], cells, column)
        if found:
            unseen[column.name] = found
    for index in plain:
        refuse_infinite(values[:, index], columns[index].name)
    return unseen


def as_doubles(array: NDArray[Any], columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return an array of numbers as float64, C or F order, after checking that it is finite."""
    if array.dtype == np.float64 and array.dtype.isnative:
        contiguous = array.flags.c_contiguous or array.flags.f_contiguous
        values = array if contiguous else np.asfortranarray(array)
    else:
        values = array.astype(np.float64)
    if array.dtype.kind != "f" or has_finite_sum(values):
        return values
    for start in range(0, len(values), _BLOCK):
        if np.isinf(values[start : start + _BLOCK]).any():
            for index, column in enumerate(columns):
                refuse_infinite(values[:, index], column.name)
    return values
