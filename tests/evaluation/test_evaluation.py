"""What rows say of a tree, against computations of scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.metrics import confusion_matrix, precision_score, r2_score, recall_score

from treewright import TreeClassifier, TreeRegressor
from treewright.evaluation import (
    JudgedRows,
    Scale,
    every_question,
    evidence_of,
    first_questions,
    judged_path,
    refitted,
    shown_steps,
    trivial_of,
)
from treewright.evaluation.calibration import calibration_points
from treewright.prune import CostComplexity, Trim, balanced_part
from treewright.reports.parts import divide, read_rows


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(max_leaf_nodes=4).fit(X[::2], y[::2])
    return model, X[1::2], y[1::2]


def test_figures_of_classes_are_those_of_scikit_learn(wine):
    model, X, y = wine
    evidence = evidence_of(model.tree_, JudgedRows.read(X, y, model.schema_))
    answers = model.predict(X)
    assert evidence.score == np.mean(answers == y)
    assert evidence.low < evidence.score < evidence.high
    assert np.array_equal(evidence.confusion.counts, confusion_matrix(y, answers))
    recalls, precisions = (
        recall_score(y, answers, average=None),
        precision_score(y, answers, average=None),
    )
    assert [one.recall for one in evidence.classes] == pytest.approx(recalls)
    assert [one.precision for one in evidence.classes] == pytest.approx(precisions)


def test_costs_are_means_over_rows(wine):
    model, X, y = wine
    costs = np.array([[0, 1, 9], [2, 0, 1], [1, 5, 0]], dtype=float)
    rows = JudgedRows.read(X, y, model.schema_, costs=costs)
    evidence = evidence_of(model.tree_, rows)
    assert evidence.score == pytest.approx(costs[y, model.predict(X)].mean())
    assert evidence.confusion.costs[0] == (0, 1, 9)
    assert trivial_of(model.tree_, rows).score == pytest.approx(costs[y, 1].mean())


@pytest.mark.long
def test_figures_of_numbers():
    X, y = load_diabetes(return_X_y=True)
    model = TreeRegressor(max_leaf_nodes=6).fit(X[::2], y[::2])
    evidence = evidence_of(model.tree_, JudgedRows.read(X[1::2], y[1::2], model.schema_))
    answers = model.predict(X[1::2])
    assert evidence.score == pytest.approx(r2_score(y[1::2], answers))
    distances = np.abs(y[1::2] - answers)
    assert evidence.residuals.mean_absolute == pytest.approx(distances.mean())
    assert dict(evidence.residuals.quantiles)[0.5] == pytest.approx(np.median(distances))
    resampled = np.random.default_rng(0).integers(len(answers), size=(2000, len(answers)))
    scores = [r2_score(y[1::2][rows], answers[rows]) for rows in resampled]
    low, high = np.quantile(scores, [0.025, 0.975])
    assert (evidence.low, evidence.high) == pytest.approx((low, high), abs=0.03)


def test_a_constant_truth_has_no_explained_variance():
    model = TreeRegressor().fit([[1], [2], [3]], [1.0, 2.0, 3.0])
    evidence = evidence_of(model.tree_, JudgedRows.read([[1], [2]], [5, 5], model.schema_))
    assert np.isnan(evidence.score)


def test_calibration_groups_are_large_enough_and_cover_all_rows():
    chance = np.random.default_rng(3)
    stated = chance.choice([0.05, 0.1, 0.3, 0.62, 0.63, 0.9, 0.99], 500)
    truth = (chance.random(500) < stated).astype(int)
    points = calibration_points(np.c_[1 - stated, stated], (stated > 0.5).astype(int), truth)
    assert sum(point.rows for point in points) == 500
    assert all(point.rows >= 50 for point in points)
    assert [point.stated for point in points] == sorted(point.stated for point in points)
    assert all(point.low <= point.observed <= point.high for point in points)
    assert sum(point.low <= point.stated <= point.high for point in points) >= len(points) - 1
    first = calibration_points(np.c_[1 - stated, stated], truth, truth, positive=0)
    assert first[0].stated == pytest.approx(1 - points[-1].stated)


def test_scores_along_a_path_are_cross_validated(wine):
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(prune=CostComplexity(folds=5)).fit(X, y)
    path = judged_path(model.path_, len(y))
    steps, place = path.steps(path.choose(30), Scale.of(model.tree_), None, with_rows=True)
    assert steps[place].tree == model.tree_
    entry = model.path_[model.path_.chosen]
    assert steps[place].score == pytest.approx(1 - entry.cv_risk / len(y))
    assert steps[0].tree.n_leaves == 1
    sizes = [step.tree.n_leaves for step in steps]
    assert sizes == sorted(sizes)
    assert path.tree(path.choose(2)).n_leaves <= 2


@pytest.mark.parametrize("prune", [CostComplexity(holdout=0.25), Trim(holdout=0.25)], ids=repr)
def test_scores_along_a_path_are_those_of_the_part_held_out(prune):
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(prune=prune).fit(X, y)
    held = balanced_part(y, round(len(y) / 4))
    path = judged_path(model.path_, round(model.tree_.node(0).rows))
    steps, place = path.steps(path.choose(30), Scale.of(model.tree_), None, with_rows=True)
    assert steps[place].score == pytest.approx(model.score(X[held], y[held]))


def test_a_sample_judges_trees_of_the_same_size():
    X, y = load_wine(return_X_y=True)
    whole = TreeClassifier(prune=CostComplexity(alpha=0.0)).fit(X, y)
    some = TreeClassifier(prune=CostComplexity(folds=5)).fit(X[::2], y[::2])
    judged = judged_path(whole.path_, len(y), some.path_, len(y[::2]))
    for leaves, loss in zip(whole.path_.leaves, judged.losses, strict=True):
        entry = some.path_.at(leaves=int(leaves))
        assert loss == pytest.approx(entry.cv_risk / len(y[::2]))


@pytest.mark.parametrize("chosen", [0, 5, 40, 99])
def test_the_chosen_step_is_always_shown(chosen):
    leaves = np.unique(np.geomspace(1, 5000, 300).astype(int))[::-1][:100]
    positions = shown_steps(leaves, chosen)
    assert chosen in positions
    assert len(positions) <= 12
    assert np.all(np.diff(leaves[positions]) > 0)


def test_first_questions_are_counted():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(200, 2))
    y = (X[:, 0] + 0.1 * chance.normal(size=200) > 0).astype(int)

    def grow(rows):
        return TreeClassifier(max_depth=1).fit(X[rows], y[rows]).tree_

    (found,) = first_questions(refitted(grow, 200, seed=0))
    assert (found.words, found.share) == ("x0", 1.0)
    assert found.detail.startswith("cut between")


def test_every_question_is_looked_for_in_all_trees_of_bootstrap_samples():
    random = np.random.default_rng(5)
    X = random.normal(size=(300, 3))
    y = (X[:, 0] > 0) & (X[:, 1] > 0.5)
    trees = [
        TreeClassifier(max_leaf_nodes=leaves).fit(X[::step], y[::step]).tree_
        for leaves, step in ((2, 1), (3, 2), (3, 3), (2, 7))
    ]
    tree = TreeClassifier(max_leaf_nodes=3).fit(X, y).tree_
    found = every_question(tree, trees)
    assert [one.words for one in found] == [
        tree.schema.names[node.predicate.column]
        for node in map(tree.node, range(tree.n_nodes))
        if node.predicate is not None
    ]
    for one in found:
        column = tree.schema.names.index(one.words)
        assert one.share == np.mean([column in other.columns_read for other in trees])


def test_parts_are_balanced_and_every_class_can_be_learned():
    labels = ["a"] * 60 + ["b"] * 20 + ["c"]
    rows = read_rows({"x": list(range(81))}, labels, is_regression=False)
    training, test = divide(rows, 0.25, seed=4)
    assert np.abs(np.bincount(test.strata, minlength=3) - [15, 5, 0]).max() <= 1
    assert np.bincount(training.strata).min() == 1
    assert sorted([*training.table["x"], *test.table["x"]]) == list(range(81))
    assert divide(rows, 0.25, seed=5)[1].table["x"] != test.table["x"]


def test_two_rows_of_two_classes_are_both_needed():
    rows = read_rows({"x": [1, 2]}, ["a", "b"], is_regression=False)
    training, test = divide(rows, 0.25, seed=0)
    assert training.n_rows == 2
    assert test is None


@pytest.mark.parametrize("count", [0, 1, 7, 30])
def test_a_balanced_part_has_as_many_rows_as_asked(count):
    strata = np.repeat([0, 1, 2], [5, 20, 5])
    marked = balanced_part(strata, count, np.random.RandomState(1))
    assert marked.sum() == count
    shares = np.bincount(strata[marked], minlength=3)
    assert np.all(np.abs(shares - count * np.array([5, 20, 5]) / 30) < 1)
