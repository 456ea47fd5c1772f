"""The examples of Truong (2009), oblique trees by logistic regression, beside treewright's.

    python -m benchmarks.papers.oblique_logistic [--quick] [--only SET] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import Outcome, work_through
from benchmarks.common.data_sets import DataSet
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.papers.oblique_logistic_numbers import TESTS, Package, reference
from benchmarks.papers.oblique_logistic_tables import (
    Grown,
    Outcomes,
    TestErrors,
    divided_table,
    errors_table,
    grown_table,
    pruned_means,
    pruned_table,
    squeezed_table,
    trimmed_table,
    validated_table,
    whole_table,
)
from benchmarks.papers.oblique_logistic_work import (
    COMPARED,
    DIVIDED,
    PRUNED,
    SETS,
    TRAINED,
    UNPRUNED,
    VALIDATED,
    Task,
    as_package,
    load_sets,
    numbers_of,
    root_impurities,
    squeezed,
    tasks_of,
    trimmed,
    unrounded,
    whole_tree,
)
from treewright.base.progress import working

QUICK_ROWS = 80
UNPRUNED_FOLDS, PRUNED_FOLDS = 10, 5
PRUNED_REPEATS = 5  # at most, as each fit has ten folds of its own
DIVIDED_ROWS = 4000  # of letter
WHOLE_TREES = ("oblique", "oblique BIC")

Sets = dict[str, DataSet]


class Run:
    """All that is done, part by part; each part gives its tables and what the file keeps."""

    def __init__(self, sets: Sets, package: Package, repeats: int, n_jobs: int) -> None:
        self.sets, self.package = sets, package
        self.repeats, self.n_jobs = repeats, n_jobs
        self.kept: dict[str, Any] = {}

    def tables(self) -> list[Table]:
        tables = [*self.grown(), *self.validated(), *self.paths(), *self.pruned(), *self.classes()]
        return [table for table in tables if table.rows]

    def grown(self) -> list[Table]:
        """Grow the seven trees of each example, as the package and as we do."""
        same: Grown = {}
        ours: Grown = {}
        errors: TestErrors = {}
        works = [(data, tests) for data in self._present(TRAINED) for tests in TESTS]
        with working(f"{2 * len(works)} trees") as update:
            for done, (data, tests) in enumerate(works, 1):
                for who, grow, found in (("same", as_package, same), ("ours", unrounded, ours)):
                    model = grow(data, tests)
                    found[data.name, tests] = numbers_of(model.tree_)
                    if data.name == "pima_tr" and "pima_te" in self.sets:
                        held_out = self.sets["pima_te"]
                        wrong = model.predict(held_out.columns) != held_out.target
                        errors[who, tests] = int(np.sum(wrong))
                if update:
                    update(done / len(works))
        self.kept["trees"] = [
            {"data": data, "tests": tests, "same": same[data, tests], "ours": ours[data, tests]}
            for data, tests in same
        ]
        return [grown_table(self.package, same, ours), errors_table(self.package, errors)]

    def validated(self) -> list[Table]:
        """Cross-validate unpruned trees."""
        found = self._cross_validate(VALIDATED, tasks_of(UNPRUNED, self.repeats, UNPRUNED_FOLDS))
        self.kept["unpruned"] = [describe(outcome) for outcome in found.values()]
        return [validated_table(found)]

    def paths(self) -> list[Table]:
        """Trim and squeeze the package's oblique trees."""
        trims = {
            (data.name, drop_empty): trimmed(data, drop_empty=drop_empty)
            for data in self._present(TRAINED)
            for drop_empty in (True, False)
        }
        squeezes = {
            (data, refit): squeezed(self.sets[data], [step[0] for step in steps], refit=refit)
            for data, steps in reference()["squeezed"].items()
            for refit in (False, True)
            if data in self.sets
        }
        self.kept["trimmed"] = [
            {"data": data, "drop_empty": drop_empty, "deviance_by_complexity": path}
            for (data, drop_empty), path in trims.items()
        ]
        return [trimmed_table(self.package, trims), squeezed_table(squeezes)]

    def pruned(self) -> list[Table]:
        """Cross-validate pruned recipes."""
        repeats = min(self.repeats, PRUNED_REPEATS)
        found = self._cross_validate(COMPARED, tasks_of(PRUNED, repeats, PRUNED_FOLDS))
        self.kept["pruned"] = [describe(outcome) for outcome in found.values()]
        return [pruned_table(found), pruned_means(found)]

    def classes(self) -> list[Table]:
        """Divide many classes, at the root and in whole trees."""
        present = self._present(DIVIDED)
        impurities = {}
        with working(f"{len(present)} sets of many classes") as update:
            for done, data in enumerate(present, 1):
                part = data.sample(DIVIDED_ROWS, seed=1)  # inferred, see README.md
                impurities[data.name] = dict(root_impurities(part))
                if update:
                    update(done / len(present))
        trees = []
        if "letter" in self.sets:
            with working("Trees of 26 classes"):
                trees = [whole_tree(self.sets["letter"], tests) for tests in WHOLE_TREES]
        self.kept["impurities"] = impurities
        self.kept["whole_trees"] = [asdict(tree) for tree in trees]
        return [divided_table(impurities), whole_table(trees)]

    def _present(self, names: tuple[str, ...]) -> list[DataSet]:
        return [self.sets[name] for name in names if name in self.sets]

    def _cross_validate(self, names: tuple[str, ...], tasks: list[Task]) -> Outcomes:
        outcomes: Outcomes = {}
        for data in self._present(names):
            folds = work_through(data, tasks, self.n_jobs)
            for method in dict.fromkeys(task.method for task in tasks):
                own = [fold for fold in folds if fold.method == method]
                outcomes[data.name, method] = Outcome(data, method, own)
        return outcomes


def describe(outcome: Outcome) -> dict[str, Any]:
    """Return all that is known of one method on one set, for the file."""
    names = ("leaves", "complexity", "depth", "effort", "seconds")
    return {
        "data": outcome.data.name,
        "method": outcome.method,
        "accuracy": round(outcome.accuracy, 3),
        **{name: round(outcome.mean(name), 4) for name in names},
        "accuracies": outcome.accuracies.round(3).tolist(),
    }


def write(path: Path, kept: dict[str, Any], tables: list[Table], notes: list[str]) -> None:
    """Write the tables as Markdown, and the numbers as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Truong (2009), Fast growing and interpretable oblique trees via logistic regression "
        f"models\n\n{in_words(machine, packages)} {' '.join(notes)} Made by "
        "`python -m benchmarks.papers.oblique_logistic --output FILE.md`; `benchmarks/README.md` "
        "says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    parts = ",\n".join(f'"{name}": {_in_lines(part)}' for name, part in kept.items())
    about = json.dumps({"machine": machine, "packages": packages, "notes": notes})
    path.with_suffix(".json").write_text(f"{about[:-1]},\n{parts}\n}}\n")


def _in_lines(part: Any) -> str:
    if not isinstance(part, list):
        return json.dumps(part)
    return "[\n" + ",\n".join(map(json.dumps, part)) + "\n]"


def main() -> None:
    options = read(make_parser(__doc__.splitlines()[0]), SETS)
    sets, notes = load_sets(options.data)
    package = Package(options.data)
    if not package.is_there:
        notes.append("The package's outputs were not found, so its columns are empty.")
    for sentence in notes:
        print(sentence, file=sys.stderr)
    if options.only:
        sets = {name: sets[name] for name in (*options.only, "pima_te") if name in sets}
    if options.quick:
        sets = {name: data.sample(QUICK_ROWS) for name, data in sets.items()}
    repeats = 1 if options.quick else options.repeats
    notes.append(
        "Quick run: the numbers mean nothing."
        if options.quick
        else f"{repeats} cross-validations of {UNPRUNED_FOLDS} folds for unpruned trees, "
        f"{min(repeats, PRUNED_REPEATS)} of {PRUNED_FOLDS} folds for pruned ones."
    )
    run = Run(sets, package, repeats, options.jobs)
    tables = run.tables()
    print_tables(tables)
    if options.output:
        write(options.output, run.kept, tables, notes)


if __name__ == "__main__":
    main()
