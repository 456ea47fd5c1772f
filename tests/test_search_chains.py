"""The search where tests are thresholds in order, and where a tree is known before it begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from optimal_twin import Problem, Twin
from search_cases import ask, check, draw

from treewright import _core


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
@pytest.mark.parametrize("seed", range(60))
def test_nodes_searched_chain_by_chain_have_the_same_optimum(seed: int, length: int) -> None:
    check(draw(seed), chain_length=length)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_chains_change_no_value(seed: int, depth: int) -> None:
    problem = replace(thresholds(seed), max_depth=depth)
    free = replace(problem, chains=np.full(len(problem.passes), -1, dtype=np.int32))
    expected = ask(free, chain_length=0).objective
    assert ask(problem, chain_length=1).objective == expected
    assert ask(problem, chain_length=8, n_jobs=2).objective == expected
    assert ask(problem, chain_length=1, similarity=False).objective == expected


def test_threads_find_the_same_tree_in_chains() -> None:
    problem = replace(thresholds(3, n_rows=200), max_depth=3)
    trees = [ask(problem, chain_length=1, n_jobs=n).tree for n in (1, 2, 3)]
    for tree in trees[1:]:
        np.testing.assert_array_equal(tree.first, trees[0].first)
        np.testing.assert_array_equal(tree.answers, trees[0].answers)


def test_a_chain_that_is_none_is_refused() -> None:
    problem = thresholds(0)
    problem = replace(problem, passes=problem.passes[::-1].copy())
    with pytest.raises(ValueError, match="more and more rows"):
        ask(problem)


@pytest.mark.parametrize("seed", range(40))
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


def test_a_tree_however_short_the_time() -> None:
    problem = replace(thresholds(1, n_rows=400), max_depth=6)
    leaf = ask(replace(problem, max_depth=0)).objective
    result = ask(problem, seconds=0.0, similarity=False)
    assert result.status == "time_limit"
    assert result.objective < leaf
    assert result.lower_bound <= result.objective


def test_kernels_are_listed_fastest_first() -> None:
    assert _core.search_kernels()[-1] == "scalar"
