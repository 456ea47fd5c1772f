"""What must not change the value of an optimal tree, and which way it may change.

Each relation is asked of problems with several limits; the search is compared with itself, so the
tables may be larger than the twin that tries everything could take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import NUMBERS, Problem, cost_of
from search_cases import SCALE, ask, draw_larger, slack_of

LIMITS: dict[str, dict[str, Any]] = {
    "plain": {},
    "deep": {"max_depth": 4},
    "small": {"max_depth": 4, "max_nodes": 6},
    "penalty": {"penalty": 2},
    "large leaves": {"min_rows": 9},
    "pairs": {"pair_levels": 1},
    "five pairs": {"pair_levels": 1, "pair_functions": 5},
    "classes": {"n_classes": 4},
}
N_TESTS = 12


def problems(**limits: Any) -> list[Problem]:
    return [draw_larger(seed, 70 + 31 * seed, N_TESTS, **limits) for seed in range(3)]


def value(problem: Problem) -> int:
    result = ask(problem)
    assert result.status == "optimal"
    return result.objective


# ------------------------------------------------------------------------------ nothing must change


def rows_in_another_order(problem: Problem, random: np.random.Generator) -> Problem:
    order = random.permutation(problem.n_rows)
    return replace(
        problem,
        passes=problem.passes[:, order],
        targets=problem.targets[order],
        weights=problem.weights[order],
    )


def columns_in_another_order(problem: Problem, random: np.random.Generator) -> Problem:
    order = random.permutation(len(problem.passes))
    return replace(problem, passes=problem.passes[order])


def with_tests(problem: Problem, more: np.ndarray) -> Problem:
    """The same problem with further tests, free and allowed anywhere."""
    return replace(
        problem,
        passes=np.concatenate([problem.passes, more]),
        **dict.fromkeys(("prices", "last_levels", "chains", "sources")),
    )


def copied_tests(problem: Problem, random: np.random.Generator) -> Problem:
    return with_tests(problem, problem.passes[random.integers(len(problem.passes), size=5)])


def constant_tests(problem: Problem, random: np.random.Generator) -> Problem:
    constant = np.repeat([[True], [False], [True]], problem.n_rows, axis=1)
    return with_tests(problem, constant)


def renamed_classes(problem: Problem, random: np.random.Generator) -> Problem:
    names = random.permutation(len(problem.costs))
    return replace(problem, targets=names[problem.targets])


def an_absent_class(problem: Problem, random: np.random.Generator) -> Problem:
    n_classes = len(problem.costs) + 1
    targets = problem.targets + (problem.targets >= 1)
    return replace(problem, targets=targets, costs=1 - np.eye(n_classes, dtype=np.int64))


SAME = (
    *(rows_in_another_order, columns_in_another_order, copied_tests, constant_tests),
    *(renamed_classes, an_absent_class),
)


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("change", SAME)
def test_the_value_stays_the_same(
    change: Callable[[Problem, np.random.Generator], Problem], limits: dict[str, Any]
) -> None:
    random = np.random.default_rng(0)
    for problem in problems(**limits):
        assert value(change(problem, random)) == value(problem)


@pytest.mark.parametrize("name", [name for name in LIMITS if name != "pairs"])
def test_a_test_may_be_turned_round(name: str) -> None:
    """Of three functions of a pair none negates a column; of five each stays what it is."""
    random = np.random.default_rng(0)
    for problem in problems(**LIMITS[name]):
        turned = problem.passes ^ (random.random((N_TESTS, 1)) < 0.5)
        assert value(replace(problem, passes=turned)) == value(problem)


def test_with_every_complement_at_hand_three_functions_do_as_much_as_five() -> None:
    for problem in problems(pair_levels=1):
        both = with_tests(problem, ~problem.passes)
        assert value(both) == value(replace(problem, pair_functions=5))


@pytest.mark.parametrize("times", [2, 3, 16])
@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_weight_is_worth_as_many_rows(times: int, limits: dict[str, Any]) -> None:
    limits = {**limits, "penalty": 0}
    for problem in problems(**limits):
        weighted = replace(problem, weights=times * problem.weights)
        assert value(weighted) == times * value(problem)
        repeated = replace(
            problem,
            passes=np.repeat(problem.passes, times, axis=1),
            targets=np.repeat(problem.targets, times),
            weights=np.ones(times * problem.n_rows, dtype=np.int64),
            min_rows=times * problem.min_rows,
        )
        assert value(repeated) == times * value(problem)


def test_equal_rows_may_be_one_row_with_their_weight() -> None:
    for problem in problems():
        few = Problem(problem.passes[:5], problem.targets, max_depth=4)
        rows = np.concatenate([few.passes, [few.targets]]).T
        distinct, counts = np.unique(rows, axis=0, return_counts=True)
        passes, targets = distinct[:, :5].T.astype(bool), distinct[:, 5].astype(np.int64)
        assert value(Problem(passes, targets, weights=counts, max_depth=4)) == value(few)


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_chains_are_only_a_hint(limits: dict[str, Any]) -> None:
    for seed, problem in enumerate(problems(**limits)):
        ranks = np.random.default_rng(seed).integers(0, 30, size=(2, problem.n_rows))
        ranks[0] = ranks[0] // 2 + 8 * problem.targets
        thresholds = (ranks[:, None] <= np.arange(29)[:, None]).reshape(58, -1)
        chains = np.repeat(np.arange(2, dtype=np.int32), 29)
        free = dict.fromkeys(("prices", "last_levels", "sources"))
        chained = replace(problem, passes=thresholds, chains=chains, **free)
        assert value(chained) == value(replace(chained, chains=None))


# ----------------------------------------------------------------------- one way, never the other


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_one_test_more_never_costs(limits: dict[str, Any]) -> None:
    random = np.random.default_rng(0)
    for problem in problems(**limits):
        more = with_tests(problem, random.random((1, problem.n_rows)) < 0.5)
        assert value(more) <= value(problem)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("max_depth", [0, 1, 2, 3, 4, 5]),
        ("max_nodes", [0, 1, 2, 3, 4, 5, 6, 7, 11, 15]),
        ("pair_levels", [0, 1, 2]),
    ],
)
def test_more_room_never_costs(name: str, values: list[int]) -> None:
    for problem in problems(max_depth=4):
        found = [value(replace(problem, **{name: one})) for one in values]
        assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("name", ["min_rows", "min_weight"])
def test_larger_leaves_never_pay(name: str) -> None:
    for problem in problems():
        found = [value(replace(problem, **{name: size})) for size in (1, 2, 5, 10, 20, 40)]
        assert found == sorted(found)


def test_a_higher_penalty_gives_smaller_trees_with_more_errors() -> None:
    for problem in problems(max_depth=4):
        found = [ask(replace(problem, penalty=penalty)) for penalty in range(12)]
        trees = [cost_of(one.tree, problem) for one in found]
        assert [one.objective for one in found] == sorted(one.objective for one in found)
        assert [tree.cost for tree in trees] == sorted(tree.cost for tree in trees)
        sizes = [tree.n_tests for tree in trees]
        assert sizes == sorted(sizes, reverse=True)


def test_rows_taken_away_save_at_most_their_weight() -> None:
    random = np.random.default_rng(0)
    for problem in problems(max_depth=4):
        weights = random.integers(1, 4, size=problem.n_rows)
        problem = replace(problem, weights=weights)
        kept = random.random(problem.n_rows) < 0.9
        fewer = replace(
            problem,
            passes=problem.passes[:, kept],
            targets=problem.targets[kept],
            weights=weights[kept],
        )
        assert value(problem) - weights[~kept].sum() <= value(fewer) <= value(problem)


# ----------------------------------------------------------------------- two ways to say the same


@pytest.mark.parametrize("functions", [3, 5])
@pytest.mark.parametrize("pair_levels", [1, 2])
def test_pairs_are_tests_of_the_first_levels(pair_levels: int, functions: int) -> None:
    for seed in range(2):
        limits = {"max_depth": 4, "pair_functions": functions}
        problem = draw_larger(seed, 60, 7, **limits)
        a, b = (problem.passes[list(side)] for side in np.triu_indices(7, 1))
        written = [a & b, a | b, a ^ b]
        written += [a & ~b, b & ~a] if functions == 5 else []
        pairs = with_tests(problem, np.concatenate(written))
        n_pairs = len(pairs.passes) - 7
        levels = np.repeat([255, pair_levels - 1], [7, n_pairs]).astype(np.int32)
        assert value(replace(problem, pair_levels=pair_levels)) == value(
            replace(pairs, last_levels=levels)
        )


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_an_entry_of_the_front_is_the_answer_to_its_budget(limits: dict[str, Any]) -> None:
    for problem in problems(**{**limits, "max_nodes": -1}):
        front = ask(problem, front=True).front
        found = {point.n_tests: point.cost for point in front}
        last = None
        for budget in range(2**problem.max_depth):
            last = found.get(budget, last)
            alone = replace(problem, max_nodes=budget, penalty=0)
            assert value(alone) == last


def test_the_front_gives_the_answer_to_every_penalty() -> None:
    for problem in problems(max_depth=4):
        front = ask(problem, front=True).front
        for penalty in (0, 1, 2, 3, 5, 8, 13):
            best = min(point.cost + penalty * point.n_tests for point in front)
            assert value(replace(problem, penalty=penalty)) == best


def test_the_front_of_numbers_gives_the_answer_to_every_penalty() -> None:
    random = np.random.default_rng(0)
    for plain in problems():
        targets = SCALE * random.integers(-9, 10, size=plain.n_rows)
        problem = replace(plain, targets=targets, costs=NUMBERS)
        front = ask(problem, front=True).front
        for penalty in (0, SCALE**2, 50 * SCALE**2):
            best = min(point.cost + penalty * point.n_tests for point in front)
            found = value(replace(problem, penalty=penalty))
            assert abs(found - best) <= slack_of(problem)


def test_costs_and_weights_of_classes_are_one_thing() -> None:
    costs = np.array([[0, 3], [7, 0]])
    for problem in problems(max_depth=4):
        weights = np.array([3, 7])[problem.targets]
        assert value(replace(problem, costs=costs)) == value(replace(problem, weights=weights))


def test_squared_error_does_not_change_when_numbers_are_shifted_or_turned() -> None:
    random = np.random.default_rng(0)
    for plain in problems():
        targets = SCALE * random.integers(-9, 10, size=plain.n_rows)
        problem = replace(plain, targets=targets, costs=NUMBERS)
        for other in (targets + 12345, -targets, 12345 - targets):
            found = value(replace(problem, targets=other))
            assert abs(found - value(problem)) <= slack_of(problem)
