"""Out-of-bag answers and importances by shuffling, compared with slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import balanced_accuracy_score, mean_absolute_error, r2_score

from treewright import MUST, ForestClassifier, ForestRegressor
from treewright.estimators import Costs
from treewright.estimators.forest import out_of_bag
from treewright.exceptions import OutOfBagWarning

IRIS = load_iris()


def noisy(n_rows: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two columns that decide the class, and two of noise, one of them with two values only."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    X[:, 3] = X[:, 3] > 0
    return X, (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_decisions_are_those_of_the_trees_that_did_not_see_the_row(voting):
    X, y = IRIS.data, IRIS.target
    model = ForestClassifier(n_estimators=6, voting=voting, max_depth=2, oob_score=True)
    with pytest.warns(OutOfBagWarning):
        model.set_params(random_state=0).fit(X, y)
    expected, right = np.full((150, 3), np.nan), []
    for row in range(150):
        judges = [
            tree
            for number, tree in enumerate(model.trees_)
            if model._bags.counts(number)[row] == 0.0
        ]
        if not judges:
            continue
        if voting == "soft":
            expected[row] = np.mean([tree.distribution(X[[row]])[0] for tree in judges], axis=0)
        else:
            votes = [int(tree.predict(X[[row]])[0]) for tree in judges]
            expected[row] = np.bincount(votes, minlength=3) / len(votes)
        right.append(np.argmax(expected[row]) == y[row])
    np.testing.assert_allclose(model.oob_decision_function_, expected)
    assert model.oob_score_ == pytest.approx(np.mean(right))


def test_predictions_of_numbers_out_of_bag():
    X, y = load_diabetes(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    model = ForestRegressor(n_estimators=40, oob_score=True, random_state=0, max_depth=4)
    model.fit(X, y, weights)
    out = np.array([model._bags.counts(number) == 0.0 for number in range(40)])
    answers = np.array([tree.predict(X) for tree in model.trees_])
    expected = (answers * out).sum(axis=0) / out.sum(axis=0)
    np.testing.assert_allclose(model.oob_prediction_, expected)
    assert model.oob_score_ == pytest.approx(r2_score(y, expected, sample_weight=weights))


def test_blocks_do_not_change_answers(monkeypatch):
    X, y = noisy()
    model = ForestClassifier(n_estimators=25, oob_score=True, permutation_repeats=2)
    whole = clone(model).set_params(random_state=1).fit(X, y)
    monkeypatch.setattr(out_of_bag, "_BLOCK", 7)
    parts = clone(model).set_params(random_state=1).fit(X, y)
    np.testing.assert_array_equal(parts.oob_decision_function_, whole.oob_decision_function_)
    np.testing.assert_allclose(parts.permutation_importances_, whole.permutation_importances_)


def test_a_score_of_ones_own():
    names = IRIS.target_names[IRIS.target]
    model = ForestClassifier(n_estimators=30, oob_score=balanced_accuracy_score, random_state=0)
    model.fit(IRIS.data, names)
    answers = model.classes_[model.oob_decision_function_.argmax(axis=1)]
    assert model.oob_score_ == balanced_accuracy_score(names, answers)
    model = ForestRegressor(n_estimators=30, oob_score=mean_absolute_error, random_state=0)
    model.fit(IRIS.data, IRIS.target)
    assert model.oob_score_ == mean_absolute_error(IRIS.target, model.oob_prediction_)


def test_costs_count_in_the_out_of_bag_answer():
    X, y = noisy()
    model = ForestClassifier(n_estimators=30, oob_score=True, random_state=0, max_depth=2)
    plain = clone(model).fit(X, y)
    costs = clone(model).set_params(cost_matrix=Costs([[0, 50], [1, 0]], in_split="none")).fit(X, y)
    np.testing.assert_array_equal(costs.oob_decision_function_, plain.oob_decision_function_)
    answers = (costs.oob_decision_function_ @ [[0, 50], [1, 0]]).argmin(axis=1)
    assert costs.oob_score_ == pytest.approx(np.mean(answers == y))
    assert costs.oob_score_ < plain.oob_score_


@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_rows_in_every_bag_are_counted_in_one_warning(forest):
    with pytest.warns(OutOfBagWarning, match=r"^\d+ of 150 rows cannot be judged") as seen:
        model = forest(n_estimators=2, oob_score=True, random_state=0).fit(IRIS.data, IRIS.target)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    found = getattr(model, "oob_prediction_", None)
    found = model.oob_decision_function_[:, 0] if found is None else found
    n_without = sum(
        all(model._bags.counts(number)[row] > 0 for number in range(2)) for row in range(150)
    )
    assert np.isnan(found).sum() == n_without
    assert str(seen[0].message).startswith(f"{n_without} of 150 rows")
    assert 0.5 < model.oob_score_ <= 1.0


@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_no_row_out_of_bag(forest):
    model = forest(n_estimators=3, oob_score=True, permutation_repeats=1)
    with pytest.warns(OutOfBagWarning, match="^1 of 1 row"):
        model.fit([[1.0]], [0])
    assert np.isnan(model.oob_score_)
    assert np.isnan(model.permutation_importances_).all()


def test_what_was_not_asked_for_is_not_there():
    model = ForestClassifier(n_estimators=30, oob_score=True, permutation_repeats=1)
    model.fit(IRIS.data, IRIS.target)
    assert "Out-of-bag score: 0.9" in model.summary()
    model.set_params(oob_score=False, permutation_repeats=0).fit(IRIS.data, IRIS.target)
    for name in ("oob_score_", "oob_decision_function_", "permutation_importances_"):
        assert not hasattr(model, name)
    assert "Out-of-bag" not in model.summary()


# ---------------------------------------------------------------- importances


def test_importances_by_shuffling_compared_with_a_slow_twin():
    X, y = noisy(120)
    weights = np.random.default_rng(1).random(120) + 0.5
    model = ForestClassifier(n_estimators=8, permutation_repeats=2, random_state=0)
    model.fit(X, y, weights)
    by_tree = np.zeros((8, 4))
    for number, tree in enumerate(model.trees_):
        rows = np.flatnonzero(model._bags.counts(number) == 0.0)
        shuffler = model._bags.shuffler(number)
        for _ in range(2):
            others = shuffler.permutation(rows)
            before = weights[rows] @ (tree.predict(X[rows]) != y[rows])
            for column in range(4):
                changed = X[rows].copy()
                changed[:, column] = X[others, column]
                after = weights[rows] @ (tree.predict(changed) != y[rows])
                by_tree[number, column] += (after - before) / weights[rows].sum() / 2
    np.testing.assert_allclose(model.permutation_importances_, by_tree.mean(axis=0))
    np.testing.assert_allclose(model.permutation_importances_std_, by_tree.std(axis=0))


@pytest.mark.parametrize("split", ["axis", MUST(2)], ids=["axis", "must"])
def test_noise_has_no_importance(split):
    X, y = noisy(600)
    model = ForestClassifier(60, split, permutation_repeats=3, random_state=0).fit(X, y)
    found = model.permutation_importances_
    assert found[0] > 0.2
    assert found[1] > 0.05
    assert np.abs(found[2:]).max() < 0.02
    # By impurity noise with many values looks better than noise with two.
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.feature_importances_[2] > model.feature_importances_[3]


def test_importances_of_numbers_are_losses():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    y = 10.0 * X[:, 0] + random.normal(size=400)
    model = ForestRegressor(n_estimators=40, permutation_repeats=1, random_state=0).fit(X, y)
    # Shuffling the column that decides all adds twice the variance of the target.
    assert model.permutation_importances_[0] == pytest.approx(2 * y.var(), rel=0.2)
    assert np.abs(model.permutation_importances_[1:]).max() < 0.02 * y.var()
    model.set_params(criterion="absolute_error", max_depth=6).fit(X, y)
    assert model.permutation_importances_[0] < y.var()


def test_importances_of_categories_and_gaps():
    random = np.random.default_rng(0)
    level = random.integers(0, 3, 400)
    table = {
        "level": np.array(["low", "mid", "high"])[level].tolist(),
        "noise": [None if gap else "ab"[int(x)] for gap, x in random.integers(0, 2, (400, 2))],
    }
    model = ForestClassifier(n_estimators=20, permutation_repeats=1, missing="surrogate")
    model.set_params(random_state=0, max_features=None).fit(table, level == 1)
    assert model.permutation_importances_[0] > 0.2
    assert abs(model.permutation_importances_[1]) < 0.02
