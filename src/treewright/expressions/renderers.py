"""The interface of every target language: expressions as text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Never

from treewright.expressions.values import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Sum,
    Xor,
)

__all__ = ["Renderer"]


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
        match expression:
            case Compare():
                return self.render_compare(expression)
            case Sum():
                return self.render_sum(expression)
            case In():
                return self.render_in(expression)
            case IsMissing():
                return self.render_is_missing(expression)
            case And():
                return self.render_and(expression)
            case Or():
                return self.render_or(expression)
            case Xor():
                return self.render_xor(expression)
            case Not():
                return self.render_not(expression)
            case Largest():
                return self.render_largest(expression)
            case _:
                raise self._cannot_write(expression)

    def _cannot_write(self, thing: Never) -> TypeError:
        return TypeError(
            f"{type(self).__name__} can write expressions only. "
            f"Got an object of type {type(thing).__name__}."
        )

    @abstractmethod
    def render_compare(self, expression: Compare) -> str:
        """Write a comparison of a column with a number.

        Parameters
        ----------
        expression : Compare
            The comparison.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_sum(self, expression: Sum) -> str:
        """Write a comparison of a weighted sum with a number.

        Parameters
        ----------
        expression : Sum
            The comparison of a linear combination.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_in(self, expression: In) -> str:
        """Write membership in a set of levels.

        Parameters
        ----------
        expression : In
            The column and its levels.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_is_missing(self, expression: IsMissing) -> str:
        """Write that a value is missing.

        Parameters
        ----------
        expression : IsMissing
            The column.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_and(self, expression: And) -> str:
        """Write that all parts hold.

        Parameters
        ----------
        expression : And
            The conditions.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_or(self, expression: Or) -> str:
        """Write that at least one part holds.

        Parameters
        ----------
        expression : Or
            The conditions.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_xor(self, expression: Xor) -> str:
        """Write that exactly one of two parts holds.

        Parameters
        ----------
        expression : Xor
            The two conditions.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_not(self, expression: Not) -> str:
        """Write that a part does not hold.

        Parameters
        ----------
        expression : Not
            The condition whose opposite is written.

        Returns
        -------
        str
            The text in the target language.
        """

    @abstractmethod
    def render_largest(self, expression: Largest) -> str:
        """Write that one linear score is the largest.

        Parameters
        ----------
        expression : Largest
            The scores, and which of them is the largest.

        Returns
        -------
        str
            The text in the target language.
        """
