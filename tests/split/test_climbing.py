"""OC1, CART-LC and Climb: what searches for planes have in common, and what each promises."""

from __future__ import annotations

from typing import Any

import cart_lc_twin
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sweep_twin import Rows

from treewright import Axis, Logistic, TreeClassifier, TreeRegressor
from treewright.measures import CLASS_MEASURES
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Linear
from treewright.splits import CARTLC, MUST, OC1, Climb, split_method

seeds = st.integers(0, 2**32 - 1)
SEARCHES = [
    OC1(n_restarts=3),
    OC1(2, n_restarts=2, order="sequential"),
    OC1(n_restarts=2, order="random", n_random=5),
    CARTLC(),
    CARTLC(2, beta=0.0),
]
each_search = pytest.mark.parametrize("split", SEARCHES, ids=repr)


def stump(X: Any, y: Any, split: Any, weights: Any = None, **parameters: Any) -> Any:
    is_numbers = np.asarray(y).dtype.kind == "f"
    kind = TreeRegressor if is_numbers else TreeClassifier
    parameters = {"readable": False, "max_depth": 1, "random_state": 0, **parameters}
    return kind(split=split, **parameters).fit(X, y, weights)


def root(model: Any) -> Any:
    return model.tree_.node(0).predicate


def columns_of(model: Any) -> tuple[int, ...]:
    test = root(model)
    return test.columns if isinstance(test, Linear) else (test.column,)


def gain(model: Any) -> float:
    return float(model.tree_.core.gain[0])


def draw(seed: int, n_classes: int = 3, n: int = 60, d: int = 4) -> Any:
    """A table with gaps, ties, weights and a target that a plane tells better than a column."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)).round(1)
    noisy = X[:, 0] + X[:, 1] - 0.5 * X[:, 2] + random.normal(scale=0.5, size=n)
    X[random.random((n, d)) < 0.05] = np.nan
    y = np.digitize(noisy, [-0.8, 0.8][: n_classes - 1]) if n_classes else noisy
    return X, y, random.integers(1, 4, n).astype(float)


@each_search
@given(
    seed=seeds,
    n_classes=st.sampled_from([0, 2, 3]),
    measure=st.sampled_from(CLASS_MEASURES),
    min_samples_leaf=st.integers(1, 10),
    missing=st.sampled_from(["default", "fraction", "stop"]),
)
def test_no_test_is_worse_than_the_best_on_one_column(
    split, seed, n_classes, measure, min_samples_leaf, missing
):
    X, y, weights = draw(seed, n_classes)
    measure = measure if n_classes else "squared_error"
    rules = {"criterion": measure, "min_samples_leaf": min_samples_leaf, "missing": missing}
    found, axis = (stump(X, y, s, weights, **rules) for s in (split, Axis()))
    assert gain(found) >= gain(axis) - 1e-9 * abs(gain(axis))
    assert found.tree_.core.rows[1:].min() >= min_samples_leaf - 1e-9


@pytest.mark.parametrize("start", [MUST(2), MUST("all"), Logistic(None), Logistic("bic")], ids=repr)
@pytest.mark.parametrize("n_jumps", [0, 3])
@given(seed=seeds, n_classes=st.sampled_from([2, 3]), measure=st.sampled_from(CLASS_MEASURES))
def test_climbing_is_never_worse_than_its_start(start, n_jumps, seed, n_classes, measure):
    X, y, weights = draw(seed, n_classes)
    rules = {"criterion": measure, "min_samples_leaf": 3}
    plain, climbed = (
        stump(X, y, split, weights, **rules) for split in (start, Climb(start, n_jumps=n_jumps))
    )
    assert gain(climbed) >= gain(plain) - 1e-9 * abs(gain(plain))
    assert set(columns_of(climbed)) <= set(columns_of(plain))


@given(seed=seeds)
def test_climbing_from_numbers_is_never_worse_than_its_start(seed):
    X, y, weights = draw(seed, 0)
    plain, climbed = (stump(X, y, split, weights) for split in (MUST(3), Climb(MUST(3))))
    assert gain(climbed) >= gain(plain) * (1 - 1e-9)


def test_climbing_helps():
    X, y = load_breast_cancer(return_X_y=True)
    for start in (MUST(2), MUST("all"), Logistic(None)):
        plain, climbed = (stump(X[:, :6], y, split) for split in (start, Climb(start)))
        assert gain(climbed) > gain(plain) + 1


def test_climbing_starts_from_any_proposal():
    @split_method
    def several(node, rng):
        return [AxisTest(0, 0.0), Linear((0, 1), (1.0, 1.0), 9.0), Linear((0, 1), (1.0, -1.0), 0.0)]

    X, y, _ = draw(3, 2)
    X = np.nan_to_num(X)
    best_start = gain(stump(X, y, several))
    assert gain(stump(X, y, Climb(several))) > best_start


@each_search
@given(seed=seeds, n_classes=st.sampled_from([0, 2, 3]))
def test_repeated_rows_are_as_weights_and_equal_weights_as_none(split, seed, n_classes):
    # The two columns of numbers are chosen as MUST does, whose ridge counts rows.
    split = clone(split).set_params(features="all") if n_classes == 0 else split
    X, y, counts = draw(seed, n_classes)
    once = stump(X, y, split, counts, max_depth=3)
    repeats = counts.astype(int)
    again = stump(np.repeat(X, repeats, axis=0), np.repeat(y, repeats), split, max_depth=3)
    in_quarters = stump(X, y, split, counts / 4, max_depth=3)
    for other in (again, in_quarters):
        assert other.tree_.n_nodes == once.tree_.n_nodes
        for node in range(once.tree_.n_nodes):
            assert other.tree_.node(node).predicate == once.tree_.node(node).predicate


@each_search
@given(seed=seeds)
def test_the_order_of_the_rows_does_not_matter(split, seed):
    X, y, weights = draw(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    one = stump(X, y, split, weights, max_depth=4)
    other = stump(X[order], y[order], split, weights[order], max_depth=4)
    assert one.tree_.n_nodes == other.tree_.n_nodes
    for node in range(one.tree_.n_nodes):
        assert one.tree_.node(node).predicate == other.tree_.node(node).predicate


@each_search
def test_units_and_places_do_not_matter(split):
    X, y = load_wine(return_X_y=True)
    X = X[:, :6]
    moved = X * 10.0 ** np.arange(-3, 3) + np.arange(6)
    one, other = (stump(table, y, split, max_depth=3) for table in (X, moved))
    np.testing.assert_array_equal(one.tree_.apply(X), other.tree_.apply(moved))


@each_search
def test_constant_and_repeated_columns_change_little(split):
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(len(y), 7.0), X, X[:, 2]])
    model = stump(more, y, split, max_depth=2)
    assert model.score(more, y) > 0.94
    tests = [node.predicate for node in model.tree_.walk() if not node.is_leaf]
    assert all(0 not in test.columns for test in tests if isinstance(test, Linear))


@each_search
def test_many_classes(split):
    random = np.random.default_rng(0)
    y = np.arange(520) % 26
    X = random.normal(size=(26, 3))[y] * 4 + random.normal(size=(520, 3)) * 0.3
    assert stump(X, y, split, max_depth=None, criterion="twoing").score(X, y) == 1.0


@pytest.mark.parametrize("split", [OC1(), CARTLC(), Climb(MUST(2))], ids=repr)
def test_absolute_errors_are_refused(split):
    X, y, _ = draw(0, 0)
    with pytest.raises(ValueError, match=r"squared error.*criterion='squared_error'"):
        stump(X, y, split, criterion="absolute_error")


# ---------------------------------------------------------------- OC1


@given(seed=seeds, order=st.sampled_from(["best_first", "sequential", "random"]))
def test_more_starts_are_never_worse(seed, order):
    X, y, _ = draw(seed, 3)
    X = np.nan_to_num(X)
    gains = [gain(stump(X, y, OC1(n_restarts=n, order=order), random_state=1)) for n in (1, 2, 5)]
    assert gains == sorted(gains)


def test_a_slanted_border_is_found():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 3)) * [1.0, 100.0, 0.01]
    y = (X @ [1.0, 0.02, -150.0] > 0.3).astype(int)
    for order in ("best_first", "sequential", "random"):
        assert stump(X, y, OC1(order=order)).score(X, y) > 0.98


@pytest.mark.parametrize("order", ["best_first", "sequential", "random"])
def test_threads_do_not_change_the_tree(order):
    X, y, weights = draw(5, 3, n=150)
    one, two = (
        stump(X, y, OC1(n_restarts=6, order=order, n_jobs=jobs), weights, max_depth=None)
        for jobs in (1, 3)
    )
    assert one.tree_ == two.tree_
    again = stump(X, y, OC1(n_restarts=6, order=order), weights, max_depth=None, random_state=1)
    assert again.tree_ != one.tree_


@given(seed=seeds, n_classes=st.sampled_from([0, 2, 3]), features=st.integers(2, 3))
def test_features_are_those_of_must(seed, n_classes, features):
    X, y, _ = draw(seed, n_classes, d=6)
    X = np.nan_to_num(X)
    must = columns_of(stump(X, y, MUST(features, selection="mahalanobis", concise=None)))
    for split in (OC1(features, n_restarts=3), CARTLC(features, beta=0.0)):
        model = stump(X, y, split)
        if isinstance(root(model), Linear):
            assert set(root(model).columns) <= set(must)


def test_few_rows_are_tested_on_one_column():
    random = np.random.default_rng(2)
    X, y = random.normal(size=(20, 5)), np.arange(20) % 2
    assert isinstance(root(stump(X[:10], y[:10], OC1())), AxisTest)
    assert isinstance(root(stump(X, y, OC1())), Linear)


def test_a_bias_for_one_column_can_be_set():
    X, y, _ = draw(4, 2)
    X = np.nan_to_num(X)
    free, biased = (gain(stump(X, y, OC1(axis_bias=bias))) for bias in (1.0, 50.0))
    axis = gain(stump(X, y, Axis()))
    assert free > biased == pytest.approx(axis)
    assert gain(stump(X, y, OC1(axis_bias=0.99 * free / axis))) == pytest.approx(free)


# ---------------------------------------------------------------- CART-LC


@pytest.mark.parametrize("beta", [0.0, 0.2, 0.6])
@pytest.mark.parametrize("weighted", [False, True])
def test_cart_lc_is_that_of_a_second_implementation(beta, weighted):
    for seed in range(4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(24, 3))
        y = (X @ [1.0, 0.7, 0.1] + random.normal(scale=0.4, size=24) > 0.2).astype(int)
        w = random.uniform(0.5, 2.0, 24) if weighted else np.ones(24)
        rows = Rows(y, w, 2, "gini", min_count=3)
        score, columns = cart_lc_twin.Search(X, rows, beta, tolerance=1e-4).run()
        model = stump(X, y, CARTLC(beta=beta), w, min_samples_leaf=3)
        axis = gain(stump(X, y, Axis(), w, min_samples_leaf=3))
        assert gain(model) == pytest.approx(max(score * w.sum(), axis))
        if score * w.sum() > axis + 1e-9:
            assert list(columns_of(model)) == columns


def test_columns_that_hardly_matter_are_deleted():
    random = np.random.default_rng(7)
    X = random.normal(size=(400, 6))
    y = (X[:, 1] + X[:, 4] + random.normal(scale=0.3, size=400) > 0).astype(int)
    everything, short, shortest = (
        columns_of(stump(X, y, CARTLC(beta=beta))) for beta in (0.0, 0.2, 1.0)
    )
    assert len(everything) > 2
    assert short == (1, 4)
    assert len(shortest) == 1


def test_a_column_too_small_for_a_leaf_is_not_deleted_at_any_cost():
    column, few = np.linspace(-2.0, 1.0, 60), np.repeat([1.0, 0.0], [8, 52])
    column[8:] = np.random.default_rng(0).normal(size=52)
    X, y = np.column_stack([column, few]), (column + 3.0 * few > 0.5).astype(int)
    model = stump(X, y, CARTLC(), min_samples_leaf=9)
    assert columns_of(model) == (0, 1)
    assert model.score(X, y) == 1.0


def test_cycles_end_where_nothing_is_gained():
    X, y, _ = draw(1, 2)
    patient, hasty = (
        gain(stump(X, y, CARTLC(beta=0.0, tolerance=tolerance, max_cycles=10**9)))
        for tolerance in (0.0, 1.0)
    )
    assert patient >= hasty > gain(stump(X, y, Axis()))
