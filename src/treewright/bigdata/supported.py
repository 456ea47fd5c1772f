"""What growth over partitions offers; the rest is refused before anything is read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import UnsupportedError, brief
from treewright.schema import Schema
from treewright.splits import MUST, Axis, FTest
from treewright.splits.base import SplitMethod

__all__ = ["check_supported"]

_MEND = "fit on a sample of the rows, or in memory"
_POLICIES = ("default", "stop")
# What needs the rows themselves, or a reading for each of many steps.
_NOT_OF_MUST = {"multiclass": ("rows", "best_bipartition"), "direction": ("bipartition",)}
_NOT_OF_F_TEST = {
    "selection": ("impurity",),
    "threshold": ("closest", "median"),
    "variant": ("paper",),
}
_NOT_OF_F_TEST_UNDER: dict[str, dict[str, tuple[str, ...]]] = {
    "squared_error": {"threshold": ("class_midpoint",)}
}


def check_supported(
    options: GrowthOptions, schema: Schema, weighting: ClassWeighting | None = None
) -> None:
    """Refuse what cannot be grown from sums over partitions.

    Parameters
    ----------
    options : GrowthOptions
        How a tree shall be grown.
    schema : Schema
        Of the table.
    weighting : ClassWeighting or None, default None
        What errors cost.

    Raises
    ------
    UnsupportedError
        With the parameter and what to do.
    """
    _check_split(options)
    if not _core.has_bound(options.criterion, [], len(schema.classes or ())):
        raise _refused(
            options, "criterion", "'squared_error'", options.criterion, f"choose it, or {_MEND}"
        )
    if options.missing not in _POLICIES:
        raise _refused(
            options, "missing", "'default' or 'stop'", options.missing, f"choose one, or {_MEND}"
        )
    if options.monotonic_cst is not None:
        raise _refused(options, "monotonic_cst", "None", options.monotonic_cst, _MEND)
    if options.constraints is not None:
        raise _refused(options, "constraints", "None", options.constraints, _MEND)
    if options.n_offered(schema.n_columns):
        raise _refused(options, "max_features", "None", options.max_features, _MEND)
    if options.early_stopping is not None:
        raise _refused(
            options, "growth_rules", "without early stopping", options.rules, f"or {_MEND}"
        )
    if weighting is not None and weighting.cost is not None:
        _check_costs(options, weighting, weighting.cost)


def _check_split(options: GrowthOptions) -> None:
    split = options.split
    if isinstance(split, MUST):
        _check_method(options, split, _NOT_OF_MUST)
    elif isinstance(split, FTest):
        _check_method(options, split, _NOT_OF_F_TEST)
        if split.fallback is not None:
            raise _refused(options, "split", "FTest with fallback=None", split, _MEND)
        _check_method(options, split, _NOT_OF_F_TEST_UNDER.get(options.criterion, {}))
    elif not (isinstance(split, Axis) and split.rules == "cart"):
        raise _refused(options, "split", "'axis', MUST or FTest", split, f"choose one, or {_MEND}")


def _check_method(
    options: GrowthOptions, split: SplitMethod, refused: Mapping[str, tuple[str, ...]]
) -> None:
    for name, values in refused.items():
        given = getattr(split, name)
        if given in values:
            allowed = f"{type(split).__name__} with another {name!r} than {given!r}"
            raise _refused(options, "split", allowed, split, f"choose one, or {_MEND}")


def _check_costs(
    options: GrowthOptions, weighting: ClassWeighting, cost: NDArray[np.float64]
) -> None:
    if weighting.cost_in_split == "priors":
        raise _refused(
            options,
            "cost_matrix",
            "Costs(..., in_split='none')",
            "in_split='priors'",
            f"choose that, give class weights, or {_MEND}",
        )
    core = _core.GrowOptions()
    weighting.put_costs(core)
    in_measure = core.measure_cost
    if in_measure and not _core.has_bound("cost_gini", in_measure, len(weighting.labels)):
        raise _refused(
            options,
            "cost_matrix",
            "costs under which no split adds impurity (each as dear as any detour at most)",
            cost.tolist(),
            f"use Costs(..., in_split='none'), or {_MEND}",
        )


def _refused(
    options: GrowthOptions, name: str, allowed: str, given: object, mend: str
) -> UnsupportedError:
    return UnsupportedError(
        f"The {name!r} parameter of {options.owner} must be {allowed} to fit a table beyond "
        f"memory. Got {brief(given)}; {mend}."
    )
