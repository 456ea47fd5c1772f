"""What a regression tree may be the best in: squared error or absolute error."""

from __future__ import annotations

from typing import Any

from sklearn.metrics import mean_absolute_error, r2_score

from treewright.base.parameters import choice
from treewright.estimators.objectives import Objective
from treewright.estimators.training import TrainingRows
from treewright.exceptions import DataError
from treewright.optimal.absolute_error import AbsoluteGoal
from treewright.optimal.goals import NumberGoal
from treewright.schema import Level

__all__ = ["NUMBER_OBJECTIVE_CHECK", "as_number_objective"]

_MOST_VALUES = 64  # of a target: each is a prediction to try at every leaf


class SquaredError(Objective):
    """The summed squared error; leaves predict means."""

    name = "squared_error"
    is_usual = True
    has_alternatives = True
    _takes_rules_of_paths = True

    def goal(self, rows: TrainingRows, owner: str) -> NumberGoal:
        """Give the numbers."""
        return NumberGoal(rows.truth, rows.weights)

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "mean squared error"

    def score_of(self, loss: float) -> float:
        """Give the mean loss itself."""
        return loss

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give R squared."""
        return float(r2_score(y, model.predict(X), sample_weight=sample_weight))


class AbsoluteError(Objective):
    """The summed absolute error; leaves predict medians."""

    name = "absolute_error"
    _refuses = ("front", "tune")

    def goal(self, rows: TrainingRows, owner: str) -> AbsoluteGoal:
        """Give the numbers.

        Raises
        ------
        DataError
            If there are too many different ones.
        """
        goal = AbsoluteGoal(rows.truth, rows.weights)
        if len(goal.values) > _MOST_VALUES:
            raise DataError(
                f"The 'objective' parameter of {owner} may be {self.name!r} for {_MOST_VALUES} "
                f"different numbers at most. Got {len(goal.values)}; round the target."
            )
        return goal

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "mean absolute error"

    def score_of(self, loss: float) -> float:
        """Give the mean loss itself."""
        return loss

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give the mean absolute error with a minus sign."""
        return -float(mean_absolute_error(y, model.predict(X), sample_weight=sample_weight))


_OBJECTIVES = {cls.name: cls for cls in (SquaredError, AbsoluteError)}

NUMBER_OBJECTIVE_CHECK = choice(*_OBJECTIVES)
"""What the `objective` parameter of a regressor may be."""


def as_number_objective(objective: str) -> Objective:
    """Return what the `objective` parameter of a regressor stands for."""
    return _OBJECTIVES[objective]()
