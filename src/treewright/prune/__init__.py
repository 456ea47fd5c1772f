"""Pruning: from a full tree to a smaller one, or to a path of smaller ones.

Each file is one pruner: a function from a Tree to a Tree (or to a Path) that works on trees from
any split method, and an object with parameters that estimators take as `prune`.
"""

from treewright.exceptions import brief
from treewright.prune.base import Growth, Pruner
from treewright.prune.cost_complexity import CostComplexity, cost_complexity_path
from treewright.prune.critical_value import CriticalValue, critical_value
from treewright.prune.description_length import DescriptionLength, description_length
from treewright.prune.error_based import ErrorBased, error_based, estimated_errors
from treewright.prune.folds import balanced_folds, balanced_part, count_folds
from treewright.prune.held_out import choose_by_standard_errors, standard_errors
from treewright.prune.honest import Honest
from treewright.prune.merge import merge_siblings
from treewright.prune.path import Path, PathEntry
from treewright.prune.reduced_error import ReducedError, reduced_error
from treewright.prune.sequence import SequenceEntry, TreeSequence
from treewright.prune.simplify import simplify
from treewright.prune.squeeze import Squeeze, squeeze_path
from treewright.prune.trim import Trim, trim_path, trim_steps

__all__ = [
    "PRUNERS",
    "CostComplexity",
    "CriticalValue",
    "DescriptionLength",
    "ErrorBased",
    "Growth",
    "Honest",
    "Path",
    "PathEntry",
    "Pruner",
    "ReducedError",
    "SequenceEntry",
    "Squeeze",
    "TreeSequence",
    "Trim",
    "as_pruner",
    "balanced_folds",
    "balanced_part",
    "choose_by_standard_errors",
    "cost_complexity_path",
    "count_folds",
    "critical_value",
    "description_length",
    "error_based",
    "estimated_errors",
    "merge_siblings",
    "reduced_error",
    "simplify",
    "squeeze_path",
    "standard_errors",
    "trim_path",
    "trim_steps",
]

# By the names estimators know them; `Honest` is one around another and has no name.
PRUNERS: dict[str, type[Pruner]] = {
    "cost_complexity": CostComplexity,
    "reduced_error": ReducedError,
    "error_based": ErrorBased,
    "mdl": DescriptionLength,
    "critical_value": CriticalValue,
    "trim": Trim,
    "squeeze": Squeeze,
}


def as_pruner(prune: str | Pruner | None) -> Pruner | None:
    """Return the pruner that a `prune` parameter means.

    Parameters
    ----------
    prune : str, Pruner or None
        The name of a pruner, a pruner, or None for no pruning.

    Returns
    -------
    Pruner or None
        The pruner.

    Raises
    ------
    ValueError
        If there is no pruner of that name.
    """
    if prune is None or isinstance(prune, Pruner):
        return prune
    if prune not in PRUNERS:
        raise ValueError(f"There is no pruner {brief(prune)}; there are {', '.join(PRUNERS)}.")
    return PRUNERS[prune]()
