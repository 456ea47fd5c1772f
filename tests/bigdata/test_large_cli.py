"""The commands on several Parquet files, folders of them, and large ones."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow as pa
import pytest
from command_line import complaint, run, succeeded
from pyarrow import parquet

from treewright import load
from treewright.bigdata import sampling
from treewright.cli import large, streaming
from treewright.cli.streaming import exactness_line


@pytest.fixture
def files(folder):
    return [folder / f"part-{place}.parquet" for place in range(3)]


@pytest.mark.parametrize("named", ["files", "folder", "pattern"])
def test_fit_reads_several_files_part_by_part(files, folder, tmp_path, named):
    given = {"files": files, "folder": [folder], "pattern": [folder / "*.parquet"]}[named]
    output = tmp_path / "m.json"
    result = run(
        "fit", *given, "--target", "repaid", "--method", "cart", "--max-depth", 3, "-o", output
    )
    assert result.exit_code == 0, result.stderr
    assert "3 Parquet files of" in result.stderr
    assert "300 rows: read part by part." in result.stderr
    assert "Every split is proven" in result.stdout
    assert "note" in load(output).schema_.names or "'note' left out" in result.stderr
    assert load(output).tree_.node(0).rows == 300
    assert load(output).tree_.depth == 3


def test_a_tree_without_a_limit_says_its_depth(files):
    result = run("fit", *files, "--target", "amount", "--method", "cart")
    assert result.exit_code == 0, result.stderr
    assert "grown to depth 6 and not pruned" in result.stderr
    assert "regression" in result.stdout


def test_a_tree_is_pruned_by_cost_complexity_where_that_is_asked_for(files):
    words = ("fit", *files, "--target", "repaid", "--method", "cart", "--drop", "amount")
    result = run(*words, "--prune", "cost-complexity")
    assert result.exit_code == 0, result.stderr
    assert "grown to depth 6;" in result.stderr
    assert "Every split is proven" in result.stdout


def test_a_second_table_measures_the_tree(files, table, tmp_path):
    parquet.write_table(table, tmp_path / "later.parquet")
    words = ["fit", *files, "--target", "repaid", "--method", "cart", "--max-depth", 2]
    assert "later.parquet" in succeeded(*words, "--test", tmp_path / "later.parquet")


def test_one_large_file_is_read_part_by_part(files, monkeypatch):
    words = ["fit", files[0], "--target", "repaid", "--method", "cart", "--max-depth", 2]
    assert "part by part" not in run(*words).stderr
    monkeypatch.setattr(large, "STREAMED_BYTES", 1000)
    assert "1 Parquet file of" in run(*words).stderr


def test_weights_and_dropped_columns_are_left_out_of_the_tree(files, tmp_path):
    output = tmp_path / "m.json"
    succeeded(
        *("fit", *files, "--target", "repaid", "--method", "cart", "--max-depth", 2),
        *("--weights", "weight", "--drop", "amount", "-o", output),
    )
    assert {"weight", "amount"}.isdisjoint(load(output).schema_.names)


@pytest.mark.long
@pytest.mark.parametrize("method", [(), ("--method", "optimal", "--max-depth", 2)])
def test_searched_trees_are_found_on_a_sample_and_counted_on_all_rows(
    files, monkeypatch, tmp_path, method
):
    monkeypatch.setattr(streaming, "SAMPLE_ROWS", 120)
    output = tmp_path / "m.json"
    words = ("--target", "repaid", "--max-leaves", 3, "-o", output)
    result = run("fit", *files, *words, *method)
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stdout.split())
    assert "120 of 300 rows; thresholds and counts are those of all rows." in said
    assert "On the 180 rows outside the sample it has a score of" in said
    assert load(output).tree_.node(0).rows == 300


@pytest.mark.long
def test_report_takes_a_sample(files, monkeypatch, tmp_path):
    monkeypatch.setattr(sampling, "SAMPLE_ROWS", 200)
    monkeypatch.chdir(tmp_path)
    result = run("report", *files, "--target", "repaid", "--method", "cart", "--drop", "amount")
    assert result.exit_code == 0, result.stderr
    assert "uses 200 at random" in result.stderr
    assert (tmp_path / "part-0.report.html").exists()


def test_predict_writes_one_parquet_file(files, table, tmp_path):
    model, output = tmp_path / "m.json", tmp_path / "out.parquet"
    succeeded("fit", files[0], "--target", "repaid", "--max-leaves", 3, "-o", model)
    said = succeeded("predict", model, *files, "--id", "weight", "-o", output)
    assert said == f"Wrote {output}: 300 predictions, read and written part by part\n"
    written = parquet.read_table(output)
    assert written["weight"] == table["weight"]
    assert written["prediction"].to_pylist() == load(model).predict(table).tolist()


def test_what_cannot_be_is_refused_in_one_sentence(files, folder, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "none").mkdir()
    fit = ("fit", "--target", "repaid")
    assert "a.csv' is no Parquet file" in complaint(*fit, files[0], tmp_path / "a.csv")
    assert "is not there" in complaint(*fit, files[0], folder / "b.parquet")
    assert "no Parquet file at" in complaint(*fit, tmp_path / "none")
    assert "no Parquet file at" in complaint(*fit, tmp_path / "*.parquet")
    assert "ends in .parquet" in complaint("predict", files[0], *files, "-o", tmp_path / "o.csv")
    cart = (*fit, "--method", "cart")
    assert "use --prune cost-complexity, or" in complaint(*cart, *files, "--prune", "mdl")
    assert "--text and --type" in complaint(*cart, *files, "--text", "home")


def test_a_column_that_is_not_there_is_named(files):
    said = run("fit", *files, "--target", "repayed", "--method", "cart").stderr
    assert "has no column 'repayed'; did you mean 'repaid'?" in said


def test_linear_combinations_are_not_said_to_be_proven(files):
    words = ("fit", *files, "--target", "repaid", "--method", "must", "--max-depth", 1)
    said = " ".join(succeeded(*words).split())
    assert "Every threshold is proven" in said
    assert "coefficients are the same but for rounding" in said


def test_splits_that_are_not_proven_are_counted():
    exactness = SimpleNamespace(is_proven=False, gaps=((3, 0.01), (5, 0.002)))
    said = exactness_line(SimpleNamespace(exactness_=exactness))
    assert said.startswith("2 splits are not proven")
    assert "at most 1.00% to the gain" in said


def test_dates_are_left_out_with_a_word(tmp_path):
    table = pa.table(
        {
            "day": pa.array(range(40), pa.date32()),
            "x": [float(place % 7) for place in range(40)],
            "y": ["a", "b"] * 20,
        }
    )
    for place in range(2):
        parquet.write_table(table, tmp_path / f"{place}.parquet")
    result = run("fit", tmp_path, "--target", "y", "--method", "cart")
    assert result.exit_code == 0, result.stderr
    assert "Column 'day' left out" in result.stderr
