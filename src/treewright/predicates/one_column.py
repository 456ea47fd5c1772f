"""Predicates on one column: a threshold, or sets of levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeAlias

from treewright.base.jsonform import JSON, plain_number
from treewright.expressions import Compare, Expression, In, IsMissing, Not, negate, or_missing
from treewright.predicates.base import BasePredicate, FlatKind, FlatTest, check_codes, check_numbers
from treewright.schema import Schema

__all__ = ["Axis", "Multiway", "Simple", "Subset"]


class _HasColumn(Protocol):
    @property
    def column(self) -> int: ...


class _OneColumn:
    """What predicates on one column have."""

    __slots__ = ()

    @property
    def columns(self: _HasColumn) -> tuple[int, ...]:
        """Positions of the columns it reads."""
        return (self.column,)


@dataclass(frozen=True, slots=True)
class Axis(_OneColumn, BasePredicate):
    """One numeric or ordinal column against a threshold.

    Parameters
    ----------
    column : int
        Position of the column.
    threshold : float
        Branch 0 is ``x <= threshold``, branch 1 is ``x > threshold``.

    See Also
    --------
    Linear : Several columns against a threshold.
    Pair : Two such conditions joined.
    treewright.splits.Axis : Finds the column and the threshold.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric", unit="years"),))
    >>> print(*Axis(0, 42.0).branches(schema), sep=" | ")
    age <= 42 years | age > 42 years
    """

    column: int
    threshold: float

    def __post_init__(self) -> None:
        check_codes("column", (self.column,))
        check_numbers("threshold", (self.threshold,))

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            One per branch.
        """
        column = schema.columns[self.column]
        return Compare(column, "<=", self.threshold), Compare(column, ">", self.threshold)

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        return FlatKind.AXIS, [self.column], [self.threshold]

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "axis",
            "column": self.column,
            "threshold": plain_number(self.threshold),
        }


@dataclass(frozen=True, slots=True)
class Subset(_OneColumn, BasePredicate):
    """A categorical column: some levels go left, some go right, for the others it is unknown.

    Parameters
    ----------
    column : int
        Position of a categorical or boolean column.
    left, right : tuple of int
        Positions of levels, rising; none stands on both sides.

    See Also
    --------
    Multiway : A branch for each group of levels.
    Axis : The same of a numeric column.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> city = Column("city", "categorical", levels=("Oslo", "Paris", "Rome"))
    >>> print(*Subset(0, (1,), (0, 2)).branches(Schema((city,))), sep=" | ")
    city is Paris | city in {Oslo, Rome}
    """

    column: int
    left: tuple[int, ...]
    right: tuple[int, ...]

    def __post_init__(self) -> None:
        check_codes("column", (self.column,))
        for name, codes in (("left", self.left), ("right", self.right)):
            check_codes(name, codes)
            if not codes or any(a >= b for a, b in pairwise(codes)):
                raise ValueError(
                    f"The '{name}' levels of Subset must be rising positions. Got {codes}."
                )
        if not set(self.left).isdisjoint(self.right):
            raise ValueError("The 'left' and 'right' levels of Subset must differ.")

    @property
    def levels_of_branch(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the levels that take each branch."""
        return self.left, self.right

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            One per branch.
        """
        return (
            _in_levels(schema, self.column, self.left),
            _in_levels(schema, self.column, self.right),
        )

    def possible_branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say of each branch which rows may take it: those that do, and those of unknown branch."""
        return _all_but(schema, self.column, (self.right, self.left))

    def unknown(self, schema: Schema) -> Expression:
        """Say for which rows the branch is not known."""
        column = schema.columns[self.column]
        listed = sorted({*self.left, *self.right})
        if len(listed) == len(column.levels):
            return IsMissing(column)
        return or_missing(Not(_in_levels(schema, self.column, listed)))

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        return FlatKind.SUBSET, [self.column, len(self.left), *self.left, *self.right], []

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "subset",
            "column": self.column,
            "left": list(self.left),
            "right": list(self.right),
        }


Simple: TypeAlias = Axis | Subset  # what pairs are made of, and surrogates are


@dataclass(frozen=True, slots=True)
class Multiway(_OneColumn, BasePredicate):
    """A categorical column with a branch for each level or group of levels.

    Parameters
    ----------
    column : int
        Position of a categorical or boolean column.
    branch_of_level : tuple of int
        The branch of each level of the column; every branch from 0 to the largest has a level.

    See Also
    --------
    Subset : Two branches.
    Machine : As many branches, by linear scores.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> sky = Column("sky", "categorical", levels=("sun", "cloud", "rain"))
    >>> print(*Multiway(0, (0, 1, 2)).branches(Schema((sky,))), sep=" | ")
    sky is sun | sky is cloud | sky is rain
    """

    column: int
    branch_of_level: tuple[int, ...]

    def __post_init__(self) -> None:
        check_codes("column", (self.column,))
        check_codes("branch_of_level", self.branch_of_level)
        used = set(self.branch_of_level)
        if len(used) < 2 or used != set(range(len(used))):
            raise ValueError(
                "The 'branch_of_level' of Multiway must use two branches or more, "
                f"numbered from 0. Got {self.branch_of_level}."
            )

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return max(self.branch_of_level) + 1

    @property
    def levels_of_branch(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the levels that take each branch."""
        groups: list[list[int]] = [[] for _ in range(self.n_branches)]
        for level, branch in enumerate(self.branch_of_level):
            groups[branch].append(level)
        return tuple(tuple(group) for group in groups)

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            One per branch.
        """
        return tuple(_in_levels(schema, self.column, levels) for levels in self.levels_of_branch)

    def possible_branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say of each branch which rows may take it: those that do, and those of unknown branch."""
        others = [
            [code for code, branch in enumerate(self.branch_of_level) if branch != own]
            for own in range(self.n_branches)
        ]
        return _all_but(schema, self.column, others)

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        return FlatKind.MULTIWAY, [self.column, *self.branch_of_level], []

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "multiway",
            "column": self.column,
            "branches": [list(levels) for levels in self.levels_of_branch],
        }


def _in_levels(schema: Schema, column: int, codes: Sequence[int]) -> In:
    levels = schema.columns[column].levels
    return In(schema.columns[column], tuple(levels[code] for code in codes))


def _all_but(
    schema: Schema, column: int, others: Iterable[Sequence[int]]
) -> tuple[Expression, ...]:
    """Say for each branch that a value is none of the levels of the others, or missing."""
    outside = (_in_levels(schema, column, codes) for codes in others)
    if schema.columns[column].kind == "boolean":  # there is no third level
        return tuple(or_missing(negate(condition)) for condition in outside)
    return tuple(or_missing(Not(condition)) for condition in outside)
