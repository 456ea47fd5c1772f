"""HHCART: principal axes, reflected spaces, and the trees made of them."""

from __future__ import annotations

import hhcart_twin
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from treewright import TreeClassifier, TreeRegressor, _core, predicates
from treewright.estimators import GrowthRules
from treewright.splits import HHCART, MUST

seeds = st.integers(0, 2**32 - 1)


def stump(X, y, split=None, weights=None, **parameters):
    parameters = {"readable": False, "max_depth": 1, **parameters}
    return TreeClassifier(split=split or HHCART(), **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def principal_axes(covariance):
    k = len(covariance)
    return np.reshape(_core.principal_axes(np.ravel(covariance).tolist(), k), (k, k))


def normal_of(test, n_columns):
    """The coefficients of all columns, of length 1."""
    normal = np.zeros(n_columns)
    normal[list(test.columns)] = getattr(test, "coefficients", 1.0)
    return normal / np.linalg.norm(normal)


def clouds(random, n_rows, n_columns, n_classes):
    """Classes that lie slanting, each in a direction of its own."""
    y = np.arange(n_rows) % n_classes
    turns = random.normal(size=(n_classes, n_columns, n_columns))
    X = np.einsum("nij,nj->ni", turns[y], random.normal(size=(n_rows, n_columns)))
    return X + random.normal(size=(n_classes, n_columns))[y], y


# ---------------------------------------------------------------- principal axes


@given(seed=seeds, k=st.integers(1, 6))
def test_principal_axes_are_eigenvectors_in_order_with_a_fixed_sign(seed, k):
    root_of = np.random.default_rng(seed).normal(size=(k, k))
    covariance = root_of @ root_of.T
    axes = principal_axes(covariance)
    values = np.einsum("ai,ij,aj->a", axes, covariance, axes)
    np.testing.assert_allclose(axes @ axes.T, np.eye(k), atol=1e-12)
    np.testing.assert_allclose(covariance @ axes.T, axes.T * values, atol=1e-9)
    assert (np.diff(values) <= 1e-9).all()
    assert (axes[:, 0] <= 1e-9).all()
    np.testing.assert_allclose(axes, hhcart_twin.principal_axes(covariance), atol=1e-6)


def test_the_vector_of_the_specification():
    axes = principal_axes([[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose(axes, [[-(0.5**0.5), -(0.5**0.5)], [-(0.5**0.5), 0.5**0.5]])
    expected = [[0.70710678, 0.70710678], [0.70710678, -0.70710678]]
    np.testing.assert_allclose(hhcart_twin.householder(-axes[0]), expected, atol=1e-8)


@given(seed=seeds, k=st.integers(2, 6), data=st.data())
def test_axes_of_equal_eigenvalues_do_not_depend_on_rounding(seed, k, data):
    random = np.random.default_rng(seed)
    turn = np.linalg.qr(random.normal(size=(k, k)))[0]
    some = st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=k - 1, max_size=k - 1)
    values = np.array([3.0, *data.draw(some)])
    covariance = turn * values @ turn.T
    noise = random.normal(size=(k, k)) * 1e-16
    axes = principal_axes(covariance)
    np.testing.assert_allclose(principal_axes(covariance + noise + noise.T), axes, atol=1e-6)
    np.testing.assert_allclose(axes @ axes.T, np.eye(k), atol=1e-9)
    ordered = np.sort(values)[::-1]
    np.testing.assert_allclose(covariance @ axes.T, axes.T * ordered, atol=1e-7)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_axes_of_a_ball_are_the_columns(k):
    np.testing.assert_array_equal(principal_axes(3.0 * np.eye(k)), -np.eye(k))


def test_axes_of_small_columns_are_not_taken_for_equal():
    # Standard deviations 1, 1e-6 and 1e-7: eigenvalues far below that of the first.
    random = np.random.default_rng(0)
    turn = np.linalg.qr(random.normal(size=(2, 2)))[0]
    covariance = np.eye(3)
    covariance[1:, 1:] = turn * [1e-12, 1e-14] @ turn.T
    axes = principal_axes(covariance)
    assert abs(axes[1, 1:] @ turn[:, 0]) == pytest.approx(1.0, abs=1e-3)


# ---------------------------------------------------------------- the second implementation


@pytest.mark.long
@pytest.mark.parametrize("reflections", ["all", "dominant"])
@pytest.mark.parametrize("measure", ["gini", "twoing", "entropy"])
@given(
    seed=seeds,
    n_columns=st.integers(1, 4),
    n_classes=st.integers(2, 3),
    standardize=st.booleans(),
    weighted=st.booleans(),
    min_leaf=st.integers(1, 3),
)
def test_the_split_is_the_best_of_all_in_all_reflected_tables(
    reflections, measure, seed, n_columns, n_classes, standardize, weighted, min_leaf
):
    random = np.random.default_rng(seed)
    # Enough rows of each class for eigenvalues above 0: equal ones have no axes of their own.
    n_rows = n_classes * (n_columns + 2) + int(random.integers(0, 8))
    X, y = clouds(random, n_rows, n_columns, n_classes)
    w = random.uniform(0.2, 3.0, len(y)) if weighted else np.ones(len(y))
    split = HHCART(reflections, standardize=standardize)
    model = stump(
        X,
        y,
        split,
        w,
        criterion=measure,
        min_samples_leaf=min_leaf,
        growth_rules=GrowthRules(zero_gain=True),
    )
    settings = {"measure": measure, "min_leaf": min_leaf}
    cuts = hhcart_twin.cuts(X, y, w, reflections=reflections, standardize=standardize, **settings)
    best = max(cut.gain for cut in cuts)
    if not np.isfinite(best):
        assert model.tree_.n_leaves == 1
        return
    assert model.tree_.core.gain[0] == pytest.approx(best, rel=1e-9, abs=1e-9)
    normal = normal_of(root(model), n_columns)
    parallel = [abs(normal @ cut.normal) / np.linalg.norm(cut.normal) for cut in cuts]
    assert max(
        cut.gain for cut, share in zip(cuts, parallel, strict=True) if share > 1 - 1e-9
    ) == pytest.approx(best, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("reflections", ["all", "dominant"])
@pytest.mark.parametrize("measure", ["gini", "twoing", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_tables_are_searched_as_thoroughly(reflections, measure, weighted):
    # Most columns are told apart by a coarse look; here all of them are sorted, as plain tables.
    for seed in range(5):
        random = np.random.default_rng(seed)
        X, y = clouds(random, 1500, 4, 5)
        X = X * (1.0 + 0.5 * random.standard_t(2, X.shape)) if seed % 2 else X
        w = random.uniform(0.2, 3.0, len(y)) if weighted else np.ones(len(y))
        tables = [X]
        for label in range(5):
            rows = y == label
            axes = hhcart_twin.principal_axes(np.cov(X[rows].T, aweights=w[rows], ddof=0))
            axes = axes if reflections == "all" else axes[:1]
            tables += [X @ mirror for mirror in hhcart_twin.mirrors(axes)]
        best = max(
            stump(table, y, "axis", w, criterion=measure).tree_.core.gain[0] for table in tables
        )
        found = stump(X, y, HHCART(reflections), w, criterion=measure).tree_.core.gain[0]
        assert found == pytest.approx(best, rel=1e-9)


@pytest.mark.long
@given(seed=seeds, n_classes=st.integers(2, 3))
def test_coarse_numbers_are_judged_as_by_the_second_implementation(seed, n_classes):
    # Ties along every direction, and classes of few different rows.
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 4, (16, 2)).astype(float), random.integers(0, n_classes, 16)
    covariances = [np.cov(X[y == c].T) for c in np.unique(y) if (y == c).sum() > 1]
    values = [np.linalg.eigvalsh(covariance) for covariance in covariances]
    if len(np.unique(y)) < 2 or any(high - low < 1e-6 for low, high in values):
        return  # nothing to divide, or axes that could be turned
    cuts = hhcart_twin.cuts(X, y, np.ones(16))
    best = max(cut.gain for cut in cuts)
    gain = stump(X, y, growth_rules=GrowthRules(zero_gain=True)).tree_.core.gain[0]
    assert gain == pytest.approx(max(best, 0.0), abs=1e-9)


@pytest.mark.parametrize("end", [1, -1])
def test_both_signs_of_an_axis_are_tried(end):
    # The best cut lies along the one mirror in some of these tables, along the other in others.
    found = set()
    for seed in range(12):
        X, y = clouds(np.random.default_rng(seed), 60, 3, 2)
        normal = normal_of(root(stump(X, y)), 3)
        axes = [axis for c in (0, 1) for axis in hhcart_twin.principal_axes(np.cov(X[y == c].T))]
        columns = [column for axis in axes for column in hhcart_twin.householder(end * axis).T[1:]]
        found.add(max(abs(normal @ column) for column in columns) > 1 - 1e-9)
    assert found == {True, False}


def test_an_axis_next_to_the_first_column_is_reflected_without_loss():
    # The mirror that turns the first column by a millionth.
    random = np.random.default_rng(0)
    X = random.normal(size=(90, 3)) * [100.0, 1.0, 0.5]
    X[:, 1] += 1e-6 * X[:, 0]
    y = (X @ [1e-6, -1.0, 0.02] > 0).astype(int)
    best = max(cut.gain for cut in hhcart_twin.cuts(X, y, np.ones(90)))
    assert stump(X, y).tree_.core.gain[0] == pytest.approx(best, rel=1e-9)


# ---------------------------------------------------------------- trees


def test_classes_along_a_slanting_line_need_one_test():
    random = np.random.default_rng(1)
    y = np.arange(200) % 2
    along, across = random.normal(0, 3, 200), random.normal(0, 0.1, 200) + y
    X = np.column_stack([along + across, along - across])
    for reflections in ("all", "dominant"):
        model = TreeClassifier(split=HHCART(reflections)).fit(X, y)
        assert model.tree_.n_leaves == 2
        assert root(model).coefficients == pytest.approx((1.0, -1.0), abs=0.05)


@pytest.mark.parametrize("reflections", ["all", "dominant"])
@given(seed=seeds)
def test_no_test_is_worse_than_one_of_a_column(reflections, seed):
    random = np.random.default_rng(seed)
    X, y = clouds(random, 80, 4, 3)
    oblique, axis = (stump(X, y, split) for split in (HHCART(reflections), "axis"))
    assert oblique.tree_.core.gain[0] >= axis.tree_.core.gain[0] - 1e-9


def test_where_a_column_is_as_good_the_test_is_on_the_column():
    X = np.column_stack([np.arange(20.0), np.random.default_rng(0).normal(size=20)])
    assert isinstance(root(stump(X, np.arange(20) >= 10)), predicates.Axis)


@pytest.mark.parametrize("split", [HHCART(), HHCART("dominant", standardize=True)])
@given(seed=seeds)
def test_names_of_classes_and_order_of_rows_do_not_matter(split, seed):
    random = np.random.default_rng(seed)
    X, y = clouds(random, 60, 3, 3)
    order, names = random.permutation(60), random.permutation(["a", "b", "c"])
    one = stump(X, y, split, max_depth=None)
    other = stump(X[order], names[y][order], split, max_depth=None)
    np.testing.assert_array_equal(one.apply(X), other.apply(X))
    np.testing.assert_array_equal(names[one.predict(X)], other.predict(X))


@pytest.mark.parametrize("split", [HHCART(), HHCART("dominant", standardize=True)])
@given(seed=seeds)
def test_a_row_of_weight_2_is_two_rows(split, seed):
    random = np.random.default_rng(seed)
    X, y = clouds(random, 40, 3, 2)
    weights = random.integers(1, 4, 40)
    heavy = stump(X, y, split, 0.3 * weights, max_depth=3)
    repeated = stump(np.repeat(X, weights, axis=0), np.repeat(y, weights), split, max_depth=3)
    np.testing.assert_array_equal(heavy.apply(X), repeated.apply(X))


@given(seed=seeds)
def test_units_matter_unless_columns_are_standardised(seed):
    random = np.random.default_rng(seed)
    X, y = clouds(random, 60, 3, 2)
    units = 10.0 ** random.integers(-6, 7, 3)
    one, other = (stump(table, y, HHCART(standardize=True)) for table in (X, X * units + 5 * units))
    np.testing.assert_array_equal(one.apply(X), other.apply(X * units + 5 * units))
    all_alike = stump(1000.0 * X - 7.0, y)
    np.testing.assert_array_equal(stump(X, y).apply(X), all_alike.apply(1000.0 * X - 7.0))


def test_published_axes_are_those_of_the_units_given():
    X, y = load_wine(return_X_y=True)
    plain, standard = (root(stump(X, y, HHCART(standardize=s))) for s in (False, True))
    assert plain != standard


def test_units_of_very_different_size_are_told_apart():
    # The second column matters through its slope on the first, 1e-8 of its size.
    random = np.random.default_rng(0)
    y = np.arange(200) % 2
    salary = random.normal(0, 1e5, 200)
    ratio = 1e-8 * salary + 1e-4 * random.normal(size=200) + 2e-3 * y
    assert (
        stump(np.column_stack([salary, ratio]), y).score(np.column_stack([salary, ratio]), y) == 1
    )


def test_twenty_six_classes_some_of_one_row():
    random = np.random.default_rng(0)
    X, y = clouds(random, 300, 4, 26)
    X, y = np.vstack([X, [[90.0, 90.0, 0.0, 0.0]]]), np.append(y, 26)
    model = TreeClassifier(split=HHCART("dominant")).fit(X, y)
    assert model.score(X, y) == 1.0
    only = stump(X[:2], y[:2])  # classes of one row each
    assert isinstance(root(only), predicates.Axis)


def test_constant_and_repeated_columns_change_nothing():
    X, y = load_iris(return_X_y=True)
    constant = np.column_stack([X[:, 0], np.full(150, 7.0), X[:, 1:]])
    np.testing.assert_array_equal(
        stump(X, y, max_depth=3).apply(X), stump(constant, y, max_depth=3).apply(constant)
    )
    repeated = np.column_stack([X, X[:, 1] * 2 + 1])
    assert stump(repeated, y, max_depth=None).score(repeated, y) == 1.0
    assert stump(np.ones((6, 2)), [0, 1] * 3).tree_.n_leaves == 1


def test_rows_with_a_gap_take_no_part_in_the_axes():
    random = np.random.default_rng(3)
    y = np.arange(200) % 2
    along, across = random.normal(0, 3, 200), random.normal(0, 0.1, 200) + y
    X = np.column_stack([along + across, along - across])
    X[::10, 1] = np.nan
    complete = ~np.isnan(X[:, 1])
    gaps = stump(X, y, missing="stop")
    alone = stump(X[complete], y[complete], missing="stop")
    assert root(gaps).coefficients == pytest.approx(root(alone).coefficients)
    X[::2, 1] = np.nan  # most of one class, all of it less a few rows
    assert stump(X, y, growth_rules=GrowthRules(zero_gain=True)).tree_.n_leaves == 2


def test_few_columns_are_those_of_must():
    X, y = load_wine(return_X_y=True)
    for n in (2, 3):
        short = root(stump(X, y, HHCART(features=n, standardize=True)))
        assert (
            short.columns
            == root(stump(X, y, MUST(n, selection="mahalanobis", concise=None))).columns
        )
    assert len(root(stump(X, y)).columns) > 3


def test_numbers_are_refused():
    with pytest.raises(ValueError, match="HHCART is for classification only"):
        TreeRegressor(split=HHCART()).fit(np.arange(6.0)[:, None], np.arange(6.0))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"reflections": "some"}, "'reflections' parameter of HHCART must be 'all' or 'dominant'"),
        ({"standardize": 1}, "'standardize' parameter of HHCART"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        stump(np.zeros((3, 1)), [0, 1, 1], HHCART(**parameters))
