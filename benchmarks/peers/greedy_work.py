"""What one fresh process of greedy.py does: make the data, do one piece of work, measure it.

    python -m benchmarks.peers.greedy_work \\
        '{"work": "fit", "library": "treewright", "rows": 1000, "columns": 5}'

prints what it measured as one line of JSON. A process does one thing so that its peak memory is
that of the thing, and so that no library finds caches or memory warmed by another.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.common.made_data import BLOCK, Job, make_data
from benchmarks.common.measuring import peak_bytes, timed

# ----------------------------------------------------------------------------------- libraries


def make_model(job: Job) -> Any:
    """Return an unfitted tree: exact, one thread, grown to `depth` or until leaves are pure."""
    if job.library.startswith("treewright"):
        from treewright import TreeClassifier, TreeRegressor

        readable = job.library == "treewright"
        if not job.classes:
            return TreeRegressor(max_depth=job.depth, readable=readable, random_state=0)
        return TreeClassifier(
            criterion=job.measure, max_depth=job.depth, readable=readable, random_state=0
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
    from treewright.estimators import GrowthRules
    from treewright.predicates import Axis
    from treewright.splits import Example

    X = np.arange(float(job.rows))[:, None]
    y = np.arange(job.rows) % 2
    options = {"growth_rules": GrowthRules(zero_gain=True), "readable": False, "random_state": 0}
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
