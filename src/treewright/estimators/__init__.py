"""Estimators with scikit-learn's manners."""

from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.regressor import TreeRegressor
from treewright.estimators.saving import load

__all__ = ["TreeClassifier", "TreeRegressor", "load"]
