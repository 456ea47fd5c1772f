"""The counting kernels of the search beside numpy: each instruction set, sizes around words."""

from __future__ import annotations

import numpy as np
import pytest
from optimal_twin import Problem
from search_cases import check, draw_larger

from treewright import _core

KERNELS = _core.search_kernels()
ROWS = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200)
TESTS = (1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65)


def check_counts(passes: np.ndarray, kernel: str) -> None:
    """Pairs are counted as ``X'X``."""
    bits = np.packbits(passes, axis=1, bitorder="little")
    numbers = passes.astype(np.int64)
    found = _core.count_pairs(bits, passes.shape[1], kernel)
    np.testing.assert_array_equal(found, numbers @ numbers.T)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_rows", [0, *ROWS, 495, 496, 497, 1000])
def test_pairs_are_counted_for_any_number_of_rows(kernel: str, n_rows: int) -> None:
    """Counters of one byte are emptied every 31 groups of 16 rows."""
    random = np.random.default_rng(n_rows)
    check_counts(random.random((12, n_rows)) < random.random((12, 1)), kernel)
    check_counts(np.ones((12, n_rows), dtype=bool), kernel)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_tests", [0, *TESTS])
def test_pairs_are_counted_for_any_number_of_tests(kernel: str, n_tests: int) -> None:
    random = np.random.default_rng(n_tests)
    check_counts(random.random((n_tests, 70)) < random.random((n_tests, 1)), kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_pairs_are_counted_up_to_the_widest_count(kernel: str) -> None:
    for n_rows in (2**15 - 2, 2**15 - 1):
        check_counts(np.ones((3, n_rows), dtype=bool), kernel)


def test_more_rows_than_a_kernel_counts_are_refused() -> None:
    bits = np.zeros((1, 2**12), dtype=np.uint8)
    with pytest.raises(ValueError, match="at most 32767 rows"):
        _core.count_pairs(bits, 2**15, "scalar")
    with pytest.raises(ValueError, match="abacus"):
        _core.count_pairs(bits, 9, "abacus")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_rows", ROWS)
def test_trees_of_depth_two_and_three_of_any_number_of_rows(kernel: str, n_rows: int) -> None:
    for depth in (2, 3):
        check(draw_larger(n_rows, n_rows, 6, max_depth=depth), kernel=kernel)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_tests", TESTS)
def test_trees_of_depth_two_and_three_of_any_number_of_tests(kernel: str, n_tests: int) -> None:
    for depth in (2, 3) if n_tests < 40 else (2,):
        problem = draw_larger(n_tests, 40, n_tests, max_depth=depth)
        check(problem, kernel=kernel)
        check(problem, kernel=kernel, fused=False)


@pytest.mark.parametrize("kernel", KERNELS)
def test_tests_passed_by_all_rows_but_one(kernel: str) -> None:
    """Small sides of one row beside large ones of all others."""
    for n_rows in (17, 33, 65):
        passes = ~np.eye(n_rows, dtype=bool)[:8]
        targets = (np.arange(n_rows) % 2).astype(np.int64)
        check(Problem(passes, targets), kernel=kernel, front=True)
