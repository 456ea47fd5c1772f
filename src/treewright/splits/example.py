"""The parameter class of the method to copy."""

from __future__ import annotations

from treewright import _core
from treewright.splits.base import SplitMethod

__all__ = ["Example"]


class Example(SplitMethod):
    """The method of ``cpp/treewright/split/example.cpp``: cuts each column at its mean.

    See Also
    --------
    treewright.splits.Axis : Tries every cut of a column.
    treewright.split_method : Makes a split method of a Python function.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier(split=Example()).fit([[1], [2], [3], [6]], ["a", "a", "a", "b"])
    >>> print(model.rules()[0])
    if x0 <= 4 then a (100 %, 3 rows)
    """

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        return _core.make_method("example", {}, [])
