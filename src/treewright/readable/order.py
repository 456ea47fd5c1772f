"""Monotonic constraints of readable trees: which side of a condition predicts more, and leaves.

A condition has a trend where all its constrained columns agree on the branch with the larger
predictions; others that read such columns are not used. Below a split with a trend all leaves on
one side predict at most, and on the other at least, the middle between what its two branches
predict (`search/pool/order.hpp`). Finished trees are held to that once more: numbers were rounded
for the search, and rows beyond the sample may have been counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.tree import Tree

__all__ = ["ANY_ANSWER", "Answers", "answers_below", "in_order", "trend_of"]

Answers: TypeAlias = tuple[float, float]  # the least and the largest that may be predicted

ANY_ANSWER: Answers = (-np.inf, np.inf)


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


def answers_below(
    trend: int | None, met: float, failed: float, answers: Answers
) -> tuple[Answers, Answers]:
    """Say what leaves on the two sides of a split may predict.

    Parameters
    ----------
    trend : int or None
        Of its condition; None: leaves on both sides must predict the same.
    met, failed : float
        What its two branches predict.
    answers : tuple of two float
        What leaves below the split may predict.

    Returns
    -------
    tuple of two pairs of float
        For rows that meet the condition, and for those that fail it.

    Examples
    --------
    >>> answers_below(1, 0.2, 0.6, (0.0, 1.0))
    ((0.0, 0.4), (0.4, 1.0))
    """
    if trend == 0:
        return answers, answers
    least, most = answers
    middle = min(max(0.5 * (met + failed), least), most)
    if trend is None:
        return (middle, middle), (middle, middle)
    lower, upper = (least, middle), (middle, most)
    return (lower, upper) if trend > 0 else (upper, lower)


def in_order(tree: Tree, trends: Sequence[int], target: SoftClasses | SoftNumbers) -> Tree:
    """Give a tree whose leaves predict what they may.

    Parameters
    ----------
    tree : Tree
        The tree.
    trends : sequence of int
        The direction of each column; none for no constraint.
    target : SoftClasses or SoftNumbers
        What it learned.

    Returns
    -------
    Tree
        The same tree where they do.
    """
    if not any(trends):
        return tree
    core = tree.core
    stated = core.probabilities[:, 1] if tree.is_classification else core.value
    kept, allowed = stated.copy(), {0: ANY_ANSWER}
    for number in range(tree.n_nodes):
        node = tree.node(number)
        if node.predicate is None:
            kept[number] = np.clip(stated[number], *allowed[number])
            continue
        first, second = node.children
        allowed[first], allowed[second] = answers_below(
            trend_of(node.predicate, trends),
            float(stated[first]),
            float(stated[second]),
            allowed[number],
        )
    if np.array_equal(kept, stated):
        return tree
    return tree.with_core(_with_answers(core, kept, target))


def _with_answers(
    core: _core.Tree, answers: NDArray[np.float64], target: SoftClasses | SoftNumbers
) -> _core.Tree:
    state = core.state()
    match target:
        case SoftClasses():
            probabilities = np.column_stack([1.0 - answers, answers])
            state["value"] = target.labels(probabilities).astype(np.float64)
            state["probabilities"] = np.ascontiguousarray(probabilities.ravel())
        case SoftNumbers():
            state["value"] = answers
    return _core.Tree.from_state(state)
