"""A tree drawn by matplotlib, from the layout that the SVG drawing has too."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from treewright.plot.arguments import TreeOrModel
from treewright.plot.figures.figures import as_they_are, figure_for
from treewright.plot.figures.styles import style_of
from treewright.plot.tree.contents import LINE, SMALL, TYPE, Bar, Spread
from treewright.plot.tree.key import SWATCH, KeyEntry
from treewright.plot.tree.layout import BAR, LABEL_LINE, PADDING, SIDES, Box, Branch, tree_layout
from treewright.plot.tree.style import N_TINTS, colours_of
from treewright.words.colours import class_colour, tinted

__all__ = ["plot_tree"]

_INCH = 96.0  # pixels
_WIDER = 1.12  # letters of matplotlib's own font than those the layout has made room for
_POINT = 0.75  # of a pixel
_ROUND = 6.0
_TINT = 0.13
_COLOURS = colours_of("light")


def plot_tree(
    tree: TreeOrModel,
    *,
    max_depth: int | None = None,
    fold_below: float = 0.0,
    width: float | None = None,
    show_missing: bool | Collection[str] | None = None,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw a tree with matplotlib, for files such as PNG and PDF.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    max_depth : int or None, default None
        Fold what lies below this depth.
    fold_below : float, default 0.0
        Fold branches that a smaller proportion of the rows takes, for example 0.01.
    width : float or None, default None
        Fold the smallest branches until the drawing is no wider than so many pixels.
    show_missing : bool, collection of str or None, default None
        Say in the boxes of splits what becomes of a row whose value is missing: at all splits, at
        none, at those that read one of the columns named, or (None) of a column that had missing
        values in training.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; everything shrinks or grows to fit, type too. By
        default a new figure, which pyplot does not know, as large as the tree needs it with type
        of 12 pixels and more.

    Returns
    -------
    Figure or SubFigure
        What was drawn on; ``figure.savefig("tree.png")`` writes a file.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> X = {"age": [25, 38, 52, 61], "home": ["rent", "own", "rent", "own"]}
    >>> model = TreeClassifier().fit(X, ["no", "yes", "no", "yes"])
    >>> print(plot_tree(model.tree_).axes[0].texts[2].get_text())
    yes (50 %)
    """
    layout = tree_layout(
        tree,
        max_depth=max_depth,
        fold_below=fold_below,
        width=width,
        show_missing=show_missing,
    )
    size = layout.width * _WIDER / _INCH, layout.height * _WIDER / _INCH
    figure = figure_for("plot_tree", figure, size, is_constrained=False)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, layout.width)
    axes.set_ylim(layout.height, 0.0)
    axes.set_aspect("equal")
    inches = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    scale = min(inches[0] * _INCH / layout.width, inches[1] * _INCH / layout.height)
    pen = _Pen(axes, scale * _POINT)
    for entry in layout.key.entries:
        pen.entry(entry)
    for branch in layout.branches:
        pen.branch(branch)
    for box in layout.boxes:
        pen.box(box)
    as_they_are([axes])
    return figure


class _Pen:
    """Draws the parts of a layout; `point` is the length of a pixel in points."""

    def __init__(self, axes: Axes, point: float) -> None:
        self.axes = axes
        self.point = point

    def entry(self, entry: KeyEntry) -> None:
        """Draw a line of the key."""
        x = entry.x
        if entry.code is not None:
            self._fill(entry.code, x, entry.y - 0.5 * SWATCH, SWATCH, SWATCH)
            x += SWATCH + 6.0
        self._text(x, entry.y, entry.text, SMALL, "ink", ha="left")

    def branch(self, branch: Branch) -> None:
        """Draw a branch and the words on it."""
        (x, y), (to_x, to_y), (top, bottom) = branch.start, branch.end, branch.fan
        middle = 0.5 * (top + bottom)
        points = [(x, y), (x, top), (x, middle), (to_x, middle), (to_x, bottom), (to_x, to_y)]
        codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        way = Path(points, [int(code) for code in codes])
        thickness = branch.thickness * self.point
        self._add(PathPatch(way, fill=False, edgecolor=_COLOURS["way"], linewidth=thickness))
        lines = branch.label.lines
        start = branch.label_y - 0.5 * LABEL_LINE * (len(lines) - 1)
        ground = {"facecolor": _COLOURS["paper"], "edgecolor": "none", "pad": 1.0}
        for place, line in enumerate(lines):
            self._text(to_x, start + LABEL_LINE * place, line, SMALL, "ink", bbox=ground)

    def box(self, box: Box) -> None:
        """Draw a box and what stands in it."""
        self._add(
            FancyBboxPatch(
                (box.x, box.y),
                box.width,
                box.height,
                boxstyle=f"round,pad=0,rounding_size={_ROUND}",
                linewidth=(1.5 if box.kind == "leaf" else 1.0) * self.point,
                **_ground(box),
            )
        )
        for place, line in enumerate(box.content.lines):
            is_small = line.look == "small"
            self._text(
                box.middle,
                box.y + PADDING + LINE * (place + 0.5),
                line.text,
                SMALL if is_small else TYPE,
                "quiet" if is_small else "ink",
                fontweight="bold" if line.look == "bold" else "normal",
            )
        left, length = box.x + SIDES, box.width - 2.0 * SIDES
        top = box.bottom - PADDING - BAR
        if isinstance(box.content.bar, Bar):
            start = left
            for code, share in box.content.bar.segments:
                self._fill(code, start, top, share * length, BAR)
                start += share * length
        elif isinstance(box.content.bar, Spread):
            self._spread(box.content.bar, left, top + 0.5 * BAR, length)

    def _spread(self, bar: Spread, left: float, y: float, length: float) -> None:
        low, mean, high = (left + length * place for place in (bar.low, bar.mean, bar.high))
        self.axes.plot([left, left + length], [y, y], color=_COLOURS["edge"], linewidth=self.point)
        self.axes.plot([low, high], [y, y], color=class_colour(0), linewidth=4.0 * self.point)
        self._add(Circle((mean, y), 4.0, color=_COLOURS["ink"], zorder=4))

    def _fill(self, code: int, x: float, y: float, width: float, height: float) -> None:
        look: dict[str, Any] = {"facecolor": _COLOURS["rest"], "linewidth": 0.0}
        if code >= 0:
            style = style_of(code)
            look |= {"facecolor": style.colour, "hatch": style.hatch, "edgecolor": "white"}
        self._add(Rectangle((x, y), width, height, **look))

    def _text(self, x: float, y: float, words: str, size: float, role: str, **look: Any) -> None:
        self.axes.text(
            x,
            y,
            words,
            **{
                "fontsize": size * self.point / _WIDER,
                "color": _COLOURS[role],
                "ha": "center",
                "va": "center_baseline",
                "zorder": 5,
                **look,
            },
        )

    def _add(self, patch: Any) -> None:
        self.axes.add_patch(patch)


def _ground(box: Box) -> dict[str, Any]:
    """Give the colours of a box."""
    if box.kind == "test":
        return {"facecolor": _COLOURS["test"], "edgecolor": _COLOURS["edge"]}
    if box.kind == "fold":
        return {"facecolor": "none", "edgecolor": _COLOURS["edge"], "linestyle": "--"}
    colour, strength = class_colour(box.content.answer or 0), _TINT
    if isinstance(box.content.bar, Spread):
        strength = 0.04 + 0.08 * min(int(N_TINTS * box.content.bar.mean), N_TINTS - 1)
    return {"facecolor": tinted(colour, strength), "edgecolor": colour}
