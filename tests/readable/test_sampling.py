"""The order of rows by what they hold."""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright.estimators.training import read_numbers
from treewright.readable.sampling import order_of_content

FACTOR, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


def hashes_by_numpy(columns):
    keys = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        numbers = np.where(np.isnan(column), np.nan, column + 0.0)
        keys = (keys ^ numbers.view(np.uint64)) * FACTOR
        keys ^= keys >> SHIFT
    return keys


def drawn(n_rows):
    random = np.random.default_rng(n_rows)
    X = random.integers(-2, 3, (n_rows, 3)) * 0.5
    X[random.random(X.shape) < 0.1] = np.nan
    X[random.random(X.shape) < 0.1] = -0.0
    return X, random.integers(0, 3, n_rows).astype(float), random.integers(1, 3, n_rows) * 1.0


def test_hashes_are_those_of_the_definition_whatever_the_memory_order():
    for n_rows in (1, 100, 9000):
        X, y, weights = drawn(n_rows)
        expected = hashes_by_numpy([*X.T, y, weights]).tolist()
        for values in (np.asfortranarray(X), np.ascontiguousarray(X)):
            table = _core.Table(values, np.zeros(3, dtype=np.int32))
            assert _core.row_hashes(table, y, weights).tolist() == expected


def test_the_order_does_not_depend_on_how_rows_were_given():
    X, y, _ = drawn(500)
    shuffled = np.random.default_rng(0).permutation(500)
    for some in (slice(None), slice(30)):  # with equal rows, and perhaps without
        first = read_numbers(X[some], y[some], None, "")
        moved = shuffled[shuffled < len(first.truth)]
        second = read_numbers(X[moved], y[moved], None, "")
        np.testing.assert_array_equal(
            first.values[order_of_content(first)], second.values[order_of_content(second)]
        )
