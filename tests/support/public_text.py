"""All text that users read: pages, docstrings, and what the library says in words.

A text is a place (`file:line`) and words. What stands between backticks and in blocks of code is
left out of prose, since names keep the words that the code has for them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from syntax import parsed

__all__ = ["Text", "public_texts"]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "treewright"

FENCE = re.compile(r"^([ \t]*)```.*?^\1```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"``.*?``|`[^`]*`", re.DOTALL)
LINK = re.compile(r"\]\([^)]*\)|https?://\S+")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
EXAMPLE = re.compile(r"^\s*(?:>>>|\.\.\.).*$", re.MULTILINE)
PARAMETER = re.compile(r"^\s*\w+(?:, \w+)* : .*$", re.MULTILINE)
CPP_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
JSON_STRING = re.compile(r'"description": "((?:[^"\\]|\\.)*)"')
SCRIPT_STRING = re.compile(r"""(["'`])((?:(?!\1)[^\\]|\\.)*)\1""", re.DOTALL)
SCRIPT_CODE = re.compile(r"\$\{[^{}]*\}")
TEMPLATE_CODE = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
TEMPLATE_TAG = re.compile(r"<[^<>]*>")
TEMPLATE_LABEL = re.compile(r'\b(?:aria-label|title)="([^"]*)"')


class Text(NamedTuple):
    """Words, and where they stand."""

    place: str
    words: str


def public_texts() -> Iterator[Text]:
    """Give all text that users read, piece by piece."""
    for path in sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("news/*.md")]):
        yield from _of_markdown(path)
    for path in sorted([*SOURCE.rglob("*.py"), *ROOT.glob("docs/gallery/*.py")]):
        yield from _of_python(path)
    for path in sorted(SOURCE.rglob("*.js")):
        yield from _of_strings(path, SCRIPT_STRING, 2)
    for path in sorted(SOURCE.rglob("*.html.j2")):
        yield from _of_template(path)
    yield from _of_strings(SOURCE / "model.schema.json", JSON_STRING, 1)
    for path in sorted((ROOT / "cpp").rglob("*.[ch]pp")):
        yield from _of_strings(path, CPP_STRING, 1)


def _of_markdown(path: Path) -> Iterator[Text]:
    text = path.read_text(encoding="utf-8")
    for pattern in (FENCE, COMMENT, CODE, LINK):
        text = pattern.sub(_lines_alone, text)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Text(_place(path, number), line)


def _of_python(path: Path) -> Iterator[Text]:
    """Docstrings of public things, and strings with a blank in them wherever they stand."""
    module = parsed(path.read_text(encoding="utf-8"))
    docstrings = {
        node.body[0].value
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    parts = {
        part for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values
    }
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            words = node.value
        else:
            continue
        if node in docstrings:
            for pattern in (EXAMPLE, PARAMETER, CODE):
                words = pattern.sub(_lines_alone, words)
            for further, line in enumerate(words.splitlines()):
                yield Text(_place(path, node.lineno + further), line)
        elif " " in words.strip():
            yield Text(_place(path, node.lineno), CODE.sub("", words))


def _of_strings(path: Path, pattern: re.Pattern[str], group: int) -> Iterator[Text]:
    """Strings with a blank in them."""
    text = path.read_text(encoding="utf-8")
    for found in pattern.finditer(text):
        words = SCRIPT_CODE.sub("{}", found[group])
        if " " in words.strip():
            yield Text(_place(path, text.count("\n", 0, found.start()) + 1), words)


def _of_template(path: Path) -> Iterator[Text]:
    """What a page says: its text and its labels, without tags and code."""
    text = TEMPLATE_CODE.sub(_lines_alone, path.read_text(encoding="utf-8"))
    text = TEMPLATE_TAG.sub(_lines_alone, TEMPLATE_LABEL.sub(r">\1<p", text))
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Text(_place(path, number), line)


def _place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line}"


def _lines_alone(found: re.Match[str]) -> str:
    """What is left out keeps its lines, so that places stay right."""
    return "\n" * found[0].count("\n")
