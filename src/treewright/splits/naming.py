"""From what a user gives as ``split=`` to a split method."""

from __future__ import annotations

from treewright.exceptions import brief
from treewright.splits.axis import Axis
from treewright.splits.base import SplitMethod

__all__ = ["SPLIT_WORDS", "as_split"]

SPLIT_WORDS = "'axis', an object such as Axis(), or a function decorated with @split_method"


def as_split(split: str | SplitMethod) -> SplitMethod:
    """Return the split method that a user's word stands for."""
    if isinstance(split, SplitMethod):
        return split
    if split == "axis":
        return Axis()
    raise ValueError(f"A split method must be {SPLIT_WORDS}. Got {brief(split)}.")
