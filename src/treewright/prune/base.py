"""What a pruner is, and what it may ask of the estimator that calls it.

A pruner is an object with parameters, like a split method; its work is a plain function from a Tree
to a Tree (or to a path of Trees) that anybody can call. It is given a `Growth`: the means to grow
trees on all rows or on some, so that it decides itself what to hold out and how often to grow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.settings import Settings
from treewright.measures import Measure
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright.prune.path import Path
    from treewright.prune.sequence import TreeSequence

__all__ = ["Growth", "Pruner"]


@dataclass(frozen=True)
class Growth:
    """The data of a fit, and how to grow trees on parts of them.

    Parameters
    ----------
    grow : callable
        ``grow(rows)`` returns the unpruned tree of these rows, ``grow(None)`` that of all.
    data : callable
        ``data(rows)`` returns table and target of these rows for the core; None gives all.
    n_rows : int
        Number of rows.
    strata : ndarray
        What held-out parts are balanced by: class codes or numbers.
    random_state : RandomState or None
        Source of random parts; None if the user asked for no randomness.
    measure : Measure
        The impurity the trees are grown by.
    readable : bool
        Splits have the shortest numbers that send rows the same way.
    n_given : int
        Number of rows before those of weight 0 were left out.
    kept : ndarray of int or None, default None
        Positions of the rows among the given ones; None if none was left out.
    n_jobs : int or None, default None
        Threads for growing several trees, where the pruner does not say.
    """

    grow: Callable[[NDArray[np.intp] | None], Tree]
    data: Callable[[NDArray[np.intp] | None], tuple[_core.Table, _core.Target]]
    n_rows: int
    strata: NDArray[Any]
    random_state: np.random.RandomState | None
    measure: Measure
    readable: bool
    n_given: int
    kept: NDArray[np.intp] | None = None
    n_jobs: int | None = None

    def part(self, rows: NDArray[np.intp]) -> Growth:
        """Return the same on some of the rows, which are then counted from 0.

        Parameters
        ----------
        rows : ndarray of intp
            Positions of the rows.

        Returns
        -------
        Growth
            The part.
        """

        def inside(chosen: NDArray[np.intp] | None) -> NDArray[np.intp]:
            return rows if chosen is None else rows[chosen]

        return replace(
            self,
            grow=lambda chosen: self.grow(inside(chosen)),
            data=lambda chosen: self.data(inside(chosen)),
            n_rows=len(rows),
            strata=self.strata[rows],
            kept=rows if self.kept is None else self.kept[rows],
        )


class Pruner(Settings):
    """Base of all pruners: parameters, and how a fit ends in a pruned tree."""

    for_numbers: ClassVar[bool] = True
    """Whether it can prune trees that predict numbers."""
    knows_costs: ClassVar[bool] = True
    """Whether it weighs errors by a cost matrix."""

    @property
    def keeps_nodes(self) -> bool:
        """Whether nodes that are left keep their splits and what they predict."""
        return True

    @property
    def holds_out(self) -> bool:
        """Whether some rows are held out of growth to choose the tree by."""
        return False

    @property
    def parts(self) -> tuple[Pruner, ...]:
        """The pruners that this one asks."""
        return ()

    def n_growths(self, n_rows: int) -> int:
        """Return how many trees `prune` grows at most, for progress and time limits.

        Parameters
        ----------
        n_rows : int
            Number of rows of the fit.

        Returns
        -------
        int
            1, unless the pruner grows trees on parts of the rows.
        """
        return 1

    def prune(self, growth: Growth) -> tuple[Tree, Path | TreeSequence | None]:
        """Grow and prune.

        Parameters
        ----------
        growth : Growth
            The data, and how to grow trees on them.

        Returns
        -------
        tree : Tree
            The pruned tree.
        path : Path, TreeSequence or None
            The trees it was chosen from, where the method makes some.
        """
        raise NotImplementedError
