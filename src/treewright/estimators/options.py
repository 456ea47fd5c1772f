"""What estimators that grow trees share: the parameters of growth, as the core takes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import (
    Check,
    boolean,
    check_parameters,
    choice,
    fraction,
    integer,
    none,
    number,
    one_of,
    seed,
)
from treewright.estimators.reader import TableReader
from treewright.exceptions import DataError, brief
from treewright.splits import Categorical, SplitMethod, as_split
from treewright.tree.node import MISSING_POLICIES

__all__ = ["GrowthParameters", "at_most_int", "count_of_rows"]

_MOST_BRANCHES = 65_534  # of one test in the core
_LARGEST_INT = 2**31 - 1  # of the core; larger limits limit nothing

_COLUMNS_OFFERED: dict[str, Callable[[int], int]] = {
    "sqrt": math.isqrt,
    "rounded_sqrt": lambda n_columns: round(math.sqrt(n_columns)),
    "log2": lambda n_columns: int(math.log2(n_columns)),
}


class GrowthParameters(TableReader):
    """Common part of the estimators that grow trees, one or many."""

    _checks: ClassVar[dict[str, Check]] = {
        "gain": choice("plain", "ratio", "balanced"),
        "max_depth": one_of(none(), integer(1)),
        "max_leaf_nodes": one_of(none(), integer(2)),
        "min_samples_split": one_of(integer(2), fraction()),
        "min_samples_leaf": one_of(integer(1), fraction()),
        "min_weight_fraction_leaf": number(0, 0.5),
        "min_impurity_decrease": number(0),
        "max_features": one_of(
            none(), choice("sqrt", "rounded_sqrt", "log2"), integer(1), number(0, 1, above=True)
        ),
        "missing": choice(*MISSING_POLICIES),
        "readable": boolean(),
        "random_state": seed(),
        "categorical": choice("subset", "multiway", "grouped"),
        "zero_gain": boolean(),
        "min_impurity_fraction": number(0, 1),
        "max_surrogates": integer(0),
        "collapse": boolean(),
        "time_limit": one_of(none(), number(0, above=True)),
        "progress": Check("None or a callable", lambda value: value is None or callable(value)),
    }

    # Parameters are listed in the constructors of the estimators, as scikit-learn asks.
    split: str | SplitMethod
    criterion: str
    gain: str
    max_depth: int | None
    max_leaf_nodes: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    min_impurity_decrease: float
    max_features: str | int | float | None
    missing: str
    readable: bool
    random_state: Any
    categorical: str
    zero_gain: bool
    min_impurity_fraction: float
    max_surrogates: int
    collapse: bool
    time_limit: float | None
    progress: Callable[[float], None] | None

    def _check_parameters(self) -> None:
        check_parameters(self, self._checks)
        split = as_split(self.split, f"The 'split' parameter of {type(self).__name__}")
        split.check()
        split.check_depth(self.max_depth)

    def _options(self, n_rows: int, total_weight: float) -> _core.GrowOptions:
        """Return the parameters as the core takes them; `n_rows` have a weight above 0."""
        options = _core.GrowOptions()
        options.measure = self.criterion
        options.gain = self.gain
        options.missing = MISSING_POLICIES.index(self.missing)
        options.max_depth = -1 if self.max_depth is None else at_most_int(self.max_depth)
        options.max_leaves = -1 if self.max_leaf_nodes is None else at_most_int(self.max_leaf_nodes)
        options.max_features = self._n_features_offered()
        options.max_surrogates = at_most_int(self.max_surrogates)
        options.min_samples_split = count_of_rows(self.min_samples_split, n_rows, least=2)
        options.min_samples_leaf = count_of_rows(self.min_samples_leaf, n_rows, least=1)
        options.min_leaf_weight = self.min_weight_fraction_leaf * total_weight
        options.min_gain = self.min_impurity_decrease
        options.min_impurity_fraction = self.min_impurity_fraction
        options.zero_gain = bool(self.zero_gain)
        options.readable = bool(self.readable)
        options.collapse = bool(self.collapse)
        return options

    def _method(self, n_levels: NDArray[np.int32]) -> _core.Method:
        """Return the split method, with one for categorical columns where needed."""
        split = as_split(self.split)
        if n_levels.any():
            split = split.with_levels(Categorical(self.categorical))
        widest = int(n_levels.argmax())
        if n_levels[widest] > _MOST_BRANCHES and _has_multiway(split):
            raise DataError(
                f"Column {brief(self.schema_.names[widest])} has {n_levels[widest]} levels, more "
                f"than the {_MOST_BRANCHES} branches a test may have; leave the column out, or use "
                "subsets of levels (categorical='subset')."
            )
        return split.build()

    def _n_features_offered(self) -> int:
        """Return how many columns are drawn at a node, 0 for all."""
        n_columns, asked = self.n_features_in_, self.max_features
        if asked is None:
            return 0
        if isinstance(asked, str):
            return max(1, _COLUMNS_OFFERED[asked](n_columns))
        if not isinstance(asked, Integral):
            return max(1, int(asked * n_columns))
        if asked > n_columns:
            raise ValueError(
                f"The 'max_features' parameter of {type(self).__name__} must be at most the number "
                f"of columns, {n_columns}. Got {asked} instead."
            )
        return int(asked)


def _has_multiway(split: SplitMethod) -> bool:
    """Whether some method makes a branch of every level."""
    is_one = isinstance(split, Categorical) and split.kind == "multiway"
    return is_one or any(map(_has_multiway, split.parts))


def count_of_rows(asked: int | float, n_rows: int, *, least: int) -> float:
    """Return a number of rows from a number, or from a share of all rows."""
    if isinstance(asked, Integral):
        return float(at_most_int(asked))
    return float(max(least, int(np.ceil(asked * n_rows))))


def at_most_int(asked: int) -> int:
    """Return a number that the core can hold and that limits as much."""
    return min(int(asked), _LARGEST_INT)
