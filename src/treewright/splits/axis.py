"""Thresholds on one numeric column."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.splits.base import SplitMethod

__all__ = ["Axis"]


class Axis(SplitMethod):
    """Splits ``x <= t`` on one numeric column, all thresholds tried.

    Parameters
    ----------
    rules : {"cart", "c45"}, default "cart"
        ``"cart"`` cuts in the middle between neighbouring values. ``"c45"`` follows release 8 of
        C4.5: a gain is charged for the number of cuts it was chosen from, very uneven cuts are not
        allowed, and the threshold is a value of the training data. Use it with ``gain="ratio"`` to
        have C4.5's trees. Like C4.5 it counts weights as rows: give weights with a mean of 1.

    See Also
    --------
    Categorical : The same for the levels of a categorical column.
    MUST : Linear combinations of a few columns.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> TreeClassifier(split=Axis(rules="c45")).split
    Axis(rules='c45')
    """

    _checks: ClassVar[dict[str, Check]] = {"rules": choice("cart", "c45")}

    def __init__(self, rules: str = "cart") -> None:
        self.rules = rules

    @property
    def takes_proportions(self) -> bool:
        """Whether a row may be some of several classes, as a teacher says."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        return _core.make_method("axis", {"rules": self.rules}, [])
