"""What the settings of `recipes.must` were chosen by: many sets, each judging what others chose.

    python -m benchmarks.studies.must_choices [--quick] [--repeats N] [--data FOLDER]
        [--output FILE.md]

benchmarks/README.md says what is compared, how a rule is chosen, and how to read the tables.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import FOLDS, Fold, fit, rows_of, seed_of, work_through
from benchmarks.common.data_sets import DataSet
from benchmarks.common.options import make_parser, read
from benchmarks.common.packaged_sets import find_sets
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
)
from treewright import TreeClassifier, recipes
from treewright.prune import CostComplexity
from treewright.splits import MUST, Axis, Best

SETS = (
    *("heart", "pima", "glass", "wine", "survival", "bupa", "balance_scale", "statlog_australian"),
    *("crabs", "wilt", "kungchi3", "knuggetchase3", "spectf", "stock", "tokyo1", "kc1_top5"),
    *("datatrieve", "planning_relax", "banknote_authentication", "sonar", "blood_transfusion"),
    *("breast_cancer_wdbc", "fertility", "hepatitis", "parkinsons", "german_credit", "iris"),
    *("kyphosis", "stagec", "saheart", "pmlb/allhypo", "pmlb/analcatdata_lawsuit", "pmlb/churn"),
    *("pmlb/cmc", "pmlb/collins", "pmlb/heart-c", "pmlb/new-thyroid", "pmlb/segmentation"),
    *("pmlb/tae", "pmlb/wine-quality-white"),
)
BEFORE = "mahalanobis, never"  # the default until this study
SHOWN = (BEFORE, "fisher, never", "forward, bic", "one column")  # set by set
Make = Callable[[int], TreeClassifier]


def rule(split: Any, **more: Any) -> Make:
    return lambda seed: recipes.must(split=split, random_state=seed, **more)


# How columns are chosen, and when a test of one column is taken instead.
RULES: dict[str, Make] = {
    **{
        f"{selection}, {concise or 'never'}": rule(MUST(2, selection=selection, concise=concise))
        for selection in ("fisher", "mahalanobis", "forward")
        for concise in (None, "score", "bic")
    },
    "forward, guess": rule(Best(MUST(1), MUST(2, selection="forward", concise=None))),
    **{
        f"forward, {concise}, leaf of 5": rule(MUST(2, concise=concise), min_samples_leaf=5)
        for concise in ("score", "bic")
    },
    **{
        f"forward, {concise}, half an error": rule(
            MUST(2, concise=concise), prune=CostComplexity(se=0.5)
        )
        for concise in ("score", "bic")
    },
    "one column": rule(Axis()),
}

OBLIQUE = {  # how the class of made rows is found from their columns
    "line": lambda X: X[:, 0] + X[:, 1] > 0,
    "slanted band": lambda X: np.abs(X[:, 0] - X[:, 1]) < 0.6,
    "two lines": lambda X: (X[:, 0] + X[:, 1] > 0) & (X[:, 2] - X[:, 3] < 0.5),
    "one column": lambda X: X[:, 0] > 0.3,
}
NOISE = 0.05  # of the classes are turned


@dataclass(frozen=True)
class Task:
    """Fit by one rule on four fifths of the rows, judge it on the rest."""

    rule: str
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        model = RULES[self.rule](seed_of(self.repeat, self.fold))
        found = fit(data, *rows_of(data, self.repeat, self.fold), model)
        return [Fold(data.name, self.rule, self.repeat, self.fold, *found)]


class Results:
    """Means over the folds: a row a rule, a column a set."""

    def __init__(self, folds: list[Fold], sets: list[str]) -> None:
        self.rules, self.sets, self._folds = [*RULES], sets, folds
        self.accuracy = 100 * self.means("accuracy")
        self.leaves, self.effort = self.means("leaves"), self.means("effort")
        self.seconds = self.means("seconds")

    def means(self, name: str) -> np.ndarray:
        cells: dict[tuple[str, str], list[float]] = {}
        for one in self._folds:
            cells.setdefault((one.method, one.data), []).append(getattr(one, name))
        return np.array(
            [[statistics.fmean(cells[rule, data]) for data in self.sets] for rule in self.rules]
        )

    @property
    def ranks(self) -> np.ndarray:
        """The ranks of the rules by accuracy, set by set; those that are equal share theirs."""
        rounded = np.round(self.accuracy, 6)
        above = (rounded[None, :, :] > rounded[:, None, :]).sum(axis=1)
        equal = (rounded[None, :, :] == rounded[:, None, :]).sum(axis=1)
        return above + (equal + 1) / 2

    def most_accurate(self, sets: np.ndarray) -> int:
        """Choose by the mean accuracy on some sets."""
        return int(self.accuracy[:, sets].mean(axis=1).argmax())

    def most_readable(self, sets: np.ndarray) -> int:
        """Choose the least reading effort within one standard error of the most accurate."""
        best = self.most_accurate(sets)
        behind = self.accuracy[best][sets] - self.accuracy[:, sets]
        error = behind.std(axis=1, ddof=1) / np.sqrt(behind.shape[1])
        effort = np.where(behind.mean(axis=1) <= error, self.effort[:, sets].mean(axis=1), np.inf)
        return int(effort.argmin())


# --------------------------------------------------------------------------------------- tables


def rule_table(results: Results) -> Table:
    table = Table(
        f"Rules on {len(results.sets)} sets",
        "Means over the sets: accuracy in per cent on held-out rows, rank by accuracy (1 is best), "
        "leaves, values a reader looks at per row, CPU time of a fit. The difference is that from "
        f"the default before, {BEFORE}, in points, +- its standard error over the sets; better and "
        "worse count sets by more than 0.05 points.",
        "rule|accuracy|rank|leaves|reading effort|difference|better|worse|a fit",
    )
    before = results.accuracy[results.rules.index(BEFORE)]
    for place, name in enumerate(results.rules):
        ahead = results.accuracy[place] - before
        error = ahead.std(ddof=1) / np.sqrt(len(ahead)) if len(ahead) > 1 else np.nan
        table.rows.append(
            [
                *(name, f"{results.accuracy[place].mean():.2f}"),
                *(f"{results.ranks[place].mean():.1f}", f"{results.leaves[place].mean():.1f}"),
                *(f"{results.effort[place].mean():.2f}", f"{ahead.mean():+.2f} +- {error:.2f}"),
                *(str((ahead > 0.05).sum()), str((ahead < -0.05).sum())),
                seconds(results.seconds[place].mean()),
            ]
        )
    return table


def nested_table(results: Results) -> Table:
    table = Table(
        "Nested: each set judges what the others chose",
        "By accuracy: the rule of the highest mean accuracy on all other sets. By effort: of the "
        "rules within one standard error of that one, the least reading effort. Means over the "
        "sets left out, and the difference from the default before in points +- its standard "
        "error; how often which rule was chosen.",
        "choice|accuracy|leaves|reading effort|difference|chosen",
    )
    places = np.arange(len(results.sets))
    before = results.accuracy[results.rules.index(BEFORE)]
    for name, choose in (
        ("by accuracy", results.most_accurate),
        ("by effort", results.most_readable),
    ):
        chosen = np.array([choose(places[places != place]) for place in places])
        accuracy = results.accuracy[chosen, places]
        ahead = accuracy - before
        error = ahead.std(ddof=1) / np.sqrt(len(ahead))
        counts = [
            f"{results.rules[rule]} ({(chosen == rule).sum()})"
            for rule in sorted({*chosen.tolist()}, key=lambda rule: -(chosen == rule).sum())
        ]
        table.rows.append(
            [
                *(name, f"{accuracy.mean():.2f}", f"{results.leaves[chosen, places].mean():.1f}"),
                f"{results.effort[chosen, places].mean():.2f}",
                *(f"{ahead.mean():+.2f} +- {error:.2f}", ", ".join(counts)),
            ]
        )
    return table


def set_table(results: Results) -> Table:
    shown = [rule for rule in results.rules if rule in SHOWN]
    table = Table(
        "Set by set",
        "Accuracy in per cent / values a reader looks at per row.",
        "|".join(["data", *shown]),
    )
    for place, data in enumerate(results.sets):
        cells = [
            f"{results.accuracy[rule, place]:.1f} / {results.effort[rule, place]:.1f}"
            for rule in map(results.rules.index, shown)
        ]
        table.rows.append([data, *cells])
    return table


def made_rows(shape: str, n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, size=(n_rows, 6))
    return X, OBLIQUE[shape](X) ^ (random.random(n_rows) < NOISE)


def made_table(repeats: int) -> Table:
    shown = [rule for rule in RULES if rule in SHOWN]
    table = Table(
        "Rows made by lines",
        f"Accuracy in per cent on 4 000 new rows / the share of tests with two columns, means of "
        f"{repeats} tables of six columns; {NOISE:.0%} of the classes are turned.",
        "|".join(["shape", "rows", *shown]),
    )
    for shape in OBLIQUE:
        for n_rows in (200, 1000):
            cells = [shape, str(n_rows)]
            for rule in shown:
                scores, shares = [], []
                for seed in range(repeats):
                    model = RULES[rule](seed).fit(*made_rows(shape, n_rows, 2 * seed))
                    scores.append(100 * model.score(*made_rows(shape, 4000, 2 * seed + 1)))
                    tests = [node.predicate for node in model.tree_.walk() if node.predicate]
                    shares += [len(test.columns) > 1 for test in tests]
                share = f"{np.mean(shares):.0%}" if shares else "-"
                cells.append(f"{statistics.fmean(scores):.1f} / {share}")
            table.rows.append(cells)
    return table


def kept_folds(path: Path | None, sets: set[str], repeats: int) -> list[Fold]:
    """Return what an earlier run found by the rules of today, on these sets."""
    if path is None:
        return []
    if not path.is_file():
        raise SystemExit(f"--keep: there is no file {path}.")
    folds = [
        Fold(cell["data"], cell["rule"], *numbers)
        for cell in json.loads(path.read_text())["cells"]
        for numbers in cell["folds"]
    ]
    return [
        one for one in folds if one.method in RULES and one.data in sets and one.repeat < repeats
    ]


def cells_of(folds: list[Fold]) -> list[dict[str, Any]]:
    """Put the folds of a rule on a set together: the fields of `Fold`, from the repeat on."""
    cells: dict[tuple[str, str], list[list[float]]] = {}
    for one in folds:
        data, name, *numbers = astuple(one)
        cells.setdefault((data, name), []).append([round(number, 5) for number in numbers])
    return [
        {"data": data, "rule": name, "folds": sorted(numbers)}
        for (data, name), numbers in cells.items()
    ]


def main() -> None:
    parser = make_parser(__doc__.partition("\n")[0])
    parser.set_defaults(repeats=2)
    parser.add_argument("--keep", type=Path, metavar="FILE.json", help="folds of an earlier run")
    options = read(parser, SETS)
    repeats = 1 if options.quick else options.repeats
    sets, notes = find_sets(options.data, options.only or SETS)
    folds = kept_folds(options.keep, {data.name for data in sets}, repeats)
    known = {(one.data, one.method, one.repeat, one.fold) for one in folds}
    for data in sets:
        some = data.sample(100) if options.quick else data
        tasks = [
            Task(name, repeat, fold)
            for repeat in range(repeats)
            for fold in range(FOLDS)
            for name in RULES
            if (data.name, name, repeat, fold) not in known
        ]
        folds += work_through(some, tasks, options.jobs)
    tables = [made_table(1 if options.quick else 10)]
    if len(sets) > 2:
        results = Results(folds, [data.name for data in sets])
        tables = [rule_table(results), nested_table(results), set_table(results), *tables]
    print_tables(tables)
    note = "".join(f"{one} " for one in notes)
    if note:
        print(note)
    if options.output:
        machine = describe_machine()
        packages = describe_packages("treewright", "numpy", "scikit-learn")
        note += "Quick run: its numbers mean nothing. " if options.quick else ""
        how = f"{note}Cross-validation of {FOLDS} folds, repeats: {repeats}."
        head = f"# How the settings of MUST were chosen\n\n{in_words(machine, packages)} {how}\n"
        options.output.write_text("\n".join([head, *(table.to_markdown() for table in tables)]))
        about = json.dumps({"machine": machine, "packages": packages, "notes": notes})[:-1]
        lines = ",\n".join(map(json.dumps, cells_of(folds)))
        options.output.with_suffix(".json").write_text(f'{about}, "cells": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
