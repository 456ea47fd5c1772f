"""Splits on the levels of a categorical column."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.splits.base import SplitMethod

__all__ = ["Categorical"]


class Categorical(SplitMethod):
    """Splits on the levels of one categorical column.

    Parameters
    ----------
    kind : {"subset", "multiway", "grouped"}, default "subset"
        ``"subset"`` divides the levels into two sets: exactly for two classes and for squared
        error; for more classes over all subsets up to 10 levels, and by ordering the levels by
        the proportion of each class in turn beyond that. ``"multiway"`` has one branch per level.
        ``"grouped"`` merges levels into a few branches while the gain ratio does not fall, as C4.5
        does with its option ``-s``; not for twoing, hddt and absolute error.

    See Also
    --------
    Axis : The same for numeric columns.
    Best : Both, or more methods, side by side.

    Examples
    --------
    >>> from treewright import TreeClassifier, datasets
    >>> loans = datasets.load_loans(as_frame="pandas")
    >>> split = Categorical("multiway")
    >>> model = TreeClassifier(split=split, max_depth=1)
    >>> for rule in model.fit(loans[["home"]], loans["repaid"]).rules():
    ...     print(rule)
    if home is mortgage then yes (59 %, 220 rows)
    if home is own then yes (78 %, 180 rows)
    if home is rent or unseen then yes (63 %, 467 rows)
    if home is with parents then yes (66 %, 133 rows)
    """

    _checks: ClassVar[dict[str, Check]] = {"kind": choice("subset", "multiway", "grouped")}

    def __init__(self, kind: str = "subset") -> None:
        self.kind = kind

    @property
    def tests_levels(self) -> bool:
        """Whether the method splits categorical columns itself."""
        return True

    @property
    def takes_proportions(self) -> bool:
        """Whether a row may be some of several classes, as a teacher says."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        return _core.make_method("categorical", {"kind": self.kind}, [])
