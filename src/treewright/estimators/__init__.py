"""Estimators with scikit-learn's manners.

In this order, each using only what stands before: ``weights`` (of rows and classes),
``parameter_json`` (parameters in the model file), ``reader`` (columns and rows), ``drawing`` and
``fitted`` (what a fitted tree can do), ``class_weights`` and ``class_answers``; for grown trees
``options``, ``growing`` and ``targets``, ``class_parameters``, ``base``, ``classifier`` and
``regressor``, ``rules``; ``forest``; for optimal trees ``optimal``, ``optimal_classifier`` and
``optimal_regressor``; last ``loading``.
"""

from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.forest.classifier import ForestClassifier
from treewright.estimators.forest.regressor import ForestRegressor
from treewright.estimators.loading import load
from treewright.estimators.optimal_classifier import OptimalTreeClassifier
from treewright.estimators.optimal_regressor import OptimalTreeRegressor
from treewright.estimators.regressor import TreeRegressor
from treewright.estimators.rules import RuleSetClassifier

__all__ = [
    "ForestClassifier",
    "ForestRegressor",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "RuleSetClassifier",
    "TreeClassifier",
    "TreeRegressor",
    "load",
]
