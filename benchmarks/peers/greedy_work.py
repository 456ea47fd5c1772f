"""What one fresh process of peers_greedy.py does: make the data, do one piece of work, measure it.

    python greedy_work.py '{"work": "fit", "library": "treewright", "rows": 1000, "columns": 5}'

prints what it measured as one line of JSON. A process does one thing so that its peak memory is
that of the thing, and so that no library finds caches or memory warmed by another.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 4096  # rows made at a time, so that making the data leaves no peak of its own
NOISE = 0.1  # share of labels replaced by a random one
KIBIBYTE = 1 if sys.platform == "darwin" else 1024  # unit of ru_maxrss


@dataclass(frozen=True)
class Job:
    """One piece of work."""

    work: str  # "fit", "predict", "argsort" or "hook"
    library: str = "numpy"
    rows: int = 0
    columns: int = 0
    classes: int = 2  # 0: regression
    distinct: int | None = None  # about how many values a column has; None: all differ
    depth: int | None = None
    measure: str = "gini"
    batch: int = 0  # rows of one call of predict
    calls: int = 1


# ---------------------------------------------------------------------------------------- data


def signal(X: np.ndarray) -> np.ndarray:
    """Return what the label depends on: five columns, with a product and two bends."""
    return X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + np.abs(X[:, 4])


def make_data(job: Job, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of independent normal columns, and labels or numbers.

    Classes are equal slices of the signal, 10 % of the labels are replaced at random; numbers are
    the signal with normal noise. The columns beyond the fifth say nothing.
    """
    random = np.random.default_rng(seed)
    X = np.empty((rows, job.columns))
    y = np.empty(rows, dtype=np.int64 if job.classes else np.float64)
    sample = signal(np.random.default_rng(1).standard_normal((20_000, 5)))
    cuts = np.quantile(sample, np.arange(1, max(job.classes, 1)) / max(job.classes, 1))
    for start in range(0, rows, BLOCK):
        block = X[start : start + BLOCK]
        random.standard_normal(out=block)
        if job.distinct is not None:
            np.round(block * (job.distinct / 6), out=block)
        scores = signal(block if job.distinct is None else block / (job.distinct / 6))
        if job.classes:
            labels = np.searchsorted(cuts, scores)
            wrong = random.random(len(block)) < NOISE
            labels[wrong] = random.integers(job.classes, size=wrong.sum())
            y[start : start + BLOCK] = labels
        else:
            y[start : start + BLOCK] = scores + 0.5 * random.standard_normal(len(block))
    return X, y


# ----------------------------------------------------------------------------------- libraries


def make_model(job: Job) -> Any:
    """Return an unfitted tree: exact, one thread, grown to `depth` or until leaves are pure."""
    if job.library.startswith("treewright"):
        from treewright import TreeClassifier, TreeRegressor

        readable = job.library == "treewright"
        if not job.classes:
            return TreeRegressor(max_depth=job.depth, readable=readable, random_state=0)
        return TreeClassifier(
            measure=job.measure, max_depth=job.depth, readable=readable, random_state=0
        )
    if job.library == "scikit-learn":
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        if not job.classes:
            return DecisionTreeRegressor(max_depth=job.depth, random_state=0)
        return DecisionTreeClassifier(criterion=job.measure, max_depth=job.depth, random_state=0)
    import snapml

    exact = {"use_histograms": False, "n_jobs": 1, "max_depth": job.depth, "random_state": 0}
    if not job.classes:
        return snapml.DecisionTreeRegressor(**exact)
    return snapml.DecisionTreeClassifier(criterion=job.measure, **exact)


def count_leaves(model: Any) -> int | None:
    """Return the number of leaves, where the library tells it."""
    return int(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else None


# ---------------------------------------------------------------------------------------- work


def peak_bytes() -> int:
    """Return the most memory this process has held so far.

    Linux counts what the process held which started this one into ``ru_maxrss``, so that a small
    process of a large one seems to need nothing.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    own = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
    return own[0] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return process CPU seconds of a call, and what it gave."""
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def fit(job: Job) -> dict[str, Any]:
    """Fit once; memory is what the peak rises by over the data, in bytes."""
    warm = make_data(job, 200)
    make_model(job).fit(*warm).predict(warm[0])  # loads what is loaded at first use
    X, y = make_data(job, job.rows)
    model = make_model(job)
    before = peak_bytes()
    seconds, _ = timed(model.fit, X, y)
    memory = peak_bytes() - before
    return {
        "seconds": seconds,
        "memory": memory,
        "input_bytes": X.nbytes,
        "leaves": count_leaves(model),
        "training_score": round(float(model.score(X[:BLOCK], y[:BLOCK])), 4),
    }


def predict(job: Job) -> dict[str, Any]:
    """Predict rows that were not trained on, `calls` times; seconds are those of one call."""
    model = make_model(job).fit(*make_data(job, job.rows))
    X, _ = make_data(job, job.batch, seed=2)
    model.predict(X[:BLOCK])
    if job.batch <= 1000:  # one call is too short for the clock
        total, _ = timed(lambda: [model.predict(X) for _ in range(job.calls)])
        return {"seconds": total / job.calls, "leaves": count_leaves(model)}
    times = [timed(model.predict, X)[0] for _ in range(job.calls)]
    return {"seconds": statistics.median(times), "leaves": count_leaves(model)}


def argsort(job: Job) -> dict[str, Any]:
    """Sort every column once: what an exact method can hardly do without."""
    X, _ = make_data(job, job.rows)
    np.argsort(X[:100, 0])

    def sort_columns() -> None:
        for column in range(job.columns):
            np.argsort(np.ascontiguousarray(X[:, column]))

    return {"seconds": timed(sort_columns)[0]}


def hook(job: Job) -> dict[str, Any]:
    """Grow a tree of many tiny nodes with a split method in Python, or with its twin in C++.

    Rows are 0, 1, 2, ... and labels alternate, so halving goes on to single rows. The method of
    the core that cuts at the mean halves every node; the one in Python gives the same cuts from
    a list, in the order in which nodes are visited. What is left is the cost of calling Python.
    """
    from treewright import TreeClassifier, split_method
    from treewright.predicates import Axis
    from treewright.splits import Example

    X = np.arange(float(job.rows))[:, None]
    y = np.arange(job.rows) % 2
    options = {"zero_gain": True, "readable": False, "random_state": 0}
    twin = TreeClassifier(split=Example(), **options).fit(X, y)
    if job.library == "C++":
        seconds, _ = timed(TreeClassifier(split=Example(), **options).fit, X, y)
        return {"seconds": seconds, "nodes": twin.tree_.n_leaves - 1}

    tests = iter(_halving(0, job.rows, Axis))

    @split_method
    def listed(node: Any, rng: Any) -> Any:
        return next(tests)

    model = TreeClassifier(split=listed, **options)
    seconds, _ = timed(model.fit, X, y)
    if model.tree_ != twin.tree_:
        raise RuntimeError("The method in Python and its twin in C++ grew different trees.")
    return {"seconds": seconds, "nodes": twin.tree_.n_leaves - 1}


def _halving(first: int, end: int, make_test: Callable[[int, float], Any]) -> list[Any]:
    """Return the cuts at the mean of all nodes with more than one row, parents first."""
    if end - first < 2:
        return []
    mean = (first + end - 1) / 2
    middle = int(mean) + 1
    left, right = _halving(first, middle, make_test), _halving(middle, end, make_test)
    return [make_test(0, mean), *left, *right]


def do(job: Job) -> dict[str, Any]:
    """Return what a job measures."""
    return {"fit": fit, "predict": predict, "argsort": argsort, "hook": hook}[job.work](job)


def main() -> None:
    print(json.dumps(do(Job(**json.loads(sys.argv[1])))))


if __name__ == "__main__":
    main()
