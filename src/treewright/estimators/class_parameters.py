"""What classifiers share: class weights, priors and costs, and how they reach the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright import _core
from treewright.estimators.options import GrowthParameters
from treewright.estimators.targets import ClassTarget
from treewright.estimators.weights import (
    altered_priors,
    check_total,
    class_factors,
    cost_of_classes,
    prior_factors,
    totals_by_class,
)
from treewright.measures import CLASS_MEASURES
from treewright.parameters import Check, anything, choice, none, one_of
from treewright.schema import Level

__all__ = ["ClassParameters"]


class ClassParameters(GrowthParameters):
    """Common part of the estimators that grow trees for classes."""

    classes_: NDArray[Any]

    _cost: NDArray[np.float64] | None

    _checks: ClassVar[dict[str, Check]] = {
        **GrowthParameters._checks,
        "measure": choice(*CLASS_MEASURES),
        "cost_matrix": anything("a matrix or a mapping"),
        "priors": anything("numbers or a mapping"),
        "class_weight": one_of(
            none(),
            choice("balanced"),
            Check("a mapping", lambda value: isinstance(value, Mapping)),
        ),
        "cost_in_split": choice("priors", "gini", "none"),
    }

    cost_matrix: ArrayLike | Mapping[Any, Mapping[Any, float]] | None
    class_weight: Mapping[Any, float] | str | None
    priors: ArrayLike | Mapping[Any, float] | None
    cost_in_split: str

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.cost_matrix is not None and self.cost_in_split == "gini" and self.measure != "gini":
            raise ValueError(
                f"The 'cost_in_split' parameter of {type(self).__name__} may be 'gini' with "
                f"measure='gini' only. Got measure={self.measure!r}; use cost_in_split='priors'."
            )

    def _tell_classes(self, labels: tuple[Level, ...]) -> None:
        """Set what follows from the classes."""
        self.schema_ = self.schema_.with_target(self.schema_.target, labels)
        self.classes_ = np.array(labels)
        self._cost = None if self.cost_matrix is None else cost_of_classes(self.cost_matrix, labels)

    def _restore_classes(self) -> None:
        """Set what follows from the classes of a schema that was loaded."""
        labels = self.schema_.classes or ()
        self._tell_classes(labels)
        self._factors(labels, np.ones(len(labels)))  # refuses what fit would refuse

    def _class_target(
        self, codes: NDArray[np.int32], labels: tuple[Level, ...], case_weights: NDArray[np.float64]
    ) -> ClassTarget:
        """Weigh the rows by their classes; `_tell_classes` comes before."""
        factors = self._factors(labels, totals_by_class(codes, case_weights, labels))
        weights = check_total(case_weights * factors[codes], "'class_weight' and 'priors'")
        altered = None
        if self._cost is not None and self.cost_in_split == "priors":
            altered = altered_priors(self._cost, totals_by_class(codes, weights, labels))
        return ClassTarget(codes, len(labels), weights, case_weights, altered)

    def _factors(
        self, labels: tuple[Level, ...], totals: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what class weights and priors multiply the weights of each class by."""
        factors = class_factors(self.class_weight, labels, totals)
        if self.priors is not None:
            factors = factors * prior_factors(self.priors, labels, totals * factors)
        return factors

    def _options(self, n_rows: int, total_weight: float) -> _core.GrowOptions:
        options = super()._options(n_rows, total_weight)
        if self._cost is not None:
            options.cost = self._cost.ravel().tolist()
            if self.cost_in_split == "gini":
                options.measure = "cost_gini"
                options.measure_cost = options.cost
        return options
