"""P-BOT: levels of multinomial logistic regression, a branch a predicted class."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from treewright import TreeClassifier, TreeRegressor, load, predicates, recipes
from treewright.estimators import Costs, GrowthRules
from treewright.splits import PBOT

seeds = st.integers(0, 2**32 - 1)


def model(X, y, weights=None, *, levels=1, ridge=0.01, **parameters):
    parameters = {"readable": False, "growth_rules": GrowthRules(zero_gain=True), **parameters}
    return TreeClassifier(split=PBOT(ridge, levels=levels), **parameters).fit(X, y, weights)


def root(tree):
    return tree.tree_.node(0).predicate


def standard(X, w=None):
    mean = np.average(X, axis=0, weights=w)
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=w))
    return (X - mean) / scale, mean, scale


def clouds(seed, n_classes=4, n_columns=3, n_rows=120, distance=2.0):
    random = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    means = distance * random.normal(size=(n_classes, n_columns))
    return means[y] + random.normal(size=(n_rows, n_columns)), y


def twin(X, y, w, ridge):
    """The scores by a general-purpose minimiser, a row a class, then the intercept."""
    Z, mean, scale = standard(X, w)
    Z1, K = np.column_stack([Z, np.ones(len(y))]), y.max() + 1

    def objective(flat):
        b = flat.reshape(K, -1)
        eta = Z1 @ b.T
        p = np.exp(eta - logsumexp(eta, axis=1, keepdims=True))
        value = w @ (logsumexp(eta, axis=1) - eta[np.arange(len(y)), y])
        charged = b * np.append(np.ones(Z.shape[1]), 0.0)
        gradient = (w[:, None] * (p - np.eye(K)[y])).T @ Z1 + ridge * charged
        return value + ridge / 2 * (charged**2).sum(), gradient.ravel()

    start = np.zeros(K * Z1.shape[1])
    options = {"maxiter": 20_000, "gtol": 1e-9, "ftol": 1e-16, "maxfun": 50_000}
    b = scipy.optimize.minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
    found = b.x.reshape(K, -1)
    coefficients = found[:, :-1] / scale
    return np.column_stack([coefficients, found[:, -1] - coefficients @ mean])


# ---------------------------------------------------------------- the regression


@given(seed=seeds)
@effort(max_examples=10)
def test_scores_are_those_of_a_general_minimiser(seed):
    X, y = clouds(seed)
    w = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    test = root(model(X, y, w, ridge=0.5))
    assert isinstance(test, predicates.Machine)
    expected = twin(X, y, w, 0.5)
    found = np.column_stack([test.coefficients, test.intercepts])
    np.testing.assert_allclose(found, expected - expected[0], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("ridge", [0.01, 1.0])
@pytest.mark.parametrize("loader", [load_iris, load_wine])
def test_scores_are_those_of_scikit_learn(loader, ridge):
    X, y = loader(return_X_y=True)
    Z, mean, scale = standard(X)
    regression = LogisticRegression(C=1 / ridge, solver="newton-cg", tol=1e-10, max_iter=10_000)
    regression.fit(Z, y)
    coefficients = regression.coef_ / scale
    expected = np.column_stack([coefficients, regression.intercept_ - coefficients @ mean])
    test = root(model(X, y, ridge=ridge))
    found = np.column_stack([test.coefficients, test.intercepts])
    np.testing.assert_allclose(found, expected - expected[0], rtol=1e-4, atol=1e-4)


def test_two_classes_are_a_linear_test_by_logistic_regression():
    X, y = load_breast_cancer(return_X_y=True)
    Z, mean, scale = standard(X)
    regression = LogisticRegression(C=100.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    regression.fit(Z, y)
    tree = model(X, y)
    test = root(tree)
    assert isinstance(test, predicates.Linear)
    coefficients = regression.coef_[0] / scale
    found = np.array([*test.coefficients, test.threshold])
    expected = np.array([*coefficients, coefficients @ mean - regression.intercept_[0]])
    np.testing.assert_allclose(found, expected / np.abs(coefficients).max(), rtol=1e-6)
    np.testing.assert_array_equal(tree.predict(X), regression.predict(Z))


def test_four_rows_by_hand():
    # Two classes that mirror each other: the boundary is where they meet.
    test = root(model([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]))
    assert isinstance(test, predicates.Axis)
    assert test.threshold == pytest.approx(2.5)


def test_many_classes_and_columns():
    X, y = clouds(0, n_classes=20, n_columns=30, n_rows=600, distance=0.3)
    Z, _, _ = standard(X)
    regression = LogisticRegression(C=1.0, tol=1e-8, max_iter=5000).fit(Z, y)
    np.testing.assert_array_equal(model(X, y, ridge=1.0).predict(X), regression.predict(Z))


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("data", "one_level", "two_levels"),
    [("crabs", 4, 4), ("iris", 2, 1), ("pima", 113, 116), ("fgl", 58, 41)],
)
def test_training_errors_of_one_and_two_levels(data, one_level, two_levels, shared_data):
    pd = pytest.importorskip("pandas")
    names = ["pima_tr", "pima_te"] if data == "pima" else [data]
    frame = pd.concat([pd.read_csv(shared_data / f"{name}.csv") for name in names])
    X, y = frame.drop(columns="target"), frame["target"].to_numpy()
    errors = [(recipes.pbot(levels=n).fit(X, y).predict(X) != y).sum() for n in (1, 2)]
    assert errors == [one_level, two_levels]


def test_the_last_level_answers_with_the_predicted_class():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :2]
    one, two = (recipes.pbot(levels=n).fit(X, y) for n in (1, 2))
    Z, _, _ = standard(X)
    first = LogisticRegression(C=100.0, tol=1e-10, max_iter=1000).fit(Z, y).predict(Z)
    np.testing.assert_array_equal(one.predict(X), first)
    expected = first.copy()
    for label in (0, 1):
        inside = first == label
        Z, _, _ = standard(X[inside])
        second = LogisticRegression(C=100.0, tol=1e-10, max_iter=1000).fit(Z, y[inside])
        expected[inside] = second.predict(Z)
    np.testing.assert_array_equal(two.predict(X), expected)


@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_readable_tests_answer_the_same(flip):
    # A linear test is turned round when its first coefficient is negative.
    X, y = load_breast_cancer(return_X_y=True)
    X = flip * X[:, [0, 1]]
    exact, short = (recipes.pbot(readable=readable).fit(X, y) for readable in (False, True))
    np.testing.assert_array_equal(exact.predict(X), short.predict(X))


def unseen_class():
    """A third class that is predicted for no training row, but far away from them."""
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(-3, 1, (60, 2)), random.normal(3, 1, (60, 2)), [[1.0, 0.0]]])
    return X, np.array(["low"] * 60 + ["high"] * 60 + ["rare"]), np.array([[60.0, -60.0]])


def test_a_route_never_seen_in_training_predicts_its_class():
    X, y, far = unseen_class()
    for levels in (1, 2, None):
        tree = model(X, y, levels=levels, ridge=1.0, max_depth=2, min_samples_split=10)
        assert "rare" not in set(model(X, y, levels=1, ridge=1.0).predict(X))
        leaves = tree.tree_.core.rows[1:4]
        assert (leaves == 0).sum() == 1
        assert tree.predict(far) == ["rare"]


def test_costs_decide_where_there_are_rows():
    X, y = load_breast_cancer(return_X_y=True)
    cost = [[0, 50], [1, 0]]
    plain = model(X[:, :2], y, levels=1)
    costly = model(X[:, :2], y, levels=1, cost_matrix=Costs(cost, in_split="none"))
    assert root(plain) == root(costly)
    assert set(plain.predict(X[:, :2])) == {0, 1}
    assert set(costly.predict(X[:, :2])) == {0}


@pytest.mark.parametrize("missing", ["default", "fraction", "surrogate", "stop"])
@pytest.mark.parametrize("levels", [1, 2])
def test_with_gaps_no_worse_than_the_largest_class(levels, missing):
    # Most rows lack a value, and a branch of a small class may be the one that they are sent to.
    for seed in range(10):
        random = np.random.default_rng(seed)
        X = random.normal(size=(300, 5))
        y = (X[:, :3] + [2.0, 0.0, 0.0] + random.normal(size=(300, 3))).argmax(axis=1)
        X[random.random(X.shape) < 0.15] = np.nan
        tree = recipes.pbot(levels=levels, missing=missing).fit(X, y)
        assert tree.score(X, y) >= np.bincount(y).max() / 300


def test_small_branches_answer_with_their_majority():
    X, y = load_iris(return_X_y=True)
    tree = recipes.pbot(min_samples_split=60).fit(X, y)
    core = tree.tree_.core
    assert tree.tree_.depth == 1
    np.testing.assert_array_equal(core.value, core.statistics.argmax(axis=1))
    assert recipes.pbot().fit(X, y).tree_.depth == 2


# ---------------------------------------------------------------- weights, order, difficult data


@given(seed=seeds)
@effort(max_examples=20)
def test_weights_are_as_repeated_rows(seed):
    X, y = clouds(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y))
    one = root(model(X, y, weights))
    other = root(model(np.repeat(X, weights, axis=0), np.repeat(y, weights)))
    np.testing.assert_allclose(one.coefficients, other.coefficients, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(one.intercepts, other.intercepts, rtol=1e-6, atol=1e-8)


@given(seed=seeds)
@effort(max_examples=20)
def test_order_units_and_offsets_do_not_matter(seed):
    X, y = clouds(seed)
    random = np.random.default_rng(seed)
    order, scales = random.permutation(len(y)), np.array([1000.0, 0.01, 3.0])
    one, other = root(model(X, y)), root(model((X * scales + 5)[order], y[order]))
    found = np.array(other.coefficients) * scales
    np.testing.assert_allclose(one.coefficients, found, rtol=1e-6, atol=1e-8)


@given(seed=seeds)
@effort(max_examples=20)
def test_classes_that_can_be_separated_are(seed):
    X, y = clouds(seed, n_classes=3, n_columns=4, distance=30.0)
    tree = model(X, y)
    assert tree.score(X, y) == 1.0
    assert np.isfinite(root(tree).coefficients).all()


def test_constant_repeated_tiny_and_missing_data():
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    tree = model(more, y)
    assert 0 not in root(tree).columns
    assert np.abs(root(tree).coefficients).max() < 1e3
    wide = np.random.default_rng(0).normal(size=(12, 30))
    assert model(wide, np.arange(12) % 3).score(wide, np.arange(12) % 3) == 1.0
    assert model(np.ones((6, 2)), [0, 1] * 3).tree_.n_leaves == 1
    assert model([[0.0], [1.0]], ["a", "b"]).predict([[0.0], [1.0]]).tolist() == ["a", "b"]
    holes = X.copy()
    holes[::10, 1] = np.nan
    complete = np.delete(X, np.s_[::10], axis=0), np.delete(y, np.s_[::10])
    found = root(model(holes, y, missing="stop"))
    expected = root(model(*complete))
    np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-9)


def test_one_column_gives_intervals():
    random = np.random.default_rng(0)
    y = np.arange(300) % 3
    x = random.normal(3.0 * y)[:, None]
    tree = model(x, y)
    Z, _, _ = standard(x)
    regression = LogisticRegression(C=100.0, tol=1e-10, max_iter=1000).fit(Z, y)
    np.testing.assert_array_equal(tree.predict(x), regression.predict(Z))


def test_noise_that_predicts_one_class_is_a_leaf():
    random = np.random.default_rng(0)
    y = random.random(500) < 0.02
    tree = model(random.normal(size=(500, 3)), y, levels=None)
    assert (tree.tree_.n_leaves, tree.tree_.node(0).value) == (1, False)


# ---------------------------------------------------------------- use


def test_a_tree_of_regressions_is_an_ordinary_one(tmp_path):
    pytest.importorskip("pandas")
    X, y = load_wine(return_X_y=True, as_frame=True)
    tree = recipes.pbot(ridge=0.5).fit(X, y)
    tree.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert (loaded.tree_, loaded.split) == (tree.tree_, PBOT(0.5))
    np.testing.assert_array_equal(loaded.predict(X), tree.predict(X))
    assert clone(tree).split == PBOT(0.5)
    search = GridSearchCV(recipes.pbot(), {"split__ridge": [0.01, 10.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    deep = model(X.iloc[:, :2], y, levels=None)
    assert deep.tree_.depth > 2


@pytest.mark.parametrize("parameters", [{"ridge": 0.0}, {"ridge": -1}, {"levels": 0}])
def test_wrong_parameters_are_refused(parameters):
    X, y = load_iris(return_X_y=True)
    (name,) = parameters
    with pytest.raises(ValueError, match=f"The '{name}' parameter of PBOT must be"):
        model(X, y, **parameters)


def test_more_levels_than_the_tree_may_have_are_refused():
    X, y = load_iris(return_X_y=True)
    words = "'levels' parameter of PBOT must not be above 'max_depth', which is 2. Got 3"
    with pytest.raises(ValueError, match=words):
        recipes.pbot().set_params(split__levels=3).fit(X, y)
    with pytest.raises(ValueError, match="'levels' parameter of PBOT must not be above"):
        model(X, y, levels=2, max_depth=1)
    assert recipes.pbot(levels=3).fit(X, y).tree_.depth <= 3
    recipes.pbot().set_params(split__levels=3, max_depth=3).fit(X, y)


def test_numbers_and_twoing_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="PBOT is for classification only"):
        TreeRegressor(split=PBOT()).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="PBOT makes a branch per class, which twoing cannot"):
        TreeClassifier(split=PBOT(), criterion="twoing").fit(X, y)
