"""The best F1 score of a class, by a sequence of searches for the least cost (Dinkelbach 1967).

With the weight P of the class, FN of its rows that are missed and FP of other rows that are taken
for it, F1 = 2 (P - FN) / (2 P - FN + FP). For t = a / b

    F1 >= t   if and only if   (2 b - a) FN + a FP <= 2 (b - a) P

so a search with these costs tells whether some tree has a larger F1 than t. It begins with the t of
one leaf that predicts the class, and goes on with that of the tree it found until t no longer
rises. Where a search proves that no tree costs less than L, every tree has

    F1 <= (2 P (2 b - a) - 2 L) / (2 P (2 b - a) - L)

which is t itself where L = 2 (b - a) P: missed rows count most, and more of them only lower F1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.certificate import Certificate, SearchProgress, is_closed
from treewright.optimal.found import Found
from treewright.optimal.goals import ClassGoal
from treewright.optimal.units import exact_weight_scale
from treewright.tree import Tree

__all__ = ["F1Level", "find_best_f1", "node_f1_costs", "progress_of"]

_LARGEST_WHOLE = 2.0**40  # of weights in units
_ROUNDING = 1e-12  # relative, of sums of doubles


@dataclass(frozen=True)
class F1Level:
    """A value t = a / b of F1, and which costs tell the trees above it.

    Parameters
    ----------
    a, b : float
        Twice the weight that is rightly predicted as the class, and with it the two kinds of
        mistakes; whole numbers where weights are.
    positive : float
        Weight of all rows of the class, in any unit.
    """

    a: float
    b: float
    positive: float

    @property
    def value(self) -> float:
        """F1 itself."""
        return self.a / self.b

    @property
    def missed(self) -> float:
        """Cost of a row of the class that is missed."""
        return 2.0 * self.b - self.a

    def costs(self, n_classes: int, label: int) -> NDArray[np.float64]:
        """Give the cost matrix: mistakes among the other classes cost nothing."""
        matrix = np.zeros((n_classes, n_classes))
        matrix[label, :] = self.missed
        matrix[:, label] = self.a
        matrix[label, label] = 0.0
        return matrix

    def most(self, least_cost: float) -> float:
        """Give what no tree's F1 can exceed where none costs less than this."""
        whole = 2.0 * self.positive * self.missed
        return min((whole - 2.0 * least_cost) / (whole - least_cost), 1.0)


def find_best_f1(
    goal: ClassGoal,
    label: int,
    find: Callable[[ClassGoal, F1Level], Found],
) -> Found:
    """Search for the tree with the largest F1 of a class.

    Parameters
    ----------
    goal : ClassGoal
        The classes, without costs.
    label : int
        The class.
    find : callable
        ``find(goal, level)`` searches for the tree of least cost, within the time that is left.

    Returns
    -------
    Found
        The tree, and a certificate whose objective is 1 - F1.
    """
    of_label = goal.codes == label
    positive = float(goal.weights[of_label].sum())
    scale = exact_weight_scale(goal.weights, _LARGEST_WHOLE / float(goal.weights.sum()))
    level = _level(positive, float(goal.weights[~of_label].sum()), 0.0, scale)
    best: Found | None = None
    proofs: list[tuple[Certificate, F1Level]] = []
    value, is_left = level.value, True
    while is_left:
        try:
            found = find(replace(goal, cost=level.costs(goal.n_classes, label)), level)
        except KeyboardInterrupt:  # outside of a search, which would have come back with a tree
            if best is None:
                raise
            proofs.append((replace(proofs[-1][0], status="interrupted", lower_bound=0.0), level))
            break
        proofs.append((found.certificate, level))
        tree = _without_costs(found.tree, label)
        reached = _level(*_counts(tree, label), scale)
        if best is None or reached.value >= value * (1.0 - _ROUNDING):
            best = replace(found, tree=tree)
        rises = reached.value > value * (1.0 + _ROUNDING)
        is_left = rises and reached.value < 1.0 and found.certificate.is_complete
        value = max(value, reached.value)
        level = reached
    assert best is not None
    return replace(best, certificate=_proved(proofs, value))


def node_f1_costs(tree: Tree, label: int) -> NDArray[np.float64]:
    """Give what each node would cost as a leaf, by the costs that the tree's own F1 asks for."""
    level = _level(*_counts(tree, label), None)
    statistics, said = tree.core.statistics, tree.core.value.astype(np.intp)
    return np.asarray(
        np.where(
            said == label,
            level.a * (statistics.sum(axis=1) - statistics[:, label]),
            level.missed * statistics[:, label],
        )
        / level.b
    )


def progress_of(level: F1Level, progress: SearchProgress) -> SearchProgress:
    """Translate how far one search is: the best F1 that is known, and what none exceeds."""
    best, bound = 1.0 - level.value, 1.0 - level.most(progress.bound)
    return replace(progress, best=best, bound=min(bound, best))


def _level(right: float, wrong: float, missed: float, scale: float | None) -> F1Level:
    """Give F1 as a ratio, of small whole numbers where a scale makes the weights whole."""
    a, b = 2.0 * right, 2.0 * right + wrong + missed
    if scale is None:
        return F1Level(a / b, 1.0, right + missed)
    whole_a, whole_b = round(a * scale), round(b * scale)
    common = math.gcd(whole_a, whole_b)
    return F1Level(float(whole_a // common), float(whole_b // common), right + missed)


def _counts(tree: Tree, label: int) -> tuple[float, float, float]:
    """Give the weight that is rightly predicted as a class, wrongly so, and missed."""
    leaves = tree.core.n_branches == 0
    of_label = tree.core.statistics[leaves, label]
    others = tree.core.statistics[leaves].sum(axis=1) - of_label
    is_said = tree.core.value[leaves] == label
    return (
        float(of_label[is_said].sum()),
        float(others[is_said].sum()),
        float(of_label[~is_said].sum()),
    )


def _without_costs(tree: Tree, label: int) -> Tree:
    """Drop the costs of one search; other nodes predict the most frequent of the other classes."""
    state, statistics = tree.core.state(), tree.core.statistics.copy()
    statistics[:, label] = -1.0
    is_other = tree.core.value != label
    state["value"] = np.where(is_other, statistics.argmax(axis=1), tree.core.value)
    state["cost"] = np.empty(0)
    return tree.with_core(_core.Tree.from_state(state))


def _proved(proofs: Sequence[tuple[Certificate, F1Level]], value: float) -> Certificate:
    """State 1 - F1 by the last search or, if it was cut short, by the one that proved most."""
    stated = [_stated(certificate, level, value) for certificate, level in proofs]
    last = stated[-1]
    best = last if last.is_complete else max(stated, key=lambda one: one.lower_bound)
    rounds = {**best.statistics, "rounds": len(proofs)}
    return replace(best, status=last.status, statistics=rounds)


def _stated(found: Certificate, level: F1Level, value: float) -> Certificate:
    """Say of 1 - F1 what a search with the costs of some level has proved."""
    objective = 1.0 - value

    def bound_of(least_cost: float) -> float:
        bound = 1.0 - level.most(least_cost)
        return objective if is_closed(objective, bound) else max(bound, 0.0)

    bound, of_all = bound_of(found.lower_bound), found.lower_bound_all_thresholds
    status = found.status
    if found.is_complete:
        status = "optimal" if bound == objective else "rounded"
    return replace(
        found,
        objective=objective,
        lower_bound=bound,
        lower_bound_all_thresholds=None if of_all is None else bound_of(of_all),
        status=status,
    )
