"""Published systems as ready-made estimators.

Each function returns an ordinary estimator with the settings of the system it is named after;
further keyword arguments change or add parameters. Thresholds are the system's own
(``readable=False``), so that a tree can be laid beside the original.
"""

from __future__ import annotations

from typing import Any

from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.splits import Axis

__all__ = ["c45", "cart", "id3"]


def id3(**parameters: Any) -> TreeClassifier:
    r"""Return ID3: information gain, one branch a level, grown to the end.

    ID3 knows categorical columns only; numeric ones are cut in two here. As in textbooks it splits
    even where nothing is gained, until rows agree or columns run out.

    Parameters
    ----------
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1986), Induction of decision trees, *Machine Learning* 1.

    Examples
    --------
    >>> table = {"wind": ["weak", "strong", "weak"], "sky": ["sun", "sun", "rain"]}
    >>> print("\n".join(id3().fit(table, ["play", "stay", "play"]).rules()))
    if wind is strong then stay (100 %, 1 row)
    if wind is weak then play (100 %, 2 rows)
    """
    settings: dict[str, Any] = {
        "measure": "entropy",
        "categorical": "multiway",
        "zero_gain": True,
        "missing": "fraction",
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


def c45(**parameters: Any) -> TreeClassifier:
    """Return C4.5 (release 8) as it grows trees: gain ratio, fractional rows, no pruning yet.

    Parameters
    ----------
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*; Quinlan (1996), Improved use of
    continuous attributes in C4.5, *Journal of Artificial Intelligence Research* 4.
    """
    settings: dict[str, Any] = {
        "split": Axis(rules="c45"),
        "measure": "entropy",
        "gain": "ratio",
        "categorical": "multiway",
        "missing": "fraction",
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "collapse": True,
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


def cart(*, task: str = "classification", **parameters: Any) -> TreeClassifier | TreeRegressor:
    """Return CART: Gini or squared error, two-way tests, surrogates; no pruning yet.

    Parameters
    ----------
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    **parameters
        Parameters of the estimator to change.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*. The limits of
    20 rows for a split and 7 for a leaf, and depth 30, are those of the R package rpart.
    """
    settings: dict[str, Any] = {
        "categorical": "subset",
        "missing": "surrogate",
        "min_samples_split": 20,
        "min_samples_leaf": 7,
        "max_depth": 30,
        "readable": False,
    }
    if task == "classification":
        return TreeClassifier(**{**settings, **parameters})
    if task == "regression":
        return TreeRegressor(**{**settings, **parameters})
    raise ValueError(
        f"The 'task' parameter of cart must be 'classification' or 'regression'. Got {task!r}."
    )
