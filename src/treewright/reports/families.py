"""The families of trees that a report sets side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright.methods import make, takes_features
from treewright.prune import CostComplexity
from treewright.reports.settings import METHODS, Settings
from treewright.splits import Card

__all__ = ["FOLDS", "SEARCH_DEPTH", "Family", "families", "finder", "grower", "searcher"]

FOLDS, _FEWER_FOLDS = 10, 5
_MANY_ROWS = 5000  # of which fewer folds say as much
SEARCH_DEPTH = 3
_ROWS_A_LEAF = 5  # a proportion in a leaf of fewer rows means nothing
_MOST_LEAVES_GROWN = 20_000

_COUNTS = {2: "two", 3: "three"}


@dataclass(frozen=True)
class Family:
    """Trees whose questions look alike.

    Attributes
    ----------
    card : Card
        How they are found.
    key, name, words : str
        As of :class:`treewright.page.Model`.
    """

    card: Card
    key: str
    name: str
    words: str


def families(settings: Settings, n_numbers: int) -> Sequence[Family]:
    """List the families of a report, the recommended one first.

    Parameters
    ----------
    settings : Settings
        What the user chose.
    n_numbers : int
        Numeric columns; linear combinations need two at least.

    Returns
    -------
    sequence of Family
        Four, or three where MUST has no linear combinations to make.
    """
    filled = {"columns": _COUNTS[settings.features], "depth": SEARCH_DEPTH}
    known = []
    for name, card in METHODS.items():
        words, in_sums = card.report, takes_features(card) and not card.estimators
        if words is not None and (not in_sums or n_numbers > 1):
            key = f"{name}{settings.features}" if in_sums else name
            known.append(
                Family(card, key, words.name.format(**filled), words.sentence.format(**filled))
            )
    return sorted(known, key=lambda one: one.card.name != settings.method)


def finder(
    family: Family,
    task: str,
    settings: Settings,
    n_rows: int,
    *,
    costs: dict[Any, dict[Any, float]] | None,
    **parameters: Any,
) -> Any:
    """Return an estimator that finds the best readable tree, not fitted yet.

    Parameters
    ----------
    family : Family
        That of readable trees.
    task : {"classification", "regression"}
        What is predicted.
    settings : Settings
        Seed and most leaves; more than a readable tree has by default are not asked for.
    n_rows : int
        Rows it will be found for.
    costs : dict or None
        Misclassification costs, as ``cost_matrix`` takes them.
    **parameters
        Parameters of the estimator to change.
    """
    common: dict[str, Any] = {
        "min_samples_leaf": fewest_rows(n_rows),
        "n_jobs": -1,
        "random_state": settings.seed,
        **({} if costs is None else {"cost_matrix": costs}),
        **parameters,
    }
    model = make(family.card, task, **common)
    return model.set_params(max_leaf_nodes=min(model.max_leaf_nodes, settings.max_leaves))


def grower(
    family: Family,
    task: str,
    settings: Settings,
    n_rows: int,
    *,
    costs: dict[Any, dict[Any, float]] | None,
    **parameters: Any,
) -> Any:
    """Return an estimator that grows trees of a family, not fitted yet.

    Parameters
    ----------
    family : Family
        One that is grown.
    task : {"classification", "regression"}
        What is predicted.
    settings : Settings
        Features and seed.
    n_rows : int
        Rows it will be grown on: a leaf of a table with a million rows has more of them.
    costs : dict or None
        Misclassification costs, as ``cost_matrix`` takes them.
    **parameters
        Parameters of the estimator to change.
    """
    common: dict[str, Any] = {
        "missing": "default",
        "readable": True,
        "min_samples_leaf": fewest_rows(n_rows),
        "prune": CostComplexity(folds=FOLDS if n_rows < _MANY_ROWS else _FEWER_FOLDS, n_jobs=-1),
        "random_state": settings.seed,
        **({} if costs is None else {"cost_matrix": costs}),
        **parameters,
    }
    if takes_features(family.card):
        common["features"] = settings.features
    return make(family.card, task, **common)


def searcher(
    family: Family,
    task: str,
    n_rows: int,
    *,
    costs: dict[Any, dict[Any, float]] | None,
    **parameters: Any,
) -> Any:
    """Return an estimator that searches for the best tree of every size, not fitted yet.

    Parameters
    ----------
    family : Family
        One that is searched for.
    task : {"classification", "regression"}
        What is predicted.
    n_rows : int
        Rows it will be grown on.
    costs : dict or None
        Misclassification costs, as ``cost_matrix`` takes them.
    **parameters
        Parameters of the estimator to change.
    """
    common: dict[str, Any] = {
        "front": True,
        "refine": 0,  # further rounds gain little, and need not end in time
        "min_samples_leaf": fewest_rows(n_rows),
        "n_jobs": -1,
        **({} if costs is None else {"cost_matrix": costs}),
        **parameters,
    }
    return make(family.card, task, max_depth=SEARCH_DEPTH, **common)


def fewest_rows(n_rows: int) -> int:
    """Return how many rows each leaf needs: 5 in general, fewer where there are few rows."""
    return max(1, min(_ROWS_A_LEAF, n_rows // 20), n_rows // _MOST_LEAVES_GROWN)
