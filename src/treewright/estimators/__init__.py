"""Estimators with scikit-learn's manners.

In this order, each using only what stands before: ``weights`` (of rows and classes),
``parameter_json`` (parameters in the model file), ``base``, ``classifier`` and ``regressor``,
``loading``.
"""

from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.loading import load
from treewright.estimators.regressor import TreeRegressor

__all__ = ["TreeClassifier", "TreeRegressor", "load"]
