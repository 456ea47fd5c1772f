"""The tree: what every learner makes and every reader takes.

A Tree is the compiled tree (flat arrays, see the core) together with the schema that gives columns,
levels and classes their names. It never changes; `collapse` makes a new one. Nothing here calls
itself, so trees may be as deep as they like.

Two numbers beside leaves and depth say what a tree costs its reader. With c(t) the number of
columns in the test of inner node t:

    reading effort   sum over inner nodes t of c(t) * weight(t) / weight(root)
    complexity       1 + sum over inner nodes t of c(t)

Reading effort is the expected number of values looked at per row. Complexity equals the number of
leaves for trees with two-way tests on one column. `path_complexity` is the form of the thesis on
oblique trees by logistic regression: the mean of c(t) on the way to each leaf, summed over leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.exceptions import SchemaError, brief
from treewright.expressions import Expression, merge_conditions
from treewright.jsonform import JSON
from treewright.node import MISSING_POLICIES, Node, Surrogate
from treewright.predicates import Axis, Multiway, Pair, Predicate, Subset, decode
from treewright.schema import Schema
from treewright.text import decimals_for, rule_text, tree_text
from treewright.tree_json import core_from_json, core_to_json

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Node", "Surrogate", "Tree"]

_ONE_COLUMN_KINDS = (0, 2, 3)  # axis, subset, multiway
_PAIR_KIND = 4
_FRACTION = MISSING_POLICIES.index("fraction")


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The arrays of the core, one entry a node, fetched once."""

    first_child: NDArray[np.int32]
    n_branches: NDArray[np.int32]
    parent: NDArray[np.int32]
    depth: NDArray[np.int32]
    rows: NDArray[np.float64]
    statistics: NDArray[np.float64]
    weight: NDArray[np.float64]
    value: NDArray[np.float64]
    gain: NDArray[np.float64]
    missing: NDArray[np.int8]
    default_branch: NDArray[np.int32]


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
        _check_fit(core, schema)
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

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self._arrays.n_branches == 0))

    @cached_property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return int(self._arrays.depth.max())

    @cached_property
    def reading_effort(self) -> float:
        """Expected number of values a reader looks at per training row."""
        weight = self._arrays.weight
        if weight[0] <= 0.0:
            return 0.0
        # No node outweighs the root, unless a file says so.
        shares = np.minimum(weight, weight[0]) / weight[0]
        return float(np.sum(self._n_terms * shares))

    @cached_property
    def complexity(self) -> int:
        """One plus the number of columns in all tests."""
        return 1 + int(self._n_terms.sum())

    @cached_property
    def path_complexity(self) -> float:
        """Sum over leaves of the mean number of columns in the tests on the way there."""
        if self.n_nodes == 1:
            return 1.0
        terms = np.zeros(self.n_nodes)
        for node in range(self.n_nodes):  # parents stand before their children
            first, count = self._arrays.first_child[node], self._arrays.n_branches[node]
            terms[first : first + count] = terms[node] + self._n_terms[node]
        is_leaf = self._arrays.n_branches == 0
        return float(np.sum(terms[is_leaf] / self._arrays.depth[is_leaf]))

    @cached_property
    def training_score(self) -> float:
        """Accuracy on the (weighted) training rows, or the share of their variance explained.

        It is computed from the statistics of the nodes; NaN if they say nothing about it.
        """
        statistics, is_leaf = self._arrays.statistics, self._arrays.n_branches == 0
        if self.is_classification:
            classes = self._arrays.value[is_leaf].astype(np.intp)
            right, total = statistics[is_leaf, classes].sum(), self._arrays.weight[0]
            return float(right) / float(total) if total > 0.0 else np.nan
        rest, total = statistics[is_leaf, 2].sum(), statistics[0, 2]
        return 1.0 - float(rest) / float(total) if total > 0.0 else np.nan

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
        index, arrays = int(index), self._arrays
        parent = int(arrays.parent[index])
        first, count = int(arrays.first_child[index]), int(arrays.n_branches[index])
        test = self._core.test(index)
        value, weight = float(arrays.value[index]), float(arrays.weight[index])
        statistics = tuple(arrays.statistics[index].tolist())
        label: str | int | float | bool = value
        share = None
        if self._schema.classes is not None:
            label = self._schema.classes[int(value)]
            share = statistics[int(value)] / weight if weight > 0.0 else np.nan
        return Node(
            id=index,
            parent=None if parent < 0 else parent,
            branch=None if parent < 0 else index - int(arrays.first_child[parent]),
            depth=int(arrays.depth[index]),
            predicate=None if test is None else decode(test),
            children=tuple(range(first, first + count)) if count else (),
            rows=float(arrays.rows[index]),
            weight=weight,
            statistics=statistics,
            value=value,
            label=label,
            share=share,
            gain=float(arrays.gain[index]),
            missing=MISSING_POLICIES[arrays.missing[index]],
            default_branch=int(arrays.default_branch[index]) if count else None,
            surrogates=self._surrogates(index) if count else (),
        )

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

    def paths(self) -> Iterator[tuple[Node, tuple[Expression, ...]]]:
        """Give each leaf in reading order with the branches that lead to it, one a test."""
        pending: list[tuple[int, tuple[Expression, ...]]] = [(0, ())]
        while pending:
            index, conditions = pending.pop()
            node = self.node(index)
            if node.predicate is None:
                yield node, conditions
                continue
            branches = node.predicate.branches(self._schema)
            for child, branch in zip(reversed(node.children), reversed(branches), strict=True):
                pending.append((child, (*conditions, branch)))

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
        rules = []
        pending: list[tuple[int, tuple[Expression, ...]]] = [(0, ())]
        while pending:
            index, conditions = pending.pop()
            node = self.node(index)
            if node.predicate is None:
                rules.append(rule_text(conditions, node, decimals))
                continue
            # Merging at every node keeps what is carried along short on long paths.
            branches = node.predicate.branches(self._schema)
            for child, branch in zip(reversed(node.children), reversed(branches), strict=True):
                pending.append((child, merge_conditions((*conditions, branch))))
        return rules

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
            Cut deeper branches and say how many leaves are left out.
        width : int, default 100
            Longest line to aim at.
        show_missing : bool, default False
            Say at each test what happens to a row whose value is missing.
        ascii_only : bool, default False
            Draw with ASCII characters.

        Returns
        -------
        str
            The text.
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
        importances = np.zeros(len(self._schema.columns))
        state = self._core.state()
        kinds, ends, features = state["kind"], state["feature_end"], state["features"]
        simple = np.flatnonzero(np.isin(kinds, _ONE_COLUMN_KINDS))
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        np.add.at(importances, features[starts[simple]], self._arrays.gain[simple])
        for node in np.flatnonzero((kinds >= 0) & ~np.isin(kinds, _ONE_COLUMN_KINDS)).tolist():
            columns = list(self._predicate(node).columns)
            importances[columns] += self._arrays.gain[node] / len(columns)
        total = importances.sum() if normalized else self._arrays.weight[0]
        if total <= 0.0:
            return np.zeros_like(importances)
        with np.errstate(over="ignore"):
            importances /= total
        return importances

    # ------------------------------------------------------------------ using

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Find the leaf of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows.

        Returns
        -------
        ndarray of int32
            Id of the leaf; for a row that goes down several branches, the one with the largest
            share.
        """
        return self._core.apply(self._table(X))

    def leaf_shares(self, X: Any) -> csr_matrix:
        """Find which share of each row ends in each leaf.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows.

        Returns
        -------
        csr_matrix
            Rows times nodes; each row adds up to 1.
        """
        from scipy.sparse import csr_matrix

        table = self._table(X)
        starts, leaves, shares = self._core.leaf_shares(table)
        return csr_matrix((shares, leaves, starts), shape=(table.n_rows, self.n_nodes))

    def decision_path(self, X: Any) -> csr_matrix:
        """Mark the nodes each row passes.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows.

        Returns
        -------
        csr_matrix
            Rows times nodes; 1 where the row passes the node.
        """
        from scipy.sparse import csr_matrix

        table = self._table(X)
        starts, nodes = self._core.decision_paths(table)
        ones = np.ones(len(nodes), dtype=np.int64)
        path = csr_matrix((ones, nodes, starts), shape=(table.n_rows, self.n_nodes))
        path.sort_indices()
        return path

    def distribution(self, X: Any) -> NDArray[np.float64]:
        """Give the class shares of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows.

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

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows.

        Returns
        -------
        ndarray
            The label of the row's leaf; for a row that goes down several branches, the class with
            the largest share, the first of equal ones. Or the number.
        """
        table = self._table(X)
        if self._schema.classes is None:
            return self._core.predict_values(table)
        codes = self._arrays.value[self._core.apply(table)].astype(np.intp)
        if np.any(self._arrays.missing == _FRACTION):
            starts, _, _ = self._core.leaf_shares(table)
            divided = np.diff(starts) > 1
            if np.any(divided):
                shares = self._core.distribution(table)[divided]
                codes[divided] = np.argmax(shares, axis=1)
        return _label_array(self._schema.classes)[codes]

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
        _check_fit(self._core, self._schema)
        for node in np.flatnonzero(self._arrays.n_branches).tolist():
            predicate = self._predicate(node)
            _check_columns(predicate, self._schema, node)
            for surrogate in self._surrogates(node):
                _check_columns(surrogate.predicate, self._schema, node)

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

    # ------------------------------------------------------------------ arrays of the core

    @cached_property
    def _hash(self) -> int:
        # Numbers are left out: 0.0 and -0.0 are equal but differ in their bytes.
        state = self._core.state()
        parts = [state[name].tobytes() for name in ("kind", "first_child", "features")]
        return hash((*parts, self._schema))

    @cached_property
    def _arrays(self) -> _Arrays:
        core = self._core
        statistics = core.statistics
        return _Arrays(
            first_child=core.first_child,
            n_branches=core.n_branches,
            parent=core.parent,
            depth=core.depth,
            rows=core.rows,
            statistics=statistics,
            weight=statistics.sum(axis=1) if core.is_classification else statistics[:, 0],
            value=core.value,
            gain=core.gain,
            missing=core.missing,
            default_branch=core.default_branch,
        )

    @cached_property
    def _leaf_counts(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = (self._arrays.n_branches == 0).astype(np.int64)
        for node in range(self.n_nodes - 1, 0, -1):  # children stand behind their parents
            counts[self._arrays.parent[node]] += counts[node]
        return counts

    @cached_property
    def _n_terms(self) -> NDArray[np.int64]:
        """Number of columns in the test of each node; 0 at leaves."""
        state = self._core.state()
        kinds, ends = state["kind"], state["feature_end"]
        terms: NDArray[np.int64] = np.diff(ends, prepend=0)  # right for linear and machine tests
        terms[kinds < 0] = 0
        terms[np.isin(kinds, _ONE_COLUMN_KINDS)] = 1
        for node in np.flatnonzero(kinds == _PAIR_KIND).tolist():
            terms[node] = self._predicate(node).n_terms
        return terms

    def _predicate(self, index: int) -> Predicate:
        test = self._core.test(index)
        assert test is not None, "a leaf has no test"
        return decode(test)

    def _surrogates(self, index: int) -> tuple[Surrogate, ...]:
        surrogates = []
        for test, swapped, agreement, adjusted in self._core.surrogates(index):
            predicate = decode(test)
            assert isinstance(predicate, Axis | Subset), "the core checks the kind of surrogates"
            surrogates.append(Surrogate(predicate, bool(swapped), agreement, adjusted))
        return tuple(surrogates)

    def _table(self, X: Any) -> _core.Table:
        if isinstance(X, _core.Table):
            return X
        return _core.Table(self._schema.encode(X), self._schema.n_levels)


def _restore(state: dict[str, Any], schema: Schema, origin: NDArray[np.int32] | None) -> Tree:
    """Make a tree from its pickled parts."""
    tree = Tree(_core.Tree.from_state(state), schema)
    tree._origin = origin
    return tree


def _check_fit(core: _core.Tree, schema: Schema) -> None:
    """Raise unless tree and schema speak of the same columns and classes."""
    if not np.array_equal(core.n_levels, schema.n_levels):
        raise SchemaError("The columns of the schema are not those the tree was made for.")
    if core.is_classification != (schema.classes is not None):
        raise SchemaError("A tree has classes in its schema exactly when it predicts classes.")
    if schema.classes is not None and len(schema.classes) != core.n_outputs:
        raise SchemaError(
            f"The schema has {len(schema.classes)} classes, but the tree has {core.n_outputs}."
        )


def _check_columns(predicate: Predicate, schema: Schema, node: int) -> None:
    """Raise if a test compares the levels of a categorical column as numbers."""
    parts = (predicate.first, predicate.second) if isinstance(predicate, Pair) else (predicate,)
    for part in parts:
        if isinstance(part, Subset | Multiway):
            continue
        for column in part.columns:
            if schema.columns[column].kind not in ("numeric", "ordinal"):
                raise SchemaError(
                    f"Node {node}: a comparison needs a numeric or ordinal column, and column "
                    f"{brief(schema.columns[column].name)} is {schema.columns[column].kind}."
                )


def _label_array(classes: tuple[Any, ...]) -> NDArray[Any]:
    """Make an array of class labels; labels of different types stay what they are."""
    if len({type(label) for label in classes}) > 1:
        labels = np.empty(len(classes), dtype=object)
        labels[:] = classes
        return labels
    return np.array(classes)
