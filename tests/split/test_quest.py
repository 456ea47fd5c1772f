"""QUEST: the point between two normal groups, numbers for levels, and the trees made of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

from treewright import TreeClassifier, TreeRegressor, _core, predicates
from treewright.estimators import GrowthRules
from treewright.splits import CRUISE, FACT, QUEST

seeds = st.integers(0, 2**32 - 1)
sizes = st.floats(0.05, 20.0)


def stump(X, y, weights=None, **parameters):
    parameters = {"split": QUEST(), "readable": False, "max_depth": 1, **parameters}
    return TreeClassifier(**parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


# ---------------------------------------------------------------- the point


@given(
    share=st.floats(0.05, 0.95),
    distance=st.floats(0.01, 30.0),
    deviations=st.tuples(sizes, sizes),
)
def test_the_point_solves_the_equation_of_the_densities(share, distance, deviations):
    a, b = deviations
    point = _core.normal_point(share, 1.0, a * a, 1 - share, 1.0 + distance, b * b)

    def difference(x):
        return (math.log(share) + norm.logpdf(x, 1.0, a)) - (
            math.log(1 - share) + norm.logpdf(x, 1.0 + distance, b)
        )

    middle = 1.0 + distance / 2
    if abs(difference(point)) > 1e-6 * (1 + abs(norm.logpdf(point, 1.0, a))):
        assert point == pytest.approx(middle)  # there is no root
        grid = np.linspace(1.0 - 60 * a - 60 * b, 1.0 + distance + 60 * (a + b), 20_001)
        signs = np.sign(difference(grid))
        assert (signs == signs[0]).all()
    elif difference(1.0) > 0 > difference(1.0 + distance):
        # One root lies between the means, and it is the one taken.
        assert point == pytest.approx(brentq(difference, 1.0, 1.0 + distance), rel=1e-6)


@given(
    share=st.floats(0.05, 0.95), means=st.tuples(sizes, sizes), variances=st.tuples(sizes, sizes)
)
def test_it_does_not_matter_which_group_is_first(share, means, variances):
    (a, b), (u, v) = means, variances
    assume(a != b)
    one = _core.normal_point(share, a, u, 1 - share, b, v)
    assert _core.normal_point(1 - share, b, v, share, a, u) == pytest.approx(one, rel=1e-9)
    mirrored = _core.normal_point(share, -a, u, 1 - share, -b, v)
    assert mirrored == pytest.approx(-one, rel=1e-6, abs=1e-9)
    moved = _core.normal_point(share, 3 * a + 7, 9 * u, 1 - share, 3 * b + 7, 9 * v)
    assert moved == pytest.approx(3 * one + 7, rel=1e-6, abs=1e-6)


def test_points_without_an_equation():
    # Equal variances: the middle, moved away from the larger group.
    assert _core.normal_point(0.5, 0, 4, 0.5, 10, 4) == pytest.approx(5.0)
    assert _core.normal_point(0.8, 0, 4, 0.2, 10, 4) == pytest.approx(5 + 0.4 * math.log(4))
    # No spread in a group, or nothing that tells the groups apart: the middle.
    assert _core.normal_point(0.5, 0, 0, 0.5, 10, 4) == 5.0
    assert _core.normal_point(0.5, 3, 2, 0.5, 3, 2) == 3.0
    # A wide, frequent group above a narrow, rare one everywhere: the middle.
    assert _core.normal_point(0.01, 0, 1, 0.99, 1, 9) == 0.5
    # Equal means: the lower of the two roots.
    assert _core.normal_point(0.5, 1, 1, 0.5, 1, 9) == pytest.approx(
        1 - math.sqrt(math.log(9) * 9 / 8)
    )


@given(seed=seeds)
def test_two_classes_are_cut_where_quadratic_discriminant_analysis_does(seed):
    random = np.random.default_rng(seed)
    y = np.arange(60) % 3 == 0
    x = random.normal(2.5 * y, 1 + y * random.random())
    analysis = QuadraticDiscriminantAnalysis(store_covariance=True).fit(x[:, None], y)
    shares, means = analysis.priors_, analysis.means_[:, 0]
    a, b = (covariance[0, 0] for covariance in analysis.covariance_)
    point = _core.normal_point(shares[0], means[0], a, shares[1], means[1], b)
    assert analysis.decision_function([[point]])[0] == pytest.approx(0.0, abs=1e-8)
    # The tree's variances have the divisor n - 1, those of the analysis n.
    a, b = x[~y].var(ddof=1), x[y].var(ddof=1)
    point = _core.normal_point(shares[0], means[0], a, shares[1], means[1], b)
    assert root(stump(x[:, None], y)).threshold == pytest.approx(point, rel=1e-9, abs=1e-9)


# ---------------------------------------------------------------- super-classes


def test_classes_are_grouped_by_their_means():
    # Means 0, 1 and 10 on the column: the first two go together.
    random = np.random.default_rng(0)
    y = np.arange(300) % 3
    x = random.normal(np.array([0.0, 1.0, 10.0])[y])
    group = y == 2
    expected = _core.normal_point(
        200, x[~group].mean(), x[~group].var(ddof=1), 100, x[group].mean(), x[group].var(ddof=1)
    )
    assert root(stump(x[:, None], y)).threshold == pytest.approx(expected, rel=1e-9)


def test_classes_of_one_mean_are_divided_into_the_largest_and_the_others():
    side = np.array([1.0, -1.0])
    x = np.concatenate([np.repeat(0.5 * side, 20), np.repeat(3 * side, 10), np.repeat(9 * side, 5)])
    y = np.repeat([0, 1, 2], [40, 20, 10])
    others = x[y > 0]
    expected = _core.normal_point(40, 0.0, x[y == 0].var(ddof=1), 30, 0.0, others.var(ddof=1))
    model = stump(x[:, None], y)
    assert root(model).threshold == pytest.approx(expected, rel=1e-9)
    assert expected < -0.5


# ---------------------------------------------------------------- levels


def crimcoord_by_indicators(levels, labels):
    """Indicator matrix, full rank by its singular vectors, discriminant analysis of the rows."""
    indicators = (levels[:, None] == np.unique(levels)).astype(float)
    centred = indicators - indicators.mean(axis=0)
    _, singular, right = np.linalg.svd(centred, full_matrices=False)
    rank = int((singular > 1e-9).sum())
    scores = centred @ right[:rank].T
    analysis = LinearDiscriminantAnalysis(solver="eigen").fit(scores, labels)
    first = scores @ analysis.scalings_[:, 0]
    return np.array([first[levels == level][0] for level in np.unique(levels)])


@given(seed=seeds)
def test_crimcoords_are_discriminant_coordinates_of_indicators(seed):
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, 200)
    levels = (labels * random.integers(0, 2, 200) + random.integers(0, 4, 200)) % 5
    counts = np.zeros((5, 3))
    np.add.at(counts, (levels, labels), 1)
    found = _core.crimcoord(counts)[counts.sum(axis=1) > 0]
    expected = crimcoord_by_indicators(levels, labels)
    assert abs(np.corrcoef(found, expected)[0, 1]) == pytest.approx(1.0, abs=1e-7)


@given(seed=seeds)
def test_for_two_classes_crimcoords_follow_the_share_of_a_class(seed):
    counts = np.random.default_rng(seed).integers(1, 30, size=(6, 2)).astype(float)
    shares = counts[:, 1] / counts.sum(axis=1)
    found = _core.crimcoord(counts)
    assume(found.size and np.ptp(shares) > 1e-3)
    assert abs(np.corrcoef(found, shares)[0, 1]) == pytest.approx(1.0, abs=1e-9)


def test_levels_that_do_not_differ_have_no_coordinate():
    assert _core.crimcoord(np.array([[2.0, 4.0], [1.0, 2.0]])).size == 0
    assert _core.crimcoord(np.array([[2.0, 0.0], [1.0, 0.0]])).size == 0
    found = _core.crimcoord(np.array([[5.0, 1.0], [0.0, 0.0], [1.0, 5.0]]))
    assert np.isnan(found[1])
    assert found[0] == pytest.approx(-found[2])


def test_a_categorical_column_is_divided_into_two_sets():
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 400)
    likely, rare = ["oak", "elm"], ["fir", "yew", "ash"]
    level = [str(random.choice(likely if label ^ (random.random() < 0.1) else rare)) for label in y]
    model = stump({"tree": level, "noise": random.normal(size=400)}, y)
    sides = [sorted(rule.split(" then ")[0] for rule in model.rules())]
    assert isinstance(root(model), predicates.Subset)
    assert sides == [["if tree in {ash, fir, yew}", "if tree in {elm, oak} or unseen"]]


# ---------------------------------------------------------------- discriminant coordinate


def test_the_linear_test_is_the_largest_discriminant_coordinate():
    for load in (load_iris, load_wine):
        X, y = load(return_X_y=True)
        test = root(stump(X, y, split=QUEST(linear=True)))
        scalings = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, 0]
        ratio = np.array(test.coefficients) / scalings
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)
        assert max(map(abs, test.coefficients)) == pytest.approx(1.0)


def test_constant_and_repeated_columns_change_nothing():
    X, y = load_iris(return_X_y=True)
    plain = stump(X, y, split=QUEST(linear=True))
    more = np.column_stack([np.full(150, 7.0), X, X[:, 2] * 3 - 1])
    other = stump(more, y, split=QUEST(linear=True))
    np.testing.assert_array_equal(plain.apply(X), other.apply(more))
    assert 0 not in root(other).columns


# ---------------------------------------------------------------- trees


def test_weights_are_as_repeated_rows_for_the_point():
    random = np.random.default_rng(2)
    y = np.arange(90) % 2
    x = random.normal(2.0 * y)[:, None]
    weights = random.integers(1, 4, 90)
    # Divisors of variances count rows, so the points differ a little.
    one = root(stump(x, y, weights)).threshold
    other = root(stump(np.repeat(x, weights, axis=0), np.repeat(y, weights))).threshold
    assert one == pytest.approx(other, abs=0.02)
    assert root(stump(x, y, np.full(90, 3.0))).threshold == root(stump(x, y)).threshold


@pytest.mark.parametrize("linear", [False, True])
@given(seed=seeds)
def test_names_and_order_of_classes_and_rows_do_not_matter(linear, seed):
    random = np.random.default_rng(seed)
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    X = random.normal(size=(60, 3)) + (y == "b")[:, None] + 2 * (y == "c")[:, None]
    order = random.permutation(60)
    renamed = np.array(["z", "y", "x"])[np.searchsorted(["a", "b", "c"], y)]
    # In a node of four rows the discriminant in three columns is one of many.
    enough = {"split": QUEST(linear=linear), "max_depth": 3, "min_samples_split": 12}
    one = stump(X, y, **enough)
    other = stump(X[order], renamed[order], **enough)
    np.testing.assert_array_equal(one.apply(X), other.apply(X))


def test_a_point_that_leaves_too_few_rows_gives_way():
    # The point lies beyond all rows; the middle of the means does not.
    x = np.concatenate([np.linspace(0, 1, 95), np.linspace(1.0, 2.0, 5)])
    y = np.repeat([0, 1], [95, 5])
    assert stump(x[:, None], y).tree_.n_leaves == 2
    # Nothing on this column leaves 40 rows on both sides, the next column does.
    table = np.column_stack([x, np.arange(100) % 2])
    model = stump(table, y, min_samples_leaf=40, growth_rules=GrowthRules(zero_gain=True))
    assert root(model).column == 1


def test_numbers_are_refused():
    with pytest.raises(ValueError, match="QUEST is for classification only"):
        TreeRegressor(split=QUEST()).fit(np.arange(6.0)[:, None], np.arange(6.0))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [({"alpha": 0.0}, "'alpha' parameter of QUEST"), ({"linear": "yes"}, "'linear' parameter")],
)
def test_wrong_parameters(parameters, words):
    with pytest.raises(ValueError, match=words):
        stump(np.zeros((3, 1)), [0, 1, 1], split=QUEST(**parameters))


# ---------------------------------------------------------------- edges


def test_means_beyond_whole_numbers_end_the_grouping():
    means = 2.0**55 + np.array(
        [64, 56, 104, 96, 64, 16, 40, 96, 112, 104, 112, 8, 48, 0, 8, 32], dtype=float
    )
    model = TreeClassifier(split=QUEST(), max_depth=1, growth_rules=GrowthRules(zero_gain=True))
    assert model.fit(np.repeat(means, 2)[:, None], np.repeat(range(16), 2)).tree_.n_leaves == 2


@pytest.mark.parametrize("split", [QUEST(), QUEST(linear=True)])
def test_a_large_offset_does_not_matter_for_the_point(split):
    random = np.random.default_rng(0)
    y = np.arange(400) % 2
    x = 1e15 + random.normal(0, 50, 400) + 1000 * y
    assert stump(x[:, None], y, split=split).score(x[:, None], y) == 1.0


def test_classes_of_two_rows_do_not_prefer_the_first_column():
    chosen = np.zeros(5, int)
    for seed in range(100):
        X = np.random.default_rng(seed).normal(size=(20, 5))
        chosen[root(stump(X, np.arange(20) % 10)).column] += 1
    assert chosen.max() < 45


def test_a_column_that_is_mostly_missing_does_not_end_a_linear_tree():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([np.where(np.arange(150) < 3, 1.0, np.nan), X])
    for split in (QUEST(linear=True), CRUISE(linear=True), FACT()):
        assert (
            TreeClassifier(split=split, growth_rules=GrowthRules(zero_gain=True), max_depth=3)
            .fit(X, y)
            .score(X, y)
            > 0.9
        )
