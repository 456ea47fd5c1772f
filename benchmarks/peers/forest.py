"""Forests beside their peers: accuracy on 24 data sets, time and memory of fitting and predicting.

    python -m benchmarks.peers.forest [--quick] [--part NAME] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common.data_sets import default_folder
from benchmarks.common.fresh_process import run_apart
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    rows_in_short,
    seconds,
    times,
    verdict,
)
from benchmarks.common.two_class_sets import TWO_CLASS_SETS, load_sets
from benchmarks.peers.forest_accuracy import (
    EXACT,
    OBLIQUE,
    Outcomes,
    accuracy_table,
    describe,
    noise_table,
    run_sets,
)
from benchmarks.peers.forest_work import ForestJob, make_forest, measure

PARTS = ("speed", "few", "accuracy", "oblique")
OURS, THEIRS = "treewright", "scikit-learn"
ASKED = (20_000, 20, 2)  # rows, columns and classes of the case that is judged
MOST_FIT, MOST_PREDICT = 0.7, 0.5  # of scikit-learn's time
MOST_OF_FEW = 1.0  # the same where columns have few values
TREES, QUICK_TREES = 100, 10
QUICK_SETS = ("breast_cancer_wdbc",)  # scikit-learn has it

Run = Callable[[ForestJob], dict[str, Any]]


@dataclass
class Case:
    """The same forest by several libraries, and what was measured, by library."""

    job: ForestJob
    libraries: tuple[str, ...]
    repeats: int
    runs: dict[str, list[dict[str, Any]]]

    @property
    def data(self) -> str:
        kind = f"{self.job.classes} classes" if self.job.classes else "numbers"
        if self.job.values:
            kind += f", {self.job.values} {'levels' if self.job.levels else 'values'}"
        return f"{rows_in_short(self.job.rows)} x {self.job.columns}, {kind}"

    @property
    def is_judged(self) -> bool:
        """Whether its ratios must not be above `most`."""
        return self.is_of_few or (self.job.rows, self.job.columns, self.job.classes) == ASKED

    @property
    def is_of_few(self) -> bool:
        return self.job.values > 0

    def least(self, library: str, work: str, clock: str) -> float:
        return float(min(run[work][clock] for run in self.runs[library]))

    def ratio(self, work: str, clock: str) -> float:
        """Return our time in units of scikit-learn's."""
        return self.least(OURS, work, clock) / self.least(THEIRS, work, clock)

    def score(self, library: str) -> str:
        return f"{100 * self.runs[library][0]['score']:.1f}"


def speed_cases(*, quick: bool, repeats: int) -> Iterator[Case]:
    """Axis forests: ours beside scikit-learn's, on one thread and on two."""
    shapes = [ASKED, (2_000, 20, 2), (100_000, 20, 2), (20_000, 100, 2)]
    shapes += [(20_000, 20, 10), (20_000, 20, 0)]
    for rows, columns, classes in [(500, 5, 2), (500, 5, 0)] if quick else shapes:
        trees = QUICK_TREES if quick else TREES
        predicted = 1000 if quick else 100_000
        for threads in (1, 2):
            job = ForestJob("", rows, columns, classes, trees, threads, predicted)
            often = repeats if rows * columns <= 400_000 else 1
            yield Case(job, (OURS, THEIRS), often, {OURS: [], THEIRS: []})


def few_cases(*, quick: bool, repeats: int) -> Iterator[Case]:
    """Forests on columns of few values, and on categorical ones, on one thread."""
    trees, predicted = (2, 1000) if quick else (20, 100_000)
    for rows in (500,) if quick else (20_000, 100_000):
        for values, levels in ((2, False), (5, False), (20, False), (5, True), (20, True)):
            for classes in (2, 0):
                job = ForestJob("", rows, 20, classes, trees, 1, predicted, 3, values, levels)
                often = repeats if rows <= 20_000 else 1
                yield Case(job, (OURS, THEIRS), often, {OURS: [], THEIRS: []})


def oblique_cases(*, quick: bool, repeats: int, libraries: tuple[str, ...]) -> Iterator[Case]:
    """Forests of sums of columns, beside our axis forest."""
    for rows in (300,) if quick else (2_000, 20_000):
        trees = QUICK_TREES if quick else TREES
        predicted = 300 if quick else 20_000
        job = ForestJob("", rows, 5 if quick else 20, 2, trees, 2, predicted)
        often = repeats if rows <= 2_000 else 1
        yield Case(job, libraries, often, {library: [] for library in libraries})


def run_cases(cases: Sequence[Case], run: Run) -> None:
    """Run all libraries in turn, several times over."""
    for i, case in enumerate(cases, 1):
        words = f"{case.data}, {case.job.trees} trees, {case.job.threads} threads"
        print(f"{i} of {len(cases)}: {words}", file=sys.stderr, flush=True)
        for _ in range(case.repeats):
            for library in case.libraries:
                case.runs[library].append(run(replace(case.job, library=library)))


# ---------------------------------------------------------------------------------------- tables


def time_table(cases: Sequence[Case], work: str, most: float) -> Table:
    """Time of fitting, or of predicting."""
    rows = "" if work == "fit" else "rows a call|"
    table = Table(
        f"Time to {work}",
        "Least of the repeats: seconds that passed, and process CPU time of all threads. Asked of "
        f"{rows_in_short(ASKED[0])} x {ASKED[1]}: at most {most:g} times scikit-learn's, by both; "
        "of columns of few values or levels: no more than scikit-learn's, which sees the numbers "
        "of levels (an OrdinalEncoder before the forest) where we test sets of them.",
        f"data|trees|threads|{rows}treewright|scikit-learn|ratio|treewright, CPU|"
        "scikit-learn, CPU|ratio|verdict",
    )
    for case in cases:
        ratios = [case.ratio(work, clock) for clock in ("elapsed", "busy")]
        limit = MOST_OF_FEW if case.is_of_few else most
        misses = [f"above {limit:g}"] if max(ratios) > limit else []
        row = [case.data, str(case.job.trees), str(case.job.threads)]
        row += [] if work == "fit" else [rows_in_short(case.job.predicted)]
        for clock, ratio in zip(("elapsed", "busy"), ratios, strict=True):
            row += [seconds(case.least(library, work, clock)) for library in (OURS, THEIRS)]
            row.append(times(ratio))
        table.rows.append([*row, verdict(misses) if case.is_judged else ""])
    return table


def memory_table(cases: Sequence[Case]) -> Table:
    table = Table(
        "Peak memory of fitting, and what the forests know",
        "How far the peak of the process rises over the data and the loaded libraries, in "
        "megabytes: data, trees and all that growth needs. Scores are of rows not trained on: "
        "accuracy in per cent, or 100 R^2.",
        "data|trees|threads|data, MB|treewright|scikit-learn|ratio|score, treewright|"
        "score, scikit-learn",
    )
    for case in cases:
        ours, theirs = (
            max(run["memory"] for run in case.runs[library]) / 1e6 for library in (OURS, THEIRS)
        )
        size = case.runs[OURS][0]["input_bytes"] / 1e6
        table.rows.append(
            [
                *(case.data, str(case.job.trees), str(case.job.threads), f"{size:.1f}"),
                *(f"{ours:.0f}", f"{theirs:.0f}", times(ours / theirs) if theirs else "-"),
                *(case.score(OURS), case.score(THEIRS)),
            ]
        )
    return table


def oblique_table(cases: Sequence[Case]) -> Table:
    table = Table(
        "Forests of sums of columns",
        "Least of the repeats, on two threads; accuracy of rows not trained on. treeple is its "
        "ObliqueRandomForestClassifier; treewright is our axis forest.",
        "data|trees|forest|fit|fit, CPU|predict|rows a call|accuracy",
    )
    for case in cases:
        for library in case.libraries:
            spent = [case.least(library, "fit", clock) for clock in ("elapsed", "busy")]
            table.rows.append(
                [
                    *(case.data, str(case.job.trees), library, *map(seconds, spent)),
                    seconds(case.least(library, "predict", "elapsed")),
                    *(rows_in_short(case.job.predicted), case.score(library)),
                ]
            )
    return table


# ---------------------------------------------------------------------------------------- command


def why_not(library: str) -> str | None:
    """Say why a library cannot grow a forest here; None if it can."""
    job = ForestJob(library, columns=5, trees=2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is loaded may warn of other versions
            make_forest(job).fit(*job.make(50))
    except ModuleNotFoundError as error:
        return f"there is no module {error.name}"
    except Exception as error:  # a peer that does not fit the versions installed
        return f"it fails here ({type(error).__name__}: {error})"
    return None


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated")
    parser.add_argument("--repeats", type=int, default=3, help="of all that is done (default 3)")
    parser.add_argument("--jobs", type=int, default=1, help="folds at the same time (default 1)")
    parser.add_argument("--data", type=Path, default=default_folder(), metavar="FOLDER")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    parser.add_argument("--note", default="", help="what a reader of the output has to know")
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    if options.repeats < 1:
        parser.error(f"--repeats must be at least 1; {options.repeats} is not.")
    return options


def main() -> None:
    options = read_options()
    parts = options.part or PARTS
    quick, repeats = options.quick, 1 if options.quick else options.repeats
    trees = QUICK_TREES if quick else TREES
    # A quick run does all in one process: most of the time would go into loading libraries.
    run = measure if quick else partial(run_apart, "benchmarks.peers.forest_work")
    notes = ["Quick run: the numbers mean nothing."] if quick else []
    notes += [options.note] if options.note else []
    reasons = {name: why_not(name) for name in OBLIQUE} if "oblique" in parts else {}
    oblique = (OURS, *(name for name, reason in reasons.items() if reason is None))
    notes += [f"{name} is not measured: {reason}." for name, reason in reasons.items() if reason]
    sets, about_sets = load_sets(options.data, QUICK_SETS if quick else TWO_CLASS_SETS)
    notes += about_sets
    for sentence in notes:
        print(sentence, file=sys.stderr)
    tables: list[Table] = []
    cases: list[Case] = []
    outcomes: Outcomes = {}
    if "speed" in parts:
        cases += speed_cases(quick=quick, repeats=repeats)
    if "few" in parts:
        cases += few_cases(quick=quick, repeats=repeats)
    if cases:
        run_cases(cases, run)
        tables += [time_table(cases, "fit", MOST_FIT), time_table(cases, "predict", MOST_PREDICT)]
        tables.append(memory_table(cases))
    if "accuracy" in parts:
        found = run_sets(sets, EXACT, trees, repeats, options.jobs)
        tables += [noise_table(found), accuracy_table(found, EXACT)]
        outcomes |= found
    if "oblique" in parts:
        own = [*oblique_cases(quick=quick, repeats=repeats, libraries=oblique)]
        run_cases(own, run)
        found = run_sets(sets, oblique, trees, 1, options.jobs)
        tables += [oblique_table(own), accuracy_table(found, oblique)]
        cases += own
        outcomes |= {(f"{data}, oblique", name): one for (data, name), one in found.items()}
    print_tables(tables)
    if options.output:
        write(options.output, cases, outcomes, tables, notes)


def write(
    path: Path, cases: list[Case], outcomes: Outcomes, tables: list[Table], notes: list[str]
) -> None:
    """Write the tables as Markdown, and every measurement as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn", "treeple")
    title = "Forests beside their peers" if cases else "Accuracy of forests beside scikit-learn's"
    words = (
        f"# {title}\n\n{in_words(machine, packages)} {' '.join(notes)} Made by "
        "`python -m benchmarks.peers.forest --output FILE.md`; `benchmarks/README.md` says what is "
        "measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    kept = {
        "machine": machine,
        "packages": packages,
        "notes": notes,
        "cases": [{"job": asdict(case.job), "runs": case.runs} for case in cases],
        "sets": [describe(outcome) for outcome in outcomes.values()],
    }
    path.with_suffix(".json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
