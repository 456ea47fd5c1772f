"""The site, as far as it can be checked without building it: `nox -s docs` does the rest."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import treewright

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
GALLERY = sorted((DOCS / "gallery").glob("*.py"))
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Public modules whose callables the API lists one and all.
WHOLE_MODULES = ("datasets", "explain", "measures", "plot", "prune", "recipes", "rules", "splits")


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_page_stands_in_one_toctree() -> None:
    named = Counter(
        line.strip()
        for page in PAGES
        for block in TOCTREE.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.strip() and not line.startswith((":", "made/"))
    )
    assert named == Counter(page.stem for page in PAGES if page.stem != "index")


def test_links_between_pages_lead_to_files() -> None:
    broken = [
        f"{page.name}: {link}"
        for page in PAGES
        for link in re.findall(r"\]\((?!https?:|made/)([^)#\s]+)", page.read_text(encoding="utf-8"))
        if re.search(r"\.(?:md|png|svg)$", link) and not (DOCS / link).exists()
    ]
    assert broken == []


def test_pictures_of_the_gallery_on_pages_have_a_script() -> None:
    scripts = {script.stem for script in GALLERY}
    for page in PAGES:
        used = re.findall(r"images/sphx_glr_(\w+)_001\.png", page.read_text(encoding="utf-8"))
        assert set(used) <= scripts, page.name


def test_the_api_lists_what_is_public() -> None:
    listed = set(re.findall(r"^   (\w+)$", text_of("api.md"), re.MULTILINE)) | {"NodeData"}
    names = {name for name in treewright.__all__ if name[0].isupper()}
    names |= {"load", "report", "split_method"}
    for module in WHOLE_MODULES:
        room = getattr(treewright, module)
        try:
            names |= {name for name in room.__all__ if callable(getattr(room, name))}
        except treewright.exceptions.MissingDependencyError as needed:
            pytest.skip(str(needed))
    names |= {name for name in treewright.exceptions.__all__ if name[0].isupper()}
    assert sorted(names - listed) == []


def test_every_command_has_its_help_on_the_page() -> None:
    from treewright.cli import _COMMANDS

    shown = re.findall(r"^```\{command-help\} (\w+)$", text_of("command-line.md"), re.MULTILINE)
    assert tuple(shown) == _COMMANDS


def test_the_gallery_has_many_pictures() -> None:
    assert len(GALLERY) >= 20
    for script in GALLERY:
        assert re.search(r"^(?:figure|svg) = ", script.read_text("utf-8"), re.MULTILINE), script


@pytest.mark.long
@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_a_script_of_the_gallery_leaves_a_picture(script: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    left = runpy.run_path(str(script))
    if "svg" in left:
        assert left["svg"].startswith("<svg")
    else:
        left["figure"].savefig(tmp_path / "picture.png")


@pytest.mark.slow
def test_commands_of_the_tutorial_run(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    table = treewright.datasets.load_households(as_frame="pandas")
    table.to_csv(tmp_path / "households.csv", index=False)
    (block,) = re.findall(r"^```sh\n(.*?)^```$", text_of("tutorial.md"), re.DOTALL | re.MULTILINE)
    for line in block.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "treewright"
        command = [sys.executable, "-m", "treewright", *arguments]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
