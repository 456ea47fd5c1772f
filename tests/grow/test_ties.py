"""What is equal but for rounding is a tie, which the order of the rows must not decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor, splits
from treewright.estimators import GrowthRules


def trees_of(model: Any, X: dict[str, list[Any]], y: list[Any], w: list[float]) -> set[Any]:
    """Return shapes, tests and answers of the trees on the same rows in many orders."""
    random = np.random.default_rng(0)
    found = set()
    for _ in range(60):
        order = random.permutation(len(y)).tolist()
        table = {name: [cells[i] for i in order] for name, cells in X.items()}
        core = model.fit(table, [y[i] for i in order], [w[i] for i in order]).tree_.core
        tests = tuple(repr(core.test(node)) for node in range(core.n_nodes))
        answers = core.value.round(9)
        found.add((tests, tuple(core.default_branch.tolist()), tuple(answers.tolist())))
    return found


def test_thirds_of_rows_that_make_two_rows_are_enough_in_any_order():
    # 1.9999999999999998 rows were fewer than the two that a split needs.
    X = {
        "a": [-0.5, None, None, 0.5, None, None],
        "b": [0.5, -2.0, 0.0, 2.0, -1.0, 3.0],
        "c": [None, None, 1.5, 3.0, None, 0.5],
        "d": ["s", "s", "s", None, None, None],
    }
    model = TreeClassifier(
        split=splits.Axis("c45"), missing="fraction", max_depth=3, readable=False
    )
    assert len(trees_of(model, X, ["c", "c", "a", "a", "b", "c"], [1.0] * 6)) == 1


def test_divided_rows_of_two_classes_are_a_tie_in_any_order():
    # In a leaf two classes weigh the same, but for the rounding of their sums of shares.
    X = {
        "a": [3, 0.25, None, None, 3, -1, -1, None, None, None, None, -0.5, None, 1.5],
        "b": [*[None] * 3, "r", None, "q", "p", None, None, "r", "p", "p", None, "q"],
    }
    y = ["b", "b", "a", "a", "c", "a", "a", "c", "a", "c", "c", "c", "b", "a"]
    model = TreeClassifier(
        split=splits.FTest(2), missing="fraction", categorical="multiway", min_samples_leaf=2
    )
    assert len(trees_of(model.set_params(max_depth=3), X, y, [1.0] * 14)) == 1


def test_levels_of_the_same_mean_keep_their_order_in_any_order_of_rows():
    # The means of p and s are 0, in some orders of p's rows but nearly; only one order of the two
    # leaves two rows on both sides.
    X = {"x": ["p", "p", "q", "s", "p"]}
    y, w = [-2.0, -0.25, 2.0, 0.0, 0.75], [0.5, 2.0, 1.0, 1.5, 2.0]
    model = TreeRegressor(max_depth=1, min_samples_leaf=2, missing="fraction", readable=False)
    assert len(trees_of(model, X, y, w)) == 1


def test_cuts_of_no_decrease_are_a_tie_where_rows_are_divided():
    # All cuts of a node leave as many rows misclassified; sums of shares made one 1e-16 better.
    X = {
        "a": [None, 0.5, 1.5, -1.0, 0.25, -1.0, -0.5, 3.0, 1.0, 0.5, -1.0, -2.0, -2.0],
        "b": [-2.0, -1.0, None, -1.0, None, 3.0, 1.0, -2.0, 1.5, 3.0, -1.0, 0.5, 3.0],
    }
    model = TreeClassifier(
        criterion="misclassification",
        missing="fraction",
        growth_rules=GrowthRules(zero_gain=True),
        readable=False,
    )
    assert len(trees_of(model, X, list("bbbabbaaabbaa"), [1.0] * 13)) == 1


def test_cuts_of_no_decrease_are_a_tie_by_absolute_error():
    # Deviations are summed around the mean, whose last digit depends on the order of the rows.
    X = {
        "a": [2.0, 1.0, 1.5, 0.25, 0.0, -1.0, 1.0],
        "b": [-2.0, 1.0, -0.5, 1.5, 0.0, 1.5, -0.5],
    }
    y = [-0.25, -0.25, -1.25, 2.0, 1.5, 2.0, 0.0]
    model = TreeRegressor(
        criterion="absolute_error", growth_rules=GrowthRules(zero_gain=True), readable=False
    )
    assert len(trees_of(model, X, y, [1.0] * 7)) == 1


def test_planes_of_no_decrease_are_a_tie_with_the_best_column():
    # OC1 took a plane of nearly no decrease in some orders, the cut of one column in others.
    X = {
        "a": [0, 3, 1.5, None, 1, 0.5, 0.25, -1, -2, None, None, -2, 0.25, 1, None, None],
        "b": [-2, 1, 1.5, 1.5, 2, 2, 2, None, 2, 0.5, -0.5, 1, 3, -1, None, 0.25],
        "c": [-1, 0, 2, -2, -1, None, 2, 3, None, -0.5, 0.5, 1, 1.5, 2, -1, None],
    }
    w = [2.0, 1.5, 2.0, 1.0, 1.0, 0.5, 1.5, 2.0, 1.0, 2.0, 1.0, 1.0, 1.5, 1.0, 1.5, 1.0]
    model = TreeClassifier(
        split=splits.OC1(2, n_jumps=0, n_restarts=1, order="sequential"),
        criterion="misclassification",
        missing="fraction",
        min_samples_leaf=3,
        growth_rules=GrowthRules(zero_gain=True),
        readable=False,
        random_state=0,
    )
    assert len(trees_of(model, X, list("cabcaacababaacac"), w)) == 1


def test_coefficients_that_are_rounding_are_none():
    # The second column says all of the target; the first had a coefficient of 4e-16.
    X = {"a": [0.5, 0.25, 1.0], "b": [1.5, 2.0, 1.5]}
    for split in (splits.MUST("all"), splits.MUST("all", direction="covariance")):
        model = TreeRegressor(split=split, readable=False)
        (tests, *_) = trees_of(model, X, [1.25, 0.5, 1.25], [2.0] * 3).pop()
        assert tests[0].startswith("(0, [1]")
        assert len(trees_of(model, X, [1.25, 0.5, 1.25], [2.0] * 3)) == 1


def test_groups_of_the_same_mean_have_one_guess_in_any_order():
    # Both classes have the mean -7 / 6 on the first column; which was higher was rounding.
    X = {
        "a": [-2.0, -1.0, -1.0, -2.0, -2.0, -0.5, -1.0, -1.0, 0.0],
        "b": [3.0, 3.0, 1.0, 0.25, 1.5, 0.0, 2.0, 1.0, 2.0],
    }
    model = TreeClassifier(split=splits.MUST(1), readable=False)
    assert len(trees_of(model, X, list("babbaabbb"), [1.0] * 9)) == 1


def test_of_columns_that_repeat_each_other_an_l1_path_takes_the_first():
    # Two rows on two columns: the slope of the second one was 0 or a rounding of it.
    X = {"a": [2.0, 0.25, 0.5], "b": [0.0, 1.5, 0.25]}
    model = TreeClassifier(split=splits.Logistic("l1_bic"), criterion="twoing", readable=False)
    assert len(trees_of(model, X, ["a", "a", "b"], [2.0, 0.5, 1.0])) == 1


def test_a_p_value_of_exactly_the_limit_is_within_it_in_any_order():
    # By Levene's test of the first of five columns p = 1 / 25, five times of which is 0.2.
    X = {
        "a": [-0.5, 1.5, 0.0, 1.0, 0.0],
        "b": [3.0, 2.0, 0.0, -0.5, 2.0],
        "c": [-1.0, -1.0, 0.0, 1.5, -0.5],
        "d": ["q", "p", "p", "q", "q"],
        "e": ["p", "q", "p", "r", "q"],
    }
    model = TreeClassifier(split=splits.FTest(threshold="median", fallback=0.2), readable=False)
    assert len(trees_of(model, X, ["b", "c", "a", "a", "a"], [2.0, 1.5, 1.0, 2.0, 0.5])) == 1


def test_a_spread_of_one_less_rounding_is_one():
    # The deviation is 1, in some orders nearly: thresholds were rounded to half the grain then.
    X = {"a": [-1.0, 1.5, -1.0, -0.5, 0.0, -2.0, -0.5]}
    model = TreeClassifier(split=splits.PBOT(levels=1), readable=False)
    assert len(trees_of(model, X, list("bbaabab"), [1.0] * 7)) == 1


def test_classes_of_the_same_mean_have_no_cut_by_scores():
    # Slopes that should be 0 were rounding, and the scores met wherever it led them.
    X = {"a": [3.0, 0.25, 2.0, -0.5, -1.0, -1.0, 0.25, -2.0, 3.0, -2.0, -1.0, -0.5]}
    model = TreeClassifier(split=splits.PBOT(levels=1), readable=False)
    (shape,) = trees_of(model, X, list("bccbbcbcccbb"), [1.0] * 12)
    assert shape[0] == ("None",)


PLANES = [
    splits.OC1(2, n_restarts=2),
    splits.SADT(2, patience=20),
    splits.CARTLC(2),
    splits.WODT(2),
    splits.HHCART(features=2),
    splits.Climb(splits.MUST(2), n_jumps=2),
]


@pytest.mark.parametrize("missing", ["default", "stop", "fraction", "surrogate"])
@pytest.mark.parametrize("method", PLANES, ids=repr)
def test_no_crash_where_all_rows_that_have_values_are_of_one_class(method, missing):
    """Columns were ranked by how far two groups of classes lie apart, and there was one."""
    values = np.arange(24.0).reshape(8, 3) % 7
    values[5:] = np.nan
    labels = ["a"] * 5 + ["b"] * 3
    model = TreeClassifier(split=method, missing=missing, random_state=0).fit(values, labels)
    assert set(model.predict(values)) <= {"a", "b"}
