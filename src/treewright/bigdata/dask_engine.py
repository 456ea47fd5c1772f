"""The engine that lets the workers of a Dask cluster read the partitions.

A pass is a graph of pure tasks. The work itself is a task without inputs, so that the scheduler can
make it again when a worker dies; nothing is scattered. Each of some tasks reads a run of partitions
and merges their replies where it runs; a tree of merges, eight replies each, joins them in the
order of the partitions. A task that fails is tried three times more.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import logging
import pickle
import signal
import threading
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from treewright.base.workers import check_interrupt
from treewright.bigdata.engines import (
    Listener,
    PassEngine,
    StreamingEngine,
    Work,
    done_with,
    merged,
)
from treewright.bigdata.partitions import Piece
from treewright.exceptions import DataError, EngineError, MissingDependencyError, TreewrightError

__all__ = ["DaskEngine", "open_engine"]

_RETRIES = 3
_FAN = 8  # replies that one task merges
_TASKS_PER_THREAD = 4  # so that a slow one does not hold up all
_GONE = (
    "The scheduler of the cluster cannot be reached any more; start the cluster again, and then "
    "the fit."
)
_PERIOD = 0.2  # seconds between looks at how far a pass is


@contextlib.contextmanager
def open_engine(client: Any, pieces: Sequence[Piece], progress: bool | Listener) -> Iterator[Any]:
    """Choose who reads the partitions.

    Parameters
    ----------
    client : distributed.Client, int or None
        None: this process, one partition after the other. A number: so many processes of a cluster
        that is made here and closed at the end. A client: its cluster, which stays as it is.
    pieces : sequence of Piece
        The partitions.
    progress : bool or callable
        True for a bar; or who is told the pass, the partitions done, and how many there are.

    Yields
    ------
    StreamingEngine or DaskEngine
        The engine.

    Raises
    ------
    MissingDependencyError
        If dask.distributed is needed and not installed.
    """
    if client is None:
        yield StreamingEngine(pieces, progress)
    elif isinstance(client, int) and not isinstance(client, bool):
        with _local_cluster(client) as own:
            yield DaskEngine(own, pieces, progress)
    else:
        _distributed()
        if not hasattr(client, "submit") or not hasattr(client, "nthreads"):
            raise TypeError(
                "The 'client' parameter of bigdata.fit must be a distributed.Client, a number of "
                f"processes, or None. Got {type(client).__name__}."
            )
        yield DaskEngine(client, pieces, progress)


def _distributed() -> Any:
    """Return the package, or say how to install it."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise MissingDependencyError(
            "Several processes or machines need the package distributed; install it with 'pip "
            "install treewright[dask]', or leave 'client' out."
        ) from None


@contextlib.contextmanager
def _local_cluster(n_workers: int) -> Iterator[Any]:
    if n_workers < 1:
        raise ValueError(
            "The 'client' parameter of bigdata.fit must be at least 1 as a number of processes. "
            f"Got {n_workers}."
        )
    library = _distributed()
    with contextlib.ExitStack() as stack:
        with _deaf_to_interrupts():
            cluster = stack.enter_context(
                library.LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.ERROR,
                )
            )
        yield stack.enter_context(library.Client(cluster))


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started ignore Ctrl-C, which a terminal sends to all of them.

    The one that started them hears it, and ends them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class DaskEngine(PassEngine):
    """Reads partitions on the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster; its workers must see the files by the same paths.
    pieces : sequence of Piece
        The partitions.
    progress : bool or callable
        True for a bar; or who is told.
    """

    def __init__(self, client: Any, pieces: Sequence[Piece], progress: bool | Listener) -> None:
        super().__init__(pieces, progress)
        self._client = client

    def each(self, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        """Run tasks that need no partition, each on one worker.

        Parameters
        ----------
        tasks : iterable of callable
            Pure functions of nothing; they pickle.

        Returns
        -------
        list
            What they give, in their order.
        """
        futures: list[Any] = []
        name = f"treewright-{uuid.uuid4().hex}"
        with self._held(futures), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # rows travel in the tasks
            for place, task in enumerate(tasks):
                key = f"{name}-task-{place}"
                blob = pickle.dumps(task)
                futures.append(self._client.submit(_call, blob, key=key, retries=_RETRIES))
            for _ in self._finished(futures):
                pass
            return [one.result() for one in futures]

    def _pass(self, work: Work, tell: Callable[[int], None]) -> Any:
        futures: list[Any] = []
        with self._held(futures):
            return self._gather(work, tell, futures)

    @contextlib.contextmanager
    def _held(self, futures: list[Any]) -> Iterator[None]:
        """Say faults of the cluster in one sentence, and leave none of these futures behind."""
        try:
            yield
        except TreewrightError:
            raise
        except (CancelledError, TimeoutError, OSError) as error:  # of comms they are OSErrors
            raise EngineError(_GONE) from error
        except _distributed().KilledWorker as error:
            raise EngineError(
                "A task of the cluster ended its worker again and again, as it does for want of "
                "memory; use smaller partitions (rows_per_partition) or larger workers."
            ) from error
        except Exception as error:
            where = next(iter(getattr(error, "__notes__", ())), "On a worker")
            raise EngineError(f"{where}: {type(error).__name__}: {error}") from error
        finally:
            self._cancel(futures)

    def _gather(self, work: Work, tell: Callable[[int], None], futures: list[Any]) -> Any:
        client, name = self._client, f"treewright-{uuid.uuid4().hex}"
        _check_alive(client)
        workers = [name for name, n in client.nthreads().items() for _ in range(n)]
        if not workers:
            raise EngineError("The cluster has no workers; start some, or leave 'client' out.")
        blob = pickle.dumps(work)
        shared = client.submit(pickle.loads, blob, key=f"{name}-work", retries=_RETRIES)
        futures.append(shared)
        chunks = _chunks(self._runs, len(workers) * _TASKS_PER_THREAD)
        # Left to itself, the scheduler would have most of them where the work is.
        replies = [
            client.submit(
                _reply,
                shared,
                chunk,
                key=f"{name}-part-{place}",
                retries=_RETRIES,
                workers=[workers[place % len(workers)]],
                allow_other_workers=True,
            )
            for place, chunk in enumerate(chunks)
        ]
        counts = {one.key: sum(map(len, chunk)) for one, chunk in zip(replies, chunks, strict=True)}
        futures += replies
        readers = list(replies)
        level = 0
        while len(replies) > 1:
            replies = [
                client.submit(
                    _merge,
                    shared,
                    list(some),
                    key=f"{name}-merge-{level}-{place}",
                    retries=_RETRIES,
                )
                for place, some in enumerate(_by_eight(replies))
            ]
            futures += replies
            level += 1
        n_done = 0
        for done in self._finished(readers):
            n_done += sum(counts[one.key] for one in done)
            tell(n_done)
        return _value(replies[0].result())

    def _finished(self, futures: Sequence[Any]) -> Iterator[set[Any]]:
        """Wait for futures; gives those that are done since the last look, a few times a second."""
        waiting = set(futures)
        while waiting:
            with contextlib.suppress(TimeoutError):
                _distributed().wait(list(waiting), timeout=_PERIOD, return_when="FIRST_COMPLETED")
            _check_alive(self._client)
            check_interrupt()
            done = {one for one in waiting if one.done()}
            for one in done:
                _raise_failure(one)
            waiting -= done
            yield done

    def _cancel(self, futures: Sequence[Any]) -> None:
        with contextlib.suppress(Exception):  # the cluster may be gone
            if self._client.status == "running":
                self._client.cancel(list(futures), force=True)


class _Failure:
    """What is wrong with the data, which trying again would not change."""

    def __init__(self, error: TreewrightError) -> None:
        self.kind, self.words = type(error), str(error)


def _call(blob: bytes) -> Any:
    """Run a task; runs on a worker."""
    return pickle.loads(blob)()


def _reply(work: Work, chunk: Sequence[Sequence[Piece]]) -> Any:
    """Read runs of partitions, and merge their replies; runs on a worker."""
    try:
        return done_with(work, chunk)
    except DataError as error:
        if isinstance(error.__cause__, OSError):  # a disk or a network may come back
            raise
        return _Failure(error)


def _merge(work: Work, replies: Sequence[Any]) -> Any:
    """Merge replies in their order; runs on a worker."""
    failure = next((reply for reply in replies if isinstance(reply, _Failure)), None)
    if failure is not None:
        return failure
    return merged(work, (reply for reply in replies if reply is not None))


def _value(reply: Any) -> Any:
    if isinstance(reply, _Failure):
        raise reply.kind(reply.words)
    return reply


def _raise_failure(future: Any) -> None:
    """Raise what a task raised; what it returned is left where it is."""
    if future.status == "error":
        raise future.exception()
    if future.status == "cancelled":
        raise EngineError(_GONE)


def _check_alive(client: Any) -> None:
    if client.status != "running":
        raise EngineError(_GONE)


def _chunks(runs: Sequence[Sequence[Piece]], n_chunks: int) -> list[list[Sequence[Piece]]]:
    """Divide runs into about so many stretches of equal length."""
    n_chunks = max(1, min(n_chunks, len(runs)))
    ends = [len(runs) * place // n_chunks for place in range(n_chunks + 1)]
    return [list(runs[start:stop]) for start, stop in itertools.pairwise(ends)]


def _by_eight(replies: Sequence[Any]) -> list[list[Any]]:
    return [list(replies[start : start + _FAN]) for start in range(0, len(replies), _FAN)]
