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


def grow(
    table,
    target,
    *,
    seed=0,
    max_features=2,
    missing=0,
    measure="gini",
    least=1,
    lightest=0.0,
    trends=(),
    ranks=None,
):
    options = _core.GrowOptions()
    options.measure = measure if target.labels.size else "squared_error"
    options.min_samples_leaf = least
    options.min_leaf_weight = lightest
    options.trends = list(trends)
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


def numbers_of_few_values(seed, n_values, n_rows, *, gaps=0.0):
    """Columns of few values, the third turned round and the fourth a twin, and numbers by them."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, n_values, (n_rows, 4)).astype(float)
    values[rng.random(values.shape) < gaps] = np.nan
    values[:, 2] = 7.5 - values[:, 1]
    values[:, 3] = values[:, 0]
    numbers = 1e3 + np.nan_to_num(values[:, 0]) + 0.3 * np.nan_to_num(values[:, 1])
    return values, np.round(numbers + rng.normal(size=n_rows), 1), rng.integers(1, 4, n_rows)


def cuts_of(tree):
    """Return the column and the threshold of each inner node, all splits being on one number."""
    inner = np.flatnonzero(np.asarray(tree.n_branches) > 0)
    return [(tree.test(node)[1][0], tree.test(node)[2][0]) for node in inner]


def forest_core_of(values, numbers, weights):
    table = _core.Table(values, np.zeros(values.shape[1], dtype=np.int32))
    return table, _core.Target.numbers(numbers, weights.astype(float))


@pytest.mark.long
@given(
    seed=st.integers(0, 10_000),
    n_values=st.integers(1, 6),
    n_rows=st.integers(3, 80),
    missing=st.integers(0, 4),
    gaps=st.sampled_from([0.0, 0.2]),
    least=st.sampled_from([1, 3]),
    lightest=st.sampled_from([0.0, 2.5]),
    is_uneven=st.booleans(),
)
def test_numbers_summed_by_value_change_no_tree(
    seed, n_values, n_rows, missing, gaps, least, lightest, is_uneven
):
    values, numbers, weights = numbers_of_few_values(seed, n_values, n_rows, gaps=gaps)
    if is_uneven:
        weights = weights * np.random.default_rng(seed).random(n_rows)
    table, target = forest_core_of(values, numbers, weights)
    ranks = _core.Ranks(table, target)
    options = {"missing": missing, "least": least, "lightest": lightest, "max_features": 0}
    assert grow(table, target, ranks=ranks, **options) == grow(table, target, **options)


@pytest.mark.parametrize("n_values", [2, 5, 20])
def test_the_first_cut_of_numbers_is_the_best_of_all(n_values):
    for seed in range(20):
        values, numbers, weights = numbers_of_few_values(seed, n_values, 200)
        best, found = -np.inf, None
        for column in range(4):
            for low in np.unique(values[:, column])[:-1]:
                left = values[:, column] <= low
                spreads = [
                    np.sum(weights[part] * (numbers[part] - mean) ** 2)
                    for part in (left, ~left)
                    for mean in [np.average(numbers[part], weights=weights[part])]
                ]
                if -sum(spreads) > best + 1e-7:
                    best, found = -sum(spreads), (column, left)
        table, target = forest_core_of(values, numbers, weights)
        tree = grow(table, target, max_features=0, ranks=_core.Ranks(table, target))
        column, threshold = cuts_of(tree)[0]
        assert column == found[0]
        np.testing.assert_array_equal(values[:, column] <= threshold, found[1])


def test_of_twin_columns_summed_by_value_the_first_is_read():
    for seed in range(20):
        values, numbers, weights = numbers_of_few_values(seed, 4, 300)
        # The third column divides the rows as the second does, summed from the other end.
        table, target = forest_core_of(values, numbers, weights)
        tree = grow(table, target, max_features=0, ranks=_core.Ranks(table, target))
        assert tree.n_nodes > 20
        assert {column for column, _ in cuts_of(tree)} == {0, 1}


@pytest.mark.parametrize("n_values", [2, 5])
def test_weights_are_repeated_rows_where_numbers_are_summed_by_value(n_values):
    for seed in range(20):
        values, numbers, weights = numbers_of_few_values(seed, n_values, 150)
        table, target = forest_core_of(values, numbers, weights)
        rows = np.repeat(np.arange(150), weights)
        again, its_target = forest_core_of(values[rows], numbers[rows], np.ones(rows.size))
        tree = grow(table, target, ranks=_core.Ranks(table, target))
        other = grow(again, its_target, ranks=_core.Ranks(again, its_target))
        assert cuts_of(tree) == cuts_of(other)
        np.testing.assert_allclose(tree.predict_values(table), other.predict_values(table))


def test_the_order_of_rows_is_nothing_where_numbers_are_summed_by_value():
    for seed in range(20):
        values, numbers, weights = numbers_of_few_values(seed, 3, 200, gaps=0.1)
        order = np.random.default_rng(seed).permutation(200)
        table, target = forest_core_of(values, numbers, weights)
        mixed, its_target = forest_core_of(values[order], numbers[order], weights[order])
        tree = grow(table, target, ranks=_core.Ranks(table, target))
        other = grow(mixed, its_target, ranks=_core.Ranks(mixed, its_target))
        assert cuts_of(tree) == cuts_of(other)


def test_trends_are_kept_where_columns_have_few_values():
    values, numbers, weights = numbers_of_few_values(0, 5, 400)
    table, target = forest_core_of(values, -numbers, weights)
    trends = [1, -1, 0, -1]
    ranks = _core.Ranks(table, target)
    tree = grow(table, target, trends=trends, ranks=ranks)
    assert tree == grow(table, target, trends=trends)
    assert tree != grow(table, target, ranks=ranks)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n_classes", [0, 2])
def test_columns_without_values_or_with_one(order, n_classes):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 3, (100, 5)).astype(float)
    values[:, 0], values[:, 1] = np.nan, -0.0
    values[::2, 1] = 0.0
    values[::3, 2] = np.nan
    values[::5, 3] = np.inf
    table = _core.Table(np.asarray(values, order=order), np.zeros(5, dtype=np.int32))
    weights = np.ones(100)
    if n_classes:
        target = _core.Target.classes(rng.integers(0, 2, 100).astype(np.int32), 2, weights)
    else:
        target = _core.Target.numbers(rng.normal(size=100), weights)
    tree = grow(table, target, max_features=0, ranks=_core.Ranks(table, target))
    assert tree == grow(table, target, max_features=0)
    assert {column for column, _ in cuts_of(tree)} == {2, 3, 4}


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
