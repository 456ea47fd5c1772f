"""What all split methods have in common."""

from __future__ import annotations

from typing import ClassVar

from sklearn.base import BaseEstimator

from treewright import _core
from treewright.base.parameters import Check, check_parameters

__all__ = ["NodeData", "SplitMethod"]

NodeData = _core.NodeData
"""A node while its split is being looked for.

Attributes: `X` (numeric columns of the node's rows), `y` (labels 0..K-1 or numbers), `w`
(weights), `rows` (row ids), `columns` and `numeric_columns` (indices of columns that may be used),
`values(columns)`, `statistics`, `n_classes`, `n_rows`, `depth`; `cut(columns, coefficients)` gives
the linear split with the best threshold along a direction. It is alive during the call only.
"""


class SplitMethod(BaseEstimator):  # type: ignore[misc]
    """Base of all split methods: parameters, and how to make the working method of them."""

    _checks: ClassVar[dict[str, Check]] = {}

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return False

    @property
    def tests_levels(self) -> bool:
        """Whether the method splits categorical columns itself."""
        return False

    @property
    def takes_proportions(self) -> bool:
        """Whether a row may be some of several classes, as a teacher says."""
        return False

    @property
    def parts(self) -> tuple[SplitMethod, ...]:
        """The methods this one is made of, or asks."""
        return ()

    def with_levels(self, levels: SplitMethod) -> SplitMethod:
        """Return a method that splits categorical columns too.

        Parameters
        ----------
        levels : SplitMethod
            How, unless this method does so itself.

        Returns
        -------
        SplitMethod
            This method, or one that puts the other beside it.
        """
        from treewright.splits.best import Best  # which is made of split methods

        return self if self.tests_levels else Best(self, levels)

    def check(self) -> None:
        """Refuse a parameter of a wrong value.

        Raises
        ------
        ValueError
            With the parameter, what is allowed and what came.
        """
        check_parameters(self, self._checks)

    def check_depth(self, max_depth: int | None) -> None:
        """Refuse parameters that a tree of this depth would ignore.

        Parameters
        ----------
        max_depth : int or None
            Most splits on a path; None for no limit.

        Raises
        ------
        ValueError
            If the tree ends before they have their effect.
        """

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SplitMethod):
            return NotImplemented
        return type(self) is type(other) and self.get_params(False) == other.get_params(False)

    def __hash__(self) -> int:
        return hash((type(self), *self.get_params(deep=False)))
