"""Which estimator a recipe returns."""

from __future__ import annotations

from typing import Any

from treewright.estimators import TreeClassifier, TreeRegressor

__all__ = ["tree_for"]


def tree_for(name: str, task: str, parameters: dict[str, Any]) -> TreeClassifier | TreeRegressor:
    """Return the estimator for a task, for the recipe of this name."""
    if task == "classification":
        return TreeClassifier(**parameters)
    if task == "regression":
        return TreeRegressor(**parameters)
    raise ValueError(
        f"The 'task' parameter of {name} must be 'classification' or 'regression'. Got {task!r}."
    )
