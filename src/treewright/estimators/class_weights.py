"""What classifiers share: class weights, priors and costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.base.parameters import Check, anything, choice, none, one_of
from treewright.estimators.reader import TableReader
from treewright.estimators.weights import class_factors, cost_of_classes, prior_factors
from treewright.schema import Level
from treewright.tree.use import label_array

__all__ = ["ClassWeights"]


class ClassWeights(TableReader):
    """Common part of the estimators for classes, however they find their trees."""

    classes_: NDArray[Any]

    _cost: NDArray[np.float64] | None

    _checks: ClassVar[dict[str, Check]] = {
        "cost_matrix": anything("a matrix or a mapping"),
        "priors": anything("numbers or a mapping"),
        "class_weight": one_of(
            none(),
            choice("balanced"),
            Check("a mapping", lambda value: isinstance(value, Mapping)),
        ),
    }

    cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None
    class_weight: Mapping[Any, float] | str | None
    priors: ArrayLike | Mapping[Any, float] | None

    def _tell_classes(self, labels: tuple[Level, ...]) -> None:
        """Set what follows from the classes."""
        self.schema_ = self.schema_.with_target(self.schema_.target, labels)
        self.classes_ = label_array(labels)
        self._cost = None if self.cost_matrix is None else cost_of_classes(self.cost_matrix, labels)

    def _restore_classes(self) -> None:
        """Set what follows from the classes of a schema that was loaded."""
        labels = self.schema_.classes or ()
        self._tell_classes(labels)
        self._factors(labels, np.ones(len(labels)))  # refuses what fit would refuse

    def _factors(
        self, labels: tuple[Level, ...], totals: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what class weights and priors multiply the weights of each class by."""
        factors = class_factors(self.class_weight, labels, totals)
        if self.priors is not None:
            factors = factors * prior_factors(self.priors, labels, totals * factors)
        return factors
