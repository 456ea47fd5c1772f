"""What one fresh process of optimal.py does: search one optimal tree, and measure that.

    python -m benchmarks.peers.optimal_work '{"library": "treewright", "path": "anneal.txt"}'

prints what it measured as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.binary_sets import read_binary
from benchmarks.common.measuring import clocked, peak_bytes

MOST_REPEATS = 25  # of a search shorter than this many seconds together
ENOUGH = 2.0


@dataclass(frozen=True)
class OptimalJob:
    """One tree."""

    library: str = ""
    path: str = ""  # of a binary file, or of a table of numbers (.npz)
    depth: int = 4
    alpha: int = 0
    threads: int = 1
    limit: float = 300.0  # seconds

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        if self.path.endswith(".npz"):
            with np.load(self.path) as kept:
                return kept["X"], kept["y"]
        return read_binary(Path(self.path))


@dataclass
class Case:
    """The same tree by several libraries, and what was measured of each."""

    name: str
    job: OptimalJob
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """What a library says of its tree."""

    model: Any
    proven: bool


def _treewright(job: OptimalJob, X: np.ndarray, y: np.ndarray, thresholds: str = "auto") -> Found:
    from treewright import OptimalTreeClassifier
    from treewright.exceptions import NotProvenWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)  # the certificate says so, too
        model = OptimalTreeClassifier(
            max_depth=job.depth,
            pair_levels=job.alpha,
            n_jobs=job.threads,
            time_limit=job.limit,
            thresholds=thresholds,
        ).fit(X, y)
    return Found(model, model.certificate_.proven)


def _every_threshold(job: OptimalJob, X: np.ndarray, y: np.ndarray) -> Found:
    return _treewright(job, X, y, "all")


def _pystreed(job: OptimalJob, X: np.ndarray, y: np.ndarray) -> Found:
    from pystreed import STreeDClassifier

    model = STreeDClassifier(max_depth=job.depth, time_limit=job.limit).fit(X, y)
    return Found(model, bool(model.fit_result.is_optimal()))


def _pydl85(job: OptimalJob, X: np.ndarray, y: np.ndarray) -> Found:
    from pydl85 import DL85Classifier

    model = DL85Classifier(max_depth=job.depth, time_limit=job.limit).fit(X, y)
    return Found(model, not model.timeout_)


def _pycontree(job: OptimalJob, X: np.ndarray, y: np.ndarray) -> Found:
    from pycontree import ConTree

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = ConTree(max_depth=job.depth, time_limit=job.limit).fit(X.astype(float), y)
    return Found(model, not told)


LIBRARIES: dict[str, Callable[[OptimalJob, np.ndarray, np.ndarray], Found]] = {
    "treewright": _treewright,
    "every threshold": _every_threshold,
    "pystreed": _pystreed,
    "pydl8.5": _pydl85,
    "pycontree": _pycontree,
}


def measure(job: OptimalJob) -> dict[str, Any]:
    """Search a few times if that is quick; memory is the peak of the process, in bytes."""
    X, y = job.read()
    search = LIBRARIES[job.library]
    warm = np.arange(12)
    columns = np.stack([warm % 2, warm % 3 == 0], axis=1).astype(X.dtype)
    search(OptimalJob(job.library, depth=2), columns, y[:12] if len({*y[:12]}) > 1 else warm % 2)
    before = peak_bytes()
    runs: list[tuple[float, float]] = []
    while not runs or (len(runs) < MOST_REPEATS and sum(spent for spent, _ in runs) < ENOUGH):
        elapsed, busy, found = clocked(search, job, X, y)
        runs.append((elapsed, busy))
    peak = peak_bytes()
    answers = np.asarray(found.model.predict(X))
    return {
        "elapsed": min(elapsed for elapsed, _ in runs),
        "busy": min(busy for _, busy in runs),
        "repeats": len(runs),
        "memory": peak,
        "rise": peak - before,
        "errors": int(np.sum(answers != y)),
        "proven": found.proven,
        "rows": len(y),
        "columns": X.shape[1],
    }


def main() -> None:
    print(json.dumps(measure(OptimalJob(**json.loads(sys.argv[1])))))


if __name__ == "__main__":
    main()
