"""Tables in Parquet files, and growth that gathers all rows."""

from __future__ import annotations

import sys
from pathlib import Path

import growth_in_memory
import pyarrow as pa
import pytest
from parquet_tables import loans, write_parts


@pytest.fixture
def gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let trees be grown in memory of what the engines read."""
    for name in ("growth", "supported"):
        monkeypatch.setitem(sys.modules, f"treewright.bigdata.{name}", growth_in_memory)


@pytest.fixture
def table() -> pa.Table:
    return loans()


@pytest.fixture
def folder(table: pa.Table, tmp_path: Path) -> Path:
    return write_parts(table, tmp_path / "loans", 3)
