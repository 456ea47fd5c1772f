"""What the workflows and hooks call exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOXFILE = (ROOT / "noxfile.py").read_text()
SESSIONS = {
    node.name
    for node in ast.parse(NOXFILE).body
    if isinstance(node, ast.FunctionDef)
    and any("nox.session" in ast.unparse(decorator) for decorator in node.decorator_list)
}
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# The folder is no part of the source distribution.
pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="there are no workflows here")


def words(pattern: str, *paths: Path) -> set[str]:
    return {word for path in paths for word in re.findall(pattern, path.read_text())}


def test_all_four_are_there():
    assert {path.stem for path in WORKFLOWS} == {"docs", "release", "tests", "wheels"}


def test_every_session_exists():
    called = words(r"nox -s (\w+)", *WORKFLOWS)
    (matrix,) = re.findall(r"session: \[(.+)\]", (WORKFLOWS[0].parent / "tests.yml").read_text())
    assert (called | set(matrix.split(", "))) - SESSIONS == set()


def test_every_target_and_file_exists():
    assert words(r"\bmake ([\w-]+)", *WORKFLOWS) - TARGETS == set()
    named = words(r"\b((?:tests|tools)/[\w/]+(?:\.py)?)\b", *WORKFLOWS)
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_action_has_a_version():
    assert [
        use for use in words(r"uses: (\S+)", *WORKFLOWS) if "@" not in use and use[0] != "."
    ] == []


def test_no_workflow_holds_a_password_and_each_says_what_it_may():
    assert words(r"secrets\.\w+", *WORKFLOWS) == set()
    for path in WORKFLOWS:
        assert re.search(r"^permissions:\n  contents: read$", path.read_text(), re.MULTILINE), path


def test_they_are_yaml():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML")
    for path in [*WORKFLOWS, *ROOT.glob(".github/**/*.yml"), ROOT / ".pre-commit-config.yaml"]:
        assert yaml.safe_load(path.read_text())


def test_hooks_are_what_make_lint_runs():
    (lint,) = re.findall(r"def lint\(.*?(?=\n\n\n)", NOXFILE, re.DOTALL)
    programs = set(re.findall(r'run\(session, "([\w-]+)"', lint))
    hooks = words(r"entry: \.venv/bin/([\w-]+)", ROOT / ".pre-commit-config.yaml")
    assert hooks == programs
