"""Conditions on columns as values that can be printed, evaluated and exported.

A predicate says which branch a row takes; an expression says the same about one branch in words
that any target language has: comparisons, weighted sums, sets, and, or, not. Exporters know these
nine expressions and nothing of predicates, so words come from one place.

An expression is true, false or unknown (a value it needs is missing). Unknown spreads as in
Kleene's three-valued logic: ``false and unknown`` is false, ``true and unknown`` is unknown.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never, cast

from treewright.schema import Column, Level
from treewright.words import level_texts, name_text, number_text, visible

__all__ = [
    "And",
    "Compare",
    "Expression",
    "In",
    "IsMissing",
    "Largest",
    "Not",
    "Or",
    "Renderer",
    "Score",
    "Sum",
    "Term",
    "TextRenderer",
    "Xor",
    "merge_conditions",
    "negate",
]

Operator: TypeAlias = Literal["<=", ">"]


class Term(NamedTuple):
    """One product in a weighted sum: ``coefficient * column``."""

    coefficient: float
    column: Column


class Score(NamedTuple):
    """The linear score of one branch: ``sum(terms) + intercept``."""

    terms: tuple[Term, ...]
    intercept: float


class _Expression:
    """What all nine expressions can do."""

    __slots__ = ()

    def __str__(self) -> str:
        return _TEXT.render(cast("Expression", self))

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
    """A weighted sum of columns compared with a number.

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
        inside = set(map(_exact, self.levels))
        return tuple(level for level in self.column.levels if _exact(level) not in inside)

    def _identity(self) -> tuple[object, ...]:
        return self.column, tuple(map(_exact, self.levels))

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, In) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())


@dataclass(frozen=True, slots=True)
class IsMissing(_Expression):
    """A column whose value is missing, or a level the column does not know. Never unknown."""

    column: Column


@dataclass(frozen=True, slots=True)
class And(_Expression):
    """All of several conditions."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or(_Expression):
    """At least one of several conditions."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Xor(_Expression):
    """Exactly one of two conditions."""

    parts: tuple[Expression, Expression]

    def __post_init__(self) -> None:
        if len(self.parts) != 2:
            raise ValueError(f"The 'parts' of Xor must be two expressions. Got {len(self.parts)}.")


@dataclass(frozen=True, slots=True)
class Not(_Expression):
    """The opposite of a condition; see `negate` for the simplified form."""

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
            return None if rank is None else _exact(column.levels[rank]) in map(_exact, levels)
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
        case Not(part):
            answer = _evaluate(part, values)
            return None if answer is None else not answer
        case Largest(index, scores):
            totals = [_total(score.intercept, score.terms, values) for score in scores]
            if any(math.isnan(total) for total in totals):
                return None
            return totals.index(max(totals)) == index
        case _:
            raise TypeError(f"Not an expression: an object of type {type(expression).__name__}.")


def _exact(level: object) -> tuple[type, object]:
    """Tell 1, 1.0 and True apart: they are equal in Python, but not as levels."""
    return type(level), level


def _rank(column: Column, value: object) -> int | None:
    """Find the position of a level, exactly or else by value; None if the column has no such."""
    exact = [_exact(level) for level in column.levels]
    if _exact(value) in exact:
        return exact.index(_exact(value))
    return column.levels.index(value) if value in column.levels else None


def _number(column: Column, values: Mapping[str, Any]) -> float:
    """Look up what a comparison sees: the value, or the rank of an ordinal level; else NaN."""
    value = values.get(column.name)
    if column.kind == "ordinal":
        value = _rank(column, value)
    return math.nan if value is None else float(value)


def _total(start: float, terms: Iterable[Term], values: Mapping[str, Any]) -> float:
    """Add up in stored order, as the core does; NaN if a value is missing."""
    for coefficient, column in terms:
        start += coefficient * _number(column, values)
    return start


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
        case _:
            return Not(expression)


def _opposite(operator: Operator) -> Operator:
    return ">" if operator == "<=" else "<="


def merge_conditions(conditions: Iterable[Expression]) -> tuple[Expression, ...]:
    """Say several conditions that all hold as few conditions, one a column where possible.

    Bounds on one column (or on one weighted sum) become an interval, sets of levels become their
    intersection, repeated conditions are said once. Columns keep the order of their first
    appearance. Conditions that contradict each other stay a contradiction.

    Parameters
    ----------
    conditions : iterable of Expression
        For example the branches on the path to a leaf.

    Returns
    -------
    tuple of Expression
        Conditions that hold together exactly when the given ones do.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> age = Column("age", "numeric")
    >>> bounds = [Compare(age, "<=", 70.0), Compare(age, ">", 18.0), Compare(age, "<=", 55.0)]
    >>> print(*merge_conditions(bounds))
    18 < age <= 55
    """
    lower: dict[object, Compare | Sum] = {}
    upper: dict[object, Compare | Sum] = {}
    sets: dict[object, In] = {}
    order: dict[object, Expression] = {}
    pending = list(conditions)[::-1]
    while pending:
        condition = pending.pop()
        key: object = condition
        match condition:
            case And(parts):
                pending.extend(parts[::-1])
                continue
            case Compare() | Sum():
                key = _measured(condition)
                side, better = (upper, min) if condition.operator == "<=" else (lower, max)
                # Of equal bounds the earlier is kept, so 0.0 and -0.0 do not change places.
                side[key] = better(side.get(key, condition), condition, key=_bound)
            case In(column):
                key = ("levels", column.name)
                levels = set(map(_exact, condition.levels))
                known = sets[key].levels if key in sets else column.levels
                sets[key] = In(column, tuple(level for level in known if _exact(level) in levels))
            case _:
                pass
        order.setdefault(key, condition)
    merged: list[Expression] = []
    for key, condition in order.items():
        if key in lower and key in upper:
            merged.append(And((lower[key], upper[key])))
        else:
            merged.append(lower.get(key) or upper.get(key) or sets.get(key) or condition)
    return tuple(merged)


def _bound(condition: Compare | Sum) -> float:
    return condition.value


def _measured(condition: Compare | Sum) -> object:
    """Name what is compared; columns by name, since the levels of a column may be many."""
    if isinstance(condition, Compare):
        return condition.column.name
    return tuple((coefficient, column.name) for coefficient, column in condition.terms)


class Renderer(ABC):
    """Turn expressions into the text of one target language, one method an expression.

    A subclass says how each of the nine expressions is written; `render` chooses the method. An
    object that is not an expression raises TypeError: nothing is ever skipped.
    """

    def render(self, expression: Expression) -> str:
        """Write one expression.

        Parameters
        ----------
        expression : Expression
            The expression to write.

        Returns
        -------
        str
            Its text in the target language.

        Raises
        ------
        TypeError
            If the object is not one of the nine expressions.
        """
        method = self._methods().get(type(expression))
        if method is None:
            raise TypeError(
                f"{type(self).__name__} can write expressions only. "
                f"Got an object of type {type(expression).__name__}."
            )
        return method(expression)

    def _methods(self) -> dict[type, Callable[[Any], str]]:
        return {
            Compare: self.render_compare,
            Sum: self.render_sum,
            In: self.render_in,
            IsMissing: self.render_is_missing,
            And: self.render_and,
            Or: self.render_or,
            Xor: self.render_xor,
            Not: self.render_not,
            Largest: self.render_largest,
        }

    @abstractmethod
    def render_compare(self, expression: Compare) -> str:
        """Write a comparison of a column with a number."""

    @abstractmethod
    def render_sum(self, expression: Sum) -> str:
        """Write a comparison of a weighted sum with a number."""

    @abstractmethod
    def render_in(self, expression: In) -> str:
        """Write membership in a set of levels."""

    @abstractmethod
    def render_is_missing(self, expression: IsMissing) -> str:
        """Write that a value is missing."""

    @abstractmethod
    def render_and(self, expression: And) -> str:
        """Write that all parts hold."""

    @abstractmethod
    def render_or(self, expression: Or) -> str:
        """Write that at least one part holds."""

    @abstractmethod
    def render_xor(self, expression: Xor) -> str:
        """Write that exactly one of two parts holds."""

    @abstractmethod
    def render_not(self, expression: Not) -> str:
        """Write that a part does not hold."""

    @abstractmethod
    def render_largest(self, expression: Largest) -> str:
        """Write that one linear score is the largest."""


class TextRenderer(Renderer):
    """Plain words for people.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> smoker = Column("smoker", "boolean", levels=(False, True))
    >>> size = Column("size", "ordinal", levels=("small", "medium", "large"))
    >>> TextRenderer().render(Or((In(smoker, (True,)), Compare(size, "<=", 1.5))))
    'smoker is true or size <= medium'
    """

    # Up to this many levels are listed even when naming the others would be shorter.
    _short_list = 3

    def render_compare(self, expression: Compare) -> str:
        """Write ``age <= 42 years``; an ordinal column names the level: ``size <= medium``."""
        column = expression.column
        if column.kind == "ordinal":
            return self._ordinal(expression)
        bound = number_text(expression.value)
        return f"{name_text(column.name)} {expression.operator} {bound}{self._unit(column)}"

    def render_sum(self, expression: Sum) -> str:
        """Write ``1.2 * income - 3 * debt <= 40``."""
        bound = number_text(expression.value)
        return f"{self.sum_text(expression.terms)} {expression.operator} {bound}"

    def render_in(self, expression: In) -> str:
        """Write ``city is Oslo``, ``city in {Oslo, Rome}`` or ``city not in {Oslo, Rome}``."""
        column, levels, others = expression.column, expression.levels, expression.other_levels
        name = name_text(column.name)
        if len(levels) > self._short_list and 0 < len(others) < len(levels):
            if len(others) == 1:
                return f"{name} is not {level_texts(others, column.levels, in_set=False)[0]}"
            return f"{name} not in {{{', '.join(level_texts(others, column.levels))}}}"
        if len(levels) == 1:
            return f"{name} is {level_texts(levels, column.levels, in_set=False)[0]}"
        return f"{name} in {{{', '.join(level_texts(levels, column.levels))}}}"

    def render_is_missing(self, expression: IsMissing) -> str:
        """Write ``age is missing``."""
        return f"{name_text(expression.column.name)} is missing"

    def render_and(self, expression: And) -> str:
        """Write ``a and b``; two bounds on one column become ``18 < age <= 55``."""
        interval = self._interval(expression)
        if interval is not None:
            return interval
        return " and ".join(self.nested(part) for part in expression.parts) or "always"

    def render_or(self, expression: Or) -> str:
        """Write ``a or b``; a condition that also takes its missing values ends in "or missing"."""
        texts = []
        for position, part in enumerate(expression.parts):
            names = {column.name for column in And(expression.parts[:position]).columns}
            if isinstance(part, IsMissing) and names == {part.column.name}:
                texts.append("missing")
            else:
                texts.append(self.nested(part))
        return " or ".join(texts) or "never"

    def render_xor(self, expression: Xor) -> str:
        """Write ``exactly one of (a) and (b)``."""
        first, second = expression.parts
        return f"exactly one of ({self.render(first)}) and ({self.render(second)})"

    def render_not(self, expression: Not) -> str:
        """Write the opposite of a part in its simplest words."""
        part = expression.part
        if isinstance(part, IsMissing):
            return f"{name_text(part.column.name)} is known"
        if isinstance(part, Xor):
            first, second = part.parts
            return f"both or neither of ({self.render(first)}) and ({self.render(second)})"
        if isinstance(part, In):
            name, alone = name_text(part.column.name), len(part.levels) == 1
            levels = level_texts(part.levels, part.column.levels, in_set=not alone)
            return (
                f"{name} is not {levels[0]}" if alone else f"{name} not in {{{', '.join(levels)}}}"
            )
        if isinstance(part, Largest):
            return f"not ({self.render(part)})"
        return self.render(negate(part))

    def render_largest(self, expression: Largest) -> str:
        """Write the winning score and those it is compared with."""
        texts = [self.score_text(score) for score in expression.scores]
        winner = texts.pop(expression.index)
        return f"{winner} is largest" + (f", against {' and '.join(texts)}" if texts else "")

    def nested(self, part: Expression) -> str:
        """Write a part of a larger expression, in brackets where the reader needs them."""
        text = self.render(part)
        inner = negate(part.part) if isinstance(part, Not) else part
        if isinstance(inner, And):
            return text if self._interval(inner) is not None else f"({text})"
        return f"({text})" if isinstance(inner, Or | Xor | Not | Largest) else text

    def sum_text(self, terms: Iterable[Term]) -> str:
        """Write a weighted sum: ``1.2 * income - debt``. Terms times zero are left out."""
        text = ""
        for coefficient, column in terms:
            if coefficient == 0.0:
                continue
            # The levels of an ordinal column count as 0, 1, 2, ... in their order.
            name = name_text(column.name)
            name = f"rank({name})" if column.kind == "ordinal" else name
            size = abs(coefficient)
            product = name if size == 1.0 else f"{number_text(size)} * {name}"
            if text:
                text += f" - {product}" if coefficient < 0.0 else f" + {product}"
            else:
                text = f"-{product}" if coefficient < 0.0 else product
        return text or "0"

    def score_text(self, score: Score) -> str:
        """Write a linear score: ``2 * a - b + 1``."""
        text = self.sum_text(score.terms)
        if text == "0":
            return number_text(score.intercept)
        if score.intercept == 0.0:
            return text
        sign = "-" if score.intercept < 0.0 else "+"
        return f"{text} {sign} {number_text(abs(score.intercept))}"

    def _unit(self, column: Column) -> str:
        return f" {visible(column.unit)}" if column.unit else ""

    def _ordinal(self, expression: Compare) -> str:
        """Write where the order of levels is cut: ``size <= medium``, ``size is large``."""
        name = name_text(expression.column.name)
        texts = level_texts(expression.column.levels, in_set=False)
        position, last = _last_below(expression), len(texts) - 1
        if expression.operator == "<=":
            if position < 0:
                return f"{name} < {texts[0]}"
            return f"{name} {'is' if position == 0 else '<='} {texts[position]}"
        if position < 0:
            return f"{name} >= {texts[0]}"
        if position == last - 1:
            return f"{name} is {texts[last]}"
        return f"{name} > {texts[position]}"

    def _interval(self, expression: And) -> str | None:
        """Write ``18 < age <= 55 years``, or None if the parts are not such a pair of bounds."""
        match expression.parts:
            case (Compare(column, ">") as low, Compare(_, "<=") as high) if _same(low, high):
                name = name_text(column.name)
                if column.kind == "ordinal":
                    return self._ordinal_interval(name, low, high)
                bounds = number_text(low.value), number_text(high.value) + self._unit(column)
            case (Sum(terms, ">") as low, Sum(_, "<=") as high) if _same(low, high):
                name = self.sum_text(terms)
                bounds = number_text(low.value), number_text(high.value)
            case _:
                return None
        return f"{bounds[0]} < {name} <= {bounds[1]}" if low.value < high.value else None

    def _ordinal_interval(self, name: str, low: Compare, high: Compare) -> str | None:
        first, last = _last_below(low), _last_below(high)
        if first < 0 or first >= last:
            return None
        texts = level_texts(low.column.levels, in_set=False)
        if first == last - 1:
            return f"{name} is {texts[last]}"
        return f"{texts[first]} < {name} <= {texts[last]}"


def _same(first: Compare | Sum, second: Compare | Sum) -> bool:
    return _measured(first) == _measured(second)


def _last_below(expression: Compare) -> int:
    """Find the last level of an ordinal column that is <= the value; -1 if none is."""
    return max(-1, math.floor(min(expression.value, len(expression.column.levels) - 1)))


_TEXT = TextRenderer()
