"""Lessons: the teacher of all rows, and how the same one teaches others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treewright.base.workers import Report, Workers
from treewright.estimators.training import TrainingRows
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.fitting import Fit
from treewright.readable.options import ReadableOptions
from treewright.readable.soft import SoftClasses, SoftNumbers, unit_weights
from treewright.readable.teacher import ONE_PREDICTION, Lesson, best_of
from treewright.readable.terms import Terms

__all__ = ["prepare"]

Mixed = Callable[[TrainingRows, NDArray[np.float64] | None], SoftClasses | SoftNumbers]


def prepare(
    rows: TrainingRows,
    goal: ClassGoal | NumberGoal,
    mixed: Mixed,
    options: ReadableOptions,
    *,
    is_classification: bool,
) -> tuple[Fit, list[Lesson], Workers]:
    """Choose the teacher of a fit.

    Parameters
    ----------
    rows : TrainingRows
        All rows.
    goal : ClassGoal or NumberGoal
        What is true of them.
    mixed : callable
        ``mixed(rows, answers)`` joins labels with what a teacher says, if there is one.
    options : ReadableOptions
        The parameters.
    is_classification : bool
        Whether classes are predicted.

    Returns
    -------
    fit : Fit
        What a tree is found from.
    lessons : list of Lesson
        What all teachers say.
    workers : Workers
        The threads, with one piece of work done.
    """
    rows = rows.weighing(unit_weights(rows.weights))
    budget = options.budget(float(rows.weights.sum()))
    school = options.school(is_classification=is_classification)
    workers = options.workers(len(rows.values))
    n_levels = rows.schema.n_levels

    def terms_of(some: TrainingRows) -> Terms:
        return Terms.of(some.values, n_levels, some.weights, budget.min_weight)

    lessons: list[Lesson] = []
    if options.label_share < 1.0 and len(np.unique(rows.truth)) > 1:
        (lessons,) = workers.run(
            lambda _, report: school.teach(rows, terms_of(rows), report, n_jobs=workers.n_threads),
            1,
        )
    best = best_of(lessons) if lessons else None

    def learn(some: TrainingRows, report: Report) -> SoftClasses | SoftNumbers:
        if best is None:
            return mixed(some, None)
        (lesson,) = school.teach(some, terms_of(some), report, only=best.teacher)
        return mixed(some, lesson.answers)

    target = mixed(rows, None if best is None else best.answers)
    is_learnable = best is None or best.teacher != ONE_PREDICTION
    fit = Fit(rows, goal, learn, target, budget, options.seed, is_learnable)
    return fit, lessons, workers
