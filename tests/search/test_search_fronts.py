"""Trees of every size are found on threads, and are the same for any number of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import Problem
from search_cases import ask, check, draw, draw_larger, nodes_of


def assert_same(alone: Any, together: Any) -> None:
    assert together.status == alone.status == "optimal"
    assert nodes_of(together.tree) == nodes_of(alone.tree)
    assert [point.n_tests for point in together.front] == [point.n_tests for point in alone.front]
    for one, other in zip(alone.front, together.front, strict=True):
        assert one.cost == other.cost
        assert nodes_of(one.tree) == nodes_of(other.tree)


def tied(seed: int, depth: int) -> Problem:
    """Return rows that many trees predict equally well."""
    random = np.random.default_rng(seed)
    passes = random.integers(0, 2, (10, 60))
    passes = np.concatenate([passes, 1 - passes[:4], passes[:3]])
    return replace(Problem(passes, random.integers(0, 2, 60)), max_depth=depth)


@pytest.mark.parametrize("n_jobs", [2, 3, 7])
@pytest.mark.parametrize("depth", [3, 4])
def test_of_equally_good_trees_the_same_is_found(depth: int, n_jobs: int) -> None:
    for seed in range(6):
        problem = tied(seed, depth)
        assert_same(ask(problem, front=True), ask(problem, front=True, n_jobs=n_jobs))
        small = replace(problem, max_nodes=5)
        assert_same(ask(small), ask(small, n_jobs=n_jobs))


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_penalties_joined_tests_and_numbers(n_jobs: int) -> None:
    for seed, limits in enumerate(
        (
            {"max_depth": 4, "penalty": 1},
            {"max_depth": 3, "pair_levels": 1, "max_nodes": 4},
            {"max_depth": 4, "min_rows": 5},
            {"max_depth": 5, "max_nodes": 6},
        )
    ):
        problem = draw_larger(seed, 60, 8, **limits)
        assert_same(ask(problem, front=True), ask(problem, front=True, n_jobs=n_jobs))


def test_threads_find_what_the_twin_finds() -> None:
    for seed in range(20):
        check(draw(seed), front=True, n_jobs=3)


def test_the_smallest_tree_is_found_on_threads() -> None:
    for seed in range(4):
        problem = tied(seed, 3)
        assert_same(ask(problem, smallest=True), ask(problem, smallest=True, n_jobs=3))


@pytest.mark.slow
def test_hundreds_of_tables() -> None:
    for seed in range(300):
        problem = tied(1000 + seed, 3 + seed % 2)
        alone = ask(problem, front=True)
        for n_jobs in (2, 3, 5):
            assert_same(alone, ask(problem, front=True, n_jobs=n_jobs))
