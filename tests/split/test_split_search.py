"""The split search against its brute-force twins, on small random tables.

One tree of depth one is grown and its root compared: the gain must be the largest there is, and
the test one of those that reach it; the first of them when several do.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import twins
from effective import to_the_point
from hypothesis import given
from hypothesis import strategies as st

import treewright
from treewright import recipes

CASES = st.integers(0, 2**32 - 1)


def stump(table: Any, y: Any, w: Any, measure: str, **parameters: Any) -> Any:
    """The core tree of depth one."""
    numbers = measure in twins.NUMBER_MEASURES
    kind = treewright.TreeRegressor if numbers else treewright.TreeClassifier
    estimator = kind(criterion=measure, max_depth=1, readable=False, **parameters)
    return estimator.fit(table, y, sample_weight=w).tree_.core


def target_for(measure: str, generator: np.random.Generator, n_rows: int) -> np.ndarray:
    if measure in twins.NUMBER_MEASURES:
        return generator.integers(-4, 5, n_rows).astype(float)
    return np.concatenate([[0, 1], generator.integers(0, generator.integers(2, 5), n_rows - 2)])


def weights_for(generator: np.random.Generator, n_rows: int) -> np.ndarray:
    """All one, or whole numbers among which zero occurs."""
    if generator.random() < 0.5:
        return np.ones(n_rows)
    weights = generator.integers(0, 4, n_rows).astype(float)
    weights[:2] = 1
    return weights


def categories(codes: np.ndarray, n_levels: int) -> pd.DataFrame:
    """One categorical column; code -1 is missing."""
    names = [f"level {code}" for code in range(n_levels)]
    return pd.DataFrame({"x": pd.Categorical.from_codes(codes, names)})


@pytest.mark.parametrize("measure", [*twins.CLASS_MEASURES, *twins.NUMBER_MEASURES])
@given(seed=CASES)
def test_best_threshold(measure: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    best = None
    while best is None or best.gain < 1e-9:
        n_rows = int(generator.integers(4, 25))
        x = generator.integers(0, generator.choice([3, 8, 1000]), n_rows) / 4
        y, w = target_for(measure, generator, n_rows), weights_for(generator, n_rows)
        min_leaf = int(generator.integers(1, 4))
        best = twins.best_threshold(x, y, w, measure, min_leaf)
    core = stump(x[:, None], y, w, measure, min_samples_leaf=min_leaf)
    kind, features, numbers = core.test(0)
    assert (kind, list(features)) == (0, [0])
    assert core.gain[0] == pytest.approx(best.gain, rel=1e-9)
    assert numbers[0] == pytest.approx(best.candidates[0], rel=1e-12)


@pytest.mark.parametrize("measure", [*twins.CLASS_MEASURES, *twins.NUMBER_MEASURES])
@pytest.mark.parametrize(
    ("x", "y", "min_leaf"),
    [
        pytest.param([2, 2, 2, 2, 2, 2], [0, 0, 1, 1, 1, 1], 1, id="one value"),
        pytest.param([0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], 1, id="no gain"),
        pytest.param([0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 1, 1], 2, id="one row on a side"),
    ],
)
def test_no_threshold(measure: str, x: list[int], y: list[int], min_leaf: int) -> None:
    table = np.array(x, dtype=float)[:, None]
    assert stump(table, y, np.ones(6), measure, min_samples_leaf=min_leaf).n_nodes == 1


@pytest.mark.parametrize("measure", ["gini", "entropy", "hellinger", "hddt", "squared_error"])
@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_best_side_for_missing_values(measure: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_rows = int(generator.integers(6, 25))
    x = generator.integers(0, 6, n_rows).astype(float)
    x[generator.random(n_rows) < 0.3] = np.nan
    y, w = target_for(measure, generator, n_rows), weights_for(generator, n_rows)
    best = twins.best_threshold_and_side(x, y, w, measure)
    core = stump(x[:, None], y, w, measure, missing="default")
    if not to_the_point(best is not None and best.gain >= 1e-9):
        assert core.n_nodes == 1
        return
    assert core.gain[0] == pytest.approx(best.gain, rel=1e-9)
    _, _, (threshold,) = core.test(0)
    choice = (threshold, int(core.default_branch[0]))
    if np.isnan(x[w > 0]).any():
        assert any(choice == pytest.approx(tie) for tie in best.candidates)


@pytest.mark.parametrize(
    "measure", ["gini", "entropy", "deviance", "hellinger", "hddt", "squared_error"]
)
@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_best_subset(measure: str, seed: int) -> None:
    """Exact for numbers and two classes by ordering, for more classes by trying all subsets."""
    generator = np.random.default_rng(seed)
    n_levels = int(generator.integers(2, 7))
    n_rows = int(generator.integers(6, 40))
    codes = generator.integers(0, n_levels, n_rows)
    y, w = target_for(measure, generator, n_rows), weights_for(generator, n_rows)
    best = twins.best_subset(codes.astype(float), y, w, measure)
    core = stump(categories(codes, n_levels), y, w, measure, categorical="subset")
    if not to_the_point(best is not None and best.gain >= 1e-9):
        assert core.n_nodes == 1
        return
    kind, features, _ = core.test(0)
    n_left = int(features[1])
    groups = {frozenset(features[2 : 2 + n_left]), frozenset(features[2 + n_left :])}
    assert kind == 2
    assert core.gain[0] == pytest.approx(best.gain, rel=1e-9)
    assert groups in [set(candidate) for candidate in best.candidates]


@pytest.mark.long
@pytest.mark.parametrize("measure", ["gini", "entropy", "hellinger", "hddt", "squared_error"])
@given(seed=CASES)
def test_best_subset_of_many_levels(measure: str, seed: int) -> None:
    """With two classes or numbers the ordering is exact for any number of levels."""
    generator = np.random.default_rng(seed)
    codes = generator.permutation(np.arange(30) % 9)
    numbers = generator.integers(-4, 5, 30).astype(float)
    y = numbers if measure == "squared_error" else (numbers > 0).astype(int)
    y[:2] = 0, 1
    best = twins.best_subset(codes.astype(float), y, np.ones(30), measure)
    assert best is not None
    core = stump(categories(codes, 9), y, np.ones(30), measure, categorical="subset")
    assert core.gain[0] == pytest.approx(best.gain, rel=1e-9)


@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_side_for_missing_levels(seed: int) -> None:
    """Rows without a level are tried on both sides, like one more level."""
    generator = np.random.default_rng(seed)
    n_rows = int(generator.integers(8, 30))
    codes = generator.integers(-1, 4, n_rows)
    y, w = target_for("gini", generator, n_rows), np.ones(n_rows)
    as_level = np.where(codes < 0, 4, codes).astype(float)
    best = twins.best_subset(as_level, y, w, "gini")
    core = stump(categories(codes, 4), y, w, "gini", categorical="subset", missing="default")
    if not to_the_point(core.n_nodes > 1):
        return
    assert best is not None
    # Missing against all levels is no test on the levels, so the best of all may be out of reach.
    if all(frozenset({4}) not in groups for groups in best.candidates):
        assert core.gain[0] == pytest.approx(best.gain, rel=1e-9)
    else:
        assert core.gain[0] <= best.gain * (1 + 1e-9)


@pytest.mark.parametrize("measure", ["entropy", "gini"])
@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_multiway_gain(measure: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_levels, n_rows = int(generator.integers(2, 6)), int(generator.integers(6, 40))
    codes = generator.integers(0, n_levels, n_rows)
    y, w = target_for(measure, generator, n_rows), weights_for(generator, n_rows)
    gain = twins.gain(measure, y[w > 0], w[w > 0], codes[w > 0])
    core = stump(categories(codes, n_levels), y, w, measure, categorical="multiway")
    if not to_the_point(gain >= 1e-9 and len(np.unique(codes[w > 0])) >= 2):
        assert core.n_nodes == 1
        return
    assert core.n_branches[0] == n_levels
    assert core.gain[0] == pytest.approx(gain, rel=1e-9)


def mixed_columns(generator: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray, Any]:
    """Two numeric and two categorical columns with missing values, some of them about the class."""
    n_rows = int(generator.integers(12, 60))
    y = np.concatenate([[0, 1], generator.integers(0, 3, n_rows - 2)])
    columns = [
        generator.integers(0, 6, n_rows) / 2 + y * generator.random(),
        generator.integers(0, 30, n_rows).astype(float),
        (generator.integers(0, 3, n_rows) + (generator.random() < 0.5) * y) % 3.0,
        generator.integers(0, 5, n_rows).astype(float),
    ]
    for column in columns:
        column[generator.random(n_rows) < 0.1] = np.nan
    table = pd.DataFrame({"a": columns[0], "b": columns[1]})
    for name, column, n_levels in (("c", columns[2], 3), ("d", columns[3], 5)):
        codes = np.where(np.isnan(column), -1, column).astype(int)
        table[name] = categories(codes, n_levels)["x"]
    return columns, y, table


@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_choice_of_c45(seed: int) -> None:
    """Gain ratio among candidates of average gain, numeric ones charged for their tries."""
    columns, y, table = mixed_columns(np.random.default_rng(seed))
    w = np.ones(len(y))
    n_classes = len(np.unique(y))
    candidates = [twins.c45_numeric(x, y, w, n_classes) for x in columns[:2]]
    candidates += [twins.c45_categorical(codes, y, w) for codes in columns[2:]]
    counts_in_average = [True, True, 0.3 * len(y) > 3, 0.3 * len(y) > 5]
    best = twins.c45_choice(candidates, counts_in_average)
    model = recipes.c45().set_params(max_depth=1, growth_rules=None, readable=False, prune=None)
    core = model.fit(table, y).tree_.core
    if best is None:
        to_the_point(False)
        assert core.n_nodes == 1
        return
    chosen = candidates[best]
    assert chosen is not None
    if not to_the_point(chosen.gain >= 1e-9):
        return
    kind, features, numbers = core.test(0)
    assert (kind, features[0]) == (0 if best < 2 else 3, best)
    assert core.gain[0] == pytest.approx(chosen.gain * len(y), rel=1e-9)
    if best < 2:
        # The threshold is a training value; no row lies between it and the middle.
        sent = twins.send(columns[best], chosen.threshold)
        assert (sent == twins.send(columns[best], numbers[0])).all()


@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_choice_by_balanced_ratio(seed: int) -> None:
    """Gain / (1 + split information): the best cut of every column, then the best column."""
    generator = np.random.default_rng(seed)
    n_rows = int(generator.integers(6, 25))
    table = generator.integers(0, 6, (n_rows, 3)).astype(float)
    y = target_for("entropy", generator, n_rows)
    scores = [
        twins.information_gain(y, np.ones(n_rows), twins.send(x, cut)).balanced
        for x in table.T
        for cut in twins.midpoints(x)
    ]
    core = stump(table, y, np.ones(n_rows), "entropy", gain="balanced")
    if not to_the_point(max(scores, default=0.0) >= 1e-9):
        assert core.n_nodes == 1
        return
    _, (column,), (cut,) = core.test(0)
    found = twins.information_gain(y, np.ones(n_rows), twins.send(table[:, column], cut))
    assert found.balanced == pytest.approx(max(scores), rel=1e-9)


@pytest.mark.effective(0.8)
@given(seed=CASES)
def test_surrogates(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_rows = int(generator.integers(10, 40))
    table = generator.integers(0, 8, (n_rows, 3)).astype(float)
    table[:, 0] += 10 * (table[:, 1] + generator.integers(0, 3, n_rows) > 5)
    y = (table[:, 0] > 8).astype(int)
    y[:2] = 0, 1
    table[generator.random((n_rows, 3)) < 0.1] = np.nan
    levels = np.where(np.isnan(table[:, 0]), -1, table[:, 0] // 6).astype(int)
    levels[generator.random(n_rows) < 0.2] = 1
    frame = pd.DataFrame(table, columns=["a", "b", "c"])
    frame["d"] = categories(levels, 3)["x"]
    w = weights_for(generator, n_rows)
    core = stump(frame, y, w, "gini", missing="surrogate")
    if not to_the_point(core.n_nodes > 1 and core.test(0)[0] == 0):
        return
    _, (primary_column,), (cut,) = core.test(0)
    kept = w > 0
    primary = twins.send(table[kept, primary_column], cut)
    codes = np.where(levels < 0, np.nan, levels)[kept]
    found = {
        column: twins.surrogate_threshold(primary, table[kept, column], w[kept])
        for column in range(3)
        if column != primary_column
    }
    found[3] = twins.surrogate_levels(primary, codes, w[kept])
    expected = [(column, one) for column, one in found.items() if one is not None]
    expected.sort(key=lambda pair: -round(pair[1].agreement, 12))
    surrogates = core.surrogates(0)
    assert len(surrogates) == len(expected)
    for (test, swapped, agreement, adjusted), (column, one) in zip(
        surrogates, expected, strict=True
    ):
        kind, features, numbers = test
        assert features[0] == column
        assert swapped == one.swapped
        assert math.isclose(agreement, one.agreement, rel_tol=1e-9)
        assert math.isclose(adjusted, one.adjusted, rel_tol=1e-9)
        if kind == 0:
            assert list(numbers) == [one.test]
        else:
            sides = frozenset(features[2 : 2 + features[1]]), frozenset(features[2 + features[1] :])
            assert sides == one.test
