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
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
# Links of README start with one: they are read on the page of the package index, too.
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]


def blocks(language: str) -> list[str]:
    """The blocks of README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_after(mark: str) -> str:
    """The block of output that stands below the comment `<!-- mark -->`."""
    (block,) = re.findall(rf"^<!-- {mark} -->\n+```text\n(.*?)^```$", README, re.M | re.S)
    return block


def renews() -> bool:
    """Whether README is to be rewritten."""
    return bool(os.environ.get("TREEWRIGHT_RENEW_GOLDEN"))


def replace_in_readme(pattern: str, words: str) -> None:
    """Put words where the pattern is found, which is in one place."""
    path = ROOT / "README.md"
    text, count = re.subn(pattern, lambda _: words, path.read_text(encoding="utf-8"))
    assert count == 1, pattern
    path.write_text(text, encoding="utf-8")


def run_program(command: str, folder: Path) -> str:
    """Run a line of the shell that calls the installed program; what it prints."""
    program, *arguments = shlex.split(command)
    installed = Path(sys.executable).parent / program
    result = subprocess.run([installed, *arguments], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    "number",
    [pytest.param(1, marks=pytest.mark.long), *range(2, 1 + len(blocks("python")))],
)
def test_python_runs_and_prints_what_is_shown(number, tmp_path, monkeypatch):
    pytest.importorskip("pandas", reason="needs pandas")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(blocks("python")[number - 1], "README.md", "exec"), {"__name__": "readme"})
    shown = shown_after(f"output of Python block {number}")
    if renews():
        mark = f"<!-- output of Python block {number} -->\n\n```text\n"
        replace_in_readme(re.escape(mark + shown), mark + printed.getvalue())
        return
    assert printed.getvalue() == shown


def test_the_first_screen_has_two_trees_their_accuracies_the_proof_and_the_page():
    screen = README.partition("## Two commands")[0]
    shown = shown_after("output of Python block 1")
    assert shown in screen
    readable, cart = re.findall(r"^Classification tree for behind.*? (\d+) leaves", shown, re.M)
    assert re.search(r"─ \w+ - \w+ - .* <= ", shown)
    accuracies = re.findall(r"^[^:]+: (\d+) leaves, accuracy ([\d.]+)%", shown, re.M)
    assert [leaves for leaves, _ in accuracies[:2]] == [readable, cart]
    # What is sold: fewer leaves and more accuracy than CART, pruned to read or by its own choice.
    first, *others = ((int(leaves), float(accuracy)) for leaves, accuracy in accuracies)
    assert all(first[0] < leaves and first[1] > accuracy for leaves, accuracy in others)
    assert re.search(r"^None of the trees of at most \d+ leaves .* is better\.$", shown, re.M)
    assert f"]({URLS['Source']}/raw/main/docs/pictures/page.png)" in screen


def test_lists_and_tables_of_readme_are_short():
    lists = re.findall(r"(?:^(?:[-*|]|\d+\.) ?.*\n)+", README, re.M)
    assert all(len(one.splitlines()) <= 10 for one in lists)


@pytest.mark.slow
def test_commands_run_and_the_demo_makes_the_page_of_the_picture(tmp_path):
    printed = run_program("treewright demo", tmp_path)
    (right,) = re.findall(r"Accuracy ([\d.]+) %", printed)
    (single,) = re.findall(r"^Beside it, one column per question: .* ([\d.]+) %\.$", printed, re.M)
    assert float(right) > float(single)
    (page,) = re.findall(r"`(treewright-demo/.*\.html)`", README)
    assert (tmp_path / page).is_file()
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("treewright ")]
    assert commands
    for command in commands:
        run_program(command, tmp_path)


def test_links_of_readme_lead_somewhere_on_the_package_index():
    assert re.findall(r"\]\((?!https?:|#)[^)]*\)", README) == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_files_that_are_named_exist(name):
    text = (ROOT / name).read_text()
    text = re.sub(rf"{URLS['Source']}/(?:blob|raw)/main/", "", text)
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    paths = re.findall(r"`((?:cpp|src|tests|news|benchmarks|examples)/[\w/.]+\.\w+)`", text)
    assert [path for path in links + paths if not (ROOT / path).exists()] == []
