"""Every parameter of the estimators does what it says; none is accepted and ignored."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from treewright import TreeClassifier, TreeRegressor, load, split_method
from treewright.base import workers
from treewright.estimators import Constraints, Costs, EarlyStopping, GrowthRules, Priors, Surrogates
from treewright.exceptions import DataError
from treewright.measures import CLASS_MEASURES, NUMBER_MEASURES
from treewright.prune import CostComplexity, Honest, held_out
from treewright.tree.node import MISSING_POLICIES

IRIS = load_iris()


def noisy(n_rows=300, n_columns=4, n_classes=3, seed=0):
    """Classes that depend on two columns, with noise; and the number behind them."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns)).round(2)
    number = X[:, 0] + np.sin(2 * X[:, 1]) + random.normal(scale=0.5, size=n_rows)
    edges = np.quantile(number, np.linspace(0, 1, n_classes + 1)[1:-1])
    return X, np.digitize(number, edges), number


X, LABELS, NUMBERS = noisy()
BOTH = [(TreeClassifier, LABELS), (TreeRegressor, NUMBERS)]


def leaf_rows(model):
    return model.tree_.core.rows[model.tree_.core.n_branches == 0]


def inner_rows(model):
    return model.tree_.core.rows[model.tree_.core.n_branches > 0]


def structure(model):
    """Shape, tests and counts, without the numbers that scale with weights."""
    core = model.tree_.core
    tests = [core.test(node) for node in range(core.n_nodes)]
    return tests, core.first_child.tolist(), core.rows.tolist()


# ---------------------------------------------------------------- stopping


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_stopping_rules(kind, y):
    full = kind().fit(X, y)
    assert full.get_depth() > 5
    assert kind(max_depth=3).fit(X, y).get_depth() == 3
    assert leaf_rows(kind(min_samples_leaf=7).fit(X, y)).min() >= 7
    assert leaf_rows(kind(min_samples_leaf=0.05).fit(X, y)).min() >= 15
    assert inner_rows(kind(min_samples_split=40).fit(X, y)).min() >= 40
    assert inner_rows(kind(min_samples_split=0.1).fit(X, y)).min() >= 30
    assert kind(min_samples_leaf=7).fit(X, y).tree_.n_nodes < full.tree_.n_nodes


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_min_weight_fraction_leaf_holds_for_both_branches(kind, y):
    weights = np.linspace(0.1, 3.0, len(y))
    model = kind(min_weight_fraction_leaf=0.1).fit(X, y, sample_weight=weights)
    reached = np.bincount(model.apply(X), weights)
    assert model.tree_.n_leaves > 2
    assert reached[reached > 0].min() >= 0.1 * weights.sum()


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_min_gain_is_a_share_of_all_rows(kind, y):
    model = kind(min_impurity_decrease=0.01).fit(X, y)
    core = model.tree_.core
    assert 1 < core.n_nodes < kind().fit(X, y).tree_.n_nodes
    gains = core.gain[core.n_branches > 0] / len(X)
    assert gains.min() > 0.01
    assert kind(min_impurity_decrease=float(gains.min())).fit(X, y).tree_.n_nodes < core.n_nodes


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_min_impurity_fraction(kind, y):
    model = kind(growth_rules=GrowthRules(min_impurity_fraction=0.1)).fit(X, y)
    core = model.tree_.core
    shares = core.statistics / core.statistics.sum(axis=1, keepdims=True)
    is_classifier = kind is TreeClassifier
    impurity = len(X) * (core.rows / len(X)) * (1 - (shares**2).sum(axis=1))
    impurity = impurity if is_classifier else core.statistics[:, 2]
    inner = core.n_branches > 0
    assert (impurity[inner] >= 0.1 * impurity[0] - 1e-9).all()
    assert 1 < core.n_nodes < kind().fit(X, y).tree_.n_nodes


def test_zero_gain_splits_where_nothing_is_gained_at_once():
    square = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    exclusive = [0, 1, 1, 0]
    assert TreeClassifier().fit(square, exclusive).tree_.n_nodes == 1
    deep = TreeClassifier(growth_rules=GrowthRules(zero_gain=True)).fit(square, exclusive)
    assert deep.score(square, exclusive) == 1.0
    assert (
        TreeRegressor(growth_rules=GrowthRules(zero_gain=True))
        .fit(square, exclusive)
        .score(square, exclusive)
        == 1.0
    )


@pytest.mark.parametrize(("kind", "y"), BOTH)
@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_best_first_without_a_limit_is_depth_first(kind, y, missing):
    holes = X.copy()
    holes[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    one = kind(missing=missing).fit(holes, y)
    other = kind(missing=missing, max_leaf_nodes=10_000).fit(holes, y)
    assert one.tree_ == other.tree_


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_max_leaves_takes_the_largest_gains_first(kind, y):
    previous = None
    for leaves in range(2, 12):
        model = kind(max_leaf_nodes=leaves).fit(X, y)
        assert model.get_n_leaves() == leaves
        gains = sorted(model.tree_.core.gain[model.tree_.core.n_branches > 0])
        if previous is not None:  # one more split, the others stay
            rest = list(gains)
            for gain in previous:
                rest.remove(gain)
            assert len(rest) == 1
        previous = gains


def test_max_leaves_counts_the_branches_of_a_multiway_test():
    table = {"level": list("abcdef") * 10, "x": np.arange(60.0)}
    y = [ord(level) % 3 for level in table["level"]]
    for leaves in range(2, 9):
        model = TreeClassifier(categorical="multiway", max_leaf_nodes=leaves).fit(table, y)
        assert model.get_n_leaves() <= leaves


def test_collapse_removes_what_mends_no_error():
    table = [[0.0], [1.0], [2.0], [3.0]]
    y = ["a", "a", "a", "b"]
    w = [5.0, 4.0, 5.0, 1.0]
    grown = TreeClassifier().fit(table, y)
    assert grown.tree_.n_leaves == 2
    assert TreeClassifier(growth_rules=GrowthRules(collapse=True)).fit(table, y).tree_.n_leaves == 2
    rows = [[0.0]] * 10 + [[1.0]] * 10
    lopsided = ["a"] * 10 + ["a"] * 6 + ["b"] * 4
    assert TreeClassifier().fit(rows, lopsided).tree_.n_leaves == 2
    assert (
        TreeClassifier(growth_rules=GrowthRules(collapse=True)).fit(rows, lopsided).tree_.n_leaves
        == 1
    )
    assert (
        TreeClassifier(growth_rules=GrowthRules(collapse=True)).fit(table, y, w).score(table, y)
        == 1.0
    )


# ---------------------------------------------------------------- chance


@pytest.mark.parametrize(("kind", "y"), BOTH)
@pytest.mark.parametrize("max_features", [1, 2, 0.5, "sqrt", "log2"])
def test_max_features_draws_by_the_seed(kind, y, max_features):
    def tree(seed):
        return kind(max_features=max_features, random_state=seed, max_depth=4).fit(X, y).tree_

    assert tree(3) == tree(3)
    assert len({str(tree(seed)) for seed in range(5)}) > 1
    assert kind(max_features=4, random_state=1).fit(X, y).tree_ == kind().fit(X, y).tree_


def test_nothing_is_random_without_being_asked():
    assert (
        len({str(TreeClassifier(random_state=seed).fit(X, LABELS).tree_) for seed in range(4)}) == 1
    )


def test_max_features_looks_further_where_the_drawn_columns_hold_no_split():
    only = np.column_stack([np.zeros((50, 5)), np.arange(50)])
    y = np.arange(50) > 20
    for seed in range(5):
        model = TreeClassifier(max_features=1, random_state=seed).fit(only, y)
        assert model.tree_.n_leaves == 2


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_early_stopping_on_a_validation_part(kind, y):
    full = kind(random_state=0).fit(X, y)
    early = kind(random_state=0, growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3))).fit(
        X, y
    )
    assert 1 < early.get_n_leaves() < full.get_n_leaves() / 2
    assert early.tree_.core.rows[0] == 210
    assert (
        early.tree_
        == kind(random_state=0, growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3)))
        .fit(X, y)
        .tree_
    )
    assert (
        early.tree_
        != kind(random_state=1, growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3)))
        .fit(X, y)
        .tree_
    )
    fresh, labels, numbers = noisy(1000, seed=9)
    target = labels if kind is TreeClassifier else numbers
    assert early.score(fresh, target) > full.score(fresh, target)
    patient = kind(
        random_state=0, growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3, patience=1000))
    ).fit(X, y)
    hasty = kind(
        random_state=0, growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3, patience=1))
    ).fit(X, y)
    assert hasty.get_n_leaves() <= early.get_n_leaves() <= patient.get_n_leaves()


def test_validation_part_must_be_possible():
    with pytest.raises(DataError, match=r"A validation part of 0\.5 cannot be taken"):
        TreeClassifier(growth_rules=GrowthRules(early_stopping=EarlyStopping(0.5))).fit(
            [[1.0], [2.0], [3.0]], ["a", "a", "b"]
        )


# ---------------------------------------------------------------- missing values


def test_default_branch_is_the_better_one():
    table = {"x": [1.0, 2.0, 3.0, 10.0, 11.0, 12.0, None, None]}
    y = ["low"] * 3 + ["high"] * 3 + ["low"] * 2
    model = TreeClassifier(missing="default").fit(table, y)
    assert model.tree_.n_leaves == 2
    assert model.score(table, y) == 1.0
    assert model.predict([{"x": None}]) == ["low"]


def test_rows_without_a_value_do_not_break_min_samples_leaf():
    # The better place of the row without a value is the right branch, but then the left one has
    # a single row.
    table = {"x": [-0.5, 0.0, 1.0, None]}
    model = TreeRegressor(min_samples_leaf=2, max_depth=1).fit(table, [0.5, 1.5, 1.5, 1.25])
    assert leaf_rows(model).min() >= 2
    counts = np.bincount(model.apply(table), minlength=model.tree_.n_nodes)
    np.testing.assert_array_equal(counts[1:], leaf_rows(model))


def test_fraction_goes_down_all_branches():
    table = {"x": [1.0, 2.0, 3.0, 10.0]}
    model = TreeClassifier(missing="fraction").fit(table, ["low"] * 3 + ["high"])
    np.testing.assert_allclose(model.predict_proba([{"x": None}]), [[0.25, 0.75]])
    assert model.predict([{"x": None}]) == ["low"]
    number = TreeRegressor(missing="fraction").fit(table, [1.0, 1.0, 1.0, 5.0])
    assert number.predict([{"x": None}]) == [2.0]


def test_surrogates_follow_the_column_that_agrees():
    random = np.random.default_rng(0)
    x = random.normal(size=200)
    table = np.column_stack([x, -x + random.normal(scale=0.4, size=200), random.normal(size=200)])
    y = x > 0
    holes = table.copy()
    holes[:20, 0] = np.nan
    model = TreeClassifier(missing="surrogate", max_depth=1).fit(holes, y)
    assert model.score(holes, y) > 0.9
    first = model.tree_.node(0).surrogates[0]
    assert first.predicate.columns == (1,)
    assert first.swapped
    assert len(TreeClassifier(missing=Surrogates(1)).fit(holes, y).tree_.node(0).surrogates) == 1
    assert TreeClassifier(missing=Surrogates(0)).fit(holes, y).tree_.node(0).surrogates == ()


# ---------------------------------------------------------------- costs, priors, weights


def test_costs_decide_what_a_leaf_says():
    # classic example: shares .5 .3 .2, expected costs 0.9, 0.7, 2.6
    y = ["a"] * 5 + ["b"] * 3 + ["c"] * 2
    cost = [[0, 1, 4], [1, 0, 2], [3, 1, 0]]
    by_name = {
        "a": {"b": 1, "c": 4},
        "b": {"a": 1, "c": 2},
        "c": {"a": 3, "b": 1},
    }
    table = [[0.0]] * 10
    assert TreeClassifier().fit(table, y).predict([[0.0]]) == ["a"]
    assert TreeClassifier(cost_matrix=cost).fit(table, y).predict([[0.0]]) == ["b"]
    assert TreeClassifier(cost_matrix=np.array(cost)).fit(table, y).predict([[0.0]]) == ["b"]
    assert TreeClassifier(cost_matrix=by_name).fit(table, y).predict([[0.0]]) == ["b"]


def test_costs_of_a_divided_row():
    table = {"x": [1.0, 2.0, 3.0, 10.0]}
    y = ["low"] * 3 + ["high"]
    cost = {"high": {"low": 10.0}, "low": {"high": 1.0}}
    model = TreeClassifier(missing="fraction", cost_matrix=cost).fit(table, y)
    assert model.predict([{"x": None}]) == ["high"]
    assert model.predict([{"x": 1.0}]) == ["low"]


def test_ways_of_costs_into_the_split():
    X3, y3, _ = noisy(400, seed=3)
    cost = np.array([[0, 1, 9], [1, 0, 1], [1, 1, 0]], dtype=float)

    def grow(**more):
        return TreeClassifier(max_depth=2, **more).fit(X3, y3)

    plain = grow()
    none = grow(cost_matrix=Costs(cost, in_split="none"))
    assert structure(none) == structure(plain)
    altered = grow(cost_matrix=cost)
    assert structure(altered) != structure(plain)
    # Altered priors are the same as weighting each class by what its mistakes cost.
    weighted = grow(class_weight=dict(enumerate(cost.sum(axis=1))))
    assert structure(weighted) == structure(altered)
    inside = grow(cost_matrix=Costs(cost, in_split="gini"))
    assert structure(inside) != structure(plain)
    # Only the symmetric part counts inside the Gini index.
    assert structure(inside) == structure(grow(cost_matrix=Costs(cost.T, in_split="gini")))
    # Equal costs change nothing.
    assert structure(grow(cost_matrix=1.0 - np.eye(3))) == structure(plain)


def test_class_weights_and_priors():
    y = np.array([0] * 90 + [1] * 10)
    table = np.zeros((100, 1))
    model = TreeClassifier(class_weight={1: 27.0}).fit(table, y)
    np.testing.assert_allclose(model.predict_proba(table[:1]), [[0.25, 0.75]])
    balanced = TreeClassifier(class_weight="balanced").fit(table, y)
    np.testing.assert_allclose(balanced.predict_proba(table[:1]), [[0.5, 0.5]])
    for priors in ([0.2, 0.8], {0: 0.2, 1: 0.8}, {1: 8, 0: 2}):
        model = TreeClassifier(class_weight=Priors(priors)).fit(table, y)
        np.testing.assert_allclose(model.predict_proba(table[:1]), [[0.2, 0.8]])
        assert model.predict(table[:1]) == [1]
        assert model.tree_.core.rows[0] == 100


def test_balanced_is_equal_priors():
    one = TreeClassifier(class_weight="balanced").fit(X, LABELS)
    other = TreeClassifier(class_weight=Priors([1, 1, 1])).fit(X, LABELS)
    assert structure(one) == structure(other)


def test_a_class_may_be_weighted_away():
    model = TreeClassifier(class_weight={2: 0.0}).fit(X, LABELS)
    assert list(model.classes_) == [0, 1, 2]
    assert model.tree_.core.rows[0] == (LABELS != 2).sum()
    assert set(model.predict(X)) == {0, 1}
    absent = TreeClassifier(class_weight=Priors([0.5, 0.5, 0.0])).fit(X, LABELS)
    assert set(absent.predict(X)) == {0, 1}


@pytest.mark.parametrize("missing", MISSING_POLICIES)
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_rows_of_weight_0_are_as_if_absent(kind, missing):
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "level": random.choice(list("abc"), 300)})
    frame.loc[random.random(300) < 0.2, "x"] = np.nan
    target = pd.Series(
        np.array(["u", "v", "w"])[LABELS] if kind is TreeClassifier else NUMBERS, name="t"
    )
    weights = random.integers(0, 3, 300).astype(float)
    extra = frame.iloc[:5].assign(level="only here")
    label = "only here" if kind is TreeClassifier else 1e9
    more = pd.concat([extra, frame], ignore_index=True)
    more_target = pd.concat([pd.Series([label] * 5), target], ignore_index=True).rename("t")
    kept = weights > 0
    parameters = {"missing": missing, "min_samples_leaf": 0.02}
    one = kind(**parameters).fit(frame[kept], target[kept], weights[kept])
    other = kind(**parameters).fit(more, more_target, np.concatenate([np.zeros(5), weights]))
    assert one.tree_ == other.tree_
    assert one.schema_ == other.schema_


@pytest.mark.parametrize("measure", [*CLASS_MEASURES, *NUMBER_MEASURES])
def test_whole_weights_are_repeated_rows(measure):
    random = np.random.default_rng(5)
    weights = random.integers(1, 4, 300)
    kind = TreeRegressor if measure in NUMBER_MEASURES else TreeClassifier
    y = NUMBERS.round(1) if kind is TreeRegressor else LABELS
    parameters = {"criterion": measure, "max_depth": 3}
    one = kind(**parameters).fit(X, y, weights)
    other = kind(**parameters).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    for node in range(one.tree_.n_nodes):
        assert one.tree_.core.test(node) == other.tree_.core.test(node)
    np.testing.assert_allclose(one.tree_.core.statistics, other.tree_.core.statistics, atol=1e-9)
    np.testing.assert_allclose(one.tree_.core.gain, other.tree_.core.gain, rtol=1e-7)
    np.testing.assert_allclose(one.predict(X), other.predict(X))


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_scaled_weights_give_the_same_tree(kind, y):
    weights = np.random.default_rng(6).integers(1, 9, 300) / 4
    one = kind().fit(X, y, weights)
    for scale in (2.0**-20, 8.0, 2.0**30):
        other = kind().fit(X, y, weights * scale)
        assert structure(other) == structure(one)
        np.testing.assert_array_equal(other.tree_.core.gain, one.tree_.core.gain * scale)
        np.testing.assert_array_equal(other.predict(X), one.predict(X))
    for scale in (0.1, 3.0, 1e5):
        other = kind(max_depth=3).fit(X, y, weights * scale)
        assert structure(other) == structure(kind(max_depth=3).fit(X, y, weights))


def test_the_spread_of_weighted_numbers_is_never_negative(tmp_path):
    random = np.random.default_rng(0)
    y, weights = random.normal(size=300).round(3), random.integers(1, 10, 300).astype(float)
    model = TreeRegressor().fit(X, y, weights)
    assert (model.tree_.core.statistics[:, 2] >= 0).all()
    model.tree_.validate()
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == model.tree_


def test_one_weight_for_all_rows():
    assert structure(TreeClassifier().fit(X, LABELS, 2.0)) == structure(
        TreeClassifier().fit(X, LABELS)
    )


# ---------------------------------------------------------------- answers


def test_smoothing():
    table = np.array([[0.0]] * 4 + [[1.0]] * 6)
    y = ["a"] * 3 + ["b"] + ["a"] * 4 + ["b"] * 2
    raw = TreeClassifier(growth_rules=GrowthRules(zero_gain=True)).fit(table, y)
    laplace = TreeClassifier(growth_rules=GrowthRules(zero_gain=True), smoothing="laplace").fit(
        table, y
    )
    drawn = TreeClassifier(growth_rules=GrowthRules(zero_gain=True), smoothing=2.0).fit(table, y)
    firmly = TreeClassifier(growth_rules=GrowthRules(zero_gain=True), smoothing=1e9).fit(table, y)
    np.testing.assert_allclose(raw.predict_proba([[0.0]]), [[0.75, 0.25]])
    np.testing.assert_allclose(laplace.predict_proba([[0.0]]), [[4 / 6, 2 / 6]])
    # (W_c + m pi_c) / (W + m) with pi = .7, .3
    np.testing.assert_allclose(drawn.predict_proba([[0.0]]), [[4.4 / 6, 1.6 / 6]])
    np.testing.assert_allclose(firmly.predict_proba([[0.0]]), [[0.7, 0.3]])
    for model in (laplace, drawn, firmly):
        np.testing.assert_array_equal(model.predict(table), raw.predict(table))


def test_smoothing_of_a_divided_row():
    table = {"x": [1.0, 2.0, 3.0, 10.0]}
    model = TreeClassifier(missing="fraction", smoothing="laplace").fit(
        table, ["low"] * 3 + ["high"]
    )
    # leaves: low (1/5, 4/5), high (2/3, 1/3)
    expected = 0.75 * 0.2 + 0.25 * 2 / 3
    np.testing.assert_allclose(model.predict_proba([{"x": None}]), [[expected, 1 - expected]])


def test_smoothing_never_changes_the_class():
    plain = TreeClassifier(min_samples_leaf=5).fit(X, LABELS).predict(X)
    for smoothing in ("laplace", 2.0):
        model = TreeClassifier(min_samples_leaf=5, smoothing=smoothing).fit(X, LABELS)
        np.testing.assert_array_equal(model.predict(X), plain)
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize("measure", CLASS_MEASURES)
@pytest.mark.parametrize("gain", ["plain", "ratio", "balanced"])
def test_measures_and_gains_of_classes(measure, gain):
    model = TreeClassifier(criterion=measure, gain=gain, max_depth=4).fit(IRIS.data, IRIS.target)
    assert model.score(IRIS.data, IRIS.target) > 0.9


def test_measures_and_gains_matter():
    trees = {
        str(TreeClassifier(criterion=m, max_depth=4).fit(X, LABELS).tree_) for m in CLASS_MEASURES
    }
    assert len(trees) >= 4
    table = {"level": [f"{i:02}" for i in range(40)], "x": np.arange(40) // 2}
    y = np.arange(40) > 21
    columns = {
        gain: TreeClassifier(categorical="multiway", gain=gain, criterion="entropy")
        .fit({"level": table["level"] * 2, "x": np.tile(table["x"], 2)}, np.tile(y, 2))
        .tree_.node(0)
        .predicate.columns
        for gain in ("plain", "ratio", "balanced")
    }
    assert columns == {"plain": (0,), "ratio": (1,), "balanced": (1,)}


def test_absolute_error_predicts_medians():
    table = [[0.0]] * 5
    model = TreeRegressor(criterion="absolute_error").fit(table, [1.0, 2.0, 3.0, 4.0, 1000.0])
    assert model.predict([[0.0]]) == [3.0]


def test_categorical_chooses_the_kind_of_test():
    table = {"level": list("abc") * 10}
    y = [0, 1, 2] * 10
    kinds = {
        way: type(TreeClassifier(categorical=way).fit(table, y).tree_.node(0).predicate).__name__
        for way in ("subset", "multiway")
    }
    assert kinds == {"subset": "Subset", "multiway": "Multiway"}


# ---------------------------------------------------------------- readable numbers


@split_method
def slanted(X, y, w, rng):
    """Return a direction with long coefficients."""
    return np.array([1.0, -1 / 3, np.pi / 7, 0.123456789])[: X.shape[1]]


@pytest.mark.parametrize(("kind", "y"), BOTH)
@pytest.mark.parametrize("split", ["axis", slanted])
def test_readable_numbers_divide_the_training_rows_alike(kind, y, split):
    exact = kind(split=split, readable=False, max_depth=5).fit(X, y)
    short = kind(split=split, readable=True, max_depth=5).fit(X, y)
    np.testing.assert_array_equal(
        exact.decision_path(X).toarray().sum(axis=1), short.decision_path(X).toarray().sum(axis=1)
    )
    if split == "axis":
        np.testing.assert_array_equal(exact.apply(X), short.apply(X))
    np.testing.assert_array_equal(exact.predict(X), short.predict(X))
    assert digits(short) < digits(exact)


def digits(model):
    return sum(
        len(re.sub(r"e.*|[-.]", "", repr(number)).lstrip("0"))
        for node in range(model.tree_.n_nodes)
        for number in (model.tree_.core.test(node) or (0, [], []))[2]
    )


def test_thresholds_are_the_shortest_and_whole_where_they_can_be():
    table = {"age": [21, 34, 35, 47, 52, 68]}
    node = TreeClassifier().fit(table, [0, 0, 1, 1, 1, 1]).tree_.node(0)
    assert node.predicate.threshold == 34.0
    node = TreeClassifier().fit(table, [0, 0, 0, 1, 1, 1]).tree_.node(0)
    assert node.predicate.threshold == 40.0
    exact = TreeClassifier(readable=False).fit(table, [0, 0, 0, 1, 1, 1]).tree_.node(0)
    assert exact.predicate.threshold == 41.0


# ---------------------------------------------------------------- wrong values

WRONG = {
    "split": ["oblique", 3, None],
    "criterion": ["ginni", None, "cost_gini"],
    "gain": ["best", None],
    "prune": ["weakest_link", False, CostComplexity],
    "max_depth": [0, -1, 2.5, True, "3"],
    "max_leaf_nodes": [1, 2.0],
    "min_samples_split": [1, 0.0, 1.0, None, True],
    "min_samples_leaf": [0, 1.5, float("nan")],
    "min_weight_fraction_leaf": [-1e-9, 0.6, "0"],
    "min_impurity_decrease": [-1e-9, float("nan"), float("inf"), "0", 10**400],
    "max_features": [0, 0.0, 1.5, "all", True],
    "missing": ["drop", None, Surrogates],
    "cost_matrix": [[[0, 1]], "a", [[0, -1, 1], [1, 0, 1], [1, 1, 0]], {7: {}}, np.eye(3), 5],
    "class_weight": [
        *("even", 3, {0: -1.0}, {0: "a"}, {9: 1.0}, [1, 1, 1]),
        *(Priors([1, 2]), Priors([0, 0, 0]), Priors({0: 1.0}), Priors({9: 1.0}), Priors("abc")),
        Priors([1, 1, float("nan")]),
    ],
    "abstain_cost": [0, -0.5, float("nan"), "0.2", True],
    "monotonic_cst": ["up", 1, {"x": 2}, {0: 1}, [1, 0.5], [[1]], [1], {"no": 1}],
    "constraints": [
        *(True, {"max_columns": 2}, EarlyStopping()),
        *(Constraints(first_columns=["no"]), Constraints(interactions=[[9]])),
        *(Constraints(column_costs=[1.0]), Constraints(forbidden_pairs=[(0, 9)])),
    ],
    "readable": [1, None, "yes"],
    "n_jobs": [0, 1.5, "all"],
    "random_state": [-1, 0.5, "a", 2**32, np.random.default_rng(0)],
    "categorical": ["onehot", None],
    "smoothing": ["add-one", "m", 0, -1.0, True],
    "growth_rules": [True, {"zero_gain": True}, EarlyStopping()],
    "time_limit": [0, -1, float("inf")],
    "progress": [3],
}


def test_every_parameter_has_wrong_values():
    assert set(WRONG) == set(TreeClassifier().get_params())
    assert len(WRONG) <= 26
    assert set(TreeRegressor().get_params()) < set(WRONG)


@pytest.mark.parametrize(
    ("kind", "y", "name", "value"),
    [
        pytest.param(kind, y, name, value, id=f"{kind.__name__}-{name}-{index}")
        for kind, y in BOTH
        for name in kind().get_params()
        for index, value in enumerate(WRONG[name])
    ],
)
def test_wrong_values_are_refused_in_one_sentence(kind, y, name, value):
    model = kind(**{name: value})  # the constructor only stores
    with pytest.raises(
        ValueError, match=f"^The '{name}' parameter .*must|^The '{name}' parameter names"
    ) as caught:
        model.fit(X, y)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400


WRONG_INSIDE = [
    ("missing", Surrogates(-1), "max_surrogates"),
    ("missing", Surrogates(0.5), "max_surrogates"),
    ("missing", Surrogates(stop=1), "stop"),
    ("growth_rules", GrowthRules(zero_gain=0), "zero_gain"),
    ("growth_rules", GrowthRules(min_impurity_fraction=1.1), "min_impurity_fraction"),
    ("growth_rules", GrowthRules(collapse=None), "collapse"),
    ("growth_rules", GrowthRules(early_stopping=0.3), "early_stopping"),
    ("growth_rules", GrowthRules(early_stopping=EarlyStopping(1.0)), "fraction"),
    ("growth_rules", GrowthRules(early_stopping=EarlyStopping(patience=0)), "patience"),
    ("prune", Honest(5), "fraction"),
    ("prune", Honest(0.5, Honest()), "pruner"),
    ("cost_matrix", Costs(1 - np.eye(3), in_split="both"), "in_split"),
    ("constraints", Constraints(column_costs="free"), "column_costs"),
    ("constraints", Constraints(column_costs={"a": -1.0}), "column_costs"),
    ("constraints", Constraints(column_costs=[[1.0]]), "column_costs"),
    ("constraints", Constraints(max_columns=0), "max_columns"),
    ("constraints", Constraints(interactions=["ab"]), "interactions"),
    ("constraints", Constraints(interactions=[[-1]]), "interactions"),
    ("constraints", Constraints(forbidden_pairs=[(0, 0)]), "forbidden_pairs"),
    ("constraints", Constraints(forbidden_pairs=[(0, 1, 2)]), "forbidden_pairs"),
    ("constraints", Constraints(first_columns=[]), "first_columns"),
    ("constraints", Constraints(first_columns="age"), "first_columns"),
    ("constraints", Constraints(max_terms=1.5), "max_terms"),
    ("constraints", Constraints(whole_coefficients=True), "whole_coefficients"),
]


@pytest.mark.parametrize(("name", "value", "inner"), WRONG_INSIDE)
def test_wrong_values_inside_of_a_parameter_are_refused(name, value, inner):
    with pytest.raises(ValueError, match=f"^The '{inner}' parameter of .* must be"):
        TreeClassifier(**{name: value}).fit(X, LABELS)


def test_values_of_parameters_are_cloned_compared_and_reached_by_grid_search():
    model = TreeClassifier(
        missing=Surrogates(2), growth_rules=GrowthRules(early_stopping=EarlyStopping(0.2))
    )
    other = clone(model)
    assert other.missing == model.missing
    assert other.missing is not model.missing
    other.set_params(missing__max_surrogates=0, growth_rules__early_stopping__patience=3)
    assert other.missing != model.missing == Surrogates(2)
    assert other.growth_rules.early_stopping == EarlyStopping(0.2, patience=3)
    assert repr(Costs([[0, 1], [2, 0]])) == "Costs(matrix=[[0, 1], [2, 0]])"
    search = GridSearchCV(model, {"missing__max_surrogates": [0, 1]}, cv=2).fit(X, LABELS)
    assert "missing__max_surrogates" in search.best_params_


def test_surrogates_as_a_word_and_as_a_value_are_the_same():
    holes = np.where(np.random.default_rng(3).random(X.shape) < 0.3, np.nan, X)
    for word, value in (
        ("surrogate", Surrogates()),
        ("surrogate_or_stop", Surrogates(stop=True)),
    ):
        one = TreeClassifier(missing=word, max_depth=4).fit(holes, LABELS)
        assert one.tree_ == TreeClassifier(missing=value, max_depth=4).fit(holes, LABELS).tree_


def test_n_jobs_of_a_tree_is_for_the_folds_of_its_pruner(monkeypatch):
    asked = []
    monkeypatch.setattr(
        held_out, "Workers", lambda n_jobs: asked.append(n_jobs) or workers.Workers(n_jobs)
    )
    model = TreeClassifier(prune=CostComplexity(folds=3), n_jobs=2).fit(X, LABELS)
    alone = TreeClassifier(prune=CostComplexity(folds=3, n_jobs=1), n_jobs=2).fit(X, LABELS)
    honest = TreeClassifier(prune=Honest(0.3, CostComplexity(folds=3)), n_jobs=2).fit(X, LABELS)
    assert asked == [2, 1, 2]
    assert model.tree_ == alone.tree_ != honest.tree_


def test_parameters_of_the_contract_keep_their_names_and_defaults():
    expected = {
        "split": "axis",
        "criterion": "gini",
        "gain": "plain",
        "prune": None,
        "max_depth": None,
        "max_leaf_nodes": None,
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "min_impurity_decrease": 0.0,
        "max_features": None,
        "missing": "default",
        "cost_matrix": None,
        "class_weight": None,
        "readable": True,
        "n_jobs": None,
        "random_state": None,
    }
    found = inspect.signature(TreeClassifier).parameters
    assert {name: found[name].default for name in expected} == expected
    documented = re.findall(r"^(\w+) : ", inspect.getdoc(TreeClassifier), re.MULTILINE)
    assert set(found) <= set(documented)


def test_sample_weights_are_checked():
    cases = {
        "must be numbers": ["a"] * 300,
        "1 of 300 are not, the first is -1.0 in row 7": np.where(np.arange(300) == 7, -1.0, 1.0),
        "the first is nan in row 0": [np.nan] * 300,
        "weight of every row is zero": np.zeros(300),
        r"number from 1e-100 to 1e\+100. Got inf": np.full(300, 1e308),
        "Got 3e-198": np.full(300, 1e-200),
        "expected \\(300,\\)": np.ones(3),
        "1D array": np.ones((300, 1)),
    }
    for words, weights in cases.items():
        for kind, y in BOTH:
            with pytest.raises(DataError, match=words):
                kind().fit(X, y, weights)


def test_a_column_with_more_levels_than_branches_is_refused_by_name():
    names = [f"customer {i}" for i in range(65_535)]
    with pytest.raises(DataError, match="Column 'name' has 65535 levels"):
        TreeClassifier(categorical="multiway").fit({"name": names}, [0, 1] * 32_767 + [0])
