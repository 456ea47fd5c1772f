"""TreeSequence: trees on the way from a tree to a simpler one, where each is a tree of its own.

The trees of cost-complexity pruning are nested and fit into one `Path`; those of trimming and
squeezing have other splits, so they are kept as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import number
from treewright.exceptions import brief
from treewright.prune.path import aligned
from treewright.prune.risks import ending_risks, node_risks
from treewright.tree import Tree

__all__ = ["SequenceEntry", "TreeSequence", "entry_of"]


@dataclass(frozen=True)
class SequenceEntry:
    """One tree of a sequence.

    Parameters
    ----------
    tree : Tree
        The tree.
    alpha : float
        Of trimming: the price of a unit of complexity from which on this tree is the best. Of
        squeezing: the proportion of the slopes that is gone.
    complexity : float
        1 and the columns in all splits, or the mean number of columns in the splits on the path to
        each leaf, summed over leaves.
    leaves : int
        Number of leaves.
    reading_effort : float
        Expected number of values a reader looks at per training row.
    risk, relative_risk : float
        What the training rows lose, and its proportion of what the root alone loses.
    cv_risk, cv_standard_error : float or None, default None
        Risk on rows that were held out, where it was looked at, and its standard error.

    See Also
    --------
    TreeSequence : All trees of a sequence.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> SequenceEntry(tree, 0.0, 2.0, 2, 1.0, 0.0, 0.0).tree.n_leaves
    2
    """

    tree: Tree
    alpha: float
    complexity: float
    leaves: int
    reading_effort: float
    risk: float
    relative_risk: float
    cv_risk: float | None = None
    cv_standard_error: float | None = None


def entry_of(tree: Tree, alpha: float, complexity: float, risk: str) -> SequenceEntry:
    """Sum up a tree."""
    lost, alone = float(ending_risks(tree, risk).sum()), float(node_risks(tree, risk)[0])
    share = lost / alone if alone > 0.0 else 0.0
    return SequenceEntry(tree, alpha, complexity, tree.n_leaves, tree.reading_effort, lost, share)


class TreeSequence(Sequence[SequenceEntry]):
    """Trees of falling complexity, the first one the most complex.

    Parameters
    ----------
    entries : sequence of SequenceEntry
        The trees with their numbers; alphas ascend.
    chosen : int or None, default None
        Position of the tree that was chosen.
    cv_unit : float or None, default None
        What held-out risks are printed as a proportion of: that of the root alone, on the same
        rows.

    See Also
    --------
    Path : Nested trees.
    Trim : Gives such a sequence.
    Squeeze : Gives such a sequence.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True)
    >>> model = recipes.oblique_logistic("oblique", concise=None, prune="trim").fit(X, y)
    >>> print(model.path_)
    alpha  complexity  leaves  effort     risk  relative  held out     +-
        0           6       3    3.67  19.6078      0.06     0.050  0.022  <- chosen
    7.031           5       3    3.00  26.6383      0.08     0.120  0.033
    9.097           3       3    1.67  44.8314      0.14     0.120  0.033
     93.8           2       2    1.00  138.629      0.42     0.510  0.058
      191           1       1    0.00  329.584      1.00     1.000  0.058
    >>> model.path_.at(complexity=5).tree.n_leaves
    3
    """

    def __init__(
        self,
        entries: Sequence[SequenceEntry],
        chosen: int | None = None,
        cv_unit: float | None = None,
    ) -> None:
        self._entries = tuple(entries)
        self.chosen = chosen
        self.cv_unit = cv_unit

    @property
    def alphas(self) -> NDArray[np.float64]:
        """The alpha of each entry, ascending."""
        return np.array([entry.alpha for entry in self._entries])

    @property
    def leaves(self) -> NDArray[np.int64]:
        """Leaves of each tree, falling."""
        return np.array([entry.leaves for entry in self._entries], dtype=np.int64)

    @property
    def cv_risks(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Risks on rows that were held out and their standard errors; None without such rows."""
        risks = [entry.cv_risk for entry in self._entries]
        errors = [entry.cv_standard_error for entry in self._entries]
        if None in risks:
            return None
        return np.array(risks, dtype=np.float64), np.array(errors, dtype=np.float64)

    @property
    def root_risk(self) -> float:
        """The training risk of the root alone."""
        last = self._entries[-1]
        return last.risk / last.relative_risk if last.relative_risk > 0.0 else last.risk

    def with_cross_validation(
        self,
        risk: NDArray[np.float64],
        standard_error: NDArray[np.float64],
        chosen: int,
        unit: float,
    ) -> TreeSequence:
        """Return the sequence with held-out risks and the position of the chosen tree.

        Parameters
        ----------
        risk : ndarray of float64
            Summed loss of the held-out rows under each tree.
        standard_error : ndarray of float64
            Its standard errors.
        chosen : int
            Position of the tree that is chosen.
        unit : float
            What held-out risks are printed relative to: the risk of the root alone.

        Returns
        -------
        TreeSequence
            The sequence with both.
        """
        entries = [
            replace(entry, cv_risk=float(one), cv_standard_error=float(error))
            for entry, one, error in zip(self._entries, risk, standard_error, strict=True)
        ]
        return TreeSequence(entries, chosen, unit)

    def mapped(self, change: Callable[[Tree], Tree]) -> TreeSequence:
        """Return the sequence with something done to every tree.

        Parameters
        ----------
        change : callable
            Makes another tree of a tree.

        Returns
        -------
        TreeSequence
            The changed sequence.
        """
        sequence = copy(self)
        sequence._entries = tuple(
            replace(entry, tree=change(entry.tree)) for entry in self._entries
        )
        return sequence

    def at(
        self,
        *,
        leaves: int | None = None,
        alpha: float | None = None,
        complexity: float | None = None,
    ) -> SequenceEntry:
        """Find a tree by its size, its complexity, or the price of a unit of complexity.

        Parameters
        ----------
        leaves : int, optional
            The first tree with at most so many leaves.
        alpha : float, optional
            The tree that is best when a unit of complexity costs so much.
        complexity : float, optional
            The first tree of at most this complexity.

        Returns
        -------
        SequenceEntry
            The tree with its numbers; the last one if none is as small.

        Raises
        ------
        ValueError
            Unless just one of them is given, and a number in its range.
        """
        given = {"leaves": leaves, "alpha": alpha, "complexity": complexity}
        named = {name: value for name, value in given.items() if value is not None}
        if len(named) != 1:
            raise ValueError(
                "Give either 'leaves', 'alpha' or 'complexity' to say which tree is wanted."
            )
        ((name, value),) = named.items()
        least = 0 if name == "alpha" else 1
        if not number(least).accepts(value):
            raise ValueError(f"The {name!r} must be a number >= {least}. Got {brief(value)}.")
        if name == "alpha":
            return self[max(int(np.searchsorted(self.alphas, value, side="right")) - 1, 0)]
        small = [entry for entry in self if getattr(entry, name) <= value]
        return small[0] if small else self[-1]

    @overload
    def __getitem__(self, index: int) -> SequenceEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SequenceEntry]: ...
    def __getitem__(self, index: int | slice) -> SequenceEntry | Sequence[SequenceEntry]:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        first, last = self[0].complexity, self[-1].complexity
        return f"<TreeSequence: {len(self)} trees, complexity {first:g} to {last:g}>"

    def __str__(self) -> str:
        with_cv = self[0].cv_risk is not None
        header = ["alpha", "complexity", "leaves", "effort", "risk", "relative"]
        rows = [[*header, "held out", "+-"] if with_cv else header]
        for entry in self:
            cells = [
                f"{entry.alpha:.4g}",
                f"{entry.complexity:.4g}",
                str(entry.leaves),
                f"{entry.reading_effort:.2f}",
                f"{entry.risk:.6g}",
                f"{entry.relative_risk:.2f}",
            ]
            if entry.cv_risk is not None and entry.cv_standard_error is not None:
                unit = self.cv_unit or 1.0
                cells += [f"{entry.cv_risk / unit:.3f}", f"{entry.cv_standard_error / unit:.3f}"]
            rows.append(cells)
        return aligned(rows, self.chosen)
