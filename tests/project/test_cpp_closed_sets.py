"""Closed sets in C++ are matched by switches that name every member.

The build makes -Wswitch an error, which only helps where no `default:` and no `==` hides a member.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEFAULT = re.compile(r"^\s*default\s*:", re.MULTILINE)
# A leaf has no test, so that asking for it does not tell kinds of tests apart.
COMPARED = re.compile(r"[=!]=\s*(?:treewright::)?(?:Kind::(?!leaf)|Missing::|Gain::|Sums::)\w+")


def faults(source: Path) -> list[str]:
    """Labels and comparisons under `source` that would swallow a new member silently."""
    return [
        f"{file.relative_to(source)}: {match.group().strip()}"
        for file in sorted(source.rglob("*.?pp"))
        for pattern in (DEFAULT, COMPARED)
        for match in pattern.finditer(file.read_text())
    ]


def test_no_member_of_a_closed_set_is_swallowed():
    assert faults(ROOT / "cpp") == []


def test_a_missing_case_does_not_compile():
    assert "-Werror=switch" in (ROOT / "CMakeLists.txt").read_text()


@pytest.mark.parametrize(
    "text", ["  default:\n", "if (test.kind == Kind::axis)", "x != Gain::plain"]
)
def test_what_swallows_a_member_is_found(tmp_path, text):
    (tmp_path / "a.cpp").write_text(text)
    assert len(faults(tmp_path)) == 1
