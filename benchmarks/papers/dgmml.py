"""Tables III and IV of Li and Chen (2022), dGMML trees and forests, beside treewright's.

    python -m benchmarks.papers.dgmml [--quick] [--only SET] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
from benchmarks.common.two_class_sets import TWO_CLASS_SETS, load_sets
from benchmarks.papers.dgmml_tables import (
    Outcomes,
    authors_table,
    defaults_table,
    forests_table,
    means_table,
    pairs_table,
    pruned_table,
    thresholds_table,
    times_table,
    trees_table,
    winners_table,
)
from benchmarks.papers.dgmml_work import (
    AUTHORS_SEEDS,
    DEFAULTS,
    FOLDS,
    FORESTS,
    GROWN,
    PRUNED,
    Task,
    authors_tasks,
    read_authors_sets,
    tasks_of,
)

QUICK_ROWS = 120
FOREST_REPEATS = 3  # at most, as the paper's forests have 20 trees each


def cross_validate(data: DataSet, repeats: int, n_jobs: int) -> Outcomes:
    """Judge all methods on one set."""
    trees = [*GROWN, *(method + PRUNED for method in GROWN), *DEFAULTS]
    tasks = tasks_of(trees, repeats) + tasks_of(FORESTS, min(repeats, FOREST_REPEATS))
    return _outcomes(data, tasks, n_jobs)


def on_authors_folds(data: DataSet, seeds: int, n_jobs: int) -> Outcomes:
    """Judge three methods on the authors' copy of a set; only the forest draws anything."""
    tasks = [*authors_tasks("CART", 1), *authors_tasks("dGMML closest", 1)]
    return _outcomes(data, [*tasks, *authors_tasks("dGMML-RF", seeds)], n_jobs)


def _outcomes(data: DataSet, tasks: Sequence[Task], n_jobs: int) -> Outcomes:
    folds = work_through(data, tasks, n_jobs)
    methods = dict.fromkeys(task.method for task in tasks)
    return {
        (data.name, method): Outcome(data, method, [one for one in folds if one.method == method])
        for method in methods
    }


def make_tables(outcomes: Outcomes, authors: Outcomes) -> list[Table]:
    makers = (
        *(means_table, trees_table, forests_table, winners_table, thresholds_table),
        *(pruned_table, defaults_table, pairs_table, times_table),
    )
    tables = [*(make(outcomes) for make in makers), authors_table(authors)]
    return [table for table in tables if table.rows]


def describe(outcome: Outcome) -> dict[str, Any]:
    """Return all that is known of one method on one set, for the file."""
    return {
        "data": outcome.data.name,
        "method": outcome.method,
        "accuracy": round(outcome.accuracy, 3),
        **{name: round(outcome.mean(name), 4) for name in ("leaves", "depth", "effort")},
        "seconds": round(outcome.mean("seconds"), 6),
        "accuracies_of_repeats": outcome.accuracies.mean(axis=1).round(3).tolist(),
    }


def write(
    path: Path, outcomes: Outcomes, authors: Outcomes, tables: list[Table], notes: list[str]
) -> None:
    """Write the tables as Markdown, and every cell as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scipy", "scikit-learn")
    words = (
        "# Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning "
        f"for decision tree\n\n{in_words(machine, packages)} {' '.join(notes)} Made by "
        "`python -m benchmarks.papers.dgmml --output FILE.md`; `benchmarks/README.md` says what is "
        "measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    about = json.dumps({"machine": machine, "packages": packages, "notes": notes})
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(describe(one)) for one in part.values()) + "\n]"
        for name, part in (("cells", outcomes), ("authors_folds", authors))
    ]
    path.with_suffix(".json").write_text(f"{about[:-1]},\n" + ",\n".join(parts) + "\n}\n")


def main() -> None:
    options = read(make_parser(__doc__.splitlines()[0]), TWO_CLASS_SETS)
    names = options.only or TWO_CLASS_SETS
    found, notes = load_sets(options.data, names)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    for sentence in notes:
        print(sentence, file=sys.stderr)
    repeats = 1 if options.quick else options.repeats
    notes.append(
        "Quick run: the numbers mean nothing."
        if options.quick
        else f"{repeats} stratified {FOLDS}-fold cross-validations of each set, "
        f"{min(repeats, FOREST_REPEATS)} for forests."
    )
    outcomes: Outcomes = {}
    for data in found:
        part = data.sample(QUICK_ROWS) if options.quick else data
        outcomes |= cross_validate(part, repeats, options.jobs)
    authors: Outcomes = {}
    for data in read_authors_sets(options.data, names):
        seeds = 1 if options.quick else AUTHORS_SEEDS
        authors |= on_authors_folds(data, seeds, options.jobs)
    tables = make_tables(outcomes, authors)
    print_tables(tables)
    if options.output:
        write(options.output, outcomes, authors, tables, notes)


if __name__ == "__main__":
    main()
