"""Partitions of a table in Parquet files: which rows each one holds, and how they are read.

A partition is some whole row groups of one file, or a slice of a row group that has more rows than
a partition may have. It knows a path and numbers only, so that it pickles and can be read by
whoever sees the file. Slices of one row group are read in one go (:func:`read_pieces`), because
Parquet can only be unpacked from the start of a row group.

Whatever goes wrong in reading is said in one sentence that names file, row group and column.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from treewright.exceptions import TableFileError, TreewrightError, brief, brief_path

__all__ = [
    "ParquetFile",
    "Piece",
    "cut_file",
    "in_words",
    "read_pieces",
    "row_groups_of",
    "runs_of",
]

Key: TypeAlias = str | int | float | None


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file as it was when the work began.

    Parameters
    ----------
    path : str
        Where it is.
    size : int
        Its bytes.
    modified : int or None
        When it was last written, in nanoseconds, where the file system knows.
    keys : mapping of str to str, int or float, default {}
        Columns that the names of its folders hold, such as ``year=2020``.
    filesystem : pyarrow.fs.FileSystem or None, default None
        Where the path leads; None for files of this machine.
    """

    path: str
    size: int
    modified: int | None
    keys: Mapping[str, tuple[Any, Key]] = field(default_factory=dict)
    filesystem: Any = None

    @property
    def shown(self) -> str:
        """What messages call it."""
        return brief_path(self.path)

    def check(self) -> Any:
        """Refuse a file that is no longer what it was; return the file system that it is in."""
        from pyarrow import fs

        filesystem = fs.LocalFileSystem() if self.filesystem is None else self.filesystem
        info = filesystem.get_file_info(self.path)
        if info.type == fs.FileType.NotFound:
            raise TableFileError(f"{self.shown} is not there any more; put it back and fit again.")
        if (info.size, info.mtime_ns) != (self.size, self.modified):
            raise TableFileError(
                f"{self.shown} has changed since the work began; begin again when nobody writes "
                "to it."
            )
        return filesystem

    @contextlib.contextmanager
    def open(self) -> Iterator[Any]:
        """Open it; refuses a file that is no longer what it was."""
        from pyarrow import parquet

        filesystem = self.check()
        with filesystem.open_input_file(self.path) as file:
            footer = _footer(self.path, self.size, self.modified, file)
            with parquet.ParquetFile(file, metadata=footer) as opened:
                yield opened


_FOOTERS: dict[tuple[str, int, int | None], Any] = {}
_MOST_FOOTERS = 4


def _footer(path: str, size: int, modified: int | None, file: Any) -> Any:
    """Return the description of row groups at the end of a file; that of many takes long."""
    from pyarrow import parquet

    key = (path, size, modified)
    footer = _FOOTERS.get(key)
    if footer is None:
        footer = parquet.read_metadata(file)
        while len(_FOOTERS) >= _MOST_FOOTERS:
            _FOOTERS.pop(next(iter(_FOOTERS)), None)
        _FOOTERS[key] = footer
    return footer


@dataclass(frozen=True)
class Piece:
    """Rows of one file: whole row groups, or a slice of one.

    Parameters
    ----------
    number : int
        Of the partition among all of the table.
    file : ParquetFile
        Where they are.
    groups : tuple of int
        The row groups.
    n_stored : int
        Rows of these row groups together.
    start, stop : int
        First row of the piece in them, and the one behind its last.
    """

    number: int
    file: ParquetFile
    groups: tuple[int, ...]
    n_stored: int
    start: int
    stop: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.stop - self.start

    @property
    def is_whole(self) -> bool:
        """Whether it is no slice."""
        return self.n_rows == self.n_stored

    @property
    def name(self) -> str:
        """What messages call it."""
        first, last = self.groups[0], self.groups[-1]
        groups = f"row group {first}" if first == last else f"row groups {first} to {last}"
        rows = "" if self.is_whole else f"rows {self.start} to {self.stop - 1} of "
        return f"{rows}{groups} of {self.file.shown}"


def row_groups_of(piece: Piece) -> list[Piece]:
    """Return the row groups of a piece one by one, to find the one that something is wrong with."""
    if not piece.is_whole or len(piece.groups) == 1:
        return [piece]
    with in_words(piece), piece.file.open() as opened:
        sizes = {group: opened.metadata.row_group(group).num_rows for group in piece.groups}
    return [Piece(piece.number, piece.file, (one,), n, 0, n) for one, n in sizes.items()]


def cut_file(
    file: ParquetFile, sizes: Sequence[int], rows_per_partition: int, number: int
) -> Iterator[Piece]:
    """Cut a file into partitions of about one size.

    Parameters
    ----------
    file : ParquetFile
        The file.
    sizes : sequence of int
        Rows of each of its row groups; 0 for those that are no part of the table.
    rows_per_partition : int
        The most rows of a partition; small row groups go together up to it.
    number : int
        That of the first partition.

    Yields
    ------
    Piece
        The partitions in the order of their rows.
    """
    numbers = itertools.count(number)
    together: list[int] = []

    def joined() -> Iterator[Piece]:
        n_rows = sum(sizes[group] for group in together)
        if n_rows:
            yield Piece(next(numbers), file, tuple(together), n_rows, 0, n_rows)
        together.clear()

    for group, size in enumerate(sizes):
        if size == 0:
            continue
        if sum(sizes[one] for one in together) + size > rows_per_partition:
            yield from joined()
        if size <= rows_per_partition:
            together.append(group)
            continue
        n_slices = -(-size // rows_per_partition)
        ends = [size * place // n_slices for place in range(n_slices + 1)]
        for start, stop in itertools.pairwise(ends):
            yield Piece(next(numbers), file, (group,), size, start, stop)
    yield from joined()


def runs_of(pieces: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """Put pieces together that are read in one go: the slices of one row group."""
    grouped = itertools.groupby(pieces, key=lambda piece: (piece.file.path, piece.groups))
    return [tuple(run) for _, run in grouped]


def read_pieces(
    run: Sequence[Piece], columns: Sequence[str], *, threads: bool = True
) -> Iterator[tuple[Piece, Any]]:
    """Read partitions one after the other.

    Parameters
    ----------
    run : sequence of Piece
        One of :func:`runs_of`.
    columns : sequence of str
        Names of the columns to read.
    threads : bool, default True
        Whether columns may be unpacked side by side.

    Yields
    ------
    piece : Piece
        The partition.
    table : pyarrow.Table
        Its rows, with these columns in this order.

    Raises
    ------
    TableFileError
        If they cannot be read.
    """
    file, groups = run[0].file, list(run[0].groups)
    stored = [name for name in columns if name not in file.keys]
    # A partition that is held while the next one is unpacked would double the memory.
    with in_words(run[0]), file.open() as opened, _naming_column(run[0], opened, groups, stored):
        if not stored:
            tables: Iterator[tuple[Piece, Any]] = ((piece, None) for piece in run)
        elif run[0].is_whole:
            whole = [opened.read_row_groups(groups, stored, use_threads=threads)]
            tables = ((piece, whole.pop()) for piece in run)
        else:
            largest = max(piece.n_rows for piece in run)
            tables = _sliced(opened.iter_batches(largest, groups, stored, threads), run)
        for piece, table in tables:
            if table is not None:
                _check_rows(table.num_rows, piece)
            table = _with_keys(table, piece, columns)
            yield piece, table
            del table


def _sliced(batches: Iterator[Any], run: Sequence[Piece]) -> Iterator[tuple[Piece, Any]]:
    """Give the slices of a row group that comes in batches of any size."""
    import pyarrow

    waiting: list[Any] = []
    first, reached = 0, 0  # rows of the row group: the first that waits, the one behind the last
    for piece in run:
        while reached < piece.stop and (batch := next(batches, None)) is not None:
            reached += batch.num_rows
            if reached <= piece.start:
                first = reached
            else:
                waiting.append(batch)
            del batch
        table = pyarrow.Table.from_batches(waiting) if waiting else pyarrow.table({})
        waiting = table.slice(piece.stop - first).to_batches() if reached > piece.stop else []
        table = table.slice(piece.start - first, piece.n_rows)
        first = piece.stop
        yield piece, table
        del table


def _with_keys(table: Any, piece: Piece, columns: Sequence[str]) -> Any:
    """Add the columns that stand in the names of folders, and put all in order."""
    import pyarrow

    found = {}
    for name in columns:
        if name in piece.file.keys:
            kind, value = piece.file.keys[name]
            found[name] = pyarrow.chunked_array(
                [pyarrow.repeat(pyarrow.scalar(value, kind), piece.n_rows)]
            )
        else:
            found[name] = table.column(name)
    return pyarrow.table(found)


def _check_rows(n_rows: int, piece: Piece) -> None:
    if n_rows != piece.n_rows:
        raise TableFileError(
            f"{_capital(piece.name)} has {n_rows} rows, but should have {piece.n_rows}; the file "
            "is damaged or was written to since the work began."
        )


@contextlib.contextmanager
def in_words(piece: Piece) -> Iterator[None]:
    """Say in one sentence what went wrong with a piece, whatever its reader says."""
    try:
        yield
    except TreewrightError:
        raise
    except FileNotFoundError as error:
        raise TableFileError(
            f"{piece.file.shown} is not there any more; put it back and fit again."
        ) from error
    except Exception as error:  # damaged files make their readers raise what they like
        raise TableFileError(f"{_capital(piece.name)} cannot be read: {_reason(error)}.") from error


@contextlib.contextmanager
def _naming_column(
    piece: Piece, opened: Any, groups: Sequence[int], columns: Sequence[str]
) -> Iterator[None]:
    """Name the first column that cannot be read alone, where reading them together fails."""
    try:
        yield
    except TreewrightError:
        raise
    except Exception as error:
        for name in columns:
            try:
                opened.read_row_groups(list(groups), columns=[name])
            except Exception as one:
                raise TableFileError(
                    f"Column {brief(name)} in {piece.name} cannot be read: {_reason(one)}."
                ) from error
        raise


def _reason(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")[:200]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
