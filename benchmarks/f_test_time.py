"""Trees by the F test (dGMML) beside exact ones: time at depth 6, and how it grows.

    python benchmarks/f_test_time.py [--quick] [--repeats N] [--output FILE.md]

README.md in this folder says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from oblique_work import Fit, Result, Work, growth_table, run_all
from report import (
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
from threadpoolctl import threadpool_limits

from treewright import Axis, FTest, TreeClassifier

DEPTH = 6
FASTER = 2.0  # than Axis()
EXACT, JUDGED = "Axis()", 'FTest(threshold="mean")'

SPLITS: dict[str, Callable[[], Any]] = {
    EXACT: Axis,
    JUDGED: lambda: FTest(threshold="mean"),
    'FTest(threshold="closest")': lambda: FTest(threshold="closest"),
    'FTest(threshold="median")': lambda: FTest(threshold="median"),
    'FTest(threshold="class_midpoint")': lambda: FTest(threshold="class_midpoint"),
    'FTest(threshold="impurity")': lambda: FTest(threshold="impurity"),
    'FTest(2, threshold="mean")': lambda: FTest(2, threshold="mean"),
}


def fit_of(work: Work) -> Fit:
    """Return what grows the tree, thresholds as they are found."""
    model = TreeClassifier(
        split=SPLITS[work.method](), max_depth=DEPTH, zero_gain=True, readable=False
    )
    return model.fit


def time_table(results: list[Result]) -> Table:
    table = Table(
        f"Depth {DEPTH}",
        "Accuracy is that of rows not trained on. Asked: cut at the mean, at least "
        f"{FASTER:g} times as fast as Axis().",
        "data|method|time|Axis() / method|accuracy|leaves|verdict",
    )
    exact = {one.work.data: one.median for one in results if one.work.method == EXACT}
    for result in results:
        ratio = exact[result.work.data] / result.median
        misses = [f"below {FASTER:g}"] if ratio < FASTER else []
        table.rows.append(
            [
                *(result.work.data, result.work.method, seconds(result.median), times(ratio)),
                "-" if result.accuracy is None else f"{100 * result.accuracy:.1f} %",
                count(result.leaves),
                verdict(misses) if result.work.method == JUDGED else "",
            ]
        )
    return table


def growth_work(*, quick: bool) -> Iterator[Work]:
    """Three numbers of rows and three of columns."""
    unit = 500 if quick else 25_000
    for method in (EXACT, JUDGED):
        for rows in (unit, 4 * unit, 16 * unit):
            yield Work(method, rows, 20)
        for columns in (10, 40):
            yield Work(method, 4 * unit, columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--repeats", type=int, default=3, help="of each piece (default 3)")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    shapes = ((1000, 20),) if options.quick else ((100_000, 100), (1_000_000, 20))
    compared = [Work(method, *shape) for shape in shapes for method in SPLITS]
    works = [*compared, *growth_work(quick=options.quick)]
    held_out = 1000 if options.quick else 50_000
    with threadpool_limits(1):
        results = run_all(
            works, fit_of, options.repeats, lambda work: held_out if work in compared else 0
        )
    first = len(compared)
    tables = [
        time_table(results[:first]),
        growth_table(results[first:], "n log n over these rows gives 1.09"),
    ]
    print_tables(tables)
    if options.output:
        write(options.output, results, tables)


def write(path: Path, results: list[Result], tables: list[Table]) -> None:
    """Write the tables as Markdown and the numbers as JSON."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scipy")
    words = f"# Trees by the F test beside exact ones\n\n{in_words(machine, packages)}\n"
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    facts = {"machine": machine, "packages": packages, "runs": [one.to_json() for one in results]}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
