"""Tables of the lines that run: every room has a row, and the page is that of the rooms here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "testing.md"
TOOL = ROOT / "tools" / "coverage_tables.py"
MARKED = "# Page\n\n<!-- lines that run -->\n\nold\n\n<!-- end of lines that run -->\n\nEnd.\n"


def counted(folder: Path, *, run: int) -> list[str]:
    """Write what coverage.py and gcovr say of 1,000 lines of Python and 10 of C++ in each file."""
    files = ("site-packages/treewright/tree/a.py", "src/treewright/tree/deep/b.py")
    lines = {"covered_lines": run, "num_statements": 1000}
    python = {"files": {name: {"summary": lines} for name in (*files, "src/treewright/top.py")}}
    names = ("cpp/treewright/split/cut/a.cpp", "cpp/bind/b.cpp", "cpp/treewright/base/empty.hpp")
    cpp = [{"filename": name, "line_covered": 10, "line_total": 10} for name in names]
    cpp[-1] |= {"line_covered": 0, "line_total": 0}
    paths = [folder / "python.json", folder / "cpp.json"]
    paths[0].write_text(json.dumps(python))
    paths[1].write_text(json.dumps({"files": cpp}))
    return list(map(str, paths))


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True)


def test_lines_are_added_up_by_room_and_rounded_down(tmp_path):
    done = call(*counted(tmp_path, run=999))
    assert done.returncode == 0
    rows = [line for line in done.stdout.splitlines() if not line.startswith("|--")]
    assert rows == [
        "| Python | lines | run | % |",
        "| (files in no room) | 1000 | 999 | 99.9 |",
        "| `tree` | 2000 | 1998 | 99.9 |",
        "| **all** | 3000 | 2997 | 99.9 |",
        "",
        "| C++ | lines | run | % |",
        "| `bind` | 10 | 10 | 100.0 |",
        "| `split` | 10 | 10 | 100.0 |",
        "| **all** | 20 | 20 | 100.0 |",
    ]


def test_a_page_gets_the_tables_between_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(MARKED)
    done = call(*counted(tmp_path, run=999), "--page", str(page))
    assert page.read_text() == MARKED.replace("old", done.stdout.strip())
    page.write_text("# Page without marks\n")
    assert "no place between marks" in call(*counted(tmp_path, run=999), "--page", str(page)).stderr


def test_too_few_lines_are_an_error(tmp_path):
    done = call(*counted(tmp_path, run=949))
    assert (done.returncode, done.stderr) == (1, "Python: at least 95 % of the lines must run.\n")


def test_every_room_stands_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    python, _, cpp = text.partition("| C++ | lines | run | % |")
    for table, folder, ending in (
        (python, "src/treewright", "*.py"),
        (cpp, "cpp/treewright", "*.cpp"),
    ):
        rooms = {path.name for path in (ROOT / folder).iterdir() if any(path.glob(f"**/{ending}"))}
        assert [room for room in sorted(rooms) if f"| `{room}` | " not in table] == []
