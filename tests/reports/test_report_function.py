"""`treewright.report`: the page from a frame, a dict or a file in one call."""

from __future__ import annotations

import numpy as np
import pytest

import treewright
from treewright.exceptions import DataError, WriteError
from treewright.files import write_table


def table(n_rows=80):
    chance = np.random.default_rng(0)
    income = chance.normal(40, 12, n_rows).round(1)
    debts = chance.integers(0, 9, n_rows)
    repaid = np.where(income > 38, "yes", "no")
    return {"income": income.tolist(), "debts": debts.tolist(), "repaid": repaid.tolist()}


@pytest.mark.long
def test_a_frame_a_dict_and_a_file_give_the_same_tree(tmp_path):
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    columns = table()
    write_table(tmp_path / "loans.csv", columns)
    trees = []
    for data in (columns, pandas.DataFrame(columns), tmp_path / "loans.csv"):
        output = tmp_path / "page.html"
        found = treewright.report(data, target="repaid", output=output, time_limit=5.0)
        assert "<title>" in output.read_text(encoding="utf-8")
        trees.append(found.estimator.tree_)
        output.unlink()
    assert trees[0] == trees[1] == trees[2]
    assert trees[0].n_leaves == 2


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"target": "paid"}, DataError, "no column 'paid'; it has 'income', 'debts', 'repaid'"),
        ({"drop": ["x\n"]}, DataError, "has no column"),
        ({"drop": ["repaid"]}, DataError, "beside the target"),
        ({"positive": "maybe"}, DataError, "a class 'maybe' that 'repaid' does not have"),
        ({"method": "carrt"}, ValueError, "'method' of a report must be one of 'readable', 'cart'"),
        ({"features": 4}, ValueError, "'features' of a report must be 2 or 3. Got 4"),
        ({"test_share": 1.5}, ValueError, "'test_share' of a report"),
        ({"time_limit": float("nan")}, ValueError, "'time_limit' of a report"),
        ({"types": {"debts": "word"}}, ValueError, "Got 'word' for the column 'debts'"),
        ({"task": "ranking"}, ValueError, "'task' of a report must be one of 'auto'"),
        ({"max_leafs": 3}, TypeError, "no parameter 'max_leafs'"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(tmp_path, settings, error, words):
    output = tmp_path / "page.html"
    with pytest.raises(error, match=words.replace("(", r"\(")) as caught:
        treewright.report(table(), **{"target": "repaid", "output": output, **settings})
    assert "\n" not in str(caught.value)
    assert not output.exists()


def test_a_table_without_names_is_refused(tmp_path):
    with pytest.raises(DataError, match="needs names of columns"):
        treewright.report(np.zeros((9, 2)), "y", tmp_path / "page.html")


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr("treewright.reports.making.analyse", None)  # would fail if it were called
    with pytest.raises(WriteError, match="is not there"):
        treewright.report(table(), "repaid", tmp_path / "absent" / "page.html")
