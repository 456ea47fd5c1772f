"""Conditions that greedy trees of other families propose: thresholds, sets of levels, sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from treewright.estimators import Constraints, TreeClassifier, TreeRegressor
from treewright.estimators.options import GrowthOptions
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.estimators.tree_growth import Run, grow_tree
from treewright.predicates import Predicate
from treewright.tree.nodes import predicate_at

__all__ = ["proposed_by_families"]

_OF_SINGLE_COLUMNS = ("axis",)
_OF_SUMS = ("must(2)",)
_LEAVES = 8
_FEW_LEVELS = 2  # of which there are no sets
_SAMPLES = 4


def proposed_by_families(
    rows: TrainingRows,
    *,
    is_classification: bool,
    terms: int,
    min_weight: float,
    seed: int,
    constraints: Constraints | None = None,
    trends: Sequence[int] = (),
) -> list[Predicate]:
    """Grow small trees on the labels themselves, and give their conditions.

    Where there are columns of several levels, trees of bootstrap samples propose further sets of
    these.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    is_classification : bool
        Whether classes are predicted.
    terms : int
        Most terms in a condition.
    min_weight : float
        Least weight of a leaf.
    seed : int
        Of the samples.
    constraints : Constraints or None, default None
        What the trees keep.
    trends : sequence of int, default ()
        The direction in which their predictions may go with each column.

    Returns
    -------
    list of Predicate
        Those with two branches and not more terms.
    """
    limits = {"constraints": constraints, "monotonic_cst": [*trends] or None}
    found = []
    for split in (*_OF_SINGLE_COLUMNS, *(_OF_SUMS if terms > 1 else ())):
        found += _conditions(rows, split, is_classification, min_weight, limits)
    if (rows.schema.n_levels > _FEW_LEVELS).any():
        random = np.random.default_rng(seed)
        n_rows = len(rows.weights)
        for _ in range(_SAMPLES):
            counts = np.bincount(random.integers(n_rows, size=n_rows), minlength=n_rows)
            sample = rows.weighing(rows.weights * counts)
            for split in _OF_SINGLE_COLUMNS:
                found += _conditions(sample, split, is_classification, min_weight, limits)
    return [one for one in found if one.n_branches == 2 and one.n_terms <= terms]


def _conditions(
    rows: TrainingRows,
    split: str,
    is_classification: bool,
    min_weight: float,
    limits: Mapping[str, Any],
) -> list[Predicate]:
    """Give the conditions of one greedy tree, in reading order."""
    fraction = min(min_weight / float(rows.weights.sum()), 0.5)
    options = replace(
        _growth(split, is_classification),
        min_weight_fraction_leaf=fraction,
        **limits,
    )
    target: ClassTarget | NumberTarget
    if is_classification:
        target = ClassTarget(rows.truth, len(rows.labels), rows.weights, rows.weights)
    else:
        target = NumberTarget(rows.truth, rows.weights)
    core = grow_tree(rows, target, options, None, Run(0, None, None, 1)).tree.core
    first, counts = core.first_child.tolist(), core.n_branches.tolist()
    found, pending = [], [0]
    while pending:
        node = pending.pop()
        if counts[node]:
            found.append(predicate_at(core, node))
            pending += range(first[node] + counts[node] - 1, first[node] - 1, -1)
    return found


@cache
def _growth(split: str, is_classification: bool) -> GrowthOptions:
    kind = TreeClassifier if is_classification else TreeRegressor
    return GrowthOptions.of(kind(split=split, max_leaf_nodes=_LEAVES))
