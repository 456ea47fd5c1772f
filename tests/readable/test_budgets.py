"""Budgets of readable trees: more leaves, more terms, less time, many rows."""

from __future__ import annotations

import time

import numpy as np
import pytest
from clocked import clocked
from sklearn.datasets import make_classification

from treewright import ReadableTreeClassifier, ReadableTreeRegressor, TreeClassifier
from treewright.datasets import load_loans
from treewright.exceptions import ClassWithoutLeafWarning, TimeLimitWarning
from treewright.optimal.deadline import OutOfTime
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.predicates import Linear
from treewright.readable import fitting
from treewright.readable.extension import Extension
from treewright.readable.recut import recut

BOTH = pytest.mark.parametrize("kind", [ReadableTreeClassifier, ReadableTreeRegressor])


def checkerboard(n_rows: int = 600, n_cells: int = 4):
    """Classes that take many leaves: the cells of a board."""
    X = np.random.default_rng(0).uniform(0, n_cells, size=(n_rows, 2))
    return X, (X.astype(int).sum(axis=1) % 2).astype(bool)


def rows_of(kind, n_rows: int):
    X, y = make_classification(n_rows, 6, n_informative=4, flip_y=0.1, random_state=1)
    return X, y if kind is ReadableTreeClassifier else X[:, 0] + X[:, 1] + y


# ---------------------------------------------------------------- leaves


@pytest.mark.long
def test_auto_takes_as_many_leaves_as_pay():
    X, y = checkerboard()
    small = ReadableTreeClassifier(random_state=0).fit(X, y)
    model = ReadableTreeClassifier(max_leaf_nodes="auto", random_state=0).fit(X, y)
    assert small.tree_.n_leaves <= 8 < model.tree_.n_leaves <= 64
    fresh, truth = checkerboard(2000)
    assert model.score(fresh, truth) > small.score(fresh, truth) + 0.1
    assert model.certificate_.status == "extended"
    assert not model.certificate_.proven
    assert model.at(leaves=8).n_leaves <= 8


@pytest.mark.long
def test_auto_stays_small_where_small_is_enough():
    X = np.random.default_rng(1).normal(size=(400, 4))
    model = ReadableTreeClassifier(max_leaf_nodes="auto").fit(X, X[:, 0] + X[:, 1] > 0)
    assert model.tree_.n_leaves <= 4


@pytest.mark.long
def test_the_evidence_says_what_larger_trees_would_reach():
    X, y = checkerboard()
    model = ReadableTreeClassifier().fit(X, y)
    assert sorted(model.evidence_.larger) == [16, 32]
    assert model.evidence_.larger[32] > model.evidence_.score + 0.1
    assert "What larger trees would reach: 16 leaves: " in str(model)


@pytest.mark.long
def test_no_larger_tree_is_tried_once_one_is_no_better():
    X, _ = checkerboard()
    model = ReadableTreeClassifier().fit(X, X[:, 0] > 2)
    assert sorted(model.evidence_.larger) == [16]


@pytest.mark.long
@BOTH
def test_larger_trees_grow_on_where_they_ended(kind, monkeypatch):
    X, y = rows_of(kind, 300)
    seen = []

    class Seen(Extension):
        def __init__(self, front, problem):
            seen.append((front, problem))
            super().__init__(front, problem)

    monkeypatch.setattr(fitting, "Extension", Seen)
    kind().fit(X, y)
    at_once, further = Extension(*seen[0]).run(20), Extension(*seen[0])
    further.run(13)
    in_steps = further.run(20)
    assert max(at_once.plans) > 13
    assert in_steps.costs == pytest.approx(at_once.costs)
    assert in_steps.grown == at_once.grown
    for size, plan in at_once.plans.items():
        again = in_steps.plans[size]
        tests = [
            [None if test < 0 else one.conditions.predicate(test) for test in tree.first]
            for one, tree in ((at_once, plan), (in_steps, again))
        ]
        assert tests[0] == tests[1]


@BOTH
@pytest.mark.parametrize("leaves", [9, 20])
def test_sizes_beyond_the_search_are_grown(kind, leaves):
    X, y = rows_of(kind, 300)
    model = kind(max_leaf_nodes=leaves, size=leaves).fit(X, y)
    sizes = [entry.leaves for entry in model.front_]
    assert max(sizes) <= leaves
    assert max(sizes) > 8
    risks = [entry.risk for entry in model.front_]
    assert min(node.rows for node in model.tree_.walk() if node.is_leaf) >= 5
    assert len(risks) == len(set(sizes))


def test_small_trees_of_the_search_stay_where_larger_ones_are_grown():
    X, y = rows_of(ReadableTreeClassifier, 300)
    small = ReadableTreeClassifier(size=8).fit(X, y)
    large = ReadableTreeClassifier(max_leaf_nodes=12, max_depth=3, size=12).fit(X, y)
    for leaves in range(2, 9):
        assert large.at(leaves=leaves) == small.at(leaves=leaves)


def test_regression_trees_may_have_paths_of_four():
    X = np.random.default_rng(2).uniform(0, 1, size=(500, 1))
    y = np.floor(X[:, 0] * 16) ** 3
    model = ReadableTreeRegressor(size=8).fit(X, y)
    assert model.tree_.depth <= 4
    assert ReadableTreeRegressor(size=8, max_depth=3).fit(X, y).tree_.depth <= 3


@pytest.mark.long
def test_classes_without_a_leaf_are_named():
    X = np.repeat(np.arange(10.0), 20)[:, None]
    y = np.array([f"class {int(x)}" for x in X[:, 0]])
    with pytest.warns(ClassWithoutLeafWarning, match="10 classes for at most 4 leaves: no leaf"):
        model = ReadableTreeClassifier(max_leaf_nodes=4, size=4).fit(X, y)
    assert "Classes that no leaf predicts: class" in str(model)
    whole = ReadableTreeClassifier(max_leaf_nodes="auto").fit(X, y)
    assert whole.tree_.n_leaves == 10
    assert "Classes that no leaf predicts" not in str(whole)


# ---------------------------------------------------------------- terms


def test_four_terms_may_be_added():
    X = np.random.default_rng(3).integers(1, 6, size=(600, 4)).astype(float)
    y = X[:, 0] + X[:, 1] > X[:, 2] + X[:, 3]
    three, four = (ReadableTreeClassifier(max_terms=k, size=2).fit(X, y) for k in (3, 4))
    assert four.tree_.node(0).predicate.n_terms == 4
    assert four.score(X, y) > three.score(X, y)


@pytest.mark.long
def test_sums_stood_where_one_column_does_as_well():
    table = load_loans()
    y = table.pop("repaid")
    plain, free = (
        ReadableTreeClassifier(size=8, **more).fit(table, y) for more in ({}, {"term_penalty": 0})
    )
    assert plain.tree_.reading_effort < 0.95 * free.tree_.reading_effort
    assert plain.score(table, y) > free.score(table, y) - 0.005


def test_levels_stand_in_sums():
    random = np.random.default_rng(4)
    income, home = random.normal(40, 10, 600), random.choice(["rent", "own", "free"], 600)
    good = income + 12 * (home == "own") > 45
    table = {"income": income.tolist(), "home": home.tolist()}
    model = ReadableTreeClassifier(size=2).fit(table, good)
    test = model.tree_.node(0).predicate
    assert isinstance(test, Linear)
    assert test.levels
    assert "if home is own" in str(model.tree_)
    assert model.score(table, good) > 0.95


# ---------------------------------------------------------------- time


@BOTH
@clocked
def test_a_short_time_limit_is_kept_and_said(kind):
    X, y = rows_of(kind, 4000)
    began = time.process_time()
    with pytest.warns(TimeLimitWarning, match="The time limit left no time for"):
        model = kind(time_limit=0.3).fit(X, y)
    assert time.process_time() - began < 2.0
    assert model.evidence_.sacrificed
    assert "The time limit left no time for" in str(model)


def test_no_time_at_all_gives_a_tree():
    X, y = rows_of(ReadableTreeClassifier, 3000)
    with pytest.warns(TimeLimitWarning, match="left no time for the teacher"):
        model = ReadableTreeClassifier(time_limit=0.0).fit(X, y)
    assert model.predict(X).shape == y.shape


def test_no_time_for_the_search_gives_one_leaf(monkeypatch):
    def search(*_, **__):
        raise OutOfTime

    monkeypatch.setattr(fitting, "find_front", search)
    X, y = rows_of(ReadableTreeClassifier, 60)
    with pytest.warns(TimeLimitWarning, match="the search"):
        model = ReadableTreeClassifier(time_limit=60.0).fit(X, y)
    assert model.tree_.n_leaves == 1


@pytest.mark.long
@BOTH
def test_enough_time_changes_nothing(kind):
    X, y = rows_of(kind, 150)
    assert kind(time_limit=1000.0).fit(X, y).tree_ == kind().fit(X, y).tree_


# ---------------------------------------------------------------- rows


@pytest.mark.long
@BOTH
@pytest.mark.parametrize("n_rows", [200, 5200])
def test_the_order_of_rows_changes_nothing(kind, n_rows):
    X, y = rows_of(kind, n_rows)
    order = np.random.default_rng(5).permutation(n_rows)
    size = {} if n_rows < 1000 else {"size": 4}
    assert kind(**size).fit(X, y).tree_ == kind(**size).fit(X[order], y[order]).tree_


@pytest.mark.slow
@BOTH
def test_large_tables_are_sampled_and_counted_whole(kind):
    X, y = rows_of(kind, 30_000)
    model = kind(size=6).fit(X, y)
    assert model.tree_.node(0).rows == 30_000
    assert "Searched for on 20,000 of 30,000 rows; thresholds and counts are those" in str(model)
    assert "seen on 20,000 sampled rows" in model.certificate_.tests
    leaves = model.apply(X)
    for node in model.tree_.walk():
        if not node.is_leaf:
            continue
        assert node.rows == (leaves == node.id).sum()
    if kind is ReadableTreeClassifier:
        assert model.score(X, y) > TreeClassifier(max_leaf_nodes=6).fit(X, y).score(X, y) - 0.01


@pytest.mark.parametrize("classes", [True, False])
def test_thresholds_are_put_where_all_rows_lose_least(classes):
    random = np.random.default_rng(6)
    X = random.uniform(0, 100, size=(5000, 2))
    X[random.random(5000) < 0.05, 0] = np.nan
    X[:, 1] = random.integers(0, 2, 5000)
    truth = np.nan_to_num(X[:, 0]) > 61.7
    kind = ReadableTreeClassifier if classes else ReadableTreeRegressor
    small = kind(size=2, max_terms=1).fit(X[:60], truth[:60] if classes else truth[:60] * 9.0)
    codes, weights = truth.astype(np.int32), np.ones(5000)
    goal = ClassGoal(codes, weights, 2) if classes else NumberGoal(codes * 9.0, weights)
    tree = recut(small.tree_, X, small._table(X), goal)
    known = ~np.isnan(X[:, 0])
    assert tree.node(0).rows == 5000
    threshold = tree.node(0).predicate.threshold
    assert X[known & ~truth, 0].max() <= threshold < X[known & truth, 0].min()
