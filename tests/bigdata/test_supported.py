"""What growth over partitions does not offer is refused before anything is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor, splits
from treewright.bigdata.growth import grow
from treewright.estimators import Costs, EarlyStopping, GrowthRules
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import UnsupportedError
from treewright.schema import Column, Schema

CLASSES = ("a", "b", "c")
SCHEMA = Schema((Column("x", "numeric"), Column("y", "numeric")), CLASSES, "class")
DETOUR = np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]])


class Unread:
    """An engine that must not be asked."""

    n_rows = None

    def ask(self, question: object) -> Any:
        raise AssertionError(question)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"split": "oc1"}, "'split' parameter of TreeClassifier must be 'axis', MUST or FTest"),
        ({"split": splits.MUST(multiclass="rows")}, "another 'multiclass' than 'rows'"),
        ({"split": splits.MUST(direction="bipartition")}, "another 'direction' than"),
        ({"split": splits.FTest(threshold="median")}, "another 'threshold' than 'median'"),
        ({"split": splits.FTest(selection="impurity")}, "another 'selection' than 'impurity'"),
        ({"split": splits.FTest(variant="paper")}, "another 'variant' than 'paper'"),
        ({"split": splits.FTest(fallback=0.05)}, "FTest with fallback=None"),
        ({"split": splits.Axis("c45")}, "Got Axis(rules='c45')"),
        ({"missing": "fraction"}, "'missing' parameter of TreeClassifier must be 'default' or"),
        ({"missing": "surrogate"}, "Got 'surrogate'"),
        ({"max_features": 1}, "'max_features' parameter of TreeClassifier must be None"),
        ({"growth_rules": GrowthRules(early_stopping=EarlyStopping())}, "without early stopping"),
        ({"cost_matrix": 1 - np.eye(3)}, "Costs(..., in_split='none')"),
        ({"cost_matrix": Costs(DETOUR, in_split="gini")}, "no split adds impurity"),
    ],
)
def test_what_is_not_offered_is_refused_by_name(given, words):
    model = TreeClassifier(**given)
    weighting = ClassWeighting.of(model, CLASSES)
    with pytest.raises(UnsupportedError) as error:
        grow(Unread(), SCHEMA, "classification", GrowthOptions.of(model), weighting=weighting)
    assert words in str(error.value)
    assert "fit on a sample of the rows, or in memory" in str(error.value)
    assert str(error.value).count(". ") == 1  # one sentence on what, one on what came


def test_midpoints_of_numbers_are_refused_by_name():
    options = GrowthOptions.of(TreeRegressor(split=splits.FTest(threshold="class_midpoint")))
    with pytest.raises(UnsupportedError, match="another 'threshold' than 'class_midpoint'"):
        grow(Unread(), SCHEMA.with_target("z"), "regression", options)


def test_absolute_errors_are_refused_by_name():
    options = GrowthOptions.of(TreeRegressor(criterion="absolute_error"))
    with pytest.raises(UnsupportedError, match="'criterion' parameter of TreeRegressor"):
        grow(Unread(), SCHEMA.with_target("z"), "regression", options)
