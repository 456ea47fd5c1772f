"""Tests on the levels of a categorical column."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice
from treewright.splits.base import SplitMethod

__all__ = ["Categorical"]


class Categorical(SplitMethod):
    """Tests on the levels of one categorical column.

    Parameters
    ----------
    kind : {"subset", "multiway", "grouped"}, default "subset"
        ``"subset"`` divides the levels into two sets: exactly for two classes and for squared
        error; for more classes over all subsets up to 10 levels, and by ordering the levels by
        the share of each class in turn beyond that. ``"multiway"`` has one branch a level.
        ``"grouped"`` merges levels into a few branches while the gain ratio does not fall, as C4.5
        does with its option ``-s``; not for twoing, hddt and absolute error.
    """

    _checks: ClassVar[dict[str, Check]] = {"kind": choice("subset", "multiway", "grouped")}

    def __init__(self, kind: str = "subset") -> None:
        self.kind = kind

    @property
    def tests_levels(self) -> bool:
        """Whether the method tests categorical columns itself."""
        return True

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        return _core.make_method("categorical", {"kind": self.kind}, [])
