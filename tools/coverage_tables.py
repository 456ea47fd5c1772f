"""Say for every room which part of its lines the tests run, as coverage.py and gcovr counted it.

    python tools/coverage_tables.py build/coverage/python.json build/coverage/cpp.json [--page PAGE]

`nox -s coverage` makes both files and calls this. With a page, the tables between its two marks are
replaced. A room is a folder below src/treewright or cpp/treewright with all inside it, or cpp/bind.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MARK = "lines that run"
LEAST = {"Python": 95, "C++": 90}  # per cent of the lines of a language
NO_ROOM = "(files in no room)"


class Lines(NamedTuple):
    """How many lines of code there are, and how many of them run."""

    run: int
    all: int

    @property
    def percent(self) -> str:
        """The part that runs; it is rounded down, so that 100 means all."""
        return f"{math.floor(1000 * self.run / self.all) / 10:.1f}"


def of_python(counted: dict) -> Iterable[tuple[str, Lines]]:
    """Give the path below the package, wherever that is installed, and the lines of each file."""
    for name, file in counted["files"].items():
        _, _, inside = f"/{PurePosixPath(name)}".rpartition("/treewright/")
        summary = file["summary"]
        yield inside, Lines(summary["covered_lines"], summary["num_statements"])


def of_cpp(counted: dict) -> Iterable[tuple[str, Lines]]:
    """Give the path below cpp/treewright, or from bind/ on, and the lines of each file."""
    for file in counted["files"]:
        inside = file["filename"].removeprefix("cpp/").removeprefix("treewright/")
        yield inside, Lines(file["line_covered"], file["line_total"])


def rooms(files: Iterable[tuple[str, Lines]]) -> dict[str, Lines]:
    """Add up the files of each room that has lines of code, in alphabetical order."""
    found: dict[str, list[Lines]] = defaultdict(list)
    for path, lines in files:
        folder, slash, _ = path.partition("/")
        found[f"`{folder}`" if slash else NO_ROOM].append(lines)
    added = {room: total(found[room]) for room in sorted(found)}
    return {room: lines for room, lines in added.items() if lines.all}


def total(lines: Iterable[Lines]) -> Lines:
    """Add up several."""
    return Lines(*map(sum, zip(*lines, strict=True)))


def table(language: str, found: dict[str, Lines]) -> str:
    """Give a Markdown table of the rooms of a language, all of them together last."""
    rows = [f"| {language} | lines | run | % |", "|---|--:|--:|--:|"]
    for room, lines in {**found, "**all**": total(found.values())}.items():
        rows.append(f"| {room} | {lines.all} | {lines.run} | {lines.percent} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", type=Path, help="what `coverage json` wrote")
    parser.add_argument("cpp", type=Path, help="what `gcovr --json-summary` wrote")
    parser.add_argument("--page", type=Path, help="the page whose tables are replaced")
    given = parser.parse_args()
    found = {
        "Python": rooms(of_python(json.loads(given.python.read_text()))),
        "C++": rooms(of_cpp(json.loads(given.cpp.read_text()))),
    }
    tables = "\n\n".join(table(language, found[language]) for language in found)
    print(tables)
    if given.page is not None:
        between = rf"(?<=<!-- {MARK} -->\n\n).*?(?=\n\n<!-- end of {MARK} -->)"
        text, times = re.subn(
            between, lambda _: tables, given.page.read_text("utf-8"), flags=re.DOTALL
        )
        if times != 1:
            parser.error(f"{given.page} has no place between marks '{MARK}'")
        given.page.write_text(text, "utf-8")
    for language, least in LEAST.items():
        if 100 * (lines := total(found[language].values())).run < least * lines.all:
            parser.exit(1, f"{language}: at least {least} % of the lines must run.\n")


if __name__ == "__main__":
    main()
