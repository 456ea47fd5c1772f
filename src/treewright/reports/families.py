"""The families of trees that a report sets side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright import recipes
from treewright.estimators import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.prune import CostComplexity
from treewright.reports.settings import Method, Settings

__all__ = ["FOLDS", "SEARCH_DEPTH", "Family", "families", "grower", "searcher"]

FOLDS = 10
SEARCH_DEPTH = 3
_ROWS_A_LEAF = 5  # a share in a leaf of fewer rows means nothing
_MOST_LEAVES_GROWN = 20_000

_COUNTS = {2: "two", 3: "three"}


@dataclass(frozen=True)
class Family:
    """Trees whose questions look alike.

    Attributes
    ----------
    method : {"cart", "must", "optimal"}
        How they are found.
    key, name, words : str
        As of :class:`treewright.page.Model`.
    """

    method: Method
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
        Numeric columns; sums need two at least.

    Returns
    -------
    sequence of Family
        Three, or two where no sums can be made.
    """
    count = _COUNTS[settings.features]
    known = [
        Family(
            "cart",
            "cart",
            "One column a question",
            "Each question asks for one column. Grown to the end and cut back by "
            "cross-validation (CART).",
        ),
        Family(
            "must",
            f"must{settings.features}",
            f"Sums of {count} columns",
            f"A question may weigh up to {count} numeric columns in a sum; one question then does "
            "the work of several. Cut back by cross-validation (MUST).",
        ),
        Family(
            "optimal",
            "optimal",
            f"The best tree of depth {SEARCH_DEPTH}",
            f"The best tree on the training rows among all with at most {SEARCH_DEPTH} questions "
            "on the way to an answer, found by search instead of question by question.",
        ),
    ]
    usable = [one for one in known if one.method != "must" or n_numbers > 1]
    return sorted(usable, key=lambda one: one.method != settings.method)


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
        CART or MUST.
    task : {"classification", "regression"}
        What is predicted.
    settings : Settings
        Features and seed.
    n_rows : int
        Rows it will be grown on: a leaf of a table with a million rows has more of them.
    costs : dict or None
        What answers cost, as ``cost_matrix`` takes it.
    **parameters
        Parameters of the estimator to change.
    """
    common: dict[str, Any] = {
        "missing": "default",
        "readable": True,
        "min_samples_leaf": fewest_rows(n_rows),
        "prune": CostComplexity(folds=FOLDS, n_jobs=-1),
        "random_state": settings.seed,
        **({} if costs is None else {"cost_matrix": costs}),
        **parameters,
    }
    if family.method == "must":
        return recipes.must(settings.features, task=task, **common)
    return recipes.cart(task=task, **common)


def searcher(
    task: str, n_rows: int, *, costs: dict[Any, dict[Any, float]] | None, **parameters: Any
) -> Any:
    """Return an estimator that searches for the best tree of every size, not fitted yet.

    Parameters
    ----------
    task : {"classification", "regression"}
        What is predicted.
    n_rows : int
        Rows it will be grown on.
    costs : dict or None
        What answers cost, as ``cost_matrix`` takes it.
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
    if task == "classification":
        return OptimalTreeClassifier(SEARCH_DEPTH, **common)
    return OptimalTreeRegressor(SEARCH_DEPTH, **common)


def fewest_rows(n_rows: int) -> int:
    """Return how many rows a leaf needs: 5 in general, fewer where there are few rows."""
    return max(1, min(_ROWS_A_LEAF, n_rows // 20), n_rows // _MOST_LEAVES_GROWN)
