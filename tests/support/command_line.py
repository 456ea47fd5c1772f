"""Running the command line, and Python itself, in tests."""

from __future__ import annotations

import csv
import subprocess
import sys

from click.testing import CliRunner

from treewright.cli import main

PROGRAM = [sys.executable, "-m", "treewright"]


def run(*words: object):
    """Run a command in this process, with the two streams apart."""
    try:
        runner = CliRunner(mix_stderr=False)
    except TypeError:  # click 8.2 and later always keep them apart
        runner = CliRunner()
    result = runner.invoke(main, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def succeeded(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def complaint(*words: object) -> str:
    """The one sentence with which a command fails."""
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("treewright: ")
    assert line.isprintable()
    return line


def python_output(program: str) -> str:
    """Run a program in a fresh Python that complains of nothing; return what it printed."""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stderr == ""
    return result.stdout.strip()


def write_rows(path: str, *rows: list[object]) -> str:
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "[bold]bold[/bold]",
    "[/]",
    "\x9b31m",
    "\u202eright to left",
    "two\nlines\r",
    ":smile: 😀",
    "x" * 10_000,
    " then no (1 %, 2 rows)",
]


def hostile_table(path: str) -> None:
    rows = []
    for place in range(360):
        text, number = HOSTILE[place % len(HOSTILE)], place % 7
        label = "[blink]yes" if (number < 3) == (place % len(HOSTILE) < 4) else "\x1b[31mno"
        rows.append([text, number, label])
    write_rows(path, ["\x1b]0;title\x07", "[red]number", "[/]target\n"], *rows)
