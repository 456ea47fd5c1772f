"""README: its Python runs, and what it shows is what the program prints."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_after(mark: str) -> str:
    """The block of output that stands below the comment `<!-- mark -->`."""
    (block,) = re.findall(rf"^<!-- {mark} -->\n+```text\n(.*?)^```$", README, re.M | re.S)
    return block


def test_python_runs_and_prints_what_is_shown(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for snippet in SNIPPETS:
            exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})
    assert SNIPPETS
    assert printed.getvalue() == shown_after("output of the Python lines")


def test_demo_prints_the_tree_that_is_shown(tmp_path):
    program = shutil.which("treewright", path=str(Path(sys.executable).parent))
    assert program is not None
    result = subprocess.run([program, "demo"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert shown_after("output of treewright demo") in result.stdout
