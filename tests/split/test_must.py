"""MUST: the worked examples of its description, a plain twin, and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from joblib import Parallel, delayed
from must_twin import (
    all_divisions,
    check_against,
    draw_table,
    groups_by_means,
    groups_by_rows,
    must,
    root,
)
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from twins import information_gain

from treewright import MUST, TreeClassifier, _core
from treewright.measures import decrease, split_information
from treewright.prune import CostComplexity

PLUS = [[2, 1, 0], [3, 2, 1], [4, 2, 0], [3, 1, 2]]
MINUS = [[0, 2, 1], [1, 3, 0], [0, 1, 2], [1, 2, 1], [2, 3, 1]]
EXAMPLE = np.array([*MINUS, *PLUS], dtype=float), np.array([0] * 5 + [1] * 4)
PAPER = {"selection": "fisher", "concise": None}
BALANCED = {"criterion": "entropy", "gain": "balanced", "readable": False}


def stump(split, X, y, weights=None, **more):
    return TreeClassifier(**{**BALANCED, "split": split, "max_depth": 1, **more}).fit(X, y, weights)


# ---------------------------------------------------------------- worked examples


def test_direction_of_all_columns():
    within = [4.8, 3.2, -1, 3.2, 3.8, -2.5, -1, -2.5, 4.75]
    difference = [2.2, -0.7, -0.25]
    w = np.array(_core.discriminant_direction(within, difference, 9, False))
    w = w / np.linalg.norm(w)
    expected = np.array([1.7772277228, -2.2475247525, -0.8613861386])
    np.testing.assert_allclose(w, expected / np.linalg.norm(expected), rtol=1e-9)
    distance = difference @ np.linalg.solve(np.reshape(within, (3, 3)), difference)
    assert distance == pytest.approx(5.6985148515)


@pytest.mark.parametrize(
    ("features", "columns", "direction", "threshold"),
    [
        ("all", [0, 1, 2], [1.7772277228, -2.2475247525, -0.8613861386], -1.8019801980),
        (3, [0, 1, 2], [1.7772277228, -2.2475247525, -0.8613861386], -1.8019801980),
        (2, [0, 1], [1.325, -1.3], 0.05),
    ],
)
def test_example_of_several_columns(features, columns, direction, threshold):
    X, y = EXAMPLE
    model = stump(MUST(features, **PAPER), X, y)
    found, coefficients, cut = root(model)
    scale = np.abs(direction).max()
    assert found == columns
    np.testing.assert_allclose(coefficients, np.array(direction) / scale, rtol=1e-9)
    assert cut == pytest.approx(threshold / scale)
    assert model.tree_.core.gain[0] / len(y) == pytest.approx(0.9910760598)
    branch = (X[:, columns] @ coefficients > cut).astype(int)
    gains = information_gain(y, np.ones(len(y)), branch)
    assert gains.balanced == pytest.approx(0.4977590158)


def test_example_of_one_column():
    columns, _, _ = root(stump(MUST(1), *EXAMPLE))
    assert columns == [0]


@pytest.mark.parametrize("selection", ["fisher", "mahalanobis", "forward"])
def test_selection_in_the_example_is_the_same_by_all_contributions(selection):
    columns, _, _ = root(stump(MUST(2, selection=selection, concise=None), *EXAMPLE))
    assert columns == [0, 1]


def test_mahalanobis_sees_columns_that_matter_together():
    random = np.random.default_rng(0)
    noise = random.normal(size=200)
    y = np.repeat([0, 1], 100)
    X = np.column_stack(
        [
            noise + 0.3 * y,  # with the second column, y is plain
            noise + 0.01 * random.normal(size=200),
            0.3 * random.normal(size=200) + 0.2 * y,
            0.3 * random.normal(size=200) + 0.2 * y,
        ]
    )
    assert root(stump(MUST(2, **PAPER), X, y))[0] == [2, 3]
    model = stump(MUST(2, selection="mahalanobis"), X, y)
    assert root(model)[0] == [0, 1]
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize(
    ("groups", "threshold"),
    [
        ((10, 1, 4, 2), 7.5),
        ((4, 2, 10, 1), 7.5),
        ((5, 3, 4, 1), 5),
        ((4, 1, 5, 3), 5),
        ((5, 1, 4, 3), 4),
        ((5, 1, 5, 2), 6),  # equal means: group 1 is the lower one
        ((5, 2, 5, 1), 4),
    ],
)
def test_thresholds_between_groups(groups, threshold):
    mean_1, deviation_1, mean_0, deviation_0 = groups
    assert _core.threshold_between(mean_0, deviation_0, mean_1, deviation_1) == threshold


def test_kernel_of_a_singular_scatter():
    direction = _core.discriminant_direction([1.0] * 9, [1.0, 2.0, 1.0], 4, False)
    np.testing.assert_allclose(np.array(direction) / direction[1], [-0.5, 1, -0.5], atol=1e-12)
    X = np.array([[0, 0, 1], [1, 1, 2], [1, 2, 2], [2, 3, 3.0]])
    model = stump(MUST("all"), X, [0, 0, 1, 1])
    columns, coefficients, _ = root(model)
    np.testing.assert_allclose(X[:, columns] @ coefficients, [0.5, 0.5, -0.5, -0.5], atol=1e-12)


def test_repeated_column_takes_the_pseudo_inverse():
    X = np.array([[0, 0], [1, 1], [1.5, 1.5], [2, 2], [3, 3], [5, 5.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    within = np.full(4, sum(((X[y == k, 0] - X[y == k, 0].mean()) ** 2).sum() for k in (0, 1)))
    difference = np.full(2, X[y == 1, 0].mean() - X[y == 0, 0].mean())
    direction = _core.discriminant_direction(within.tolist(), difference.tolist(), 6, False)
    np.testing.assert_allclose(direction, [0.2142857143] * 2)


def test_few_rows_take_a_ridge_unless_the_kernel_is_asked_for():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(8, 12)), np.repeat([0, 1], 4)
    kernel = stump(MUST("all", small_sample="null_space"), X, y)
    columns, coefficients, _ = root(kernel)
    projected = X[:, columns] @ coefficients
    assert np.ptp(projected[:4]) < 1e-8 < np.ptp(projected)
    ridge = stump(MUST("all"), X, y)
    columns, coefficients, _ = root(ridge)
    assert np.ptp((X[:, columns] @ coefficients)[:4]) > 1e-3


@pytest.mark.parametrize(
    ("branches", "gain", "information", "ratio", "balanced"),
    [
        ([[30, 10], [10, 50]], 0.2564258917, 0.9709505945, 0.2640977751, 0.1301026481),
        ([[20, 0], [15, 15], [5, 45]], 0.4364527977, 1.4854752972, 0.2938135683, 0.1756013420),
        ([[1, 0], [39, 60]], 0.0133287633, 0.0807931359, 0.1649739566, 0.0123323908),
        ([[1, 0]] * 4 + [[0, 1]] * 6, 0.9709505945, 3.3219280949, 0.2922852532, 0.2246568136),
    ],
)
def test_goodness(branches, gain, information, ratio, balanced):
    sizes = np.sum(branches, axis=1)
    assert decrease("entropy", np.sum(branches, axis=0), branches) == pytest.approx(gain)
    assert split_information(sizes) == pytest.approx(information)
    labels = np.concatenate([np.repeat([0, 1], branch) for branch in branches])
    where = np.repeat(np.arange(len(branches)), sizes)
    found = information_gain(labels, np.ones(len(labels)), where)
    assert found.ratio == pytest.approx(ratio)
    assert found.balanced == pytest.approx(balanced)


# ---------------------------------------------------------------- against the twin


@pytest.mark.parametrize("selection", ["fisher", "mahalanobis", "forward"])
@pytest.mark.parametrize("features", [1, 2, 3, "all"])
@effort(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), min_leaf=st.integers(1, 9))
def test_two_classes(features, selection, seed, min_leaf):
    X, y, w = draw_table(seed, 2)
    split = MUST(features, selection=selection, concise=None)
    model = stump(split, X, y, w, min_samples_leaf=min_leaf)
    found = must(X, y, w, y == 1, features=features, selection=selection, min_leaf=min_leaf)
    check_against(found, model)


@pytest.mark.long
@pytest.mark.parametrize("features", [1, 2, "all"])
@pytest.mark.parametrize("multiclass", ["rows", "means", "best_bipartition"])
@effort(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(3, 6))
def test_many_classes(features, multiclass, seed, n_classes):
    X, y, _ = draw_table(seed, n_classes)
    w = np.ones(len(y))
    model = stump(MUST(features, multiclass=multiclass, **PAPER), X, y)
    if multiclass == "best_bipartition":
        tried = [must(X, y, w, g[y], features=features) for g in all_divisions(n_classes)]
        best = max(found.score for found in tried)
        table = _core.Table(model.schema_.encode(X), model.schema_.n_levels)
        branch = model.tree_.core.route(0, table)
        assert information_gain(y, w, branch).balanced == pytest.approx(best)
        return
    groups = groups_by_means(X, y) if multiclass == "means" else groups_by_rows(X, y)
    check_against(must(X, y, w, groups[y], features=features), model)


def test_scatter_of_many_classes_is_what_scikit_learn_finds():
    X, y = load_wine(return_X_y=True)
    columns, coefficients, _ = root(stump(MUST("all", multiclass="scatter"), X, y))
    leading = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, 0]
    assert columns == list(range(13))
    ratio = coefficients / leading
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


# ---------------------------------------------------------------- what must not matter


@pytest.fixture(params=[1, 2, 3, "all"])
def features(request):
    return request.param


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_units_do_not_matter(features, load):
    X, y = load(return_X_y=True)
    random = np.random.default_rng(0)
    scales, shifts = 10.0 ** random.integers(-6, 7, X.shape[1]), random.normal(size=X.shape[1])
    model = TreeClassifier(split=MUST(features), **BALANCED)
    one = model.fit(X, y).apply(X)
    moved = X * scales + shifts * scales * 100
    np.testing.assert_array_equal(model.fit(moved, y).apply(moved), one)


def test_order_of_rows_does_not_matter(features):
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(split=MUST(features), **BALANCED)
    one = model.fit(X, y).apply(X)
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_array_equal(model.fit(X[order], y[order]).apply(X), one)


@pytest.mark.parametrize("seed", range(10))
def test_names_of_two_classes_do_not_matter(features, seed):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(80, 4)), random.integers(0, 2, 80)
    model = TreeClassifier(split=MUST(features), **BALANCED)
    np.testing.assert_array_equal(model.fit(X, y).apply(X), model.fit(X, 1 - y).apply(X))


@pytest.mark.parametrize("offset", [1e6, 1e9, 1e11])
def test_a_large_common_offset_does_not_matter(offset):
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 20000)
    start = random.uniform(0, 60, len(y))
    X = np.column_stack([start, start + random.normal(2, 0.5, len(y)) + 2 * y])
    for features in (2, "all"):
        model = stump(MUST(features), X + offset, y)
        assert model.score(X + offset, y) > 0.97


def test_an_outlier_in_the_first_row_does_not_matter():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(300, 3)), np.arange(300) % 2
    X[:, 1] += y
    X[0, 1] = 999999999
    order = np.roll(np.arange(300), 7)
    model = TreeClassifier(split=MUST(1), max_depth=2, **BALANCED)
    one = model.fit(X, y).apply(X)
    np.testing.assert_array_equal(model.fit(X[order], y[order]).apply(X), one)


def test_repeated_rows_are_weights(features):
    X, y = load_wine(return_X_y=True)
    times = np.random.default_rng(2).integers(1, 4, size=len(y))
    model = TreeClassifier(split=MUST(features), **BALANCED, min_weight_fraction_leaf=0.02)
    by_weight = model.fit(X, y, times).predict(X)
    np.testing.assert_array_equal(
        model.fit(X.repeat(times, 0), y.repeat(times)).predict(X), by_weight
    )


def test_constant_and_repeated_columns_do_not_matter(features):
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier(split=MUST(features), **BALANCED)
    score = model.fit(X, y).score(X, y)
    more = np.column_stack([np.full(len(y), 3.7), X, X[:, 0], X[:, 2] * 1000 + 7])
    more = model.fit(more, y)
    assert more.tree_.n_leaves <= 10
    assert (
        abs(
            more.score(np.column_stack([np.full(len(y), 3.7), X, X[:, 0], X[:, 2] * 1000 + 7]), y)
            - score
        )
        < 0.05
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_column_repeated_but_for_rounding_is_no_kernel(seed):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, 500)
    centimetres = np.round(random.normal(170, 10, 500) + 5 * y, 1)
    inches = np.round(centimetres / 2.54, 4)
    X = np.column_stack([centimetres, inches, random.normal(size=500) + 4 * y])
    assert stump(MUST("all"), X, y).score(X, y) > 0.95


def test_three_of_three_columns_are_all():
    X, y = load_iris(return_X_y=True)
    trees = [
        TreeClassifier(split=MUST(s, concise=None), **BALANCED).fit(X[:, 1:], y).tree_
        for s in (3, 4, "all")
    ]
    assert trees[0] == trees[1] == trees[2]


def test_threads_do_not_matter(features):
    random = np.random.default_rng(4)
    X, y = random.normal(size=(3000, 8)), random.integers(0, 4, 3000)
    X += np.eye(8)[y] + np.eye(8)[(y + 3) % 8]
    model = TreeClassifier(split=MUST(features), max_depth=6, **BALANCED)
    one = clone(model).fit(X, y).tree_
    fits = Parallel(n_jobs=4, backend="threading")(
        delayed(clone(model).fit)(X, y) for _ in range(8)
    )
    assert all(fitted.tree_ == one for fitted in fits)
    pruned = [
        model.set_params(prune=CostComplexity(n_jobs=jobs), random_state=0).fit(X, y)
        for jobs in (1, 2)
    ]
    assert pruned[0].tree_ == pruned[1].tree_


# ---------------------------------------------------------------- edges


@pytest.mark.parametrize("selection", ["fisher", "mahalanobis", "forward"])
@pytest.mark.parametrize("features", [2, 3, "all"])
def test_columns_that_are_never_known_together_do_not_share_a_test(features, selection):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    y = (X.sum(axis=1) > 0).astype(int)
    X[:, 2:] *= 10 * (y[:, np.newaxis] - 0.5)  # the best columns, each in another half
    X[:30, 2] = X[30:, 3] = np.nan
    split = MUST(features, selection=selection, concise=None)
    columns = stump(split, X, y).tree_.node(0).predicate.columns
    assert len(columns) == (2 if features == 2 else 3)
    assert len({2, 3} & {*columns}) == 1


@pytest.mark.parametrize("table", [[[1.0]], [[1.0], [1.0]], [[1.0, np.nan], [np.nan, 2.0]]])
def test_tables_without_anything_to_find(features, table):
    y = [0, 1][: len(table)]
    assert TreeClassifier(split=MUST(features)).fit(table, y).tree_.n_leaves == 1


def test_numbers_too_large_to_be_squared_are_passed_over(features):
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([np.where(y == 0, 1e200, -1e200) * X[:, 0], X])
    model = TreeClassifier(split=MUST(features), **BALANCED).fit(X, y)
    assert model.score(X, y) > 0.95


def test_gaps(features):
    X, y = load_wine(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    least = 0.5 if features == "all" else 0.65  # half of the rows lack one of all the columns
    for missing in ("default", "fraction", "surrogate", "stop"):
        model = TreeClassifier(split=MUST(features), missing=missing, max_depth=3, **BALANCED)
        assert model.fit(X, y).score(X, y) > least, missing


@pytest.mark.parametrize("known", [0, 0.05, 0.3])
@pytest.mark.parametrize("selection", ["fisher", "mahalanobis", "forward"])
def test_a_column_that_is_mostly_missing_is_passed_over(features, selection, known):
    X, y = load_wine(return_X_y=True)
    random = np.random.default_rng(0)
    empty = np.where(random.random(len(y)) < known, random.normal(size=len(y)), np.nan)
    X = np.column_stack([empty, X])
    model = TreeClassifier(split=MUST(features, selection=selection), max_depth=3, **BALANCED)
    assert model.fit(X, y).score(X, y) > 0.9


def test_classes_of_equal_means_are_still_divided():
    X = np.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)], dtype=float)
    y = (X**2).sum(axis=1).astype(int)
    assert TreeClassifier(split=MUST(1)).fit(X, y).score(X, y) == 1.0


def test_categories_stand_beside_the_numbers():
    random = np.random.default_rng(0)
    kind = random.choice(["a", "b", "c"], 300)
    X = {"kind": kind, "u": random.normal(size=300), "v": random.normal(size=300)}
    y = np.where(kind == "a", X["u"] + X["v"] > 0, np.where(kind == "b", X["u"] > X["v"], False))
    model = TreeClassifier(split=MUST(2), categorical="multiway", **BALANCED, max_depth=2).fit(X, y)
    assert model.tree_.n_leaves == 5
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize(
    "wrong",
    [
        {"features": 0},
        {"features": "some"},
        {"features": 2.5},
        {"features": True},
        {"selection": "best"},
        {"multiclass": "pairs"},
        {"direction": "up"},
        {"small_sample": "none"},
        {"concise": "none"},
        {"concise": True},
    ],
)
def test_wrong_parameters_are_named(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"'{name}' parameter of MUST"):
        TreeClassifier(split=MUST(**wrong)).fit([[0.0], [1.0]], [0, 1])


def test_more_rows_than_a_block_and_both_layouts_give_one_tree(features):
    random = np.random.default_rng(3)
    X = random.normal(size=(5000, 6))
    y = (X @ [1, 2, 0, 1, 0, 3] + X[:, 0] * X[:, 2] > 0).astype(int)
    model = TreeClassifier(split=MUST(features), max_depth=5, **BALANCED)
    one = model.fit(np.ascontiguousarray(X), y).tree_
    assert model.fit(np.asfortranarray(X), y).tree_ == one
