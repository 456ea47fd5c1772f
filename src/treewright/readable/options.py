"""The parameters of readable trees as one value: what they may be, and what they limit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from treewright.base.parameters import (
    Check,
    choice,
    fraction,
    integer,
    jobs,
    none,
    number,
    one_of,
    seed,
)
from treewright.base.workers import Workers
from treewright.estimators.constraints import CONSTRAINTS_CHECK, Constraints, column_limits
from treewright.estimators.monotonic import MONOTONIC_CHECK, Monotonic, trends_of
from treewright.estimators.options import count_of_rows
from treewright.optimal.deadline import Deadline
from treewright.readable.fitting import n_pieces
from treewright.readable.given import GivenTeacher, check_teacher
from treewright.readable.pool import EXACT_DEPTH, EXACT_LEAVES, Budget
from treewright.readable.school import School
from treewright.schema import Schema
from treewright.tree.column_limits import ColumnLimits

__all__ = ["MOST_LEAVES", "MOST_TERMS", "READABLE_CHECKS", "ReadableOptions"]

MOST_LEAVES, MOST_TERMS, _MOST_DEPTH = 64, 8, 32


def _up_to(most: int) -> Check:
    return Check(
        f"an int in [1, {most}]", lambda value: integer(1).accepts(value) and value <= most
    )


READABLE_CHECKS: dict[str, Check] = {
    "max_leaf_nodes": one_of(choice("auto"), _up_to(MOST_LEAVES)),
    "max_terms": _up_to(MOST_TERMS),
    "max_depth": one_of(none(), _up_to(_MOST_DEPTH)),
    "teacher": Check("'auto', None, an estimator or an array of predictions", check_teacher),
    "time_limit": one_of(none(), number(0)),
    "size": one_of(choice("cv"), integer(1)),
    "simpler": number(0),
    "label_share": number(0, 1),
    "term_penalty": number(0),
    "min_samples_leaf": one_of(integer(1), fraction()),
    "constraints": CONSTRAINTS_CHECK,
    "monotonic_cst": MONOTONIC_CHECK,
    "n_bootstraps": integer(0),
    "n_jobs": jobs(),
    "random_state": seed(),
    "progress": Check("None or a callable", lambda value: value is None or callable(value)),
}
"""What the parameters of readable trees may be."""

_SCREENED = 10
_DEPTH_OF_NUMBERS = 4  # of small trees; that of classes is what can be searched
_N_TREES = 64


@dataclass(frozen=True)
class ReadableOptions:
    """The parameters of one estimator of readable trees, as they are named there."""

    owner: str
    max_leaf_nodes: int | str
    max_terms: int
    max_depth: int | None
    size: str | int
    simpler: float
    label_share: float
    term_penalty: float
    min_samples_leaf: int | float
    teacher: Any
    time_limit: float | None
    n_jobs: int | None
    random_state: Any
    progress: Callable[[float], None] | None
    constraints: Constraints | None = None
    monotonic_cst: Monotonic = None
    n_bootstraps: int = 0  # of classifiers

    @classmethod
    def of(cls, model: Any) -> Self:
        """Take the parameters of an estimator."""
        names = [field.name for field in fields(cls)][1:]
        given = {name: getattr(model, name) for name in names if hasattr(model, name)}
        return cls(type(model).__name__, **given)

    def limits(self, schema: Schema) -> ColumnLimits:
        """Give the constraints with columns by position."""
        return column_limits(self.owner, self.constraints, schema)

    def trends(self, schema: Schema) -> tuple[int, ...]:
        """Give the direction of every column, none without a monotonic constraint."""
        trends = trends_of(self.owner, self.monotonic_cst, schema)
        is_one_class = schema.classes is not None and len(schema.classes) < 2
        return () if is_one_class else tuple(trends)

    @property
    def seed(self) -> int:
        """A number from `random_state`; None is 0."""
        state = 0 if self.random_state is None else self.random_state
        return int(check_random_state(state).randint(np.iinfo(np.int32).max))

    def workers(self, n_rows: int) -> Workers:
        """Give the threads of a fit of so many rows, which expect all its pieces of work."""
        workers = Workers(self.n_jobs, self.progress)
        workers.expect(n_pieces(n_rows, self.leaves))
        return workers

    @property
    def leaves(self) -> int | None:
        """The size that was asked for; None: chosen by folds."""
        return None if isinstance(self.size, str) else min(self.size, self.most_leaves)

    @property
    def most_leaves(self) -> int:
        """Most leaves; "auto" is as many as there can be."""
        return MOST_LEAVES if isinstance(self.max_leaf_nodes, str) else self.max_leaf_nodes

    @property
    def learns_from_teacher(self) -> bool:
        """Whether anything but the labels counts."""
        return self.teacher is not None and self.label_share < 1.0

    def school(
        self,
        given: GivenTeacher | None,
        *,
        is_classification: bool,
        cost: NDArray[np.float64] | None = None,
    ) -> School:
        """Say how teachers are asked; with what labels cost where rows may be referred."""
        return School(_N_TREES, self.seed, is_classification, given, cost)

    def deadline(self, began: float) -> Deadline:
        """Say when there is no time left."""
        return Deadline(math.inf if self.time_limit is None else self.time_limit, began)

    def _depth(self, is_classification: bool) -> int:
        if self.max_depth is not None:
            return self.max_depth
        if self.most_leaves > EXACT_LEAVES:
            return _MOST_DEPTH
        return EXACT_DEPTH if is_classification else _DEPTH_OF_NUMBERS

    def budget(self, total: float, schema: Schema, *, is_classification: bool) -> Budget:
        """Say which trees are allowed for rows that weigh so much together."""
        limits = self.limits(schema)
        return Budget(
            self.most_leaves,
            self._depth(is_classification),
            self.max_terms if limits.max_terms is None else min(self.max_terms, limits.max_terms),
            min(count_of_rows(self.min_samples_leaf, round(total), least=1), total),
            self.term_penalty,
            self.n_bootstraps,
            _SCREENED,
            limits,
            self.trends(schema),
        )
