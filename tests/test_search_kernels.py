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


def draw_counts(seed: int, n_rows: int, n_tests: int, n_classes: int) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    passes = random.random((n_tests, n_rows)) < random.random((n_tests, 1))
    return passes, random.integers(0, n_classes, size=n_rows)


def check_sums(
    passes: np.ndarray, targets: np.ndarray, weights: np.ndarray, n_classes: int, kernel: str
) -> None:
    """Pair sums are ``X'WX`` of each class."""
    bits = np.packbits(passes, axis=1, bitorder="little")
    found = _core.pair_sums(bits, len(targets), targets, weights, n_classes, kernel)
    assert found.shape == (n_classes, len(passes), len(passes))
    for label in range(n_classes):
        own = passes[:, targets == label].astype(np.int64)
        np.testing.assert_array_equal(found[label], own * weights[targets == label] @ own.T)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_rows", ROWS)
def test_pair_sums_of_any_number_of_rows(kernel: str, n_rows: int) -> None:
    for n_classes in (1, 2, 3):
        passes, targets = draw_counts(n_rows, n_rows, 12, n_classes)
        check_sums(passes, targets, np.ones(n_rows, dtype=np.int64), n_classes, kernel)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_tests", TESTS)
def test_pair_sums_of_any_number_of_tests(kernel: str, n_tests: int) -> None:
    passes, targets = draw_counts(n_tests, 70, n_tests, 2)
    check_sums(passes, targets, np.ones(70, dtype=np.int64), 2, kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_pair_sums_with_a_class_that_has_no_row(kernel: str) -> None:
    passes, targets = draw_counts(0, 50, 9, 2)
    check_sums(passes, 2 * targets, np.ones(50, dtype=np.int64), 4, kernel)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("largest", [2, 7, 8, 15, 16, 255, 2**15, 2**31, 2**40])
def test_pair_sums_of_weights(kernel: str, largest: int) -> None:
    passes, targets = draw_counts(1, 70, 9, 3)
    weights = np.random.default_rng(2).integers(1, largest, size=70, endpoint=True)
    check_sums(passes, targets, weights, 3, kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_sums_beyond_the_narrow_counters(kernel: str) -> None:
    for n_rows in (2**15 - 1, 2**15 + 1, 2**16, 2**16 + 1):
        passes = np.ones((3, n_rows), dtype=bool)
        targets = np.zeros(n_rows, dtype=np.int64)
        check_sums(passes, targets, np.ones(n_rows, dtype=np.int64), 1, kernel)


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
