"""Ten thousand random questions to the search for optimal trees, each beside the twin."""

from __future__ import annotations

from dataclasses import replace

import pytest
from search_cases import SWITCHES, check, draw, draw_larger

from treewright import _core

N_BATCHES = 50
CASES_IN_A_BATCH = 200
FIRST = 100_000  # away from the seeds of the quick tests


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_small_problems_of_every_kind_agree_with_the_twin(batch: int) -> None:
    kernels = _core.search_kernels()
    for case in range(CASES_IN_A_BATCH):
        seed = FIRST + batch * CASES_IN_A_BATCH + case
        switches = {SWITCHES[(batch + case) % len(SWITCHES)]: case % 3 > 0}
        check(
            draw(seed),
            front=seed % 2 == 1,
            kernel=kernels[seed % len(kernels)],
            n_jobs=1 + seed % 5 // 4,
            **switches,
        )


@pytest.mark.slow
@pytest.mark.parametrize("pair_levels", [0, 1, 2])
@pytest.mark.parametrize("batch", range(10))
def test_larger_problems_agree_with_the_twin(batch: int, pair_levels: int) -> None:
    for seed in range(FIRST + 8 * batch, FIRST + 8 * (batch + 1)):
        size = 10 + seed % 9 if pair_levels == 2 else 30 + seed % 100
        problem = draw_larger(
            seed, size, 7, n_classes=2 + seed % 3, max_depth=4, pair_levels=pair_levels
        )
        for change in ({}, {"max_nodes": 7}, {"penalty": 2}, {"min_rows": 3}):
            check(replace(problem, pair_functions=3 + 2 * (seed % 2), **change))
