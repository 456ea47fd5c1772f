"""A tree fitted over partitions reads the same rows as one fitted in memory."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from treewright import TreeClassifier, TreeRegressor, bigdata
from treewright.exceptions import DataError, UnsupportedError

CLASS, NUMBER, WEIGHT = "repaid", "amount", "weight"


def in_memory(model, table, target, weight=None, drop=()):
    """Fit the same in memory."""
    X = table.drop_columns(list({target, *drop, *([weight] if weight else [])}))
    y = table.column(target).to_pandas().rename(target)
    sample_weight = None if weight is None else table.column(weight).to_numpy()
    return model.fit(X, y, sample_weight=sample_weight)


def saved(model, tmp_path):
    model.save(tmp_path / "model.json")
    return json.loads((tmp_path / "model.json").read_text())


@pytest.mark.long
@pytest.mark.parametrize("rows_per_partition", [7, 40, 64, 1000])
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("rows_in_memory", [0, 100, None])
def test_classes_give_the_model_file_of_a_fit_in_memory(
    table, folder, tmp_path, rows_per_partition, weight, rows_in_memory
):
    drop = [NUMBER] if weight else [NUMBER, WEIGHT]
    streamed = bigdata.fit(
        TreeClassifier(max_depth=4),
        folder,
        CLASS,
        weight=weight,
        drop=drop,
        rows_per_partition=rows_per_partition,
        rows_in_memory=rows_in_memory,
    )
    expected = in_memory(TreeClassifier(max_depth=4), table, CLASS, weight, drop)
    assert saved(streamed, tmp_path) == saved(expected, tmp_path)
    assert streamed.schema_ == expected.schema_
    assert streamed.classes_.tolist() == expected.classes_.tolist()
    assert streamed.exactness_.is_proven
    assert (streamed.exactness_.finished_in_memory > 0) == (rows_in_memory != 0)


def test_numbers_give_the_tests_of_a_fit_in_memory_and_its_statistics_but_for_rounding(
    table, folder
):
    model = TreeRegressor(max_depth=3)
    streamed = bigdata.fit(model, folder, NUMBER, drop=[WEIGHT], rows_in_memory=0).tree_.core
    expected = in_memory(TreeRegressor(max_depth=3), table, NUMBER, drop=[WEIGHT]).tree_.core
    assert streamed.n_nodes == expected.n_nodes > 7
    for node in range(streamed.n_nodes):
        assert streamed.test(node) == expected.test(node)
    np.testing.assert_array_equal(streamed.rows, expected.rows)
    np.testing.assert_allclose(streamed.statistics, expected.statistics, rtol=1e-12)


@pytest.mark.parametrize(
    "labels", [[3, 1, 2], [2.0, 1.0, 1.0], [True, False, True], ["b", "a", "ä"]], ids=str
)
def test_classes_are_those_of_a_fit_in_memory(labels, tmp_path):
    table = pa.table({"x": np.arange(12.0), "y": labels * 4})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=5)
    streamed = bigdata.fit(TreeClassifier(), tmp_path / "t.parquet", "y")
    expected = TreeClassifier().fit(table.select(["x"]), table.column("y"))
    assert streamed.classes_.tolist() == expected.classes_.tolist()
    assert streamed.classes_.dtype == expected.classes_.dtype
    assert streamed.tree_.to_json() == expected.tree_.to_json()


def test_balanced_classes_weigh_the_same(folder):
    model = bigdata.fit(
        TreeClassifier(max_depth=1, class_weight="balanced"), folder, CLASS, drop=[NUMBER, WEIGHT]
    )
    assert list(model.tree_.node(0).statistics) == pytest.approx([150.0, 150.0], rel=1e-12)


@pytest.mark.long
def test_weights_do_not_depend_on_how_rows_are_partitioned(table, tmp_path):
    random = np.random.default_rng(1)
    table = table.append_column("real", pa.array(random.random(table.num_rows)))
    parquet.write_table(table, tmp_path / "t.parquet")
    models = [
        bigdata.fit(
            TreeClassifier(max_depth=3, class_weight="balanced"),
            tmp_path / "t.parquet",
            CLASS,
            weight="real",
            drop=[NUMBER, WEIGHT],
            rows_per_partition=size,
            rows_in_memory=0,
        )
        for size in (7, 300)
    ]
    one, other = (model.tree_.to_json() for model in models)
    assert one == other


def test_a_failed_fit_leaves_the_estimator_as_it_was(table, folder):
    model = in_memory(TreeClassifier(max_depth=2), table, CLASS, drop=[NUMBER, WEIGHT])
    before = dict(vars(model))
    broken = table.set_column(6, CLASS, pa.array([None] + ["yes"] * (table.num_rows - 1)))
    parquet.write_table(broken, folder / "part-3.parquet", row_group_size=40)
    with pytest.raises(DataError, match=r"row group 0 of .*part-3.*'repaid'"):
        bigdata.fit(model, folder, CLASS)
    assert vars(model) == before


def test_progress_tells_passes_and_partitions(folder):
    told = []
    bigdata.fit(
        TreeClassifier(),
        folder,
        CLASS,
        progress=lambda *words: told.append(words),
        rows_per_partition=40,
        rows_in_memory=0,
    )
    assert told[:3] == [(1, 1, 9), (1, 2, 9), (1, 3, 9)]
    passes = [number for number, *_ in told]
    assert passes == sorted(passes)
    assert passes[-1] > 2  # the survey, the sample, and some for each level
    assert told[-1][1:] == (9, 9)


def test_other_estimators_are_refused():
    from treewright import ForestClassifier

    with pytest.raises(UnsupportedError, match="Got a ForestClassifier; fit that"):
        bigdata.fit(ForestClassifier(), "nowhere.parquet", "y")


def test_a_number_of_rows_below_one_is_refused(folder):
    with pytest.raises(ValueError, match=r"rows_per_partition.*Got 0"):
        bigdata.fit(TreeClassifier(), folder, CLASS, rows_per_partition=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [("time_limit", 0), ("time_limit", -1.0), ("progress", 3), ("rows_in_memory", -1)],
)
def test_arguments_of_a_fit_are_checked_before_reading(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of bigdata.fit .* Got {value}"):
        bigdata.fit(TreeClassifier(), "nowhere.parquet", "y", **{name: value})


@pytest.mark.parametrize(
    ("name", "value"), [("n_rows", 0), ("random_state", -1), ("rows_per_partition", 0)]
)
def test_arguments_of_a_sample_are_checked_before_reading(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of bigdata.sample .* Got {value}"):
        bigdata.sample("nowhere.parquet", **{name: value})
