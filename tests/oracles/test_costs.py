"""Costs of mistakes in growth, pruning and decision: the recorded examples of C5.0 and rpart."""

from __future__ import annotations

import numpy as np
import pytest

from oracles import data, reference
from treewright import TreeClassifier, recipes
from treewright.prune import CostComplexity

pytestmark = pytest.mark.oracle

ABSENT, PRESENT = 0, 1
COSTS = [[0, 1], [3, 0]]  # to overlook a kyphosis costs three times as much


def confusion(truth: np.ndarray, answers: np.ndarray) -> list[list[int]]:
    return [
        [int(np.sum((truth == i) & (answers == j))) for j in (ABSENT, PRESENT)]
        for i in (ABSENT, PRESENT)
    ]


def test_the_cost_tree_of_c50() -> None:
    """C5.0's tree is on our path: same tests, same answers, same rows, same cost of 0.19 a case."""
    recorded = data.output("c50", "c50_kyphosis_costs")
    table = data.kyphosis()
    model = recipes.c45(cost_matrix=COSTS, prune=None).fit(table.table, table.target)
    tree = model.at(leaves=5)
    rules = [
        "if Start <= 8 then 1 (58 %, 19 rows)",
        "if 8 < Start <= 14 and Age <= 52 then 0 (100 %, 12 rows)",
        "if 8 < Start <= 14 and 52 < Age <= 97 then 1 (80 %, 5 rows)",
        "if 8 < Start <= 14 and Age > 97 then 0 (88 %, 16 rows)",
        "if Start > 14 then 0 (100 %, 29 rows)",
    ]
    assert tree.rules() == rules
    answers = tree.predict(table.table)
    assert confusion(table.target, answers) == recorded["confusion"]
    assert int(np.sum(answers != table.target)) == recorded["train_errors"]
    cost = np.array(COSTS)[table.target, answers].mean()
    assert f"{cost:.2f}" in recorded["output"]
    usage = dict(zip(tree.schema.names, tree.feature_importances("usage"), strict=True))
    for column in ("Start", "Age"):
        assert f"{100 * usage[column]:.2f}%\t{column}" in recorded["output"]


def test_the_loss_tree_of_rpart() -> None:
    recorded = data.output("rpart", "rpart_kyphosis_loss")
    table = data.kyphosis()
    model = recipes.rpart(cost_matrix=COSTS).fit(table.table, table.target)
    root = model.path_.root_risk
    assert root == pytest.approx(51.0)  # 17 cases present, overlooked at 3 each
    assert confusion(table.target, model.predict(table.table)) == recorded["confusion"]
    expected = reference.read_rpart(recorded, {})
    rules = reference.Rules(weights=False)
    assert reference.differences(expected, reference.read_fitted(model.tree_), rules) == []


def test_costs_decide_which_tree_cross_validation_takes() -> None:
    """The chosen tree is cheaper on the whole than what the count of errors would choose."""
    table = data.kyphosis()
    fold = np.arange(81) % 10
    settings = {"min_samples_split": 5, "min_samples_leaf": 2, "missing": "surrogate"}
    by_cost = TreeClassifier(prune=CostComplexity(se=0, folds=fold), cost_matrix=COSTS, **settings)
    by_errors = TreeClassifier(prune=CostComplexity(se=0, folds=fold), **settings)
    by_cost.fit(table.table, table.target)
    by_errors.fit(table.table, table.target)
    assert by_errors.tree_.n_leaves == 1  # the honest outcome when all mistakes are alike
    assert by_cost.tree_.n_leaves > 1
    least = min(entry.cv_risk for entry in by_cost.path_)
    assert least < by_cost.path_[-1].cv_risk == pytest.approx(51.0)


def test_the_worked_example_of_leaf_costs() -> None:
    """Shares .5, .3, .2: the second class is cheapest although the first is the most frequent."""
    costs = [[0, 1, 4], [1, 0, 2], [3, 1, 0]]
    X = np.zeros((10, 1))
    y = [0] * 5 + [1] * 3 + [2] * 2
    model = TreeClassifier(cost_matrix=costs).fit(X, y)
    assert model.predict([[0.0]])[0] == 1
    expected = model.predict_proba([[0.0]]) @ np.array(costs)
    np.testing.assert_allclose(expected, [[0.9, 0.7, 2.6]])
