"""The test at a node: six frozen dataclasses, one for each way of routing a row.

    Axis      x <= t                      branch 0 when true, else 1
    Linear    c1 x1 + ... + ck xk <= t    branch 0 when true, else 1
    Subset    level in left or in right   branch 0 in left, 1 in right
    Multiway  the branch of the level
    Pair      a and b, a or b, a xor b    branch 0 when true, else 1; a, b are Axis or Subset
    Machine   the largest linear score    the branch of that score, the first of equal ones

A predicate knows columns and levels by position. The compiled core decides the branch; the classes
here carry a test between the core ("flat tests", see `decode`), the model file and the reader.
`branches` says each branch as an expression: a row takes branch b exactly where expression b is
true, and its branch is unknown where none is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol, TypeAlias, assert_never

from treewright.expressions import (
    And,
    Compare,
    Expression,
    In,
    Largest,
    Not,
    Or,
    Score,
    Sum,
    Term,
    Xor,
)
from treewright.jsonform import JSON, plain_number
from treewright.schema import Schema

__all__ = [
    "Axis",
    "FlatTest",
    "Linear",
    "Machine",
    "Multiway",
    "Pair",
    "Predicate",
    "Subset",
    "decode",
]

FlatTest: TypeAlias = tuple[int, list[int], list[float]]
Connective: TypeAlias = Literal["and", "or", "xor"]

_CONNECTIVES: tuple[Connective, ...] = ("and", "or", "xor")
_AXIS, _LINEAR, _SUBSET, _MULTIWAY, _PAIR, _MACHINE = range(6)
_N_CODES = 2**31 - 1  # columns, levels and nodes are 32-bit numbers in the core


class _ReadsColumns(Protocol):
    @property
    def columns(self) -> tuple[int, ...]: ...


class _Predicate:
    """What all six predicates have."""

    __slots__ = ()

    @property
    def n_terms(self: _ReadsColumns) -> int:
        """How many values a reader looks at: one a column."""
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class Axis(_Predicate):
    """One numeric or ordinal column against a threshold.

    Parameters
    ----------
    column : int
        Position of the column.
    threshold : float
        Branch 0 is ``x <= threshold``, branch 1 is ``x > threshold``.

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
        _check_codes("column", (self.column,))
        _check_numbers("threshold", (self.threshold,))

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns it reads."""
        return (self.column,)

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return 2

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        column = schema.columns[self.column]
        return Compare(column, "<=", self.threshold), Compare(column, ">", self.threshold)

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        return _AXIS, [self.column], [self.threshold]

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "axis",
            "column": self.column,
            "threshold": plain_number(self.threshold),
        }


@dataclass(frozen=True, slots=True)
class Linear(_Predicate):
    """A weighted sum of columns, in their own units, against a threshold.

    Parameters
    ----------
    columns : tuple of int
        Positions of different columns.
    coefficients : tuple of float
        One a column.
    threshold : float
        Branch 0 is ``sum <= threshold``.

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
        _check_columns(self.columns)
        _check_numbers("coefficients", self.coefficients, len(self.columns))
        _check_numbers("threshold", (self.threshold,))

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return 2

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        terms = _terms(schema, self.columns, self.coefficients)
        return Sum(terms, "<=", self.threshold), Sum(terms, ">", self.threshold)

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        return _LINEAR, list(self.columns), [*self.coefficients, self.threshold]

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "linear",
            "columns": list(self.columns),
            "coefficients": [plain_number(number) for number in self.coefficients],
            "threshold": plain_number(self.threshold),
        }


@dataclass(frozen=True, slots=True)
class Subset(_Predicate):
    """A categorical column: some levels go left, some go right, for the others it is unknown.

    Parameters
    ----------
    column : int
        Position of a categorical or boolean column.
    left, right : tuple of int
        Positions of levels, rising; none stands on both sides.

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
        _check_codes("column", (self.column,))
        for name, codes in (("left", self.left), ("right", self.right)):
            _check_codes(name, codes)
            if not codes or any(a >= b for a, b in pairwise(codes)):
                raise ValueError(
                    f"The '{name}' levels of Subset must be rising positions. Got {codes}."
                )
        if not set(self.left).isdisjoint(self.right):
            raise ValueError("The 'left' and 'right' levels of Subset must differ.")

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns it reads."""
        return (self.column,)

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return 2

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        return (
            _in_levels(schema, self.column, self.left),
            _in_levels(schema, self.column, self.right),
        )

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        return _SUBSET, [self.column, len(self.left), *self.left, *self.right], []

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "subset",
            "column": self.column,
            "left": list(self.left),
            "right": list(self.right),
        }


@dataclass(frozen=True, slots=True)
class Multiway(_Predicate):
    """A categorical column with a branch for each level or group of levels.

    Parameters
    ----------
    column : int
        Position of a categorical or boolean column.
    branch_of_level : tuple of int
        The branch of each level of the column; every branch from 0 to the largest has a level.

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
        _check_codes("column", (self.column,))
        _check_codes("branch_of_level", self.branch_of_level)
        used = set(self.branch_of_level)
        if len(used) < 2 or used != set(range(len(used))):
            raise ValueError(
                "The 'branch_of_level' of Multiway must use two branches or more, "
                f"numbered from 0. Got {self.branch_of_level}."
            )

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns it reads."""
        return (self.column,)

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return max(self.branch_of_level) + 1

    @property
    def levels_of_branch(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the levels that take each branch."""
        groups: list[list[int]] = [[] for _ in range(self.n_branches)]
        for level, branch in enumerate(self.branch_of_level):
            groups[branch].append(level)
        return tuple(tuple(group) for group in groups)

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        return tuple(_in_levels(schema, self.column, levels) for levels in self.levels_of_branch)

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        return _MULTIWAY, [self.column, *self.branch_of_level], []

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "multiway",
            "column": self.column,
            "branches": [list(levels) for levels in self.levels_of_branch],
        }


@dataclass(frozen=True, slots=True)
class Pair(_Predicate):
    """Two simple tests joined by and, or, or xor.

    A part that settles the answer alone needs no other: ``false and unknown`` is false.

    Parameters
    ----------
    connective : {"and", "or", "xor"}
        How the parts are joined; branch 0 is taken when the whole is true.
    first, second : Axis or Subset
        The parts; branch 0 of a part counts as true.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric"), Column("pulse", "numeric")))
    >>> print(*Pair("and", Axis(0, 30.0), Axis(1, 90.0)).branches(schema), sep=" | ")
    age <= 30 and pulse <= 90 | age > 30 or pulse > 90
    """

    connective: Connective
    first: Axis | Subset
    second: Axis | Subset

    def __post_init__(self) -> None:
        if self.connective not in _CONNECTIVES:
            raise ValueError(
                f"The 'connective' of Pair must be 'and', 'or' or 'xor'. Got {self.connective!r}."
            )
        for part in (self.first, self.second):
            if not isinstance(part, Axis | Subset):
                raise TypeError(
                    "The parts of Pair must be Axis or Subset predicates. "
                    f"Got {type(part).__name__}."
                )

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns it reads, each once."""
        return tuple(dict.fromkeys((self.first.column, self.second.column)))

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return 2

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        first, second = self.first.branches(schema), self.second.branches(schema)
        match self.connective:
            case "and":
                return And((first[0], second[0])), Or((first[1], second[1]))
            case "or":
                return Or((first[0], second[0])), And((first[1], second[1]))
            case "xor":
                if _knows_all_levels(self.first, schema) and _knows_all_levels(self.second, schema):
                    whole = Xor((first[0], second[0]))
                    return whole, Not(whole)
                # A level on neither side makes a part unknown, which Xor of the true branches
                # alone would take for false.
                return (
                    Or((And((first[0], second[1])), And((first[1], second[0])))),
                    Or((And((first[0], second[0])), And((first[1], second[1])))),
                )
            case _:
                assert_never(self.connective)

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        features = [_CONNECTIVES.index(self.connective)]
        numbers: list[float] = []
        for part in (self.first, self.second):
            kind, part_features, part_numbers = part.encode()
            features += [kind, len(part_features), *part_features]
            numbers += part_numbers
        return _PAIR, features, numbers

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "pair",
            "connective": self.connective,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Machine(_Predicate):
    """A linear score a branch; a row takes the branch of its largest score.

    Parameters
    ----------
    columns : tuple of int
        Positions of different columns.
    coefficients : tuple of tuple of float
        One row a branch, one number a column.
    intercepts : tuple of float
        One a branch.

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
        _check_columns(self.columns)
        if len(self.coefficients) < 2:
            raise ValueError("The 'coefficients' of Machine need a row for each of two branches.")
        for row in self.coefficients:
            _check_numbers("coefficients", row, len(self.columns))
        _check_numbers("intercepts", self.intercepts, len(self.coefficients))

    @property
    def n_branches(self) -> int:
        """How many ways lead out of the node."""
        return len(self.intercepts)

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression."""
        scores = tuple(
            Score(_terms(schema, self.columns, row), intercept)
            for row, intercept in zip(self.coefficients, self.intercepts, strict=True)
        )
        return tuple(Largest(branch, scores) for branch in range(len(scores)))

    def encode(self) -> FlatTest:
        """Write the predicate as a flat test of the core."""
        numbers: list[float] = []
        for row, intercept in zip(self.coefficients, self.intercepts, strict=True):
            numbers += [*row, intercept]
        return _MACHINE, list(self.columns), numbers

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


Predicate: TypeAlias = Axis | Linear | Subset | Multiway | Pair | Machine


def decode(test: FlatTest) -> Predicate:
    """Read a flat test of the core.

    Parameters
    ----------
    test : tuple of int, list of int, list of float
        The kind's number, then columns and levels, then thresholds and coefficients.

    Returns
    -------
    Predicate
        The predicate whose ``encode()`` gives that flat test.

    Raises
    ------
    ValueError
        If the flat test is malformed.

    Examples
    --------
    >>> decode((0, [3], [2.45]))
    Axis(column=3, threshold=2.45)
    """
    kind, features, numbers = test
    try:
        predicate = _decode(kind, features, numbers)
    except IndexError:
        predicate = None
    if predicate is None or predicate.encode() != (kind, list(features), list(numbers)):
        raise ValueError(f"A flat test of kind {kind} is malformed: {features}, {numbers}.")
    return predicate


def _decode(kind: int, features: Sequence[int], numbers: Sequence[float]) -> Predicate | None:
    if kind == _AXIS:
        return Axis(features[0], numbers[0])
    if kind == _LINEAR:
        return Linear(tuple(features), tuple(numbers[:-1]), numbers[-1])
    if kind == _SUBSET:
        middle = 2 + features[1]
        return Subset(features[0], tuple(features[2:middle]), tuple(features[middle:]))
    if kind == _MULTIWAY:
        return Multiway(features[0], tuple(features[1:]))
    if kind == _PAIR:
        parts = []
        start, used = 1, 0
        for _ in range(2):
            stop = start + 2 + features[start + 1]
            n_numbers = 1 if features[start] == _AXIS else 0
            part = _decode(
                features[start], features[start + 2 : stop], numbers[used : used + n_numbers]
            )
            if not isinstance(part, Axis | Subset):
                return None
            parts.append(part)
            start, used = stop, used + n_numbers
        return Pair(_CONNECTIVES[features[0]], parts[0], parts[1])
    if kind == _MACHINE:
        width = len(features) + 1
        rows = [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]
        return Machine(tuple(features), tuple(row[:-1] for row in rows), tuple(r[-1] for r in rows))
    return None


def _terms(
    schema: Schema, columns: Sequence[int], coefficients: Sequence[float]
) -> tuple[Term, ...]:
    return tuple(
        Term(coefficient, schema.columns[column])
        for column, coefficient in zip(columns, coefficients, strict=True)
    )


def _in_levels(schema: Schema, column: int, codes: Sequence[int]) -> In:
    levels = schema.columns[column].levels
    return In(schema.columns[column], tuple(levels[code] for code in codes))


def _knows_all_levels(part: Axis | Subset, schema: Schema) -> bool:
    if isinstance(part, Axis):
        return True
    return len(part.left) + len(part.right) == len(schema.columns[part.column].levels)


def _check_codes(name: str, codes: Sequence[int]) -> None:
    for code in codes:
        if not 0 <= code < _N_CODES:
            raise ValueError(f"The '{name}' of a predicate must be positions. Got {code!r}.")


def _check_columns(columns: Sequence[int]) -> None:
    _check_codes("columns", columns)
    if not columns or len(set(columns)) != len(columns):
        raise ValueError(f"The 'columns' of a predicate must be different columns. Got {columns}.")


def _check_numbers(name: str, numbers: Sequence[float], count: int | None = None) -> None:
    if count is not None and len(numbers) != count:
        raise ValueError(
            f"The '{name}' of a predicate must be {count} numbers. Got {len(numbers)}."
        )
    for number in numbers:
        if not math.isfinite(number):
            raise ValueError(f"The '{name}' of a predicate must be finite. Got {number!r}.")
