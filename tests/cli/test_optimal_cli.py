"""`treewright fit --method optimal`: the tree, its certificate, and the progress line."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from command_line import complaint, run, succeeded, write_rows

from treewright import OptimalTreeRegressor, load
from treewright.cli.search_line import line_text, searching
from treewright.optimal import SearchProgress


def table(tmp_path, target="class") -> str:
    random = np.random.default_rng(0)
    rows = random.integers(0, 9, (60, 2))
    kind = np.where(rows[:, 0] > rows[:, 1], "yes", "no")
    goal = kind if target == "class" else rows.sum(axis=1) + 0.5
    lines = [[*row, answer] for row, answer in zip(rows.tolist(), goal.tolist(), strict=True)]
    return write_rows(str(tmp_path / "table.csv"), ["a", "b", "goal"], *lines)


def test_the_tree_is_shown_and_saved_with_its_certificate(tmp_path):
    path = str(tmp_path / "model.json")
    words = ["--target", "goal", "--method", "optimal", "--max-depth", "2", "-o", path]
    shown = succeeded("fit", table(tmp_path), *words)
    model = load(path)
    assert model.certificate_.proven
    assert f"Objective {model.certificate_.objective:g}, proven optimal" in shown
    assert "trees of depth 2 at most over all" in shown
    again = succeeded("show", path)
    assert "proven optimal" in again
    assert "proven optimal" not in succeeded("show", path, "--rules")


def test_numbers_and_limits(tmp_path):
    path = str(tmp_path / "model.json")
    words = ["--target", "goal", "--method", "optimal", "--task", "regression", "-o", path]
    succeeded("fit", table(tmp_path, "number"), *words, "--max-leaves", 3, "--min-samples-leaf", 5)
    model = load(path)
    assert isinstance(model, OptimalTreeRegressor)
    assert model.max_depth == 3
    assert model.tree_.n_leaves <= 3
    assert model.tree_.core.rows.min() >= 5


def test_no_time_is_said_in_a_note(tmp_path):
    rows = np.random.default_rng(0).integers(0, 2, (1500, 60)).tolist()
    path = write_rows(str(tmp_path / "hard.csv"), [f"c{number}" for number in range(60)], *rows)
    words = ["--target", "c0", "--method", "optimal", "--max-depth", "5", "--time-limit", "0"]
    result = run("fit", path, *words)
    assert result.exit_code == 0
    assert "not proven to be the best" in result.stderr
    assert "the time limit was reached" in result.stdout


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="needs Unix signals")
def test_ctrl_c_shows_and_saves_the_best_tree_so_far(tmp_path):
    rows = np.random.default_rng(0).integers(0, 2, (2000, 120)).tolist()
    path = write_rows(str(tmp_path / "hard.csv"), [f"c{number}" for number in range(120)], *rows)
    model = str(tmp_path / "model.json")
    words = ["fit", path, "--target", "c0", "--method", "optimal", "--max-depth", "6", "-o", model]
    words += ["--time-limit", "60"]  # should Ctrl-C not end it
    terminal, its_end = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "treewright", *words],
        stdout=subprocess.PIPE,
        stderr=its_end,
        text=True,
    ) as process:
        os.close(its_end)
        notes = ""
        while "Ctrl-C ends it" not in notes:
            notes += os.read(terminal, 4096).decode()
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):  # Linux says so when the other end is closed
            while more := os.read(terminal, 4096):
                notes += more.decode()
        assert process.stdout is not None
        shown = process.stdout.read()
    os.close(terminal)
    assert process.returncode == 0
    assert "not proven: it was interrupted after" in " ".join(shown.split())
    assert "note: The tree is not proven to be the best" in notes
    assert "Raise" not in notes
    assert "Traceback" not in notes
    assert load(model).certificate_.status == "interrupted"


def test_options_that_do_not_fit_are_named(tmp_path):
    words = ["fit", table(tmp_path), "--target", "goal", "--method", "optimal"]
    assert "does not prune" in complaint(*words, "--prune", "mdl")
    assert "leave out --seed" in complaint(*words, "--seed", "1")
    assert "--max-depth of 30 at most. Got 31" in complaint(*words, "--max-depth", "31")
    assert "--time-limit takes a number of seconds" in complaint(*words, "--time-limit", "nan")


def test_the_deepest_search_is_the_estimators(tmp_path):
    words = ["--target", "goal", "--method", "optimal", "--max-depth", "30", "--max-leaves", "3"]
    assert "proven optimal" in succeeded("fit", table(tmp_path), *words)
    with pytest.raises(ValueError, match=r"an int in \[1, 30\]"):
        OptimalTreeRegressor(31).fit([[1]], [1])


def test_the_line_of_a_search(monkeypatch, capsys):
    progress = SearchProgress(3.2, 10.0, 8.0, 2, 9)
    assert line_text(progress) == (
        "Searching 3 s (Ctrl-C ends it): best 10, bound 8, optimality gap 20 %, 2 of 9 roots done"
    )
    with searching() as nobody:
        assert nobody is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with searching() as update:
        update(SearchProgress(0.5, 10.0, 8.0, 2, 9))
        assert capsys.readouterr().err == ""
        update(progress)
        update(SearchProgress(4.0, 9.0, 9.0, 9, 9))
    assert "best" in capsys.readouterr().err
