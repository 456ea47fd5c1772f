"""The window that a tree is seen through: which two columns, and where the others are held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import brief
from treewright.plot.figures.chosen_columns import numeric_columns, two_columns
from treewright.plot.figures.pieces import Plane
from treewright.plot.panel.spacing import limits
from treewright.plot.rows import drawable
from treewright.plot.words import column_words, levels_words, rounded_text
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["fixed_words", "plane_of"]


def plane_of(
    tree: Tree,
    values: NDArray[np.float64],
    columns: Sequence[str | int] | None,
    fixed: Mapping[str, Any] | None,
    function: str,
) -> Plane:
    """Choose the window over some rows, and where the columns that are not seen are held.

    Parameters
    ----------
    tree : Tree
        The tree.
    values : ndarray of float64
        The rows as the core reads them.
    columns : sequence of str or int, or None
        The two columns; None for the two that the tree uses most.
    fixed : mapping of str to value, or None
        Values of other columns; the rest is held at medians and at the most frequent levels.
    function : str
        Who is speaking in messages.

    Returns
    -------
    Plane
        The window.
    """
    schema = tree.schema
    if columns is None:
        columns = _most_used(tree, values, function)
    first, second = two_columns(schema, columns, function, values)
    held = np.array(
        [_usual(values[:, place], column.n_levels) for place, column in enumerate(schema.columns)]
    )
    for name, value in (fixed or {}).items():
        place = schema.index(name)
        if place in (first, second):
            raise ValueError(
                f"The 'fixed' parameter of {function} must name columns that are not drawn. "
                f"Got {brief(name)}."
            )
        row = {other: [value if other == name else None] for other in schema.names}
        held[place] = schema.encode(row)[0, place]
    ends = [limits(drawable(values[:, column])) for column in (first, second)]
    box = np.array([low for low, _ in ends]), np.array([high for _, high in ends])
    return Plane((first, second), held, box, schema.n_levels)


def _usual(values: NDArray[np.float64], n_levels: int) -> float:
    """Return the median, or the most frequent level; NaN if nothing is known."""
    known = values[~np.isnan(values)]
    if not known.size:
        return np.nan
    return float(np.bincount(known.astype(np.intp)).argmax() if n_levels else np.median(known))


def _most_used(tree: Tree, values: NDArray[np.float64], function: str) -> list[int]:
    """Choose the two columns of numbers that decide most.

    A split counts with the rows that meet it. The columns of a linear combination divide this by
    how far each moves it: its coefficient times its standard deviation.
    """
    numeric = numeric_columns(tree.schema, values)
    if len(numeric) < 2:
        raise ValueError(f"{function} needs two columns of numbers. The rows have {len(numeric)}.")
    spread = np.zeros(tree.schema.n_columns)
    spread[numeric] = np.nanstd(drawable(values[:, numeric]) * 1e-60, axis=0)
    use = np.zeros(tree.schema.n_columns)
    for node in tree.walk():
        predicate = node.predicate
        if predicate is None:
            continue
        columns = list(predicate.columns)
        match predicate:
            case Linear():
                moves = np.abs(drawable(np.array(predicate.coefficients))) * spread[columns]
            case Machine():
                moves = np.ptp(drawable(np.array(predicate.coefficients)), axis=0) * spread[columns]
            case Axis() | Subset() | Multiway() | Pair():
                moves = np.ones(len(columns))
            case _:
                assert_never(predicate)
        np.add.at(use, columns, node.weight * moves / (moves.sum() or 1.0))
    return sorted(numeric, key=lambda place: -use[place])[:2]


def fixed_words(tree: Tree, plane: Plane, schema: Schema) -> str:
    """Say where the columns are held that the tree reads, but that are not seen."""
    tested = {
        column
        for node in tree.walk()
        if node.predicate is not None
        for column in node.predicate.columns
    }
    words = []
    for place in sorted(tested - set(plane.columns)):
        column, value = schema.columns[place], plane.fixed[place]
        name = column_words(column)
        if np.isnan(value):
            words.append(f"{name} missing")
        elif column.levels:
            words.append(f"{name} = {levels_words(column)[int(value)]}")
        else:
            words.append(f"{name} = {rounded_text(float(value))}")
    return f"Other columns are held at {', '.join(words)}." if words else ""
