"""Policy trees by losses of rows: the time of a proof by actions and thresholds.

    python -m benchmarks.studies.policy_trees [--quick] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

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
    verdict,
)
from treewright import OptimalTreeClassifier

ROWS, QUICK_ROWS, COLUMNS, DEPTH = 40_000, 400, 5, 2
ACTIONS, DECIMALS = (2, 5, 20), (1, 2, 3)


@dataclass(frozen=True)
class Measured:
    """One number of actions and of decimals: CPU seconds of each repeat, and what was proven."""

    rows: int
    actions: int
    decimals: int
    thresholds: int
    spent: list[float]
    regret: float
    proven: bool


def make_losses(rows: int, actions: int, decimals: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw columns, and losses of which three depend on them."""
    random = np.random.default_rng(actions)
    X = random.normal(size=(rows, COLUMNS)).round(decimals)
    losses = random.normal(size=(rows, actions))
    losses[:, 0] -= X[:, 0] * (X[:, 1] > 0.0)
    losses[:, 1] -= X[:, 2] > 0.5
    losses[:, -1] += X[:, 1]
    return X, losses


def measure(rows: int, actions: int, decimals: int, repeats: int) -> Measured:
    X, losses = make_losses(rows, actions, decimals)
    fit = partial(OptimalTreeClassifier(DEPTH, thresholds="all").fit, losses=losses)
    runs = [timed(fit, X) for _ in range(repeats)]
    certificate = runs[-1][1].certificate_
    thresholds = sum(len(np.unique(column)) - 1 for column in X.T)
    found = (rows, actions, decimals, thresholds, [spent for spent, _ in runs])
    return Measured(*found, certificate.objective, certificate.proven)


def time_table(results: list[Measured]) -> Table:
    table = Table(
        "Policy trees of depth 2",
        f"Least process CPU time of several repeats, one thread, {COLUMNS} columns, all "
        "thresholds; the whole fit.",
        "rows|actions|thresholds|fit|regret per row|verdict",
    )
    for found in results:
        table.rows.append(
            [
                *(rows_in_short(found.rows), count(found.actions), count(found.thresholds)),
                *(seconds(min(found.spent)), f"{found.regret / found.rows:.4f}"),
                verdict([] if found.proven else ["proof"]),
            ]
        )
    return table


def write(path: Path, results: list[Measured], table: Table, *, quick: bool) -> None:
    """Write the table as Markdown, and every measurement as JSON beside it."""
    machine, packages = describe_machine(), describe_packages("treewright", "numpy")
    words = (
        "# Policy trees\n\n"
        f"{'Quick run: the numbers mean nothing. ' if quick else ''}"
        f"{in_words(machine, packages)} Made by `python -m benchmarks.studies.policy_trees "
        "--output FILE.md`; `benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, table.to_markdown()]))
    measured = [asdict(found) for found in results]
    kept = {"machine": machine, "packages": packages, "quick": quick, "measured": measured}
    path.with_suffix(".json").write_text(json.dumps(kept, indent=1) + "\n")


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
    rows = QUICK_ROWS if options.quick else ROWS
    results = [
        measure(rows, actions, decimals, options.repeats)
        for actions in ACTIONS
        for decimals in DECIMALS
    ]
    table = time_table(results)
    print_tables([table])
    if options.output:
        write(options.output, results, table, quick=options.quick)
    if not all(found.proven for found in results):
        sys.exit("Not every tree is proven.")


if __name__ == "__main__":
    main()
