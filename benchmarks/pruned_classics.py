"""Pruned classic trees beside scikit-learn's: accuracy, leaves, depth and reading effort.

    python benchmarks/pruned_classics.py [--quick] [--only SET] [--output FILE.md]

README.md in this folder says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
from data_sets import MUST_SETS, DataSet, default_folder, read_sets
from joblib import Parallel, delayed
from pruned_work import FOLDS, PEER, PEER_ONE_ERROR, TREEWRIGHT, Fold, Task
from report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    verdict,
)

from treewright.cli.progress import working

LARGE = 10_000  # rows from which on a set has fewer repeats, for scikit-learn's sake
ALPHAS, QUICK_ALPHAS, QUICK_ROWS = 25, 4, 300


class Outcome:
    """All folds of one method on one set of data."""

    def __init__(self, data: DataSet, method: str, folds: list[Fold]) -> None:
        self.data, self.method = data, method
        self.folds = sorted(folds, key=lambda fold: (fold.repeat, fold.fold))
        self.accuracies = np.array([100 * fold.accuracy for fold in self.folds]).reshape(-1, FOLDS)

    def mean(self, name: str) -> float:
        return statistics.fmean(getattr(fold, name) for fold in self.folds)


def corrected_error(values: np.ndarray) -> float:
    """Return the standard error of the mean over repeats (rows) and folds (columns).

    The trees of different folds share most of their training rows, so that the usual s / sqrt(m)
    is too small. Nadeau and Bengio (2003) correct it, for repeated cross-validation (Bouckaert
    and Frank 2004), to s sqrt(1 / m + rows held out / rows trained on).
    """
    return float(values.std(ddof=1) * np.sqrt(1 / values.size + 1 / (values.shape[1] - 1)))


def error_of_repeats(values: np.ndarray) -> float | None:
    """Return the standard error of the means of the repeats: of the choice of folds alone."""
    if len(values) < 3:
        return None
    return float(values.mean(axis=1).std(ddof=1) / np.sqrt(len(values)))


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
    start = time.perf_counter()
    workers = Parallel(n_jobs, return_as="generator_unordered")
    with working(f"{data.name}: {len(tasks)} fits") as update:
        for done, found in enumerate(workers(delayed(task.do)(data) for task in tasks), 1):
            folds += found
            if update:
                update(done / len(tasks))
    print(f"{data.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
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
        "Made by `python benchmarks/pruned_classics.py --output FILE.md`; `benchmarks/README.md` "
        "says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    about = {"machine": machine, "packages": packages, "notes": notes, "settings": settings}
    folds = [json.dumps(asdict(fold)) for outcome in outcomes for fold in outcome.folds]
    lines = ",\n".join(folds)
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "folds": [\n{lines}\n]}}\n')


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--only", action="append", metavar="SET", help="may be repeated")
    parser.add_argument("--repeats", type=int, default=10, help="cross-validations (default 10)")
    parser.add_argument(
        "--large-repeats",
        type=int,
        default=2,
        help=f"at most so many for sets of {count(LARGE)} rows and more (default 2)",
    )
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
    parser.add_argument("--jobs", type=int, default=1, help="folds at the same time (default 1)")
    parser.add_argument(
        "--data",
        type=Path,
        default=default_folder(),
        metavar="FOLDER",
        help="the data sets (default TREEWRIGHT_DATA, else ../shared/data beside the repository)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    unknown = [name for name in options.only or () if name not in MUST_SETS]
    if unknown:
        parser.error(f"there is no set {unknown[0]}; there are {', '.join(MUST_SETS)}.")
    if min(options.repeats, options.large_repeats) < 1:
        parser.error("--repeats and --large-repeats must be at least 1.")
    return options


def main() -> None:
    options = read_options()
    found, absent = read_sets(options.data, options.only or MUST_SETS)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    missing = [f"Not found: {', '.join(absent)}."] if absent else []
    for sentence in missing:
        print(sentence, file=sys.stderr)
    n_alphas, repeats = (QUICK_ALPHAS, 1) if options.quick else (ALPHAS, options.repeats)
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    notes += missing
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
