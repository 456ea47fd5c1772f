"""Methods that look at moments make the tree over partitions that they make in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.bigdata.tables import assert_same, grow_both, limits, table
from treewright import TreeClassifier, TreeRegressor
from treewright.splits import MUST, FTest
from treewright.splits.base import SplitMethod


def check(split: SplitMethod, seed: int, *, numbers: bool = False, levels: bool = False) -> None:
    """Compare the trees of one table."""
    random = np.random.default_rng(seed)
    kind: type[Any] = TreeRegressor if numbers else TreeClassifier
    given = limits(random) | {"split": split}
    readable = given.get("readable", True)
    if not numbers:
        given["criterion"] = str(random.choice(["gini", "entropy"]))
        given["gain"] = str(random.choice(["plain", "balanced", "ratio"]))
    data = table(random, numbers=numbers, levels=levels)
    tree, other, exactness = grow_both(kind(**given), data, random)
    assert_same(tree, other, readable=readable)
    assert exactness.is_proven


@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@pytest.mark.parametrize("seed", range(6))
def test_must_of_classes_is_the_same(features, seed):
    check(MUST(features), seed)


@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@pytest.mark.parametrize("seed", range(3))
def test_must_of_numbers_is_the_same(features, seed):
    check(MUST(features), seed, numbers=True)


@pytest.mark.parametrize("seed", range(4))
def test_must_beside_categorical_columns_is_the_same(seed):
    check(MUST(2), seed, numbers=seed % 4 == 3, levels=True)


@pytest.mark.parametrize(
    "given",
    [
        {"selection": "fisher"},
        {"selection": "mahalanobis"},
        {"multiclass": "scatter"},
        {"multiclass": "largest"},
        {"concise": None},
        {"concise": "score"},
        {"small_sample": "null_space"},
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_variants_of_must_are_the_same(given, seed):
    check(MUST(2, **given), seed)


@pytest.mark.parametrize("threshold", ["auto", "mean", "impurity", "class_midpoint"])
@pytest.mark.parametrize("seed", range(4))
def test_f_tests_of_classes_are_the_same(threshold, seed):
    check(FTest(threshold=threshold), seed, levels=seed == 3)


@pytest.mark.parametrize("threshold", ["mean", "impurity"])
@pytest.mark.parametrize("seed", range(3))
def test_f_tests_of_numbers_are_the_same(threshold, seed):
    check(FTest(threshold=threshold), seed, numbers=True, levels=seed == 2)


@pytest.mark.parametrize("features", [2, "all"])
@pytest.mark.parametrize("seed", range(3))
def test_f_tests_of_several_columns_are_the_same(features, seed):
    check(FTest(features, threshold="impurity" if seed else "mean"), seed)


def test_coefficients_that_are_not_shortened_are_the_same_but_for_rounding():
    random = np.random.default_rng(0)
    data = table(random, numbers=False)
    model = TreeClassifier(split=MUST(2, concise=None), max_depth=3, readable=False)
    tree, other, _ = grow_both(model, data, random)
    assert_same(tree, other, readable=False)


@pytest.mark.slow
@pytest.mark.parametrize("split", [MUST(2), FTest(), MUST(1), MUST(3), FTest(threshold="impurity")])
def test_trees_of_two_hundred_tables_are_the_same(split):
    for seed in range(200):
        check(split, seed, numbers=seed % 4 == 3, levels=seed % 5 == 4)
