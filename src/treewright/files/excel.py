"""The first sheet of an Excel workbook as columns; needs openpyxl.

The first row that is not empty holds the names. Formulas are read as the values that Excel saved
with them. A column is numbers, booleans, dates or text; where a sheet mixes them it is text, as
it would be in a .csv file. Empty cells, Excel's own errors (#N/A) and, among numbers, the usual
marks for "not known" are missing.
"""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Collection, Sequence
from typing import Any
from zipfile import ZipFile

from treewright.exceptions import MissingDependencyError, TableFileError
from treewright.files.names import Say, header_names
from treewright.files.sources import too_large
from treewright.schema.forms import is_missing_mark
from treewright.words import number_text

__all__ = ["read_excel"]

_BYTES_OF_A_CELL = 8
_ERRORS = frozenset(
    {"#N/A", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#GETTING_DATA"}
)


def read_excel(
    path: str,
    shown: str,
    *,
    text: Collection[str],
    missing: Collection[str],
    max_bytes: int,
    say: Say,
) -> dict[str, list[Any]]:
    """Read the first sheet of a workbook.

    Parameters
    ----------
    path : str
        The file.
    shown : str
        What messages call it.
    text : collection of str
        Columns to take as text, whatever their cells look like.
    missing : collection of str
        Further texts that stand for a missing cell in any column.
    max_bytes : int
        The most that it may unpack to.
    say : callable
        Called with each sentence about what was changed.

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
    except ImportError:
        raise MissingDependencyError(
            f"{shown} can only be read with the package openpyxl; install it with 'pip install "
            "openpyxl', or save the sheet as .csv."
        ) from None
    try:
        with ZipFile(path) as parts:
            # No more than it declares is unpacked of a part.
            if sum(part.file_size for part in parts.infolist()) > max_bytes:
                raise too_large(shown, max_bytes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a table does not need, such as styles
            rows = _rows_of_first_sheet(openpyxl, path, shown, max_bytes)
    except (TableFileError, OSError):
        raise
    except Exception as error:  # damaged workbooks make openpyxl raise what it likes
        raise TableFileError(
            f"{shown} is no Excel workbook (.xlsx) or a damaged one; save it as .xlsx or .csv "
            "again."
        ) from error
    if len(rows) < 2:
        raise TableFileError(f"The first sheet of {shown} has no column names or no rows.")
    width = max(map(len, rows))
    whole = [(*row, *(None,) * (width - len(row))) for row in rows]
    names = header_names(["" if cell is None else _word(cell) for cell in whole[0]], say)
    absent = _ERRORS.union(missing, [""])
    return {
        name: _column(cells, name in text, absent)
        for name, cells in zip(names, zip(*whole[1:], strict=True), strict=True)
    }


def _rows_of_first_sheet(
    openpyxl: Any, path: str, shown: str, max_bytes: int
) -> list[tuple[Any, ...]]:
    """Read the rows that are not empty, each up to its last cell."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what is declared may be wrong, and absurd
        rows, n_cells = [], 0
        for row in sheet.iter_rows(values_only=True):
            width = max((place for place, cell in enumerate(row, 1) if cell is not None), default=0)
            if width:
                rows.append(row[:width])
                n_cells += width
                if n_cells * _BYTES_OF_A_CELL > max_bytes:  # one cell can make a row very wide
                    raise too_large(shown, max_bytes)
        return rows
    finally:
        book.close()


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
