"""What one fresh process of forest.py does: grow one forest, predict with it, measure both.

    python -m benchmarks.peers.forest_work '{"library": "treewright", "rows": 1000, "columns": 5}'

prints what it measured as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.common.made_data import NOISE, Job, make_data, signal
from benchmarks.common.measuring import clocked, peak_bytes

NUMBER_SHARE = 1 / 3  # of the columns, drawn at a node of a tree for numbers (Breiman 2001)


@dataclass(frozen=True)
class ForestJob:
    """One forest."""

    library: str = ""
    rows: int = 0
    columns: int = 0
    classes: int = 2  # 0: numbers
    trees: int = 100
    threads: int = 1
    predicted: int = 1000  # rows of one call of predict
    calls: int = 3
    values: int = 0  # different ones of a column; 0: all differ
    levels: bool = False  # they are levels of categorical columns of a data frame

    def make(self, rows: int, seed: int = 0) -> tuple[Any, np.ndarray]:
        """Return so many rows, and their labels or numbers."""
        if self.values:
            return self._make_of_few(rows, seed)
        data = Job("fit", rows=rows, columns=self.columns, classes=self.classes)
        return make_data(data, rows, seed)

    def _make_of_few(self, rows: int, seed: int) -> tuple[Any, np.ndarray]:
        """Return rows of independent columns, all values alike often; two classes or numbers."""
        random = np.random.default_rng(seed)
        X = random.integers(self.values, size=(rows, self.columns)).astype(np.float64)
        middle, spread = (self.values - 1) / 2, np.sqrt((self.values**2 - 1) / 12)
        y = signal((X[:, :5] - middle) / spread)
        if self.classes:
            y = (y > np.median(y)).astype(np.int64)
            wrong = random.random(rows) < NOISE
            y[wrong] = random.integers(2, size=wrong.sum())
        else:
            y = y + 0.5 * random.standard_normal(rows)
        if not self.levels:
            return X, y
        # Levels in an order of their own: thresholds on their numbers say less than sets of them.
        mixed = np.random.default_rng(1).permutation(self.values)
        names = [f"level {code:02d}" for code in range(self.values)]
        codes = mixed[X.astype(np.intp)]
        columns = {
            f"column {j}": pd.Categorical.from_codes(codes[:, j], names)
            for j in range(self.columns)
        }
        return pd.DataFrame(columns), y


def _treewright(job: ForestJob) -> Any:
    from treewright import recipes

    common = {"n_estimators": job.trees, "n_jobs": job.threads, "random_state": 0}
    if job.classes:
        return recipes.cart_forest(**common)
    return recipes.cart_forest(task="regression", max_features=NUMBER_SHARE, **common)


def _scikit_learn(job: ForestJob) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    common: dict[str, Any] = {"n_jobs": job.threads, "random_state": 0}
    if job.classes:
        forest = RandomForestClassifier(job.trees, **common)
    else:
        forest = RandomForestRegressor(job.trees, max_features=NUMBER_SHARE, **common)
    return make_pipeline(OrdinalEncoder(), forest) if job.levels else forest


def _must_forest(job: ForestJob) -> Any:
    from treewright import recipes

    return recipes.must_forest(n_estimators=job.trees, n_jobs=job.threads, random_state=0)


def _logistic_forest(job: ForestJob) -> Any:
    from treewright import recipes

    return recipes.logistic_forest(n_estimators=job.trees, n_jobs=job.threads, random_state=0)


def _treeple(job: ForestJob) -> Any:
    from treeple import ObliqueRandomForestClassifier

    return ObliqueRandomForestClassifier(job.trees, n_jobs=job.threads, random_state=0)


LIBRARIES: dict[str, Callable[[ForestJob], Any]] = {
    "treewright": _treewright,
    "scikit-learn": _scikit_learn,
    "must_forest": _must_forest,
    "logistic_forest": _logistic_forest,
    "treeple": _treeple,
}


def make_forest(job: ForestJob) -> Any:
    """Return an unfitted forest, its trees grown until leaves are pure."""
    return LIBRARIES[job.library](job)


def measure(job: ForestJob) -> dict[str, Any]:
    """Fit once, predict a few times; memory is what the peak rises by over the data, in bytes."""
    warm = job.make(200)
    make_forest(job).fit(*warm).predict(warm[0])  # loads what is loaded at first use
    X, y = job.make(job.rows)
    forest = make_forest(job)
    before = peak_bytes()
    elapsed, busy, _ = clocked(forest.fit, X, y)
    memory = peak_bytes() - before
    others, answers = job.make(job.predicted, seed=1)
    calls = [clocked(forest.predict, others)[:2] for _ in range(job.calls)]
    return {
        "fit": {"elapsed": elapsed, "busy": busy},
        "predict": {
            "elapsed": min(passed for passed, _ in calls),
            "busy": min(spent for _, spent in calls),
        },
        "memory": memory,
        "input_bytes": int(X.memory_usage().sum()) if job.levels else X.nbytes,
        "score": float(forest.score(others, answers)),
    }


def main() -> None:
    print(json.dumps(measure(ForestJob(**json.loads(sys.argv[1])))))


if __name__ == "__main__":
    main()
