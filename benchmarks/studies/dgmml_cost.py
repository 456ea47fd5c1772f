"""What a dGMML tree costs: beside exact CART, and how it grows with rows and columns.

    python -m benchmarks.studies.dgmml_cost [--quick] [--repeats N] [--output FILE.md]

Both trees are treewright's, of depth 6, on the rows of greedy.py. dGMML reads every column
once a level and sorts nothing; CART sorts every column once and then reads the order once a level.
A table of numpy lies by rows; one from a data frame lies by columns. Times are process CPU time,
the least of some repeats, all in one run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.made_data import Job, make_data
from benchmarks.common.measuring import timed
from benchmarks.common.report import (
    Table,
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
from treewright import FTest, TreeClassifier, recipes
from treewright.base.progress import working
from treewright.estimators import GrowthRules

DEPTH = 6
ASKED = 2.0  # times as fast as CART
SHAPES = ((100_000, 100), (1_000_000, 20))
ORDERS = ("rows", "columns")  # what lies together in memory
ROWS, COLUMNS = (10_000, 100_000, 1_000_000), (10, 40, 160)
COLUMNS_WHILE_ROWS_GROW, ROWS_WHILE_COLUMNS_GROW = 20, 50_000
TREES: dict[str, Callable[[], Any]] = {
    "CART": lambda: TreeClassifier(max_depth=DEPTH),
    "mean": lambda: dgmml("mean"),
    "closest": lambda: dgmml("closest"),
    "median": lambda: dgmml("median"),
    "impurity": lambda: dgmml("impurity"),
    "recipe": lambda: recipes.dgmml(max_depth=DEPTH),
    "MDT": lambda: TreeClassifier(
        split=FTest(2), max_depth=DEPTH, growth_rules=GrowthRules(zero_gain=True)
    ),
}


def dgmml(threshold: str) -> TreeClassifier:
    return TreeClassifier(
        split=FTest(threshold=threshold), max_depth=DEPTH, growth_rules=GrowthRules(zero_gain=True)
    )


def measure(rows: int, columns: int, order: str, trees: list[str], repeats: int) -> dict[str, Any]:
    """Return the least CPU seconds of each tree, which take turns."""
    X, y = make_data(Job("fit", rows=rows, columns=columns), rows)
    X = np.asarray(X, order="C" if order == "rows" else "F")
    runs: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(repeats):
        for name in trees:
            runs[name].append(timed(TREES[name]().fit, X, y)[0])
    return {
        "rows": rows,
        "columns": columns,
        "order": order,
        "seconds": {name: min(found) for name, found in runs.items()},
    }


def size_of(found: dict[str, Any]) -> str:
    return f"{rows_in_short(found['rows'])} x {found['columns']}"


def beside_cart(results: list[dict[str, Any]]) -> Table:
    table = Table(
        "One tree of depth 6 beside exact CART",
        f"Asked of the mean: at least {ASKED:g} times as fast as CART. The recipe prunes; MDT adds "
        "up two columns.",
        "data|lies by|" + "|".join(TREES) + "|CART / mean|verdict",
    )
    for found in results:
        cost = found["seconds"]
        ratio = cost["CART"] / cost["mean"]
        misses = [] if ratio >= ASKED else [f"{ASKED:g}x"]
        cells = [seconds(cost[name]) for name in TREES]
        table.rows.append([size_of(found), found["order"], *cells, times(ratio), verdict(misses)])
    return table


def growth(results: list[dict[str, Any]], what: str) -> Table:
    table = Table(
        f"Growth with the number of {what}",
        "The exponent is the slope of log time over log size: 1 is in proportion.",
        "data|CART|mean|CART / mean",
    )
    sizes = [found[what] for found in results]
    for found in results:
        cart, mean = found["seconds"]["CART"], found["seconds"]["mean"]
        table.rows.append([size_of(found), seconds(cart), seconds(mean), times(cart / mean)])
    slopes = [slope(sizes, [f["seconds"][name] for f in results]) for name in ("CART", "mean")]
    table.rows.append(["exponent", *(f"{value:.2f}" for value in slopes), ""])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    parser.add_argument("--repeats", type=int, default=5, help="of each fit (default 5)")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    if options.repeats < 1:
        parser.error(f"--repeats must be at least 1; {options.repeats} is not.")
    smaller, repeats = (100, 1) if options.quick else (1, options.repeats)
    two = ["CART", "mean"]
    work = [(rows, columns, order, [*TREES]) for rows, columns in SHAPES for order in ORDERS]
    work += [(rows, COLUMNS_WHILE_ROWS_GROW, "rows", two) for rows in ROWS]
    work += [(ROWS_WHILE_COLUMNS_GROW, columns, "rows", two) for columns in COLUMNS]
    results = []
    with working(f"{len(work)} tables") as update:
        for done, (rows, columns, order, trees) in enumerate(work, 1):
            results.append(measure(rows // smaller, columns, order, trees, repeats))
            if update:
                update(done / len(work))
    n_shapes = len(SHAPES) * len(ORDERS)
    tables = [
        beside_cart(results[:n_shapes]),
        growth(results[n_shapes : n_shapes + len(ROWS)], "rows"),
        growth(results[n_shapes + len(ROWS) :], "columns"),
    ]
    print_tables(tables)
    if options.output:
        machine = describe_machine()
        packages = describe_packages("treewright", "numpy")
        note = "Quick run: its numbers mean nothing. " if options.quick else ""
        how = f"{note}Process CPU time, the least of {repeats}."
        head = f"# The cost of dGMML\n\n{in_words(machine, packages)} {how}\n"
        text = "\n".join([head, *(table.to_markdown() for table in tables)])
        options.output.write_text(text)
        facts = {"machine": machine, "packages": packages, "results": results}
        options.output.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
