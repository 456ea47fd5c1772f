"""Losses that differ by row: the same trees as if every row had a class of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from search_cases import SWITCHES, ask, check, draw_larger, draw_losses


@pytest.mark.parametrize("seed", range(60))
def test_search_of_losses_agrees_with_the_twin(seed):
    problem, losses = draw_losses(seed)
    check(problem, losses=losses, front=seed % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 2060))
def test_search_of_losses_agrees_with_the_twin_often(seed):
    problem, losses = draw_losses(seed)
    check(problem, losses=losses, front=seed % 2 == 0, chain_length=[24, 1][seed % 2])


@pytest.mark.parametrize("n_labels", [2, 3, 7])
@pytest.mark.parametrize("limits", [{}, {"min_rows": 6}, {"penalty": 9}, {"max_nodes": 5}])
def test_losses_by_class_are_costs(limits, n_labels):
    """The same costs as a matrix of classes and as losses of rows, over tables of some size."""
    random = np.random.default_rng(n_labels)
    problem = draw_larger(n_labels, 120, 14, 4, max_depth=3, **limits)
    weights = random.integers(1, 4, size=problem.n_rows)
    problem = replace(problem, costs=random.integers(0, 9, size=(4, n_labels)), weights=weights)
    losses = weights[:, None] * problem.costs[problem.targets]
    unavoidable = int(losses.min(axis=1).sum())
    expected = ask(problem).objective - unavoidable
    assert ask(problem, losses=losses).objective == expected
    assert ask(problem, losses=losses + 7).objective == expected
    for switch in SWITCHES:
        assert ask(problem, losses=losses, **{switch: False}).objective == expected
    if not limits:
        result = ask(problem, losses=losses, n_jobs=3, smallest=True)
        assert (result.objective, result.lower_bound) == (expected, expected)


@pytest.mark.parametrize("n_labels", [2, 3, 6])
@pytest.mark.parametrize("min_rows", [1, 5])
def test_losses_along_chains_cost_what_they_cost_by_bits(n_labels, min_rows):
    random = np.random.default_rng(10 * n_labels + min_rows)
    values = random.integers(0, 30, size=(3, 150))
    cuts = [column <= cut for column in values for cut in range(29)]
    problem = replace(
        draw_larger(0, 150, 87, max_depth=3, min_rows=min_rows),
        passes=np.array(cuts),
        chains=np.repeat(np.arange(3, dtype=np.int32), 29),
    )
    losses = random.integers(0, 50, size=(150, n_labels))
    losses[:, 0] += values[0]
    results = [ask(problem, losses=losses, chain_length=length) for length in (0, 24)]
    assert results[0].objective == results[1].objective
    assert all(result.lower_bound == result.objective for result in results)


@pytest.mark.parametrize(
    ("losses", "complaint"),
    [
        (np.full((5, 2), -1), "0 or more"),
        (np.zeros((5, 0), dtype=np.int64), "one number for each row"),
        (np.zeros((4, 2), dtype=np.int64), "one number for each row"),
        (np.array([[0, 2**52]] * 5), "at most 2\\^52"),
    ],
)
def test_broken_losses_are_refused(losses, complaint):
    problem, _ = draw_losses(2)
    small = replace(
        problem,
        passes=np.zeros((1, 5)),
        targets=np.zeros(5, dtype=np.int64),
        weights=np.ones(5, dtype=np.int64),
        costs=np.zeros((1, 0), dtype=np.int64),
    )
    small = replace(
        small,
        prices=np.zeros(1, dtype=np.int64),
        last_levels=np.full(1, 255, dtype=np.int32),
        chains=np.full(1, -1, dtype=np.int32),
        sources=np.full(1, -1, dtype=np.int32),
    )
    with pytest.raises(ValueError, match=complaint):
        ask(small, losses=losses)
