"""Trees over partitions beside trees in memory: the same tree, CPU time and memory by size.

    python -m benchmarks.studies.large_tables --output benchmarks/results/large_tables.md

The tables have 20 normal columns as 32-bit numbers, in Parquet files of 65,536 rows a row group,
and are made from seeds; every measurement is a process of its own on one thread. `--rows` sets the
largest size, `--generated` that of the table which is made anew in every pass and stored nowhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    times,
    verdict,
)
from benchmarks.studies.large_tables_work import PART, TARGETS, columns_of, targets_of

DEPTH = 6
N_COLUMNS = 20
LEAST_GAIN = 1.7  # asked of two workers


def write(folder: Path, n_rows: int) -> Path:
    """Write a table as one file, a row group at a time."""
    import pyarrow
    from pyarrow import parquet

    path = folder / f"{n_rows}.parquet"
    writer = None
    for part in range(-(-n_rows // PART)):
        X = columns_of(part, min(PART, n_rows - part * PART), N_COLUMNS)
        columns = {f"x{place}": column for place, column in enumerate(X)}
        table = pyarrow.table({**columns, **targets_of(X, part)})
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=PART)
    assert writer is not None
    writer.close()
    return path


def measure(kind: str, target: str, source: object) -> dict[str, Any] | None:
    """Run one measurement; None where a package is absent."""
    command = [sys.executable, "-m", "benchmarks.studies.large_tables_work"]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    done = subprocess.run(
        [*command, kind, target, str(DEPTH), str(source)],
        capture_output=True,
        text=True,
        env={**os.environ, **threads, "PYTHONPATH": paths},
        check=False,
    )
    if done.returncode:
        print(f"{kind}, {target}: {done.stderr.splitlines()[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def main() -> None:
    parser = make_parser("Trees over partitions beside trees in memory.")
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the largest file")
    parser.add_argument("--generated", type=int, default=100_000_000, help="rows stored nowhere")
    options = read(parser, TARGETS)
    most, made = (20_000, 40_000) if options.quick else (options.rows, options.generated)
    chosen = options.only or [*TARGETS]
    results = []
    table = Table(
        "From Parquet files and from nowhere",
        f"{N_COLUMNS} columns (10 where rows are generated), depth {DEPTH}, one thread; CPU time "
        "with reading, without imports. Cells are rows times columns times levels.",
        "rows|target|how|CPU time|memory|passes|values fetched, of all cells|tree|",
    )

    def show(rows: int, target: str, kind: str, source: object, n_columns: int) -> None:
        found = measure(kind, target, source)
        if found is None:
            return
        results.append({"rows": rows, "target": target, "kind": kind, **found})
        fetched = found.get("fetched")
        table.rows.append(
            [
                count(rows),
                target,
                kind,
                seconds(found["cpu"]),
                f"{found['megabytes']:.0f} MB",
                str(found.get("passes", "")),
                "" if fetched is None else f"{fetched / (rows * n_columns * DEPTH):.4%}",
                found.get("tree", ""),
                {True: "proven", False: "not all proven"}.get(found.get("proven"), ""),
            ]
        )
        print(table.rows[-1], file=sys.stderr)

    workers = Table(
        "On a Dask cluster",
        f"{N_COLUMNS} columns, depth {DEPTH}, workers of one thread on this machine; the clock of "
        f"the fit, the cluster running. Asked of two: {LEAST_GAIN:g} times.",
        "rows|target|one worker|two workers|gain|tree|verdict",
    )

    def show_workers(rows: int, target: str, source: Path) -> None:
        found = [measure(kind, target, source) for kind in ("one worker", "two workers")]
        one, two = found
        if one is None or two is None:
            return
        results.extend({"rows": rows, "target": target, **each} for each in (one, two))
        gain = one["fit_seconds"] / two["fit_seconds"]
        misses = ["gain"] if gain < LEAST_GAIN else []
        misses += ["tree"] if one["tree"] != two["tree"] else []
        clocks = [seconds(each["fit_seconds"]) for each in (one, two)]
        workers.rows.append(
            [count(rows), target, *clocks, times(gain), one["tree"], verdict(misses)]
        )
        print(workers.rows[-1], file=sys.stderr)

    with tempfile.TemporaryDirectory() as name:
        for rows in (most // 5, most):
            path = write(Path(name), rows)
            if rows == most:
                show_workers(rows, chosen[0], path)
            for target in chosen if rows == most else chosen[:1]:
                for kind in ("partitions", "memory", "lightgbm"):
                    show(rows, target, kind, path, N_COLUMNS)
            path.unlink()
    for rows in (made // 100, made // 10, made):
        show(rows, chosen[0], "generated", rows, 10)
    tables = [table, *([workers] if workers.rows else [])]
    print_tables(tables)
    if options.output:
        machine, packages = describe_machine(), describe_packages("treewright", "numpy", "pyarrow")
        shown = "\n".join(each.to_markdown() for each in tables)
        text = f"# Large tables\n\n{in_words(machine, packages)}\n\n{shown}"
        options.output.write_text(text, encoding="utf-8")
        everything = {"machine": machine, "packages": packages, "results": results}
        target = options.output.with_suffix(".json")
        target.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
