"""What every estimator knows of its columns and parameters, and how it reads rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.base.parameters import Check, check_parameters
from treewright.base.settings import Settings
from treewright.estimators.old_words import old_word
from treewright.schema import Schema

__all__ = ["Estimator"]


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Common part of all estimators: rows of any table library, read by a schema."""

    _checks: ClassVar[dict[str, Check]] = {}
    _old_words: ClassVar[Mapping[str, str]] = {}

    schema_: Schema
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of nested objects (``split__features``).

        Parameters
        ----------
        **params : dict
            Parameters by name.

        Returns
        -------
        Estimator
            This estimator.
        """
        sentence = old_word(type(self), params)
        if sentence is not None:
            raise ValueError(sentence)
        super().set_params(**params)
        return self

    def _check_parameters(self) -> None:
        """Refuse parameters that no data could make right."""
        check_parameters(self, self._checks)
        for name in self._checks:
            value = getattr(self, name)
            if isinstance(value, Settings):
                value.check()

    def _take_schema(self, schema: Schema) -> None:
        """Set the schema, and what scikit-learn expects to know of the columns."""
        self.schema_ = schema
        self.n_features_in_ = schema.n_columns
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)

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
