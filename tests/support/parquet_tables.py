"""A table with every kind of column, in memory and in Parquet files."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

__all__ = ["loans", "write_parts"]


def loans(n_rows: int = 300, seed: int = 0) -> pa.Table:
    """A table with every kind of column, missing values, and a target."""
    random = np.random.default_rng(seed)
    income = random.normal(40, 15, n_rows).round(1)
    home = random.choice(["rent", "own", "parents"], n_rows)
    is_missing = random.random((4, n_rows)) < 0.1
    grade = pa.DictionaryArray.from_arrays(
        pa.array(random.integers(0, 3, n_rows), mask=is_missing[3]),
        ["low", "mid", "high"],
        ordered=True,
    )
    return pa.table(
        {
            "income": pa.array(income, mask=is_missing[0]),
            "home": pa.array(home, mask=is_missing[1]),
            "children": random.integers(0, 5, n_rows),
            "member": pa.array(random.random(n_rows) < 0.5, mask=is_missing[2]),
            "grade": grade,
            "note": pa.nulls(n_rows),
            "repaid": np.where((income > 35) ^ (home == "rent"), "yes", "no"),
            "amount": (income * 3 + random.normal(0, 5, n_rows)).round(2),
            "weight": random.integers(0, 4, n_rows).astype(float),
        }
    )


def write_parts(table: pa.Table, folder: Path, n_files: int, row_group_size: int = 40) -> Path:
    """Write a table as several files."""
    folder.mkdir(exist_ok=True)
    ends = np.linspace(0, table.num_rows, n_files + 1).astype(int)
    for place, (start, stop) in enumerate(itertools.pairwise(ends)):
        path = folder / f"part-{place}.parquet"
        parquet.write_table(table.slice(start, stop - start), path, row_group_size=row_group_size)
    return folder
