"""A bar below a cell of a notebook, for work that takes more than a second."""

from __future__ import annotations

import sys
import time
import types

import pytest

from treewright.base import progress


@pytest.fixture
def written(monkeypatch):
    """What is shown where a notebook is there, with a bar that comes at once."""
    shown = []
    monkeypatch.setattr(progress, "_SECONDS_BEFORE_BAR", 0.0)
    monkeypatch.setattr(progress._Bar, "_open", lambda bar: shown.append(bar._what))
    return shown


def test_a_notebook_is_shown_the_progress(written, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    with progress.working("Fitting:\n\x1b[31mtrees") as update:
        assert update is not None
        update(0.5)
        for _ in range(100):
            if written:
                break
            time.sleep(0.01)
    assert written == ["Fitting: ?[31mtrees"]


def test_where_nobody_looks_nothing_is_shown(written, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    with progress.working("Fitting") as update:
        assert update is None
    assert written == []
