"""Any table file as a dict of columns, chosen by the end of its name.

Text formats are read with the standard library alone, delimited text faster where pyarrow is
installed; parquet and feather need pyarrow or polars, Excel needs openpyxl. Whatever is wrong with
a file, the error is one sentence that names it.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from treewright.exceptions import TableFileError, brief
from treewright.files.arrow import read_arrow
from treewright.files.delimited import Dialect, read_delimited
from treewright.files.excel import read_excel
from treewright.files.fast import read_fast
from treewright.files.names import Say
from treewright.files.records import read_json, read_json_lines
from treewright.files.sources import MAX_BYTES, Source, one_sentence
from treewright.schema import read_cells
from treewright.words import number_text

__all__ = ["as_text", "read_source", "read_table"]

_SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}


def read_table(
    path: str | os.PathLike[str],
    *,
    text: Collection[str] = (),
    missing: Collection[str] = (),
    encoding: str | None = None,
    sep: str | None = None,
    raw: Collection[str] | None = (),
    max_bytes: int = MAX_BYTES,
    say: Say | None = None,
) -> dict[str, Any]:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path-like
        The file. Its name says what it is: delimited text (.csv, .txt), tab-separated text (.tsv,
        .tab), a JSON list of objects (.json), one JSON object per line (.jsonl, .ndjson), parquet
        (.parquet), feather (.feather, .arrow) or the first sheet of an Excel workbook (.xlsx). Text
        formats may be compressed (.csv.gz). ``-`` is standard input, whose first bytes say what
        it is.
    text : collection of str, default ()
        Columns to take as text even if every cell is or looks like a number, such as codes and
        postal codes.
    missing : collection of str, default ()
        Cells of delimited text or .xlsx files that count as missing, besides empty ones.
    encoding : str or None, default None
        The encoding of a text file; None for UTF-8, or UTF-16 or UTF-32 if the file says so.
    sep : str or None, default None
        The character between cells of delimited text; None looks at the header for a comma,
        semicolon, tab or vertical bar.
    raw : collection of str or None, default ()
        Columns of delimited text whose cells are wanted as they are written, to be read as numbers
        by :func:`treewright.files.read_numbers`; None for all. Other formats know their numbers.
    max_bytes : int, default 2 GiB
        The most that the file may unpack to; what is larger is refused.
    say : callable or None, default None
        Called with a sentence for each thing that is not as the file has it, such as a column that
        is renamed since its name stands twice.

    Returns
    -------
    dict of str to column
        One array, list or pyarrow column per name, all of one length; :class:`treewright.Schema`
        and the estimators take it as it is.

    Raises
    ------
    TableFileError
        If the file is not there, is no table, is too large, or is of a kind that is not supported.
    MissingDependencyError
        If the file needs a package that is not installed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "loans.csv"
    >>> _ = path.write_text("age,home,repaid\n31,rent,true\n,own,false\n")
    >>> for name, cells in read_table(path).items():
    ...     print(name, cells.tolist())
    age [31.0, nan]
    home ['rent', 'own']
    repaid [True, False]
    """
    with Source(path, encoding, max_bytes) as source:
        return read_source(source, text=text, missing=missing, sep=sep, raw=raw, say=say)


def read_source(
    source: Source,
    *,
    text: Collection[str] = (),
    missing: Collection[str] = (),
    sep: str | None = None,
    raw: Collection[str] | None = (),
    say: Say | None = None,
) -> dict[str, Any]:
    """Read a table that may be read once more, with other arguments, before it is closed.

    Parameters
    ----------
    source : Source
        The table.
    text, missing, sep, raw, say
        As in `read_table`.

    Returns
    -------
    dict of str to column
        As `read_table`.
    """
    say = say or (lambda sentence: None)
    delimiter = None if sep is None else _SEPARATORS.get(sep, sep)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise TableFileError(f"The separator of cells must be one character. Got {brief(sep)}.")
    match source.suffix:
        case ".json":
            with source.open_text() as file:
                return as_text(read_json(file, source.shown), text)
        case ".jsonl" | ".ndjson":
            with source.open_text() as file:
                return as_text(read_json_lines(file, source.shown), text)
        case ".xlsx":
            with one_sentence(source.shown):
                return read_excel(
                    source.path,
                    source.shown,
                    text=text,
                    missing=missing,
                    max_bytes=source.max_bytes,
                    say=say,
                )
        case ".parquet" | ".feather" | ".arrow":
            with one_sentence(source.shown):
                columns = read_arrow(
                    source.path, source.suffix, source.shown, source.max_bytes, say
                )
            return as_text(columns, text)
        case suffix:
            if delimiter is None and suffix in (".tsv", ".tab"):
                delimiter = "\t"
            texts = None if raw is None else frozenset((*text, *raw))
            dialect = Dialect(delimiter, texts, frozenset(missing))
            table = read_fast(source, dialect, say)
            return read_delimited(source, dialect, say) if table is None else table


def as_text(columns: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Turn the numbers of some columns into text; what else they hold stays."""
    for name in set(names).intersection(columns):
        cells = read_cells(columns[name], name)
        if cells.kind == "numeric":
            columns[name] = [
                None if number != number else number_text(number)
                for number in cells.numbers.tolist()
            ]
    return columns
