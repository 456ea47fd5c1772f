"""A tree as an indented list, for narrow screens and for those who do not see the drawing.

The words are those of the drawing. Lines come in the order of reading, a node before what is below
it, each with the number of lists that end after it, so that no depth is too large to be written.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.plot.tree.contents import Contents
from treewright.plot.tree.style import N_COLOURS
from treewright.tree import Tree, answer_text
from treewright.tree.branching import ShowMissing
from treewright.words import name_text, plural

__all__ = ["OutlineLine", "outline_lines"]


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One node of the list.

    Parameters
    ----------
    node : int
        Its id.
    branch : str
        The words on the branch that leads to it; empty for the root.
    name : str
        The name that a reader gave to the node, if any.
    words : str
        Its question, or what it predicts.
    detail : str
        Its rows; how sure the prediction is, or what becomes of missing values.
    kind : str
        Which colour a leaf has, as a class of the style sheet; empty for an inner node.
    closes : int
        How many lists end after it.
    """

    node: int
    branch: str
    name: str
    words: str
    detail: str
    kind: str
    closes: int


def outline_lines(tree: Tree, show_missing: ShowMissing = None) -> list[OutlineLine]:
    """Write a tree line by line.

    Parameters
    ----------
    tree : Tree
        Any tree.
    show_missing : bool, collection of str or None, default None
        Of which columns is said what becomes of missing values.

    Returns
    -------
    list of OutlineLine
        One per node.
    """
    contents = Contents(tree, show_missing)
    lines = []
    pending = [(0, "", 0)]
    while pending:
        number, branch, closes = pending.pop()
        node = tree.node(number)
        name = name_text(node.name) if node.name else ""
        if node.predicate is None:
            words = contents.predicted + answer_text(node, tree.decimals)
            detail = contents.certainty(node)
            kind = "mean" if node.share is None else f"c{int(node.value) % N_COLOURS}"
            lines.append(OutlineLine(number, branch, name, words, detail, kind, closes))
            continue
        told = [plural(node.rows, "row"), contents.missing(node)]
        detail = ", ".join(filter(None, told))
        lines.append(OutlineLine(number, branch, name, contents.question(node), detail, "", 0))
        last = node.children[-1]
        below = [
            (child, " ".join(label.lines), closes + 1 if child == last else 0)
            for child, label in zip(node.children, contents.labels(number), strict=True)
        ]
        pending.extend(reversed(below))
    return lines
