"""Pairs of conditions over columns with missing values: the best of all, and told as they are.

The twin of `certificate_check` joins every two conditions itself, by the logic of three values, and
sends rows for which a pair is unknown to either side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from certificate_cases import Case, draw
from certificate_check import check, fit
from rule_parser import rule_of

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier
from treewright.predicates import Axis, Pair, Subset

FIRST = 3_000_000  # seeds that no other test draws
GAP = float("nan")


def cases(first: int) -> Iterator[Case]:
    """Cases with pairs and missing values."""
    for seed in itertools.count(first):
        case = draw(seed)
        if case.has_missing and "pair_levels" in case.parameters:
            yield case


def wrong(first: int, count: int) -> dict[int, str]:
    said = {case.seed: check(case) for case in itertools.islice(cases(first), count)}
    return {seed: words for seed, words in said.items() if words}


@pytest.mark.long
@pytest.mark.parametrize("batch", range(4))
def test_no_tree_with_pairs_over_missing_values_is_better(batch: int) -> None:
    assert wrong(FIRST + 100_000 * batch, 15) == {}


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(4))
def test_two_thousand_tables(batch: int) -> None:
    assert wrong(FIRST + 1_000_000 * (batch + 1), 500) == {}


# ---------------------------------------------------------------- what a pair does with rows


@pytest.mark.parametrize("connective", ["and", "or", "xor", "and not"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_each_way_of_joining_is_found_with_unknown_rows_on_either_side(
    connective: str, side: int, kind: str
) -> None:
    """One pair tells all rows apart; no other tree of one split does."""
    X = np.array([*itertools.product([0.0, 1.0, GAP], repeat=2)] * 2)
    pair = Pair(connective, Axis(0, 0.5), Axis(1, 0.5))
    takes_first = np.array([_holds(pair, row, side) for row in X])
    model = {"classes": OptimalTreeClassifier, "numbers": OptimalTreeRegressor}[kind](
        3, max_nodes=1, pair_levels=1, pair_functions=5
    )
    model.fit(X, np.where(takes_first, 1, 3))
    assert (model.certificate_.objective, model.certificate_.proven) == (0.0, True)
    node = model.tree_.node(0)
    assert isinstance(node.predicate, Pair)
    assert np.array_equal(model.predict(X), np.where(takes_first, 1, 3))


def _holds(pair: Pair, row: np.ndarray, side: int) -> bool:
    first, second = (
        None if np.isnan(row[part.column]) else bool(row[part.column] <= part.threshold)
        for part in (pair.first, pair.second)
    )
    if pair.connective == "and not":
        second = None if second is None else not second
    if pair.connective == "xor":
        known = None if None in (first, second) else first != second
    else:
        settles = pair.connective == "or"
        known = (
            None if None in (first, second) else (first or second if settles else first and second)
        )
        known = settles if settles in (first, second) else known
    return side == 0 if known is None else bool(known)


def test_tests_that_divide_the_rows_alike_are_joined_each_on_its_own() -> None:
    """Column 1 says what column 0 says with its missing values low; joined they differ."""
    X = np.array([[0, 0, 0], [GAP, 0, 0], [1, 1, 0], [0, 0, 1], [GAP, 0, 1], [1, 1, 1]] * 2)
    for unknown in (0, 1):
        pair = Pair("xor", Axis(0, 0.5), Axis(2, 0.5))
        y = np.array([_holds(pair, row, unknown) for row in X])
        model = OptimalTreeClassifier(3, max_nodes=1, pair_levels=1).fit(X, y)
        assert (model.certificate_.objective, model.certificate_.proven) == (0.0, True)


def test_levels_and_given_conditions_are_joined_over_missing_values() -> None:
    table = {
        "sky": ["sun", "rain", None, "snow", "sun", "rain", None, "snow"] * 2,
        "wind": [GAP, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 5.0] * 2,
    }
    y = [sky in ("rain", None) and wind <= 3 for sky, wind in zip(*table.values(), strict=True)]
    given = [Subset(0, (0,), (1, 2)), Axis(1, 3.0)]
    for dictionary in (None, given):
        model = OptimalTreeClassifier(3, max_nodes=1, pair_levels=1, dictionary=dictionary)
        model.fit(table, y)
        assert (model.certificate_.objective, model.certificate_.proven) == (0.0, True)
        assert model.predict(table).tolist() == y


@pytest.mark.parametrize("functions", [3, 5])
def test_a_condition_beside_itself_sets_the_rows_without_a_value_apart(functions: int) -> None:
    X = np.array([[0.0], [1.0], [GAP]] * 4)
    model = OptimalTreeClassifier(3, max_nodes=1, pair_levels=1, pair_functions=functions)
    model.fit(X, np.isnan(X[:, 0]))
    assert (model.certificate_.objective, model.certificate_.proven) == (0.0, True)
    rules = [rule_of(text, {}) for text in model.tree_.rules(show_missing=True)]
    for value in (0.0, 1.0, None):
        assert [rule({"x0": value}) for rule in rules].count(True) == 1


@pytest.mark.parametrize("seed", [4001897, 4004619, 6005743])
def test_conditions_that_divide_the_known_rows_alike_were_not_joined(seed: int) -> None:
    assert check(draw(seed)) == ""


@pytest.mark.long
def test_printed_rules_hold_for_every_row() -> None:
    """Exactly one rule fits each training row, and each row with other values missing."""
    n_pairs = 0
    for case in itertools.islice(cases(FIRST + 9_000_000), 60):
        if not case.parameters.get("readable", True):
            continue
        model = fit(case)
        pairs = [node for node in model.tree_.walk() if isinstance(node.predicate, Pair)]
        n_pairs += len(pairs)
        if not pairs:
            continue
        rules = model.tree_.leaf_rules(show_missing=True)
        texts = model.tree_.rules(show_missing=True)
        conditions = [
            (rule.node, rule_of(text, {})) for rule, text in zip(rules, texts, strict=True)
        ]
        names = [*case.columns]
        rows = [*zip(*case.columns.values(), strict=True)]
        for place in range(len(names)):
            rows += [(*row[:place], None, *row[place + 1 :]) for row in rows[: case.n_rows]]
        table = {name: [row[j] for row in rows] for j, name in enumerate(names)}
        for name, column in table.items():
            if not any(isinstance(value, str) for value in case.columns[name]):
                table[name] = [GAP if value is None else value for value in column]
        for row, leaf in zip(rows, model.apply(table), strict=True):
            named = dict(zip(names, row, strict=True))
            assert [node for node, holds in conditions if holds(named)] == [leaf], (case.seed, row)
    assert n_pairs > 10


def test_pairs_with_missing_values_are_no_worse_than_without_pairs_or_grown_ones() -> None:
    random = np.random.default_rng(0)
    for _ in range(5):
        X = random.integers(0, 4, (60, 4)).astype(float)
        X[random.random(X.shape) < 0.15] = GAP
        y = (np.nan_to_num(X[:, 0], nan=1.0) > 1.5) ^ (X[:, 1] <= 1) ^ (random.random(60) < 0.1)
        alone = OptimalTreeClassifier(3).fit(X, y).certificate_
        joined = OptimalTreeClassifier(3, pair_levels=1).fit(X, y).certificate_
        grown = TreeClassifier(max_depth=3).fit(X, y)
        assert joined.proven
        assert joined.objective <= alone.objective <= 60 * (1 - grown.score(X, y)) + 1e-9
