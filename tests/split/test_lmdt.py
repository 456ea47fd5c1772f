"""LMDT: a branch a class by a linear machine that cools down."""

from __future__ import annotations

import numpy as np
import pytest
import thermal_twin
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV

from treewright import TreeClassifier, TreeRegressor, load, predicates, recipes
from treewright.splits import LMDT

seeds = st.integers(0, 2**32 - 1)


def stump(X, y, split=None, weights=None, **parameters):
    parameters = {"readable": False, "max_depth": 1, "random_state": 0, **parameters}
    return TreeClassifier(split=split or LMDT(), **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def scores_of(test, n_columns):
    """Coefficients of all columns and the intercept, a row a branch."""
    found = np.zeros((len(test.intercepts), n_columns + 1))
    found[:, list(test.columns)] = test.coefficients
    found[:, -1] = test.intercepts
    return found


# ---------------------------------------------------------------- training


@pytest.mark.parametrize("elimination", [None, 0.0, 0.02])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loader", [load_iris, load_wine])
def test_the_machine_is_that_of_a_second_implementation(loader, seed, elimination):
    # A few passes: at low temperatures every correction makes differences of rounding larger.
    X, y = loader(return_X_y=True)
    model = stump(X, y, LMDT(elimination=elimination, max_epochs=2), random_state=seed)
    assert isinstance(root(model), predicates.Machine)
    expected = thermal_twin.machine(X, y, seed, elimination=elimination, max_epochs=2)
    answers = (X @ expected[:, :-1].T + expected[:, -1]).argmax(axis=1)
    np.testing.assert_array_equal(model.apply(X) - 1, answers)
    if len(root(model).columns) > 1:  # scores of one column are written as intervals
        found = scores_of(root(model), X.shape[1])
        np.testing.assert_allclose(found, expected - expected[0], rtol=1e-4, atol=1e-4)


def test_weights_move_the_machine_in_proportion():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).uniform(0.5, 3.0, len(y))
    expected = thermal_twin.machine(X, y, 0, weights, max_epochs=2)
    for factor in (1.0, 64.0):
        test = root(stump(X, y, LMDT(elimination=None, max_epochs=2), factor * weights))
        found = scores_of(test, 4)
        np.testing.assert_allclose(found, expected - expected[0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("factor", [3.0, 0.1, 1 / 3])
def test_equal_weights_are_as_none(factor):
    for X, y in (load_iris(return_X_y=True), load_wine(return_X_y=True)):
        plain, weighted = (
            stump(X, y, weights=weights, max_depth=None)
            for weights in (None, np.full(len(y), factor))
        )
        assert plain.tree_.n_nodes == weighted.tree_.n_nodes
        for node in range(plain.tree_.n_nodes):
            assert plain.tree_.node(node).predicate == weighted.tree_.node(node).predicate


def test_two_classes_are_a_linear_test():
    X, y = load_breast_cancer(return_X_y=True)
    model = stump(X, y, LMDT(elimination=None))
    assert isinstance(root(model), predicates.Linear)
    assert len(root(model).columns) == 30
    assert model.score(X, y) > 0.97


@given(seed=seeds)
def test_classes_that_can_be_separated_are(seed):
    random = np.random.default_rng(seed)
    y = np.arange(90) % 3
    X = random.normal(size=(90, 2)) + 20 * np.array([[1, 0], [-1, 1], [-1, -1]])[y]
    assert stump(X, y, LMDT(elimination=None)).score(X, y) == 1.0


@given(seed=seeds)
def test_the_best_machine_is_kept(seed):
    # More passes never tell fewer of the training rows right: the stream begins alike.
    X, y = load_wine(return_X_y=True)
    X = X[:, :3]
    right = [
        (stump(X, y, LMDT(elimination=None, max_epochs=n), random_state=seed).predict(X) == y).sum()
        for n in (1, 3, 10, 100)
    ]
    assert right == sorted(right)


def test_columns_that_say_nothing_are_taken_away():
    random = np.random.default_rng(1)
    y = np.arange(300) % 3
    X = random.normal(size=(300, 8))
    X[:, 2] += 8.0 * y
    assert root(stump(X, y)).columns == (2,)
    assert len(root(stump(X, y, LMDT(elimination=None))).columns) == 8


def test_what_elimination_may_cost():
    X, y = load_wine(return_X_y=True)
    full = stump(X, y, LMDT(elimination=None))
    for elimination in (0.0, 0.05, 0.2):
        short = stump(X, y, LMDT(elimination=elimination))
        assert len(root(short).columns) < 13
        assert short.score(X, y) >= full.score(X, y) - elimination - 1e-9
    counts = [len(root(stump(X, y, LMDT(elimination=e))).columns) for e in (0.0, 0.05, 0.2)]
    assert counts == sorted(counts, reverse=True)


def test_the_temperature_decides_when_training_ends():
    X, y = load_wine(return_X_y=True)
    quick = stump(X[:, :2], y, LMDT(decay=0.5, elimination=None))
    slow = stump(X[:, :2], y, LMDT(decay=0.999, elimination=None))
    assert slow.score(X[:, :2], y) >= quick.score(X[:, :2], y)


# ---------------------------------------------------------------- chance


def test_the_seed_reproduces_the_tree_and_another_gives_another():
    X, y = load_wine(return_X_y=True)
    one = recipes.lmdt(random_state=1).fit(X, y)
    assert recipes.lmdt(random_state=1).fit(X, y).tree_ == one.tree_
    trees = [recipes.lmdt(random_state=seed).fit(X, y).tree_ for seed in range(5)]
    assert any(tree != one.tree_ for tree in trees)


@given(seed=seeds)
def test_the_order_of_rows_and_units_do_not_matter(seed):
    random = np.random.default_rng(seed)
    X, y = load_iris(return_X_y=True)
    order, scales = random.permutation(len(y)), 2.0 ** random.integers(-5, 6, 4)
    one = stump(X, y, max_depth=None)
    other = stump((X * scales)[order], y[order], max_depth=None)
    np.testing.assert_array_equal(one.apply(X), other.apply(X * scales))


def test_a_row_of_weight_2_is_nearly_two_rows():
    # A stream sees two rows at two times, and a heavy one once: alike, not the same.
    X, y = load_wine(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 3, len(y))
    heavy = stump(X, y, LMDT(elimination=None), weights)
    twice = stump(np.repeat(X, weights, axis=0), np.repeat(y, weights), LMDT(elimination=None))
    assert (heavy.predict(X) == twice.predict(X)).mean() > 0.95


# ---------------------------------------------------------------- difficult data and use


def test_constant_repeated_tiny_and_missing_data():
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    model = stump(more, y)
    assert 0 not in root(model).columns
    assert model.score(more, y) > 0.95
    assert stump(np.ones((6, 2)), [0, 1] * 3).tree_.n_leaves == 1
    assert stump([[0.0], [1.0]], ["a", "b"]).score([[0.0], [1.0]], ["a", "b"]) == 1.0
    holes = X.copy()
    holes[::10, 1] = np.nan
    complete = np.delete(X, np.s_[::10], axis=0), np.delete(y, np.s_[::10])
    split = LMDT(elimination=None)
    assert root(stump(holes, y, split, missing="stop")) == root(stump(*complete, split))


def test_a_tree_of_machines_is_an_ordinary_one(tmp_path):
    pytest.importorskip("pandas")
    X, y = load_wine(return_X_y=True, as_frame=True)
    split = LMDT(3.0, end_temperature=0.01, decay=0.99, step=0.001, max_epochs=20, elimination=None)
    model = TreeClassifier(split=split, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    assert "largest score" in str(model.tree_)
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert (loaded.tree_, loaded.split) == (model.tree_, split)
    assert clone(model).split == split
    search = GridSearchCV(recipes.lmdt(random_state=0), {"split__elimination": [None, 0.1]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.85


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"start_temperature": 0}, "'start_temperature' parameter of LMDT must be a finite number"),
        ({"start_temperature": 0.01, "end_temperature": 0.02}, "above 'end_temperature', which is"),
        ({"end_temperature": 2}, r"above 'end_temperature', which is 2\. Got 2\."),
        ({"decay": 1.5}, "'decay' parameter of LMDT must be a finite number >= 0 and <= 1"),
        ({"max_epochs": 0}, "'max_epochs' parameter of LMDT must be an int >= 1"),
        ({"elimination": -0.1}, "'elimination' parameter of LMDT must be None or a finite number"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        stump(X, y, LMDT(**parameters))


def test_numbers_and_twoing_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="LMDT is for classification only"):
        TreeRegressor(split=LMDT()).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="LMDT makes a branch per class, which twoing cannot"):
        TreeClassifier(split=LMDT(), criterion="twoing").fit(X, y)
