"""Trees that no other of their size does better than: for either task, and as MurTree has them."""

from __future__ import annotations

from typing import Any

from treewright.estimators import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.recipes.parts import by_task

__all__ = ["murtree", "optimal_tree"]


def optimal_tree(
    max_depth: int | None = 3, *, task: str = "classification", **parameters: Any
) -> OptimalTreeClassifier | OptimalTreeRegressor:
    """Return the search for the best of all trees of a depth, for either task.

    Parameters
    ----------
    max_depth : int or None, default 3
        Most splits on a path; None, for any depth, needs a `penalty`.
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    **parameters
        Parameters of :class:`treewright.OptimalTreeClassifier` or
        :class:`treewright.OptimalTreeRegressor` to change.

    Returns
    -------
    OptimalTreeClassifier or OptimalTreeRegressor
        Not fitted yet.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = optimal_tree(max_depth=2).fit(X, y)
    >>> model.tree_.n_leaves, model.certificate_.proven
    (4, True)
    """
    estimator = by_task("optimal_tree", task, OptimalTreeClassifier, OptimalTreeRegressor)
    return estimator(max_depth, **parameters)


def murtree(max_depth: int = 3, alpha: int = 1, **parameters: Any) -> OptimalTreeClassifier:
    r"""Return MurTree-alpha: fewest training errors, with pairs of conditions in the first levels.

    MurTree itself is ``alpha=0``. The published systems take columns of zeros and ones only; here
    all columns are taken, and thresholds are rounded.

    Parameters
    ----------
    max_depth : int, default 3
        Most splits on a path.
    alpha : int, default 1
        Levels, from the root on, in which two conditions may be joined by and, or, xor; at most two
        less than `max_depth`.
    **parameters
        Parameters of :class:`treewright.OptimalTreeClassifier` to change.

    Returns
    -------
    OptimalTreeClassifier
        Not fitted yet.

    References
    ----------
    Demirović, Lukina, Hebrard, Chan, Bailey, Leckie, Ramamohanarao, Stuckey (2022), MurTree:
    optimal decision trees via dynamic programming and search, *Journal of Machine Learning
    Research* 23; Mălan (2021), *Devising multivariate splits for optimal decision trees*, Delft
    University of Technology.

    Examples
    --------
    >>> table = {"a": [0, 0, 1, 1, 0, 1], "b": [0, 1, 0, 1, 0, 1], "c": [0, 1, 1, 0, 1, 1]}
    >>> model = murtree(max_depth=3, max_nodes=1).fit(table, [0, 1, 1, 0, 0, 0])
    >>> print("\n".join(model.rules()))
    if exactly one of (a <= 0) and (b <= 0) then 1 (100 %, 2 rows)
    if both or neither of (a <= 0) and (b <= 0) then 0 (100 %, 4 rows)
    """
    return OptimalTreeClassifier(max_depth, pair_levels=alpha, **parameters)
