"""Reading a tree: its sizes, its nodes, its words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import integer
from treewright.exceptions import brief
from treewright.expressions import Expression, merge_conditions
from treewright.schema import Schema
from treewright.tree import summaries
from treewright.tree.arrays import Arrays
from treewright.tree.branching import ShowMissing, branch_conditions, said, stop_condition
from treewright.tree.checks import check_fit
from treewright.tree.edits import Edit
from treewright.tree.leaf_rules import LeafRule, RuleOrder, ordered_rules
from treewright.tree.node import Node
from treewright.tree.nodes import node_at
from treewright.tree.tree_text import decimals_for, rule_text, tree_text

__all__ = ["ReadingTree"]

_Conditions: TypeAlias = tuple[Expression, ...]
_AN_ID = integer(0)
_MOST_NODES_KEPT = 4096  # as values, which take more memory than the tree


class ReadingTree:
    """What can be read of a tree; `Tree` adds using and changing it."""

    def __init__(
        self,
        core: _core.Tree,
        schema: Schema,
        *,
        labels: Mapping[int, str] | None = None,
        edits: Iterable[Edit] = (),
    ) -> None:
        check_fit(core, schema)
        self._core = core
        self._schema = schema
        self._labels = dict(labels or {})
        self._edits = tuple(edits)
        self._origin: NDArray[np.int32] | None = None
        self._nodes: dict[int, Node] = {}  # given before; a finished tree never changes

    @property
    def core(self) -> _core.Tree:
        """The compiled tree."""
        return self._core

    @property
    def schema(self) -> Schema:
        """The columns it reads and the classes it predicts."""
        return self._schema

    @property
    def labels(self) -> dict[int, str]:
        """What readers call some of the nodes, by id; see `with_label`."""
        return dict(self._labels)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was changed after growth, by hand or by `refit_leaves`, the first change first."""
        return self._edits

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
        """Number of statistics per node: one per class, or three in regression."""
        return self._core.n_outputs

    @property
    def node_weights(self) -> NDArray[np.float64]:
        """Weight of the training rows of each node."""
        return self._arrays.weight

    @property
    def node_terms(self) -> NDArray[np.int64]:
        """Number of columns in the split of each node; 0 at leaves."""
        return self._n_terms

    @cached_property
    def columns_read(self) -> tuple[int, ...]:
        """Positions of the columns that splits or surrogates read, in rising order.

        Rows must have these columns only, where columns are found by name.
        """
        return summaries.columns_read(self._core)

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self._arrays.is_leaf))

    @cached_property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        return int(self._arrays.depth.max())

    @cached_property
    def reading_effort(self) -> float:
        """Expected number of values a reader looks at per training row."""
        return summaries.reading_effort(self._arrays, self._n_terms)

    @cached_property
    def complexity(self) -> int:
        """One plus the number of columns in all splits."""
        return 1 + int(self._n_terms.sum())

    @cached_property
    def path_complexity(self) -> float:
        """Sum over leaves of the mean number of columns in the splits on the path there."""
        return summaries.path_complexity(self._arrays, self._n_terms)

    @cached_property
    def training_score(self) -> float:
        """Accuracy on the (weighted) training rows, or the proportion of their variance explained.

        It is computed from the statistics of the nodes; NaN if they say nothing about it.
        """
        return summaries.training_score(self._arrays, self.is_classification)

    @cached_property
    def undecided_share(self) -> float:
        """Proportion of the training rows in leaves that predict no class, but refer to a person.

        Estimators with `abstain_cost` have such leaves.
        """
        classes = self.schema.classes
        return 0.0 if classes is None else summaries.undecided_share(self._arrays, classes)

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
        known = self._nodes.get(index) if type(index) is int else None
        if known is not None:
            return known
        self._check_node(index)
        index = int(index)
        name = self._labels.get(index, "")
        node = node_at(self._core, self._arrays, self._schema, index, name)
        if len(self._nodes) < _MOST_NODES_KEPT:
            self._nodes[index] = node
        return node

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
        """Give each leaf in reading order with the branches that lead to it, one per split.

        They say where a split sends the rows it knows; `leaf_rules` says where all rows end.
        """
        pending: list[tuple[Node, _Conditions]] = [(self.node(0), ())]
        while pending:
            node, path = pending.pop()
            if node.predicate is None:
                yield node, path
                continue
            branches = node.predicate.branches(self._schema)
            for child, branch in zip(reversed(node.children), reversed(branches), strict=True):
                pending.append((self.node(child), (*path, branch)))

    def rules(self, *, show_missing: ShowMissing = None) -> list[str]:
        """Say each leaf as one line.

        Conditions on the same column are merged: ``age > 18`` and ``age <= 55`` become
        ``18 < age <= 55``. Where the tree may stop at a split for want of a value, that is a rule
        too. A row that is divided among branches (``missing="fraction"``) fits no rule; any other
        fits exactly one, if its missing values are said.

        Parameters
        ----------
        show_missing : bool, collection of str or None, default None
            Say what becomes of missing values: of all columns, of none, of those named, or (None)
            of those that had missing values in training. A level that training did not have is
            called "unseen".

        Returns
        -------
        list of str
            One rule per leaf, in reading order.
        """
        decimals = self.decimals
        return [
            rule_text(conditions, end, decimals, rows=rows)
            for end, conditions, rows in self._ends(show_missing)
        ]

    def leaf_rules(
        self, order: RuleOrder = "reading", *, show_missing: ShowMissing = None
    ) -> list[LeafRule]:
        """Give each leaf as a rule, with all that is known of it.

        Parameters
        ----------
        order : {"reading", "rows", "certainty", "answer"}, default "reading"
            ``reading``: as in the text of the tree. ``rows``: the leaf with the most rows first.
            ``certainty``: by the low end of the proportion's interval, or the narrowest interval of
            the mean first. ``answer``: by class or number, then by rows.
        show_missing : bool, collection of str or None, default None
            Say what becomes of missing values, as in `rules`.

        Returns
        -------
        list of LeafRule
            Merged conditions, prediction, rows and their proportion of all, probability and its
            interval.

        Raises
        ------
        ValueError
            If there is no such order.
        """
        all_rows, decimals = float(self._core.rows[0]), self.decimals
        rules = (
            LeafRule.of_node(end, conditions, rows, all_rows, decimals)
            for end, conditions, rows in self._ends(show_missing)
        )
        return ordered_rules(rules, order)

    @cached_property
    def decimals(self) -> int:
        """Digits behind the point with which predicted numbers are written; 0 in classification."""
        root = self.node(0)
        if root.standard_deviation is None:
            return 0
        return decimals_for(root.standard_deviation, root.value)

    def to_text(
        self,
        *,
        max_depth: int | None = None,
        width: int = 100,
        show_missing: bool | None = None,
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
        show_missing : bool or None, default None
            Say what happens to a row whose value is missing: at each split, at none, or (None)
            where the column had missing values in training. Levels that no training row of a node
            had are always told: they take the branch that is said by what it leaves out
            (``city not in {Oslo, Rome}``) or that ends in "or unseen".
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
        """Count the leaves under a node; a leaf counts itself.

        Parameters
        ----------
        index : int
            Id of the node; the root is 0.

        Returns
        -------
        int
            The number of leaves.
        """
        return int(self._leaf_counts[index])

    def stopped_rows(self, index: int) -> float:
        """Count the training rows that ended at an inner node for want of a value; 0 at a leaf.

        Parameters
        ----------
        index : int
            Id of the node; the root is 0.

        Returns
        -------
        float
            The number of rows.
        """
        node = self.node(index)
        if not node.may_stop:
            return 0.0
        below = math.fsum(self.node(child).rows for child in node.children)
        return round(node.rows - below, 9)  # rows may be divided above

    def feature_importances(
        self, kind: str = "impurity", *, normalized: bool = True
    ) -> NDArray[np.float64]:
        """Say how much each column matters in the tree.

        The first two favour columns with many values, because these offer more splits to choose
        from; ``sklearn.inspection.permutation_importance`` on held-out rows does not.

        Parameters
        ----------
        kind : {"impurity", "surrogate", "usage"}, default "impurity"
            ``impurity``: the weighted decrease of impurity by the splits on the column; a split on
            several columns counts in equal parts for each. ``surrogate``: the same plus, for each
            surrogate on the column, the decrease of the split it stands in for times its adjusted
            agreement, as R's rpart has it. ``usage``: the proportion of training rows that meet a
            split on the column, as C5.0 has it.
        normalized : bool, default True
            Divide the first two by their sum, so that they add up to 1; otherwise by the weight of
            the root. Usage is a proportion already.

        Returns
        -------
        ndarray of float64
            One number per column of the schema; all 0 if no split decreases the impurity.
        """
        if kind == "usage":
            return summaries.column_usage(self._core, self._arrays)
        if kind not in ("impurity", "surrogate"):
            raise ValueError(
                f"The 'kind' must be 'impurity', 'surrogate' or 'usage'. Got {kind!r}."
            )
        return summaries.feature_importances(
            self._core, self._arrays, with_surrogates=kind == "surrogate", normalized=normalized
        )

    def _check_node(self, node: int) -> None:
        if not _AN_ID.accepts(node) or node >= self.n_nodes:
            raise IndexError(
                f"The id of a node must be an int in [0, {self.n_nodes - 1}]. Got {brief(node)}."
            )

    @cached_property
    def _arrays(self) -> Arrays:
        return Arrays.of(self._core)

    @cached_property
    def _leaf_counts(self) -> NDArray[np.int64]:
        return summaries.count_leaves_below(self._arrays)

    @cached_property
    def _n_terms(self) -> NDArray[np.int64]:
        return summaries.count_terms(self._core)

    def _ends(self, show: ShowMissing) -> Iterator[tuple[Node, _Conditions, float]]:
        """Give each node where rows end with what is said of these rows, and how many they are."""
        pending: list[tuple[Node, _Conditions]] = [(self.node(0), ())]
        while pending:
            node, conditions = pending.pop()
            children = [self.node(child) for child in node.children]
            stop = stop_condition(node, self._schema)
            if stop is not None or node.is_leaf:
                there = conditions if stop is None else merge_conditions((*conditions, stop))
                rows = node.rows if node.is_leaf else self.stopped_rows(node.id)
                found = _all_said(there, show, is_needed=node.is_leaf or rows > 0.0)
                if found is not None:
                    yield node, found, rows
            if children:
                # Merging at every node keeps what is carried along short on long paths.
                branches = branch_conditions(node, self._schema)
                for child, branch in zip(reversed(children), reversed(branches), strict=True):
                    pending.append((child, merge_conditions((*conditions, branch))))


def _all_said(conditions: _Conditions, show: ShowMissing, *, is_needed: bool) -> _Conditions | None:
    """Give what is said of the path to a node.

    Where only missing values lead there and these are not said: None, or all of it if the node
    must not be passed over.
    """
    kept = [said(condition, show) for condition in conditions]
    found = tuple(condition for condition in kept if condition is not None)
    if len(found) == len(kept):
        return found
    return conditions if is_needed else None
