"""The search where tests are thresholds in order, and where a tree is known before it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import NUMBERS, Problem, Twin, costs_of_errors
from search_cases import ask, check, check_tree, draw, ranks_of

from treewright import _core

LIMITS_OF_CHAINS = [
    {"min_rows": 4},
    {"min_weight": 9},
    {"penalty": 2},
    {"max_depth": 2, "penalty": 1, "min_rows": 3},
    {"prices": True},
    {"last_levels": True},
    {"weights": True},
    {"weights": True, "min_rows": 3},
]


def thresholds(seed: int, n_rows: int = 60, n_columns: int = 3) -> Problem:
    """All thresholds of some columns, and classes that depend on two of them."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 12, size=(n_columns, n_rows))
    passes, chains = [], []
    for column, row in enumerate(values):
        for cut in np.unique(row)[:-1]:
            passes.append(row <= cut)
            chains.append(column)
    noise = random.random(n_rows) < 0.15
    targets = ((values[0] > 5) ^ (values[1] > 3) ^ noise).astype(np.int64)
    return Problem(np.array(passes), targets, chains=np.array(chains, dtype=np.int32))


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize("seed", range(30))
def test_nodes_searched_chain_by_chain_have_the_same_optimum(seed: int, length: int) -> None:
    check(draw(seed), chain_length=length)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_chains_change_no_value(seed: int, depth: int) -> None:
    problem = replace(thresholds(seed), max_depth=depth)
    free = replace(problem, chains=np.full(len(problem.passes), -1, dtype=np.int32))
    expected = ask(free, chain_length=0).objective
    assert ask(problem, chain_length=1).objective == expected
    assert ask(problem, chain_length=8, n_jobs=2).objective == expected
    assert ask(problem, chain_length=1, similarity=False).objective == expected


def limit(
    problem: Problem, limits: dict[str, Any], n_classes: int, random: np.random.Generator
) -> Problem:
    """The problem under limits, some of them drawn, with other classes or numbers."""
    changes = dict(limits)
    n_tests = len(problem.passes)
    if "prices" in limits:
        changes["prices"] = random.integers(0, 3, size=n_tests)
    if "last_levels" in limits:
        changes["last_levels"] = random.integers(0, 3, size=n_tests).astype(np.int32)
    if "weights" in limits:
        changes["weights"] = random.choice([1, 2, 10**8], size=problem.n_rows)
    if n_classes:
        changes["targets"] = (problem.passes[::5].sum(axis=0) + problem.targets) % n_classes
        changes["costs"] = costs_of_errors(n_classes)
    else:
        changes["targets"] = random.integers(-9, 10, size=problem.n_rows)
        changes["costs"] = NUMBERS
        changes["weights"] = None
    return replace(problem, **changes)


def with_levels(problem: Problem, random: np.random.Generator, n_columns: int = 2) -> Problem:
    """The problem with sets of levels of further columns, each a chain of its own."""
    passes, sources = [*problem.passes], [*problem.chains]
    for column in range(n_columns):
        level = random.integers(0, 5, size=problem.n_rows)
        for _ in range(4):
            passes.append(np.isin(level, random.permutation(5)[:2]))
            sources.append(100 + column)
    chains = np.full(len(passes), -1, dtype=np.int32)
    chains[: len(problem.chains)] = problem.chains
    return replace(
        problem,
        passes=np.array(passes),
        chains=chains,
        sources=np.array(sources, dtype=np.int32),
        **dict.fromkeys(("prices", "last_levels")),
    )


@pytest.mark.parametrize("limits", LIMITS_OF_CHAINS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 4, 0])
def test_sets_of_levels_of_one_column_share_what_is_counted(
    limits: dict[str, Any], n_classes: int
) -> None:
    for seed in range(4):
        random = np.random.default_rng(seed)
        problem = with_levels(thresholds(seed, n_rows=40, n_columns=2), random)
        limited = limit(problem, limits, n_classes, random)
        check(limited, chain_length=1, n_jobs=1 + seed % 2)


@pytest.mark.parametrize("n_classes", [2, 3, 0])
def test_columns_of_very_many_levels_are_counted_apart(n_classes: int) -> None:
    """Twelve sets divide a thousand levels into more parts than sets share."""
    random = np.random.default_rng(3)
    level = random.permutation(1200) % 1000
    sets = [np.isin(level, random.permutation(1000)[:500]) for _ in range(12)]
    targets = (sets[0] ^ sets[1] ^ (random.random(1200) < 0.2)).astype(np.int64)
    problem = Problem(np.array(sets), targets, sources=np.zeros(12, dtype=np.int32), max_depth=3)
    problem = limit(problem, {}, 0 if not n_classes else 2, random)
    if n_classes == 3:
        problem = replace(problem, targets=targets + sets[2], costs=costs_of_errors(3))
    found = ask(problem, chain_length=1)
    assert found.objective == ask(problem, chain_length=0).objective
    check_tree(found, problem)


@pytest.mark.parametrize("limits", LIMITS_OF_CHAINS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 4, 0])
def test_values_along_chains_with_ties_classes_and_limits(
    limits: dict[str, Any], n_classes: int
) -> None:
    """Few values and many rows: bins hold rows of several classes, and runs of one class."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        problem = thresholds(seed, n_rows=40, n_columns=2)
        limited = limit(problem, limits, n_classes, random)
        check(limited, chain_length=1, n_jobs=1 + seed % 2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_in_any_order_and_columns_in_any_scale_have_the_same_optimum(n_classes: int) -> None:
    random = np.random.default_rng(5)
    values = np.round(random.normal(size=(3, 150)), 1)
    targets = ((values[0] > values[1]) + (values[2] > 1) * (n_classes - 2)).astype(np.int64)
    order = random.permutation(150)
    costs = costs_of_errors(n_classes)
    given = [
        (values, targets),
        (values[:, order], targets[order]),
        (np.exp(values), targets),
        (-values, targets),
        (values[::-1], targets),
    ]
    objectives = []
    for columns, codes in given:
        passes = [row <= cut for row in columns for cut in np.unique(row)[:-1]]
        chains = np.repeat(np.arange(3), [len(np.unique(row)) - 1 for row in columns])
        problem = Problem(np.array(passes), codes, costs, chains=chains.astype(np.int32))
        assert len(passes) > 3 * _core.SearchOptions().chain_length
        result = ask(problem)
        check_tree(result, problem)
        objectives.append(result.objective)
    assert len(set(objectives)) == 1


def test_more_rows_than_a_bound_reaches_are_searched_in_intervals() -> None:
    """Of 3000 thresholds few are tried; the optimum is that of all pairs, none left out."""
    random = np.random.default_rng(2)
    values = np.array([random.permutation(1500), random.permutation(1500)])
    noise = random.random(1500) < 0.02
    targets = ((values[0] > 700) ^ (values[1] > 200) ^ noise).astype(np.int64)
    passes = np.concatenate([row <= np.arange(1499)[:, None] for row in values])
    chains = np.repeat(np.arange(2, dtype=np.int32), 1499)
    problem = Problem(passes, targets, chains=chains, max_depth=2)
    result = ask(problem)
    assert result.statistics["fused"] < 300
    assert result.objective == ask(problem, similarity=False).objective


@pytest.mark.long
def test_a_limit_of_time_is_kept_along_chains() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(6, 2000))
    targets = random.integers(0, 2, size=2000)
    passes = [row <= cut for row in values for cut in np.sort(row)[:-1:4]]
    chains = np.repeat(np.arange(6, dtype=np.int32), len(passes) // 6)
    problem = Problem(np.array(passes), targets, chains=chains, max_depth=5)
    told = []

    def tell(*progress: Any) -> bool:
        told.append(progress)
        return True

    result = ask(problem, tell, seconds=0.5)
    assert result.status == "time_limit"
    assert told
    assert 0 <= result.lower_bound < result.objective
    check_tree(result, problem)


def test_threads_find_the_same_tree_in_chains() -> None:
    for seed in range(10):
        problem = replace(thresholds(seed, n_rows=200), max_depth=3)
        trees = [ask(problem, chain_length=1, n_jobs=n).tree for n in (1, 2, 3)]
        for tree in trees[1:]:
            np.testing.assert_array_equal(tree.first, trees[0].first)
            np.testing.assert_array_equal(tree.answers, trees[0].answers)


def test_a_chain_that_is_none_is_refused() -> None:
    problem = thresholds(0)
    problem = replace(problem, passes=problem.passes[::-1].copy())
    with pytest.raises(ValueError, match="more and more rows"):
        ask(problem)


@pytest.mark.parametrize("seed", range(20))
def test_only_trees_below_the_limit_are_looked_for(seed: int) -> None:
    problem = replace(draw(seed), max_nodes=-1)
    optimum = ask(problem).objective
    below = ask(problem, limit=optimum)
    assert not below.found
    assert below.objective == below.lower_bound == optimum
    above = ask(problem, limit=optimum + 1)
    assert above.found
    assert above.objective == optimum


def test_a_limit_and_limits_on_sizes_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="do not go together"):
        ask(replace(draw(0), max_nodes=1, max_depth=3), limit=5)


@pytest.mark.parametrize("seed", range(8))
def test_the_smallest_of_equal_trees_on_request(seed: int) -> None:
    problem = replace(thresholds(seed, n_rows=300, n_columns=2), max_depth=3)
    size = len(problem.passes) * problem.n_rows
    assert size > 4096  # smaller problems need not ask
    result = ask(problem, smallest=True)
    n_tests = int(np.count_nonzero(result.tree.first >= 0))
    profile = dict(Twin(problem).front)
    assert n_tests == min(size for size, cost in profile.items() if cost == result.objective)


@pytest.mark.parametrize("chain_length", [1, 0])
def test_the_smallest_tree_also_where_the_first_guess_was_the_best(chain_length: int) -> None:
    """At depth 5 a greedy tree is tried first, which may be as good as any and larger."""
    for seed in range(12):
        every = thresholds(seed, n_rows=20, n_columns=2)
        some = every.passes[::4].copy()
        problem = Problem(some, every.targets, chains=every.chains[::4].copy(), max_depth=5)
        twin = Twin(problem)
        result = ask(problem, smallest=True, chain_length=chain_length)
        assert (result.objective, result.status_of_size) == (twin.objective, "optimal")
        n_tests = int(np.count_nonzero(result.tree.first >= 0))
        assert n_tests == min(size for size, cost in twin.front if cost == twin.objective)


def test_it_is_told_if_a_smaller_tree_may_be_as_good() -> None:
    """Along chains no table of pairs is needed, but to look for the smallest tree one is."""
    random = np.random.default_rng(0)
    values = np.array([random.permutation(1100) for _ in range(3)])
    targets = ((values > 400).sum(axis=0) % 2 ^ (random.random(1100) < 0.02)).astype(np.int64)
    passes = np.concatenate([row <= np.arange(1099)[:, None] for row in values])
    chains = np.repeat(np.arange(3, dtype=np.int32), 1099)
    problem = Problem(passes, targets, chains=chains)
    result = ask(problem, smallest=True, memory=1)
    assert (result.status, result.status_of_size) == ("optimal", "memory_limit")
    assert ask(problem, memory=1).status_of_size == "optimal"  # nobody asked


def test_what_was_found_at_depth_two_is_kept_when_the_search_is_stopped() -> None:
    random = np.random.default_rng(0)
    values = np.array([random.permutation(2000) for _ in range(4)])
    targets = (values[0] > 1000).astype(np.int64) + random.integers(0, 3, size=2000)
    passes = np.concatenate([row <= np.arange(1999)[:, None] for row in values])
    chains = np.repeat(np.arange(4, dtype=np.int32), 1999)
    problem = Problem(passes, 100 * targets, NUMBERS, chains=chains, max_depth=2)
    told: list[Any] = []

    def stop(*progress: Any) -> bool:
        told.append(progress)
        return len(told) < 3

    result = ask(problem, stop, similarity=False)
    assert result.status == "stopped"
    assert result.objective < ask(replace(problem, max_depth=1)).objective
    check_tree(result, problem)


def test_a_tree_however_short_the_time() -> None:
    problem = replace(thresholds(1, n_rows=400), max_depth=6)
    leaf = ask(replace(problem, max_depth=0)).objective
    result = ask(problem, seconds=0.0, similarity=False)
    assert result.status == "time_limit"
    assert result.objective < leaf
    assert result.lower_bound <= result.objective


def test_kernels_are_listed_fastest_first() -> None:
    assert _core.search_kernels()[-1] == "scalar"


def plan_of(result: Any) -> list[list[int]]:
    tree = result.tree
    return [part.tolist() for part in (tree.first, tree.passed, tree.failed, tree.answers)]


@pytest.mark.parametrize("depth", [1, 2, 3, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", range(6))
def test_ranks_in_place_of_bits_give_the_same_tree(seed: int, depth: int) -> None:
    random = np.random.default_rng(seed)
    problem = replace(thresholds(seed, n_rows=200), max_depth=depth)
    alone = random.random((3, problem.n_rows)) < 0.4
    problem = Problem(
        np.vstack([alone, problem.passes]),
        problem.targets,
        chains=np.concatenate([np.full(3, -1), problem.chains]).astype(np.int32),
        max_depth=depth,
        penalty=seed % 2,
        min_rows=1 + seed % 3,
    )
    by_bits = ask(problem, chain_length=1)
    for n_jobs in (1, 2):
        by_ranks = ask(problem, ranks=ranks_of(problem), chain_length=1, n_jobs=n_jobs)
        assert by_ranks.objective == by_bits.objective == by_ranks.lower_bound
        assert plan_of(by_ranks) == plan_of(by_bits)
        check_tree(by_ranks, problem)


@pytest.mark.parametrize(
    "options",
    [
        {"front": True},
        {"smallest": True},
        {"pair_levels": 1},
        {"max_nodes": 2},
        {"chain_length": 0},
    ],
    ids=str,
)
def test_searches_by_bits_refuse_ranks(options: dict[str, Any]) -> None:
    problem = replace(thresholds(0, n_rows=200), max_depth=3)
    chosen = _core.SearchOptions()
    chosen.chain_length = 1
    assert _core.reads_ranks_only(problem.n_rows, problem.chains, chosen)
    for name, value in options.items():
        setattr(chosen, name, value)
    assert not _core.reads_ranks_only(problem.n_rows, problem.chains, chosen)
    with pytest.raises(ValueError, match="This search needs the bits of its conditions"):
        ask(problem, ranks=ranks_of(problem), **{"chain_length": 1, **options})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda ranks: ranks[:-1], "one number per row for each chain"),
        (lambda ranks: ranks - 1, "between 0 and the number of its conditions"),
        (lambda ranks: ranks + 9, "between 0 and the number of its conditions"),
    ],
    ids=["too few", "below", "above"],
)
def test_ranks_that_cannot_be(change: Any, words: str) -> None:
    problem = thresholds(0, n_rows=200)
    ranks = np.ascontiguousarray(change(ranks_of(problem)), dtype=np.int32)
    with pytest.raises(ValueError, match=words):
        ask(problem, ranks=ranks, chain_length=1)
