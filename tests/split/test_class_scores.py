"""FACT and CRUISE: a branch a class, by linear scores of several columns or intervals of one."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from treewright import TreeClassifier, TreeRegressor, load, predicates, recipes
from treewright.splits import CRUISE, FACT

seeds = st.integers(0, 2**32 - 1)
ALL = [FACT(0.0, f_to_enter=0.0), CRUISE(linear=True, components=0.0)]


def stump(X, y, split, weights=None, **parameters):
    parameters = {"readable": False, "max_depth": 1, **parameters}
    return TreeClassifier(split=split, **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def clouds(seed, n_classes=4, n_columns=3, n_rows=120):
    random = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    means = 3 * random.normal(size=(n_classes, n_columns))
    mixing = random.normal(size=(n_columns, n_columns))
    return means[y] + random.normal(size=(n_rows, n_columns)) @ mixing, y


# ---------------------------------------------------------------- several columns


@pytest.mark.parametrize("split", ALL, ids=repr)
@given(seed=seeds)
def test_branches_are_the_classes_that_discriminant_analysis_predicts(split, seed):
    X, y = clouds(seed)
    analysis = LinearDiscriminantAnalysis().fit(X, y)
    model = stump(X, y, split)
    predicted = analysis.predict(X)
    if model.tree_.n_nodes == 1:
        assert len(set(predicted)) == 1
        return
    ends = model.apply(X)
    scores = analysis.decision_function(X)
    best, second = np.sort(scores, axis=1)[:, [-1, -2]].T
    clear = best - second > 1e-6
    pairs = set(zip(predicted[clear].tolist(), ends[clear].tolist(), strict=True))
    assert len(pairs) == len({c for c, _ in pairs}) == len({e for _, e in pairs})


@pytest.mark.parametrize("loader", [load_iris, load_wine])
def test_scores_are_those_of_discriminant_analysis(loader):
    X, y = loader(return_X_y=True)
    test = root(stump(X, y, ALL[0]))
    # Its pooled variance has the divisor n; ours, as in most books, n less the number of classes.
    analysis = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    shares = np.log(analysis.priors_)
    factor = (len(y) - 3) / len(y)
    assert isinstance(test, predicates.Machine)
    expected = np.column_stack(
        [analysis.coef_ * factor, (analysis.intercept_ - shares) * factor + shares]
    )
    found = np.column_stack([test.coefficients, test.intercepts])
    np.testing.assert_allclose(found, expected - expected[0], rtol=1e-6, atol=1e-6)


def test_small_components_are_left_out():
    # Two columns that differ by a little noise: their difference is a small component.
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    X[:, 1] = X[:, 0] + 0.05 * random.normal(size=300)
    y = np.arange(300) % 3
    X[:, 0] += 0.1 * y
    X[:, 2] += y
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    components = PCA().fit(standard)
    kept = components.explained_variance_ > 0.05 * components.explained_variance_[0]
    assert kept.tolist() == [True, True, False]
    scores = components.transform(standard)[:, kept]
    analysis = LinearDiscriminantAnalysis().fit(scores, y)
    model = stump(X, y, FACT(f_to_enter=0.0))
    ends, predicted = model.apply(X), analysis.predict(scores)
    assert len(set(zip(predicted.tolist(), ends.tolist(), strict=True))) == 3
    assert stump(X, y, ALL[0]).score(X, y) > model.score(X, y) + 0.1


def test_growth_stops_where_no_column_reaches_the_f_ratio():
    X, y = load_iris(return_X_y=True)
    largest = max(
        scipy.stats.f_oneway(*(X[y == c, j] for c in range(3))).statistic for j in range(4)
    )
    assert stump(X, y, FACT(f_to_enter=largest * (1 + 1e-9))).tree_.n_leaves == 1
    assert stump(X, y, FACT(f_to_enter=largest * (1 - 1e-9))).tree_.n_leaves == 3
    random = np.random.default_rng(0)
    noise, coin = random.normal(size=(200, 2)), random.integers(0, 2, 200)
    assert stump(noise, coin, FACT(), max_depth=None).tree_.n_leaves < 5


def test_two_branches_are_a_linear_test():
    X, y = load_iris(return_X_y=True)
    two = y > 0
    test = root(stump(X[two], y[two], ALL[0]))
    analysis = LinearDiscriminantAnalysis().fit(X[two], y[two])
    assert isinstance(test, predicates.Linear)
    ratio = np.array([*test.coefficients, -test.threshold]) / [
        *analysis.coef_[0],
        *analysis.intercept_,
    ]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


@pytest.mark.parametrize("split", [*ALL, CRUISE()], ids=repr)
@given(seed=seeds)
def test_units_names_and_order_do_not_matter(split, seed):
    X, y = clouds(seed)
    random = np.random.default_rng(seed)
    order, names = random.permutation(len(y)), random.permutation(4)
    scales = np.array([1000.0, 0.01, 3.0])
    one = stump(X, y, split, max_depth=2)
    if split == CRUISE():  # a power transform knows units, but no shift of what is not positive
        other = stump((X * scales)[order], names[y][order], split, max_depth=2)
        ends = other.apply(X * scales)
    else:
        other = stump((X * scales + 5)[order], names[y][order], split, max_depth=2)
        ends = other.apply(X * scales + 5)
    pairs = set(zip(one.apply(X).tolist(), ends.tolist(), strict=True))
    assert len(pairs) == one.tree_.n_leaves == other.tree_.n_leaves


def test_constant_repeated_and_too_many_columns():
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    assert 0 not in root(stump(more, y, ALL[0])).columns
    np.testing.assert_array_equal(
        stump(more, y, ALL[0]).predict(more), stump(X, y, ALL[0]).predict(X)
    )
    random = np.random.default_rng(0)
    wide = random.normal(size=(12, 30))
    model = stump(wide, np.arange(12) % 3, ALL[0])
    assert model.tree_.n_leaves == 3


def test_weights_are_as_repeated_rows_but_for_the_divisor():
    X, y = clouds(3)
    weights = np.random.default_rng(3).integers(1, 4, len(y))
    one = stump(X, y, ALL[0], weights)
    other = stump(np.repeat(X, weights, axis=0), np.repeat(y, weights), ALL[0])
    assert (one.apply(X) == other.apply(X)).mean() > 0.97
    np.testing.assert_array_equal(
        stump(X, y, ALL[0], np.full(len(y), 0.3)).apply(X), stump(X, y, ALL[0]).apply(X)
    )


# ---------------------------------------------------------------- one column


@given(seed=seeds)
def test_intervals_are_those_of_discriminant_analysis(seed):
    X, y = clouds(seed, n_columns=1)
    analysis = LinearDiscriminantAnalysis().fit(X, y)
    model = stump(X, y, CRUISE(transform=False))
    scores = analysis.decision_function(X)
    best, second = np.sort(scores, axis=1)[:, [-1, -2]].T
    clear = best - second > 1e-6
    predicted, ends = analysis.predict(X)[clear], model.apply(X)[clear]
    pairs = set(zip(predicted.tolist(), ends.tolist(), strict=True))
    assert len(pairs) == len({c for c, _ in pairs}) == len({e for _, e in pairs})


def test_the_power_is_that_of_the_greatest_likelihood():
    # Classes that are normal after taking logarithms: cuts lie where they do on logarithms.
    random = np.random.default_rng(1)
    y = np.arange(600) % 3
    logarithms = random.normal(2.0 * y, 0.7)
    cuts = LinearDiscriminantAnalysis().fit(logarithms[:, None], y)
    x = np.exp(logarithms)
    powers = np.arange(-2, 2.25, 0.25)
    likelihoods = [
        -len(x) / 2 * math.log(sum(z[y == c].var() for c in range(3)) / 3)
        + (power - 1) * logarithms.sum()
        for power in powers
        for z in [scipy.stats.boxcox(x, lmbda=power)]
    ]
    assert powers[int(np.argmax(likelihoods))] == 0.0
    ends = stump(x[:, None], y, CRUISE()).apply(x[:, None])
    predicted = cuts.predict(logarithms[:, None])
    assert len(set(zip(predicted.tolist(), ends.tolist(), strict=True))) == 3
    plain = stump(x[:, None], y, CRUISE(transform=False))
    assert plain.score(x[:, None], y) < (predicted == y).mean() - 0.03


def test_intervals_are_scores_with_whole_coefficients():
    random = np.random.default_rng(2)
    y = np.arange(300) % 3
    x = random.normal(10.0 * y)[:, None]
    test = root(stump(x, y, CRUISE()))
    assert test.coefficients == ((0.0,), (1.0,), (2.0,))
    cuts = -np.diff(test.intercepts)
    np.testing.assert_array_equal(
        stump(x, y, CRUISE()).apply(x) - 1, np.digitize(x[:, 0], cuts, right=True)
    )
    two = stump(x[y > 0], y[y > 0], CRUISE())
    assert isinstance(root(two), predicates.Axis)


def test_levels_go_to_the_branch_of_their_class():
    random = np.random.default_rng(3)
    names = np.array([["oak", "elm"], ["fir", "yew"], ["ash", "box"]])
    y = random.integers(0, 3, 600)
    likely = np.where(random.random(600) < 0.9, y, random.integers(0, 3, 600))
    level = names[likely, random.integers(0, 2, 600)]
    model = stump({"tree": level}, y, CRUISE())
    assert isinstance(root(model), predicates.Multiway)
    said = sorted(rule.split(" then ")[0] for rule in model.rules())
    sides = ["tree in {ash, box}", "tree in {elm, oak}", "tree in {fir, yew} or unseen"]
    assert said == [f"if {side}" for side in sides]


# ---------------------------------------------------------------- reading and using


@pytest.mark.parametrize("split", [FACT(), CRUISE(), CRUISE(linear=True)], ids=repr)
def test_a_tree_of_scores_is_as_good_as_any_other(split, tmp_path):
    pytest.importorskip("pandas")
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = TreeClassifier(split=split, min_samples_leaf=3, prune="cost_complexity").fit(X, y)
    assert model.score(X, y) > 0.85
    assert "largest score" in str(model.tree_)
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.tree_ == model.tree_
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert model.at(leaves=1).n_leaves == 1
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_readable_scores_are_short_and_route_alike():
    X, y = load_iris(return_X_y=True)
    exact, short = stump(X, y, FACT()), stump(X, y, FACT(), readable=True)
    np.testing.assert_array_equal(exact.apply(X), short.apply(X))
    test = root(short)
    assert max(abs(c) for row in test.coefficients for c in row) == 1.0
    numbers = [c for row in test.coefficients for c in row] + list(test.intercepts)
    assert numbers == [float(f"{number:.4g}") for number in numbers]


def test_a_row_that_lacks_a_column_of_the_scores_has_no_known_branch():
    X, y = load_iris(return_X_y=True)
    holes = X.copy()
    holes[::10, 1] = np.nan
    for missing in ("stop", "fraction", "default"):
        model = stump(holes, y, FACT(), missing=missing)
        ends = model.apply(holes)
        assert isinstance(root(model), predicates.Machine)
        assert (ends[::10] == 0).all() if missing == "stop" else (ends > 0).all()
    complete = np.delete(X, np.s_[::10], axis=0), np.delete(y, np.s_[::10])
    assert root(stump(*complete, FACT())) == root(stump(holes, y, FACT(), missing="stop"))


@pytest.mark.parametrize("name", ["FACT", "CRUISE"])
def test_numbers_and_twoing_are_refused(name):
    split = FACT() if name == "FACT" else CRUISE()
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=f"{name} is for classification only"):
        TreeRegressor(split=split).fit(X, X[:, 0])
    with pytest.raises(ValueError, match=f"{name} makes a branch per class, which twoing cannot"):
        TreeClassifier(split=split, criterion="twoing").fit(X, y)


@pytest.mark.parametrize("seed", range(6))
def test_fact_cuts_off_most_of_what_grows_on_levels_that_say_nothing(seed):
    random = np.random.default_rng(seed)
    X = {f"level {j}": random.choice(["a", "b", "c"], 500) for j in range(4)}
    X |= {f"number {j}": random.normal(size=500) for j in range(2)}
    y = random.integers(0, 2, 500)
    grown, left = (recipes.fact(**more).fit(X, y).tree_.n_leaves for more in ({"prune": None}, {}))
    assert left < grown / 2
