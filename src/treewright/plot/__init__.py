"""Pictures of trees and of their data.

Trees are drawn as SVG text by this room alone; all other pictures need matplotlib, which is loaded
when the first of them is asked for. The room knows a Tree and rows, never an estimator (whatever
has a ``tree_`` may stand for its tree), and keeps away from pyplot: a figure belongs to whoever
asked for it.

In this order, each using only what stands before: ``rows`` (which rows reach a node), ``words``
(texts short enough to draw), ``styles`` (colours, markers, hatches), ``arguments`` (a tree, or what
has one).

The tree itself: ``lettering`` (how wide a text is), ``tidy`` (nodes side by side), ``folding``
(which nodes are drawn), ``gaps`` (words for missing values), ``contents`` (what stands in a box),
``key`` (what colours mean), ``layout`` (where everything stands), ``svg_text``, ``svg_style``,
``svg_paint`` and ``svg`` (the drawing as text).

Rows of a test, before they are drawn: ``geometry`` (cuts in a box), ``panel`` (what one picture
needs to know), ``spacing`` (room on an axis), ``scale`` (an axis divided by branch), ``bins`` (rows
counted along a number), ``level_lines`` (rows by level), ``cells`` (regions of joined tests). As
SVG: ``svg_frame`` (axes), ``svg_marks`` (rows and cuts), ``svg_panels``.

By matplotlib: ``axes`` (ticks, names, branches of one pair of axes), ``figures`` (what all figures
share), ``points`` (rows as points), ``legend``, ``along`` (rows along one number), ``scatter``
(rows over two or three columns), ``levels`` (rows by level), ``coefficients`` (the weights of a
sum), ``pairs`` and ``machines`` (the regions of such tests), ``kinds`` (which picture suits a
test), ``panel_figures``. Whole trees: ``tree_figure``; ``chosen_columns`` (columns by name or
position), ``pieces`` (a window cut along the tests), ``plane`` (which window), ``region_figure``;
``path_figure`` (a sequence of trees); ``skeleton_figure`` (shapes of trees). Before there is a
tree: ``impurities`` (every cut along a number), ``profile_figure``, ``ideal_splits`` (boundaries of
logistic regressions), ``surface_figure``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from treewright.exceptions import MissingDependencyError
from treewright.plot.svg.panels import panel_svg, panel_svgs
from treewright.plot.svg.tree import tree_html, tree_svg, write_svg
from treewright.plot.tree.layout import TreeLayout, tree_layout
from treewright.plot.tree.style import tree_style
from treewright.tree.notebook import draw_trees_by

if TYPE_CHECKING:
    from treewright.plot.figures.panels import split_panel, split_panels
    from treewright.plot.figures.path import path_steps
    from treewright.plot.figures.profile import impurity_profile
    from treewright.plot.figures.regions import decision_regions
    from treewright.plot.figures.skeletons import skeletons
    from treewright.plot.figures.surface import impurity_surface
    from treewright.plot.figures.tree import plot_tree

__all__ = [
    "TreeLayout",
    "decision_regions",
    "impurity_profile",
    "impurity_surface",
    "panel_svg",
    "panel_svgs",
    "path_steps",
    "plot_tree",
    "skeletons",
    "split_panel",
    "split_panels",
    "tree_html",
    "tree_layout",
    "tree_style",
    "tree_svg",
    "write_svg",
]

_DRAWN_BY_MATPLOTLIB = {
    "decision_regions": "region_figure",
    "impurity_profile": "profile_figure",
    "impurity_surface": "surface_figure",
    "path_steps": "path_figure",
    "plot_tree": "tree_figure",
    "skeletons": "skeleton_figure",
    "split_panel": "panel_figures",
    "split_panels": "panel_figures",
}

draw_trees_by(tree_html)


def __getattr__(name: str) -> Any:
    if name not in _DRAWN_BY_MATPLOTLIB:
        raise AttributeError(f"module 'treewright.plot' has no attribute {name!r}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingDependencyError(
            f"treewright.plot.{name} needs the package matplotlib; install it with "
            "'pip install \"treewright[plot]\"'."
        ) from None
    return getattr(importlib.import_module(f"{__name__}.{_DRAWN_BY_MATPLOTLIB[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
