"""Estimators with scikit-learn's manners.

In this order, each using only what stands before: ``weights`` (of rows and classes),
``parameter_json`` (parameters in the model file), ``reader`` (columns and rows), ``base``,
``classifier`` and ``regressor``, ``rules``, ``loading``.
"""

from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.forest_classifier import ForestClassifier
from treewright.estimators.forest_regressor import ForestRegressor
from treewright.estimators.loading import load
from treewright.estimators.regressor import TreeRegressor
from treewright.estimators.rules import RuleSetClassifier

__all__ = [
    "ForestClassifier",
    "ForestRegressor",
    "RuleSetClassifier",
    "TreeClassifier",
    "TreeRegressor",
    "load",
]
