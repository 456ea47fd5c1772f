"""Comma- and tab-separated text as typed columns.

A column is integers, numbers, truth values (true, false) or text, whichever first fits all of its
cells. An empty cell is missing. In a column of numbers or truth values, so are the usual marks for
"not known" (NA, N/A, NaN, null, none, ?, -); among text they stay text, since NA may be Namibia.

The file is read in blocks of rows, so that memory holds numbers rather than a Python string for
each cell. A column that looks like numbers at first and turns out to be text further down costs a
second pass over the file, in which it is read as text from the start.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import TableFileError, brief

__all__ = ["column_names", "is_missing_mark", "read_delimited"]

# Few enough for the cells of a block to stay in the cache; 65,536 rows take half as long again.
_ROWS_AT_ONCE = 512
_MARKS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-"})
_TRUTH = {"true": True, "false": False}
_Kind = Literal["missing", "number", "boolean", "text"]


def read_delimited(
    open_text: Callable[[], AbstractContextManager[IO[str]]],
    shown: str,
    *,
    delimiter: str | None,
    text: Collection[str] = (),
    missing: Collection[str] = (),
) -> dict[str, NDArray[Any]]:
    """Read a table of delimited text.

    Parameters
    ----------
    open_text : callable
        Opens the file from its beginning; called once more if a column changes its type.
    shown : str
        What messages call the file.
    delimiter : str or None
        What stands between cells; None looks at the header for a comma, semicolon or tabulator.
    text : collection of str, default ()
        Columns to take as text, whatever their cells look like.
    missing : collection of str, default ()
        Further marks that stand for a missing cell in any column.

    Returns
    -------
    dict of str to ndarray
        int64, float64 (NaN where missing) or bool; otherwise Python objects, None where missing.

    Raises
    ------
    TableFileError
        If there is no header, no row, or a line with too few or too many cells.
    """
    as_text = set(text)
    while True:
        with open_text() as file:
            header, builders = _read_once(file, shown, delimiter, as_text, frozenset(missing))
        surprises = {
            name for name, builder in zip(header, builders, strict=True) if builder.is_surprised
        }
        if not surprises:
            return {name: builder.finish() for name, builder in zip(header, builders, strict=True)}
        as_text |= surprises


def _read_once(
    file: IO[str],
    shown: str,
    delimiter: str | None,
    as_text: set[str],
    missing: frozenset[str],
) -> tuple[list[str], list[_Builder]]:
    first, n_skipped = file.readline(), 0
    while first and not first.strip():
        first, n_skipped = file.readline(), n_skipped + 1
    if not first:
        raise TableFileError(f"{shown} is empty; a table starts with a line of column names.")
    if first.lstrip().lower().startswith(("<!doctype", "<html", "<?xml", "%pdf", "{\\rtf")):
        raise TableFileError(f"{shown} is no table: it starts with {brief(first.strip())}.")
    used = delimiter or _find_delimiter(first)
    # "age, home, purpose": the space belongs to the comma.
    spaced = used in first and first.count(used) == first.count(used + " ")
    reader = csv.reader(chain([first], file), delimiter=used, skipinitialspace=spaced, strict=True)
    try:
        header = column_names(next(reader), shown)
        builders = [_Builder(name in as_text, missing) for name in header]
        n_rows = 0
        before = reader.line_num
        while rows := list(islice(reader, _ROWS_AT_ONCE)):
            if set(map(len, rows)) != {len(header)}:
                rows = _without_blank(rows, len(header), n_skipped + before, shown)
            n_rows += len(rows)
            before = reader.line_num
            for builder, cells in zip(builders, zip(*rows, strict=True), strict=False):
                builder.add(cells)
    except csv.Error as error:
        raise TableFileError(
            f"Line {n_skipped + reader.line_num} of {shown} cannot be read as a row of cells "
            f"({error}); look for a quotation mark that is not closed."
        ) from error
    if n_rows == 0:
        raise TableFileError(f"{shown} has column names but no rows.")
    return header, builders


def _find_delimiter(line: str) -> str:
    outside = "".join(line.split('"')[::2])  # what stands outside of quotes
    return max(",;\t", key=outside.count)  # of equally many the first


def column_names(cells: Sequence[str], shown: str) -> list[str]:
    """Return the names that a header gives, or raise a TableFileError where one stands twice."""
    # A name may be missing, as R and pandas leave it for the row numbers.
    names = [
        cell if cell.strip() else f"column_{place}" for place, cell in enumerate(cells, start=1)
    ]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableFileError(
                f"Column name {brief(name)} stands twice in {shown}; rename one of the two."
            )
        seen.add(name)
    return names


def _without_blank(rows: list[list[str]], width: int, line: int, shown: str) -> list[list[str]]:
    """Drop empty lines; complain about the first row with too few or too many cells."""
    for row in rows:
        line += 1 + sum(cell.count("\n") for cell in row)
        if row and len(row) != width:
            raise TableFileError(
                f"Line {line} of {shown} has {len(row)} {'cell' if len(row) == 1 else 'cells'}, "
                f"but there are {width} column names."
            )
    return [row for row in rows if row]


def is_missing_mark(cell: str) -> bool:
    """Tell whether a text among numbers says that nothing is known: NA, n/a, ?, ..."""
    return cell.strip().lower() in _MARKS


class _Builder:
    """One column while it is being read."""

    def __init__(self, is_text: bool, missing: frozenset[str]) -> None:
        self.is_surprised = False  # text came after something else
        self._kind: _Kind = "text" if is_text else "missing"
        self._marks = missing
        self._dropped_marks = False  # a cell such as NA was taken as missing
        self._parts: list[NDArray[Any]] = []
        self._n_missing_before = 0  # rows before the first cell that is not missing
        self._codes = {"": -1}  # of text levels, in order of appearance

    def add(self, cells: Sequence[str]) -> None:
        """Take the next block of cells."""
        if self.is_surprised:
            return
        if self._marks and not self._marks.isdisjoint(cells):
            cells = ["" if cell in self._marks else cell for cell in cells]
        if self._kind == "text":
            self._parts.append(self._text_codes(cells))
            return
        kind, part = self._parse(cells)
        if kind == "missing":
            if self._kind == "missing":
                self._n_missing_before += len(cells)
            else:
                self._parts.append(_missing_part(self._kind, len(cells)))
            return
        if kind == "text":
            if self._kind != "missing" or self._dropped_marks:
                self.is_surprised = True
                return
            part = self._text_codes(cells)
        elif self._kind not in ("missing", kind):
            self.is_surprised = True
            return
        self._kind = kind
        self._parts.append(part)

    def finish(self) -> NDArray[Any]:
        """Return the whole column."""
        if self._kind == "missing":
            return np.full(self._n_missing_before, None, dtype=object)
        if self._n_missing_before:
            self._parts.insert(0, _missing_part(self._kind, self._n_missing_before))
        whole = np.concatenate(self._parts)
        self._parts.clear()
        if self._kind == "number":
            return whole
        if self._kind == "boolean" and not (whole < 0).any():
            return whole.astype(bool)
        levels = [False, True] if self._kind == "boolean" else list(self._codes)[1:]
        table: NDArray[Any] = np.array([*levels, None], dtype=object)
        cells: NDArray[Any] = table[whole]  # code -1 takes the last entry
        return cells

    def _text_codes(self, cells: Sequence[str]) -> NDArray[np.int32]:
        codes = self._codes
        for cell in dict.fromkeys(cells):
            if cell not in codes:
                codes[cell] = len(codes) - 1
        return np.fromiter(map(codes.__getitem__, cells), dtype=np.int32, count=len(cells))

    def _parse(self, cells: Sequence[str]) -> tuple[_Kind, NDArray[Any]]:
        """Find the type of a block of cells, and its values unless they are text."""
        absent = {""}
        kind, values = _values(_present(cells, absent))
        if kind == "text":
            marks = {cell for cell in set(cells) if is_missing_mark(cell)}
            if marks <= absent:
                return kind, values
            absent |= marks
            kind, values = _values(_present(cells, absent))
            if kind == "text":
                return kind, values
            self._dropped_marks = True
        if len(values) < len(cells):
            whole = _missing_part(kind, len(cells))
            there = (cell not in absent for cell in cells)
            whole[np.fromiter(there, dtype=bool, count=len(cells))] = values
            values = whole
        return kind, values


def _present(cells: Sequence[str], absent: set[str]) -> Sequence[str]:
    if absent == {""} and "" not in cells:
        return cells
    return [cell for cell in cells if cell not in absent]


def _values(cells: Sequence[str]) -> tuple[_Kind, NDArray[Any]]:
    """Read cells none of which is missing."""
    if not cells:
        return "missing", np.empty(0)
    for type_, dtype in ((int, np.int64), (float, np.float64)):
        try:
            numbers = np.fromiter(map(type_, cells), dtype=dtype, count=len(cells))
        except (ValueError, OverflowError):
            continue
        if "_" in "".join(cells):  # Python reads 1_000 as a number, nobody else does
            return "text", np.empty(0)
        return "number", numbers
    words = {cell: _TRUTH.get(cell.strip().lower()) for cell in set(cells)}
    if None in words.values():
        return "text", np.empty(0)
    return "boolean", np.fromiter(map(words.__getitem__, cells), dtype=np.int8, count=len(cells))


def _missing_part(kind: _Kind, length: int) -> NDArray[Any]:
    if kind == "number":
        return np.full(length, np.nan)
    return np.full(length, -1, dtype=np.int32)
