"""Weights, costs and numbers as whole numbers: exact where they can be, honest where not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.exceptions import NotProvenWarning
from treewright.optimal import Certificate
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
def test_no_answer_looks_dearer_than_the_slack_allows(weights, price, dear):
    weights = np.array(weights)
    costs = np.array([[0.0, 1.0], [dear, 0.0]])
    codes = codes_of(len(weights))
    units = class_units(codes, weights, costs, [price])
    assert (units.weights > 0).all()
    assert units.weights.sum() * units.costs.max() <= 2**53
    for answer in (0, 1):
        true = float((weights * costs[codes, answer]).sum()) + 3 * price
        counted = int((units.weights * units.costs[codes, answer]).sum()) + 3 * units.whole(price)
        assert counted * units.unit - true <= units.slack(true, 3) * (1 + 1e-9) + 1e-9 * true


def squared_error(numbers, weights) -> float:
    mean = np.average(numbers, weights=weights)
    return float((weights * (numbers - mean) ** 2).sum())


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0.01, 100.0)), min_size=1, max_size=30))
def test_no_squared_error_looks_dearer_than_the_slack_allows(rows):
    numbers, weights = np.array(rows).T
    units = number_units(numbers, weights, [0.0])
    assert (units.targets >= 0).all()
    assert float((units.weights * units.targets.astype(float) ** 2).sum()) <= 2.0**48
    true = squared_error(numbers, weights)
    counted = squared_error(units.targets.astype(float), units.weights.astype(float))
    rounding = 1e-9 * float((weights * numbers**2).sum())
    assert counted * units.unit - true <= units.slack(true, 0) + rounding
    weights, products = units.weights, units.weights * units.targets
    digits = [
        int(part.max() // max(np.gcd.reduce(part), 1)).bit_length() for part in (weights, products)
    ]
    assert sum(digits) <= 64


@pytest.mark.parametrize(
    "numbers",
    [[1, 2, 700], [0.1, 0.25, -3.7], [12.5, 13.25, 10.0], [1e6 + 0.1, 1e6], [1e12 + 0.25, 1e12]],
)
def test_numbers_with_few_decimals_are_exact(numbers):
    numbers = np.array(numbers, dtype=np.float64)
    units = number_units(numbers, np.ones(len(numbers)), [0.0])
    steps = units.targets * np.sqrt(units.unit)
    assert steps == pytest.approx(numbers - numbers.min(), rel=1e-9)
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


def test_weights_of_numbers_leave_digits_for_the_numbers():
    random = np.random.default_rng(0)
    numbers, weights = random.normal(size=300), random.random(300) ** 4
    units = number_units(numbers, weights, [0.0])
    assert 1e3 < units.weights.max() < 2**24
    assert units.targets.max() > 1e3
    model = OptimalTreeRegressor(1).fit(
        random.integers(0, 5, (300, 1)), numbers, sample_weight=weights
    )
    assert model.certificate_.status == "rounded"
    assert 0.0 < model.certificate_.gap < 0.001


def test_numbers_far_from_zero_are_told_apart():
    model = OptimalTreeRegressor(1).fit(np.arange(8.0)[:, None], [1e12] * 4 + [1e12 + 0.25] * 4)
    assert model.tree_.n_leaves == 2
    assert model.certificate_.objective == model.certificate_.lower_bound == 0.0


def test_small_costs_count_beside_very_large_ones():
    more = 1e-9 * np.pi
    costs = [[0, 1.49 + more, 0.51 + more], [1e6, 0, 0.3], [1e6, 0.3, 0]]
    y = np.array([2, 1] + [0] * 1000)
    model = OptimalTreeClassifier(1, max_nodes=0, cost_matrix=costs)
    certificate = model.fit(np.arange(1002.0)[:, None] == 0, y).certificate_
    assert certificate.objective == pytest.approx(510.3)
    assert certificate.lower_bound == pytest.approx(510.3)
    assert certificate.gap > 0.0


@given(
    st.lists(st.floats(0.001, 1000.0), min_size=6, max_size=6),
    st.lists(st.floats(0.01, 100.0), min_size=8, max_size=8),
    st.lists(st.integers(0, 2), min_size=8, max_size=8).filter(lambda y: len({*y}) == 3),
)
def test_the_bound_holds_for_the_cheapest_answer(costs, weights, y):
    matrix = np.zeros((3, 3))
    matrix[~np.eye(3, dtype=bool)] = costs
    weights = np.array(weights)
    model = OptimalTreeClassifier(1, max_nodes=0, cost_matrix=matrix)
    certificate = model.fit(np.arange(8)[:, None], y, sample_weight=weights).certificate_
    truth = min((weights * matrix[y, answer]).sum() for answer in range(3))
    assert certificate.lower_bound <= truth * (1 + 1e-12)
    assert truth * (1 - 1e-12) <= certificate.objective <= truth * (1 + 1e-4)


@pytest.mark.filterwarnings("ignore::treewright.exceptions.NotProvenWarning")
@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_squared_error_hold_beside_every_tree(seed):
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(2, 40))
    column = random.integers(0, 9, n_rows)
    weights = [random.random(n_rows) ** 6 + 1e-9, 10.0 ** random.uniform(-8, 8, n_rows)][seed % 2]
    normal = random.normal(size=n_rows)
    numbers = [normal, np.rint(9 * normal), 1e9 + normal, np.exp(4 * normal)][seed // 2 % 4]
    objectives = [squared_error(numbers, weights)]
    for threshold in np.unique(column)[:-1]:
        below = column <= threshold
        objectives.append(
            squared_error(numbers[below], weights[below])
            + squared_error(numbers[~below], weights[~below])
        )
    model = OptimalTreeRegressor(1).fit(column[:, None], numbers, sample_weight=weights)
    certificate, least = model.certificate_, min(objectives)
    rounding = 1e-9 * least + 1e-14 * float((weights * numbers**2).sum())
    assert certificate.lower_bound <= least + rounding
    assert certificate.objective >= least - rounding


# ------------------------------------------------------------- a gap by rounding was called proven


def random_table(n_rows: int = 200) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    random = np.random.default_rng(5)
    table = random.integers(0, 6, (n_rows, 3)).astype(float)
    return table, (table[:, 0] + random.integers(0, 3, n_rows) > 4).astype(int), random


def test_a_gap_by_rounding_is_not_called_proven():
    table, _, random = random_table()
    model = OptimalTreeRegressor(2).fit(table, table[:, 0] + random.normal(size=len(table)))
    certificate = model.certificate_
    assert 1e-9 < certificate.gap < 1e-3
    assert certificate.status == "rounded"
    assert certificate.is_complete
    assert not certificate.proven
    assert "optimal up to rounding" in str(certificate)
    assert "targets were rounded for the search" in str(certificate)


def test_certificates_of_older_files_tell_rounding_apart():
    written = {**Certificate(2.0, 1.0, "rounded", 0.1, "trees").to_json(), "status": "optimal"}
    assert Certificate.from_json(written).status == "rounded"
    written["lower_bound"] = 2.0
    assert Certificate.from_json(written).proven


@pytest.mark.parametrize("kind", ["real", "small", "costs"])
def test_irregular_weights_and_costs_of_classes_leave_no_gap(kind):
    table, y, random = random_table()
    weights = random.uniform(0.2, 2.0, len(y)) * (1e-7 if kind == "small" else 1.0)
    costs = [[0.0, np.pi], [np.e, 0.0]] if kind == "costs" else None
    model = OptimalTreeClassifier(2, cost_matrix=costs).fit(table, y, sample_weight=weights)
    certificate = model.certificate_
    assert certificate.objective > 0.0
    assert certificate.proven
    assert certificate.lower_bound == certificate.objective


@pytest.mark.parametrize(
    "weights", [[1 / 3, 2 / 3, 1.0], [0.7 / 6, 0.3 / 4, 0.3 / 4], [10 / 14, 10 / 6, 10 / 6]]
)
def test_weights_in_simple_ratios_are_exact(weights):
    units = class_units(codes_of(3), np.array(weights), ONES, [0.0])
    assert units.has_whole_weights
    assert units.weights * units.unit == pytest.approx(weights, rel=1e-14)


def test_a_penalty_beside_whole_weights_is_as_fine_as_can_be():
    units = class_units(codes_of(3), np.array([1.0, 2.0, 5.0]), ONES, [np.pi / 100])
    assert units.weights * units.unit == pytest.approx([1.0, 2.0, 5.0], rel=1e-14)
    assert units.whole(np.pi / 100) * units.unit == pytest.approx(np.pi / 100, rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.1, 0.25, 0.4])
def test_leaves_have_their_least_weight_though_weights_are_rounded(seed, share):
    random = np.random.default_rng(seed)
    table, numbers = random.integers(0, 9, (12, 2)), random.normal(size=12)
    weights = 10.0 ** random.uniform(-3.0, 0.0, 12)
    model = OptimalTreeRegressor(2, min_weight_fraction_leaf=share)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)
        model.fit(table, numbers, sample_weight=weights)
    leaves = model.apply(table)
    least = min(weights[leaves == leaf].sum() for leaf in np.unique(leaves))
    assert least >= share * weights.sum() * (1 - 1e-9)
