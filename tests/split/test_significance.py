"""Significance tests against SciPy, and the choice of a column that rests on them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from treewright import TreeClassifier, _core, splits
from treewright.estimators import GrowthRules

seeds = st.integers(0, 2**32 - 1)


def target_of(labels, weights=None):
    labels = np.asarray(labels, np.int32)
    weights = np.ones(len(labels)) if weights is None else np.asarray(weights, float)
    return _core.Target.classes(labels, int(labels.max()) + 1, weights)


def result_of(values, labels, kind, weights=None, n_levels=0):
    table = _core.Table(
        np.asarray(values, float).reshape(-1, 1), np.array([n_levels], dtype=np.int32)
    )
    return _core.significance(table, target_of(labels, weights), 0, kind)


def drawn(seed, n_rows=60, n_classes=4):
    random = np.random.default_rng(seed)
    labels = random.integers(0, n_classes, n_rows)
    labels[:n_classes] = np.arange(n_classes)
    values = random.normal(labels * random.random(), 1 + labels * random.random()).round(2)
    return random, values, labels


# ---------------------------------------------------------------- one column


@given(seed=seeds)
def test_f_is_that_of_scipy(seed):
    _, values, labels = drawn(seed)
    expected = scipy.stats.f_oneway(*(values[labels == c] for c in range(4)))
    statistic, numerator, denominator, log_p = result_of(values, labels, "f")
    assert statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert (numerator, denominator) == (3, 56)
    assert math.exp(log_p) == pytest.approx(expected.pvalue, rel=1e-8)


@given(seed=seeds)
def test_levene_is_that_of_scipy_around_the_mean(seed):
    _, values, labels = drawn(seed)
    groups = [values[labels == c] for c in range(4)]
    if any(len(group) < 2 for group in groups):
        return
    expected = scipy.stats.levene(*groups, center="mean")
    statistic, numerator, denominator, log_p = result_of(values, labels, "levene")
    assert statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert (numerator, denominator) == (3, 56)
    assert math.exp(log_p) == pytest.approx(expected.pvalue, rel=1e-8)


@given(seed=seeds)
def test_chi_square_is_that_of_scipy(seed):
    random, _, labels = drawn(seed)
    levels = random.integers(0, 5, len(labels))
    counts = np.zeros((7, 4))  # levels 5 and 6 do not occur
    np.add.at(counts, (levels, labels), 1)
    expected = scipy.stats.chi2_contingency(counts[counts.sum(axis=1) > 0], correction=False)
    statistic, degrees, denominator, log_p = result_of(levels, labels, "chi_square", n_levels=7)
    assert statistic == pytest.approx(expected.statistic)
    assert (degrees, denominator) == (expected.dof, 0)
    assert math.exp(log_p) == pytest.approx(expected.pvalue, rel=1e-8)


@pytest.mark.parametrize("kind", ["f", "levene", "chi_square"])
@given(seed=seeds)
def test_rows_without_a_value_or_weight_are_absent(kind, seed):
    random, values, labels = drawn(seed)
    n_levels = 5 if kind == "chi_square" else 0
    values = random.integers(0, 5, len(labels)).astype(float) if n_levels else values
    gone = random.random(len(labels)) < 0.3
    gone[:4] = False
    kept = result_of(values[~gone], labels[~gone], kind, n_levels=n_levels)
    holes = np.where(gone, np.nan, values)
    assert result_of(holes, labels, kind, n_levels=n_levels) == pytest.approx(kept)
    weightless = np.where(gone, 0.0, 1.0)
    assert result_of(values, labels, kind, weightless, n_levels) == pytest.approx(kept)


@pytest.mark.parametrize("kind", ["f", "levene", "chi_square"])
@given(seed=seeds)
def test_weights_count_by_their_shares(kind, seed):
    random, values, labels = drawn(seed)
    n_levels = 5 if kind == "chi_square" else 0
    values = random.integers(0, 5, len(labels)).astype(float) if n_levels else values
    weights = random.integers(1, 4, len(labels)).astype(float)
    found = result_of(values, labels, kind, weights, n_levels)
    assert result_of(values, labels, kind, weights * 0.37, n_levels) == pytest.approx(found)
    # A row of weight 2 adds as two to sums and tables, and as one to the number of rows.
    n = len(labels)
    twice = result_of(
        np.repeat(values, weights.astype(int)),
        np.repeat(labels, weights.astype(int)),
        kind,
        n_levels=n_levels,
    )
    ratio = n / weights.sum() if n_levels else (n - 4) / (weights.sum() - 4)
    assert found[0] == pytest.approx(twice[0] * ratio, rel=1e-9, abs=1e-12)


@given(seed=seeds, scale=st.sampled_from([-3.0, 0.01, 1e6]), shift=st.sampled_from([0.0, 1e4]))
def test_units_do_not_matter(seed, scale, shift):
    random, values, labels = drawn(seed)
    order = random.permutation(len(labels))
    names = random.permutation(4)
    for kind in ("f", "levene"):
        found = result_of(values, labels, kind)
        moved = result_of((values * scale + shift)[order], names[labels][order], kind)
        assert moved == pytest.approx(found, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "labels", "kind"),
    [
        ([1.0, 1.0, 1.0], [0, 1, 1], "f"),
        ([1.0, 2.0, 3.0], [0, 0, 0], "f"),
        ([1.0, 2.0], [0, 1], "f"),
        ([np.nan, np.nan, 1.0], [0, 1, 1], "f"),
        ([1.0, 1.0, 1.0], [0, 1, 1], "levene"),
        ([1.0, 1.0, 1.0], [0, 1, 1], "chi_square"),
    ],
)
def test_where_there_is_nothing_to_test(values, labels, kind):
    n_levels = 2 if kind == "chi_square" else 0
    assert result_of(values, labels, kind, n_levels=n_levels) == (0.0, 0.0, 0.0, 0.0)


def test_classes_without_spread_could_not_be_more_significant():
    statistic, *_, log_p = result_of([0.1, 0.1, 0.1, 0.7, 0.7], [0, 0, 0, 1, 1], "f")
    assert (statistic, log_p) == (math.inf, -math.inf)


# ---------------------------------------------------------------- very small p-values


@pytest.mark.parametrize("n_rows", [400, 4000])
def test_p_values_below_the_smallest_number_still_have_a_logarithm(n_rows):
    random = np.random.default_rng(0)
    labels = np.arange(n_rows) % 3
    noise, before = random.normal(size=n_rows), 0.0
    for shift in (0.5, 1.0, 2.0, 4.0, 8.0, 30.0):
        statistic, *degrees, log_p = result_of(labels * shift + noise, labels, "f")
        expected = scipy.stats.f.logsf(statistic, *degrees)
        if np.isfinite(expected):
            assert log_p == pytest.approx(expected, rel=1e-6)
        else:  # the integral of the density by its logarithm
            grid = statistic * np.exp(np.linspace(0, 1, 200_001))
            density = scipy.stats.f.logpdf(grid, *degrees) + np.log(grid)
            total = np.logaddexp.reduce(density) + math.log(1 / 200_000)
            assert log_p == pytest.approx(total, rel=1e-4)
        assert log_p < before
        before = log_p


def test_small_chi_square_tails_are_smooth():
    # Around 1e-290 the leading terms take over; ten levels, two classes.
    found = []
    for n_rows in range(1300, 1500, 20):
        levels = np.arange(n_rows) % 10
        statistic, degrees, _, log_p = result_of(levels, levels < 5, "chi_square", n_levels=10)
        expected = scipy.stats.chi2.logsf(statistic, degrees)
        if np.isfinite(expected):
            assert log_p == pytest.approx(expected, rel=1e-6)
        found.append(log_p)
    steps = np.diff(found)
    assert found[0] > math.log(1e-290) > found[-1]
    np.testing.assert_allclose(steps, steps[0], rtol=1e-2)


# ---------------------------------------------------------------- the choice of a column


def order_of(table, labels, alpha=0.05, n_levels=None):
    table = np.asarray(table, float)
    levels = np.zeros(table.shape[1], np.int32) if n_levels is None else np.int32(n_levels)
    return _core.columns_by_significance(_core.Table(table, levels), target_of(labels), alpha)


def test_the_smallest_p_value_comes_first():
    random = np.random.default_rng(1)
    labels = np.arange(300) % 3
    table = random.normal(size=(300, 4)) + labels[:, None] * np.array([0.1, 2.0, 0.0, 0.5])
    assert order_of(table, labels)[:2] == [1, 3]


def test_numeric_and_categorical_columns_are_compared_by_p_value():
    random = np.random.default_rng(2)
    labels = np.arange(400) % 2
    weak = random.normal(size=400) + 0.3 * labels
    level = np.where(random.random(400) < 0.8, labels, random.integers(0, 4, 400))
    assert order_of(np.column_stack([weak, level]), labels, n_levels=[0, 4]) == [1, 0]


def test_columns_beyond_the_smallest_p_value_are_told_apart():
    labels = np.arange(3000) % 2
    noise = np.random.default_rng(3).normal(size=3000)
    table = np.column_stack([labels * 20 + noise, labels * 60 + noise, labels * 40 + noise])
    assert [result_of(table[:, j], labels, "f")[3] < -745 for j in range(3)] == [True] * 3
    assert order_of(table, labels) == [1, 2, 0]


def test_spread_decides_where_no_mean_differs():
    random = np.random.default_rng(4)
    labels = np.arange(300) % 2
    table = random.normal(size=(300, 3))
    table[:, 1] *= 1 + 4 * labels
    table -= [[table[labels == c, j].mean() for j in range(3)] for c in labels]
    assert order_of(table, labels)[0] == 1
    # A level of significance that nothing reaches leaves it to the means.
    assert order_of(table, labels, alpha=1e-300) == [0, 1, 2]


def roots(split, n_trees=300):
    """Count the columns at the roots of trees on noise."""
    random = np.random.default_rng(5)
    chosen = np.zeros(6, int)
    for _ in range(n_trees):
        n = 120
        table = {
            "two": random.integers(0, 2, n).astype(float),
            "four": random.integers(0, 4, n).astype(float),
            "hundred": random.integers(0, 100, n).astype(float),
            "continuous": random.normal(size=n),
            "coin": random.choice(["u", "v"], n),
            "letter": random.choice(list("abcdefghij"), n),
        }
        model = TreeClassifier(split=split, max_depth=1, growth_rules=GrowthRules(zero_gain=True))
        model.fit(table, random.integers(0, 2, n))
        chosen[model.tree_.node(0).predicate.column] += 1
    return chosen


def test_the_choice_is_fair_to_columns_of_few_values():
    assert scipy.stats.chisquare(roots(splits.QUEST())).pvalue > 0.01


def test_the_search_for_the_best_cut_is_not_fair():
    chosen = roots(splits.Axis())
    assert scipy.stats.chisquare(chosen).pvalue < 1e-10
    assert chosen[0] < chosen[3]
