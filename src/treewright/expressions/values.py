"""The nine expressions, and what is true of a row.

An expression is true, false or unknown (a value it needs is missing). Unknown spreads as in
Kleene's three-valued logic: ``false and unknown`` is false, ``true and unknown`` is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Never, TypeAlias, assert_never, cast

from treewright.schema import Column, Level

__all__ = [
    "And",
    "Compare",
    "Expression",
    "In",
    "IsMissing",
    "Largest",
    "Not",
    "Or",
    "Score",
    "Sum",
    "Term",
    "Xor",
    "exact",
    "negate",
]

Operator: TypeAlias = Literal["<=", ">"]


class Term(NamedTuple):
    """One part of a sum: ``coefficient * column``, or ``coefficient if column is level``.

    Parameters
    ----------
    coefficient : float
        The factor.
    column : Column
        A numeric or ordinal column, or the categorical or boolean one of the level.
    level : str, int, float or bool, optional
        The coefficient is added where the row has this level, 0 at another level of the column.
    """

    coefficient: float
    column: Column
    level: Level | None = None

    def _identity(self) -> tuple[object, ...]:
        return self.coefficient, self.column, exact(self.level)

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Term) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._identity())


class Score(NamedTuple):
    """The linear score of one branch: ``sum(terms) + intercept``.

    Parameters
    ----------
    terms : tuple of Term
        The products that are added.
    intercept : float
        What is added to their sum.
    """

    terms: tuple[Term, ...]
    intercept: float


class _Expression:
    """What all nine expressions can do."""

    __slots__ = ()

    def __str__(self) -> str:
        # The words stand on top of the expressions, so they are fetched when asked for.
        from treewright.expressions.text_renderer import TextRenderer

        return TextRenderer().render(cast("Expression", self))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns a reader looks at, each once, in the order of the words."""
        return tuple(
            {column.name: column for column in _columns(cast("Expression", self))}.values()
        )

    def evaluate(self, values: Mapping[str, Any]) -> bool | None:
        """Decide the condition for one row.

        Parameters
        ----------
        values : mapping of str to value
            The row by column name: numbers, levels, and None or NaN where missing.

        Returns
        -------
        bool or None
            Whether the condition holds; None where that cannot be known.
        """
        return _evaluate(cast("Expression", self), values)


@dataclass(frozen=True, slots=True)
class Compare(_Expression):
    """A column compared with a number.

    Parameters
    ----------
    column : Column
        A numeric column, or an ordinal one, whose levels count as 0, 1, 2, ... in their order.
    operator : {"<=", ">"}
        Which side of the value is meant.
    value : float
        The threshold.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> under = Compare(Column("age", "numeric", unit="years"), "<=", 42.0)
    >>> print(under, "|", under.evaluate({"age": 40}), "|", under.evaluate({"age": None}))
    age <= 42 years | True | None
    """

    column: Column
    operator: Operator
    value: float

    def __post_init__(self) -> None:
        _check_operator(self.operator)


@dataclass(frozen=True, slots=True)
class Sum(_Expression):
    """A linear combination of columns compared with a number.

    Parameters
    ----------
    terms : tuple of Term
        The products that are added.
    operator : {"<=", ">"}
        How the sum is compared.
    value : float
        The threshold.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> income, debt = Column("income", "numeric"), Column("debt", "numeric")
    >>> print(Sum((Term(1.2, income), Term(-3.0, debt)), "<=", 40.0))
    1.2 * income - 3 * debt <= 40
    """

    terms: tuple[Term, ...]
    operator: Operator
    value: float

    def __post_init__(self) -> None:
        _check_operator(self.operator)


@dataclass(frozen=True, slots=True, eq=False)
class In(_Expression):
    """A categorical, boolean or ordinal column whose level is one of a set.

    A level the column does not know makes the condition unknown, as a missing value does.

    Parameters
    ----------
    column : Column
        A categorical, boolean or ordinal column.
    levels : tuple of str, int, float or bool
        The levels in the set.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> city = Column("city", "categorical", levels=("Oslo", "Paris", "Rome"))
    >>> print(In(city, ("Oslo",)), "|", In(city, ("Oslo", "Rome")))
    city is Oslo | city in {Oslo, Rome}
    """

    column: Column
    levels: tuple[Level, ...]

    @property
    def other_levels(self) -> tuple[Level, ...]:
        """The levels of the column that are not in the set, in the order of the column."""
        inside = set(map(exact, self.levels))
        return tuple(level for level in self.column.levels if exact(level) not in inside)

    def _identity(self) -> tuple[object, ...]:
        return self.column, tuple(map(exact, self.levels))

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, In) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())


@dataclass(frozen=True, slots=True)
class IsMissing(_Expression):
    """A column whose value is missing, or a level the column does not know. Never unknown.

    Parameters
    ----------
    column : Column
        A column of any kind.
    """

    column: Column


@dataclass(frozen=True, slots=True)
class And(_Expression):
    """All of several conditions.

    Parameters
    ----------
    parts : tuple of Expression
        The conditions that must all be true; without any it is true.
    """

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or(_Expression):
    """At least one of several conditions.

    Parameters
    ----------
    parts : tuple of Expression
        The conditions of which one must be true; without any it is false.
    """

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Xor(_Expression):
    """Exactly one of two conditions.

    Parameters
    ----------
    parts : tuple of two Expression
        The conditions of which exactly one must be true.
    """

    parts: tuple[Expression, Expression]

    def __post_init__(self) -> None:
        if len(self.parts) != 2:
            raise ValueError(f"The 'parts' of Xor must be two expressions. Got {len(self.parts)}.")


@dataclass(frozen=True, slots=True)
class Not(_Expression):
    """The opposite of a condition; see `negate` for the simplified form.

    Of a set of levels it holds for every other level, also for one that the column does not know.

    Parameters
    ----------
    part : Expression
        The condition that must be false.
    """

    part: Expression


@dataclass(frozen=True, slots=True)
class Largest(_Expression):
    """One of several linear scores is the largest; of equal ones the first is meant.

    Parameters
    ----------
    index : int
        Position of the winning score.
    scores : tuple of Score
        All scores that compete.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> a, b = Column("a", "numeric"), Column("b", "numeric")
    >>> scores = (Score((Term(2.0, a),), 1.0), Score((Term(1.0, b),), 0.0))
    >>> print(Largest(0, scores))
    2 * a + 1 is largest, against b
    """

    index: int
    scores: tuple[Score, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.index < len(self.scores):
            raise ValueError(
                f"The 'index' of Largest must be in [0, {len(self.scores) - 1}]. Got {self.index}."
            )


Expression: TypeAlias = Compare | Sum | In | IsMissing | And | Or | Xor | Not | Largest


def _check_operator(operator: str) -> None:
    if operator not in ("<=", ">"):
        raise ValueError(f"The 'operator' of a comparison must be '<=' or '>'. Got {operator!r}.")


def _columns(expression: Expression) -> Iterator[Column]:
    match expression:
        case Compare(column) | In(column) | IsMissing(column):
            yield column
        case Sum(terms):
            yield from (term.column for term in terms)
        case Largest(_, scores):
            yield from (term.column for score in scores for term in score.terms)
        case And(parts) | Or(parts) | Xor(parts):
            for part in parts:
                yield from _columns(part)
        case Not(part):
            yield from _columns(part)
        case _:
            assert_never(expression)


def _evaluate(expression: Expression, values: Mapping[str, Any]) -> bool | None:
    match expression:
        case Compare(column, operator, value):
            return _holds(_number(column, values), operator, value)
        case Sum(terms, operator, value):
            return _holds(_total(0.0, terms, values), operator, value)
        case In(column, levels):
            rank = _rank(column, values.get(column.name))
            return None if rank is None else exact(column.levels[rank]) in map(exact, levels)
        case IsMissing(column):
            found = values.get(column.name)
            if column.kind == "numeric":
                return found is None or math.isnan(found)
            return _rank(column, found) is None
        case And(parts):
            answers = [_evaluate(part, values) for part in parts]
            return False if False in answers else None if None in answers else True
        case Or(parts):
            answers = [_evaluate(part, values) for part in parts]
            return True if True in answers else None if None in answers else False
        case Xor((first, second)):
            one, other = _evaluate(first, values), _evaluate(second, values)
            return None if one is None or other is None else one != other
        case Not(In(column)) if _is_unseen(column, values.get(column.name)):
            return True
        case Not(part):
            answer = _evaluate(part, values)
            return None if answer is None else not answer
        case Largest(index, scores):
            totals = [_total(score.intercept, score.terms, values) for score in scores]
            if any(math.isnan(total) for total in totals):
                return None
            return totals.index(max(totals)) == index
        case _:
            raise _not_an_expression(expression)


def _not_an_expression(thing: Never) -> TypeError:
    """Make the error for an object of another type; mypy sees that no expression comes here."""
    return TypeError(f"Not an expression: an object of type {type(thing).__name__}.")


def exact(level: object) -> tuple[type, object]:
    """Tell 1, 1.0 and True apart: they are equal in Python, but not as levels."""
    return type(level), level


def _rank(column: Column, value: object) -> int | None:
    """Find the position of a level, exactly or else by value; None if the column has no such."""
    known = [exact(level) for level in column.levels]
    if exact(value) in known:
        return known.index(exact(value))
    return column.levels.index(value) if value in column.levels else None


def _is_unseen(column: Column, value: object) -> bool:
    """Tell whether there is a value, and the column does not know it."""
    is_missing = value is None or (isinstance(value, float) and math.isnan(value))
    return not is_missing and _rank(column, value) is None


def _number(column: Column, values: Mapping[str, Any]) -> float:
    """Look up what a comparison sees: the value, or the rank of an ordinal level; else NaN."""
    value = values.get(column.name)
    if column.kind == "ordinal":
        value = _rank(column, value)
    return math.nan if value is None else float(value)


def _total(start: float, terms: Iterable[Term], values: Mapping[str, Any]) -> float:
    """Add up in stored order, as the core does; NaN if a value is missing."""
    for coefficient, column, level in terms:
        number = _number(column, values) if level is None else _indicator(column, level, values)
        start += coefficient * number
    return start


def _indicator(column: Column, level: Level, values: Mapping[str, Any]) -> float:
    rank = _rank(column, values.get(column.name))
    return math.nan if rank is None else float(exact(column.levels[rank]) == exact(level))


def _holds(number: float, operator: Operator, value: float) -> bool | None:
    return None if math.isnan(number) else (number <= value) == (operator == "<=")


def negate(expression: Expression) -> Expression:
    """Turn an expression into its opposite in simple words.

    Parameters
    ----------
    expression : Expression
        Any expression.

    Returns
    -------
    Expression
        True where the expression is false, false where it is true, unknown where it is unknown.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> age, pulse = Column("age", "numeric"), Column("pulse", "numeric")
    >>> print(negate(And((Compare(age, "<=", 42.0), Compare(pulse, ">", 90.0)))))
    age > 42 or pulse <= 90
    """
    match expression:
        case Compare(column, operator, value):
            return Compare(column, _opposite(operator), value)
        case Sum(terms, operator, value):
            return Sum(terms, _opposite(operator), value)
        case In(column):
            return In(column, expression.other_levels)
        case And(parts):
            return Or(tuple(negate(part) for part in parts))
        case Or(parts):
            return And(tuple(negate(part) for part in parts))
        case Not(part):
            return part
        case IsMissing() | Xor() | Largest():
            return Not(expression)
        case _:
            assert_never(expression)


def _opposite(operator: Operator) -> Operator:
    return ">" if operator == "<=" else "<="
