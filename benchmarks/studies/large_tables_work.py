"""One measurement of `large_tables`, in a process of its own so that its memory can be read.

    python -m benchmarks.studies.large_tables_work KIND TARGET DEPTH SOURCE

prints CPU seconds beyond imports, megabytes at most, and what came of it, as JSON. KIND is
"partitions" (bigdata.fit), "one worker" and "two workers" (the same on a Dask cluster of processes,
whose start is not measured), "memory" (reading and fit), "lightgbm" (reading and one tree), or
"generated", where SOURCE is a number of rows that are made anew in every pass and stand nowhere.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import TreeClassifier, TreeRegressor, bigdata
from treewright.bigdata.engines import merged
from treewright.bigdata.growth import grow
from treewright.bigdata.parts import Question, Rows
from treewright.bigdata.questions import Tally
from treewright.estimators.options import GrowthOptions
from treewright.schema import Column, Schema

TARGETS = ("classes", "entropy", "ten", "number")
PART = 65_536


def columns_of(seed: int, n_rows: int, n_columns: int) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    return random.standard_normal((n_columns, n_rows), dtype=np.float32)


def targets_of(X: NDArray[np.float32], seed: int) -> dict[str, NDArray[Any]]:
    """Classes and numbers that depend on four columns, with noise."""
    random = np.random.default_rng(seed + 1_000_000_007)
    score = X[0] + 0.5 * X[1] * X[2] + np.abs(X[3]) + random.standard_normal(X.shape[1])
    two = (score > 0.8).astype(np.int8)
    ten = np.digitize(score, np.linspace(-2.0, 3.5, 9)).astype(np.int8)
    return {"classes": two, "entropy": two, "ten": ten, "number": score.astype(np.float64)}


def estimator(target: str, depth: int) -> TreeClassifier | TreeRegressor:
    if target == "number":
        return TreeRegressor(max_depth=depth)
    criterion = "entropy" if target == "entropy" else "gini"
    return TreeClassifier(max_depth=depth, criterion=criterion)


def print_of(tree: Any) -> str:
    """Give the tests and row counts of a tree as a short text that differs where they do."""
    core = tree.core
    said = [core.test(node) for node in range(core.n_nodes)], core.rows.tolist()
    return hashlib.sha256(repr(said).encode()).hexdigest()[:12]


def other_columns(target: str) -> list[str]:
    return [name for name in TARGETS if name != target]


def in_partitions(
    target: str, depth: int, source: str, client: Any | None = None
) -> dict[str, Any]:
    model = estimator(target, depth)
    settings = {"drop": other_columns(target), "progress": False, "rows_in_memory": 0}
    began = time.perf_counter()
    bigdata.fit(model, source, target, client=client, **settings)
    took, exactness = time.perf_counter() - began, model.exactness_
    return {
        "fit_seconds": took,
        "tree": print_of(model.tree_),
        "proven": exactness.is_proven,
        "passes": exactness.passes,
        "fetched": exactness.fetched,
    }


def on_workers(n_workers: int, target: str, depth: int, source: str) -> dict[str, Any]:
    from distributed import Client, LocalCluster

    settings = {"threads_per_worker": 1, "dashboard_address": None, "memory_limit": 0}
    with LocalCluster(n_workers=n_workers, **settings) as cluster, Client(cluster) as client:
        in_partitions(target, 1, source, client)  # modules are loaded, and pages of the file
        return in_partitions(target, depth, source, client)


def read_all(target: str, source: str) -> tuple[NDArray[np.float32], NDArray[Any]]:
    from pyarrow import parquet

    table = parquet.read_table(source)
    y = table.column(target).to_numpy()
    names = [name for name in table.column_names if name not in TARGETS]
    X = np.empty((table.num_rows, len(names)), dtype=np.float32, order="F")
    for place, name in enumerate(names):
        X[:, place] = table.column(name).to_numpy()
        table = table.drop_columns(name)
    return X, y


def in_memory(target: str, depth: int, source: str) -> dict[str, Any]:
    X, y = read_all(target, source)
    return {"tree": print_of(estimator(target, depth).fit(X, y).tree_)}


def by_lightgbm(target: str, depth: int, source: str) -> dict[str, Any]:
    import lightgbm

    X, y = read_all(target, source)
    kind = {"number": "regression", "ten": "multiclass"}.get(target, "binary")
    settings = {"objective": kind, "num_leaves": 2**depth, "max_depth": depth, "verbosity": -1}
    if kind == "multiclass":
        settings["num_class"] = 10
    rows = lightgbm.Dataset(X, y, params={"num_threads": 1})
    lightgbm.train({**settings, "num_threads": 1}, rows, 1)
    return {}


@dataclass
class Generated:
    """Partitions that are made when they are asked; it is an engine."""

    n_rows: int
    target: str
    n_columns: int = 10
    seconds_of_making: float = 0.0

    def ask(self, question: Question) -> Any:
        sums = question.sums() if isinstance(question, Tally) else None
        if sums is None:
            return merged(question, (question.answer(rows) for rows in self._rows(question)))
        for rows in self._rows(question):
            sums.add(rows)
        return sums.reply()

    def _rows(self, question: Question) -> Iterator[Rows]:
        for part in range(-(-self.n_rows // PART)):
            size = min(PART, self.n_rows - part * PART)
            before = time.process_time()
            X = columns_of(part, size, self.n_columns)
            y = targets_of(X, part)[self.target]
            self.seconds_of_making += time.process_time() - before
            asked = np.asfortranarray(X[list(question.columns)].T, dtype=np.float64)
            y = y.astype(np.float64 if self.target == "number" else np.int32)
            yield Rows(part, asked, question.columns, y)


def generated(target: str, depth: int, source: str) -> dict[str, Any]:
    engine = Generated(int(source), target)
    names = tuple(Column(f"x{place}", "numeric") for place in range(engine.n_columns))
    n_classes = {"number": 0, "ten": 10}.get(target, 2)
    schema = Schema(names, tuple(range(n_classes)) or None)
    task = "classification" if n_classes else "regression"
    options = GrowthOptions.of(estimator(target, depth))
    tree, exactness = grow(engine, schema, task, options)
    return {
        "making": engine.seconds_of_making,
        "tree": print_of(tree),
        "proven": exactness.is_proven,
        "passes": exactness.passes,
        "fetched": exactness.fetched,
    }


KINDS = {
    "partitions": in_partitions,
    "one worker": partial(on_workers, 1),
    "two workers": partial(on_workers, 2),
    "memory": in_memory,
    "lightgbm": by_lightgbm,
    "generated": generated,
}


def main() -> None:
    kind, target, depth, source = sys.argv[1:]
    if kind == "lightgbm":
        import lightgbm  # noqa: F401 (not its time)
    began, before = time.perf_counter(), time.process_time()
    found = KINDS[kind](target, int(depth), source)
    found["cpu"] = time.process_time() - before
    found["seconds"] = time.perf_counter() - began
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


if __name__ == "__main__":
    main()
