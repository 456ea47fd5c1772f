"""Checks that all pictures share."""

from __future__ import annotations

from treewright.exceptions import brief
from treewright.tree import Tree

__all__ = ["check_tree"]


def check_tree(tree: object, function: str) -> None:
    """Refuse what is no tree.

    Raises
    ------
    TypeError
        If it is something else, for example the model.
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"The 'tree' parameter of {function} must be a Tree, such as the tree_ of a fitted "
            f"model. Got {brief(tree)}."
        )
