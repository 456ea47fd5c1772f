"""The parameter class of the method to copy."""

from __future__ import annotations

from treewright import _core
from treewright.splits.base import SplitMethod

__all__ = ["Example"]


class Example(SplitMethod):
    """The method of ``cpp/treewright/split/example.cpp``: cuts each column at its mean."""

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        return _core.make_method("example", {}, [])
