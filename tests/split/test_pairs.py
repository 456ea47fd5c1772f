"""Pairs of tests: the best one against brute force, and what the method promises."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import twins

from treewright import TreeClassifier, TreeRegressor, _core, load, recipes
from treewright.predicates import Axis, Pair, Subset
from treewright.predicates.pair import CONNECTIVES
from treewright.splits import Pairs

NAN = math.nan
NUMBERS = np.zeros(4, dtype=np.int32)  # columns without levels
# What two truths say together, and 0.5 where a part is not known; a value in between is unknown.
JOINED = {
    "and": np.minimum,
    "or": np.maximum,
    "xor": lambda a, b: np.where((a == 0.5) | (b == 0.5), 0.5, np.abs(a - b)),
    "and not": lambda a, b: np.minimum(a, 1 - b),
}


# ---------------------------------------------------------------- the twin


def truths(column: np.ndarray, is_categorical: bool) -> list[np.ndarray]:
    """What each simple test on a column says of each row: 1, 0, or 0.5 where it is unknown."""
    missing = np.isnan(column)
    if is_categorical:
        levels = np.unique(column[~missing])
        said = [column == level for level in (levels if len(levels) > 2 else levels[:1])]
        said = said if len(levels) > 1 else []
    else:
        said = [column <= cut for cut in twins.midpoints(column)]
    return [np.where(missing, 0.5, truth.astype(float)) for truth in said]


def sets_of_levels(column: np.ndarray) -> list[np.ndarray]:
    """What each division of the levels in two says."""
    levels = np.unique(column[~np.isnan(column)]).tolist()
    chosen = itertools.chain.from_iterable(
        itertools.combinations(levels, size) for size in range(1, len(levels))
    )
    return [np.where(np.isnan(column), 0.5, np.isin(column, part)) for part in chosen]


def best_gain(
    X: np.ndarray,
    categorical: list[bool],
    y: np.ndarray,
    w: np.ndarray,
    *,
    functions: int,
    criterion: str,
    missing: str,
    min_leaf: int,
) -> float:
    """The largest gain of all single tests and all pairs of them, each row weighed anew."""
    by_column = [truths(X[:, c], kind) for c, kind in enumerate(categorical)]
    tests = list(itertools.chain.from_iterable(by_column))
    for c, kind in enumerate(categorical):
        if kind:
            tests += sets_of_levels(X[:, c])
    for one, other in itertools.combinations(by_column, 2):
        for a, b in itertools.product(one, other):
            tests += [JOINED[word](a, b) for word in ("and", "or", "xor")]
            if functions == 5:
                tests += [JOINED["and not"](a, b), JOINED["and not"](b, a)]
    for said, kind in zip(by_column, categorical, strict=True):
        if not kind:
            tests += [JOINED["xor"](a, b) for a, b in itertools.combinations(said, 2)]
    branches = []
    for test in tests:
        branch = np.select([test == 1, test == 0], [0, 1], -1)
        if missing == "default":
            branches += [np.where(branch < 0, side, branch) for side in (0, 1)]
        else:
            branches.append(branch)
    allowed = [b for b in branches if min((b == 0).sum(), (b == 1).sum()) >= min_leaf]
    return max((twins.gain(criterion, y, w, branch) for branch in allowed), default=0.0)


def draw_case(seed: int) -> tuple[dict[str, Any], np.ndarray, list[bool], np.random.Generator]:
    """A few rows of two truth values, a number of few values and a category, with gaps."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 16))
    X = np.column_stack(
        [
            random.integers(0, 2, n),
            random.integers(0, 2, n),
            random.integers(0, 5, n) / 2,
            random.integers(0, 3, n),
        ]
    ).astype(float)
    if seed % 2:
        X[random.random(X.shape) < 0.15] = NAN
    categorical = [False, False, False, True]
    names = ["a", "b", "c"]
    table = {f"x{c}": X[:, c].tolist() for c in range(3)}
    table["level"] = [None if math.isnan(code) else names[int(code)] for code in X[:, 3]]
    return table, X, categorical, random


@pytest.mark.parametrize("seed", range(60))
def test_the_root_is_the_best_of_all_single_tests_and_pairs(seed):
    table, X, categorical, random = draw_case(seed)
    settings: dict[str, Any] = {
        "criterion": str(random.choice(["gini", "entropy", "misclassification", "hellinger"])),
        "missing": str(random.choice(["default", "fraction"])),
    }
    functions, min_leaf = int(random.choice([3, 5])), int(random.integers(1, 4))
    y = random.integers(0, 2 + seed % 2, len(X))
    w = random.integers(1, 4, len(X)) / 2 if seed % 3 == 0 else np.ones(len(X))
    split = Pairs(functions=functions)
    model = TreeClassifier(split, max_depth=1, min_samples_leaf=min_leaf, **settings)
    gain = model.fit(table, y, w).tree_.node(0).gain
    best = best_gain(X, categorical, y, w, functions=functions, min_leaf=min_leaf, **settings)
    assert gain == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_numbers_too(seed):
    table, X, categorical, random = draw_case(seed)
    missing, functions = str(random.choice(["default", "fraction"])), int(random.choice([3, 5]))
    y = random.normal(size=len(X)).round(2) + 100
    w = random.integers(1, 4, len(X)) / 2 if seed % 3 == 0 else np.ones(len(X))
    model = TreeRegressor(Pairs(functions=functions), max_depth=1, missing=missing).fit(table, y, w)
    rest: dict[str, Any] = {"criterion": "squared_error", "missing": missing, "min_leaf": 1}
    best = best_gain(X, categorical, y, w, functions=functions, **rest)
    # Of more than two levels, single tests are searched in the order of their means.
    assert model.tree_.node(0).gain == pytest.approx(best, abs=1e-9)


# ---------------------------------------------------------------- the predicate


@pytest.mark.parametrize("connective", CONNECTIVES)
def test_a_part_that_settles_the_answer_needs_no_other(connective):
    values = np.array(list(itertools.product([0.0, 1.0, NAN], repeat=2)))
    truth = [np.where(np.isnan(column), 0.5, column <= 0.5) for column in values.T]
    wanted = np.select([(said := JOINED[connective](*truth)) == 1, said == 0], [0, 1], -1)
    pair = Pair(connective, Axis(0, 0.5), Axis(1, 0.5))
    assert _core.route(pair.encode(), _core.Table(values, NUMBERS[:2])).tolist() == wanted.tolist()


# ---------------------------------------------------------------- the method


def planted(n: int = 400) -> tuple[dict[str, Any], np.ndarray]:
    random = np.random.default_rng(3)
    table = {name: random.uniform(size=n).round(3) for name in "abcd"}
    return table, (table["a"] > 0.45) != (table["c"] > 0.55)


def test_an_exclusive_or_that_no_single_test_shows():
    table, y = planted()
    single, paired = (recipes.cart_alpha(1, alpha).fit(table, y) for alpha in (0, 1))
    assert isinstance(paired.tree_.node(0).predicate, Pair)
    assert paired.tree_.node(0).predicate.connective == "xor"
    assert paired.score(table, y) > 0.9 > 0.6 > single.score(table, y)


def test_pairs_stand_in_the_first_levels_only():
    table, y = planted()
    for levels in (0, 1, 2, None):
        tree = TreeClassifier(Pairs(levels, functions=5), max_depth=4).fit(table, y).tree_
        inner = [tree.node(node) for node in range(tree.n_nodes) if not tree.node(node).is_leaf]
        depths = [node.depth for node in inner if isinstance(node.predicate, Pair)]
        assert all(depth < (99 if levels is None else levels) for depth in depths)
        assert bool(depths) == (levels != 0)


def test_without_levels_of_pairs_it_is_cart():
    table, y = planted()
    tree = TreeClassifier(Pairs(0), max_depth=4).fit(table, y).tree_
    assert tree == TreeClassifier("axis", max_depth=4).fit(table, y).tree_


def test_more_functions_and_thresholds_never_gain_less():
    table, y = planted(120)
    gains = [
        TreeClassifier(Pairs(functions=functions, thresholds=thresholds), max_depth=1)
        .fit(table, y)
        .tree_.node(0)
        .gain
        for thresholds, functions in itertools.product((4, 200), (3, 5))
    ]
    assert gains == sorted(gains)


def test_two_thresholds_of_a_column_make_an_interval():
    ages = np.arange(40.0)
    tree = TreeClassifier(Pairs(thresholds=50)).fit({"age": ages}, (ages > 9) & (ages < 25)).tree_
    assert tree.node(0).predicate == Pair("and not", Axis(0, 24.0), Axis(0, 9.0))
    assert tree.rules()[0].startswith("if 9 < age <= 24 then true")
    assert tree.n_leaves == 2


def test_a_single_test_is_kept_where_a_pair_is_no_better():
    table = {"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5}
    predicate = TreeClassifier(Pairs(None, functions=5)).fit(table, table["b"]).tree_.node(0)
    assert isinstance(predicate.predicate, Axis)


def test_levels_are_joined_with_numbers():
    random = np.random.default_rng(8)
    table = {"city": random.choice(["Oslo", "Rome", "Paris"], 90), "age": random.uniform(0, 9, 90)}
    y = (table["city"] == "Rome") & (table["age"] > 4)
    tree = TreeClassifier(Pairs(functions=5, thresholds=99)).fit(table, y).tree_
    assert tree.n_leaves == 2
    parts = tree.node(0).predicate
    assert {type(parts.first), type(parts.second)} == {Axis, Subset}


def test_thresholds_of_pairs_are_rounded():
    table, y = planted()
    exact, short = (
        TreeClassifier(Pairs(), max_depth=1, readable=readable).fit(table, y).tree_
        for readable in (False, True)
    )
    for one, other in zip(
        *((tree.node(0).predicate.first, tree.node(0).predicate.second) for tree in (exact, short)),
        strict=True,
    ):
        assert len(repr(other.threshold)) <= len(repr(one.threshold))
    values = np.column_stack(list(table.values()))
    routed = [tree.core.route(0, _core.Table(values, NUMBERS)) for tree in (exact, short)]
    assert np.array_equal(*routed)


@pytest.mark.parametrize("gain", ["plain", "ratio", "balanced"])
@pytest.mark.parametrize("measure", ["twoing", "hddt", "deviance"])
def test_every_measure_and_gain(measure, gain):
    table, y = planted(150)
    model = TreeClassifier(Pairs(functions=5), criterion=measure, gain=gain, max_depth=2)
    assert model.fit(table, y).score(table, y) > 0.9


def test_numbers_by_absolute_error():
    table, y = planted()
    model = TreeRegressor(Pairs(thresholds=40), criterion="absolute_error", max_depth=1)
    assert isinstance(model.fit(table, y * 7.0).tree_.node(0).predicate, Pair)


def test_models_are_saved_and_loaded(tmp_path):
    table, y = planted(100)
    model = TreeClassifier(Pairs(2, functions=5), max_depth=3).fit(table, y)
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert (loaded.tree_, loaded.split) == (model.tree_, model.split)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"levels": -1}, "'levels' parameter of Pairs must be None or an int >= 0 and .* Got -1"),
        ({"functions": 4}, "'functions' parameter of Pairs must be 3 or 5. Got 4"),
        ({"thresholds": 0}, "'thresholds' parameter of Pairs must be an int >= 1 and .* Got 0"),
        ({"levels": 4}, "must not be above 'max_depth', which is 3. Got 4"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    table, y = planted(20)
    with pytest.raises(ValueError, match=words):
        TreeClassifier(Pairs(**parameters), max_depth=3).fit(table, y)
