"""Forests: which trees grow, on any number of threads, and how they vote."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import cross_val_score

from treewright import (
    MUST,
    ForestClassifier,
    ForestRegressor,
    Logistic,
    TreeClassifier,
    TreeRegressor,
    recipes,
    split_method,
)
from treewright.estimators import Costs, GrowthRules, Priors
from treewright.estimators.forest.bags import Bags
from treewright.exceptions import SchemaError
from treewright.tree.node import MISSING_POLICIES

IRIS = load_iris()
NOISE = np.random.default_rng(0)
LARGE = NOISE.normal(size=(20_000, 8)), NOISE.integers(0, 5, 20_000)
FORESTS = [ForestClassifier, ForestRegressor]


@split_method
def random_column(X, y, w, rng):
    """Cut a random column."""
    return np.eye(X.shape[1])[rng.integers(X.shape[1])]


def loans(n_rows: int = 200, seed: int = 0) -> tuple[dict, list]:
    """Text, truth values, numbers and gaps, and two classes that depend on them."""
    random = np.random.default_rng(seed)
    income = random.integers(15, 90, n_rows).astype(float)
    home = np.array(["own", "rent", "parents"])[random.integers(0, 3, n_rows)]
    student = random.random(n_rows) < 0.3
    paid = np.where((income > 40) & (home != "rent") | student, "yes", "no")
    income[random.random(n_rows) < 0.1] = np.nan
    table = {"income": income.tolist(), "home": home.tolist(), "student": student.tolist()}
    return table, paid.tolist()


# ---------------------------------------------------------------- the trees of a forest


@pytest.mark.parametrize(
    "split", ["axis", MUST(2), Logistic(None), random_column], ids=lambda split: str(split)[:8]
)
def test_threads_do_not_change_the_forest(split):
    one = ForestClassifier(12, split, oob_score=True, permutation_repeats=1, random_state=3)
    one.set_params(max_samples=0.5)
    two = clone(one).set_params(n_jobs=2)
    one.fit(IRIS.data, IRIS.target)
    two.fit(IRIS.data, IRIS.target)
    assert one.trees_ == two.trees_
    assert len(set(map(str, one.trees_))) > 1
    for name in ("oob_decision_function_", "permutation_importances_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_threads_do_not_change_answers():
    X, y = LARGE
    model = ForestRegressor(n_estimators=5, max_depth=6, random_state=0).fit(X, y)
    alone = model.predict(X)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).predict(X), alone)
    with parallel_config(backend="loky", n_jobs=2):  # the table stays in this process all the same
        np.testing.assert_array_equal(model.set_params(n_jobs=None).predict(X), alone)


@pytest.mark.parametrize("forest", FORESTS)
def test_trees_can_be_added(forest):
    settings = {"max_samples": 0.3, "random_state": 2}
    whole = forest(n_estimators=9, oob_score=True, **settings).fit(IRIS.data, IRIS.target)
    grown = forest(n_estimators=3, warm_start=True, **settings).fit(IRIS.data, IRIS.target)
    first = grown.trees_
    grown.set_params(n_estimators=9, oob_score=True, n_jobs=2).fit(IRIS.data, IRIS.target)
    assert grown.trees_ == whole.trees_
    assert all(old is new for old, new in zip(first, grown.trees_, strict=False))
    assert grown.oob_score_ == whole.oob_score_
    assert len(grown.fit(IRIS.data, IRIS.target).trees_) == 9


def test_a_forest_without_a_seed_goes_on_as_it_began():
    grown = ForestClassifier(n_estimators=2, warm_start=True).fit(IRIS.data, IRIS.target)
    copied = pickle.loads(pickle.dumps(grown))
    for model in (grown, copied):
        model.set_params(n_estimators=5).fit(IRIS.data, IRIS.target)
    assert grown.trees_ == copied.trees_


def test_trees_are_not_added_to_another_forest():
    model = ForestClassifier(n_estimators=3, warm_start=True).fit(IRIS.data, IRIS.target)
    trees, expected = model.trees_, model.predict(IRIS.data)
    with pytest.raises(ValueError, match=r"at least the 3 trees there are .* Got 2 instead\."):
        model.set_params(n_estimators=2).fit(IRIS.data, IRIS.target)
    model.set_params(n_estimators=5)
    with pytest.raises(SchemaError, match="columns, levels and classes of the first fit only"):
        model.fit(IRIS.data[:, :3], IRIS.target)
    with pytest.raises(SchemaError):
        model.fit(IRIS.data, IRIS.target + 5)
    with pytest.raises(ValueError, match="on the 150 rows and with the 'bootstrap'"):
        model.fit(IRIS.data[::2], IRIS.target[::2])
    with pytest.raises(ValueError, match="'max_samples' of the first fit only"):
        clone(model).set_params(n_estimators=3).fit(IRIS.data, IRIS.target).set_params(
            n_estimators=4, max_samples=0.5
        ).fit(IRIS.data, IRIS.target)
    assert model.trees_ is trees  # a fit that fails leaves the forest as it was
    np.testing.assert_array_equal(model.predict(IRIS.data), expected)
    model.set_params(warm_start=False, n_estimators=2).fit(IRIS.data[:, :3], IRIS.target + 5)
    assert len(model.trees_) == 2


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"criterion": "entropy", "gain": "ratio", "categorical": "multiway", "missing": "fraction"},
        {"max_leaf_nodes": 6, "min_samples_leaf": 0.05, "missing": "surrogate", "readable": True},
        {
            "cost_matrix": [[0, 5], [1, 0]],
            "class_weight": "balanced",
            "min_impurity_decrease": 0.01,
        },
        {
            "cost_matrix": Costs([[0, 5], [1, 0]], in_split="gini"),
            "class_weight": Priors([0.2, 0.8]),
        },
        {
            "min_weight_fraction_leaf": 0.1,
            "growth_rules": GrowthRules(min_impurity_fraction=0.05, collapse=True),
        },
    ],
)
def test_without_chance_every_tree_is_that_of_the_tree_estimator(parameters):
    table, paid = loans()
    weights = np.random.default_rng(0).random(len(paid)) + 0.5
    forest = ForestClassifier(bootstrap=False, max_features=None, n_estimators=2, **parameters)
    tree = TreeClassifier(**{"readable": False, **parameters})
    forest.fit(table, paid, weights)
    tree.fit(table, paid, weights)
    assert forest.trees_ == [tree.tree_, tree.tree_]
    np.testing.assert_array_equal(forest.predict_proba(table), tree.predict_proba(table))
    np.testing.assert_array_equal(forest.predict(table), tree.predict(table))
    np.testing.assert_allclose(forest.feature_importances_, tree.feature_importances_)


@pytest.mark.parametrize("measure", ["squared_error", "absolute_error"])
def test_without_chance_a_regression_forest_is_its_tree(measure):
    X, y = load_diabetes(return_X_y=True)
    forest = ForestRegressor(bootstrap=False, n_estimators=2, criterion=measure, max_depth=5)
    tree = TreeRegressor(readable=False, criterion=measure, max_depth=5).fit(X, y)
    forest.fit(X, y)
    assert forest.trees_ == [tree.tree_, tree.tree_]
    np.testing.assert_array_equal(forest.predict(X), tree.predict(X))


@pytest.mark.parametrize("forest", FORESTS)
def test_without_bags_weights_are_repeated_rows(forest):
    random = np.random.default_rng(1)
    X, y = random.normal(size=(80, 3)).round(1), random.integers(0, 3, 80)
    counts = random.integers(0, 4, 80)
    settings = {"bootstrap": False, "max_features": None, "n_estimators": 2, "max_depth": 3}
    weighted = forest(**settings).fit(X, y, counts)
    repeated = forest(**settings).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


def test_a_tree_learns_from_its_bag_alone():
    model = ForestClassifier(n_estimators=6, max_features=None, random_state=0)
    model.fit(IRIS.data, IRIS.target)
    for number, tree in enumerate(model.trees_):
        counts = model._bags.counts(number)
        assert counts.sum() == 150
        alone = TreeClassifier(readable=False).fit(IRIS.data, IRIS.target, counts)
        assert tree.core == alone.tree_.core
        assert tree.core.rows[0] == np.count_nonzero(counts)


def test_bags_are_drawn_as_numpy_draws_them() -> None:
    random = np.random.default_rng(0)
    for seed in (0, 1, 2**31, 2**32, 2**63 - 1, *random.integers(2**62, size=50).tolist()):
        number, n_rows, n_draws = random.integers((1000, 1, 0), (10_000, 60, 90)).tolist()
        bags = Bags(seed, n_rows, n_draws)
        growth, bag = (np.random.SeedSequence(seed, spawn_key=(number, i)) for i in (0, 1))
        drawn = np.random.RandomState(np.random.PCG64(bag)).random_sample(n_draws) * n_rows
        np.testing.assert_array_equal(
            bags.counts(number), np.bincount(drawn.astype(np.intp), minlength=n_rows)
        )
        assert bags.growth_seed(number) == growth.generate_state(1, np.uint64)[0]


def test_bags_are_fair():
    bags = Bags(seed=5, n_rows=40, n_draws=40)
    counts = np.array([bags.counts(number) for number in range(2000)])
    assert counts.sum(axis=1).tolist() == [40.0] * 2000
    np.testing.assert_allclose(counts.mean(axis=0), 1.0, atol=0.1)
    np.testing.assert_allclose((counts == 0).mean(), (1 - 1 / 40) ** 40, atol=0.01)
    assert len({bags.growth_seed(number) for number in range(2000)}) == 2000
    other = Bags(seed=6, n_rows=40, n_draws=40)
    assert not np.array_equal(other.counts(0), bags.counts(0))


@pytest.mark.parametrize(
    ("asked", "n_draws"), [(None, 150), (1.0, 150), (0.5, 75), (1e-9, 1), (1, 1), (150, 150)]
)
def test_size_of_a_bag(asked, n_draws):
    model = ForestRegressor(n_estimators=2, max_samples=asked).fit(IRIS.data, IRIS.target)
    assert model._bags.counts(0).sum() == n_draws
    assert model.trees_[0].core.statistics[0, 0] == n_draws


@pytest.mark.parametrize(
    ("asked", "n_offered"), [("sqrt", 2), ("rounded_sqrt", 3), ("log2", 3), (0.5, 4), (None, 8)]
)
def test_columns_offered_at_a_node(asked, n_offered):
    seen = []

    @split_method
    def watched(node, rng):
        seen.append(len(node.columns))
        return []

    X = np.random.default_rng(0).normal(size=(50, 8))  # the root of 8 is 2.83
    ForestClassifier(1, watched, max_features=asked).fit(X, np.arange(50) % 2)
    assert max(seen) == n_offered


def test_classes_are_balanced_in_each_bag():
    y = np.repeat([0, 1], [140, 10])
    model = ForestClassifier(n_estimators=5, class_weight="balanced_subsample", random_state=0)
    model.fit(IRIS.data, y)
    roots = [tree.core.statistics[0] for tree in model.trees_]
    with_both = [root for root in roots if np.count_nonzero(root) == 2]
    assert len(with_both) >= 3
    for root in with_both:
        assert root[0] == pytest.approx(root[1])
    balanced = clone(model).set_params(class_weight="balanced").fit(IRIS.data, y)
    assert balanced.trees_ != model.trees_


def test_rows_without_weight_are_never_drawn():
    table, paid = loans()
    weights = (np.arange(len(paid)) % 3 > 0).astype(float)
    kept = np.flatnonzero(weights)
    some = {name: [column[row] for row in kept] for name, column in table.items()}
    model = ForestClassifier(n_estimators=9, random_state=0, oob_score=True, max_samples=0.3)
    with_zeros = clone(model).fit(table, paid, weights)
    model.fit(some, [paid[row] for row in kept])
    assert with_zeros.trees_ == model.trees_
    assert with_zeros.oob_decision_function_.shape == (200, 2)
    assert np.isnan(with_zeros.oob_decision_function_[weights == 0]).all()
    nothing = ForestClassifier(n_estimators=30, max_samples=1, class_weight={"no": 0.0})
    assert set(nothing.fit(table, paid).predict(table)) == {"yes"}


# ---------------------------------------------------------------- votes


def test_votes_by_hand():
    model = ForestClassifier(n_estimators=7, max_depth=2, random_state=0)
    model.fit(IRIS.data, IRIS.target_names[IRIS.target])
    shares = [tree.distribution(IRIS.data) for tree in model.trees_]
    np.testing.assert_allclose(model.predict_proba(IRIS.data), np.mean(shares, axis=0))
    best = np.argmax(np.mean(shares, axis=0), axis=1)
    np.testing.assert_array_equal(model.predict(IRIS.data), model.classes_[best])

    model.set_params(voting="hard")
    answers = np.array([tree.predict(IRIS.data) for tree in model.trees_])
    for row in range(0, 150, 7):
        votes = Counter(answers[:, row].tolist())
        expected = [votes[label] / 7 for label in model.classes_]
        np.testing.assert_allclose(model.predict_proba(IRIS.data[[row]])[0], expected)
        winner = max(model.classes_, key=lambda label: votes[label])  # of equal ones the first
        assert model.predict(IRIS.data[[row]])[0] == winner


def test_of_equal_votes_the_first_class_wins():
    for first, second in (("a", "b"), ("b", "a")):
        model = ForestClassifier(n_estimators=2, max_samples=1, voting="hard")
        for seed in range(20):
            model.set_params(random_state=seed).fit([[1.0], [2.0]], [first, second])
            if {tree.predict([[1.0]])[0] for tree in model.trees_} == {"a", "b"}:
                break
        assert model.predict_proba([[1.0]]).tolist() == [[0.5, 0.5]]
        assert model.predict([[1.0]]) == ["a"]


def test_costs_move_the_decision():
    table, paid = loans(400)
    costs = {"no": {"yes": 10.0}, "yes": {"no": 1.0}}
    plain = ForestClassifier(n_estimators=10, random_state=0, max_depth=2).fit(table, paid)
    for voting in ("soft", "hard"):
        careful = clone(plain).set_params(cost_matrix=costs, voting=voting).fit(table, paid)
        assert (careful.predict(table) == "yes").sum() < (plain.predict(table) == "yes").sum()
    soft = clone(plain).set_params(cost_matrix=costs).fit(table, paid)
    expected = soft.predict_proba(table) @ np.array([[0.0, 10.0], [1.0, 0.0]])
    np.testing.assert_array_equal(soft.predict(table), soft.classes_[expected.argmin(axis=1)])


def test_a_forest_for_numbers_answers_with_means():
    X, y = load_diabetes(return_X_y=True)
    model = ForestRegressor(n_estimators=9, random_state=0).fit(X, y)
    expected = np.mean([tree.predict(X) for tree in model.trees_], axis=0)
    np.testing.assert_allclose(model.predict(X), expected)


def test_readers_agree_with_the_trees():
    model = ForestClassifier(n_estimators=4, random_state=0, n_jobs=2)
    model.fit(IRIS.data, IRIS.target)
    leaves = model.apply(IRIS.data)
    passed, starts = model.decision_path(IRIS.data)
    assert leaves.shape == (150, 4)
    assert passed.shape == (150, starts[-1])
    for number, tree in enumerate(model.trees_):
        np.testing.assert_array_equal(leaves[:, number], tree.apply(IRIS.data))
        assert (passed[np.arange(150), starts[number] + leaves[:, number]] == 1).all()
        assert str(tree).startswith("Classification tree")
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(
            model.predict_log_proba(IRIS.data), np.log(model.predict_proba(IRIS.data))
        )
    shares = np.mean([tree.feature_importances() for tree in model.trees_], axis=0)
    np.testing.assert_allclose(model.feature_importances_, shares)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.summary().startswith("Classification forest: 4 trees\nLeaves of a tree: ")


@pytest.mark.parametrize("forest", FORESTS)
def test_a_forest_of_leaves_has_no_importances(forest):
    model = forest(n_estimators=3).fit(np.ones((10, 2)), np.arange(10) % 2)
    assert model.feature_importances_.tolist() == [0.0, 0.0]
    assert forest(n_estimators=3).fit([[1.0]], [4]).predict([[2.0]]) == [4]


# ---------------------------------------------------------------- data of all kinds


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame], ids=lambda make: str(make))
def test_frames_with_text_and_gaps(make):
    table, paid = loans(400)
    scores = cross_val_score(ForestClassifier(n_estimators=20), pd.DataFrame(table), paid, cv=4)
    assert scores.mean() > 0.85
    model = ForestClassifier(n_estimators=5, random_state=0).fit(make(table), paid)
    plain = ForestClassifier(n_estimators=5, random_state=0).fit(table, paid)
    assert model.trees_ == plain.trees_
    assert list(model.feature_names_in_) == ["income", "home", "student"]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_every_way_with_gaps(missing):
    table, paid = loans(300)
    model = ForestClassifier(n_estimators=10, missing=missing, random_state=0).fit(table, paid)
    np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0)
    assert model.score(table, paid) > 0.9
    empty = [{"income": None, "home": None, "student": None}]
    assert model.predict_proba(empty).sum() == pytest.approx(1.0)


@pytest.mark.long
def test_as_accurate_as_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(recipes.cart_forest(random_state=0), X, y, cv=5).mean()
    theirs = cross_val_score(RandomForestClassifier(random_state=0), X, y, cv=5).mean()
    assert abs(ours - theirs) < 0.01
    X, y = load_diabetes(return_X_y=True)
    ours = cross_val_score(ForestRegressor(random_state=0), X, y, cv=5).mean()
    theirs = cross_val_score(RandomForestRegressor(random_state=0), X, y, cv=5).mean()
    assert abs(ours - theirs) < 0.03
