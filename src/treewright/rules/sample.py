"""The training rows that rules are made from and evaluated on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.exceptions import DataError
from treewright.schema import Schema
from treewright.tree.use import class_codes, weights_of

__all__ = ["Rows", "Sample"]

Rows: TypeAlias = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """Rows of positive weight with their classes.

    Parameters
    ----------
    values : ndarray of float64
        The rows as the schema encodes them.
    table : treewright._core.Table
        The same for the core.
    codes : ndarray of int32
        Class of each row.
    weights : ndarray of float64
        Weight of each row.
    class_weights : ndarray of float64
        Weight of each class.
    """

    values: NDArray[np.float64]
    table: _core.Table
    codes: NDArray[np.int32]
    weights: NDArray[np.float64]
    class_weights: NDArray[np.float64]

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any, schema: Schema) -> Sample:
        """Encode rows and their classes; rows of weight 0 are left out."""
        assert schema.classes is not None, "rules predict classes"
        values = schema.encode(X)
        codes = class_codes(y, schema.classes, len(values))
        return cls.encoded(values, codes, weights_of(sample_weight, len(values)), schema)

    @classmethod
    def encoded(
        cls,
        values: NDArray[np.float64],
        codes: NDArray[np.int32],
        weights: NDArray[np.float64],
        schema: Schema,
    ) -> Sample:
        """Take rows that are encoded already; those of weight 0 are left out."""
        assert schema.classes is not None, "rules predict classes"
        kept = weights > 0.0
        if not kept.any():
            raise DataError("Rules need a row of positive weight. Got none.")
        if not kept.all():
            values, codes, weights = values[kept], codes[kept], weights[kept]
        return cls(
            values,
            _core.Table(values, schema.n_levels),
            codes,
            weights,
            np.bincount(codes, weights, len(schema.classes)).astype(np.float64),
        )

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.class_weights.sum())

    def weights_by_class(self, rows: Rows) -> NDArray[np.float64]:
        """Sum the weights of some rows by class."""
        sums = np.bincount(self.codes[rows], self.weights[rows], len(self.class_weights))
        return sums.astype(np.float64)
