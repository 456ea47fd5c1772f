"""Trees that are nearly as good as the best one: how many, and the time to count them.

    python -m benchmarks.studies.alternatives [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.common.binary_sets import path_of, read_binary
from benchmarks.common.measuring import timed
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    verdict,
)
from treewright import OptimalTreeClassifier, _core

DEPTHS = {"heart-cleveland": 4, "diabetes": 5, "german-credit": 5}
QUICK_DEPTH = 2
PENALTY, TOLERANCE = 0.01, 0.05  # of the rows for each leaf; of the objective with all its leaves
LOOK_AHEAD = 1  # the peer's own choice, by which some trees escape it


@dataclass
class Counted:
    """What both count on one set: objectives are errors and a penalty for every leaf."""

    data: str
    depth: int
    penalty: int  # rows
    optimum: int
    limit: int
    count: int
    seconds: float
    different: int  # without splits whose leaves predict the same
    method_seconds: float  # of `alternatives`, which tells of columns and first splits, too
    peer: int | None = None
    peer_seconds: float | None = None


def near_trees(
    X: np.ndarray, y: np.ndarray, depth: int, penalty: int, slack: int
) -> _core.NearResult:
    """Count trees as the peer does, with splits whose leaves predict the same."""
    n_rows, n_columns = X.shape
    options, near = _core.SearchOptions(), _core.NearOptions()
    options.max_depth, options.penalty = depth, penalty
    near.slack, near.with_idle_tests, near.with_first = slack, True, False
    return _core.search_near_trees(
        bits=np.packbits(X.T == 0, axis=1, bitorder="little"),
        n_rows=n_rows,
        targets=y.astype(np.int64),
        weights=np.ones(n_rows, dtype=np.int64),
        costs=np.empty((2, 0), dtype=np.int64),
        prices=np.zeros(n_columns, dtype=np.int64),
        last_levels=np.full(n_columns, depth, dtype=np.int32),
        chains=np.full(n_columns, -1, dtype=np.int32),
        sources=np.arange(n_columns, dtype=np.int32),
        columns=[[column] for column in range(n_columns)],
        n_columns=n_columns,
        options=options,
        near=near,
    )


@contextmanager
def silence() -> Iterator[None]:
    """Send what a compiled library prints nowhere."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def peer_count(X: np.ndarray, y: np.ndarray, depth: int, limit: int) -> tuple[int, float] | None:
    """Return PRAXIS' number of trees and its CPU time; None if it is not installed."""
    try:
        from praxis import PRAXIS
    except ModuleNotFoundError:
        return None
    model = PRAXIS()

    def count() -> int:
        model.fit(
            X,
            y,
            lambda_reg=PENALTY,
            depth_budget=depth,
            root_budget=limit,
            lookahead_k=LOOK_AHEAD,
            majority_leaf_only=True,
        )
        return int(model.count_trees())

    with silence():
        busy, found = timed(count)
    return found, busy


def measure(name: str, path: Path, depth: int) -> Counted:
    X, y = read_binary(path)
    penalty = round(PENALTY * len(y))
    model = OptimalTreeClassifier(depth, penalty=penalty / len(y)).fit(X, y)
    optimum = round(model.certificate_.objective) + penalty
    limit = math.floor(optimum * (1.0 + TOLERANCE))
    slack = limit - optimum
    busy, found = timed(near_trees, X, y, depth, penalty, slack)
    assert found.optimum + penalty == optimum
    spent, told = timed(lambda: model.alternatives(X, y, tolerance=slack / len(y), time_limit=None))
    counted = Counted(
        name, depth, penalty, optimum, limit, int(sum(found.counts)), busy, told.count, spent
    )
    peer = peer_count(X, y, depth, limit)
    if peer is not None:
        counted.peer, counted.peer_seconds = peer
    return counted


def table_of(found: Sequence[Counted]) -> Table:
    table = Table(
        "Trees near the optimum",
        f"Trees whose objective is at most {TOLERANCE:.0%} above the least one, each leaf with its "
        "majority class, and the CPU time to count them. PRAXIS must not find more, nor be faster; "
        "where it finds fewer, its heuristic bounds let some escape. Different: without splits "
        "whose leaves predict the same, with columns and first splits, by `alternatives`.",
        "set|depth|optimum|limit|trees|time|PRAXIS|its time|verdict|different|time of all",
    )
    for one in found:
        misses = []
        if one.peer is not None and one.peer_seconds is not None:
            misses += ["count"] * (one.peer > one.count)
            misses += ["time"] * (one.peer_seconds < one.seconds)
        peer = ["-" if one.peer is None else f"{one.peer:,}", seconds(one.peer_seconds)]
        row = [one.data, str(one.depth), str(one.optimum), str(one.limit), f"{one.count:,}"]
        row += [seconds(one.seconds), *peer, verdict(misses)]
        row += [f"{one.different:,}", seconds(one.method_seconds)]
        table.rows.append(row)
    return table


def write(
    options: argparse.Namespace, found: Sequence[Counted], table: Table, notes: Sequence[str]
) -> None:
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "tree-praxis")
    words = (
        f"# Trees that are nearly as good as the best one\n\n{in_words(machine, packages)} "
        f"{' '.join(notes)} Made by `python -m benchmarks.studies.alternatives --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path: Path = options.output
    path.write_text("\n".join([words, table.to_markdown()]), "utf-8")
    facts = {"machine": machine, "packages": packages, "notes": [*notes]}
    facts |= {"sets": [asdict(one) for one in found]}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


def main() -> None:
    options = read(make_parser(__doc__.partition("\n")[0]), (*DEPTHS,))
    where = {name: path_of(options.data, name) for name in options.only or DEPTHS}
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    absent = [name for name, path in where.items() if path is None]
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    for sentence in notes:
        print(sentence, file=sys.stderr)
    found = []
    for name, path in where.items():
        if path is not None:
            print(name, file=sys.stderr, flush=True)
            found.append(measure(name, path, QUICK_DEPTH if options.quick else DEPTHS[name]))
    table = table_of(found)
    print_tables([table])
    if options.output:
        write(options, found, table, notes)


if __name__ == "__main__":
    main()
