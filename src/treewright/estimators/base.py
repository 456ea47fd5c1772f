"""What classifiers and regressors share: parameters, growth, and reading the fitted tree."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import is_classifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.estimators.drawing import Drawing
from treewright.estimators.growing import Grower, RowsOrAll
from treewright.estimators.options import GrowthParameters, at_most_int
from treewright.estimators.parameter_json import parameters_to_json
from treewright.exceptions import SchemaError, TimeLimitWarning, brief
from treewright.modelfile import ModelFile, write_model
from treewright.parameters import (
    Check,
    boolean,
    choice,
    fraction,
    integer,
    none,
    one_of,
)
from treewright.prune import (
    PRUNERS,
    Growth,
    Path,
    Pruner,
    TreeSequence,
    as_pruner,
    cost_complexity_path,
    hold_out,
    merge_siblings,
)
from treewright.schema import Schema
from treewright.splits import ColumnRanking, rank_columns_at
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["BaseTree"]


class BaseTree(GrowthParameters, Drawing):
    """Common part of the tree estimators; not used by itself."""

    _path: Path | TreeSequence | None

    _checks: ClassVar[dict[str, Check]] = {
        **GrowthParameters._checks,
        "prune": one_of(
            none(), choice(*PRUNERS), Check("a Pruner", lambda value: isinstance(value, Pruner))
        ),
        "merge_siblings": boolean(),
        "honest_fraction": one_of(none(), fraction()),
        "validation_fraction": one_of(none(), fraction()),
        "patience": integer(1),
    }

    prune: str | Pruner | None
    merge_siblings: bool
    honest_fraction: float | None
    validation_fraction: float | None
    patience: int

    # ------------------------------------------------------------------ growth

    def _check_parameters(self) -> None:
        super()._check_parameters()
        pruner = as_pruner(self.prune)
        if pruner is not None:
            pruner.check()
            if not pruner.for_numbers and not is_classifier(self):
                raise ValueError(
                    f"The 'prune' parameter of {type(self).__name__} must be a pruner for numbers, "
                    f"such as 'cost_complexity'. Got {brief(self.prune)}."
                )

    def _restore(self, tree: Tree) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        self.tree_, self.schema_, self._path = tree, tree.schema, None
        self._tell_columns()
        self._n_features_offered()  # refuses what fit would refuse

    def _set_schema(self, schema: Schema) -> None:
        """Take other words for the same columns and classes."""
        self.schema_, self.tree_ = schema, self.tree_.with_schema(schema)
        if self._path is not None:
            self._path = self._path.mapped(lambda tree: tree.with_schema(schema))

    def _options(self, n_rows: int, total_weight: float) -> _core.GrowOptions:
        options = super()._options(n_rows, total_weight)
        options.patience = at_most_int(self.patience)
        return options

    def _fit_tree(
        self,
        values: NDArray[np.float64],
        make_target: Callable[[RowsOrAll], _core.Target],
        options: _core.GrowOptions,
        strata: NDArray[Any],
        given_weights: NDArray[np.float64] | None,
    ) -> None:
        """Grow and prune the tree.

        ``make_target(rows)`` gives the target of some rows, or of all for None; `given_weights` are
        those of the user's rows, before any were left out.
        """
        random = check_random_state(self.random_state)
        options.seed = int(random.randint(0, 2**63 - 1, dtype=np.int64))
        pruner = as_pruner(self.prune)
        n_levels = self.schema_.n_levels
        grower = Grower(
            self.schema_,
            values,
            make_target,
            lambda: self._method(n_levels),
            options,
            strata if is_classifier(self) else None,
            self.validation_fraction,
            self.time_limit,
            self.progress,
            1 if pruner is None else pruner.n_growths(len(values)),
        )
        kept, n_given = None, len(values)
        if given_weights is not None and given_weights.size != 1:
            kept, n_given = np.flatnonzero(given_weights), given_weights.size
        growth = Growth(
            grow=grower.grow,
            data=lambda rows: (grower.table(rows), make_target(rows)),
            n_rows=len(values),
            strata=strata,
            random_state=None if self.random_state is None else random,
            measure=self.measure,
            readable=bool(self.readable),
            n_given=n_given,
            kept=kept,
        )
        answers: tuple[_core.Table, _core.Target] | None = None
        if self.honest_fraction is not None:
            rows, held_out = hold_out(self.honest_fraction, growth)
            answers, growth = growth.data(held_out), growth.part(rows)
        tree, path = (growth.grow(None), None) if pruner is None else pruner.prune(growth)
        if self.merge_siblings:
            tree = merge_siblings(tree)
        if answers is not None:
            by_median = self.measure == "absolute_error"
            tree = _refitted(tree, *answers, by_median=by_median)
            if path is not None:
                held_out_rows = answers
                path = path.mapped(lambda one: _refitted(one, *held_out_rows, by_median=by_median))
        self.tree_, self._path = tree, path
        self.stopped_by_time_limit_ = grower.out_of_time
        if grower.out_of_time:
            warnings.warn(
                f"Growth stopped at the time limit of {self.time_limit:g} s with "
                f"{plural(self.tree_.n_leaves, 'leaf')}; the tree is smaller than the data allow. "
                "Raise 'time_limit', or set 'max_depth' or 'max_leaves'.",
                TimeLimitWarning,
                stacklevel=4,
            )

    # ------------------------------------------------------------------ reading

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node each row ends in.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of int32
            Ids of leaves, or of the inner nodes where rows stopped for want of a value. Where a row
            is divided among branches (``missing="fraction"``), the leaf on the way of the largest
            shares.
        """
        table = self._table(X)
        return self.tree_.apply(table)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        table = self._table(X)
        return self.tree_.decision_path(table)

    def rules(self) -> list[str]:
        """Return the tree as rules, one line a leaf."""
        check_is_fitted(self)
        return self.tree_.rules()

    def rank_columns(self, node: int, X: Any, y: Any, sample_weight: Any = None) -> ColumnRanking:
        """Rank columns by how far they tell the rows apart that reach a node.

        Parameters
        ----------
        node : int
            Id of a node; the root is 0.
        X, y, sample_weight
            The rows, their classes or numbers, and their weights.

        Returns
        -------
        ColumnRanking
            Weight, F and p-value of every column, the best first; see
            :func:`treewright.rank_columns`.
        """
        table = self._table(X)
        return rank_columns_at(self.tree_, node, table, y, sample_weight)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the decrease of impurity; they sum to 1 unless all are 0."""
        check_is_fitted(self)
        return self.tree_.feature_importances()

    @property
    def path_(self) -> Path | TreeSequence:
        """The trees between the largest one and its root, the largest first.

        With a `prune` that chooses among trees (``"cost_complexity"``, ``"trim"``, ``"squeeze"``)
        those it chose from, with their risks on held-out rows; otherwise the nested trees of
        cost-complexity pruning, from the fitted tree on. Model files do not hold them, so those of
        a loaded model begin at its tree.
        """
        check_is_fitted(self)
        if self._path is None:
            self._path = cost_complexity_path(self.tree_)
        return self._path

    def at(self, *, leaves: int | None = None, alpha: float | None = None) -> Tree:
        """Give another tree of the path without fitting again.

        Parameters
        ----------
        leaves : int, optional
            The largest tree with at most so many leaves.
        alpha : float, optional
            The tree that is best when a leaf (or column, as the pruner has it) costs so much.

        Returns
        -------
        Tree
            The tree; ``estimator.with_tree(tree)`` makes a model of it.
        """
        return self.path_.at(leaves=leaves, alpha=alpha).tree

    def with_tree(self, tree: Tree) -> Self:
        """Return a copy of this model with another tree, for example one edited by hand.

        Parameters
        ----------
        tree : Tree
            A tree over the same columns and classes.

        Returns
        -------
        TreeClassifier or TreeRegressor
            A fitted model; this one stays as it is.

        Raises
        ------
        SchemaError
            If the tree is for other data.
        """
        check_is_fitted(self)
        if tree.schema != self.schema_:
            raise SchemaError("The tree is for other columns or classes than the model.")
        model = copy(self)
        model.tree_, model._path = tree, None
        return model

    def get_depth(self) -> int:
        """Return the depth of the tree; a tree that is one leaf has depth 0."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`treewright.load` reads.

        Parameters
        ----------
        path : str or path-like
            Where to write. The file appears whole or not at all.

        Notes
        -----
        The `progress` callback, the state of a random generator given as `random_state`, the code
        of a split method written in Python, folds other than their number, and the pruning path are
        not written.
        """
        check_is_fitted(self)
        parameters = parameters_to_json(self.get_params(deep=False))
        write_model(path, ModelFile(self.tree_, type(self).__name__, parameters))


def _refitted(tree: Tree, table: _core.Table, target: _core.Target, *, by_median: bool) -> Tree:
    """Return the tree with statistics and answers from other rows."""
    return Tree(_core.refit(tree.core, table, target, by_median), tree.schema)
