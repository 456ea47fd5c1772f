"""The drawing of a tree as SVG text: the one renderer for notebooks, files and pages.

Every node is a group with ``id="<prefix>n<node>"`` and ``data-node``, every branch one with
``data-branch`` (the id of the node it leads to), so that a page can light up a path by adding the
class ``lit``; ``data-folds`` has the ids of all nodes that a folded box and its branch stand for.
The same tree gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from zlib import crc32

from treewright.base.parameters import boolean, check_arguments, choice
from treewright.exceptions import WriteError, brief_path
from treewright.files import atomic_write
from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.svg.paint import Paint
from treewright.plot.svg.text import number, xml_text
from treewright.plot.tree.contents import LINE, TYPE, Line, Spread
from treewright.plot.tree.layout import (
    BAR,
    LABEL_LINE,
    PADDING,
    SIDES,
    Box,
    Branch,
    TreeLayout,
    tree_layout,
)
from treewright.plot.tree.style import N_COLOURS, N_TINTS, THEMES, Theme, tree_style
from treewright.schema.shortening import shortened
from treewright.tree import Tree
from treewright.tree.tree_text import heading

__all__ = ["tree_html", "tree_svg", "write_svg"]

_MOST_RULES = 12  # told to those who do not see the drawing
_LONGEST_RULE = 300
_NOTEBOOK_WIDTH = 1600.0
_NOTEBOOK_DEPTH = 12
_RAISED = 0.35 * TYPE  # from the middle of a line to its base
_LOOKS = {"bold": ' class="b"', "plain": "", "small": ' class="s"'}


def tree_svg(
    tree: TreeOrModel,
    *,
    max_depth: int | None = None,
    fold_below: float = 0.0,
    width: float | None = None,
    show_missing: bool | Collection[str] | None = None,
    title: str | None = None,
    id_prefix: str = "",
    theme: Theme = "light",
    with_style: bool = True,
) -> str:
    """Draw a tree as SVG.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    max_depth : int or None, default None
        Fold what lies below this depth.
    fold_below : float, default 0.0
        Fold branches that a smaller proportion of the rows takes, for example 0.01.
    width : float or None, default None
        Fold the smallest branches until the drawing is no wider than so many pixels. Type is never
        scaled down: a drawing of any width has letters of 12 pixels or more.
    show_missing : bool, collection of str or None, default None
        Say in the boxes of splits what becomes of a row whose value is missing: at all splits, at
        none, at those that read one of the columns named, or (None) of a column that had missing
        values in training. Tooltips say it always.
    title : str or None, default None
        What the drawing is called where it is not seen; by default what the tree is for.
    id_prefix : str, default ""
        What the ids of all elements begin with. Drawings on one page need different ones.
    theme : {"light", "dark", "auto"}, default "light"
        Colours; with "auto" the reader's system decides.
    with_style : bool, default True
        Whether the style sheet is part of the drawing. Leave it out on pages that have it already:
        :func:`tree_style` gives it.

    Returns
    -------
    str
        A whole ``<svg>`` element.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> X = {"age": [25, 38, 52, 61], "home": ["rent", "own", "rent", "own"]}
    >>> model = TreeClassifier().fit(X, ["no", "yes", "no", "yes"])
    >>> drawing = tree_svg(model.tree_, id_prefix="loans-")
    >>> drawing[:4], drawing.count('class="leaf"'), 'id="loans-n0"' in drawing
    ('<svg', 2, True)
    """
    check_arguments(
        "tree_svg",
        {"theme": theme, "with_style": with_style},
        {"theme": choice(*THEMES), "with_style": boolean()},
    )
    tree = tree_of(tree, "tree_svg")
    layout = tree_layout(
        tree,
        max_depth=max_depth,
        fold_below=fold_below,
        width=width,
        show_missing=show_missing,
    )
    name = " ".join(heading(tree)[:1]) if title is None else title
    return "".join(_Drawing(layout, id_prefix).parts(name, _description(tree), theme, with_style))


def write_svg(tree: TreeOrModel, path: str | os.PathLike[str], **options: Any) -> None:
    """Draw a tree into an SVG file, which appears whole or not at all.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    path : str or path-like
        Where to write; a name that ends in ``.svg``.
    **options
        As for :func:`tree_svg`.

    Raises
    ------
    WriteError
        If the name ends otherwise, or the file cannot be written.
    """
    if not os.fspath(path).lower().endswith(".svg"):
        raise WriteError(
            f"Cannot write {brief_path(path)}: a drawing is written to a file that ends in .svg; "
            "plot_tree(tree).savefig(path) writes other formats by matplotlib."
        )
    drawing = tree_svg(tree, **options)
    with atomic_write(path) as file:
        file.write(drawing + "\n")


def tree_html(tree: TreeOrModel) -> str:
    """Draw a tree for a notebook; large ones are folded to what a screen can show.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.

    Returns
    -------
    str
        An HTML element whose ids belong to this tree.
    """

    def drawing(id_prefix: str) -> str:
        return tree_svg(
            tree,
            max_depth=_NOTEBOOK_DEPTH,
            width=_NOTEBOOK_WIDTH,
            theme="auto",
            id_prefix=id_prefix,
        )

    number = crc32(drawing("").encode())
    return f'<div style="overflow-x:auto">{drawing(f"t{number:08x}-")}</div>'


def _description(tree: Tree) -> str:
    """Say the tree in words, for those who do not see it."""
    words = heading(tree)
    if tree.n_leaves <= _MOST_RULES:
        words += [shortened(rule, _LONGEST_RULE) for rule in tree.rules()]
    return ". ".join(words) + "."


class _Drawing:
    """Writes the elements of a layout."""

    def __init__(self, layout: TreeLayout, id_prefix: str) -> None:
        self.layout = layout
        self.prefix = xml_text(id_prefix)
        self.paint = Paint(self.prefix)

    def parts(self, title: str, description: str, theme: Theme, with_style: bool) -> Iterator[str]:
        """Give the whole drawing piece by piece."""
        width, height = number(self.layout.width), number(self.layout.height)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tw tw-{theme}" role="img" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f"<title>{xml_text(title)}</title><desc>{xml_text(description)}</desc>"
        )
        if with_style:
            yield f"<style>{tree_style(theme)}</style>"
        yield '<rect class="paper" width="100%" height="100%"/>'
        yield self.paint.key(self.layout.key)
        yield from map(_branch, self.layout.branches)
        yield from map(self._box, self.layout.boxes)
        yield self.paint.patterns()
        yield "</svg>"

    def _box(self, box: Box) -> str:
        content, half = box.content, 0.5 * box.width
        folds = _folds(box.folded)
        return (
            f'<g id="{self.prefix}n{box.node}" data-node="{box.node}" class="{box.kind}"{folds} '
            f'transform="translate({number(box.middle)},{number(box.y)})">'
            f"<title>{xml_text(content.tooltip)}</title>"
            f'<rect{_ground(box)} x="{number(-half)}" width="{number(box.width)}" '
            f'height="{number(box.height)}" rx="6"/>'
            f"{''.join(_lines(content.lines))}{self._bar(box)}</g>"
        )

    def _bar(self, box: Box) -> str:
        bar, length = box.content.bar, box.width - 2.0 * SIDES
        left, top = -0.5 * length, box.height - PADDING - BAR
        if bar is None:
            return ""
        if isinstance(bar, Spread):
            return _spread(bar, left, top + 0.5 * BAR, length)
        parts = []
        start = left
        for code, share in bar.segments:
            parts.append(
                f'<path {self.paint.fill(code)} d="{_strip(start, top, share * length)}"/>'
            )
            start += share * length
        return "".join(parts) + f'<path class="o" d="{_strip(left, top, length)}"/>'


def _ground(box: Box) -> str:
    """Give the attribute that tints the box of a leaf, by its class or its number."""
    if box.kind != "leaf":
        return ""
    if box.content.answer is not None:
        return f' class="c{box.content.answer % N_COLOURS}"'
    mean = box.content.bar.mean if isinstance(box.content.bar, Spread) else 0.0
    return f' class="c0 v{min(int(N_TINTS * mean), N_TINTS - 1)}"'


def _folds(nodes: tuple[int, ...]) -> str:
    """Give the attribute that names folded nodes."""
    return f' data-folds="{" ".join(map(str, nodes))}"' if nodes else ""


def _strip(x: float, y: float, length: float) -> str:
    left = number(x)
    return f"M{left},{number(y)}h{number(length)}v{number(BAR)}H{left}z"


def _spread(bar: Spread, left: float, y: float, length: float) -> str:
    low, mean, high = (left + length * place for place in (bar.low, bar.mean, bar.high))
    return (
        f'<path class="o" d="M{number(left)},{number(y)}h{number(length)}"/>'
        f'<path class="c0" stroke-width="4" d="M{number(low)},{number(y)}H{number(high)}"/>'
        f'<circle class="mean" cx="{number(mean)}" cy="{number(y)}" r="4"/>'
    )


def _lines(lines: Iterable[Line]) -> Iterator[str]:
    for place, line in enumerate(lines):
        y = number(PADDING + LINE * (place + 0.5) + _RAISED)
        yield f'<text{_LOOKS[line.look]} y="{y}">{xml_text(line.text)}</text>'


def _branch(branch: Branch) -> str:
    (x, y), (to_x, to_y), (top, bottom) = branch.start, branch.end, branch.fan
    middle = number(0.5 * (top + bottom))
    straight = f"V{number(top)}" if top > y else ""
    way = (
        f"M{number(x)},{number(y)}{straight}C{number(x)},{middle} {number(to_x)},{middle} "
        f"{number(to_x)},{number(bottom)}V{number(to_y)}"
    )
    lines = branch.label.lines
    height = branch.label_y - 0.5 * LABEL_LINE * (len(lines) - 1) + _RAISED
    heights = (number(height + LABEL_LINE * place) for place in range(len(lines)))
    words = "".join(
        f'<text x="{number(to_x)}" y="{at}">{xml_text(line)}</text>'
        for at, line in zip(heights, lines, strict=True)
    )
    full = branch.label.full
    tooltip = "" if full is None else f"<title>{xml_text(full)}</title>"
    return (
        f'<g data-branch="{branch.child}"{_folds(branch.folded)}>{tooltip}<path d="{way}" '
        f'stroke-width="{number(branch.thickness)}"/>{words}</g>'
    )
