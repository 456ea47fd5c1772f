"""Predicates on linear combinations: one against a threshold, or the largest of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.base.jsonform import JSON, plain_number
from treewright.expressions import Expression, Largest, Score, Sum, Term
from treewright.predicates.base import (
    BasePredicate,
    FlatKind,
    FlatTest,
    check_columns,
    check_numbers,
)
from treewright.schema import Schema

__all__ = ["Linear", "Machine"]


@dataclass(frozen=True, slots=True)
class Linear(BasePredicate):
    """A linear combination of columns, in their own units, against a threshold.

    Parameters
    ----------
    columns : tuple of int
        Positions of different columns.
    coefficients : tuple of float
        One per column.
    threshold : float
        Branch 0 is ``sum <= threshold``.

    See Also
    --------
    Axis : One column.
    Machine : More than two branches.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("income", "numeric"), Column("debt", "numeric")))
    >>> print(Linear((0, 1), (1.2, -3.0), 40.0).branches(schema)[0])
    1.2 * income - 3 * debt <= 40
    """

    columns: tuple[int, ...]
    coefficients: tuple[float, ...]
    threshold: float

    def __post_init__(self) -> None:
        check_columns(self.columns)
        check_numbers("coefficients", self.coefficients, len(self.columns))
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
        terms = _terms(schema, self.columns, self.coefficients)
        return Sum(terms, "<=", self.threshold), Sum(terms, ">", self.threshold)

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        return FlatKind.LINEAR, list(self.columns), [*self.coefficients, self.threshold]

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "linear",
            "columns": list(self.columns),
            "coefficients": [plain_number(number) for number in self.coefficients],
            "threshold": plain_number(self.threshold),
        }


@dataclass(frozen=True, slots=True)
class Machine(BasePredicate):
    """A linear score a branch; a row takes the branch of its largest score.

    Parameters
    ----------
    columns : tuple of int
        Positions of different columns.
    coefficients : tuple of tuple of float
        One row per branch, one number per column.
    intercepts : tuple of float
        One per branch.

    See Also
    --------
    Linear : Two branches, one linear combination.
    Multiway : As many branches, by the levels of one column.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("a", "numeric"), Column("b", "numeric")))
    >>> print(Machine((0, 1), ((2.0, 0.0), (0.0, 1.0)), (1.0, 0.0)).branches(schema)[1])
    b is largest, against 2 * a + 1
    """

    columns: tuple[int, ...]
    coefficients: tuple[tuple[float, ...], ...]
    intercepts: tuple[float, ...]

    def __post_init__(self) -> None:
        check_columns(self.columns)
        if len(self.coefficients) < 2:
            raise ValueError("The 'coefficients' of Machine need a row for each of two branches.")
        for row in self.coefficients:
            check_numbers("coefficients", row, len(self.columns))
        check_numbers("intercepts", self.intercepts, len(self.coefficients))

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return len(self.intercepts)

    def scores(self, schema: Schema) -> tuple[Score, ...]:
        """Say the score of each branch.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Score
            One per branch.
        """
        return tuple(
            Score(_terms(schema, self.columns, row), intercept)
            for row, intercept in zip(self.coefficients, self.intercepts, strict=True)
        )

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
        scores = self.scores(schema)
        return tuple(Largest(branch, scores) for branch in range(len(scores)))

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        numbers: list[float] = []
        for row, intercept in zip(self.coefficients, self.intercepts, strict=True):
            numbers += [*row, intercept]
        return FlatKind.MACHINE, list(self.columns), numbers

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "machine",
            "columns": list(self.columns),
            "scores": [
                {
                    "coefficients": [plain_number(number) for number in row],
                    "intercept": plain_number(intercept),
                }
                for row, intercept in zip(self.coefficients, self.intercepts, strict=True)
            ],
        }


def _terms(
    schema: Schema, columns: Sequence[int], coefficients: Sequence[float]
) -> tuple[Term, ...]:
    return tuple(
        Term(coefficient, schema.columns[column])
        for column, coefficient in zip(columns, coefficients, strict=True)
    )
