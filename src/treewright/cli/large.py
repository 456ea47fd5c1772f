"""Tables that commands do not read at once: several Parquet files, a folder of them, a large one.

From `STREAMED_BYTES` of files on, and wherever there are several, rows are read part by part. What
needs rows in memory gets a random sample of them. Either way the user is told.

Imports nothing heavy before it is needed.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.cli.console import note
from treewright.exceptions import TableFileError
from treewright.files.paths import STANDARD_INPUT, SUFFIXES, check_table_path, shown_path

if TYPE_CHECKING:
    from treewright.bigdata.sources import StoredTable

__all__ = ["STREAMED_BYTES", "check_files", "is_large", "is_parquet", "read_sample", "tell_size"]

#: Bytes of a Parquet file from which on it is not read at once: 256 MiB.
STREAMED_BYTES = 256 << 20

_ENDING = ".parquet"


def is_large(files: Sequence[str]) -> bool:
    """Tell whether a table is to be read part by part.

    Parameters
    ----------
    files : sequence of str
        What the user named: files, or one folder or pattern of names.

    Returns
    -------
    bool
        True for several files, a folder, a pattern, and a large Parquet file.
    """
    if len(files) != 1:
        return True
    (path,) = files
    if os.path.isfile(path):
        return is_parquet(path) and os.path.getsize(path) >= STREAMED_BYTES
    return path != STANDARD_INPUT and (
        (is_parquet(path) and os.path.isdir(path)) or _is_pattern(path)
    )


def is_parquet(path: str) -> bool:
    """Tell whether a path leads to Parquet files by its name, or may do so as a folder."""
    ending = os.path.splitext(path.lower())[1]
    return ending == _ENDING or (ending not in SUFFIXES and os.path.isdir(path))


def check_files(files: Sequence[str]) -> None:
    """Refuse files that cannot be a table, before anything heavy is imported.

    Raises
    ------
    TableFileError
        With the first of them.
    """
    if not is_large(files):
        check_table_path(files[0])
        return
    for path in files:
        if _is_pattern(path) and not os.path.exists(path):
            continue
        if not is_parquet(path):
            raise TableFileError(
                f"{shown_path(path)} is no Parquet file; several files are one table only if all "
                f"end in {_ENDING}."
            )
        if not os.path.isdir(path):
            check_table_path(path)


def _is_pattern(path: str) -> bool:
    return glob.has_magic(path) and path.lower().endswith(_ENDING)


def read_sample(files: Sequence[str], seed: int = 0) -> dict[str, Any]:
    """Read a random sample of a large table, and say so.

    Parameters
    ----------
    files : sequence of str
        As the user named them.
    seed : int, default 0
        Of the sample.

    Returns
    -------
    dict of str to column
        The columns.
    """
    from treewright.bigdata.sampling import SAMPLE_ROWS, sample_stored
    from treewright.bigdata.sources import open_source

    with open_source(list(files)) as stored:
        if stored.n_rows > SAMPLE_ROWS:
            tell_size(stored, f"this needs rows in memory, and uses {SAMPLE_ROWS:,} at random")
        table = sample_stored(stored, SAMPLE_ROWS, None, seed, True)
    return dict(zip(table.column_names, table.columns, strict=True))


def tell_size(stored: StoredTable, what: str) -> None:
    """Say how large a table is, and what is done about it."""
    sizes = {piece.file.path: piece.file.size for piece in stored.pieces}
    n_files = "1 Parquet file" if len(sizes) == 1 else f"{len(sizes):,} Parquet files"
    megabytes = sum(sizes.values()) / 1e6
    size = f"{megabytes / 1e3:,.1f} GB" if megabytes >= 1000 else f"{megabytes:,.1f} MB"
    note(f"{n_files} of {size}, {stored.n_rows:,} rows: {what}.")
