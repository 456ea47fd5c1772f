"""How much sooner trees of every size are found on threads, and that they are the same trees.

    python -m benchmarks.studies.front_threads --output benchmarks/results/front_threads.md

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.common.binary_sets import path_of, read_binary
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import Table, describe_machine, print_tables, verdict
from treewright import OptimalTreeClassifier

ASKED = 1.6  # times as fast on two threads


@dataclass(frozen=True)
class Case:
    """One set, and which trees are searched."""

    data: str
    settings: dict[str, Any] = field(default_factory=dict)


CASES = (
    Case("heart-cleveland", {"max_depth": 5, "front": True}),
    Case("australian-credit", {"max_depth": 5, "front": True}),
    Case("diabetes", {"max_depth": 5, "max_nodes": 8}),
    Case("anneal", {"max_depth": 5, "max_nodes": 10}),
)


def seconds(model: OptimalTreeClassifier, X: np.ndarray, y: np.ndarray) -> tuple[float, ...]:
    """Return seconds by the clock, CPU seconds, and those of the busiest thread."""
    start = time.perf_counter(), time.process_time(), time.thread_time()
    model.fit(X, y)
    end = time.perf_counter(), time.process_time(), time.thread_time()
    clock, busy, own = (after - before for after, before in zip(end, start, strict=True))
    return clock, busy, max(own, (busy - own) / max(model.n_jobs - 1, 1))


def trees_of(model: OptimalTreeClassifier) -> list[str]:
    """Return every tree that was found, in full."""
    trees = [entry.tree for entry in getattr(model, "front_", ())] + [model.tree_]
    return [json.dumps(tree.to_json()) for tree in trees]


def main() -> None:
    parser = make_parser("Times to search for trees of every size on threads.")
    parser.add_argument("--threads", type=int, default=2)
    options = read(parser, sorted({case.data for case in CASES}))
    table = Table(
        f"Trees of every size on {options.threads} threads",
        f"The least of {options.repeats}; asked by the clock: {ASKED} times as fast.",
        "set|search|one thread|its CPU|threads|their CPU|the busiest|times as fast|in its work|",
    )
    found = []
    for case in CASES:
        if options.only and case.data not in options.only:
            continue
        path = path_of(options.data, case.data)
        if path is None:
            print(f"Not found: {case.data}", file=sys.stderr)
            continue
        X, y = read_binary(path)
        settings = case.settings | ({"max_depth": 3} if options.quick else {})
        runs: dict[int, list[tuple[float, ...]]] = {1: [], options.threads: []}
        models = {}
        for _ in range(options.repeats):
            for n_jobs, times in runs.items():
                models[n_jobs] = OptimalTreeClassifier(n_jobs=n_jobs, **settings)
                times.append(seconds(models[n_jobs], X, y))
        one, many = ([min(each) for each in zip(*times, strict=True)] for times in runs.values())
        same = trees_of(models[1]) == trees_of(models[options.threads])
        by_clock, by_work = one[0] / many[0], one[1] / many[2]
        found.append({"case": str(case), "one": runs[1], "threads": runs[options.threads]})
        misses = ["speed"] * (by_clock < ASKED) + ["tree"] * (not same)
        table.rows.append(
            [
                case.data,
                " ".join(f"{name}={value}" for name, value in settings.items()),
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
        text = f"# Trees of every size on threads\n\n{about}\n\n{table.to_markdown()}"
        options.output.write_text(text, encoding="utf-8")
        kept = json.dumps({"machine": machine, "results": found}, indent=1)
        options.output.with_suffix(".json").write_text(kept + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
