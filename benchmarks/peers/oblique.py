"""Oblique trees beside exact axis trees and their peers: time, growth and two physical limits.

    python -m benchmarks.peers.oblique [--quick] [--repeats N] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.common.oblique_work import Fit, Result, Work, growth_table, run_all
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
from treewright import MUST, Axis, TreeClassifier

DEPTH = 6
PEERS = ("treeple", "ydf", "obliquetree")
PRODUCTS_A_LEVEL = 6.0  # of the whole table, X'X, that a level of MUST("all") may take
FASTER_THAN_PEER = 10.0  # MUST(2) than obliquetree


def treewright_tree(split: Any) -> Any:
    return TreeClassifier(split=split, max_depth=DEPTH, random_state=0)


def treeple_tree() -> Any:
    from treeple.tree import ObliqueDecisionTreeClassifier

    return ObliqueDecisionTreeClassifier(max_depth=DEPTH, random_state=0)


class YdfTree:
    """One tree of ydf with sparse oblique splits that fits and predicts as the others do."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> YdfTree:
        import ydf

        learner = ydf.CartLearner(
            label="y", max_depth=DEPTH + 1, split_axis="SPARSE_OBLIQUE", validation_ratio=0.0
        )
        self.model = learner.train({"X": X, "y": y}, verbose=0)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict({"X": X}) > 0.5


def obliquetree_tree() -> Any:
    from obliquetree import Classifier

    return Classifier(use_oblique=True, max_depth=DEPTH, random_state=0)


METHODS: dict[str, Callable[[], Any]] = {
    "Axis()": lambda: treewright_tree(Axis()),
    "MUST(1)": lambda: treewright_tree(MUST(1)),
    "MUST(2)": lambda: treewright_tree(MUST(2)),
    "MUST(3)": lambda: treewright_tree(MUST(3)),
    'MUST("all")': lambda: treewright_tree(MUST("all")),
    "treeple": treeple_tree,
    "ydf": YdfTree,
    "obliquetree": obliquetree_tree,
}
PRODUCT = "X'X"


def fit_of(work: Work) -> Fit:
    if work.method == PRODUCT:
        return lambda X, _: np.matmul(X.T, X)
    return lambda X, y: METHODS[work.method]().fit(X, y)


# ----------------------------------------------------------------------------------- the tables


def peers_table(results: list[Result]) -> Table:
    """Depth 6: every method beside our exact axis tree."""
    table = Table(
        f"Depth {DEPTH}",
        "Accuracy is that of rows not trained on. MUST(2) must not be slower than Axis(), and must "
        f"be {FASTER_THAN_PEER:g} times faster than obliquetree.",
        "data|method|time|of Axis()|of MUST(2)|accuracy|leaves|verdict",
    )
    found = {(result.work.data, result.work.method): result for result in results}
    for (data, method), result in found.items():
        ratio = result.median / found[data, "Axis()"].median
        over_pairs = result.median / found[data, "MUST(2)"].median
        misses = []
        if method == "MUST(2)" and ratio > 1:
            misses.append("slower than Axis()")
        if method == "obliquetree" and over_pairs < FASTER_THAN_PEER:
            misses.append(f"MUST(2) is {times(over_pairs)} as fast")
        judged = method in ("MUST(2)", "obliquetree")
        table.rows.append(
            [
                data,
                method,
                seconds(result.median),
                times(ratio),
                times(over_pairs),
                "-" if result.accuracy is None else f"{100 * result.accuracy:.1f} %",
                count(result.leaves),
                verdict(misses) if judged else "",
            ]
        )
    return table


def product_table(tree: Result, product: Result) -> Table:
    """The tree on all columns beside one product of the table with itself a level."""
    a_level = tree.median / DEPTH / product.median
    misses = [] if a_level <= PRODUCTS_A_LEVEL else [f"more than {PRODUCTS_A_LEVEL:g}"]
    return Table(
        "All columns in a test",
        f"Beside one product of the table with itself, X'X, for each of the {DEPTH} levels.",
        "data|method|time|X'X|products a level|verdict",
        [
            [
                tree.work.data,
                tree.work.method,
                seconds(tree.median),
                seconds(product.median),
                f"{a_level:.1f}",
                verdict(misses),
            ]
        ],
    )


# ----------------------------------------------------------------------------------- the command


def growth_work(*, quick: bool) -> Iterator[Work]:
    """Three numbers of rows and three of columns."""
    unit = 500 if quick else 25_000
    for method in ("MUST(1)", "MUST(2)", "MUST(3)"):
        for rows in (unit, 4 * unit, 16 * unit):
            yield Work(method, rows, 20)
        for columns in (10, 40):
            yield Work(method, 4 * unit, columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--repeats", type=int, default=3, help="of each piece (default 3)")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    parser.add_argument("--note", default="", help="what a reader of the output has to know")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    absent = [name for name in PEERS if importlib.util.find_spec(name) is None]
    present = [name for name in METHODS if name not in absent]
    for name in PEERS:
        if name in present:
            importlib.import_module(name)  # the limit on threads holds for what is loaded by then
    sizes = (1000,) if options.quick else (100_000, 1_000_000)
    wide = (1000, 20) if options.quick else (100_000, 100)
    peers = [Work(method, rows, 20) for rows in sizes for method in present]
    peers += [Work(method, sizes[0], 20, classes=6) for method in present if method != "ydf"]
    products = [Work('MUST("all")', *wide), Work(PRODUCT, *wide)]
    growth = [*growth_work(quick=options.quick)]
    held_out = 1000 if options.quick else 50_000
    works = [*peers, *products, *growth]
    with threadpool_limits(1):
        results = run_all(
            works, fit_of, options.repeats, lambda work: held_out if work in peers else 0
        )
    first, second = len(peers), len(peers) + len(products)
    tables = [
        peers_table(results[:first]),
        product_table(*results[first:second]),
        growth_table(results[second:], "n log n over these rows gives 1.09"),
    ]
    print_tables(tables)
    if absent:
        print(f"Not installed, so not measured: {', '.join(absent)}.")
    if options.output:
        write(options.output, results, tables, absent, options.note)


def write(
    path: Path, results: list[Result], tables: list[Table], absent: list[str], note: str
) -> None:
    """Write the tables as Markdown and the numbers as JSON."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scipy", *PEERS)
    left_out = f"Not installed, so not measured: {', '.join(absent)}.\n" if absent else ""
    known = f"{in_words(machine, packages)}\n{left_out}" + (f"{note}\n" if note else "")
    parts = [f"# Oblique trees beside their peers\n\n{known}"]
    path.write_text("\n".join([*parts, *(table.to_markdown() for table in tables)]))
    runs = [result.to_json() for result in results]
    facts = {"machine": machine, "packages": packages, "note": note, "runs": runs}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
