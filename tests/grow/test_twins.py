"""The brute-force twins against numbers worked out elsewhere (the textbook vectors)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import twins

PARENT = np.array([50.0, 30.0, 20.0])
CHILDREN = [np.array([40.0, 5.0, 5.0]), np.array([10.0, 25.0, 15.0])]
NUMBERS = np.array([1.0, 2, 3, 10, 11, 30])

PLAY_TENNIS = """
sunny hot high weak no;         sunny hot high strong no;       overcast hot high weak yes
rain mild high weak yes;        rain cool normal weak yes;      rain cool normal strong no
overcast cool normal strong yes;sunny mild high weak no;        sunny cool normal weak yes
rain mild normal weak yes;      sunny mild normal strong yes;   overcast mild high strong yes
overcast hot normal weak yes;   rain mild high strong no
"""


def play_tennis() -> tuple[dict[str, np.ndarray], np.ndarray]:
    rows = [row.split() for row in PLAY_TENNIS.replace("\n", ";").split(";") if row.strip()]
    codes = {
        name: np.unique([row[index] for row in rows], return_inverse=True)[1].astype(float)
        for index, name in enumerate(["outlook", "temperature", "humidity", "wind", "play"])
    }
    return codes, codes.pop("play").astype(int)


@pytest.mark.parametrize(
    ("measure", "impurity", "decrease"),
    [
        ("gini", 0.62, 0.14),
        ("entropy", 1.485475, 0.281774),
        ("misclassification", 0.5, 0.15),
        ("deviance", 2 * math.log(2) * 1.485475, 2 * math.log(2) * 0.281774),
    ],
)
def test_impurities(measure: str, impurity: float, decrease: float) -> None:
    assert twins.impurity(measure, PARENT) == pytest.approx(impurity, abs=2e-6)
    gain = twins.class_gain(measure, PARENT, CHILDREN)
    assert gain / 100 == pytest.approx(decrease, abs=2e-6)


def test_measures_that_compare_branches() -> None:
    assert twins.class_gain("twoing", PARENT, CHILDREN) / 100 == pytest.approx(0.09)
    halves = [np.array([5.0, 0.0]), np.array([0.0, 5.0])]
    distance = twins.class_gain("hellinger", np.array([5.0, 5.0]), halves) / 10
    assert distance == pytest.approx(0.292893, abs=1e-6)
    distance = twins.class_gain("hddt", np.array([5.0, 5.0]), halves) / 10
    assert distance == pytest.approx(math.sqrt(2))


def test_cost_inside_gini() -> None:
    costs = np.array([[0, 1, 4], [1, 0, 2], [3, 1, 0]])
    left = sum(child.sum() / 100 * twins.cost_gini(child, costs) for child in CHILDREN)
    assert twins.cost_gini(PARENT, costs) == pytest.approx(1.18)
    assert twins.cost_gini(PARENT, costs) - left == pytest.approx(0.27)


def test_spread_of_numbers() -> None:
    ones = np.ones(6)
    assert twins.spread("squared_error", NUMBERS, ones) == pytest.approx(593.5)
    squared = [506.8, 401.5, 256.0, 230.5, 89.2]
    absolute = [36, 29, 22, 29, 18]
    for position in range(5):
        branch = (np.arange(6) > position).astype(int)
        for measure, left_over in (("squared_error", squared), ("absolute_error", absolute)):
            whole = twins.spread(measure, NUMBERS, ones)
            gain = twins.gain(measure, NUMBERS, ones, branch)
            assert whole - gain == pytest.approx(left_over[position])


@pytest.mark.parametrize(
    ("column", "gain", "split_information", "ratio"),
    [
        ("outlook", 0.246750, 1.577406, 0.156428),
        ("temperature", 0.029223, 1.556657, 0.018773),
        ("humidity", 0.151836, 1.000000, 0.151836),
        ("wind", 0.048127, 0.985228, 0.048849),
    ],
)
def test_play_tennis(column: str, gain: float, split_information: float, ratio: float) -> None:
    codes, play = play_tennis()
    found = twins.multiway(codes[column], play, np.ones(14))
    assert found.gain == pytest.approx(gain, abs=1e-6)
    assert found.split_information == pytest.approx(split_information, abs=1e-6)
    assert found.ratio == pytest.approx(ratio, abs=1e-6)
    assert found.balanced == pytest.approx(gain / (1 + split_information), abs=1e-6)


def test_four_rows_of_the_textbook() -> None:
    found = twins.multiway(np.array([1.0, 1, 2, 0]), np.array([1, 0, 0, 0]), np.ones(4))
    assert found.gain == pytest.approx(0.3112781, abs=1e-7)


def test_missing_outlook() -> None:
    """Golf with the outlook of row 12 unknown: gain 13/14 of that of the known rows."""
    codes, play = play_tennis()
    outlook = codes["outlook"].copy()
    outlook[11] = np.nan
    found = twins.multiway(outlook, play, np.ones(14))
    assert found.gain == pytest.approx(0.199041, abs=1e-6)
    assert found.split_information == pytest.approx(1.809200, abs=1e-6)
    assert found.ratio == pytest.approx(0.110016, abs=1e-6)


def test_numeric_rule_of_release_8() -> None:
    """Golf: humidity gains 0.102244 at 82.5 but pays log2(6) / 14, so it is no candidate."""
    humidity = np.array([85.0, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80])
    _, play = play_tennis()
    found = twins.information_gain(play, np.ones(14), twins.send(humidity, 82.5))
    assert found.gain == pytest.approx(0.102244, abs=1e-6)
    assert twins.c45_numeric(humidity, play, np.ones(14), 2) is None
    # Under sunny the cut separates the classes; two cuts are allowed, so one bit in five is paid.
    sunny = np.array([0, 1, 7, 8, 10])
    found = twins.c45_numeric(humidity[sunny], play[sunny], np.ones(5), 2)
    assert found is not None
    assert (found.threshold, found.tries) == (77.5, 2)
    assert found.gain == pytest.approx(0.970951 - 1 / 5, abs=1e-6)


def test_guard_keeps_out_less_than_average_gain() -> None:
    strong = twins.InformationGain(0.5, 2.0)
    lopsided = twins.InformationGain(0.01, 0.02)
    assert lopsided.ratio > strong.ratio
    assert twins.c45_choice([lopsided, None, strong]) == 2
    assert twins.c45_choice([None, None]) is None


def test_subset_vector() -> None:
    """Levels a (8+, 2-), b (1, 9), c (5, 5), d (2, 2): best {b}, decrease 0.114446."""
    counts = {0: (8, 2), 1: (1, 9), 2: (5, 5), 3: (2, 2)}
    codes = np.concatenate([np.full(sum(pair), level) for level, pair in counts.items()])
    y = np.concatenate([np.repeat([1, 0], pair) for pair in counts.values()])
    best = twins.best_subset(codes.astype(float), y, np.ones(len(y)), "gini")
    assert best is not None
    assert best.candidates == ((frozenset({0, 2, 3}), frozenset({1})),)
    assert best.gain / len(y) == pytest.approx(0.114446, abs=1e-6)
    for left, decrease in (({0, 2}, 0.091967), ({0}, 0.090427)):
        branch = np.where(np.isin(codes, list(left)), 0, 1)
        assert twins.gain("gini", y, np.ones(len(y)), branch) / len(y) == pytest.approx(
            decrease, abs=1e-6
        )


def test_surrogates_by_hand() -> None:
    """Six rows left, four right; a column that errs once agrees in 9 of 10, baseline 6 of 10."""
    primary = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    x = np.array([1.0, 2, 3, 4, 5, 9, 6, 7, 8, 10])
    found = twins.surrogate_threshold(primary, x, np.ones(10))
    assert found == twins.SurrogateSplit(0.9, pytest.approx(0.75), 5.5, swapped=False)
    found = twins.surrogate_threshold(primary, -x, np.ones(10))
    assert found is not None
    assert found.swapped
    levels = np.array([0.0, 0, 0, 0, 1, 1, 1, 1, 1, np.nan])
    found = twins.surrogate_levels(primary, levels, np.ones(10))
    assert found is not None
    assert found.agreement == pytest.approx(0.7)
    assert found.test == (frozenset({0}), frozenset({1}))
