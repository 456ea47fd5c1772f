"""The rows of a fit, as everything that fits reads them: columns, target and weights of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.weights import check_weights, read_weights
from treewright.schema import (
    Level,
    Schema,
    encode_labels,
    encode_numbers,
    keep_rows,
    target_name,
)

__all__ = ["TrainingRows", "read_classes", "read_numbers"]


@dataclass(frozen=True)
class TrainingRows:
    """The rows that are learned from; those of weight 0 are left out.

    Parameters
    ----------
    schema : Schema
        Columns, levels and, of classes, their labels.
    values : ndarray of shape (n_rows, n_columns)
        The rows as the core reads them.
    truth : ndarray of int32 or float64
        Position of the class of each row, or its number.
    weights : ndarray of float64
        Weight of each row.
    n_given : int
        How many rows there were before.
    kept : ndarray of int or None
        Positions of the rows among these; None if none was left out.
    """

    schema: Schema
    values: NDArray[np.float64]
    truth: NDArray[Any]
    weights: NDArray[np.float64]
    n_given: int
    kept: NDArray[np.intp] | None = None

    def weighing(self, weights: NDArray[np.float64]) -> TrainingRows:
        """Give the rows with other weights; those that weigh nothing are left out."""
        if weights.all():
            return replace(self, weights=weights, n_given=len(weights), kept=None)
        return replace(self, weights=weights).part(np.flatnonzero(weights))

    def keeping(self, is_kept: NDArray[np.bool_]) -> TrainingRows:
        """Give some of the rows, which know where among all given ones they stood."""
        kept = np.flatnonzero(is_kept)
        return replace(self.part(kept), n_given=self.n_given, kept=self.places[kept])

    def part(self, rows: NDArray[np.intp]) -> TrainingRows:
        """Give some of the rows, column after column in memory, as they are read."""
        values = self.values
        is_by_column = values.flags.f_contiguous
        return replace(
            self,
            values=values.T.take(rows, 1).T if is_by_column else np.asfortranarray(values[rows]),
            truth=self.truth[rows],
            weights=self.weights[rows],
            n_given=len(rows),
            kept=None,
        )

    @property
    def places(self) -> NDArray[np.intp]:
        """Positions of the rows among those that were given."""
        return np.arange(self.n_given) if self.kept is None else self.kept

    @property
    def labels(self) -> tuple[Level, ...]:
        """The classes."""
        return self.schema.classes or ()


def read_classes(X: Any, y: Any, sample_weight: Any, estimator_name: str) -> TrainingRows:
    """Read rows and their classes as `fit` of a classifier gets them."""
    given = read_weights(sample_weight)
    X, y, sample_weight = keep_rows(X, y, given)
    schema, values = Schema.from_data(X, target=target_name(y))
    codes, labels = encode_labels(y, n_rows=len(values), estimator_name=estimator_name)
    weights = check_weights(sample_weight, len(values))
    schema = schema.with_target(schema.target, labels)
    return TrainingRows(schema, values, codes, weights, *_kept(given, len(values)))


def read_numbers(X: Any, y: Any, sample_weight: Any, estimator_name: str) -> TrainingRows:
    """Read rows and their numbers as `fit` of a regressor gets them."""
    given = read_weights(sample_weight)
    X, y, sample_weight = keep_rows(X, y, given)
    schema, values = Schema.from_data(X, target=target_name(y))
    numbers = encode_numbers(y, n_rows=len(values), estimator_name=estimator_name)
    weights = check_weights(sample_weight, len(values))
    return TrainingRows(schema, values, numbers, weights, *_kept(given, len(values)))


def _kept(given: NDArray[np.float64] | None, n_rows: int) -> tuple[int, NDArray[np.intp] | None]:
    """Return the number of rows the user gave, and the positions of those that count."""
    if given is None or given.ndim == 0:  # one weight for all leaves none out
        return n_rows, None
    return given.size, np.flatnonzero(given)
