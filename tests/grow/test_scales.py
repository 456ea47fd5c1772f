"""Targets and weights of any size: the same tree, or one clear sentence; and ties by exact sums."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import (
    ForestRegressor,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.exceptions import DataError
from treewright.prune import CostComplexity
from treewright.splits import MUST, FTest

RNG = np.random.default_rng(21)
X = RNG.normal(size=(120, 3))
Y = 2.0 * X[:, 0] + np.sin(3.0 * X[:, 1]) + 0.1 * RNG.normal(size=120)
CLASSES = (Y > 0.0).astype(int) + (Y > 1.0)

REGRESSORS = {
    "axis": lambda: TreeRegressor(max_depth=4),
    "absolute": lambda: TreeRegressor(criterion="absolute_error", max_depth=4),
    "must": lambda: TreeRegressor(MUST(2), max_depth=3),
    "f_test": lambda: TreeRegressor(FTest(), max_depth=3),
    "cost_complexity": lambda: TreeRegressor(prune="cost_complexity", random_state=0),
    "trim": lambda: TreeRegressor(MUST(2), prune="trim", max_depth=3, random_state=0),
    "forest": lambda: ForestRegressor(n_estimators=2, random_state=0),
    "optimal": lambda: OptimalTreeRegressor(max_depth=2),
}


def shapes(model) -> list[list[int]]:
    trees = model.trees_ if hasattr(model, "trees_") else [model.tree_]
    return [tree.core.first_child.tolist() for tree in trees]


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("power", [-220, 220])
def test_a_target_in_other_units_gives_the_same_tree(name, power):
    """With y * 1e-100 pruning by cost-complexity took another tree, with 1e100 it failed."""
    model, other = REGRESSORS[name](), REGRESSORS[name]()
    model.fit(X, Y)
    other.fit(X, np.ldexp(Y, power))
    assert shapes(other) == shapes(model)
    assert np.array_equal(other.predict(X), np.ldexp(model.predict(X), power))


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize(
    ("scale", "complaint"),
    [
        (1e-200, "differ by .*e-200 at most; .* Multiply the target by a constant"),
        (1e-320, "differ by .*e-320 at most; .* Multiply the target by a constant"),
        (1e100, "as large as .*e[+]100; .* Divide the target by a constant"),
        (1e200, "as large as .*e[+]200; .* Divide the target by a constant"),
    ],
)
def test_a_target_of_1e_200_was_silently_one_leaf(name, scale, complaint):
    with pytest.raises(DataError, match=complaint):
        REGRESSORS[name]().fit(X, Y * scale)


def test_a_constant_target_is_of_no_scale():
    for constant in (0.0, 1e-200, 1e-320, 1e60):
        model = TreeRegressor().fit(X, np.full(len(X), constant))
        assert model.tree_.n_leaves == 1
        assert model.predict(X[:1])[0] == constant


@pytest.mark.parametrize("power", [-300, 300])
@pytest.mark.parametrize("prune", [CostComplexity(se=0.0), "reduced_error", None])
def test_large_weights_pruned_by_cost_complexity_raised_an_index_error(prune, power):
    """Weights count cases, so standard errors depend on their scale, but nothing else does."""
    weights = np.full(len(X), np.ldexp(1.0, power))
    for make, y in ((TreeClassifier, CLASSES), (TreeRegressor, Y)):
        plain = make(prune=prune, random_state=0).fit(X, y)
        weighted = make(prune=prune, random_state=0).fit(X, y, sample_weight=weights)
        assert shapes(weighted) == shapes(plain)


@pytest.mark.parametrize("weight", [1e200, 1e-200])
def test_weights_beyond_all_products_are_refused_by_every_pruner(weight):
    for prune in ("cost_complexity", None):
        with pytest.raises(DataError, match=r"must add up to a number from 1e-100 to 1e\+100"):
            TreeClassifier(prune=prune).fit(X, CLASSES, sample_weight=np.full(len(X), weight))


def mirrored(n_rows: int, n_classes: int, seed: int, noise: int):
    """Two columns that divide rows alike, in opposite order, so that sums run the other way."""
    rng = np.random.default_rng(seed)
    column = rng.permutation(n_rows).astype(float)
    labels = (rng.integers(0, noise, n_rows) + (column > n_rows / 3)) % n_classes
    return np.column_stack([column, n_rows - column]), labels


@pytest.mark.long
@pytest.mark.parametrize("measure", ["entropy", "deviance", "gini", "hellinger", "twoing"])
@pytest.mark.parametrize("weighted", [False, True])
def test_rounding_of_running_sums_broke_ties_among_26_classes(measure, weighted):
    """The sums of 1e5 rows went astray by 1.7e-8, more than what a tie allows."""
    n_rows = 100_000
    for seed in range(3):
        both, labels = mirrored(n_rows, 26, seed, noise=26 - weighted)
        weights = None
        if weighted:  # sums of weights are rounded themselves, so the split must be worth something
            weights = np.random.default_rng(seed).uniform(0.5, 1.5, n_rows)
        for columns in (both, both[:, ::-1]):
            model = TreeClassifier(criterion=measure, max_depth=1)
            tree = model.fit(columns, labels, sample_weight=weights).tree_
            assert tree.core.test(0)[1] == [0], "ties go to the earlier column"


@pytest.mark.parametrize("measure", ["entropy", "gini"])
def test_of_equally_good_thresholds_the_smaller_stays(measure):
    """Blocks of the same counts: the cuts behind the first and before the last are equally good."""
    n_block, n_classes = 25_000, 26
    block = np.arange(n_block) % (n_classes - 1)
    alone = np.full(n_block, n_classes - 1)
    labels = np.concatenate([alone, block, block, alone])
    column = np.repeat(np.arange(4.0), n_block)
    tree = TreeClassifier(criterion=measure, max_depth=1).fit(column[:, None], labels).tree_
    assert tree.node(0).predicate.threshold < 1.0
