"""How long `treewright report` takes, and how large its page is.

    python -m benchmarks.studies.report_times --output benchmarks/results/report_times.md

Each report is a fresh process with default settings and nothing else on its command line, as a
user would start it. The synthetic table has a million rows of six normal columns, one of them with
gaps, two columns of text and one of counts; the answer follows from four of them, with noise. It is
made from a seed and written as text, so that reading it counts too.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    print_tables,
    seconds,
    verdict,
)
from treewright.files import read_table, write_table

SETS = {
    "income": "income.csv.gz",
    "bank": "bank.csv.gz",
    "letter": "letter.csv",
    "wine": "wine.csv",
    "concrete": "concrete.csv",
}
SYNTHETIC = "a million rows"
TARGET = "target"
MOST_SECONDS = {"income": 8.0, "wine": 1.5, SYNTHETIC: 25.0}  # of CPU time beyond imports: asked
MOST_KILOBYTES = 500
IMPORTS = "import treewright.reports.making, pandas, sklearn.ensemble, sklearn.linear_model"


def write_synthetic(path: Path, n_rows: int) -> None:
    chance = np.random.default_rng(0)
    x = chance.normal(size=(n_rows, 6)).round(3)
    city = chance.choice(["Oslo", "Rome", "Bern", "Lima", "Cairo"], n_rows)
    visits = chance.integers(0, 20, n_rows)
    score = x[:, 0] + x[:, 1] * x[:, 2] + (city == "Oslo") + 0.1 * visits - 1
    answer = np.where(score + 0.7 * chance.normal(size=n_rows) > 0.3, "yes", "no")
    x[chance.random(n_rows) < 0.05, 0] = np.nan
    columns = {f"x{place}": x[:, place] for place in range(6)}
    kind = chance.choice(list("abcdefgh"), n_rows)
    write_table(path, {**columns, "city": city, "kind": kind, "visits": visits, TARGET: answer})


def measure(path: Path, folder: Path) -> dict[str, object]:
    """Make one report; how long it took and what came of it."""
    table = read_table(path)
    command = [sys.executable, "-m", "treewright", "report", str(path), "--target", TARGET]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    page = folder / "page.html"
    began, before = time.perf_counter(), cpu_of_children()
    result = subprocess.run(
        [*command, "--output", str(page)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    took, cpu = time.perf_counter() - began, cpu_of_children() - before
    tree_line = result.stdout.splitlines()[3]
    return {
        "rows": len(table[TARGET]),
        "columns": len(table) - 1,
        "seconds": took,
        "cpu_seconds": cpu,
        "kilobytes": page.stat().st_size / 1000,
        "tree": tree_line,
    }


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def import_seconds() -> float:
    """Say what it costs to import what a report needs, once it has been compiled."""
    found = []
    for _ in range(3):
        before = cpu_of_children()
        subprocess.run([sys.executable, "-c", IMPORTS], check=True)
        found.append(cpu_of_children() - before)
    return min(found)


def main() -> None:
    parser = make_parser("Times and page sizes of treewright report.")
    options = read(parser, [*SETS, SYNTHETIC])
    chosen = options.only or [*SETS, SYNTHETIC]
    results: dict[str, dict[str, object]] = {}
    imports = import_seconds()
    table = Table(
        "Reports with default settings",
        "Wall-clock and CPU time of the whole command, reading and writing included; imports alone "
        f"take {seconds(imports)} of CPU time. Asked beyond them: "
        + ", ".join(f"{name} {most:g} s" for name, most in MOST_SECONDS.items())
        + f"; pages of at most {MOST_KILOBYTES} kB.",
        "table|rows|columns|time|CPU time|page|leaves and score|",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for key in chosen:
            if key == SYNTHETIC:
                path = folder / "synthetic.csv"
                write_synthetic(path, 2_000 if options.quick else 1_000_000)
            else:
                path = options.data / SETS[key]
                if not path.is_file():
                    print(f"{key} is not in {options.data} and is left out.", file=sys.stderr)
                    continue
            found = results[key] = measure(path, folder)
            misses = []
            if found["cpu_seconds"] - imports > MOST_SECONDS.get(key, float("inf")):
                misses.append("time")
            if found["kilobytes"] > MOST_KILOBYTES:
                misses.append("size")
            leaves, score = str(found["tree"]).split(": ")[1].split(",")[0], found["tree"]
            score = str(score).split(". ")[1].split(" (")[0].lower()
            table.rows.append(
                [
                    key,
                    count(found["rows"]),
                    str(found["columns"]),
                    seconds(found["seconds"]),
                    seconds(found["cpu_seconds"]),
                    f"{found['kilobytes']:.0f} kB",
                    f"{leaves}, {score}",
                    verdict(misses),
                ]
            )
    print_tables([table])
    if options.output:
        machine, packages = describe_machine(), describe_packages("treewright", "numpy")
        about = (
            f"Two threads where there is work for them, on {machine['processor']} "
            f"({machine['architecture']}, {machine['cores']} cores), {machine['system']}, Python "
            f"{machine['python']}; numpy {packages['numpy']}."
        )
        text = f"# How long a report takes\n\n{about}\n\n{table.to_markdown()}"
        options.output.write_text(text, encoding="utf-8")
        everything = {"machine": machine, "packages": packages, "results": results}
        target = options.output.with_suffix(".json")
        target.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
