"""The shapes of several trees side by side: how much smaller, and how much is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from treewright.base.parameters import check_arguments, integer, none, one_of
from treewright.plot.arguments import tree_of
from treewright.plot.figures.axes import CHARACTER, FONT, number_axis
from treewright.plot.figures.figures import PanelFigure, as_they_are, classes_among
from treewright.plot.figures.legend import draw_legend, legend_height, legend_width
from treewright.plot.figures.styles import SCALE, style_of
from treewright.plot.panel.spacing import limits
from treewright.plot.rows import drawable
from treewright.plot.tree.tidy import tidy_places
from treewright.plot.words import target_words
from treewright.schema.shortening import short_schema, shortened
from treewright.tree import Tree
from treewright.words import name_text, plural, share_text

__all__ = ["skeletons"]

_SIDE_BY_SIDE = 4
_WIDTH = 2.6  # inches of the narrowest tree
_WIDEST = 7.0
_ACROSS = 18.0  # of all trees of a line
_A_LEAF = 0.16
_A_LEVEL = 0.42
_TITLE = 0.85
_BESIDE = 1.5
_DOTS = 1.2  # inches down of the legend of tests
_HEADING = 0.92  # of the width of a tree
_INNER = 16.0  # area in points of the dot of a test on one column
_LEAF = 160.0  # of a leaf that holds all rows
_SMALLEST = 12.0
_FEWEST_CHARACTERS = 8
_MOST_TERMS = 12  # larger dots would hide what is around them


def skeletons(
    trees: Mapping[str, Tree] | Iterable[Any],
    *,
    max_trees: int = 12,
    columns: int | None = None,
) -> Figure:
    """Draw the shapes of several trees side by side.

    Splits are open dots, the larger the more columns they read. Leaves have the colour of their
    prediction; their area is their proportion of the rows.

    Parameters
    ----------
    trees : mapping of str to Tree, or iterable of Tree
        The trees, with names or without; fitted models and entries of a path, such as
        ``model.path_[:4]``, stand for their trees.
    max_trees : int, default 12
        The most trees to draw, from the first on; the figure says how many are left out.
    columns : int, optional
        Trees side by side; by default four at most.

    Returns
    -------
    Figure
        A new figure, which pyplot does not know. Above each tree: leaves, complexity (1 plus the
        columns in all splits), reading effort, and accuracy or explained variance of its training
        rows.

    Raises
    ------
    TypeError
        If there is no tree.
    ValueError
        If the trees predict different things.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = recipes.cart(random_state=0).fit(X, y)
    >>> figure = skeletons(model.path_[:3])
    >>> print(figure.axes[0].get_title(loc="left"))
    9 leaves, complexity 9
    effort 2.73, accuracy 100 %
    """
    check_arguments(
        "skeletons",
        {"max_trees": max_trees, "columns": columns},
        {"max_trees": integer(1), "columns": one_of(none(), integer(1))},
    )
    named = _named_trees(trees)
    shown = named[:max_trees]
    layouts = [_places(tree) for _, tree in shown]
    inches = [float(np.clip(_A_LEAF * places.max(), _WIDTH, _WIDEST)) for places in layouts]
    across = min(len(shown), columns or _n_across(inches))
    widths = [max(inches[start::across]) for start in range(across)]
    depths = [
        max(tree.depth for _, tree in shown[start : start + across])
        for start in range(0, len(shown), across)
    ]
    heights = [_TITLE + _A_LEVEL * max(depth, 2) for depth in depths]
    schema = short_schema(shown[0][1].schema)
    answers = np.concatenate([_leaf_answers(tree) for _, tree in shown])
    classes = classes_among(schema, answers)
    beside = max(legend_width(list(classes.values())), _BESIDE)
    has_dots = max(tree.node_terms.max() for _, tree in shown) > 1
    legends = legend_height(list(classes.values())) + (_DOTS if has_dots else 0.0)
    size = (sum(widths) + beside, max(sum(heights), legends))
    figure = PanelFigure(size, layout="constrained")
    ratios = {"width_ratios": widths, "height_ratios": heights}
    grid = figure.subplots(len(heights), across, squeeze=False, gridspec_kw=ratios)
    colours = ScalarMappable(Normalize(*limits(drawable(answers))), SCALE)
    for line, depth in zip(grid, depths, strict=True):
        for axes in line:
            axes.set_axis_off()
            axes.set_ylim(-max(depth, 2) - 0.5, 0.5)
    for place, (name, tree) in enumerate(shown):
        axes = grid.ravel()[place]
        _draw_tree(axes, tree, layouts[place], colours)
        _write_heading(axes, name, tree, _HEADING * widths[place % across])
    if classes:
        draw_legend(figure, grid.ravel().tolist(), classes, target_words(schema))
    else:
        bar = figure.colorbar(colours, ax=grid, shrink=0.6, pad=0.02)
        number_axis(bar.ax.yaxis, target_words(schema))
    if has_dots:
        _list_dots(figure)
    if len(shown) < len(named):
        n_hidden = plural(len(named) - len(shown), "further tree")
        words = f"{n_hidden} not drawn; raise 'max_trees' to see more."
        figure.supxlabel(words, fontsize=FONT)
    as_they_are([figure])
    return figure


def _named_trees(trees: Any) -> list[tuple[str, Tree]]:
    """Read trees, or what holds one as `tree` or `tree_`, with their names; "" without."""
    if isinstance(trees, Mapping):
        pairs = [(name_text(str(name)), tree) for name, tree in trees.items()]
    else:
        one_by_one = trees if isinstance(trees, Iterable) else [trees]
        pairs = [("", tree) for tree in one_by_one]
    named: list[tuple[str, Tree]] = []
    for name, holder in pairs:
        tree = holder if hasattr(holder, "tree_") else getattr(holder, "tree", holder)
        named.append((name, tree_of(tree, "skeletons", "trees")))
    if not named:
        raise TypeError("The 'trees' parameter of skeletons must hold a tree. Got none.")
    if len({tree.schema.classes for _, tree in named}) > 1:
        raise ValueError(
            "The 'trees' parameter of skeletons must hold trees that predict the same classes, or "
            "numbers all of them."
        )
    return named


def _places(tree: Tree) -> NDArray[np.float64]:
    """Place the nodes of a tree across; those of the same depth are 1 apart or more."""
    first, count = tree.core.first_child.tolist(), tree.core.n_branches.tolist()
    children = [range(start, start + n) for start, n in zip(first, count, strict=True)]
    return np.array(tidy_places(children, [0.0] * tree.n_nodes, 1.0))


def _n_across(inches: list[float]) -> int:
    """Choose how many trees stand side by side: four, or fewer where they are wide."""
    for across in range(_SIDE_BY_SIDE, 1, -1):
        if sum(max(inches[start::across], default=0.0) for start in range(across)) <= _ACROSS:
            return across
    return 1


def _leaf_answers(tree: Tree) -> NDArray[np.float64]:
    return np.asarray(tree.core.value[tree.core.n_branches == 0], dtype=np.float64)


def _write_heading(axes: Axes, name: str, tree: Tree, inches: float) -> None:
    """Write above a tree what fits: characters are of several widths."""
    room = int(inches / CHARACTER)
    title = axes.set_title(_heading(name, tree, room), loc="left", fontsize=FONT)
    as_they_are([title])
    while title.get_window_extent().width > inches * axes.figure.dpi and room > _FEWEST_CHARACTERS:
        room -= 1
        title.set_text(_heading(name, tree, room))


def _heading(name: str, tree: Tree, room: int) -> str:
    """Say the name of a tree and what it costs its reader."""
    size = f"{plural(tree.n_leaves, 'leaf')}, complexity {tree.complexity}"
    score = share_text(tree.training_score) if np.isfinite(tree.training_score) else "-"
    of = "accuracy" if tree.is_classification else "explained"
    cost = f"effort {tree.reading_effort:.2f}, {of} {score}"
    return "\n".join(shortened(line, room) for line in (name, size, cost) if line)


def _draw_tree(
    axes: Axes, tree: Tree, places: NDArray[np.float64], colours: ScalarMappable
) -> None:
    """Draw the edges first, then splits, then leaves."""
    core, up = tree.core, -tree.core.depth
    points = np.column_stack([places, up])
    ways = np.stack([points[core.parent[1:]], points[1:]], axis=1)
    axes.add_collection(LineCollection(list(ways), colors="0.6", linewidths=0.9, zorder=1))
    middle, half = 0.5 * places.max(), 0.5 * max(places.max(), 2.0) + 0.6
    axes.set_xlim(middle - half, middle + half)
    is_inner = core.n_branches > 0
    areas = _INNER * np.minimum(tree.node_terms, _MOST_TERMS)
    dot: dict[str, Any] = {"color": "white", "edgecolors": "black", "linewidths": 1.0, "zorder": 2}
    axes.scatter(places[is_inner], up[is_inner], s=areas[is_inner], **dot)
    weights = tree.node_weights
    share = weights / weights[0] if weights[0] > 0.0 else 0.0 * weights
    areas = _SMALLEST + _LEAF * np.minimum(share, 1.0)
    answers = core.value[~is_inner]
    if tree.is_classification:
        for code in np.unique(answers).astype(np.intp).tolist():
            which, style = ~is_inner & (core.value == code), style_of(code)
            look: dict[str, Any] = {"color": style.colour, "marker": style.marker}
            axes.scatter(places[which], up[which], s=areas[which], linewidths=0, zorder=3, **look)
    else:
        axes.scatter(
            places[~is_inner],
            up[~is_inner],
            s=areas[~is_inner],
            color=list(colours.to_rgba(answers)),
            linewidths=0,
            zorder=3,
        )


def _list_dots(figure: Figure) -> None:
    """Draw how large the dots of splits are."""
    sizes = (1, 4, _MOST_TERMS)
    words = ["1 column", "4 columns", f"{_MOST_TERMS} or more"]
    handles = [
        Line2D(
            [], [], marker="o", linestyle="none", color="black", markerfacecolor="white",
            markersize=float(np.sqrt(_INNER * size)),
        )
        for size in sizes
    ]  # fmt: skip
    figure.legend(
        handles, words, loc="outside right lower", title="a split on", fontsize=FONT,
        title_fontsize=FONT, frameon=False, alignment="left", labelspacing=0.9,
    )  # fmt: skip
