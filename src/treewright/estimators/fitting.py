"""A fit that fails leaves the estimator as it was."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

__all__ = ["all_or_nothing"]

Model = TypeVar("Model")
Given = ParamSpec("Given")
Fit = Callable[Concatenate[Model, Given], Model]


def all_or_nothing(fit: Fit[Model, Given]) -> Fit[Model, Given]:
    """Make a `fit` that puts all attributes back when it ends by an exception.

    Otherwise an estimator that was fitted before could have the columns of the new data and the
    tree of the old.
    """

    @functools.wraps(fit)
    def whole_fit(self: Model, /, *args: Given.args, **kwargs: Given.kwargs) -> Model:
        before = vars(self).copy()
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole_fit
