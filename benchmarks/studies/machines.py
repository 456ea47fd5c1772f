"""LMDT, P-BOT and linear programs: what they get wrong, how large they are, what they cost.

    python -m benchmarks.studies.machines

The first table is of stratified 5-fold cross-validation with the recipes as they are; its standard
errors are corrected for folds that share rows. The others are the time of one test, over the number
of rows: independent normal columns, and classes by the largest of as many random sums with noise.
Times are process CPU time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.common.cross_validation import FOLDS, Fold, Outcome, corrected_error, fit, rows_of
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
)
from treewright import TreeClassifier, recipes
from treewright.splits import LMDT, PBOT, LinearProgram

SETS = ("crabs", "iris", "pima", "fgl")
RECIPES = {
    "pbot(levels=1)": lambda: recipes.pbot(levels=1),
    "pbot()": recipes.pbot,
    "lmdt()": lambda: recipes.lmdt(random_state=0),
    "lmdt(elimination=None)": lambda: recipes.lmdt(elimination=None, random_state=0),
    "linear_program()": recipes.linear_program,
    'linear_program(loss="hinge")': lambda: recipes.linear_program(loss="hinge"),
    "cart()": recipes.cart,
}
METHODS = (
    PBOT(levels=1),
    LMDT(elimination=None),
    LMDT(),
    LinearProgram("minimax"),
    LinearProgram(),
)


def judge(data: DataSet, method: str, repeats: int) -> Outcome:
    """Cross-validate one recipe."""
    folds = []
    for repeat in range(repeats):
        for fold in range(FOLDS):
            found = fit(data, *rows_of(data, repeat, fold), RECIPES[method]())
            folds.append(Fold(data.name, method, repeat, fold, *found))
    return Outcome(data, method, folds)


def errors(sets: list[DataSet], repeats: int) -> Table:
    """Return errors, leaves and seconds a fit of every recipe on every set."""
    note = "Errors in per cent, leaves, and CPU time of a fit."
    table = Table("Cross-validation", note, "|".join(["recipe", *(data.name for data in sets)]))
    for method in RECIPES:
        print(method, file=sys.stderr, flush=True)
        row = [method]
        for data in sets:
            outcome = judge(data, method, repeats)
            error = f"{100 - outcome.accuracy:.1f} ± {corrected_error(outcome.accuracies):.1f}"
            cost = seconds(outcome.mean("seconds"))
            row.append(f"{error}, {outcome.mean('leaves'):.1f}, {cost}")
        table.rows.append(row)
    return table


def make_rows(n_rows: int, n_classes: int, n_columns: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return normal columns, and the class of the largest of as many random sums with noise."""
    random = np.random.default_rng(0)
    X = random.standard_normal((n_rows, n_columns))
    scores = X @ random.standard_normal((n_columns, n_classes))
    return X, (scores + random.standard_normal(scores.shape)).argmax(axis=1)


def regression(X: np.ndarray, y: np.ndarray) -> None:
    model = LogisticRegression(C=100.0, tol=1e-8, max_iter=10_000)
    model.fit(StandardScaler().fit_transform(X), y)


def costs(sizes: tuple[int, ...], n_classes: int) -> Table:
    """Return the time of one test by every method, over the number of rows."""
    title = f"One test, 10 columns, {n_classes} classes"
    table = Table(title, "", "|".join(["method", *(f"{count(n)} rows" for n in sizes)]))
    for method in METHODS:
        model = TreeClassifier(split=method, max_depth=1, readable=False, random_state=0)
        times = [timed(model.fit, *make_rows(n, n_classes))[0] for n in sizes]
        table.rows.append([repr(method), *map(seconds, times)])
    times = [timed(regression, *make_rows(n, n_classes))[0] for n in sizes]
    table.rows.append(["scikit-learn's LogisticRegression", *map(seconds, times)])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--repeats", type=int, default=1, help="cross-validations (default 1)")
    parser.add_argument("--data", type=Path, default=default_folder(), help="folder of the sets")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="where to write it too")
    options = parser.parse_args()
    sets, absent = read_sets(options.data, SETS)
    if absent:
        print("Not found:", ", ".join(absent), file=sys.stderr)
    sizes = (50, 100) if options.quick else (500, 2000, 8000)
    tables = [costs(sizes, 2), costs(sizes, 5)]
    if sets:
        if options.quick:
            sets = [data.sample(60) for data in sets]
        tables.insert(0, errors(sets, 1 if options.quick else options.repeats))
    print_tables(tables)
    if options.output:
        about = in_words(
            describe_machine(), describe_packages("treewright", "numpy", "scikit-learn")
        )
        words = f"# Trees of linear machines and of linear programs\n\n{about}\n"
        options.output.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))


if __name__ == "__main__":
    main()
