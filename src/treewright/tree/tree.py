"""Tree: the compiled tree together with the schema that names what it speaks of.

The compiled tree (flat arrays, see the core) knows columns, levels and classes by position. A Tree
never changes; `collapse` makes a new one. Nothing here calls itself, so trees may be as deep as
they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.jsonform import JSON
from treewright.base.tasks import task_name
from treewright.exceptions import brief
from treewright.schema import Schema
from treewright.tree import use
from treewright.tree.checks import check_columns, check_fit
from treewright.tree.editing import moved_threshold, with_answer
from treewright.tree.edits import (
    Edit,
    edits_from_json,
    edits_to_json,
    labels_from_json,
    labels_to_json,
)
from treewright.tree.nodes import predicate_at, surrogates_at
from treewright.tree.reading import ReadingTree
from treewright.tree.tree_json import core_from_json, core_to_json

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Tree"]


class Tree(ReadingTree):
    """A decision tree with names for everything it speaks of.

    Parameters
    ----------
    core : treewright._core.Tree
        The compiled tree.
    schema : Schema
        The columns it reads and the classes it predicts.
    labels : mapping of int to str or None, default None
        What readers call some of the nodes.
    edits : iterable of Edit, default ()
        What was changed after growth, the first change first.

    Raises
    ------
    SchemaError
        If tree and schema do not belong together.

    See Also
    --------
    treewright.tree.Node : One node as a value.

    Notes
    -----
    Methods that use the tree take the rows as ``X``: a data frame, a 2-D array, a list of dicts, or
    a treewright._core.Table. Where columns are found by name, those the tree does not read may be
    absent; `columns_read` has the others.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric", unit="years"),), ("no", "yes"), "buys")
    >>> tree = Tree.from_json({"task": "classification", "nodes": [
    ...     {"id": 0, "rows": 10, "statistics": [6, 4], "value": 0, "gain": 3.2,
    ...      "test": {"kind": "axis", "column": 0, "threshold": 42}, "children": [1, 2],
    ...      "missing": "default", "default_branch": 0},
    ...     {"id": 1, "rows": 7, "statistics": [6, 1], "value": 0},
    ...     {"id": 2, "rows": 3, "statistics": [0, 3], "value": 1}]}, schema)
    >>> print(tree)
    Classification tree for buys: 10 rows, 2 leaves, depth 1
    Reading effort 1.00 values per row, training accuracy 90.0 %
    <BLANKLINE>
                        buys  proportion  rows
    all rows                                10
    ├─ age <= 42 years  no          86 %     7
    └─ age > 42 years   yes        100 %     3
    >>> for rule in tree.rules():
    ...     print(rule)
    if age <= 42 years then no (86 %, 7 rows)
    if age > 42 years then yes (100 %, 3 rows)
    """

    # ------------------------------------------------------------------ using

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Find the node where each row ends: its leaf, or an inner node where it stops.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of int32
            Id of the node; for a row that goes down several branches, the leaf with the largest
            proportion of it.
        """
        return self._core.apply(self._table(X))

    def leaf_shares(self, X: Any) -> csr_matrix:
        """Find what proportion of each row ends in each leaf, or in an inner node where it stops.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        csr_matrix
            Rows times nodes; each row adds up to 1.
        """
        return use.leaf_shares(self._core, self._table(X))

    def decision_path(self, X: Any) -> csr_matrix:
        """Mark the nodes each row passes.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        csr_matrix
            Rows times nodes; 1 where the row passes the node.
        """
        return use.decision_path(self._core, self._table(X))

    def distribution(self, X: Any) -> NDArray[np.float64]:
        """Give the class probabilities of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of float64
            Rows times classes; each row adds up to 1.

        Raises
        ------
        TypeError
            If it is a regression tree.
        """
        if not self.is_classification:
            raise TypeError("A regression tree has no class probabilities; use predict.")
        return self._core.distribution(self._table(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class label or the number of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray
            The label of the row's leaf; for a row that goes down several branches, the class of
            least expected cost under its averaged class probabilities, the first of equal ones. Or
            the number.
        """
        return use.predict(self._core, self._schema, self._table(X))

    def collapse(self, nodes: Iterable[int]) -> Tree:
        """Make leaves of some nodes.

        Parameters
        ----------
        nodes : iterable of int
            Ids; everything below them goes. Leaves may be among them.

        Returns
        -------
        Tree
            A new tree whose `origin` gives the old id of each node; this one stays as it is.

        Raises
        ------
        IndexError
            If the tree has no such node.
        """
        ids = np.array(nodes if isinstance(nodes, np.ndarray) else list(nodes))
        if ids.size and (ids.dtype.kind not in "iu" or ids.min() < 0 or ids.max() >= self.n_nodes):
            for node in ids.tolist():
                self._check_node(node)
        mask = np.zeros(self.n_nodes, dtype=np.bool_)
        mask[ids.astype(np.intp)] = True
        return self.with_core(*self._core.collapse(mask))

    def with_core(self, core: _core.Tree, origin: NDArray[np.int32] | None = None) -> Tree:
        """Return what surgery made of this tree, with the names and the history of this one.

        Parameters
        ----------
        core : treewright._core.Tree
            The new compiled tree.
        origin : ndarray of int32 or None, default None
            For each of its nodes the id in this tree; None if the nodes are the same.

        Returns
        -------
        Tree
            A new tree.
        """
        labels = self._labels
        if origin is not None and labels:
            labels = {new: labels[old] for new, old in enumerate(origin.tolist()) if old in labels}
        tree = Tree(core, self._schema, labels=labels, edits=self._edits)
        tree._origin = origin
        return tree

    def with_schema(self, schema: Schema) -> Tree:
        """Return the same tree with other words for the same columns and classes.

        Parameters
        ----------
        schema : Schema
            Columns and classes in the same order, with other names.

        Returns
        -------
        Tree
            The tree with that schema.

        Raises
        ------
        SchemaError
            If the schema does not fit the tree.
        """
        return Tree(self._core, schema, labels=self._labels, edits=self._edits)

    # ------------------------------------------------------------------ editing

    def prune_at(self, node: int, *, note: str = "") -> Tree:
        """Make a leaf of a node by hand.

        Parameters
        ----------
        node : int
            Id of an inner node.
        note : str, default ""
            Why; it is kept in `edits` and in the model file.

        Returns
        -------
        Tree
            A new tree whose `origin` gives the old id of each node.

        Raises
        ------
        ValueError
            If the node is a leaf.
        IndexError
            If the tree has no such node.
        """
        self._check_node(node)
        if self._core.n_branches[node] == 0:
            raise ValueError(f"Node {node} is a leaf already.")
        tree = self.collapse([node])
        return tree._record(Edit("prune_at", int(node), self.n_leaves_below(node), 1, note))

    def with_threshold(self, node: int, value: Any, *, note: str = "") -> Tree:
        """Move the threshold of a split by hand.

        The statistics of the nodes stay those of the rows the tree was grown on, as they were
        divided before; `refit_leaves` counts rows again.

        Parameters
        ----------
        node : int
            Id of a node that splits by ``x <= t`` or a sum.
        value : float
            The new threshold; for a column of ordered levels the highest level of the first branch.
        note : str, default ""
            Why; it is kept in `edits` and in the model file.

        Returns
        -------
        Tree
            A new tree.

        Raises
        ------
        ValueError
            If the node has no threshold, or the value is not a finite number.
        IndexError
            If the tree has no such node.
        """
        self._check_node(node)
        core, before, after = moved_threshold(self._core, self._schema, int(node), value)
        edit = Edit("with_threshold", int(node), before, after, note)
        return self.with_core(core)._record(edit)

    def with_label(self, node: int, text: str, *, note: str = "") -> Tree:
        """Give a node a name, or another class.

        Parameters
        ----------
        node : int
            Id of a node.
        text : str
            If it is one of the classes, the node predicts this class from now on: a label that
            says one class on a leaf that predicts another would mislead. Any other text is a name
            for readers, shown beside the node; an empty one takes the name away.
        note : str, default ""
            Why; it is kept in `edits` and in the model file.

        Returns
        -------
        Tree
            A new tree.

        Raises
        ------
        IndexError
            If the tree has no such node.
        """
        self._check_node(node)
        classes = self._schema.classes or ()
        named = [code for code, label in enumerate(classes) if text == label or text == str(label)]
        if named:
            before = classes[int(self._core.value[node])]
            tree = self.with_core(with_answer(self._core, int(node), named[0]))
            return tree._record(Edit("with_label", int(node), before, classes[named[0]], note))
        if not isinstance(text, str):
            raise TypeError(f"The label of a node must be a text. Got {brief(text)}.")
        labels = {**self._labels, int(node): text}
        if not text:
            del labels[int(node)]
        edit = Edit("with_label", int(node), self._labels.get(int(node), ""), text, note)
        return self._named(labels)._record(edit)

    def refit_leaves(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        by_median: bool = False,
        note: str = "",
    ) -> Tree:
        """Count rows again: the same splits, with statistics and predictions from other rows.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.
        y : array-like or series
            Their classes, of those the tree knows, or numbers.
        sample_weight : array-like of float or None, default None
            Their weights.
        by_median : bool, default False
            Predict medians instead of means.
        note : str, default ""
            Why; it is kept in `edits` and in the model file.

        Returns
        -------
        Tree
            A new tree. A node that no row reaches has statistics of 0 and its parent's prediction.
        """
        table = self._table(X)
        target = use.target_of(y, self._schema, table.n_rows, sample_weight)
        core = _core.refit(self._core, table, target, by_median)
        edit = Edit("refit_leaves", None, float(self._core.rows[0]), float(table.n_rows), note)
        return self.with_core(core)._record(edit)

    # ------------------------------------------------------------------ carrying

    def validate(self) -> None:
        """Check every invariant of the tree and that the schema fits.

        Raises
        ------
        ValueError
            If one is broken; the message names it.
        """
        self._core.validate()
        check_fit(self._core, self._schema)
        for node in np.flatnonzero(self._arrays.n_branches).tolist():
            check_columns(predicate_at(self._core, node), self._schema, node)
            for surrogate in surrogates_at(self._core, node):
                check_columns(surrogate.predicate, self._schema, node)

    def to_json(self) -> JSON:
        """Write the tree, without its schema, as a JSON object.

        Returns
        -------
        dict
            Plain lists, texts and numbers; see the published JSON Schema of the model file.
        """
        content = core_to_json(self._core)
        if self._labels:
            content["labels"] = labels_to_json(self._labels)
        if self._edits:
            content["edits"] = edits_to_json(self._edits)
        return content

    @classmethod
    def from_json(cls, data: object, schema: Schema) -> Tree:
        """Read what `to_json` wrote, trusting nothing.

        Parameters
        ----------
        data : object
            Parsed JSON.
        schema : Schema
            The columns and classes of the tree.

        Returns
        -------
        Tree
            Equal to the one that was written.

        Raises
        ------
        ModelFileError
            If it is not a tree over this schema.
        """
        core = core_from_json(data, schema)
        assert isinstance(data, dict)
        labels = labels_from_json(data.get("labels", []), core.n_nodes)
        return cls(core, schema, labels=labels, edits=edits_from_json(data.get("edits", [])))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        task = task_name(is_classification=self.is_classification)
        return f"<Tree: {task}, {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"

    def _repr_html_(self) -> str:
        from treewright.plot import tree_html  # which stands on trees; only a notebook asks for it

        return tree_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            bool(self._core == other._core)
            and self._schema == other._schema
            and self._labels == other._labels
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self._core.state(), self._schema, self._origin, self._labels, self._edits)
        return _restore, parts

    @cached_property
    def _hash(self) -> int:
        # Numbers are left out: 0.0 and -0.0 are equal but differ in their bytes.
        state = self._core.state()
        parts = [state[name].tobytes() for name in ("kind", "first_child", "features")]
        return hash((*parts, self._schema))

    def _named(self, labels: Mapping[int, str]) -> Tree:
        return Tree(self._core, self._schema, labels=labels, edits=self._edits)

    def _record(self, edit: Edit) -> Tree:
        self._edits = (*self._edits, edit)
        return self

    def _table(self, X: Any) -> _core.Table:
        return use.table_of(X, self._schema, self.columns_read)


def _restore(
    state: dict[str, Any],
    schema: Schema,
    origin: NDArray[np.int32] | None,
    labels: dict[int, str],
    edits: tuple[Edit, ...],
) -> Tree:
    """Make a tree from its pickled parts."""
    tree = Tree(_core.Tree.from_state(state), schema, labels=labels, edits=edits)
    tree._origin = origin
    return tree
