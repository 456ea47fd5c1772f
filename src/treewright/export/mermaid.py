"""Mermaid: a tree as a flowchart, which many readers of Markdown draw by themselves.

Every text stands between quotes, and every character in it that is no letter, digit, blank or plain
mark becomes a numbered entity of Mermaid (``#60;`` for ``<``). So no text can end its quotes, start
HTML, Markdown, a link or a directive. Boxes are named n0, n1, ..., never by other people's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from treewright.base.parameters import Check, choice
from treewright.export.base import Exporter
from treewright.export.diagrams import boxes
from treewright.tree import Tree

__all__ = ["Mermaid"]

# A point before a blank could make a numbered list of "1. x".
_NOT_PLAIN = re.compile(r"[^\w .,?=%]|_|\.(?!\w)")


@dataclass(frozen=True)
class Mermaid(Exporter):
    """A tree as a Mermaid flowchart.

    Parameters
    ----------
    direction : {"TD", "LR"}, default "TD"
        Whether it grows from the top down or from left to right; the latter suits deep trees.

    Notes
    -----
    Mermaid itself refuses diagrams of more than 500 edges or 50,000 characters unless its settings
    say otherwise.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(Mermaid().export(model.tree_))
    flowchart TD
        n0["age #60;= 40?<br>4 rows"]
        n0 -->|"yes"| n1
        n0 -->|"no"| n2
        n1(["no<br>100 %, 2 rows"])
        n2(["yes<br>100 %, 2 rows"])
        style n1 fill:#80B8D8,stroke:#0072B2,color:#000000
        style n2 fill:#F2CF80,stroke:#E69F00,color:#000000
    <BLANKLINE>
    """

    name: ClassVar[str] = "mermaid"
    suffix: ClassVar[str] = ".mmd"
    words: ClassVar[str] = "a flowchart for Markdown"

    direction: str = "TD"

    _checks: ClassVar[dict[str, Check]] = {"direction": choice("TD", "LR")}

    def export(self, tree: Tree) -> str:
        """Write a tree as a flowchart."""
        lines = [f"flowchart {self.direction}"]
        styles = []
        for box in boxes(tree):
            name, text = f"n{box.node.id}", _quoted(box.lines)
            lines.append(f"    {name}[{text}]" if box.ways else f"    {name}([{text}])")
            lines += [f"    {name} -->|{_quoted(way.lines)}| n{way.child}" for way in box.ways]
            if box.node.is_leaf:
                colours = f"fill:{box.ground},stroke:{box.colour},color:#000000"
                styles.append(f"    style {name} {colours}")
        return "\n".join([*lines, *styles, ""])


def _quoted(lines: Iterable[str]) -> str:
    return '"' + "<br>".join(_NOT_PLAIN.sub(_entity, line) for line in lines) + '"'


def _entity(match: re.Match[str]) -> str:
    return f"#{ord(match[0])};"
