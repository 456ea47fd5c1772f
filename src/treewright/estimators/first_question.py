"""The first question of a greedy tree, found again on other rows to see whether it stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from treewright.schema import take_rows
from treewright.tree import Tree

__all__ = ["first_question"]

_FEWEST_ROWS = 20  # to say anything about other rows


def first_question(
    model: Any, X: Any, y: Any, truth: NDArray[Any]
) -> Callable[[NDArray[np.intp]], Tree] | None:
    """Return what grows the first question of a model on some rows, by their positions.

    Parameters
    ----------
    model : TreeClassifier or TreeRegressor
        The fitted model.
    X, y
        Rows and their classes or numbers.
    truth : ndarray
        Positions of the classes, or the numbers.

    Returns
    -------
    callable or None
        None where it cannot be grown as the model was: with weights of rows, which nobody kept, or
        if a class is absent that costs may speak of; and where there are hardly any rows.
    """
    tree: Tree = model.tree_
    is_weighted = tree.node_weights[0] != tree.core.rows[0]
    if len(truth) < _FEWEST_ROWS or (is_weighted and getattr(model, "class_weight", None) is None):
        return None
    one_of_each: NDArray[np.intp] = np.empty(0, dtype=np.intp)
    if is_classifier(model):
        one_of_each = np.unique(truth, return_index=True)[1]
        if len(one_of_each) < len(model.classes_):
            return None
    stump = clone(model).set_params(max_depth=1, prune=None, progress=None)
    if stump.growth_rules is not None:
        stump.growth_rules.set_params(early_stopping=None)

    def grow(rows: NDArray[np.intp]) -> Tree:
        if len(np.unique(truth[rows])) < len(one_of_each):
            rows = np.append(rows, one_of_each)
        grown: Tree = clone(stump).fit(take_rows(X, rows), take_rows(y, rows)).tree_
        return grown

    return grow
