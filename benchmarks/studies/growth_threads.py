"""How much sooner one tree is grown on several threads, and that it is the same tree.

    python -m benchmarks.studies.growth_threads [--only CASE] [--repeats N]
        --output benchmarks/results/growth_threads.md

Tables of random numbers are made from a seed, and fits on one thread and on several take turns.
Beside the least time by the clock stand the CPU time of all threads and that of the busiest one
(those beside the calling thread counted by their mean), below which the clock cannot fall: on a
busy machine it says how well the work is divided.

What the machine allows is measured too: the same fit on one thread in a process by itself, and in
as many processes side by side as there are threads. These share nothing but memory and its
bandwidth, so that no program that divides the same work can gain more.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import Table, count, describe_machine, print_tables, times, verdict
from treewright import TreeClassifier

ASKED = {"axis": 1.8, "must": 1.7, "logistic": 1.7}  # times as fast on two threads
LEAVES, SAME = "leaves", "same tree"

all_ready: Barrier  # of the processes that begin together


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


CASES = {
    "CART 1M": Case("axis", 1_000_000, 20),
    "CART 1M, depth 8": Case("axis", 1_000_000, 20, {"max_depth": 8}),
    "CART 100k": Case("axis", 100_000, 100),
    "MUST": Case("must", 200_000, 20, {"max_depth": 10}),
    "Logistic": Case("logistic", 200_000, 20, {"max_depth": 8, "min_samples_leaf": 20}),
}


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


def wait_for(start: Barrier) -> None:
    """Keep the barrier of the processes that begin together."""
    global all_ready
    all_ready = start


def fit_with_others(case: Case, quick: bool) -> float:
    """Fit on one thread when all processes are ready; return how long it took by the clock."""
    X, y = case.table(quick)
    model = TreeClassifier(case.split, n_jobs=1, **case.settings)
    all_ready.wait(timeout=600)
    return seconds(model, X, y)[0]


def side_by_side(case: Case, quick: bool, n_processes: int) -> float:
    """Return seconds by the clock of the slowest of so many processes that do the same at once."""
    context = multiprocessing.get_context("spawn")  # each has a table of its own
    start = context.Barrier(n_processes)
    with ProcessPoolExecutor(n_processes, context, wait_for, (start,)) as pool:
        fits = [pool.submit(fit_with_others, case, quick) for _ in range(n_processes)]
        return max(fit.result() for fit in fits)


def measure(case: Case, options: Any) -> dict[str, Any]:
    """Return all times of a case, and whether the trees are the same."""
    X, y = case.table(options.quick)
    runs: dict[int, list[tuple[float, float, float]]] = {1: [], options.threads: []}
    models = {}
    for _ in range(options.repeats):
        for n_jobs, spent in runs.items():
            models[n_jobs] = TreeClassifier(case.split, n_jobs=n_jobs, **case.settings)
            spent.append(seconds(models[n_jobs], X, y))
    counts = (1, options.threads) * options.machine_repeats
    alone: dict[int, list[float]] = {1: [], options.threads: []}
    for n_processes in counts:
        alone[n_processes].append(side_by_side(case, options.quick, n_processes))
    return {
        "one": runs[1],
        "threads": runs[options.threads],
        "n_threads": options.threads,
        "one process": alone[1],
        "processes": alone[options.threads],
        "rows": len(X),
        LEAVES: models[1].tree_.n_leaves,
        SAME: is_same(*models.values()),
    }


def table_of(found: dict[str, dict[str, Any]]) -> Table:
    """Return the table of all cases that were measured."""
    table = Table(
        "One tree on threads",
        "The least of the repeats; asked by the clock of two threads: CART 1.8 times as fast, "
        "others 1.7. The machine's gain is what as many processes side by side do in the time of "
        "one by itself.",
        "method|rows x columns|leaves|threads|one thread|its CPU|all threads|their CPU|the busiest|"
        "gain|in its work|the machine's gain|",
    )
    for name, case in CASES.items():
        if name not in found:
            continue
        of_case = found[name]
        one, many = (
            [min(each) for each in zip(*of_case[runs], strict=True)] for runs in ("one", "threads")
        )
        by_clock, by_work = one[0] / many[0], one[1] / many[2]
        allowed = None
        if of_case["processes"]:
            allowed = of_case["n_threads"] * min(of_case["one process"]) / min(of_case["processes"])
        misses = ["speed"] * (by_clock < ASKED[case.split]) + ["tree"] * (not of_case[SAME])
        table.rows.append(
            [
                " ".join([case.split, *(f"{k}={v}" for k, v in case.settings.items())]),
                f"{count(of_case['rows'])} x {case.n_columns}",
                *(str(of_case[LEAVES]), str(of_case["n_threads"])),
                *(f"{time:.2f} s" for time in (one[0], one[1], many[0], many[1], many[2])),
                *(times(gain) for gain in (by_clock, by_work, allowed)),
                verdict(misses),
            ]
        )
    return table


def kept_before(output: Path | None, machine: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what an earlier run on this machine wrote about other cases."""
    path = output and output.with_suffix(".json")
    if not path or not path.is_file():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return dict(kept["cases"]) if kept.get("machine") == machine else {}


def main() -> None:
    parser = make_parser("Times to grow one tree on threads.")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--machine-repeats", type=int, default=1, help="of what the machine allows; 0: not measured"
    )
    options = read(parser, [*CASES])
    machine = describe_machine()
    found = kept_before(options.output, machine) if options.only else {}
    for name in options.only or CASES:
        found[name] = measure(CASES[name], options)
    table = table_of(found)
    print_tables([table])
    if options.output:
        about = (
            f"On {machine['processor']} ({machine['architecture']}, {machine['cores']} cores), "
            f"{machine['system']}, Python {machine['python']}. Cases may have been measured one "
            "after the other (`--only`)."
        )
        text = f"# Growth on threads\n\n{about}\n\n{table.to_markdown()}"
        options.output.write_text(text, encoding="utf-8")
        kept = json.dumps({"machine": machine, "cases": found}, indent=1)
        options.output.with_suffix(".json").write_text(kept + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
