"""Conditions as operators of ONNX: what is rendered is the name of a tensor of booleans.

A boolean is whether the condition is true with certainty, so an unknown one is false: a
comparison with NaN is false, and a level of code -1 is in no set.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.export.decisions import settled
from treewright.export.onnx_graph import Graph
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
from treewright.schema.columns import exactly

__all__ = ["GraphRenderer"]

_OPERATOR = {"<=": "LessOrEqual", ">": "Greater"}


class GraphRenderer(Renderer):
    """Adds what a condition needs to a graph; `render` gives the name of its booleans."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._winners: dict[tuple[Score, ...], str] = {}

    def render_compare(self, expression: Compare) -> str:
        """Compare a column with a number."""
        value, bound = self._graph.value(expression.column), self._graph.number(expression.value)
        return self._graph.add(_OPERATOR[expression.operator], value, bound)

    def render_sum(self, expression: Sum) -> str:
        """Compare a weighted sum with a number."""
        bound = self._graph.number(expression.value)
        total = self._total(expression.terms)
        return self._graph.add(_OPERATOR[expression.operator], total, bound)

    def render_in(self, expression: In) -> str:
        """Look up which levels are in the set."""
        levels = set(exactly(expression.levels))
        inside = [level in levels for level in exactly(expression.column.levels)]
        table = self._graph.constant(np.array([*inside, False]))  # code -1 takes the last entry
        return self._graph.add("Gather", table, self._graph.code(expression.column))

    def render_is_missing(self, expression: IsMissing) -> str:
        """Say where a value is missing, or a level was never seen."""
        column = expression.column
        if column.kind == "numeric":
            return self._graph.add("IsNaN", self._graph.column(column))
        return self._graph.add("Less", self._graph.code(column), self._graph.constant([[0]]))

    def render_and(self, expression: And) -> str:
        """Say where all parts hold."""
        return self._joined("And", expression.parts, np.array([[True]]))

    def render_or(self, expression: Or) -> str:
        """Say where at least one part holds."""
        return self._joined("Or", expression.parts, np.array([[False]]))

    def render_xor(self, expression: Xor) -> str:
        """Say where exactly one of two parts holds."""
        return self.render(settled(expression))

    def render_not(self, expression: Not) -> str:
        """Say where a part does not hold with certainty."""
        match expression.part:
            case IsMissing() as part:
                return self._graph.add("Not", self.render(part))
            case Compare() | Sum() | In() | And() | Or() | Xor() | Not() | Largest():
                return self.render(settled(expression))
            case part:
                assert_never(part)

    def render_largest(self, expression: Largest) -> str:
        """Say where one score is the largest, the first of equal ones."""
        winner = self._winners.get(expression.scores)
        if winner is None:
            winner = self._winner(expression.scores)
            self._winners[expression.scores] = winner
        return self._graph.add("Equal", winner, self._graph.constant([[expression.index]]))

    def _joined(self, operator: str, parts: tuple[Expression, ...], none: NDArray[np.bool_]) -> str:
        if not parts:
            return self._graph.constant(none)
        return self._graph.fold(operator, [self.render(part) for part in parts])

    def _winner(self, scores: tuple[Score, ...]) -> str:
        """Find the position of the largest score; -1 where one cannot be known."""
        totals = [self._total(score.terms, score.intercept) for score in scores]
        unknown = self._graph.fold("Or", [self._graph.add("IsNaN", total) for total in totals])
        beside = self._graph.add("Concat", *totals, axis=1)
        largest = self._graph.add("ArgMax", beside, axis=1, keepdims=1)
        return self._graph.add("Where", unknown, self._graph.constant([[-1]]), largest)

    def _total(self, terms: tuple[Term, ...], start: float | None = None) -> str:
        """Add up in stored order, as the core does."""
        parts = [] if start is None else [self._graph.number(start)]
        for term in terms:
            if term.level is not None:
                parts.append(self._points(term.coefficient, term.column, term.level))
                continue
            value = self._graph.value(term.column)
            parts.append(self._graph.add("Mul", self._graph.number(term.coefficient), value))
        return self._graph.fold("Add", parts)

    def _points(self, coefficient: float, column: Column, level: Level) -> str:
        """Look up what each level adds; NaN where it is missing or was never seen."""
        own = exactly([level])[0]
        added = [coefficient * (known == own) for known in exactly(column.levels)]
        table = self._graph.constant(np.array([*added, np.nan]))  # code -1 takes the last entry
        return self._graph.add("Gather", table, self._graph.code(column))
