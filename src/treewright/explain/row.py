"""One row, in any form that holds it: a dict, a row of a data frame, a list, a table of one row."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, SchemaError, UnseenLevelWarning, brief
from treewright.schema import Schema
from treewright.schema.frames import read_frame
from treewright.tree import Tree

__all__ = ["Row", "read_row"]


@dataclass(frozen=True, eq=False)
class Row:
    """One row as the core sees it, and as it was given.

    Parameters
    ----------
    values : ndarray of float64
        A number or the code of a level for each column; NaN where missing. What stands for columns
        that the tree does not read means nothing.
    cells : tuple
        What was given for each column; None where nothing was, or nobody reads it.
    """

    values: NDArray[np.float64]
    cells: tuple[Any, ...]

    def is_whole(self, column: int) -> bool:
        """Tell whether the cell was given as a whole number, so that a fraction makes no sense."""
        cell = self.cells[column]
        return isinstance(cell, int | np.integer) and not isinstance(cell, bool)

    def is_unseen(self, column: int) -> bool:
        """Tell whether the cell holds a level that the tree does not know."""
        cell = self.cells[column]
        is_given = isinstance(cell, str | int | float) and cell == cell  # NaN is not
        return is_given and bool(np.isnan(self.values[column]))


def read_row(tree: Tree, row: Any) -> Row:
    """Read one row by the columns that a tree reads.

    Parameters
    ----------
    tree : Tree
        The tree.
    row : mapping, series, list, 1-D array, or table with one row
        The row. Columns that a mapping or series does not name are missing; what it says of columns
        that the tree does not read is not looked at.

    Returns
    -------
    Row
        Its values and cells.

    Raises
    ------
    DataError
        If it is more or less than one row.
    SchemaError
        If a name is none of the columns while a column that the tree reads has no value: perhaps it
        is misspelled.
    """
    schema = tree.schema
    if hasattr(row, "to_dict") and getattr(row, "ndim", None) == 1:  # a row of a pandas frame
        row = row.to_dict()
    if isinstance(row, Mapping) and not any(_is_many(cell) for cell in row.values()):
        table: Any = [_completed(tree, row)]
    elif getattr(row, "ndim", None) == 1 or (
        isinstance(row, list | tuple) and row and not any(_is_many(cell) for cell in row)
    ):
        table = _by_position(schema, list(row))
    else:
        table = row
    frame = read_frame(table)
    if frame.shape[0] != 1:
        raise DataError(f"One row is explained at a time. Got {frame.shape[0]} rows.")
    if frame.names is None or not (schema.named or set(schema.names) <= set(frame.names)):
        table = _by_position(schema, [_only(column) for column in frame.columns])
        frame = read_frame(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)  # the explanation says it in words
        values = schema.encode(table, columns=tree.columns_read)[0].copy()
    given = dict(zip(frame.names or (), frame.columns, strict=True))
    cells: list[Any] = [None] * schema.n_columns
    for index in tree.columns_read:
        cells[index] = _only(given[schema.names[index]])
    return Row(values, tuple(cells))


def _completed(tree: Tree, row: Mapping[Any, Any]) -> dict[str, Any]:
    """Add the columns that are not named as missing; refuse what may be a misspelled name."""
    schema = tree.schema
    given = {str(name): cell for name, cell in row.items()}
    absent = [name for name in schema.names if name not in given]
    strangers = [name for name in given if name not in schema.names]
    if absent and strangers and not schema.named and len(given) == schema.n_columns:
        return dict(zip(schema.names, given.values(), strict=True))  # by position, as predict does
    if strangers and any(schema.names[index] in absent for index in tree.columns_read):
        schema.index(strangers[0])  # raises, with the name that is nearest
    return {**given, **dict.fromkeys(absent)}


def _by_position(schema: Schema, cells: list[Any]) -> list[dict[str, Any]]:
    if len(cells) != schema.n_columns:
        raise SchemaError(
            f"The row must hold one value for each of the {schema.n_columns} columns, the first "
            f"for {brief(schema.names[0])}. Got {len(cells)}."
        )
    return [dict(zip(schema.names, cells, strict=True))]


def _is_many(cell: object) -> bool:
    return not isinstance(cell, str | bytes) and hasattr(cell, "__len__")


def _only(column: Any) -> Any:
    cell = column.to_list()[0] if hasattr(column, "to_list") else column[0]
    cell = cell.as_py() if hasattr(cell, "as_py") else cell
    return cell.item() if isinstance(cell, np.generic) else cell
