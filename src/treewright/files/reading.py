"""Any table file as a dict of columns, chosen by the end of its name.

Text formats are read with the standard library alone; parquet and feather need pyarrow or polars,
Excel needs openpyxl. Whatever is wrong with a file, the answer is one sentence that names it.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from typing import IO, Any

from treewright.exceptions import MissingDependencyError, TableFileError, brief, brief_path
from treewright.files.delimited import read_delimited
from treewright.files.excel import read_excel
from treewright.schema import read_cells
from treewright.words import number_text

__all__ = ["SUFFIXES", "read_table"]

#: Ends of file names that can be read; the text formats also with .gz behind.
SUFFIXES = (
    ".csv",
    ".tsv",
    ".tab",
    ".json",
    ".jsonl",
    ".ndjson",
    ".parquet",
    ".feather",
    ".arrow",
    ".xlsx",
)
_BINARY = (".parquet", ".feather", ".arrow", ".xlsx")

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_table(
    path: str | os.PathLike[str],
    *,
    text: Collection[str] = (),
    missing: Collection[str] = (),
    encoding: str | None = None,
) -> dict[str, Any]:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path-like
        The file. Its name says what it is: comma-separated text (.csv, where semicolons or
        tabulators do as well), tab-separated text (.tsv, .tab), a JSON list of objects (.json), one
        JSON object a line (.jsonl, .ndjson), parquet (.parquet), feather (.feather, .arrow) or the
        first sheet of an Excel workbook (.xlsx). Text formats may be compressed (.csv.gz).
    text : collection of str, default ()
        Columns to take as text even if every cell is or looks like a number, such as codes and
        postal codes.
    missing : collection of str, default ()
        Cells of a .csv, .tsv or .xlsx file that count as missing, besides empty ones.
    encoding : str or None, default None
        The encoding of a text file; None for UTF-8, or UTF-16 if the file says so.

    Returns
    -------
    dict of str to column
        One array, list or pyarrow column a name, all of one length; :class:`treewright.Schema` and
        the estimators take it as it is.

    Raises
    ------
    TableFileError
        If the file is not there, is no table, or is of a kind that is not supported.
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
    name = os.fspath(path)
    shown = brief_path(name)
    stem, suffix = os.path.splitext(name.lower())
    is_compressed = suffix == ".gz"
    if is_compressed:
        suffix = os.path.splitext(stem)[1]
    if suffix not in SUFFIXES or (is_compressed and suffix in _BINARY):
        raise TableFileError(
            f"{shown} is of a kind that cannot be read; supported are {', '.join(SUFFIXES)}, "
            "and the text formats also with .gz."
        )

    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise TableFileError(f"There is no encoding {brief(encoding)} of text.") from None

    @contextlib.contextmanager
    def open_text() -> Iterator[IO[str]]:
        with _one_sentence(shown), _open_bytes(name, is_compressed) as raw:
            start = raw.peek(4096)[:4096]
            chosen = encoding or next(
                (found for mark, found in _BYTE_ORDER_MARKS if start.startswith(mark)), "utf-8"
            )
            if b"\0" in start and chosen.startswith("utf-8"):
                raise TableFileError(f"{shown} is no text but binary data, despite its name.")
            with io.TextIOWrapper(raw, encoding=chosen, newline="") as file:
                yield file

    match suffix:
        case ".csv":
            return read_delimited(open_text, shown, delimiter=None, text=text, missing=missing)
        case ".tsv" | ".tab":
            return read_delimited(open_text, shown, delimiter="\t", text=text, missing=missing)
        case ".json":
            with open_text() as file:
                return _as_text(_columns_of_records(_records_of_list(file, shown), shown), text)
        case ".jsonl" | ".ndjson":
            with open_text() as file:
                return _as_text(_columns_of_records(_records_of_lines(file, shown), shown), text)
        case ".xlsx":
            with _one_sentence(shown):
                _refuse_absent(name)
                return read_excel(name, shown, text=text, missing=missing)
        case _:
            with _one_sentence(shown):
                _refuse_absent(name)
                return _as_text(_read_arrow(name, suffix, shown), text)


def _open_bytes(name: str, is_compressed: bool) -> Any:
    if is_compressed:
        import gzip

        return io.BufferedReader(gzip.open(name, "rb"), buffer_size=1 << 16)
    return open(name, "rb")


@contextlib.contextmanager
def _one_sentence(shown: str) -> Iterator[None]:
    """Turn what reading can raise into one sentence about the file."""
    try:
        yield
    except FileNotFoundError:
        raise TableFileError(f"{shown} is not there.") from None
    except IsADirectoryError:
        raise TableFileError(f"{shown} is a folder, not a table.") from None
    except UnicodeDecodeError as error:
        offender = brief(error.object[error.start : error.start + 1])
        raise TableFileError(
            f"{shown} is not {error.encoding.upper()} text (first unreadable byte: {offender}); "
            "save it as UTF-8 or name its encoding."
        ) from error
    except UnicodeError as error:
        raise TableFileError(f"{shown} cannot be read: {error}.") from error
    except (EOFError, zlib.error) as error:
        raise TableFileError(f"{shown} is damaged: its compressed data ends too early.") from error
    except OSError as error:
        raise TableFileError(f"{shown} cannot be read: {error.strerror or error}.") from error


def _as_text(columns: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Turn the numbers of some columns into text; what else they hold stays."""
    for name in set(names).intersection(columns):
        cells = read_cells(columns[name], name)
        if cells.kind == "numeric":
            columns[name] = [
                None if number != number else number_text(number)
                for number in cells.numbers.tolist()
            ]
    return columns


# ---------------------------------------------------------------------------- JSON


def _records_of_list(file: IO[str], shown: str) -> list[Any]:
    records = _parse_json(file.read(), shown)
    if not isinstance(records, list):
        raise TableFileError(f"{shown} is no table: it must be a JSON list of objects.")
    return records


def _records_of_lines(file: IO[str], shown: str) -> list[Any]:
    records = []
    for number, line in enumerate(file, start=1):
        if line.strip():
            records.append(_parse_json(line, f"Line {number} of {shown}"))
    return records


def _parse_json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TableFileError(
            f"{where} is not JSON: {error.msg} (line {error.lineno}, column {error.colno})."
        ) from error
    except RecursionError:
        raise TableFileError(f"{where} is no table: it is nested too deeply.") from None
    except ValueError as error:  # a number of thousands of digits
        raise TableFileError(f"{where} cannot be read: {error}.") from error


def _columns_of_records(records: list[Any], shown: str) -> dict[str, Any]:
    if not records:
        raise TableFileError(f"{shown} has no rows.")
    for place, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise TableFileError(
                f"Entry {place} of {shown} must be a JSON object with one "
                f"value a column. Got {brief(record)}."
            )
    names = dict.fromkeys(name for record in records for name in record)
    if not names:
        raise TableFileError(f"{shown} has no columns: all of its objects are empty.")
    return {name: [record.get(name) for record in records] for name in names}


# ---------------------------------------------------------------------------- arrow


def _refuse_absent(name: str) -> None:
    if not os.path.exists(name):
        raise FileNotFoundError(name)
    if os.path.isdir(name):
        raise IsADirectoryError(name)


def _read_arrow(name: str, suffix: str, shown: str) -> dict[str, Any]:
    try:
        import pyarrow
    except ImportError:
        return _read_with_polars(name, suffix, shown)
    from pyarrow import feather, parquet

    try:
        if suffix == ".parquet":
            with parquet.ParquetFile(name) as file:
                table = file.read()
        else:
            table = feather.read_table(name)
    except pyarrow.ArrowException as error:
        raise _no_table(shown, suffix, error) from error
    columns = (
        # Few functions of pyarrow can work on views of text.
        column.cast(pyarrow.large_string()) if str(column.type) == "string_view" else column
        for column in table.columns
    )
    return _checked(zip(table.column_names, columns, strict=True), table.num_rows, shown)


def _read_with_polars(name: str, suffix: str, shown: str) -> dict[str, Any]:
    try:
        import polars
    except ImportError:
        raise MissingDependencyError(
            f"{shown} can only be read with the package pyarrow or polars; install one with 'pip "
            "install pyarrow'."
        ) from None
    read = polars.read_parquet if suffix == ".parquet" else polars.read_ipc
    try:
        frame = read(name)
    except polars.exceptions.PolarsError as error:
        raise _no_table(shown, suffix, error) from error
    columns = ((column.name, column) for column in frame.get_columns())
    return _checked(columns, frame.height, shown)


def _no_table(shown: str, suffix: str, error: Exception) -> TableFileError:
    reason = str(error).splitlines()[0].rstrip(".")
    return TableFileError(f"{shown} is no {suffix[1:]} table: {reason}.")


def _checked(named: Iterable[tuple[str, Any]], n_rows: int, shown: str) -> dict[str, Any]:
    """Return the columns by name, without the row labels that pandas keeps with the data."""
    columns: dict[str, Any] = {}
    for name, column in named:
        if _PANDAS_INDEX.fullmatch(name):
            continue
        if name in columns:
            raise TableFileError(f"Column name {brief(name)} stands twice in {shown}.")
        columns[name] = column
    if not columns or not n_rows:
        raise TableFileError(f"{shown} has no rows or no columns.")
    return columns
