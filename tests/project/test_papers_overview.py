"""The page of all papers: which cells it takes from a result, and what it shows without a run."""

from __future__ import annotations

import pytest

from benchmarks.papers import overview

pytestmark = pytest.mark.skipif(
    not overview.RESULTS.is_dir(), reason="a source distribution has no results of benchmarks"
)

RESULT = """# A paper

## Table II

What is asked.

| data | method | accuracy, paper | ours | seconds a fit | verdict |
| :-- | --: | --: | --: | --: | --: |
| wine | FS | 91.9 | 92.4 | 2 ms | ok |
| wine | QE | 93.8 | 91.1 | 2 ms | MISS accuracy |
| wine | OC1 | 93.8 | 91.1 | 2 ms | - |

## Means

| method | paper | reference | ours | verdict |
| :-- | --: | --: | --: | --: |
| CART | 80.1 | 80.8 | 80.9 | ok |

## Whole files

| data | rows | CART-0 | time | CART-1 | time | verdict |
| :-- | --: | --: | --: | --: | --: | --: |
| vote | 435 | 12 | 1 ms | 10 | 3 ms | ok |

## Not judged

| data | ours |
| :-- | --: |
| wine | 1 |
"""


def test_rows_that_are_judged_are_taken() -> None:
    rows = overview.rows_of(RESULT)
    assert rows == [
        ["Table II", "wine FS", "91.9", "92.4", "ok"],
        ["Table II", "wine QE", "93.8", "91.1", "MISS accuracy"],
        ["Means", "CART", "paper 80.1, reference 80.8", "80.9", "ok"],
        ["Whole files", "vote", "", "CART-0 12, CART-1 10", "ok"],
    ]
    assert overview.tally(rows) == ["4", "1"]


@pytest.mark.parametrize("whole", [False, True])
def test_stored_results_are_shown_where_nothing_can_be_run(
    monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setattr(overview, "run", lambda paper, arguments, output: False)
    first, *details = overview.make_tables(whole=whole, jobs=1)
    assert [row[0] for row in first.rows] == [table.title for table in details]
    for row, table in zip(first.rows, details, strict=True):
        assert int(row[2]) == len(table.rows) > 10
        assert row[4] == "not run"
        assert table.note.startswith("The whole run that was stored on ")
        assert all(said[-1] == "ok" or said[-1].startswith("MISS") for said in table.rows)


def test_a_run_stands_beside_the_stored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(paper, arguments, output) -> bool:
        output.write_text(RESULT, encoding="utf-8")
        return True

    monkeypatch.setattr(overview, "run", run)
    first, *details = overview.make_tables(whole=False, jobs=1)
    for paper, row, table in zip(overview.PAPERS, first.rows, details, strict=True):
        assert (row[4:] == ["not run", "-", "-"]) == (not paper.quick)
        if paper.quick:
            assert row[5:] == ["4", "1"]
            assert table.rows == overview.rows_of(RESULT)
