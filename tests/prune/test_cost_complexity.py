"""Cost-complexity paths against brute force, cross-validation by hand, and reading a path."""

from __future__ import annotations

import math
import pickle
import threading

import numpy as np
import pytest
from pruned_subtrees import (
    SHAPES,
    inner_nodes,
    leaves_of,
    pruned_subtrees,
    size_of,
    small_tree,
)
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold

from treewright import TreeClassifier, TreeRegressor, load
from treewright.exceptions import DataError
from treewright.prune import CostComplexity, balanced_part, cost_complexity_path
from treewright.prune.cost_complexity import choose_by_standard_errors
from treewright.prune.risks import node_risks
from treewright.tree.node import STOP_POLICIES

IRIS = load_iris()


@pytest.mark.parametrize("penalty", ["leaves", "attributes"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(6))
def test_weakest_links_are_the_best_of_all_pruned_subtrees(shape, penalty, seed):
    tree, _, _ = small_tree(seed, **SHAPES[shape])
    for risk in ("errors", "deviance", "gini"):
        check_against_all_subtrees(tree, risk, penalty)


@pytest.mark.parametrize("seed", range(6))
def test_weakest_links_of_numbers_are_the_best_of_all_pruned_subtrees(seed):
    tree, _, _ = small_tree(seed, "numbers")
    check_against_all_subtrees(tree, "squared_error", "leaves")


def check_against_all_subtrees(tree, risk, penalty):
    risks = node_risks(tree, risk)
    subtrees = [
        (sum(risks[leaf] for leaf in leaves_of(tree, inner)), size_of(tree, inner, penalty), inner)
        for inner in pruned_subtrees(tree)
    ]
    path = cost_complexity_path(tree, risk=risk, penalty=penalty)
    alphas = path.alphas
    between = np.append((alphas[:-1] + alphas[1:]) / 2, alphas[-1] + 1.0)
    for entry, alpha in zip(path, between, strict=True):
        least = min(cost + alpha * size for cost, size, _ in subtrees)
        tolerance = 1e-9 * (1.0 + abs(least))
        own = entry.risk + alpha * size_of(tree, inner_nodes(entry.tree), penalty)
        assert own == pytest.approx(least, abs=tolerance)
        # Just at its alpha it is the smallest of the best.
        least_here = min(cost + entry.alpha * size for cost, size, _ in subtrees)
        equally_good = [
            inner
            for cost, size, inner in subtrees
            if cost + entry.alpha * size <= least_here + 1e-7 * (1.0 + abs(least_here))
        ]
        assert inner_nodes(entry.tree) == min(equally_good, key=len)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_entries_say_what_their_trees_are(shape, seed):
    tree, _, _ = small_tree(seed, **SHAPES[shape])
    path = cost_complexity_path(tree)
    assert list(path.alphas) == sorted(set(path.alphas))
    previous = None
    for entry in path:
        assert entry.leaves == entry.tree.n_leaves
        assert entry.reading_effort == pytest.approx(entry.tree.reading_effort)
        own = node_risks(entry.tree)[entry.tree.core.n_branches == 0].sum()
        assert entry.risk == pytest.approx(own, abs=1e-9)
        inner = inner_nodes(entry.tree)
        assert previous is None or inner < previous
        previous = inner
    assert path[-1].leaves == 1


def test_a_tie_between_nested_links_is_one_step():
    """Two nested tests that save one error each for one leaf each are cut together."""
    X = np.arange(8.0)[:, None]
    path = TreeClassifier(max_leaf_nodes=3).fit(X, list("aaaabbcc")).path_
    assert [(entry.alpha, entry.leaves) for entry in path] == [(0.0, 3), (2.0, 1)]


def test_trees_by_leaves_and_by_alpha():
    model = TreeClassifier().fit(IRIS.data, IRIS.target)
    sizes = [entry.leaves for entry in model.path_]
    for leaves in range(1, 12):
        assert model.at(leaves=leaves).n_leaves == max(size for size in sizes if size <= leaves)
    for entry in model.path_:
        assert model.at(alpha=entry.alpha) == entry.tree
        assert model.at(alpha=entry.alpha * 1.0001 + 1e-6).n_leaves == entry.leaves
    for wrong in ({}, {"leaves": 2, "alpha": 1.0}, {"leaves": 0}, {"alpha": -1.0}):
        with pytest.raises(ValueError, match=r"leaves|alpha"):
            model.at(**wrong)


def test_a_model_with_another_tree_predicts_and_saves(tmp_path):
    model = TreeClassifier().fit(IRIS.data, IRIS.target)
    small = model.with_tree(model.at(leaves=3))
    assert small.get_n_leaves() == 3
    assert model.get_n_leaves() > 3
    small.save(tmp_path / "small.json")
    assert (load(tmp_path / "small.json").predict(IRIS.data) == small.predict(IRIS.data)).all()
    with pytest.raises(ValueError, match="other columns or classes"):
        model.with_tree(TreeClassifier().fit([[1.0], [2.0]], [0, 1]).tree_)


@pytest.mark.parametrize("missing", ["default", *STOP_POLICIES])
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_cross_validation_by_hand(kind, missing):
    """The held-out losses of trees grown on each part and pruned at the scaled middles."""
    random = np.random.default_rng(3)
    X = random.normal(size=(120, 3))
    number = X[:, 0] + random.normal(size=120)
    y = (number > 0).astype(int) if kind is TreeClassifier else number
    fold = random.integers(0, 5, 120)
    X[random.random(X.shape) < 0.1] = np.nan
    settings = {"readable": False, "missing": missing}
    model = kind(prune=CostComplexity(folds=fold, se=0.5), **settings).fit(X, y)
    alphas = model.path_.alphas
    losses = np.zeros((120, len(alphas)))
    for part in range(5):
        grown = kind(**settings).fit(X[fold != part], y[fold != part])
        for k in range(len(alphas)):
            beta = math.sqrt(alphas[k] * alphas[k + 1]) if k + 1 < len(alphas) else math.inf
            pruned = cost_complexity_path(grown.tree_).at(alpha=beta * np.mean(fold != part)).tree
            answer = pruned.predict(X[fold == part])
            truth = y[fold == part]
            wrong = answer != truth if kind is TreeClassifier else (answer - truth) ** 2
            losses[fold == part, k] = wrong
    risk = losses.sum(axis=0)
    error = np.sqrt((losses**2).sum(axis=0) - risk**2 / 120)
    np.testing.assert_allclose([entry.cv_risk for entry in model.path_], risk)
    np.testing.assert_allclose([entry.cv_standard_error for entry in model.path_], error)
    assert model.path_.chosen == choose_by_standard_errors(risk, error, 0.5)
    assert model.tree_ == model.path_[model.path_.chosen].tree


@pytest.mark.parametrize("missing", ["default", "stop"])
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_a_held_out_part_by_hand(kind, missing):
    """The trees of one path are judged on rows that did not grow it."""
    random = np.random.default_rng(4)
    X = random.normal(size=(150, 3))
    number = X[:, 0] + random.normal(size=150)
    y = (number > 0).astype(int) if kind is TreeClassifier else number
    X[random.random(X.shape) < 0.1] = np.nan
    settings = {"readable": False, "missing": missing}
    model = kind(prune=CostComplexity(holdout=0.2, se=0.0), **settings).fit(X, y)
    held = balanced_part(y, 30)  # what is held out without a random state
    grown = kind(**settings).fit(X[~held], y[~held])
    path = cost_complexity_path(grown.tree_)
    assert [entry.alpha for entry in model.path_] == list(path.alphas)
    for entry, own in zip(model.path_, path, strict=True):
        answer = own.tree.predict(X[held])
        loss = answer != y[held] if kind is TreeClassifier else (answer - y[held]) ** 2
        spread = math.sqrt((loss**2).sum() - loss.sum() ** 2 / 30)
        # As if the part were as large as that which grew: 120 rows.
        assert entry.cv_risk == pytest.approx(4 * loss.sum())
        assert entry.cv_standard_error == pytest.approx(4 * spread)
    least = min(entry.cv_risk for entry in model.path_)
    chosen = max(k for k, entry in enumerate(model.path_) if entry.cv_risk <= least + 1e-9)
    assert model.path_.chosen == chosen
    assert model.tree_ == path[chosen].tree
    assert model.tree_.node(0).rows == 120
    assert model.prune.n_growths(150) == 1
    assert str(model.path_).splitlines()[0].endswith("held out     +-")


def test_the_part_that_is_held_out_follows_the_random_state():
    def fit(seed):
        prune = CostComplexity(holdout=0.3, se=0.0)
        return TreeClassifier(prune=prune, random_state=seed).fit(IRIS.data, IRIS.target)

    assert list(fit(1).path_) == list(fit(1).path_)
    assert list(fit(1).path_) != list(fit(2).path_)


def test_folds_as_a_number_as_labels_and_as_a_splitter():
    y = IRIS.target
    labels = np.empty(150, dtype=int)
    for number, (_, held_out) in enumerate(KFold(5, shuffle=True, random_state=1).split(y)):
        labels[held_out] = number
    by_splitter = TreeClassifier(
        prune=CostComplexity(folds=KFold(5, shuffle=True, random_state=1))
    ).fit(IRIS.data, y)
    by_labels = TreeClassifier(prune=CostComplexity(folds=labels)).fit(IRIS.data, y)
    by_names = TreeClassifier(prune=CostComplexity(folds=[f"f{k}" for k in labels]))
    assert list(by_splitter.path_) == list(by_labels.path_)
    assert list(by_names.fit(IRIS.data, y).path_) == list(by_labels.path_)
    for wrong, words in {
        "one fold a row": labels[:10],
        "two folds at least": np.zeros(150),
        "more than once": _Splitter([(0, [0, 1]), (0, [1, 2])]),
        "never hold out row 3": _Splitter([(0, [0, 1, 2]), (0, list(range(4, 150)))]),
    }.items():
        with pytest.raises(DataError, match=wrong):
            TreeClassifier(prune=CostComplexity(folds=words)).fit(IRIS.data, y)


class _Splitter:
    def __init__(self, parts):
        self.parts = parts

    def split(self, X, y):
        return iter(self.parts)

    def get_n_splits(self):
        return len(self.parts)


def test_given_folds_keep_to_their_rows_when_others_have_no_weight():
    weights = np.ones(150)
    weights[::7] = 0.0
    fold = np.arange(150) % 4
    whole = TreeClassifier(prune=CostComplexity(folds=fold))
    kept = weights > 0
    part = clone(whole).set_params(prune__folds=fold[kept])
    whole.fit(IRIS.data, IRIS.target, sample_weight=weights)
    part.fit(IRIS.data[kept], IRIS.target[kept])
    assert list(whole.path_) == list(part.path_)


def test_folds_are_balanced_and_repeat_unless_there_is_a_random_state():
    def fit(**more):
        return TreeClassifier(prune="cost_complexity", **more).fit(IRIS.data, IRIS.target)

    assert list(fit().path_) == list(fit().path_)
    assert list(fit(random_state=1).path_) == list(fit(random_state=1).path_)
    assert list(fit(random_state=1).path_) != list(fit(random_state=2).path_)


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_any_number_of_threads_gives_the_same_path(kind):
    model = kind(prune=CostComplexity(n_jobs=1)).fit(IRIS.data, IRIS.target)
    other = kind(prune=CostComplexity(n_jobs=2)).fit(IRIS.data, IRIS.target)
    assert list(model.path_) == list(other.path_)
    assert model.tree_ == other.tree_


def test_fewer_rows_than_folds():
    model = TreeClassifier(prune="cost_complexity").fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert model.tree_.n_leaves in (1, 2)
    assert TreeClassifier(prune="cost_complexity").fit([[1.0]], ["a"]).tree_.n_leaves == 1


def test_absolute_errors_are_weighed_as_such():
    """One outlier dominates squared errors, and not absolute ones."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 1))
    y = (X[:, 0] > 0) + random.normal(scale=0.1, size=60)
    y[5] = 1000.0
    model = TreeRegressor(criterion="absolute_error", prune=CostComplexity(alpha=0.0)).fit(X, y)
    assert model.path_.root_risk == pytest.approx(np.abs(y - np.median(y)).sum())


def test_parameters_of_pruners_can_be_searched_and_saved(tmp_path):
    search = GridSearchCV(
        TreeClassifier(prune=CostComplexity()), {"prune__se": [0.0, 1.0, 50.0]}, cv=3
    ).fit(IRIS.data, IRIS.target)
    assert search.best_params_["prune__se"] < 50.0
    model = TreeClassifier(prune=CostComplexity(se=0.25, folds=np.arange(150) % 3))
    model.fit(IRIS.data, IRIS.target).save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert (again.prune.se, again.prune.folds) == (0.25, 3)
    assert again.tree_ == model.tree_
    assert [entry.leaves for entry in again.path_] == [
        entry.leaves for entry in model.path_ if entry.leaves <= model.tree_.n_leaves
    ]
    assert pickle.loads(pickle.dumps(model)).path_.chosen == model.path_.chosen


def test_the_path_prints_as_a_table():
    pruner = CostComplexity(folds=np.arange(150) % 10)
    model = TreeClassifier(prune=pruner, readable=False)
    text = str(model.fit(IRIS.data, IRIS.target).path_)
    lines = text.splitlines()
    assert lines[0].split() == [
        "alpha",
        "leaves",
        "effort",
        "risk",
        "relative",
        "cross-validated",
        "+-",
    ]
    assert sum("<- chosen" in line for line in lines) == 1
    assert "0.060  0.024  <- chosen" in text


@pytest.mark.long
def test_progress_covers_all_growths():
    told = []
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60_000, 10)), random.integers(0, 2, 60_000)
    TreeClassifier(prune=CostComplexity(folds=3), progress=told.append).fit(X, y)
    assert told == sorted(told)
    assert told[0] >= 0.0
    assert 0.5 < told[-1] <= 1.0


@pytest.mark.long
def test_interrupt_ends_a_cross_validation():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(50_000, 10)), random.integers(0, 2, 50_000)
    calls = []

    def stop(share):
        calls.append(share)
        if share > 0.3:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        TreeClassifier(prune=CostComplexity(folds=20, n_jobs=2), progress=stop).fit(X, y)
    assert calls
    assert threading.active_count() <= before + 4
