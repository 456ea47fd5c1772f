"""MUST on numbers: a plain twin, the ridge, and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from must_twin import check_against, draw_table, must_for_numbers, root
from sklearn.datasets import load_diabetes
from sklearn.metrics import adjusted_rand_score

from treewright import MUST, TreeClassifier, TreeRegressor


@pytest.mark.parametrize("selection", ["fisher", "mahalanobis", "forward"])
@pytest.mark.parametrize("direction", ["ridge", "covariance", "bipartition"])
@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@effort(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), min_leaf=st.integers(1, 9))
def test_numbers(features, direction, selection, seed, min_leaf):
    X, groups, w = draw_table(seed, 5)
    y = X @ np.random.default_rng(seed).normal(size=4) + groups
    split = MUST(features, direction=direction, selection=selection, concise=None)
    model = TreeRegressor(split=split, max_depth=1, min_samples_leaf=min_leaf, readable=False)
    found = must_for_numbers(
        X, y, w, features=features, direction=direction, selection=selection, min_leaf=min_leaf
    )
    check_against(found, model.fit(X, y, w))


def test_target_cut_of_numbers():
    y = np.array([1, 1.2, 0.9, 3, 3.4, 2.8, 10])
    X = np.column_stack([y > 6.7, y > 2]).astype(float)
    model = TreeRegressor(split=MUST("all", direction="bipartition"), max_depth=1).fit(X, y)
    assert root(model)[0] == [0]
    both = TreeRegressor(split=MUST("all"), max_depth=1, readable=False).fit(X, y)
    assert root(both)[0] == [0, 1]
    left, right = y[y < 6.7], y[y > 6.7]
    assert ((left - left.mean()) ** 2).sum() + right.var() == pytest.approx(6.435)
    assert model.tree_.core.gain[0] == pytest.approx(60.608571 - 6.435)


def test_covariance_of_two_classes_is_the_discriminant():
    X, y, _ = draw_table(3, 2)
    split = MUST("all", direction="covariance")
    one = root(TreeRegressor(split=split, max_depth=1, readable=False).fit(X, y))
    other = root(TreeClassifier(split=MUST("all"), max_depth=1, readable=False).fit(X, y))
    np.testing.assert_allclose(one[1], other[1], rtol=1e-9)


@pytest.mark.parametrize("n_rows", [3, 4, 5])
def test_with_few_rows_all_spread_of_the_target_may_be_error(n_rows):
    X, y, _ = draw_table(5, 9)
    X, y = X[:n_rows], X[:n_rows, 0] + y[:n_rows]
    off, off_target = X - X.mean(axis=0), y - y.mean()
    unit = off / np.linalg.norm(off, axis=0)
    plain = np.linalg.pinv(unit) @ off_target
    amount = 4 * off_target @ off_target / (n_rows - 1) / (plain @ plain)
    expected = np.linalg.solve(unit.T @ unit + amount * np.eye(4), unit.T @ off_target)
    expected /= np.linalg.norm(off, axis=0)
    found = root(TreeRegressor(split=MUST("all"), max_depth=1, readable=False).fit(X, y))[1]
    np.testing.assert_allclose(found / found[0], expected / expected[0], rtol=1e-6)


@pytest.mark.parametrize("direction", ["ridge", "covariance"])
def test_ridge_is_between_least_squares_and_each_column_by_itself(direction):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 1)) + 0.1 * random.normal(size=(60, 4))
    y = X.sum(axis=1) + 3 * random.normal(size=60)
    model = TreeRegressor(split=MUST("all", direction=direction), max_depth=1, readable=False)
    coefficients = root(model.fit(X, y))[1]
    assert (min(coefficients) > 0) == (direction == "ridge")
    with_constant = np.column_stack([X, np.ones(60)])
    np.testing.assert_allclose(root(model.fit(with_constant, y))[1], coefficients, rtol=1e-9)


@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@pytest.mark.parametrize("direction", ["ridge", "covariance", "bipartition"])
def test_units_and_order_do_not_matter_for_numbers(features, direction):
    X, y = load_diabetes(return_X_y=True)
    w = np.random.default_rng(2).integers(1, 4, size=len(y)).astype(float)
    order = np.random.default_rng(3).permutation(len(y))
    split = MUST(features, direction=direction)
    model = TreeRegressor(split=split, max_depth=3, min_samples_leaf=10, readable=False)
    one = model.fit(X, y, w).apply(X)
    scaled = X * 10.0 ** np.arange(-5, 5)
    other = model.fit(scaled[order], 7 * y[order], w[order]).apply(scaled)
    assert len(np.unique(one)) > 4
    assert adjusted_rand_score(one, other) == 1


@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@pytest.mark.parametrize("direction", ["ridge", "covariance", "bipartition"])
def test_repeated_rows_are_weights_for_numbers(features, direction):
    X, y = load_diabetes(return_X_y=True)
    counts = np.random.default_rng(2).integers(1, 4, size=len(y))
    split = MUST(features, direction=direction)
    model = TreeRegressor(split=split, max_depth=3, readable=False)
    one = model.fit(X, y, counts).tree_.core.statistics
    other = model.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts)).tree_.core.statistics
    np.testing.assert_allclose(one, other, rtol=1e-9)


@pytest.mark.parametrize("features", [2, "all"])
@pytest.mark.parametrize("direction", ["covariance", "bipartition"])
@pytest.mark.parametrize("concise", ["score", None])
def test_the_scale_of_weights_does_not_matter_where_rows_are_not_counted(
    features, direction, concise
):
    X, y = load_diabetes(return_X_y=True)
    w = np.random.default_rng(2).integers(1, 4, size=len(y)).astype(float)
    split = MUST(features, direction=direction, concise=concise)
    model = TreeRegressor(split=split, max_depth=3)
    assert (model.fit(X, y, w).apply(X) == model.fit(X, y, w / 8).apply(X)).all()


def test_numbers_without_covariance_have_no_direction():
    X = np.array([[a, b] for a in range(-2, 3) for b in range(-2, 3)], dtype=float)
    for order in (np.arange(25), np.random.default_rng(1).permutation(25)):
        y = (X**2).sum(axis=1)[order]
        assert TreeRegressor(split=MUST(2, concise=None)).fit(X[order], y).tree_.n_leaves == 1
        assert TreeRegressor(split=MUST(2)).fit(X[order], y).score(X[order], y) == 1.0
