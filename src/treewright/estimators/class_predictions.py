"""What classifiers predict: classes, and probabilities that may be smoothed.

    (W_c + m pi_c) / (W + m)

with W_c the weight of class c in the node, W that of the node and pi the proportions at the root;
``laplace``: pi_c = 1 / K and m = K, which is (W_c + 1) / (W + K).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import choice, none, number, one_of
from treewright.estimators.abstaining import classes_before_referral
from treewright.estimators.estimator import Estimator
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.tree.use import label_array

__all__ = ["SMOOTHING_CHECK", "ClassPredictions", "tree_probabilities"]

SMOOTHING_CHECK = one_of(none(), choice("laplace"), number(0, above=True))


class ClassPredictions(Estimator):
    """Common part of all classifiers."""

    classes_: NDArray[Any]
    abstain_label_: str | int | float | bool  # of those with `abstain_cost`

    def _take_schema(self, schema: Schema) -> None:
        super()._take_schema(schema)
        labels = classes_before_referral(self, schema)
        self.classes_ = label_array(labels)
        self.__dict__.pop("abstain_label_", None)
        if len(labels) < len(schema.classes or ()):
            self.abstain_label_ = (schema.classes or ())[-1]

    @abstractmethod
    def _labels(self, table: _core.Table) -> NDArray[Any]:
        """Return the class of each row."""

    @abstractmethod
    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        """Return the probability of each class for each row."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows; columns are matched by name where they have names.

        Returns
        -------
        ndarray
            Class labels: that of the leaf, of the first rule that the row meets, or of the trees'
            votes. With `abstain_cost` rows that are referred have `abstain_label_`.
        """
        return self._labels(self._table(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class for each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Class probabilities of the leaf, smoothed if `smoothing` says so; of the training rows
            that the rule which predicts covers; or of the trees' votes. Columns as `classes_`.
        """
        return self._probabilities(self._table(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probabilities; see :meth:`predict_proba`.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Natural logarithms; minus infinity for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


def tree_probabilities(
    tree: Tree, smoothing: str | float | None, table: _core.Table, n_classes: int | None = None
) -> NDArray[np.float64]:
    """Return the class probabilities that a tree gives rows.

    Parameters
    ----------
    tree : Tree
        The tree.
    smoothing : "laplace", float or None
        Towards equal probabilities, towards those of the root as if so many rows had them, or not.
    table : treewright._core.Table
        The rows.
    n_classes : int or None, default None
        How many of the tree's labels are classes, if not all.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Probabilities of the classes.
    """
    if smoothing is None:
        return tree.distribution(table)[:, :n_classes]
    of_node = _smoothed(tree.core.statistics[:, :n_classes], smoothing)
    if not tree.core.divides_rows:
        return of_node[tree.apply(table)]
    return np.asarray(tree.leaf_shares(table) @ of_node)


def _smoothed(statistics: NDArray[np.float64], smoothing: str | float) -> NDArray[np.float64]:
    """Return the smoothed class probabilities of every node."""
    totals = statistics.sum(axis=1, keepdims=True)
    n_classes = statistics.shape[1]
    if isinstance(smoothing, str):  # "laplace"
        expected, worth = np.full(n_classes, 1.0 / n_classes), float(n_classes)
    else:
        expected, worth = statistics[0] / totals[0], float(smoothing)
    smoothed: NDArray[np.float64] = (statistics + worth * expected) / (totals + worth)
    return smoothed
