"""How trees by the F test grow: when they stop, where they look, what they survive and refuse."""

from __future__ import annotations

import math

import f_test_twin as twin
import numpy as np
import pytest
from f_test_trees import RULES, V1, V1_CLASSES, fit, grown, root, weights_of
from scipy.stats import levene, ttest_ind
from sklearn.base import clone
from sklearn.datasets import load_iris

from treewright import FTest, TreeClassifier, rank_columns, recipes
from treewright.estimators import GrowthRules
from treewright.predicates import Linear


def test_growth_stops_where_nothing_is_significant():
    random = np.random.default_rng(5)
    X, y = random.normal(size=(60, 2)), np.repeat([0, 1], 30)
    p_value = rank_columns(X, y)[0].p_value
    assert fit(X, y, alpha=p_value * 1.001).tree_.n_nodes > 1
    assert fit(X, y, alpha=p_value * 0.999).tree_.n_nodes == 1


def test_equal_means_are_split_on_the_first_column():
    X = np.tile([[-1.0, 5.0], [1.0, 5.0], [-1.0, 7.0], [1.0, 7.0]], (4, 1))
    y = np.tile([0, 1, 1, 0], 4)
    assert weights_of(X, y) == [0.0, 0.0]
    model = grown(FTest(), X, y, min_samples_split=2)
    assert (root(model).column, model.tree_.n_leaves) == (0, 4)
    assert fit(X, y, alpha=0.99).tree_.n_nodes == 1


def test_a_perfect_column_beats_all_others():
    y = np.repeat([0, 1], 20)
    random = np.random.default_rng(6)
    X = np.column_stack(
        [random.normal(size=40), y + 1e-16 * np.arange(40), np.full(40, 3.0), 7 * y]
    )
    assert weights_of(X, y)[1:] == [math.inf, -math.inf, math.inf]
    model = fit(X, y)
    assert (root(model).column, model.tree_.n_leaves) == (1, 2)
    both = root(fit(X, y, features="all"))
    assert (both.columns, both.coefficients) == ((1, 3), (1.0, 1.0))


def test_a_column_that_cannot_be_cut_gives_way_to_the_next():
    y = np.repeat([0, 1], 10)
    best = np.r_[np.zeros(10), np.ones(2), np.zeros(8)]  # 2 rows on one side
    X = np.column_stack([np.arange(20) % 4, best, np.arange(20) % 3])
    order = [c.name for c in rank_columns(X, y)]
    assert order[0] == "x1"
    model = grown(FTest(threshold="mean"), X, y, min_samples_leaf=5, max_depth=1)
    assert root(model).column == int(order[1][1:])


@pytest.mark.parametrize("seed", range(40))
def test_where_means_say_nothing_the_spread_is_asked(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(80, 4))
    y = np.repeat([0, 1], 40)
    X[:, 2] *= 1.0 + random.uniform(0.0, 2.0) * y
    level = 0.01
    means = [ttest_ind(x[y == 0], x[y == 1]).pvalue for x in X.T]
    spreads = [levene(x[y == 0], x[y == 1], center="mean").pvalue for x in X.T]
    tested = root(grown(FTest(fallback=level), X, y, max_depth=1))
    plain = root(grown(FTest(), X, y, max_depth=1))
    if 4 * min(means) > level and 4 * min(spreads) <= level:
        column = int(np.argmin(spreads))
        alone = root(TreeClassifier(max_depth=1, readable=False).fit(X[:, [column]], y))
        assert (tested.column, tested.threshold) == (column, alone.threshold)
    else:
        assert tested == plain


def test_rings_are_found_with_the_spread():
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, size=(1000, 10))
    y = X[:, 0] ** 2 + X[:, 1] ** 2 < 0.6
    new = random.uniform(-1, 1, size=(1000, 10))
    ring = new[:, 0] ** 2 + new[:, 1] ** 2 < 0.6
    assert recipes.dgmml(fallback=None).fit(X, y).score(new, ring) < 0.75
    assert recipes.dgmml().fit(X, y).score(new, ring) > 0.9


def test_a_significant_spread_counts_under_a_limit_of_significance():
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, size=(500, 2))
    y = np.abs(X[:, 0]) < 0.5
    assert grown(FTest(alpha=1e-6), X, y).tree_.n_leaves == 1
    assert grown(FTest(alpha=1e-6, fallback=1e-6), X, y).tree_.n_leaves > 1


def test_columns_that_are_refused_for_their_p_value_make_a_leaf():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 40))
    y = X[:, 7] + random.normal(size=200) > 0
    settings = {
        "max_features": 1,
        "max_depth": 1,
        "min_samples_split": 10,
        "growth_rules": GrowthRules(zero_gain=True),
    }
    leaves = [
        TreeClassifier(FTest(alpha=1e-6), random_state=seed, **settings).fit(X, y).tree_.n_leaves
        for seed in range(40)
    ]
    assert leaves.count(1) > 30


def test_all_columns_are_ranked_where_those_drawn_are_constant():
    random = np.random.default_rng(0)
    X = np.zeros((100, 10))
    X[:, 4], X[:, 8] = random.normal(size=100), random.normal(size=100)
    y = X[:, 8] > 0
    model = TreeClassifier(
        FTest(), max_features=1, max_depth=1, growth_rules=GrowthRules(zero_gain=True)
    )
    chosen = [
        root(clone(model).set_params(random_state=seed).fit(X, y)).column for seed in range(100)
    ]
    assert 1 <= chosen.count(4) < 30
    assert chosen.count(8) == 100 - chosen.count(4)


def test_the_median_of_weights_is_that_of_repeated_rows():
    random = np.random.default_rng(0)
    for _ in range(20):
        x = np.round(random.uniform(size=(12, 1)), 2)
        y, twice = x[:, 0] > 0.5, np.full(12, 2.0)
        split = FTest(threshold="median")
        one = grown(split, x, y, max_depth=1, min_samples_split=2)
        assert root(grown(split, x, y, twice, max_depth=1, min_samples_split=2)) == root(one)


def test_a_class_of_little_weight_is_still_split_off():
    x = np.arange(20.0).reshape(-1, 1)
    y = x[:, 0] >= 17
    for little in (1e-7, 1e-8, 1e-9, 1e-10):
        weights = np.where(y, little, 1.0)
        assert (
            grown(FTest(threshold="median"), x, y, weights, min_samples_split=2).tree_.n_leaves > 2
        )


@pytest.mark.parametrize("rule", RULES)
def test_the_column_of_the_best_cut_can_be_cut_elsewhere(rule):
    random = np.random.default_rng(8)
    X = random.uniform(-1, 1, size=(200, 3))
    y = (np.abs(X[:, 1]) < 0.5).astype(int)
    searched = grown("axis", X, y, max_depth=1)
    model = grown(FTest(selection="impurity", threshold=rule), X, y, max_depth=1)
    assert root(model).column == root(searched).column == 1
    expected = twin.point(X[:, 1], y, np.ones(200), rule, 5)
    assert root(model).threshold == pytest.approx(expected)
    as_axis = grown(FTest(selection="impurity", threshold="impurity"), X, y)
    assert as_axis.tree_ == grown("axis", X, y).tree_


def test_auto_is_mean_for_two_classes_and_the_best_cut_for_more():
    X, y = load_iris(return_X_y=True)
    assert fit(X, y).tree_ == fit(X, y, threshold="impurity").tree_
    assert fit(X[50:], y[50:]).tree_ == fit(X[50:], y[50:], threshold="mean").tree_
    assert fit(X, y, variant="paper").tree_ == fit(X, y, threshold="closest").tree_


@pytest.mark.parametrize("rule", [*RULES, "impurity", "auto"])
@pytest.mark.parametrize("features", [1, 2, "all"])
def test_trees_for_numbers_explain_them(rule, features):
    random = np.random.default_rng(9)
    X = random.normal(size=(400, 3))
    y = X @ [2.0, -2.0, 0.0] + 0.1 * random.normal(size=400)
    model = grown(FTest(features, threshold=rule), X, y, classes=False)
    assert model.score(X, y) > 0.8
    if features == 2:
        assert isinstance(root(model), Linear)
        a, b = root(model).coefficients
        slopes = [np.polyfit(X[:, j], y, 1)[0] for j in (0, 1)]
        assert a / b == pytest.approx(slopes[0] / slopes[1])


# ---------------------------------------------------------------- hostile tables


@pytest.mark.parametrize(
    "split", [*(FTest(threshold=rule) for rule in RULES), FTest(2), FTest("all")], ids=repr
)
@pytest.mark.parametrize("classes", [True, False])
def test_hostile_tables_are_survived(split, classes):
    random = np.random.default_rng(10)
    y = random.integers(0, 2, 60).astype(int if classes else float)
    gaps = np.where(random.random((60, 3)) < 0.9, np.nan, random.normal(size=(60, 3)))
    gaps[0] = 0.0
    tables = {
        "constant": np.ones((60, 2)),
        "duplicates": np.repeat(random.normal(size=(60, 1)), 3, axis=1),
        "gaps": gaps,
        "one known row": np.where(np.arange(60)[:, None] == 0, 1.0, np.full((60, 2), np.nan)),
        "ties": random.integers(0, 2, size=(60, 3)).astype(float),
        "large": random.normal(size=(60, 2)) * 1e150,
        "small": random.normal(size=(60, 2)) * 1e-150,
        "far": random.normal(size=(60, 2)) + 1e9,
    }
    for name, X in tables.items():
        for missing in ("default", "fraction", "surrogate", "stop"):
            model = grown(split, X, y, classes=classes, missing=missing, min_samples_split=2)
            model.tree_.validate()
            assert np.isfinite(model.predict(X)).all(), name
            assert (model.tree_.n_leaves == 1) == (name in ("constant", "one known row")), name
    assert grown(split, tables["ties"], np.zeros(60) + 3, classes=classes).tree_.n_nodes == 1


@pytest.mark.parametrize("scale", [1e-150, 1e150])
@pytest.mark.parametrize("features", [1, 2])
def test_very_large_and_small_columns_are_ranked_alike(scale, features):
    random = np.random.default_rng(11)
    X, y = random.normal(size=(100, 3)), np.repeat([0, 1], 50)
    X[:, 1] += y
    one, other = (grown(FTest(features), table, y) for table in (X, X * scale))
    np.testing.assert_array_equal(one.apply(X), other.apply(X * scale))


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"features": 0}, "'features' parameter of FTest must be an int >= 1 and .* or 'all'"),
        ({"threshold": "best"}, "'threshold' parameter of FTest .* Got 'best'"),
        ({"closest_k": 0}, "'closest_k' parameter of FTest must be an int >= 1"),
        ({"alpha": 0.0}, "'alpha' parameter of FTest must be a finite number > 0"),
        ({"fallback": 2.0}, "'fallback' parameter of FTest must be None or a finite number"),
        ({"features": 2, "variant": "paper"}, "adds up all columns, so 'features' must be 1 or"),
        ({"features": 2, "selection": "impurity"}, "chooses one column, so 'features' must be 1"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        fit(V1, V1_CLASSES, **parameters)
