"""What every estimator knows of its columns, and how it reads rows by them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.schema import Schema

__all__ = ["TableReader"]


class TableReader(BaseEstimator):  # type: ignore[misc]
    """Common part of all estimators: rows of any table library, read by a schema."""

    schema_: Schema
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def _learn_columns(self, X: Any, target: str | None) -> NDArray[np.float64]:
        """Learn the schema, and set what scikit-learn expects to know of the columns."""
        self.schema_, values = Schema.from_data(X, target=target)
        self._tell_columns()
        return values

    def _tell_columns(self) -> None:
        """Set what scikit-learn expects to know of the columns."""
        self.n_features_in_ = self.schema_.n_columns
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if self.schema_.named:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)

    @abstractmethod
    def _columns_read(self) -> Sequence[int]:
        """Return the positions of the columns that predictions depend on, in rising order."""

    def _table(self, X: Any, *, whole: bool = False) -> _core.Table:
        """Encode rows by the columns that are read, or by all columns."""
        check_is_fitted(self)
        values = self.schema_.encode(
            X,
            columns=None if whole else self._columns_read(),
            estimator_name=type(self).__name__,
        )
        return _core.Table(values, self.schema_.n_levels)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
