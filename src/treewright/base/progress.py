"""A bar for work that takes more than a second, on a terminal or in a notebook only."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["working"]

_SECONDS_BEFORE_BAR = 1.0


@contextlib.contextmanager
def working(what: str) -> Iterator[Callable[[float], None] | None]:
    """Show a bar while work goes on for more than a second.

    It stands on a terminal's standard error, or below a cell of a notebook.

    Parameters
    ----------
    what : str
        What is being done, for example "Growing the tree".

    Yields
    ------
    callable or None
        To be called with the fraction of work done; None where nobody is looking. If it is never
        called the bar only moves.
    """
    if not (sys.stderr.isatty() or _is_notebook()):
        yield None
        return
    bar = _Bar("".join(one if one.isprintable() else "?" for one in " ".join(what.split())))
    try:
        yield bar.update
    finally:
        bar.close()


def _is_notebook() -> bool:
    """Tell whether a notebook shows what is displayed."""
    return "ipykernel" in sys.modules


class _Bar:
    """A progress bar that appears after a second and leaves no trace."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._share: float | None = None
        self._is_closed = False
        self._lock = threading.Lock()
        self._progress: Any = None
        self._task: Any = None
        self._timer = threading.Timer(_SECONDS_BEFORE_BAR, self._open)
        self._timer.daemon = True
        self._timer.start()

    def update(self, share: float) -> None:
        """Move the bar."""
        self._share = share
        with self._lock:
            if self._progress is not None:
                self._progress.update(self._task, completed=share, total=1.0)

    def close(self) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._progress is not None:
                self._progress.stop()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._is_closed:
                return
            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=not _is_notebook(), markup=False, emoji=False),
                transient=True,
            )
            total = None if self._share is None else 1.0
            self._task = self._progress.add_task(
                self._what, total=total, completed=self._share or 0.0
            )
            self._progress.start()
