"""What readable numbers save a reader, and what they cost: digits, training rows moved, accuracy.

    python -m benchmarks.studies.rounding [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import KFold, StratifiedKFold

from benchmarks.common.binary_sets import BINARY_SETS, path_of, read_binary
from benchmarks.common.cross_validation import FOLDS, corrected_error
from benchmarks.common.data_sets import DataSet, read_sets
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    verdict,
)
from treewright import MUST, TreeClassifier, TreeRegressor
from treewright.exceptions import UnseenLevelWarning
from treewright.tree import Tree

METHODS: dict[str, Callable[[], Any]] = {"axis": lambda: "axis", "MUST(2)": lambda: MUST(2)}
QUICK_ROWS = 200


@dataclass(frozen=True)
class Measured:
    """One set, grown with one split method, with raw and with readable numbers."""

    data: str
    method: str
    task: str
    rows: int
    numbers: int  # thresholds and coefficients of the tree on all rows
    raw_digits: int
    digits: int
    longest: int  # digits of the longest readable number
    moved: int  # training rows that another leaf gets
    raw_scores: list[list[float]]  # a list a repeat, a score a fold
    scores: list[list[float]]


# ----------------------------------------------------------------------------------- measuring


def significant_digits(number: float) -> int:
    """Count the digits that a reader takes in: 3 for 0.0125 and for 1250."""
    digits = repr(float(number)).split("e")[0].strip("-").replace(".", "").strip("0")
    return max(1, len(digits))


def numbers_of(tree: Tree) -> list[float]:
    """Give all thresholds and coefficients, but for coefficients of 1, which are not printed."""
    numbers = []
    for node in np.flatnonzero(tree.core.n_branches).tolist():
        test = tree.core.test(node)
        assert test is not None
        *coefficients, threshold = test[2] or [1.0]
        if test[2]:
            numbers += [number for number in coefficients if abs(number) != 1.0] + [threshold]
    return numbers


def rows_moved(raw: np.ndarray, short: np.ndarray) -> int:
    """Count the rows that are not with most of the rows of their leaf any more."""
    moved = 0
    for first, second in ((raw, short), (short, raw)):
        _, leaves = np.unique(first, return_inverse=True)
        _, others = np.unique(second, return_inverse=True)
        together = np.zeros((leaves.max() + 1, others.max() + 1), dtype=int)
        np.add.at(together, (leaves, others), 1)
        moved = max(moved, len(raw) - int(together.max(axis=1).sum()))
    return moved


def measure(data: DataSet, method: str, repeats: int) -> Measured:
    """Grow on all rows for digits and rows moved, and on folds for the accuracy."""
    kind = TreeRegressor if data.is_regression else TreeClassifier

    def grown(rows: np.ndarray, *, readable: bool) -> Any:
        model = kind(split=METHODS[method](), min_samples_leaf=5, readable=readable)
        return model.fit(data.rows(rows), data.target[rows])

    everything = np.arange(data.n_rows)
    raw, short = (grown(everything, readable=readable) for readable in (False, True))
    table = data.rows(everything)
    scores: dict[bool, list[list[float]]] = {False: [], True: []}
    for repeat in range(repeats):
        parts = list(folds(data, repeat))
        for readable, found in scores.items():
            found.append(
                [
                    float(grown(train, readable=readable).score(data.rows(test), data.target[test]))
                    for train, test in parts
                ]
            )
    digits = [significant_digits(number) for number in numbers_of(short.tree_)]
    return Measured(
        data=data.name,
        method=method,
        task="regression" if data.is_regression else "classification",
        rows=data.n_rows,
        numbers=len(digits),
        raw_digits=sum(map(significant_digits, numbers_of(raw.tree_))),
        digits=sum(digits),
        longest=max(digits, default=0),
        moved=rows_moved(raw.apply(table), short.apply(table)),
        raw_scores=scores[False],
        scores=scores[True],
    )


def folds(data: DataSet, repeat: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Give the rows to grow on and those held out."""
    n_folds = min(FOLDS, data.n_rows)
    smallest = 0 if data.is_regression else np.unique(data.target, return_counts=True)[1].min()
    splitter = StratifiedKFold if smallest >= n_folds else KFold
    yield from splitter(n_folds, shuffle=True, random_state=repeat).split(
        np.zeros(data.n_rows), data.target
    )


# ------------------------------------------------------------------------------------- reading


def all_names(folder: Path) -> list[str]:
    """Name every set of the folder: those of the manifest, then the binary ones."""
    manifest = folder / "manifest.json"
    listed = json.loads(manifest.read_text())["datasets"] if manifest.is_file() else []
    names = [entry["name"] for entry in listed if entry["format"] == "csv"]
    return names + [f"binary/{name}" for name in BINARY_SETS if path_of(folder, name)]


def read_set(folder: Path, name: str) -> DataSet:
    """Read one set; numbers to predict as numbers."""
    if name.startswith("binary/"):
        path = path_of(folder, name.removeprefix("binary/"))
        assert path is not None
        values, classes = read_binary(path)
        columns = {f"x{place}": column for place, column in enumerate(values.T)}
        return DataSet(name, columns, (), classes.astype(str))
    (data,), _ = read_sets(folder, [name])
    return data


# -------------------------------------------------------------------------------------- tables


def digits_table(measured: list[Measured]) -> Table:
    table = Table(
        "Digits",
        "Trees on all rows, at least 5 rows a leaf. Numbers: thresholds, and coefficients other "
        "than 1. Digits are significant ones, summed over the tree. Moved: training rows that end "
        "in another leaf than with raw numbers.",
        "data|rows|method|numbers|digits, raw|digits|saved|a number|longest|moved|verdict",
    )
    for one in measured:
        share = f"{100 * (1 - one.digits / one.raw_digits):.0f} %" if one.raw_digits else "-"
        each = f"{one.digits / one.numbers:.1f}" if one.numbers else "-"
        table.rows.append(
            [
                *(one.data, count(one.rows), one.method, count(one.numbers)),
                *(count(one.raw_digits), count(one.digits), share, each, str(one.longest)),
                *(str(one.moved), verdict(["rows moved"] if one.moved else [])),
            ]
        )
    return table


def accuracy_table(measured: list[Measured]) -> Table:
    table = Table(
        "Accuracy on held-out rows",
        f"Means over repeats of {FOLDS}-fold cross-validation, in per cent: accuracy, or the share "
        "of variance explained where numbers are predicted. The difference is fold by fold on the "
        "same rows; its standard error is corrected for the training rows that folds share.",
        "data|method|raw|readable|difference|standard error|verdict",
    )
    for one in measured:
        raw, short = 100 * np.array(one.raw_scores), 100 * np.array(one.scores)
        difference, error = (short - raw).mean(), corrected_error(short - raw)
        is_worse = difference < -2 * error and difference < -0.05
        table.rows.append(
            [
                *(one.data, one.method, f"{raw.mean():.2f}", f"{short.mean():.2f}"),
                *(f"{difference:+.2f}", f"{error:.2f}", verdict(["worse"] if is_worse else [])),
            ]
        )
    return table


def summary_table(measured: list[Measured]) -> Table:
    table = Table(
        "In all",
        "Mean difference of accuracies in points over the sets, +- its standard error over the "
        "sets; those that predict numbers apart.",
        "task|method|sets|digits saved|rows moved|difference|better|worse",
    )
    for task in ("classification", "regression"):
        for method in METHODS:
            chosen = [one for one in measured if (one.task, one.method) == (task, method)]
            if not chosen:
                continue
            pairs = [(np.mean(one.raw_scores), np.mean(one.scores)) for one in chosen]
            points = np.array([100 * (short - raw) for raw, short in pairs])
            error = points.std(ddof=1) / np.sqrt(len(points)) if len(points) > 1 else np.nan
            raw_digits = sum(one.raw_digits for one in chosen)
            saved = 1 - sum(one.digits for one in chosen) / max(1, raw_digits)
            table.rows.append(
                [
                    *(task, method, str(len(chosen)), f"{100 * saved:.0f} %"),
                    *(
                        str(sum(one.moved for one in chosen)),
                        f"{points.mean():+.3f} +- {error:.3f}",
                    ),
                    *(str(np.sum(points > 0)), str(np.sum(points < 0))),
                ]
            )
    return table


def write(path: Path, measured: list[Measured], tables: list[Table], notes: list[str]) -> None:
    """Write the tables as Markdown, and every measurement as JSON beside them."""
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Readable numbers: digits saved, rows moved, accuracy\n\n"
        f"{' '.join([in_words(machine, packages), *notes])} "
        "Made by `python -m benchmarks.studies.rounding --output FILE.md`; `benchmarks/README.md` "
        "says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    about = json.dumps({"machine": machine, "packages": packages, "notes": notes})[:-1]
    lines = ",\n".join(json.dumps(asdict(one)) for one in measured)
    path.with_suffix(".json").write_text(f'{about}, "measured": [\n{lines}\n]}}\n')


def work(data: DataSet, method: str, repeats: int) -> Measured:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)
        warnings.simplefilter("ignore", UserWarning)  # scores of folds with one row
        return measure(data, method, repeats)


def main() -> None:
    parser = make_parser(__doc__.splitlines()[0])
    parser.set_defaults(repeats=2)
    folder = parser.parse_known_args()[0].data
    options = read(parser, all_names(folder))
    names = options.only or all_names(options.data)
    if not names:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    sets = [read_set(options.data, name) for name in names]
    if options.quick:
        sets = [data.sample(QUICK_ROWS) for data in sets]
    measured = Parallel(n_jobs=options.jobs)(
        delayed(work)(data, method, 1 if options.quick else options.repeats)
        for data in sets
        for method in METHODS
    )
    tables = [summary_table(measured), digits_table(measured), accuracy_table(measured)]
    print_tables(tables)
    if options.output:
        write(options.output, measured, tables, notes)


if __name__ == "__main__":
    main()
