"""What one fresh process of readable_speed.py does: fit one readable tree and measure it.

    python -m benchmarks.studies.readable_speed_work '{"rows": 1000, "columns": 20}'

prints what it measured as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.data_sets import read_sets
from benchmarks.common.made_data import Job, make_data
from benchmarks.common.measuring import clocked
from treewright import ReadableTreeClassifier, ReadableTreeRegressor

WARMING = 200  # rows of a first fit, which is not measured


@dataclass(frozen=True)
class SpeedJob:
    """One readable tree."""

    library: str = "treewright"
    rows: int = 0
    columns: int = 0
    classes: int = 2  # 0: numbers
    table: str = ""  # a set of the folder, in place of made rows
    folder: str = ""
    size: int = 0  # leaves; 0: chosen by folds
    threads: int = 1

    def make(self) -> tuple[Any, np.ndarray]:
        """Return the rows, and their labels or numbers."""
        if self.table:
            (data,), _ = read_sets(Path(self.folder), [self.table])
            return data.rows(np.arange(data.n_rows)), data.target
        return make_data(Job("fit", columns=self.columns, classes=self.classes), self.rows)


def main() -> None:
    job = SpeedJob(**json.loads(sys.argv[1]))
    kind = ReadableTreeClassifier if job.classes else ReadableTreeRegressor
    X, y = make_data(Job("fit", columns=5, classes=min(job.classes, 2)), WARMING)
    kind(n_jobs=job.threads).fit(X, y)
    X, y = job.make()
    model = kind(size=job.size or "cv", n_jobs=job.threads)
    passed, busy, _ = clocked(model.fit, X, y)
    measured = {"seconds": passed, "cpu_seconds": busy, "leaves": int(model.tree_.n_leaves)}
    print(json.dumps({**measured, "score": round(float(model.score(X, y)), 4)}))


if __name__ == "__main__":
    main()
