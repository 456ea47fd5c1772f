"""Optimal search where a proof is out of reach: errors by time; and what a penalty saves.

    python -m benchmarks.studies.deep_search [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
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
    peer = peer_errors(X, y, depth)
    if peer is not None:
        curve.peer, curve.peer_seconds = peer
        curve.at_peer_time = errors_within(X, y, depth, curve.peer_seconds)
    for limit in times:
        curve.errors[seconds(limit)] = errors_within(X, y, depth, limit)
    return curve


def measure_penalties(path: Path, limit: float) -> list[dict[str, float | int | str | None]]:
    """Return the CPU time of searches with a penalty."""
    X, y = read_binary(path)
    found: list[dict[str, float | int | str | None]] = []
    for depth, penalty in PRICED:
        model = OptimalTreeClassifier(depth, penalty=penalty, time_limit=limit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotProvenWarning)
            busy, _ = timed(model.fit, X, y)
        found.append(
            {"depth": depth, "penalty": penalty, "seconds": busy}
            | {"objective": model.certificate_.objective, "status": model.certificate_.status}
            | {"leaves": model.tree_.n_leaves}
        )
    return found


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


def penalties_table(found: Sequence[dict[str, float | int | str | None]]) -> Table:
    table = Table(
        f"With a penalty: {PRICED_SET}",
        "CPU time until the best tree is proven; any depth: over trees of all depths.",
        "depth|penalty|time|objective|leaves|status",
    )
    for one in found:
        depth = "any" if one["depth"] is None else str(one["depth"])
        cells = [f"{one['penalty']:g}", seconds(float(one["seconds"] or 0.0))]
        cells += [f"{one['objective']:g}", str(one["leaves"]), str(one["status"])]
        table.rows.append([depth, *cells])
    return table


def write(
    options: argparse.Namespace,
    curves: Sequence[Curve],
    priced: Sequence[dict[str, float | int | str | None]],
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
    facts |= {"curves": [asdict(curve) for curve in curves], "penalties": [*priced]}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


def main() -> None:
    options = read(make_parser(__doc__.partition("\n")[0]), (*SETS, PRICED_SET))
    times = QUICK_TIMES if options.quick else TIMES
    depths = DEPTHS[:1] if options.quick else DEPTHS
    wanted = options.only or (*SETS, PRICED_SET)
    where = {name: path_of(options.data, name) for name in (*SETS, PRICED_SET) if name in wanted}
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    absent = [name for name, path in where.items() if path is None]
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    for sentence in notes:
        print(sentence, file=sys.stderr)
    say = partial(print, file=sys.stderr, flush=True)
    curves, priced = [], []
    for name, path in where.items():
        if path is None:
            continue
        if name == PRICED_SET:
            priced = measure_penalties(path, 1.0 if options.quick else 300.0)
            continue
        for depth in depths:
            say(f"{name}, depth {depth}")
            curves.append(measure(name, path, depth, times))
    tables = [curves_table(curves, times)] if curves else []
    tables += [penalties_table(priced)] if priced else []
    print_tables(tables)
    if options.output:
        write(options, curves, priced, tables, notes)


if __name__ == "__main__":
    main()
