"""The first sheet of an Excel workbook as columns; needs openpyxl.

The first row that is not empty holds the names. Formulas are read as the values that Excel saved
with them. A column is numbers, truth values, dates or text; where a sheet mixes them it is text, as
it would be in a .csv file. Empty cells, Excel's own errors (#N/A) and, among numbers, the usual
marks for "not known" are missing.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from typing import Any
from zipfile import BadZipFile

from treewright.exceptions import MissingDependencyError, TableFileError
from treewright.files.delimited import column_names, is_missing_mark
from treewright.words import number_text

__all__ = ["read_excel"]

_ERRORS = frozenset(
    {"#N/A", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#GETTING_DATA"}
)


def read_excel(
    path: str, shown: str, *, text: Collection[str] = (), missing: Collection[str] = ()
) -> dict[str, list[Any]]:
    """Read the first sheet of a workbook.

    Parameters
    ----------
    path : str
        The file.
    shown : str
        What messages call it.
    text : collection of str, default ()
        Columns to take as text, whatever their cells look like.
    missing : collection of str, default ()
        Further texts that stand for a missing cell in any column.

    Returns
    -------
    dict of str to list
        One list a name, None where missing.

    Raises
    ------
    TableFileError
        If it is no workbook, or its first sheet no table.
    MissingDependencyError
        If openpyxl is not installed.
    """
    try:
        import openpyxl
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise MissingDependencyError(
            f"{shown} can only be read with the package openpyxl; install it with 'pip install "
            "openpyxl', or save the sheet as .csv."
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise TableFileError(
            f"{shown} is no Excel workbook (.xlsx); save it as one, or as .csv."
        ) from error
    try:
        rows = [
            row
            for row in book.worksheets[0].iter_rows(values_only=True)
            if any(cell is not None for cell in row)
        ]
    finally:
        book.close()
    if len(rows) < 2:
        raise TableFileError(f"The first sheet of {shown} has no column names or no rows.")
    width = max(max(place for place, cell in enumerate(row, 1) if cell is not None) for row in rows)
    whole = [(*row[:width], *(None,) * (width - len(row))) for row in rows]
    names = column_names(["" if cell is None else _word(cell) for cell in whole[0]], shown)
    absent = _ERRORS.union(missing, [""])
    return {
        name: _column(cells, name in text, absent)
        for name, cells in zip(names, zip(*whole[1:], strict=True), strict=True)
    }


def _column(cells: Sequence[Any], is_text: bool, absent: frozenset[str]) -> list[Any]:
    cells = [
        None if cell == "" or (type(cell) is str and cell in absent) else cell for cell in cells
    ]
    if is_text or len(_families(cells)) > 1:
        bare = [None if type(cell) is str and is_missing_mark(cell) else cell for cell in cells]
        if not is_text and _families(bare) in ({"number"}, {"boolean"}):
            return bare
        return [None if cell is None else _word(cell) for cell in cells]
    return cells


def _families(cells: Sequence[Any]) -> set[str]:
    """Name what a column holds, but for its missing cells."""
    names = {bool: "boolean", int: "number", float: "number", str: "text", type(None): ""}
    return {names.get(type_, "date") for type_ in set(map(type, cells))} - {""}


def _word(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return number_text(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)
