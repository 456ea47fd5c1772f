"""A random sample of the rows of a table of any size."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import check_arguments, count, integer
from treewright.bigdata.engines import READING, Listener, StreamingEngine
from treewright.bigdata.partitions import Piece, read_pieces
from treewright.bigdata.sources import ROWS_PER_PARTITION, StoredTable, open_source
from treewright.exceptions import DataError, brief

__all__ = ["SAMPLE_ROWS", "sample", "sample_stored"]

#: Rows of a sample unless asked for otherwise.
SAMPLE_ROWS = 100_000


def sample(
    source: Any,
    n_rows: int = SAMPLE_ROWS,
    *,
    columns: Sequence[str] | None = None,
    random_state: int = 0,
    progress: bool | Listener = True,
    rows_per_partition: int = ROWS_PER_PARTITION,
    scratch_folder: str | os.PathLike[str] | None = None,
) -> Any:
    """Draw rows of a table at random, without replacement, in one pass.

    Parameters
    ----------
    source : path, list of paths, or lazy table
        As :func:`fit` takes it.
    n_rows : int, default 100,000
        How many; a table that has fewer is returned whole.
    columns : sequence of str or None, default None
        The columns to read; None for all.
    random_state : int, default 0
        Seed. Change it for another sample.
    progress : bool or callable, default True
        As in :func:`fit`.
    rows_per_partition : int, default 65,536
        The most rows that are read at a time.
    scratch_folder : path or None, default None
        As in :func:`fit`.

    Returns
    -------
    pyarrow.Table
        The rows in the order of the table, which every estimator takes as it is.

    Raises
    ------
    DataError
        If the source cannot be read, or has no such column.
    """
    values = {
        "n_rows": n_rows,
        "random_state": random_state,
        "rows_per_partition": rows_per_partition,
        "progress": progress,
    }
    checks = {"n_rows": count(1), "random_state": integer(0), **READING}
    check_arguments("bigdata.sample", values, checks)
    with open_source(
        source, rows_per_partition=rows_per_partition, scratch_folder=scratch_folder
    ) as table:
        return sample_stored(table, n_rows, columns, random_state, progress)


def sample_stored(
    table: StoredTable,
    n_rows: int,
    columns: Sequence[str] | None,
    random_state: int,
    progress: bool | Listener,
) -> Any:
    """Draw rows of a table that is open; see :func:`sample`."""
    names = table.schema.names if columns is None else list(columns)
    for name in names:
        if name not in table.schema.names:
            raise DataError(f"The source has no column {brief(name)}.")
    random = np.random.default_rng(random_state)
    chosen = np.sort(random.choice(table.n_rows, min(n_rows, table.n_rows), replace=False))
    starts = np.cumsum([0, *(piece.n_rows for piece in table.pieces)])
    return StreamingEngine(table.pieces, progress).run(_Pick(tuple(names), chosen, starts))


@dataclass(frozen=True)
class _Pick:
    """Rows by their positions in the table."""

    columns: tuple[str, ...]
    chosen: NDArray[np.int64]
    starts: NDArray[np.int64]  # of the partitions

    def replies(self, run: Sequence[Piece]) -> Iterator[Any]:
        for piece, rows in read_pieces(run, self.columns):
            start = self.starts[piece.number]
            first, last = np.searchsorted(self.chosen, [start, start + piece.n_rows])
            yield rows.take(self.chosen[first:last] - start)

    def merge(self, first: Any, second: Any) -> Any:
        import pyarrow

        return pyarrow.concat_tables([first, second])
