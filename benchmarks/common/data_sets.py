"""The shared data sets, as the benchmarks read them.

They are not part of the repository: a folder holds one text file a set and `manifest.json`, which
says of each set its file, its target, and which columns are numbers and which are categories.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.preprocessing import OneHotEncoder

from treewright.files import read_table

# Leroux, Boussard, Dès, Inducing Readable Oblique Decision Trees, Table I.
MUST_SETS = (
    *("heart", "pima", "glass", "wine", "survival", "letter", "bupa", "balance_scale"),
    *("statlog_australian", "income", "bank"),
)


@dataclass(frozen=True)
class DataSet:
    """A table with a class or number to predict; categories are text, None where missing."""

    name: str
    columns: dict[str, np.ndarray]
    categorical: tuple[str, ...]
    target: np.ndarray

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @property
    def is_regression(self) -> bool:
        return self.target.dtype.kind == "f"

    def rows(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return these rows of the table, as the estimators of treewright take them."""
        return {name: column[rows] for name, column in self.columns.items()}

    def shuffled(self, seed: int) -> DataSet:
        """Return the same table with its columns in random order."""
        names = [str(name) for name in np.random.default_rng(seed).permutation([*self.columns])]
        columns = {name: self.columns[name] for name in names}
        categorical = tuple(name for name in names if name in self.categorical)
        return DataSet(self.name, columns, categorical, self.target)

    def sample(self, n_rows: int, seed: int = 0) -> DataSet:
        """Return at most so many rows, taken at random and kept in order."""
        if n_rows >= self.n_rows:
            return self
        taken = np.sort(np.random.default_rng(seed).permutation(self.n_rows)[:n_rows])
        return DataSet(self.name, self.rows(taken), self.categorical, self.target[taken])


def as_numbers(data: DataSet, trained: np.ndarray, other: np.ndarray) -> list[np.ndarray]:
    """Return the rows to train on and others for scikit-learn, which has no categorical columns.

    Each level that is trained on becomes a column of zeros and ones, a missing cell a level of its
    own; numbers that are missing stay so.
    """
    numbers = [column for name, column in data.columns.items() if name not in data.categorical]
    parts = [[column[rows, None] for column in numbers] for rows in (trained, other)]
    if data.categorical:
        texts = np.column_stack([data.columns[name] for name in data.categorical])
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(texts[trained])
        for part, rows in zip(parts, (trained, other), strict=True):
            part.append(encoder.transform(texts[rows]))
    return [np.hstack(part) for part in parts]


def default_folder() -> Path:
    """Return where the data sets are expected, present or not."""
    named = os.environ.get("TREEWRIGHT_DATA")
    return Path(named) if named else Path(__file__).parents[3] / "shared" / "data"


def read_sets(folder: Path, names: Iterable[str]) -> tuple[list[DataSet], list[str]]:
    """Return the sets that are there, and the names of those that are not."""
    manifest = folder / "manifest.json"
    listed = json.loads(manifest.read_text())["datasets"] if manifest.is_file() else []
    entries = {entry["name"]: entry for entry in [*listed, *_more_tables(folder)]}
    found, absent = [], []
    for name in names:
        entry = entries.get(name)
        if entry is not None and (folder / entry["file"]).is_file():
            found.append(_read(folder, entry))
        else:
            absent.append(name)
    return found, absent


def _more_tables(folder: Path) -> list[dict[str, Any]]:
    """Describe the tables of the Penn Machine Learning Benchmarks, as `pmlb/NAME`."""
    manifest = folder / "pmlb" / "manifest.json"
    listed = json.loads(manifest.read_text()) if manifest.is_file() else []
    return [
        {
            "name": f"pmlb/{entry['name']}",
            "file": f"pmlb/{entry['name']}.tsv.gz",
            "target": "target",
            "categorical_columns": [],  # their categories are whole numbers
            "n": entry["rows"],
            "n_features": entry["columns"],
            "n_classes": entry["task"],
        }
        for entry in listed
    ]


def _read(folder: Path, entry: dict[str, Any]) -> DataSet:
    name, target, categorical = entry["name"], entry["target"], tuple(entry["categorical_columns"])
    is_regression = entry.get("n_classes") == "regression"
    text = [*categorical, *(() if is_regression else (target,))]
    columns = read_table(folder / entry["file"], text=text)
    labels = np.asarray(columns.pop(target), dtype=float if is_regression else str)
    if len(labels) != entry["n"] or len(columns) != entry["n_features"]:
        raise SystemExit(
            f"{name}: the manifest promises {entry['n']} rows and {entry['n_features']} columns; "
            f"its file has {len(labels)} and {len(columns)}."
        )
    return DataSet(name, columns, categorical, labels)
