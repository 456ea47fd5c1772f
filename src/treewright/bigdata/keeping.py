"""Rows that were read once, kept in a temporary file so that no later pass unpacks Parquet again.

Unpacking takes as long as counting. What a pass over all columns has read is therefore written as
plain numbers, 4 bytes where these hold every value of a column and 8 elsewhere, and later passes
read the columns they need from there. The file belongs to this process, has no name where the
system offers that, and is gone when it is closed or the process ends, however it ends. It is read,
not mapped: a mapped file that is cut short would end the interpreter. As many partitions are kept
as there is room for; the others are read from where they are.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.bigdata.encoding import Encoder
from treewright.bigdata.partitions import Piece, in_words
from treewright.bigdata.parts import Rows
from treewright.exceptions import DataError, brief_path

__all__ = ["SCRATCH_BYTES", "KeptRows", "Scratch", "open_scratch"]

#: Bytes of the temporary file unless asked for otherwise: 50 million rows of 20 columns.
SCRATCH_BYTES = 4 * 2**30

_IN_MEMORY = ("tmpfs", "ramfs")
_MOUNTS = "/proc/self/mounts"

Place: TypeAlias = tuple[int, "np.dtype[Any]"]
"""Where an array begins in the file, and what it holds."""


@contextlib.contextmanager
def open_scratch(folder: str | os.PathLike[str] | None, most: int) -> Iterator[Scratch]:
    """Make a temporary file that is gone behind the block.

    Parameters
    ----------
    folder : path or None
        Where it is made; None for the system's.
    most : int
        Its bytes at most; half of what is free there if that is less, and none where the folder is
        in memory.

    Yields
    ------
    Scratch
        The file.

    Raises
    ------
    DataError
        If there can be none.
    """
    where = os.fspath(folder or tempfile.gettempdir())
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(
                tempfile.TemporaryFile(buffering=0, prefix="treewright-", dir=where)
            )
            free = shutil.disk_usage(where).free
        except OSError as error:
            raise DataError(
                f"No temporary file can be made in {brief_path(where)}: {error.strerror}; "
                "choose another 'scratch_folder', or set 'scratch_bytes' to 0."
            ) from error
        yield Scratch(file, where, 0 if _is_in_memory(where) else min(most, free // 2))


class Scratch:
    """A temporary file of arrays.

    Parameters
    ----------
    file : file
        Open, without a buffer.
    folder : str
        Where it is.
    most : int
        Its bytes at most.
    """

    def __init__(self, file: Any, folder: str, most: int) -> None:
        self.folder: str = folder
        self._file, self._most = file, most
        self._end = 0

    def put(self, arrays: Sequence[NDArray[Any]]) -> list[Place] | None:
        """Write arrays behind those that are there; None if there is no room for all."""
        if self._end + sum(one.nbytes for one in arrays) > self._most:
            return None
        places, end = [], self._end
        try:
            self._file.seek(end)
            for one in arrays:
                rest = np.ascontiguousarray(one).view(np.uint8).data
                places.append((end, one.dtype))
                end += len(rest)
                while len(rest):
                    rest = rest[self._file.write(rest) or 0 :]
        except OSError:  # others have filled the disk meanwhile
            self._most = self._end
            return None
        self._end = end
        return places

    def read(self, place: Place, to: NDArray[Any]) -> None:
        """Read an array of the kind that was written."""
        rest = to.view(np.uint8).data
        try:
            self._file.seek(place[0])
            while len(rest):
                n_read = self._file.readinto(rest)
                if not n_read:
                    raise OSError(None, "it has been cut short")
                rest = rest[n_read:]
        except OSError as error:
            raise DataError(
                f"The temporary file in {brief_path(self.folder)} cannot be read: "
                f"{error.strerror}; choose another 'scratch_folder', or set 'scratch_bytes' to 0."
            ) from error


def _is_in_memory(folder: str) -> bool:
    """Tell whether files there take memory, which is to be spared."""
    try:
        with open(_MOUNTS, encoding="utf-8") as file:
            mounts = [line.split()[1:3] for line in file]
    except OSError:  # no Linux
        return False
    path = os.path.join(os.path.realpath(folder), "")
    holding = [one for one in mounts if path.startswith(os.path.join(one[0], ""))]
    return bool(holding) and max(holding, key=lambda one: len(one[0]))[1] in _IN_MEMORY


@dataclass(frozen=True)
class _Kept:
    """Where the rows of a partition are in the file."""

    n_rows: int
    columns: tuple[Place, ...]
    target: Place
    weights: Place | None
    case_weights: Place | None


class KeptRows:
    """Reads partitions as an encoder does, from a temporary file those that are kept there.

    Parameters
    ----------
    encoder : Encoder
        How rows are read.
    scratch : Scratch
        Where they are kept.
    """

    def __init__(self, encoder: Encoder, scratch: Scratch) -> None:
        self._encoder, self._scratch = encoder, scratch
        self._kept: dict[int, _Kept] = {}  # by the number of the partition
        self._is_full = False
        self._numbers = np.zeros((0, encoder.schema.n_columns))

    def read(self, run: Sequence[Piece], columns: Sequence[int]) -> Iterator[tuple[Piece, Rows]]:
        """Read partitions one by one.

        Parameters
        ----------
        run : sequence of Piece
            Partitions that are read in one go.
        columns : sequence of int
            Columns of the schema, ascending. Others may be there, and hold anything.

        Yields
        ------
        piece : Piece
            The partition.
        rows : Rows
            Its rows, until the next are asked for.
        """
        if all(piece.number in self._kept for piece in run):
            with in_words(run[0]):
                run[0].file.check()
            for piece in run:
                yield piece, self._recall(piece, columns)
            return
        is_whole = len(columns) == self._encoder.schema.n_columns
        for piece, rows in self._encoder.read(run, columns):
            if is_whole and not self._is_full and piece.number not in self._kept:
                self._keep(piece, rows)
            yield piece, rows
            del rows

    def _keep(self, piece: Piece, rows: Rows) -> None:
        more = [one for one in (rows.weights, rows.case_weights) if one is not None]
        columns = [_narrowed(column) for column in rows.values.T]
        places = self._scratch.put([*columns, rows.target, *more])
        if places is None:
            self._is_full = True
            return
        n_columns = len(columns)
        rest = iter(places[n_columns + 1 :])
        self._kept[piece.number] = _Kept(
            len(rows.target),
            tuple(places[:n_columns]),
            places[n_columns],
            None if rows.weights is None else next(rest),
            None if rows.case_weights is None else next(rest),
        )

    def _recall(self, piece: Piece, columns: Sequence[int]) -> Rows:
        kept, n_columns = self._kept[piece.number], self._encoder.schema.n_columns
        n_rows = kept.n_rows
        # The same memory each time: fresh pages cost as much as reading the numbers. What is left
        # of other partitions in columns that are not read are levels of these columns.
        if len(self._numbers) < n_rows:
            self._numbers = np.zeros((n_rows, n_columns), order="F")
        values = self._numbers[:n_rows]
        narrow = np.empty(n_rows, dtype=np.float32)
        for column in columns:
            place, to = kept.columns[column], values[:, column]
            if place[1] == narrow.dtype:
                self._scratch.read(place, narrow)
                to[:] = narrow
            else:
                self._scratch.read(place, to)
        return Rows(
            piece.number,
            values,
            tuple(range(n_columns)),
            self._array(kept.target, n_rows),
            None if kept.weights is None else self._array(kept.weights, n_rows),
            None if kept.case_weights is None else self._array(kept.case_weights, n_rows),
        )

    def _array(self, place: Place, n_rows: int) -> NDArray[Any]:
        array = np.empty(n_rows, dtype=place[1])
        self._scratch.read(place, array)
        return array


def _narrowed(column: NDArray[np.float64]) -> NDArray[Any]:
    """Return a column with 4 bytes a value if that changes none."""
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = column.astype(np.float32)
    same = narrow == column
    return narrow if same.all() or (same | np.isnan(column)).all() else column
