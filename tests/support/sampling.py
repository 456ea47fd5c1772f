"""A few of many cases for a quick run, all of them for `nox -s slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some_quick(cases: Iterable[Any], every: int) -> list[Any]:
    """Mark all but the first of every so many cases as slow; a tuple holds several values."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if place % every == 0 else pytest.mark.slow,
        )
        for place, case in enumerate(cases)
    ]
