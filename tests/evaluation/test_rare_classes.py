"""Figures for rare classes and for groups, held against scikit-learn and against counting rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from treewright import TreeClassifier, TreeRegressor
from treewright.evaluation import JudgedRows, evidence_of
from treewright.evaluation.groups import grouped_by
from treewright.evaluation.ranking import ranking_of
from treewright.schema import Column


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("positive", [None, 0, 1])
def test_ranking_is_what_scikit_learn_computes(seed: int, positive: int | None) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(0, 6, size=80) / 5
    probabilities = np.column_stack([first, 1.0 - first])
    truth = (random.random(80) < 0.2 + 0.5 * (1.0 - first)).astype(int)
    ranking = ranking_of(probabilities, truth, positive)
    code = 1 if positive is None else positive
    is_true, stated = truth == code, probabilities[:, code]
    assert ranking is not None
    assert ranking.positive == code
    assert ranking.prevalence == is_true.mean()
    assert ranking.auc == pytest.approx(roc_auc_score(is_true, stated))
    assert ranking.average_precision == pytest.approx(average_precision_score(is_true, stated))
    for point in ranking.points:
        said = stated >= point.threshold - 1e-9
        assert point.recall == pytest.approx((said & is_true).sum() / is_true.sum())
        assert point.precision == pytest.approx((said & is_true).sum() / said.sum())
        assert point.false_alarms == pytest.approx((said & ~is_true).sum() / (~is_true).sum())


def test_no_ranking_without_two_kinds_of_rows() -> None:
    three = np.full((4, 3), 1 / 3)
    assert ranking_of(three, np.array([0, 1, 2, 0])) is None
    assert ranking_of(three, np.array([0, 1, 2, 0]), 2) is not None
    assert ranking_of(np.full((2, 2), 0.5), np.array([1, 1])) is None


def test_balanced_accuracy_is_the_mean_recall() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 2))
    y = np.array(["a", "b", "c"])[(X[:, 0] > 0).astype(int) + (random.random(200) < 0.1)]
    model = TreeClassifier(max_leaf_nodes=4).fit(X[:100], y[:100])
    evidence = evidence_of(model.tree_, JudgedRows.read(X[100:], y[100:], model.schema_))
    said = model.predict(X[100:])
    assert evidence.balanced_accuracy == pytest.approx(balanced_accuracy_score(y[100:], said))


def test_groups_hold_every_row_once_and_their_words_are_true() -> None:
    random = np.random.default_rng(0)
    values = np.round(random.normal(size=300), 2)
    values[::17] = np.nan
    found = grouped_by(0, Column("x", "numeric"), values)
    assert found is not None
    words, rows = found.grouping.words, found.grouping.rows
    assert words[-1] == "missing"
    assert rows == tuple(np.bincount(found.codes).tolist())
    assert np.isnan(values[found.codes == len(words) - 1]).all()
    for code, text in enumerate(words[:-1]):
        inside = values[found.codes == code]
        *low, high = text.replace("at most ", "").replace("above ", "").split(" to ")
        if text.startswith("above"):
            assert (inside > float(high)).all()
        else:
            assert (inside <= float(high)).all()
            assert not low or (inside > float(low[0])).all()


def test_rare_levels_are_one_group_and_one_level_is_none() -> None:
    levels = tuple(f"v{place:02d}" for place in range(30))
    codes = np.repeat(np.arange(30.0), np.arange(30, 0, -1))
    found = grouped_by(2, Column("x", "categorical", levels), codes)
    assert found is not None
    assert len(found.grouping.words) == 12
    assert found.grouping.words[-1] == "19 other levels"
    assert sum(found.grouping.rows) == len(codes)
    assert grouped_by(2, Column("x", "categorical", levels), np.zeros(9)) is None


def test_figures_of_groups_are_those_of_their_rows() -> None:
    random = np.random.default_rng(1)
    X = {"x": random.normal(size=400), "sex": random.choice(["f", "m"], size=400)}
    y = np.where((X["x"] > 0) ^ (random.random(400) < 0.2), "yes", "no")
    model = TreeClassifier(max_leaf_nodes=3).fit(X, y)
    rows = JudgedRows.read(X, y, model.schema_)
    evidence = evidence_of(model.tree_, rows)
    place = [one.grouping.column for one in rows.grouped].index(1)
    said = model.predict(X)
    for level, figures in zip(("f", "m"), evidence.groups[place], strict=True):
        here = X["sex"] == level
        assert figures.score == pytest.approx((said == y)[here].mean())
        assert figures.low < figures.score < figures.high
        assert figures.observed == pytest.approx((y == "yes")[here].mean())
        assert figures.predicted == pytest.approx((said == "yes")[here].mean())
        assert figures.recall == pytest.approx((said == "yes")[here & (y == "yes")].mean())


def test_figures_of_groups_in_regression() -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(100, 1))
    y = X[:, 0] + random.normal(size=100)
    model = TreeRegressor(max_leaf_nodes=3).fit(X, y)
    rows = JudgedRows.read(X, y, model.schema_)
    (groups,) = evidence_of(model.tree_, rows).groups
    said = model.predict(X)
    for code, figures in enumerate(groups):
        here = rows.grouped[0].codes == code
        assert figures.score == pytest.approx(np.abs(said - y)[here].mean())
        assert figures.observed == pytest.approx(y[here].mean())
        assert figures.predicted == pytest.approx(said[here].mean())
        assert math.isnan(figures.recall)
