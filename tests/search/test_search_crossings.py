"""What is known of two parts together bounds the nodes of both: the same trees with it and without.

Without similarity nothing is carried from one part to another, so that search is the twin here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import ANYWHERE, Problem, costs_of_errors
from search_cases import ask, check_tree, draw_larger, nodes_of
from sklearn.datasets import load_breast_cancer


def check_against_plain(problem: Problem, **options: Any) -> Any:
    plain = ask(problem, similarity=False, cache=False, **options)
    found = ask(problem, **options)
    assert found.status == "optimal"
    assert found.objective == found.lower_bound == plain.objective
    return found


def draw_alike(seed: int, n_rows: int, **limits: Any) -> Problem:
    """Thresholds, levels, twins and complements: columns that fall together below each other."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 9, size=(3, n_rows))
    thresholds = (values[:2, None] <= np.array([1, 3, 4, 6])[:, None]).reshape(8, n_rows)
    levels = values[2] // 2 == np.arange(5)[:, None]
    copies = np.array([~thresholds[1], levels[0], thresholds[2] & levels[1]])
    passes = np.concatenate([thresholds, levels, copies])
    score = values.sum(axis=0) + random.integers(0, 9, size=n_rows)
    n_classes = limits.pop("n_classes", 2)
    return Problem(passes, score % 3 % n_classes, costs_of_errors(n_classes), **limits)


@pytest.mark.parametrize("depth", [4, 5])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_optimum_as_without(depth: int, n_classes: int, seed: int) -> None:
    check_against_plain(draw_larger(seed, 90, 12, n_classes, max_depth=depth))
    check_against_plain(draw_alike(seed, 90, n_classes=n_classes, max_depth=depth))


LIMITS: dict[str, dict[str, Any]] = {
    "penalty": {"penalty": 1},
    "a penalty and more depth": {"penalty": 2, "max_depth": 6},
    "prices": {"prices": True},
    "levels": {"last_levels": True},
    "prices and levels": {"prices": True, "last_levels": True, "max_depth": 5},
    "rows": {"min_rows": 4},
    "weights": {"weights": True},
    "pairs on one level": {"pair_levels": 1, "pair_functions": 5},
    "pairs on two levels": {"pair_levels": 2, "pair_functions": 3, "penalty": 2},
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("seed", range(3))
def test_the_same_optimum_under_limits(limits: dict[str, Any], seed: int) -> None:
    random = np.random.default_rng(seed)
    for problem in (draw_larger(seed, 80, 10, max_depth=4), draw_alike(seed, 80, max_depth=4)):
        n_tests = len(problem.passes)
        drawn = {
            "prices": random.integers(0, 3, size=n_tests),
            "last_levels": random.choice([0, 1, 2, 3, ANYWHERE], size=n_tests).astype(np.int32),
            "weights": random.integers(1, 6, size=problem.n_rows),
        }
        changes = {name: drawn[name] if value is True else value for name, value in limits.items()}
        limited = replace(problem, **changes)
        check_tree(check_against_plain(limited), limited)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_optimum_of_losses_by_row(seed: int) -> None:
    random = np.random.default_rng(seed)
    for problem in (draw_larger(seed, 60, 10, max_depth=4), draw_alike(seed, 60, max_depth=4)):
        losses = random.integers(0, 9, size=(problem.n_rows, 3))
        costs = np.array([[0, 3, 1], [5, 0, 1]])
        check_against_plain(replace(problem, costs=costs))
        check_against_plain(problem, losses=losses)


@pytest.mark.parametrize("seed", range(4))
def test_two_threads_find_the_same_tree(seed: int) -> None:
    for problem in (draw_larger(seed, 120, 14, max_depth=5), draw_alike(seed, 120, max_depth=5)):
        one, two = ask(problem), ask(problem, n_jobs=2)
        assert nodes_of(one.tree) == nodes_of(two.tree)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_optimum_where_little_is_remembered(seed: int) -> None:
    """Chains below joined conditions, a penalty, and bounds that push optima out of the cache."""
    random = np.random.default_rng(seed)
    ranks = random.integers(0, 6, size=(2, 40))
    passes = (ranks[:, None] <= np.arange(4)[:, None]).reshape(8, 40)
    targets = (ranks.sum(axis=0) // 3 + (random.random(40) < 0.2)) % 2
    chains = np.repeat([0, 1], 4).astype(np.int32)
    problem = Problem(passes, targets.astype(np.int64), chains=chains, max_depth=6)
    for penalty, pair_levels in ((1, 2), (2, 2), (1, 1)):
        joined = replace(problem, penalty=penalty, pair_levels=pair_levels, pair_functions=5)
        check_against_plain(joined, chain_length=1, memory=1)
        check_against_plain(joined, memory=1)


def test_more_columns_than_are_kept() -> None:
    """Beyond 512 columns every node is on its own."""
    check_against_plain(draw_larger(1, 40, 530, max_depth=4))


def test_fewer_trees_of_depth_two_are_looked_for() -> None:
    """Clearly fewer, where columns tell the classes apart and resemble each other."""
    values, targets = load_breast_cancer(return_X_y=True)
    cuts = np.quantile(values[:, :10], [0.2, 0.4, 0.6, 0.8], axis=0)
    passes = (values.T[:10] <= cuts[:, :, None]).reshape(-1, len(values))
    problem = Problem(passes, targets.astype(np.int64), costs_of_errors(2), max_depth=4)
    found, plain = ask(problem), ask(problem, similarity=False)
    assert found.objective == plain.objective
    assert found.statistics["fused"] < 0.6 * plain.statistics["fused"]
