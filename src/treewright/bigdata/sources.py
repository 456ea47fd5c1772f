"""Where a large table comes from; whatever it is, it becomes partitions of Parquet files.

Files, folders, globs and datasets of Parquet are read where they are. Other sources are computed
once and written to a temporary folder (``spooling``), which is removed at the end. Before a row is
read, all files are looked at: they must be there and have the same columns.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.bigdata.partitions import ParquetFile, Piece, cut_file
from treewright.bigdata.spooling import batches_of, spool
from treewright.exceptions import (
    DataError,
    MissingDependencyError,
    TableFileError,
    TreewrightError,
    brief,
    brief_path,
)
from treewright.files.arrow import is_pandas_index

__all__ = ["ROWS_PER_PARTITION", "StoredTable", "open_source"]

#: Rows of a partition unless asked for otherwise: 100 columns of them take 52 MB as doubles.
ROWS_PER_PARTITION = 65_536

_ENDINGS = (".parquet", ".pq")
_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class StoredTable:
    """A table in Parquet files, cut into partitions.

    Attributes
    ----------
    pieces : tuple of Piece
        The partitions, in the order of the rows.
    schema : pyarrow.Schema
        Names and types of the columns.
    n_missing : dict of str to int or None
        Nulls of each column by the description of the files; None where that does not say.
    """

    pieces: tuple[Piece, ...]
    schema: Any
    n_missing: dict[str, int | None]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(piece.n_rows for piece in self.pieces)


@contextlib.contextmanager
def open_source(
    source: Any,
    *,
    rows_per_partition: int = ROWS_PER_PARTITION,
    scratch_folder: str | os.PathLike[str] | None = None,
) -> Iterator[StoredTable]:
    """Find the partitions of a source, and keep them readable as long as the block lasts.

    Parameters
    ----------
    source : path, list of paths, or lazy table
        As :func:`treewright.bigdata.fit` takes it.
    rows_per_partition : int, default 65,536
        The most rows of a partition.
    scratch_folder : path or None, default None
        Where a temporary folder may be made; None for the system's.

    Yields
    ------
    StoredTable
        The partitions.

    Raises
    ------
    DataError
        If it is no source, has no rows, or its files differ in their columns.
    MissingDependencyError
        If pyarrow is not installed.
    """
    _need_pyarrow()
    with contextlib.ExitStack() as stack:
        fragments = _fragments_of(source)
        if fragments is None:
            folder = stack.enter_context(_temporary_folder(scratch_folder))
            path = spool(batches_of(source, rows_per_partition), folder, rows_per_partition)
            fragments = _fragments_of(path) or []
        yield _look_through(fragments, rows_per_partition)


def _need_pyarrow() -> None:
    try:
        import pyarrow.dataset  # noqa: F401
    except ImportError:
        raise MissingDependencyError(
            "Tables beyond memory are read with the package pyarrow; install it with 'pip install "
            "pyarrow'."
        ) from None


@contextlib.contextmanager
def _temporary_folder(inside: str | os.PathLike[str] | None) -> Iterator[str]:
    try:
        folder = tempfile.mkdtemp(prefix="treewright-", dir=inside)
    except OSError as error:
        raise DataError(
            f"No temporary folder can be made in {brief_path(inside)}: {error.strerror}."
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------------------- files


def _fragments_of(source: Any) -> list[Any] | None:
    """Return the Parquet files of a source; None if it is not made of such."""
    from pyarrow import dataset

    if isinstance(source, str | os.PathLike):
        return _fragments_at([os.fspath(source)])
    if isinstance(source, list | tuple) and all(
        isinstance(one, str | os.PathLike) for one in source
    ):
        return _fragments_at([os.fspath(one) for one in source])
    if isinstance(source, dataset.Dataset):
        try:
            fragments = list(source.get_fragments())
        except ValueError:  # rows are filtered, or columns computed
            return None
        if all(isinstance(one, dataset.ParquetFileFragment) for one in fragments):
            return fragments
    return None


def _fragments_at(paths: Sequence[str]) -> list[Any]:
    """Find the files that paths, folders and globs lead to, in the order of their names."""
    from pyarrow import dataset, fs

    found: list[Any] = []
    for path in paths:
        if os.path.isdir(path):
            files = _files_in(path)
        elif os.path.exists(path) or not _GLOB.search(path):
            files = [path]
        else:
            files = sorted(filter(os.path.isfile, glob.iglob(path, recursive=True)))
        if not files:
            raise TableFileError(f"There is no Parquet file at {brief_path(path)}.")
        absent = next((file for file in files if not os.path.isfile(file)), None)
        if absent is not None:
            raise TableFileError(f"{brief_path(absent)} is not there.")
        try:
            # Columns in the names of folders are those below the folder that was named.
            options = dataset.FileSystemFactoryOptions(
                partition_base_dir=path if os.path.isdir(path) else None,
                partitioning=None if files == [path] else dataset.HivePartitioning.discover(),
            )
            made = dataset.FileSystemDatasetFactory(
                fs.LocalFileSystem(), files, dataset.ParquetFileFormat(), options
            ).finish()
        except Exception as error:
            raise _no_parquet(files, error) from error
        found += made.get_fragments()
    return found


def _files_in(folder: str) -> list[str]:
    """Return the Parquet files below a folder; hidden ones and marks such as _SUCCESS are left."""
    files = sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if not name.startswith((".", "_"))
    )
    named = [file for file in files if file.lower().endswith(_ENDINGS)]
    return named or files


def _no_parquet(files: Sequence[str], error: Exception) -> TableFileError:
    """Name the first of the files that cannot be opened."""
    from pyarrow import parquet

    for file in files:
        try:
            parquet.read_metadata(file)
        except Exception as one:
            reason = next(iter(str(one).splitlines()), type(one).__name__).rstrip(".")[:200]
            return TableFileError(f"{brief_path(file)} is no Parquet file: {reason}.")
    reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")[:200]
    return TableFileError(f"The files at {brief_path(files[0])} cannot be read: {reason}.")


# ---------------------------------------------------------------------------- what they hold


def _look_through(fragments: Sequence[Any], rows_per_partition: int) -> StoredTable:
    """Read the descriptions at the ends of all files, and cut them into partitions."""
    pieces: list[Piece] = []
    first: tuple[str, dict[str, Any]] | None = None
    n_missing: dict[str, int | None] = {}
    for fragment in fragments:
        file, kinds, footer = _description(fragment)
        if first is None:
            first = file.shown, kinds
            n_missing = dict.fromkeys(kinds, 0)
        else:
            _check_same(first, file.shown, kinds)
        sizes = [0] * footer.num_row_groups
        chosen = [group.id for group in fragment.row_groups]  # a dataset may leave some out
        for group in chosen:
            sizes[group] = footer.row_group(group).num_rows
        pieces += cut_file(file, sizes, rows_per_partition, len(pieces))
        _add_missing(n_missing, footer, chosen, file)
    if first is None or not pieces:
        raise DataError("The source has no rows.")
    import pyarrow

    return StoredTable(tuple(pieces), pyarrow.schema(list(first[1].items())), n_missing)


def _description(fragment: Any) -> tuple[ParquetFile, dict[str, Any], Any]:
    from pyarrow import dataset

    shown = brief_path(fragment.path)
    try:
        info = fragment.filesystem.get_file_info(fragment.path)
        footer = fragment.metadata
        stored = footer.schema.to_arrow_schema()
        values = dataset.get_partition_keys(fragment.partition_expression)
    except TreewrightError:
        raise
    except Exception as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")[:200]
        raise TableFileError(f"{shown} is no Parquet file: {reason}.") from error
    kinds: dict[str, Any] = {}
    for column in stored:
        if column.name in kinds:
            raise DataError(
                f"Column name {brief(column.name)} stands twice in {shown}; rename one of the two."
            )
        if not is_pandas_index(column.name):
            kinds[column.name] = column.type
    import pyarrow

    keys: dict[str, tuple[Any, Any]] = {}
    for name, value in values.items():
        if name not in kinds:
            kinds[name] = pyarrow.string() if isinstance(value, str) else pyarrow.scalar(value).type
            keys[name] = (kinds[name], value)
    return (
        ParquetFile(
            fragment.path,
            info.size,
            info.mtime_ns,
            keys,
            None if fragment.filesystem.type_name == "local" else fragment.filesystem,
        ),
        kinds,
        footer,
    )


def _check_same(first: tuple[str, dict[str, Any]], shown: str, kinds: dict[str, Any]) -> None:
    """Refuse a file whose columns are not those of the first."""
    before, wanted = first
    for name in (*wanted, *kinds):
        if name not in kinds:
            raise DataError(
                f"{shown} has no column {brief(name)}, which {before} has; all files of a table "
                "need the same columns."
            )
        if name not in wanted:
            raise DataError(
                f"{shown} has a column {brief(name)}, which {before} has not; all files of a table "
                "need the same columns."
            )
        if not _is_same_kind(kinds[name], wanted[name]):
            raise DataError(
                f"Column {brief(name)} is {kinds[name]} in {shown} and {wanted[name]} in {before}; "
                "write all files of a table with one type."
            )


def _is_same_kind(one: Any, other: Any) -> bool:
    """Tell whether types are equal but for how categories are numbered."""
    from pyarrow import types

    if types.is_dictionary(one) and types.is_dictionary(other):
        return bool(one.value_type == other.value_type and one.ordered == other.ordered)
    return bool(one == other)


def _add_missing(
    n_missing: dict[str, int | None], footer: Any, groups: Sequence[int], file: ParquetFile
) -> None:
    """Count nulls by what a file says of its columns."""
    for name, (_, value) in file.keys.items():
        if value is None:
            n_missing[name] = None
    for place in range(footer.num_columns):
        name = footer.schema.column(place).path
        if n_missing.get(name) is None:  # no column of the table, or nothing is known of it
            continue
        for group in groups:
            statistics = footer.row_group(group).column(place).statistics
            if statistics is None or not statistics.has_null_count:
                n_missing[name] = None
                break
            n_missing[name] = (n_missing[name] or 0) + statistics.null_count
