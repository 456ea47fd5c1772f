"""Growth over partitions makes the tree that growth in memory makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.bigdata.tables import assert_same, grow_both, limits, table
from treewright import TreeClassifier, TreeRegressor
from treewright.estimators import Costs

CRITERIA = ("gini", "entropy", "twoing", "hellinger", "hddt", "misclassification", "deviance")
GAINS = ("plain", "plain", "balanced", "ratio")


def classifier(random: np.random.Generator, **given: Any) -> TreeClassifier:
    """Draw a classifier."""
    criterion, gain = str(random.choice(CRITERIA)), str(random.choice(GAINS))
    return TreeClassifier(criterion=criterion, gain=gain, **limits(random), **given)


def check_classes(seed: int, **given: Any) -> None:
    """Compare the trees of one table of classes."""
    random = np.random.default_rng(seed)
    model = classifier(random, **given)
    data = table(random, numbers=False, levels="categorical" in given)
    tree, other, exactness = grow_both(model, data, random)
    assert other.to_json() == tree.to_json()
    assert exactness.is_proven


def check_numbers(seed: int, **given: Any) -> None:
    """Compare the trees of one table of numbers."""
    random = np.random.default_rng(seed)
    model = TreeRegressor(**limits(random), **given)
    data = table(random, numbers=True, levels="categorical" in given)
    tree, other, exactness = grow_both(model, data, random)
    assert_same(tree, other)
    assert exactness.is_proven


@pytest.mark.parametrize("seed", range(40))
def test_trees_of_classes_are_the_same(seed):
    check_classes(seed)


@pytest.mark.parametrize("seed", range(20))
def test_trees_of_numbers_are_the_same(seed):
    check_numbers(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_trees_of_a_thousand_tables_are_the_same(block):
    for seed in range(100 * block, 100 * (block + 1)):
        check_classes(seed) if seed % 4 else check_numbers(seed)


@pytest.mark.parametrize("in_split", ["none", "gini"])
@pytest.mark.parametrize("seed", range(4))
def test_trees_with_costs_are_the_same(seed, in_split):
    random = np.random.default_rng(seed)
    data = table(random, numbers=False)
    n_classes = len(np.unique(data.target))
    cost = 1.0 + np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes)))
    np.fill_diagonal(cost, 0.0)
    model = TreeClassifier(cost_matrix=Costs(cost, in_split=in_split), **limits(random))
    tree, other, exactness = grow_both(model, data, random)
    assert other.to_json() == tree.to_json()
    assert exactness.is_proven


LEVELS = ("subset", "multiway", "grouped")


def check_levels(kind: str, seed: int) -> None:
    """Compare the trees of one table with categorical columns, under a measure that allows it."""
    random = np.random.default_rng(seed)
    if seed % 4 == 3:
        check_numbers(seed, categorical=kind)
        return
    allowed = {
        "subset": CRITERIA,
        "multiway": tuple(set(CRITERIA) - {"twoing"}),
        "grouped": tuple(set(CRITERIA) - {"twoing", "hddt"}),
    }[kind]
    gain = str(random.choice(GAINS))
    criterion = sorted(allowed)[seed % len(allowed)]
    model = TreeClassifier(criterion=criterion, gain=gain, categorical=kind, **limits(random))
    tree, other, exactness = grow_both(model, table(random, numbers=False, levels=True), random)
    assert other.to_json() == tree.to_json()
    assert exactness.is_proven


@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("seed", range(8))
def test_splits_on_levels_are_the_same(kind, seed):
    check_levels(kind, seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEVELS)
def test_splits_on_levels_of_two_hundred_tables_are_the_same(kind):
    for seed in range(200):
        check_levels(kind, seed)
