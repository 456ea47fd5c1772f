"""The nearest counterfactual: the smallest change that gives another prediction.

Smallest means: fewest columns first, because a reader can weigh one change and hardly five; among
these the least sum of changes, each counted in sizes of its column (see ``scales``), so that a
neighbouring level of an ordinal column comes before one further on; of equal ones the more frequent
levels, as far as rows or the tree tell, then the earlier column.

A change of one column is found by trying: between two neighbouring cuts along the column (see
``cuts``) the prediction is the same, so one number of each piece is given to the tree, with all its
policies for missing values. Only where no single column will do, several are looked for (see
``search``). Whatever is reported was given to the tree, which did predict otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from treewright.explain.answers import Question
from treewright.explain.cuts import cuts_of_tree
from treewright.explain.grid import at_most, just_above, just_below, step_above
from treewright.explain.search import Found, nearest_region

__all__ = ["nearest_change"]


def nearest_change(question: Question) -> tuple[Found | None, bool]:
    """Find the smallest change that gives another prediction.

    Parameters
    ----------
    question : Question
        The tree, the row, what counts as small, and what must stay.

    Returns
    -------
    found : Found or None
        The change; None if none was found.
    is_complete : bool
        Whether that means there is none: no change of the known values that may change.
    """
    best: tuple[float, float, int, float] | None = None
    for column, cuts in cuts_of_tree(question.tree, question.values).items():
        if not question.may_change(column):
            continue
        least, most = question.scales.ranges[column]
        tried = np.array(sorted({v for v in _to_try(question, column, cuts) if least <= v <= most}))
        tried = tried[np.isfinite(tried)]
        if not tried.size:
            continue
        rows = np.tile(question.values, (len(tried), 1))
        rows[:, column] = tried
        for value in tried[question.answers(rows) != question.answer].tolist():
            rarity = question.scales.rarity(column, value)
            candidate = (question.cost(column, value), rarity, column, value)
            best = candidate if best is None else min(best, candidate)
    if best is not None:
        _, _, column, value = best
        return Found({column: value}, True), True
    return nearest_region(question)


def _to_try(question: Question, column: int, cuts: Sequence[float]) -> Iterator[float]:
    """Give numbers on all sides of all cuts, those nearest to the row; or all levels."""
    if question.n_levels(column):
        yield from map(float, range(question.n_levels(column)))
        return
    start, decimals = float(question.values[column]), question.scales.decimals[column]
    if decimals is not None:
        for cut in cuts:
            below = at_most(cut, decimals)
            # One step further, for sums that turn a hair beside where they should.
            yield from (step_above(below, decimals, steps) for steps in (-1, 0, 1, 2))
        return
    ends = [-math.inf, *cuts, math.inf]
    for place, cut in enumerate(cuts, start=1):
        if cut >= start:
            found = [just_above(cut, ends[place + 1], start, None)]
        else:
            found = [
                just_below(bound, ends[place - 1], start, None)
                for bound in (cut, math.nextafter(cut, -math.inf))
            ]
        yield from (value for value in found if value is not None)
