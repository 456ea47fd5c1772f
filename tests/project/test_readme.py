"""README and CONTRIBUTING: their commands run, and what they show is what the program prints.

After a change of what is printed, run this file with TREEWRIGHT_RENEW_GOLDEN=1: it rewrites the
output in README.md.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The blocks of README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_after(mark: str) -> str:
    """The block of output that stands below the comment `<!-- mark -->`."""
    (block,) = re.findall(rf"^<!-- {mark} -->\n+```text\n(.*?)^```$", README, re.M | re.S)
    return block


def renew(mark: str, output: str, score: str = "") -> bool:
    """Put output below its mark, and the score of the demo into its sentence, if that is asked."""
    if not os.environ.get("TREEWRIGHT_RENEW_GOLDEN"):
        return False
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8").replace(shown_after(mark), output)
    if score:
        text = re.sub(r"it gets [\d.]+ % right", f"it gets {score} right", text)
    path.write_text(text, encoding="utf-8")
    return True


def run_program(command: str, folder: Path) -> str:
    """Run a line of the shell that calls the installed program; what it prints."""
    program, *arguments = shlex.split(command)
    installed = Path(sys.executable).parent / program
    result = subprocess.run([installed, *arguments], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_python_runs_and_prints_what_is_shown(tmp_path, monkeypatch):
    pytest.importorskip("pandas", reason="needs pandas")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for snippet in blocks("python"):
            exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})
    if not renew("output of the Python lines", printed.getvalue()):
        assert printed.getvalue() == shown_after("output of the Python lines")


def test_commands_run_and_the_demo_prints_what_is_shown(tmp_path):
    printed = run_program("treewright demo", tmp_path)
    (right,) = re.findall(r"Accuracy ([\d.]+ %)", printed)
    tree = printed.partition("\n\n")[2].partition("\nTaken for")[0]
    if renew("output of treewright demo", tree, right):
        return
    assert shown_after("output of treewright demo") == tree
    assert f"it gets {right} right" in README
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("treewright ")]
    assert commands
    for command in commands:
        run_program(command, tmp_path)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_files_that_are_named_exist(name):
    text = (ROOT / name).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    paths = re.findall(r"`((?:cpp|src|tests|news|benchmarks|examples)/[\w/.]+\.\w+)`", text)
    assert [path for path in links + paths if not (ROOT / path).exists()] == []
