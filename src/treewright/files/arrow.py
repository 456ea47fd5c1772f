"""Parquet and feather as columns; needs pyarrow or polars.

What a file declares is checked before it is unpacked: rows and columns that would not fit into the
allowed bytes are refused unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from treewright.exceptions import MissingDependencyError, TableFileError
from treewright.files.names import Say, unique_names
from treewright.files.sources import too_large

__all__ = ["is_pandas_index", "read_arrow"]

_BYTES_OF_A_CELL = 8  # as a number
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_arrow(path: str, suffix: str, shown: str, max_bytes: int, say: Say) -> dict[str, Any]:
    """Read a parquet or feather file.

    Parameters
    ----------
    path : str
        The file.
    suffix : str
        ".parquet", or else feather.
    shown : str
        What messages call it.
    max_bytes : int
        The most that it may unpack to.
    say : callable
        Called with each sentence about what was changed.

    Returns
    -------
    dict of str to column
        Columns of pyarrow or polars by name.

    Raises
    ------
    TableFileError
        If it is no such file, damaged, or too large.
    MissingDependencyError
        If neither pyarrow nor polars is installed.
    """
    try:
        import pyarrow
    except ImportError:
        return _read_with_polars(path, suffix, shown, max_bytes, say)
    from pyarrow import parquet

    with _one_reason(shown, suffix):
        if suffix == ".parquet":
            with parquet.ParquetFile(path) as file:
                declared = file.metadata
                size = sum(
                    declared.row_group(group).total_byte_size
                    for group in range(declared.num_row_groups)
                )
                _check_size(declared.num_rows, declared.num_columns, shown, max_bytes, size)
                table = file.read()
        else:
            table = _read_feather(path, shown, max_bytes)
        table.validate(full=True)
        columns = [
            # Few functions of pyarrow can work on views of text.
            column.cast(pyarrow.large_string()) if str(column.type) == "string_view" else column
            for column in table.columns
        ]
    return _checked(zip(table.column_names, columns, strict=True), table.num_rows, shown, say)


def is_pandas_index(name: str) -> bool:
    """Tell whether a column holds the row labels that pandas keeps with the data."""
    return _PANDAS_INDEX.fullmatch(name) is not None


def _read_feather(path: str, shown: str, max_bytes: int) -> Any:
    import pyarrow
    from pyarrow import feather, ipc

    with pyarrow.memory_map(path) as mapped:
        try:
            reader = ipc.open_file(mapped)
        except pyarrow.ArrowInvalid:
            return feather.read_table(path)  # version 1, which is not compressed
        batches, size, n_rows = [], 0, 0
        for place in range(reader.num_record_batches):
            batches.append(reader.get_batch(place))
            size, n_rows = size + batches[-1].nbytes, n_rows + batches[-1].num_rows
            _check_size(n_rows, len(reader.schema), shown, max_bytes, size)
        return pyarrow.Table.from_batches(batches, reader.schema)


def _read_with_polars(
    path: str, suffix: str, shown: str, max_bytes: int, say: Say
) -> dict[str, Any]:
    try:
        import polars
    except ImportError:
        raise MissingDependencyError(
            f"{shown} can only be read with the package pyarrow or polars; install one with 'pip "
            "install pyarrow'."
        ) from None
    scan = polars.scan_parquet if suffix == ".parquet" else polars.scan_ipc
    with _one_reason(shown, suffix):
        lazy = scan(path)
        n_rows = lazy.select(polars.len()).collect().item()
        _check_size(n_rows, len(lazy.collect_schema()), shown, max_bytes)
        frame = lazy.collect()
    columns = ((column.name, column) for column in frame.get_columns())
    return _checked(columns, frame.height, shown, say)


@contextmanager
def _one_reason(shown: str, suffix: str) -> Iterator[None]:
    """Say in one sentence what is wrong with a file, whatever its reader says."""
    try:
        yield
    except TableFileError:
        raise
    except BaseException as error:  # damaged files make their readers raise what they like
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise  # Ctrl-C; polars panics outside of Exception
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")[:200]
        raise TableFileError(f"{shown} is no {suffix[1:]} table: {reason}.") from error


def _check_size(n_rows: int, n_columns: int, shown: str, max_bytes: int, declared: int = 0) -> None:
    if max(declared, n_rows * n_columns * _BYTES_OF_A_CELL) > max_bytes:
        raise too_large(shown, max_bytes)


def _checked(named: Iterable[tuple[str, Any]], n_rows: int, shown: str, say: Say) -> dict[str, Any]:
    """Return the columns by name, without the row labels that pandas keeps with the data."""
    kept = [(name, column) for name, column in named if not is_pandas_index(name)]
    if not kept or not n_rows:
        raise TableFileError(f"{shown} has no rows or no columns.")
    names = unique_names([name for name, _ in kept], say)
    return dict(zip(names, (column for _, column in kept), strict=True))
