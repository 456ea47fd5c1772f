"""What a test by OC1, CART-LC, SADT, HHCART or WODT costs, how that grows, and whole trees.

    python -m benchmarks.studies.direct_search [--quick] [--repeats N] [--data FOLDER]
        [--output FILE.md]

A test is that of a tree of depth 1 on the rows of machines.py: normal columns, and classes by the
largest of as many random sums with noise. Times are process CPU time of `fit`, the least of some
repeats; all methods have one thread and their defaults.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.common.data_sets import DataSet, default_folder, read_sets
from benchmarks.common.measuring import timed
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    slope,
    verdict,
)
from benchmarks.studies.machines import make_rows
from treewright import TreeClassifier, recipes
from treewright.base.progress import working
from treewright.splits import CARTLC, HHCART, MUST, OC1, SADT, WODT, Axis, Climb, SplitMethod

SIZES = {  # rows, columns, classes: three of each, the others as in the middle
    "rows": [(1000, 10, 2), (4000, 10, 2), (16_000, 10, 2)],
    "columns": [(4000, 5, 2), (4000, 10, 2), (4000, 20, 2)],
    "classes": [(4000, 10, 2), (4000, 10, 6), (4000, 10, 18)],
}
ROOM = 0.35  # by which an exponent may be above the stated one: logarithms, longer searches


@dataclass(frozen=True)
class Method:
    """A split method, and the powers of rows, columns and classes that its cost is stated by."""

    split: SplitMethod
    stated: str
    powers: dict[str, float]
    make_rows: Callable[[int, int, int], tuple[Any, Any]] = make_rows
    kinds: tuple[str, ...] = tuple(SIZES)  # of the sizes that it is measured at


def rows_divided_by_ones(n_rows: int, n_classes: int, n_columns: int) -> tuple[Any, Any]:
    """Return rows of two classes that the first plane of SADT tells apart, so that none is better.

    Its search is then as many steps as it is patient, and the time that of a step.
    """
    X, _ = make_rows(n_rows, n_classes, n_columns)
    return X, ((X - X.mean(axis=0)) / X.std(axis=0)).sum(axis=1) > 0


STEPS = Method(SADT(), "3100 n", {"rows": 1}, rows_divided_by_ones, ("rows", "columns"))


METHODS = {
    "Axis()": Method(Axis(), "d n log n", {"rows": 1, "columns": 1}),
    'MUST("all")': Method(MUST("all"), "n d^2", {"rows": 1, "columns": 2}),
    "Climb(MUST(2))": Method(Climb(MUST(2)), "passes n log n", {"rows": 1}),
    "CARTLC()": Method(CARTLC(), "cycles 3 d n log n", {"rows": 1}),
    "OC1()": Method(OC1(), "restarts passes d n log n", {"rows": 1}),
    "OC1(2)": Method(OC1(2), "restarts passes 2 n log n", {"rows": 1}),
    "SADT()": Method(SADT(), "steps n", {}),
    "SADT(), 3100 steps": STEPS,
    "WODT()": Method(WODT(), "steps d n", {"rows": 1}),
    'HHCART("dominant")': Method(
        HHCART("dominant"), "K d n log n + n d^2", {"rows": 1, "columns": 1, "classes": 1}
    ),
    'HHCART("all")': Method(HHCART(), "K d^2 n log n", {"rows": 1, "columns": 2, "classes": 1}),
}
TREES: dict[str, tuple[str, Callable[[], Any], float]] = {  # data, tree, most seconds
    "oc1(prune=None)": ("pima", lambda: recipes.oc1(prune=None, random_state=0), 1.0),
    'hhcart("all")': ("letter", lambda: recipes.hhcart("all", random_state=0), 60.0),
    'hhcart("dominant")': ("letter", lambda: recipes.hhcart("dominant", random_state=0), 60.0),
}


def least_time(make: Callable[[], Any], X: Any, y: Any, repeats: int) -> tuple[float, Any]:
    """Return the least CPU seconds of a fit, and the last model."""
    runs = []
    for _ in range(repeats):
        model = make()
        runs.append(timed(model.fit, X, y)[0])
    return min(runs), model


def measure(repeats: int, smaller: int) -> dict[str, dict[str, list[float]]]:
    """Return the seconds of one test by every method, at three sizes of each kind."""
    work = [(name, what) for name, method in METHODS.items() for what in method.kinds]
    found: dict[str, dict[str, list[float]]] = {name: {} for name in METHODS}
    with working(f"{len(work)} methods and sizes") as update:
        for done, (name, what) in enumerate(work, 1):
            method = METHODS[name]
            found[name][what] = [
                least_time(
                    lambda method=method: TreeClassifier(
                        split=method.split, max_depth=1, readable=False, random_state=0
                    ),
                    *method.make_rows(rows // smaller, classes, columns),
                    repeats,
                )[0]
                for rows, columns, classes in SIZES[what]
            ]
            if update:
                update(done / len(work))
    return found


def cost_table(found: dict[str, dict[str, list[float]]], what: str) -> Table:
    """Return how the cost of one test grows with rows, columns or classes."""
    places = {"rows": 0, "columns": 1, "classes": 2}
    sizes = [size[places[what]] for size in SIZES[what]]
    rows, columns, classes = SIZES[what][1]
    fixed = {"rows": f"{count(rows)} rows", "columns": f"{columns} columns"}
    fixed["classes"] = f"{classes} classes"
    others = ", ".join(words for name, words in fixed.items() if name != what)
    table = Table(
        f"One test: growth with the number of {what}",
        f"{others}. The exponent is the slope of log time over log size; the verdict asks that it "
        f"is at most the stated power of the number of {what} and {ROOM:g}. Where only steps and "
        "passes depend on it, whose number is not stated, there is none.",
        "|".join(["method", "stated", *(f"{count(size)} {what}" for size in sizes)])
        + "|exponent|verdict",
    )
    for name, method in METHODS.items():
        if what not in method.kinds:
            continue
        times = found[name][what]
        exponent, power = slope(sizes, times), method.powers.get(what)
        misses = [] if power is None or exponent <= power + ROOM else [f"power {power:g}"]
        cells = [*map(seconds, times), f"{exponent:.2f}"]
        judged = "-" if power is None else verdict(misses)
        table.rows.append([name, method.stated, *cells, judged])
    return table


def tree_table(sets: list[DataSet], repeats: int) -> Table:
    """Return the time of whole trees on the sets that are there."""
    table = Table(
        "Whole trees",
        "A tree on all rows, rounding of coefficients included. OC1 has 20 restarts and is not cut "
        "back; HHCART is grown on nine tenths of the rows and cut back by the others.",
        "tree|data|rows|leaves before pruning|leaves|seconds|at most|verdict",
    )
    by_name = {data.name: data for data in sets}
    for name, (where, make, most) in TREES.items():
        if where in by_name:
            data = by_name[where]
            time, model = least_time(make, data.columns, data.target, repeats)
            grown, kept = model.path_.largest.n_leaves, model.tree_.n_leaves
            cells = [name, where, count(data.n_rows), count(grown), count(kept), seconds(time)]
            misses = [] if time <= most else ["limit"]
            table.rows.append([*cells, seconds(most), verdict(misses)])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--repeats", type=int, default=3, help="of each fit (default 3)")
    parser.add_argument("--data", type=Path, default=default_folder(), help="folder of the sets")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    if options.repeats < 1:
        parser.error(f"--repeats must be at least 1; {options.repeats} is not.")
    smaller, repeats = (20, 1) if options.quick else (1, options.repeats)
    sets, absent = read_sets(options.data, dict.fromkeys(where for where, _, _ in TREES.values()))
    notes = ["Quick run: its numbers mean nothing."] if options.quick else []
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    found = measure(repeats, smaller)
    tables = [cost_table(found, what) for what in SIZES]
    if sets:
        used = [data.sample(200) for data in sets] if options.quick else sets
        tables.insert(0, tree_table(used, repeats))
    print_tables(tables)
    if options.output:
        write(options.output, tables, found, [*notes, f"The least of {repeats} CPU times."])


def write(
    path: Path,
    tables: list[Table],
    found: dict[str, dict[str, list[float]]],
    notes: list[str],
) -> None:
    """Write the tables as Markdown, and the times as JSON beside them."""
    machine, packages = describe_machine(), describe_packages("treewright", "numpy")
    words = f"# The cost of direct search\n\n{in_words(machine, packages)} {' '.join(notes)}\n"
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    facts = {"machine": machine, "packages": packages, "sizes": SIZES, "seconds": found}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
