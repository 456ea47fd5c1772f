"""Trees that are nearly as good as the best one: compared with all trees of small problems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from near_trees_twin import check_problem, random_problem

from treewright import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.estimators import Constraints
from treewright.exceptions import DataError
from treewright.optimal import Alternatives
from treewright.predicates import Axis, Linear


@pytest.mark.parametrize("seed", range(40))
def test_the_set_is_that_of_all_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    check_problem(random_problem(rng, depth=1 + seed % 2), slack=int(rng.integers(0, 6)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40, 46))
def test_the_set_of_depth_three_is_that_of_all_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    check_problem(random_problem(rng, depth=3), slack=int(rng.integers(0, 4)))


@pytest.mark.slow
def test_two_thousand_sets_are_those_of_all_trees() -> None:
    for seed in range(1000, 3000):
        rng = np.random.default_rng(seed)
        depth = 3 if seed % 20 == 0 else 1 + seed % 2
        check_problem(random_problem(rng, depth), slack=int(rng.integers(0, 8)))


def small_table(seed: int, n_rows: int = 60) -> tuple[dict[str, list], np.ndarray]:
    rng = np.random.default_rng(seed)
    table = {
        "age": rng.integers(20, 60, n_rows).astype(float),
        "pay": rng.normal(size=n_rows).round(1),
        "town": rng.choice(["a", "b", "c"], n_rows),
    }
    score = (table["age"] > 40) * 1.0 + (table["town"] == "b") + rng.normal(0, 0.5, n_rows).round(1)
    table["age"][rng.random(n_rows) < 0.1] = np.nan
    return {name: values.tolist() for name, values in table.items()}, score


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_a_model_lists_its_alternatives(estimator: Any, weighted: bool) -> None:
    table, score = small_table(0)
    y = score if estimator is OptimalTreeRegressor else np.where(score > 0.8, "yes", "no")
    weights = np.random.default_rng(1).integers(1, 4, len(score)) if weighted else None
    model = estimator(2, penalty=0.02, thresholds="quantile").fit(table, y, weights)
    found = model.alternatives(table, y, tolerance=0.03, n=15, sample_weight=weights)
    assert found.is_complete
    assert found.objective == pytest.approx(model.certificate_.objective)
    objectives = [one.objective for one in found.trees]
    assert objectives == sorted(objectives)
    assert objectives[0] == pytest.approx(found.objective)
    assert objectives[-1] <= found.largest * (1 + 1e-9)
    predicted = [tuple(model.with_tree(one.tree).predict(table)) for one in found.trees]
    assert len(set(predicted)) == len(found.trees) <= found.count
    assert set(found.columns) == set(table)
    assert {first.columns[0] for first in found.first} == set(table)
    for first in found.first:
        assert first.certificate.proven
        assert first.certificate.objective >= found.objective * (1 - 1e-9)
        assert table.keys() >= set(first.columns)
        root = first.tree.node(0).predicate
        assert tuple(model.schema_.names[column] for column in root.columns) == first.columns
    assert min(one.certificate.objective for one in found.first) == pytest.approx(found.objective)


def test_thresholds_that_divide_a_node_alike_are_one_question() -> None:
    table = {"a": [0, 0, 0, 0, 1, 1, 1, 1], "b": [1, 2, 3, 4, 1, 1, 4, 4]}
    y = [0, 0, 0, 0, 0, 0, 1, 1]
    model = OptimalTreeClassifier(2, penalty=0.01).fit(table, y)
    found = model.alternatives(table, y, tolerance=0.0)
    # At the root b has the thresholds 1, 2 and 3, with a below; below a = 1 they are one.
    assert found.count == 4
    assert len(found.trees) == 1  # the others predict the same
    assert found.needed == ("a", "b")


def test_the_thresholds_of_the_tree_are_offered() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(400, 2))
    y = (values[:, 0] > 0.123) ^ (values[:, 1] > 0.456)
    model = OptimalTreeClassifier(2, thresholds="quantile").fit(values, y)
    found = model.alternatives(values, y, tolerance=0.0)
    assert found.objective == model.certificate_.objective


def test_given_conditions_are_all_that_is_used() -> None:
    values = np.array([[0, 5], [1, 4], [2, 3], [3, 2], [4, 1], [5, 0]], dtype=float)
    given = [Axis(0, 2.0), Linear((0, 1), (1.0, -1.0), 0.0)]
    model = OptimalTreeClassifier(1, dictionary=given).fit(values, [0, 0, 0, 1, 1, 1])
    found = model.alternatives(values, [0, 0, 0, 1, 1, 1], tolerance=0.0)
    assert found.count == 2
    assert len(found.trees) == 1  # the other predicts the same
    assert found.columns == {"x0": 1.0, "x1": 0.5}
    assert {first.columns for first in found.first} == {("x0",), ("x0", "x1")}


def test_too_little_time_is_told() -> None:
    rng = np.random.default_rng(0)
    values, y = rng.integers(0, 2, (500, 60)), rng.integers(0, 2, 500)
    model = OptimalTreeClassifier(3).fit(values, y)
    found = model.alternatives(values, y, time_limit=0.0)
    assert (found.status, found.count, found.trees) == ("time_limit", 0, ())
    assert str(found) == "No tree was counted: the time limit was reached."
    assert found.objective == model.certificate_.objective


def test_a_set_that_is_cut_short_says_at_least() -> None:
    rng = np.random.default_rng(0)
    problem = replace(
        random_problem(rng, depth=3),
        passes=rng.random((30, 300)) < 0.5,
        targets=rng.integers(0, 2, 300),
        weights=np.ones(300, np.int64),
        costs=np.empty((2, 0), np.int64),
        columns=[[column] for column in range(30)],
        prices=np.zeros(30, np.int64),
        last_levels=np.full(30, 255, np.int32),
        penalty=0,
    )
    whole = problem.found(slack=12, n_trees=5)
    short = problem.found(slack=12, n_trees=5, memory=1 << 20)
    assert whole.status == "optimal"
    assert short.status == "memory_limit"
    assert 0 < sum(short.counts) < sum(whole.counts)


def test_a_set_that_is_cut_short_has_the_best_tree_and_claims_nothing_of_columns() -> None:
    rng = np.random.default_rng(0)
    values, y = rng.integers(0, 2, (300, 30)), rng.integers(0, 2, 300)
    model = OptimalTreeClassifier(3, memory_limit=1.0).fit(values, y)
    found = model.alternatives(values, y, tolerance=0.06, n=3)
    assert (found.status, len(found.trees)) == ("memory_limit", 3)
    assert found.trees[0].objective == found.objective == model.certificate_.objective
    assert (found.columns, found.needed, found.needless) == ({}, (), ())
    assert "Columns" not in str(found)


def test_what_is_not_all_is_told() -> None:
    told = Alternatives((), 7, "memory_limit", {}, (), 3.0, 4.0, "trees")
    assert str(told).splitlines() == [
        "At least 7 trees have an objective of at most 4; the best has 3.",
        "There may be more: the memory limit was reached.",
    ]


def test_counts_that_do_not_fit_in_memory_end_the_search() -> None:
    rng = np.random.default_rng(0)
    values, y = rng.integers(0, 2, (60, 12)), rng.normal(size=60).round(3)
    model = OptimalTreeRegressor(3).fit(values, y)
    assert model.alternatives(values, y, tolerance=0.1).is_complete
    found = model.set_params(memory_limit=1.0).alternatives(values, y, tolerance=0.4)
    assert (found.status, found.count) == ("memory_limit", 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tolerance": -0.1}, "The 'tolerance' parameter of OptimalTreeClassifier.alternatives"),
        ({"tolerance": np.nan}, "The 'tolerance' parameter"),
        ({"tolerance": 2.0}, "The 'tolerance' parameter"),
        ({"n": -1}, "The 'n' parameter"),
        ({"n": 2.5}, "The 'n' parameter"),
        ({"n": 10**12}, "The 'n' parameter"),
        ({"time_limit": -1.0}, "The 'time_limit' parameter"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], message: str) -> None:
    X, y = [[0], [1]], [0, 1]
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier().fit(X, y).alternatives(X, y, **wrong)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"max_nodes": 2}, "max_nodes"),
        ({"pair_levels": 1}, "pair_levels"),
        ({"constraints": Constraints(max_columns=1)}, "constraints"),
        ({"max_depth": None, "penalty": 0.1}, "max_depth"),
        ({"dictionary": ["axis"]}, "dictionary"),
        ({"tune": "cv"}, "tune"),
    ],
)
def test_models_whose_trees_are_not_counted_are_refused(
    parameters: dict[str, Any], name: str
) -> None:
    X, y = [[0], [1], [2]], [0, 1, 1]
    model = OptimalTreeClassifier(**parameters).fit(X, y)
    with pytest.raises(ValueError, match=f"The '{name}' parameter of OptimalTreeClassifier"):
        model.alternatives(X, y)


def test_models_that_decide_by_losses_are_refused() -> None:
    X = [[0], [1], [2]]
    model = OptimalTreeClassifier(2).fit(X, losses=[[0, 1], [1, 0], [1, 0]])
    with pytest.raises(ValueError, match="was fitted with losses"):
        model.alternatives(X, [0, 1, 1])


@pytest.mark.parametrize(
    ("X", "y", "weights"),
    [
        ([[0], [1], [2]], [0, 1, 0], None),
        ([[0], [1], [2]], [0, 1, 1], [1, 2, 1]),
        ([[0], [1]], [0, 1], None),
        ([["a"], ["b"], ["c"]], [0, 1, 1], None),
    ],
)
def test_other_rows_are_refused(X: Any, y: Any, weights: Any) -> None:
    model = OptimalTreeClassifier().fit([[0], [1], [2]], [0, 1, 1])
    with pytest.raises(DataError, match="must be those that the model was fitted on"):
        model.alternatives(X, y, sample_weight=weights)
