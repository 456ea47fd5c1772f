"""Numbers that sum up a whole tree.

Two numbers beside leaves and depth say what a tree costs its reader. With c(t) the number of
columns in the split of inner node t:

    reading effort   sum over inner nodes t of c(t) * weight(t) / weight(root)
    complexity       1 + sum over inner nodes t of c(t)

Reading effort is the expected number of values looked at per row. Complexity equals the number of
leaves for trees with two-way splits on one column. `path_complexity` is the form of the thesis on
oblique trees by logistic regression: the mean of c(t) on the path to each leaf, summed over leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates.base import FlatKind
from treewright.schema import Level
from treewright.tree.arrays import Arrays
from treewright.tree.nodes import predicate_at

__all__ = [
    "REFERRAL_LABELS",
    "column_usage",
    "columns_read",
    "count_leaves_below",
    "count_terms",
    "feature_importances",
    "path_complexity",
    "reading_effort",
    "training_score",
    "undecided_share",
]

REFERRAL_LABELS: tuple[str, int] = ("refer", -1)
"""What leaves say that refer rows to a person, beside classes of text and of integers."""

_ONE_COLUMN_KINDS = (FlatKind.AXIS, FlatKind.SUBSET, FlatKind.MULTIWAY)


def count_leaves_below(arrays: Arrays) -> NDArray[np.int64]:
    """Count the leaves under each node; a leaf counts itself."""
    counts: NDArray[np.int64] = arrays.is_leaf.astype(np.int64)
    for node in range(len(counts) - 1, 0, -1):  # children stand behind their parents
        counts[arrays.parent[node]] += counts[node]
    return counts


def count_terms(core: _core.Tree) -> NDArray[np.int64]:
    """Count the columns in the split of each node, c(t); 0 at leaves."""
    state = core.state()
    kinds, ends = state["kind"], state["feature_end"]
    terms: NDArray[np.int64] = np.diff(ends, prepend=0)  # right for linear and machine tests
    terms[kinds == FlatKind.LEAF] = 0
    terms[np.isin(kinds, _ONE_COLUMN_KINDS)] = 1
    for node in np.flatnonzero(kinds == FlatKind.PAIR).tolist():
        terms[node] = predicate_at(core, node).n_terms
    return terms


def columns_read(core: _core.Tree) -> tuple[int, ...]:
    """List the columns that splits or surrogates read, in rising order."""
    state = core.state()
    kinds, ends, features = state["kind"], state["feature_end"], state["features"]
    has_one_column = np.isin(kinds, _ONE_COLUMN_KINDS)
    first_of = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    read = set(features[first_of[has_one_column]].tolist())
    for node in np.flatnonzero((kinds != FlatKind.LEAF) & ~has_one_column).tolist():
        read.update(predicate_at(core, node).columns)
    ends = state["surrogate_feature_end"]  # a surrogate reads one column
    if len(ends):
        first_of = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        read.update(state["surrogate_features"][first_of].tolist())
    return tuple(sorted(read))


def reading_effort(arrays: Arrays, n_terms: NDArray[np.int64]) -> float:
    """Give the expected number of values a reader looks at per training row."""
    weight = arrays.weight
    if weight[0] <= 0.0:
        return 0.0
    # No node outweighs the root, unless a file says so.
    shares = np.minimum(weight, weight[0]) / weight[0]
    return float(np.sum(n_terms * shares))


def path_complexity(arrays: Arrays, n_terms: NDArray[np.int64]) -> float:
    """Sum over leaves the mean number of columns in the splits on the path there."""
    if len(n_terms) == 1:
        return 1.0
    terms = np.zeros(len(n_terms))
    for node in range(len(n_terms)):  # parents stand before their children
        first, count = arrays.first_child[node], arrays.n_branches[node]
        terms[first : first + count] = terms[node] + n_terms[node]
    return float(np.sum(terms[arrays.is_leaf] / arrays.depth[arrays.is_leaf]))


def training_score(arrays: Arrays, is_classification: bool) -> float:
    """Give the training accuracy or proportion of variance explained; NaN if nothing is known."""
    ends = np.where(arrays.is_leaf[:, np.newaxis], arrays.statistics, arrays.stopped)
    if is_classification:
        classes = arrays.value.astype(np.intp)
        right, total = ends[np.arange(len(ends)), classes].sum(), arrays.weight[0]
        return float(right) / float(total) if total > 0.0 else np.nan
    # Rows that stopped are answered by the mean of all rows of the node, not by their own.
    stopped = arrays.stopped[:, 0] > 0.0
    weight, mean, _ = arrays.stopped[stopped].T
    off = mean - arrays.statistics[stopped, 1]
    rest, total = ends[:, 2].sum() + (weight * off**2).sum(), arrays.statistics[0, 2]
    return 1.0 - float(rest) / float(total) if total > 0.0 else np.nan


def undecided_share(arrays: Arrays, classes: Sequence[Level]) -> float:
    """Give the proportion of training rows in leaves that refer to a person.

    The label of referral stands behind the classes, and no training row has it.
    """
    last, total = len(classes) - 1, float(arrays.weight[0])
    if classes[-1] not in REFERRAL_LABELS or arrays.statistics[0, last] > 0.0 or not total > 0.0:
        return 0.0
    is_referred = arrays.is_leaf & (arrays.value == last)
    return float(arrays.weight[is_referred].sum()) / total


def feature_importances(
    core: _core.Tree, arrays: Arrays, *, with_surrogates: bool, normalized: bool
) -> NDArray[np.float64]:
    """Sum the weighted impurity decrease of the splits on each column."""
    importances = np.zeros(len(core.n_levels))
    state = core.state()
    kinds, ends, features = state["kind"], state["feature_end"], state["features"]
    has_one_column = np.isin(kinds, _ONE_COLUMN_KINDS)
    simple = np.flatnonzero(has_one_column)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    np.add.at(importances, features[starts[simple]], arrays.gain[simple])
    for node in np.flatnonzero((kinds != FlatKind.LEAF) & ~has_one_column).tolist():
        columns = list(predicate_at(core, node).columns)  # several times where it has several terms
        np.add.at(importances, columns, arrays.gain[node] / len(columns))
    if with_surrogates:
        for node in np.flatnonzero(~arrays.is_leaf).tolist():
            for (_, columns, _), _, _, adjusted in core.surrogates(node):
                importances[columns[0]] += adjusted * arrays.gain[node]
    total = importances.sum() if normalized else arrays.weight[0]
    if total <= 0.0:
        return np.zeros_like(importances)
    with np.errstate(over="ignore"):
        importances /= total
    return importances


def column_usage(core: _core.Tree, arrays: Arrays) -> NDArray[np.float64]:
    """Give the proportion of the training weight that meets a split on each column."""
    usage = np.zeros(len(core.n_levels))
    if arrays.weight[0] <= 0.0:
        return usage
    pending: list[tuple[int, frozenset[int]]] = [(0, frozenset())]
    while pending:
        node, met = pending.pop()
        if arrays.n_branches[node] == 0:
            continue
        columns = set(predicate_at(core, node).columns)
        usage[list(columns - met)] += arrays.weight[node] / arrays.weight[0]
        first = int(arrays.first_child[node])
        below = met | columns
        pending.extend((first + b, below) for b in range(int(arrays.n_branches[node])))
    return usage
