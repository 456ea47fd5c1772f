r"""C: one file of C99 that needs the standard library only.

Levels are positions in an enum, so that a row is a plain struct; functions find the position of a
text or a number. Products are rounded on their own, as the core does it: compilers may otherwise
fuse a product and a sum, which rounds once and can send a row on the border the other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from treewright.base.parameters import Check
from treewright.exceptions import UnsupportedError, brief
from treewright.export.base import Exporter
from treewright.export.code import (
    BracedWriter,
    answer_words,
    column_words,
    end_nodes,
    part_of_row,
    program,
    used_columns,
)
from treewright.export.code_renderer import CodeRenderer
from treewright.export.literals import comment_text, identifiers
from treewright.expressions import Term
from treewright.schema import Column, Level
from treewright.schema.columns import exactly
from treewright.tree import Tree
from treewright.tree.node import Node
from treewright.tree.tree_text import class_text

__all__ = ["C"]

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while asm bool true false linux unix i386 "
    "alignas alignof constexpr nullptr static_assert thread_local typeof typeof_unqual"
)


@dataclass(frozen=True)
class C(Exporter):
    """A C99 file with a struct for a row and functions that predict.

    Parameters
    ----------
    prefix : str, default "tree"
        What the names of functions and types begin with.

    Examples
    --------
    >>> from treewright import TreeRegressor
    >>> tree = TreeRegressor().fit({"age": [25, 31, 47, 62]}, [1.0, 1.0, 2.5, 2.5]).tree_
    >>> print(C(prefix="risk").export(tree)[-243:])
    static int node_0(const struct risk_row *row) {
      if (row->age > 40.0) {
        return 1; /* 2.500 (2 rows) */
      } else {
        return 0; /* 1.000 (2 rows) */
      }
    }
    <BLANKLINE>
    double risk_predict(const struct risk_row *row) {
      return values[node_0(row)];
    }
    <BLANKLINE>
    """

    name: ClassVar[str] = "c"
    suffix: ClassVar[str] = ".c"
    words: ClassVar[str] = "a C99 file that needs the standard library only"
    predicts: ClassVar[bool] = True

    _checks: ClassVar[dict[str, Check]] = {
        "prefix": Check(
            "a name in C of at most 31 characters",
            lambda value: isinstance(value, str) and _PREFIX.fullmatch(value) is not None,
        )
    }

    prefix: str = "tree"

    def export(self, tree: Tree) -> str:
        """Write a tree as a C file."""
        fields = self.fields(tree)
        named = [(column, fields[column.name]) for column in used_columns(tree)]
        levels = self._level_names(named)
        renderer = _Renderer(fields, levels)
        writer = _Writer(tree, renderer, self.prefix)
        return program(
            "c.jinja",
            tree,
            _text_of_level,
            repr,
            columns=[_facts(column, name, levels[column.name]) for column, name in named],
            prefix=self.prefix,
            functions=writer.functions(),
            declarations=[f"static {writer.signature(root)};" for root in writer.roots[1:]],
        )

    def fields(self, tree: Tree) -> dict[str, str]:
        """Give the field of the struct for each column the tree looks at, by the column's name."""
        names = [column.name for column in used_columns(tree)]
        # In small letters, as many macros of the standard library are in capitals.
        # "row": the enum of its levels would be called like the struct of a row.
        reserved = (*_KEYWORDS.split(), "row")
        fields = identifiers([n.lower() for n in names], reserved, stem="column")
        return dict(zip(names, fields, strict=True))

    def _level_names(self, named: Sequence[tuple[Column, str]]) -> dict[str, list[str]]:
        """Name the levels by column, none twice: "b c" of column "a" is not "c" of "a b"."""
        texts = [
            f"{name}_{word}"
            for column, name in named
            for word in identifiers([class_text(level) for level in column.levels], stem="level")
        ]
        reserved = [f"{name}_of_{kind}" for _, name in named for kind in ("text", "number")]
        words = iter(identifiers(texts, ["predict_proba", *reserved], stem="level", longest=80))
        return {
            column.name: [f"{self.prefix}_{word}" for word in islice(words, len(column.levels))]
            for column, _ in named
        }


def _text(text: str) -> str:
    r"""Write a text as a literal of its UTF-8 bytes; ``\?`` is a question mark in no trigraph."""
    if "\0" in text:
        raise UnsupportedError(
            f"A text in C cannot hold the character 0, as {brief(text)} does; rename it."
        )
    return '"' + "".join(_byte(byte) for byte in text.encode()) + '"'


def _byte(byte: int) -> str:
    character = chr(byte)
    if character in '"\\?':
        return "\\" + character
    return character if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _double(level: float) -> str:
    if float(level) != level:
        raise UnsupportedError(
            f"A double in C cannot hold the whole number {level} exactly; make the levels text "
            "before the tree is grown."
        )
    return repr(float(level))


def _text_of_level(level: Level) -> str:
    return _text(level if isinstance(level, str) else class_text(level))


def _facts(column: Column, name: str, level_names: Sequence[str]) -> dict[str, Any]:
    """Give what the template says of a column."""
    levels = list(enumerate(column.levels))
    return {
        "identifier": name,
        "words": column_words(column),
        "type": "double" if column.kind == "numeric" else "int",
        "levels": [{"identifier": word} for word in level_names],
        "texts": [(code, _text(level)) for code, level in levels if isinstance(level, str)],
        "numbers": [(code, _double(level)) for code, level in levels if not isinstance(level, str)],
    }


class _Renderer(CodeRenderer):
    true = "1"
    false = "0"

    def __init__(self, values: dict[str, str], levels: dict[str, list[str]]) -> None:
        super().__init__({name: f"row->{value}" for name, value in values.items()})
        self._level_names = levels

    def value(self, column: Column) -> str:
        if column.kind == "ordinal":
            return f"rank({super().value(column)}, {len(column.levels)})"
        return super().value(column)

    def product(self, term: Term) -> str:
        size = self.number(abs(term.coefficient))
        if term.level is not None:
            return self.points(size, term.column, term.level)
        return f"times({size}, {self.value(term.column)})"

    def points(self, number: str, column: Column, level: Level) -> str:
        is_level = self.member(column, (level,))
        return f"points({number}, {is_level}, {self.value(column)}, {len(column.levels)})"

    def member(self, column: Column, levels: Sequence[Level]) -> str:
        names, known = self._level_names[column.name], exactly(column.levels)
        value = self.value(column)
        tests = [f"{value} == {names[known.index(level)]}" for level in exactly(levels)]
        return tests[0] if len(tests) == 1 else f"({self.or_.join(tests)})"

    def winner(self, scores: Iterable[str]) -> str:
        texts = list(scores)
        return f"largest((const double[]){{{', '.join(texts)}}}, {len(texts)})"


class _Writer(BracedWriter):
    indent = "  "

    def __init__(self, tree: Tree, renderer: _Renderer, prefix: str) -> None:
        super().__init__(tree, renderer)
        self._prefix = prefix
        self._position = {node.id: position for position, node in enumerate(end_nodes(tree))}

    def signature(self, index: int) -> str:
        row = f"const struct {self._prefix}_row *row"
        if self.divides:
            return f"void node_{index}({row}, double share, struct found *found)"
        return f"int node_{index}({row})"

    def open_function(self, index: int) -> str:
        unused = "\n  (void)row;" if self.tree.n_nodes == 1 else ""
        return f"static {self.signature(index)} {{{unused}"

    def declare(self, index: int, value: str = "") -> str:
        return f"const int branch_{index} = {value};" if value else f"int branch_{index};"

    def choose(self, index: int, branch: int) -> str:
        return f"branch_{index} = {branch};"

    def is_choice(self, index: int, branch: int) -> str:
        return f"branch_{index} == {branch}"

    def finish(self, node: Node, share: float | None) -> str:
        words = comment_text(answer_words(self.tree, node))
        end = self._position[node.id]
        if self.divides:
            return f"add(found, {end}, {part_of_row(share)}); /* {words} */"
        return f"return {end}; /* {words} */"

    def call(self, child: int, share: float | None) -> str:
        if self.divides:
            return f"node_{child}(row, {part_of_row(share)}, found);"
        return f"return node_{child}(row);"
