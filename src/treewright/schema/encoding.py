"""Cells of new data in the terms of a column that is known already.

Training decides what a column is: numbers, booleans, or levels with codes. Later data may come
from another library, with other number types, other category orders or fewer levels. Here its
cells are turned into the doubles the tree was grown on: numbers as they are, levels by their code,
NaN for what is missing. A level that was not there before becomes missing and is counted. Text
where numbers were, or the reverse, is not guessed at but refused.

Levels are compared exactly first (the text "1" is never the number 1), then numbers by value, so
that 1, 1.0 and True find each other across libraries unless both are levels of the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import SchemaError, brief
from treewright.schema.cells import Cells, Level, count_of_values
from treewright.schema.columns import Column, exactly

__all__ = ["align", "factorise", "fill"]


def fill(destination: NDArray[np.float64], cells: Cells) -> None:
    """Write cells as doubles: numbers, or level codes with NaN where missing.

    Parameters
    ----------
    destination : ndarray of float64
        One column of the table under construction.
    cells : Cells
        What to write.

    Examples
    --------
    >>> values = np.empty(3)
    >>> fill(values, Cells("categorical", codes=np.array([1, -1, 0]), levels=("own", "rent")))
    >>> values.tolist()
    [1.0, nan, 0.0]
    """
    if cells.kind == "numeric":
        destination[:] = cells.numbers
    elif cells.kind == "empty":
        destination[:] = np.nan
    else:
        # Code -1 takes the last entry.
        np.take(_codes_as_doubles(len(cells.levels)), cells.codes, out=destination, mode="wrap")


def factorise(numbers: NDArray[Any]) -> tuple[NDArray[Any], list[Level]]:
    """Find the distinct numbers of a column.

    Parameters
    ----------
    numbers : ndarray
        Real numbers, NaN where missing.

    Returns
    -------
    codes : ndarray of int
        Index into `levels`, -1 where missing.
    levels : list of int or float
        The distinct numbers in increasing order.

    Examples
    --------
    >>> codes, levels = factorise(np.array([2.5, 1.0, np.nan, 1.0]))
    >>> codes.tolist(), levels
    ([1, 0, -1, 0], [1.0, 2.5])
    """
    if numbers.dtype.kind in "iu" and len(numbers):
        least, most = int(numbers.min()), int(numbers.max())
        if most - least < max(1000, len(numbers)):
            # Counting beats sorting for small integers, as labels are.
            wide = numbers if numbers.dtype.kind == "u" else numbers.astype(np.int64)
            offsets = (wide - wide.dtype.type(least) if least else wide).astype(np.int64)
            counts = np.bincount(offsets)
            if counts.all():
                return offsets, [*range(least, most + 1)]
            found = np.flatnonzero(counts)
            rank = np.zeros(most - least + 1, dtype=np.int32)
            rank[found] = np.arange(len(found), dtype=np.int32)
            return rank[offsets], [least + int(offset) for offset in found]
    levels, codes = np.unique(numbers, return_inverse=True)
    codes = codes.reshape(-1)
    n_known = len(levels)
    if n_known and levels.dtype.kind == "f" and np.isnan(levels[-1]):
        n_known -= 1
        codes = np.where(codes == n_known, -1, codes)
    return codes, levels[:n_known].tolist()


def align(destination: NDArray[np.float64], cells: Cells, column: Column) -> dict[Level, int]:
    """Write the cells of new data as doubles of a known column.

    Parameters
    ----------
    destination : ndarray of float64
        One column of the table under construction.
    cells : Cells
        The new cells.
    column : Column
        The column as training left it.

    Returns
    -------
    dict
        Levels that training did not know, with their counts; they are NaN in `destination`.

    Raises
    ------
    SchemaError
        If the cells are of another type than the column.

    Examples
    --------
    >>> values = np.empty(3)
    >>> new = Cells("categorical", codes=np.array([0, 1, 1]), levels=("boat", "rent"))
    >>> align(values, new, Column("home", "categorical", ("own", "rent")))
    {'boat': 1}
    >>> values.tolist()
    [nan, 1.0, 1.0]
    """
    name, kind, levels = column.name, column.kind, column.levels
    if cells.kind == "empty" or (kind == "numeric" and cells.kind == "numeric"):
        fill(destination, cells)
        return {}
    if kind != "numeric" and exactly(levels) == exactly(cells.levels):
        fill(destination, cells)
        return {}
    if cells.kind == "numeric":
        codes, found = factorise(cells.numbers)
        found = [int(number) if number == int(number) else number for number in found]
    else:
        codes, found = cells.codes, list(cells.levels)
    counts = np.bincount(codes[codes >= 0], minlength=len(found))
    present = [index for index in range(len(found)) if counts[index]]
    table = np.full(len(found) + 1, np.nan)
    if kind == "numeric":
        _refuse_text(name, found, counts, present)
        table[present] = [float(found[index]) for index in present]
        unseen = {}
    else:
        for index in present:
            table[index] = _code(found[index], column.codes)
        unseen = {found[i]: int(counts[i]) for i in present if np.isnan(table[i])}
        if kind == "boolean" and unseen:
            raise _not_boolean(name, unseen)
        _refuse_other_type(name, levels, found, counts, present)
    np.take(table, codes, out=destination, mode="wrap")
    return unseen


def _codes_as_doubles(n_levels: int) -> NDArray[np.float64]:
    table = np.arange(n_levels + 1, dtype=np.float64)
    table[-1] = np.nan
    return table


def _code(level: Level, known: Mapping[object, int]) -> float:
    code = known.get((type(level), level))
    if code is None and not isinstance(level, str):
        code = known.get(level)
    return np.nan if code is None else code


# ---------------------------------------------------------------------------- messages


def _refuse_text(
    name: str, found: Sequence[Level], counts: NDArray[Any], present: Sequence[int]
) -> None:
    texts = [index for index in present if isinstance(found[index], str)]
    if texts:
        count = int(counts[texts].sum())
        raise SchemaError(
            f"Column {brief(name)} held numbers when the tree was grown, but now holds text such "
            f"as {brief(found[texts[0]])} ({count_of_values(count)}); convert it to numbers and "
            "leave unknown cells missing."
        )


def _not_boolean(name: str, unseen: dict[Level, int]) -> SchemaError:
    return SchemaError(
        f"Column {brief(name)} held true and false when the tree was grown, but now holds "
        f"{brief(next(iter(unseen)))} ({count_of_values(sum(unseen.values()))}); convert it to "
        "booleans."
    )


def _refuse_other_type(
    name: str,
    levels: Sequence[Level],
    found: Sequence[Level],
    counts: NDArray[Any],
    present: Sequence[int],
) -> None:
    """Raise if none of the cells is of a type that the levels have: text or number."""
    if not levels or not present:
        return
    had_text = {isinstance(level, str) for level in levels}
    has_text = {isinstance(found[index], str) for index in present}
    if had_text & has_text:
        return
    words = {True: "text", False: "numbers"}
    raise SchemaError(
        f"Column {brief(name)} held {words[had_text.pop()]} such as {brief(levels[0])} when the "
        f"tree was grown, but now holds {words[has_text.pop()]} such as "
        f"{brief(found[present[0]])} ({count_of_values(int(counts.sum()))}); convert it to what it "
        "was."
    )
