"""How notebooks show a tree: as whoever draws trees has said.

Drawing stands on top of trees, so it is not known here; the room that draws tells it when it is
loaded. Before that a notebook shows the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

__all__ = ["draw_trees_by", "notebook_html"]

_drawings: list[Callable[[Tree], str]] = []


def draw_trees_by(function: Callable[[Tree], str]) -> None:
    """Let notebooks show what a function makes of a tree, as HTML."""
    _drawings[:] = [function]


def notebook_html(tree: Tree) -> str | None:
    """Give the HTML that a notebook shows; None while nobody has said how trees are drawn."""
    return _drawings[0](tree) if _drawings else None
