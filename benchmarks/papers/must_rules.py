"""What must.py says of all methods under one rule of pruning: the comparison the paper lacks.

Means over sets have no standard error of their own: seven sets are no sample of anything. What is
sure about a set is said by the corrected error of `cross_validation`, fold by fold.
"""

from __future__ import annotations

import statistics

from benchmarks.common.cross_validation import Outcome, corrected_error
from benchmarks.common.report import Table, seconds
from benchmarks.papers.must_numbers import SMALL_SETS, read_tables
from benchmarks.papers.must_tables import Outcomes
from benchmarks.papers.must_work import (
    FOLDS_OF_ROWS,
    HELD_OUT,
    HOUSEHOLDER,
    OURS,
    PUBLISHED,
    RIVALS,
    SPLITS,
    under,
)

RULES_IN_WORDS = {
    HELD_OUT: "a tenth of the rows held out, the tree with the least errors on it",
    FOLDS_OF_ROWS: "10-fold cross-validation, the smallest tree within one standard error",
}


def fair_table(outcomes: Outcomes) -> Table:
    """Set Table IV beside ours under the published rule and under the same rule for all."""
    _, printed = read_tables()["IV"]
    table = Table(
        "The fair comparison",
        "Accuracy in per cent / leaves: in the paper, whose rules of pruning differ by method, and "
        "here under one rule for all. HHCART is the better of A and D, MUST the best of 1, 2, 3, "
        "F, each chosen where it is judged. - : not run.",
        f"data|method|paper|{HELD_OUT}|{FOLDS_OF_ROWS}",
    )
    families = {"MUST": OURS, "OC1-AP": ("OC1-AP",), "OC1": ("OC1",), "HHCART": HOUSEHOLDER}
    for data in dict.fromkeys(row.data for row in printed):
        for family, splits in families.items():
            names = OURS if family == "MUST" else (family,)
            theirs = [row for row in printed if (row.data, row.method) in _all(data, names)]
            ours = [_best(outcomes, data, splits, rule) for rule in RULES_IN_WORDS]
            if not theirs or not any(ours):
                continue
            paper = max(theirs, key=lambda row: row.accuracy)
            cells = ["-" if one is None else _short([one]) for one in ours]
            table.rows.append([data, family, f"{paper.accuracy:.1f} / {paper.leaves:.1f}", *cells])
    return table


def rule_tables(outcomes: Outcomes) -> list[Table]:
    """Show every way of splitting on every small set, a table a rule."""
    return [_under_one_rule(outcomes, rule) for rule in RULES_IN_WORDS]


def _under_one_rule(outcomes: Outcomes, rule: str) -> Table:
    sets = _small_sets(outcomes)
    table = Table(
        f"All methods under one rule: {rule}",
        f"Cut back by {RULES_IN_WORDS[rule]}. Accuracy in per cent / leaves; the mean over the "
        "sets, the values a reader looks at per row, and CPU time of a fit, also as means.",
        "|".join(["method", *sets, "mean", "reading effort", "seconds a fit"]),
    )
    for split in SPLITS:
        found = [outcomes.get((data, under(split, rule))) for data in sets]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(sets):
            continue
        table.rows.append([split, *(_short([one]) for one in known), _short(known), *_cost(known)])
    return table


def rules_compared(outcomes: Outcomes) -> Table:
    """Show what the rule is worth, each way of splitting by itself."""
    sets = _small_sets(outcomes)
    table = Table(
        "What the rule of pruning is worth",
        "Means over the small sets under both rules, and the difference of accuracy in points: "
        "the mean, and on how many sets the second rule is ahead.",
        f"method|{HELD_OUT}|{FOLDS_OF_ROWS}|difference|ahead",
    )
    for split in SPLITS:
        pairs = [
            (outcomes[data, under(split, HELD_OUT)], outcomes[data, under(split, FOLDS_OF_ROWS)])
            for data in sets
            if all((data, under(split, rule)) in outcomes for rule in RULES_IN_WORDS)
        ]
        if not pairs or len(pairs) < len(sets):
            continue
        gains = [second.accuracy - first.accuracy for first, second in pairs]
        table.rows.append(
            [
                *(split, _short([first for first, _ in pairs])),
                *(_short([second for _, second in pairs]), f"{statistics.fmean(gains):+.1f}"),
                f"{sum(gain > 0 for gain in gains)} of {len(gains)}",
            ]
        )
    return table


def lead_table(outcomes: Outcomes) -> Table:
    """Show how far the best MUST is ahead of the best rival, in the paper and under each rule."""
    _, printed = read_tables()["IV"]
    table = Table(
        "The lead of MUST over OC1, OC1-AP and HHCART",
        "Accuracy in points: the best of MUST-1, 2, 3 and F minus the best of the others, in the "
        "paper, whose rules of pruning differ, and here under one rule for all, +- the corrected "
        "error of the difference of the two. Both sides choose the best of four on the rows that "
        "judge them.",
        f"data|paper|{HELD_OUT}|the two|{FOLDS_OF_ROWS}|the two",
    )
    sides = (OURS, (*PUBLISHED,))
    for data in _small_sets(outcomes):
        best = [
            max(row.accuracy for row in printed if (row.data, row.method) in _all(data, side))
            for side in sides
        ]
        row = [data, f"{best[0] - best[1]:+.1f}"]
        for rule in RULES_IN_WORDS:
            ours, rival = (_best(outcomes, data, side, rule) for side in (OURS, RIVALS))
            assert ours is not None
            assert rival is not None
            gain = ours.accuracies - rival.accuracies
            names = " - ".join(one.method.removesuffix(f", {rule}") for one in (ours, rival))
            row += [f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}", names]
        table.rows.append(row)
    return table


def _all(data: str, methods: tuple[str, ...]) -> set[tuple[str, str]]:
    return {(data, method) for method in methods}


def _best(outcomes: Outcomes, data: str, splits: tuple[str, ...], rule: str) -> Outcome | None:
    """Return the one with the highest accuracy; None unless all were run."""
    found = [outcomes.get((data, under(split, rule))) for split in splits]
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: one.accuracy) if len(known) == len(splits) else None


def _small_sets(outcomes: Outcomes) -> list[str]:
    """Return the small sets on which the rules were tried."""
    return [
        data
        for data in SMALL_SETS
        if all((data, under(split, rule)) in outcomes for split in OURS for rule in RULES_IN_WORDS)
    ]


def _short(found: list[Outcome]) -> str:
    """Return accuracy and leaves of one set, or their means over several."""
    accuracy = statistics.fmean(one.accuracy for one in found)
    return f"{accuracy:.1f} / {statistics.fmean(one.mean('leaves') for one in found):.1f}"


def _cost(found: list[Outcome]) -> tuple[str, str]:
    effort = statistics.fmean(one.mean("effort") for one in found)
    return f"{effort:.1f}", seconds(statistics.fmean(one.mean("seconds") for one in found))
