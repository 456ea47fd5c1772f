"""Trees over partitions beside trees in memory: the same tree, CPU time and memory by size.

    python -m benchmarks.studies.large_tables --output benchmarks/results/large_tables.md

The tables have 20 normal columns as 32-bit numbers, in Parquet files of 65,536 rows a row group,
and are made from seeds; every measurement is a process of its own on one thread. `--rows` sets the
largest size, `--generated` that of the table which is made again in every pass and stored nowhere,
`--part` measures a part only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

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
Found: TypeAlias = dict[str, Any]


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


def measure(kind: str, target: str, source: object) -> Found | None:
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


def run_files(most: int, chosen: list[str]) -> Iterator[Found]:
    """Grow from files of two sizes, in memory, and by LightGBM."""
    with tempfile.TemporaryDirectory() as name:
        for rows in (most // 5, most):
            path = write(Path(name), rows)
            for target in chosen if rows == most else chosen[:1]:
                for kind in ("partitions", "memory", "lightgbm"):
                    yield from measured(rows, target, kind, path)
            path.unlink()


def run_workers(most: int, chosen: list[str]) -> Iterator[Found]:
    """Grow on one worker and on two."""
    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name), most)
        for kind in ("one worker", "two workers"):
            yield from measured(most, chosen[0], kind, path)


def run_generated(most: int, chosen: list[str]) -> Iterator[Found]:
    """Grow from rows that stand nowhere, of three sizes."""
    for rows in (most // 100, most // 10, most):
        yield from measured(rows, chosen[0], "generated", rows)


def measured(rows: int, target: str, kind: str, source: object) -> Iterator[Found]:
    found = measure(kind, target, source)
    if found is not None:
        result = {"rows": rows, "target": target, "kind": kind, **found}
        print(result, file=sys.stderr)
        yield result


PARTS = {"files": run_files, "workers": run_workers, "generated": run_generated}


def tables_of(results: dict[str, list[Found]], made_on: dict[str, Found]) -> list[Table]:
    where = {part: in_words(**one) for part, one in made_on.items()}
    of_files = Table(
        "From Parquet files",
        f"{N_COLUMNS} columns, depth {DEPTH}, one thread; CPU time with reading, without imports. "
        f"Cells are rows times columns times levels. {where.get('files', '')}",
        "rows|target|how|CPU time|memory|passes|values fetched, of all cells|tree|",
    )
    for found in results.get("files", []):
        of_files.rows.append(
            [
                *(count(found["rows"]), found["target"], found["kind"], seconds(found["cpu"])),
                f"{found['megabytes']:.0f} MB",
                *(str(found.get("passes", "")), fetched(found, N_COLUMNS)),
                *(found.get("tree", ""), proof(found)),
            ]
        )
    of_workers = Table(
        "On a Dask cluster",
        f"{N_COLUMNS} columns, depth {DEPTH}, workers of one thread on this machine; the clock of "
        f"the fit, the cluster running. Asked of two: {LEAST_GAIN:g} times. "
        f"{where.get('workers', '')}",
        "rows|target|one worker|two workers|gain|tree|verdict",
    )
    both = results.get("workers", [])
    if len(both) == 2:
        one, two = both
        gain = one["fit_seconds"] / two["fit_seconds"]
        misses = ["gain"] if gain < LEAST_GAIN else []
        misses += ["tree"] if one["tree"] != two["tree"] else []
        clocks = [seconds(each["fit_seconds"]) for each in both]
        of_workers.rows.append(
            [
                *(count(one["rows"]), one["target"], *clocks, times(gain), one["tree"]),
                verdict(misses),
            ]
        )
    of_generated = Table(
        "From nowhere",
        "10 columns, made in every pass from seeds; CPU time of the fit, that of making the rows, "
        "which no pass of a fit from files has, and what is left for each million rows. "
        f"{where.get('generated', '')}",
        "rows|CPU time|of making|left per million|memory|passes|values fetched, of all cells|tree|",
    )
    for found in results.get("generated", []):
        left = found["cpu"] - found["making"]
        of_generated.rows.append(
            [
                *(count(found["rows"]), seconds(found["cpu"]), seconds(found["making"])),
                *(seconds(left / found["rows"] * 1e6), f"{found['megabytes']:.0f} MB"),
                *(str(found["passes"]), fetched(found, 10), found["tree"], proof(found)),
            ]
        )
    return [table for table in (of_files, of_workers, of_generated) if table.rows]


def fetched(found: Found, n_columns: int) -> str:
    if "fetched" not in found:
        return ""
    return f"{found['fetched'] / (found['rows'] * n_columns * DEPTH):.4%}"


def proof(found: Found) -> str:
    return {True: "proven", False: "not all proven"}.get(found.get("proven"), "")


def main() -> None:
    parser = make_parser("Trees over partitions beside trees in memory.")
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the largest file")
    parser.add_argument("--generated", type=int, default=100_000_000, help="rows stored nowhere")
    parser.add_argument(
        "--part", choices=PARTS, action="append", help="the others stay as the output has them"
    )
    options = read(parser, TARGETS)
    most, made = (20_000, 40_000) if options.quick else (options.rows, options.generated)
    stored = options.output and options.output.with_suffix(".json")
    results: dict[str, list[Found]] = {}
    made_on: dict[str, Found] = {}  # parts may be of different machines
    if options.part and stored and stored.is_file():
        kept = json.loads(stored.read_text(encoding="utf-8"))
        results, made_on = kept["results"], kept["made_on"]
    here = {
        "machine": describe_machine(),
        "packages": describe_packages("treewright", "numpy", "pyarrow"),
    }
    for part in options.part or PARTS:
        size = made if part == "generated" else most
        results[part] = [*PARTS[part](size, options.only or [*TARGETS])]
        made_on[part] = here
    tables = tables_of(results, made_on)
    print_tables(tables)
    if options.output:
        shown = "\n".join(each.to_markdown() for each in tables)
        text = f"# Large tables\n\n{shown}"
        options.output.write_text(text, encoding="utf-8")
        everything = {"made_on": made_on, "results": results}
        stored.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
