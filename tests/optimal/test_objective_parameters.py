"""Objectives of optimal trees: what goes with them, what is refused, and what files keep."""

from __future__ import annotations

import json
import pickle
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from treewright import Constraints, OptimalTreeClassifier, OptimalTreeRegressor, load
from treewright.estimators import F1, LogLoss, search
from treewright.exceptions import DataError, ModelFileError, NotProvenWarning
from treewright.predicates import Axis

RANDOM = np.random.default_rng(11)
X = RANDOM.normal(size=(120, 3)).round(1)
LABELS = np.where(X[:, 0] + RANDOM.normal(scale=0.7, size=120) > 0.9, "ill", "well")
NUMBERS = (2 * X[:, 0] + RANDOM.normal(size=120)).round()
HARD = RANDOM.integers(0, 2, (1000, 60)).astype(float)
HARD_LABELS = RANDOM.integers(0, 2, 1000)
IRIS = load_iris()

OF_CLASSES = ["balanced_accuracy", "f1", F1("ill"), "brier", "log_loss", LogLoss(10)]
ALL = [*((OptimalTreeClassifier, one, LABELS) for one in OF_CLASSES)]
ALL += [(OptimalTreeRegressor, "absolute_error", NUMBERS)]


def judged(model, y):
    """Give the score of the training rows in the sign of the certificate."""
    score = model.score(X, y)
    return -score if model.certificate_.measure.split()[0] in ("Brier", "log", "mean") else score


# ---------------------------------------------------------------- what goes with them


@pytest.mark.parametrize(("kind", "objective", "y"), ALL)
@pytest.mark.parametrize(
    "parameters",
    [
        {"max_nodes": 2},
        {"pair_levels": 1, "max_depth": 3, "dictionary": [Axis(j, 0.0) for j in range(3)]},
        {"n_jobs": 2},
        {"dictionary": [Axis(0, 0.0), Axis(1, 0.5)]},
        {"dictionary": ["axis", "must(2)"], "refine": 1},
        {"constraints": Constraints(max_columns=1)},
        {"constraints": Constraints(max_terms=1), "dictionary": ["must(2)", "axis"]},
        {"thresholds": "guess"},
        {"thresholds": "quantile", "refine": 1},
        {"min_weight_fraction_leaf": 0.2},
        {"min_samples_leaf": 0.2},
        {"readable": False},
        {"memory_limit": 0.5},
    ],
)
def test_other_parameters_go_with_an_objective(kind, objective, y, parameters):
    model = kind(**{"max_depth": 2, **parameters}, objective=objective).fit(X, y)
    certificate = model.certificate_
    assert certificate.proven
    assert certificate.score == pytest.approx(judged(model, y))
    assert certificate.score_bound == pytest.approx(certificate.score)
    n_leaves = {"max_nodes": 3}.get(next(iter(parameters)), 8)
    assert model.tree_.n_leaves <= n_leaves
    if "min_weight_fraction_leaf" in parameters or "min_samples_leaf" in parameters:
        assert model.tree_.core.rows.min() >= 24


@pytest.mark.parametrize(("kind", "objective", "y"), ALL)
@pytest.mark.parametrize("parameters", [{"penalty": 0.02}, {"max_depth": None, "penalty": 0.2}])
def test_a_penalty_is_paid_for_leaves(kind, objective, y, parameters):
    model = kind(**{"max_depth": 2, **parameters}, objective=objective)
    if "f1" in repr(objective).lower():
        with pytest.raises(ValueError, match=r"^The 'penalty' parameter .* must be 0 beside obj"):
            model.fit(X, y)
        return
    certificate, penalty = model.fit(X, y).certificate_, parameters["penalty"]
    assert certificate.proven
    assert certificate.score_bound is None
    assert certificate.score == pytest.approx(judged(model, y))
    total = np.abs(y - np.median(y)).sum() if kind is OptimalTreeRegressor else len(y)
    lost = certificate.objective - penalty * total * (model.tree_.n_leaves - 1)
    mean = 1 - certificate.score if objective == "balanced_accuracy" else certificate.score
    assert lost / len(y) == pytest.approx(mean)
    assert "at most" not in str(certificate).partition("over")[2]


@pytest.mark.parametrize(
    ("kind", "objective", "y"), [one for one in ALL if "f1" not in repr(one[1]).lower()]
)
def test_of_equally_good_trees_the_smallest(kind, objective, y):
    small = kind(3, objective=objective, smallest=True).fit(X[:, :1], y)
    plain = kind(3, objective=objective).fit(X[:, :1], y)
    assert small.certificate_.objective == pytest.approx(plain.certificate_.objective)
    assert small.tree_.n_leaves <= plain.tree_.n_leaves


@pytest.mark.parametrize("objective", ["balanced_accuracy", F1("ill")])
def test_rules_of_paths_go_with_an_objective(objective):
    constraints = Constraints(first_columns=[1])
    model = OptimalTreeClassifier(2, objective=objective, constraints=constraints).fit(X, LABELS)
    assert model.certificate_.proven
    assert model.tree_.node(0).predicate.columns == (1,)
    assert model.certificate_.score == pytest.approx(model.score(X, LABELS))


def test_balanced_accuracy_is_that_of_balanced_classes():
    one = OptimalTreeClassifier(2, objective="balanced_accuracy", front=True).fit(X, LABELS)
    other = OptimalTreeClassifier(2, class_weight="balanced", front=True).fit(X, LABELS)
    assert one.tree_ == other.tree_
    assert one.certificate_.objective == other.certificate_.objective
    assert [entry.risk for entry in one.front_] == [entry.risk for entry in other.front_]
    assert other.certificate_.score is None
    tuned = OptimalTreeClassifier(2, objective="balanced_accuracy", tune="cv").fit(X, LABELS)
    assert tuned.certificate_.score == pytest.approx(tuned.score(X, LABELS))
    found = one.set_params(front=False).fit(X, LABELS).alternatives(X, LABELS, tolerance=0.01)
    assert found.count >= 1


def test_the_absolute_error_is_not_moved_by_a_far_number():
    y = np.where(X[:, 0] <= 0, 1.0, 5.0)
    y[0] = 1000.0
    model = OptimalTreeRegressor(1, objective="absolute_error").fit(X, y)
    assert sorted(set(model.predict(X))) == [1.0, 5.0]
    assert "training R²" in model.summary()
    assert "(mean absolute error " in model.summary()


def test_probabilities_part_leaves_of_one_class():
    """Leaves of the same class differ in their probabilities, which errors do not see."""
    table, y = np.repeat([[0.0], [1.0]], 20, axis=0), np.array([0] * 20 + [0] * 11 + [1] * 9)
    assert OptimalTreeClassifier(1).fit(table, y).tree_.n_leaves == 1
    for objective in ("brier", "log_loss"):
        model = OptimalTreeClassifier(1, objective=objective).fit(table, y)
        assert model.tree_.n_leaves == 2
        assert len(model.path_) == 2
        assert model.tree_.core.statistics[1:].tolist() == [[20.0, 0.0], [11.0, 9.0]]
        assert set(model.predict(table)) == {0}
    stated = model.predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(stated, [0.05, 0.45])


def test_the_class_of_f1_may_be_any():
    for label in (0, 1, 2):
        model = OptimalTreeClassifier(2, objective=F1(label)).fit(IRIS.data, IRIS.target)
        assert model.certificate_.measure == f"F1 of {label}"
        assert model.certificate_.score >= 0.9
        statistics = model.tree_.core.statistics.copy()
        statistics[:, label] = 0.0
        other = model.tree_.core.value != label  # these say the most frequent of the other classes
        assert other.any()
        assert (model.tree_.core.value == statistics.argmax(axis=1))[other].all()
        assert not len(model.tree_.core.cost)


def test_missing_values_and_levels_are_split_on():
    table = pd.DataFrame(
        {"color": ["red", "blue", "green", "red"] * 6, "size": [1.0, None, 3.0, 4.0] * 6}
    )
    y = np.where(table["size"].isna() | (table["color"] == "green"), 1, 0)
    for objective in ("balanced_accuracy", "f1", "brier"):
        model = OptimalTreeClassifier(2, objective=objective).fit(table, y)
        assert model.certificate_.objective == 0.0
    model = OptimalTreeRegressor(2, objective="absolute_error").fit(table, y * 2.5)
    assert model.certificate_.objective == 0.0


@pytest.mark.parametrize(("kind", "objective", "y"), ALL)
def test_rows_of_weight_zero_are_as_if_absent(kind, objective, y):
    weights = np.where(np.arange(120) % 4 == 0, 0.0, 1.0)
    kept = weights > 0
    whole = kind(2, objective=objective).fit(X, y, sample_weight=weights)
    part = kind(2, objective=objective).fit(X[kept], y[kept])
    assert whole.tree_ == part.tree_
    assert whole.certificate_.score == part.certificate_.score


@pytest.mark.parametrize(("kind", "objective", "y"), ALL)
def test_models_are_copied_saved_pickled_and_reported(kind, objective, y, tmp_path):
    model = clone(kind(2, objective=objective)).fit(X, y)
    assert repr(model.objective) == repr(objective)
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.get_params(deep=False)["objective"] == objective
    assert loaded.tree_ == model.tree_
    assert loaded.certificate_ == model.certificate_
    assert str(loaded.certificate_) == str(model.certificate_)
    assert loaded.score(X, y) == model.score(X, y)
    assert len(loaded.path_) >= 1
    assert pickle.loads(pickle.dumps(model)).summary() == model.summary()
    assert f"({model.certificate_.measure} {model.certificate_.score:.4g})" in model.summary()
    model.report(tmp_path / "page.html", X, y)
    assert (tmp_path / "page.html").stat().st_size > 10_000
    if kind is OptimalTreeClassifier:
        assert model.path_[0].risk == pytest.approx(loaded.path_[0].risk)


def test_stated_probabilities_are_exported():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = OptimalTreeClassifier(2, objective="log_loss").fit(frame, LABELS)
    with closing(sqlite3.connect(":memory:")) as database:
        frame.to_sql("people", database, index=False)
        code = model.export("sql", probabilities=True, table="people")
        said = pd.read_sql(code, database)
    expected = model.predict_proba(frame)
    np.testing.assert_allclose(said[[c for c in said if "p" in c.lower()]].iloc[:, -2:], expected)


def test_grid_search_reaches_the_options_and_scores_by_the_objective():
    model = OptimalTreeClassifier(2, objective=LogLoss())
    found = GridSearchCV(model, {"objective__n_steps": [5, 10]}, cv=2).fit(X, LABELS)
    assert found.best_score_ < 0
    found = GridSearchCV(model, {"objective": ["f1", F1("ill"), "brier"]}, cv=2).fit(X, LABELS)
    assert "objective" in found.best_params_


# ---------------------------------------------------------------- ending early


@pytest.mark.parametrize("objective", [*OF_CLASSES[:2], *OF_CLASSES[3:5]])
@pytest.mark.parametrize("seconds", [0, 0.3])
def test_a_search_cut_short_says_so_and_its_bound_holds(objective, seconds):
    model = OptimalTreeClassifier(6, objective=objective, time_limit=seconds)
    with pytest.warns(NotProvenWarning):
        model.fit(HARD, HARD_LABELS)
    certificate = model.certificate_
    assert certificate.status == "time_limit"
    assert 0 <= certificate.lower_bound < certificate.objective
    shallow = OptimalTreeClassifier(2, objective=objective).fit(HARD, HARD_LABELS).certificate_
    assert certificate.lower_bound <= shallow.objective
    side = "most" if certificate.score_bound > certificate.score else "least"
    assert f"; {certificate.measure} {certificate.score_bound:.4g} at {side})" in str(certificate)


@pytest.mark.parametrize("n_done", [0, 1])
def test_ctrl_c_between_the_searches_for_f1_keeps_the_tree(n_done, monkeypatch):
    find, n_found = search.find_tree, []

    def interrupted(*given):
        if len(n_found) == n_done:
            raise KeyboardInterrupt
        n_found.append(1)
        return find(*given)

    monkeypatch.setattr("treewright.estimators.class_objectives.find_tree", interrupted)
    model = OptimalTreeClassifier(2, objective=F1("ill"))
    if n_done == 0:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, LABELS)
        assert not hasattr(model, "tree_")
        return
    with pytest.warns(NotProvenWarning, match="it was interrupted"):
        model.fit(X, LABELS)
    whole = OptimalTreeClassifier(2, objective=F1("ill"))
    monkeypatch.undo()
    best = whole.fit(X, LABELS).certificate_
    assert model.certificate_.status == "interrupted"
    assert model.certificate_.score <= best.score <= model.certificate_.score_bound
    assert model.certificate_.score_bound < 1.0  # what the first search proved


@pytest.mark.parametrize("objective", OF_CLASSES)
def test_progress_is_told_in_the_unit_of_the_objective_and_ends_it(objective):
    told = []

    def watch(progress):
        told.append(progress)
        return len(told) < 3

    model = OptimalTreeClassifier(6, objective=objective, progress=watch, time_limit=30)
    y = np.where(HARD_LABELS, "ill", "well")
    with pytest.warns(NotProvenWarning):
        model.fit(HARD, y)
    assert model.certificate_.status == "stopped"
    for progress in told:
        assert 0 <= progress.bound <= progress.best + 1e-9
        assert progress.best <= (1 if "1" in model.certificate_.measure else 1000)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("objective", "name", "value"),
    [
        *((one, "class_weight", "balanced") for one in OF_CLASSES),
        *((one, "cost_matrix", [[0, 1], [2, 0]]) for one in OF_CLASSES),
        *((one, "tune", "cv") for one in OF_CLASSES[1:]),
        *((one, "front", True) for one in OF_CLASSES[1:]),
        *((one, "smoothing", "laplace") for one in OF_CLASSES[3:]),
        *(("f1", name, 0.1) for name in ("penalty", "term_penalty")),
        ("f1", "smallest", True),
        ("f1", "constraints", Constraints(column_costs=[1, 1, 1])),
        *((one, "constraints", Constraints(first_columns=[0])) for one in OF_CLASSES[3:]),
    ],
)
def test_what_an_objective_does_not_go_with_is_refused_first(objective, name, value):
    model = OptimalTreeClassifier(objective=objective, **{name: value})
    with pytest.raises(ValueError, match=f"^The '{name}' parameter .* beside objective=") as caught:
        model.fit(None, None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "parameters",
    [{"tune": "cv"}, {"front": True}, {"constraints": Constraints(interactions=[[0, 1]])}],
)
def test_what_the_absolute_error_does_not_go_with_is_refused_first(parameters):
    model = OptimalTreeRegressor(objective="absolute_error", **parameters)
    with pytest.raises(ValueError, match="beside objective='absolute_error'"):
        model.fit(None, None)


@pytest.mark.parametrize(
    ("objective", "y", "sentence"),
    [
        ("brier", IRIS.target[:120], "may be 'brier' for two classes only. Got 3 classes; join"),
        ("log_loss", IRIS.target[:120], "may be 'log_loss' for two classes only"),
        ("brier", [1] * 120, "Got 1 class; join"),
        ("f1", IRIS.target[:120], "must name a class where there are not two. Got 3 classes"),
        (F1("sick"), LABELS, "one of the classes. Got 'sick'; one of them is 'ill'"),
        (F1([1]), LABELS, r"Got \[1\]"),
    ],
)
def test_classes_that_an_objective_is_not_for_are_refused(objective, y, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        OptimalTreeClassifier(objective=objective).fit(X, y)
    assert "\n" not in str(caught.value)


def test_a_target_of_many_numbers_is_refused_with_the_remedy():
    y = np.arange(120.0)
    with pytest.raises(DataError, match=r"64 different numbers at most. Got 120; round the target"):
        OptimalTreeRegressor(objective="absolute_error").fit(X, y)


@pytest.mark.parametrize("objective", ["accuracy", None, 3, "squared_error", F1, LogLoss()])
def test_unknown_objectives_are_refused(objective):
    if not isinstance(objective, LogLoss):
        with pytest.raises(
            ValueError, match=r"^The 'objective' parameter of OptimalTreeClassifier"
        ):
            OptimalTreeClassifier(objective=objective).fit(X, LABELS)
    if objective != "squared_error":
        with pytest.raises(ValueError, match=r"^The 'objective' parameter of OptimalTreeRegressor"):
            OptimalTreeRegressor(objective=objective).fit(X, NUMBERS)


@pytest.mark.parametrize("n_steps", [2, 101, 5.0, True, "10", None])
def test_steps_are_a_number_of_them(n_steps):
    with pytest.raises(
        ValueError, match=r"^The 'n_steps' parameter of LogLoss must be an int >= 3"
    ):
        OptimalTreeClassifier(objective=LogLoss(n_steps)).fit(X, LABELS)


def test_losses_have_no_objective():
    with pytest.raises(ValueError, match=r"'objective' parameter .* must be 'errors' beside 'loss"):
        OptimalTreeClassifier(objective="f1").fit(X, losses=np.eye(2)[(LABELS == "ill") * 1])


@pytest.mark.parametrize(("kind", "objective", "y"), ALL[1:])
def test_alternatives_are_refused(kind, objective, y):
    model = kind(1, objective=objective).fit(X, y)
    with pytest.raises(ValueError, match="counts trees by errors, balanced accuracy or squared"):
        model.alternatives(X, y)


@pytest.mark.parametrize(
    "wrong",
    [
        "accuracy",
        {"settings": "F1", "parameters": {"pos_label": "sick"}},
        {"settings": "F1", "parameters": {"label": "ill"}},
        {"settings": "LogLoss", "parameters": {"n_steps": 1}},
        {"settings": "Tuning", "parameters": {}},
    ],
)
def test_a_file_with_a_wrong_objective_is_refused(wrong, tmp_path):
    path = tmp_path / "model.json"
    OptimalTreeClassifier(1, objective="brier").fit(X, LABELS).save(path)
    content = json.loads(path.read_text())
    assert content["parameters"]["objective"] == "brier"
    content["parameters"]["objective"] = wrong
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError):
        load(path)


@pytest.mark.parametrize(("name", "wrong"), [("measure", 3), ("score", "1"), ("score_bound", [])])
def test_a_file_with_a_wrong_score_is_refused(name, wrong, tmp_path):
    path = tmp_path / "model.json"
    OptimalTreeClassifier(1, objective="brier").fit(X, LABELS).save(path)
    content = json.loads(path.read_text())
    content["certificate"][name] = wrong
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=f"'{name}' of the certificate"):
        load(path)
