"""The doors of an estimator to the pictures of its tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treewright.estimators.reader import TableReader
from treewright.prune import Path, TreeSequence
from treewright.tree import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

__all__ = ["Drawing"]


class Drawing(TableReader):
    """Common part of the estimators that have a tree to draw."""

    tree_: Tree

    @property
    def path_(self) -> Path | TreeSequence:
        """The trees between the largest one and its root, the largest first."""
        raise NotImplementedError

    def plot_split(
        self,
        node: int,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        figure: Figure | SubFigure | None = None,
    ) -> Figure | SubFigure:
        """Draw the test of one node with the rows that reach it; needs matplotlib.

        Parameters
        ----------
        node : int
            Id of an inner node; the root is 0.
        X, y, sample_weight
            The rows, their classes or numbers, and their weights.
        figure : Figure or SubFigure, optional
            Where to draw; by default a new figure.

        Returns
        -------
        Figure or SubFigure
            See :func:`treewright.plot.split_panel`.
        """
        from treewright.plot import split_panel

        table = self._table(X)
        return split_panel(self.tree_, node, table, y, sample_weight, figure=figure)

    def plot_regions(
        self,
        X: Any,
        y: Any = None,
        columns: Sequence[str | int] | None = None,
        *,
        fixed: Mapping[str, Any] | None = None,
        figure: Figure | SubFigure | None = None,
    ) -> Figure | SubFigure:
        """Draw what the tree answers over two columns of numbers; needs matplotlib.

        Parameters
        ----------
        X, y
            The rows, and their classes or numbers if known.
        columns : sequence of two str or int, optional
            The two columns; by default those that decide most.
        fixed : mapping of str to value, optional
            Values at which other columns are held.
        figure : Figure or SubFigure, optional
            Where to draw; by default a new figure.

        Returns
        -------
        Figure or SubFigure
            See :func:`treewright.plot.decision_regions`.
        """
        from treewright.plot import decision_regions

        table = self._table(X)
        return decision_regions(self.tree_, table, y, columns, fixed=fixed, figure=figure)

    def plot_path(
        self,
        *,
        size: str | None = None,
        relative: bool = True,
        figure: Figure | SubFigure | None = None,
    ) -> Figure | SubFigure:
        """Draw what the trees of `path_` lose from step to step; needs matplotlib.

        Parameters
        ----------
        size : {"complexity", "leaves", "reading_effort"} or None, default None
            What stands below the axis.
        relative : bool, default True
            Draw risks as shares of that of the root alone instead of sums.
        figure : Figure or SubFigure, optional
            Where to draw; by default a new figure.

        Returns
        -------
        Figure or SubFigure
            See :func:`treewright.plot.path_steps`.
        """
        from treewright.plot import path_steps

        return path_steps(self.path_, size=size, relative=relative, figure=figure)
