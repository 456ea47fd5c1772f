"""SQL as text: identifiers, literals, conditions, SELECTs, and a tree as nested CASEs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from treewright.exceptions import UnsupportedError, brief
from treewright.export.code import used_columns
from treewright.export.code_renderer import CodeRenderer
from treewright.export.decisions import Decision, decide
from treewright.expressions import Compare, In, Largest
from treewright.schema import Column, Level
from treewright.tree import Tree
from treewright.tree.node import Node
from treewright.words import number_text

__all__ = [
    "DIVIDED",
    "INDENT",
    "STOPPED",
    "Lines",
    "SQLRenderer",
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
_DEEPEST = 8  # CASEs inside each other
_DEEPEST_TREE = 150
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
    """Refuse names, levels and classes that SQL cannot hold, and trees that databases cannot read.

    Raises
    ------
    UnsupportedError
        With the column, what is wrong and how to fix it.
    """
    if tree.depth > _DEEPEST_TREE:
        raise UnsupportedError(
            f"Databases do not read expressions as deep as this tree of depth {tree.depth}; prune "
            f"it to a depth of {_DEEPEST_TREE}."
        )
    for column in used_columns(tree):
        if not column.name:
            raise UnsupportedError("A column in SQL needs a name; one has none.")
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


class SQLRenderer(CodeRenderer):
    """Settled conditions in SQL.

    Parameters
    ----------
    source : str
        What stands before the names of columns, with its dot, if anything.
    """

    and_ = " AND "
    or_ = " OR "
    true = "1 = 1"
    false = "1 = 0"

    def __init__(self, source: str) -> None:
        super().__init__({})
        self._source = source

    def name(self, column: Column) -> str:
        """Write the name of a column of the source."""
        return self._source + identifier(column.name)

    def value(self, column: Column) -> str:
        """Write a number, or the rank of an ordered level, as a double."""
        if column.kind != "ordinal":
            return _as_double(self.name(column))
        ranks = (f"WHEN {label_text(level)} THEN {k}" for k, level in enumerate(column.levels))
        return _as_double(f"CASE {self.level(column)} {' '.join(ranks)} END")

    def level(self, column: Column) -> str:
        """Write a level as it can be compared: numbers may come as text, or as other numbers."""
        is_number = all(isinstance(level, int | float) for level in column.levels)
        is_truth = all(isinstance(level, bool) for level in column.levels)
        return _as_double(self.name(column)) if is_number and not is_truth else self.name(column)

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
            return f"{self.level(column)} = {texts[0]}"
        return f"{self.level(column)} IN ({', '.join(texts)})"

    def points(self, number: str, column: Column, level: Level) -> str:
        """Write a number that counts at one level; other known ones are listed."""
        others = In(column, (level,)).other_levels
        left = f" WHEN {self.member(column, others)} THEN 0" if others else ""
        return _as_double(f"CASE WHEN {self.member(column, (level,))} THEN {number}{left} END")

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


# ---------------------------------------------------------------------------- statements


def select(columns: Mapping[str, Lines], source: Lines | None, first: str = "") -> Lines:
    """Write a SELECT of expressions by their names, `first` before them; without a source if None.

    The expressions name what they read by the alias of the source, so that no name of a column that
    nobody knows of can be taken for theirs.
    """
    lines = [f"SELECT {first},"] if first else ["SELECT"]
    for position, (name, expression) in enumerate(columns.items()):
        comma = "," if position < len(columns) - 1 else ""
        *before, last = expression
        lines += [INDENT + line for line in (*before, f"{last} AS {identifier(name)}{comma}")]
    return lines if source is None else [*lines, f"FROM {source[0]}", *source[1:]]


def nested(query: Lines, ending: str = "") -> Lines:
    """Put a query in brackets, to be a source or a value."""
    return ["(", *(INDENT + line for line in query), f"){ending}"]


def case_lines(tree: Tree, answer: Callable[[Node], str], renderer: SQLRenderer) -> Lines:
    """Write the splits of a tree that divides no rows, as nested CASEs.

    A way for what is left continues the same CASE. Parsers of databases limit how far CASEs may
    nest, so that deeper down the conditions on the path are joined by AND instead.

    Parameters
    ----------
    tree : Tree
        The tree.
    answer : callable
        What to write for a node where a row ends.
    renderer : SQLRenderer
        How conditions are written.

    Returns
    -------
    list of str
        One expression.
    """
    if tree.n_nodes == 1:
        return [answer(tree.node(0))]
    lines: Lines = []
    pending = [_Piece(0, "END"), _Piece(1, "", 0), _Piece(0, "CASE")]
    while pending:
        piece = pending.pop()
        if piece.node is None:
            lines.append(piece.level * INDENT + piece.text)
        else:
            decision = decide(tree, piece.node)
            assert decision is not None
            pending += reversed(_clauses(tree, decision, piece, answer, renderer))
    return lines


class _Piece(NamedTuple):
    """A line; or a node whose clauses come here, with the condition on the path to it if any."""

    level: int
    text: str
    node: int | None = None


def _clauses(
    tree: Tree,
    decision: Decision,
    piece: _Piece,
    answer: Callable[[Node], str],
    renderer: SQLRenderer,
) -> list[_Piece]:
    """Write what a node does as clauses of a CASE, the last of which takes all that is left."""
    level, way = piece.level, piece.text
    pieces: list[_Piece] = []
    for condition, child in _conditions(decision, renderer):
        both = f"{way} AND {condition}" if way else condition
        node = tree.node(child)
        if node.is_leaf:
            pieces.append(_Piece(level, f"WHEN {both} THEN {answer(node)}"))
        elif level < _DEEPEST:
            pieces.append(_Piece(level, f"WHEN {both} THEN CASE"))
            pieces += _Piece(level + 1, "", child), _Piece(level, "END")
        else:
            pieces.append(_Piece(level, both, child))
    left = decision.node if decision.otherwise is None else tree.node(decision.otherwise)
    if left.is_leaf or decision.otherwise is None:
        pieces.append(_Piece(level, f"{f'WHEN {way} THEN' if way else 'ELSE'} {answer(left)}"))
    else:
        pieces.append(_Piece(level, way, left.id))
    return pieces


def _conditions(decision: Decision, renderer: SQLRenderer) -> list[tuple[str, int]]:
    """Write the condition of each child, except one that takes all that is left."""
    if decision.is_direct:
        return [(renderer.nested(case.condition), case.child) for case in decision.cases]
    chosen = " ".join(line.strip() for line in branch_lines(decision, renderer))
    ways = [(f"{chosen} = {branch}", child) for branch, child in enumerate(decision.node.children)]
    return [way for way in ways if way[1] != decision.otherwise]


def branch_lines(decision: Decision, renderer: SQLRenderer) -> Lines:
    """Write which branch of a node a row takes, as a number."""
    branch_of = {child: branch for branch, child in enumerate(decision.node.children)}
    left = STOPPED if not decision.shares else DIVIDED
    if decision.otherwise is not None:
        left = branch_of[decision.otherwise]
    return [
        "CASE",
        *(
            f"{INDENT}WHEN {renderer.render(case.condition)} THEN {branch_of[case.child]}"
            for case in decision.cases
        ),
        f"{INDENT}ELSE {left}",
        "END",
    ]
