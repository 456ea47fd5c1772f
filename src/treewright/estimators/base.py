"""What classifiers and regressors share: parameters, growth, and reading the fitted tree."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.estimators.parameters import (
    Check,
    anything,
    boolean,
    check_parameters,
    choice,
    fraction,
    integer,
    none,
    number,
    one_of,
)
from treewright.exceptions import DataError, TimeLimitWarning
from treewright.schema import Schema
from treewright.splits import Best, Categorical, SplitMethod, as_split
from treewright.tree import Tree

__all__ = ["BaseTree"]

MISSING_POLICIES = ("default", "fraction", "surrogate")  # in the order of the core


class BaseTree(BaseEstimator):  # type: ignore[misc]
    """Common part of the tree estimators; not used by itself."""

    tree_: Tree
    schema_: Schema
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    _checks: dict[str, Check] = {
        "split": anything("a split method"),
        "gain": choice("plain", "ratio", "balanced"),
        "prune": Check("None (pruning is not available yet)", lambda value: value is None),
        "max_depth": one_of(none(), integer(1)),
        "max_leaves": one_of(none(), integer(2)),
        "min_samples_split": one_of(integer(2), fraction()),
        "min_samples_leaf": one_of(integer(1), fraction()),
        "min_gain": number(0),
        "max_features": one_of(none(), choice("sqrt", "log2"), integer(1), number(0, 1, above=True)),
        "missing": choice(*MISSING_POLICIES),
        "readable": boolean(),
        "categorical": choice("subset", "multiway"),
        "zero_gain": boolean(),
        "min_impurity_fraction": number(0, 1),
        "max_surrogates": integer(0),
        "collapse": boolean(),
        "validation_fraction": one_of(none(), fraction()),
        "patience": integer(1),
        "time_limit": one_of(none(), number(0, above=True)),
        "progress": Check("None or a callable", lambda value: value is None or callable(value)),
    }

    # Parameters are listed in the constructors of the subclasses, as scikit-learn asks.
    split: str | SplitMethod
    measure: str
    gain: str
    max_depth: int | None
    max_leaves: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_gain: float
    max_features: str | int | float | None
    missing: str
    readable: bool
    random_state: Any
    categorical: str
    zero_gain: bool
    min_impurity_fraction: float
    max_surrogates: int
    collapse: bool
    validation_fraction: float | None
    patience: int
    time_limit: float | None
    progress: Callable[[float], None] | None

    # ------------------------------------------------------------------ growth

    def _check_parameters(self) -> None:
        check_parameters(self, self._checks)
        as_split(self.split)

    def _learn_columns(self, X: Any, **target: Any) -> NDArray[np.float64]:
        """Learn the schema, and set what scikit-learn expects to know of the columns."""
        self.schema_, values = Schema.from_data(X, **target)
        self.n_features_in_ = self.schema_.n_columns
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if self.schema_.named:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)
        return values

    def _grow(
        self,
        values: NDArray[np.float64],
        make_target: Callable[[slice | NDArray[np.intp]], _core.Target],
        options: _core.GrowOptions,
        stratify: NDArray[Any] | None,
    ) -> None:
        """Grow the tree; `make_target(rows)` gives the target of some of the rows."""
        n_rows, n_columns = values.shape
        random = check_random_state(self.random_state)
        options.seed = int(random.randint(0, 2**63 - 1, dtype=np.int64))
        options.measure = options_measure(self, options)
        options.gain = self.gain
        options.missing = MISSING_POLICIES.index(self.missing)
        options.max_depth = -1 if self.max_depth is None else self.max_depth
        options.max_leaves = -1 if self.max_leaves is None else self.max_leaves
        options.max_features = _count_of_features(self.max_features, n_columns)
        options.max_surrogates = self.max_surrogates
        options.min_samples_split = _count_of_rows(self.min_samples_split, n_rows, least=2)
        options.min_samples_leaf = _count_of_rows(self.min_samples_leaf, n_rows, least=1)
        options.min_gain = self.min_gain
        options.min_impurity_fraction = self.min_impurity_fraction
        options.zero_gain = self.zero_gain
        options.readable = self.readable
        options.collapse = self.collapse
        options.patience = self.patience

        n_levels = self.schema_.n_levels
        validation: tuple[_core.Table, _core.Target] | tuple[None, None] = (None, None)
        rows: slice | NDArray[np.intp] = slice(None)
        if self.validation_fraction is not None:
            rows, held_out = _hold_out(n_rows, self.validation_fraction, stratify, random)
            validation = (_core.Table(values[held_out], n_levels), make_target(held_out))
            values = values[rows]
        core, out_of_time = _core.grow(
            _core.Table(values, n_levels),
            make_target(rows),
            self._method(n_levels),
            options,
            *validation,
            time_limit=self.time_limit,
            progress=self.progress,
        )
        self.tree_ = Tree(core, self.schema_)
        self.stopped_by_time_limit_ = out_of_time
        if out_of_time:
            warnings.warn(
                f"Growth stopped at the time limit of {self.time_limit:g} s with "
                f"{self.tree_.n_leaves} leaves; the tree is smaller than the data allow. Raise "
                "'time_limit', or set 'max_depth' or 'max_leaves'.",
                TimeLimitWarning,
                stacklevel=3,
            )

    def _method(self, n_levels: NDArray[np.int32]) -> _core.Method:
        """Return the split method, with one for categorical columns beside it where needed."""
        split = as_split(self.split)
        has_own = isinstance(split, Categorical) or (
            isinstance(split, Best) and any(isinstance(m, Categorical) for m in split.methods)
        )
        if has_own or not n_levels.any():
            return split.build()
        return Best(split, Categorical(self.categorical)).build()

    # ------------------------------------------------------------------ reading

    def _table(self, X: Any) -> _core.Table:
        check_is_fitted(self)
        values = self.schema_.encode(X, estimator_name=type(self).__name__)
        return _core.Table(values, self.schema_.n_levels)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf each row ends in.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of int32
            Node ids. Where a row is divided among branches (``missing="fraction"``), the leaf on
            the way of the largest shares.
        """
        table = self._table(X)
        return self.tree_.core.apply(table)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        table = self._table(X)
        indptr, nodes = self.tree_.core.decision_paths(table)
        return csr_matrix(
            (np.ones(len(nodes), dtype=np.int64), nodes, indptr),
            shape=(table.n_rows, self.tree_.n_nodes),
        )

    def rules(self) -> list[str]:
        """Return the tree as rules, one line a leaf."""
        check_is_fitted(self)
        return self.tree_.rules()

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the decrease of impurity; they sum to 1 unless all are 0."""
        check_is_fitted(self)
        return self.tree_.feature_importances()

    def get_depth(self) -> int:
        """Return the depth of the tree; a tree that is one leaf has depth 0."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def save(self, path: Any) -> None:
        """Write the model to a JSON file that :func:`treewright.load` reads.

        Parameters
        ----------
        path : str or path-like
            Where to write. The file appears whole or not at all.
        """
        from treewright.estimators.saving import save

        check_is_fitted(self)
        save(self, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def options_measure(estimator: BaseTree, options: _core.GrowOptions) -> str:
    """Return the core's name of the measure: Gini with costs has one of its own."""
    return "cost_gini" if options.measure_cost else estimator.measure


def sample_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return checked weights, all 1 by default."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(weights) != n_rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise DataError(
            f"sample_weight must be finite and not negative; {int(bad.sum())} of {n_rows} are not, "
            f"the first is {weights[first]} in row {first}. Set them to 0 to leave rows out."
        )
    if not weights.any():
        raise DataError("sample_weight is 0 for every row; give some rows a positive weight.")
    return weights


def _hold_out(
    n_rows: int, share: float, stratify: NDArray[Any] | None, random: np.random.RandomState
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    try:
        kept, held_out = train_test_split(
            np.arange(n_rows), test_size=share, random_state=random, stratify=stratify
        )
    except ValueError as error:
        raise DataError(
            f"A validation part of {share:g} cannot be taken from {n_rows} rows: {error}"
        ) from None
    return np.sort(kept), np.sort(held_out)


def _count_of_features(max_features: str | int | float | None, n_columns: int) -> int:
    if max_features is None:
        return 0
    if max_features == "sqrt":
        return max(1, int(np.sqrt(n_columns)))
    if max_features == "log2":
        return max(1, int(np.log2(n_columns)))
    if isinstance(max_features, Integral):
        if int(max_features) > n_columns:
            raise ValueError(
                f"The 'max_features' parameter must be at most the number of columns, {n_columns}. "
                f"Got {max_features}."
            )
        return int(max_features)
    return max(1, int(float(max_features) * n_columns))


def _count_of_rows(value: int | float, n_rows: int, *, least: int) -> float:
    if isinstance(value, Integral):
        return float(value)
    return float(max(least, int(np.ceil(value * n_rows))))
