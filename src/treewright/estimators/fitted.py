"""What estimators with one tree share once they are fitted: reading, using and saving it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from treewright.estimators.drawing import Drawing
from treewright.estimators.parameter_json import parameters_to_json
from treewright.exceptions import SchemaError
from treewright.explain import Explanation, Scales, explain_row
from treewright.export import export_tree
from treewright.modelfile import ModelFile, write_model
from treewright.prune import Path, TreeSequence, cost_complexity_path
from treewright.schema import Schema
from treewright.splits import ColumnRanking, rank_columns_at
from treewright.tree import Tree
from treewright.tree.branching import ShowMissing

__all__ = ["FittedTree"]


class FittedTree(Drawing):
    """Common part of the estimators that have one tree, grown or searched."""

    _path: Path | TreeSequence | None

    def _columns_read(self) -> tuple[int, ...]:
        return self.tree_.columns_read

    def _set_schema(self, schema: Schema) -> None:
        """Take other words for the same columns and classes."""
        self.schema_, self.tree_ = schema, self.tree_.with_schema(schema)
        if self._path is not None:
            self._path = self._path.mapped(lambda tree: tree.with_schema(schema))

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

    def rules(self, *, show_missing: ShowMissing = None) -> list[str]:
        """Return the tree as rules, one line a leaf.

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
        self, row: Any, *, scales: Scales | None = None, fixed: Iterable[str] = ()
    ) -> Explanation:
        """Explain the answer to one row.

        Parameters
        ----------
        row : mapping, series, list, 1-D array, or table with one row
            The row. Columns that a mapping or a series does not name are missing.
        scales : Scales, optional
            What counts as a small change in each column.
        fixed : iterable of str, default ()
            Columns that cannot change.

        Returns
        -------
        Explanation
            The way down, how close each test was, and the smallest change that gives another
            answer; see :func:`treewright.explain.explain_row`.
        """
        check_is_fitted(self)
        return explain_row(self.tree_, row, scales=scales, fixed=fixed)

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
        table = self._table(X, whole=True)
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
        cost-complexity pruning, from the fitted tree on. Model files hold the front of an optimal
        tree but no other path, so that of a loaded model begins at its tree.
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
        return export_tree(self.tree_, target, **options)

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any,
        y: Any,
        *,
        test: bool = False,
        title: str | None = None,
        with_rows: bool = True,
    ) -> None:
        """Write one HTML page about the tree, which needs no network and no server.

        Parameters
        ----------
        path : str or path-like
            Where to write. The file appears whole or not at all.
        X, y
            Rows, and their classes or numbers: those it was fitted on, or others. They are drawn
            at the questions of the tree, and the first question of a grown tree is grown anew on
            resamples of them, to see whether it would be another.
        test : bool, default False
            Whether the tree has not seen these rows. Only then do they judge it: score, mistakes,
            calibration. They must have taken no part in any choice.
        title : str or None, default None
            Heading of the page; by default the target's name.
        with_rows : bool, default True
            Whether values of single rows may stand in the page, as numbers or in pictures.

        Raises
        ------
        DataError
            If the rows do not fit the tree.
        WriteError
            If the file cannot be written.

        See Also
        --------
        save : The model itself, to be used again.

        Examples
        --------
        >>> import os, tempfile
        >>> from treewright import TreeClassifier
        >>> income, repaid = [[20], [35], [50], [28], [61], [45]], list("nyynyy")
        >>> model = TreeClassifier().fit(income, repaid)
        >>> page = os.path.join(tempfile.mkdtemp(), "page.html")
        >>> model.report(page, [[22], [80]], ["n", "y"], test=True)
        >>> os.path.getsize(page) > 10_000
        True
        """
        from treewright.evaluation import JudgedRows, root_stability, tree_content
        from treewright.page import write_page

        check_is_fitted(self)
        tree = self.tree_
        costs = tree.core.cost.reshape(tree.n_outputs, -1) if len(tree.core.cost) else None
        rows = JudgedRows.read(X, y, tree.schema, costs=costs)
        grow = self._first_question(X, y, rows.truth)
        content = tree_content(
            tree,
            self.path_,
            rows,
            title=title or tree.schema.target or type(self).__name__,
            are_test_rows=test,
            with_rows=with_rows,
            stability=() if grow is None else root_stability(grow, rows.n_rows, seed=0),
        )
        write_page(content, path)

    def _first_question(
        self, X: Any, y: Any, truth: NDArray[Any]
    ) -> Callable[[NDArray[np.intp]], Tree] | None:
        """Return what grows the first question on some of the rows; None where that takes long."""
        return None

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
        return ModelFile(self.tree_, type(self).__name__, parameters)
