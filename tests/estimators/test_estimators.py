"""Estimators keep scikit-learn's manners: its own checks, search, pipelines, copies, routing."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from clocked import clocked
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    Axis,
    Best,
    Categorical,
    ForestClassifier,
    ForestRegressor,
    RuleSetClassifier,
    TreeClassifier,
    TreeRegressor,
    load,
    split_method,
)
from treewright.exceptions import DataError, SchemaError, TimeLimitWarning, UnseenLevelWarning
from treewright.tree.node import MISSING_POLICIES

IRIS = load_iris()


@split_method
def axis_of_choice(X, y, w, rng, *, column=0):
    """Cut one given column."""
    direction = np.zeros(X.shape[1])
    direction[column] = 1.0
    return direction


@split_method
def random_column(X, y, w, rng):
    """Cut a random column."""
    return np.eye(X.shape[1])[rng.integers(X.shape[1])]


def loans(n_rows: int = 120, seed: int = 0) -> tuple[dict, list]:
    """A table with text, truth values, numbers and gaps, and two classes that depend on them."""
    random = np.random.default_rng(seed)
    income = random.integers(15, 90, n_rows)
    home = np.array(["own", "rent", "parents"])[random.integers(0, 3, n_rows)]
    student = random.random(n_rows) < 0.3
    paid = np.where((income > 40) & (home != "rent") | student, "yes", "no")
    table = {
        "income": [
            None if gap else float(x)
            for gap, x in zip(random.random(n_rows) < 0.1, income, strict=True)
        ],
        "home": home.tolist(),
        "student": student.tolist(),
    }
    return table, paid.tolist()


# ---------------------------------------------------------------- scikit-learn's own checks


# One check is skipped by scikit-learn itself: `check_array_api_input` needs the environment
# variable SCIPY_ARRAY_API, and is for estimators that compute with other array libraries.
@parametrize_with_checks(
    [
        TreeClassifier(),
        TreeClassifier(min_impurity_decrease=1e-3),
        TreeClassifier(missing="fraction", criterion="entropy", gain="ratio", max_leaf_nodes=8),
        TreeRegressor(),
        TreeRegressor(criterion="absolute_error", missing="surrogate", max_depth=4),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---------------------------------------------------------------- search, pipelines, copies


def test_grid_search_reaches_parameters_of_the_split_method():
    grid = {"split__rules": ["cart", "c45"], "max_depth": [1, 3]}
    search = GridSearchCV(TreeClassifier(split=Axis(), criterion="entropy"), grid, cv=3)
    search.fit(IRIS.data, IRIS.target)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.9
    assert search.best_estimator_.split.rules in ("cart", "c45")


def test_grid_search_reaches_parameters_of_a_python_method():
    model = TreeClassifier(split=axis_of_choice, max_depth=1)
    search = GridSearchCV(model, {"split__column": [0, 1, 2, 3]}, cv=3)
    search.fit(IRIS.data, IRIS.target)
    assert search.best_params_["split__column"] in (2, 3)
    assert search.best_estimator_.tree_.node(0).predicate.columns == (
        search.best_params_["split__column"],
    )
    assert axis_of_choice.parameters == {"column": 0}


def test_grid_search_reaches_methods_inside_best():
    model = TreeClassifier(split=Best(Axis(), axis_of_choice), max_depth=2)
    grid = {"split__method_0__rules": ["cart", "c45"], "split__method_1": [Axis(), axis_of_choice]}
    search = GridSearchCV(model, grid, cv=2).fit(IRIS.data, IRIS.target)
    assert len(search.cv_results_["params"]) == 4


@pytest.mark.long
def test_grid_search_on_several_processes():
    search = GridSearchCV(
        TreeClassifier(split=axis_of_choice, max_depth=2), {"split__column": [0, 3]}, cv=2, n_jobs=2
    )
    assert search.fit(IRIS.data, IRIS.target).best_params_ == {"split__column": 3}


def test_pipeline_with_output_as_a_frame():
    table = pd.DataFrame(IRIS.data, columns=IRIS.feature_names)
    steps = make_pipeline(
        ColumnTransformer(
            [("scale", StandardScaler(), IRIS.feature_names[:2])], remainder="passthrough"
        ),
        TreeClassifier(max_depth=2),
    ).set_output(transform="pandas")
    steps.fit(table, IRIS.target)
    assert steps.score(table, IRIS.target) > 0.9
    names = list(steps[-1].feature_names_in_)
    assert names == list(steps[0].get_feature_names_out())
    assert any(name in str(steps[-1].tree_) for name in names)


@pytest.mark.parametrize(
    "split", ["axis", Axis("c45"), Best(Axis(), Categorical("multiway")), axis_of_choice(column=2)]
)
def test_copies_are_equal(split, tmp_path):
    table, paid = loans()
    table["wealth"] = np.arange(len(paid)) % 7
    table["age"] = np.arange(len(paid)) % 11
    model = TreeClassifier(split=split, max_depth=3, random_state=1)
    assert repr(clone(model)) == repr(model)
    assert clone(model).get_params().keys() == model.get_params().keys()
    model.fit(table, paid)
    pickled = pickle.loads(pickle.dumps(model))
    model.save(tmp_path / "model.json")
    for copied in (pickled, clone(model).fit(table, paid), load(tmp_path / "model.json")):
        assert copied.tree_ == model.tree_
        assert copied.schema_ == model.schema_
        np.testing.assert_array_equal(copied.predict_proba(table), model.predict_proba(table))
        np.testing.assert_array_equal(copied.classes_, model.classes_)
        np.testing.assert_array_equal(copied.feature_names_in_, model.feature_names_in_)
    assert pickled.split == model.split


def test_a_page_in_a_notebook_shows_it():
    for split in ("axis", Best(Axis(), axis_of_choice), axis_of_choice(column=3)):
        assert "TreeClassifier" in TreeClassifier(split=split)._repr_html_()


def test_joblib_threads_give_the_same_trees():
    def fitted(seed):
        model = TreeClassifier(split=random_column, max_features=None, random_state=seed)
        return model.fit(IRIS.data, IRIS.target).tree_

    alone = [fitted(seed) for seed in range(6)]
    together = Parallel(n_jobs=3, backend="threading")(delayed(fitted)(s) for s in range(6))
    assert alone == together
    assert len(set(map(str, alone))) > 1


def test_one_fitted_model_answers_many_threads():
    model = TreeClassifier().fit(IRIS.data, IRIS.target)
    expected = model.predict_proba(IRIS.data)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: model.predict_proba(IRIS.data), range(20)):
            np.testing.assert_array_equal(found, expected)


def test_sample_weights_are_routed():
    X, y = IRIS.data, IRIS.target
    weights = (y != 2).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = TreeClassifier(max_depth=3)
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipe = Pipeline(
            [("scale", StandardScaler().set_fit_request(sample_weight=False)), ("tree", model)]
        )
        pipe.fit(X, y, sample_weight=weights)
        assert list(pipe[-1].classes_) == [0, 1]
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        search = GridSearchCV(pipe, {"tree__max_depth": [1, 2]}, cv=3, scoring=scorer)
        search.fit(X, y, sample_weight=weights)
        assert search.best_score_ == 1.0  # rows of weight 0 neither teach nor count


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_cross_validation_on_frames_with_text(make):
    table, paid = loans(400)
    frame = make(table)
    target = type(frame["home"])(paid)
    scores = cross_val_score(TreeClassifier(min_samples_leaf=5), frame, target, cv=4)
    assert scores.mean() > 0.85


def test_columns_are_found_by_name():
    table, paid = loans()
    model = TreeClassifier(max_depth=4).fit(table, paid)
    expected = model.predict(table)
    turned = {name: table[name] for name in reversed(table)} | {"note": ["x"] * len(paid)}
    np.testing.assert_array_equal(model.predict(turned), expected)
    del turned["home"]
    with pytest.raises(SchemaError, match="Column 'home' is missing from the data"):
        model.predict(turned)


def test_before_fit_every_reader_says_so():
    for model in (TreeClassifier(), TreeRegressor()):
        for read in (model.predict, model.apply, model.decision_path):
            with pytest.raises(NotFittedError):
                read([[1.0]])
        for ask in (model.rules, model.get_depth, model.get_n_leaves, lambda m=model: m.save("x")):
            with pytest.raises(NotFittedError):
                ask()
        assert not hasattr(model, "feature_importances_")


def test_readers_agree_with_the_tree():
    model = TreeClassifier(max_depth=3).fit(IRIS.data, IRIS.target)
    leaves = model.apply(IRIS.data)
    passed = model.decision_path(IRIS.data)
    assert (passed[np.arange(150), leaves] == 1).all()
    assert model.get_n_leaves() == model.tree_.n_leaves == len(set(leaves.tolist()))
    assert model.get_depth() == model.tree_.depth == 3
    assert model.rules() == model.tree_.rules()
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(
        model.predict_proba(IRIS.data),
        model.tree_.core.statistics[leaves]
        / model.tree_.core.statistics[leaves].sum(axis=1, keepdims=True),
    )
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(
            model.predict_log_proba(IRIS.data), np.log(model.predict_proba(IRIS.data))
        )


# ---------------------------------------------------------------- long work


def test_time_limit_gives_a_valid_tree_and_one_warning(tmp_path):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20_000, 5)), random.integers(0, 5, 20_000)
    with pytest.warns(TimeLimitWarning, match="Growth stopped at the time limit of 0.02 s") as seen:
        model = TreeClassifier(time_limit=0.02).fit(X, y)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    assert model.stopped_by_time_limit_
    model.tree_.validate()
    assert model.tree_.core.rows[model.tree_.core.n_branches == 0].sum() == 20_000
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == model.tree_
    assert not TreeClassifier(time_limit=60, max_depth=2).fit(X, y).stopped_by_time_limit_


@pytest.mark.long
def test_progress_is_told_from_0_to_1():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60_000, 8)), random.integers(0, 9, 60_000)
    for more in ({}, {"max_leaf_nodes": 30_000}):
        told: list[float] = []
        TreeClassifier(progress=told.append, **more).fit(X, y)
        assert told
        assert told == sorted(told)
        assert 0.0 <= told[0] <= told[-1] <= 1.0


def test_an_error_in_progress_ends_growth():
    def stop(done):
        raise RuntimeError("enough")

    random = np.random.default_rng(0)
    X, y = random.normal(size=(60_000, 8)), random.integers(0, 9, 60_000)
    with pytest.raises(RuntimeError, match="enough"):
        TreeClassifier(progress=stop).fit(X, y)


@clocked
def test_interrupt_ends_a_long_fit_at_once():
    program = """
        import os, signal, threading, time
        import numpy as np
        from treewright import TreeClassifier
        random = np.random.default_rng(0)
        X, y = random.normal(size=(400_000, 40)), random.integers(0, 50, 400_000)
        sent = []
        def interrupt():
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1.5, interrupt).start()
        try:
            TreeClassifier().fit(X, y)
        except KeyboardInterrupt:
            print("stopped after", time.process_time() - sent[0])
    """
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.startswith("stopped after"), (done.stderr, time.monotonic() - start)
    # A fraction of a second; the bound leaves room for a busy machine.
    assert float(done.stdout.split()[-1]) < 2.0


# ---------------------------------------------------------------- data at its edges


def both(**parameters):
    return [TreeClassifier(**parameters), TreeRegressor(**parameters)]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_one_row(missing):
    for model in both(missing=missing):
        model.fit([[1.0, 2.0]], [3])
        assert model.tree_.n_nodes == 1
        assert model.predict([[9.0, np.nan]]).tolist() == [3]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_one_class_or_constant_columns_make_a_leaf(missing):
    for model in both(missing=missing):
        assert model.fit(IRIS.data, np.ones(150, int)).tree_.n_nodes == 1
        assert model.fit(np.ones((150, 3)), IRIS.target).tree_.n_nodes == 1
        model.fit({"a": ["x"] * 150, "b": [True] * 150, "c": [None] * 150}, IRIS.target)
        assert model.tree_.n_nodes == 1


def test_equal_rows_with_different_labels_share_a_leaf():
    X = [[1.0], [1.0], [1.0], [2.0], [2.0]]
    model = TreeClassifier().fit(X, ["a", "b", "b", "a", "a"])
    assert model.tree_.n_leaves == 2
    np.testing.assert_allclose(model.predict_proba([[1.0]]), [[1 / 3, 2 / 3]])
    # Equal shares: the first class.
    assert TreeClassifier().fit([[1.0], [1.0]], ["b", "a"]).predict([[1.0]]) == ["a"]
    assert TreeRegressor().fit([[1.0], [1.0]], [1.0, 4.0]).predict([[1.0]]) == [2.5]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_a_column_without_values_is_never_tested(missing):
    X = np.column_stack([np.full(150, np.nan), IRIS.data])
    for model, plain in zip(both(missing=missing), both(missing=missing), strict=True):
        model.fit(X, IRIS.target)
        plain.fit(IRIS.data, IRIS.target)
        assert model.feature_importances_[0] == 0.0
        np.testing.assert_array_equal(model.predict(X), plain.predict(IRIS.data))


def test_a_column_missing_in_one_class_only():
    X = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan], [np.nan]])
    y = ["a"] * 3 + ["b"] * 3
    model = TreeClassifier().fit(X, y)
    # Only tests with known values on both sides are looked at; none parts the classes.
    model.tree_.validate()
    assert set(model.predict(X)) <= {"a", "b"}
    X[2] = 30.0
    y[2] = "b"
    model = TreeClassifier().fit(X, y)
    assert model.score(X, y) == 1.0  # the missing rows go where class b is
    assert model.predict([[np.nan]]) == ["b"]


def test_infinity_is_refused_by_name():
    table = {"size": [1.0, np.inf, 3.0], "age": [1.0, 2.0, 3.0]}
    for model in both():
        with pytest.raises(DataError, match="Column 'size' holds infinity"):
            model.fit(table, [0, 1, 0])
        model.fit({**table, "size": [1.0, 2.0, 3.0]}, [0, 1, 0])
        with pytest.raises(DataError, match="Column 'size' holds infinity"):
            model.predict(table)


def test_targets_that_cannot_be_learned_are_refused():
    with pytest.raises(DataError, match="as large as 1e\\+200"):
        TreeRegressor().fit([[1.0], [2.0]], [1e200, -1.0])
    with pytest.raises(DataError, match="use a regressor"):
        TreeClassifier().fit([[1.0], [2.0]], [0.5, 1.0])
    with pytest.raises(DataError, match="use a classifier"):
        TreeRegressor().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(DataError, match="y contains NaN"):
        TreeRegressor().fit([[1.0], [2.0]], [np.nan, 1.0])


@pytest.mark.parametrize("categorical", ["subset", "multiway"])
@pytest.mark.parametrize("n_levels", [2, 40])
def test_few_and_many_levels(categorical, n_levels):
    codes = np.arange(400) % n_levels
    table = {"level": [f"level {code:02}" for code in codes]}
    for n_classes in (2, 3):
        model = TreeClassifier(categorical=categorical).fit(table, codes * n_classes // n_levels)
        assert model.score(table, codes * n_classes // n_levels) == 1.0
        if categorical == "multiway":
            assert model.tree_.n_leaves == n_levels
        elif n_classes == 2:
            assert model.tree_.n_leaves == 2
    model = TreeRegressor(categorical=categorical).fit(table, codes)
    assert model.score(table, codes) == pytest.approx(1.0)


@pytest.mark.parametrize("categorical", ["subset", "multiway"])
@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_an_unseen_level_is_a_missing_value(categorical, missing):
    table = {"home": ["own", "own", "rent", "rent", "rent"]}
    model = TreeClassifier(categorical=categorical, missing=missing)
    model.fit(table, ["yes", "yes", "no", "no", "no"])
    with pytest.warns(UnseenLevelWarning, match="'home' \\('tent': 1\\)"):
        unseen = model.predict_proba([{"home": "tent"}])
    np.testing.assert_array_equal(unseen, model.predict_proba([{"home": None}]))
    heavier = missing in ("default", "surrogate")
    np.testing.assert_allclose(unseen[0], [1.0, 0.0] if heavier else [0.6, 0.4])


def test_ties_go_to_the_earlier_column_and_the_smaller_threshold():
    x = np.arange(8.0)
    y = [0, 1, 0, 1, 0, 1, 0, 1]
    node = TreeClassifier(max_depth=1).fit(np.column_stack([x, x, -x]), y).tree_.node(0)
    assert node.predicate.columns == (0,)
    assert 0.0 <= node.predicate.threshold < 1.0


def test_permuted_columns_give_the_same_tree():
    order = [2, 0, 3, 1]
    one = TreeClassifier(max_depth=3).fit(IRIS.data, IRIS.target).tree_
    other = TreeClassifier(max_depth=3).fit(IRIS.data[:, order], IRIS.target).tree_
    np.testing.assert_array_equal(one.core.rows, other.core.rows)
    np.testing.assert_array_equal(one.core.gain, other.core.gain)


@pytest.mark.parametrize(
    "model",
    [
        TreeClassifier(),
        TreeRegressor(),
        RuleSetClassifier(),
        ForestClassifier(n_estimators=3, random_state=0),
        ForestClassifier(n_estimators=3, random_state=0, warm_start=True),
        ForestRegressor(n_estimators=3, random_state=0),
    ],
    ids=lambda model: str(model),
)
def test_a_fit_that_fails_leaves_the_model_as_it_was(model):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    before = model.fit(X, y).predict(X)
    with pytest.raises(ValueError, match="weight"):
        model.fit(X[:, [2, 1, 0]], 1 - y, sample_weight=np.full(60, -1.0))
    with pytest.raises(ValueError, match="59"):
        model.fit(X[:, :2], y[:-1])
    np.testing.assert_array_equal(model.predict(X), before)


@pytest.mark.parametrize("measure", ["gini", "entropy", "hellinger"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("power", [-300, 200, 300])
def test_a_common_factor_of_all_weights_changes_no_tree(measure, n_classes, power):
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = np.clip((X > 0).sum(axis=1), 0, n_classes - 1)
    weights = random.integers(1, 4, 200).astype(float)
    model = TreeClassifier(criterion=measure)
    expected = model.fit(X, y, weights).rules()
    assert len(expected) > 2
    assert model.fit(X, y, np.ldexp(weights, power)).rules() == expected
