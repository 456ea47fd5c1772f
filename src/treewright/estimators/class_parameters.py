"""What classifiers that grow share: how class weights, priors and costs reach the core."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.estimators.class_weights import ClassWeights
from treewright.estimators.options import GrowthParameters
from treewright.estimators.targets import ClassTarget
from treewright.estimators.weights import altered_priors, check_total, totals_by_class
from treewright.measures import CLASS_MEASURES
from treewright.schema import Level

__all__ = ["ClassParameters"]


class ClassParameters(ClassWeights, GrowthParameters):
    """Common part of the estimators that grow trees for classes."""

    _checks: ClassVar[dict[str, Check]] = {
        **GrowthParameters._checks,
        "criterion": choice(*CLASS_MEASURES),
        **ClassWeights._checks,
        "cost_in_split": choice("priors", "gini", "none"),
    }

    cost_in_split: str

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if (
            self.cost_matrix is not None
            and self.cost_in_split == "gini"
            and self.criterion != "gini"
        ):
            raise ValueError(
                f"The 'cost_in_split' parameter of {type(self).__name__} may be 'gini' with "
                f"criterion='gini' only. Got criterion={self.criterion!r}; use "
                "cost_in_split='priors'."
            )

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

    def _options(self, n_rows: int, total_weight: float) -> _core.GrowOptions:
        options = super()._options(n_rows, total_weight)
        if self._cost is not None:
            options.cost = self._cost.ravel().tolist()
            if self.cost_in_split == "gini":
                options.measure = "cost_gini"
                options.measure_cost = options.cost
        return options
