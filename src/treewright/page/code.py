"""The trees of a page as code to copy: a few of the export targets."""

from __future__ import annotations

from treewright.exceptions import UnsupportedError
from treewright.export import export_tree
from treewright.tree import Tree

__all__ = ["ENDINGS", "FOR_EVERY_TREE", "TARGETS", "code_text"]

# Those that need no library; the others are for `treewright export`.
TARGETS = {"sql": "SQL", "python": "Python", "javascript": "JavaScript", "c": "C"}

# Of the files that they are saved in.
ENDINGS = {"sql": "sql", "python": "py", "javascript": "js", "c": "c"}

# Short enough to be there for every tree; the others only for those that are recommended.
FOR_EVERY_TREE = ("sql",)


def code_text(tree: Tree, target: str) -> str:
    """Write a tree in a language, or say why it cannot be written.

    Parameters
    ----------
    tree : Tree
        Any tree, with its full names.
    target : str
        One of `TARGETS`.

    Returns
    -------
    str
        The code, or one sentence.
    """
    # Only a whole SELECT can add up the shares of a row that goes down several branches.
    options = {"table": "your_table"} if target == "sql" and tree.core.divides_rows else {}
    try:
        text = export_tree(tree, target, **options)
    except UnsupportedError as error:
        return str(error)
    assert isinstance(text, str), "all of these targets are text"
    return text
