"""Predictions are written partition by partition, whole or not at all; and rows are sampled."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import dataset, parquet

from treewright import TreeClassifier, TreeRegressor, bigdata
from treewright.exceptions import DataError, DataTypeError, UnseenLevelWarning, WriteError

OTHERS = ["amount", "weight", "repaid"]


@pytest.fixture
def model(table):
    return TreeClassifier(max_depth=3).fit(table.drop_columns(OTHERS), table["repaid"].to_pandas())


@pytest.mark.parametrize("size", [7, 1000])
def test_predictions_are_those_of_the_table_in_memory(table, folder, model, tmp_path, size):
    path = tmp_path / "out.parquet"
    n_rows = bigdata.predict(
        model, folder, path, columns=["weight"], probabilities=True, rows_per_partition=size
    )
    written = parquet.read_table(path)
    assert n_rows == written.num_rows == table.num_rows
    assert written.column_names == ["weight", "prediction", "probability_no", "probability_yes"]
    assert written["weight"] == table["weight"]
    assert written["prediction"].to_pylist() == model.predict(table).tolist()
    assert written["probability_yes"].to_pylist() == model.predict_proba(table)[:, 1].tolist()


@pytest.mark.parametrize("labels", [[3, 1], [2.0, 1.0], [True, False]])
def test_predictions_keep_the_type_of_the_classes(labels, tmp_path):
    X = pa.table({"x": [1.0, 2.0, 3.0, 4.0]})
    parquet.write_table(X, tmp_path / "x.parquet")
    model = TreeClassifier().fit(X, labels * 2)
    bigdata.predict(model, tmp_path / "x.parquet", tmp_path / "out.parquet")
    written = parquet.read_table(tmp_path / "out.parquet")["prediction"].to_pylist()
    assert written == labels * 2
    assert {type(one) for one in written} == {type(labels[0])}


def test_a_model_without_column_names_reads_by_position(tmp_path):
    X = np.arange(12.0).reshape(6, 2)
    model = TreeRegressor().fit(X, X[:, 1])
    parquet.write_table(pa.table({"0": X[:, 0], "1": X[:, 1]}), tmp_path / "x.parquet")
    bigdata.predict(model, tmp_path / "x.parquet", tmp_path / "out.parquet")
    written = parquet.read_table(tmp_path / "out.parquet")["prediction"].to_pylist()
    assert written == X[:, 1].tolist()


def test_nothing_half_written_is_left(table, folder, model, tmp_path):
    broken = table.set_column(0, "income", pa.array([np.inf] * table.num_rows))
    parquet.write_table(broken, folder / "part-9.parquet")
    (tmp_path / "out").mkdir()
    with pytest.raises(DataError, match=r"part-9\.parquet.*'income' holds infinity"):
        bigdata.predict(model, folder, tmp_path / "out" / "out.parquet")
    assert list((tmp_path / "out").iterdir()) == []


def test_unseen_levels_are_said_once(table, folder, model, tmp_path):
    other = table.set_column(1, "home", pa.array(["boat"] * table.num_rows))
    parquet.write_table(other, folder / "part-9.parquet", row_group_size=30)
    assert 1 in model.tree_.columns_read
    with pytest.warns(UnseenLevelWarning, match=r"part-9\.parquet.*'boat': 30") as said:
        bigdata.predict(model, folder, tmp_path / "out.parquet", rows_per_partition=30)
    assert len(said) == 1


def test_outputs_that_cannot_be_are_refused(folder, model, tmp_path):
    with pytest.raises(WriteError, match=r"ends in \.parquet"):
        bigdata.predict(model, folder, tmp_path / "out.csv")
    with pytest.raises(WriteError, match="also an input"):
        bigdata.predict(model, folder, folder / "part-1.parquet")
    with pytest.raises(DataError, match="no column 'nothing'"):
        bigdata.predict(model, folder, tmp_path / "out.parquet", columns=["nothing"])
    with pytest.raises(DataError, match="'income' is missing from the data"):
        bigdata.predict(
            model,
            dataset.dataset(folder).scanner(columns=["home", "grade", "member"]).to_reader(),
            tmp_path / "out.parquet",
        )


def test_a_sample_is_rows_of_the_table_in_their_order(table, folder):
    drawn = bigdata.sample(folder, 50, columns=["amount", "home"], rows_per_partition=16)
    assert drawn.shape == (50, 2)
    places = [table["amount"].to_pylist().index(one) for one in drawn["amount"].to_pylist()]
    assert places == sorted(set(places))
    assert drawn != bigdata.sample(folder, 50, columns=["amount", "home"], random_state=1)
    assert bigdata.sample(folder, 1000).num_rows == table.num_rows


def test_every_row_is_as_likely_in_a_sample(tmp_path):
    parquet.write_table(pa.table({"x": np.arange(60)}), tmp_path / "t.parquet", row_group_size=7)
    counts = np.zeros(60)
    for seed in range(300):
        drawn = bigdata.sample(tmp_path / "t.parquet", 20, random_state=seed, progress=False)
        counts[drawn["x"].to_numpy()] += 1
    assert counts.sum() == 6000
    assert abs(counts - 100).max() < 4.5 * np.sqrt(300 * (1 / 3) * (2 / 3))


def test_fit_given_a_lazy_table_says_which_call_to_use(table, folder):
    lazy = [dataset.dataset(folder), table.to_reader()]
    for library, name in (("polars", "from_arrow"), ("duckdb", "from_arrow")):
        module = pytest.importorskip(library)
        made = getattr(module, name)(table.select(["income"]))
        lazy.append(made.lazy() if library == "polars" else made)
    for source in lazy:
        with pytest.raises(DataTypeError, match=r"treewright\.bigdata\.fit\(estimator, source"):
            TreeClassifier().fit(source, ["a", "b"])


def test_fit_given_a_dask_frame_says_which_call_to_use(table):
    frames = pytest.importorskip("dask.dataframe")
    frame = frames.from_pandas(table.select(["income", "repaid"]).to_pandas(), npartitions=2)
    with pytest.raises(DataTypeError, match=r"treewright\.bigdata\.fit\(estimator, source"):
        TreeClassifier().fit(frame[["income"]], frame["repaid"])
