"""Many rows go down a tree of tests on single columns as one row does."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.export_cases import random_tree, schema_of
from treewright import _core
from treewright.schema import Column
from treewright.tree.node import MISSING_POLICIES

POLICIES = tuple(word for word in MISSING_POLICIES if word != "fraction")  # rows end in one node
COLUMNS = (
    Column("number", "numeric"),
    Column("two", "categorical", ("a", "b")),
    Column("many", "categorical", tuple(f"level {code}" for code in range(20))),
    Column("some", "categorical", tuple("abcdef")),
)


def rows_of(n_rows: int, *, gaps: bool) -> np.ndarray:
    rng = np.random.default_rng(n_rows)
    values = np.column_stack(
        [rng.normal(size=n_rows), *(rng.integers(len(c.levels), size=n_rows) for c in COLUMNS[1:])]
    ).astype(float)
    if gaps:
        values[rng.random(values.shape) < 0.15] = np.nan
        values[3, 0], values[4, 0] = np.inf, -np.inf
    return values


def check_ends(tree: _core.Tree, values: np.ndarray, n_levels: list[int]) -> None:
    """Compare with the last node of each row's path, which is walked by itself."""
    table = _core.Table(values, np.array(n_levels, dtype=np.int32))
    begin, nodes = tree.decision_paths(table)
    np.testing.assert_array_equal(tree.apply(table), nodes[begin[1:] - 1])
    votes = np.eye(3)[tree.predict_classes(table)]
    np.testing.assert_array_equal(_core.sum_answers([tree], table, True), votes)
    twice = _core.sum_answers([tree, tree], table)
    np.testing.assert_array_equal(twice, 2 * tree.distribution(table))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kinds", [("axis",), ("subset",), ("multiway",), ("axis", "subset")])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_end_where_their_paths_do(policy, kinds, gaps, order):
    depth = 2 if "multiway" in kinds else 4
    schema = schema_of("classes", COLUMNS)
    for seed in range(5):
        tree = random_tree(seed, schema, kinds=kinds, policies=(policy,), depth=depth).core
        for n_rows in (1, 700):
            values = rows_of(n_rows, gaps=gaps and n_rows > 4)
            check_ends(tree, np.asarray(values, order=order), [0, 2, 20, 6])


@pytest.mark.parametrize("n_levels", [255, 256])
def test_more_branches_than_a_byte_can_count(n_levels):
    column = Column("many", "categorical", tuple(range(n_levels)))
    schema = schema_of("classes", (column,))
    tree = random_tree(0, schema, kinds=("multiway",), policies=POLICIES, depth=1).core
    values = np.arange(2.0 * n_levels).reshape(-1, 1) % n_levels
    values[7] = np.nan
    check_ends(tree, values, [n_levels])
