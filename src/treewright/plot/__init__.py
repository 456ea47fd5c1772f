"""Pictures of trees and of their data.

Trees are drawn as SVG text by this room alone; all other pictures need matplotlib, which is loaded
when the first of them is asked for. The room knows a Tree and rows, never an estimator (whatever
has a ``tree_`` may stand for its tree), and keeps away from pyplot: a figure belongs to whoever
asked for it.

At the top, each using only what stands before: ``rows`` (which rows reach a node), ``words`` (texts
short enough to draw), ``arguments`` (a tree, or what has one), ``geometry`` (cuts in a box). Then

    tree | panel  <-  svg | figures

where ``tree`` and ``panel`` say what is to be drawn and where, ``svg`` writes it as text, and
``figures`` draws it by matplotlib.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from treewright.exceptions import MissingDependencyError
from treewright.plot.svg.panels import panel_svg, panel_svgs
from treewright.plot.svg.tree import tree_html, tree_svg, write_svg
from treewright.plot.tree.layout import TreeLayout, tree_layout
from treewright.plot.tree.style import tree_style

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
    "decision_regions": "regions",
    "impurity_profile": "profile",
    "impurity_surface": "surface",
    "path_steps": "path",
    "plot_tree": "tree",
    "skeletons": "skeletons",
    "split_panel": "panels",
    "split_panels": "panels",
}


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
    return getattr(
        importlib.import_module(f"{__name__}.figures.{_DRAWN_BY_MATPLOTLIB[name]}"), name
    )


def __dir__() -> list[str]:
    return sorted(__all__)
