"""One condition of a rule: a split of the tree and the branch that a row must take there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.expressions import Expression
from treewright.predicates import Predicate
from treewright.schema import Schema

__all__ = ["Condition"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A split and one of its branches.

    Parameters
    ----------
    test : Predicate
        The split, of any of the six kinds.
    branch : int
        The branch that a row must take. A row whose branch is unknown, as a value is missing, does
        not meet the condition.

    See Also
    --------
    Rule : Conditions, and the class they lead to.
    treewright.predicates.Axis : One of the six kinds of splits.

    Examples
    --------
    >>> from treewright.predicates import Axis
    >>> from treewright.schema import Column, Schema
    >>> print(Condition(Axis(0, 42.0), 1).expression(Schema((Column("age", "numeric"),))))
    age > 42
    """

    test: Predicate
    branch: int

    def __post_init__(self) -> None:
        if not 0 <= self.branch < self.test.n_branches:
            raise ValueError(
                f"The 'branch' of a condition must be in [0, {self.test.n_branches - 1}]. "
                f"Got {self.branch}."
            )

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Where it stands among the conditions of a rule: by columns, then by cut."""
        return self.test.columns, self.test.encode(), self.branch

    def expression(self, schema: Schema) -> Expression:
        """Say the condition as an expression.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        Expression
            The branch.
        """
        return self.test.branches(schema)[self.branch]

    def holds(self, table: _core.Table) -> NDArray[np.bool_]:
        """Tell for each row whether it meets the condition.

        Parameters
        ----------
        table : treewright._core.Table
            The rows, as the core reads them.

        Returns
        -------
        ndarray of bool
            One per row.
        """
        met: NDArray[np.bool_] = _core.route(self.test.encode(), table) == self.branch
        return met
