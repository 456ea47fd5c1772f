"""Honest leaves: the rows that choose a tree do not also say what its leaves predict.

A leaf was made because its rows agree, so their class probabilities are too good. Here a part of
the rows is held out of growth and pruning, and all statistics and predictions of the finished tree
are computed from this part alone (Athey and Imbens 2016, *PNAS* 113).
"""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, fraction
from treewright.prune.base import Growth, Pruner
from treewright.prune.folds import hold_out
from treewright.prune.path import Path
from treewright.prune.sequence import TreeSequence
from treewright.tree import Tree

__all__ = ["Honest"]


class Honest(Pruner):
    """Grow and prune on a part of the rows, and let the others alone make the predictions.

    Parameters
    ----------
    fraction : float, default 0.5
        Proportion of the rows that is held out and then makes the predictions. Change it when
        growth needs more rows (lower it) or probabilities must be steadier (raise it).
    pruner : None, str or Pruner, default None
        How the tree is pruned on the rows it is grown on, as an estimator's `prune`. Change it when
        the tree shall be smaller.

    See Also
    --------
    treewright.prune.CostComplexity : The pruner to start with.

    Notes
    -----
    A leaf that no held-out row reaches predicts what its parent does.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.prune import Honest
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier(prune=Honest(0.4, "cost_complexity")).fit(X, y)
    >>> int(model.tree_.node(0).rows)
    60
    """

    _checks: ClassVar[dict[str, Check]] = {
        "fraction": fraction(),
        "pruner": Check(
            "None, the name of a pruner or a Pruner other than Honest",
            lambda value: (
                value is None or (isinstance(value, str | Pruner) and not isinstance(value, Honest))
            ),
        ),
    }

    def __init__(self, fraction: float = 0.5, pruner: str | Pruner | None = None) -> None:
        self.fraction = fraction
        self.pruner = pruner

    @property
    def parts(self) -> tuple[Pruner, ...]:
        """The pruner that prunes on the rows the tree is grown on, if any."""
        from treewright.prune import as_pruner  # which knows this class

        inner = as_pruner(self.pruner)
        return () if inner is None else (inner,)

    def check(self) -> None:
        """Refuse a parameter of a wrong value, here and in the pruner."""
        super().check()
        for inner in self.parts:
            inner.check()

    def n_growths(self, n_rows: int) -> int:
        """Return how many trees are grown at most, which is for the pruner to say.

        Parameters
        ----------
        n_rows : int
            Number of rows of the fit.
        """
        return max((inner.n_growths(n_rows) for inner in self.parts), default=1)

    @property
    def keeps_nodes(self) -> bool:
        """No: other rows say what leaves predict."""
        return False

    def prune(self, growth: Growth) -> tuple[Tree, Path | TreeSequence | None]:
        """Grow and prune on a part of the rows, and refit on the others.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        rows, held_out = hold_out(self.fraction, growth)
        judged, growth = growth.data(held_out), growth.part(rows)
        tree: Tree
        path: Path | TreeSequence | None
        tree, path = self.parts[0].prune(growth) if self.parts else (growth.grow(None), None)

        def refitted(one: Tree) -> Tree:
            by_median = growth.measure.predicts_medians
            return Tree(_core.refit(one.core, *judged, by_median), one.schema)

        return refitted(tree), None if path is None else path.mapped(refitted)
