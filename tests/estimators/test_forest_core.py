"""What the core does for forests: growth on shared ranks, and the answers of many trees summed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import _core
from treewright.splits import Axis, Best, Categorical


def random_problem(seed, *, n_classes=2, n_rows=60):
    """A table with ties, gaps and a categorical column, and a target with uneven weights."""
    rng = np.random.default_rng(seed)
    values = np.column_stack(
        [
            rng.normal(size=n_rows),
            rng.integers(0, 6, n_rows).astype(float),
            rng.integers(0, 4, n_rows).astype(float),
            np.round(rng.normal(size=n_rows), 1),
        ]
    )
    values[rng.random(values.shape) < 0.1 * rng.integers(0, 2)] = np.nan
    values = np.asarray(values, order="C" if rng.random() < 0.5 else "F")
    table = _core.Table(values, np.array([0, 0, 4, 0], dtype=np.int32))
    weights = rng.integers(0, 4, n_rows) * (1.0 if rng.random() < 0.5 else rng.random(n_rows))
    weights[0] = 1.0
    if n_classes == 0:
        target = _core.Target.numbers(rng.normal(size=n_rows), weights)
    else:
        labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        target = _core.Target.classes(labels, n_classes, weights)
    return table, target


def grow(table, target, *, seed=0, max_features=2, missing=0, measure="gini", least=1, ranks=None):
    options = _core.GrowOptions()
    options.measure = measure if target.labels.size else "squared_error"
    options.min_samples_leaf = least
    options.max_features = max_features
    options.missing = missing
    options.seed = seed
    method = Best(Axis(), Categorical("subset")).build()
    return _core.grow(table, target, method, options, ranks=ranks)[0]


@pytest.mark.long
@given(
    seed=st.integers(0, 10_000),
    n_classes=st.sampled_from([0, 2, 3]),
    missing=st.integers(0, 4),
    max_features=st.sampled_from([0, 1, 3]),
    measure=st.sampled_from(["gini", "entropy", "hellinger", "twoing"]),
    n_rows=st.sampled_from([20, 60, 300]),
    least=st.sampled_from([1, 4]),
)
def test_ranks_change_no_tree(seed, n_classes, missing, max_features, measure, n_rows, least):
    table, target = random_problem(seed, n_classes=n_classes, n_rows=n_rows)
    options = {"seed": seed, "max_features": max_features, "missing": missing}
    options |= {"measure": measure, "least": least}
    ranks = _core.Ranks(table, target)
    assert grow(table, target, ranks=ranks, **options) == grow(table, target, **options)


@pytest.mark.parametrize("n_rows", [63, 65, 5_000])
def test_ranks_of_few_and_many_rows(n_rows):
    table, target = random_problem(1, n_rows=n_rows)
    assert grow(table, target, ranks=_core.Ranks(table, target)) == grow(table, target)


@pytest.mark.parametrize("n_values", [2, 5, 255, 256, 257])
@pytest.mark.parametrize("n_classes", [0, 2, 10])
@pytest.mark.parametrize("weights", ["one", "whole", "uneven"])
def test_values_that_are_counted_change_no_tree(n_values, n_classes, weights):
    rng = np.random.default_rng(n_values + n_classes)
    values = rng.integers(-3, n_values - 3, (900, 4)).astype(float)
    values[:n_values, 0] = np.arange(n_values)
    values[values == 0.0] *= rng.choice([-1.0, 1.0], (values == 0.0).sum())  # zeros of both signs
    values[rng.random(values.shape) < 0.05] = np.nan
    table = _core.Table(values, np.zeros(4, dtype=np.int32))
    drawn = {"one": np.ones(900), "whole": rng.integers(0, 4, 900), "uneven": rng.random(900)}
    if n_classes == 0:
        target = _core.Target.numbers(rng.normal(size=900), drawn[weights].astype(float))
    else:
        labels = rng.integers(0, n_classes, 900).astype(np.int32)
        target = _core.Target.classes(labels, n_classes, drawn[weights].astype(float))
    ranks = _core.Ranks(table, target)
    for measure in ("gini", "entropy"):
        counted = grow(table, target, measure=measure, ranks=ranks)
        assert counted == grow(table, target, measure=measure)
        assert counted.n_nodes > 20


def test_ranks_of_other_labels_are_refused():
    table, target = random_problem(0)
    other = _core.Target.classes(1 - target.labels, 2, np.ones(table.n_rows))
    with pytest.raises(ValueError, match="of another table or of other labels"):
        grow(table, target, ranks=_core.Ranks(table, other))


def test_ranks_of_another_table_are_refused():
    table, target = random_problem(0)
    smaller, its_target = random_problem(0, n_rows=59)
    with pytest.raises(ValueError, match="of another table or of other labels"):
        grow(table, target, ranks=_core.Ranks(smaller, its_target))


@given(
    seed=st.integers(0, 10_000),
    n_classes=st.sampled_from([0, 2, 3]),
    missing=st.integers(0, 4),
    votes=st.booleans(),
    n_threads=st.integers(1, 3),
)
def test_sums_are_those_of_the_trees(seed, n_classes, missing, votes, n_threads):
    table, target = random_problem(seed, n_classes=n_classes)
    trees = [grow(table, target, seed=seed + i, missing=missing) for i in range(4)]
    asked, _ = random_problem(seed + 1, n_rows=300)
    sums = _core.sum_answers(trees, asked, votes, n_threads)
    if n_classes == 0:
        expected = sum(tree.predict_values(asked) for tree in trees)[:, np.newaxis]
    elif votes:
        expected = sum(np.eye(n_classes)[tree.predict_classes(asked)] for tree in trees)
    else:
        expected = sum(tree.distribution(asked) for tree in trees)
    np.testing.assert_array_equal(sums, expected)


def numeric_trees(n_rows, n_columns, n_trees):
    """Trees of axis tests only, on a table without gaps."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_rows, n_columns))
    labels = (values[:, 0] * values[:, 1] > 0).astype(np.int32)
    table = _core.Table(values, np.zeros(n_columns, dtype=np.int32))
    target = _core.Target.classes(labels, 2, np.ones(n_rows))
    return [grow(table, target, seed=i) for i in range(n_trees)], values


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("gaps", [False, True])
def test_sums_of_many_blocks_of_rows(order, gaps):
    trees, values = numeric_trees(3_000, 30, 3)
    if gaps:
        values[7, 0] = values[2_500, 1] = np.nan
        values[8, 1] = np.inf
    table = _core.Table(np.asarray(values, order=order), np.zeros(30, dtype=np.int32))
    expected = sum(tree.distribution(table) for tree in trees)
    for n_threads in (1, 2, 8):
        np.testing.assert_array_equal(
            _core.sum_answers(trees, table, n_threads=n_threads), expected
        )


def test_no_rows_give_no_sums():
    trees, _ = numeric_trees(100, 3, 2)
    empty = _core.Table(np.empty((0, 3)), np.zeros(3, dtype=np.int32))
    assert _core.sum_answers(trees, empty).shape == (0, 2)


def test_trees_of_different_targets_are_refused():
    table, target = random_problem(0)
    _, three = random_problem(0, n_classes=3)
    with pytest.raises(ValueError, match="different targets"):
        _core.sum_answers([grow(table, target), grow(table, three)], table)


def test_no_trees_are_refused():
    table, _ = random_problem(0)
    with pytest.raises(ValueError, match="no tree to ask"):
        _core.sum_answers([], table)


def test_ctrl_c_ends_the_sums():
    trees, values = numeric_trees(2_000, 5, 20)
    table = _core.Table(np.tile(values, (300, 1)), np.zeros(5, dtype=np.int32))

    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.sum_answers(trees, table, n_threads=2, progress=interrupt)
