"""The tables of readable_trees.py: means, what is asked, calibration, table by table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.common.cross_validation import corrected_error
from benchmarks.common.report import Table, count, seconds, verdict
from benchmarks.studies.readable_work import (
    CAPPED,
    FIFTEEN,
    LEAVES,
    MAJORITY,
    MEAN,
    OURS,
    OURS_AUTO,
    PMLB,
    REGRESSION,
    TENTHS,
    TERMS,
    UNREADABLE,
    WITH_CATEGORIES,
    Judged,
)

GROUPS = {
    "the 15 tables": FIFTEEN,
    "pmlb": PMLB,
    "tables with categories": WITH_CATEGORIES,
}
OF_PROTOTYPE = 82.0  # per cent on the fifteen tables that it was tuned on
CALIBRATED = ("cart()", "oblique_logistic()", "forest")  # shown beside ours


@dataclass(frozen=True)
class Cell:
    """All folds of one method on one table."""

    data: str
    method: str
    rows: int  # of the sample
    rows_of_table: int
    columns: int
    classes: int  # 0: regression
    folds: tuple[Judged, ...]

    @cached_property
    def scores(self) -> np.ndarray:
        """Per cent, a row a repeat."""
        n_repeats = len({fold.repeat for fold in self.folds})
        return 100.0 * np.array([fold.score for fold in self.folds]).reshape(n_repeats, -1)

    @property
    def score(self) -> float:
        return float(self.scores.mean())

    def mean(self, name: str) -> float:
        return statistics.fmean(getattr(fold, name) for fold in self.folds)

    @property
    def terms(self) -> list[float]:
        """In the mean of each tree that has a split."""
        return [fold.terms for fold in self.folds if fold.terms > 0.0]


Cells = dict[tuple[str, str], Cell]  # by table and method


def of_tables(cells: Cells, names: Iterable[str]) -> Cells:
    """Keep these tables, where our default and the baseline are known."""
    known = [name for name in names if (name, OURS) in cells]
    return {place: cell for place, cell in cells.items() if place[0] in known}


def tables_of(cells: Cells) -> list[str]:
    return list(dict.fromkeys(data for data, _ in cells))


def methods_of(cells: Cells) -> list[str]:
    return list(dict.fromkeys(method for _, method in cells))


def cells_of(cells: Cells, method: str) -> list[Cell]:
    """Return what is known of a method; a slow one may not have been run on all tables."""
    return [cells[data, method] for data in tables_of(cells) if (data, method) in cells]


def ahead(cells: Cells, method: str, ours: str = OURS, what: str = "score") -> np.ndarray:
    """Return by how much ours is ahead, by table that both have seen."""

    def of(cell: Cell) -> float:
        return cell.score if what == "score" else cell.mean(what)

    others = [cell for cell in cells_of(cells, method) if (cell.data, ours) in cells]
    return np.array([of(cells[cell.data, ours]) - of(cell) for cell in others])


def with_error(values: np.ndarray, digits: int = 2) -> str:
    """Return a mean with its standard error over tables."""
    if len(values) < 2:
        return f"{values.mean():+.{digits}f}"
    error = values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():+.{digits}f} +- {error:.{digits}f}"


# ------------------------------------------------------------------------------------ summaries


def summary_table(title: str, cells: Cells, *, is_regression: bool) -> Table:
    ours = tables_of(cells)
    score = "R², per cent" if is_regression else "accuracy"
    probabilities = "" if is_regression else "|Brier|log loss"
    table = Table(
        f"{title}: means over {len(ours)} tables",
        "Each table counts once; a slow method has not seen all of them. Leaves and columns a "
        "split are those of trees; the most columns that any split has stand behind. Readable "
        "minus it: points, +- the standard error of the difference over tables; better and worse "
        "count tables by more than 0.05 points. Seconds: process CPU time of one fit with all its "
        "inner folds.",
        f"method|tables|{score}|leaves|columns a split, most{probabilities}|readable minus it"
        "|better|worse|a fit",
    )
    for method in methods_of(cells):
        own = cells_of(cells, method)
        terms = [term for cell in own for term in cell.terms]
        most = max(fold.most_terms for cell in own for fold in cell.folds)
        gain = ahead(cells, method)
        row = [method, str(len(own)), f"{statistics.fmean(cell.score for cell in own):.2f}"]
        leaves = statistics.fmean(cell.mean("leaves") for cell in own)
        row += [f"{leaves:.1f}" if leaves else "-"]
        row += [f"{statistics.fmean(terms):.1f}, {most}" if terms else "-"]
        if not is_regression:
            row += [
                f"{statistics.fmean(cell.mean(name) for cell in own):.3f}"
                for name in ("brier", "log_loss")
            ]
        row += ["", "", ""] if method == OURS else differences(gain)
        table.rows.append([*row, seconds(statistics.fmean(cell.mean("seconds") for cell in own))])
    return table


def differences(gain: np.ndarray) -> list[str]:
    return [with_error(gain), str((gain > 0.05).sum()), str((gain < -0.05).sum())]


# ----------------------------------------------------------------------------------- what is asked


def asked_table(cells: Cells) -> Table:
    table = Table(
        "What is asked",
        "On the tables of this run; a method that is not there is not judged.",
        "what|asked|found|verdict",
    )
    fifteen = of_tables(cells, FIFTEEN)
    every = of_tables(cells, (*FIFTEEN, *PMLB))
    numbers = of_tables(cells, REGRESSION)
    if set(tables_of(fifteen)) == set(FIFTEEN):
        mean = statistics.fmean(fifteen[data, OURS].score for data in FIFTEEN)
        table.rows.append(
            ["accuracy on the 15 tables", f">= {OF_PROTOTYPE}", f"{mean:.2f}", at_least(mean, 82.0)]
        )
    for method in methods_of(every):
        if method.endswith(CAPPED) or method == "optimal, prices":
            gain = ahead(every, method)
            table.rows.append(
                [f"over {method}", ">= +1.5", with_error(gain), at_least(gain.mean(), 1.5)]
            )
    table.rows += of_budget(every)
    table.rows += of_auto(every)
    for what, cut in (("brier", "Brier score"), ("log_loss", "log loss")):
        for method in ("cart()", "oblique_logistic()"):
            if method in methods_of(every):
                gain = -ahead(every, method, what=what)
                asked = [f"{cut} below that of {method}", "> 0", with_error(gain, 4)]
                table.rows.append([*asked, at_least(gain.mean(), 1e-9)])
    if f"cart(){CAPPED}" in methods_of(numbers):
        gain = ahead(numbers, f"cart(){CAPPED}")
        row = [f"R² over cart(){CAPPED}", ">= +5", with_error(gain), at_least(gain.mean(), 5.0)]
        table.rows.append(row)
    for some, baseline in ((every, MAJORITY), (numbers, MEAN)):
        if baseline in methods_of(some):
            below = [data for data in tables_of(some) if is_below(some, data, baseline)]
            found = f"{len(below)} of {len(tables_of(some))}"
            asked = [f"tables below the {baseline} by more than the error", "0", found]
            table.rows.append([*asked, verdict(below)])
    return table


def at_least(value: float, asked: float) -> str:
    return verdict([] if value >= asked else [f"by {asked - value:.2f}"])


def of_budget(cells: Cells) -> list[list[str]]:
    """Judge leaves and terms of every single tree."""
    folds = [fold for (_, method), cell in cells.items() if method == OURS for fold in cell.folds]
    rows = []
    for what, most, name in (
        (f"leaves of {OURS}", LEAVES, "leaves"),
        ("terms", TERMS, "most_terms"),
    ):
        found = max((getattr(fold, name) for fold in folds), default=0)
        rows.append(
            [f"most {what}", f"<= {most}", str(found), verdict([""] if found > most else [])]
        )
    return rows


def of_auto(cells: Cells) -> list[list[str]]:
    """Judge the tree of any size beside the best single family of any size."""
    methods = methods_of(cells)
    if OURS_AUTO not in methods:
        return []
    families = [one for one in methods if one.endswith(")") and one not in UNREADABLE]
    rows = []
    if families:
        gains = {one: ahead(cells, one, OURS_AUTO) for one in families}
        best = min(families, key=lambda one: gains[one].mean())
        gain = gains[best]
        what = f'"auto" over the best family of any size, {best}'
        rows.append([what, ">= +1", with_error(gain), at_least(gain.mean(), 1.0)])
    leaves = statistics.fmean(cell.mean("leaves") for cell in cells_of(cells, OURS_AUTO))
    misses = [] if leaves <= 12 else [""]
    return [*rows, ['leaves of "auto"', "<= 12 in the mean", f"{leaves:.1f}", verdict(misses)]]


def is_below(cells: Cells, data: str, baseline: str) -> bool:
    """Tell whether ours is below the baseline by more than the error of their difference."""
    if (data, baseline) not in cells:
        return False
    gain = cells[data, OURS].scores - cells[data, baseline].scores
    return bool(gain.mean() < -corrected_error(gain) - 1e-9)


# ----------------------------------------------------------------------------------- calibration


def calibration_table(cells: Cells) -> Table:
    methods = [one for one in (OURS, OURS_AUTO, *CALIBRATED) if one in methods_of(cells)]
    table = Table(
        "Calibration",
        "Held-out rows of all tables, by tenths of the probability of the second of two classes, "
        "or of the predicted one of more: the mean of what was predicted -> how often it came true "
        "(rows). Last, how far the two are apart in the mean over rows, in points.",
        "|".join(["predicted", *methods]),
    )
    columns = []
    for method in methods:
        sums = np.zeros((3, TENTHS))
        for (_, name), cell in cells.items():
            if name == method:
                for fold in cell.folds:
                    sums += np.array(fold.tenths)
        rows, stated, happened = sums
        column = [
            f"{100 * stated[i] / rows[i]:.1f} -> {100 * happened[i] / rows[i]:.1f} "
            f"({count(int(rows[i]))})"
            if rows[i]
            else "-"
            for i in range(TENTHS)
        ]
        columns.append([*column, f"{100 * np.abs(stated - happened).sum() / rows.sum():.2f}"])
    heads = [f"{10 * i} to {10 * (i + 1)} %" for i in range(TENTHS)]
    table.rows = [list(row) for row in zip([*heads, "mean distance"], *columns, strict=True)]
    return table


# --------------------------------------------------------------------------------- table by table


def budget_table(title: str, cells: Cells, baseline: str) -> Table:
    """Ours beside all that obey the same number of leaves."""
    known = methods_of(cells)
    rivals = [one for one in known if one.endswith(CAPPED) or one == "optimal, prices"]
    table = Table(
        f"{title}, table by table: at most {LEAVES} leaves",
        "Score in per cent, leaves in brackets. Over the baseline: points, +- the standard error "
        "of the difference, corrected for the rows that folds share; a table where readable is "
        "below it by more than that is marked.",
        "|".join(["data", "rows", "columns", "classes", OURS, *rivals, "over the baseline", ""]),
    )
    for data in tables_of(cells):
        ours = cells[data, OURS]
        row = [*described(ours), *(shown(cells.get((data, one))) for one in (OURS, *rivals))]
        if (data, baseline) in cells:
            gain = ours.scores - cells[data, baseline].scores
            row.append(f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}")
            row.append(verdict(["baseline"] if is_below(cells, data, baseline) else []))
        else:
            row += ["-", ""]
        table.rows.append(row)
    return table


def size_table(title: str, cells: Cells) -> Table:
    """Ours beside trees of any size and beside what nobody can read."""
    rivals = [one for one in methods_of(cells) if one != OURS and not one.endswith(CAPPED)]
    table = Table(
        f"{title}, table by table: any size",
        "Score in per cent, leaves in brackets.",
        "|".join(["data", OURS, *rivals]),
    )
    for data in tables_of(cells):
        table.rows.append([data, *(shown(cells.get((data, one))) for one in (OURS, *rivals))])
    return table


def described(cell: Cell) -> list[str]:
    rows = count(cell.rows)
    if cell.rows < cell.rows_of_table:
        rows += f" of {count(cell.rows_of_table)}"
    return [cell.data, rows, str(cell.columns), str(cell.classes or "-")]


def shown(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    leaves = cell.mean("leaves")
    return f"{cell.score:.1f}" + (f" ({leaves:.1f})" if leaves else "")


def all_tables(cells: Cells) -> list[Table]:
    """Return all that can be said of these cells."""
    found = [asked_table(cells)]
    groups = {name: of_tables(cells, names) for name, names in GROUPS.items()}
    both = of_tables(cells, (*FIFTEEN, *PMLB))
    if groups["the 15 tables"] and groups["pmlb"]:
        found.append(summary_table("Both groups", both, is_regression=False))
    present = {name: some for name, some in groups.items() if some}
    found += [summary_table(name, some, is_regression=False) for name, some in present.items()]
    numbers = of_tables(cells, REGRESSION)
    if numbers:
        found.append(summary_table("Regression", numbers, is_regression=True))
    if both:
        found.append(calibration_table(both))
    for name, some, baseline in (
        *((name, some, MAJORITY) for name, some in present.items()),
        *((("Regression", numbers, MEAN),) if numbers else ()),
    ):
        found += [budget_table(name, some, baseline), size_table(name, some)]
    return found


def known_sequence(found: Sequence[Cell]) -> Cells:
    return {(cell.data, cell.method): cell for cell in found}
