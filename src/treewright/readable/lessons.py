"""Lessons: which rows are learned from, their teacher, and how the same one teaches others.

Large tables are sampled: teachers, proposals and folds see a part of the rows, the final search a
larger one; thresholds, counts and leaves are then those of all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.base.workers import Report, Workers
from treewright.estimators.training import TrainingRows
from treewright.optimal.deadline import Deadline, OutOfTime
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.boosting import Boosting
from treewright.readable.fits import Fit, Wide
from treewright.readable.fitting import within
from treewright.readable.given import PlacedRows
from treewright.readable.options import ReadableOptions
from treewright.readable.sampling import evenly_dealt, order_of_content
from treewright.readable.school import School
from treewright.readable.soft import SoftClasses, SoftNumbers, unit_weights
from treewright.readable.teacher import ONE_PREDICTION, Ceiling, Lesson, best_of
from treewright.readable.terms import Terms
from treewright.schema import Schema

__all__ = ["Taught", "prepare"]

Mixed = Callable[[TrainingRows, NDArray[np.float64] | None, float], SoftClasses | SoftNumbers]

_TAUGHT, _SEARCHED = 5_000, 20_000  # most rows that are taught and folded, and searched
_FOR_TEACHER = 0.5  # of the time limit
_ERRORS = (0.13, 0.3)  # of a teacher, in those of one prediction for all rows
_TRUST = (0.8, 0.3)  # in labels, with few and with many of these errors
_FEWEST_ROWS = 20  # with fewer there is no teacher, and there are no sums


@dataclass(frozen=True)
class Taught:
    """Who taught, and how good models too large to read are.

    Parameters
    ----------
    teacher : str or None
        The teacher; None without one.
    ceilings : tuple of Ceiling
        The teachers that were asked.
    """

    teacher: str | None
    ceilings: tuple[Ceiling, ...]


def prepare(
    placed: PlacedRows,
    goal: ClassGoal | NumberGoal,
    mixed: Mixed,
    options: ReadableOptions,
    school: School,
    deadline: Deadline,
    schema: Schema | None = None,
) -> tuple[Fit, Taught, Workers]:
    """Choose rows and teacher of a fit.

    Parameters
    ----------
    placed : PlacedRows
        All rows.
    goal : ClassGoal or NumberGoal
        What is true of them.
    mixed : callable
        ``mixed(rows, answers, label_share)`` joins labels with what a teacher says, if there is
        one.
    options : ReadableOptions
        The parameters.
    school : School
        How teachers are asked.
    deadline : Deadline
        When there is no time left.
    schema : Schema or None, default None
        That of the trees, where they have a label more than the rows.

    Returns
    -------
    fit : Fit
        What a tree is found from.
    taught : Taught
        The teacher, and how good all teachers are.
    workers : Workers
        The threads, with one piece of work done.
    """
    rows = placed.rows.weighing(unit_weights(placed.rows.weights))
    everything, every_goal = PlacedRows(rows, placed.places), goal
    order = order_of_content(rows)
    dealt = evenly_dealt(rows.truth[order])
    sampled = order[np.sort(dealt[:_TAUGHT])]
    further = order[np.sort(dealt[_TAUGHT:_SEARCHED])]
    placed, goal = everything.part(sampled), every_goal.part(sampled)
    budget = options.budget(
        float(placed.rows.weights.sum()),
        placed.rows.schema,
        is_classification=school.is_classification,
    )
    if len(placed.rows.values) < _FEWEST_ROWS:
        budget = replace(budget, terms=1)
    workers = options.workers(len(placed.rows.values))

    def terms_of(some: PlacedRows) -> Terms:
        rows = some.rows
        return Terms.of(rows.values, rows.schema.n_levels, rows.weights, budget.min_weight)

    sacrificed: list[str] = []
    lessons: list[Lesson] = []
    compare: Boosting | None = None
    if options.learns_from_teacher and (school.given is not None or _can_be_taught(placed.rows)):

        def ask(_: int, report: Report) -> list[Lesson]:
            until = deadline.left * _FOR_TEACHER
            report = within(report, Deadline(until) if np.isfinite(until) else deadline)
            return school.teach(placed, terms_of(placed), report, n_jobs=workers.n_threads)

        if options.leaves is None and not deadline.is_set:
            compare = Boosting.of(school, placed.rows, terms_of(placed))
        try:
            (lessons,) = workers.run(ask, 1)
        except OutOfTime:
            sacrificed.append("the teacher")
    best = best_of(lessons) if lessons else None
    label_share = options.label_share
    if best is not None and school.given is not None:
        best = lessons[-1]
    elif best is not None and school.is_classification:
        label_share = max(label_share, _trust_in_labels(best, lessons[0]))

    def learn(some: PlacedRows, report: Report) -> SoftClasses | SoftNumbers:
        if best is None:
            return mixed(some.rows, None, label_share)
        (lesson,) = school.teach(some, terms_of(some), report, only=best.teacher)
        return mixed(some.rows, lesson.answers, label_share)

    target = mixed(placed.rows, None if best is None else best.answers, label_share)
    wide = None
    if len(further):
        both = np.concatenate([sampled, further])
        searched = rows.part(both)

        def learn_all() -> SoftClasses | SoftNumbers:
            said = None
            if best is not None:
                said = np.concatenate([best.answers, best.predict(everything.part(further))])
            return mixed(searched, said, label_share)

        wide = Wide(
            searched,
            every_goal.part(both),
            learn_all,
            len(order),
            lambda: (rows.part(order), every_goal.part(order)),
        )
    fit = Fit(
        placed,
        goal,
        learn,
        target,
        budget,
        options.seed,
        best is None or best.loss < lessons[0].loss,
        wide,
        tuple(sacrificed),
        compare,
        schema,
    )
    own = tuple(Ceiling(one.name, one.worth) for one in lessons if one.teacher != ONE_PREDICTION)
    taught = Taught(None if best is None else best.name, own)
    return fit, taught, workers


def _trust_in_labels(best: Lesson, alone: Lesson) -> float:
    """Say how much labels count where a teacher is nearly always right: so are they, then."""
    if alone.score >= 1.0:
        return 0.0
    return float(np.interp((1.0 - best.score) / (1.0 - alone.score), _ERRORS, _TRUST))


def _can_be_taught(rows: TrainingRows) -> bool:
    """Tell whether there is enough to be learned by others."""
    return len(rows.truth) >= _FEWEST_ROWS and len(np.unique(rows.truth)) > 1
