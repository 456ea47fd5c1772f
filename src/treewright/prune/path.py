"""Path: the nested trees that pruning goes through, from the largest to the root alone.

Nothing is copied along the way: the path knows at which alpha each inner node of the largest tree
ends, and everything else (leaves, reading effort, risk) are sums over the nodes that are left. A
path may have as many entries as there are leaves, so they are kept as one array a number; an entry
and its tree are made when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from numbers import Real
from typing import overload

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import integer
from treewright.exceptions import brief
from treewright.tree import Tree

__all__ = ["Path", "PathEntry", "aligned", "geometric_middles", "saving", "sums_along"]


@dataclass(frozen=True)
class PathEntry:
    """One tree of a path.

    Parameters
    ----------
    alpha : float
        The price of one leaf (or attribute) from which on this tree is the best, up to the alpha
        of the next entry.
    leaves : int
        Number of leaves.
    reading_effort : float
        Expected number of values a reader looks at per training row.
    risk : float
        Summed risk of the training rows: errors, costs or squared errors.
    relative_risk : float
        The same divided by the risk of the root alone.
    cv_risk : float or None
        Risk of trees of this complexity on rows held out, by folds or once; None without such.
        It counts as many rows as `risk` does.
    cv_standard_error : float or None
        Standard error of `cv_risk`.

    See Also
    --------
    Path : All trees of a path.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> age = [[20], [30], [40], [50], [60], [70], [80], [90]]
    >>> entry = TreeClassifier().fit(age, list("nnnynyyy")).path_[1]
    >>> entry.alpha, entry.leaves, entry.risk
    (0.5, 2, 1.0)
    """

    alpha: float
    leaves: int
    reading_effort: float
    risk: float
    relative_risk: float
    cv_risk: float | None = None
    cv_standard_error: float | None = None
    _largest: Tree | None = field(default=None, repr=False, compare=False)
    _ends: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)

    @property
    def tree(self) -> Tree:
        """The tree itself, cut from the largest one each time it is asked for."""
        assert self._largest is not None
        assert self._ends is not None
        is_inner = self._ends >= 0.0
        return self._largest.collapse(
            np.flatnonzero(is_inner & (self._ends <= self.alpha)).tolist()
        )


class Path(Sequence[PathEntry]):
    """The nested trees of a pruning path, the largest first.

    Parameters
    ----------
    largest : Tree
        The tree before pruning.
    ends : ndarray of float
        For each inner node the alpha at which it is one no longer; -1 for leaves.
    risks : ndarray of float
        Risk of each node as a leaf.
    limit : float, default 0
        Smaller alphas are left out.

    Attributes
    ----------
    root_risk : float
        Risk of the root alone.
    chosen : int or None
        Position of the tree that was chosen.
    ends, largest
        As given.

    See Also
    --------
    treewright.prune.cost_complexity_path : Makes one of a tree.
    TreeSequence : Trees that are not nested.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> age = [[20], [30], [40], [50], [60], [70], [80], [90]]
    >>> path = TreeClassifier().fit(age, list("nnnynyyy")).path_
    >>> print(path)
    alpha  leaves  effort  risk  relative
        0       4    1.88     0      0.00
        0.5     2    1.00     1      0.25
        3       1    0.00     4      1.00
    >>> path.at(leaves=3).tree.n_leaves
    2
    """

    def __init__(
        self,
        largest: Tree,
        ends: NDArray[np.float64],
        risks: NDArray[np.float64],
        limit: float = 0.0,
    ) -> None:
        core = largest.core
        inner = np.flatnonzero(ends >= 0.0)
        alphas = np.unique(np.maximum(ends[inner], limit)) if inner.size else np.empty(0)
        alphas = np.unique(np.concatenate([[limit], alphas]))
        leaves = 1 + sums_along(alphas, ends, (core.n_branches - 1).astype(np.float64))
        weight = largest.node_weights
        share = np.minimum(weight, weight[0]) / weight[0] if weight[0] > 0.0 else 0.0 * weight
        efforts = sums_along(alphas, ends, largest.node_terms * share)
        risk = risks[0] - sums_along(alphas, ends, saving(largest, risks))
        self.root_risk: float = float(risks[0])
        self._numbers = {
            "alpha": alphas,
            "leaves": np.rint(leaves).astype(np.int64),
            "reading_effort": efforts,
            "risk": np.maximum(risk, 0.0),
            "relative_risk": np.maximum(risk / (self.root_risk or math.inf), 0.0),
        }
        self.ends: NDArray[np.float64] = ends
        self.largest: Tree = largest
        self.chosen: int | None = None
        self._by_folds = True

    def with_cross_validation(
        self,
        risk: NDArray[np.float64],
        standard_error: NDArray[np.float64],
        chosen: int,
        *,
        by_folds: bool = True,
    ) -> Path:
        """Return the path with risks on rows held out and the position of the chosen tree.

        Parameters
        ----------
        risk : ndarray of float64
            Summed loss of the held-out rows under each tree.
        standard_error : ndarray of float64
            Its standard errors.
        chosen : int
            Position of the tree that is chosen.
        by_folds : bool, default True
            Whether rows were held out fold by fold, or as one hold-out set.

        Returns
        -------
        Path
            The path with both.
        """
        path = copy(self)
        path.chosen, path._by_folds = chosen, by_folds
        path._numbers = {**self._numbers, "cv_risk": risk, "cv_standard_error": standard_error}
        return path

    def mapped(self, change: Callable[[Tree], Tree]) -> Path:
        """Return the path with its trees cut from what is made of the largest one.

        Parameters
        ----------
        change : callable
            Gives a tree of the same shape.

        Returns
        -------
        Path
            The changed path.
        """
        path = copy(self)
        path.largest = change(self.largest)
        return path

    def at(self, *, leaves: int | None = None, alpha: float | None = None) -> PathEntry:
        """Find a tree by its size or by the complexity parameter.

        Parameters
        ----------
        leaves : int, optional
            The largest tree with at most so many leaves.
        alpha : float, optional
            The tree that is best when a leaf costs so much.

        Returns
        -------
        PathEntry
            The tree with its numbers.

        Raises
        ------
        ValueError
            Unless just one of the two is given, `leaves` at least 1 and `alpha` at least 0.
        """
        return self[self.position(leaves=leaves, alpha=alpha)]

    def position(self, *, leaves: int | None = None, alpha: float | None = None) -> int:
        """Find where in the path the tree is that :meth:`at` gives.

        Parameters
        ----------
        leaves : int or None, default None
            Most leaves of the tree.
        alpha : float or None, default None
            The complexity parameter; give one of the two.

        Returns
        -------
        int
            The position; the largest tree has 0.
        """
        if (leaves is None) == (alpha is None):
            raise ValueError("Give either 'leaves' or 'alpha' to say which tree is wanted.")
        if leaves is not None:
            if not integer(1).accepts(leaves):
                raise ValueError(f"The 'leaves' must be an int >= 1. Got {brief(leaves)}.")
            return int(np.argmax(self._numbers["leaves"] <= leaves))
        if not isinstance(alpha, Real) or not alpha >= 0.0:
            raise ValueError(f"The 'alpha' must be a number >= 0. Got {brief(alpha)}.")
        return max(int(np.searchsorted(self.alphas, float(alpha), side="right")) - 1, 0)

    @property
    def alphas(self) -> NDArray[np.float64]:
        """The alpha of each entry, ascending."""
        return np.asarray(self._numbers["alpha"])

    @property
    def leaves(self) -> NDArray[np.int64]:
        """Leaves of each tree, falling."""
        return np.asarray(self._numbers["leaves"])

    @property
    def cv_risks(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Risks on rows held out and their standard errors; None without such rows."""
        if "cv_risk" not in self._numbers:
            return None
        return self._numbers["cv_risk"], self._numbers["cv_standard_error"]

    @overload
    def __getitem__(self, index: int) -> PathEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PathEntry]: ...
    def __getitem__(self, index: int | slice) -> PathEntry | Sequence[PathEntry]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        numbers = {name: values[index].item() for name, values in self._numbers.items()}
        return PathEntry(**numbers, _largest=self.largest, _ends=self.ends)

    def __len__(self) -> int:
        return len(self.alphas)

    def __repr__(self) -> str:
        return f"<Path: {len(self)} nested trees, {self[0].leaves} to 1 leaves>"

    def __str__(self) -> str:
        with_cv = "cv_risk" in self._numbers
        header = ["alpha", "leaves", "effort", "risk", "relative"]
        header += ["cross-validated" if self._by_folds else "held out", "+-"] if with_cv else []
        rows = [header]
        for entry in self:
            cells = [
                f"{entry.alpha:.4g}",
                str(entry.leaves),
                f"{entry.reading_effort:.2f}",
                f"{entry.risk:.6g}",
                f"{entry.relative_risk:.2f}",
            ]
            if entry.cv_risk is not None and entry.cv_standard_error is not None:
                scale = self.root_risk or 1.0
                cells += [f"{entry.cv_risk / scale:.3f}", f"{entry.cv_standard_error / scale:.3f}"]
            rows.append(cells)
        return aligned(rows, self.chosen)


def aligned(rows: Sequence[Sequence[str]], chosen: int | None) -> str:
    """Write the numbers of trees, a header first, as a table; mark the chosen one."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        line = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(line + ("  <- chosen" if number - 1 == chosen else ""))
    return "\n".join(lines)


def saving(tree: Tree, risks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give for each node its risk as a leaf minus that of its children; 0 at leaves."""
    core = tree.core
    below = np.zeros(len(risks))
    np.add.at(below, core.parent[1:], risks[1:])
    return np.where(core.n_branches > 0, risks - below, 0.0)


def sums_along(
    alphas: NDArray[np.float64], ends: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum, for each alpha, the values of the nodes that are still inner nodes."""
    order = np.argsort(ends, kind="stable")
    totals = np.concatenate([np.cumsum(values[order][::-1])[::-1], [0.0]])
    return np.asarray(totals[np.searchsorted(ends[order], alphas, side="right")])


def geometric_middles(alphas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give an alpha well inside the range of each entry; infinity for the root alone."""
    return np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), math.inf)
