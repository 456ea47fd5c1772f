"""Which branch of a predicate must predict more, where predictions rise or fall with columns.

A condition has a trend where all its constrained columns agree on the branch of larger predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from treewright.predicates.kinds import Predicate
from treewright.predicates.linear import Linear, Machine
from treewright.predicates.one_column import Axis, Multiway, Subset
from treewright.predicates.pair import Pair

__all__ = ["trend_of"]


def trend_of(predicate: Predicate, trends: Sequence[int]) -> int | None:
    """Say which branch of a condition must predict more.

    Parameters
    ----------
    predicate : Predicate
        The condition.
    trends : sequence of int
        The direction of each column, 0 for either; none for no constraint.

    Returns
    -------
    int or None
        1: the second branch; -1: the first one; 0: either. None where its columns disagree.

    Examples
    --------
    >>> from treewright.predicates import Axis, Linear
    >>> trend_of(Axis(0, 2.5), [1, -1]), trend_of(Axis(1, 2.5), [1, -1])
    (1, -1)
    >>> trend_of(Linear((0, 1), (1.0, -2.0), 0.5), [1, -1])
    1
    >>> trend_of(Linear((0, 1), (1.0, 2.0), 0.5), [1, -1]) is None
    True
    """
    if not trends:
        return 0
    match predicate:
        case Axis():
            return trends[predicate.column]
        case Linear():
            rise: dict[int, float] = {}  # of the sum with each column
            for column, coefficient, level in predicate.terms:
                sign = -1.0 if level == 0 else 1.0  # the first level of a boolean is false
                rise[column] = rise.get(column, 0.0) + sign * coefficient
            found = {trends[c] * int(np.sign(by)) for c, by in rise.items() if trends[c]}
            return None if len(found - {0}) > 1 else sum(found)
        case Subset():
            if not trends[predicate.column]:
                return 0
            return -trends[predicate.column] if 1 in predicate.left else trends[predicate.column]
        case Multiway() | Pair() | Machine():
            return None if any(trends[column] for column in predicate.columns) else 0
        case _:
            assert_never(predicate)
