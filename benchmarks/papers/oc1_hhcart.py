"""OC1-AP, OC1 and HHCART beside an independent implementation, number by number.

    python -m benchmarks.papers.oc1_hhcart [--quick] [--only SET] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.common.cross_validation import FOLDS, Outcome
from benchmarks.common.options import make_parser, read
from benchmarks.common.packaged_sets import find_sets
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.papers.must_numbers import SMALL_SETS
from benchmarks.papers.must_tables import ERRORS
from benchmarks.papers.must_work import GROWN_OUT, run

QUICK_ROWS, QUICK_REPEATS = 80, 3
DRAWS = 10_000  # tables made of our own cross-validations


@dataclass(frozen=True)
class Number:
    """A mean of few cross-validations of theirs, and all of ours."""

    data: str
    method: str
    name: str
    theirs: float
    ours: np.ndarray
    repeats: int

    def errors_off(self) -> float:
        """Return by how many standard errors theirs differs, if it varies as ours."""
        return float(self._errors(self.theirs - self.ours.mean(), len(self.ours)))

    def drawn(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return means of as few of ours as theirs has, and how far they are off the others."""
        means, n = self.ours[chosen].mean(axis=1), len(self.ours)
        others = (n * self.ours.mean() - self.repeats * means) / (n - self.repeats)
        return means, self._errors(means - others, n - self.repeats)

    def _errors(self, difference: float | np.ndarray, n: int) -> np.ndarray:
        error = float(self.ours.std(ddof=1)) * math.sqrt(1 / self.repeats + 1 / n)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.equal(difference, 0), 0.0, np.divide(difference, error))


def read_numbers(outcomes: dict[tuple[str, str], Outcome]) -> list[Number]:
    """Return two numbers for each method on each set that was run."""
    reference = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return [
        Number(data, method, name, theirs, values.mean(axis=1), reference["repeats"])
        for data, method, accuracy, leaves in reference["rows"]
        if (ours := outcomes.get((data, method)))
        for name, theirs, values in (
            ("accuracy", accuracy, ours.accuracies),
            ("leaves", leaves, ours.leaves),
        )
    ]


def judge(numbers: list[Number], seed: int = 0) -> tuple[Table, Table]:
    """Return all numbers with their errors, and how usual such a table is."""
    random = np.random.default_rng(seed)
    chosen: dict[tuple[str, str], np.ndarray] = {}  # accuracy and leaves are of the same trees
    each = Table(
        "Number by number",
        "Means of two cross-validations of theirs, of all of ours; the standard error of the "
        "difference takes their spread for ours, s sqrt(1/2 + 1/m) with m of ours. By chance: the "
        "share of pairs of our own cross-validations that are as far off, on either side. MISS: "
        f"off by more than {ERRORS:g} such errors.",
        "data|method|number|theirs|ours|spread|difference|in errors|by chance|verdict",
    )
    seen, drawn = [], []
    for one in numbers:
        key = (one.data, one.method)
        if key not in chosen:
            chosen[key] = _pairs(random, len(one.ours), one.repeats)
        means, off = one.drawn(chosen[key])
        seen.append(one.errors_off())
        drawn.append(off)
        middle = one.ours.mean()
        share = np.mean(np.abs(means - middle) >= abs(one.theirs - middle))
        each.rows.append(
            [
                *(one.data, one.method, one.name, f"{one.theirs:.1f}", f"{one.ours.mean():.1f}"),
                *(f"{one.ours.std(ddof=1):.2f}", f"{one.ours.mean() - one.theirs:+.1f}"),
                *(f"{-seen[-1]:+.2f}", f"{share:.3f}"),
                "MISS" if abs(seen[-1]) > ERRORS else "ok",
            ]
        )
    return each, _as_a_whole(np.array(seen), np.array(drawn))


def _pairs(random: np.random.Generator, n: int, size: int) -> np.ndarray:
    return np.argsort(random.random((DRAWS, n)), axis=1)[:, :size]


def _as_a_whole(seen: np.ndarray, drawn: np.ndarray) -> Table:
    table = Table(
        "The table as a whole",
        f"{DRAWS:,} tables drawn from our own cross-validations, as many to a number as theirs "
        "has, judged by the others in the same way. As often: the share of them that are off as "
        "much or more.",
        "what|theirs|drawn, mean|as often",
    )
    for what, measured in (
        (f"numbers off by more than {ERRORS:g} errors", lambda z: np.sum(np.abs(z) > ERRORS, 0)),
        ("sum of the squared errors", lambda z: np.sum(z**2, axis=0)),
    ):
        theirs, ours = float(measured(seen)), measured(drawn)
        often = float(np.mean(ours >= theirs))
        table.rows.append([what, f"{theirs:.4g}", f"{np.mean(ours):.3g}", f"{often:.3f}"])
    table.rows.append(["numbers", str(len(seen)), "", ""])
    return table


def write(path: Path, numbers: list[Number], tables: tuple[Table, ...], notes: list[str]) -> None:
    """Write the tables as Markdown, and the means of all cross-validations as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# OC1-AP, OC1 and HHCART beside an independent implementation\n\n"
        f"{in_words(machine, packages)} {' '.join(notes)} "
        "Made by `python -m benchmarks.papers.oc1_hhcart --output FILE.md`; `benchmarks/README.md` "
        "says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    about = {"machine": machine, "packages": packages, "notes": notes}
    lines = ",\n".join(
        json.dumps(
            {
                **{name: getattr(one, name) for name in ("data", "method", "name", "theirs")},
                "ours": one.ours.round(3).tolist(),
            }
        )
        for one in numbers
    )
    path.with_suffix(".json").write_text(f'{json.dumps(about)[:-1]}, "numbers": [\n{lines}\n]}}\n')


def main() -> None:
    parser = make_parser(__doc__.splitlines()[0])
    parser.set_defaults(repeats=100)
    options = read(parser, SMALL_SETS)
    found, notes = find_sets(options.data, options.only or SMALL_SETS)
    if not found:
        raise SystemExit("None of the data sets was found; --data names their folder.")
    for sentence in notes:
        print(sentence, file=sys.stderr)
    repeats = QUICK_REPEATS if options.quick else options.repeats
    if repeats < QUICK_REPEATS:
        parser.error(f"--repeats must be at least {QUICK_REPEATS} to have a spread.")
    notes.append(
        "Quick run: the numbers mean nothing."
        if options.quick
        else f"{repeats} stratified {FOLDS}-fold cross-validations of each set."
    )
    outcomes = {}
    for data in found:
        rows = data.sample(QUICK_ROWS) if options.quick else data
        for name, outcome in run(rows, dict.fromkeys(GROWN_OUT, repeats), options.jobs).items():
            outcomes[rows.name, name.partition(",")[0]] = outcome
    numbers = read_numbers(outcomes)
    tables = judge(numbers)
    print_tables([*tables])
    if options.output:
        write(options.output, numbers, tables, notes)


if __name__ == "__main__":
    main()
