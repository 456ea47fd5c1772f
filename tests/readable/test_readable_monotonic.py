"""Readable trees whose predictions may only rise, or only fall, with some columns."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from treewright import Constraints, ReadableTreeClassifier, ReadableTreeRegressor
from treewright.predicates import Axis, Linear, Pair, Subset
from treewright.readable.order import answers_below, trend_of

BOTH = pytest.mark.parametrize("kind", [ReadableTreeClassifier, ReadableTreeRegressor])
NAMES = ["a", "b", "flag", "level"]


def table(random: np.random.Generator, n_rows: int, *, gaps: bool) -> dict[str, list]:
    """Return few different values, so that a grid has all of them."""
    columns = {name: random.integers(0, 6, n_rows).astype(float) for name in "ab"}
    if gaps:
        for values in columns.values():
            values[random.random(n_rows) < 0.06] = np.nan
    flag = random.random(n_rows) < 0.5
    return {**columns, "flag": flag.tolist(), "level": random.choice(list("uvw"), n_rows).tolist()}


def predictions(model, tree, rows: dict[str, list]) -> np.ndarray:
    """Give the probability of the second class, or the number."""
    core, encoded = tree.core, model._table(rows)
    if tree.is_classification:
        return core.distribution(encoded)[:, 1]
    return core.predict_values(encoded)


def check_order(model, trends: dict[str, int], *, gaps: bool) -> None:
    """Hold every tree of the front against all pairs of rows of a grid."""
    numbers = [*range(-1, 7), np.nan] if gaps else [*range(-1, 7)]
    cells = {"a": numbers, "b": numbers, "flag": [False, True], "level": list("uvw")}
    cells = {name: cells[name] for name in model.schema_.names}
    grid = list(itertools.product(*cells.values()))
    rows = {name: [row[place] for row in grid] for place, name in enumerate(cells)}
    shape = [len(one) for one in cells.values()]
    for tree in [model.tree_, *(entry.tree for entry in model.front_)]:
        told = predictions(model, tree, rows).reshape(shape)
        for place, name in enumerate(cells):
            known = told.take(range(len(cells[name]) - (gaps and name in "ab")), axis=place)
            steps = trends.get(name, 0) * np.diff(known, axis=place)
            assert steps.min(initial=0.0) >= 0.0, (name, tree.to_text())


def check_a_fit(seed: int) -> int:
    random = np.random.default_rng(seed)
    gaps = bool(random.random() < 0.4)
    rows = table(random, int(random.integers(40, 160)), gaps=gaps)
    names = NAMES[: int(random.integers(2, 5))]
    rows = {name: rows[name] for name in names}
    number = np.nan_to_num(rows["a"]) * np.sin(np.nan_to_num(rows["b"]))
    if "flag" in rows:
        number = number + 2.0 * np.array(rows["flag"]) * (np.nan_to_num(rows["b"]) - 2.5)
    number = number + random.normal(size=len(number))
    trends = {name: int(random.integers(-1, 2)) for name in names if name != "level"}
    is_regression = seed % 2 == 0
    kind = ReadableTreeRegressor if is_regression else ReadableTreeClassifier
    few = {} if is_regression else {"n_bootstraps": 1}
    limits = None
    if seed % 5 == 0:
        limits = Constraints(max_columns=2, whole_coefficients=3, column_costs={"a": 0.01})
    model = kind(
        size=8,
        max_leaf_nodes=int(random.choice([8, 8, 14])),
        teacher=None,
        min_samples_leaf=int(random.integers(1, 8)),
        monotonic_cst=trends,
        constraints=limits,
        **few,
    )
    weights = random.choice([0.5, 0.7, 3.0], len(number)) if seed % 3 == 0 else None
    model.fit(rows, number if is_regression else number > np.median(number), weights)
    check_order(model, trends, gaps=gaps)
    return len(model.front_)


@pytest.mark.parametrize("part", range(4))
def test_no_tree_of_the_front_breaks_the_order(part):
    sizes = [check_a_fit(seed) for seed in range(part * 8, part * 8 + 8)]
    assert np.mean(sizes) > 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_no_tree_of_two_thousand_tables_breaks_the_order(part):
    sizes = [check_a_fit(seed) for seed in range(100 + part * 100, 200 + part * 100)]
    assert np.mean(sizes) > 2


@pytest.mark.long
@BOTH
def test_chosen_by_folds_with_a_teacher_the_order_is_kept_too(kind):
    random = np.random.default_rng(3)
    rows = table(random, 200, gaps=False)
    number = np.array(rows["a"]) - np.array(rows["b"]) + random.normal(size=200) * 2.0
    y = number > 0 if kind is ReadableTreeClassifier else number
    trends = {"a": 1, "b": -1}
    model = kind(monotonic_cst=trends).fit(rows, y)
    check_order(model, trends, gaps=False)
    free = kind().fit(rows, y)
    assert model.evidence_.score > free.evidence_.score - 0.05
    assert "that keep the monotonic constraint" in model.certificate_.tests


@pytest.mark.slow
@BOTH
def test_large_tables_keep_the_order(kind):
    random = np.random.default_rng(3)
    rows = table(random, 24_000, gaps=True)
    number = np.nan_to_num(rows["a"]) * np.sin(np.nan_to_num(rows["b"])) + random.normal(
        size=24_000
    )
    y = number > 0 if kind is ReadableTreeClassifier else number
    trends = {"a": 1, "b": -1}
    check_order(kind(size=8, monotonic_cst=trends).fit(rows, y), trends, gaps=True)


def test_trends_of_conditions():
    trends = [1, -1, 0, 1]
    assert trend_of(Axis(2, 0.5), trends) == 0
    assert trend_of(Subset(3, (1,), (0,)), trends) == -1  # true is met
    assert trend_of(Subset(3, (0,), (1,)), trends) == 1
    assert trend_of(Subset(2, (1,), (0, 2)), trends) == 0
    assert trend_of(Linear((0, 3), (-1.0, 2.0), 0.5, (None, 0)), trends) == -1
    assert trend_of(Linear((0, 3), (1.0, 2.0), 0.5, (None, 0)), trends) is None
    assert trend_of(Linear((1, 2), (1.0, 2.0), 0.5), trends) == -1
    assert trend_of(Pair("and", Axis(0, 0.5), Axis(2, 0.5)), trends) is None
    assert trend_of(Pair("and", Axis(2, 0.5), Axis(2, 1.5)), trends) == 0
    assert trend_of(Axis(0, 0.5), []) == 0
    assert answers_below(-1, 0.2, 0.6, (0.5, 1.0)) == ((0.5, 1.0), (0.5, 0.5))
    assert answers_below(None, 0.2, 0.6, (0.0, 1.0)) == ((0.4, 0.4), (0.4, 0.4))


@BOTH
def test_monotonic_constraints_survive_files_and_pickles(kind, tmp_path):
    random = np.random.default_rng(3)
    rows = table(random, 100, gaps=False)
    number = np.array(rows["a"]) + random.normal(size=100)
    y = number > 2.5 if kind is ReadableTreeClassifier else number
    model = kind(size=4, teacher=None, monotonic_cst={"a": 1, "b": 0}).fit(rows, y)
    model.save(tmp_path / "model.json")
    for other in (treewright.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.monotonic_cst == {"a": 1, "b": 0}
        np.testing.assert_array_equal(other.predict(rows), model.predict(rows))
    by_place = clone(model).set_params(monotonic_cst=[1, 0, 0, 0]).fit(rows, y)
    assert by_place.rules() == model.rules()


def test_one_class_has_no_order():
    rows = table(np.random.default_rng(3), 60, gaps=False)
    model = ReadableTreeClassifier(monotonic_cst={"a": 1}).fit(rows, ["yes"] * 60)
    assert model.tree_.n_leaves == 1


@pytest.mark.parametrize(
    ("settings", "y", "words"),
    [
        ({"monotonic_cst": {"nobody": 1}}, 2, "must name columns"),
        ({"monotonic_cst": {"level": 1}}, 2, "whose levels have no order"),
        ({"monotonic_cst": {"a": 2}}, 2, "'monotonic_cst' parameter of ReadableTreeClassifier"),
        ({"monotonic_cst": {"a": 1}}, 3, "is for two classes, and there are 3"),
        ({"monotonic_cst": {"a": 1}, "abstain_cost": 0.1}, 2, "'abstain_cost' .* must be None"),
    ],
)
def test_what_cannot_be_kept_is_refused(settings, y, words):
    random = np.random.default_rng(3)
    rows = table(random, 60, gaps=False)
    with pytest.raises(ValueError, match=words):
        ReadableTreeClassifier(size=3, teacher=None, **settings).fit(rows, np.arange(60) % y)
