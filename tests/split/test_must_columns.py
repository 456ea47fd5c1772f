"""MUST: how it chooses columns, and where it takes a test of one column instead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from must_twin import draw_table
from sklearn.datasets import load_breast_cancer
from twins import gain, information_gain

from treewright import MUST, Axis, TreeClassifier, TreeRegressor, recipes

BALANCED = {"criterion": "entropy", "gain": "balanced", "readable": False}


def predicates_of(model):
    return [node.predicate for node in model.tree_.walk() if node.predicate is not None]


def stump(split, X, y, **more):
    return TreeClassifier(**{**BALANCED, "split": split, "max_depth": 1, **more}).fit(X, y)


def sides(model, X):
    """The branch of each row of a tree of one test; all in one where there is none."""
    return (model.apply(X) == 1).astype(int)


def n_columns(model):
    return len({column for test in predicates_of(model) for column in test.columns})


def price(n_rows, columns):
    """What the columns of a test cost beside one, in bits."""
    return (columns - 1) * np.log2(n_rows) / 2


# ---------------------------------------------------------------- one column instead


@pytest.mark.parametrize("second", ["constant", "duplicate", "scaled copy", "noise"])
@pytest.mark.parametrize("features", [2, 3])
@effort(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_second_column_that_adds_nothing_is_left_out(features, second, seed):
    """MUST(2) always wrote a sum of two columns."""
    random = np.random.default_rng(seed)
    x = random.permutation(60) / 10.0
    y = (x > 3.05).astype(int)
    other = {
        "constant": np.full(60, 3.0),
        "duplicate": x,
        "scaled copy": 1000 * x + 7,
        "noise": random.normal(size=60),
    }[second]
    model = TreeClassifier(split=MUST(features), **BALANCED).fit(np.column_stack([x, other]), y)
    assert [len(test.columns) for test in predicates_of(model)] == [1]
    assert model.score(np.column_stack([x, other]), y) == 1.0


@pytest.mark.parametrize("concise", ["score", "bic"])
@pytest.mark.parametrize("features", [2, 3])
@pytest.mark.parametrize("n_classes", [2, 4])
@effort(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_rival_on_one_column(features, concise, n_classes, seed):
    X, y, _ = draw_table(seed, n_classes)
    one, several, found = (
        stump(split, X, y)
        for split in (Axis(), MUST(features, concise=None), MUST(features, concise=concise))
    )
    splits = [information_gain(y, np.ones(40), sides(model, X)) for model in (one, several)]
    is_better = splits[1].balanced > splits[0].balanced + 1e-9
    if concise == "bic":
        saved = 40 * (splits[1].gain - splits[0].gain)
        is_better &= saved > price(40, n_columns(several))
    assert found.tree_ == (several if is_better else one).tree_


@pytest.mark.parametrize("features", [2, 3])
@effort(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_rival_on_one_column_of_a_numeric_target(features, seed):
    X, groups, _ = draw_table(seed, 5)
    y = X @ np.random.default_rng(seed).normal(size=4) + groups
    one, several, found = (
        TreeRegressor(split=split, max_depth=1, readable=False).fit(X, y)
        for split in (Axis(), MUST(features, concise=None), MUST(features))
    )
    whole = ((y - y.mean()) ** 2).sum()
    left = [
        whole - gain("squared_error", y, np.ones(40), sides(model, X)) for model in (one, several)
    ]
    is_better = left[1] < left[0] - 1e-9
    is_better &= 20 * np.log2(left[0] / left[1]) > price(40, n_columns(several))
    assert found.tree_ == (several if is_better else one).tree_


@pytest.mark.parametrize("n_rows", [200, 1000])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_two_columns_that_are_needed_stay_together(n_rows, noise):
    random = np.random.default_rng(n_rows)
    X = random.uniform(-1, 1, size=(n_rows, 6))
    y = (X[:, 1] + X[:, 4] > 0) ^ (random.random(n_rows) < noise)
    new = random.uniform(-1, 1, size=(2000, 6))
    model = recipes.must(2, random_state=0).fit(X, y)
    assert model.tree_.node(0).predicate.columns == (1, 4)
    assert model.score(new, new[:, 1] + new[:, 4] > 0) > 0.93


def test_the_rival_reads_all_rows_where_a_column_lacks_values():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    y = (X[:, 0] > 0).astype(int)
    X[random.random(200) < 0.4, 1] = np.nan
    for missing in ("default", "fraction", "stop", "surrogate"):
        model = TreeClassifier(split=MUST(2), missing=missing, **BALANCED).fit(X, y)
        assert [test.columns for test in predicates_of(model)] == [(0,)], missing


def test_repeated_rows_pay_for_columns_as_weights_do():
    random = np.random.default_rng(4)  # measured values tie, and rounding then decides
    y = random.integers(0, 3, size=150)
    X = random.normal(size=(150, 4)) + 1.5 * np.eye(3, 4)[y]
    times = np.random.default_rng(5).integers(1, 6, size=len(y))
    model = TreeClassifier(split=MUST(2), **BALANCED)
    one = model.fit(X, y, times).apply(X)
    np.testing.assert_array_equal(model.fit(X.repeat(times, 0), y.repeat(times)).apply(X), one)


# ---------------------------------------------------------------- the choice of columns


def test_columns_that_go_together_do_not_hide_the_column_that_tells():
    """By its part in the joint direction a column is chosen for cancelling another one."""
    random = np.random.default_rng(1)
    y = np.repeat([0, 1], 100)
    size = random.normal(size=200)
    together = [size + y + 0.05 * random.normal(size=200) for _ in range(4)]
    X = np.column_stack([*together, random.normal(size=200) + 1.6 * y])
    first = stump(MUST(2, concise=None), X, y).tree_.node(0).predicate
    assert first.columns[-1] == 4
    assert MUST().selection == recipes.must().split.selection == "forward"


def test_breast_cancer_has_no_sum_that_is_one_column_in_disguise():
    """`mean radius - 0.185 * mean perimeter`, two columns that say the same, was printed."""
    X, y = load_breast_cancer(return_X_y=True)
    for features in (2, 3):
        for test in predicates_of(recipes.must(features, random_state=0).fit(X, y)):
            together = np.abs(np.atleast_2d(np.corrcoef(X[:, list(test.columns)].T)))
            assert np.triu(together, 1).max() < 0.9


def test_the_paper_is_taken_at_its_word():
    split = recipes.must_paper(2).split
    assert (split.selection, split.concise) == ("fisher", None)
    X, y = load_breast_cancer(return_X_y=True)
    model = recipes.must_paper(2).fit(X, y)
    assert all(len(test.columns) == 2 for test in predicates_of(model))
