"""How long a readable tree takes: chosen by folds, of a given size, and with two threads.

    python -m benchmarks.studies.readable_speed [--large] [--only CASE] [--repeats N]
        [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.common.fresh_process import run_apart
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    times,
    verdict,
)
from benchmarks.studies.readable_speed_work import SpeedJob
from treewright.base.progress import working

WORKER = "benchmarks.studies.readable_speed_work"
CASES = {
    "1k x 20, 2 classes": SpeedJob(rows=1_000, columns=20),
    "5k x 20, 2 classes": SpeedJob(rows=5_000, columns=20),
    "20k x 20, 2 classes": SpeedJob(rows=20_000, columns=20),
    "5k x 20, 30 classes": SpeedJob(rows=5_000, columns=20, classes=30),
    "1k x 20, numbers": SpeedJob(rows=1_000, columns=20, classes=0),
    "income": SpeedJob(table="income"),
}
LARGE = {"1M x 20, 2 classes": SpeedJob(rows=1_000_000, columns=20)}
MOST_SECONDS = {  # of CPU time, asked of the default
    "1k x 20, 2 classes": 1.0,
    "20k x 20, 2 classes": 6.0,
    "income": 15.0,
    "1M x 20, 2 classes": 60.0,
}
SIZE, LEAST_SAVING, LEAST_GAIN = 8, 5.0, 1.7  # asked: size=8 so many times below, two threads
SHORT_FOR = 30.0  # seconds that runs are repeated for, as short ones are disturbed the most
RUNS = {
    "default": {},
    f"size={SIZE}": {"size": SIZE},
    "two threads": {"threads": 2},
}
Found = dict[str, dict[str, Any]]  # by kind of run: the least of each clock


def measure(job: SpeedJob, repeats: int, seconds_at_least: float) -> Found:
    """Let the kinds of runs take turns, each in a fresh process; keep the least times."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in RUNS}
    end = time.perf_counter() + seconds_at_least
    while min(map(len, found.values())) < repeats or time.perf_counter() < end:
        for name, changes in RUNS.items():
            found[name].append(run_apart(WORKER, replace(job, **changes)))
    return {
        name: {
            **runs[0],
            "seconds": min(run["seconds"] for run in runs),
            "cpu_seconds": min(run["cpu_seconds"] for run in runs),
        }
        for name, runs in found.items()
    }


def to_table(results: dict[str, Found], repeats: int) -> Table:
    table = Table(
        "One readable tree",
        f"The least of {repeats} or more, as many as fit into {SHORT_FOR:g} s. CPU: process CPU "
        "time of the whole fit, inner folds included, on one thread. Of "
        f"size={SIZE} one {LEAST_SAVING:g}th of what the default may take is asked; "
        "the default itself has three folds from 1,000 rows on and so does not take five times as "
        "long. Saved: how many times as long it takes. Two threads: how many times as long one "
        f"takes by the clock, asked: {LEAST_GAIN:g}.",
        f"data|leaves|CPU|asked|size={SIZE}|saved|one thread|two threads|gain|verdict",
    )
    for case, found in results.items():
        plain, short, both = (found[name] for name in RUNS)
        most = MOST_SECONDS.get(case)
        saved = plain["cpu_seconds"] / short["cpu_seconds"]
        gain = plain["seconds"] / both["seconds"]
        misses = ["CPU"] if most is not None and plain["cpu_seconds"] > most else []
        if most is not None and short["cpu_seconds"] > most / LEAST_SAVING:
            misses.append(f"size={SIZE}")
        misses += ["threads"] if gain < LEAST_GAIN else []
        table.rows.append(
            [
                *(case, str(plain["leaves"]), seconds(plain["cpu_seconds"]), seconds(most)),
                *(seconds(short["cpu_seconds"]), times(saved)),
                *(seconds(plain["seconds"]), seconds(both["seconds"]), times(gain)),
                verdict(misses),
            ]
        )
    return table


def smaller(job: SpeedJob) -> SpeedJob:
    return replace(job, rows=job.rows // 10)


def main() -> None:
    parser = make_parser(__doc__.partition("\n")[0])
    parser.set_defaults(repeats=3)
    parser.add_argument("--large", action="store_true", help=f"also {', '.join(LARGE)}")
    options = read(parser, [*CASES, *LARGE])
    cases = {**CASES, **LARGE}
    names = options.only or [*CASES, *(LARGE if options.large else ())]
    notes = ["Quick run: its numbers mean nothing."] if options.quick else []
    if not (options.data / "manifest.json").is_file():
        names = [name for name in names if not cases[name].table]
        notes.append("Tables of the folder were not found.")
    repeats = 1 if options.quick else options.repeats
    results: dict[str, Found] = {}
    with working(f"{len(names)} tables") as update:
        for done, name in enumerate(names, 1):
            job = cases[name]
            if job.table:
                job = replace(job, folder=str(options.data.resolve()))
            elif options.quick:
                job = smaller(job)
            results[name] = measure(
                job, 1 if name in LARGE else repeats, 0.0 if options.quick else SHORT_FOR
            )
            if update:
                update(done / len(names))
    table = to_table(results, repeats)
    print_tables([table])
    print(" ".join(notes))
    if options.output:
        write(options.output, table, results, notes)


def write(path: Path, table: Table, results: dict[str, Found], notes: list[str]) -> None:
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "scikit-learn")
    head = " ".join([in_words(machine, packages), *notes])
    words = (
        f"# The speed of readable trees\n\n{head} Made by `python -m "
        "benchmarks.studies.readable_speed --large --output FILE.md`.\n"
    )
    path.write_text(f"{words}\n{table.to_markdown()}")
    runs = {name: {"job": shown(name), "runs": found} for name, found in results.items()}
    facts = {"machine": machine, "packages": packages, "notes": notes, "cases": runs}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


def shown(name: str) -> dict[str, Any]:
    job = {**CASES, **LARGE}[name]
    return {key: value for key, value in asdict(job).items() if key != "folder"}


if __name__ == "__main__":
    main()
