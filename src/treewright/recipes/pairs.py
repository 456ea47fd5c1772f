"""Greedy trees with pairs of conditions near the root."""

from __future__ import annotations

from typing import Any

from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.recipes.parts import makes, tree_for
from treewright.splits import Pairs

__all__ = ["cart_alpha"]


@makes(split=("alpha", "functions"))
def cart_alpha(
    max_depth: int | None = 3,
    alpha: int = 1,
    *,
    functions: int = 3,
    task: str = "classification",
    **parameters: Any,
) -> TreeClassifier | TreeRegressor:
    """Return CART-alpha: CART that may join two conditions by and, or, xor in its first levels.

    The greedy twin of optimal trees with such pairs. As in the paper it is not pruned, and grows as
    deep as it may while a split gains anything.

    Parameters
    ----------
    max_depth : int or None, default 3
        Levels of splits.
    alpha : int, default 1
        Levels from the root on that may have pairs; 0 is CART of limited depth.
    functions : {3, 5}, default 3
        5 adds "one and not the other", which the paper does without; see
        :class:`treewright.splits.Pairs`.
    task : {"classification", "regression"}, default "classification"
        What is predicted; the paper has classes only.
    **parameters
        Parameters of the estimator to change.

    Returns
    -------
    TreeClassifier or TreeRegressor
        Not fitted yet.

    References
    ----------
    Mălan (2021), Devising multivariate splits for optimal decision trees, Delft University of
    Technology, sections 4.2 and 5.3.

    Examples
    --------
    >>> table = {"left": [0, 0, 1, 1], "right": [0, 1, 0, 1], "noise": [0, 0, 0, 1]}
    >>> for alpha in (0, 1):
    ...     model = cart_alpha(2, alpha).fit(table, ["no", "yes", "yes", "no"])
    ...     print(model.score(table, ["no", "yes", "yes", "no"]), model.tree_.n_leaves)
    0.75 3
    1.0 2
    """
    settings: dict[str, Any] = {
        "split": Pairs(alpha, functions=functions),
        "max_depth": max_depth,
        "readable": False,
    }
    return tree_for("cart_alpha", task, {**settings, **parameters})
