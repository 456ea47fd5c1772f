"""What is equal but for rounding is a tie, which the order of the rows must not decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor, splits


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


PLANES = [
    splits.OC1(2, n_restarts=2),
    splits.SADT(2, patience=20),
    splits.CartLC(2),
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
