"""What becomes of an estimator of optimal trees: fitted by a search, or loaded."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from treewright.estimators.fitted import FittedTree
from treewright.estimators.objectives import Objective
from treewright.estimators.search_options import SearchOptions
from treewright.estimators.training import TrainingRows
from treewright.estimators.tuned_search import find_tuned_tree
from treewright.estimators.tuning import as_tuning
from treewright.exceptions import NotProvenWarning
from treewright.optimal import Certificate
from treewright.optimal.certificate import ending_of
from treewright.optimal.found import Found
from treewright.optimal.front import front_of
from treewright.optimal.goals import Goal
from treewright.tree import Tree

__all__ = ["fit", "restore"]

_SMALL_GAP = 1e-3  # by rounding; the certificate says it, no warning does


def fit(
    model: FittedTree, rows: TrainingRows, goal: Goal, objective: Objective, began: float
) -> None:
    """Search for the tree of some rows and give it to an estimator; warn where it is not proven."""
    options = SearchOptions.of(model)
    model.__dict__.pop("tuning_", None)
    if options.tune is None:
        found = objective.find(rows, goal, options, began)
    else:
        tuning = as_tuning(options.tune)
        found, model.tuning_ = find_tuned_tree(rows, goal, options, tuning, began)
    _take(model, objective.certified(found, rows, goal, options))


def _take(model: FittedTree, found: Found) -> None:
    """Give an estimator the tree that was found, and warn where it is not proven."""
    model.tree_, model.certificate_ = found.tree, found.certificate
    model._set_path(found.front)
    certificate = found.certificate
    if not (certificate.is_complete and certificate.gap <= _SMALL_GAP):
        is_limit = ending_of(certificate.status).is_limit
        mend = f" Raise '{certificate.status}' or lower 'max_depth'." if is_limit else ""
        if certificate.is_complete:
            mend = " Give them fewer digits, or less different sizes."
        warnings.warn(
            f"The tree is not proven to be the best: {certificate.reason} after "
            f"{certificate.seconds:.2g} s. Its objective is {certificate.objective:.6g}, and "
            f"none can go below {certificate.lower_bound:.6g}.{mend}",
            NotProvenWarning,
            stacklevel=6,
        )
    elif not ending_of(found.status_of_size).is_complete:
        warnings.warn(
            "The tree is proven to be the best, but not to be the smallest of those as good: "
            f"{ending_of(found.status_of_size).reason}.",
            NotProvenWarning,
            stacklevel=6,
        )


def restore(
    model: FittedTree, tree: Tree, certificate: Certificate | None, front: Sequence[Tree]
) -> None:
    """Give an estimator a tree that was loaded, and what was proved about it.

    Raises
    ------
    ValueError
        If the trees are not those of a Pareto front.
    """
    sizes = [one.n_leaves for one in front]
    if front and (sizes != sorted(set(sizes)) or tree not in front):
        raise ValueError(
            "The trees of the Pareto front must have more and more leaves, and the tree must be "
            "one of them."
        )
    model.tree_, model.certificate_ = tree, certificate
    model._set_path(front_of(front, tree) if front else None)
    model._take_schema(tree.schema)
