r"""Reduced-error pruning: rows that did not grow the tree decide which splits are worth keeping.

From the leaves up, an inner node becomes a leaf if the held-out rows that come by lose no more
under its own prediction than under the pruned subtree below it (Quinlan 1987). One pass gives the
smallest of the pruned trees with the least held-out loss. Losses are errors, costs where the tree
has a cost matrix, or squared errors.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from treewright import _core
from treewright.base.parameters import Check, boolean, fraction
from treewright.prune.base import Growth, Pruner
from treewright.prune.folds import hold_out
from treewright.prune.path import Path
from treewright.tree import Tree, table_of, target_of

__all__ = ["ReducedError", "reduced_error"]


def reduced_error(
    tree: Tree,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    keep_unseen: bool = False,
    absolute: bool = False,
) -> Tree:
    """Prune where held-out rows lose nothing by it.

    Parameters
    ----------
    tree : Tree
        Any tree.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows that the tree was not grown on.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights.
    keep_unseen : bool, default False
        Keep subtrees that no held-out row reaches; otherwise they go, as nothing speaks for them.
    absolute : bool, default False
        Judge numbers by absolute instead of squared errors.

    Returns
    -------
    Tree
        The pruned tree; its statistics are still those of the rows it was grown on.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> noisy = TreeClassifier().fit([[1], [2], [3], [4], [5], [6]], list("aababb")).tree_
    >>> noisy.n_leaves, reduced_error(noisy, [[1], [3], [4], [6]], list("aabb")).n_leaves
    (4, 2)
    """
    table = table_of(X, tree.schema)
    target = target_of(y, tree.schema, table.n_rows, sample_weight)
    losses, _, stopped, _ = _core.node_losses(tree.core, table, target, absolute_error=absolute)
    core = tree.core
    parent, is_inner = core.parent, core.n_branches > 0
    noise = 1e-12 * abs(float(losses[0]))
    unseen = np.ones(tree.n_nodes, dtype=np.bool_)
    if keep_unseen:
        _, passed = core.decision_paths(table)
        unseen[passed] = False
    best = np.where(is_inner, stopped, losses)
    pruned = np.zeros(tree.n_nodes, dtype=np.bool_)
    for node in range(tree.n_nodes - 1, -1, -1):  # children stand behind their parents
        if is_inner[node] and not (keep_unseen and unseen[node]):
            pruned[node] = losses[node] <= best[node] + noise
            best[node] = min(best[node], losses[node])
        if node > 0:
            best[parent[node]] += best[node]
    return tree.collapse(np.flatnonzero(pruned))


class ReducedError(Pruner):
    """Reduced-error pruning on a held-out part of the rows.

    Parameters
    ----------
    share : float, default 1/3
        Proportion of the rows that is held out of growth.
    refit : bool, default False
        Count all rows again in the pruned tree, so that its leaves predict for all of them.
    keep_unseen : bool, default False
        Keep subtrees that no held-out row reaches.

    See Also
    --------
    reduced_error : The same for a tree that is there.
    CostComplexity : A choice by cross-validation.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> TreeClassifier(prune=ReducedError(), random_state=0).fit(X, y).tree_.n_leaves
    4
    """

    _checks: ClassVar[dict[str, Check]] = {
        "share": fraction(),
        "refit": boolean(),
        "keep_unseen": boolean(),
    }

    def __init__(
        self, *, share: float = 1 / 3, refit: bool = False, keep_unseen: bool = False
    ) -> None:
        self.share = share
        self.refit = refit
        self.keep_unseen = keep_unseen

    @property
    def holds_out(self) -> bool:
        """Whether some rows are held out of growth to choose the tree by."""
        return True

    @property
    def keeps_nodes(self) -> bool:
        """Whether predictions are those of the rows it was grown on."""
        return not self.refit

    def prune(self, growth: Growth) -> tuple[Tree, Path | None]:
        """Grow on one part of the rows, prune by the other.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        rows, held_out = hold_out(self.share, growth)
        absolute = growth.measure.predicts_medians
        tree = reduced_error(
            growth.grow(rows),
            *growth.data(held_out),
            keep_unseen=self.keep_unseen,
            absolute=absolute,
        )
        if self.refit:
            tree = tree.with_core(_core.refit(tree.core, *growth.data(None), absolute))
        return tree, None
