"""Tables in Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pyarrow as pa


@pytest.fixture
def table() -> pa.Table:
    pytest.importorskip("pyarrow")
    from parquet_tables import loans

    return loans()


@pytest.fixture
def folder(table: pa.Table, tmp_path: Path) -> Path:
    from parquet_tables import write_parts

    return write_parts(table, tmp_path / "loans", 3)
