"""What recipes have in common: which estimator they return, and what may replace a part of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from treewright.base.tasks import TASKS, is_regression
from treewright.estimators import TreeClassifier, TreeRegressor

__all__ = ["by_task", "gain_of_must", "makes", "tree_for"]

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")


def makes(**parts: tuple[str, ...]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a recipe refuse values that go into a part of the estimator which the caller replaces.

    ``@makes(split=("features",))`` says that `features` matters only for the `split` that the
    recipe makes, so that giving both would leave one of them without effect.
    """

    def decorate(recipe: Callable[P, T]) -> Callable[P, T]:
        own = inspect.signature(recipe).parameters
        in_order = [name for name, one in own.items() if one.kind is one.POSITIONAL_OR_KEYWORD]

        @functools.wraps(recipe)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            given = {**dict(zip(in_order, args, strict=False)), **kwargs}
            for part in parts.keys() & kwargs.keys():
                for name in parts[part]:
                    if name in given and not _is_same(given[name], own[name].default):
                        raise ValueError(
                            f"{recipe.__name__}() was given {name}={given[name]!r} and a '{part}': "
                            f"'{name}' is for what the recipe makes itself in its place, and "
                            f"would have no effect. Leave out one of the two."
                        )
            return recipe(*args, **kwargs)

        return checked

    return decorate


def _is_same(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, str | int | float) and value == default)


def tree_for(name: str, task: str, parameters: dict[str, Any]) -> TreeClassifier | TreeRegressor:
    """Return the estimator for a task, for the recipe of this name."""
    return by_task(name, task, TreeClassifier, TreeRegressor)(**parameters)


def by_task(name: str, task: str, classifier: C, regressor: R) -> C | R:
    """Choose between what two tasks take, for the recipe of this name."""
    if task not in TASKS:
        raise ValueError(
            f"The 'task' parameter of {name} must be 'classification' or 'regression'. "
            f"Got {task!r}."
        )
    return regressor if is_regression(task) else classifier


def gain_of_must(name: str, task: str) -> dict[str, Any]:
    """Return how MUST weighs splits: by the balanced gain ratio of classes; numbers have none."""
    return by_task(name, task, {"criterion": "entropy", "gain": "balanced"}, {})
