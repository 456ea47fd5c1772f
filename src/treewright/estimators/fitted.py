"""What estimators with one tree have in common once fitted: reading, using and saving it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.estimators import drawing, reporting
from treewright.estimators.constraints import column_limits
from treewright.estimators.estimator import Estimator
from treewright.estimators.parameter_json import parameters_to_json
from treewright.estimators.tree_growth import GrownTree
from treewright.exceptions import SchemaError, TimeLimitWarning, UnsupportedError
from treewright.explain import Explanation, Scales, explain_row
from treewright.export import as_exporter, export_tree
from treewright.modelfile import ModelFile, write_model
from treewright.optimal import ActionLosses, Alternatives, Certificate, TunedSizes
from treewright.optimal.losses import LossGoal
from treewright.plot import tree_html
from treewright.prune import Path, TreeSequence, cost_complexity_path
from treewright.schema import Schema
from treewright.splits import ColumnRanking, rank_columns_at
from treewright.tree import Tree
from treewright.tree.branching import ShowMissing
from treewright.words import plural

__all__ = ["FittedTree"]


class FittedTree(Estimator):
    """All that estimators with one tree, grown or searched, can do with it."""

    _is_grown: ClassVar[bool] = True
    """Whether a fit is quick enough to be repeated on bootstrap samples."""

    smoothing: str | float | None = None  # classifiers have it as a parameter

    tree_: Tree
    stopped_by_time_limit_: bool
    certificate_: Certificate | None  # of optimal trees only, as is the next
    front_: TreeSequence
    tuning_: TunedSizes  # of those that cross-validation has chosen
    action_losses_: ActionLosses  # of those that decide by losses

    _path: Path | TreeSequence | None

    draw = drawing.draw
    plot = drawing.plot
    plot_split = drawing.plot_split
    plot_regions = drawing.plot_regions
    plot_path = drawing.plot_path
    report = reporting.report

    def _columns_read(self) -> tuple[int, ...]:
        return self.tree_.columns_read

    def _take(self, grown: GrownTree, time_limit: float | None = None) -> None:
        """Become fitted with a tree that was grown; `time_limit` if it was not the parameter."""
        self.tree_, self._path = grown.tree, grown.path
        self.stopped_by_time_limit_ = grown.out_of_time
        if grown.out_of_time:
            limit = self.get_params(deep=False)["time_limit"] if time_limit is None else time_limit
            warnings.warn(
                f"Growth stopped at the time limit of {limit:g} s with "
                f"{plural(self.tree_.n_leaves, 'leaf')}; the tree is smaller than the data allow. "
                "Give it more time, fewer rows, or a smaller depth or number of leaves.",
                TimeLimitWarning,
                stacklevel=4,
            )

    def _take_loaded(self, tree: Tree) -> None:
        """Become fitted with a tree from a file."""
        self.tree_, self._path = tree, None
        self._take_schema(tree.schema)

    def _take_losses(
        self,
        goal: LossGoal,
        matrix: NDArray[np.float64],
        table: _core.Table,
        weights: NDArray[np.float64],
    ) -> None:
        """Keep what the decisions of the tree lose, and its path by what they lose."""
        risks = goal.node_losses(self.tree_.core, table)
        self._set_path(cost_complexity_path(self.tree_, risk=risks))
        self.action_losses_ = ActionLosses.of(self.tree_, table, matrix, weights)

    def _set_schema(self, schema: Schema) -> None:
        """Take other words for the same columns and classes."""
        self.schema_, self.tree_ = schema, self.tree_.with_schema(schema)
        if self._path is not None:
            self._set_path(self._path.mapped(lambda tree: tree.with_schema(schema)))

    def _set_path(self, path: Path | TreeSequence | None) -> None:
        """Keep the path; that of an optimal tree is its Pareto front, if it has one."""
        self._path = path
        if hasattr(self, "front_"):
            del self.front_
        if not self._is_grown and isinstance(path, TreeSequence):
            self.front_ = path

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
            is divided among branches (``missing="fraction"``), the leaf that gets the largest part
            of it.
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

    def rules(self, *, show_missing: ShowMissing = None) -> list[str]:
        """Return the tree as rules, one line per leaf.

        Parameters
        ----------
        show_missing : bool, collection of str or None, default None
            Say what becomes of missing values: of all columns, of none, of those named, or (None)
            of those that had missing values in training.

        Returns
        -------
        list of str
            As `Tree.rules` gives them.
        """
        check_is_fitted(self)
        return self.tree_.rules(show_missing=show_missing)

    def explain(
        self,
        row: Any,
        *,
        scales: Scales | None = None,
        fixed: Iterable[str] = (),
        alternatives: Alternatives | None = None,
    ) -> Explanation:
        """Explain the prediction for one row.

        Parameters
        ----------
        row : mapping, series, list, 1-D array, or table with one row
            The row. Columns that a mapping or a series does not name are missing.
        scales : Scales, optional
            What counts as a small change in each column.
        fixed : iterable of str, default ()
            Columns that cannot change.
        alternatives : Alternatives or None, default None
            What `alternatives` of an optimal tree found: how many of the trees in its list predict
            the same for the row is then told. Give it to see whether a prediction depends on which
            of several equally good trees was taken.

        Returns
        -------
        Explanation
            The decision path, how close each split was, and the smallest change that gives another
            prediction; see :func:`treewright.explain.explain_row`.
        """
        check_is_fitted(self)
        trees = () if alternatives is None else (one.tree for one in alternatives.trees)
        others = (tree.with_schema(self.schema_) for tree in trees if tree != self.tree_)
        return explain_row(self.tree_, row, scales=scales, fixed=fixed, others=others)

    def rank_columns(self, node: int, X: Any, y: Any, sample_weight: Any = None) -> ColumnRanking:
        """Rank columns by how well they separate the rows that reach a node.

        Parameters
        ----------
        node : int
            Id of a node; the root is 0.
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.
        y : array-like or series
            Their classes or numbers.
        sample_weight : array-like of float or None, default None
            Their weights; None gives every row weight 1.

        Returns
        -------
        ColumnRanking
            Weight, F and p-value of every column, the best first; see
            :func:`treewright.splits.rank_columns`.
        """
        table = self._table(X, whole=True)
        return rank_columns_at(self.tree_, node, table, y, sample_weight)

    @property
    def reading_cost_(self) -> float:
        """Mean price that a training row pays for the columns on its path, by `column_costs`.

        Every column is paid once along a path; 0 without `constraints`.
        """
        check_is_fitted(self)
        given = getattr(self, "constraints", None)
        limits = column_limits(type(self).__name__, given, self.schema_)
        return limits.price_of(self.tree_)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Contribution of each column to the impurity decrease; they sum to 1 unless all are 0."""
        check_is_fitted(self)
        return self.tree_.feature_importances()

    @property
    def path_(self) -> Path | TreeSequence:
        """The trees between the largest one and its root, the largest first.

        With a `prune` that chooses among trees (``"cost_complexity"``, ``"trim"``, ``"squeeze"``)
        those it chose from, with their risks on held-out rows; otherwise the nested trees of
        cost-complexity pruning, from the fitted tree on. Model files hold the Pareto front of an
        optimal tree but no other path, so that of a loaded model begins at its tree.
        """
        check_is_fitted(self)
        if self._path is None:
            self._path = cost_complexity_path(self.tree_, risk=self._path_risks())
        return self._path

    def _path_risks(self) -> NDArray[np.float64] | None:
        """Give what each node would lose as a leaf; None where that is errors or squared errors."""
        return None

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
        FittedTree
            A fitted model of the same class; this one stays as it is. That of an optimal tree has
            no certificate and no Pareto front, unless the tree is the one that was certified.

        Raises
        ------
        SchemaError
            If the tree is for other data.
        """
        check_is_fitted(self)
        if tree.schema != self.schema_:
            raise SchemaError("The tree is for other columns or classes than the model.")
        model = copy(self)
        model.tree_ = tree
        if self._is_grown or tree != self.tree_:
            model._set_path(None)
            for name in ("tuning_", "action_losses_"):
                model.__dict__.pop(name, None)
            if hasattr(model, "certificate_"):
                model.certificate_ = None
        return model

    def get_depth(self) -> int:
        """Return the depth of the tree; a tree that is one leaf has depth 0."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def export(self, target: str, **options: Any) -> str | bytes:
        """Write the tree in another language, such as SQL, Python or C.

        Parameters
        ----------
        target : str
            The language, one of :func:`treewright.export.targets`.
        **options
            What the language is told; see its class in :mod:`treewright.export`.

        Returns
        -------
        str or bytes
            The whole content of a file; code predicts as this model does.

        Raises
        ------
        UnsupportedError
            If the language cannot say what the model does.
        """
        check_is_fitted(self)
        if self.smoothing is not None and as_exporter(target, **options).predicts:
            raise UnsupportedError(
                "Exported code has the class proportions of the tree, but "
                f"smoothing={self.smoothing!r} changes them; set smoothing=None, or call "
                "treewright.export.export_tree with the tree alone."
            )
        return export_tree(self.tree_, target, **options)

    def summary(self) -> str:
        """Return the tree as text, what was proved of an optimal one, and what actions lose."""
        check_is_fitted(self)
        parts = [self.tree_.to_text()]
        certificate = getattr(self, "certificate_", None)
        if certificate is not None:
            parts += ["", str(certificate)]
        if certificate is not None and hasattr(self, "tuning_"):
            parts.append(self.tuning_.claim)
        if hasattr(self, "action_losses_"):
            parts += ["", str(self.action_losses_)]
        return "\n".join(parts)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Show the drawing below scikit-learn's own picture of the parameters."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle and hasattr(self, "tree_"):
            bundle["text/html"] += tree_html(self.tree_)
        return bundle

    @property
    def _repr_html_(self) -> Callable[[], str]:
        inherited: Callable[[], str] = super()._repr_html_  # may say that there is none
        return lambda: inherited() + (tree_html(self.tree_) if hasattr(self, "tree_") else "")

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
        write_model(path, self._model_file())

    def _model_file(self) -> ModelFile:
        parameters = parameters_to_json(self.get_params(deep=False))
        model = ModelFile(self.tree_, type(self).__name__, parameters)
        if self._is_grown:
            return model
        certificate = None if self.certificate_ is None else self.certificate_.to_json()
        front = [entry.tree for entry in reversed(getattr(self, "front_", ()))]
        return model.with_search(certificate, front)
