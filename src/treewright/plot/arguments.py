"""What all pictures take: a tree, or whatever has one."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from treewright.exceptions import brief
from treewright.tree import Tree

__all__ = ["HasTree", "TreeOrModel", "tree_of"]


class HasTree(Protocol):
    """Whatever has a tree, such as a fitted model."""

    @property
    def tree_(self) -> Tree:
        """The tree."""


TreeOrModel: TypeAlias = Tree | HasTree


def tree_of(tree: object, function: str, parameter: str = "tree") -> Tree:
    """Return a tree that was given, or the tree of a model that was given.

    Raises
    ------
    TypeError
        If it is something else, for example a model that is not fitted.
    """
    found = getattr(tree, "tree_", tree)
    if not isinstance(found, Tree):
        hint = "; take one of the trees_ of the forest" if hasattr(tree, "trees_") else ""
        raise TypeError(
            f"The {parameter!r} parameter of {function} must be a Tree or a fitted model that has "
            f"one. Got {brief(tree)}{hint}."
        )
    return found
