"""The policies for missing values, by hand and on small made-up tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import TreeClassifier, TreeRegressor, _core, load, recipes
from treewright.estimators import GrowthRules, Surrogates
from treewright.exceptions import UnseenLevelWarning
from treewright.prune import PRUNERS
from treewright.tree.node import MISSING_POLICIES

CASES = st.integers(0, 2**32 - 1)
ONE_WAY = [policy for policy in MISSING_POLICIES if policy != "fraction"]


def gappy(seed: int, n_rows: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Three columns that say nearly the same, a fifth of their cells missing; classes in bands."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=n_rows)
    X = hidden[:, None] + random.normal(scale=0.1, size=(n_rows, 3))
    X[random.random(X.shape) < 0.2] = np.nan
    return X, (np.sin(4 * hidden) + random.normal(scale=0.5, size=n_rows) > 0).astype(int)


# ---------------------------------------------------------------- stopping


def test_a_row_that_stops_is_answered_by_its_node():
    table = {"x": [1.0, 2.0, 3.0, 10.0, None, None]}
    model = TreeClassifier(missing="stop").fit(table, ["low"] * 3 + ["high"] * 3)
    assert model.tree_.n_leaves == 2
    assert model.tree_.core.rows.tolist() == [6.0, 3.0, 1.0]
    assert model.apply(table).tolist() == [1, 1, 1, 2, 0, 0]
    np.testing.assert_array_equal(model.predict_proba([{"x": None}]), [[0.5, 0.5]])
    assert model.predict([{"x": None}]) == ["high"]  # of equal shares the first class
    assert model.decision_path([{"x": None}]).indices.tolist() == [0]
    numbers = TreeRegressor(missing="stop").fit(table, [1.0, 1.0, 1.0, 5.0, 5.0, 11.0])
    assert numbers.predict([{"x": None}, {"x": 0.0}]).tolist() == [4.0, 1.0]


def test_rows_that_stop_have_no_say_below():
    # Below x <= 2 the rows without x would turn the answer.
    table = {"x": [1, 1, 1, 3, 3, 3, None, None, None, None], "z": [0, 1, 1, 0, 0, 0, 0, 0, 0, 0]}
    y = ["a", "b", "b", "c", "c", "c", "b", "b", "b", "b"]
    tree = TreeClassifier(missing="stop").fit(table, y).tree_
    assert [node.predicate.columns for node in tree.walk() if node.predicate] == [(0,), (1,)]
    assert tree.node(0).rows == 10
    assert [tree.node(child).rows for child in tree.node(0).children] == [3, 3]
    np.testing.assert_array_equal(tree.core.stopped_statistics[0], [0, 4, 0])


def test_a_surrogate_is_asked_before_a_row_stops():
    x = np.arange(20.0)
    X = np.column_stack([x, -x])
    X[[0, 19], 1] = X[[19, 0], 1]  # the second column errs twice
    y = x >= 10
    X[[3, 16], 0] = np.nan
    X[16, 1] = np.nan
    model = TreeClassifier(missing="surrogate_or_stop").fit(X, y)
    left, right = model.tree_.node(0).children
    assert model.apply(X)[[2, 3, 16, 17]].tolist() == [left, left, 0, right]
    assert model.predict([[np.nan, -18.0], [np.nan, -1.0]]).tolist() == [True, False]
    np.testing.assert_allclose(model.predict_proba([[np.nan, np.nan]]), [[0.5, 0.5]])
    always = TreeClassifier(missing="surrogate").fit(X, y)
    assert always.apply([[np.nan, np.nan]])[0] in (left, right)


def test_without_surrogates_both_ways_of_stopping_are_one():
    X, y = gappy(3)
    one = TreeClassifier(missing="stop").fit(X, y)
    other = TreeClassifier(missing=Surrogates(0, stop=True)).fit(X, y)
    np.testing.assert_array_equal(one.apply(X), other.apply(X))
    np.testing.assert_array_equal(one.tree_.core.statistics, other.tree_.core.statistics)


def test_id3_answers_an_unseen_level_with_the_rows_of_the_node():
    table = {"sky": ["sun", "sun", "sun", "rain", "rain"], "wind": ["w", "s", "s", "w", "s"]}
    model = recipes.id3().fit(table, ["yes", "yes", "yes", "no", "yes"])
    with pytest.warns(UnseenLevelWarning):
        unseen = model.predict_proba([{"sky": "fog", "wind": "w"}])
    np.testing.assert_allclose(unseen, [[0.2, 0.8]])  # wind alone would say no


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_policies_agree_where_nothing_is_missing(missing):
    X, y = gappy(5)
    whole = ~np.isnan(X).any(axis=1)
    model = TreeClassifier(missing=missing).fit(X[whole], y[whole])
    plain = TreeClassifier().fit(X[whole], y[whole])
    np.testing.assert_array_equal(model.tree_.core.statistics, plain.tree_.core.statistics)
    np.testing.assert_array_equal(model.apply(X[whole]), plain.apply(X[whole]))


# ---------------------------------------------------------------- the default branch


@given(seed=CASES)
def test_the_default_branch_without_gaps_in_training_is_the_heavier_one(seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 5, (30, 3)).astype(float)
    weights = random.integers(1, 4, 30).astype(float)
    core = TreeClassifier(missing="default").fit(X, random.integers(0, 3, 30), weights).tree_.core
    heavy = core.statistics.sum(axis=1)
    for node in np.flatnonzero(core.n_branches).tolist():
        first = core.first_child[node]
        assert core.default_branch[node] == heavy[first : first + 2].argmax()


# ---------------------------------------------------------------- early stopping, collapsing


@pytest.mark.parametrize("missing", ONE_WAY)
@pytest.mark.parametrize("classes", [True, False])
def test_early_stopping_returns_the_best_tree_on_the_way(missing, classes):
    X, y = gappy(7, 300)
    tables = [_core.Table(part, np.zeros(3, np.int32)) for part in (X[:200], X[200:])]
    targets = []
    for part in (y[:200], y[200:]):
        codes, ones = part.astype(np.int32), np.ones(len(part))
        make = (codes, 2, ones) if classes else (part.astype(float), ones)
        targets.append(getattr(_core.Target, "classes" if classes else "numbers")(*make))

    def grown(max_leaves: int | None) -> _core.Tree:
        options = _core.GrowOptions()
        options.measure = "gini" if classes else "squared_error"
        options.missing = MISSING_POLICIES.index(missing)
        options.patience = 10_000
        method = _core.make_method("axis", {"rules": "cart"}, [])
        if max_leaves is None:
            return _core.grow(tables[0], targets[0], method, options, tables[1], targets[1])[0]
        options.max_leaves = max_leaves
        return _core.grow(tables[0], targets[0], method, options)[0]

    def loss(tree: _core.Tree) -> float:
        off = tree.value[tree.apply(tables[1])] - y[200:]
        return float((off != 0).sum() if classes else (off**2).sum())

    early = grown(None)
    on_the_way = [grown(leaves) for leaves in range(1, 60)]
    losses = [loss(tree) for tree in on_the_way]
    best = int(np.flatnonzero(np.array(losses) <= min(losses) * (1 + 1e-9))[0])
    assert early == on_the_way[best]
    assert 1 < best < 50


@pytest.mark.parametrize("missing", ONE_WAY)
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_what_collapsing_leaves_mends_errors_of_the_rows_that_come_there(missing, kind):
    X, y = gappy(11)
    model: Any = kind(missing=missing, growth_rules=GrowthRules(collapse=True, zero_gain=True)).fit(
        X, y
    )
    tree, passed = model.tree_, model.decision_path(X).toarray() > 0
    answers = model.predict(X)
    assert tree.n_leaves > 5
    for node in np.flatnonzero(tree.core.n_branches).tolist():
        here = passed[:, node]
        kept = ((answers[here] - y[here]) ** 2).sum()
        cut = ((tree.core.value[node] - y[here]) ** 2).sum()
        assert kept < cut


# ---------------------------------------------------------------- pruning


@pytest.mark.long
@pytest.mark.parametrize("missing", MISSING_POLICIES)
@pytest.mark.parametrize("prune", PRUNERS)
def test_a_pruned_tree_knows_how_it_answers_rows_with_gaps(prune, missing, tmp_path):
    X, y = gappy(13, 220)
    grown = TreeClassifier(missing=missing, random_state=0).fit(X, y)
    model = TreeClassifier(missing=missing, prune=prune, random_state=0).fit(X, y)
    model.tree_.validate()
    # Squeezing is about sums of columns alone.
    assert 1 < model.get_n_leaves() < grown.get_n_leaves() + (prune == "squeeze")
    model.save(tmp_path / "model.json")
    np.testing.assert_array_equal(load(tmp_path / "model.json").predict(X), model.predict(X))
    # Reduced error counts the rows it was grown on; a divided row counts in parts.
    if prune != "reduced_error" and missing != "fraction":
        assert model.tree_.training_score == pytest.approx(model.score(X, y))
