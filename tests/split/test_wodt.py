"""WODT: the soft entropy, the descent along it, and the trees made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, rosen, rosen_der
from sklearn.datasets import load_breast_cancer, load_iris
from twins import impurity

from treewright import TreeClassifier, TreeRegressor, _core
from treewright.splits import MUST, WODT

seeds = st.integers(0, 2**32 - 1)


def soft_entropy(X, y, at, weights=None):
    y = np.asarray(y, dtype=np.int32)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    target = _core.Target.classes(y, int(y.max()) + 1, weights)
    value, gradient = _core.soft_entropy(np.asarray(X, dtype=float).T.tolist(), target, list(at))
    return value, np.array(gradient)


def stump(X, y, split=None, weights=None, **parameters):
    parameters = {"readable": False, "max_depth": 1, "random_state": 0, **parameters}
    return TreeClassifier(split=split or WODT(), **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def slanting(random, n_rows=80, n_columns=3, n_classes=2):
    y = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_rows, n_columns)) @ random.normal(size=(n_columns, n_columns))
    return X + random.normal(size=(n_classes, n_columns))[y], y


# ---------------------------------------------------------------- the soft entropy


def test_the_vector_of_the_specification():
    X, y = [[0, 1], [1, 0], [2, 1], [3, 3]], [0, 0, 1, 1]
    value, gradient = soft_entropy(X, y, [0.3, -0.2, 0.5])
    assert value == pytest.approx(3.9848676062, abs=1e-10)
    np.testing.assert_allclose(gradient, [-0.20683421, -0.16016669, 0.00365431], atol=1e-8)


@given(seed=seeds, n_classes=st.integers(1, 4), n_columns=st.integers(1, 3))
def test_the_gradient_is_that_of_differences(seed, n_classes, n_columns):
    random = np.random.default_rng(seed)
    X, y = slanting(random, 300 if seed % 4 == 0 else 12, n_columns, n_classes)
    w, at = random.uniform(0.1, 3.0, len(y)), random.normal(size=n_columns + 1)
    _, gradient = soft_entropy(X, y, at, w)
    for j, step in enumerate(1e-5 * np.eye(n_columns + 1)):
        above, below = (soft_entropy(X, y, at + sign * step, w)[0] for sign in (1, -1))
        assert gradient[j] == pytest.approx((above - below) / 2e-5, abs=1e-5)


@given(seed=seeds)
def test_a_steep_plane_has_the_entropy_of_its_sides(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, 30, 2, 3)
    w, at = random.uniform(0.1, 3.0, 30), random.normal(size=3)
    right = X @ at[:2] - at[2] > 0
    sides = [[w[side & (y == c)].sum() for c in range(3)] for side in (right, ~right)]
    expected = sum(sum(side) * impurity("entropy", side) for side in sides)
    value, gradient = soft_entropy(X, y, 1e9 * at, w)
    assert value == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert np.isfinite(gradient).all()


# ---------------------------------------------------------------- the descent


@pytest.mark.parametrize("start", [[-1.2, 1.0], [0.5, -0.3, 1.5], [2.0] * 6])
def test_the_minimum_of_a_curved_valley(start):
    def function(at):
        return float(rosen(np.array(at))), rosen_der(np.array(at)).tolist()

    at, value, iterations, converged = _core.minimum_of(function, start, 500, 1e-9)
    assert converged
    assert iterations < 120
    assert value < 1e-12
    np.testing.assert_allclose(at, 1.0, atol=1e-5)


@given(seed=seeds, k=st.integers(1, 6))
def test_the_minimum_of_a_bowl(seed, k):
    random = np.random.default_rng(seed)
    root_of, centre = random.normal(size=(k, k)), random.normal(size=k)
    curvature = root_of @ root_of.T + 0.1 * np.eye(k)

    def function(at):
        off = np.array(at) - centre
        return float(off @ curvature @ off / 2), (curvature @ off).tolist()

    at, _, _, converged = _core.minimum_of(function, [3.0] * k, 200, 1e-9)
    assert converged
    np.testing.assert_allclose(at, centre, atol=1e-6)


def test_a_descent_ends_where_it_is_told_to_and_never_goes_up():
    def function(at):
        return float(rosen(np.array(at))), rosen_der(np.array(at)).tolist()

    values = [_core.minimum_of(function, [-1.2, 1.0], n, 1e-9)[1] for n in range(30)]
    assert values == sorted(values, reverse=True)
    assert _core.minimum_of(function, [1.0, 1.0], 10, 1e-9) == ([1.0, 1.0], 0.0, 0, True)
    # A gradient of the wrong sign: no step goes down.
    at, _, iterations, converged = _core.minimum_of(lambda at: (at[0], [-1.0]), [0.0], 50, 1e-9)
    assert (at, iterations, converged) == ([0.0], 1, False)


@pytest.mark.parametrize("seed", range(5))
def test_the_descent_ends_where_that_of_scipy_does_not_go_on(seed):
    X, y = load_breast_cancer(return_X_y=True)
    X = (X[:, :4] - X[:, :4].mean(axis=0)) / X[:, :4].std(axis=0)

    def function(at):
        value, gradient = soft_entropy(X, y, at)
        return value, gradient.tolist()

    start = np.random.default_rng(seed).uniform(-0.5, 0.5, 5).tolist()
    at, value, _, converged = _core.minimum_of(function, start, 300, 1e-6)
    assert converged
    assert value < 0.6 * function(start)[0]
    further = minimize(lambda at: soft_entropy(X, y, at), at, jac=True, method="L-BFGS-B")
    assert further.fun == pytest.approx(value, rel=1e-6)


# ---------------------------------------------------------------- trees


@given(seed=seeds)
def test_classes_that_a_plane_separates_are_separated(seed):
    random = np.random.default_rng(seed)
    y = np.arange(100) % 2
    along, across = random.normal(0, 3, (100, 2)), random.normal(0, 0.1, 100) + 2 * y
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    X = np.column_stack([along, across]) @ turn * [1.0, 1e6, 1e-6]
    assert stump(X, y, WODT(n_starts=5)).score(X, y) > 0.97


@given(seed=seeds)
def test_no_test_is_worse_than_one_of_a_column(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, n_classes=3)
    oblique, axis = (
        stump(X, y, split, random_state=seed % 7, criterion="gini") for split in (WODT(), "axis")
    )
    assert oblique.tree_.core.gain[0] >= axis.tree_.core.gain[0] - 1e-9


def test_more_starts_are_never_worse():
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    for seed in range(5):
        gains = [
            stump(X, y, WODT(n_starts=n, max_iterations=3), random_state=seed).tree_.core.gain[0]
            for n in (1, 2, 5, 10)
        ]
        assert gains == sorted(gains)


@given(seed=seeds)
def test_the_order_of_rows_names_of_classes_and_units_do_not_matter(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, n_classes=3)
    order, names = random.permutation(80), random.permutation(["a", "b", "c"])
    units = 2.0 ** random.integers(-20, 20, 3)
    one = stump(X, y)
    other = stump((X * units)[order], names[y][order])
    np.testing.assert_array_equal(one.apply(X), other.apply(X * units))


@given(seed=seeds)
def test_a_row_of_weight_2_is_two_rows(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, 50)
    weights = random.integers(1, 4, 50)
    heavy = stump(X, y, weights=0.3 * weights)
    repeated = stump(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_array_equal(heavy.apply(X), repeated.apply(X))


def test_few_columns_are_those_of_must():
    X, y = load_breast_cancer(return_X_y=True)
    short = root(stump(X, y, WODT(2)))
    assert (
        short.columns == root(stump(X, y, MUST(2, selection="mahalanobis", concise=None))).columns
    )
    assert len(root(stump(X, y)).columns) > 10


def test_the_seed_reproduces_the_tree_and_another_gives_another():
    X, y = load_iris(return_X_y=True)
    trees = [stump(X, y, max_depth=None, random_state=seed).tree_ for seed in (1, 1, 2, 3, 4)]
    assert trees[0] == trees[1]
    assert any(tree != trees[0] for tree in trees)


def test_constant_repeated_missing_and_many_classes():
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    assert 0 not in root(stump(more, y)).columns
    assert stump(np.ones((6, 2)), [0, 1] * 3).tree_.n_leaves == 1
    holes = X.copy()
    holes[::10, 1] = np.nan
    complete = ~np.isnan(holes[:, 1])
    one, other = (stump(*data, missing="stop") for data in ((holes, y), (X[complete], y[complete])))
    assert root(one) == root(other)
    random = np.random.default_rng(0)
    many, letters = slanting(random, 260, 4, 26)
    model = TreeClassifier(split=WODT(), random_state=0).fit(many, letters)
    assert model.score(many, letters) == 1.0


def test_numbers_and_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match="WODT is for classification only"):
        TreeRegressor(split=WODT()).fit(np.arange(6.0)[:, None], np.arange(6.0))
    for parameters, words in (
        ({"features": 0}, "'features' parameter of WODT must be an int >= 1"),
        ({"n_starts": 0}, "'n_starts' parameter of WODT must be an int >= 1"),
        ({"max_iterations": 0}, "'max_iterations' parameter of WODT must be an int >= 1"),
    ):
        with pytest.raises(ValueError, match=words):
            stump(np.zeros((3, 1)), [0, 1, 1], WODT(**parameters))
