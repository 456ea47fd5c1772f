"""Predicates on linear combinations: one against a threshold, or the largest of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.base.jsonform import JSON, plain_number
from treewright.expressions import Expression, Largest, Score, Sum, Term
from treewright.predicates.base import (
    BasePredicate,
    FlatKind,
    FlatTest,
    check_codes,
    check_columns,
    check_numbers,
)
from treewright.schema import Schema

__all__ = ["Linear", "Machine", "term_factors"]


@dataclass(frozen=True, slots=True)
class Linear(BasePredicate):
    """A linear combination of columns, in their own units, against a threshold.

    Parameters
    ----------
    columns : tuple of int
        Positions of columns, one per term; different ones, unless they have different levels.
    coefficients : tuple of float
        One per term.
    threshold : float
        Branch 0 is ``sum <= threshold``.
    levels : tuple of int or None, default ()
        Empty where all columns are numeric or ordinal. Else one per term: None for such a column,
        the position of a level for a categorical or boolean one, whose coefficient is added where
        the row has this level. A missing value, or a level that the column does not know, makes
        the sum unknown.

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
    >>> home = Column("home", "categorical", levels=("own", "rent"))
    >>> schema = Schema((Column("income", "numeric"), home))
    >>> print(Linear((0, 1), (1.0, 12.0), 40.0, levels=(None, 1)).branches(schema)[0])
    income + 12 if home is rent <= 40
    """

    columns: tuple[int, ...]
    coefficients: tuple[float, ...]
    threshold: float
    levels: tuple[int | None, ...] = ()

    def __post_init__(self) -> None:
        if all(level is None for level in self.levels[: len(self.columns)]):
            check_columns(self.columns)
        if self.levels:
            self._check_levels()
        check_numbers("coefficients", self.coefficients, len(self.columns))
        check_numbers("threshold", (self.threshold,))

    def _check_levels(self) -> None:
        if len(self.levels) != len(self.columns):
            raise ValueError(
                f"The 'levels' of Linear must be one per column, or none at all. "
                f"Got {len(self.levels)} for {len(self.columns)} columns."
            )
        check_codes("columns", self.columns)
        check_codes("levels", [level for level in self.levels if level is not None])
        if len({*zip(self.columns, self.levels, strict=True)}) != len(self.columns):
            raise ValueError(
                "The terms of Linear must differ in column or level. "
                f"Got {self.columns} with levels {self.levels}."
            )
        if all(level is None for level in self.levels):  # one way to write it
            object.__setattr__(self, "levels", ())

    def factors(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the coefficients are multiplied by.

        Parameters
        ----------
        values : ndarray of float64
            A row as the core sees it, with codes for levels, or several.

        Returns
        -------
        ndarray of float64
            One number per term, in the last dimension; NaN where the value is missing.
        """
        return term_factors(values, self.columns, self.levels)

    @property
    def terms(self) -> tuple[tuple[int, float, int | None], ...]:
        """The column, the coefficient and the level (None: its number) of each term."""
        levels = self.levels or (None,) * len(self.columns)
        return tuple(zip(self.columns, self.coefficients, levels, strict=True))

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
        terms = tuple(
            Term(
                coefficient,
                schema.columns[column],
                None if level is None else schema.columns[column].levels[level],
            )
            for column, coefficient, level in self.terms
        )
        return Sum(terms, "<=", self.threshold), Sum(terms, ">", self.threshold)

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        levels = (-1.0 if level is None else float(level) for level in self.levels)
        return FlatKind.LINEAR, list(self.columns), [*self.coefficients, *levels, self.threshold]

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "linear",
            "columns": list(self.columns),
            "coefficients": [plain_number(number) for number in self.coefficients],
            **({"levels": list(self.levels)} if self.levels else {}),
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


def term_factors(
    values: NDArray[np.float64], columns: Sequence[int], levels: Sequence[int | None]
) -> NDArray[np.float64]:
    """Give the values of some columns; 1 or 0 for those with a level.

    Parameters
    ----------
    values : ndarray of float64
        A row as the core sees it, or several.
    columns : sequence of int
        The column of each term.
    levels : sequence of int or None
        The level of each term; empty if none has one.

    Returns
    -------
    ndarray of float64
        One number per term, in the last dimension; NaN where the value is missing.
    """
    factors = values[..., list(columns)]
    for place, level in enumerate(levels):
        if level is not None:
            codes = factors[..., place]
            factors[..., place] = np.where(np.isnan(codes), np.nan, codes == level)
    return factors


def _terms(
    schema: Schema, columns: Sequence[int], coefficients: Sequence[float]
) -> tuple[Term, ...]:
    return tuple(
        Term(coefficient, schema.columns[column])
        for column, coefficient in zip(columns, coefficients, strict=True)
    )
