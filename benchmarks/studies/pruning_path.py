"""What the pruning path costs beside one fit: the path itself, and choosing from it by folds.

    python -m benchmarks.studies.pruning_path [--quick] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.common.made_data import Job, make_data
from benchmarks.common.measuring import timed
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    rows_in_short,
    seconds,
    slope,
    times,
    verdict,
)
from treewright import TreeClassifier, TreeRegressor
from treewright.base.progress import working
from treewright.prune import CostComplexity, cost_complexity_path

COLUMNS = 20
ROWS, QUICK_ROWS = (25_000, 50_000, 100_000, 200_000), (250, 500, 1000, 2000)
JUDGED_ROWS, MOST_FITS = 100_000, 13.0  # what is asked of treewright
FOLDS = 10


@dataclass(frozen=True)
class Measured:
    """One task and size: process CPU seconds of each repeat, and what came out."""

    task: str
    rows: int
    fit: list[float]
    path: list[float]
    cross_validated: list[float]
    leaves: int
    entries: int  # trees of the path
    chosen: int  # leaves of the chosen tree

    @property
    def ratio(self) -> float:
        """How many fits the cross-validated path costs."""
        return min(self.cross_validated) / min(self.fit)


def measure(task: str, rows: int, repeats: int) -> Measured:
    """Do all three in turn, several times over, on the same data."""
    is_class = task == "classification"
    X, y = make_data(Job("fit", rows=rows, columns=COLUMNS, classes=2 if is_class else 0), rows)
    estimator: Any = TreeClassifier if is_class else TreeRegressor
    estimator().fit(X[:200], y[:200])
    fits, paths, chosen = [], [], []
    for _ in range(repeats):
        fits.append(timed(estimator().fit, X, y))
        paths.append(timed(cost_complexity_path, fits[-1][1].tree_))
        pruned = estimator(prune=CostComplexity(folds=FOLDS))
        chosen.append(timed(pruned.fit, X, y))
    return Measured(
        *(task, rows),
        *([spent for spent, _ in runs] for runs in (fits, paths, chosen)),
        leaves=fits[-1][1].tree_.n_leaves,
        entries=len(paths[-1][1]),
        chosen=chosen[-1][1].tree_.n_leaves,
    )


def cost_table(results: list[Measured]) -> Table:
    table = Table(
        "A fit, its path, and a cross-validated choice",
        f"Least process CPU time of several repeats, one thread, {COLUMNS} columns, default trees "
        f"grown to the end. Asked of {FOLDS} folds at {rows_in_short(JUDGED_ROWS)} rows: at most "
        f"{MOST_FITS:g} fits. {FOLDS} folds of nine tenths of the rows and the fit itself are "
        "some 10 fits by themselves.",
        "task|rows|leaves|trees of the path|chosen leaves|fit|path|cross-validated fit|"
        "path / fit|cross-validated / fit|verdict",
    )
    for found in results:
        missed = found.rows == JUDGED_ROWS and found.ratio > MOST_FITS
        table.rows.append(
            [
                *(found.task, rows_in_short(found.rows), count(found.leaves)),
                *(count(found.entries), count(found.chosen)),
                *(seconds(min(runs)) for runs in (found.fit, found.path, found.cross_validated)),
                *(times(min(found.path) / min(found.fit)), times(found.ratio)),
                verdict(["cross-validated"] if missed else []),
            ]
        )
    return table


def growth_table(results: list[Measured]) -> Table:
    table = Table(
        "Growth with the rows",
        "Slope of log time over log rows, by least squares (1: proportional). Expected: the slope "
        "of n log n over the same sizes.",
        "task|rows|fit|path|cross-validated fit|expected",
    )
    for task in dict.fromkeys(found.task for found in results):
        line = [found for found in results if found.task == task]
        if len(line) < 3:
            continue
        sizes = [found.rows for found in line]
        costs = [
            [min(found.fit) for found in line],
            [min(found.path) for found in line],
            [min(found.cross_validated) for found in line],
            [n * math.log(n) for n in sizes],
        ]
        names = ", ".join(rows_in_short(n) for n in sizes)
        table.rows.append([task, names, *(f"{slope(sizes, cost):.2f}" for cost in costs)])
    return table


def write(path: Path, results: list[Measured], tables: list[Table], *, quick: bool) -> None:
    """Write the tables as Markdown, and every measurement as JSON beside them."""
    machine, packages = describe_machine(), describe_packages("treewright", "numpy")
    words = (
        "# What the pruning path costs\n\n"
        f"{'Quick run: the numbers mean nothing. ' if quick else ''}"
        f"{in_words(machine, packages)} Made by `python -m benchmarks.studies.pruning_path "
        "--output FILE.md`; `benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    measured = [asdict(found) for found in results]
    kept = {"machine": machine, "packages": packages, "quick": quick, "measured": measured}
    path.with_suffix(".json").write_text(json.dumps(kept, indent=1) + "\n")


def run(cases: list[tuple[str, int]], repeats: int) -> Iterator[Measured]:
    with working(f"{len(cases)} cases") as update:
        for done, (task, rows) in enumerate(cases, 1):
            yield measure(task, rows, repeats)
            if update:
                update(done / len(cases))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    parser.add_argument("--repeats", type=int, default=3, help="of each measurement (default 3)")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    if options.repeats < 1:
        parser.error("--repeats must be at least 1.")
    sizes = QUICK_ROWS if options.quick else ROWS
    cases = [(task, rows) for task in ("classification", "regression") for rows in sizes]
    results = [*run(cases, options.repeats)]
    tables = [cost_table(results), growth_table(results)]
    print_tables(tables)
    if options.output:
        write(options.output, results, tables, quick=options.quick)


if __name__ == "__main__":
    main()
