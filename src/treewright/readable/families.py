"""Conditions that greedy trees of other families propose: thresholds, sets of levels, sums."""

from __future__ import annotations

from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.estimators.options import GrowthOptions
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.estimators.tree_growth import Run, grow_tree
from treewright.predicates import Predicate

__all__ = ["proposed_by_families"]

_OF_SINGLE_COLUMNS = ("axis",)
_OF_SUMS = ("must(2)",)
_LEAVES = 8


def proposed_by_families(
    rows: TrainingRows, *, is_classification: bool, terms: int, min_weight: float
) -> list[Predicate]:
    """Grow small trees on the labels themselves, and give their conditions.

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

    Returns
    -------
    list of Predicate
        Those with two branches and not more terms.
    """
    found = []
    total = float(rows.weights.sum())
    for split in (*_OF_SINGLE_COLUMNS, *(_OF_SUMS if terms > 1 else ())):
        settings = {
            "split": split,
            "max_leaf_nodes": _LEAVES,
            "min_weight_fraction_leaf": min(min_weight / total, 0.5),
        }
        target: ClassTarget | NumberTarget
        if is_classification:
            options = GrowthOptions.of(TreeClassifier(**settings))
            target = ClassTarget(rows.truth, len(rows.labels), rows.weights, rows.weights)
        else:
            options = GrowthOptions.of(TreeRegressor(**settings))
            target = NumberTarget(rows.truth, rows.weights)
        tree = grow_tree(rows, target, options, None, Run(0, None, None, 1)).tree
        found += [node.predicate for node in tree.walk() if node.predicate is not None]
    return [one for one in found if one.n_branches == 2 and one.n_terms <= terms]
