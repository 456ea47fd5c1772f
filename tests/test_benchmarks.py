"""The benchmarks run and write what they promise; how fast anything is, is not tested here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from treewright.node import MISSING_POLICIES

FOLDER = Path(__file__).parent.parent / "benchmarks"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_quick_run_fills_every_table(tmp_path: Path) -> None:
    done = run("peers_greedy.py", "--quick", "--output", str(tmp_path / "result.md"))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "result.md").read_text()
    for title in ("Time to fit", "physical limit", "Growth", "Time to predict", "in Python"):
        assert title in text
    assert "Quick run" in text
    kept = json.loads((tmp_path / "result.json").read_text())
    for case in kept["cases"]:
        for runs in case["runs"].values():
            assert all(run["seconds"] > 0 for run in runs)


def test_every_policy_for_missing_values_is_measured() -> None:
    done = run("missing_policies.py", "--quick")
    assert done.returncode == 0, done.stderr
    for policy in ("(no gaps)", *MISSING_POLICIES):
        assert policy in done.stdout


def test_a_fresh_process_measures_time_memory_and_size() -> None:
    job = {"work": "fit", "library": "treewright", "rows": 300, "columns": 5}
    done = run("greedy_work.py", json.dumps(job))
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert measured["input_bytes"] == 300 * 5 * 8
    assert measured["memory"] >= 0
    assert measured["leaves"] > 10
    assert measured["training_score"] == 1.0


@pytest.mark.parametrize("arguments", [("--only", "nothing"), ("--output", "result.csv")])
def test_a_wrong_option_is_one_sentence(arguments: tuple[str, ...]) -> None:
    done = run("peers_greedy.py", "--quick", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_results_kept_name_no_place_of_the_machine() -> None:
    for path in FOLDER.glob("results/*"):
        text = path.read_text()
        assert "/home" not in text
        assert "/tmp" not in text
