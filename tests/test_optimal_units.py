"""Weights, costs and numbers as whole numbers: exact where they can be, honest where not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.optimal.units import class_units, number_units

ONES = 1.0 - np.eye(2)
weights_strategy = st.lists(
    st.floats(1e-3, 1e3, allow_nan=False, allow_infinity=False), min_size=1, max_size=30
)


def codes_of(n_rows: int) -> np.ndarray:
    return (np.arange(n_rows) % 2).astype(np.int32)


def test_counts_stay_counts():
    units = class_units(codes_of(4), np.ones(4), ONES, [0.0])
    assert units.unit == 1.0
    assert units.weights.tolist() == [1, 1, 1, 1]
    assert units.costs.tolist() == [[0, 1], [1, 0]]
    assert units.slack(10.0, 7) == 0.0


@pytest.mark.parametrize(
    ("weights", "prices"),
    [
        ([1.0, 2.0, 5.0], [0.0]),
        ([0.5, 1.5, 2.25], [0.0]),
        ([0.1, 0.3, 2.7], [0.0]),
        ([0.37, 0.37, 0.37], [0.0]),
        ([1.0, 1.0, 1.0], [8.12]),
        ([1.0, 1.0, 1.0], [0.25, 0.125]),
    ],
)
def test_decimals_and_halves_are_exact(weights, prices):
    weights = np.array(weights)
    units = class_units(codes_of(3), weights, ONES, prices)
    assert units.slack(1.0, 7) <= 1e-12
    assert units.costs.tolist() == [[0, 1], [1, 0]]
    assert units.weights * units.unit == pytest.approx(weights, rel=1e-12)
    for price in prices:
        assert units.whole(price) * units.unit == pytest.approx(price, rel=1e-12)


@given(weights_strategy, st.floats(0.0, 10.0), st.floats(0.01, 100.0))
def test_the_cost_of_every_answer_lies_within_the_slack(weights, price, dear):
    weights = np.array(weights)
    costs = np.array([[0.0, 1.0], [dear, 0.0]])
    codes = codes_of(len(weights))
    units = class_units(codes, weights, costs, [price])
    assert (units.weights > 0).all()
    assert units.weights.sum() * units.costs.max() <= 2**53
    for answer in (0, 1):
        true = float((weights * costs[codes, answer]).sum()) + 3 * price
        counted = int((units.weights * units.costs[codes, answer]).sum()) + 3 * units.whole(price)
        assert abs(true - counted * units.unit) <= units.slack(true, 3) * (1 + 1e-9) + 1e-9 * true


def squared_error(numbers, weights) -> float:
    mean = np.average(numbers, weights=weights)
    return float((weights * (numbers - mean) ** 2).sum())


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0.01, 100.0)), min_size=1, max_size=30))
def test_squared_errors_lie_within_the_slack(rows):
    numbers, weights = np.array(rows).T
    units = number_units(numbers, weights, [0.0])
    assert (units.targets >= 0).all()
    assert float((units.weights * units.targets.astype(float) ** 2).sum()) <= 2.0**48
    true = squared_error(numbers, weights)
    counted = squared_error(units.targets.astype(float), units.weights.astype(float))
    rounding = 1e-9 * float((weights * numbers**2).sum())
    assert abs(true - counted * units.unit) <= units.slack(true, 0) + rounding


@pytest.mark.parametrize("numbers", [[1, 2, 700], [0.1, 0.25, -3.7], [12.5, 13.25, 10.0]])
def test_numbers_with_few_decimals_are_exact(numbers):
    numbers = np.array(numbers, dtype=np.float64)
    units = number_units(numbers, np.ones(3), [0.0])
    steps = units.targets * np.sqrt(units.unit)
    assert steps == pytest.approx(numbers - numbers.min(), rel=1e-12)
    # What is left is the unit that the core may cut off in each leaf.
    assert units.slack(1.0, 0) == units.unit <= 1e-6


@pytest.mark.parametrize(
    "numbers", [[5.0, 5.0], [0.123456789, 0.123456789], [1e-100, 2e-100], [-1e150, 1e150], [7.0]]
)
def test_odd_numbers_have_units(numbers):
    units = number_units(np.array(numbers), np.ones(len(numbers)), [0.0])
    assert np.isfinite(units.unit)
    assert np.isfinite(units.slack(0.0, 7))
    assert len(set(units.targets.tolist())) == len(set(numbers))


@pytest.mark.parametrize("weights", [[1e-300, 1e300], [1e-9, 1.0], [3e15, 1.0]])
def test_weights_of_very_different_size_stay_above_zero(weights):
    units = class_units(codes_of(2), np.array(weights), ONES, [0.0])
    assert (units.weights > 0).all()
    assert units.weights.sum() <= 2**53
