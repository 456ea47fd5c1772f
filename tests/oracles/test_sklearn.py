"""The same tree as scikit-learn's exact CART on continuous data without ties.

Columns are permutations of 0, 1, ..., n - 1: no two values of a column are equal, and all are exact
in the 32-bit numbers that scikit-learn computes with. What remains are ties between *tests*: deep
down, in a node of a few rows, several columns often allow equally good cuts. scikit-learn takes the
one that its random order of columns meets first, treewright the first column. If both divide the
rows alike, the comparison goes on below; if not, it ends there, after making sure that the gains
are equal. `Comparison` counts all three kinds of node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright


@dataclass
class Comparison:
    """Nodes with the same test, with another that divides the rows alike, or neither."""

    same: int = 0
    alike: int = 0
    tied: int = 0


def make_table(seed: int, n_rows: int, n_columns: int, n_classes: int) -> tuple[Any, Any, Any]:
    """Columns without ties, a class and a number that depend on some of them, both noisy."""
    generator = np.random.default_rng(seed)
    table = np.column_stack([generator.permutation(n_rows) for _ in range(n_columns)]).astype(float)
    shares = table / n_rows
    signal = shares[:, 0] + np.sin(7 * shares[:, 1]) * shares[:, 2] + 0.3 * (shares[:, 3] > 0.4)
    # Ranks: no two numbers are nearly equal, so that both programs agree which nodes are pure.
    number = np.argsort(np.argsort(signal + generator.normal(scale=0.3, size=n_rows))) / 100
    edges = np.quantile(number, np.linspace(0, 1, n_classes + 1)[1:-1])
    return table, np.searchsorted(edges, number), number


def compare(theirs: Any, ours: Any, table: Any) -> Comparison:
    """Walk both trees together; rows of every common node, its column and its cut must agree."""
    rows_theirs = theirs.decision_path(table).tocsc()
    rows_ours = ours.decision_path(table).tocsc()
    reference, core = theirs.tree_, ours.tree_.core
    count = Comparison()
    pending = [(0, 0)]
    while pending:
        one, other = pending.pop()
        np.testing.assert_array_equal(rows_of(rows_theirs, one), rows_of(rows_ours, other))
        left, right = int(reference.children_left[one]), int(reference.children_right[one])
        test = core.test(other)
        if left < 0:
            assert test is None
            count.same += 1
            continue
        assert test is not None
        kind, (column,), (threshold,) = test
        weights = reference.weighted_n_node_samples
        gain = weights[one] * reference.impurity[one] - sum(
            weights[child] * reference.impurity[child] for child in (left, right)
        )
        assert kind == 0
        assert core.gain[other] == pytest.approx(gain, rel=1e-7, abs=1e-9 * weights[0])
        first = int(core.first_child[other])
        pairs = [(left, first), (right, first + 1)]
        if (column, threshold) == (reference.feature[one], reference.threshold[one]):
            count.same += 1
        else:
            rows = rows_of(rows_ours, first)
            if np.array_equal(rows, rows_of(rows_theirs, right)):
                pairs = [(right, first), (left, first + 1)]
            elif not np.array_equal(rows, rows_of(rows_theirs, left)):
                count.tied += 1
                continue
            count.alike += 1
        pending += pairs
    return count


def rows_of(paths: Any, node: int) -> Any:
    return np.sort(paths.indices[paths.indptr[node] : paths.indptr[node + 1]])


def assert_few_ties(count: Comparison) -> None:
    """Most of the tree was compared: ties ended the walk at few of the nodes reached."""
    assert count.tied < 0.1 * (count.same + count.alike)


SMALL = [(200, 5), (1000, 10), (3000, 20)]


@pytest.mark.parametrize("measure", ["gini", "entropy"])
@pytest.mark.parametrize(("n_rows", "n_columns"), SMALL)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_whole_tree_of_classes(seed: int, n_rows: int, n_columns: int, measure: str) -> None:
    table, classes, _ = make_table(seed, n_rows, n_columns, 2 + seed)
    theirs = DecisionTreeClassifier(criterion=measure, random_state=0).fit(table, classes)
    ours = treewright.TreeClassifier(criterion=measure, readable=False).fit(table, classes)
    assert_few_ties(compare(theirs, ours, table))


@pytest.mark.long
@pytest.mark.parametrize(("n_rows", "n_columns"), SMALL)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_whole_tree_of_numbers(seed: int, n_rows: int, n_columns: int) -> None:
    table, _, numbers = make_table(seed, n_rows, n_columns, 2)
    theirs = DecisionTreeRegressor(random_state=0).fit(table, numbers)
    ours = treewright.TreeRegressor(readable=False).fit(table, numbers)
    assert_few_ties(compare(theirs, ours, table))


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("measure", ["gini", "entropy"])
def test_whole_tree_of_a_large_table(seed: int, measure: str) -> None:
    table, classes, _ = make_table(seed, 20_000, 20, 2 + seed)
    theirs = DecisionTreeClassifier(criterion=measure, random_state=0).fit(table, classes)
    ours = treewright.TreeClassifier(criterion=measure, readable=False).fit(table, classes)
    assert_few_ties(compare(theirs, ours, table))


@pytest.mark.long
def test_large_table_with_large_leaves() -> None:
    """20,000 x 20 with at least 50 rows a leaf leaves no tie between numbers: the same tree."""
    table, classes, numbers = make_table(7, 20_000, 20, 3)
    limits = {"min_samples_leaf": 50}
    theirs = DecisionTreeRegressor(random_state=0, **limits).fit(table, numbers)
    ours = treewright.TreeRegressor(readable=False, **limits).fit(table, numbers)
    assert compare(theirs, ours, table) == Comparison(same=theirs.tree_.node_count)
    np.testing.assert_allclose(theirs.predict(table), ours.predict(table), rtol=1e-12)
    for measure in ("gini", "entropy"):
        theirs = DecisionTreeClassifier(criterion=measure, random_state=0, **limits)
        ours = treewright.TreeClassifier(criterion=measure, readable=False, **limits)
        count = compare(theirs.fit(table, classes), ours.fit(table, classes), table)
        assert count.tied <= 10
        assert count.same > 540


def test_sample_weights() -> None:
    table, classes, numbers = make_table(3, 500, 6, 3)
    weights = np.random.default_rng(3).integers(1, 5, size=500).astype(float)
    limits = {"min_samples_leaf": 5}
    theirs = DecisionTreeClassifier(random_state=0, **limits).fit(table, classes, weights)
    ours = treewright.TreeClassifier(readable=False, **limits).fit(table, classes, weights)
    assert_few_ties(compare(theirs, ours, table))
    theirs = DecisionTreeRegressor(random_state=0, **limits).fit(table, numbers, weights)
    ours = treewright.TreeRegressor(readable=False, **limits).fit(table, numbers, weights)
    assert_few_ties(compare(theirs, ours, table))
