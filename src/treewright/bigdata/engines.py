"""Engines: who reads the partitions of a table, pass by pass, and merges what comes of them.

:class:`StreamingEngine` reads one partition after the other on this machine, and holds one at a
time. ``dask_engine`` has the other one.
"""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from treewright.base.parameters import Check, boolean, count, one_of
from treewright.base.progress import working
from treewright.base.workers import check_interrupt
from treewright.bigdata.encoding import Asking, Encoder, Reader
from treewright.bigdata.keeping import KeptRows, Scratch
from treewright.bigdata.partitions import Piece, runs_of
from treewright.bigdata.parts import Question
from treewright.exceptions import DataError

__all__ = ["READING", "Listener", "PassEngine", "StreamingEngine", "Work", "done_with", "merged"]

#: Told the number of the pass, the partitions done in it, and how many there are.
Listener: TypeAlias = Callable[[int, int, int], None]

#: What every function that reads a source checks.
READING = {
    "rows_per_partition": count(1),
    "progress": one_of(boolean(), Check("callable", callable)),
}

_EVEN = 1.5  # times as many numbers as another reply, and it is as large


class _Merging(Protocol):
    def merge(self, first: Any, second: Any) -> Any:
        """Join the replies of partitions that follow each other."""
        ...


class Work(_Merging, Protocol):
    """What is done with every partition in one pass: pure, so that it can be done again."""

    def replies(self, run: Sequence[Piece]) -> Iterator[Any]:
        """Give a reply for each of some partitions that are read in one go."""
        ...


def done_with(
    work: Work, runs: Iterable[Sequence[Piece]], tell: Callable[[int], None] | None = None
) -> Any:
    """Do work with partitions one after the other.

    Parameters
    ----------
    work : Work
        What to do.
    runs : iterable of sequence of Piece
        Partitions; those of a run are read in one go.
    tell : callable or None, default None
        Told after each partition how many are done.

    Returns
    -------
    object
        The reply for all of them; None if none has a row.
    """
    sums = work.sums() if isinstance(work, Asking) else None

    def replies() -> Iterator[Any]:
        n_done = 0
        for run in runs:
            steps = work.replies(run) if sums is None else cast(Asking, work).add(sums, run)
            for place, reply in enumerate(steps, start=1):
                yield reply
                if tell is not None and place < len(run):
                    tell(n_done + place)
            n_done += len(run)
            if tell is not None:
                tell(n_done)

    if sums is None:
        return merged(work, replies())
    for _ in replies():
        pass
    return sums.reply()


def merged(work: _Merging, replies: Iterator[Any]) -> Any:
    """Join replies in their order; None if there is none.

    Those that grow as they are joined, as values that differ do, wait for others of their size:
    joined one by one to all before them they would be copied once for every partition.
    """
    waiting: list[tuple[Any, int]] = []
    for reply in replies:
        last, size = reply, _size(reply)
        while waiting and waiting[-1][1] <= _EVEN * size:
            last = work.merge(waiting.pop()[0], last)
            size = _size(last)
        waiting.append((last, size))
    while len(waiting) > 1:
        last, _ = waiting.pop()
        waiting.append((work.merge(waiting.pop()[0], last), 0))
    return waiting[0][0] if waiting else None


def _size(reply: Any) -> int:
    """Count the numbers in the arrays of a reply."""
    if isinstance(reply, np.ndarray):
        return reply.size
    if is_dataclass(reply):
        return sum(_size(getattr(reply, one.name)) for one in fields(reply))
    return sum(map(_size, reply)) if isinstance(reply, tuple | list) else 0


def _silence() -> contextlib.nullcontext[None]:
    return contextlib.nullcontext(None)


class PassEngine:
    """What engines have in common: passes are counted, told, and made of runs of partitions.

    Parameters
    ----------
    pieces : sequence of Piece
        The partitions.
    progress : bool or callable
        True for a bar on a terminal or in a notebook; or who is told.
    """

    def __init__(self, pieces: Sequence[Piece], progress: bool | Listener) -> None:
        self._runs = runs_of(pieces)
        self._n_pieces = len(pieces)
        self._progress = progress
        self._encoder: Encoder | None = None
        self._n_rows: int | None = None
        self.n_passes: int = 0

    @property
    def n_rows(self) -> int | None:
        """Number of rows whose weight is not 0, once the first pass has counted them."""
        return self._n_rows

    def read_by(self, encoder: Encoder, n_rows: int) -> None:
        """Take the schema that the first pass settled.

        Parameters
        ----------
        encoder : Encoder
            How rows are read from now on.
        n_rows : int
            How many there are.
        """
        self._encoder, self._n_rows = encoder, n_rows

    def ask(self, question: Question) -> Any:
        """Ask all partitions, in one pass over the table.

        Parameters
        ----------
        question : Question
            What to ask.

        Returns
        -------
        object
            The merged reply.
        """
        assert self._encoder is not None, "the first pass comes first"
        return self.run(Asking(self._reader(self._encoder), question))

    def run(self, work: Work) -> Any:
        """Make one pass over the table.

        Parameters
        ----------
        work : Work
            What to do with every partition.

        Returns
        -------
        object
            The merged reply.

        Raises
        ------
        DataError
            If no partition has a row.
        """
        self.n_passes += 1
        number = self.n_passes
        shown = working(f"Pass {number} over the table") if self._progress is True else _silence()
        with shown as bar:

            def tell(n_done: int) -> None:
                check_interrupt()
                if callable(self._progress):
                    self._progress(number, n_done, self._n_pieces)
                elif bar is not None:
                    bar(n_done / self._n_pieces)

            reply = self._pass(work, tell)
        if reply is None:
            raise DataError("The source has no rows.")
        return reply

    def _reader(self, encoder: Encoder) -> Reader:
        """Choose how rows are read."""
        return encoder

    def each(self, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        """Run tasks that need no partition.

        Parameters
        ----------
        tasks : iterable of callable
            Pure functions of nothing.

        Returns
        -------
        list
            What they give, in their order.
        """
        done = []
        for task in tasks:
            check_interrupt()
            done.append(task())
        return done

    @abstractmethod
    def _pass(self, work: Work, tell: Callable[[int], None]) -> Any:
        """Do the work with every partition."""


class StreamingEngine(PassEngine):
    """Reads one partition after the other on this machine."""

    _scratch: Scratch | None = None
    _kept: KeptRows | None = None

    def keep(self, scratch: Scratch) -> None:
        """Keep rows that are read once in a temporary file, for later passes.

        Parameters
        ----------
        scratch : Scratch
            The file; whoever opened it closes it.
        """
        self._scratch = scratch

    def read_by(self, encoder: Encoder, n_rows: int) -> None:
        """Take the schema that the first pass settled; nothing is kept of it yet.

        Parameters
        ----------
        encoder : Encoder
            How rows are read from now on.
        n_rows : int
            How many there are.
        """
        super().read_by(encoder, n_rows)
        self._kept = None if self._scratch is None else KeptRows(encoder, self._scratch)

    def _reader(self, encoder: Encoder) -> Reader:
        return self._kept or encoder

    def _pass(self, work: Work, tell: Callable[[int], None]) -> Any:
        return done_with(work, self._runs, tell)
