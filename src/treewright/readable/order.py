"""Monotonic constraints of readable trees: which side of a condition predicts more, and leaves.

Conditions whose constrained columns disagree on the branch of larger predictions are not used
(`trend_of`). Below a split with a trend all leaves on
one side predict at most, and on the other at least, the middle between what its two branches
predict (`search/pool/order.hpp`). Finished trees are held to that once more: numbers were rounded
for the search, and rows beyond the sample may have been counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates.trends import trend_of
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.tree import Tree

__all__ = ["ANY_ANSWER", "Answers", "answers_below", "in_order"]

Answers: TypeAlias = tuple[float, float]  # the least and the largest that may be predicted

ANY_ANSWER: Answers = (-np.inf, np.inf)


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
