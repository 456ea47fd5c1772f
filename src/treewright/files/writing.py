"""Writing files so that nobody ever sees half of one.

A file is written under a temporary name in the folder where it belongs and renamed when it is
complete. Whatever goes wrong before, a full disk or an impatient user, the temporary file goes away
and a file that was there stays as it was.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, WriteError, brief, brief_path
from treewright.schema.cells import read_cells
from treewright.schema.frames import read_frame

__all__ = ["atomic_write", "write_table"]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# A cell with one of these stands in quotes. The semicolon and the tabulator are there because a
# reader may take them for the delimiter, the byte order mark because it would vanish at the start.
_NEEDS_QUOTES = frozenset(',;|\t"\r\n\ufeff')
_MISSING = frozenset({"None", "nan", "NaT", "<NA>"})
_ROWS_AT_ONCE = 65_536


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], *, binary: bool = False, encoding: str = "utf-8"
) -> Iterator[IO[Any]]:
    """Open a file for writing that appears under its name only when it is complete.

    Parameters
    ----------
    path : str or path-like
        Where the file goes. An existing file is replaced and keeps its permissions. A symbolic link
        is followed. What is no regular file (``/dev/stdout``) is written to directly.
    binary : bool, default False
        Whether to write bytes. Text is written with line feeds as they are.
    encoding : str, default "utf-8"
        The encoding of text.

    Yields
    ------
    file object
        To write to.

    Raises
    ------
    WriteError
        If the file cannot be made. Any other error of the caller passes through; nothing is left
        behind in either case.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> with atomic_write(folder / "note.txt") as file:
    ...     _ = file.write("complete")
    >>> [file.name for file in folder.iterdir()]
    ['note.txt']
    """
    final = os.path.realpath(os.fspath(path))
    options: dict[str, Any] = {} if binary else {"encoding": encoding, "newline": ""}
    mode = "wb" if binary else "w"
    try:
        existing = os.stat(final).st_mode
    except FileNotFoundError:
        existing = None
    except OSError as error:
        raise _cannot_write(path, error) from error
    if existing is not None and not stat.S_ISREG(existing):
        try:
            with open(final, mode, **options) as file:
                yield file
        except OSError as error:
            raise _cannot_write(path, error) from error
        return

    folder, name = os.path.split(final)
    temporary = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(4)}.tmp")
    created = False
    try:
        # Not tempfile, whose files only their owner may read.
        with open(temporary, mode.replace("w", "x"), **options) as file:
            created = True
            if existing is not None:
                os.chmod(temporary, stat.S_IMODE(existing))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, final)
        created = False
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        if created:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def write_table(path: str | os.PathLike[str], columns: Mapping[str, Any]) -> None:
    """Write a table as comma- or tab-separated text.

    Parameters
    ----------
    path : str or path-like
        A name that ends in .csv, .tsv or .tab.
    columns : mapping of str to column
        Names and cells: lists, arrays, or series of a data frame library. Missing cells are written
        empty, booleans as ``true`` and ``false``, whole numbers without a decimal point.

    Raises
    ------
    WriteError
        If the file cannot be written; what was there before is still there then.
    DataError
        If the columns are no table.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "table.csv"
    >>> write_table(path, {"age": [31, None], "home": ["rent", "with parents, or alone"]})
    >>> print(path.read_text(), end="")
    age,home
    31,rent
    ,"with parents, or alone"
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in _DELIMITERS:
        raise WriteError(
            f"Cannot write {brief_path(path)}: a table is written to a file that ends in "
            f"{', '.join(_DELIMITERS)}."
        )
    frame = read_frame(columns)
    names = frame.names or ()
    texts = [_texts(column, name) for name, column in zip(names, frame.columns, strict=True)]
    # A line of one empty cell must not look like an empty line.
    empty = '""' if len(names) == 1 else ""
    delimiter = _DELIMITERS[suffix]
    with atomic_write(path) as file:
        try:
            file.write(delimiter.join(map(_quoted, names)) + "\n")
            for start in range(0, frame.shape[0], _ROWS_AT_ONCE):
                parts = [text[start : start + _ROWS_AT_ONCE] for text in texts]
                rows = zip(*([cell or empty for cell in part] for part in parts), strict=True)
                file.write("\n".join(map(delimiter.join, rows)) + "\n")
        except UnicodeEncodeError as error:
            raise WriteError(
                f"Cannot write {brief_path(path)}: the table holds "
                f"{brief(error.object[error.start : error.end])}, which is no valid Unicode text."
            ) from error


def _texts(column: Any, name: str) -> Sequence[str]:
    """Return the cells of a column as they stand in the file."""
    try:
        cells = read_cells(column, name)
    except DataError:  # what no tree can use, dates for example, can still be written
        return [_quoted("" if str(cell) in _MISSING else str(cell)) for cell in _objects(column)]
    if cells.kind == "empty":
        return [""] * len(column)
    if cells.kind == "numeric":
        return _number_texts(cells.numbers)
    words = np.array([*map(_word, cells.levels), ""], dtype=object)
    chosen: list[str] = words[cells.codes].tolist()  # code -1 takes the last
    return chosen


def _objects(column: Any) -> list[Any]:
    for method in ("to_pylist", "to_list", "tolist"):  # of pyarrow, of data frames, of arrays
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _word(level: str | int | float | bool) -> str:
    if isinstance(level, bool):
        return "true" if level else "false"
    return _quoted(level) if isinstance(level, str) else repr(level).removesuffix(".0")


def _number_texts(numbers: NDArray[Any]) -> list[str]:
    texts = list(map(repr, numbers.tolist()))
    if numbers.dtype.kind == "f":
        for place in np.flatnonzero(numbers == np.floor(numbers)).tolist():
            texts[place] = texts[place].removesuffix(".0")
        for place in np.flatnonzero(np.isnan(numbers)).tolist():
            texts[place] = ""
    return texts


def _quoted(text: str) -> str:
    if _NEEDS_QUOTES.isdisjoint(text) and text == text.strip():
        return text
    return '"' + text.replace('"', '""') + '"'


def _cannot_write(path: str | os.PathLike[str], error: OSError) -> WriteError:
    if isinstance(error, WriteError):
        return error
    return WriteError(f"Cannot write {brief_path(path)}: {error.strerror or error}.")
