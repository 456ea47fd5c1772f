"""Which columns a picture is about, given by name or position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import brief
from treewright.schema import Schema

__all__ = ["column_positions", "numeric_columns", "two_columns"]


def numeric_columns(schema: Schema, values: NDArray[np.float64]) -> list[int]:
    """Return the positions of the columns of numbers, each with a known value."""
    return [
        place
        for place, column in enumerate(schema.columns)
        if column.kind == "numeric" and not np.isnan(values[:, place]).all()
    ]


def column_positions(
    schema: Schema, columns: Sequence[str | int], function: str, values: NDArray[np.float64]
) -> list[int]:
    """Find columns of numbers.

    Parameters
    ----------
    schema : Schema
        The columns there are.
    columns : sequence of str or int
        Names or positions, one at least.
    function : str
        Who is speaking in messages.
    values : ndarray of float64
        The rows.

    Returns
    -------
    list of int
        Their positions.

    Raises
    ------
    SchemaError
        If there is no such column.
    ValueError
        If it is no column of numbers, or no number of it is known.
    """
    listed = _listed(columns)
    if not listed:
        raise ValueError(
            f"The 'columns' parameter of {function} must be a list of one column or more, such as "
            f"['age', 'height']. Got {brief(columns)}."
        )
    places = []
    for column in listed:
        if isinstance(column, str):
            place = schema.index(column)
        elif isinstance(column, int | np.integer) and 0 <= column < schema.n_columns:
            place = int(column)
        else:
            raise ValueError(
                f"The 'columns' parameter of {function} must hold names of columns, or positions "
                f"from 0 to {schema.n_columns - 1}. Got {brief(column)}."
            )
        if place not in numeric_columns(schema, values):
            raise ValueError(
                f"The 'columns' parameter of {function} must name columns of numbers. "
                f"Got {brief(schema.names[place])}, which has none."
            )
        places.append(place)
    return places


def two_columns(
    schema: Schema, columns: Sequence[str | int], function: str, values: NDArray[np.float64]
) -> tuple[int, int]:
    """Find two columns of numbers by name or position.

    Raises
    ------
    ValueError
        Unless they are two different ones.
    """
    listed = _listed(columns)
    if len(listed) != 2:
        raise ValueError(
            f"The 'columns' parameter of {function} must name two columns. Got {brief(columns)}."
        )
    first, second = column_positions(schema, listed, function, values)
    if first == second:
        raise ValueError(
            f"The 'columns' parameter of {function} must name two different columns. "
            f"Got {brief(schema.names[first])} twice."
        )
    return first, second


def _listed(columns: object) -> list[str | int]:
    """Return columns that may come as an array or an index too; none if it is no list at all."""
    if isinstance(columns, str | bytes) or not isinstance(columns, Iterable):
        return []
    return list(columns)
