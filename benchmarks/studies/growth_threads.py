"""How much sooner one tree is grown on several threads, and that it is the same tree.

    python -m benchmarks.studies.growth_threads --output benchmarks/results/growth_threads.md

Tables of random numbers are made from a seed, and fits on one thread and on several take turns.
Beside the least time by the clock stand the CPU time of all threads and that of the busiest one
(those beside the calling thread counted by their mean), below which the clock cannot fall: on a
busy machine it says how well the work is divided.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import Table, count, describe_machine, print_tables, verdict
from treewright import TreeClassifier

ASKED = {"axis": 1.8, "must": 1.7, "logistic": 1.7}  # times as fast on two threads


@dataclass(frozen=True)
class Case:
    """One table, and how a tree is grown on it."""

    split: str
    n_rows: int
    n_columns: int
    settings: dict[str, Any] = field(default_factory=dict)

    def table(self, quick: bool) -> tuple[np.ndarray, np.ndarray]:
        chance = np.random.default_rng(0)
        X = chance.normal(size=(self.n_rows // 100 if quick else self.n_rows, self.n_columns))
        score = X[:, 0] + X[:, 1] * X[:, 2] + chance.normal(size=len(X))
        return X, (score > 0).astype(int)


CASES = (
    Case("axis", 1_000_000, 20),
    Case("axis", 1_000_000, 20, {"max_depth": 8}),
    Case("axis", 100_000, 100),
    Case("must", 200_000, 20, {"max_depth": 10}),
    Case("logistic", 200_000, 20, {"max_depth": 8, "min_samples_leaf": 20}),
)


def seconds(model: TreeClassifier, X: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Return seconds by the clock, CPU seconds, and those of the busiest thread."""
    start = time.perf_counter(), time.process_time(), time.thread_time()
    model.fit(X, y)
    end = time.perf_counter(), time.process_time(), time.thread_time()
    clock, busy, own = (after - before for after, before in zip(end, start, strict=True))
    return clock, busy, max(own, (busy - own) / max(model.n_jobs - 1, 1))


def is_same(one: TreeClassifier, other: TreeClassifier) -> bool:
    """Tell whether two trees are equal in every number."""
    states = [model.tree_.core.state() for model in (one, other)]
    return all(np.array_equal(states[0][name], states[1][name]) for name in states[0])


def main() -> None:
    parser = make_parser("Times to grow one tree on threads.")
    parser.add_argument("--threads", type=int, default=2)
    options = read(parser, [])
    table = Table(
        f"One tree on {options.threads} threads",
        f"The least of {options.repeats}; asked by the clock: CART 1.8 times as fast, others 1.7.",
        "method|rows x columns|leaves|one thread|its CPU|threads|their CPU|the busiest|"
        "times as fast|in its work|",
    )
    found = []
    for case in CASES:
        X, y = case.table(options.quick)
        runs: dict[int, list[tuple[float, float, float]]] = {1: [], options.threads: []}
        models = {}
        for _ in range(options.repeats):
            for n_jobs, times in runs.items():
                models[n_jobs] = TreeClassifier(case.split, n_jobs=n_jobs, **case.settings)
                times.append(seconds(models[n_jobs], X, y))
        one, many = ([min(each) for each in zip(*times, strict=True)] for times in runs.values())
        same = is_same(*models.values())
        by_clock, by_work = one[0] / many[0], one[1] / many[2]
        found.append({"case": str(case), "one": runs[1], "threads": runs[options.threads]})
        misses = ["speed"] * (by_clock < ASKED[case.split]) + ["tree"] * (not same)
        table.rows.append(
            [
                " ".join([case.split, *(f"{k}={v}" for k, v in case.settings.items())]),
                f"{count(len(X))} x {case.n_columns}",
                str(models[1].tree_.n_leaves),
                *(f"{time:.2f} s" for time in (one[0], one[1], many[0], many[1], many[2])),
                f"{by_clock:.2f}",
                f"{by_work:.2f}",
                verdict(misses),
            ]
        )
    print_tables([table])
    if options.output:
        machine = describe_machine()
        about = (
            f"On {machine['processor']} ({machine['architecture']}, {machine['cores']} cores), "
            f"{machine['system']}, Python {machine['python']}."
        )
        text = f"# Growth on threads\n\n{about}\n\n{table.to_markdown()}"
        options.output.write_text(text, encoding="utf-8")
        kept = json.dumps({"machine": machine, "results": found}, indent=1)
        options.output.with_suffix(".json").write_text(kept + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
