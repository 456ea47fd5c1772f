"""Tree: the compiled tree together with the schema that names what it speaks of.

The compiled tree (flat arrays, see the core) knows columns, levels and classes by position. A Tree
never changes; `collapse` makes a new one. Nothing here calls itself, so trees may be as deep as
they like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.expressions import Expression, merge_conditions
from treewright.jsonform import JSON
from treewright.node import Node
from treewright.schema import Schema
from treewright.text import decimals_for, rule_text, tree_text
from treewright.tree import summaries, use
from treewright.tree.arrays import Arrays
from treewright.tree.checks import check_columns, check_fit
from treewright.tree.nodes import node_at, predicate_at, surrogates_at
from treewright.tree_json import core_from_json, core_to_json

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Tree"]

_Conditions: TypeAlias = tuple[Expression, ...]


class Tree:
    """A decision tree with names for everything it speaks of.

    Parameters
    ----------
    core : treewright._core.Tree
        The compiled tree.
    schema : Schema
        The columns it reads and the classes it predicts.

    Raises
    ------
    SchemaError
        If tree and schema do not belong together.

    Notes
    -----
    Methods that use the tree take the rows as ``X``: a data frame, a 2-D array, a list of dicts, or
    a treewright._core.Table.

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
    Reading effort 1.00 values a row, training accuracy 90.0 %
    <BLANKLINE>
                        buys  share  rows
    all rows                           10
    ├─ age <= 42 years  no     86 %     7
    └─ age > 42 years   yes   100 %     3
    >>> for rule in tree.rules():
    ...     print(rule)
    if age <= 42 years then no (86 %, 7 rows)
    if age > 42 years then yes (100 %, 3 rows)
    """

    def __init__(self, core: _core.Tree, schema: Schema) -> None:
        check_fit(core, schema)
        self._core = core
        self._schema = schema
        self._origin: NDArray[np.int32] | None = None

    # ------------------------------------------------------------------ looking

    @property
    def core(self) -> _core.Tree:
        """The compiled tree."""
        return self._core

    @property
    def schema(self) -> Schema:
        """The columns it reads and the classes it predicts."""
        return self._schema

    @property
    def is_classification(self) -> bool:
        """Whether it predicts classes; otherwise numbers."""
        return self._core.is_classification

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return self._core.n_nodes

    @property
    def n_outputs(self) -> int:
        """Number of statistics a node: one a class, or three for numbers."""
        return self._core.n_outputs

    @property
    def node_weights(self) -> NDArray[np.float64]:
        """Weight of the training rows of each node."""
        return self._arrays.weight

    @property
    def node_terms(self) -> NDArray[np.int64]:
        """Number of columns in the test of each node; 0 at leaves."""
        return self._n_terms

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self._arrays.is_leaf))

    @cached_property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return int(self._arrays.depth.max())

    @cached_property
    def reading_effort(self) -> float:
        """Expected number of values a reader looks at per training row."""
        return summaries.reading_effort(self._arrays, self._n_terms)

    @cached_property
    def complexity(self) -> int:
        """One plus the number of columns in all tests."""
        return 1 + int(self._n_terms.sum())

    @cached_property
    def path_complexity(self) -> float:
        """Sum over leaves of the mean number of columns in the tests on the way there."""
        return summaries.path_complexity(self._arrays, self._n_terms)

    @cached_property
    def training_score(self) -> float:
        """Accuracy on the (weighted) training rows, or the share of their variance explained.

        It is computed from the statistics of the nodes; NaN if they say nothing about it.
        """
        return summaries.training_score(self._arrays, self.is_classification)

    @property
    def origin(self) -> NDArray[np.int32]:
        """For each node, its id in the tree this one was cut from; else its own id."""
        if self._origin is None:
            return np.arange(self.n_nodes, dtype=np.int32)
        return self._origin.copy()

    def node(self, index: int) -> Node:
        """Give one node as a value.

        Parameters
        ----------
        index : int
            Id of the node; the root is 0.

        Returns
        -------
        Node
            Everything known of it.

        Raises
        ------
        IndexError
            If the tree has no such node.
        """
        if not 0 <= index < self.n_nodes:
            raise IndexError(
                f"The 'index' of a node must be an int in [0, {self.n_nodes - 1}]. Got {index}."
            )
        return node_at(self._core, self._arrays, self._schema, int(index))

    def walk(self) -> Iterator[Node]:
        """Give all nodes in reading order: a node, then everything below its first branch, ..."""
        pending = [0]
        while pending:
            node = self.node(pending.pop())
            yield node
            pending.extend(reversed(node.children))

    def leaves(self) -> Iterator[Node]:
        """Give all leaves in reading order."""
        return (node for node in self.walk() if node.is_leaf)

    def paths(self) -> Iterator[tuple[Node, _Conditions]]:
        """Give each leaf in reading order with the branches that lead to it, one a test."""
        return self._paths(lambda conditions, branch: (*conditions, branch))

    def rules(self) -> list[str]:
        """Say each leaf as one line.

        Conditions on the same column are merged: ``age > 18`` and ``age <= 55`` become
        ``18 < age <= 55``.

        Returns
        -------
        list of str
            One rule a leaf, in reading order.
        """
        root = self.node(0)
        decimals = 0
        if root.standard_deviation is not None:
            decimals = decimals_for(root.standard_deviation, root.value)
        # Merging at every node keeps what is carried along short on long paths.
        paths = self._paths(lambda conditions, branch: merge_conditions((*conditions, branch)))
        return [rule_text(conditions, leaf, decimals) for leaf, conditions in paths]

    def to_text(
        self,
        *,
        max_depth: int | None = None,
        width: int = 100,
        show_missing: bool = False,
        ascii_only: bool = False,
    ) -> str:
        """Write the tree as indented text; ``print(tree)`` shows it with the defaults.

        Parameters
        ----------
        max_depth : int, optional
            Cut deeper branches and say how many leaves are left out. Set it to read the top of a
            large tree.
        width : int, default 100
            Longest line to aim at; longer conditions and class names are continued on the next
            line.
        show_missing : bool, default False
            Say at each test what happens to a row whose value is missing.
        ascii_only : bool, default False
            Draw with ASCII characters; names stay as they are.

        Returns
        -------
        str
            Lines without trailing blanks or a final line feed.
        """
        return tree_text(
            self,
            max_depth=max_depth,
            width=width,
            show_missing=show_missing,
            ascii_only=ascii_only,
        )

    def n_leaves_below(self, index: int) -> int:
        """Count the leaves under a node; a leaf counts itself."""
        return int(self._leaf_counts[index])

    def feature_importances(self, *, normalized: bool = True) -> NDArray[np.float64]:
        """Sum the weighted impurity decrease of the tests on each column.

        Parameters
        ----------
        normalized : bool, default True
            Divide by the sum, so that they add up to 1; otherwise by the weight of the root. A test
            on several columns counts in equal parts for each.

        Returns
        -------
        ndarray of float64
            One number a column of the schema; all 0 if the tree has no test that decreases it.
        """
        return summaries.feature_importances(self._core, self._arrays, normalized=normalized)

    # ------------------------------------------------------------------ using

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Find the leaf of each row.

        Returns
        -------
        ndarray of int32
            Id of the leaf; for a row that goes down several branches, the one with the largest
            share.
        """
        return self._core.apply(self._table(X))

    def leaf_shares(self, X: Any) -> csr_matrix:
        """Find which share of each row ends in each leaf.

        Returns
        -------
        csr_matrix
            Rows times nodes; each row adds up to 1.
        """
        return use.leaf_shares(self._core, self._table(X))

    def decision_path(self, X: Any) -> csr_matrix:
        """Mark the nodes each row passes.

        Returns
        -------
        csr_matrix
            Rows times nodes; 1 where the row passes the node.
        """
        return use.decision_path(self._core, self._table(X))

    def distribution(self, X: Any) -> NDArray[np.float64]:
        """Give the class shares of each row.

        Returns
        -------
        ndarray of float64
            Rows times classes; each row adds up to 1.

        Raises
        ------
        TypeError
            If the tree predicts numbers.
        """
        if not self.is_classification:
            raise TypeError("A tree that predicts numbers has no class shares; use predict.")
        return self._core.distribution(self._table(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class label or the number of each row.

        Returns
        -------
        ndarray
            The label of the row's leaf; for a row that goes down several branches, the class of
            least expected cost under its mixed shares, the first of equal ones. Or the number.
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
        mask = np.zeros(self.n_nodes, dtype=np.bool_)
        for node in nodes:
            if not 0 <= node < self.n_nodes:
                raise IndexError(
                    f"The 'nodes' to collapse must be ints in [0, {self.n_nodes - 1}]. Got {node}."
                )
            mask[node] = True
        core, old_ids = self._core.collapse(mask)
        tree = Tree(core, self._schema)
        tree._origin = old_ids
        return tree

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

    # ------------------------------------------------------------------ carrying

    def to_json(self) -> JSON:
        """Write the tree, without its schema, as a JSON object.

        Returns
        -------
        dict
            Plain lists, texts and numbers; see the published JSON Schema of the model file.
        """
        return core_to_json(self._core)

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
        return cls(core_from_json(data, schema), schema)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        task = "classification" if self.is_classification else "regression"
        return f"<Tree: {task}, {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return bool(self._core == other._core) and self._schema == other._schema

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._core.state(), self._schema, self._origin)

    # ------------------------------------------------------------------ parts

    @cached_property
    def _hash(self) -> int:
        # Numbers are left out: 0.0 and -0.0 are equal but differ in their bytes.
        state = self._core.state()
        parts = [state[name].tobytes() for name in ("kind", "first_child", "features")]
        return hash((*parts, self._schema))

    @cached_property
    def _arrays(self) -> Arrays:
        return Arrays.of(self._core)

    @cached_property
    def _leaf_counts(self) -> NDArray[np.int64]:
        return summaries.count_leaves_below(self._arrays)

    @cached_property
    def _n_terms(self) -> NDArray[np.int64]:
        return summaries.count_terms(self._core)

    def _paths(
        self, join: Callable[[_Conditions, Expression], _Conditions]
    ) -> Iterator[tuple[Node, _Conditions]]:
        """Give each leaf with the branches that lead to it, joined from the root down."""
        pending: list[tuple[int, _Conditions]] = [(0, ())]
        while pending:
            index, conditions = pending.pop()
            node = self.node(index)
            if node.predicate is None:
                yield node, conditions
                continue
            branches = node.predicate.branches(self._schema)
            for child, branch in zip(reversed(node.children), reversed(branches), strict=True):
                pending.append((child, join(conditions, branch)))

    def _table(self, X: Any) -> _core.Table:
        return use.table_of(X, self._schema)


def _restore(state: dict[str, Any], schema: Schema, origin: NDArray[np.int32] | None) -> Tree:
    """Make a tree from its pickled parts."""
    tree = Tree(_core.Tree.from_state(state), schema)
    tree._origin = origin
    return tree
