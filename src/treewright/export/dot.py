r"""Graphviz: a tree in the dot language, to be drawn by `dot -Tsvg`.

Every text stands between quotes. In them Graphviz reads backslashes (``\N`` is the name of the
node) and entities (``&lt;``), so both are escaped; see the grammar of dot, "escString".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from treewright.export.base import Exporter
from treewright.export.diagrams import boxes, title
from treewright.tree import Tree

__all__ = ["Dot"]

_THINNEST, _THICKEST = 1.0, 5.0


@dataclass(frozen=True)
class Dot(Exporter):
    r"""A tree in the language of Graphviz.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(Dot().export(model.tree_).splitlines()[5])
      n0 [label="age <= 40?\n4 rows", color="#555555", fillcolor="#FFFFFF"];
    """

    name: ClassVar[str] = "dot"
    suffix: ClassVar[str] = ".dot"
    words: ClassVar[str] = "a drawing in the language of Graphviz"

    def export(self, tree: Tree) -> str:
        """Write a tree as a directed graph; the nodes are named n0, n1, ... by their ids."""
        lines = [
            "digraph tree {",
            f"  graph [label={_quoted([title(tree)])}, labelloc=t, "
            'fontname="Helvetica,Arial,sans-serif"];',
            '  node [shape=box, style="rounded,filled", fontname="Helvetica,Arial,sans-serif"];',
            '  edge [fontname="Helvetica,Arial,sans-serif", color="#777777"];',
            "",
        ]
        for box in boxes(tree):
            colours = f'color="{box.colour}", fillcolor="{box.ground}"'
            lines.append(f"  n{box.node.id} [label={_quoted(box.lines)}, {colours}];")
            for way in box.ways:
                width = _THINNEST + (_THICKEST - _THINNEST) * way.share
                look = f"label={_quoted(way.lines)}, penwidth={width:.2f}"
                lines.append(f"  n{box.node.id} -> n{way.child} [{look}];")
        return "\n".join([*lines, "}", ""])


def _quoted(lines: Iterable[str]) -> str:
    escaped = (
        line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'
