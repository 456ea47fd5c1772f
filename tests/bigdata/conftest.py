"""Tables in Parquet files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from parquet_tables import loans, write_parts


@pytest.fixture
def table() -> pa.Table:
    return loans()


@pytest.fixture
def folder(table: pa.Table, tmp_path: Path) -> Path:
    return write_parts(table, tmp_path / "loans", 3)
