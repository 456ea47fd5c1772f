"""What recipes have in common: which estimator they return, and what may replace a part of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from treewright.estimators import TreeClassifier, TreeRegressor

__all__ = ["makes", "tree_for"]

P = ParamSpec("P")
T = TypeVar("T")


def makes(**parts: tuple[str, ...]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a recipe refuse values that go into a part of the estimator which the caller replaces.

    ``@makes(split=("features",))`` says that `features` matters only for the `split` that the
    recipe makes, so that giving both would leave one of them without effect.
    """

    def decorate(recipe: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(recipe)

        @functools.wraps(recipe)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            replaced = [part for part in parts if part in kwargs]
            given = signature.bind(*args, **kwargs).arguments if replaced else {}
            for part in replaced:
                for name in parts[part]:
                    default = signature.parameters[name].default
                    if given.get(name, default) != default:
                        raise ValueError(
                            f"{recipe.__name__}() was given {name}={given[name]!r} and a '{part}': "
                            f"'{name}' is for the {part} that the recipe makes itself, and would "
                            f"have no effect. Leave out one of the two."
                        )
            return recipe(*args, **kwargs)

        return checked

    return decorate


def tree_for(name: str, task: str, parameters: dict[str, Any]) -> TreeClassifier | TreeRegressor:
    """Return the estimator for a task, for the recipe of this name."""
    if task == "classification":
        return TreeClassifier(**parameters)
    if task == "regression":
        return TreeRegressor(**parameters)
    raise ValueError(
        f"The 'task' parameter of {name} must be 'classification' or 'regression'. Got {task!r}."
    )
