"""The fields of a PMML model: those of columns, and those that have to be derived from them.

PMML's predicates compare one field with one value. What they cannot say is put into derived fields,
which are missing where a value they need is missing (functions that compare are not asked then:
programs differ in what they make of it):

    the rank of an ordered level     0, 1, 2, ... added up from "is it this level?"
    a weighted sum                   the terms in stored order, so that it rounds as the tree does
    the largest of several scores    its position, the first of equal ones
    a level that a split knows       the level; missing where the split has it on neither side
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treewright.exceptions import UnsupportedError, brief
from treewright.export.carriers import carried
from treewright.export.xml_text import element, legal
from treewright.expressions import Score, Term, TextRenderer
from treewright.schema import Column, Level
from treewright.schema.columns import exactly
from treewright.words import name_text

__all__ = ["Field", "Fields", "values_of"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field that holds levels or numbers.

    Parameters
    ----------
    name : str
        Its name.
    data_type : str
        One of the types of PMML.
    texts : tuple of str
        Its levels as attributes have them; empty if it has none.
    """

    name: str
    data_type: str
    texts: tuple[str, ...] = ()


def values_of(levels: Sequence[Level], what: str) -> tuple[str, tuple[str, ...]]:
    """Give the type that holds levels or classes, and their texts.

    Parameters
    ----------
    levels : sequence of str, int, float or bool
        All of them.
    what : str
        Whose they are, for a message.

    Returns
    -------
    data_type : str
        One of the types of PMML.
    texts : tuple of str
        One per level, all different.

    Raises
    ------
    UnsupportedError
        If two differ only by characters that XML cannot hold.
    """
    keys = carried(levels)
    if all(isinstance(level, bool) for level in levels):
        return "boolean", tuple("true" if level else "false" for level in levels)
    if keys.form == "number":
        return "double", tuple(map(repr, keys.numbers))
    texts = tuple(map(legal, keys.texts))
    check_distinct(texts, keys.texts, what)
    return "string", texts


def check_distinct(legal_texts: Sequence[str], texts: Sequence[str], what: str) -> None:
    """Raise if texts are not all different once XML can hold them."""
    seen: dict[str, str] = {}
    for text, original in zip(legal_texts, texts, strict=True):
        if text in seen:
            raise UnsupportedError(
                f"PMML cannot tell {brief(seen[text])} and {brief(original)} of {what} apart, "
                "since XML cannot hold their control characters; rename one of them."
            )
        seen[text] = original


class Fields:
    """The fields of a model, by column; derived ones are made when they are first asked for.

    Parameters
    ----------
    columns : iterable of Column
        The columns that the tree reads.
    taken : iterable of str
        Names that no other field may have.
    """

    def __init__(self, columns: Iterable[Column], taken: Iterable[str]) -> None:
        columns = list(columns)
        names = [legal(column.name) or name_text("") for column in columns]
        check_distinct(names, [column.name for column in columns], "the columns")
        self._fields: dict[str, Field] = {}
        for column, name in zip(columns, names, strict=True):
            field = Field(name, "double")
            if column.kind != "numeric":
                field = Field(name, *values_of(column.levels, f"column {brief(column.name)}"))
            self._fields[column.name] = field
        self._taken = {*taken, *names}
        self._derived: dict[tuple[object, ...], str] = {}
        self.elements: list[str] = []
        """The derived fields as XML, each after those it needs."""

    def field(self, column: Column) -> Field:
        """Give the field of a column."""
        return self._fields[column.name]

    def take(self, name: str) -> str:
        """Give a name that no field of the model has, and keep it from others."""
        free, number = name, 1
        while free in self._taken:
            number += 1
            free = f"{name} ({number})"
        self._taken.add(free)
        return free

    def rank(self, column: Column) -> str:
        """Name the field with the ranks of an ordered column; numbers are their own."""
        field = self.field(column)
        if column.kind == "numeric":
            return field.name
        ranks = [
            _apply("*", _constant(float(rank)), _is_level(field, rank))
            for rank in range(len(field.texts))
        ]
        body = ranks[0] if len(ranks) == 1 else _apply("sum", *ranks)
        return self._derive(("rank", column.name), f"rank of {field.name}", body)

    def total(self, terms: Sequence[Term], start: float | None = None) -> str:
        """Name the field with a weighted sum, added up in stored order."""
        products = [_apply("*", _constant(term.coefficient), self._factor(term)) for term in terms]
        first, *others = products if start is None else [_constant(start), *products]
        # ((first + second) + third) + ...
        body = '<Apply function="+">\n' * len(others) + first
        body += "".join(f"\n{part}\n</Apply>" for part in others)
        words = TextRenderer().score_text(Score(tuple(terms), start or 0.0))
        return self._derive(("total", start, *terms), "weighted sum", body, words=words)

    def _factor(self, term: Term) -> str:
        if term.level is None:
            return _reference(self.rank(term.column))
        code = exactly(term.column.levels).index(exactly([term.level])[0])
        return _is_level(self.field(term.column), code)

    def winner(self, scores: tuple[Score, ...]) -> str:
        """Name the field with the position of the largest score, the first of equal ones."""
        totals = [_reference(self.total(score.terms, score.intercept)) for score in scores]
        last = len(totals) - 1
        best = _constant(last)
        for place in reversed(range(last)):
            wins = [_apply("greaterOrEqual", totals[place], other) for other in totals[place + 1 :]]
            is_largest = wins[0] if len(wins) == 1 else _apply("and", *wins)
            best = _apply("if", is_largest, _constant(place), best)
        are_known = _apply("and", *(_apply("isNotMissing", total) for total in totals))
        body = _apply("if", are_known, best)
        return self._derive(("winner", *scores), "largest score", body, "integer")

    def narrowed(self, column: Column, codes: Sequence[int]) -> Column:
        """Give a column as a split sees it that knows only some of its levels."""
        field = self.field(column)
        known = [_is_level(field, code) for code in codes]
        is_known = _apply("greaterThan", _apply("sum", *known), _constant(0.0))
        value = _reference(field.name)
        body = _apply("if", _apply("isNotMissing", value), _apply("if", is_known, value))
        name = self._derive(
            ("narrowed", column.name, *codes), f"known {field.name}", body, field.data_type
        )
        levels = tuple(column.levels[code] for code in codes)
        narrow = replace(column, name=name, levels=levels)
        self._fields[name] = Field(name, field.data_type, tuple(field.texts[c] for c in codes))
        return narrow

    def texts(self, column: Column, levels: Sequence[Level]) -> list[str]:
        """Give some levels of a column as attributes have them."""
        text_of = dict(zip(exactly(column.levels), self.field(column).texts, strict=True))
        return [text_of[level] for level in exactly(levels)]

    def _derive(
        self,
        key: tuple[object, ...],
        name: str,
        body: str,
        data_type: str = "double",
        words: str = "",
    ) -> str:
        if key not in self._derived:
            free = self.take(name)
            self._derived[key] = free
            kind = "continuous" if data_type == "double" else "categorical"
            attributes = {"name": free, "optype": kind, "dataType": data_type}
            if words:
                attributes["displayName"] = words
            self.elements.append(element("DerivedField", attributes, [body]))
        return self._derived[key]


def _is_level(field: Field, code: int) -> str:
    """Write 1 where a field has a level, 0 where it has another."""
    return element("NormDiscrete", {"field": field.name, "value": field.texts[code]})


def _reference(field: str) -> str:
    return element("FieldRef", {"field": field})


def _constant(number: float | int) -> str:
    kind = "integer" if isinstance(number, int) else "double"
    return element("Constant", {"dataType": kind}, text=repr(number))


def _apply(function: str, *arguments: str) -> str:
    return element("Apply", {"function": function}, arguments)
