"""Tables II, III and IV of the MUST paper beside treewright's, and all under one rule of pruning.

    python benchmarks/papers/must.py [--quick] [--only SET] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # what all benchmarks share

from cross_validation import FOLDS, Outcome, corrected_error, spread_of_repeats, work_through
from data_sets import MUST_SETS, DataSet
from must_numbers import SAME, SMALL_SETS
from must_rules import fair_table, lead_table, reference_table, rule_tables, rules_compared
from must_tables import (
    Cell,
    Outcomes,
    agreement,
    make_cells,
    not_reproduced,
    other_cells,
    paper_tables,
    quick_estimates,
    readable_table,
    readable_verdicts,
)
from must_work import ON_LARGE_SETS, PRESETS, PUBLISHED, READABLE, UNDER_RULES, Task
from options import LARGE, add_large_repeats, make_parser, read
from packaged_sets import find_sets
from report import Table, count, describe_machine, describe_packages, in_words, print_tables

QUICK_ROWS = 80


def methods_on(data: DataSet, repeats: int, large_repeats: int) -> dict[str, int]:
    """Return the cross-validations of each method: all on small sets, the quicker on large ones."""
    if data.name in SMALL_SETS:
        return dict.fromkeys([*PRESETS, *READABLE, *UNDER_RULES], repeats)
    few = min(repeats, large_repeats) if data.n_rows >= LARGE else repeats
    return dict.fromkeys(PRESETS, repeats) | dict.fromkeys(ON_LARGE_SETS, few)


def run(data: DataSet, methods: dict[str, int], n_jobs: int) -> Outcomes:
    """Do all the work on one set."""
    tasks = [
        Task(method, repeat, fold)
        for repeat in range(max(methods.values()))
        for fold in range(FOLDS)
        for method, repeats in methods.items()
        if repeat < repeats
    ]
    folds = work_through(data, tasks, n_jobs)
    return {
        (data.name, method): Outcome(data, method, [one for one in folds if one.method == method])
        for method in methods
    }


def make_tables(outcomes: Outcomes, cells: list[Cell]) -> list[Table]:
    tables = [
        *(agreement(cells), *paper_tables(cells), not_reproduced(cells)),
        *(fair_table(outcomes), lead_table(outcomes)),
        *(rules_compared(outcomes), *rule_tables(outcomes)),
        *(reference_table(outcomes), quick_estimates(outcomes), other_cells(outcomes, cells)),
        *(readable_verdicts(outcomes, cells), readable_table(outcomes)),
    ]
    return [table for table in tables if table.rows]


def describe(outcome: Outcome, cells: list[Cell]) -> dict[str, Any]:
    """Return all that is known of one method on one set, for the file."""
    about: dict[str, Any] = {
        "data": outcome.data.name,
        "method": outcome.method,
        "accuracy": round(outcome.accuracy, 3),
        "corrected_error": round(corrected_error(outcome.accuracies), 3),
        "spread_of_repeats": spread_of_repeats(outcome.accuracies),
        **{name: round(outcome.mean(name), 4) for name in ("leaves", "depth", "effort")},
        "seconds": outcome.mean("seconds"),
    }
    for cell in cells:
        if cell.ours is outcome and cell.paper.method not in SAME:
            about |= {"paper": asdict(cell.paper), "difference": round(cell.difference, 3)}
            about |= {"standard_error": cell.error, "log_ratio": round(cell.log_ratio, 4)}
            about["not_reproduced"] = cell.misses
    about["accuracies"] = outcome.accuracies.round(3).tolist()
    about["leaves_of_folds"] = outcome.leaves.tolist()
    return about


def write(
    path: Path, outcomes: Outcomes, cells: list[Cell], tables: list[Table], notes: list[str]
) -> None:
    """Write the tables as Markdown, and every cell with its folds as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Leroux, Boussard, Dès (2018), Inducing readable oblique decision trees\n\n"
        f"{in_words(machine, packages)} {' '.join(notes)} "
        "Made by `python benchmarks/papers/must.py --output FILE.md`; `benchmarks/README.md` says "
        "what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    about = {"machine": machine, "packages": packages, "notes": notes}
    lines = ",\n".join(json.dumps(describe(outcome, cells)) for outcome in outcomes.values())
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "cells": [\n{lines}\n]}}\n')


def main() -> None:
    parser = make_parser(__doc__.splitlines()[0])
    add_large_repeats(parser, 1)
    options = read(parser, MUST_SETS)
    found, notes = find_sets(options.data, options.only or MUST_SETS)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    for sentence in notes:
        print(sentence, file=sys.stderr)
    repeats = 1 if options.quick else options.repeats
    notes.append(
        "Quick run: the numbers mean nothing."
        if options.quick
        else f"{repeats} stratified {FOLDS}-fold cross-validations of each set; "
        f"{min(repeats, options.large_repeats)} of {', '.join(PUBLISHED)}, and of MUST under the "
        f"two rules, on sets of {count(LARGE)} rows and more."
    )
    outcomes: Outcomes = {}
    for data in found:
        rows = data.sample(QUICK_ROWS) if options.quick else data
        methods = methods_on(rows, repeats, options.large_repeats)
        outcomes |= run(rows, methods, options.jobs)
    cells = make_cells(outcomes)
    tables = make_tables(outcomes, cells)
    print_tables(tables)
    if options.output:
        write(options.output, outcomes, cells, tables, notes)


if __name__ == "__main__":
    main()
