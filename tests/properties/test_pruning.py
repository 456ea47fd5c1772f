"""What holds when any tree is pruned by expected errors, refitted or simplified, on any rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pruning_twin import Branch, ErrorBasedTwin
from strategies import GRID, trees

from treewright import _core
from treewright.prune import error_based, estimated_errors, simplify
from treewright.statistics.error_bounds import BOUNDS, extra_errors
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

ONE_WAY = tuple(policy for policy in MISSING_POLICIES if policy != "fraction")
SLACK = 0.1  # of the method: a simpler tree may cost so much more

class_trees = trees(classification=True)
seeds = st.integers(0, 2**32 - 1)


class Rows:
    """Random rows over the schema of a tree, with values that its tests may compare with.

    Most rows of a leaf share their class, so that there is something to keep when the tree is
    pruned.
    """

    def __init__(
        self, tree: Tree, seed: int, *, missing: float = 0.2, same_weights: bool = False
    ) -> None:
        random = np.random.default_rng(seed)
        self.n_rows = int(random.integers(1, 150))
        self.values = np.empty((self.n_rows, len(tree.schema.columns)))
        for index, column in enumerate(tree.schema.columns):
            choices = GRID if column.kind == "numeric" else range(len(column.levels))
            self.values[:, index] = random.choice(choices, self.n_rows)
        self.values[random.random(self.values.shape) < missing] = np.nan
        self.n_levels, self.n_classes = tree.schema.n_levels, tree.n_outputs
        leaf = tree.core.apply(_core.Table(self.values, self.n_levels))
        noise = random.random(self.n_rows) < random.choice([0.05, 0.2, 0.5])
        labels = np.where(noise, random.integers(0, self.n_classes, self.n_rows), leaf)
        self.labels = (labels % self.n_classes).astype(np.int32)
        self.weights = random.integers(0, 4, self.n_rows).astype(float)
        if same_weights or not np.any(self.weights):
            self.weights[:] = 1.0

    def data(self, order: np.ndarray | None = None) -> tuple[_core.Table, _core.Target]:
        """The rows for the core, in another order or some of them twice if so asked."""
        order = np.arange(self.n_rows) if order is None else order
        target = _core.Target.classes(self.labels[order], self.n_classes, self.weights[order])
        return _core.Table(self.values[order], self.n_levels), target


def outline(tree: Tree) -> list[tuple[int, tuple[int, ...], float]]:
    """Old id, children and answer of every node."""
    return [
        (int(old), node.children, node.value)
        for old, node in zip(tree.origin, map(tree.node, range(tree.n_nodes)), strict=True)
    ]


def in_order(root: Branch) -> list[Branch]:
    """The nodes of a twin in the order of a Tree."""
    order, pending = [root], [root]
    while pending:
        children = pending.pop().children
        order += children
        pending += children[::-1]
    return order


@pytest.mark.parametrize("raising", [True, False])
@given(tree=class_trees, seed=seeds, bound=st.sampled_from(BOUNDS))
def test_pruned_tree_is_that_of_the_recursion(raising, tree, seed, bound):
    rows = Rows(tree, seed)
    options = {"confidence": (0.05, 0.25, 0.6)[seed % 3], "bound": bound}
    found = error_based(tree, *rows.data(), raising=raising, simplify=False, **options)
    twin = ErrorBasedTwin(
        tree,
        rows.values,
        rows.labels,
        rows.weights,
        lambda weight, wrong: wrong + extra_errors(weight, wrong, **options)[0],
    )
    expected = in_order(twin.run(raising))
    found.validate()
    assert found.origin.tolist() == [node.id for node in expected]
    assert found.core.value.tolist() == [node.value for node in expected]
    statistics = np.array([node.statistics for node in expected])
    np.testing.assert_allclose(found.core.statistics, statistics, atol=1e-9)
    assert found.core.rows[0] == np.count_nonzero(rows.weights)
    for node in found.walk():
        old = tree.node(found.origin[node.id])
        if node.predicate is not None:
            assert (node.predicate, node.missing, node.gain) == (
                old.predicate,
                old.missing,
                old.gain,
            )


@pytest.mark.long
@given(tree=class_trees, seed=seeds, raising=st.booleans())
def test_order_of_the_rows_does_not_matter(tree, seed, raising):
    rows = Rows(tree, seed)
    order = np.random.default_rng(seed).permutation(rows.n_rows)
    one = error_based(tree, *rows.data(), raising=raising)
    other = error_based(tree, *rows.data(order), raising=raising)
    assert outline(one) == outline(other)
    np.testing.assert_allclose(one.core.statistics, other.core.statistics, atol=1e-9)


@pytest.mark.long
@given(tree=class_trees, seed=seeds, raising=st.booleans())
def test_a_weight_of_two_is_the_row_twice(tree, seed, raising):
    rows = Rows(tree, seed)
    twice = np.repeat(np.arange(rows.n_rows), 2)
    one = error_based(tree, *rows.data(twice), raising=raising)
    rows.weights *= 2.0
    other = error_based(tree, *rows.data(), raising=raising)
    assert outline(one) == outline(other)
    np.testing.assert_allclose(one.core.statistics, other.core.statistics, atol=1e-9)


@pytest.mark.long
@given(tree=class_trees, seed=seeds, bound=st.sampled_from(BOUNDS))
def test_without_raising_no_other_pruned_subtree_is_much_better(tree, seed, bound):
    """Each node that is no longer a test may have cost up to the slack, and no more."""
    table, target = Rows(tree, seed).data()
    fitted = tree.with_core(_core.refit(tree.core, table, target))
    pruned = error_based(fitted, raising=False, simplify=False, bound=bound)
    as_leaf = expected_errors(fitted, fitted.core.statistics, bound)
    stopped = expected_errors(fitted, fitted.core.stopped_statistics, bound)
    best = as_leaf.copy()  # over all pruned subtrees
    for node in range(fitted.n_nodes - 1, -1, -1):
        if children := fitted.node(node).children:
            below = stopped[node] + math.fsum(best[child] for child in children)
            best[node] = min(as_leaf[node], below)
    n_gone = (fitted.n_nodes - fitted.n_leaves) - (pruned.n_nodes - pruned.n_leaves)
    estimate = estimated_errors(pruned, bound=bound)
    assert best[0] - 1e-9 <= estimate <= best[0] + SLACK * n_gone + 1e-9
    for node in map(pruned.node, range(pruned.n_nodes)):
        old = pruned.origin[node.id]
        assert node.predicate in (None, fitted.node(old).predicate)
        assert node.parent is None or pruned.origin[node.parent] == fitted.node(old).parent
        if node.children:
            kept = expected_from(pruned, node.id, as_leaf, stopped)
            assert as_leaf[old] > kept + SLACK - 1e-9


def expected_errors(tree: Tree, statistics: np.ndarray, bound: str) -> np.ndarray:
    """Of each node on rows with these class weights."""
    weight = statistics.sum(axis=1)
    wrong = weight - statistics[np.arange(tree.n_nodes), tree.core.value.astype(int)]
    return wrong + extra_errors(weight, wrong, bound=bound)


def expected_from(pruned: Tree, node: int, as_leaf: np.ndarray, stopped: np.ndarray) -> float:
    """Expected errors from a node of a pruned tree down; those of the nodes are by old id."""
    pending, ends = [node], []
    while pending:
        found = pruned.node(pending.pop())
        pending += found.children
        ends.append((stopped if found.children else as_leaf)[pruned.origin[found.id]])
    return math.fsum(ends)


@pytest.mark.long
@given(tree=class_trees, seed=seeds, raising=st.booleans())
def test_dropping_decided_tests_changes_no_complete_row(tree, seed, raising):
    rows = Rows(tree, seed, missing=0.0)
    table, target = rows.data()
    plain = error_based(tree, table, target, raising=raising, simplify=False)
    simple = error_based(tree, table, target, raising=raising)
    simple.validate()
    assert simple.n_nodes <= plain.n_nodes
    assert np.array_equal(simple.predict(table), plain.predict(table))
    assert set(simple.origin) <= set(plain.origin)


@pytest.mark.long
@given(tree=trees(kinds=("axis", "subset", "multiway"), max_depth=4), seed=seeds)
def test_simplify_leaves_complete_rows_where_they_were(tree, seed):
    random = np.random.default_rng(seed)
    values = np.column_stack(
        [
            random.choice(GRID if c.kind == "numeric" else range(len(c.levels)), 200)
            for c in tree.schema.columns
        ]
    ).astype(float)
    table = _core.Table(values, tree.schema.n_levels)
    simple = simplify(tree)
    simple.validate()
    assert simplify(simple) is simple
    if not tree.core.divides_rows:
        assert simple.origin[simple.apply(table)].tolist() == tree.apply(table).tolist()
    starts, ends, shares = simple.core.leaf_shares(table)
    starts_before, ends_before, shares_before = tree.core.leaf_shares(table)
    assert np.array_equal(starts, starts_before)
    assert np.array_equal(simple.origin[ends], ends_before)
    np.testing.assert_allclose(shares, shares_before)


@given(tree=trees(policies=ONE_WAY), seed=seeds)
def test_refitted_statistics_are_those_of_the_rows_that_come_by(tree, seed):
    rows = Rows(tree, seed)
    table, target = rows.data()
    numbers = np.random.default_rng(seed).choice(GRID, rows.n_rows)
    if not tree.is_classification:
        target = _core.Target.numbers(numbers, rows.weights)
    fitted = tree.with_core(_core.refit(tree.core, table, target))
    fitted.validate()
    passed = tree.decision_path(table).toarray().astype(bool)
    for node in fitted.walk():
        here = passed[:, node.id] & (rows.weights > 0)
        assert node.rows == pytest.approx(np.count_nonzero(here))
        assert node.predicate == tree.node(node.id).predicate
        assert node.gain == tree.node(node.id).gain
        weights = rows.weights[here]
        if not np.any(here):
            assert not any(node.statistics)
            assert node.value == fitted.node(node.parent).value
        elif tree.is_classification:
            counted = np.bincount(rows.labels[here], weights, minlength=tree.n_outputs)
            np.testing.assert_allclose(node.statistics, counted)
            assert counted[int(node.value)] == counted.max()
            old = int(tree.node(node.id).value)
            assert node.value == (old if counted[old] == counted.max() else np.argmax(counted))
        else:
            mean = np.average(numbers[here], weights=weights)
            assert node.value == pytest.approx(mean, abs=1e-9)
            squares = np.sum(weights * (numbers[here] - mean) ** 2)
            assert node.statistics == pytest.approx((weights.sum(), mean, squares), abs=1e-9)
