"""Where everything stands in the drawing of a tree, in pixels from the top left corner.

Boxes of the same depth begin at the same height and stand beside each other as `tidy` places them;
a box takes at least the room of the words on its branch. From a box the branches fan out below the
deepest box of its level, then go straight down through their words to the boxes of the next level,
so that nothing lies over anything else. A branch is as wide as the proportion of rows that takes
it.

The layout knows no drawing library; `svg` and `figures` draw what it says.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from treewright.base.parameters import (
    boolean,
    check_arguments,
    integer,
    names,
    none,
    number,
    one_of,
)
from treewright.plot.arguments import TreeOrModel, tree_of
from treewright.plot.tree.contents import LINE, SMALL, Content, Contents, Label
from treewright.plot.tree.folding import DrawnNode, drawn_nodes, row_shares
from treewright.plot.tree.key import Key, key_of
from treewright.plot.tree.lettering import text_width
from treewright.plot.tree.tidy import tidy_places
from treewright.tree import Tree

__all__ = ["BAR", "LABEL_LINE", "PADDING", "SIDES", "Box", "Branch", "TreeLayout", "tree_layout"]

PADDING = 9.0  # between the border of a box and its text, above and below
SIDES = 13.0  # the same, left and right
BAR = 8.0  # height of the bar in a box
LABEL_LINE = 15.0  # from line to line of the words on a branch
_ABOVE_BAR = 7.0
_NARROWEST = 92.0
_GAP = 18.0  # between boxes side by side
_FAN = 34.0  # from a level to the words on the branches below, at least
_STEEPEST = 0.07  # further per pixel that a fan is wide
_TALLEST_FAN = 90.0
_AROUND_LABEL = 5.0
_MARGIN = 14.0  # around everything
_WIDEST_BRANCH = 16.0  # a branch that all rows take
_NARROWEST_BRANCH = 1.5


@dataclass(frozen=True, slots=True)
class Box:
    """A box and what stands in it.

    Parameters
    ----------
    kind : {"test", "leaf", "fold"}
        What it shows.
    node : int
        Id of the node; of several folded ones, of the first.
    folded : tuple of int
        Ids of the nodes that a fold stands for.
    x, y : float
        Its left upper corner.
    width, height : float
        Its size.
    content : Content
        Lines of text, tooltip and bar.
    """

    kind: Literal["test", "leaf", "fold"]
    node: int
    folded: tuple[int, ...]
    x: float
    y: float
    width: float
    height: float
    content: Content

    @property
    def middle(self) -> float:
        """The middle of the box, across."""
        return self.x + 0.5 * self.width

    @property
    def bottom(self) -> float:
        """The lower border of the box."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Branch:
    """A way from a box down to one of the next level, and the words on it.

    Parameters
    ----------
    parent, child : int
        Ids of the nodes at its ends; of several folded ones below, of the first.
    folded : tuple of int
        Ids of the nodes below that are folded into one box.
    share : float
        Proportion of all rows that takes it; NaN if it is not known.
    thickness : float
        How wide it is drawn.
    start : tuple of float
        Where it leaves the box above.
    fan : tuple of float
        The heights between which it goes aside.
    end : tuple of float
        Where it meets the box below.
    label : Label
        The words on it, and those that did not fit.
    label_y : float
        The middle of the words, which stand above its end.
    """

    parent: int
    child: int
    folded: tuple[int, ...]
    share: float
    thickness: float
    start: tuple[float, float]
    fan: tuple[float, float]
    end: tuple[float, float]
    label: Label
    label_y: float


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """A drawing of a tree as numbers and words.

    Parameters
    ----------
    width, height : float
        Size of the drawing in pixels.
    boxes : tuple of Box
        The root first, parents before their children.
    branches : tuple of Branch
        In the order of the boxes they lead to.
    key : Key
        What colours and bars mean.

    See Also
    --------
    tree_layout : Makes one of a tree.
    tree_svg : Writes it as SVG.
    plot_tree : Draws it by matplotlib.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"])
    >>> layout = tree_layout(model)
    >>> len(layout.boxes), len(layout.branches)
    (3, 2)
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    branches: tuple[Branch, ...]
    key: Key


def tree_layout(
    tree: TreeOrModel,
    *,
    max_depth: int | None = None,
    fold_below: float = 0.0,
    width: float | None = None,
    show_missing: bool | Collection[str] | None = None,
) -> TreeLayout:
    """Place the nodes of a tree for a drawing.

    Parameters
    ----------
    tree : Tree or fitted model
        The tree, or a model that has one.
    max_depth : int or None, default None
        Fold what lies below this depth.
    fold_below : float, default 0.0
        Fold branches that a smaller proportion of the rows takes, for example 0.01. A folded branch
        is a box that says how many leaves are left out.
    width : float or None, default None
        Fold as many of the smallest branches as it takes to keep the drawing within so many
        pixels. Type does not shrink, so a drawing may still be wider when only the root is left.
    show_missing : bool, collection of str or None, default None
        Say in the boxes of splits what becomes of a row whose value is missing: at all splits, at
        none, at those that read one of the columns named, or (None) of a column that had missing
        values in training. Tooltips say it always.

    Returns
    -------
    TreeLayout
        Boxes, branches and the key to the colours.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> X = {"age": [25, 38, 52, 61], "home": ["rent", "own", "rent", "own"]}
    >>> model = TreeClassifier().fit(X, ["no", "yes", "no", "yes"])
    >>> for box in tree_layout(model.tree_).boxes:
    ...     print(box.kind, [line.text for line in box.content.lines])
    test ['home is own?', '4 rows']
    leaf ['no', '100 %, 2 rows']
    leaf ['yes', '100 %, 2 rows']
    """
    tree = tree_of(tree, "tree_layout")
    check_arguments(
        "tree_layout",
        {
            "max_depth": max_depth,
            "fold_below": fold_below,
            "width": width,
            "show_missing": show_missing,
        },
        {
            "max_depth": one_of(none(), integer(0)),
            "fold_below": number(0.0, 1.0),
            "width": one_of(none(), number(0.0, above=True)),
            "show_missing": one_of(none(), boolean(), names()),
        },
    )
    if show_missing is not None and not isinstance(show_missing, bool | np.bool_):
        show_missing = [tree.schema.columns[tree.schema.index(name)].name for name in show_missing]
    contents = Contents(tree, show_missing)
    most = math.inf if width is None else width
    layout = _placed(tree, contents, drawn_nodes(tree, max_depth, fold_below), most)
    if layout.width <= most:
        return layout
    shares = np.unique(row_shares(tree))
    steps = [*shares[shares > fold_below].tolist(), math.inf]

    def layout_at(step: float) -> TreeLayout:
        return _placed(tree, contents, drawn_nodes(tree, max_depth, step), most)

    first = bisect_left(steps[:-1], True, key=lambda step: layout_at(step).width <= most)
    return layout_at(steps[first])


def _placed(tree: Tree, contents: Contents, drawn: list[DrawnNode], most: float) -> TreeLayout:
    """Place chosen nodes, and the key in `most` pixels across."""
    children: list[list[int]] = [[] for _ in drawn]
    depths = [0] * len(drawn)
    for place, here in enumerate(drawn[1:], start=1):
        children[here.parent].append(place)
        depths[place] = depths[here.parent] + 1
    inside = [contents.of(here.node, here.folded) for here in drawn]
    sizes = [_size(content) for content in inside]
    labels = [_label(tree, contents, drawn, here) for here in drawn]
    widths = [
        max(width, *(text_width(line, SMALL) + 4.0 for line in label.lines), 0.0)
        for (width, _), label in zip(sizes, labels, strict=True)
    ]
    middles = tidy_places(children, widths, _GAP)
    across = max(middle + 0.5 * width for middle, width in zip(middles, widths, strict=True))
    key = key_of(tree, contents, (_MARGIN, _MARGIN), across, most - 2.0 * _MARGIN)
    left = _MARGIN + 0.5 * max(0.0, key.width - across)
    levels = _Levels(depths, sizes, labels, [_span(middles, below) for below in children])
    tops = levels.tops(_MARGIN + key.height)
    boxes = tuple(
        Box(
            kind="fold" if here.folded else "test" if below else "leaf",
            node=here.node,
            folded=here.folded,
            x=left + middle - 0.5 * width,
            y=tops[depth],
            width=width,
            height=height,
            content=content,
        )
        for here, below, middle, depth, (width, height), content in zip(
            drawn, children, middles, depths, sizes, inside, strict=True
        )
    )
    branches = _branches(tree, drawn, boxes, children, labels, levels, tops)
    bottom = max(box.bottom for box in boxes)
    return TreeLayout(
        math.ceil(max(across, key.width) + 2.0 * _MARGIN),
        math.ceil(bottom + _MARGIN),
        boxes,
        branches,
        key,
    )


def _size(content: Content) -> tuple[float, float]:
    """Give the size of a box, in whole pixels, the width in even ones."""
    text = max(line.width for line in content.lines)
    width = 2.0 * math.ceil(0.5 * max(text + 2.0 * SIDES, _NARROWEST))
    bar = 0.0 if content.bar is None else _ABOVE_BAR + BAR
    return width, LINE * len(content.lines) + bar + 2.0 * PADDING


def _label(tree: Tree, contents: Contents, drawn: list[DrawnNode], here: DrawnNode) -> Label:
    """Give the words on the branch to a box."""
    if here.parent < 0:
        return Label(())
    above = drawn[here.parent].node
    if len(here.folded) > 1:
        return contents.label_of_several(above, here.folded)
    return contents.labels(above)[here.node - int(tree.core.first_child[above])]


def _span(middles: list[float], children: list[int]) -> float:
    return middles[children[-1]] - middles[children[0]] if children else 0.0


class _Levels:
    """How tall each level is: its boxes, the fans below them, and the words on its branches."""

    def __init__(
        self,
        depths: list[int],
        sizes: list[tuple[float, float]],
        labels: list[Label],
        spans: list[float],
    ) -> None:
        n_levels = max(depths) + 1
        self.boxes, self.fans = [0.0] * n_levels, [0.0] * n_levels
        self.labels = [0.0] * n_levels
        for depth, (_, height), label, span in zip(depths, sizes, labels, spans, strict=True):
            fan = min(_FAN + _STEEPEST * span, _TALLEST_FAN)
            words = LABEL_LINE * len(label.lines) + 2.0 * _AROUND_LABEL if label.lines else 0.0
            self.boxes[depth] = max(self.boxes[depth], height)
            self.fans[depth] = max(self.fans[depth], math.ceil(fan))
            self.labels[depth] = max(self.labels[depth], words)

    def tops(self, start: float) -> list[float]:
        """Give the height at which the boxes of each level begin."""
        tops = [start]
        for depth in range(len(self.boxes) - 1):
            below = self.boxes[depth] + self.fans[depth] + self.labels[depth + 1]
            tops.append(tops[-1] + below)
        return tops


def _branches(
    tree: Tree,
    drawn: list[DrawnNode],
    boxes: tuple[Box, ...],
    children: list[list[int]],
    labels: list[Label],
    levels: _Levels,
    tops: list[float],
) -> tuple[Branch, ...]:
    """Draw the ways between boxes; those of one box leave it side by side."""
    shares = row_shares(tree).tolist()
    found: dict[int, Branch] = {}
    depths = [0] * len(boxes)
    for place, below in enumerate(children):
        parts = [
            sum(shares[node] for node in drawn[child].folded or (drawn[child].node,))
            for child in below
        ]
        thick = [
            _NARROWEST_BRANCH if math.isnan(part) else max(_NARROWEST_BRANCH, _WIDEST_BRANCH * part)
            for part in parts
        ]
        start = boxes[place].middle - 0.5 * sum(thick)
        depth = depths[place]
        fan = tops[depth] + levels.boxes[depth]
        for child, part, thickness in zip(below, parts, thick, strict=True):
            depths[child] = depth + 1
            box, label = boxes[child], labels[child]
            found[child] = Branch(
                parent=drawn[place].node,
                child=drawn[child].node,
                folded=drawn[child].folded,
                share=part,
                thickness=thickness,
                start=(start + 0.5 * thickness, boxes[place].bottom),
                fan=(fan, fan + levels.fans[depth]),
                end=(box.middle, box.y),
                label=label,
                label_y=box.y - 0.5 * levels.labels[depth + 1],
            )
            start += thickness
    return tuple(found[place] for place in range(1, len(boxes)))
