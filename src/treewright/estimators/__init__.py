"""Estimators with scikit-learn's manners.

An estimator stores parameters and wires: it reads rows (``training``), makes values of its
parameters and calls a function that fits. Its own classes are four at most: ``estimator`` (columns,
checks), ``fitted`` (all that one fitted tree can do, with ``drawing`` and ``reporting``) or
``forest.base``, ``class_predictions``, and itself.

Values: ``settings`` and ``class_settings`` (what users give as one parameter), ``class_weighting``
(class weights, priors and costs, which make the target, see ``weights`` and ``targets``),
``options`` and ``search_options`` (the parameters of growth and of the search), ``tuning``,
``objectives`` (what an optimal tree is the best in). Functions: ``tree_growth`` (with ``growing``),
``search`` and ``tuned_search`` fit one tree; ``forest`` fits many. ``old_words`` knows parameters
of former names, ``parameter_json`` model files.
"""

from treewright.estimators.class_settings import F1, Costs, LogLoss, Priors
from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.constraints import Constraints
from treewright.estimators.forest.classifier import ForestClassifier
from treewright.estimators.forest.regressor import ForestRegressor
from treewright.estimators.optimal_classifier import OptimalTreeClassifier
from treewright.estimators.optimal_regressor import OptimalTreeRegressor
from treewright.estimators.regressor import TreeRegressor
from treewright.estimators.rules import RuleSetClassifier
from treewright.estimators.settings import EarlyStopping, GrowthRules, Surrogates
from treewright.estimators.tuning import Tuning

__all__ = [
    "F1",
    "Constraints",
    "Costs",
    "EarlyStopping",
    "ForestClassifier",
    "ForestRegressor",
    "GrowthRules",
    "LogLoss",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "Priors",
    "RuleSetClassifier",
    "Surrogates",
    "TreeClassifier",
    "TreeRegressor",
    "Tuning",
]
