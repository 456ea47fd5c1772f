"""The command line as a process: exit codes, CPU time, Ctrl-C, encodings and terminals."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PROGRAM, hostile_table, succeeded, write_rows
from sampling import some_quick

from treewright.datasets import load_loans
from treewright.files import write_table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def model(folder):
    """A saved tree."""
    write_table("loans.csv", load_loans())
    succeeded(
        "fit", "loans.csv", "--method=cart", "--target=repaid", "--max-leaves=5", "-o", "model.json"
    )
    return "model.json"


@pytest.mark.long
def test_json_of_hostile_text_means_the_same(folder):
    hostile_table("evil.csv")
    succeeded("fit", "evil.csv", "--target", "[/]target\n", "-o", "m.json")
    for encoding in ("utf-8", "ascii"):
        result = subprocess.run(
            [*PROGRAM, "show", "m.json", "--json"],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert json.loads(result.stdout) == json.loads(Path("m.json").read_text())


@pytest.mark.long
def test_a_tree_is_saved_though_nobody_reads_what_is_shown(folder):
    write_table("loans.csv", load_loans())
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, "fit", "loans.csv", "--target=repaid", "--task=classification", "-o", "m.json"],
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "loans.csv" not in succeeded("show", "m.json")


@pytest.mark.long
@pytest.mark.parametrize("encoding", some_quick(["ascii", "latin-1", "utf-8"], every=2))
def test_terminals_that_cannot_write_everything(folder, encoding):
    rows = [[min(place, 38), "はい" if place < 15 else "いいえ"] for place in range(40)]
    write_rows("年.csv", ["歳", "答"], *rows)
    result = subprocess.run(
        [*PROGRAM, "fit", "年.csv", "--target", "答", "--method=cart"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert result.returncode == 0, result.stderr
    text = result.stdout.decode(encoding)
    assert ("└─ 歳 > 14" if encoding == "utf-8" else r"`- \u6b73 > 14") in text


# ---------------------------------------------------------------------------- the process


def cpu_seconds(*words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*PROGRAM, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.parametrize("words", [["--help"], ["fit", "--help"], ["--version"]])
def test_help_answers_at_once(words):
    assert min(cpu_seconds(*words) for _ in range(3)) < 0.3


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "mistyped.csv", "--target=y"],
        ["report", "mistyped.csv", "--target=y"],
        ["fit", "table.csv", "--target=y", "-o", "absent/m.json"],
        ["predict", "mistyped.json", "table.csv", "-o", "out.csv"],
        ["predict", "model.json", "mistyped.csv", "-o", "out.csv"],
        ["explain", "mistyped.json", "table.csv"],
        ["show", "mistyped.json"],
        ["export", "mistyped.json", "--to=sql"],
    ],
)
def test_a_mistyped_name_cost_seconds_of_imports(folder, words):
    Path("table.csv").write_text("x,y\n1,2\n")
    Path("model.json").write_text("{}")
    heavy = ["numpy", "sklearn", "scipy", "treewright._core", "treewright.schema"]
    program = (
        f"import sys; from treewright.cli import main; sys.argv[1:] = {words!r}\n"
        "try: main()\n"
        f"except SystemExit as end: print(end.code, [m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "2 []"
    assert done.stderr.startswith("treewright: ")
    assert done.stderr.count("\n") == 1


def test_help_says_what_to_do():
    text = succeeded("--help")
    for command in ("demo", "report", "fit", "predict", "show", "explain", "export", "methods"):
        assert f"treewright {command}" in text
        assert "Examples:" in succeeded(command, "--help") or command == "demo"
    assert succeeded() == text
    assert succeeded("--version").startswith("treewright")


def test_exit_codes(folder):
    assert subprocess.run([*PROGRAM, "--help"], stdout=subprocess.DEVNULL).returncode == 0
    result = subprocess.run([*PROGRAM, "fit", "x.csv"], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.long
def test_a_reader_that_stops_early_is_no_error(folder):
    chance = random.Random(1)
    rows = [[chance.random(), chance.choice("ab")] for _ in range(5000)]
    write_rows("noise.csv", ["x", "y"], *rows)
    words = ("--target", "y", "--min-samples-leaf", 1, "--max-depth", 1000, "-o", "m.json")
    succeeded("fit", "noise.csv", "--method=cart", *words)
    with subprocess.Popen(
        [*PROGRAM, "show", "m.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.long
def test_output_on_a_full_disk(model):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*PROGRAM, "show", model], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert result.returncode == 2
    assert result.stderr.startswith("treewright: The output cannot be written")
    assert result.stderr.count("\n") == 1


@pytest.mark.long
def test_control_c_leaves_nothing_behind(folder):
    chance = random.Random(1)
    rows = ([chance.random() for _ in range(8)] + [chance.choice("ab")] for _ in range(80_000))
    write_rows("noise.csv", [*"abcdefgh", "y"], *rows)
    with subprocess.Popen(
        [
            *PROGRAM,
            "fit",
            "noise.csv",
            "--method=cart",
            "--target=y",
            "--min-samples-leaf=1",
            "-o",
            "model.json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Target y")  # it grows now
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "treewright: Stopped; no file is half-written.\n"
    assert os.listdir() == ["noise.csv"]


# ---------------------------------------------------------------------------- terminals


def on_terminal(program: list[str], columns: int, **variables: str) -> str:
    """What a program writes to a terminal of some width."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "", **variables}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        if name not in variables:
            environment.pop(name, None)
    with subprocess.Popen(program, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            parts.append(part)
        assert process.wait() == 0
    os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n")


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.long
def test_colours_on_a_terminal_only(model):
    plain = succeeded("show", model)
    assert "\x1b" not in plain
    coloured = on_terminal([*PROGRAM, "show", model], 100)
    assert without_colours(coloured) == plain
    assert "\x1b[1;38;5;25mno\x1b[0m" in coloured
    assert "\x1b[1;38;5;166myes\x1b[0m" in coloured
    assert "38;5" not in on_terminal([*PROGRAM, "show", model], 100, NO_COLOR="1")
    assert "\x1b" not in on_terminal([*PROGRAM, "show", model], 100, TERM="dumb")


@pytest.mark.long
def test_a_narrow_terminal(model):
    plain = succeeded("show", model, "--rules")
    narrow = without_colours(on_terminal([*PROGRAM, "show", model, "--rules"], 50))
    assert max(map(len, narrow.splitlines())) <= 50
    assert " ".join(narrow.split()) == " ".join(plain.split())


@pytest.mark.long
def test_hostile_text_on_a_terminal(folder):
    hostile_table("evil.csv")
    succeeded("fit", "evil.csv", "--target", "[/]target\n", "--min-samples-leaf=1", "-o", "m.json")
    for words in ([], ["--rules"]):
        coloured = on_terminal([*PROGRAM, "show", "m.json", *words], 100)
        shown = without_colours(coloured)
        assert "\x1b" not in shown
        assert "\x1b[31m" not in coloured
        assert "[blink]yes" in shown
        assert r"\x1b[31mno" in shown


BAR = """
import time
from treewright.base import progress
progress._SECONDS_BEFORE_BAR = 0.0
with progress.working("Growing [bold]trees") as move:
    for step in range(11):
        time.sleep(0.05)
        move(step / 10)
"""


def test_a_bar_on_a_terminal_only():
    assert "Growing [bold]trees" in on_terminal([sys.executable, "-c", BAR], 80)
    quiet = BAR.replace("move(step / 10)", "assert move is None")
    result = subprocess.run([sys.executable, "-c", quiet], capture_output=True, check=True)
    assert result.stdout == result.stderr == b""


def test_work_that_is_done_soon_shows_no_bar():
    assert on_terminal([sys.executable, "-c", BAR.replace("= 0.0", "= 9.0")], 80) == ""
