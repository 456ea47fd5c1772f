"""Optimal search where a proof is out of reach: errors by time; what a penalty saves; any depth.

    python -m benchmarks.studies.deep_search [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
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
from treewright import OptimalTreeClassifier
from treewright.exceptions import NotProvenWarning

SETS = (
    *("anneal", "australian-credit", "diabetes", "german-credit", "hypothyroid", "kr-vs-kp"),
    *("pendigits", "primary-tumor", "splice-1", "tic-tac-toe", "vehicle", "yeast"),
)
DEPTHS = (6, 7, 8)
TIMES, QUICK_TIMES = (0.3, 1.0, 5.0), (0.05, 0.1, 0.2)  # seconds of CPU
PRICED_SET = "heart-cleveland"
PRICED: tuple[tuple[int | None, float], ...] = (
    *((5, 0.01), (6, 0.05), (6, 0.02), (6, 0.01)),
    *((12, 0.02), (None, 0.05), (None, 0.02)),
)
# Tables of zeros and ones that sparse optimal trees of any depth are published with.
PROBLEMS = (
    *(("monk2", 0.001), ("tictactoe-f", 0.005), ("tictactoe", 0.005), ("careval-f", 0.005)),
    *(("careval", 0.005), ("balance-f", 0.005), ("balance", 0.005), ("lymph-f", 0.01)),
    ("lymph", 0.01),
)
TRIES = 3  # of a search that takes a fraction of a second
LONGEST, QUICK_LONGEST = 300.0, 1.0  # seconds of a search that has to be proven


@dataclass
class Curve:
    """Errors of one set at one depth by time, and those of the peer with the CPU time it took."""

    data: str
    depth: int
    errors: dict[str, float] = field(default_factory=dict)
    peer: float | None = None
    peer_seconds: float | None = None
    at_peer_time: float | None = None


def errors_within(X: np.ndarray, y: np.ndarray, depth: int, limit: float) -> float:
    """Return the errors of the tree found in so many seconds of CPU."""
    start = time.process_time()

    def goes_on(_: object) -> bool:
        return time.process_time() - start < limit

    model = OptimalTreeClassifier(depth, time_limit=None, progress=goes_on)
    if limit < 1.0:  # shorter than a callback can tell; on a quiet machine CPU time goes as fast
        model.set_params(time_limit=limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)
        return model.fit(X, y).certificate_.objective


def peer_errors(X: np.ndarray, y: np.ndarray, depth: int) -> tuple[float, float] | None:
    """Return LicketySPLIT's errors and the CPU time it takes; None if it is not installed."""
    try:
        from licketysplit import LicketySPLITClassifier
    except ModuleNotFoundError:
        return None
    model = LicketySPLITClassifier(lambda_leaf=0.0, depth_budget=depth)
    busy, _ = timed(model.fit, X.astype(np.uint8), y.astype(np.int64))
    return float((np.asarray(model.predict(X.astype(np.uint8))) != y).sum()), busy


def measure(name: str, path: Path, depth: int, times: Sequence[float]) -> Curve:
    X, y = read_binary(path)
    curve = Curve(name, depth)
    tries = [peer_errors(X, y, depth) for _ in range(TRIES)]
    peers = [one for one in tries if one is not None]
    if peers:
        curve.peer, curve.peer_seconds = min(peers, key=lambda one: one[1])
        own = [errors_within(X, y, depth, curve.peer_seconds) for _ in range(TRIES)]
        curve.at_peer_time = statistics.median(own)
    for limit in times:
        curve.errors[seconds(limit)] = errors_within(X, y, depth, limit)
    return curve


@dataclass
class Proof:
    """A search with a penalty, at most so deep (None: any depth), and what came of it."""

    data: str
    depth: int | None
    penalty: float
    seconds: float
    objective: float
    leaves: int
    status: str


def prove(
    table: tuple[np.ndarray, np.ndarray], data: str, depth: int | None, penalty: float, limit: float
) -> Proof:
    model = OptimalTreeClassifier(depth, penalty=penalty, time_limit=limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)
        busy, _ = timed(model.fit, *table)
    found = model.certificate_
    return Proof(data, depth, penalty, busy, found.objective, model.tree_.n_leaves, found.status)


def problem_path(folder: Path, name: str) -> Path | None:
    path = folder / "sparse_objective" / f"{name}.txt.gz"
    return path if path.is_file() else None


def read_problem(path: Path) -> tuple[np.ndarray, np.ndarray]:
    table = np.loadtxt(path, dtype=np.int32)  # the class comes last
    return np.ascontiguousarray(table[:, :-1]), table[:, -1]


# -------------------------------------------------------------------------------------- tables


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def curves_table(curves: Sequence[Curve], times: Sequence[float]) -> Table:
    after = "|".join(f"after {seconds(limit)}" for limit in times)
    table = Table(
        "Errors by time",
        "Training errors of the best tree so far. LicketySPLIT must not be better in the time that "
        "it takes itself, nor after the longest time.",
        f"set|depth|{after}|LicketySPLIT|its time|ours in its time|verdict",
    )
    for curve in curves:
        last = [*curve.errors.values()][-1]
        misses = []
        if curve.peer is not None and curve.at_peer_time is not None:
            misses += ["in its time"] * (curve.at_peer_time > curve.peer)
            misses += ["at the end"] * (last > curve.peer)
        peer = [number(curve.peer), seconds(curve.peer_seconds), number(curve.at_peer_time)]
        errors = [number(value) for value in curve.errors.values()]
        table.rows.append([curve.data, str(curve.depth), *errors, *peer, verdict(misses)])
    return table


def proofs_table(title: str, found: Sequence[Proof]) -> Table:
    table = Table(
        title,
        "CPU time until the best tree is proven; any depth: over trees of all depths.",
        "set|depth|penalty|time|objective|leaves|status|verdict",
    )
    for one in found:
        depth = "any" if one.depth is None else str(one.depth)
        misses = [] if one.status == "optimal" else ["not proven"]
        cells = [one.data, depth, f"{one.penalty:g}", seconds(one.seconds), f"{one.objective:g}"]
        table.rows.append([*cells, str(one.leaves), one.status, verdict(misses)])
    return table


def write(
    options: argparse.Namespace,
    curves: Sequence[Curve],
    proofs: Sequence[Proof],
    tables: Sequence[Table],
    notes: Sequence[str],
) -> None:
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "licketysplit")
    words = (
        f"# Optimal search at depths it cannot prove\n\n{in_words(machine, packages)} "
        f"{' '.join(notes)} Made by `python -m benchmarks.studies.deep_search --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path: Path = options.output
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    facts = {"machine": machine, "packages": packages, "notes": [*notes]}
    facts |= {"curves": [*map(asdict, curves)], "proofs": [*map(asdict, proofs)]}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


def main() -> None:
    names = (*SETS, PRICED_SET, *(name for name, _ in PROBLEMS))
    options = read(make_parser(__doc__.partition("\n")[0]), names)
    times = QUICK_TIMES if options.quick else TIMES
    depths = DEPTHS[:1] if options.quick else DEPTHS
    longest = QUICK_LONGEST if options.quick else LONGEST
    problems = dict(PROBLEMS)
    where = {
        name: problem_path(options.data, name) if name in problems else path_of(options.data, name)
        for name in (*SETS, PRICED_SET, *problems)
        if name in (options.only or names)
    }
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    absent = [name for name, path in where.items() if path is None]
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    for sentence in notes:
        print(sentence, file=sys.stderr)
    say = partial(print, file=sys.stderr, flush=True)
    curves: list[Curve] = []
    priced: list[Proof] = []
    of_any_depth: list[Proof] = []
    for name, path in where.items():
        if path is None:
            continue
        if name in problems:
            say(f"{name}, any depth")
            found = prove(read_problem(path), name, None, problems[name], longest)
            of_any_depth.append(found)
        elif name == PRICED_SET:
            for depth, penalty in PRICED:
                say(f"{name}, penalty {penalty:g}")
                priced.append(prove(read_binary(path), name, depth, penalty, longest))
        else:
            for depth in depths:
                say(f"{name}, depth {depth}")
                curves.append(measure(name, path, depth, times))
    tables = [
        curves_table(curves, times),
        proofs_table(f"With a penalty: {PRICED_SET}", priced),
        proofs_table("Trees of any depth", of_any_depth),
    ]
    tables = [table for table in tables if table.rows]
    print_tables(tables)
    if options.output:
        write(options, curves, [*priced, *of_any_depth], tables, notes)


if __name__ == "__main__":
    main()
