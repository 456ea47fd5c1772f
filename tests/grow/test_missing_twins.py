"""Whole trees under the policies that stop rows or ask surrogates, against brute force.

The twin keeps the rows of every node as a plain array of positions. At each node it searches all
tests on the rows whose branch is known, finds the surrogates, and places every row by itself; then
it follows the grown tree to the children. Nothing is shared with the core but the test it chose,
which must be among the best. Leaves may be as small as one row: with more the order of levels by
which the core finds subsets is not exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
import twins
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from treewright import TreeClassifier, TreeRegressor, _core

N_LEVELS = 4
LEVELS = [f"level {code}" for code in range(N_LEVELS)]
STOP = -1


@dataclass(frozen=True)
class Placement:
    """How a node places a row: own test, then surrogates, then the last resort (or STOP)."""

    tests: list[tuple[int, Any, bool]]
    last: int

    def branch(self, values: np.ndarray) -> int:
        for column, test, swapped in self.tests:
            side = side_of(values[column], test)
            if side >= 0:
                return 1 - side if swapped else side
        return self.last


def side_of(value: float, test: Any) -> int:
    """Branch of one value under a threshold or two sets of levels; -1 where it is unknown."""
    if np.isnan(value):
        return -1
    if isinstance(test, float):
        return int(value > test)
    return next((side for side, group in enumerate(test) if int(value) in group), -1)


class Twin:
    """Searches and places rows by brute force; columns 0 and 1 are numbers, 2 and 3 levels."""

    def __init__(self, values: np.ndarray, y: np.ndarray, w: np.ndarray, **settings: Any) -> None:
        self.values, self.y, self.w = values, y, w
        self.measure, self.policy = settings["criterion"], settings["missing"]

    def best_tests(self, rows: np.ndarray) -> dict[int, twins.Best]:
        """The best tests of each column on the rows that know their branch."""
        if len(np.unique(self.y[rows])) == 1:
            return {}
        found = {}
        for column in range(4):
            search = twins.best_threshold if column < 2 else twins.best_subset
            x = self.values[rows, column]
            best = search(x, self.y[rows], self.w[rows], self.measure)
            if best is not None and best.gain > 1e-9:
                found[column] = best
        return found

    def placement(self, rows: np.ndarray, column: int, test: Any) -> Placement:
        primary = np.array([side_of(value, test) for value in self.values[rows, column]])
        w = self.w[rows]
        known = [w[primary == side].sum() for side in (0, 1)]
        tests, last = [(column, test, False)], int(known[1] > known[0])
        if self.policy != "stop":
            found = []
            for other in set(range(4)) - {column}:
                search = twins.surrogate_threshold if other < 2 else twins.surrogate_levels
                surrogate = search(primary, self.values[rows, other], w)
                if surrogate is not None:
                    found.append((-round(surrogate.agreement, 12), other, surrogate))
            found.sort(key=lambda entry: entry[:2])
            tests += [(other, one.test, one.swapped) for _, other, one in found]
        return Placement(tests, last if self.policy == "surrogate" else STOP)

    def follow(self, core: _core.Tree) -> tuple[dict[int, Placement], np.ndarray]:
        """Check a grown tree node by node; how its nodes place rows, and where each row ends."""
        placements: dict[int, Placement] = {}
        ends = np.zeros(len(self.y), dtype=int)
        pending = [(0, np.arange(len(self.y)))]
        while pending:
            node, rows = pending.pop()
            ends[rows] = node
            assert core.rows[node] == len(rows)
            statistics = core.statistics[node]
            weight = statistics.sum() if self.measure == "gini" else statistics[0]
            assert weight == pytest.approx(self.w[rows].sum())
            best = self.best_tests(rows)
            if core.n_branches[node] == 0:
                assert not best
                continue
            column, test = chosen_test(core, node)
            largest = max(one.gain for one in best.values())
            assert core.gain[node] == pytest.approx(largest, rel=1e-9)
            assert column == min(c for c, one in best.items() if one.gain >= largest * (1 - 1e-9))
            assert any(same_test(test, candidate) for candidate in best[column].candidates)
            placements[node] = self.placement(rows, column, test)
            branch = np.array([placements[node].branch(self.values[row]) for row in rows])
            first = int(core.first_child[node])
            pending += [(first + side, rows[branch == side]) for side in (0, 1)]
        return placements, ends


def chosen_test(core: _core.Tree, node: int) -> tuple[int, Any]:
    kind, features, numbers = core.test(node)
    if kind == 0:
        return features[0], float(numbers[0])
    n_left = features[1]
    groups = frozenset(features[2 : 2 + n_left]), frozenset(features[2 + n_left :])
    return features[0], groups


def same_test(one: Any, other: Any) -> bool:
    if isinstance(one, float):
        return one == pytest.approx(other, rel=1e-12)
    return set(one) == set(other)


def random_values(generator: np.random.Generator, n_rows: int) -> np.ndarray:
    """Two coarse numeric columns, two of levels, each row tied to one hidden number; with gaps."""
    hidden = generator.normal(size=n_rows)
    numbers = np.round(hidden[:, None] + generator.normal(size=(n_rows, 2)), 1)
    levels = np.clip(np.round(hidden[:, None] + generator.normal(size=(n_rows, 2)) + 1), 0, 3)
    values = np.column_stack([numbers, levels])
    values[generator.random(values.shape) < generator.choice([0.1, 0.3])] = np.nan
    return values


def table_of(values: np.ndarray) -> pd.DataFrame:
    table = pd.DataFrame({"a": values[:, 0], "b": values[:, 1]})
    for name, column in (("c", 2), ("d", 3)):
        codes = np.where(np.isnan(values[:, column]), -1, values[:, column]).astype(int)
        table[name] = pd.Categorical.from_codes(codes, LEVELS)
    return table


@pytest.mark.parametrize("measure", ["gini", "squared_error"])
@pytest.mark.parametrize("missing", ["stop", "surrogate_or_stop", "surrogate"])
@effort(max_examples=max(5, effort().max_examples // 5))
@given(seed=st.integers(0, 2**32 - 1))
def test_growth_and_answers(missing: str, measure: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = random_values(generator, int(generator.integers(8, 40)))
    n_rows = len(values)
    w = (
        generator.integers(1, 4, n_rows).astype(float)
        if generator.random() < 0.5
        else np.ones(n_rows)
    )
    kind: Any = TreeRegressor if measure == "squared_error" else TreeClassifier
    y = generator.integers(0, 3, n_rows) + (np.nan_to_num(values[:, 0]) > 0)
    y = y.astype(float) if kind is TreeRegressor else np.unique(y, return_inverse=True)[1]
    settings = {"criterion": measure, "missing": missing}
    model = kind(readable=False, **settings).fit(table_of(values), y, sample_weight=w)
    core = model.tree_.core
    twin = Twin(values, y, w, **settings)
    placements, ends = twin.follow(core)
    np.testing.assert_array_equal(model.apply(table_of(values)), ends)

    new = random_values(generator, 10)
    for row, node in zip(new, model.apply(table_of(new)).tolist(), strict=True):
        at = 0
        while at in placements and (branch := placements[at].branch(row)) != STOP:
            at = int(core.first_child[at]) + branch
        assert node == at
