"""The page about the benchmarks names every program of theirs, and no other."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
README = (FOLDER / "README.md").read_text()
PROGRAM = re.compile(r"`([\w/]+\.py)`")
PROGRAMS = {
    path.relative_to(FOLDER).as_posix()
    for room in ("papers", "peers", "studies")
    for path in (FOLDER / room).glob("*.py")
    if "__main__" in path.read_text() and not path.stem.endswith("_work")  # called by the others
}


def test_every_program_is_described():
    titles = "\n".join(line for line in README.splitlines() if line.startswith("## "))
    assert set(PROGRAM.findall(titles)) == PROGRAMS


def test_every_program_that_is_named_exists():
    assert [name for name in PROGRAM.findall(README) if not (FOLDER / name).is_file()] == []
    called = {
        f"{name.replace('.', '/')}.py"
        for name in re.findall(r"python -m benchmarks\.([\w.]+)", README)
    }
    assert called <= PROGRAMS
