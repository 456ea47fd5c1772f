"""Objectives of optimal trees: no tree that brute force tries has a better score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, f1_score, log_loss

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, _core
from treewright.estimators import F1, LogLoss


def cuts_of(X):
    return [X[:, j] <= value for j in range(X.shape[1]) for value in np.unique(X[:, j])[:-1]]


def least_loss(X, leaf, depth, min_rows=1, price=0.0):
    """Give what the best tree loses, by trying all of them; `leaf` says it of a set of rows."""
    cuts = cuts_of(X)

    def best(rows, depth):
        found = leaf(rows)
        for cut in cuts if depth > 0 else ():
            passed, failed = rows & cut, rows & ~cut
            if min(passed.sum(), failed.sum()) >= min_rows:
                found = min(found, best(passed, depth - 1) + best(failed, depth - 1) + price)
        return found

    return best(np.ones(len(X), dtype=bool), depth)


def most_f1(X, is_positive, weights, depth, min_rows=1):
    """Give the largest F1, from the pairs (missed, wrong) of all trees."""
    cuts = cuts_of(X)

    def pairs(rows, depth):
        lost = round(weights[rows & is_positive].sum(), 9)
        found = {(lost, 0.0), (0.0, round(weights[rows & ~is_positive].sum(), 9))}
        for cut in cuts if depth > 0 else ():
            passed, failed = rows & cut, rows & ~cut
            if min(passed.sum(), failed.sum()) >= min_rows:
                found |= {
                    (round(a + c, 9), round(b + d, 9))
                    for a, b in pairs(passed, depth - 1)
                    for c, d in pairs(failed, depth - 1)
                }
        return found

    positive = weights[is_positive].sum()
    found = pairs(np.ones(len(X), dtype=bool), depth)
    return max(2 * (positive - fn) / (2 * positive - fn + fp) for fn, fp in found)


class Table:
    """A small random table, and how its trees are limited."""

    def __init__(self, seed, n_classes=2, deepest=3):
        random = np.random.default_rng(seed)
        n_rows = int(random.integers(max(3, n_classes), 25))
        n_columns, n_values = int(random.integers(1, 4)), int(random.integers(2, 5))
        self.X = random.integers(0, n_values, size=(n_rows, n_columns)).astype(float)
        noise = random.normal(scale=0.8, size=n_rows)
        order = np.argsort(np.argsort(self.X[:, 0] - self.X[:, -1] / 2 + noise))
        self.y = order * n_classes // n_rows
        flips = random.random(n_rows) < 0.1
        flips[[np.flatnonzero(self.y == c)[0] for c in range(n_classes)]] = False
        self.y[flips] = random.integers(0, n_classes, size=flips.sum())
        self.numbers = (self.y * 3 + random.normal(size=n_rows) * 2).round(int(seed % 2))
        kinds = [np.ones(n_rows), random.choice([0.5, 1.0, 3.0], size=n_rows)]
        kinds += [kinds[0], random.random(n_rows).round(2) + 0.01]
        self.weights = kinds[seed % 4]
        self.min_rows = int(random.integers(1, 4))
        self.depth = int(random.integers(1, deepest + 1))
        self.penalty = float(random.choice([0.0, 0.0, 0.01]))

    @property
    def total(self):
        return self.weights.sum()

    def fit(self, kind, objective, y, **parameters):
        model = kind(self.depth, objective=objective, min_samples_leaf=self.min_rows, **parameters)
        model.fit(self.X, y, sample_weight=self.weights)
        assert model.certificate_.proven
        return model


def check_balanced_accuracy(seed):
    n_classes = 2 + seed % 3
    table = Table(seed, n_classes)
    totals = np.bincount(table.y, table.weights)
    weights = table.weights * table.total / (n_classes * totals[table.y])

    def leaf(rows):
        return weights[rows].sum() - np.bincount(table.y[rows], weights[rows]).max()

    parameters = {"penalty": table.penalty}
    model = table.fit(OptimalTreeClassifier, "balanced_accuracy", table.y, **parameters)
    price = table.penalty * table.total
    expected = least_loss(table.X, leaf, table.depth, table.min_rows, price)
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    said = model.predict(table.X)
    scored = balanced_accuracy_score(table.y, said, sample_weight=table.weights)
    assert model.certificate_.score == pytest.approx(scored, abs=1e-9)
    assert model.score(table.X, table.y, table.weights) == pytest.approx(scored)


def check_expected_cost(seed):
    n_classes = 2 + seed % 3
    table, random = Table(seed, n_classes), np.random.default_rng(seed)
    costs = random.integers(1, 9, size=(n_classes, n_classes)) / (1.0, 2.0, 7.0)[seed % 3]
    np.fill_diagonal(costs, 0.0)
    by_class = random.choice([1.0, 1.0, 2.5], size=n_classes)
    weights = table.weights * by_class[table.y]

    def leaf(rows):
        return (np.bincount(table.y[rows], weights[rows], n_classes) @ costs).min()

    model = table.fit(
        OptimalTreeClassifier,
        "errors",
        table.y,
        cost_matrix=costs,
        class_weight=dict(enumerate(by_class.tolist())),
        penalty=table.penalty,
    )
    expected = least_loss(table.X, leaf, table.depth, table.min_rows, table.penalty * weights.sum())
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    paid = table.penalty * weights.sum() * (model.tree_.n_leaves - 1)
    lost = weights @ costs[table.y, model.predict(table.X)]
    assert lost + paid == pytest.approx(expected, rel=1e-9, abs=1e-9)


def check_f1(seed):
    n_classes = 2 + seed % 2
    table = Table(seed, n_classes, deepest=2 if seed % 4 > 1 else 3)
    if table.depth == 3:
        table.X = table.X[:, :1]
    label = seed % n_classes
    best = most_f1(table.X, table.y == label, table.weights, table.depth, table.min_rows)
    model = table.fit(OptimalTreeClassifier, F1(label), table.y)
    assert model.certificate_.score == pytest.approx(best, rel=1e-9)
    assert model.certificate_.objective == pytest.approx(1 - best, rel=1e-9, abs=1e-12)
    is_said = model.predict(table.X) == label
    scored = f1_score(table.y == label, is_said, sample_weight=table.weights)
    assert scored == pytest.approx(best, rel=1e-9)
    assert model.score(table.X, table.y, table.weights) == pytest.approx(scored)


def check_brier(seed):
    table = Table(seed)

    def leaf(rows):
        mean = np.average(table.y[rows], weights=table.weights[rows])
        return (table.weights[rows] * (table.y[rows] - mean) ** 2).sum()

    model = table.fit(OptimalTreeClassifier, "brier", table.y, penalty=table.penalty)
    price = table.penalty * table.total
    expected = least_loss(table.X, leaf, table.depth, table.min_rows, price)
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    stated = model.predict_proba(table.X)[:, 1]
    scored = brier_score_loss(table.y, stated, sample_weight=table.weights)
    assert model.certificate_.score == pytest.approx(scored, abs=1e-9)
    assert model.score(table.X, table.y, table.weights) == pytest.approx(-scored)


def check_log_loss(seed):
    table, n_steps = Table(seed), (20, 10, 4, 7)[seed // 4 % 4]
    probabilities = np.arange(1, n_steps) / n_steps

    def leaf(rows):
        first = table.weights[rows & (table.y == 0)].sum()
        second = table.weights[rows & (table.y == 1)].sum()
        return min(-first * np.log(1 - p) - second * np.log(p) for p in probabilities)

    model = table.fit(OptimalTreeClassifier, LogLoss(n_steps), table.y, penalty=table.penalty)
    price = table.penalty * table.total
    expected = least_loss(table.X, leaf, table.depth, table.min_rows, price)
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    stated = model.predict_proba(table.X)
    assert np.isin((stated * n_steps).round(9), np.arange(1, n_steps)).all()
    scored = log_loss(table.y, stated, sample_weight=table.weights)
    assert model.certificate_.score == pytest.approx(scored, abs=1e-9)
    assert model.score(table.X, table.y, table.weights) == pytest.approx(-scored)


def check_absolute_error(seed):
    table = Table(seed)
    numbers = table.numbers

    def leaf(rows):
        distances = np.abs(numbers[rows][:, None] - numbers[rows])
        return (table.weights[rows][:, None] * distances).sum(axis=0).min()

    model = table.fit(OptimalTreeRegressor, "absolute_error", numbers, penalty=table.penalty)
    price = table.penalty * leaf(np.ones(len(numbers), dtype=bool))
    expected = least_loss(table.X, leaf, table.depth, table.min_rows, price)
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    off = np.abs(numbers - model.predict(table.X))
    assert model.certificate_.score == pytest.approx(np.average(off, weights=table.weights))
    score = model.score(table.X, numbers, table.weights)
    assert score == pytest.approx(-np.average(off, weights=table.weights))
    target = _core.Target.numbers(numbers, table.weights)
    rows = _core.Table(table.X, model.schema_.n_levels)
    medians = _core.refit(model.tree_.core, rows, target, True)
    np.testing.assert_allclose(model.tree_.core.value, medians.value, atol=1e-12)


CHECKS = [
    check_balanced_accuracy,
    check_expected_cost,
    check_f1,
    check_brier,
    check_log_loss,
    check_absolute_error,
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("seed", range(50))
def test_no_tree_is_better(check, seed):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("seed", range(50, 2050))
def test_no_tree_is_better_on_many_tables(check, seed):
    check(seed)
