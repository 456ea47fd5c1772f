"""How the classes of a fit are weighed: class weights, priors and costs as one value.

It makes the target that trees learn from. The formulas stand in ``weights``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, anything, choice, none, one_of
from treewright.estimators.abstaining import classes_before_referral
from treewright.estimators.class_settings import ClassWeight, Costs, Priors
from treewright.estimators.targets import ClassTarget
from treewright.estimators.weights import (
    altered_priors,
    check_total,
    class_factors,
    cost_of_classes,
    on_grid,
    totals_by_class,
)
from treewright.measures import MEASURES
from treewright.schema import Level

__all__ = ["CLASS_CHECKS", "ClassWeighting", "check_costs"]

CLASS_CHECKS: dict[str, Check] = {
    "cost_matrix": anything("a matrix, a mapping or a Costs"),
    "class_weight": one_of(
        none(),
        choice("balanced"),
        Check("a mapping", lambda value: isinstance(value, Mapping)),
        Check("a Priors", lambda value: isinstance(value, Priors)),
    ),
}
"""What the parameters of classes may be; whether they fit the classes is seen in `fit`."""


@dataclass(frozen=True)
class ClassWeighting:
    """Class weights or priors, and costs, of the classes of one fit.

    Parameters
    ----------
    labels : tuple
        The classes.
    class_weight : mapping, str, Priors or None
        As classifiers take it.
    cost : ndarray of shape (n_classes, n_classes) or None
        Row the true class, column the predicted one.
    cost_in_split : str
        How costs reach the choice of splits, see :class:`Costs`.
    """

    labels: tuple[Level, ...]
    class_weight: ClassWeight = None
    cost: NDArray[np.float64] | None = None
    cost_in_split: str = "priors"

    @classmethod
    def of(cls, model: Any, labels: tuple[Level, ...]) -> Self:
        """Take the parameters of an estimator for these classes; refuses costs that do not fit."""
        costs, class_weight = model.cost_matrix, model.class_weight
        if costs is None:
            return cls(labels, class_weight)
        if isinstance(costs, Costs):
            cost = cost_of_classes(costs.matrix, labels)
            return cls(labels, class_weight, cost, costs.in_split)
        return cls(labels, class_weight, cost_of_classes(costs, labels))

    @classmethod
    def of_loaded(cls, model: Any) -> Self:
        """Take the parameters of a loaded estimator, and refuse what `fit` would refuse."""
        weighting = cls.of(model, classes_before_referral(model, model.schema_))
        weighting.factors(np.ones(len(weighting.labels)))
        return weighting

    def factors(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the weights of each class are multiplied by, which add up to `totals`."""
        return class_factors(self.class_weight, self.labels, totals)

    def weights(
        self, codes: NDArray[np.int32], case_weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the weights of rows with class weights or priors in them."""
        if self.class_weight is None:
            return case_weights
        factors = self.factors(totals_by_class(codes, case_weights, self.labels))
        return check_total(case_weights * factors[codes], "'class_weight'")

    def target(self, codes: NDArray[np.int32], case_weights: NDArray[np.float64]) -> ClassTarget:
        """Return what trees learn from: rows with their classes, weighed on a grid."""
        totals = totals_by_class(codes, case_weights, self.labels)
        factors = self.factors(totals)
        weights = check_total(case_weights * factors[codes], "'class_weight'")
        weights = on_grid(weights, float((totals * factors).sum()))
        case_weights = on_grid(case_weights, float(totals.sum()))
        altered = None
        if self.cost is not None and self.cost_in_split == "priors":
            altered = altered_priors(self.cost, totals_by_class(codes, weights, self.labels))
        return ClassTarget(codes, len(self.labels), weights, case_weights, altered)

    def in_bag(self, bag: ClassTarget) -> ClassTarget:
        """Return the target of a bag, its classes balanced by itself where that is asked for."""
        if self.class_weight != "balanced_subsample":
            return bag
        factors = self.factors(totals_by_class(bag.codes, bag.case_weights, self.labels))
        return replace(bag, weights=bag.case_weights * factors[bag.codes])

    def put_costs(self, options: _core.GrowOptions) -> None:
        """Tell the core of the costs."""
        if self.cost is not None:
            options.cost = self.cost.ravel().tolist()
            if self.cost_in_split == "gini":
                options.measure = "cost_gini"
                options.measure_cost = options.cost


def check_costs(model: Any) -> None:
    """Refuse costs inside of another index than Gini's.

    Raises
    ------
    ValueError
        With both parameters.
    """
    costs = model.cost_matrix
    takes_costs = MEASURES[model.criterion].with_costs is not None
    if isinstance(costs, Costs) and costs.in_split == "gini" and not takes_costs:
        raise ValueError(
            f"The 'cost_matrix' parameter of {type(model).__name__} may be Costs(in_split='gini') "
            f"with criterion='gini' only. Got criterion={model.criterion!r}; use "
            "in_split='priors'."
        )
