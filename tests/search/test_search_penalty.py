"""What a penalty of each test says of depth: bounds by it lose no tree.

A tree of more than d levels has more than d tests, so what is known of d levels bounds deeper
trees, and the deepest tree that can pay ends the search whatever depth is allowed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optimal_twin import Problem
from search_cases import SCALE, ask, check, draw, draw_larger

DEEPER = 9  # levels; no path of a small problem has more tests that divide its rows


def priced(seed: int) -> Problem:
    """A small problem whose tests have a penalty, with as many levels as it has tests or fewer."""
    random = np.random.default_rng([seed, 1])
    problem = draw(seed)
    unit = SCALE * SCALE if problem.of_numbers else 1
    changes: dict[str, Any] = {
        "max_depth": int(random.choice([3, 4, 5, DEEPER])),
        "max_nodes": -1,
        "penalty": unit * int(random.choice([1, 1, 2, 3, 5])),
    }
    if random.random() < 0.3:
        changes["min_rows"] = int(random.integers(2, 5))
    return replace(problem, **changes)


@pytest.mark.parametrize("seed", range(720))
def test_trees_with_a_penalty_are_the_best(seed):
    problem = priced(seed)
    check(problem)
    check(problem, chain_length=2)
    check(problem, n_jobs=2)
    check(problem, similarity=False, cache=False)


@pytest.mark.parametrize("chain_length", [0, 2])
def test_no_depth_costs_more_than_the_deepest_that_pays(chain_length):
    """With 3 errors of 40 rows a test, six levels are as good as a hundred, and as soon found."""
    problem = draw_larger(3, 40, 12, penalty=3, max_depth=6)
    limited = ask(problem, chain_length=chain_length)
    any_depth = ask(replace(problem, max_depth=100), chain_length=chain_length)
    assert any_depth.status == "optimal"
    assert any_depth.objective == any_depth.lower_bound == limited.objective
    assert any_depth.statistics["nodes"] <= 3 * limited.statistics["nodes"]


def test_a_penalty_makes_the_search_shorter():
    problem = draw_larger(11, 120, 24, max_depth=5)
    free, dear = ask(problem), ask(replace(problem, penalty=8))
    assert dear.statistics["nodes"] < free.statistics["nodes"]
