"""Pruned classic trees beside scikit-learn's: accuracy, leaves, depth and reading effort.

    python -m benchmarks.studies.pruned_classics [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.common.cross_validation import (
    FOLDS,
    Fold,
    Outcome,
    corrected_error,
    error_of_repeats,
    work_through,
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
    seconds,
    verdict,
)
from benchmarks.studies.pruned_work import PEER, PEER_ONE_ERROR, TREEWRIGHT, Task

ALPHAS, QUICK_ALPHAS, QUICK_ROWS = 25, 4, 300


# ----------------------------------------------------------------------------------- measuring


def make_tasks(n_repeats: int, n_alphas: int, *, shuffle: bool) -> Iterator[Task]:
    """Return the work on one set, repeat by repeat."""
    for repeat in range(n_repeats):
        for fold in range(FOLDS):
            for method in (PEER, *TREEWRIGHT):
                yield Task(method, repeat, fold, n_alphas, shuffle)


def read_peer(path: Path, settings: dict[str, bool]) -> list[Fold]:
    """Return scikit-learn's folds of an earlier run, which must have had the same settings."""
    kept = json.loads(path.read_text())
    if kept["settings"] != settings:
        raise SystemExit(f"{path.name} comes from a run with other settings: {kept['settings']}.")
    if kept["packages"]["scikit-learn"] != describe_packages("scikit-learn")["scikit-learn"]:
        raise SystemExit(f"{path.name} comes from a run with another scikit-learn.")
    folds = [Fold(**fold) for fold in kept["folds"]]
    return [fold for fold in folds if fold.method in (PEER, PEER_ONE_ERROR)]


def run(data: DataSet, tasks: list[Task], known: list[Fold], n_jobs: int) -> list[Outcome]:
    """Do the work on one set, but for folds that are known."""
    done_before = {(fold.method, fold.repeat, fold.fold) for fold in known}
    places = {(task.repeat, task.fold) for task in tasks}
    folds = [fold for fold in known if (fold.repeat, fold.fold) in places]
    tasks = [task for task in tasks if (task.method, task.repeat, task.fold) not in done_before]
    folds += work_through(data, tasks, n_jobs)
    return [
        Outcome(data, method, [fold for fold in folds if fold.method == method])
        for method in (*TREEWRIGHT, PEER, PEER_ONE_ERROR)
    ]


# -------------------------------------------------------------------------------------- tables


def size_table(outcomes: list[Outcome]) -> Table:
    table = Table(
        "Accuracy and size",
        f"Means over repeats of stratified {FOLDS}-fold cross-validation. Accuracy is in per cent "
        "of the held-out rows, +- its standard error, corrected for the training rows that folds "
        "share. Reading effort: values looked at per row. Seconds: process CPU time of one fit, "
        "the choice of the tree included.",
        "data|rows|repeats|method|accuracy|leaves|depth|reading effort|seconds a fit",
    )
    for outcome in outcomes:
        accuracies = outcome.accuracies
        table.rows.append(
            [
                *(outcome.data.name, count(outcome.data.n_rows), count(len(accuracies))),
                *(outcome.method, f"{accuracies.mean():.2f} +- {corrected_error(accuracies):.2f}"),
                *(f"{outcome.mean('leaves'):.1f}", f"{outcome.mean('depth'):.1f}"),
                *(f"{outcome.mean('effort'):.2f}", seconds(outcome.mean("seconds"))),
            ]
        )
    return table


def verdict_table(outcomes: list[Outcome]) -> Table:
    table = Table(
        f"Beside {PEER}",
        "Difference of accuracies in points, fold by fold on the same rows. Asked: not worse by "
        "more than one standard error (corrected as above), at no more leaves. The standard error "
        "of the means of the repeats is smaller: it knows the chance in the choice of folds, not "
        "that of the data.",
        "data|method|difference|standard error|of repeats|"
        f"leaves|leaves, {PEER}|effort|effort, {PEER}|verdict",
    )
    peers = {outcome.data.name: outcome for outcome in outcomes if outcome.method == PEER}
    for outcome in outcomes:
        if outcome.method not in TREEWRIGHT:
            continue
        peer = peers[outcome.data.name]
        differences = outcome.accuracies - peer.accuracies
        error, narrow = corrected_error(differences), error_of_repeats(differences)
        misses = ["accuracy"] if differences.mean() < -error else []
        misses += ["leaves"] if outcome.mean("leaves") > peer.mean("leaves") else []
        table.rows.append(
            [
                *(outcome.data.name, outcome.method, f"{differences.mean():+.2f}"),
                *(f"{error:.2f}", "-" if narrow is None else f"{narrow:.2f}"),
                *(f"{which.mean('leaves'):.1f}" for which in (outcome, peer)),
                *(f"{which.mean('effort'):.2f}" for which in (outcome, peer)),
                verdict(misses),
            ]
        )
    return table


# -------------------------------------------------------------------------------------- output


def write(
    path: Path,
    outcomes: list[Outcome],
    tables: list[Table],
    notes: list[str],
    settings: dict[str, bool],
) -> None:
    """Write the tables as Markdown, and every fold as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Pruned classic trees beside scikit-learn's\n\n"
        f"{in_words(machine, packages)} {' '.join(notes)} "
        "Made by `python -m benchmarks.studies.pruned_classics --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    about = {"machine": machine, "packages": packages, "notes": notes, "settings": settings}
    folds = [json.dumps(asdict(fold)) for outcome in outcomes for fold in outcome.folds]
    lines = ",\n".join(folds)
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "folds": [\n{lines}\n]}}\n')


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__.splitlines()[0])
    add_large_repeats(parser, 2)  # for scikit-learn's sake
    parser.add_argument(
        "--file-order",
        action="store_true",
        help="leave columns as the file has them, not in random order in each fold",
    )
    parser.add_argument(
        "--peer",
        type=Path,
        metavar="FILE.json",
        help="take scikit-learn's folds from this earlier run, and measure only treewright anew",
    )
    return read(parser, MUST_SETS)


def main() -> None:
    options = read_options()
    found, origins = find_sets(options.data, options.only or MUST_SETS)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    for sentence in origins:
        print(sentence, file=sys.stderr)
    n_alphas, repeats = (QUICK_ALPHAS, 1) if options.quick else (ALPHAS, options.repeats)
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    notes += origins
    notes.append(
        "Columns were as the files have them."
        if options.file_order
        else "Columns were in another random order in each fold, the same for all methods."
    )
    settings = {"quick": options.quick, "file_order": options.file_order}
    known: list[Fold] = []
    if options.peer:
        known = read_peer(options.peer, settings)
        notes.append(
            "scikit-learn's folds were measured in an earlier run on the same parts of the data; "
            "treewright's are new."
        )
    outcomes: list[Outcome] = []
    for data in found:
        used = data.sample(QUICK_ROWS) if options.quick else data
        most = min(repeats, options.large_repeats) if used.n_rows >= LARGE else repeats
        tasks = [*make_tasks(most, n_alphas, shuffle=not options.file_order)]
        same = [fold for fold in known if fold.data == used.name]
        outcomes += run(used, tasks, same, options.jobs)
    tables = [size_table(outcomes), verdict_table(outcomes)]
    print_tables(tables)
    if options.output:
        write(options.output, outcomes, tables, notes, settings)


if __name__ == "__main__":
    main()
