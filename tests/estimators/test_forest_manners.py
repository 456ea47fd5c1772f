"""Forests keep scikit-learn's manners, refuse in words what they cannot do, and can be stopped."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import pytest
import sklearn
from clocked import clocked
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import MUST, ForestClassifier, ForestRegressor, split_method
from treewright.exceptions import TimeLimitWarning

IRIS = load_iris()
NOISE = np.random.default_rng(0)
LARGE = NOISE.normal(size=(20_000, 8)), NOISE.integers(0, 5, 20_000)
FORESTS = [ForestClassifier, ForestRegressor]

BAGS_ARE_DRAWN = "a row of weight 2 is drawn as often as a row of weight 1, not as two rows"


@parametrize_with_checks(
    [
        ForestClassifier(20),
        ForestClassifier(10, bootstrap=False, voting="hard"),
        ForestClassifier(20, oob_score=True, missing="fraction", class_weight="balanced_subsample"),
        ForestRegressor(10, bootstrap=False, n_jobs=2),
        ForestRegressor(10, criterion="absolute_error", max_samples=0.7),
    ],
    expected_failed_checks=lambda model: (
        {"check_sample_weight_equivalence_on_dense_data": BAGS_ARE_DRAWN} if model.bootstrap else {}
    ),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore::treewright.exceptions.OutOfBagWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.long
def test_grid_search_and_pipelines():
    pipe = Pipeline([("scale", StandardScaler()), ("forest", ForestClassifier(5, MUST()))])
    grid = {"forest__split__features": [1, 2], "forest__n_estimators": [3, 6]}
    search = GridSearchCV(pipe, grid, cv=3, n_jobs=2).fit(IRIS.data, IRIS.target)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.9


def test_sample_weights_are_routed():
    X, y = IRIS.data, IRIS.target
    weights = (y != 2).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = ForestClassifier(n_estimators=5).set_fit_request(sample_weight=True)
        pipe = Pipeline(
            [("scale", StandardScaler().set_fit_request(sample_weight=False)), ("forest", model)]
        )
        assert list(pipe.fit(X, y, sample_weight=weights)[-1].classes_) == [0, 1]


@pytest.mark.parametrize("forest", FORESTS)
def test_copies_are_equal(forest):
    model = forest(n_estimators=4, random_state=1)
    assert repr(clone(model)) == repr(model)
    model.fit(IRIS.data, IRIS.target)
    for copied in (pickle.loads(pickle.dumps(model)), clone(model).fit(IRIS.data, IRIS.target)):
        assert copied.trees_ == model.trees_
        np.testing.assert_array_equal(copied.predict(IRIS.data), model.predict(IRIS.data))


@pytest.mark.parametrize("forest", FORESTS)
def test_before_fit_every_reader_says_so(forest):
    model = forest()
    for read in (model.predict, model.apply, model.decision_path):
        with pytest.raises(NotFittedError):
            read([[1.0]])
    for ask in (model.summary, lambda: model.save("x")):
        with pytest.raises(NotFittedError):
            ask()
    assert not hasattr(model, "feature_importances_")


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "'n_estimators' parameter of ForestClassifier must be an int >= 1"),
        ({"voting": "loud"}, "'voting' parameter .* must be 'soft' or 'hard'. Got 'loud' instead"),
        ({"n_jobs": 0}, "'n_jobs' parameter .* must be None or an int other than 0"),
        ({"max_samples": 1.5}, "'max_samples' parameter .* must be None, an int >= 1 or a finite"),
        ({"max_samples": 0}, "'max_samples' parameter"),
        ({"oob_score": "yes"}, "'oob_score' parameter .* must be True or False or a callable"),
        ({"permutation_repeats": -1}, "'permutation_repeats' parameter .* an int >= 0"),
        ({"warm_start": 1}, "'warm_start' parameter .* must be True or False"),
        ({"bootstrap": None}, "'bootstrap' parameter"),
        ({"class_weight": "heavy"}, "'class_weight' parameter .* 'balanced_subsample'"),
        ({"max_features": 5}, "must be at most the number of columns, 4. Got 5 instead"),
        ({"bootstrap": False, "oob_score": True}, "'oob_score' .* is for bootstrap=True"),
        ({"bootstrap": False, "max_samples": 3}, "'max_samples' .* is for bootstrap=True"),
        ({"bootstrap": False, "permutation_repeats": 1}, "'permutation_repeats' .* bootstrap=True"),
        ({"split": "oblique"}, "'split' parameter of ForestClassifier"),
    ],
)
def test_parameters_that_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message) as caught:
        ForestClassifier(**parameters).fit(IRIS.data, IRIS.target)
    assert "\n" not in str(caught.value)


def test_an_error_inside_a_split_method_is_let_through():
    @split_method
    def broken(X, y, w, rng):
        raise RuntimeError("no direction")

    for n_jobs in (1, 2):
        with pytest.raises(RuntimeError, match="no direction"):
            ForestClassifier(split=broken, n_jobs=n_jobs).fit(IRIS.data, IRIS.target)


# ---------------------------------------------------------------- long work


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_told_from_0_to_1(n_jobs):
    told: list[float] = []
    busy = threading.Lock()

    def tell(share):
        assert busy.acquire(blocking=False), "two threads at a time"
        told.append(share)
        time.sleep(0.001)
        busy.release()

    model = ForestClassifier(n_estimators=12, max_depth=6, max_samples=0.1, n_jobs=n_jobs)
    model.set_params(oob_score=True, permutation_repeats=1, progress=tell).fit(*LARGE)
    assert told == sorted(told)
    assert 0.0 <= told[0] < 0.1
    assert told[-1] == 1.0


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_in_progress_ends_growth(n_jobs, error):
    def stop(done):
        if done > 0.05:
            raise error("enough")

    before = threading.active_count()
    with pytest.raises(error, match="enough"):
        ForestClassifier(progress=stop, n_jobs=n_jobs).fit(*LARGE)
    for _ in range(100):
        if threading.active_count() <= before:
            return
        time.sleep(0.05)
    raise AssertionError("threads go on")


@pytest.mark.long
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_time_limit_keeps_the_trees_it_has(n_jobs):
    whole = ForestClassifier(n_estimators=100, random_state=0, n_jobs=n_jobs)
    with pytest.warns(TimeLimitWarning, match=r"limit of 0.5 s with \d+ trees? of the 100") as seen:
        model = clone(whole).set_params(time_limit=0.5).fit(*LARGE)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    assert model.stopped_by_time_limit_
    assert 1 <= len(model.trees_) < 100
    few = clone(whole).set_params(n_estimators=1).fit(*LARGE)
    if len(model.trees_) > 1:
        assert model.trees_[0] == few.trees_[0]
    assert not few.stopped_by_time_limit_


def test_time_limit_leaves_one_tree_at_least():
    with pytest.warns(TimeLimitWarning, match="with 1 tree of the 100"):
        model = ForestRegressor(time_limit=1e-9).fit(*LARGE)
    assert len(model.trees_) == 1
    assert model.predict(LARGE[0][:3]).shape == (3,)


@clocked
def test_interrupt_ends_all_threads_at_once():
    program = """
        import os, signal, threading, time
        import numpy as np
        from treewright import ForestClassifier
        random = np.random.default_rng(0)
        X, y = random.normal(size=(100_000, 30)), random.integers(0, 20, 100_000)
        sent = []
        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1.5, interrupt).start()
        try:
            ForestClassifier(max_features=None, n_jobs=2).fit(X, y)
        except KeyboardInterrupt:
            print("stopped after", time.perf_counter() - sent[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("stopped after"), done.stderr
    assert float(done.stdout.split()[-1]) < 3.0


@pytest.mark.parametrize("forest", FORESTS)
def test_more_draws_than_rows_are_refused(forest):
    expected = r"'max_samples' parameter of \w+ must be at most the number of rows, 150\. Got 151"
    with pytest.raises(ValueError, match=expected):
        forest(max_samples=151).fit(IRIS.data, IRIS.target)


@pytest.mark.long
def test_progress_ends_at_one_after_the_time_limit():
    told = []
    model = ForestClassifier(
        n_estimators=50_000, permutation_repeats=1, time_limit=0.3, progress=told.append
    )
    with pytest.warns(TimeLimitWarning):
        model.fit(IRIS.data, IRIS.target)
    assert len(model.trees_) < 50_000
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_control_characters_of_names_do_not_reach_the_screen():
    y = np.repeat([0, 1], 75)
    model = ForestClassifier(n_estimators=2).fit(IRIS.data, pd.Series(y, name="t\x1b[31m\nx"))
    assert model.summary().splitlines()[0] == r"Classification forest for t\x1b[31m\nx: 2 trees"


def test_a_huge_number_of_threads_divided_by_zero():
    forest = ForestClassifier(2, n_jobs=2**63, random_state=0).fit(IRIS.data, IRIS.target)
    few = ForestClassifier(2, n_jobs=1, random_state=0).fit(IRIS.data, IRIS.target)
    np.testing.assert_array_equal(forest.predict(IRIS.data), few.predict(IRIS.data))
