"""Threads that share numbered pieces of work: progress, errors and Ctrl-C in one place.

Compiled work lets go of Python's lock and calls back every 50 ms. There a thread tells how far it
is, and there it learns that another one failed or that the user pressed Ctrl-C, and ends too.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

__all__ = ["Report", "Workers", "check_interrupt", "idle_threads", "run_in_thread"]

Report: TypeAlias = Callable[[float], None]
Result = TypeVar("Result")


_HERE = threading.local()
_MOST_THREADS = 1024  # more than machines have, and few enough to start
_PERIOD = 0.05  # seconds between looks at whether to go on


def check_interrupt() -> None:
    """Stop this thread if the run it works for was stopped; for work that has no report at hand."""
    current: _Run[Any] | None = getattr(_HERE, "run", None)
    if current is not None:
        current.check()


def idle_threads() -> int:
    """Say how many threads of the run this thread works for have nothing left to do.

    Returns
    -------
    int
        So many more may be used by work that can be divided further, as cores are free.
    """
    current: _Run[Any] | None = getattr(_HERE, "run", None)
    return 0 if current is None else current.n_idle


def run_in_thread(work: Callable[[], Result], seconds: float = math.inf) -> Result:
    """Do work of another library, which neither calls back nor can be ended, and wait for it.

    A thread of its own does it, which must let go of Python's lock. Ctrl-C, or the stop of the
    run this thread works for, ends the waiting; the other thread then ends by itself.

    Parameters
    ----------
    work : callable
        The work.
    seconds : float, default infinity
        How long to wait; the work must know this limit, too, and end soon after it, as the
        interpreter waits for it before it ends.

    Returns
    -------
    object
        What it returns; what it raises is raised here.

    Raises
    ------
    TimeoutError
        If it is not done by then.

    Examples
    --------
    >>> run_in_thread(lambda: 6 * 7)
    42
    """
    done: Future[Result] = Future()

    def call() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    end = time.perf_counter() + seconds
    threading.Thread(target=call, daemon=math.isinf(seconds)).start()
    while True:
        left = max(end - time.perf_counter(), 0.0)
        try:
            return done.result(min(_PERIOD, left))
        except TimeoutError:
            if done.done() or left == 0.0:  # raised by the work itself, or it is late
                raise
            check_interrupt()


class Workers:
    """Does pieces of work on several threads and reports their progress as one.

    Parameters
    ----------
    n_jobs : int or None
        Threads, as joblib counts them: None is one unless a joblib context says otherwise, -1 one a
        core.
    progress : callable or None, default None
        Called with the proportion of pieces that is done; never by two threads at a time, and it
        never goes back.

    Examples
    --------
    >>> Workers(2).run(lambda number, report: number**2, 3)
    [0, 1, 4]
    """

    def __init__(self, n_jobs: int | None, progress: Report | None = None) -> None:
        self._n_jobs = n_jobs
        self._n_expected = 0
        self._progress = progress
        self._n_done = 0
        self._told = 0.0

    def expect(self, n_pieces: int) -> None:
        """Count so many more pieces of work as part of all; if not told at first, progress waits.

        Parameters
        ----------
        n_pieces : int
            How many more pieces there will be.
        """
        self._n_expected += n_pieces

    @property
    def n_threads(self) -> int:
        """Most threads that work at the same time."""
        from joblib import effective_n_jobs

        return min(int(effective_n_jobs(self._n_jobs)), _MOST_THREADS)

    def run(
        self, work: Callable[[int, Report], Result], n_pieces: int, *, worth: int | None = None
    ) -> list[Result]:
        """Do some of the pieces of work.

        Parameters
        ----------
        work : callable
            ``work(number, report)`` does one piece. It calls ``report(share)`` now and then, from 0
            to 1, and lets out what that raises.
        n_pieces : int
            How many to do; they are numbered from 0 and begun in this order.
        worth : int or None, default None
            How many of the pieces that were expected these are together; None: as many as they are.

        Returns
        -------
        list
            The results in the order of the numbers.
        """
        worth = n_pieces if worth is None else worth
        scale = worth / max(n_pieces, 1)
        current = _Run(work, n_pieces, lambda share: self._tell(scale * share))
        current.work_together(min(self.n_threads, n_pieces))
        if current.failure is not None:
            raise current.failure
        self._n_done += worth
        return [current.results[number] for number in range(n_pieces)]

    def _tell(self, share_of_run: float) -> None:
        if self._progress is not None:
            self._told = max(self._told, (self._n_done + share_of_run) / self._n_expected)
            self._progress(min(self._told, 1.0))


class _Stopped(Exception):  # noqa: N818
    """Another thread failed, or the user gave up."""


class _Run(Generic[Result]):
    """One call of `Workers.run`; every thread calls `work`."""

    def __init__(self, work: Callable[[int, Report], Result], n_pieces: int, tell: Report) -> None:
        self.results: dict[int, Result] = {}
        self.failure: BaseException | None = None
        self.n_idle = 0
        self.stop = threading.Event()
        self._piece = work
        self._tell = tell
        self._lock = threading.Lock()
        self._numbers = iter(range(n_pieces))
        self._shares: dict[int, float] = {}

    def work_together(self, n_threads: int) -> None:
        """Do all pieces of work on this thread and others, none of which is left running."""
        others = [threading.Thread(target=self.work) for _ in range(n_threads - 1)]
        try:
            for one in others:
                one.start()
            self.work()
            for one in others:
                while one.is_alive():
                    one.join(_PERIOD)  # so that Ctrl-C is noticed everywhere
        finally:
            self.stop.set()
            for one in others:
                if one.ident is not None:
                    one.join()

    def work(self) -> None:
        """Do pieces of work until there are no more; errors are kept, not raised."""
        outer = getattr(_HERE, "run", None)
        _HERE.run = self
        try:
            self._do_pieces()
        finally:
            _HERE.run = outer

    def check(self) -> None:
        """End the work of this thread if the run was stopped."""
        if self.stop.is_set():
            raise _Stopped

    def _do_pieces(self) -> None:
        while True:
            with self._lock:
                number = None if self.stop.is_set() else next(self._numbers, None)
                self.n_idle += number is None
            if number is None:
                return
            try:
                self.results[number] = self._piece(number, partial(self._report, number))
                self._report(number, 1.0)
            except _Stopped:
                return
            except BaseException as error:
                with self._lock:
                    self.failure = self.failure or error
                self.stop.set()
                return

    def _report(self, number: int, share: float) -> None:
        self.check()
        with self._lock:
            self._shares[number] = share
            self._tell(sum(self._shares.values()))
