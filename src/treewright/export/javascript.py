"""JavaScript: an ES module that needs nothing else, for browsers and servers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from treewright.exceptions import UnsupportedError, brief
from treewright.export.base import Exporter
from treewright.export.code import (
    BracedWriter,
    answer_words,
    column_words,
    part_of_row,
    program,
    template,
    used_columns,
)
from treewright.export.code_renderer import CodeRenderer
from treewright.export.decisions import COST_ROUNDING
from treewright.export.literals import comment_text, identifiers, quoted
from treewright.schema import Column, Level
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["JavaScript", "answer_functions"]

_LARGEST_INTEGER = 2**53


@dataclass(frozen=True)
class JavaScript(Exporter):
    """An ES module with ``predict(row)``, where a row is an object.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 31, 47, 62]}, ["a", "a", "b", "b"]).tree_
    >>> code = JavaScript().export(tree)
    >>> print(code[code.index("function node0") :][:129])
    function node0(x) {
      if (x.age > 40.0) {
        return 2; // b (100 %, 2 rows)
      } else {
        return 1; // a (100 %, 2 rows)
      }
    }
    <BLANKLINE>
    """

    name: ClassVar[str] = "javascript"
    suffix: ClassVar[str] = ".mjs"
    words: ClassVar[str] = "a JavaScript module that needs nothing else"
    predicts: ClassVar[bool] = True

    def export(self, tree: Tree) -> str:
        """Write a tree as a JavaScript module."""
        columns = used_columns(tree)
        _check_levels(columns)
        names = identifiers([column.name for column in columns], stem="column")
        named = list(zip(columns, names, strict=True))
        renderer = _Renderer({column.name: f"x.{name}" for column, name in named})
        code = program(
            "javascript.jinja",
            tree,
            _literal,
            repr,
            columns=[
                {"identifier": name, "words": column_words(column), "reader": _reader(column)}
                for column, name in named
            ],
            functions=_Writer(tree, renderer).functions(),
        )
        used = (text for name, text in answer_functions().items() if f"{name}(" in code)
        return code + "".join(f"\n{text}\n" for text in used)


@cache
def answer_functions() -> dict[str, str]:
    """Give the functions by which scripts predict, by name; exported code holds those it uses.

    The page of a tree holds all of them, so that both predict alike.
    """
    text = template("javascript_answers.jinja").render(rounding=repr(COST_ROUNDING))
    functions = text.strip().split("\n\n")
    return {function.split("function ")[1].split("(")[0]: function for function in functions}


def _check_levels(columns: Iterable[Column]) -> None:
    """Refuse levels like 1 and 1.0, which are one number in JavaScript."""
    for column in columns:
        seen: dict[float, Level] = {}
        for level in column.levels:
            if isinstance(level, bool | str):
                continue
            if level in seen:
                raise UnsupportedError(
                    f"JavaScript cannot tell the levels {seen[level]!r} and {level!r} of column "
                    f"{brief(column.name)} apart; make them text before the tree is grown."
                )
            seen[level] = level


def _escape(point: int) -> str:
    return f"\\u{{{point:x}}}" if point > 0xFFFF else f"\\u{point:04x}"


def _literal(level: Level) -> str:
    if isinstance(level, str):
        # Neither "</script>" nor "-->" nor a template may appear where the code is put into a page.
        return quoted(level, _escape, also="<>&$`")
    if isinstance(level, bool):
        return "true" if level else "false"
    if abs(level) > _LARGEST_INTEGER and isinstance(level, int):
        raise UnsupportedError(
            f"JavaScript cannot hold the whole number {brief(level)} exactly; make it text before "
            "the tree is grown."
        )
    return repr(level)


def _levels(levels: Iterable[Level]) -> str:
    return f"[{', '.join(map(_literal, levels))}]"


def _reader(column: Column) -> str:
    name = _literal(column.name)
    match column.kind:
        case "numeric":
            return f"number(row, {name})"
        case "boolean":
            return f"truth(row, {name})"
        case "ordinal":
            return f"rank(row, {name}, {_levels(column.levels)})"
        case "categorical":
            return f"level(row, {name}, {_levels(column.levels)})"


class _Renderer(CodeRenderer):
    def member(self, column: Column, levels: Sequence[Level]) -> str:
        if len(levels) == 1:
            return f"{self.value(column)} === {_literal(levels[0])}"
        return f"{_levels(levels)}.includes({self.value(column)})"

    def points(self, number: str, column: Column, level: Level) -> str:
        return f"points({number}, {self.member(column, (level,))}, {self.value(column)})"

    def winner(self, scores: Iterable[str]) -> str:
        return f"largest({', '.join(scores)})"


class _Writer(BracedWriter):
    indent = "  "

    def open_function(self, index: int) -> str:
        return f"function node{index}(x{', share, found' if self.divides else ''}) {{"

    def declare(self, index: int, value: str = "") -> str:
        return f"const branch{index} = {value};" if value else f"let branch{index};"

    def choose(self, index: int, branch: int) -> str:
        return f"branch{index} = {branch};"

    def is_choice(self, index: int, branch: int) -> str:
        return f"branch{index} === {branch}"

    def finish(self, node: Node, share: float | None) -> str:
        words = comment_text(answer_words(self.tree, node))
        if self.divides:
            return f"found.push([{node.id}, {part_of_row(share)}]); // {words}"
        return f"return {node.id}; // {words}"

    def call(self, child: int, share: float | None) -> str:
        if self.divides:
            return f"node{child}(x, {part_of_row(share)}, found);"
        return f"return node{child}(x);"
