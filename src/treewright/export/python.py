"""Python: a module of its own that needs nothing but the standard library."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from treewright.export.base import Exporter
from treewright.export.code import (
    CodeWriter,
    answer_words,
    column_words,
    part_of_row,
    program,
    used_columns,
)
from treewright.export.code_renderer import CodeRenderer
from treewright.export.literals import comment_text, identifiers, quoted
from treewright.schema import Column, Level
from treewright.schema.columns import exactly
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["Python"]

_RESERVED = frozenset({*keyword.kwlist, *keyword.softkwlist})


@dataclass(frozen=True)
class Python(Exporter):
    """A Python module with ``predict(row)``, where a row is a dict.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> table = {"age": [25, 31, 47, 62], "smoker": [False, True, False, True]}
    >>> tree = TreeClassifier().fit(table, ["low", "low", "high", "high"]).tree_
    >>> module = {}
    >>> exec(Python().export(tree), module)
    >>> module["predict"]({"age": 50, "smoker": None})
    'high'
    """

    name: ClassVar[str] = "python"
    suffix: ClassVar[str] = ".py"
    words: ClassVar[str] = "a Python module that needs nothing else"
    predicts: ClassVar[bool] = True

    def export(self, tree: Tree) -> str:
        """Write a tree as a Python module."""
        columns = used_columns(tree)
        names = identifiers([column.name for column in columns], _RESERVED, stem="column")
        named = list(zip(columns, names, strict=True))
        renderer = _Renderer({column.name: f"x.{name}" for column, name in named})
        return program(
            "python.jinja",
            tree,
            _literal,
            repr,
            columns=[
                {"identifier": name, "words": column_words(column), "reader": _reader(column)}
                for column, name in named
            ],
            functions=_Writer(tree, renderer).functions(),
        )


def _escape(point: int) -> str:
    return f"\\U{point:08x}" if point > 0xFFFF else f"\\u{point:04x}"


def _literal(level: Level) -> str:
    if isinstance(level, str):
        return quoted(level, _escape)
    return repr(level)


def _levels(levels: Iterable[Level]) -> str:
    texts = [_literal(level) for level in levels]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _has_equal_levels(column: Column) -> bool:
    """Tell whether some levels differ by their types only, as 1, 1.0 and True do."""
    return len(set(column.levels)) < len(column.levels)


def _reader(column: Column) -> str:
    name = _literal(column.name)
    match column.kind:
        case "numeric":
            return f"_number(row, {name})"
        case "boolean":
            return f"_truth(row, {name})"
        case "ordinal":
            return f"_rank(row, {name}, {_levels(column.levels)})"
        case "categorical":
            reader = "_code" if _has_equal_levels(column) else "_level"
            return f"{reader}(row, {name}, {_levels(column.levels)})"


class _Renderer(CodeRenderer):
    and_ = " and "
    or_ = " or "
    false = "False"
    true = "True"

    def member(self, column: Column, levels: Sequence[Level]) -> str:
        if column.kind == "boolean":
            return f"{self.value(column)} is {levels[0]}"
        if _has_equal_levels(column):
            known = exactly(column.levels)
            codes = (known.index(level) for level in exactly(levels))
            return f"{self.value(column)} in {_levels(codes)}"
        if len(levels) == 1:
            return f"{self.value(column)} == {_literal(levels[0])}"
        return f"{self.value(column)} in {_levels(levels)}"

    def points(self, number: str, column: Column, level: Level) -> str:
        return f"_points({number}, {self.member(column, (level,))}, {self.value(column)})"

    def winner(self, scores: Iterable[str]) -> str:
        return f"_largest({', '.join(scores)})"


class _Writer(CodeWriter):
    def between_functions(self) -> list[str]:
        return ["", ""]

    def open_function(self, index: int) -> str:
        return f"def _node_{index}(x{', share, found' if self.divides else ''}):"

    def close_function(self) -> str:
        return ""

    def open_if(self, condition: str, *, is_first: bool) -> str:
        return f"{'if' if is_first else 'elif'} {condition}:"

    def open_else(self) -> str:
        return "else:"

    def close_if(self) -> str:
        return ""

    def declare(self, index: int, value: str = "") -> str:
        return f"branch_{index} = {value}" if value else ""

    def choose(self, index: int, branch: int) -> str:
        return f"branch_{index} = {branch}"

    def is_choice(self, index: int, branch: int) -> str:
        return f"branch_{index} == {branch}"

    def finish(self, node: Node, share: float | None) -> str:
        words = comment_text(answer_words(self.tree, node))
        if self.divides:
            return f"found.append(({node.id}, {part_of_row(share)}))  # {words}"
        return f"return {node.id}  # {words}"

    def call(self, child: int, share: float | None) -> str:
        if self.divides:
            return f"_node_{child}(x, {part_of_row(share)}, found)"
        return f"return _node_{child}(x)"
