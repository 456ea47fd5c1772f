"""Time and memory of one call."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

KIBIBYTE = 1 if sys.platform == "darwin" else 1024  # unit of ru_maxrss


def peak_bytes() -> int:
    """Return the most memory this process has held so far.

    Linux counts what the process held which started this one into ``ru_maxrss``, so that a small
    process of a large one seems to need nothing.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    own = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
    return own[0] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return process CPU seconds of a call, and what it gave."""
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def clocked(function: Callable[..., Any], *arguments: Any) -> tuple[float, float, Any]:
    """Return seconds that passed, process CPU seconds of all threads, and what a call gave."""
    start, busy = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return time.perf_counter() - start, time.process_time() - busy, result
