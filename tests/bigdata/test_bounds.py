"""No cut inside a bin is worth more than the bound of the bin, whatever order its rows are in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.twins.twins import CLASS_MEASURES, class_gain, spread
from treewright import _core

CORNERS_AT_MOST = 8  # classes of a bin whose corners are all looked at


def lines_of(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, edges: np.ndarray, n_classes: int
) -> np.ndarray:
    """Return the sums of every bin of one column, and of missing values: none."""
    cells = (
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.array([0, len(edges)], np.int64),
        edges,
        np.array([0.0 if n_classes else math.fsum(w * y) / math.fsum(w)]),
        [],
    )
    growth = growth_of(x, y, w, n_classes, "gini" if n_classes else "squared_error", "plain")
    table = _core.Table(np.asfortranarray(x[:, None]), np.zeros(1, np.int32))
    tree = growth.tree()[0]
    tally = _core.Tally(cells, n_classes)
    tally.add(tree, np.zeros(1, np.int32), table, target_of(y, w, n_classes))
    return cells, tally.take_lines()


def target_of(y: np.ndarray, w: np.ndarray, n_classes: int) -> _core.Target:
    if n_classes:
        return _core.Target.classes(y.astype(np.int32), n_classes, w)
    return _core.Target.numbers(y, w)


def growth_of(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, n_classes: int, measure: str, gain: str
) -> _core.PartitionedGrowth:
    options = _core.GrowOptions()
    options.measure, options.gain = measure, gain
    unit = bool((w == 1).all())
    growth = _core.PartitionedGrowth(
        np.zeros(1, np.int32), n_classes, options, "subset", len(x), unit, None
    )
    if n_classes:
        growth.plant(np.bincount(y, w, minlength=n_classes))
    else:
        mean = math.fsum(w * y) / math.fsum(w)
        growth.plant(np.array([w.sum(), mean, (w * (y - mean) ** 2).sum()]))
    return growth


def score(
    measure: str, gain: str, y: np.ndarray, w: np.ndarray, is_left: np.ndarray, n_classes: int
) -> float:
    """Return what a cut is worth, from the rows on either side."""
    sides = (is_left, ~is_left)
    if n_classes == 0:
        inside = math.fsum(spread(measure, y[side], w[side]) for side in sides)
        return spread(measure, y, w) - inside
    children = [np.bincount(y[side], w[side], minlength=n_classes) for side in sides]
    decrease = class_gain(measure, np.bincount(y, w, minlength=n_classes), children)
    if gain == "plain":
        return decrease
    shares = np.array([w[side].sum() for side in sides]) / w.sum()
    return decrease / (1.0 - float((shares * np.log2(shares)).sum()))


def draw(random: np.random.Generator, n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw rows in order of a column; classes may come in blocks, where ends of bins say least."""
    n = int(random.integers(4, 60))
    x = np.sort(random.integers(0, n, n).astype(np.float64))
    w = [np.ones(n), random.integers(1, 5, n).astype(np.float64), random.random(n) + 1e-3][
        int(random.integers(3))
    ]
    if not n_classes:
        return x, random.normal(size=n).round(int(random.integers(0, 3))), w
    y = random.integers(0, n_classes, n)
    if random.random() < 0.5:
        y = np.sort(y)[:: int(random.choice([-1, 1]))]
    y[0] = n_classes - 1  # every table has as many classes
    return x, y, w


def check_bounds(measure: str, gain: str, n_classes: int, seed: int) -> tuple[int, int]:
    """Compare bounds with every cut; return the cuts inside, and those above both ends."""
    random = np.random.default_rng(seed)
    x, y, w = draw(random, n_classes)
    if len(np.unique(y)) < 2:
        return 0, 0
    edges = np.unique(random.choice(x, int(random.integers(1, 5))))
    cells, lines = lines_of(x, y, w, edges, n_classes)
    growth = growth_of(x, y, w, n_classes, measure, gain)
    growth.put(cells, lines)
    inside, at_ends = growth.bounds(0, 0)
    bin_of = np.searchsorted(edges, x, side="left")
    n_inside = n_above = 0
    size = spread(measure, y, w) if n_classes == 0 else w.sum()
    for place, number in enumerate(np.unique(bin_of)):
        values = np.unique(x[bin_of == number])
        if place + 1 < len(np.unique(bin_of)):
            end = score(measure, gain, y, w, x <= values[-1], n_classes)
            assert at_ends[0][place] == pytest.approx(end, rel=1e-9, abs=1e-9 * size)
        ends = max([at_ends[0][place], at_ends[0][place - 1] if place else -math.inf, 0.0])
        for value in values[:-1]:
            worth = score(measure, gain, y, w, x <= value, n_classes)
            assert not worth > inside[place] + 1e-12 * size
            n_inside += 1
            n_above += worth > ends + 1e-9 * size
    return n_inside, n_above


@pytest.mark.parametrize("gain", ["plain", "balanced"])
@pytest.mark.parametrize("measure", CLASS_MEASURES)
@pytest.mark.parametrize("n_classes", [2, 3, CORNERS_AT_MOST + 3])
def test_no_cut_inside_a_bin_beats_its_bound(measure, gain, n_classes):
    counts = np.array([check_bounds(measure, gain, n_classes, seed) for seed in range(25)])
    n_inside, n_above = counts.sum(axis=0)
    assert n_inside > 100
    assert n_above > 0  # the ends of a bin alone are no bound


def test_no_cut_inside_a_bin_beats_its_bound_for_numbers():
    counts = np.array([check_bounds("squared_error", "plain", 0, seed) for seed in range(100)])
    n_inside, n_above = counts.sum(axis=0)
    assert n_inside > 1000
    assert n_above > 0


@pytest.mark.slow
@pytest.mark.parametrize("measure", CLASS_MEASURES)
def test_bounds_hold_in_thousands_of_bins(measure):
    for seed in range(1000):
        check_bounds(measure, ("plain", "balanced")[seed % 2], 2 + seed % 11, seed)


def test_all_rows_of_one_class_may_come_first():
    x, y = np.arange(100.0), np.repeat([0, 1], 50)
    cells, lines = lines_of(x, y, np.ones(100), np.array([200.0]), 2)
    growth = growth_of(x, y, np.ones(100), 2, "gini", "plain")
    growth.put(cells, lines)
    (bound,), _ = growth.bounds(0, 0)
    assert bound == pytest.approx(50.0)


def test_a_corner_that_is_everything_but_for_rounding_did_not_hide_the_last_bin():
    # The bound of the last bin was 0 / 0, and `bound >= best` excluded it.
    for seed in range(300):
        random = np.random.default_rng(seed)
        x, w = np.arange(20.0), random.random(20) * 10.0 ** random.integers(-8, 8, 20)
        y = (x > 17).astype(np.int64)
        cells, lines = lines_of(x, y, w, np.array([9.0]), 2)
        growth = growth_of(x, y, w, 2, "gini", "plain")
        growth.put(cells, lines)
        assert np.isinf(growth.unsettled()[2][:, 1]).any()


@pytest.mark.parametrize(
    ("cost", "holds"),
    [
        ([0, 1, 1, 1, 0, 1, 1, 1, 0], True),
        ([0, 1, 9, 1, 0, 1, 9, 1, 0], False),  # cheaper by a detour
        ([0, 5, 1, 0], True),
    ],
)
def test_costs_have_a_bound_where_no_detour_is_cheaper(cost, holds):
    n_classes = math.isqrt(len(cost))
    assert _core.has_bound("cost_gini", [float(c) for c in cost], n_classes) is holds
