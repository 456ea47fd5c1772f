"""Sums in fewer words: they send the rows of their node the same way."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import _core
from treewright.optimal.short_sums import shortened
from treewright.predicates import Axis, Linear


def table(n_rows: int = 300, seed: int = 0) -> _core.Table:
    """Two numeric columns and one of three levels."""
    random = np.random.default_rng(seed)
    columns = [random.normal(40, 10, n_rows), random.integers(0, 4, n_rows)]
    columns.append(random.integers(0, 3, n_rows))
    values = np.column_stack(columns).astype(float)
    values[:5, 0] = np.nan
    return _core.Table(values, np.array([0, 0, 3], dtype=np.int32))


def every(rows: _core.Table) -> np.ndarray:
    return np.arange(rows.n_rows, dtype=np.uint32)


@pytest.mark.parametrize("seed", range(20))
def test_rows_go_the_same_way(seed):
    random = np.random.default_rng(seed)
    rows = table(seed=seed)
    some = np.sort(random.choice(300, 80, replace=False)).astype(np.uint32)
    levels = (None, None, int(random.integers(0, 3)))
    weights = tuple(float(f"{w:.2g}") for w in random.normal(size=3) * (0.03, 2.0, 1.0))
    predicate = Linear((0, 1, 2), weights, float(random.normal()), levels)
    short = shortened(predicate, rows, some)
    assert short.n_terms <= 3
    ways = [_core.route(one.encode(), rows, some) for one in (predicate, short)]
    np.testing.assert_array_equal(*ways)


def test_terms_that_are_levels_become_points():
    predicate = Linear((2, 2), (0.71, 1.3), 0.0, (0, 1))
    rows = table()
    assert shortened(predicate, rows, every(rows)).coefficients == (1.0, 1.0)


def test_a_weight_of_one_beside_whole_numbers():
    predicate = Linear((0, 1), (0.03, -2.7), 0.74)
    rows = table()
    short = shortened(predicate, rows, every(rows))
    assert isinstance(short, Linear)
    assert short.coefficients[0] == 1.0
    assert float(short.coefficients[1]).is_integer()


def test_a_level_is_round_beside_a_number_in_its_own_unit():
    predicate = Linear((1, 2), (1.9, -1.0), 1.0, (None, 1))
    rows = table()
    assert shortened(predicate, rows, every(rows)) == Linear((1, 2), (1.0, -1.0), 0.0, (None, 1))


def test_unknown_rows_do_not_keep_a_threshold():
    rows = table()  # the first rows have no first number
    short = shortened(Linear((0, 1), (1.0, -2.0), 38.14159), rows, every(rows))
    assert len(f"{short.threshold:g}") < len("38.14")


def test_a_level_gets_a_round_number():
    predicate = Linear((1, 2), (1.0, -1.6), 0.0, (None, 1))
    rows = table()
    assert shortened(predicate, rows, every(rows)) == Linear((1, 2), (1.0, -1.0), 0.0, (None, 1))


def test_a_term_that_no_row_needs_is_left_out():
    values = np.column_stack([np.arange(10.0), np.full(10, 0.5), np.zeros(10)])
    rows = _core.Table(values, np.array([0, 0, 3], dtype=np.int32))
    short = shortened(Linear((0, 1), (1.0, 0.1), 4.6), rows, every(rows))
    assert isinstance(short, Axis)
