"""Trees that are searched for on a sample have the thresholds and counts of all rows."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from treewright import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    ReadableTreeClassifier,
    ReadableTreeRegressor,
    TreeClassifier,
    _core,
    bigdata,
)
from treewright.bigdata.parts import Rows
from treewright.bigdata.questions import Frame
from treewright.bigdata.recounting import Counts, Losses
from treewright.exceptions import DataError, UnsupportedError
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.recut import best_threshold, recut


def rows(n, *, numbers=False, seed=0):
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, n)).round(3)
    home = random.choice(["own", "rent", "none"], n)
    score = 2.0 * x + z + (home == "rent") + 0.3 * random.normal(size=n)
    x[random.random(n) < 0.05] = np.nan
    target = score.round(2) if numbers else np.where(score > 0.5, "yes", "no")
    return pa.table({"x": x, "z": z, "home": home, "y": target})


def write(table, folder, row_group_size=500):
    parquet.write_table(table, folder / "rows.parquet", row_group_size=row_group_size)
    return folder / "rows.parquet"


MODELS = [
    (ReadableTreeClassifier(random_state=0, size=3, n_bootstraps=0), False),
    (ReadableTreeRegressor(random_state=0, size=3), True),
    (OptimalTreeClassifier(max_depth=2, front=True), False),
    (OptimalTreeClassifier(max_depth=2), False),
    (OptimalTreeRegressor(max_depth=2), True),
]
each_model = pytest.mark.parametrize(
    ("model", "numbers"), MODELS, ids=lambda one: type(one).__name__
)


@each_model
def test_a_sample_of_all_rows_gives_the_tree_of_a_fit_in_memory(model, numbers, tmp_path):
    table = rows(600, numbers=numbers)
    source = write(table, tmp_path, 100)
    found = bigdata.fit(model, source, "y")
    said = json.loads(json.dumps(found.tree_.to_json()))
    model.fit(table.drop_columns("y"), table.column("y").to_pandas())
    expected = model.tree_.to_json()
    if numbers:  # sums of numbers in another order
        assert [node["rows"] for node in said["nodes"]] == [
            node["rows"] for node in expected["nodes"]
        ]
    else:
        assert said == expected


@each_model
def test_counts_are_those_of_all_rows(model, numbers, tmp_path):
    table = rows(4_000, numbers=numbers)
    found = bigdata.fit(model, write(table, tmp_path), "y", rows_sampled=800)
    X = table.drop_columns("y")
    leaves = found.apply(X)
    core = found.tree_.core
    for leaf in np.flatnonzero(core.n_branches == 0):
        assert core.rows[leaf] == (leaves == leaf).sum()
    assert core.rows[0] == 4_000
    truth = table.column("y").to_numpy(zero_copy_only=False)
    if numbers:
        for leaf in set(leaves.tolist()):
            assert core.statistics[leaf][1] == pytest.approx(truth[leaves == leaf].mean())
            assert core.value[leaf] == pytest.approx(truth[leaves == leaf].mean())
    else:
        for leaf in set(leaves.tolist()):
            kept = truth[leaves == leaf]
            counts = [(kept == label).sum() for label in found.classes_]
            assert core.statistics[leaf].tolist() == counts
    exactness = found.exactness_
    assert (exactness.rows, exactness.sampled, exactness.is_proven) == (4_000, 800, False)
    assert exactness.score == pytest.approx(found.score(X, truth), abs=0.03)
    assert "800 of 4,000 rows" in str(exactness)
    assert "800 sampled rows" in found.certificate_.tests


def test_thresholds_are_where_all_rows_lose_least(tmp_path):
    # With an edge at every value of the sample, and all values in it, as many as in memory.
    random = np.random.default_rng(1)
    x = random.integers(0, 40, 3_000).astype(float)
    y = np.where(random.random(3_000) < np.where(x > 23, 0.9, 0.1), "yes", "no")
    table = pa.table({"x": x, "y": y})
    model = OptimalTreeClassifier(max_depth=1)
    found = bigdata.fit(model, write(table, tmp_path), "y", rows_sampled=400)
    assert 23 <= found.tree_.node(0).predicate.threshold < 24
    values, codes = x[:, None], (y == "yes").astype(np.int32)
    goal = ClassGoal(codes, np.ones(3_000), 2)
    again = recut(found.tree_, values, _core.Table(values, found.schema_.n_levels), goal)
    assert again.to_json() == found.tree_.to_json()


def test_numbers_have_thresholds_of_all_rows(tmp_path):
    random = np.random.default_rng(2)
    x = random.integers(0, 40, 3_000).astype(float)
    table = pa.table({"x": x, "y": np.where(x > 23, 5.0, 1.0) + random.normal(size=3_000)})
    source = write(table, tmp_path)
    found = bigdata.fit(OptimalTreeRegressor(max_depth=1), source, "y", rows_sampled=300)
    goal = NumberGoal(table.column("y").to_numpy(), np.ones(3_000))
    table = _core.Table(x[:, None], found.schema_.n_levels)
    again = recut(found.tree_, x[:, None], table, goal)
    assert again.node(0).predicate == found.tree_.node(0).predicate


def test_a_threshold_stood_between_two_roundings_of_one_sum():
    # 0.1 + 0.2 and 0.3 are one value.
    low, high = np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.7])
    assert best_threshold(np.array([-2.0, -1.0]), low, high, 0.0) == 0.6
    assert best_threshold(np.array([-2.0]), low[:1], high[:1], 0.0) is None


def test_the_printed_tree_says_what_it_was_searched_on(tmp_path):
    source = write(rows(3_000), tmp_path)
    model = ReadableTreeClassifier(random_state=0, size=3)
    text = str(bigdata.fit(model, source, "y", rows_sampled=500))
    assert "Searched for on 500 of 3,000 rows; thresholds and counts are those of all rows." in text
    assert "seen on 500 sampled rows, is better" in text


@pytest.mark.long
def test_trees_of_all_sizes_are_counted_and_keep_what_folds_said(tmp_path):
    source = write(rows(3_000), tmp_path)
    model = ReadableTreeClassifier(random_state=0, max_leaf_nodes=3, n_bootstraps=0)
    found = bigdata.fit(model, source, "y", rows_sampled=500)
    assert [entry.tree.core.rows[0] for entry in found.front_] == [3_000] * len(found.front_)
    risks, errors = found.front_.cv_risks
    assert (risks <= 3_000).all()
    assert (errors > 0).all()
    assert risks[-1] > 500  # of the root alone, in rows of the whole table
    assert found.tree_ == found.front_[found.front_.chosen].tree


@pytest.mark.long
def test_weights_and_classes_weigh_all_rows(tmp_path):
    table = rows(3_000)
    weight = np.random.default_rng(3).integers(0, 4, 3_000).astype(float)
    table = table.append_column("w", pa.array(weight))
    model = ReadableTreeClassifier(random_state=0, size=3, class_weight="balanced")
    found = bigdata.fit(model, write(table, tmp_path), "y", weight="w", rows_sampled=500)
    truth = table.column("y").to_numpy(zero_copy_only=False)
    leaves, core = found.apply(table.select(["x", "z", "home"])), found.tree_.core
    total = weight.sum() / 2.0
    by_class = {label: total / weight[truth == label].sum() for label in found.classes_}
    for leaf in set(leaves.tolist()):
        for place, label in enumerate(found.classes_):
            kept = (leaves == leaf) & (truth == label)
            expected = weight[kept].sum() * by_class[label]
            assert core.statistics[leaf][place] == pytest.approx(expected)


def test_a_class_that_the_sample_lacks_is_counted(tmp_path):
    table = rows(5_000).to_pandas()
    table.loc[[17, 4_321], "y"] = "rare"
    source = write(pa.Table.from_pandas(table, preserve_index=False), tmp_path)
    model = OptimalTreeClassifier(max_depth=2)
    found = bigdata.fit(model, source, "y", rows_sampled=200)
    assert found.classes_.tolist() == ["no", "rare", "yes"]
    assert found.tree_.core.statistics[0][1] == 2.0


def test_replies_do_not_depend_on_the_partitions():
    random = np.random.default_rng(4)
    X = random.normal(size=(900, 2))
    y = (X[:, 0] + X[:, 1] > 0).astype(np.int32)
    tree = OptimalTreeClassifier(max_depth=2).fit(X[:100], y[:100]).tree_
    frame = Frame(tree.schema.n_levels, 2)
    places = tuple((0, node) for node in range(tree.n_nodes) if tree.core.n_branches[node])
    edges = tuple(np.linspace(-1.0, 1.0, 9) for _ in places)
    for question in (Counts(frame, (tree,)), Losses(frame, (tree,), places, edges, None)):
        columns = list(question.columns)
        whole = question.answer(Rows(0, X[:, columns], tuple(columns), y))
        replies = [
            question.answer(Rows(part, X[part::3, columns], tuple(columns), y[part::3]))
            for part in range(3)
        ]
        joined = question.merge(question.merge(*replies[:2]), replies[2])
        for one, other in zip(whole, joined, strict=True):
            for first, second in zip(one, other, strict=True):
                np.testing.assert_allclose(first, second)


def test_what_a_search_cannot_do_is_refused_before_reading(tmp_path):
    with pytest.raises(UnsupportedError, match=r"ReadableTreeClassifier\(time_limit=5\)"):
        bigdata.fit(ReadableTreeClassifier(), tmp_path / "none.parquet", "y", time_limit=5)
    teacher = np.zeros((3, 2))
    with pytest.raises(UnsupportedError, match="'teacher'"):
        bigdata.fit(ReadableTreeClassifier(teacher=teacher), tmp_path / "none.parquet", "y")
    with pytest.raises((DataError, ValueError), match="rows_sampled"):
        bigdata.fit(ReadableTreeClassifier(), tmp_path / "none.parquet", "y", rows_sampled=0)


def test_sizes_that_do_not_matter_were_accepted(tmp_path):
    with pytest.raises(UnsupportedError, match=r"'rows_sampled'.*leave it out"):
        bigdata.fit(TreeClassifier(), tmp_path / "none.parquet", "y", rows_sampled=9)
    with pytest.raises(UnsupportedError, match=r"'rows_in_memory'.*set 'rows_sampled'"):
        bigdata.fit(OptimalTreeClassifier(), tmp_path / "none.parquet", "y", rows_in_memory=9)
