"""Measures and gains: the textbook's numbers, the twins, and what must hold for any counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import twins
from hypothesis import given
from hypothesis import strategies as st

import treewright
from treewright import _core, measures
from treewright.estimators import GrowthRules
from treewright.prune.path import saving
from treewright.prune.risks import node_risks

PARENT = [50, 30, 20]
BRANCHES = [[40, 5, 5], [10, 25, 15]]
COSTS = [[0, 1, 4], [1, 0, 2], [3, 1, 0]]

COUNTS = st.lists(st.integers(0, 40), min_size=3, max_size=3)
BRANCH_COUNTS = st.lists(COUNTS.filter(any), min_size=2, max_size=4)


# ---------------------------------------------------------------- the numbers of the textbook


@pytest.mark.parametrize(
    ("measure", "impurity", "decrease"),
    [
        ("gini", 0.62, 0.14),
        ("entropy", 1.485475, 0.281774),
        ("misclassification", 0.5, 0.15),
        ("deviance", 2 * math.log(2) * 1.485475, 2 * math.log(2) * 0.281774),
    ],
)
def test_impurity_and_decrease(measure: str, impurity: float, decrease: float) -> None:
    assert measures.impurity(measure, PARENT) == pytest.approx(impurity, abs=2e-6)
    assert measures.decrease(measure, PARENT, BRANCHES) == pytest.approx(decrease, abs=2e-6)


def test_deviance_of_equal_classes() -> None:
    assert measures.impurity("deviance", [50, 50]) == pytest.approx(1.3862943611)


def test_twoing() -> None:
    assert measures.decrease("twoing", PARENT, BRANCHES) == pytest.approx(0.09)


@pytest.mark.parametrize(
    ("measure", "branches", "decrease"),
    [
        ("hellinger", [[40, 0], [10, 50]], 0.15665387),
        ("hellinger", [[30, 20], [30, 20]], 0),
        ("hellinger", [[50, 0], [0, 50]], 0.29289322),
        ("hellinger", [[5, 0, 5], [0, 10, 10]], 0.13160943),
        ("hddt", [[40, 0], [10, 50]], 1.05146222),
        ("hddt", [[30, 20], [30, 20]], 0),
        ("hddt", [[50, 0], [0, 50]], 1.41421356),
        ("hddt", [[50, 0, 0], [0, 30, 20]], 1.41421356),
    ],
)
def test_hellinger_distances(measure: str, branches: list[list[int]], decrease: float) -> None:
    parent = np.sum(branches, axis=0)
    assert measures.decrease(measure, parent, branches) == pytest.approx(decrease, abs=5e-9)


def test_hellinger_of_pure_branches() -> None:
    assert measures.decrease("hellinger", [5, 5], [[5, 0], [0, 5]]) == pytest.approx(
        0.292893, abs=1e-6
    )
    shares = np.array(PARENT) / 100
    pure = np.diag(PARENT)
    assert measures.decrease("hellinger", PARENT, list(pure)) == pytest.approx(
        1 - (shares**1.5).sum()
    )


def test_cost_matrix_inside_gini() -> None:
    assert measures.impurity("gini", PARENT, cost_matrix=COSTS) == pytest.approx(1.18)
    decrease = measures.decrease("gini", PARENT, BRANCHES, cost_matrix=COSTS)
    assert decrease == pytest.approx(0.27)


def test_split_information_of_play_tennis() -> None:
    assert measures.split_information([5, 4, 5]) == pytest.approx(1.577406, abs=1e-6)
    assert measures.split_information([4, 6, 4]) == pytest.approx(1.556657, abs=1e-6)
    assert measures.split_information([1] * 14) == pytest.approx(3.807355, abs=1e-6)
    assert measures.split_information([14]) == 0


# ---------------------------------------------------------------- against the twins


@pytest.mark.parametrize("measure", measures.CLASS_MEASURES)
@given(branches=BRANCH_COUNTS)
def test_decrease_equals_the_twin(measure: str, branches: list[list[int]]) -> None:
    if measure == "twoing":
        branches = branches[:2]
    parent = np.sum(branches, axis=0, dtype=float)
    expected = twins.class_gain(measure, parent, [np.array(b, dtype=float) for b in branches])
    found = measures.decrease(measure, parent, branches) * parent.sum()
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


# ---------------------------------------------------------------- what the table says of them


def grown_by(measure: str) -> tuple[Any, bool]:
    frame = treewright.datasets.load_loans(as_frame="pandas")
    numeric = frame.select_dtypes("number")
    numbers = not measures.MEASURES[measure].for_classes
    kind = treewright.TreeRegressor if numbers else treewright.TreeClassifier
    target = numeric.pop("amount") if numbers else frame["repaid"]
    return kind(criterion=measure, max_depth=3).fit(numeric, target).tree_, numbers


@pytest.mark.parametrize("measure", measures.MEASURES.values(), ids=lambda one: one.name)
def test_the_risk_of_a_measure_is_its_impurity_times_the_weight(measure: measures.Measure) -> None:
    tree, numbers = grown_by(measure.name)
    statistics = tree.core.statistics
    weights = statistics[:, 0] if numbers else statistics.sum(axis=1)
    found = [_core.impurity(measure.name, node, np.empty(0)) for node in statistics]
    if measure.risk is not None:
        assert node_risks(tree, measure.risk) == pytest.approx(weights * found)
    saved = saving(tree, weights * found)
    is_inner = tree.core.n_branches > 0
    adds_up = np.allclose(saved[is_inner], tree.core.gain[is_inner])
    assert adds_up == measure.adds_up


@pytest.mark.parametrize("measure", measures.NUMBER_MEASURES)
def test_leaves_predict_medians_if_the_measure_says_so(measure: str) -> None:
    tree = treewright.TreeRegressor(criterion=measure).fit([[1]] * 3, [0.0, 1.0, 8.0]).tree_
    assert (tree.core.value[0] == 1.0) == measures.MEASURES[measure].predicts_medians


# ---------------------------------------------------------------- what holds for any counts


@pytest.mark.parametrize("measure", measures.CLASS_MEASURES)
@given(branches=BRANCH_COUNTS, scale=st.sampled_from([0.25, 3.0, 1e6]))
def test_decrease_is_not_negative_and_has_no_unit(
    measure: str, branches: list[list[int]], scale: float
) -> None:
    if measure == "twoing":
        branches = branches[:2]
    parent = np.sum(branches, axis=0, dtype=float)
    decrease = measures.decrease(measure, parent, branches)
    assert decrease >= -1e-12
    scaled = measures.decrease(measure, scale * parent, [scale * np.array(b) for b in branches])
    assert scaled == pytest.approx(decrease, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("measure", measures.CLASS_MEASURES)
@given(counts=COUNTS.filter(any), shares=st.lists(st.integers(1, 5), min_size=2, max_size=4))
def test_branches_like_their_parent_gain_nothing(
    measure: str, counts: list[int], shares: list[int]
) -> None:
    if measure == "twoing":
        shares = shares[:2]
    branches = [share * np.array(counts) for share in shares]
    assert measures.decrease(measure, np.sum(branches, axis=0), branches) == pytest.approx(
        0, abs=1e-12
    )


@given(branches=BRANCH_COUNTS, times=st.integers(2, 50))
def test_hddt_does_not_see_how_large_two_classes_are(branches: list[list[int]], times: int) -> None:
    pairs = np.array(branches)[:, :2]
    larger = pairs * [1, times]
    assert measures.decrease("hddt", larger.sum(axis=0), list(larger)) == pytest.approx(
        measures.decrease("hddt", pairs.sum(axis=0), list(pairs)), abs=1e-12
    )


@pytest.mark.parametrize("measure", twins.CLASS_IMPURITIES)
@given(counts=COUNTS.filter(any), shift=st.integers(1, 2))
def test_impurity_does_not_know_the_names_of_classes(
    measure: str, counts: list[int], shift: int
) -> None:
    impurity = measures.impurity(measure, counts)
    assert impurity >= 0
    assert (impurity == pytest.approx(0, abs=1e-12)) == (np.count_nonzero(counts) == 1)
    renamed = counts[shift:] + counts[:shift]
    assert measures.impurity(measure, renamed) == pytest.approx(impurity)


@given(branches=BRANCH_COUNTS)
def test_symmetric_part_of_a_cost_matrix_decides(branches: list[list[int]]) -> None:
    """cost(i, j) p_i p_j + cost(j, i) p_j p_i: only the sum of the two costs counts."""
    symmetric = (np.array(COSTS) + np.transpose(COSTS)) / 2
    parent = np.sum(branches, axis=0)
    assert measures.decrease("gini", parent, branches, cost_matrix=COSTS) == pytest.approx(
        measures.decrease("gini", parent, branches, cost_matrix=symmetric), abs=1e-12
    )


def test_unknown_measure_is_named() -> None:
    with pytest.raises(ValueError, match="spread"):
        measures.impurity("spread", PARENT)


# ---------------------------------------------------------------- through the estimators


def stump_gain(table: Any, y: Any, **parameters: Any) -> float:
    numbers = parameters.get("criterion") in twins.NUMBER_MEASURES
    kind = treewright.TreeRegressor if numbers else treewright.TreeClassifier
    return float(kind(max_depth=1, **parameters).fit(table, y).tree_.core.gain[0])


def test_errors_of_six_numbers() -> None:
    """y = 1, 2, 3, 10, 11, 30: both errors are least (89.2; 18) behind the fifth."""
    y = np.array([1.0, 2, 3, 10, 11, 30])
    table = np.arange(6.0)[:, None]
    assert stump_gain(table, y, criterion="squared_error") == pytest.approx(593.5 - 89.2)
    whole = np.abs(y - 6.5).sum()
    assert stump_gain(table, y, criterion="absolute_error") == pytest.approx(whole - 18)


def test_levels_of_the_subset_vector() -> None:
    """Levels a (8+, 2-), b (1, 9), c (5, 5), d (2, 2): {b} against the rest, decrease 0.114446."""
    counts = {"a": (8, 2), "b": (1, 9), "c": (5, 5), "d": (2, 2)}
    levels = [level for level, pair in counts.items() for _ in range(sum(pair))]
    y = np.concatenate([np.repeat([1, 0], pair) for pair in counts.values()])
    gain = stump_gain(pd.DataFrame({"x": levels}), y, categorical="subset")
    assert gain / len(y) == pytest.approx(0.114446, abs=1e-6)


def test_leaf_takes_the_cheapest_class() -> None:
    """Shares 0.5, 0.3, 0.2 with the costs above: expected costs 0.9, 0.7, 2.6, so the second."""
    y = np.repeat([0, 1, 2], [5, 3, 2])
    model = treewright.TreeClassifier(cost_matrix=COSTS).fit(np.zeros((10, 1)), y)
    assert model.predict(np.zeros((1, 1))).tolist() == [1]
    assert model.predict_proba(np.zeros((1, 1))).tolist() == [pytest.approx([0.5, 0.3, 0.2])]


def test_smoothed_probabilities() -> None:
    """Class weights 3 and 1: Laplace 2/3; m = 2 with the root's shares 0.7 and 0.3: 0.733333."""
    table = np.array([[0.0]] * 4 + [[1.0]] * 6)
    y = np.array([0, 0, 0, 1] + [0] * 4 + [1] * 2)
    for smoothing, expected in ((None, 0.75), ("laplace", 2 / 3), (2.0, (3 + 2 * 0.7) / 6)):
        model = treewright.TreeClassifier(
            max_depth=1,
            smoothing=smoothing,
            growth_rules=GrowthRules(zero_gain=True),
        ).fit(table, y)
        assert model.predict_proba([[0.0]])[0, 0] == pytest.approx(expected)
