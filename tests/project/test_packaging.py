"""What is shipped, and what a file of the project may say."""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import importlib.resources
import re
import tomllib
from pathlib import Path

import pytest

import treewright
from treewright import _core

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FOLDERS = (
    ".ci",
    ".github",
    "benchmarks",
    "cpp",
    "docs",
    "examples",
    "news",
    "src",
    "tests",
    "tools",
)
TEXT = {".cff", ".cpp", ".hpp", ".json", ".md", ".py", ".pyi", ".toml", ".txt", ".yml", ""}


@functools.cache
def project_files() -> list[Path]:
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    files = (path for path in [*ROOT.iterdir(), *inside] if path.is_file() and path.name != ".git")
    return sorted(path for path in files if path.suffix in TEXT and "__pycache__" not in path.parts)


@functools.cache
def text_of(file: Path) -> str:
    return file.read_text()


def test_version_has_one_source():
    assert treewright.__version__ == importlib.metadata.version("treewright") == PROJECT["version"]
    written = re.compile(rf"""["']{re.escape(PROJECT["version"])}["']""")
    # Results of benchmarks say which version they are of.
    files = (file for file in project_files() if file.parent.name != "results")
    elsewhere = [file for file in files if written.search(text_of(file))]
    assert elsewhere == [ROOT / "pyproject.toml"]


@pytest.mark.parametrize("name", ["py.typed", "_core.pyi", "model.schema.json"])
def test_package_ships(name):
    assert (importlib.resources.files("treewright") / name).is_file()


def test_every_public_name_can_be_imported():
    for name in treewright.__all__:
        assert getattr(treewright, name) is not None


def test_stub_names_what_the_core_has():
    # Names only: releases of stubgen write types differently; `nox -s stubs` compares all.
    stub = ast.parse((ROOT / "src" / "treewright" / "_core.pyi").read_text())

    def names(body: list[ast.stmt]) -> set[str]:
        functions = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        values = {node.target.id for node in body if isinstance(node, ast.AnnAssign)}
        return {name for name in functions | values if not name.startswith("_")}

    assert names(stub.body) == {name for name in dir(_core) if not name.startswith("_")}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            members = vars(getattr(_core, node.name))
            assert names(node.body) == {name for name in members if not name.startswith("_")}


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a path on somebody's machine", r"(?<![\w.])/(home|root|Users|work|opt|mnt)/\w"),
        ("a package index", r"(index-url|find-links)\b"),
        ("a conflict marker", r"^(<{7}|>{7}) "),
        ("a task without an issue", r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))"),
    ],
)
def test_no_file_holds(what, pattern):
    found = []
    for file in project_files():
        text = "" if file == Path(__file__) else text_of(file)
        for hit in re.finditer(pattern, text, re.MULTILINE):
            line = text.count("\n", 0, hit.start()) + 1
            found.append(f"{file.relative_to(ROOT)}:{line}: {hit[0]}")
    assert found == [], what
