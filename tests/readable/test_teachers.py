"""Teachers of readable trees: none, one of the user's own, or predictions that are there."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_info

from treewright import ReadableTreeClassifier, ReadableTreeRegressor


def noisy(n_rows: int = 300, seed: int = 0):
    """Rows, true probabilities of the second class, and labels drawn from them."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3))
    p = 1.0 / (1.0 + np.exp(-2.0 * (X[:, 0] - X[:, 1])))
    return X, np.column_stack([1.0 - p, p]), np.where(random.random(n_rows) < p, "yes", "no")


def test_without_a_teacher_probabilities_are_counts():
    X, _, y = noisy()
    model = ReadableTreeClassifier(teacher=None, size=4).fit(X, y)
    assert model.evidence_.teacher is None
    assert model.evidence_.ceilings == ()
    for node in model.tree_.walk():
        np.testing.assert_allclose(
            node.probabilities, np.array(node.statistics) / sum(node.statistics)
        )


def test_probabilities_that_are_given_are_learned():
    X, p, y = noisy()
    model = ReadableTreeClassifier(teacher=p, size=4, label_share=0.0).fit(X, y)
    assert model.evidence_.teacher == "the predictions that were given"
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        mean = p[leaves == leaf].mean(axis=0)
        np.testing.assert_allclose(model.predict_proba(X)[leaves == leaf][0], mean, atol=0.02)


def test_given_probabilities_follow_the_rows_that_count():
    X, p, y = noisy()
    weights = np.ones(len(y))
    weights[::3] = 0.0
    kept = weights > 0.0
    whole = ReadableTreeClassifier(teacher=p, size=4).fit(X, y, weights)
    part = ReadableTreeClassifier(teacher=p[kept], size=4).fit(X[kept], y[kept])
    assert whole.tree_ == part.tree_


@pytest.mark.long
@pytest.mark.parametrize("as_frame", [False, True])
def test_a_model_teaches_rows_it_has_not_seen(as_frame):
    pandas = pytest.importorskip("pandas") if as_frame else None
    X, _, y = noisy()
    table = pandas.DataFrame(X, columns=["a", "b", "c"]) if as_frame else X
    teacher = make_pipeline(StandardScaler(), LogisticRegression())
    model = ReadableTreeClassifier(teacher=teacher).fit(table, y)
    assert model.evidence_.teacher == "Pipeline"
    assert model.evidence_.ceiling.score > 0.7
    assert not hasattr(teacher[-1], "coef_")
    assert model.score(table, y) > 0.7


def test_a_model_teaches_large_tables_from_a_sample():
    X, _, y = noisy(5400)
    model = ReadableTreeClassifier(teacher=LogisticRegression(), size=3).fit(X, y)
    assert model.tree_.node(0).rows == 5400


@pytest.mark.long
def test_numbers_are_taught_too():
    X, p, _ = noisy()
    y = p[:, 1] + np.random.default_rng(1).normal(scale=0.3, size=len(p))
    for teacher in (LinearRegression(), p[:, 1]):
        model = ReadableTreeRegressor(teacher=teacher).fit(X, y)
        assert np.corrcoef(model.predict(X), p[:, 1])[0, 1] > 0.85
    assert ReadableTreeRegressor(teacher=None, size=3).fit(X, y).evidence_.teacher is None


def test_classes_that_a_fold_lacks_get_no_probability():
    X, _, y = noisy(60)
    y = y.astype(object)
    y[0] = "rare"
    model = ReadableTreeClassifier(teacher=LogisticRegression(), size=3).fit(X, y)
    assert model.predict_proba(X).shape == (60, 3)


@pytest.mark.parametrize(
    ("teacher", "error", "words"),
    [
        (LinearSVC(), TypeError, "LinearSVC has no method 'predict_proba'"),
        (np.full((299, 2), 0.5), ValueError, r"must have shape \(300, 2\).* Got \(299, 2\)"),
        (np.full((300, 2), -1.0), ValueError, r"must be probabilities\. Got -1\.0 in row 0"),
        (np.full((300, 2), np.nan), ValueError, r"must be probabilities\. Got nan in row 0"),
        (np.zeros((300, 2)), ValueError, "probabilities of row 0 are all 0"),
        ("forest", ValueError, "'teacher' parameter"),
    ],
)
def test_teachers_that_cannot_teach_are_refused(teacher, error, words):
    X, _, y = noisy()
    with pytest.raises(error, match=words):
        ReadableTreeClassifier(teacher=teacher).fit(X, y)


def test_a_model_needs_a_table_it_can_read():
    X, _, y = noisy()
    table = {name: X[:, place].tolist() for place, name in enumerate("abc")}
    with pytest.raises(TypeError, match=r"needs X as an array or data frame\. Got dict"):
        ReadableTreeClassifier(teacher=LogisticRegression()).fit(table, y)


def test_the_threads_of_linear_algebra_are_given_back():
    def threads() -> list[int]:
        return [one["num_threads"] for one in threadpool_info()]

    X, _, y = noisy(120)
    before = threads()
    ReadableTreeClassifier(n_jobs=2).fit(X, y)
    assert threads() == before
