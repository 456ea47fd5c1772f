"""The signed sweep: exact for any signs, by brute force and by the vectors of the specification."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sweep_twin
from sweep_twin import Rows, best_step, sides_at

from treewright import _core
from treewright.measures import CLASS_MEASURES

N_CASES = 80  # of each measure and gain


def draw_rows(random: np.random.Generator, measure: str, gain: str) -> Rows:
    n = int(random.integers(1, 12))
    n_classes = 0 if measure == "squared_error" else int(random.integers(2, 6))
    y = random.integers(-4, 5, n) / 2 if n_classes == 0 else random.integers(0, n_classes, n)
    w = random.choice([np.ones(n), random.integers(1, 4, n), random.uniform(0.1, 2.0, n)])
    cost = sweep_twin.NO_COST
    if measure == "cost_gini":
        cost = random.integers(1, 4, (n_classes, n_classes)).astype(float)
        np.fill_diagonal(cost, 0.0)
    min_count, min_weight = int(random.integers(1, 4)), float(random.choice([0.0, 0.9]))
    return Rows(y, w.astype(float), n_classes, measure, gain, min_count, min_weight, cost)


def draw_line(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Coarse numbers: equal break points, zeros, and rows on the plane are common."""
    signs = random.choice(3)
    x = random.integers(-3, 4, n) / 2
    return random.integers(-4, 5, n) / 4, x if signs == 0 else np.abs(x) + (signs == 1)


@pytest.mark.parametrize("gain", ["plain", "balanced", "ratio"])
@pytest.mark.parametrize("measure", [*CLASS_MEASURES, "cost_gini", "squared_error"])
def test_the_best_step_is_that_of_brute_force(measure, gain):
    random = np.random.default_rng(len(measure) + 100 * len(gain))
    for _ in range(N_CASES):
        rows = draw_rows(random, measure, gain)
        v, x = draw_line(random, len(rows.y))
        sweep = rows.sweep()
        assert sweep.score(v) == pytest.approx(rows.score(v > 0), abs=1e-12)
        length, score = sweep.best_step(v, x)
        expected, expected_score = best_step(rows, v, x)
        assert score == pytest.approx(expected_score, abs=1e-12)
        if math.isfinite(score):
            assert length == pytest.approx(float(expected), abs=1e-12)
            np.testing.assert_array_equal(v + length * x > 0, sides_at(v, x, expected))


def test_the_vector_of_the_specification():
    X = np.array([(1, 2), (-1, 1), (2, -1), (-2, -1), (0.5, 0), (-0.5, -2)])
    rows = Rows(np.array([1, 1, 1, 0, 0, 0]), np.ones(6), 2, "gini")
    v, x = X[:, 0] - 0.25, X[:, 1].copy()
    expected = {-3.25: 1 / 4, -1.3125: 1 / 18, 0.4375: 1 / 18, 1.5: 1 / 4, 2.75: 1 / 18}
    sweep = rows.sweep()
    assert {t: pytest.approx(sweep.score(v + t * x)) for t in expected} == expected
    steps = [float(t) for t in sweep_twin.steps(v, x)]
    assert steps == [t for t in expected if t != 0.4375]  # where the plane is
    assert sweep.best_step(v, x) == pytest.approx((-3.25, 1 / 4))
    # The best break point if all rows are taken to move one way.
    assert sweep.score(v - 0.375 * x) == 0.0


@pytest.mark.parametrize(
    ("left", "right", "twoing", "gini"),
    [
        ((30, 10), (10, 50), 0.0816666667, 0.1633333333),
        ((8, 1, 1), (2, 9, 4), 0.1066666667, 0.1733333333),
    ],
)
def test_goodness_of_the_specification(left, right, twoing, gini):
    y = np.repeat(np.tile(np.arange(len(left)), 2), [*left, *right])
    v = np.repeat([-1.0, 1.0], [sum(left), sum(right)])
    for measure, expected in (("twoing", twoing), ("gini", gini)):
        rows = Rows(y, np.ones(len(y)), len(left), measure)
        assert rows.sweep().score(v) == pytest.approx(expected)


@pytest.mark.parametrize("n", [300, 1500])  # few and many are sorted differently
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("measure", ["entropy", "twoing"])
def test_a_sweep_along_ones_is_the_best_threshold(n, n_classes, measure):
    random = np.random.default_rng(3)
    x = random.normal(size=n).round(2)
    rows = Rows(random.integers(0, n_classes, n), np.ones(n), n_classes, measure)
    length, score = rows.sweep().best_step(x - x.max() - 1.0, np.ones(n))
    values = np.unique(x)
    scores = {t: rows.score(x > t) for t in (values[:-1] + values[1:]) / 2}
    best = max(scores, key=scores.__getitem__)
    assert score == pytest.approx(scores[best])
    assert x.max() + 1.0 - length == pytest.approx(best)


@pytest.mark.parametrize("measure", ["gini", "entropy", "twoing", "hellinger"])
def test_many_moves_do_not_add_up_rounding(measure):
    random = np.random.default_rng(5)
    n = 20_000
    rows = Rows(random.integers(0, 3, n), random.uniform(0.5, 2.0, n), 3, measure)
    v, x = random.normal(size=n), random.normal(size=n)
    sweep = rows.sweep()
    length, score = sweep.best_step(v, x)
    assert sweep.score(v + length * x) == pytest.approx(score, rel=1e-9)


def test_rows_that_do_not_move_leave_nothing_to_choose():
    rows = Rows(np.array([0, 1, 1]), np.ones(3), 2, "gini")
    sweep = rows.sweep()
    assert sweep.best_step(np.array([-1.0, 1.0, 2.0]), np.zeros(3)) == (0.0, -math.inf)


def test_a_sweep_refuses_absolute_errors_and_lines_of_another_length():
    target = _core.Target.numbers(np.arange(3.0), np.ones(3))
    with pytest.raises(ValueError, match="squared_error"):
        _core.Sweep(target, "absolute_error", "plain", 1, 0.0, sweep_twin.NO_COST)
    sweep = _core.Sweep(target, "squared_error", "plain", 1, 0.0, sweep_twin.NO_COST)
    with pytest.raises(ValueError, match="one value per row"):
        sweep.best_step(np.zeros(3), np.zeros(2))
