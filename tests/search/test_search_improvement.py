"""Trees get better while the proof is under way: what is told is true, in time and repeatable."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import Problem, costs_of_errors
from search_cases import SCALE, ask, check, check_tree, draw

KINDS = ("errors", "classes", "weights", "leaves", "prices", "levels", "pairs", "costs", "numbers")


def deep(seed: int) -> Problem:
    """A small problem with so many levels that trees are grown before the first pass."""
    random = np.random.default_rng([seed, 2])
    return replace(draw(seed), max_depth=int(random.choice([5, 6, 7])), max_nodes=-1)


@pytest.mark.parametrize("seed", range(150))
def test_trees_grown_first_do_not_hide_better_ones(seed):
    problem = deep(seed)
    check(problem)
    check(problem, n_jobs=2)


def noisy(
    seed: int, n_rows: int, n_tests: int, n_classes: int, depth: int
) -> tuple[Problem, np.random.Generator]:
    """A problem whose target has nothing to do with the tests, so that bounds are of little use."""
    random = np.random.default_rng(seed)
    passes = random.random((n_tests, n_rows)) < 0.5
    targets = random.integers(0, n_classes, size=n_rows)
    return Problem(passes, targets, costs_of_errors(n_classes), max_depth=depth), random


def long_problem(kind: str) -> Problem:
    """A problem whose search of depth 7 takes minutes."""
    n_rows, n_tests = 800, 40
    problem, random = noisy(5, n_rows, n_tests, 4 if kind == "classes" else 2, 7)
    changes: dict[str, dict[str, Any]] = {
        "errors": {},
        "classes": {},
        "weights": {"weights": random.integers(1, 9, size=n_rows)},
        "leaves": {"min_rows": 6},
        "prices": {"prices": random.integers(0, 2, size=n_tests), "penalty": 1},
        "levels": {"last_levels": random.integers(0, 8, size=n_tests).astype(np.int32)},
        "pairs": {"pair_levels": 1},
        "costs": {"costs": np.array([[0, 2, 1], [5, 0, 1]])},
        "numbers": {
            "targets": SCALE * random.integers(-5, 6, size=n_rows),
            "costs": np.zeros((0, 0), dtype=np.int64),
        },
    }
    return replace(problem, **changes[kind])


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_search_that_is_ended_has_a_tree_that_costs_what_it_says(kind):
    problem = long_problem(kind)
    told: list[tuple[int, int]] = []

    def progress(seconds: float, best: int, bound: int, *_: Any) -> None:
        told.append((best, bound))

    began = time.perf_counter()
    result = ask(problem, progress, seconds=1.0)
    assert time.perf_counter() - began < 1.5  # on a machine that may have other work
    assert result.status == "time_limit"
    assert result.lower_bound < result.objective <= min(best for best, _ in told)
    assert [best for best, _ in told] == sorted((best for best, _ in told), reverse=True)
    assert all(bound <= result.lower_bound for _, bound in told)
    check_tree(result, problem)


@pytest.mark.long
def test_trees_get_better_between_the_first_one_and_the_end():
    problem = long_problem("errors")
    told: list[int] = []
    ask(problem, lambda _, best, *rest: told.append(best), seconds=2.0)
    assert told[-1] < told[0]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_a_proven_tree_is_the_same_for_any_number_of_threads(seed):
    """Which of equally good trees is found first must not depend on how the threads run."""
    problem, _ = noisy(seed, 200, 12, 3, 6)
    first = ask(problem)
    assert first.status == "optimal"
    for n_jobs in (1, 2, 3):
        again = ask(problem, n_jobs=n_jobs)
        assert again.status == "optimal"
        assert again.objective == first.objective
        for name in ("first", "passed", "failed", "answers"):
            assert np.array_equal(getattr(again.tree, name), getattr(first.tree, name))


@pytest.mark.long
def test_what_ends_the_search_is_heard_while_trees_get_better():
    began = time.perf_counter()
    result = ask(long_problem("errors"), lambda seconds, *_: seconds < 0.4)
    assert result.status == "stopped"
    assert time.perf_counter() - began < 1.0


def test_a_mistake_of_who_is_told_is_not_lost():
    def fail(*_: Any) -> None:
        raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        ask(long_problem("errors"), fail)
