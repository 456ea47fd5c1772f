"""Texts of a picture: the words of the library, made short enough to draw.

A panel is written with a short copy of the schema (`treewright.schema.shortening`). Numbers of a
split are written as the tree uses them, up to nine digits; longer ones, as raw trees have, are
rounded in words. Lines are drawn where the tree has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, assert_never

from treewright import _core
from treewright.expressions import (
    Expression,
    Not,
    Sum,
    TextRenderer,
    asked_branch,
    merge_conditions,
    split_missing,
    yes_and_no,
)
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Column, Level, Schema
from treewright.schema.shortening import LONGEST_LEVEL, few_levels, shortened
from treewright.tree import Tree
from treewright.tree.branching import told_branches
from treewright.tree.node import Node
from treewright.tree.tree_text import class_text
from treewright.words import level_texts, name_text, number_text, plural, visible

__all__ = [
    "BRANCH_NAMES",
    "PictureRenderer",
    "branch_names",
    "full_question",
    "class_words",
    "column_words",
    "levels_words",
    "question",
    "rounded_text",
    "said_number",
    "target_words",
    "tick_text",
    "ticks_are_right",
    "way_to",
    "with_few_digits",
]

_Test = TypeVar("_Test", bound=Predicate)

BRANCH_NAMES = ("yes", "no")  # of a question

_LONGEST_TARGET = 32
_TERMS_IN_WORDS = 3
_THRESHOLD_DIGITS = 6
_COEFFICIENT_DIGITS = 4
_MOST_DIGITS = 9  # of a number that is written as it is


def column_words(column: Column) -> str:
    """Name a column and its unit, as on an axis."""
    name = name_text(column.name)
    return f"{name} ({visible(column.unit)})" if column.unit else name


def class_words(label: Level) -> str:
    """Name a class."""
    return shortened(class_text(label), LONGEST_LEVEL)


def levels_words(column: Column) -> tuple[str, ...]:
    """Name the levels of a column."""
    return level_texts(column.levels)


def target_words(schema: Schema) -> str:
    """Name what is predicted."""
    fallback = "class" if schema.classes is not None else "value"
    return (
        fallback if schema.target is None else shortened(name_text(schema.target), _LONGEST_TARGET)
    )


def rounded_text(number: float) -> str:
    """Write a number with few digits behind the point.

    Examples
    --------
    >>> rounded_text(0.333333333), rounded_text(120.0), rounded_text(34567.89)
    ('0.3333', '120', '34568')
    """
    return number_text(_rounded(number, _COEFFICIENT_DIGITS))


def tick_text(value: float) -> str:
    """Write the number at a tick of an axis.

    Examples
    --------
    >>> tick_text(0.1 + 0.2), tick_text(2e9)
    ('0.3', '2e+09')
    """
    if value != 0.0 and not 1e-4 <= abs(value) < 1e7:
        return f"{value:.4g}"
    return number_text(float(f"{value:.10g}"))


def ticks_are_right(ticks: Sequence[float], step: float) -> bool:
    """Tell whether `tick_text` says of all ticks where they are, up to a thousandth of a step.

    Examples
    --------
    >>> ticks_are_right([1.6e9, 1.61e9], 1e7), ticks_are_right([1.6e9, 1.6025e9], 2.5e6)
    (True, False)
    """
    return all(abs(float(tick_text(tick)) - tick) <= 1e-3 * step for tick in ticks)


def said_number(number: float, digits: int = _COEFFICIENT_DIGITS) -> float:
    """Return a number of a split as it is said: itself, or rounded to some digits if it is long.

    Examples
    --------
    >>> said_number(0.1234567), said_number(1.0 / 3.0), said_number(1234567.25)
    (0.1234567, 0.3333, 1234567.25)
    """
    if _core.round_significant(number, _MOST_DIGITS) == number:
        return number
    return _rounded(number, digits)


def _rounded(number: float, digits: int) -> float:
    """Round a number, but no digit before the point."""
    if number.is_integer():
        return number
    n_before_point = len(str(int(abs(number))))
    return _core.round_significant(number, max(digits, n_before_point))


def with_few_digits(predicate: _Test) -> _Test:
    """Return the split as it is said; what is drawn is the split itself."""
    match predicate:
        case Axis(_, threshold):
            return replace(predicate, threshold=said_number(threshold, _THRESHOLD_DIGITS))
        case Linear(_, coefficients, threshold):
            return replace(
                predicate,
                coefficients=_all_rounded(coefficients),
                threshold=said_number(threshold, _THRESHOLD_DIGITS),
            )
        case Machine(_, rows, intercepts):
            return replace(
                predicate,
                coefficients=tuple(_all_rounded(row) for row in rows),
                intercepts=_all_rounded(intercepts),
            )
        case Pair(_, first, second):
            return replace(predicate, first=with_few_digits(first), second=with_few_digits(second))
        case Subset() | Multiway():
            return predicate
        case _:
            assert_never(predicate)


def _all_rounded(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(map(said_number, numbers))


class PictureRenderer(TextRenderer):
    """Words for pictures, with sums as a person writes them: ``2 income - debt <= 40``."""

    def product_text(self, factor: float, name: str) -> str:
        """Write ``1.2 income``; a sign only before names that do not start with a letter."""
        if factor == 1.0 or not name[:1].isalpha():
            return super().product_text(factor, name)
        return f"{number_text(factor)} {name}"


def question(node: Node, schema: Schema, *, most_terms: int = _TERMS_IN_WORDS) -> str:
    """Say a split as a question to which the names of its branches reply.

    Parameters
    ----------
    node : Node
        An inner node.
    schema : Schema
        Names and levels, short enough to draw.
    most_terms : int, default 3
        Longer sums are only named.

    Returns
    -------
    str
        For example "2 income - debt <= 40?".
    """
    predicate = node.predicate
    assert predicate is not None, "a leaf asks nothing"
    match predicate:
        case Multiway(column) if schema.columns[column].kind == "boolean":
            return full_question(node, schema)
        case Multiway(column):
            return f"{name_text(schema.columns[column].name)}?"
        case Machine():
            columns = plural(len(predicate.columns), "column")
            return f"Which of {predicate.n_branches} scores of {columns} is largest?"
        case Linear(columns, _, threshold) if len(columns) > most_terms:
            bound = number_text(said_number(threshold, _THRESHOLD_DIGITS))
            return f"A weighted sum of {len({*columns})} columns <= {bound}?"
        case Axis() | Linear() | Subset() | Pair():
            rounded = replace(node, predicate=with_few_digits(predicate))
            return _asked(rounded, schema, PictureRenderer(short_sets=True))
        case _:
            assert_never(predicate)


def full_question(node: Node, schema: Schema) -> str:
    """Say a split with two branches as a question, with all its digits and levels."""
    return _asked(node, schema, PictureRenderer())


def _asked(node: Node, schema: Schema, renderer: TextRenderer) -> str:
    branches = told_branches(node, schema, False)
    return f"{renderer.render(branches[asked_branch(branches)])}?"


def branch_names(
    node: Node, schema: Schema, *, with_unseen: bool = True, short_sets: bool = False
) -> tuple[str, ...]:
    """Name the branches: yes and no, the levels (and new ones), or numbers from 1."""
    predicate = node.predicate
    match predicate:
        case Multiway(column) if schema.columns[column].kind == "boolean":
            return yes_and_no(told_branches(node, schema, False))
        case Multiway(column):
            levels = levels_words(schema.columns[column])
            names = [[levels[code] for code in codes] for codes in predicate.levels_of_branch]
            for words, condition in zip(names, told_branches(node, schema, False), strict=True):
                if with_unseen and isinstance(condition, Not):
                    words.append("unseen")
            return tuple(map(few_levels if short_sets else ", ".join, names))
        case Machine():
            return tuple(f"score {number + 1}" for number in range(predicate.n_branches))
        case Subset():
            return yes_and_no(told_branches(node, schema, False))
        case None | Axis() | Linear() | Pair():
            return BRANCH_NAMES
        case _:
            assert_never(predicate)


def way_to(tree: Tree, node: int, schema: Schema) -> str:
    """Say what holds for every row of a node but those sent by a surrogate; empty for the root."""
    conditions: list[Expression] = []
    sums = []
    here = tree.node(node)
    while here.parent is not None and here.branch is not None:
        above = tree.node(here.parent)
        assert above.predicate is not None, "a parent has a split"
        rounded = replace(above, predicate=with_few_digits(above.predicate))
        condition = told_branches(rounded, schema, None)[here.branch]
        bare, is_or_missing = split_missing(condition)
        if isinstance(bare, Sum) and len(bare.terms) > _TERMS_IN_WORDS:
            bound = number_text(bare.value) + " or missing" * is_or_missing
            sums.append(f"the sum at node {above.id} {bare.operator} {bound}")
        else:
            conditions.append(condition)
        here = above
    renderer = PictureRenderer()
    words = [renderer.nested(merged) for merged in merge_conditions(reversed(conditions))]
    return " and ".join([*reversed(sums), *words])
