"""Optimal trees beside other exact solvers: process CPU time, proofs, memory, threads.

    python -m benchmarks.peers.optimal [--quick] [--part NAME] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.binary_sets import BINARY_SETS, PAPER_SETS, path_of
from benchmarks.common.data_sets import default_folder, read_sets
from benchmarks.common.fresh_process import run_apart
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.peers.optimal_tables import (
    OURS,
    REFERENCE,
    depth_table,
    means_table,
    numbers_table,
    pairs_table,
    threads_table,
    thresholds_table,
)
from benchmarks.peers.optimal_work import LIBRARIES, Case, OptimalJob, measure

PARTS = ("depth 4", "depth 5", "pairs", "two pairs", "threads", "numbers", "thresholds")
# At depth 5 pydl8.5 seldom ends within minutes; pycontree is made for tables of numbers.
PEERS = {
    "depth 4": (REFERENCE, "pydl8.5"),
    "depth 5": (REFERENCE,),
    "numbers": ("every threshold", "pycontree"),
    "thresholds": ("every threshold", "pycontree"),
}
PAIR_LEVELS = {"pairs": 1, "two pairs": 2}
NUMBER_SETS = ("wine", "pima", "glass", "heart", "banknote_authentication", "wilt")
OURS_BY_ANY_NAME = (OURS, "every threshold")
WORTH_TURNS = 5.0  # seconds of a search that is not repeated in turns
WORTH_THREADS = 1.0  # seconds of a search that is done again on two threads

Run = Callable[[OptimalJob], dict[str, Any]]


def binary_cases(part: str, folder: Path, names: Sequence[str], limit: float) -> Iterator[Case]:
    for name in names:
        path = path_of(folder, name)
        pair_levels = PAIR_LEVELS.get(part, 0)
        if path is None or (pair_levels and name not in PAPER_SETS):
            continue
        depth = 5 if part == "depth 5" else 4
        yield Case(name, OptimalJob("", str(path), depth, pair_levels, 1, limit))


def number_cases(folder: Path, scratch: Path, names: Sequence[str], limit: float) -> Iterator[Case]:
    """Tables of numbers, kept as arrays where every process finds them."""
    for data in read_sets(folder, names)[0]:
        path = scratch / f"{data.name}.npz"
        X = np.column_stack([*data.columns.values()]).astype(float)
        np.savez(path, X=X, y=np.unique(data.target, return_inverse=True)[1])
        for depth in (2, 3, 4):
            yield Case(data.name, OptimalJob("", str(path), depth, limit=limit))


def threshold_cases(folder: Path, scratch: Path, limit: float) -> Iterator[Case]:
    """The tables that pycontree was published with."""
    for packed in sorted((folder / "numeric").glob("*.txt.gz")):
        name = packed.name.removesuffix(".txt.gz")
        table = np.loadtxt(packed)
        path = scratch / f"{name}.npz"
        np.savez(path, X=np.ascontiguousarray(table[:, 1:]), y=table[:, 0].astype(np.int64))
        for depth in (2, 3):
            yield Case(name, OptimalJob("", str(path), depth, limit=limit))


def run_cases(
    part: str,
    cases: Sequence[Case],
    libraries: Sequence[str],
    run: Run,
    limits: Mapping[str, float],
    turns: int = 1,
) -> list[Case]:
    """Run all libraries in turn on every case; some of them may have limits of their own.

    Short searches are repeated in so many turns, as a machine may be disturbed for longer than one
    process measures; the least times are kept.
    """
    for turn in range(turns):
        for i, case in enumerate(cases, 1):
            if turn and any(ran["elapsed"] > WORTH_TURNS for ran in case.runs.values()):
                continue
            for library in libraries:
                place = f"{part}, {i} of {len(cases)}, turn {turn + 1} of {turns}"
                words = f"{place}: {case.name}, depth {case.job.depth}, {library}"
                print(words, file=sys.stderr, flush=True)
                limit = limits.get(library, case.job.limit)
                found = run(replace(case.job, library=library, limit=limit))
                before = case.runs.get(library, found)
                least = {name: min(found[name], before[name]) for name in ("elapsed", "busy")}
                case.runs[library] = {**found, **least}
    return [*cases]


def thread_cases(done: Sequence[Case]) -> Iterator[Case]:
    """The long searches again, for two threads; what one thread took is known."""
    for case in done:
        alone = case.runs[OURS]
        if alone["elapsed"] > WORTH_THREADS and alone["proven"]:
            yield Case(case.name, replace(case.job, threads=2), {"one thread": alone})


def why_not(library: str) -> str | None:
    """Say why a library cannot search here; None if it can."""
    row = np.arange(12)
    columns = np.stack([row % 2, row % 3 == 0], axis=1).astype(np.int32)
    try:
        LIBRARIES[library](OptimalJob(library, depth=2), columns, row % 2)
    except ModuleNotFoundError as error:
        return f"there is no module {error.name}"
    except Exception as error:  # a peer that does not fit the versions installed
        return f"it fails here ({type(error).__name__}: {error})"
    return None


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a second each, to see that it works")
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated")
    parser.add_argument("--only", action="append", metavar="SET", help="may be repeated")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of a search (300)")
    parser.add_argument("--peer-limit", type=float, help="those of the peers (the same)")
    parser.add_argument("--reference-limit", type=float, help=f"those of {REFERENCE} (as peers)")
    parser.add_argument("--turns", type=int, default=1, help="in which short searches repeat (1)")
    parser.add_argument("--data", type=Path, default=default_folder(), metavar="FOLDER")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    parser.add_argument("--note", default="", help="what a reader of the output has to know")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    known = (*BINARY_SETS, *NUMBER_SETS)
    unknown = [name for name in options.only or () if name not in known]
    if unknown:
        parser.error(f"there is no set {unknown[0]}; there are {', '.join(known)}.")
    return options


def main() -> None:
    options = read_options()
    parts = options.part or PARTS
    wanted = options.only or (*BINARY_SETS, *NUMBER_SETS)
    binary = [name for name in BINARY_SETS if name in wanted]
    numbers = [name for name in NUMBER_SETS if name in wanted]
    limit = 1.0 if options.quick else options.limit
    # A quick run does all in one process: most of the time would go into loading libraries.
    run = measure if options.quick else partial(run_apart, "benchmarks.peers.optimal_work")
    reasons = {peer: why_not(peer) for peer in LIBRARIES if peer != OURS}
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    peer_limit = limit if options.peer_limit is None else options.peer_limit
    limits = dict.fromkeys((name for name in LIBRARIES if name not in OURS_BY_ANY_NAME), peer_limit)
    limits[REFERENCE] = options.reference_limit or peer_limit
    notes += [f"A search has {limit:g} s, one by a peer {peer_limit:g} s."]
    if options.turns > 1:
        notes.append(f"Searches up to {WORTH_TURNS:g} s were repeated in {options.turns} turns.")
    if limits[REFERENCE] != peer_limit:
        notes.append(f"One by {REFERENCE} has {limits[REFERENCE]:g} s.")
    notes += [f"{peer} is not measured: {why}." for peer, why in reasons.items() if why]
    absent = [name for name in binary if path_of(options.data, name) is None]
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    notes += [options.note] if options.note else []
    for sentence in notes:
        print(sentence, file=sys.stderr)

    def libraries(part: str) -> list[str]:
        found = [peer for peer in PEERS.get(part, ()) if reasons[peer] is None]
        return found if part == "thresholds" else [OURS, *found]

    cases: dict[str, list[Case]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for part in parts:
            if part == "threads":
                found = [*thread_cases([one for done in cases.values() for one in done])]
            elif part == "numbers":
                found = [*number_cases(options.data, Path(scratch), numbers, limit)]
            elif part == "thresholds":
                found = [*threshold_cases(options.data, Path(scratch), limit)]
            else:
                found = [*binary_cases(part, options.data, binary, limit)]
            cases[part] = run_cases(part, found, libraries(part), run, limits, options.turns)
    tables = make_tables(cases)
    print_tables(tables)
    if options.output:
        write(options.output, cases, tables, notes)


def make_tables(cases: dict[str, list[Case]]) -> list[Table]:
    by_depth = {part: cases[part] for part in ("depth 4", "depth 5") if part in cases}
    tables = [means_table(by_depth)] if by_depth else []
    tables += [depth_table(part, found) for part, found in by_depth.items()]
    makers = {
        **dict.fromkeys(PAIR_LEVELS, pairs_table),
        "threads": threads_table,
        "numbers": numbers_table,
        "thresholds": thresholds_table,
    }
    tables += [make(cases[part]) for part, make in makers.items() if part in cases]
    return [table for table in tables if table.rows]


def write(path: Path, cases: dict[str, list[Case]], tables: list[Table], notes: list[str]) -> None:
    """Write the tables as Markdown, and every measurement as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "pystreed", "pydl8.5", "pycontree")
    words = (
        f"# Optimal trees beside other exact solvers\n\n{in_words(machine, packages)} "
        f"{' '.join(notes)} Made by `python -m benchmarks.peers.optimal --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    kept = [
        {"part": part, "data": case.name, **_without_path(case.job), "runs": case.runs}
        for part, found in cases.items()
        for case in found
    ]
    facts = {"machine": machine, "packages": packages, "notes": notes, "cases": kept}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


def _without_path(job: OptimalJob) -> dict[str, Any]:
    return {name: value for name, value in asdict(job).items() if name not in ("path", "library")}


if __name__ == "__main__":
    main()
