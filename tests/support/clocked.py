"""Promises of time: kept where the machine is ours, and left to the slow session elsewhere."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

import pytest

__all__ = ["clocked"]

Arguments = ParamSpec("Arguments")

_TRIES = 3


def clocked(test: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Let a slow test pass that keeps its time in one of three runs.

    Where a machine stands still for seconds, processor time runs on. What is too slow is so in
    every run.
    """

    @pytest.mark.slow
    @functools.wraps(test)
    def run(*given: Arguments.args, **named: Arguments.kwargs) -> None:
        for attempt in range(_TRIES):
            try:
                return test(*given, **named)
            except AssertionError:
                if attempt == _TRIES - 1:
                    raise
        return None

    return run
