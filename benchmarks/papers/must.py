"""Tables II, III and IV of the MUST paper beside treewright's, and all under one rule of pruning.

    python -m benchmarks.papers.must [--quick] [--only SET] [--keep FILE.json] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.common.cross_validation import (
    FOLDS,
    Fold,
    Outcome,
    corrected_error,
    spread_of_repeats,
)
from benchmarks.common.data_sets import MUST_SETS, DataSet
from benchmarks.common.options import LARGE, add_large_repeats, make_parser, read
from benchmarks.common.packaged_sets import find_sets
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.papers.must_numbers import SAME, SMALL_SETS, read_tables
from benchmarks.papers.must_rules import fair_table, lead_table, rule_tables, rules_compared
from benchmarks.papers.must_tables import (
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
from benchmarks.papers.must_work import (
    HOURS,
    ON_LARGE_SETS,
    PRESETS,
    PUBLISHED,
    READABLE,
    UNDER_RULES,
    run,
)

QUICK_ROWS = 80


def methods_on(data: DataSet, repeats: int, large_repeats: int) -> dict[str, int]:
    """Return the cross-validations of each method: all on small sets, the quicker on large ones."""
    if data.name in SMALL_SETS:
        return dict.fromkeys([*PRESETS, *READABLE, *UNDER_RULES], repeats)
    few = min(repeats, large_repeats) if data.n_rows >= LARGE else repeats
    _, printed = read_tables()["IV"]
    has_oc1 = any((row.data, row.method) == (data.name, "OC1") for row in printed)
    on_large = [method for method in ON_LARGE_SETS if method != HOURS or has_oc1]
    return dict.fromkeys(PRESETS, repeats) | dict.fromkeys(on_large, few)


def kept_outcomes(path: Path, data: DataSet) -> dict[str, Outcome]:
    """Return what an earlier run found on a set; of depth, effort and seconds it kept means."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {
        cell["method"]: Outcome(
            data,
            cell["method"],
            [
                Fold(
                    *(data.name, cell["method"], repeat, fold, accuracy / 100),
                    *(cell["leaves_of_folds"][repeat][fold], cell["depth"], cell["effort"]),
                    cell["seconds"],
                )
                for repeat, accuracies in enumerate(cell["accuracies"])
                for fold, accuracy in enumerate(accuracies)
            ],
        )
        for cell in cells
        if cell["data"] == data.name
    }


def make_tables(outcomes: Outcomes, cells: list[Cell]) -> list[Table]:
    tables = [
        *(agreement(cells), *paper_tables(cells), not_reproduced(cells)),
        *(fair_table(outcomes), lead_table(outcomes)),
        *(rules_compared(outcomes), *rule_tables(outcomes)),
        *(quick_estimates(outcomes), other_cells(outcomes, cells)),
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
        "Made by `python -m benchmarks.papers.must --output FILE.md`; `benchmarks/README.md` says "
        "what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    about = {"machine": machine, "packages": packages, "notes": notes}
    lines = ",\n".join(json.dumps(describe(outcome, cells)) for outcome in outcomes.values())
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "cells": [\n{lines}\n]}}\n')


def main() -> None:
    parser = make_parser(__doc__.splitlines()[0])
    add_large_repeats(parser, 1)
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FILE.json",
        help="take from an earlier run what it has, and measure the rest",
    )
    options = read(parser, MUST_SETS)
    if options.keep and not options.keep.is_file():
        parser.error(f"--keep names no file: {options.keep}")
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
    n_kept = 0
    for data in found:
        rows = data.sample(QUICK_ROWS) if options.quick else data
        methods = methods_on(rows, repeats, options.large_repeats)
        earlier = kept_outcomes(options.keep, rows) if options.keep else {}
        kept = {
            method: earlier[method]
            for method, asked in methods.items()
            if method in earlier and len(earlier[method].accuracies) == asked
        }
        new = {method: asked for method, asked in methods.items() if method not in kept}
        known = kept | run(rows, new, options.jobs)
        outcomes |= {(rows.name, method): known[method] for method in methods}
        n_kept += len(kept)
    if n_kept:
        notes.append(f"{n_kept} of {len(outcomes)} cells were measured in an earlier run.")
    cells = make_cells(outcomes)
    tables = make_tables(outcomes, cells)
    print_tables(tables)
    if options.output:
        write(options.output, outcomes, cells, tables, notes)


if __name__ == "__main__":
    main()
