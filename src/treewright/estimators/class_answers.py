"""What classifiers answer: classes, and probabilities that may be smoothed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, choice, none, number, one_of
from treewright.estimators.fitted import FittedTree
from treewright.estimators.reader import TableReader
from treewright.exceptions import UnsupportedError
from treewright.export import as_exporter

__all__ = ["ClassAnswers", "TreeAnswers"]


class ClassAnswers(TableReader):
    """Common part of all classifiers."""

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
            votes.
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
            Class shares of the leaf, smoothed if `smoothing` says so; of the training rows that the
            answering rule covers; or of the trees' votes. Columns as `classes_`.
        """
        return self._probabilities(self._table(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probabilities; see :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class TreeAnswers(ClassAnswers, FittedTree):
    """Common part of the classifiers with one tree."""

    _checks: ClassVar[dict[str, Check]] = {
        "smoothing": one_of(none(), choice("laplace", "m")),
        "smoothing_m": number(0, above=True),
    }

    smoothing: str | None
    smoothing_m: float

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        return self.tree_.predict(table)

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        if self.smoothing is None:
            return self.tree_.distribution(table)
        of_node = self._smoothed()
        if not self._divides_rows():
            return of_node[self.tree_.apply(table)]
        return np.asarray(self.tree_.leaf_shares(table) @ of_node)

    def export(self, target: str, **options: Any) -> str | bytes:
        """Write the tree in another language; see :meth:`TreeRegressor.export`."""
        exporter = as_exporter(target, **options)
        if self.smoothing is not None and exporter.predicts:
            raise UnsupportedError(
                f"Exported code has the class shares of the tree, but smoothing={self.smoothing!r} "
                "changes them; set smoothing=None, or call treewright.export.export_tree with the "
                "tree alone."
            )
        return super().export(target, **options)

    def _divides_rows(self) -> bool:
        return self.tree_.core.divides_rows

    def _smoothed(self) -> NDArray[np.float64]:
        """Return the smoothed class shares of every node.

        (W_c + m pi_c) / (W + m), with pi the root's shares; laplace: pi_c = 1 / K and m = K, which
        is (W_c + 1) / (W + K).
        """
        statistics = self.tree_.core.statistics
        totals = statistics.sum(axis=1, keepdims=True)
        n_classes = statistics.shape[1]
        if self.smoothing == "laplace":
            expected, worth = np.full(n_classes, 1.0 / n_classes), float(n_classes)
        else:
            expected, worth = statistics[0] / totals[0], self.smoothing_m
        smoothed: NDArray[np.float64] = (statistics + worth * expected) / (totals + worth)
        return smoothed
