"""Readable trees: manners of estimators, what they find, and what is shown beside them."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright
from treewright import ReadableTreeClassifier, ReadableTreeRegressor
from treewright.predicates import Linear, Subset

DRAWN = "rows are dealt to bags and folds one by one, whatever they weigh"
CANCER, IRIS, DIABETES = load_breast_cancer(), load_iris(), load_diabetes()
BOTH = pytest.mark.parametrize("kind", [ReadableTreeClassifier, ReadableTreeRegressor])


def problem(kind, n_rows=200):
    """Rows of four columns, and classes or numbers that depend on a sum of two."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 4))
    score = X[:, 0] + X[:, 1] + 0.3 * random.normal(size=n_rows)
    return X, (score > 0) if kind is ReadableTreeClassifier else score


@cache
def plainly_fitted(kind):
    """The model that several tests look at."""
    return kind().fit(*problem(kind))


@cache
def cancer_model():
    return ReadableTreeClassifier().fit(CANCER.data, CANCER.target)


@parametrize_with_checks(
    [ReadableTreeClassifier(n_bootstraps=1, size=4), ReadableTreeRegressor(size=4)],
    expected_failed_checks=lambda model: {"check_sample_weight_equivalence_on_dense_data": DRAWN},
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---------------------------------------------------------------- what is found


@BOTH
def test_a_sum_of_two_columns_is_found(kind):
    X, y = problem(kind)
    model = kind(size=2).fit(X, y)
    test = model.tree_.node(0).predicate
    assert isinstance(test, Linear)
    assert {0, 1} <= set(test.columns)
    assert model.tree_.n_leaves == 2


@pytest.mark.long
@BOTH
@pytest.mark.parametrize(
    ("parameter", "value"), [("max_leaf_nodes", 3), ("max_terms", 1), ("max_depth", 2)]
)
def test_the_budget_is_kept(kind, parameter, value):
    X, y = problem(kind)
    model = kind(**{parameter: value}).fit(X, y)
    trees = [entry.tree for entry in model.front_]
    assert len(trees) > 1
    for tree in trees:
        assert tree.n_leaves <= (value if parameter == "max_leaf_nodes" else 8)
        deepest = 3 if kind is ReadableTreeClassifier else 4
        assert tree.depth <= (value if parameter == "max_depth" else deepest)
        terms = [node.predicate.n_terms for node in tree.walk() if not node.is_leaf]
        assert max(terms, default=1) <= (value if parameter == "max_terms" else 3)
        assert min(node.rows for node in tree.walk() if node.is_leaf) >= 5


@pytest.mark.long
@BOTH
def test_where_nothing_can_be_learned_there_is_one_leaf(kind):
    single = 0  # five of six in the long run
    for seed in range(4):
        random = np.random.default_rng(seed)
        X = random.normal(size=(300, 5))
        y = random.normal(size=300)
        model = kind().fit(X, y > 0 if kind is ReadableTreeClassifier else y)
        is_single = model.tree_.n_leaves == 1
        assert is_single == ("no split was found to be worth its place" in str(model))
        single += is_single
    assert single >= 3


@pytest.mark.long
def test_levels_and_missing_values_are_read():
    random = np.random.default_rng(2)
    home = random.choice(["rent", "own", "free"], 400)
    income = random.normal(40, 10, 400)
    good = (home == "own") | (income > 45)
    income[random.random(400) < 0.1] = np.nan
    table = {"home": home.tolist(), "income": income.tolist()}
    model = ReadableTreeClassifier().fit(table, np.where(good, "yes", "no"))
    tests = [node.predicate for node in model.tree_.walk() if not node.is_leaf]
    assert any(isinstance(test, Subset) for test in tests)
    assert model.score(table, np.where(good, "yes", "no")) > 0.9
    assert "home is own" in str(model.tree_)
    with pytest.warns(treewright.exceptions.UnseenLevelWarning, match="boat"):
        assert (
            len(model.predict({"home": ["own", None, "boat"], "income": [None, 50.0, 20.0]})) == 3
        )


def test_costs_change_what_is_predicted():
    X, y = make_classification(300, 4, flip_y=0.2, random_state=0)
    plain = ReadableTreeClassifier(size=4).fit(X, y)
    dear = ReadableTreeClassifier(size=4, cost_matrix=[[0, 1], [20, 0]]).fit(X, y)
    assert dear.predict(X).mean() > plain.predict(X).mean()
    assert ((dear.predict(X) == 0) & (y == 1)).sum() <= ((plain.predict(X) == 0) & (y == 1)).sum()


@pytest.mark.long
@BOTH
def test_rows_of_weight_0_are_as_if_absent(kind):
    X, y = problem(kind)
    weights = np.ones(len(y))
    weights[:40] = 0.0
    assert kind().fit(X, y, weights).tree_ == kind().fit(X[40:], y[40:]).tree_


@pytest.mark.long
@BOTH
def test_one_size_for_all_weights_changes_nothing(kind):
    X, y = problem(kind)
    one, other = plainly_fitted(kind), kind().fit(X, y, np.full(len(y), 4.0))
    tests = [[node.predicate for node in model.tree_.walk()] for model in (one, other)]
    assert tests[0] == tests[1]


@BOTH
def test_repeated_rows_are_weights_where_neither_teacher_nor_folds_decide(kind):
    X, y = problem(kind, 120)
    times = np.random.default_rng(3).integers(1, 4, len(y))
    settings = {"size": 4, "label_share": 1.0, "min_samples_leaf": 0.05}
    if kind is ReadableTreeClassifier:
        settings["n_bootstraps"] = 0
    one = kind(**settings).fit(X, y, times)
    other = kind(**settings).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert one.predict(X).tolist() == pytest.approx(other.predict(X).tolist())


@pytest.mark.long
@BOTH
def test_any_number_of_threads_gives_the_same_tree(kind):
    X, y = problem(kind)
    assert kind(n_jobs=2).fit(X, y).tree_ == plainly_fitted(kind).tree_


@pytest.mark.long
@BOTH
def test_chance_is_seeded(kind):
    X, y = problem(kind)
    first = kind(random_state=5).fit(X, y)
    assert first.tree_ == clone(first).fit(X, y).tree_


@BOTH
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_numbers_of_any_size_are_read(kind, size):
    X, y = problem(kind, 60)
    assert kind().fit(X * size, y).tree_.n_leaves > 1


@pytest.mark.long
@BOTH
def test_no_seed_is_seed_0(kind):
    X, y = problem(kind)
    assert plainly_fitted(kind).tree_ == kind(random_state=0).fit(X, y).tree_


@pytest.mark.long
def test_sums_of_the_same_decimals_are_not_parted():
    random = np.random.default_rng(7)
    X = np.round(random.uniform(0, 10, size=(400, 3)), 1)
    y = 0.52 * X[:, 0] - 2.2 * X[:, 1] - X[:, 2] > -8
    model = ReadableTreeClassifier(max_leaf_nodes=4).fit(X, y)
    tests = [node.predicate for entry in model.front_ for node in entry.tree.walk()]
    thresholds = [test.threshold for test in tests if isinstance(test, Linear)]
    assert thresholds
    assert all(len(repr(threshold)) < 12 for threshold in thresholds)


# ---------------------------------------------------------------- what is shown


def test_probabilities_are_soft_and_counts_are_true():
    X, y = CANCER.data, CANCER.target_names[CANCER.target]
    model = ReadableTreeClassifier(size=3).fit(X, y)
    leaves = [node for node in model.tree_.walk() if node.is_leaf]
    ends = model.apply(X)
    for leaf in leaves:
        own = y[ends == leaf.id]
        assert leaf.statistics == tuple(float((own == label).sum()) for label in model.classes_)
        assert leaf.probabilities != tuple(part / leaf.weight for part in leaf.statistics)
        np.testing.assert_allclose(
            model.predict_proba(X)[ends == leaf.id], [leaf.probabilities] * len(own)
        )


@BOTH
def test_the_front_has_the_best_tree_of_every_size(kind):
    model = plainly_fitted(kind)
    leaves = [entry.leaves for entry in model.front_]
    assert leaves == sorted(leaves, reverse=True)
    assert model.at(leaves=3).n_leaves <= 3
    assert all(entry.cv_risk is not None for entry in model.front_)
    assert model.front_[model.front_.chosen].tree == model.tree_
    assert model.certificate_.proven


@pytest.mark.long
def test_the_evidence_stands_between_baseline_and_ceiling():
    model = cancer_model()
    evidence = model.evidence_
    assert evidence.baseline == pytest.approx((CANCER.target == 1).mean())
    assert evidence.baseline < evidence.score < 1.0
    assert 0.0 < evidence.standard_error < 0.02
    assert evidence.ceiling.score == max(one.score for one in evidence.ceilings)
    assert evidence.ceiling.score > 0.95
    assert evidence.teacher in {one.name for one in evidence.ceilings}
    assert "boosted trees" in {one.name for one in evidence.ceilings}
    assert "one prediction for all rows" not in {one.name for one in evidence.ceilings}


@pytest.mark.long
def test_the_story_is_told():
    model = ReadableTreeClassifier().fit(IRIS.data, IRIS.target_names[IRIS.target])
    story = str(model)
    assert "On held-out rows: accuracy 9" in story
    assert "proposed conditions is better." in story
    numbers = str(ReadableTreeRegressor().fit(DIABETES.data, DIABETES.target))
    assert "On held-out rows: R² 0.4" in numbers
    assert "class='ReadableTreeClassifier" not in story
    assert repr(ReadableTreeClassifier()) == "ReadableTreeClassifier()"
    assert str(ReadableTreeClassifier()) == "ReadableTreeClassifier()"


@BOTH
def test_models_survive_files_and_pickles(kind, tmp_path):
    X, y = problem(kind)
    model = kind(size=4).fit(X, y)
    model.save(tmp_path / "model.json")
    for other in (treewright.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert type(other) is kind
        assert other.tree_ == model.tree_
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert other.at(leaves=2) == model.at(leaves=2)
        if kind is ReadableTreeClassifier:
            np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_exported_code_has_the_soft_probabilities():
    model = ReadableTreeClassifier(size=4).fit(IRIS.data, IRIS.target_names[IRIS.target])
    names = model.schema_.names
    space: dict = {}
    exec(model.export("python"), space)
    row = dict(zip(names, IRIS.data[70].tolist(), strict=True))
    assert space["predict_proba"](row) == pytest.approx(model.predict_proba(IRIS.data[[70]])[0])


@BOTH
def test_fewer_rows_than_a_leaf_needs_give_one_leaf_that_can_be_saved(kind, tmp_path):
    model = kind().fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    model.save(tmp_path / "model.json")
    assert treewright.load(tmp_path / "model.json").tree_.n_leaves == 1


@pytest.mark.long
def test_held_out_risks_of_the_front_are_errors():
    model = cancer_model()
    entry = model.front_[model.front_.chosen]
    assert entry.cv_risk == pytest.approx(len(CANCER.target) * (1.0 - model.evidence_.score))
    sizes = 569 * model.evidence_.standard_error
    assert entry.cv_standard_error == pytest.approx(sizes)


@pytest.mark.long
@BOTH
def test_progress_rises_to_the_end(kind):
    X, y = problem(kind)
    told: list[float] = []
    kind(progress=told.append).fit(X, y)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_leaf_nodes": 65}, "'max_leaf_nodes' parameter .* int in"),
        ({"max_terms": 9}, "'max_terms' parameter .* int in"),
        ({"max_terms": 0}, "'max_terms' parameter"),
        ({"size": "large"}, "'size' parameter"),
        ({"label_share": 1.5}, "'label_share' parameter"),
    ],
)
def test_parameters_are_checked(settings, words):
    with pytest.raises(ValueError, match=words):
        ReadableTreeClassifier(**settings).fit(IRIS.data, IRIS.target)


# ---------------------------------------------------------------- rules without exceptions


@pytest.mark.parametrize(("n_rows", "last"), [(30, 20), (40, 14), (100, 33)])
def test_the_threshold_of_a_rule_without_exceptions_is_found(n_rows, last):
    x = np.arange(float(n_rows))
    y = np.where(x > last, "yes", "no")
    model = ReadableTreeClassifier().fit({"x": x}, y)
    assert model.tree_.n_leaves == 2
    assert model.score({"x": x}, y) == 1.0


@pytest.mark.long
def test_rows_of_one_class_are_not_parted():
    random = np.random.default_rng(0)
    for _ in range(3):
        X = random.uniform(0, 100, (150, 3)).round()
        y = np.where((X[:, 0] > 40) & (X[:, 1] <= 60), "a", "b")
        model = ReadableTreeClassifier().fit(X, y)
        assert model.score(X, y) == 1.0
        assert model.tree_.n_leaves == 3


@pytest.mark.long
def test_other_first_questions_have_their_best_trees():
    random = np.random.default_rng(4)
    X = random.normal(size=(300, 4))
    y = (X[:, 0] > 0) | (X[:, 1] + 0.5 * X[:, 2] > 0.8)
    model = ReadableTreeClassifier(random_state=0).fit(X, y)
    first, *others = model.evidence_.first_questions
    assert first == model.tree_
    roots = [frozenset(tree.node(0).predicate.columns) for tree in (first, *others)]
    assert len(set(roots)) == len(roots) > 1
    assert all(tree.n_leaves <= model.tree_.n_leaves for tree in others)
    assert ReadableTreeClassifier(random_state=0, size=3).fit(X, y).evidence_.first_questions == ()


@pytest.mark.long
def test_thresholds_count_every_held_out_row_once():
    random = np.random.default_rng(5)
    X = random.normal(size=(200, 3))
    y = np.where(X[:, 0] + random.normal(size=200) > 0.7, "yes", "no")
    evidence = ReadableTreeClassifier(random_state=0).fit(X, y).evidence_
    for size, found in evidence.thresholds.items():
        assert found.found[-1] == (y == "yes").sum(), size
        assert found.false_alarms[-1] == (y == "no").sum(), size
        assert [*found.probabilities] == sorted(found.probabilities, reverse=True)
