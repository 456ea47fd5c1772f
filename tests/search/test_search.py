"""The search for optimal trees beside a twin that tries everything, and its manners."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from clocked import clocked
from optimal_twin import NUMBERS, Problem, Twin, cost_of
from search_cases import SCALE, SWITCHES, ask, check, check_tree, draw, draw_larger, nodes_of

from treewright import _core

CASES_IN_A_BATCH = 25


@pytest.mark.parametrize("batch", range(10))
def test_small_problems_of_every_kind_agree_with_the_twin(batch: int) -> None:
    for seed in range(batch * CASES_IN_A_BATCH, (batch + 1) * CASES_IN_A_BATCH):
        check(draw(seed), front=seed % 2 == 1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"max_depth": 4},
        {"max_depth": 4, "max_nodes": 6},
        {"penalty": 3},
        {"min_rows": 7},
        {"pair_levels": 1},
        {"pair_levels": 1, "pair_functions": 5, "pair_price": 1},
        {"n_classes": 3},
        {"n_classes": 5, "max_nodes": 5},
    ],
    ids=str,
)
def test_larger_problems_agree_with_the_twin(seed: int, limits: dict[str, int]) -> None:
    problem = draw_larger(seed, n_rows=40 + 11 * seed, n_tests=9, **limits)
    check(problem, front=seed % 2 == 1)


@pytest.mark.parametrize("pair_levels", [0, 1, 2])
@pytest.mark.parametrize("functions", [3, 5])
def test_pairs_may_stand_at_the_first_levels_only(pair_levels: int, functions: int) -> None:
    for seed in range(4):
        problem = draw_larger(
            seed, 16, 6, max_depth=4, pair_levels=pair_levels, pair_functions=functions
        )
        check(problem, front=True)


@pytest.mark.parametrize("seed", range(10))
def test_trees_of_numbers_agree_with_the_twin(seed: int) -> None:
    random = np.random.default_rng(seed)
    problem = replace(
        draw_larger(seed, 60, 8),
        targets=SCALE * random.integers(-9, 10, size=60),
        costs=NUMBERS,
        weights=random.integers(1, 4, size=60),
        min_rows=int(random.integers(1, 6)),
    )
    check(problem, front=True)


# ------------------------------------------------------------------ the same whatever the way there


def larger_problems() -> list[Problem]:
    plain = [draw_larger(seed, 90, 14, max_depth=4) for seed in range(3)]
    numbers = np.random.default_rng(0).integers(-9, 10, size=90) * SCALE
    chain = np.arange(14, dtype=np.int32) // 7
    ranks = np.random.default_rng(1).integers(0, 8, size=(2, 90))
    thresholds = (ranks[:, None] <= np.arange(7)[:, None]).reshape(14, 90)
    return [
        *plain,
        replace(plain[0], max_nodes=7),
        replace(plain[1], penalty=1, prices=np.arange(14) % 3),
        replace(plain[2], min_rows=4, last_levels=(np.arange(14) % 4).astype(np.int32)),
        replace(plain[0], pair_levels=1),
        replace(plain[1], pair_levels=1, pair_functions=5, max_depth=3),
        replace(plain[2], targets=numbers, costs=NUMBERS, max_depth=3),
        replace(plain[0], passes=thresholds, chains=chain),
        draw_larger(7, 90, 14, n_classes=4),
    ]


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_changes_no_value(switch: str) -> None:
    for problem in larger_problems():
        plain, other = ask(problem), ask(problem, **{switch: False})
        assert other.objective == other.lower_bound == plain.objective
        check_tree(other, problem)


def test_without_any_switch_the_value_is_the_same() -> None:
    for problem in larger_problems():
        bare = ask(problem, **dict.fromkeys(SWITCHES, False))
        assert bare.objective == ask(problem).objective


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_the_tree_is_the_same_on_any_number_of_threads(n_jobs: int) -> None:
    for problem in larger_problems():
        alone, together = ask(problem, front=True), ask(problem, front=True, n_jobs=n_jobs)
        assert nodes_of(together.tree) == nodes_of(alone.tree)
        for one, other in zip(alone.front, together.front, strict=True):
            assert (one.n_tests, one.cost) == (other.n_tests, other.cost)
            assert nodes_of(one.tree) == nodes_of(other.tree)


@pytest.mark.parametrize("kernel", _core.search_kernels())
def test_the_tree_is_the_same_on_any_kernel(kernel: str) -> None:
    for problem in larger_problems():
        plain, other = ask(problem, kernel="scalar"), ask(problem, kernel=kernel)
        assert nodes_of(other.tree) == nodes_of(plain.tree)
        assert other.objective == plain.objective


def test_asked_again_the_search_answers_the_same() -> None:
    for problem in larger_problems():
        assert nodes_of(ask(problem).tree) == nodes_of(ask(problem).tree)


def test_an_unknown_kernel_is_named() -> None:
    with pytest.raises(ValueError, match="abacus"):
        ask(draw(1), kernel="abacus")


# ---------------------------------------------------------------------------------- leaves and ties


def test_a_tie_goes_to_the_class_with_more_weight_then_to_the_first() -> None:
    passes = np.array([[1, 1, 0, 0, 0]], dtype=bool)
    problem = Problem(passes, np.array([0, 1, 1, 1, 1]), max_depth=1)
    assert ask(problem).tree.answers[0] == 1  # a split leaves one error too: the leaf alone is kept
    nobody = Problem(np.zeros((1, 4), dtype=bool), np.array([1, 0, 1, 0]), max_depth=1)
    assert ask(nobody).tree.answers[0] == 0


@pytest.mark.parametrize("seed", range(20))
def test_of_equal_trees_the_one_with_fewer_tests_is_kept(seed: int) -> None:
    problem = draw_larger(seed, 30, 6)
    twin = Twin(problem)
    fewest = min(k for k, cost in enumerate(twin.profile) if cost == twin.objective)
    assert cost_of(ask(problem).tree, problem).n_tests == fewest


@pytest.mark.parametrize("n_rows", [1, 2, 20])
def test_one_class_needs_no_test(n_rows: int) -> None:
    problem = replace(draw_larger(0, n_rows, 5), targets=np.zeros(n_rows, dtype=np.int64))
    result = check(problem, front=True)
    assert nodes_of(result.tree) == [[-1], [-1], [0], [-1], [-1], [0]]


@pytest.mark.parametrize(
    "limits", [{"max_nodes": 0}, {"max_depth": 0}, {"min_rows": 99}, {"min_weight": 99}], ids=str
)
def test_a_budget_that_allows_no_test_gives_one_leaf(limits: dict[str, int]) -> None:
    result = check(draw_larger(0, 50, 5, **limits), front=True)
    assert len(result.tree.first) == 1


def test_without_any_test_there_is_one_leaf() -> None:
    for passes in (np.zeros((0, 9), dtype=bool), np.ones((3, 9), dtype=bool)):
        check(Problem(passes, np.arange(9) % 2), front=True)


# ------------------------------------------------------------------------------------ being stopped


def hard_problem() -> Problem:
    return draw_larger(3, 900, 90, max_depth=5)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.01, 0.05])
def test_out_of_time_the_optimum_lies_between_bound_and_tree(seconds: float) -> None:
    for seed in range(8):
        problem = draw_larger(seed, 60, 10, max_depth=4)
        result = ask(problem, seconds=seconds)
        assert result.status in ("optimal", "time_limit")
        assert result.lower_bound <= Twin(problem).objective <= result.objective
        assert (result.lower_bound == result.objective) or result.status == "time_limit"
        check_tree(result, problem)


@pytest.mark.parametrize("seconds", [0.0, 0.2])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("limits", [{}, {"pair_levels": 3}, {"max_nodes": 9}], ids=str)
@clocked
def test_the_time_limit_is_kept(seconds: float, n_jobs: int, limits: dict[str, int]) -> None:
    problem = replace(hard_problem(), **limits)
    start = time.perf_counter()
    result = ask(problem, seconds=seconds, n_jobs=n_jobs)
    spent = time.perf_counter() - start
    assert result.status == "time_limit"
    assert 0 <= result.lower_bound < result.objective
    assert spent < seconds + 0.5  # a loaded machine; the benchmark holds it to 50 ms
    check_tree(result, problem)


def test_progress_is_told_and_only_gets_better() -> None:
    told: list[tuple[float, int, int, int, int]] = []

    def progress(*state: Any) -> bool:
        told.append(state)
        return len(told) < 5

    result = ask(hard_problem(), progress)
    assert result.status == "stopped"
    assert len(told) == 5
    elapsed, best, bound, n_closed, n_total = (np.array(part) for part in zip(*told, strict=True))
    assert (np.diff(elapsed) > 0).all()
    assert (np.diff(best) <= 0).all()
    assert (np.diff(bound) >= 0).all()
    assert (n_closed <= n_total).all()
    assert result.objective <= best[-1]
    assert result.lower_bound >= bound[-1]
    check_tree(result, hard_problem())


def test_an_interrupt_gives_the_best_tree_so_far() -> None:
    def progress(*state: Any) -> bool:
        raise KeyboardInterrupt

    result = ask(hard_problem(), progress)
    assert result.status == "interrupted"
    assert result.lower_bound < result.objective
    check_tree(result, hard_problem())


def test_an_error_of_the_callback_is_raised() -> None:
    def progress(*state: Any) -> bool:
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here"):
        ask(hard_problem(), progress)


def test_a_megabyte_for_what_is_remembered_is_enough() -> None:
    for problem in larger_problems():
        little = ask(problem, memory=1 << 20)
        assert little.objective == little.lower_bound == ask(problem).objective


@pytest.mark.parametrize("memory", [0, 1 << 12])
def test_out_of_memory_the_optimum_lies_between_bound_and_tree(memory: int) -> None:
    for problem in larger_problems():
        result = ask(problem, memory=memory)
        assert result.status in ("optimal", "memory_limit")
        assert result.lower_bound <= ask(problem).objective <= result.objective
        check_tree(result, problem)
