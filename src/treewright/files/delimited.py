"""Delimited text as typed columns: separated by commas, semicolons, tabs or vertical bars.

A column is integers, numbers, booleans (true, false) or text, whichever first fits all of its
cells. An empty cell is missing. In a column of numbers or booleans, so are the usual marks for
"not known" (NA, N/A, NaN, null, none, ?, -); among text they stay text, since NA may be Namibia.
A column with a whole number that starts with a zero (01234) is text: it names something.

The file is read in blocks of rows, so that memory holds numbers rather than a Python string for
each cell. A column that looks like numbers at first and turns out to be text further down costs a
second pass over the file, in which it is read as text from the start.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import TableFileError, brief
from treewright.files.names import Say, header_names
from treewright.files.sources import Source, lines_of
from treewright.schema.forms import is_missing_mark

__all__ = [
    "ColumnBuilder",
    "Dialect",
    "find_delimiter",
    "is_spaced",
    "read_delimited",
    "until_settled",
]

# Few enough for the cells of a block to stay in the cache; 65,536 rows take half as long again.
_ROWS_AT_ONCE = 512
_CODE = re.compile(r"^\s*0[0-9]+\s*$", re.MULTILINE)
_TRUTH = {"true": True, "false": False}
_Kind = Literal["missing", "number", "boolean", "text"]


@dataclass(frozen=True)
class Dialect:
    """How delimited text is to be read.

    Parameters
    ----------
    delimiter : str or None
        What stands between cells; None looks at the header for a comma, semicolon, tab or bar.
    text : frozenset of str or None
        Columns to take as text, whatever their cells look like; None takes all as text.
    missing : frozenset of str
        Further marks that stand for a missing cell in any column.
    """

    delimiter: str | None = None
    text: frozenset[str] | None = frozenset()
    missing: frozenset[str] = frozenset()

    def is_text(self, name: str) -> bool:
        """Tell whether a column is to be text, whatever its cells look like."""
        return self.text is None or name in self.text


def read_delimited(source: Source, dialect: Dialect, say: Say) -> dict[str, NDArray[Any]]:
    """Read a table of delimited text.

    Parameters
    ----------
    source : Source
        The file; opened once more if a column changes its type.
    dialect : Dialect
        How to read it.
    say : callable
        Called with each sentence about what was changed.

    Returns
    -------
    dict of str to ndarray
        int64, float64 (NaN where missing) or bool; otherwise Python objects, None where missing.

    Raises
    ------
    TableFileError
        If there is no header, no row, or a line with too few or too many cells.
    """

    def read_once(as_text: set[str]) -> tuple[list[str], list[ColumnBuilder]]:
        with source.open_text() as file:
            return _read_once(file, source.shown, dialect, as_text)

    return until_settled(read_once, say)


def until_settled(
    read_once: Callable[[set[str]], tuple[list[str], list[ColumnBuilder]]], say: Say
) -> dict[str, NDArray[Any]]:
    """Read a table once more as long as cells far down make a column of numbers one of text.

    Parameters
    ----------
    read_once : callable
        ``read_once(as_text)`` gives the cells of the header and the columns below it; those
        named in `as_text` are text.
    say : callable
        Called with each sentence about what was changed.

    Returns
    -------
    dict of str to ndarray
        The columns by name.
    """
    as_text: set[str] = set()
    while True:
        cells, builders = read_once(as_text)
        names = header_names(cells, lambda sentence: None)
        surprises = {name for name, one in zip(names, builders, strict=True) if one.is_surprised}
        if not surprises:
            header_names(cells, say)
            return {name: one.finish() for name, one in zip(names, builders, strict=True)}
        as_text |= surprises


def _read_once(
    file: IO[str], shown: str, dialect: Dialect, as_text: set[str]
) -> tuple[list[str], list[ColumnBuilder]]:
    lines = lines_of(file, shown)
    first, n_skipped = next(lines, ""), 0
    while first and not first.strip():
        first, n_skipped = next(lines, ""), n_skipped + 1
    if not first:
        raise TableFileError(f"{shown} is empty; a table starts with a line of column names.")
    if first.lstrip().lower().startswith(("<!doctype", "<html", "<?xml", "%pdf", "{\\rtf")):
        raise TableFileError(f"{shown} is no table: it starts with {brief(first.strip())}.")
    used = dialect.delimiter or find_delimiter(first)
    reader = csv.reader(
        chain([first], lines),
        delimiter=used,
        skipinitialspace=is_spaced(first, used),
        strict=True,
    )
    try:
        cells = next(reader)
        header = header_names(cells, lambda sentence: None)
        builders = [
            ColumnBuilder(name in as_text or dialect.is_text(name), dialect.missing)
            for name in header
        ]
        n_rows = 0
        before = reader.line_num
        while rows := list(islice(reader, _ROWS_AT_ONCE)):
            if set(map(len, rows)) != {len(header)}:
                rows = _without_blank(rows, len(header), n_skipped + before, shown)
            n_rows += len(rows)
            before = reader.line_num
            for builder, column in zip(builders, zip(*rows, strict=True), strict=False):
                builder.add(column)
    except csv.Error as error:
        raise TableFileError(
            f"Line {n_skipped + reader.line_num} of {shown} cannot be read as a row of cells "
            f"({error}); look for a quotation mark that is not closed."
        ) from error
    if n_rows == 0:
        raise TableFileError(f"{shown} has column names but no rows.")
    return cells, builders


def find_delimiter(line: str) -> str:
    """Find what stands between the names of a header."""
    outside = "".join(line.split('"')[::2])  # what stands outside of quotes
    return max(",;\t|", key=outside.count)  # of equally many the first


def is_spaced(header: str, delimiter: str) -> bool:
    """Tell whether spaces belong to the delimiters: "age, home, purpose"."""
    if delimiter == " ":
        return True
    return delimiter in header and header.count(delimiter) == header.count(delimiter + " ")


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


class ColumnBuilder:
    """One column while it is being read."""

    def __init__(self, is_text: bool, missing: frozenset[str]) -> None:
        self.is_surprised: bool = False  # text came after something else
        self._kind: _Kind = "text" if is_text else "missing"
        self._marks = missing
        self._dropped_marks = False  # a cell such as NA was taken as missing
        self._parts: list[NDArray[Any]] = []
        self._n_missing_before = 0  # rows before the first cell that is not missing
        self._codes = {"": -1}  # of text levels, in order of appearance

    @property
    def is_text(self) -> bool:
        """Whether the column is text by now."""
        return self._kind == "text"

    def add(self, cells: Sequence[str], codes: NDArray[np.intp] | None = None) -> None:
        """Take the next block of cells.

        Parameters
        ----------
        cells : sequence of str
            The cells; with `codes`, the different ones.
        codes : ndarray of int or None, default None
            Which of `cells` stands in each row of the block; None if there is one per row.
        """
        if self.is_surprised:
            return
        length = len(cells) if codes is None else len(codes)
        if self._marks and not self._marks.isdisjoint(cells):
            cells = ["" if cell in self._marks else cell for cell in cells]
        if self._kind == "text":
            self._parts.append(_spread(self._text_codes(cells), codes))
            return
        kind, part = self._parse(cells)
        if kind == "text" and self._kind == "missing" and not self._dropped_marks:
            part = self._text_codes(cells)
        elif kind == "text":
            self.is_surprised = True
            return
        self._take(kind, part if kind == "missing" else _spread(part, codes), length)

    def add_numbers(self, numbers: NDArray[Any]) -> None:
        """Take the next block of a column that is not to be text, already read as numbers."""
        if not self.is_surprised:
            is_missing = numbers.dtype.kind == "f" and bool(np.isnan(numbers).all())
            self._take("missing" if is_missing else "number", numbers, len(numbers))

    def _take(self, kind: _Kind, part: NDArray[Any], length: int) -> None:
        if kind == "missing":
            if self._kind == "missing":
                self._n_missing_before += length
            else:
                self._parts.append(_missing_part(self._kind, length))
        elif self._kind in ("missing", kind):
            self._kind = kind
            self._parts.append(part)
        else:
            self.is_surprised = True

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
        if kind == "missing":
            self._dropped_marks |= any(cells)
            return kind, values
        if kind == "text":
            marks = {cell for cell in set(cells) if is_missing_mark(cell)}
            if marks <= absent:
                return kind, values
            absent |= marks
            kind, values = _values(_present(cells, absent))
            if kind == "text":
                return kind, values
            self._dropped_marks = True
            if kind == "missing":
                return kind, values
        if len(values) < len(cells):
            whole = _missing_part(kind, len(cells))
            there = (cell not in absent for cell in cells)
            whole[np.fromiter(there, dtype=bool, count=len(cells))] = values
            values = whole
        return kind, values


def _spread(part: NDArray[Any], codes: NDArray[np.intp] | None) -> NDArray[Any]:
    """Return what stands in each row, given the different values and which of them it is."""
    return part if codes is None else part[codes]


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
        together = "\n".join(cells)
        # Python reads 1_000 as a number, nobody else does; 01234 names something.
        if "_" in together or _CODE.search(together):
            return "text", np.empty(0)
        if dtype is np.float64 and np.isnan(numbers).all():
            return "missing", np.empty(0)
        return "number", numbers
    words = {cell: _TRUTH.get(cell.strip().lower()) for cell in set(cells)}
    if None in words.values():
        return "text", np.empty(0)
    return "boolean", np.fromiter(map(words.__getitem__, cells), dtype=np.int8, count=len(cells))


def _missing_part(kind: _Kind, length: int) -> NDArray[Any]:
    if kind == "number":
        return np.full(length, np.nan)
    return np.full(length, -1, dtype=np.int32)
