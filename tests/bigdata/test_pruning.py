"""Pruning over partitions chooses the tree that pruning in memory chooses by the same folds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.bigdata.tables import Data, assert_same_numbers, few_bins, limits, table
from treewright import TreeClassifier, TreeRegressor, bigdata
from treewright.base.tasks import task_name
from treewright.bigdata.folds import Folds
from treewright.bigdata.pruning import folds_of, grow_and_prune
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.estimators.weights import on_own_grid
from treewright.exceptions import DataError, UnsupportedError
from treewright.prune import CostComplexity, cost_complexity

NUMBERS = ("alpha", "leaves", "risk", "cv_risk", "cv_standard_error")


def prune_both(model: Any, data: Data, random: np.random.Generator) -> tuple[Any, Any, Any]:
    """Prune in memory by the folds of the partitions, and over these."""
    pruner = model.prune
    first = clone(model).set_params(prune=None).fit(data.columns, data.target, data.weights)
    n_parts, seed = int(random.integers(1, 9)), int(random.integers(1000))
    engine = data.parts(first, n_parts, np.random.default_rng(seed))
    order = data.rows_of_parts(n_parts, np.random.default_rng(seed))
    folds, _ = folds_of(pruner, model.random_state)
    fold = np.empty(len(data.target), dtype=np.intp)
    for number, rows in enumerate(order):
        fold[rows] = folds.of(number, len(rows))
    is_classification = first.schema_.classes is not None
    tree, path, exactness = grow_and_prune(
        engine,
        first.schema_,
        task_name(is_classification=is_classification),
        GrowthOptions.of(model),
        pruner,
        model.random_state,
        weighting=ClassWeighting.of(model, first.schema_.classes) if is_classification else None,
        resolution=few_bins(random),
    )
    assert exactness.is_proven
    return tree, path, fold


def assert_same_path(path: Any, expected: Any) -> None:
    """Compare what trees were chosen from, and which one was."""
    assert (path.chosen, len(path)) == (expected.chosen, len(expected))
    for one, other in zip(path, expected, strict=True):
        for name in NUMBERS:
            value, twin = getattr(one, name), getattr(other, name)
            assert (value is None) == (twin is None)
            if value is not None:
                assert value == pytest.approx(twin, rel=1e-9, abs=1e-9)


def check(seed: int, *, numbers: bool, levels: bool = False) -> None:
    """Compare one table."""
    random = np.random.default_rng(seed)
    data = table(random, numbers=numbers, levels=levels, n_rows=800)
    given = limits(random)
    kind = TreeRegressor if numbers else TreeClassifier
    pruner = CostComplexity(folds=int(random.integers(2, 6)), se=float(random.integers(2)))
    model = kind(prune=pruner, random_state=None if seed % 2 else seed, **given)
    tree, path, fold = prune_both(model, data, random)
    if len(np.unique(fold)) < 2:
        return
    expected = clone(model).set_params(prune__folds=fold)
    expected.fit(data.columns, data.target, data.weights)
    assert_same_path(path, expected.path_)
    if numbers:
        assert_same_numbers(tree, expected.tree_)
        return
    assert tree.to_json() == expected.tree_.to_json()
    assert [one.alpha for one in path] == [one.alpha for one in expected.path_]


@pytest.mark.parametrize("seed", range(12))
def test_folds_choose_the_tree_of_classes_that_they_choose_in_memory(seed):
    check(seed, numbers=False, levels=bool(seed % 3 == 0))


@pytest.mark.parametrize("seed", range(6))
def test_folds_choose_the_tree_of_numbers_that_they_choose_in_memory(seed):
    check(seed, numbers=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_folds_choose_the_trees_of_two_hundred_tables(block):
    for seed in range(100 + 50 * block, 150 + 50 * block):
        check(seed, numbers=seed % 4 == 0, levels=seed % 3 == 0)


@pytest.mark.parametrize("seed", range(6))
def test_a_hold_out_set_chooses_the_tree_that_it_chooses_in_memory(seed, monkeypatch):
    random = np.random.default_rng(seed)
    data = table(random, numbers=False, n_rows=800)
    model = TreeClassifier(prune=CostComplexity(holdout=0.3), max_depth=5)
    tree, path, fold = prune_both(model, data, random)
    parts = np.flatnonzero(fold == 1), np.flatnonzero(fold == 0)
    monkeypatch.setattr(cost_complexity, "hold_out", lambda share, growth: parts)
    expected = clone(model).fit(data.columns, data.target, data.weights)
    assert tree.to_json() == expected.tree_.to_json()
    assert_same_path(path, expected.path_)


def test_a_given_alpha_needs_no_held_out_rows():
    random = np.random.default_rng(3)
    data = table(random, numbers=False)
    model = TreeClassifier(prune=CostComplexity(alpha=3.0))
    first = clone(model).fit(data.columns, data.target, data.weights)
    tree, path, _ = grow_and_prune(
        data.parts(first, 3, random),
        first.schema_,
        "classification",
        GrowthOptions.of(model),
        model.prune,
    )
    assert tree.to_json() == first.tree_.to_json()
    assert path.chosen == first.path_.chosen


def test_folds_are_of_about_one_size_and_have_nothing_to_do_with_the_sample():
    folds = Folds(5)
    counts = np.bincount(folds.of(3, 100_000), minlength=5)
    assert np.abs(counts - 20_000).max() < 600
    smallest = np.sort(np.arange(1000, dtype=np.uint64))
    assert np.bincount(folds.of_keys(smallest), minlength=5).min() > 140
    assert np.mean(Folds(2, share=0.1).of(0, 100_000) == 0) == pytest.approx(0.1, abs=0.005)
    assert np.mean(folds.of(0, 10_000) == Folds(5, seed=1).of(0, 10_000)) < 0.25


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("rows_in_memory", [0, 500, None])
def test_a_fit_over_files_is_pruned_as_in_memory(table, folder, class_weight, rows_in_memory):
    model = TreeClassifier(prune=CostComplexity(folds=4, se=0), class_weight=class_weight)
    drop = ["amount"]
    bigdata.fit(
        model,
        folder,
        "repaid",
        weight="weight",
        drop=drop,
        rows_per_partition=40,
        rows_in_memory=rows_in_memory,
    )
    sizes = [40, 40, 20] * 3
    kept = np.flatnonzero(table.column("weight").to_numpy() > 0)
    starts = np.cumsum([0, *sizes])
    fold = np.zeros(table.num_rows, dtype=np.intp)
    for part, (start, stop) in enumerate(itertools.pairwise(starts)):
        rows = kept[(kept >= start) & (kept < stop)]
        fold[rows] = Folds(4).of(part, len(rows))
    expected = clone(model).set_params(prune__folds=fold)
    expected.fit(
        table.drop_columns(["repaid", "weight", *drop]),
        table.column("repaid").to_pandas().rename("repaid"),
        on_own_grid(table.column("weight").to_numpy()),
    )
    assert model.tree_.to_json() == expected.tree_.to_json()
    assert_same_path(model.path_, expected.path_)
    assert model.exactness_.is_proven


def test_rows_in_one_fold_are_refused():
    random = np.random.default_rng(0)
    data = Data({"x": np.arange(2.0)}, np.array([0, 1]), None)
    model, pruner = TreeClassifier().fit(data.columns, data.target), CostComplexity(folds=2)
    seed = next(seed for seed in range(50) if not np.ptp(folds_of(pruner, seed)[0].of(0, 2)))
    with pytest.raises(DataError, match="one fold"):
        grow_and_prune(
            data.parts(model, 1, random),
            model.schema_,
            "classification",
            GrowthOptions.of(model),
            pruner,
            seed,
        )


@pytest.mark.parametrize(
    ("prune", "words"),
    [
        ("reduced_error", "use prune='cost_complexity'"),
        (CostComplexity(folds=[0, 1, 1]), "'folds' parameter of CostComplexity must be a number"),
    ],
)
def test_what_cannot_prune_over_partitions_is_refused_before_reading(prune, words):
    with pytest.raises(UnsupportedError, match=words):
        bigdata.fit(TreeClassifier(prune=prune), "nowhere.parquet", "y")
