"""Where searches for optimal trees have gone wrong, one named test for each.

The list is that of errors mended in public solvers (sets of a multiple of 64 rows, bounds that
are off by one, bounds used for another depth or size, the similarity bound with a least size of
leaves, the first cut of a sorted column, equal rows under a cost matrix) and of those met while
this search was written (complements, tails of words, narrow counters, runs that were stopped).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from optimal_twin import ANYWHERE, Problem, Twin, cost_of, costs_of_errors
from search_cases import ask, check, draw_larger


@pytest.mark.parametrize("n_rows", [63, 64, 65, 127, 128, 129, 192, 256])
def test_sets_of_a_multiple_of_64_rows(n_rows: int) -> None:
    for seed in range(3):
        check(draw_larger(seed, n_rows, 7), front=True)
        problem = draw_larger(seed, 2 * n_rows, 7)
        half = np.arange(2 * n_rows) < n_rows  # the children and the classes have n_rows rows each
        passes = np.concatenate([half[None], problem.passes])
        one_class_a_half = replace(problem, passes=passes, targets=half.astype(np.int64))
        for part in (one_class_a_half, replace(one_class_a_half, targets=problem.targets)):
            check(replace(part, prices=None, last_levels=None, chains=None, sources=None))


@pytest.mark.parametrize("sizes", [(64, 64), (64, 1), (1, 128), (65, 63), (16, 16), (15, 17)])
def test_classes_that_fill_their_words(sizes: tuple[int, int]) -> None:
    for seed in range(3):
        problem = draw_larger(seed, sum(sizes), 7)
        check(replace(problem, targets=np.repeat([0, 1], sizes)))


@pytest.mark.parametrize("penalty", [0, 1, 2, 3, 4, 5])
def test_a_test_that_gains_just_its_penalty_is_left_out(penalty: int) -> None:
    """Three errors fewer by one test: worth it below a penalty of 3 only."""
    passes = np.array([[True] * 3 + [False] * 7])
    problem = Problem(passes, np.repeat([0, 1], [3, 7]), penalty=penalty)
    result = check(problem)
    assert result.objective == min(3, penalty)
    assert cost_of(result.tree, problem).n_tests == (penalty < 3)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_not_off_by_one(seed: int) -> None:
    """Penalties and prices at and beside what the best tests gain."""
    plain = draw_larger(seed, 50, 6)
    gains = -np.diff(Twin(plain).profile)
    for penalty in {*gains.tolist(), *(gains + 1).tolist()}:
        check(replace(plain, penalty=penalty))
        check(replace(plain, prices=np.full(6, penalty)))


@pytest.mark.parametrize("seed", range(6))
def test_bounds_of_one_depth_or_size_do_not_answer_another(seed: int) -> None:
    """Nested tests: the same set of rows is met after one test and after two or three."""
    random = np.random.default_rng(seed)
    ranks = random.integers(0, 7, size=(2, 40))
    passes = (ranks[:, None] <= np.arange(4)[:, None]).reshape(8, 40)
    problem = Problem(passes, random.integers(0, 2, size=40))
    for depth in (2, 3, 4):
        for budget in (-1, 2, 3, 4, 5, 6, 9):
            check(replace(problem, max_depth=depth, max_nodes=budget), front=budget < 0)


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 4])
def test_more_depth_than_tests_changes_nothing(max_nodes: int) -> None:
    """No tree is deeper than it has tests, but pairs may stand at levels that the depth allows."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        problem = draw_larger(seed, 40, 6, max_depth=max_nodes, max_nodes=max_nodes)
        deep = replace(problem, max_depth=7)
        assert check(problem).objective == ask(deep).objective
        check(replace(deep, max_depth=5, pair_levels=1, min_rows=2))
        levels = random.choice([0, 1, 2, ANYWHERE], size=6).astype(np.int32)
        check(replace(deep, max_depth=5, last_levels=levels, prices=random.integers(0, 2, size=6)))


@pytest.mark.parametrize("seed", range(4))
def test_bounds_with_pairs_left_do_not_answer_for_those_without(seed: int) -> None:
    problem = draw_larger(seed, 14, 5, max_depth=4, pair_levels=2)
    for functions in (3, 5):
        check(replace(problem, pair_functions=functions, max_nodes=6))
    check(problem, front=True)


@pytest.mark.parametrize("seed", range(6))
def test_levels_where_a_test_may_stand_are_not_mixed_up(seed: int) -> None:
    random = np.random.default_rng(seed)
    problem = draw_larger(seed, 40, 7, max_depth=4)
    levels = random.choice([0, 1, 2, 3, ANYWHERE], size=7).astype(np.int32)
    check(replace(problem, last_levels=levels), front=True)


def test_a_cheap_copy_of_a_test_may_stand_at_fewer_levels() -> None:
    """Equal tests are one only where price and levels allow: here both are needed."""
    column = np.array([True, True, False, False] * 4)
    other = np.array([True, False] * 8)
    passes = np.array([other, column, ~column])
    targets = (column ^ other).astype(np.int64)
    problem = Problem(
        passes,
        targets,
        prices=np.array([0, 1, 0]),
        last_levels=np.array([ANYWHERE, ANYWHERE, 0], dtype=np.int32),
    )
    assert check(problem, front=True).objective == 0  # the cheap one at the root
    costly_root = replace(problem, last_levels=np.array([0, ANYWHERE, 0], dtype=np.int32))
    assert check(costly_root, front=True).objective == 2  # the dear one twice below


@pytest.mark.parametrize("min_rows", [2, 5, 9, 14])
@pytest.mark.parametrize("name", ["min_rows", "min_weight"])
def test_similar_tests_with_a_least_size_of_leaves(name: str, min_rows: int) -> None:
    """A tree allowed on one of two similar sets need not be allowed on the other."""
    for seed in range(5):
        problem = draw_larger(seed, 45, 8, **{name: min_rows})
        check(problem, front=True)
        weights = np.random.default_rng(seed).integers(1, 4, size=45)
        check(replace(problem, weights=weights))


@pytest.mark.parametrize("n_first", [1, 2])
@pytest.mark.parametrize("from_the_end", [False, True])
def test_the_first_and_the_last_cut_of_a_sorted_column(n_first: int, from_the_end: bool) -> None:
    ranks = np.arange(40)
    passes = ranks <= np.arange(39)[:, None]
    targets = (ranks < n_first).astype(np.int64)
    targets = targets[::-1].copy() if from_the_end else targets
    for chains in (np.zeros(39, dtype=np.int32), None):
        problem = Problem(passes, targets, chains=chains, max_depth=2)
        result = check(problem, front=True)
        assert result.objective == 0
        assert cost_of(result.tree, problem).n_tests == 1


@pytest.mark.parametrize("seed", range(8))
def test_equal_rows_under_a_cost_matrix(seed: int) -> None:
    """The cheapest answer for rows that no test tells apart need not be their largest class."""
    random = np.random.default_rng(seed)
    costs = random.integers(0, 9, size=(3, 4))
    passes = np.repeat(random.random((4, 8)) < 0.5, 5, axis=1)
    problem = Problem(passes, random.integers(0, 3, size=40), costs)
    check(problem, front=True)
    check(replace(problem, weights=random.integers(1, 9, size=40), penalty=3))


@pytest.mark.parametrize("seed", range(6))
def test_complements_of_exactly_half_of_the_rows(seed: int) -> None:
    """Counts do not tell such a test from its complement, here nor in a child."""
    random = np.random.default_rng(seed)
    quarter = np.arange(32) % 4
    passes = np.array([quarter < 2, quarter % 2 == 0, quarter % 3 == 0, random.random(32) < 0.5])
    passes = np.concatenate([passes, ~passes])[random.permutation(8)]
    targets = random.integers(0, 2, size=32)
    check(Problem(passes, targets), front=True)
    check(Problem(passes, targets, pair_levels=1), front=True)


@pytest.mark.parametrize("n_rows", [3, 17, 33, 65, 90])
@pytest.mark.parametrize("functions", [3, 5])
def test_complements_leave_no_bits_in_the_tail_of_a_class(n_rows: int, functions: int) -> None:
    for seed in range(2):
        problem = draw_larger(seed, n_rows, 6, pair_levels=1, pair_functions=functions)
        turned = replace(problem, passes=~problem.passes)
        for one in (problem, turned):
            check(one)


@pytest.mark.parametrize("seed", range(4))
def test_at_depth_five_bounds_come_from_the_depth_they_were_proved_for(seed: int) -> None:
    problem = draw_larger(seed, 50, 6, max_depth=5)
    check(problem, front=True)
    check(replace(problem, max_nodes=9, penalty=1))


@pytest.mark.parametrize(
    "total",
    [2**15 - 1, 2**15, 2**15 + 1, 2**16 - 1, 2**16, 2**16 + 1, 2**31, 2**32 + 1, 2**45],
)
def test_counters_are_wide_enough_for_the_weight(total: int) -> None:
    for seed in range(2):
        problem = draw_larger(seed, 40, 6)
        weights = np.full(40, total // 40)
        weights[0] += total - weights.sum()
        check(replace(problem, weights=weights), front=True)


@pytest.mark.parametrize("n_rows", [2**15 - 1, 2**15, 2**16 - 1, 2**16, 2**16 + 1])
def test_counters_are_wide_enough_for_the_rows(n_rows: int) -> None:
    """Few different rows, each many times: worth as much as their weights."""
    random = np.random.default_rng(n_rows)
    codes = np.concatenate([np.arange(32), random.integers(0, 32, size=n_rows - 32)])
    passes = codes >> np.arange(5)[:, None] & 1 == 1
    targets = (random.random(n_rows) < np.where(codes % 3 == 0, 0.8, 0.3)).astype(np.int64)
    kinds, counts = np.unique(2 * codes + targets, return_counts=True)
    merged = Problem(kinds // 2 >> np.arange(5)[:, None] & 1 == 1, kinds % 2, weights=counts)
    expected = Twin(merged).objective
    problem = Problem(passes, targets)
    result = ask(problem)
    assert result.objective == result.lower_bound == expected
    assert cost_of(result.tree, problem).cost == expected
    assert ask(merged).objective == expected


def test_a_run_that_was_stopped_does_not_call_its_values_exact() -> None:
    for seed in range(3):
        problem = draw_larger(seed, 200, 12, max_depth=5)
        optimum = ask(problem).objective
        for seconds in (1e-4, 3e-4, 1e-3, 3e-3, 1e-2):
            for n_jobs in (1, 2):
                result = ask(problem, seconds=seconds, n_jobs=n_jobs)
                assert result.lower_bound <= optimum <= result.objective
                if result.status == "optimal":
                    assert result.lower_bound == result.objective == optimum


@pytest.mark.parametrize("n_classes", [1, 2, 3, 17, 40])
def test_many_classes_of_few_rows(n_classes: int) -> None:
    random = np.random.default_rng(n_classes)
    problem = draw_larger(0, 45, 6)
    targets = random.integers(0, n_classes, size=45)
    check(replace(problem, targets=targets, costs=costs_of_errors(n_classes)), front=True)


def test_more_answers_than_classes() -> None:
    """One answer stands between the classes: never right and never far off."""
    costs = np.array([[0, 4, 1], [4, 0, 1]])
    for seed in range(3):
        result = check(replace(draw_larger(seed, 50, 6), costs=costs), front=True)
        answers = [a for a, p in zip(result.tree.answers, result.tree.first, strict=True) if p < 0]
        assert {*answers} <= {0, 1, 2}
