"""What dGMML's settings were chosen by: thresholds, columns in a test, and the blind spot.

    python -m benchmarks.studies.dgmml_choices [--quick] [--repeats N] [--data FOLDER]
        [--output FILE.md]

The 24 different sets of two classes of Li and Chen (2022), Table II, in repeated stratified
cross-validation of 10 folds, as papers/dgmml.py has them. And tables made so that classes hardly
differ in mean: a test that looks at means only is blind to them.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import Fold, fit, rows_of, work_through
from benchmarks.common.data_sets import DataSet
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.common.two_class_sets import TWO_CLASS_SETS, load_sets
from treewright import TreeClassifier, recipes
from treewright.prune import ErrorBased

FOLDS = 10
LEVELS = (None, 0.0001, 0.001, 0.01, 0.1)
TREES: dict[str, Callable[[], TreeClassifier]] = {
    **{
        f"{rule}, not pruned": lambda rule=rule: recipes.dgmml_paper(threshold=rule)
        for rule in ("closest", "median", "mean", "class_midpoint", "impurity")
    },
    **{
        f"{rule}, pruned": lambda rule=rule: recipes.dgmml(threshold=rule, fallback=None)
        for rule in ("closest", "median", "mean", "class_midpoint", "impurity")
    },
    **{
        f"{columns} columns, pruned": lambda columns=columns: recipes.dgmml_mdt(columns)
        for columns in (2, 3, "all")
    },
    "all columns as printed, not pruned": lambda: recipes.dgmml_mdt(variant="paper"),
    "CART, not pruned": lambda: TreeClassifier(min_samples_split=10),
    "CART, pruned as dGMML": lambda: TreeClassifier(
        min_samples_split=10, prune=ErrorBased(raising=False)
    ),
    **{
        f"mean, pruned, fallback {level}": lambda level=level: recipes.dgmml(fallback=level)
        for level in LEVELS
    },
}
SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "checkerboard": lambda X: X[:, 0] * X[:, 1] > 0,
    "ring": lambda X: X[:, 0] ** 2 + X[:, 1] ** 2 < 0.6,
    "middle": lambda X: np.abs(X[:, 0]) < 0.5,
}
NOISE = 0.05  # share of classes turned


@dataclass(frozen=True)
class Task:
    """Fit one tree on nine tenths of the rows, judge it on the rest."""

    tree: str
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        trained, held_out = rows_of(data, self.repeat, self.fold, FOLDS)
        found = fit(data, trained, held_out, TREES[self.tree]())
        return [Fold(data.name, self.tree, self.repeat, self.fold, *found)]


def on_sets(folds: list[Fold], n_sets: int) -> Table:
    table = Table(
        f"Mean of {n_sets} sets",
        "Accuracy in per cent on held-out rows, and leaves. Wins and losses are sets on which the "
        "tree is more than 0.05 points better or worse than pruned CART.",
        "tree|accuracy|leaves|wins - losses",
    )
    by_set: dict[str, dict[str, list[Fold]]] = {}
    for one in folds:
        by_set.setdefault(one.method, {}).setdefault(one.data, []).append(one)
    means = {
        tree: {
            name: 100 * statistics.fmean(one.accuracy for one in found)
            for name, found in sets.items()
        }
        for tree, sets in by_set.items()
    }
    cart = means["CART, pruned as dGMML"]
    for tree in TREES:
        leaves = statistics.fmean(
            statistics.fmean(one.leaves for one in found) for found in by_set[tree].values()
        )
        ahead = [accuracy - cart[name] for name, accuracy in means[tree].items()]
        score = f"{sum(d > 0.05 for d in ahead)} - {sum(d < -0.05 for d in ahead)}"
        accuracy = statistics.fmean(means[tree].values())
        table.rows.append([tree, f"{accuracy:.2f}", f"{leaves:.1f}", score])
    return table


def make_rows(shape: str, n_rows: int, n_columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, size=(n_rows, n_columns))
    return X, SHAPES[shape](X) ^ (random.random(n_rows) < NOISE)


def on_shapes(repeats: int) -> Table:
    trees = {
        **{
            f"fallback {level}": lambda level=level: recipes.dgmml(fallback=level)
            for level in LEVELS
        },
        "CART": TREES["CART, pruned as dGMML"],
    }
    table = Table(
        "Classes of nearly equal means",
        f"Accuracy in per cent on 4 000 new rows and leaves, means of {repeats} tables. Two "
        "columns say something (the middle: one); 5 % of the classes are turned.",
        "shape|rows x columns|" + "|".join(trees),
    )
    for shape in SHAPES:
        for n_rows in (200, 1000):
            for n_columns in (2, 10):
                cells = [shape, f"{n_rows} x {n_columns}"]
                for make in trees.values():
                    scores, leaves = [], []
                    for seed in range(repeats):
                        model = make().fit(*make_rows(shape, n_rows, n_columns, 2 * seed))
                        new = make_rows(shape, 4000, n_columns, 2 * seed + 1)
                        scores.append(100 * model.score(*new))
                        leaves.append(model.tree_.n_leaves)
                    mean = statistics.fmean
                    cells.append(f"{mean(scores):.1f} / {mean(leaves):.0f}")
                table.rows.append(cells)
    return table


def main() -> None:
    options = read(make_parser(__doc__.partition("\n")[0]), TWO_CLASS_SETS)
    repeats = 1 if options.quick else options.repeats
    sets, notes = load_sets(options.data, options.only or TWO_CLASS_SETS)
    tables: list[Table] = []
    folds: list[Fold] = []
    for data in sets:
        some = data.sample(100) if options.quick else data
        tasks = [Task(t, r, f) for t in TREES for r in range(repeats) for f in range(FOLDS)]
        folds += work_through(some, tasks, options.jobs)
    if sets:
        tables.append(on_sets(folds, len(sets)))
    tables.append(on_shapes(1 if options.quick else 10))
    print_tables(tables)
    note = "".join(f"{one} " for one in notes)
    if note:
        print(note)
    if options.output:
        machine = describe_machine()
        packages = describe_packages("treewright", "numpy", "scikit-learn")
        note += "Quick run: its numbers mean nothing. " if options.quick else ""
        how = f"{note}{repeats} cross-validations of {FOLDS} folds."
        head = f"# How dGMML's settings were chosen\n\n{in_words(machine, packages)} {how}\n"
        options.output.write_text("\n".join([head, *(table.to_markdown() for table in tables)]))
        facts: dict[str, Any] = {"machine": machine, "packages": packages}
        facts["tables"] = [[table.title, table.header, table.rows] for table in tables]
        options.output.with_suffix(".json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
