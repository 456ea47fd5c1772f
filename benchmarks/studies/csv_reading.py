"""How long a table of delimited text takes to read: by pyarrow, and by the plain reader.

    python -m benchmarks.studies.csv_reading --output benchmarks/results/csv_reading.md

A million rows of six numbers of six decimals, two whole numbers and two columns of text are made
from a seed. Both readers give the same table, which is checked. Each reading is a fresh process
with its libraries imported; CPU time counts all threads. The two take turns; the table shows the
least.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    print_tables,
    verdict,
)
from treewright.files import fast, read_table, write_table

ASKED = 5.0  # times as fast
WORKER = """
import sys, time
import pyarrow.compute, pyarrow.csv
from treewright.files import fast, read_table
fast.SMALLEST = 0 if sys.argv[2] == "pyarrow" else float("inf")
cpu, wall = time.process_time(), time.perf_counter()
read_table(sys.argv[1])
print(time.process_time() - cpu, time.perf_counter() - wall)
"""


def write_file(path: Path, n_rows: int) -> None:
    chance = np.random.default_rng(0)
    columns = {f"x{place}": chance.normal(size=n_rows).round(6) for place in range(6)}
    columns |= {f"n{place}": chance.integers(0, 100_000, n_rows) for place in range(2)}
    columns["home"] = chance.choice(["rent", "own", "with parents", "other"], n_rows)
    columns["late"] = chance.choice(["yes", "no"], n_rows)
    write_table(path, columns)


def measure(path: Path, reader: str) -> tuple[float, float]:
    """Read a file in a fresh process; CPU and wall-clock seconds."""
    done = subprocess.run(
        [sys.executable, "-c", WORKER, str(path), reader],
        capture_output=True,
        text=True,
        check=True,
    )
    cpu, wall = map(float, done.stdout.split())
    return cpu, wall


def is_same(path: Path) -> bool:
    """Tell whether both readers give the same table."""
    fast.SMALLEST = 0
    one = read_table(path)
    fast.SMALLEST = sys.maxsize
    other = read_table(path)
    return list(one) == list(other) and all(
        one[name].dtype == other[name].dtype and np.array_equal(one[name], other[name])
        for name in one
    )


def main() -> None:
    options = read(make_parser("Times to read delimited text."), [])
    n_rows = 2_000 if options.quick else 1_000_000
    times: dict[str, list[tuple[float, float]]] = {"plain": [], "pyarrow": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_file(path, n_rows)
        size = path.stat().st_size
        same = is_same(path)
        for _ in range(options.repeats):
            for reader, found in times.items():
                found.append(measure(path, reader))
    least = {name: [min(one) for one in zip(*found, strict=True)] for name, found in times.items()}
    table = Table(
        f"{count(n_rows)} rows of 10 columns, {size / 1e6:.0f} MB",
        f"The least of {options.repeats}; asked: {ASKED:.0f} times as fast, and the same table.",
        "|plain reader|by pyarrow|times as fast|",
    )
    for place, name in enumerate(("CPU time", "wall-clock time")):
        plain, quick = least["plain"][place], least["pyarrow"][place]
        misses = ["speed"] * (plain / quick < ASKED) + ["table"] * (not same)
        cells = [name, f"{plain:.2f} s", f"{quick:.2f} s", f"{plain / quick:.1f}", verdict(misses)]
        table.rows.append(cells)
    print_tables([table])
    if options.output:
        machine, packages = describe_machine(), describe_packages("treewright", "numpy", "pyarrow")
        about = (
            f"On {machine['processor']} ({machine['architecture']}, {machine['cores']} cores), "
            f"{machine['system']}, Python {machine['python']}; pyarrow {packages['pyarrow']}."
        )
        text = f"# Reading delimited text\n\n{about}\n\n{table.to_markdown()}"
        options.output.write_text(text, encoding="utf-8")
        everything = {"machine": machine, "packages": packages, "same": same, "seconds": times}
        target = options.output.with_suffix(".json")
        target.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
