"""The same trees on data of several sizes: the work, its repeats, and how time grows.

What oblique.py and logistic.py have in common.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks.common.made_data import Job, make_data
from benchmarks.common.measuring import timed
from benchmarks.common.report import Table, rows_in_short, seconds, slope
from treewright.base.progress import working

Fit = Callable[[np.ndarray, np.ndarray], Any]  # gives a model, where there is one


@dataclass(frozen=True)
class Work:
    """One tree, or one product of a table with itself."""

    method: str
    rows: int
    columns: int
    classes: int = 2

    @property
    def job(self) -> Job:
        return Job("fit", rows=self.rows, columns=self.columns, classes=self.classes)

    def make(self, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return so many rows of its table, and their labels."""
        return make_data(self.job, rows, seed)

    @property
    def data(self) -> str:
        return f"{rows_in_short(self.rows)} x {self.columns}, {self.classes} classes"


@dataclass
class Result:
    """The repeats of a piece of work."""

    work: Work
    seconds: list[float] = field(default_factory=list)
    accuracy: float | None = None  # on rows that were not trained on
    leaves: int | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def to_json(self) -> dict[str, Any]:
        """Return the work and all its measurements."""
        measured = {"seconds": self.seconds, "accuracy": self.accuracy, "leaves": self.leaves}
        return {**asdict(self.work), **measured}


def run(work: Work, fit: Fit, repeats: int, held_out: int) -> Result:
    """Do the work so many times on the same data; judge the model on so many other rows."""
    X, y = work.make(work.rows)
    result = Result(work)
    for _ in range(repeats):
        spent, model = timed(fit, X, y)
        result.seconds.append(spent)
    if held_out:
        X, y = work.make(held_out, seed=1)
        result.accuracy = float(np.mean(model.predict(X) == y))
        tree = getattr(model, "tree_", None)
        result.leaves = None if tree is None else int(tree.n_leaves)
    return result


def run_all(
    works: Sequence[Work],
    fits: Callable[[Work], Fit],
    repeats: int,
    held_out: Callable[[Work], int],
) -> list[Result]:
    """Do all the work, with a bar that shows how far it is."""
    results = []
    with working(f"{len(works)} pieces of work") as update:
        for done, work in enumerate(works, 1):
            results.append(run(work, fits(work), repeats, held_out(work)))
            if update:
                update(done / len(works))
    return results


def growth_table(results: Sequence[Result], linear: str) -> Table:
    """How time grows with rows and with columns, and what to compare the slopes with."""
    table = Table(
        "Growth of the time",
        f"Slopes of log time over log size; {linear}.",
        "method|over|sizes|times|slope",
    )
    sizes: dict[str, Callable[[Result], int]] = {
        "rows": lambda result: result.work.rows,
        "columns": lambda result: result.work.columns,
    }
    for method in dict.fromkeys(result.work.method for result in results):
        own = [result for result in results if result.work.method == method]
        for over, other in (("rows", "columns"), ("columns", "rows")):
            common = statistics.mode(map(sizes[other], own))
            chosen = sorted((r for r in own if sizes[other](r) == common), key=sizes[over])
            table.rows.append(
                [
                    method,
                    over,
                    ", ".join(rows_in_short(sizes[over](result)) for result in chosen),
                    ", ".join(seconds(result.median) for result in chosen),
                    f"{slope(map(sizes[over], chosen), (r.median for r in chosen)):.2f}",
                ]
            )
    return table
