r"""Pruning by minimum description length: the tree with which the classes are told in fewest bits.

In bits, with K classes, n_c rows of class c and n rows in a node (Mehta, Rissanen, Agrawal 1995):

    a node          1, for being a leaf or not
    classes         sum_c n_c log2(n / n_c) + (K - 1)/2 log2(n / 2) + log2(pi^(K/2) / Gamma(K/2))
    axis split      log2 d for the column + log2(v - 1) for the cut among v values at the node
    subset split    log2 d + log2(2^L - 2) for L levels at the node
    multiway split  log2 d

with d columns. For the other splits our own extension: log2 of the number of ways to choose the k
columns; 1/2 log2 n for each further coefficient (what a number fitted to n rows is worth, Rissanen
1983); log2(v - 1) for the cut among v values of the sum. A pair adds to the bits of
its parts log2 5 for how they are joined: and, or, xor, the one and not the other, or the reverse.
From the leaves up, a node becomes a leaf if that takes no more bits. Nothing is held out and
nothing has to be set, which suits small data.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates import (
    Axis,
    Linear,
    Machine,
    Multiway,
    Pair,
    Predicate,
    SinglePredicate,
    Subset,
)
from treewright.prune.base import Growth, Pruner
from treewright.prune.path import Path
from treewright.tree import Tree, decision_path, table_of

__all__ = ["DescriptionLength", "class_bits", "description_length"]


def class_bits(class_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the bits needed to describe the classes of the rows of each node.

    Parameters
    ----------
    class_weights : ndarray of shape (n_nodes, n_classes)
        Weight of each class in each node.

    Returns
    -------
    ndarray of float64
        Bits; 0 for empty nodes.

    Examples
    --------
    >>> class_bits(np.array([[9.0, 5.0], [4.0, 0.0]])).round(6)
    array([16.219177,  2.151496])
    """
    total = class_weights.sum(axis=1, keepdims=True)
    n_classes = class_weights.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(class_weights > 0.0, class_weights * np.log2(total / class_weights), 0.0)
        spread = np.where(total > 1.0, np.log2(total / 2.0), 0.0)[:, 0]
    constant = n_classes / 2.0 * math.log2(math.pi) - math.lgamma(n_classes / 2.0) / math.log(2.0)
    bits = terms.sum(axis=1) + (n_classes - 1) / 2.0 * spread + constant
    return np.asarray(np.where(total[:, 0] > 0.0, bits, 0.0))


def description_length(tree: Tree, X: Any) -> Tree:
    """Prune to the tree with which the training classes are told in fewest bits.

    Parameters
    ----------
    tree : Tree
        A classification tree from any split method.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows it was grown on: how many values a split was chosen from depends on them.

    Returns
    -------
    Tree
        The pruned tree.

    Raises
    ------
    ValueError
        If the tree predicts numbers, or has a cost matrix.
    """
    if not tree.is_classification:
        raise ValueError(
            "Pruning by description length is for classification; for regression use "
            "'cost_complexity'."
        )
    if len(tree.core.cost):
        raise ValueError(
            "Pruning by description length knows no costs; use 'cost_complexity' or "
            "'reduced_error' with a cost matrix."
        )
    core = tree.core
    bits = 1.0 + class_bits(core.statistics)
    split = _split_bits(tree, table_of(X, tree.schema))
    is_inner, parent = core.n_branches > 0, core.parent
    # Rows that stop at an inner node are told there, like those of a leaf.
    subtree = np.where(is_inner, 1.0 + split + class_bits(core.stopped_statistics), bits)
    pruned = np.zeros(tree.n_nodes, dtype=np.bool_)
    for node in range(tree.n_nodes - 1, -1, -1):  # children stand behind their parents
        if is_inner[node]:
            pruned[node] = bits[node] <= subtree[node] + 1e-9
            subtree[node] = min(bits[node], subtree[node])
        if node > 0:
            subtree[parent[node]] += subtree[node]
    return tree.collapse(np.flatnonzero(pruned))


class DescriptionLength(Pruner):
    """Pruning by minimum description length; it has no parameters.

    See Also
    --------
    description_length : The same for a tree that is there.
    ErrorBased : Another pruner that holds out no rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> TreeClassifier(prune=DescriptionLength(), random_state=0).fit(X, y).tree_.n_leaves
    3
    """

    for_numbers: ClassVar[bool] = False
    knows_costs: ClassVar[bool] = False

    def prune(self, growth: Growth) -> tuple[Tree, Path | None]:
        """Grow on all rows and prune.

        Parameters
        ----------
        growth : Growth
            The rows of the fit, and how trees are grown on them.
        """
        return description_length(growth.grow(None), growth.data(None)[0]), None


def _split_bits(tree: Tree, table: _core.Table) -> NDArray[np.float64]:
    """Give the bits of the split of each inner node; 0 at leaves."""
    rows_of_node = decision_path(tree.core, table).tocsc()
    values = table.values
    bits = np.zeros(tree.n_nodes)
    for node in np.flatnonzero(tree.core.n_branches).tolist():
        rows = rows_of_node.indices[rows_of_node.indptr[node] : rows_of_node.indptr[node + 1]]
        predicate = tree.node(node).predicate
        assert predicate is not None
        bits[node] = _test_bits(predicate, values[rows], tree.schema.n_columns)
    return bits


def _test_bits(predicate: Predicate, values: NDArray[np.float64], n_columns: int) -> float:
    match predicate:
        case Pair(_, first, second):
            return math.log2(5) + sum(
                _single_bits(part, values, n_columns) for part in (first, second)
            )
        case Axis() | Linear() | Subset() | Multiway() | Machine():
            return _single_bits(predicate, values, n_columns)
        case _:
            assert_never(predicate)


def _single_bits(predicate: SinglePredicate, values: NDArray[np.float64], n_columns: int) -> float:
    n_rows = max(len(values), 2)
    columns = list(predicate.columns)
    choice = math.log2(math.comb(n_columns, len({*columns})))
    match predicate:
        case Axis():
            return choice + _cut_bits(values[:, columns[0]])
        case Linear():
            # A level among its column's is one more choice.
            at_levels = [column for column, _, level in predicate.terms if level is not None]
            choice += sum(math.log2(max(_count_distinct(values[:, j]), 1)) for j in at_levels)
            scores = predicate.factors(values) @ np.array(predicate.coefficients)
            return choice + (len(columns) - 1) / 2 * math.log2(n_rows) + _cut_bits(scores)
        case Subset():
            n_levels = max(_count_distinct(values[:, columns[0]]), 2)
            return choice + n_levels + math.log2(1.0 - 2.0 ** (1 - n_levels))
        case Multiway():
            return choice
        case Machine():
            n_numbers = (predicate.n_branches - 1) * (len(columns) + 1)
            return choice + n_numbers / 2 * math.log2(n_rows)
        case _:
            assert_never(predicate)


def _cut_bits(scores: NDArray[np.float64]) -> float:
    return math.log2(max(_count_distinct(scores) - 1, 1))


def _count_distinct(values: NDArray[np.float64]) -> int:
    return len(np.unique(values[~np.isnan(values)]))
