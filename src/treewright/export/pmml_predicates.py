"""Conditions as predicates of PMML, which are true, false or unknown and join as ours do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from treewright.export.decisions import settled
from treewright.export.pmml_fields import Fields
from treewright.export.xml_text import element
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
    Sum,
    Xor,
    negate,
)
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Simple, Subset
from treewright.schema import Schema

__all__ = ["FALSE", "TRUE", "PredicateRenderer", "branches", "compound"]

TRUE, FALSE = element("True"), element("False")

_OPERATOR = {"<=": "lessOrEqual", ">": "greaterThan"}
# An array of PMML is divided at blanks and quoted in ways that programs read differently.
_NOT_IN_AN_ARRAY = frozenset('"\\\t\n\r')


def compound(operator: str, parts: Iterable[str]) -> str:
    """Join two predicates or more."""
    return element("CompoundPredicate", {"booleanOperator": operator}, parts)


def branches(predicate: Predicate, schema: Schema, fields: Fields) -> tuple[Expression, ...]:
    """Say each branch as an expression that is unknown exactly where the split cannot know.

    A split that has some levels on neither side gets a column without these levels.
    """
    columns = list(schema.columns)

    def narrowed(part: Simple) -> Simple:
        match part:
            case Axis():
                return part
            case Subset():
                return narrowed_set(part)
            case _:
                assert_never(part)

    def narrowed_set(part: Subset) -> Subset:
        codes = sorted((*part.left, *part.right))
        if len(codes) == len(schema.columns[part.column].levels):
            return part
        column = fields.narrowed(schema.columns[part.column], codes)
        if column not in columns:
            columns.append(column)
        left, right = (tuple(map(codes.index, side)) for side in (part.left, part.right))
        return Subset(columns.index(column), left, right)

    match predicate:
        case Pair(_, first, second):
            predicate = replace(predicate, first=narrowed(first), second=narrowed(second))
        case Axis() | Subset():
            predicate = narrowed(predicate)
        case Linear() | Multiway() | Machine():
            pass
        case _:
            assert_never(predicate)
    return predicate.branches(Schema(tuple(columns)))


class PredicateRenderer(Renderer):
    """Writes a condition as one predicate."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields

    def render_compare(self, expression: Compare) -> str:
        """Compare a number, or the rank of a level."""
        field = self._fields.rank(expression.column)
        return _simple(field, _OPERATOR[expression.operator], repr(expression.value))

    def render_sum(self, expression: Sum) -> str:
        """Compare a weighted sum."""
        field = self._fields.total(expression.terms)
        return _simple(field, _OPERATOR[expression.operator], repr(expression.value))

    def render_in(self, expression: In) -> str:
        """Ask for one level, or for a set of them."""
        field = self._fields.field(expression.column)
        texts = self._fields.texts(expression.column, expression.levels)
        # Some programs compare numbers that are levels rightly only in a set.
        is_set = len(texts) > 1 or field.data_type == "double"
        if is_set and not any(_NOT_IN_AN_ARRAY & set(text) for text in texts):
            return _set(field.name, field.data_type, texts)
        parts = [_simple(field.name, "equal", text) for text in texts]
        return parts[0] if len(parts) == 1 else compound("or", parts)

    def render_is_missing(self, expression: IsMissing) -> str:
        """Ask whether a value is missing."""
        return _simple(self._fields.field(expression.column).name, "isMissing")

    def render_and(self, expression: And) -> str:
        """Join parts by and."""
        return self._joined("and", expression.parts, TRUE)

    def render_or(self, expression: Or) -> str:
        """Join parts by or."""
        return self._joined("or", expression.parts, FALSE)

    def render_xor(self, expression: Xor) -> str:
        """Write xor by and and or, which programs agree upon; not all do upon PMML's xor."""
        first, second = expression.parts
        return self.render(Or((And((first, negate(second))), And((negate(first), second)))))

    def render_not(self, expression: Not) -> str:
        """Write the opposite of a part; PMML has no operator for it."""
        match expression.part:
            case IsMissing(column):
                return _simple(self._fields.field(column).name, "isNotMissing")
            case Xor((first, second)):
                return self.render(Xor((negate(first), second)))
            case Largest():
                return self.render(settled(expression))
            case Compare() | Sum() | In() | And() | Or() | Not() as part:
                return self.render(negate(part))
            case part:
                assert_never(part)

    def render_largest(self, expression: Largest) -> str:
        """Ask which score is the largest."""
        field = self._fields.winner(expression.scores)
        return _simple(field, "equal", str(expression.index))

    def _joined(self, operator: str, parts: tuple[Expression, ...], none: str) -> str:
        if len(parts) < 2:
            return self.render(parts[0]) if parts else none
        return compound(operator, map(self.render, parts))


def _simple(field: str, operator: str, value: str | None = None) -> str:
    attributes = {"field": field, "operator": operator}
    if value is not None:
        attributes["value"] = value
    return element("SimplePredicate", attributes)


def _set(field: str, data_type: str, texts: list[str]) -> str:
    kind = "real" if data_type == "double" else "string"
    words = " ".join(texts if kind == "real" else (f'"{text}"' for text in texts))
    array = element("Array", {"type": kind, "n": str(len(texts))}, text=words)
    return element("SimpleSetPredicate", {"field": field, "booleanOperator": "isIn"}, [array])
