"""What becomes of an estimator of readable trees: fitted, or loaded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.estimators.fitted import FittedTree
from treewright.optimal import Certificate
from treewright.optimal.front import front_of
from treewright.prune import TreeSequence
from treewright.readable.fitting import Chosen
from treewright.readable.pool import Budget
from treewright.readable.teacher import Lesson, best_of
from treewright.words import plural

__all__ = ["Ceiling", "Evidence", "evidence_of", "take"]


@dataclass(frozen=True)
class Ceiling:
    """How well a model that is too large to read does on the same rows.

    Parameters
    ----------
    name : str
        What it is.
    score : float
        Accuracy, or coefficient of determination, on rows it did not learn from.
    """

    name: str
    score: float


@dataclass(frozen=True)
class Evidence:
    """How good a readable tree is, beside what it is measured against.

    Parameters
    ----------
    baseline : float
        Score of one prediction for all rows.
    ceilings : tuple of Ceiling
        Models too large to read.
    score, standard_error : float or None
        Of the tree on held-out rows; None where its size was given.
    teacher : str or None
        Whom it learned from, beside the labels; None without a teacher.
    """

    baseline: float
    ceilings: tuple[Ceiling, ...]
    score: float | None
    standard_error: float | None
    teacher: str | None

    @property
    def ceiling(self) -> Ceiling | None:
        """The best of the models that are too large to read."""
        return max(self.ceilings, key=lambda one: one.score, default=None)


def evidence_of(
    chosen: Chosen, lessons: Sequence[Lesson], baseline: float, score_error: float | None
) -> Evidence:
    """Gather what is known of a tree that was chosen."""
    return Evidence(
        baseline,
        tuple(Ceiling(one.name, one.score) for one in lessons),
        chosen.scores.get(chosen.leaves),
        score_error,
        best_of(lessons).name if lessons else None,
    )


def take(model: FittedTree, chosen: Chosen, budget: Budget, began: float) -> None:
    """Give an estimator the tree that was chosen, its Pareto front and a certificate."""
    trees = [chosen.trees[leaves] for leaves in sorted(chosen.trees)]
    model.tree_ = chosen.trees[chosen.leaves]
    cost = chosen.front.costs[chosen.leaves]
    what = (
        f"trees of at most {plural(chosen.leaves, 'leaf')} and depth {budget.depth} over "
        f"{plural(len(chosen.front.conditions), 'proposed condition')}"
    )
    if not chosen.front.is_exact:
        what += ", counted with rounded numbers or weights,"
    model.certificate_ = Certificate(cost, cost, "optimal", time.perf_counter() - began, what)
    model._set_path(_with_held_out(front_of(trees, model.tree_), chosen))


def _with_held_out(front: TreeSequence, chosen: Chosen) -> TreeSequence:
    if not chosen.losses or front.chosen is None:
        return front
    risks = np.array([chosen.losses[leaves] for leaves in front.leaves.tolist()])
    errors = np.array([chosen.errors[leaves] for leaves in front.leaves.tolist()])
    return front.with_cross_validation(risks, errors, front.chosen, chosen.losses[1])
