"""Where along one column a split may turn while all other values stay as they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.predicates import Axis, Linear, Machine, Multiway, Predicate, Subset, parts_of
from treewright.tree import Tree

__all__ = ["crossings", "cuts_of_tree"]


def crossings(predicate: Predicate, values: NDArray[np.float64]) -> Iterator[tuple[int, float]]:
    """Give the columns of a split and the values at which it may turn.

    A sum ``c1 x1 + ... + ck xk <= t`` turns for column j at ``(t - sum of the others) / cj``; of
    several scores two are equal there.

    Parameters
    ----------
    predicate : Predicate
        A split of any kind; levels have no order and give nothing.
    values : ndarray of float64
        The row, with codes for levels; NaN where missing.
    """
    for part in parts_of(predicate):
        match part:
            case Axis(column, threshold):
                yield column, threshold
            case Linear(columns, coefficients, threshold):
                is_level = {j for j, _, level in part.terms if level is not None}
                factors = part.factors(values)
                for column, turn in _turning(columns, coefficients, threshold, factors):
                    if column not in is_level:
                        yield column, turn
            case Machine(columns, rows, intercepts):
                scores = zip(rows, intercepts, strict=True)
                for (first, start), (second, other_start) in combinations(scores, 2):
                    difference = tuple(a - b for a, b in zip(first, second, strict=True))
                    factors = values[list(columns)]
                    yield from _turning(columns, difference, other_start - start, factors)
            case Subset() | Multiway():
                pass
            case _:
                assert_never(part)


def _turning(
    columns: tuple[int, ...],
    coefficients: tuple[float, ...],
    threshold: float,
    factors: NDArray[np.float64],
) -> Iterator[tuple[int, float]]:
    products = [c * x for c, x in zip(coefficients, factors.tolist(), strict=True)]
    for place, (column, coefficient) in enumerate(zip(columns, coefficients, strict=True)):
        if coefficient == 0.0:
            continue
        rest = sum(products[:place]) + sum(products[place + 1 :])
        with np.errstate(over="ignore", invalid="ignore"):
            turn = float(np.float64(threshold - rest) / np.float64(coefficient))
        if math.isfinite(turn):
            yield column, turn


def cuts_of_tree(tree: Tree, values: NDArray[np.float64]) -> Mapping[int, list[float]]:
    """Give for each column that a split or a surrogate reads, rising, where some split may turn.

    Columns of levels have an empty list.
    """
    cuts: dict[int, set[float]] = {}
    for index in range(tree.n_nodes):
        node = tree.node(index)
        if node.predicate is None:
            continue
        for test in (node.predicate, *(surrogate.predicate for surrogate in node.surrogates)):
            for column in test.columns:
                cuts.setdefault(column, set())
            for column, cut in crossings(test, values):
                cuts[column].add(cut)
    return {column: sorted(cuts[column]) for column in sorted(cuts)}
