"""Readable trees beside other families and models too large to read, by cross-validation.

    python -m benchmarks.studies.readable_trees --output benchmarks/results/readable_trees.md
        [--tables SET ...] [--methods NAME ...] [--again NAME ...] [--repeats N] [--more]

benchmarks/README.md says what is compared, how, and how to read the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import FOLDS, work_through
from benchmarks.common.data_sets import DataSet
from benchmarks.common.options import make_parser, read
from benchmarks.common.packaged_sets import find_sets
from benchmarks.common.report import (
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.studies.readable_tables import Cell, Cells, all_tables, known_sequence
from benchmarks.studies.readable_work import (
    CLASSIFIERS,
    FIFTEEN,
    MANY_COLUMNS,
    MORE_CLASSIFIERS,
    OURS_AUTO,
    PMLB,
    REGRESSION,
    REGRESSORS,
    SLOW,
    WITH_CATEGORIES,
    Judged,
    Task,
    takes_auto,
)

MOST_ROWS, QUICK_ROWS = 5000, 100
SETS = (*FIFTEEN, *PMLB, *REGRESSION)


def methods_for(data: DataSet, options: argparse.Namespace, has_auto: bool) -> list[str]:
    """Name the methods to run on a table."""
    methods = [*REGRESSORS] if data.is_regression else [*CLASSIFIERS]
    if options.more and not data.is_regression:
        methods += MORE_CLASSIFIERS
    if len(data.columns) >= MANY_COLUMNS and not options.more:
        methods = [one for one in methods if not one.startswith(SLOW)]
    if not has_auto:
        methods.remove(OURS_AUTO)
    return [one for one in methods if not options.methods or is_named(one, options.methods)]


def is_named(method: str, names: list[str]) -> bool:
    return any(name in method for name in names)


def measure(data: DataSet, whole: DataSet, method: str, options: argparse.Namespace) -> Cell:
    """Cross-validate one method on one table."""
    tasks = [
        Task(method, repeat, fold) for repeat in range(options.repeats) for fold in range(FOLDS)
    ]
    folds: list[Any] = work_through(data, tasks, options.jobs)
    classes = 0 if data.is_regression else len(np.unique(data.target))
    shape = (data.n_rows, whole.n_rows, len(data.columns), classes)
    folds.sort(key=lambda one: (one.repeat, one.fold))
    return Cell(data.name, method, *shape, tuple(folds))


# ---------------------------------------------------------------------------------------- files


def to_json(cell: Cell) -> dict[str, Any]:
    folds = [
        {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in asdict(fold).items()
            if name not in ("data", "method")
        }
        for fold in cell.folds
    ]
    about = {name: getattr(cell, name) for name in Cell.__annotations__ if name != "folds"}
    return {**about, "folds": folds}


def from_json(found: dict[str, Any]) -> Cell:
    place = (found["data"], found["method"])
    folds = tuple(Judged(*place, **fold) for fold in found["folds"])
    return Cell(**{**found, "folds": folds})


def kept(options: argparse.Namespace, sets: list[DataSet]) -> Cells:
    """Return what an earlier run has found, but for what is to be measured again."""
    path = options.output and options.output.with_suffix(".json")
    if not path or not path.is_file() or options.fresh:
        return {}
    rows = {data.name: data.n_rows for data in sets}
    cells = known_sequence([from_json(cell) for cell in json.loads(path.read_text())["cells"]])
    return {
        (data, method): cell
        for (data, method), cell in cells.items()
        if cell.rows == rows.get(data, cell.rows)
        and len(cell.folds) == FOLDS * options.repeats
        and not (data in rows and is_named(method, options.again or []))
    }


def write_cells(path: Path, cells: Cells, about: dict[str, Any]) -> None:
    """Write the file anew; whoever ends a run meanwhile finds the old one."""
    lines = ",\n".join(json.dumps(to_json(cell)) for cell in cells.values())
    draft = path.with_suffix(".json.new")
    draft.write_text(f'{json.dumps(about)[:-1]}, "cells": [\n{lines}\n]}}\n')
    os.replace(draft, path.with_suffix(".json"))


def in_order(cells: Cells) -> Cells:
    """Put the cells into the order of tables and methods, whenever they were measured."""
    tables = [*SETS, *WITH_CATEGORIES]
    methods = [*CLASSIFIERS, *MORE_CLASSIFIERS, *REGRESSORS]
    places = [place for place in cells if place[0] in tables and place[1] in methods]
    places.sort(key=lambda place: (tables.index(place[0]), methods.index(place[1])))
    return {place: cells[place] for place in places}


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__.partition("\n")[0])
    parser.set_defaults(repeats=1)
    some = {"nargs": "+", "action": "extend", "metavar": "NAME"}
    parser.add_argument("--tables", dest="only", **some, help="the same as --only, for several")
    parser.add_argument("--methods", **some, help="only methods whose name holds NAME")
    parser.add_argument("--again", **some, help="measure these anew that FILE.json has")
    parser.add_argument("--fresh", action="store_true", help="measure all anew")
    parser.add_argument("--more", action="store_true", help="more methods, tables with categories")
    return read(parser, (*SETS, *WITH_CATEGORIES))


def main() -> None:
    options = read_options()
    begun = time.process_time()
    names = options.only or (*SETS, *(WITH_CATEGORIES if options.more else ()))
    whole, notes = find_sets(options.data, names)
    if not whole:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    most = QUICK_ROWS if options.quick else MOST_ROWS
    sets = [data.sample(most) for data in whole]
    has_auto = takes_auto()
    if not has_auto:
        notes.append('This version does not take max_leaf_nodes="auto", which is left out.')
    if options.quick:
        options.repeats = 1
        notes.append("Quick run: its numbers mean nothing.")
    about = {
        "machine": describe_machine(),
        "packages": describe_packages("treewright", "numpy", "scikit-learn"),
        "notes": notes,
    }
    cells = kept(options, sets)
    for data, origin in zip(sets, whole, strict=True):
        for method in methods_for(data, options, has_auto):
            if (data.name, method) in cells:
                continue
            print(method, end=", ", file=sys.stderr, flush=True)
            cells[data.name, method] = measure(data, origin, method, options)
            if options.output:
                write_cells(options.output, in_order(cells), about)
        if options.output:
            write(options.output, in_order(cells), about, options)
    print_tables(all_tables(in_order(cells)))
    print(" ".join(notes))
    print(f"CPU time of this run: {time.process_time() - begun:.0f} s", file=sys.stderr)


def write(path: Path, cells: Cells, about: dict[str, Any], options: argparse.Namespace) -> None:
    spent = sum(fold.seconds for cell in cells.values() for fold in cell.folds)
    how = (
        f"Cross-validation of {FOLDS} folds, repeats: {options.repeats}; at most {MOST_ROWS} rows "
        f"of a table, drawn at random. All fits took {spent / 60:.1f} minutes of CPU time."
    )
    head = [in_words(about["machine"], about["packages"]), *about["notes"], how]
    words = (
        f"# Readable trees\n\n{' '.join(head)} Made by `python -m "
        "benchmarks.studies.readable_trees --output FILE.md`; `benchmarks/README.md` says what is "
        "measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in all_tables(cells))]))


if __name__ == "__main__":
    main()
