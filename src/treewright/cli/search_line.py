"""A line for a search of more than a second: time, best tree so far, bound, optimality gap.

It stands on a terminal's standard error only, and leaves no trace.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.optimal import SearchProgress

__all__ = ["line_text", "searching"]

_SECONDS_BEFORE_LINE = 1.0


@contextlib.contextmanager
def searching() -> Iterator[Callable[[SearchProgress], None] | None]:
    """Show how far a search is while it goes on for more than a second.

    Yields
    ------
    callable or None
        The `progress` of an optimal tree; None where nobody is looking.
    """
    if not sys.stderr.isatty():
        yield None
        return
    line = _Line()
    try:
        yield line.update
    finally:
        line.close()


def line_text(progress: SearchProgress) -> str:
    """Say in one line how far a search is.

    Examples
    --------
    >>> from treewright.optimal import SearchProgress
    >>> line_text(SearchProgress(12.3, 118.0, 90.0, 7, 49))
    'Searching 12 s (Ctrl-C ends it): best 118, bound 90, optimality gap 24 %, 7 of 49 roots done'
    """
    return (
        f"Searching {progress.elapsed:.0f} s (Ctrl-C ends it): best {progress.best:.6g}, bound "
        f"{progress.bound:.6g}, optimality gap {100 * progress.gap:.0f} %, {progress.closed} of "
        f"{progress.total} roots done"
    )


class _Line:
    """The line; it appears after a second."""

    def __init__(self) -> None:
        self._live: Any = None

    def update(self, progress: SearchProgress) -> None:
        """Write the line again."""
        if progress.elapsed < _SECONDS_BEFORE_LINE:
            return
        from rich.text import Text

        text = Text(line_text(progress), overflow="ellipsis", no_wrap=True)
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, markup=False, emoji=False)
            self._live = Live(text, console=console, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(text, refresh=True)

    def close(self) -> None:
        """Take the line away."""
        if self._live is not None:
            self._live.stop()
