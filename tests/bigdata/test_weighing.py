"""Weights of rows and classes: the tree in memory is that over partitions, in whatever order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.bigdata.tables import assert_same_numbers, limits, table
from treewright import TreeClassifier, TreeRegressor, bigdata
from treewright.estimators import Priors
from treewright.estimators.weights import on_grid, on_own_grid, totals_by_class

CLASS_WEIGHTS = ("none", "balanced", "priors", "mapping")


def drawn(random: np.random.Generator, *, numbers: bool) -> Any:
    """Draw a table as Arrow has it, with weights that are no whole numbers."""
    pa = pytest.importorskip("pyarrow")
    data = table(random, numbers=numbers, levels=bool(random.integers(2)), n_rows=600)
    target = data.target if numbers else np.array([f"c{code:02d}" for code in data.target])
    weights = random.random(len(target)) * 10.0 ** random.integers(-3, 4, len(target))
    return pa.table({**data.columns, "y": target, "w": weights})


def fit_both(model: Any, data: Any, random: np.random.Generator, folder: Path) -> tuple[Any, Any]:
    """Fit in memory, and over partitions of the rows in another order."""
    from pyarrow import parquet

    expected = clone(model).fit(
        data.drop_columns(["y", "w"]), data.column("y").to_pandas(), data.column("w").to_numpy()
    )
    shuffled = data.take(random.permutation(data.num_rows))
    parquet.write_table(shuffled, folder / "t.parquet")
    size = -(-data.num_rows // int(random.integers(1, 9)))
    bigdata.fit(
        model,
        folder / "t.parquet",
        "y",
        weight="w",
        rows_per_partition=size,
        rows_in_memory=[0, 100, None][int(random.integers(3))],
    )
    return expected, model


def class_weight_named(name: str, labels: list[str], random: np.random.Generator) -> Any:
    match name:
        case "balanced":
            return "balanced"
        case "priors":
            return Priors((random.random(len(labels)) + 0.1).tolist())
        case "mapping":
            return dict(zip(labels, random.random(len(labels)) + 0.1, strict=True))
        case _:
            return None


def check_classes(seed: int, class_weight: str, folder: Path) -> None:
    """Compare the model files of one table."""
    random = np.random.default_rng(seed)
    data = drawn(random, numbers=False)
    labels = sorted(set(data.column("y").to_pylist()))
    model = TreeClassifier(
        class_weight=class_weight_named(class_weight, labels, random), **limits(random)
    )
    files = []
    for one in fit_both(model, data, random, folder):
        one.save(folder / "model.json")
        files.append(json.loads((folder / "model.json").read_text()))
    assert files[0] == files[1]
    assert model.exactness_.is_proven


@pytest.mark.parametrize("class_weight", CLASS_WEIGHTS)
@pytest.mark.parametrize("seed", range(5))
def test_real_weights_give_the_model_file_of_a_fit_in_memory(seed, class_weight, tmp_path):
    check_classes(seed, class_weight, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("class_weight", CLASS_WEIGHTS)
def test_real_weights_give_the_model_files_of_a_hundred_fits_in_memory(class_weight, tmp_path):
    for seed in range(100, 200):
        check_classes(seed, class_weight, tmp_path)


@pytest.mark.parametrize("seed", range(5))
def test_real_weights_of_numbers_give_the_node_weights_of_a_fit_in_memory(seed, tmp_path):
    random = np.random.default_rng(seed)
    data = drawn(random, numbers=True)
    expected, model = fit_both(TreeRegressor(**limits(random)), data, random, tmp_path)
    assert_same_numbers(expected.tree_, model.tree_)
    assert expected.tree_.node_weights.tolist() == model.tree_.node_weights.tolist()


def test_a_tree_in_memory_does_not_depend_on_the_order_of_weighed_rows():
    random = np.random.default_rng(3)
    X, weights = random.normal(size=(500, 3)).round(2), random.random(500)
    y = (X[:, 0] + random.normal(size=500) > 0).astype(int)
    order = random.permutation(500)
    model = TreeClassifier(class_weight="balanced", max_depth=6)
    one = model.fit(X, y, weights).tree_.to_json()
    assert model.fit(X[order], y[order], weights[order]).tree_.to_json() == one


def test_whole_weights_stay_as_they_are():
    whole = np.array([1.0, 3.0, 2.0**40])
    assert on_own_grid(whole) is whole
    assert on_grid(whole, float(whole.sum())) is whole
    assert on_grid(whole, 2.0**54).tolist() == [4.0, 4.0, 2.0**40]


def test_totals_of_classes_do_not_depend_on_the_order():
    codes, weights = np.array([0, 0, 0, 1], np.int32), np.array([1.0, 1e16, 1.0, 0.1])
    for order in ([0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 0, 1]):
        totals = totals_by_class(codes[order], weights[order], ("a", "b"))
        assert totals.tolist() == [1e16 + 2.0, 0.1]
