"""Expressions as plain words for people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from treewright.expressions.merging import measured
from treewright.expressions.missing import split_missing
from treewright.expressions.renderers import Renderer
from treewright.expressions.values import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Score,
    Sum,
    Term,
    Xor,
    negate,
)
from treewright.schema import Column, Level
from treewright.schema.shortening import few_levels
from treewright.words import flag_text, level_texts, name_text, number_text, visible

__all__ = ["TextRenderer", "is_said_by_rest"]


class TextRenderer(Renderer):
    """Plain words for people.

    Parameters
    ----------
    short_sets : bool, default False
        Whether only the first few of many levels are written; the reader must have the others
        elsewhere.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> smoker = Column("smoker", "boolean", levels=(False, True))
    >>> size = Column("size", "ordinal", levels=("small", "medium", "large"))
    >>> TextRenderer().render(Or((In(smoker, (True,)), Compare(size, "<=", 1.5))))
    'smoker or size <= medium'
    """

    def __init__(self, *, short_sets: bool = False) -> None:
        self._joined = few_levels if short_sets else ", ".join

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
        """Write ``city is Oslo``, ``city in {Oslo, Rome}``, ``smoker`` or ``not smoker``.

        Never what is left out: that would take in levels that the column does not know.
        """
        return self._membership(expression.column, expression.levels)

    def render_is_missing(self, expression: IsMissing) -> str:
        """Write ``age is missing``, ``city is missing or unseen``."""
        return f"{_subject(expression.column)} is {_missing_words(expression.column)}"

    def render_and(self, expression: And) -> str:
        """Write ``a and b``; two bounds on one column become ``18 < age <= 55``."""
        interval = self._interval(expression)
        if interval is not None:
            return interval
        return " and ".join(self.nested(part) for part in expression.parts) or "always"

    def render_or(self, expression: Or) -> str:
        """Write ``a or b``; a condition that also takes its missing values ends in "or missing"."""
        first, is_or_missing = split_missing(expression)
        if is_or_missing and _names_all(first):
            comma = "," if len(first.columns) > 1 else ""
            has_others = isinstance(first, Not) and isinstance(first.part, In)
            ending = "missing" if has_others else _missing_words(*first.columns)
            return f"{self.nested(first, before_missing=True)}{comma} or {ending}"
        first, *others = expression.parts or (expression,)
        if others and all(isinstance(part, IsMissing) for part in others):
            ending = " or ".join(map(self.render, others))
            return f"{self.nested(first, before_missing=True)}, or {ending}"
        return " or ".join(self.nested(part) for part in expression.parts) or "never"

    def render_xor(self, expression: Xor) -> str:
        """Write ``exactly one of (a) and (b)``."""
        first, second = expression.parts
        return f"exactly one of ({self.render(first)}) and ({self.render(second)})"

    def render_not(self, expression: Not) -> str:
        """Write the opposite of a part in its simplest words."""
        part = expression.part
        match part:
            case IsMissing(column):
                return f"{_subject(column)} is known"
            case Xor((first, second)):
                return f"both or neither of ({self.render(first)}) and ({self.render(second)})"
            case In():
                return self._others(part)
            case Largest():
                return f"not ({self.render(part)})"
            case Compare() | Sum() | And() | Or() | Not():
                return self.render(negate(part))
            case _:
                assert_never(part)

    def render_largest(self, expression: Largest) -> str:
        """Write the winning score and those it is compared with."""
        texts = [self.score_text(score) for score in expression.scores]
        winner = texts.pop(expression.index)
        return f"{winner} is largest" + (f", against {' and '.join(texts)}" if texts else "")

    def nested(self, part: Expression, *, before_missing: bool = False) -> str:
        """Write a part of a larger expression, in brackets where the reader needs them.

        None is needed before "or missing".

        Parameters
        ----------
        part : Expression
            The part.
        before_missing : bool, default False
            Whether "or missing" follows.

        Returns
        -------
        str
            The text.
        """
        text = self.render(part)
        negated = part.part if isinstance(part, Not) else None
        inner = part if negated is None else negate(negated)
        match inner:
            case And():
                return text if self._interval(inner) is not None else f"({text})"
            case Or() | Xor() | Not() | Largest():
                says_or = True
            case In():
                says_or = isinstance(negated, In) and is_said_by_rest(negated)
            case IsMissing(column):
                says_or = negated is None and _may_be_unseen(column)
            case Compare() | Sum():
                says_or = False
            case _:
                assert_never(inner)
        return f"({text})" if says_or and not before_missing else text

    def sum_text(self, terms: Iterable[Term]) -> str:
        """Write a weighted sum: ``1.2 * income - debt + 12 if home is rent``.

        Terms times zero are left out; a level in the midst of the sum stands in brackets.

        Parameters
        ----------
        terms : iterable of Term
            The products that are added.

        Returns
        -------
        str
            The text.
        """
        text = ""
        written = [term for term in terms if term.coefficient != 0.0]
        is_bare = all(term.level is None for term in written[:-1])
        for coefficient, column, level in written:
            if level is None:
                # The levels of an ordinal column count as 0, 1, 2, ... in their order.
                name = name_text(column.name)
                name = f"rank({name})" if column.kind == "ordinal" else name
                product = self.product_text(abs(coefficient), name)
            else:
                condition = self._membership(column, (level,), in_sum=True)
                product = f"{number_text(abs(coefficient))} if {condition}"
                product = product if is_bare else f"({product})"
            if text:
                text += f" - {product}" if coefficient < 0.0 else f" + {product}"
            else:
                text = f"-{product}" if coefficient < 0.0 else product
        return text or "0"

    def product_text(self, factor: float, name: str) -> str:
        """Write the product of a positive number and a column: ``1.2 * income``.

        Parameters
        ----------
        factor : float
            The number, above 0.
        name : str
            The column as it is written.

        Returns
        -------
        str
            The text.
        """
        return name if factor == 1.0 else f"{number_text(factor)} * {name}"

    def score_text(self, score: Score) -> str:
        """Write a linear score: ``2 * a - b + 1``.

        Parameters
        ----------
        score : Score
            The score.

        Returns
        -------
        str
            The text.
        """
        text = self.sum_text(score.terms)
        if text == "0":
            return number_text(score.intercept)
        if score.intercept == 0.0:
            return text
        sign = "-" if score.intercept < 0.0 else "+"
        return f"{text} {sign} {number_text(abs(score.intercept))}"

    def _others(self, expression: In) -> str:
        """Write every level but some, new ones included: ``city not in {Oslo, Rome}``.

        Where fewer levels are left than are named: ``city is Paris or unseen``.
        """
        if is_said_by_rest(expression):
            return f"{self._membership(expression.column, expression.other_levels)} or unseen"
        return self._membership(expression.column, expression.levels, is_negated=True)

    def _membership(
        self,
        column: Column,
        levels: Sequence[Level],
        *,
        is_negated: bool = False,
        in_sum: bool = False,
    ) -> str:
        is_alone = len(levels) == 1
        if is_alone and column.kind == "boolean":
            return flag_text(column.name, bool(levels[0]) != is_negated)
        texts = level_texts(levels, column.levels, in_set=not is_alone, in_sum=in_sum)
        if is_alone:
            return f"{_subject(column)} {'is not' if is_negated else 'is'} {texts[0]}"
        verb = "not in" if is_negated else "in"
        return f"{_subject(column)} {verb} {{{self._joined(texts)}}}"

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


def _subject(column: Column) -> str:
    """Name a column of which something is said; a boolean one as where it is said alone."""
    return flag_text(column.name, True) if column.kind == "boolean" else name_text(column.name)


def _may_be_unseen(column: Column) -> bool:
    return column.kind in ("categorical", "ordinal")


def _missing_words(*columns: Column) -> str:
    """Name what is not known of columns: no value, or a level that training did not have."""
    return "missing or unseen" if any(map(_may_be_unseen, columns)) else "missing"


def _names_all(expression: Expression) -> bool:
    """Tell whether a reader sees all that may be missing: terms times zero are not written."""
    terms = list(_terms(expression))
    named = {term.column.name for term in terms if term.coefficient != 0.0}
    return all(term.column.name in named for term in terms)


def _terms(expression: Expression) -> Iterator[Term]:
    match expression:
        case Sum(terms):
            yield from terms
        case Largest(_, scores):
            yield from (term for score in scores for term in score.terms)
        case And(parts):
            for part in parts:
                yield from _terms(part)
        case Compare() | In() | IsMissing() | Or() | Xor() | Not():
            pass
        case _:
            assert_never(expression)


def is_said_by_rest(expression: In) -> bool:
    """Tell whether it is shorter to name the levels that are not in a set."""
    return 0 < len(expression.other_levels) < len(expression.levels)


def _same(first: Compare | Sum, second: Compare | Sum) -> bool:
    return measured(first) == measured(second)


def _last_below(expression: Compare) -> int:
    """Find the last level of an ordinal column that is <= the value; -1 if none is."""
    return max(-1, math.floor(min(expression.value, len(expression.column.levels) - 1)))
