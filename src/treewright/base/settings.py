"""Values with parameters of their own that an estimator takes as one parameter.

A pruner, how missing values are handled, what mistakes cost: small objects that only store what
they are given, so that `clone`, `set_params`, grid search (``missing__max_surrogates``), printing
and comparison work on them as they do on estimators.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from treewright.base.parameters import Check, check_parameters

__all__ = ["Settings"]


class Settings(BaseEstimator):  # type: ignore[misc]
    """Base of such values: declared checks, and equality by parameters."""

    _checks: ClassVar[dict[str, Check]] = {}

    def check(self) -> None:
        """Refuse a parameter of a wrong value.

        Raises
        ------
        ValueError
            With the parameter, what is allowed and what came.
        """
        check_parameters(self, self._checks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        if type(self) is not type(other):
            return False
        own, others = self.get_params(False), other.get_params(False)
        return all(np.array_equal(own[name], others[name]) for name in own)

    def __hash__(self) -> int:
        return hash((type(self), *self.get_params(deep=False)))
