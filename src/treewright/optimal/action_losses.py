"""What every action costs in every leaf: means with standard errors, for who decides.

With weights w, losses l and W = sum w of the rows of a leaf:

    mean            sum w l / W
    standard error  sqrt(sum w l^2 - (sum w l)^2 / W) / W
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.prune.path import aligned
from treewright.schema import Level
from treewright.tree import Tree

__all__ = ["ActionLosses"]

Numbers = NDArray[np.float64]

_ROUNDING = 1e-12  # of a loss: a deviation from the mean that is no more is none


@dataclass(frozen=True, eq=False)
class ActionLosses:
    """Mean loss of each action in each leaf, on the training rows.

    Parameters
    ----------
    actions : tuple
        The actions, in the order of `classes_`.
    leaves : ndarray of int
        Ids of the leaves.
    decisions : ndarray of int
        Position of the action that each leaf takes.
    rows : ndarray of int
        Training rows of each leaf.
    means, standard_errors : ndarray of shape (n_leaves, n_actions)
        Mean loss of each action, and its standard error.
    mean_loss : float
        Mean loss of the decisions of the tree over all rows.
    mean_losses : ndarray of shape (n_actions,)
        Mean loss of each action, were it taken for all rows.

    See Also
    --------
    treewright.OptimalTreeClassifier : Has one as ``action_losses_`` after ``fit(X, losses=...)``.
    treewright.TreeClassifier : Has one, too.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> age = {"age": [20, 25, 30, 60, 65, 70]}
    >>> losses = {"call": [1, 2, 1, 5, 6, 4], "letter": [4, 3, 3, 2, 1, 2]}
    >>> model = OptimalTreeClassifier(1).fit(age, losses=losses)
    >>> print(model.action_losses_)
    leaf  rows  decision   call    +-  letter    +-
       1     3      call  1.333  0.27   3.333  0.27
       2     3    letter      5  0.47   1.667  0.27
    Mean loss 1.5 per row; letter for all rows has 2.5.
    """

    actions: tuple[Level, ...]
    leaves: NDArray[np.intp]
    decisions: NDArray[np.intp]
    rows: NDArray[np.intp]
    means: Numbers
    standard_errors: Numbers
    mean_loss: float
    mean_losses: Numbers

    @classmethod
    def of(cls, tree: Tree, table: _core.Table, losses: Numbers, weights: Numbers) -> Self:
        """Sum up the losses of the rows of a table in the leaves of a tree.

        Parameters
        ----------
        tree : Tree
            A tree whose classes are the actions.
        table : treewright._core.Table
            The rows.
        losses : ndarray of shape (n_rows, n_actions)
            What each action costs each row.
        weights : ndarray of float64
            Weight of each row, above 0.

        Returns
        -------
        ActionLosses
            Means and standard errors by leaf.
        """
        core = tree.core
        leaves = np.flatnonzero(core.n_branches == 0)
        place = np.searchsorted(leaves, core.apply(table))
        total = np.bincount(place, weights, len(leaves)).astype(np.float64)
        sums = _by_leaf(place, weights[:, None] * losses, len(leaves))
        means = sums / total[:, None]
        deviations = losses - means[place]
        deviations[np.abs(deviations) < _ROUNDING * np.abs(losses)] = 0.0
        squares = _by_leaf(place, weights[:, None] * deviations**2, len(leaves))
        errors = np.sqrt(squares) / total[:, None]
        decisions = core.value[leaves].astype(np.intp)
        taken = float(sums[np.arange(len(leaves)), decisions].sum())
        return cls(
            tree.schema.classes or (),
            leaves,
            decisions,
            np.bincount(place, minlength=len(leaves)),
            means,
            errors,
            taken / float(total.sum()),
            sums.sum(axis=0) / total.sum(),
        )

    def __str__(self) -> str:
        header = ["leaf", "rows", "decision"]
        for action in self.actions:
            header += [str(action), "+-"]
        lines = [header]
        for place, leaf in enumerate(self.leaves.tolist()):
            decision = str(self.actions[int(self.decisions[place])])
            line = [str(leaf), str(int(self.rows[place])), decision]
            for mean, error in zip(self.means[place], self.standard_errors[place], strict=True):
                line += [f"{mean:.4g}", f"{error:.2g}"]
            lines.append(line)
        return f"{aligned(lines, None)}\n{self.claim}"

    @property
    def claim(self) -> str:
        """The mean loss of the tree beside that of the best single action, as a sentence."""
        best = int(np.argmin(self.mean_losses))
        return (
            f"Mean loss {self.mean_loss:.4g} per row; {self.actions[best]} for all rows has "
            f"{float(self.mean_losses[best]):.4g}."
        )


def _by_leaf(place: NDArray[np.intp], values: Numbers, n_leaves: int) -> Numbers:
    """Sum rows by leaf, for each column."""
    return np.stack([np.bincount(place, column, n_leaves) for column in values.T], axis=1)
