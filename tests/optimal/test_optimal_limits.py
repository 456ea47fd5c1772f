"""Optimal trees at their limits: time, memory, Ctrl-C, nothing to test, and parameters refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from itertools import product

import numpy as np
import pytest
from clocked import clocked
from sampling import some_quick
from sklearn.datasets import load_iris

from treewright import Constraints, OptimalTreeClassifier, OptimalTreeRegressor
from treewright.exceptions import DataError, NotProvenWarning
from treewright.optimal import Certificate, SearchProgress
from treewright.optimal.columns import TableTests
from treewright.optimal.dictionary import Dictionary
from treewright.predicates import Axis, Linear, Multiway, Subset

IRIS = load_iris()
RANDOM = np.random.default_rng(1)
HARD = RANDOM.integers(0, 2, (2000, 120))
HARD_LABELS = RANDOM.integers(0, 2, 2000)


# ---------------------------------------------------------------- ending early


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_no_time_at_all_still_gives_a_tree(estimator):
    with pytest.warns(NotProvenWarning, match="time limit was reached"):
        model = estimator(5, time_limit=0).fit(HARD, HARD_LABELS)
    certificate = model.certificate_
    assert certificate.status == "time_limit"
    assert not certificate.proven
    assert 0 <= certificate.lower_bound <= certificate.objective
    model.tree_.validate()
    assert len(model.predict(HARD)) == len(HARD)


def test_the_time_limit_is_kept():
    began = time.perf_counter()
    with pytest.warns(NotProvenWarning, match="'time_limit'"):
        model = OptimalTreeClassifier(6, time_limit=2.0).fit(HARD, HARD_LABELS)
    assert time.perf_counter() - began < 20.0  # 2 where nothing else runs; the search takes hours
    errors = (model.predict(HARD) != HARD_LABELS).sum()
    assert model.certificate_.objective == errors
    assert errors < min(HARD_LABELS.mean(), 1 - HARD_LABELS.mean()) * len(HARD)
    assert "can go below" in str(model.certificate_)


@clocked
def test_looking_for_thresholds_is_part_of_the_time():
    values = np.random.default_rng(0).normal(size=(6000, 40))
    y = (values[:, 0] * values[:, 1] > 0).astype(int)
    began = time.perf_counter()
    with pytest.warns(NotProvenWarning):
        model = OptimalTreeClassifier(4, time_limit=0.2).fit(values, y)
    assert time.perf_counter() - began < 20.0  # 0.3 where nothing else runs
    assert "thresholds of 40 numeric columns" in model.certificate_.tests


def test_progress_is_told_and_may_stop_the_search():
    told: list[SearchProgress] = []

    def enough(progress: SearchProgress) -> bool:
        told.append(progress)
        return len(told) < 4

    with pytest.warns(NotProvenWarning, match="asked it to stop"):
        model = OptimalTreeClassifier(6, progress=enough).fit(HARD, HARD_LABELS)
    assert len(told) == 4
    assert model.certificate_.status == "stopped"
    best = [progress.best for progress in told]
    bound = [progress.bound for progress in told]
    assert best == sorted(best, reverse=True)
    assert bound == sorted(bound)
    assert all(0 <= progress.gap <= 1 for progress in told)
    assert bound[-1] <= model.certificate_.objective <= best[-1]


@pytest.mark.parametrize("answer", [False, np.False_, 0])
def test_any_no_stops_the_search(answer):
    with pytest.warns(NotProvenWarning, match="asked it to stop"):
        model = OptimalTreeClassifier(6, progress=lambda progress: answer).fit(HARD, HARD_LABELS)
    assert model.certificate_.status == "stopped"


@pytest.mark.parametrize("answer", [True, None])
def test_the_callback_is_asked_between_rounds_of_thresholds(answer):
    values = np.random.default_rng(0).normal(size=(3000, 1))
    y = (np.abs(values[:, 0]) < 0.5).astype(int)
    told: list[SearchProgress] = []

    def watch(progress: SearchProgress) -> bool | None:
        told.append(progress)
        return answer

    model = OptimalTreeClassifier(2, thresholds="quantile", progress=watch).fit(values, y)
    assert model.certificate_.objective == 0
    assert len(told) >= 1
    told.clear()
    stopped = OptimalTreeClassifier(
        2, thresholds="quantile", progress=lambda progress: bool(told.append(progress))
    ).fit(values, y)
    assert len(told) == 1
    assert stopped.certificate_.objective > 0


def test_a_stop_among_some_thresholds_spares_the_search_among_all(monkeypatch):
    monkeypatch.setattr(TableTests, "is_quick", lambda *_, **__: False)
    values = np.random.default_rng(0).normal(size=(3000, 1))
    y = ((values[:, 0] > -0.5) & (values[:, 0] < 0.7)).astype(int)
    with pytest.warns(NotProvenWarning, match="asked it to stop"):
        model = OptimalTreeClassifier(2, thresholds="all", progress=lambda progress: False).fit(
            values[:, [0, 0, 0]], np.random.default_rng(1).permutation(y)
        )
    assert model.certificate_.status == "stopped"
    assert "over all 8997 thresholds" in model.certificate_.tests


def test_an_error_in_the_callback_leaves_the_model_as_it_was():
    def fail(progress):
        raise RuntimeError("no")

    model = OptimalTreeClassifier(1).fit(IRIS.data, IRIS.target)
    before = model.certificate_
    with pytest.raises(RuntimeError, match="no"):
        model.set_params(max_depth=6, progress=fail).fit(HARD, HARD_LABELS)
    assert model.certificate_ is before
    assert model.n_features_in_ == 4


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="needs Unix signals")
@pytest.mark.parametrize(
    ("data", "n_jobs"),
    some_quick(product(["long chains", "zeros and ones", "numbers"], [2, 1]), every=4),
)
def test_ctrl_c_gives_the_best_tree_so_far(data, n_jobs):
    program = f"""
        import warnings
        import numpy as np
        from treewright import OptimalTreeClassifier, OptimalTreeRegressor
        random = np.random.default_rng(1)
        X, y = random.integers(0, 2, (2000, 120)), random.integers(0, 2, 2000)
        model = OptimalTreeClassifier(6, n_jobs={n_jobs})
        if {data!r} == "long chains":
            X = random.normal(size=(2000, 8))
            model.set_params(max_depth=5, thresholds="all")
        elif {data!r} == "numbers":
            y = random.normal(size=2000)
            model = OptimalTreeRegressor(6, n_jobs={n_jobs})
        model.set_params(progress=lambda progress: print("searching", flush=True))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        print(model.certificate_.status, model.tree_.n_leaves > 1, caught[0].category.__name__)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        output = process.stdout.read().splitlines()
    assert output[-1] == "interrupted True NotProvenWarning"
    assert time.perf_counter() - began < 60.0  # 0.2 where nothing else runs; the search takes hours


@pytest.mark.parametrize("thresholds", ["quantile", "all"])
def test_ctrl_c_between_searches_keeps_the_tree(thresholds, monkeypatch):
    make, n_made = TableTests.dictionary, []

    def interrupted_at_last(tests: TableTests) -> Dictionary:
        n_made.append(tests.n_offered)
        if len(n_made) > 1 and (thresholds == "quantile" or tests.is_whole):
            raise KeyboardInterrupt
        return make(tests)

    monkeypatch.setattr(TableTests, "dictionary", interrupted_at_last)
    monkeypatch.setattr(TableTests, "is_quick", lambda *_, **__: False)
    values = np.random.default_rng(0).normal(size=(3000, 1))
    y = (np.abs(values[:, 0] + 0.1 * values[::-1, 0]) < 0.5).astype(int)
    model = OptimalTreeClassifier(2, thresholds=thresholds, refine=1)
    if thresholds == "quantile":
        model.fit(values, y)
        assert model.certificate_.proven
        assert "over 32 of the 2999 thresholds" in model.certificate_.tests
    else:
        with pytest.warns(NotProvenWarning, match="it was interrupted"):
            model.fit(values, y)
        assert model.certificate_.status == "interrupted"
        assert "over all 2999 thresholds" in model.certificate_.tests
    assert model.tree_.n_leaves in (3, 4)


@pytest.mark.parametrize("max_depth", [5, 6])
@clocked
def test_a_short_search_for_deep_trees_gives_no_worse_tree(max_depth):
    numbers = np.random.default_rng(2).normal(size=len(HARD))
    shallow = OptimalTreeRegressor(2).fit(HARD, numbers).certificate_
    with pytest.warns(NotProvenWarning):
        model = OptimalTreeRegressor(max_depth, time_limit=2).fit(HARD, numbers)
    assert model.certificate_.objective <= shallow.objective


def test_little_memory_changes_no_value():
    some = HARD[:300, :30]
    plenty = OptimalTreeClassifier(4).fit(some, HARD_LABELS[:300])
    little = OptimalTreeClassifier(4, memory_limit=0.05).fit(some, HARD_LABELS[:300])
    assert little.certificate_.objective == plenty.certificate_.objective


def test_threads_give_the_same_tree():
    some = HARD[:500, :40]
    one = OptimalTreeClassifier(4).fit(some, HARD_LABELS[:500])
    two = OptimalTreeClassifier(4, n_jobs=2).fit(some, HARD_LABELS[:500])
    assert one.tree_ == two.tree_


# ---------------------------------------------------------------- nothing to search


def test_constant_columns_give_one_leaf():
    model = OptimalTreeClassifier(2).fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert model.tree_.n_leaves == 1
    assert model.certificate_.proven
    assert model.certificate_.objective == 1
    assert "at most over no condition, as every column is constant, does better." in str(
        model.certificate_
    )


def test_one_threshold_is_not_all_of_them():
    model = OptimalTreeClassifier(2).fit([[0], [1], [1], [0]], [0, 1, 1, 1])
    assert "over the 1 threshold of 1 numeric column does better" in str(model.certificate_)


def test_the_least_weight_of_a_leaf_is_part_of_the_certificate():
    model = OptimalTreeClassifier(2, min_samples_leaf=3, min_weight_fraction_leaf=0.125)
    words = "with 3 rows per leaf at least and with 12.5 % of all weight per leaf at least over all"
    assert words in model.fit(IRIS.data, IRIS.target).certificate_.tests


def test_a_share_of_the_weight_is_not_a_row_more():
    """As a double, 0.07 of 100 rows is a little more than 7."""
    values = np.arange(100)[:, None]
    model = OptimalTreeClassifier(1, min_weight_fraction_leaf=0.07).fit(values, values[:, 0] < 7)
    assert model.certificate_.objective == 0


@pytest.mark.parametrize("memory_limit", [1e15, 1e300, 10**20])
def test_more_memory_than_there_is(memory_limit):
    model = OptimalTreeClassifier(1, memory_limit=memory_limit).fit(IRIS.data, IRIS.target)
    assert model.certificate_.objective == 50


def test_all_of_many_thresholds_and_few_tests(monkeypatch):
    """Where sizes are kept apart, the search is not told of the tree that is known."""
    quick = OptimalTreeClassifier(2, max_nodes=2, thresholds="all").fit(IRIS.data, IRIS.target)
    monkeypatch.setattr(TableTests, "is_quick", lambda *_, **__: False)
    model = OptimalTreeClassifier(2, max_nodes=2, thresholds="all").fit(IRIS.data, IRIS.target)
    assert model.certificate_.proven
    assert model.certificate_.objective == quick.certificate_.objective
    assert "over all 119 thresholds" in model.certificate_.tests


def test_one_class_gives_one_leaf():
    model = OptimalTreeClassifier(3).fit(IRIS.data, ["same"] * 150)
    assert model.tree_.n_leaves == 1
    assert model.certificate_.objective == 0
    assert model.predict(IRIS.data[:2]).tolist() == ["same", "same"]


def test_one_number_gives_one_leaf():
    model = OptimalTreeRegressor(3).fit(IRIS.data, np.full(150, 0.125))
    assert model.tree_.n_leaves == 1
    assert model.certificate_.objective == 0


def test_one_row_gives_one_leaf():
    assert OptimalTreeClassifier().fit([[1.0]], ["a"]).tree_.n_leaves == 1


@pytest.mark.parametrize(
    "limits", [{"max_nodes": 0}, {"min_samples_leaf": 100}, {"penalty": 10.0}, {"penalty": 1e300}]
)
def test_a_budget_for_no_test_gives_one_leaf(limits):
    model = OptimalTreeClassifier(2, **limits).fit(IRIS.data, IRIS.target)
    assert model.tree_.n_leaves == 1
    assert model.certificate_.objective == 100
    assert model.certificate_.proven


def test_an_empty_dictionary_gives_one_leaf():
    model = OptimalTreeClassifier(2, dictionary=[]).fit(IRIS.data, IRIS.target)
    assert model.tree_.n_leaves == 1
    assert "over 0 given conditions" in str(model.certificate_)


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"max_depth": 0}, r"'max_depth' parameter of Optimal.* must be None or an int in"),
        ({"max_depth": None}, "'max_depth' parameter .* Got None"),
        ({"max_nodes": -1}, "'max_nodes' parameter .* an int >= 0. Got -1"),
        (
            {"pair_levels": 2},
            "'pair_levels' parameter .* at most 1, two less than 'max_depth'.* raise 'max_d",
        ),
        ({"penalty": -0.1}, "'penalty' parameter .* Got -0.1"),
        ({"thresholds": "some"}, "'thresholds' parameter .* Got 'some'"),
        ({"min_samples_leaf": 1.5}, "'min_samples_leaf' parameter"),
        ({"time_limit": -1}, "'time_limit' parameter"),
        ({"memory_limit": 0}, "'memory_limit' parameter"),
        ({"pair_functions": 4}, "'pair_functions' parameter .* must be 3 or 5"),
        ({"n_jobs": 0}, "'n_jobs' parameter"),
        ({"dictionary": "axis"}, "'dictionary' parameter .* Got 'axis'"),
        ({"refine": -1}, "'refine' parameter"),
        ({"tune": "folds"}, "'tune' parameter .* must be None, 'cv' or a Tuning. Got 'folds'"),
        ({"tune": Constraints()}, "'tune' parameter .* must be None, 'cv' or a Tuning"),
        (
            {"pair_levels": 1, "dictionary": [Linear((0, 1), (1.0, 1.0), 2.0)]},
            "'pair_levels' parameter .* must be 0 with conditions that cannot be joined",
        ),
    ],
)
def test_wrong_parameters_are_named(parameters, complaint):
    with pytest.raises(ValueError, match=complaint):
        OptimalTreeClassifier(**parameters).fit(IRIS.data, IRIS.target)


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize(
    "weights", [[1e300] * 4, [1e307] * 4, [1e300, 1, 1, 1], [1e-300] * 4, [1e-310, 2e-310] * 2]
)
def test_weights_beyond_all_products_are_refused(estimator, weights):
    words = r"weights of all rows must add up to a number from 1e-100 to 1e\+100"
    with pytest.raises(DataError, match=words):
        estimator(1).fit([[1], [2], [3], [4]], [0, 1, 1, 0], sample_weight=weights)


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("scale", [1e-99, 1e-9, 1e9, 1e99])
def test_the_scale_of_weights_makes_no_difference(estimator, scale):
    values, y = [[1], [2], [3], [4], [5]], [0, 1, 1, 0, 1]
    weights = np.array([1.0, 2.0, 1.5, 3.0, 1.0])
    model = estimator(1, penalty=0.01).fit(values, y, sample_weight=weights * scale)
    plain = estimator(1, penalty=0.01).fit(values, y, sample_weight=weights)
    assert model.certificate_.objective == pytest.approx(plain.certificate_.objective * scale)
    assert model.certificate_.gap < 1e-5
    assert model.rules() == plain.rules()


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_a_row_of_next_to_no_weight_counts_next_to_nothing(estimator):
    values, y = [[1], [2], [3], [4], [5]], [0, 1, 1, 1, 0]
    model = estimator(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)  # a bound that small is lost
        model.fit(values, y, sample_weight=[1, 1, 1, 1, 1e-310])
    assert model.certificate_.objective < 1e-300
    assert model.predict(values).tolist() == [0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("predicate", "complaint"),
    [
        (Axis(7, 1.0), "must hold conditions for these columns. Got Axis"),
        (Subset(0, (0,), (1,)), "must hold conditions for these columns. Got Subset"),
        (Axis(1, 1.0), "Got Axis.* column 1, which is categorical"),
        (Multiway(1, (0, 1, 2)), "with two branches. Got Multiway.* which has 3"),
    ],
)
def test_tests_that_do_not_fit_the_table_are_named(predicate, complaint):
    table = {"age": [1.0, 2.0, 3.0], "home": ["a", "b", "c"]}
    with pytest.raises(DataError, match=complaint):
        OptimalTreeClassifier(dictionary=[predicate]).fit(table, [0, 1, 0])


@pytest.mark.parametrize(
    ("options", "n_rows", "complaint"),
    [
        (
            {"thresholds": "all", "memory_limit": 0.5, "front": True},
            3000,
            r"The 2999 .*='all' need 6.45 megabytes.* use thresholds='auto' or raise it",
        ),
        (
            {"thresholds": "all", "memory_limit": 0.05},
            3000,
            r"The 2999 .*='all' need 0.0916 megabytes.* allows, 0.05; raise it",
        ),
        ({"memory_limit": 1e-9}, 40, r"The 39 .*='auto' need 0.00122 mega.* 1e-09; raise it"),
    ],
    ids=["by bits", "along chains", "automatic"],
)
def test_more_thresholds_than_memory_are_refused(options, n_rows, complaint):
    values = np.arange(float(n_rows))[:, None]
    with pytest.raises(DataError, match=complaint):
        OptimalTreeClassifier(2, **options).fit(values, values[:, 0] > 7)


def test_a_table_of_pairs_beyond_the_memory_ends_the_search():
    values, y = RANDOM.integers(0, 2, (300, 3000)), RANDOM.integers(0, 2, 300)
    with pytest.warns(NotProvenWarning, match="memory limit was reached"):
        model = OptimalTreeClassifier(3, memory_limit=20).fit(values, y)
    assert model.certificate_.status == "memory_limit"
    assert model.tree_.n_leaves > 1


def test_the_certificate_speaks_plainly():
    certificate = Certificate(3.0, 3.0, "optimal", 0.25, "trees over 9 tests", 1.0)
    assert str(certificate) == (
        "Objective 3, proven optimal in 0.25 s:\nnone of the trees over 9 tests does better.\n"
        "Over every threshold of the columns, none can go below 1."
    )
    assert certificate.gap == 0.0
    assert Certificate.from_json(certificate.to_json()) == certificate


def test_a_bound_below_the_objective_is_said():
    weights = [1e12, 1e-12, 1e-12, 1, 1, 1]
    model = OptimalTreeClassifier(1)
    with pytest.warns(NotProvenWarning, match="rounded for .* none can go below 0. Give"):
        model.fit(np.arange(6)[:, None], [0, 1, 0, 1, 1, 1], sample_weight=weights)
    certificate = model.certificate_
    assert certificate.status == "rounded"
    assert certificate.objective == 1e-12
    assert certificate.gap == 1.0
    assert "optimal up to rounding" in str(certificate)
    assert "None of the trees of depth 1 at most over all 5 thresholds of 1 numeric column " in str(
        certificate
    )
    assert str(certificate).endswith("can go below 0 (optimality gap 100 %).")
