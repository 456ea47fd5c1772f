"""Pictures of the tree of an estimator: functions that `FittedTree` has as methods."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from treewright.plot import write_svg
from treewright.plot.tree.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from treewright.estimators.fitted import FittedTree

__all__ = ["draw", "plot", "plot_path", "plot_regions", "plot_split"]


def draw(
    self: FittedTree,
    path: str | os.PathLike[str],
    *,
    max_depth: int | None = None,
    fold_below: float = 0.0,
    width: float | None = None,
    show_missing: bool | Collection[str] | None = None,
    theme: Theme = "light",
) -> None:
    """Draw the tree into an SVG file, which any browser shows.

    Parameters
    ----------
    path : str or path-like
        Where to write; a name that ends in ``.svg``. The file appears whole or not at all.
    max_depth : int or None, default None
        Fold what lies below this depth.
    fold_below : float, default 0.0
        Fold branches that a smaller proportion of the rows takes.
    width : float or None, default None
        Fold the smallest branches until the drawing is at most so many pixels wide.
    show_missing : bool, collection of str or None, default None
        Say in the boxes of splits what becomes of a row whose value is missing: at all splits, at
        none, at those that read one of the columns named, or (None) of a column that had
        missing values in training. Tooltips say it always.
    theme : {"light", "dark", "auto"}, default "light"
        Colours; with "auto" the reader's system decides.

    See Also
    --------
    treewright.plot.write_svg : The same for any tree.
    """
    check_is_fitted(self)
    write_svg(
        self.tree_,
        path,
        max_depth=max_depth,
        fold_below=fold_below,
        width=width,
        show_missing=show_missing,
        theme=theme,
    )


def plot(
    self: FittedTree,
    *,
    max_depth: int | None = None,
    fold_below: float = 0.0,
    width: float | None = None,
    show_missing: bool | Collection[str] | None = None,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw the tree; needs matplotlib.

    Parameters
    ----------
    max_depth : int or None, default None
        Fold what lies below this depth.
    fold_below : float, default 0.0
        Fold branches that a smaller proportion of the rows takes.
    width : float or None, default None
        Fold the smallest branches until the drawing is at most so wide; see :meth:`draw`.
    show_missing : bool, collection of str or None, default None
        At which splits to say what becomes of a missing value; see :meth:`draw`.
    figure : Figure or SubFigure, optional
        Where to draw; by default a new figure, as large as the tree needs it.

    Returns
    -------
    Figure or SubFigure
        See :func:`treewright.plot.plot_tree`; ``model.plot().savefig("tree.png")`` writes a
        file.
    """
    from treewright.plot import plot_tree

    check_is_fitted(self)
    return plot_tree(
        self.tree_,
        max_depth=max_depth,
        fold_below=fold_below,
        width=width,
        show_missing=show_missing,
        figure=figure,
    )


def plot_split(
    self: FittedTree,
    node: int,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw the split of one node with the rows that reach it; needs matplotlib.

    Parameters
    ----------
    node : int
        Id of an inner node; the root is 0.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; None gives every row weight 1.
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
    self: FittedTree,
    X: Any,
    y: Any = None,
    columns: Sequence[str | int] | None = None,
    *,
    fixed: Mapping[str, Any] | None = None,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw what the tree predicts over two columns of numbers; needs matplotlib.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows.
    y : array-like, series or None, default None
        Their classes or numbers, if known.
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

    table = self._table(X, whole=True)  # any column may be drawn
    return decision_regions(self.tree_, table, y, columns, fixed=fixed, figure=figure)


def plot_path(
    self: FittedTree,
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
        Draw risks as proportions of that of the root alone instead of sums.
    figure : Figure or SubFigure, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Figure or SubFigure
        See :func:`treewright.plot.path_steps`.
    """
    from treewright.plot import path_steps

    return path_steps(self.path_, size=size, relative=relative, figure=figure)
