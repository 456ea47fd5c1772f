"""RuleSetClassifier: scikit-learn's manners, what reaches the rules, and the model file."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright
from treewright import Axis, RuleSetClassifier, TreeClassifier, load, recipes
from treewright.estimators import Priors
from treewright.exceptions import DataError, ModelFileError
from treewright.rules import rule_set

IRIS = load_iris()


def loans(n_rows: int = 300, seed: int = 0) -> tuple[dict, list]:
    """Text, truth values, numbers and gaps, and two classes that depend on them."""
    random = np.random.default_rng(seed)
    income = random.integers(15, 90, n_rows).astype(float)
    home = np.array(["own", "rent", "parents"])[random.integers(0, 3, n_rows)]
    student = random.random(n_rows) < 0.3
    paid = np.where((income > 40) & (home != "rent") | student, "yes", "no")
    income[random.random(n_rows) < 0.1] = np.nan
    table = {"income": income.tolist(), "home": home.tolist(), "student": student.tolist()}
    return table, paid.tolist()


# One check is skipped by scikit-learn itself: `check_array_api_input` needs the environment
# variable SCIPY_ARRAY_API, and is for estimators that compute with other array libraries.
@parametrize_with_checks(
    [
        RuleSetClassifier(),
        RuleSetClassifier(
            TreeClassifier(), bound="none", selection="none", ordering="accuracy", interval=0.5
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---------------------------------------------------------------- manners


def test_grid_search_reaches_the_tree_and_its_split_method():
    model = RuleSetClassifier(TreeClassifier(split=Axis(), criterion="entropy"))
    grid = {"tree__max_depth": [1, 3], "tree__split__rules": ["cart", "c45"], "confidence": [0.1]}
    search = GridSearchCV(model, grid, cv=3).fit(IRIS.data, IRIS.target)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.9
    assert search.best_estimator_.tree_.depth <= 3


def test_cross_validation_and_pipelines():
    assert cross_val_score(RuleSetClassifier(), IRIS.data, IRIS.target, cv=5).mean() > 0.9
    pipeline = make_pipeline(StandardScaler(), RuleSetClassifier()).fit(IRIS.data, IRIS.target)
    assert pipeline.score(IRIS.data, IRIS.target) > 0.95


def test_copies_are_not_fitted_and_the_tree_is_left_alone():
    tree = TreeClassifier(max_depth=2)
    model = RuleSetClassifier(tree, bound="c45").fit(IRIS.data, IRIS.target)
    assert not hasattr(tree, "tree_")
    copy = clone(model)
    assert copy.tree is not tree
    assert copy.get_params()["tree__max_depth"] == 2
    with pytest.raises(NotFittedError):
        copy.rules()
    with pytest.raises(NotFittedError):
        copy.predict(IRIS.data)


def test_sample_weights_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        model = RuleSetClassifier().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=False)
        weights = np.where(IRIS.target == 2, 1.0, 3.0)
        scores = cross_val_score(model, IRIS.data, IRIS.target, params={"sample_weight": weights})
    assert scores.mean() > 0.8


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, dict])
def test_tables_of_any_library(library):
    table, paid = loans()
    model = RuleSetClassifier().fit(library(table), paid)
    expected = RuleSetClassifier().fit(table, paid)
    assert model.rules() == expected.rules()
    assert model.predict(library(table)).tolist() == expected.predict(table).tolist()
    assert model.feature_names_in_.tolist() == ["income", "home", "student"]


def test_the_target_gives_its_name():
    table, paid = loans()
    model = RuleSetClassifier().fit(pd.DataFrame(table), pd.Series(paid, name="repaid"))
    assert str(model.rules_).startswith("Rule set for repaid: 300 rows, ")


def test_answers_agree_with_each_other():
    table, paid = loans()
    model = RuleSetClassifier().fit(table, paid)
    shares = model.predict_proba(table)
    assert (model.classes_[shares.argmax(axis=1)] == model.predict(table)).all()
    np.testing.assert_array_equal(np.exp(model.predict_log_proba(table)), shares)
    values = np.array([*(rule.value for rule in model.rules_.rules), model.rules_.default.value])
    assert (model.classes_[values[model.apply(table)]] == model.predict(table)).all()
    assert model.score(table, paid) == pytest.approx(model.rules_.training_accuracy)


# ---------------------------------------------------------------- what reaches the rules


def test_rules_are_those_of_the_function():
    table, paid = loans()
    tree = TreeClassifier(max_depth=4).fit(table, paid).tree_
    model = RuleSetClassifier(TreeClassifier(max_depth=4), bound="normal", confidence=0.1)
    expected = rule_set(tree, table, paid, bound="normal", confidence=0.1)
    assert model.fit(table, paid).rules_ == expected
    assert model.tree_ == tree


def test_class_weights_and_priors_of_the_tree_count_in_the_rules():
    random = np.random.default_rng(0)
    values = random.normal(size=(400, 2))
    labels = (values[:, 0] + random.normal(size=400) > 1.5).astype(int)  # 1 in 10 or so
    plain = RuleSetClassifier().fit(values, labels)
    grown = RuleSetClassifier(TreeClassifier(class_weight={1: 8}, min_samples_leaf=10))
    weighted = grown.fit(values, labels)
    assert weighted.predict(values).sum() > 2 * plain.predict(values).sum()
    weights = np.where(labels == 1, 8.0, 1.0)
    unweighted = RuleSetClassifier(TreeClassifier(min_samples_leaf=10))
    assert unweighted.fit(values, labels, weights).rules_ == weighted.rules_
    priors = RuleSetClassifier(
        TreeClassifier(class_weight=Priors({0: 0.5, 1: 0.5}), min_samples_leaf=10)
    )
    assert priors.fit(values, labels).rules_.class_weights == pytest.approx((200.0, 200.0))


def test_costs_are_refused():
    model = RuleSetClassifier(TreeClassifier(cost_matrix=[[0, 1], [5, 0]]))
    with pytest.raises(ValueError, match="must have no 'cost_matrix'"):
        model.fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"tree": "axis"}, "'tree' parameter of RuleSetClassifier must be None or a TreeClass"),
        ({"tree": recipes.cart(task="regression")}, "must be None or a TreeClassifier"),
        ({"bound": "wald"}, "'bound' parameter of RuleSetClassifier must be 'exact' or"),
        ({"interval": 1.0}, "'interval' parameter"),
        ({"progress": 1}, "'progress' parameter"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        RuleSetClassifier(**parameters).fit([[1.0], [2.0]], [0, 1])


def test_one_class_is_answered_by_the_default():
    model = RuleSetClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.rules() == ["otherwise a (100 %, 2 rows, 95 % interval 34-100 %)"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


def test_rows_of_weight_zero_are_absent():
    table, paid = loans()
    weights = np.arange(300) % 2
    half = {name: cells[1::2] for name, cells in table.items()}
    expected = RuleSetClassifier().fit(half, paid[1::2])
    assert RuleSetClassifier().fit(table, paid, weights).rules_ == expected.rules_
    with pytest.raises(DataError, match="every row is zero"):
        RuleSetClassifier().fit(table, paid, np.zeros(300))


def test_progress_is_told():
    told: list[float] = []
    RuleSetClassifier(progress=told.append).fit(IRIS.data, IRIS.target)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.long
def test_the_random_search_is_the_same_every_time():
    random = np.random.default_rng(0)
    values = random.normal(size=(600, 5)).round(1)
    labels = (values[:, 0] * values[:, 1] + 0.5 * random.normal(size=600) > 0).astype(int)
    model = RuleSetClassifier(TreeClassifier(min_samples_leaf=3))
    rules = clone(model).fit(values, labels).rules_
    assert clone(model).fit(values, labels).rules_ == rules
    n_rules = len(clone(model).set_params(selection="none").fit(values, labels).rules_)
    assert n_rules > 45  # more than 20 of a class, so that it was a search


# ---------------------------------------------------------------- the model file


def saved(model, tmp_path):
    path = tmp_path / "model.json"
    model.save(path)
    return path, json.loads(path.read_text())


@pytest.mark.parametrize(
    "model",
    [
        RuleSetClassifier(),
        RuleSetClassifier(
            TreeClassifier(Axis("c45"), class_weight={"no": 2.0}, random_state=3),
            bound="c45",
            interval=0.9,
            random_state=np.random.RandomState(0),
            progress=lambda share: None,
        ),
    ],
)
def test_a_saved_model_comes_back(model, tmp_path):
    table, paid = loans()
    model = clone(model).fit(table, paid)
    path, content = saved(model, tmp_path)
    assert content["estimator"] == "RuleSetClassifier"
    loaded = load(path)
    assert (loaded.rules_, loaded.tree_) == (model.rules_, model.tree_)
    assert loaded.rules() == model.rules()
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    assert loaded.classes_.tolist() == model.classes_.tolist()
    assert (loaded.n_features_in_, loaded.bound) == (3, model.bound)
    if model.tree is not None:
        assert loaded.tree.get_params()["split__rules"] == "c45"
        assert loaded.tree.class_weight == {"no": 2.0}
    assert loaded.fit(table, paid).rules_ == model.fit(table, paid).rules_


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("estimator",), "TreeClassifier", "TreeClassifier has no parameter 'bound'"),
        (("rules",), None, "the rule set must be an object"),
        (("rules", "rules", 0, "value"), 9, "value of rule 0 must be an integer from 0 to 1"),
        (("parameters", "tree"), "axis", "the parameter 'tree' must be an object"),
        (("parameters", "tree"), {"estimator": "os.system", "parameters": {}}, "'os.system'"),
        (("parameters", "tree"), {"estimator": "TreeClassifier"}, "lacks 'parameters'"),
        (
            ("parameters", "tree"),
            {"estimator": "TreeClassifier", "parameters": []},
            "parameters of the parameter 'tree' must be an object",
        ),
        (
            ("parameters", "tree"),
            {"estimator": "TreeRegressor", "parameters": {}},
            "must be None or a TreeClassifier",
        ),
        (
            ("parameters", "tree"),
            {"estimator": "TreeClassifier", "parameters": {"max_depth": 0}},
            "'max_depth' parameter of TreeClassifier",
        ),
        (
            ("parameters", "tree"),
            {"estimator": "TreeClassifier", "parameters": {"priors": [1, 2, 3]}},
            "has no parameter 'priors' any more; use class_weight=Priors",
        ),
        (("parameters", "tree"), {"estimator": "TreeClassifier", "parameters": {"x": 1}}, "'x'"),
        (("parameters", "bound"), "wald", "'bound' parameter of RuleSetClassifier"),
    ],
)
def test_a_rotten_file_gives_one_clear_error(path, value, words, tmp_path):
    file, content = saved(RuleSetClassifier().fit(*loans()), tmp_path)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    file.write_text(json.dumps(content))
    with pytest.raises(ModelFileError) as caught:
        load(file)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rules_belong_to_a_rule_set_classifier_only(tmp_path):
    file, content = saved(RuleSetClassifier().fit(*loans()), tmp_path)
    rules = content.pop("rules")
    file.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match="it lacks the rules of RuleSetClassifier"):
        load(file)
    _, content = saved(TreeClassifier().fit(*loans()), tmp_path)
    file.write_text(json.dumps({**content, "rules": rules}))
    with pytest.raises(ModelFileError, match="it holds rules, and TreeClassifier has none"):
        load(file)


def test_pickle():
    model = RuleSetClassifier().fit(*loans())
    copy = pickle.loads(pickle.dumps(model))
    assert copy.rules_ == model.rules_
    assert copy.predict(loans()[0]).tolist() == model.predict(loans()[0]).tolist()


def test_public_names():
    assert treewright.RuleSetClassifier is RuleSetClassifier
    assert treewright.rules.rule_set is rule_set
    assert isinstance(recipes.c45rules(confidence=0.1), RuleSetClassifier)
    assert recipes.c45rules(confidence=0.1).get_params()["tree__min_samples_leaf"] == 2
