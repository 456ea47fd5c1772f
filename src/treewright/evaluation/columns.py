"""A column of a table as a page lists it: what it holds, how much is missing, some values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.page import ColumnNote
from treewright.schema import Column
from treewright.words import level_texts, number_text

__all__ = ["column_note", "kind_words"]

_SHOWN_LEVELS = 3
_WORDS = {"numeric": "number", "boolean": "true or false", "ordinal": "ordered levels"}


def kind_words(column: Column) -> str:
    """Say what a column holds.

    Parameters
    ----------
    column : Column
        The column.

    Returns
    -------
    str
        The kind in words.

    Examples
    --------
    >>> kind_words(Column("home", "categorical", ("own", "rent")))
    'category of 2'
    """
    if column.kind == "categorical":
        return f"category of {len(column.levels):,}"
    return _WORDS[column.kind]


def column_note(column: Column, values: NDArray[np.float64], *, with_rows: bool) -> ColumnNote:
    """Describe a column.

    Parameters
    ----------
    column : Column
        Its name, kind and levels.
    values : ndarray of float64
        Its values as a schema encodes them: numbers or level codes, NaN where missing.
    with_rows : bool
        Whether values of rows may be shown: the least, middle and largest number, or the most
        frequent levels.

    Returns
    -------
    ColumnNote
        As a page lists it.

    Examples
    --------
    >>> column_note(Column("age", "numeric"), np.array([31, np.nan, 58, 44.5]), with_rows=True)
    ColumnNote(name='age', kind='number', gaps=0.25, examples=('31', '44.5', '58'))
    """
    known = values[~np.isnan(values)]
    examples: tuple[str, ...] = ()
    if with_rows and len(known):
        examples = _numbers(known) if column.kind == "numeric" else _levels(column, known)
    gaps = (len(values) - len(known)) / len(values)
    return ColumnNote(column.name, kind_words(column), gaps, examples)


def _numbers(known: NDArray[np.float64]) -> tuple[str, ...]:
    ends = (known.min(), np.median(known), known.max())
    return tuple(dict.fromkeys(number_text(float(f"{end:.6g}")) for end in ends))


def _levels(column: Column, known: NDArray[np.float64]) -> tuple[str, ...]:
    counts = np.bincount(known.astype(np.intp))
    common = np.argsort(-counts, kind="stable")[:_SHOWN_LEVELS]
    levels = [column.levels[code] for code in common.tolist() if counts[code]]
    return level_texts(levels, column.levels)
