"""Optimal trees over thresholds and sums of two columns, beside greedy and pruned ones.

    python -m benchmarks.studies.optimal_dictionary [--quick] [--only SET] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.common.cross_validation import FOLDS, Outcome, corrected_error, work_through
from benchmarks.common.data_sets import MUST_SETS, DataSet
from benchmarks.common.measuring import timed
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
from benchmarks.studies.dictionary_work import (
    GREEDY,
    OPTIMAL,
    PRUNED,
    SECONDS,
    SHALLOW,
    Task,
    make,
    name_of,
)
from treewright.exceptions import NotProvenWarning

DEPTHS = (2, 3)
QUICK_ROWS = 60


# ----------------------------------------------------------------------------------- measuring


def training_rows(data: DataSet) -> Iterator[list[str]]:
    """Return the errors of every method on the rows it learned from, a row for each depth."""
    for depth in DEPTHS:
        wrong, cells = {}, []
        for method in SHALLOW:
            model = make(method, depth, 0, data.n_rows)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NotProvenWarning)
                cost, _ = timed(model.fit, data.columns, data.target)
            wrong[method] = int((model.predict(data.columns) != data.target).sum())
            cells.append(count(wrong[method]))
            if method == OPTIMAL:
                proof = "proven" if model.certificate_.proven else f"{model.certificate_.gap:.1%}"
                time = seconds(cost)
        misses = [method for method in GREEDY if wrong[OPTIMAL] > wrong[method]]
        yield [data.name, count(data.n_rows), str(depth), *cells, time, proof, verdict(misses)]


def tasks_of(n_repeats: int) -> Iterator[Task]:
    """Return the work on one set, repeat by repeat; pruned trees have no depth to set."""
    for repeat in range(n_repeats):
        for fold in range(FOLDS):
            yield from (Task(method, 0, repeat, fold) for method in PRUNED)
            for depth in DEPTHS:
                yield from (Task(method, depth, repeat, fold) for method in SHALLOW)


def cross_validate(data: DataSet, n_repeats: int, n_jobs: int) -> list[Outcome]:
    folds = work_through(data, [*tasks_of(n_repeats)], n_jobs)
    names = [*PRUNED, *(name_of(method, depth) for depth in DEPTHS for method in SHALLOW)]
    return [Outcome(data, name, [one for one in folds if one.method == name]) for name in names]


# -------------------------------------------------------------------------------------- tables


def training_table() -> Table:
    return Table(
        "Training errors",
        "On all rows of each set. Asked: over thresholds and sums of two columns, no more errors "
        "than a greedy tree of the same depth over the same tests. The last columns are those of "
        f"the search over both: CPU time, and whether it was proven within {SECONDS:g} s or what "
        "gap was left.",
        "|".join(["data", "rows", "depth", *SHALLOW, "time", "proof", "verdict"]),
    )


def judged_table(outcomes: list[Outcome]) -> Table:
    table = Table(
        "Accuracy, leaves and reading effort",
        f"Means over repeats of stratified {FOLDS}-fold cross-validation. Accuracy is in per cent "
        "of the held-out rows, +- its standard error, corrected for the training rows that folds "
        "share. Reading effort: values looked at per row. Seconds: process CPU time of one fit.",
        "data|rows|repeats|method|accuracy|leaves|depth|reading effort|seconds a fit",
    )
    for outcome in outcomes:
        accuracies = outcome.accuracies
        table.rows.append(
            [
                *(outcome.data.name, count(outcome.data.n_rows), count(len(accuracies))),
                *(outcome.method, f"{accuracies.mean():.2f} +- {corrected_error(accuracies):.2f}"),
                *(f"{outcome.mean(name):.1f}" for name in ("leaves", "depth")),
                *(f"{outcome.mean('effort'):.2f}", seconds(outcome.mean("seconds"))),
            ]
        )
    return table


def summary_table(outcomes: list[Outcome]) -> Table:
    table = Table(
        "Over all sets",
        "Means over the sets, each counted once.",
        "method|sets|accuracy|leaves|reading effort|best of its depth",
    )
    by_method: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_method.setdefault(outcome.method, []).append(outcome)
    best: dict[tuple[str, str], float] = {}
    for outcome in outcomes:
        place = outcome.data.name, outcome.method.split(",")[0]
        best[place] = max(best.get(place, 0.0), outcome.accuracy)
    for method, own in by_method.items():
        wins = sum(one.accuracy == best[one.data.name, method.split(",")[0]] for one in own)
        means = [
            sum(values) / len(own)
            for values in (
                [one.accuracy for one in own],
                [one.mean("leaves") for one in own],
                [one.mean("effort") for one in own],
            )
        ]
        table.rows.append(
            [
                *(method, count(len(own)), *(f"{value:.2f}" for value in means)),
                "-" if method in PRUNED else count(wins),
            ]
        )
    return table


# -------------------------------------------------------------------------------------- output


def write(path: Path, outcomes: list[Outcome], tables: list[Table], notes: list[str]) -> None:
    """Write the tables as Markdown, and what was found in every fold as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Optimal trees over thresholds and linear combinations\n\n"
        f"{in_words(machine, packages)} {' '.join(notes)} "
        "Made by `python -m benchmarks.studies.optimal_dictionary --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    about = {"machine": machine, "packages": packages, "notes": notes}
    lines = ",\n".join(json.dumps(describe(outcome)) for outcome in outcomes)
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "outcomes": [\n{lines}\n]}}\n')


def describe(outcome: Outcome) -> dict[str, Any]:
    """Return what one method did on one set, fold by fold within repeats."""
    return {
        "data": outcome.data.name,
        "method": outcome.method,
        "seconds": round(outcome.mean("seconds"), 4),
        "accuracies": [round(100 * fold.accuracy, 2) for fold in outcome.folds],
        "leaves": [fold.leaves for fold in outcome.folds],
        "efforts": [round(fold.effort, 2) for fold in outcome.folds],
    }


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__.splitlines()[0])
    add_large_repeats(parser, 1)
    return read(parser, MUST_SETS)


def main() -> None:
    options = read_options()
    found, origins = find_sets(options.data, options.only or MUST_SETS)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    for sentence in origins:
        print(sentence, file=sys.stderr)
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    notes += origins
    training, outcomes = training_table(), []
    for data in found:
        used = data.sample(QUICK_ROWS) if options.quick else data
        training.rows += training_rows(used)
        most = options.large_repeats if used.n_rows >= LARGE else options.repeats
        outcomes += cross_validate(used, 1 if options.quick else most, options.jobs)
        tables = [training, summary_table(outcomes), judged_table(outcomes)]
        if options.output:  # after each set, for whoever ends a long run early
            write(options.output, outcomes, tables, notes)
    print_tables(tables)
    if any(row[-1] != "ok" for row in training.rows):
        raise SystemExit("An optimal tree has more training errors than a greedy one.")


if __name__ == "__main__":
    main()
