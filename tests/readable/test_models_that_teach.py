"""Regressions and boosted trees of the core beside scikit-learn's, and their manners."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge

from treewright import _core

BOOSTING = {"max_iter": 12, "max_leaf_nodes": 6, "learning_rate": 0.3}
SETTINGS = BOOSTING["max_iter"], BOOSTING["max_leaf_nodes"], BOOSTING["learning_rate"]


def rows(n_classes: int, seed: int = 0, n_rows: int = 400, n_terms: int = 5):
    """Rows to learn from and to ask, what is true of the first, and their weights."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(2 * n_rows, n_terms))
    score = X[:, 0] - X[:, 1] * X[:, 2] + random.normal(scale=0.5, size=len(X))
    truth = score
    if n_classes:
        cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
        truth = np.searchsorted(cuts, score).astype(np.int32)
    return X[:n_rows], truth[:n_rows], random.uniform(0.5, 2.0, n_rows), X[n_rows:]


def by_term(matrix: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(matrix.T)


@pytest.mark.parametrize("strength", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_logistic_regression_is_that_of_scikit_learn(n_classes, strength):
    X, y, weights, asked = rows(n_classes)
    said = _core.logistic_answers(by_term(X), y, weights, n_classes, 1 / strength, by_term(asked))
    model = LogisticRegression(C=strength, tol=1e-8, max_iter=1000).fit(X, y, weights)
    close = 1e-4 if n_classes == 2 else 0.01  # more classes are fitted roughly
    np.testing.assert_allclose(said, model.predict_proba(asked), atol=close)
    np.testing.assert_allclose(said.sum(axis=1), 1.0)


def test_separated_classes_have_probabilities_too():
    X = np.arange(20.0)[:, None] - 10
    said = _core.logistic_answers(
        by_term(X), (X[:, 0] > 0).astype(np.int32), np.ones(20), 2, 1e-6, by_term(100 * X)
    )
    assert np.isfinite(said).all()
    assert said[0, 0] == 1.0


@pytest.mark.parametrize("strength", [0.1, 1.0, 100.0])
def test_linear_regression_is_that_of_scikit_learn(strength):
    X, y, weights, asked = rows(0)
    said = _core.linear_answers(by_term(X), y, weights, 1 / strength, by_term(asked))
    model = Ridge(alpha=1 / strength).fit(X, y, weights)
    np.testing.assert_allclose(said, model.predict(asked), rtol=1e-9)


@pytest.mark.parametrize("n_classes", [0, 2, 4])
def test_boosted_trees_are_those_of_scikit_learn(n_classes):
    X, y, weights, asked = rows(n_classes)
    bins, asked_bins = (np.clip(8 + 4 * part, 0, 15).astype(np.uint8) for part in (X, asked))
    kind = HistGradientBoostingClassifier if n_classes else HistGradientBoostingRegressor
    model = kind(early_stopping=False, **BOOSTING).fit(bins, y, weights)
    if n_classes:
        said = _core.boosted_classes(
            by_term(bins), y, weights, n_classes, by_term(asked_bins), *SETTINGS
        )
        theirs = model.predict_proba(asked_bins)
    else:
        said = _core.boosted_numbers(by_term(bins), y, weights, by_term(asked_bins), *SETTINGS)
        theirs = model.predict(asked_bins)
    # Theirs adds in single precision, so that a split between equals may be the other one.
    assert np.mean(np.abs(said - theirs)) < 0.02
    assert np.median(np.abs(said - theirs)) < 1e-4


def test_boosted_trees_do_not_know_the_order_of_rows():
    X, y, weights, asked = rows(3)
    bins, asked_bins = (np.clip(8 + 4 * part, 0, 15).astype(np.uint8) for part in (X, asked))
    order = np.random.default_rng(1).permutation(len(y))
    whole, mixed = (
        _core.boosted_classes(
            by_term(bins[some]), y[some], weights[some], 3, by_term(asked_bins), *SETTINGS
        )
        for some in (np.arange(len(y)), order)
    )
    np.testing.assert_allclose(whole, mixed, atol=1e-9)


def test_few_rows_are_one_leaf():
    _, y, weights, _ = rows(0, n_rows=30)
    bins = np.zeros((5, 30), dtype=np.uint8)
    said = _core.boosted_numbers(bins, y, weights, bins, *SETTINGS)
    np.testing.assert_allclose(said, np.average(y, weights=weights))


def test_a_class_without_rows_is_refused():
    X, y, weights, asked = rows(2)
    with pytest.raises(ValueError, match="Each of two classes"):
        _core.logistic_answers(by_term(X), y, weights, 3, 1.0, by_term(asked))
    bins = np.zeros((1, len(y)), dtype=np.uint8)
    with pytest.raises(ValueError, match="no such class"):
        _core.boosted_classes(bins, y + 7, weights, 2, bins, *SETTINGS)


def test_rows_and_terms_must_agree():
    X, y, weights, asked = rows(2)
    with pytest.raises(ValueError, match="same terms"):
        _core.logistic_answers(by_term(X), y, weights, 2, 1.0, by_term(asked[:, 1:]))
    with pytest.raises(ValueError, match="truth and its weight"):
        _core.logistic_answers(by_term(X), y[1:], weights, 2, 1.0, by_term(asked))
