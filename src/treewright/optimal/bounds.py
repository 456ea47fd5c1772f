"""What a search over some of the thresholds says about trees over all of them.

Take the best tree over all thresholds and move each threshold to the nearest one that was offered,
or take its condition away. That gives a tree the search has seen, and at most the rows between the
two thresholds change sides at each condition, rows that lack the value with a condition that goes.
So, with d the most weight that lies between a threshold and the nearest offered one, and c the most
that a unit of weight can cost,

    best over all thresholds >= lower bound over those offered - (single conditions in a tree) * d *
    c

which needs leaves that may be of any size. Whatever the thresholds, rows that agree in every column
fall into one leaf, and their cheapest prediction has its cost: that is a bound, too, and the larger
one counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.optimal.columns import TableTests
from treewright.optimal.goals import Goal
from treewright.optimal.search import Limits

__all__ = ["bound_over_all_thresholds"]


def bound_over_all_thresholds(
    lower_bound: float, tests: TableTests, goal: Goal, limits: Limits
) -> float:
    """Return a lower bound for trees over every threshold of the numeric columns.

    Parameters
    ----------
    lower_bound : float
        The bound over the thresholds that were offered.
    tests : TableTests
        Which were offered.
    goal : Goal
        What is predicted.
    limits : Limits
        What trees are allowed.

    Returns
    -------
    float
        The bound; the given one where all thresholds were offered, a lower one, or 0, where time
        is over.
    """
    if tests.is_whole:
        return lower_bound
    if tests.deadline.is_over:
        return 0.0
    of_equal_rows = goal.least_loss(_equal_rows(tests))
    if limits.min_rows > 1 or limits.min_weight > 0.0:
        return min(of_equal_rows, lower_bound)
    detour = 0.0
    for cuts in tests.cuts:
        if tests.deadline.is_over:
            return min(of_equal_rows, lower_bound)
        detour = max(detour, cuts.largest_detour())
    # A row that takes another path may pay for other columns, too.
    dearest = sum(limits.columns.costs) * goal.price_unit / float(goal.weights.sum())
    largest = goal.largest_loss + dearest
    moved = lower_bound - limits.most_thresholds * detour * largest
    return min(max(of_equal_rows, moved), lower_bound)


def _equal_rows(tests: TableTests) -> NDArray[np.intp]:
    """Give every row a number, the same for equal rows."""
    values = tests.values
    if any(len(cuts.values) == len(values) for cuts in tests.cuts):  # no two rows are equal
        return np.arange(len(values))
    whole_rows = np.ascontiguousarray(values).view(np.dtype((np.void, 8 * values.shape[1])))
    return np.unique(whole_rows.ravel(), return_inverse=True)[1]
