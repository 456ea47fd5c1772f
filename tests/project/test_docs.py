"""The examples on the pages of the documentation run and print what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from example_runs import check_examples

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(page for page in DOCS.glob("*.md") if ">>>" in page.read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example may save a file
    examples = doctest.DocTestParser().get_doctest(
        page.read_text(encoding="utf-8"), {}, page.stem, str(page), 0
    )
    check_examples([examples])
