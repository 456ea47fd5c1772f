"""Deadline: when the preparation of a search has to end."""

from __future__ import annotations

import math
import time

__all__ = ["Deadline", "OutOfTime"]

_RESPITE = 0.02  # seconds of processor time without which there would hardly be a tree


class OutOfTime(Exception):  # noqa: N818
    """The time was over before there was anything to search."""


class Deadline:
    """Tells whether time is left.

    On a busy machine the clock runs on while nothing is done. So a little work, counted in
    processor time, is always allowed.

    Parameters
    ----------
    seconds : float, default infinity
        Time there is, from `began` on.
    began : float or None, default None
        When it began, by ``time.perf_counter``; None for now.
    respite : float or None, default None
        Seconds of processor time that are always allowed; None for a little and a quarter of the
        time.

    Examples
    --------
    >>> Deadline().left, Deadline(0.0).left
    (inf, 0.0)
    """

    def __init__(
        self, seconds: float = math.inf, began: float | None = None, respite: float | None = None
    ) -> None:
        self._end = (time.perf_counter() if began is None else began) + seconds
        if not self.is_set:
            return
        allowed = _RESPITE + seconds / 4.0 if respite is None else respite
        self._respite = time.process_time() + allowed

    @property
    def is_set(self) -> bool:
        """Whether it will ever be over."""
        return math.isfinite(self._end)

    @property
    def left(self) -> float:
        """Seconds that are left; 0 if none are."""
        return max(self._end - time.perf_counter(), 0.0)

    @property
    def is_over(self) -> bool:
        """Whether no time is left, nor anything of what is always allowed."""
        if not self.is_set or time.perf_counter() < self._end:
            return False
        return time.process_time() >= self._respite

    def check(self) -> None:
        """Go on, if there is time.

        Raises
        ------
        OutOfTime
            If there is none.
        """
        if self.is_over:
            raise OutOfTime
