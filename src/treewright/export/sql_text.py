"""SQL as text: identifiers, literals, conditions, SELECTs, and a tree as nested CASEs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from treewright.exceptions import UnsupportedError, brief
from treewright.export.code import CodeRenderer, used_columns
from treewright.export.decisions import Decision, decide
from treewright.expressions import Compare, Largest
from treewright.node import Node
from treewright.schema import Column, Level
from treewright.tree import Tree
from treewright.words import number_text

__all__ = [
    "DIVIDED",
    "INDENT",
    "STOPPED",
    "Lines",
    "branch_lines",
    "case_lines",
    "check_names",
    "identifier",
    "label_text",
    "nested",
    "real",
    "select",
]

Lines: TypeAlias = list[str]

STOPPED, DIVIDED = -1, -2  # what stands for the branch of a row that takes none
INDENT = "  "
_DEEPEST_INDENT = 40
_LARGEST_INTEGER = 2**53
_EXACT_DIGITS = 15  # a decimal of no more digits becomes the same double however it is read


# ---------------------------------------------------------------------------- names and literals


def identifier(name: str) -> str:
    """Quote the name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def label_text(level: Level) -> str:
    """Write a class or level."""
    if isinstance(level, str):
        return "'" + level.replace("'", "''") + "'"
    if isinstance(level, bool):
        return "TRUE" if level else "FALSE"
    return str(level) if isinstance(level, int) else real(level)


def real(value: float) -> str:
    """Write a double that a query gives back; without an exponent it may become a decimal."""
    text = number_text(value)
    return text if "e" in text else text + "e0"


def check_names(tree: Tree) -> None:
    """Refuse names, levels and classes that SQL cannot hold.

    Raises
    ------
    UnsupportedError
        With the column, what is wrong and the mend.
    """
    for column in used_columns(tree):
        _check_text(column.name, f"The name of column {brief(column.name)}")
        _check_levels(column.levels, f"column {brief(column.name)}")
    _check_levels(tree.schema.classes or (), "the target")


def _check_levels(levels: Sequence[Level], where: str) -> None:
    for level in levels:
        if isinstance(level, str):
            _check_text(level, f"Level {brief(level)} of {where}")
        elif abs(level) > _LARGEST_INTEGER:
            raise UnsupportedError(
                f"Level {level} of {where} is no exact double, as which SQL compares it; make the "
                "levels text before the tree is grown."
            )
    is_mixed = len({isinstance(level, str) for level in levels}) > 1
    if is_mixed or len(set(levels)) < len(levels):
        what = "text and numbers" if is_mixed else "numbers that differ by their types only"
        raise UnsupportedError(
            f"A column in SQL has one type, but the levels of {where} are {what}; make them text "
            "before the tree is grown."
        )


def _check_text(text: str, what: str) -> None:
    if "\0" in text:
        raise UnsupportedError(f"{what} holds the character 0, which SQL cannot; rename it.")


# ---------------------------------------------------------------------------- conditions


class _Renderer(CodeRenderer):
    and_ = " AND "
    or_ = " OR "
    true = "1 = 1"
    false = "1 = 0"

    def value(self, column: Column) -> str:
        """Write a number, or the rank of an ordered level, as a double."""
        if column.kind != "ordinal":
            return _as_double(identifier(column.name))
        ranks = (f"WHEN {label_text(level)} THEN {k}" for k, level in enumerate(column.levels))
        return _as_double(f"CASE {_level(column)} {' '.join(ranks)} END")

    def number(self, number: float) -> str:
        """Write a number for arithmetic with doubles; one of many digits as a double at once."""
        text = number_text(number)
        n_digits = len(text.lstrip("-").replace(".", "").lstrip("0"))
        return text if n_digits <= _EXACT_DIGITS else real(number)

    def render_compare(self, expression: Compare) -> str:
        """Compare a number; of an ordered column list the levels on that side."""
        column = expression.column
        if column.kind != "ordinal":
            return super().render_compare(expression)
        n_below = max(0, math.floor(min(expression.value, len(column.levels) - 1)) + 1)
        is_below = expression.operator == "<="
        levels = column.levels[:n_below] if is_below else column.levels[n_below:]
        return self.member(column, levels) if levels else self.false

    def member(self, column: Column, levels: Sequence[Level]) -> str:
        """List levels."""
        texts = [label_text(level) for level in levels]
        if len(texts) == 1:
            return f"{_level(column)} = {texts[0]}"
        return f"{_level(column)} IN ({', '.join(texts)})"

    def render_largest(self, expression: Largest) -> str:
        """Compare a score with the others; with earlier ones it must not tie."""
        texts = [self.score_text(score) for score in expression.scores]
        winner = texts[expression.index]
        return self.and_.join(
            f"{winner} {'>' if position < expression.index else '>='} {text}"
            for position, text in enumerate(texts)
            if position != expression.index
        )

    def winner(self, scores: Iterable[str]) -> str:
        """Refuse: a CASE needs conditions."""
        raise TypeError("SQL has no portable function for the position of the largest score.")


def _as_double(text: str) -> str:
    return f"CAST({text} AS DOUBLE PRECISION)"


def _level(column: Column) -> str:
    """Write a level as it can be compared: numbers may come as text, or as other numbers."""
    name = identifier(column.name)
    is_number = all(isinstance(level, int | float) for level in column.levels)
    is_truth = all(isinstance(level, bool) for level in column.levels)
    return _as_double(name) if is_number and not is_truth else name


_RENDERER = _Renderer({})


# ---------------------------------------------------------------------------- statements


def select(columns: Mapping[str, Lines], source: Lines) -> Lines:
    """Add columns to those of a source."""
    lines = ["SELECT source.*,"]
    for position, (name, expression) in enumerate(columns.items()):
        comma = "," if position < len(columns) - 1 else ""
        *before, last = expression
        lines += [INDENT + line for line in (*before, f"{last} AS {identifier(name)}{comma}")]
    return [*lines, f"FROM {source[0]}", *source[1:]]


def nested(query: Lines) -> Lines:
    """Make a source of a query."""
    return ["(", *(INDENT + line for line in query), ") AS source"]


def case_lines(tree: Tree, answer: Callable[[Node], str]) -> Lines:
    """Write the way down a tree that divides no rows, as nested CASEs.

    Parameters
    ----------
    tree : Tree
        The tree.
    answer : callable
        What to write for a node where a row ends.

    Returns
    -------
    list of str
        One expression.
    """
    lines: Lines = []
    # Either a line, or a node to write behind a word.
    pending: list[tuple[int, str, int | None]] = [(0, "", 0)]
    while pending:
        level, text, index = pending.pop()
        if index is not None:
            decision = decide(tree, index)
            if decision is not None:
                pending += reversed(_case(decision, level, text, answer))
                continue
            text += answer(tree.node(index))
        lines.append(min(level, _DEEPEST_INDENT) * INDENT + text)
    return lines


def _case(
    decision: Decision, level: int, word: str, answer: Callable[[Node], str]
) -> list[tuple[int, str, int | None]]:
    items: list[tuple[int, str, int | None]] = []
    if decision.is_direct:
        items.append((level, f"{word}CASE", None))
        ways = [(_RENDERER.render(case.condition), case.child) for case in decision.cases]
        otherwise = decision.otherwise
    else:  # several conditions lead to one child, so the branch is chosen first
        items.append((level, f"{word}CASE (", None))
        items += [(level + 2, line, None) for line in branch_lines(decision)]
        items.append((level + 1, ")", None))
        ways = [(str(branch), child) for branch, child in enumerate(decision.node.children)]
        otherwise = ways.pop()[1] if decision.otherwise is not None else None
    items += [(level + 1, f"WHEN {condition} THEN ", child) for condition, child in ways]
    if otherwise is None:
        items.append((level + 1, f"ELSE {answer(decision.node)}", None))
    else:
        items.append((level + 1, "ELSE ", otherwise))
    return [*items, (level, "END", None)]


def branch_lines(decision: Decision) -> Lines:
    """Write which branch of a node a row takes, as a number."""
    branch_of = {child: branch for branch, child in enumerate(decision.node.children)}
    left = STOPPED if not decision.shares else DIVIDED
    if decision.otherwise is not None:
        left = branch_of[decision.otherwise]
    return [
        "CASE",
        *(
            f"{INDENT}WHEN {_RENDERER.render(case.condition)} THEN {branch_of[case.child]}"
            for case in decision.cases
        ),
        f"{INDENT}ELSE {left}",
        "END",
    ]
