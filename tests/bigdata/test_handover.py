"""Nodes that are handed over to growth in memory are grown as they would be where they stand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bigdata.tables import assert_same_numbers, few_bins, limits, table
from treewright import TreeClassifier, TreeRegressor
from treewright.base.tasks import task_name
from treewright.bigdata.growth import grow
from treewright.bigdata.handover import next_batch
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions

CRITERIA = ("gini", "entropy", "deviance", "hddt", "twoing")
LIMITS = (3, 20, 80, 300, 10_000)


def check(seed: int, limit: int) -> int:
    """Compare one table; gives the rows that were handed over."""
    random = np.random.default_rng(seed)
    numbers, levels = seed % 4 == 0, seed % 3 == 0
    data = table(random, numbers=numbers, levels=levels, n_rows=600)
    given = limits(random) | {"max_depth": int(random.integers(3, 12)), "max_leaf_nodes": None}
    if numbers:
        model = TreeRegressor(**given)
    else:
        gain = str(random.choice(["plain", "ratio", "balanced"]))
        model = TreeClassifier(criterion=CRITERIA[seed % 5], gain=gain, **given)
    model.fit(data.columns, data.target, data.weights)
    tree, exactness = grow(
        data.parts(model, int(random.integers(1, 9)), random),
        model.schema_,
        task_name(is_classification=not numbers),
        GrowthOptions.of(model),
        weighting=None if numbers else ClassWeighting.of(model, model.schema_.classes),
        resolution=few_bins(random),
        hand_over=limit,
    )
    if numbers:
        assert_same_numbers(tree, model.tree_)
    else:
        assert tree.to_json() == model.tree_.to_json()
    return exactness.finished_in_memory


@pytest.mark.parametrize("limit", LIMITS)
def test_trees_are_the_same_whatever_is_handed_over(limit):
    assert sum(check(seed, limit) for seed in range(6)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
def test_trees_of_a_hundred_tables_are_the_same_whatever_is_handed_over(limit):
    for seed in range(100, 200):
        check(seed, limit)


def test_best_first_growth_hands_nothing_over():
    random = np.random.default_rng(5)
    data = table(random, numbers=False)
    model = TreeClassifier(max_leaf_nodes=6).fit(data.columns, data.target, data.weights)
    tree, exactness = grow(
        data.parts(model, 3, random),
        model.schema_,
        "classification",
        GrowthOptions.of(model),
        hand_over=10_000,
    )
    assert exactness.finished_in_memory == 0
    assert tree.to_json() == model.tree_.to_json()


@pytest.mark.parametrize(
    ("rows", "levels_left", "batch"),
    [
        ([60, 30, 50], 9, [0, 1]),  # all small: the first that fit
        ([60, 30, 500], 9, [0, 1]),  # one pass is enough for the small ones
        ([60, 60, 500], 9, None),  # two are not worth it while others are open
        ([60, 30, 500], 1, None),  # nor one for the last level
        ([90] * 9, 9, None),  # as many passes as batches, and no more than eight
        ([90] * 5, 1, None),  # three for each level that is left
        ([101], 9, None),
    ],
)
def test_nodes_are_handed_over_where_that_spares_passes(rows, levels_left, batch):
    found = next_batch(np.array(rows, dtype=np.float64), 100, levels_left)
    assert (None if found is None else found.tolist()) == batch


def test_nothing_is_handed_over_unless_asked_for():
    assert next_batch(np.array([1.0, 2.0]), 0, 9) is None
