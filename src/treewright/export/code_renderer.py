"""Settled conditions (see `decisions`) in languages that have infix operators.

Columns have been read beforehand: numbers and ranks of ordered levels as doubles, NaN where
missing, and levels. Sums are written in the order in which the core adds them up.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, assert_never

from treewright.export.decisions import settled
from treewright.expressions import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Renderer,
    Score,
    Sum,
    Term,
    Xor,
)
from treewright.schema import Column, Level

__all__ = ["CodeRenderer"]


class CodeRenderer(Renderer):
    """Settled conditions in a language with infix operators.

    Parameters
    ----------
    values : mapping of str to str
        How code names the value of each column.
    """

    and_: ClassVar[str] = " && "
    or_: ClassVar[str] = " || "
    false: ClassVar[str] = "false"
    true: ClassVar[str] = "true"

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def value(self, column: Column) -> str:
        """Write the value of a column."""
        return self._values[column.name]

    def number(self, number: float) -> str:
        """Write a double with the fewest digits that read back as the same."""
        return repr(float(number))

    def product(self, term: Term) -> str:
        """Write one product of a weighted sum, without its sign."""
        size = self.number(abs(term.coefficient))
        if term.level is not None:
            return self.points(size, term.column, term.level)
        return f"{size} * {self.value(term.column)}"

    @abstractmethod
    def points(self, number: str, column: Column, level: Level) -> str:
        """Write a number that counts at one level; 0 at another, unknown where missing."""

    @abstractmethod
    def member(self, column: Column, levels: Sequence[Level]) -> str:
        """Write that a level is one of some."""

    @abstractmethod
    def winner(self, scores: Iterable[str]) -> str:
        """Write the position of the largest of some scores, -1 if one is unknown."""

    def render_compare(self, expression: Compare) -> str:
        """Write a comparison of a number or rank."""
        value, bound = self.value(expression.column), self.number(expression.value)
        return f"{value} {expression.operator} {bound}"

    def render_sum(self, expression: Sum) -> str:
        """Write a sum from the left to the right, as the core adds it up."""
        total = self._total("", expression.terms)
        return f"{total} {expression.operator} {self.number(expression.value)}"

    def render_in(self, expression: In) -> str:
        """Write membership; never true of no levels."""
        if not expression.levels:
            return self.false
        return self.member(expression.column, expression.levels)

    def render_is_missing(self, expression: IsMissing) -> str:
        """Refuse: cases are tried in order instead, and what is missing is left at the end."""
        raise TypeError("The decisions of a tree do not ask whether a value is missing.")

    def render_and(self, expression: And) -> str:
        """Write that all parts hold."""
        return self.and_.join(self.nested(part) for part in expression.parts) or self.true

    def render_or(self, expression: Or) -> str:
        """Write that a part holds."""
        return self.or_.join(self.nested(part) for part in expression.parts) or self.false

    def render_xor(self, expression: Xor) -> str:
        """Write that exactly one part holds."""
        return self.render(settled(expression))

    def render_not(self, expression: Not) -> str:
        """Write that a part is known not to hold."""
        match expression.part:
            case IsMissing() as part:
                return self.render(part)
            case Compare() | Sum() | In() | And() | Or() | Xor() | Not() | Largest():
                return self.render(settled(expression))
            case part:
                assert_never(part)

    def render_largest(self, expression: Largest) -> str:
        """Write that one score wins."""
        return f"{self.winner_of(expression.scores)} == {expression.index}"

    def winner_of(self, scores: Iterable[Score]) -> str:
        """Write which of several scores is the largest."""
        return self.winner(map(self.score_text, scores))

    def score_text(self, score: Score) -> str:
        """Write a linear score, from the intercept on, as the core adds it up."""
        return self._total(self.number(score.intercept), score.terms)

    def _total(self, start: str, terms: Iterable[Term]) -> str:
        text = start
        for term in terms:
            # A product times 0 stays: it is NaN where the value is missing.
            if text:
                text += f" {'-' if term.coefficient < 0.0 else '+'} {self.product(term)}"
            else:
                text = f"{'-' if term.coefficient < 0.0 else ''}{self.product(term)}"
        return text

    def nested(self, part: Expression) -> str:
        """Write a part of a larger condition, in brackets where it needs them."""
        text = self.render(part)
        match part:
            case And() | Or():
                return f"({text})"
            case Compare() | Sum() | In() | IsMissing() | Xor() | Not() | Largest():
                return text
            case _:
                assert_never(part)
