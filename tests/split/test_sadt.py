"""SADT: planes by simulated annealing."""

from __future__ import annotations

import annealing_twin
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris

from treewright import TreeClassifier, TreeRegressor
from treewright.splits import MUST, SADT

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=max(5, settings().max_examples // 5))


def stump(X, y, split, weights=None, **parameters):
    parameters = {"readable": False, "max_depth": 1, "random_state": 0, **parameters}
    kind = TreeRegressor if np.asarray(y).dtype.kind == "f" else TreeClassifier
    return kind(split=split, **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def slanting(random, n_rows=60, n_columns=3, n_classes=2):
    y = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_rows, n_columns)) @ random.normal(size=(n_columns, n_columns))
    return X + random.normal(size=(n_classes, n_columns))[y], y


@pytest.mark.parametrize("start", ["ones", "random"])
@pytest.mark.parametrize("measure", ["gini", "twoing", "entropy", "squared_error"])
@few
@given(
    seed=seeds,
    n_classes=st.integers(2, 3),
    weighted=st.booleans(),
    temperature=st.sampled_from(["auto", 0.0, 0.05]),
    min_leaf=st.sampled_from([1, 4]),
)
def test_the_plane_is_that_of_a_second_implementation(
    start, measure, seed, n_classes, weighted, temperature, min_leaf
):
    random = np.random.default_rng(seed)
    X, y = slanting(random, 25, 2, n_classes)
    if measure == "squared_error":
        y = y + random.normal(size=25)
    w = random.uniform(0.5, 2.0, 25) if weighted else np.ones(25)
    chosen = {"start": start, "patience": 60, "cooling": 0.97, "initial_temperature": temperature}
    expected = annealing_twin.sadt(X, y, w, 3, measure=measure, min_leaf=min_leaf, **chosen)
    rules = {"criterion": measure, "min_samples_leaf": min_leaf, "random_state": 3}
    model, axis = (stump(X, y, split, w, **rules) for split in (SADT(**chosen), "axis"))
    best = max(expected.gain, axis.tree_.core.gain[0])
    assert model.tree_.core.gain[0] == pytest.approx(best, rel=1e-6, abs=1e-9)
    if expected.gain > axis.tree_.core.gain[0] + 1e-6:
        scale = np.sqrt(w @ (X - w @ X / w.sum()) ** 2 / w.sum())
        slopes = expected.slopes / scale
        ratio = np.array(root(model).coefficients) / slopes
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


@given(seed=seeds)
@few
def test_no_test_is_worse_than_one_of_a_column(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, n_classes=3)
    annealed, axis = (stump(X, y, split) for split in (SADT(patience=30), "axis"))
    assert annealed.tree_.core.gain[0] >= axis.tree_.core.gain[0] - 1e-9


def test_classes_along_a_slanting_line_need_one_test():
    random = np.random.default_rng(1)
    y = np.arange(200) % 2
    along, across = random.normal(0, 3, 200), random.normal(0, 0.1, 200) + y
    X = np.column_stack([along + across, along - across]) * [1e6, 1e-6]
    for start in ("ones", "random"):
        assert stump(X, y, SADT(start=start)).score(X, y) == 1.0


def test_annealing_finds_more_than_descent_from_the_same_plane():
    # At temperature 0 no change for the worse is taken: a local optimum ends the search.
    X, y = load_breast_cancer(return_X_y=True)
    cold, warm = (
        np.mean(
            [
                stump(X, y, SADT(initial_temperature=t), random_state=s).tree_.core.gain[0]
                for s in range(3)
            ]
        )
        for t in (0.0, "auto")
    )
    assert warm > cold


@given(seed=seeds)
@few
def test_the_order_of_rows_names_of_classes_and_units_do_not_matter(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, n_classes=3)
    order, names = random.permutation(60), random.permutation(["a", "b", "c"])
    units = 2.0 ** random.integers(-20, 20, 3)
    one = stump(X, y, SADT(patience=100))
    other = stump((X * units)[order], names[y][order], SADT(patience=100))
    np.testing.assert_array_equal(one.apply(X), other.apply(X * units))


@given(seed=seeds)
@few
def test_a_row_of_weight_2_is_two_rows(seed):
    random = np.random.default_rng(seed)
    X, y = slanting(random, 50)
    weights = random.integers(1, 4, 50)
    heavy = stump(X, y, SADT(patience=100), 2.0 * weights)
    repeated = stump(np.repeat(X, weights, axis=0), np.repeat(y, weights), SADT(patience=100))
    np.testing.assert_array_equal(heavy.apply(X), repeated.apply(X))


def test_the_seed_reproduces_the_tree_and_another_gives_another():
    X, y = load_iris(return_X_y=True)
    trees = [
        stump(X, y, SADT(patience=100), max_depth=None, random_state=seed).tree_
        for seed in (1, 1, 2, 3)
    ]
    assert trees[0] == trees[1]
    assert any(tree != trees[0] for tree in trees)


def test_few_columns_are_those_of_must():
    X, y = load_breast_cancer(return_X_y=True)
    short = root(stump(X, y, SADT(2)))
    assert short.columns == root(stump(X, y, MUST(2, selection="mahalanobis"))).columns


def test_numbers_are_divided_by_a_plane():
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 2))
    y = np.where(X[:, 0] + X[:, 1] > 0, 5.0, 1.0)
    assert stump(X, y, SADT()).score(X, y) == 1.0
    with pytest.raises(ValueError, match="SADT"):
        stump(X, y, SADT(), criterion="absolute_error")


def test_constant_repeated_missing_and_many_classes():
    X, y = load_iris(return_X_y=True)
    split = SADT(patience=200)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    assert 0 not in root(stump(more, y, split)).columns
    assert stump(np.ones((6, 2)), [0, 1] * 3, split).tree_.n_leaves == 1
    holes = X.copy()
    holes[::10, 1] = np.nan
    complete = ~np.isnan(holes[:, 1])
    one, other = (
        stump(*data, split, missing="stop") for data in ((holes, y), (X[complete], y[complete]))
    )
    assert root(one) == root(other)
    many, letters = slanting(np.random.default_rng(0), 260, 4, 26)
    model = TreeClassifier(split=SADT(patience=20), random_state=0).fit(many, letters)
    assert model.score(many, letters) == 1.0


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"features": 0}, "'features' parameter of SADT must be an int >= 1"),
        ({"start": "best"}, "'start' parameter of SADT must be 'ones' or 'random'"),
        ({"patience": 0}, "'patience' parameter of SADT must be an int >= 1"),
        ({"cooling": 0.0}, "'cooling' parameter of SADT must be a finite number > 0 and <= 1"),
        ({"initial_temperature": -1.0}, "'initial_temperature' parameter of SADT"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        stump(np.zeros((3, 1)), [0, 1, 1], SADT(**parameters))
