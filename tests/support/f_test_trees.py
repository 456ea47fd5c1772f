"""Trees by the F test for the tests of them: how they are grown, and what is read off them."""

from __future__ import annotations

import numpy as np

from treewright import FTest, TreeClassifier, TreeRegressor, rank_columns
from treewright.estimators import GrowthRules

RULES = ("closest", "median", "mean", "class_midpoint")
V1 = np.array(
    [[1, 5, 0], [2, 4, 0], [3, 6, 0], [4, 5, 0], [6, 5, 0], [7, 7, 0], [8, 4, 0], [9, 6, 0]], float
)
V1_CLASSES = np.repeat([0, 1], 4)


def fit(X, y, weights=None, *, classes=True, **split):
    """Grow with the limits of the paper; split parameters by keyword."""
    return grown(FTest(**split), X, y, weights, classes=classes)


def grown(split, X, y, weights=None, *, classes=True, **parameters):
    kind = TreeClassifier if classes else TreeRegressor
    settings = {
        "min_samples_split": 10,
        "growth_rules": GrowthRules(zero_gain=True),
        "readable": False,
        **parameters,
    }
    return kind(split=split, **settings).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def threshold_on(values, classes, weights=None, **split):
    X = np.reshape(values, (-1, 1)).astype(float)
    model = grown(FTest(**split), X, classes, weights, max_depth=1, min_samples_split=2)
    return root(model).threshold


def weights_of(X, y, sample_weight=None):
    found = {c.name: c.weight for c in rank_columns(X, y, sample_weight)}
    return [found[f"x{j}"] for j in range(len(found))]
