"""Trees by logistic regression beside one logistic regression of scikit-learn: time and growth.

    python -m benchmarks.peers.logistic [--quick] [--repeats N] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
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
from treewright import Logistic, recipes

DEPTH = 6
MOST_REGRESSIONS = 8.0  # that a tree of two classes may take
PEER = "LogisticRegression"


def tree(**how: Any) -> Any:
    """Return an oblique tree that is not pruned."""
    split = Logistic(**how)
    return recipes.oblique_logistic(split=split, prune=None, max_depth=DEPTH, random_state=0)


METHODS: dict[str, Callable[[], Any]] = {
    PEER: lambda: LogisticRegression(C=np.inf, max_iter=1000),
    "Logistic(None)": lambda: tree(concise=None),
    'Logistic(None, threshold="best")': lambda: tree(concise=None, threshold="best"),
    'Logistic("bic")': lambda: tree(concise="bic"),
}


class Clusters(Work):
    """Two classes of 16 clusters each: no boundary ends the tree before its depth."""

    @property
    def data(self) -> str:
        return f"{super().data} of 16 clusters"

    def make(self, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return the first rows of one large table, or of its second half."""
        X, y = make_classification(
            2 * self.rows, self.columns, n_informative=self.columns, n_redundant=0,
            n_clusters_per_class=16, class_sep=0.7, flip_y=0.02, random_state=0,
        )  # fmt: skip
        first = self.rows if seed else 0
        part = slice(first, first + rows)
        return X[part], y[part]


def fit_of(work: Work) -> Fit:
    return lambda X, y: METHODS[work.method]().fit(X, y)


def peers_table(results: list[Result]) -> Table:
    """Depth 6: every method beside one logistic regression on all rows."""
    table = Table(
        f"Depth {DEPTH}",
        f"Asked with two classes: at most {MOST_REGRESSIONS:g} times the {PEER} of scikit-learn on "
        "the same data (lbfgs, no penalty; of several classes it is multinomial). Where a boundary "
        "leaves nearly all rows on one side, the tree ends before that depth: see the leaves; a "
        "best threshold is found everywhere. Accuracy is that of rows not trained on.",
        f"data|method|time|of {PEER}|accuracy|leaves|verdict",
    )
    found = {(result.work.data, result.work.method): result for result in results}
    for (data, method), result in found.items():
        ratio = result.median / found[data, PEER].median
        misses = [f"more than {MOST_REGRESSIONS:g}x"] if ratio > MOST_REGRESSIONS else []
        table.rows.append(
            [
                *(data, method, seconds(result.median), times(ratio)),
                "-" if result.accuracy is None else f"{100 * result.accuracy:.1f} %",
                count(result.leaves),
                verdict(misses) if result.work.classes == 2 and method != PEER else "",
            ]
        )
    return table


def growth_work(unit: int) -> Iterator[Work]:
    """Three numbers of rows and three of columns."""
    for method in METHODS:
        for rows in (unit // 2, unit, 2 * unit):
            yield Work(method, rows, 20)
        for columns in (10, 40):
            yield Work(method, unit, columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--repeats", type=int, default=3, help="of each piece (default 3)")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    unit, held_out = (1000, 500) if options.quick else (100_000, 50_000)
    many = [Work(method, unit, 20, classes=6) for method in METHODS]
    clusters = [Clusters(method, unit, 20) for method in METHODS]
    with threadpool_limits(1):
        growth = run_all([*growth_work(unit)], fit_of, options.repeats, lambda _: held_out)
        deep = run_all(clusters, fit_of, options.repeats, lambda _: held_out)
        of_many = run_all(many, fit_of, 1, lambda _: held_out)
    judged = [one for one in growth if (one.work.rows, one.work.columns) == (unit, 20)]
    tables = [
        peers_table([*judged, *deep, *of_many]),
        growth_table(growth, "a fit that is linear in rows has slope 1"),
    ]
    print_tables(tables)
    if options.output:
        write(options.output, [*growth, *deep, *of_many], tables)


def write(path: Path, results: list[Result], tables: list[Table]) -> None:
    """Write the tables as Markdown and the numbers as JSON."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scipy", "scikit-learn")
    head = (
        f"# Trees by logistic regression beside one regression\n\n{in_words(machine, packages)}\n"
    )
    path.write_text("\n".join([head, *(table.to_markdown() for table in tables)]))
    runs = [result.to_json() for result in results]
    facts = {"machine": machine, "packages": packages, "runs": runs}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
