"""The parameters of growth as one value: what they may be, and how the core takes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np

from treewright import _core
from treewright.base.parameters import (
    Check,
    boolean,
    choice,
    fraction,
    integer,
    jobs,
    none,
    number,
    one_of,
    seed,
)
from treewright.estimators.constraints import CONSTRAINTS_CHECK, Constraints, column_limits
from treewright.estimators.monotonic import Monotonic, trends_of
from treewright.estimators.settings import EarlyStopping, GrowthRules, Surrogates
from treewright.exceptions import DataError, brief
from treewright.schema import Schema
from treewright.splits import Categorical, SplitMethod, as_split
from treewright.tree.column_limits import ColumnLimits
from treewright.tree.node import MISSING_POLICIES

__all__ = [
    "GAIN_CHECK",
    "GROWTH_CHECKS",
    "GrowthOptions",
    "at_most_int",
    "check_split",
    "count_of_rows",
]

_MOST_BRANCHES = 65_534  # of one test in the core
_LARGEST_INT = 2**31 - 1  # of the core; larger limits limit nothing
_SURROGATES, _NO_RULES = Surrogates(), GrowthRules()

_COLUMNS_OFFERED: dict[str, Callable[[int], int]] = {
    "sqrt": math.isqrt,
    "rounded_sqrt": lambda n_columns: round(math.sqrt(n_columns)),
    "log2": lambda n_columns: int(math.log2(n_columns)),
}


GROWTH_CHECKS: dict[str, Check] = {
    "max_depth": one_of(none(), integer(1)),
    "max_leaf_nodes": one_of(none(), integer(2)),
    "min_samples_split": one_of(integer(2), fraction()),
    "min_samples_leaf": one_of(integer(1), fraction()),
    "min_weight_fraction_leaf": number(0, 0.5),
    "min_impurity_decrease": number(0),
    "max_features": one_of(
        none(), choice("sqrt", "rounded_sqrt", "log2"), integer(1), number(0, 1, above=True)
    ),
    "missing": one_of(
        choice(*MISSING_POLICIES),
        Check("a Surrogates", lambda value: isinstance(value, Surrogates)),
    ),
    "readable": boolean(),
    "random_state": seed(),
    "categorical": choice("subset", "multiway", "grouped"),
    "growth_rules": one_of(
        none(), Check("a GrowthRules", lambda value: isinstance(value, GrowthRules))
    ),
    "constraints": CONSTRAINTS_CHECK,
    "time_limit": one_of(none(), number(0, above=True)),
    "n_jobs": jobs(),
    "progress": Check("None or a callable", lambda value: value is None or callable(value)),
}
"""What the parameters of estimators that grow may be; `split` says so itself."""

GAIN_CHECK = choice("plain", "ratio", "balanced")


@dataclass(frozen=True)
class GrowthOptions:
    """The parameters of growth of one estimator, as they are named there.

    ``owner`` is the name of the estimator, for messages.
    """

    owner: str
    split: SplitMethod
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
    max_surrogates: int
    readable: bool
    categorical: str
    rules: GrowthRules
    monotonic_cst: Monotonic = None
    constraints: Constraints | None = None

    @classmethod
    def of(cls, model: Any) -> Self:
        """Take the parameters of an estimator, which are checked."""
        missing, surrogates = model.missing, _SURROGATES
        if isinstance(missing, Surrogates):
            surrogates = missing
            missing = "surrogate_or_stop" if surrogates.stop else "surrogate"
        return cls(
            owner=type(model).__name__,
            split=as_split(model.split),
            criterion=model.criterion,
            gain=getattr(model, "gain", "plain"),  # the choice is for classes
            max_depth=model.max_depth,
            max_leaf_nodes=model.max_leaf_nodes,
            min_samples_split=model.min_samples_split,
            min_samples_leaf=model.min_samples_leaf,
            min_weight_fraction_leaf=model.min_weight_fraction_leaf,
            min_impurity_decrease=model.min_impurity_decrease,
            max_features=model.max_features,
            missing=missing,
            max_surrogates=surrogates.max_surrogates,
            readable=bool(model.readable),
            categorical=model.categorical,
            rules=_NO_RULES if model.growth_rules is None else model.growth_rules,
            monotonic_cst=model.monotonic_cst,
            constraints=model.constraints,
        )

    @property
    def early_stopping(self) -> EarlyStopping | None:
        """How a validation set stops growth, if one does."""
        return self.rules.early_stopping

    def core(self, n_rows: int, total_weight: float, n_columns: int) -> _core.GrowOptions:
        """Return the options as the core takes them; `n_rows` have a weight above 0."""
        options = _core.GrowOptions()
        options.measure = self.criterion
        options.gain = self.gain
        options.missing = MISSING_POLICIES.index(self.missing)
        options.max_depth = -1 if self.max_depth is None else at_most_int(self.max_depth)
        options.max_leaves = -1 if self.max_leaf_nodes is None else at_most_int(self.max_leaf_nodes)
        options.max_features = self.n_offered(n_columns)
        options.max_surrogates = at_most_int(self.max_surrogates)
        options.min_samples_split = count_of_rows(self.min_samples_split, n_rows, least=2)
        options.min_samples_leaf = count_of_rows(self.min_samples_leaf, n_rows, least=1)
        options.min_leaf_weight = self.min_weight_fraction_leaf * total_weight
        options.min_gain = self.min_impurity_decrease
        options.min_impurity_fraction = self.rules.min_impurity_fraction
        options.zero_gain = bool(self.rules.zero_gain)
        options.readable = self.readable
        options.collapse = bool(self.rules.collapse)
        if self.early_stopping is not None:
            options.patience = at_most_int(self.early_stopping.patience)
        return options

    def method(self, schema: Schema) -> _core.Method:
        """Return a new working split method, with one for categorical columns where needed."""
        n_levels, split = schema.n_levels, self.split
        if n_levels.any():
            split = split.with_levels(Categorical(self.categorical))
        widest = int(n_levels.argmax())
        if n_levels[widest] > _MOST_BRANCHES and _has_multiway(split):
            raise DataError(
                f"Column {brief(schema.names[widest])} has {n_levels[widest]} levels, more "
                f"than the {_MOST_BRANCHES} branches a split may have; leave the column out, or "
                "use subsets of levels (categorical='subset')."
            )
        return split.build()

    def trends(self, schema: Schema) -> list[int]:
        """Return the monotonic constraint of every column, none if there is no constraint."""
        return trends_of(self.owner, self.monotonic_cst, schema)

    def limits(self, schema: Schema) -> ColumnLimits:
        """Return the constraints with columns by position."""
        return column_limits(self.owner, self.constraints, schema)

    def n_offered(self, n_columns: int) -> int:
        """Return how many columns are drawn at a node, 0 for all."""
        asked = self.max_features
        if asked is None:
            return 0
        if isinstance(asked, str):
            return max(1, _COLUMNS_OFFERED[asked](n_columns))
        if not isinstance(asked, Integral):
            return max(1, int(asked * n_columns))
        if asked > n_columns:
            raise ValueError(
                f"The 'max_features' parameter of {self.owner} must be at most the number "
                f"of columns, {n_columns}. Got {asked} instead."
            )
        return int(asked)


def check_split(model: Any) -> None:
    """Refuse a split method that does not exist, or whose parameters are wrong."""
    split = as_split(model.split, f"The 'split' parameter of {type(model).__name__}")
    split.check()
    split.check_depth(model.max_depth)


def _has_multiway(split: SplitMethod) -> bool:
    """Whether some method makes a branch of every level."""
    is_one = isinstance(split, Categorical) and split.kind == "multiway"
    return is_one or any(map(_has_multiway, split.parts))


def count_of_rows(asked: int | float, n_rows: int, *, least: int) -> float:
    """Return a number of rows from a number, or from a proportion of all rows."""
    if isinstance(asked, Integral):
        return float(at_most_int(asked))
    return float(max(least, int(np.ceil(asked * n_rows))))


def at_most_int(asked: int) -> int:
    """Return a number that the core can hold and that limits as much."""
    return min(int(asked), _LARGEST_INT)
