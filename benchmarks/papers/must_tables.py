"""What must.py says of its folds: the paper's tables beside ours, and how far they agree.

Whether a cell reproduces is a question about the choice of folds, as the rows are the same: the
standard error of a difference is sqrt(ours^2 + theirs^2) / sqrt(10), each the standard deviation of
the means of ten cross-validations. Whether the readable default is good enough is a question about
new rows too, so the verdict there has the corrected error of `cross_validation`.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from benchmarks.common.cross_validation import Outcome, corrected_error, spread_of_repeats
from benchmarks.common.report import Table, seconds, verdict
from benchmarks.papers.must_numbers import SAME, SMALL_SETS, Printed, read_tables
from benchmarks.papers.must_work import ALL, FEW, PLAIN, PRESETS, PUBLISHED, READABLE

SMALL_CELLS = 33
MOST_GAP, MOST_LOG_RATIO = 1.2, 0.30  # on average over the small cells
MORE_LEAVES = 2.0  # that the readable default may have
ERRORS = 2.0  # from how many standard errors on a cell does not reproduce

Outcomes = dict[tuple[str, str], Outcome]  # by data and method


@dataclass(frozen=True)
class Cell:
    """A row of the paper, and ours for it where the method is there and was run."""

    paper: Printed
    ours: Outcome | None

    @property
    def difference(self) -> float:
        assert self.ours is not None
        return self.ours.accuracy - self.paper.accuracy

    @property
    def error(self) -> float | None:
        """Standard error of the difference; None if there are too few repeats."""
        assert self.ours is not None
        spread = spread_of_repeats(self.ours.accuracies)
        if spread is None:
            return None
        both = math.hypot(spread, self.paper.accuracy_spread)
        return both / math.sqrt(len(self.ours.accuracies))

    @property
    def log_ratio(self) -> float:
        """Natural logarithm of our leaves over the paper's."""
        assert self.ours is not None
        return math.log(self.ours.mean("leaves") / self.paper.leaves)

    @property
    def misses(self) -> list[str]:
        """What does not reproduce."""
        missed = []
        if self.error is not None and abs(self.difference) > ERRORS * self.error:
            missed.append("accuracy")
        if abs(self.log_ratio) > MOST_LOG_RATIO:
            missed.append("leaves")
        return missed


def make_cells(outcomes: Outcomes) -> list[Cell]:
    """Return the paper's cells of the sets that were run."""
    sets = {data for data, _ in outcomes}
    return [
        Cell(row, _ours(outcomes, row))
        for _, rows in read_tables().values()
        for row in rows
        if row.data in sets
    ]


def _ours(outcomes: Outcomes, row: Printed) -> Outcome | None:
    names = PUBLISHED.get(row.method, (SAME.get(row.method, row.method),))
    found = [outcomes[row.data, name] for name in names if (row.data, name) in outcomes]
    return max(found, key=lambda one: one.accuracy, default=None)


def small_cells(cells: list[Cell]) -> list[Cell]:
    """Return the cells of MUST on the small sets that we have, each once: QE is MUST-1."""
    return [
        cell
        for cell in cells
        if cell.ours and cell.paper.data in SMALL_SETS and cell.paper.method in PRESETS
    ]


# ---------------------------------------------------------------------------- the paper's tables


def paper_tables(cells: list[Cell]) -> list[Table]:
    tables = []
    for number, (title, _) in read_tables().items():
        table = Table(
            title,
            "Accuracy in per cent and leaves, each +- the standard deviation of the means of the "
            "cross-validations (the paper does not say what its +- is). MISS: an accuracy off by "
            f"more than {ERRORS:g} standard errors of the difference, or a number of leaves off by "
            f"more than a factor of {math.exp(MOST_LOG_RATIO):.2f}. Of HHCART-A and HHCART-D the "
            "one that is right more often stands here, as in the paper. Methods without numbers "
            "of ours were not run.",
            "data|method|accuracy, paper|ours|difference|standard error|leaves, paper|ours|"
            "log ratio|reading effort|seconds a fit|verdict",
        )
        table.rows = [_row(cell) for cell in cells if cell.paper.table == number]
        if table.rows:
            tables.append(table)
    return tables


def _row(cell: Cell) -> list[str]:
    paper, ours = cell.paper, cell.ours
    names = [paper.data, paper.method]
    accuracy = f"{paper.accuracy:.1f} +- {paper.accuracy_spread:.1f}"
    leaves = f"{paper.leaves:.1f} +- {paper.leaves_spread:.1f}"
    if ours is None:
        return [*names, accuracy, "-", "-", "-", leaves, "-", "-", "-", "-", "-"]
    return [
        *(*names, accuracy, _with_spread(ours, "accuracy"), f"{cell.difference:+.1f}"),
        *(_number(cell.error), leaves, _with_spread(ours, "leaves"), f"{cell.log_ratio:+.2f}"),
        *(f"{ours.mean('effort'):.2f}", seconds(ours.mean("seconds"))),
        "-" if cell.error is None else verdict(cell.misses),
    ]


def quick_estimates(outcomes: Outcomes) -> Table:
    _, rows = read_tables()["II"]
    printed = {(row.data, row.method): row for row in rows}
    table = Table(
        "What Table II is for: a guessed threshold (QE) minus a full search (FS)",
        "Accuracy in points: the paper's two means, and ours fold by fold, +- the corrected error; "
        "leaves of QE over those of FS.",
        "data|paper|ours|leaves, paper|ours",
    )
    for data in dict.fromkeys(row.data for row in rows):
        if (data, "FS") not in outcomes:
            continue
        theirs = [printed[data, method] for method in ("QE", "FS")]
        ours = [outcomes[data, SAME.get(method, method)] for method in ("QE", "FS")]
        gain = ours[0].accuracies - ours[1].accuracies
        table.rows.append(
            [
                *(data, f"{theirs[0].accuracy - theirs[1].accuracy:+.1f}"),
                f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}",
                f"{theirs[0].leaves / theirs[1].leaves:.2f}",
                f"{ours[0].mean('leaves') / ours[1].mean('leaves'):.2f}",
            ]
        )
    return table


def other_cells(outcomes: Outcomes, cells: list[Cell]) -> Table:
    table = Table(
        "Cells the paper does not have",
        "The same method on the other sets of its Table I.",
        "data|method|accuracy|leaves|reading effort|seconds a fit",
    )
    printed = {(cell.paper.data, SAME.get(cell.paper.method, cell.paper.method)) for cell in cells}
    for (data, method), ours in outcomes.items():
        if method in PRESETS and (data, method) not in printed:
            effort, time = f"{ours.mean('effort'):.2f}", seconds(ours.mean("seconds"))
            both = [_with_spread(ours, name) for name in ("accuracy", "leaves")]
            table.rows.append([data, method, *both, effort, time])
    return table


def agreement(cells: list[Cell]) -> Table:
    small = small_cells(cells)
    table = Table(
        "How close, on average",
        f"Over the {len(small)} cells of MUST on the seven small sets that were run, of "
        f"{SMALL_CELLS}.",
        "measure|found|at most|verdict",
    )
    if not small:
        return table
    whole = len(small) == SMALL_CELLS
    for name, values, most in (
        ("mean absolute gap of accuracies, points", [cell.difference for cell in small], MOST_GAP),
        ("mean absolute log ratio of leaves", [cell.log_ratio for cell in small], MOST_LOG_RATIO),
    ):
        found = statistics.fmean(map(abs, values))
        judged = verdict(["limit"] if found > most else []) if whole else "-"
        table.rows.append([name, f"{found:.3f}", f"{most:g}", judged])
    return table


def not_reproduced(cells: list[Cell]) -> Table:
    ours = [cell for cell in cells if cell.ours and cell.paper.method not in SAME]
    missed = [cell for cell in ours if cell.misses]
    table = Table(
        "Cells that do not reproduce",
        f"{len(missed)} of {len(ours)}; "
        f"{sum('accuracy' in cell.misses for cell in ours)} in accuracy, "
        f"{sum('leaves' in cell.misses for cell in ours)} in leaves.",
        "data|method|difference|standard errors|leaves, paper|ours|log ratio|what",
    )
    for cell in missed:
        assert cell.ours is not None
        off = None if cell.error is None else abs(cell.difference) / cell.error
        table.rows.append(
            [
                *(cell.paper.data, cell.paper.method, f"{cell.difference:+.1f}", _number(off)),
                *(f"{cell.paper.leaves:.1f}", f"{cell.ours.mean('leaves'):.1f}"),
                *(f"{cell.log_ratio:+.2f}", ", ".join(cell.misses)),
            ]
        )
    return table


# --------------------------------------------------------------------------- the readable default


def readable_table(outcomes: Outcomes) -> Table:
    table = Table(
        "The readable default",
        "recipes.must and recipes.cart as they are, both cut back by 10-fold cross-validation. "
        "Accuracy in per cent +- its standard error, corrected for the training rows that folds "
        "share; the standard deviation of the means of the cross-validations; the difference to "
        "cart(), fold by fold, +- its corrected error. Reading effort: values looked at per row.",
        "data|method|accuracy|of repeats|beside cart()|leaves|depth|reading effort|seconds a fit",
    )
    for (data, method), ours in outcomes.items():
        if method in READABLE:
            gain = ours.accuracies - outcomes[data, PLAIN].accuracies
            beside = f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}"
            accuracy = f"{ours.accuracy:.1f} +- {corrected_error(ours.accuracies):.1f}"
            table.rows.append(
                [
                    *(data, method, accuracy, _number(spread_of_repeats(ours.accuracies))),
                    *("-" if method == PLAIN else beside, f"{ours.mean('leaves'):.1f}"),
                    *(f"{ours.mean('depth'):.1f}", f"{ours.mean('effort'):.2f}"),
                    seconds(ours.mean("seconds")),
                ]
            )
    return table


def readable_verdicts(outcomes: Outcomes, cells: list[Cell]) -> Table:
    table = Table(
        "The readable default beside the paper",
        "The best of must(1), must(2), must(3) beside the best of the paper's MUST-1, MUST-2, "
        'MUST-3, and must("all") beside MUST-F. Asked: an accuracy not below the paper\'s by more '
        f"than one standard error, at no more than {MORE_LEAVES:g} leaves more. The verdict has "
        "the corrected error of ours (Nadeau and Bengio 2003). Within one standard deviation of "
        "the means of ours, which is smaller and knows only the chance in the choice of folds, "
        "is said beside it.",
        "data|ours|paper|accuracy|paper's|difference|corrected error|spread of repeats|"
        "within spread|leaves|paper's|effort|verdict",
    )
    printed = {(cell.paper.data, cell.paper.method): cell.paper for cell in cells}
    for data in SMALL_SETS:
        if (data, PLAIN) not in outcomes:
            continue
        few = [outcomes[data, method] for method in FEW]
        rows = [printed.get((data, f"MUST-{s}")) for s in (1, 2, 3)]
        best = max(few, key=lambda one: one.accuracy)
        asked = max(filter(None, rows), key=lambda row: row.accuracy)
        table.rows.append(_judge(best, asked))
        table.rows.append(_judge(outcomes[data, ALL], printed[data, "MUST-F"]))
    met = sum(row[-1] == "ok" for row in table.rows)
    within = sum(row[8] == "yes" for row in table.rows)
    table.note += f" Met: {met} of {len(table.rows)}; within the spread: {within}."
    return table


def _judge(ours: Outcome, asked: Printed) -> list[str]:
    difference = ours.accuracy - asked.accuracy
    error, spread = corrected_error(ours.accuracies), spread_of_repeats(ours.accuracies)
    leaves = ours.mean("leaves")
    misses = ["accuracy"] if difference < -error else []
    misses += ["leaves"] if leaves > asked.leaves + MORE_LEAVES else []
    within = "-" if spread is None else "yes" if difference >= -spread else "no"
    return [
        *(ours.data.name, ours.method, asked.method, f"{ours.accuracy:.1f}"),
        *(f"{asked.accuracy:.1f}", f"{difference:+.1f}", f"{error:.2f}", _number(spread), within),
        *(f"{leaves:.1f}", f"{asked.leaves:.1f}", f"{ours.mean('effort'):.2f}", verdict(misses)),
    ]


def _with_spread(ours: Outcome, name: str) -> str:
    values = ours.accuracies if name == "accuracy" else ours.leaves
    spread = spread_of_repeats(values)
    return f"{values.mean():.1f}" + ("" if spread is None else f" +- {spread:.1f}")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
