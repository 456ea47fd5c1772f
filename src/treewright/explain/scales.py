"""What counts as a small change in a column, so that changes of different columns can be compared.

A tree knows no spread of its columns, only its own splits. The size of a column is therefore,
unless rows are given, the largest number its splits name for it: the threshold t of ``x <= t``, t /
c where the column stands in a sum with the coefficient c, or the distance between its lowest and
highest threshold where that is more. With rows it is their standard deviation. A level that is
exchanged for another counts as one size; a step along an ordinal column as its fraction of all
steps.

Numbers move in steps of the last digit that counts in their column: whole years where all
thresholds and the row's own value are whole, tenths where one of them has tenths. Where no single
number is known (a column that stands in sums only, and a value such as 5.0), any number will do.

They stay between the least and the largest of the rows, if rows are given. Else a number that is
not negative stays so, unless the tree cuts its column below 0: few things that are measured have
less than nothing.

Of changes that are equally large, one to a frequent level is the more plausible. How frequent a
level is, rows tell exactly. A tree does not count levels; it knows how many training rows took each
branch of its splits on a column. Without rows the split with most of them is asked, and the levels
of a branch are taken to be equally frequent: exact where a branch has one level, else their mean.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.explain.row import Row
from treewright.predicates import (
    Axis,
    Linear,
    Machine,
    Multiway,
    Pair,
    SinglePredicate,
    Subset,
    parts_of,
)
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["Scales", "decimals_of", "level_frequencies"]

_ALL_NUMBERS = (-math.inf, math.inf)
_MOST_DECIMALS = 9  # numbers that need more are taken as they are, without steps


@dataclass(frozen=True, slots=True)
class Scales:
    """The size and the last digit of each column.

    Parameters
    ----------
    sizes : tuple of float
        For each column the change that counts as 1.
    decimals : tuple of int or None
        For each column the digits behind the point its numbers have; None if they are any numbers.
    ranges : tuple of two float, for each column
        The least and the largest number it may be changed to.
    frequencies : tuple of tuples of float, or None, for each column
        The proportion of each level among the known ones of a column without an order; None where
        it is not known. By default it is known of no column.

    See Also
    --------
    explain_row : Uses them to find the nearest counterfactual.

    Examples
    --------
    >>> schema, _ = Schema.from_data({"age": [31, 58], "home": ["rent", "own"]})
    >>> scales = Scales.of_rows(schema, {"age": [30, 40, 50], "home": ["own", "own", "rent"]})
    >>> scales.sizes, scales.decimals, scales.ranges[0]
    ((8.16496580927726, 1.0), (0, None), (30.0, 50.0))
    >>> schema.columns[1].levels, scales.frequencies[1]
    (('own', 'rent'), (0.6666666666666666, 0.3333333333333333))
    """

    sizes: tuple[float, ...]
    decimals: tuple[int | None, ...]
    ranges: tuple[tuple[float, float], ...]
    frequencies: tuple[tuple[float, ...] | None, ...] = ()

    def rarity(self, column: int, value: float) -> float:
        """Say how rare a level is.

        Parameters
        ----------
        column : int
            Position of the column.
        value : float
            Code of the level.

        Returns
        -------
        float
            From 0 to 1; 0 in numeric columns and where it is not known.
        """
        known = self.frequencies[column] if self.frequencies else None
        return 0.0 if known is None else 1.0 - known[int(value)]

    @classmethod
    def of_rows(cls, schema: Schema, X: Any) -> Scales:
        """Take them from rows, for example those of the training.

        Parameters
        ----------
        schema : Schema
            The columns of the tree.
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        Scales
            Standard deviations, the digits that the numbers have, their ranges, and how frequent
            each level is.
        """
        values = schema.encode(X)
        sizes: list[float] = []
        decimals: list[int | None] = []
        ranges: list[tuple[float, float]] = []
        for column, numbers in zip(schema.columns, values.T, strict=True):
            known = np.unique(numbers[~np.isnan(numbers)])
            is_number = column.kind == "numeric" and known.size > 0
            spread = float(np.nanstd(numbers)) if is_number else 1.0
            sizes.append(spread if spread > 0.0 else 1.0)
            decimals.append(_decimals_of_all(known.tolist()) if is_number else None)
            ranges.append((float(known[0]), float(known[-1])) if is_number else _ALL_NUMBERS)
        frequencies = level_frequencies(schema, values)
        return cls(tuple(sizes), tuple(decimals), tuple(ranges), frequencies)

    @classmethod
    def of_tree(cls, tree: Tree, row: Row) -> Scales:
        """Take them from the splits of a tree and the digits of a row.

        Parameters
        ----------
        tree : Tree
            The tree, whose thresholds show the range of each column.
        row : Row
            The row that is explained.

        Returns
        -------
        Scales
            The scales.
        """
        cuts, in_sums = _named_numbers(tree)
        sizes: list[float] = []
        decimals: list[int | None] = []
        ranges: list[tuple[float, float]] = []
        for index, column in enumerate(tree.schema.columns):
            found = [*cuts[index], *in_sums[index]]
            value = float(row.values[index])
            size = max((abs(number) for number in found), default=0.0)
            if cuts[index]:
                size = max(size, max(cuts[index]) - min(cuts[index]))
            if not 0.0 < size < math.inf:
                size = abs(value) if 0.0 < abs(value) < math.inf else 1.0
            is_number = column.kind == "numeric"
            sizes.append(size if is_number else 1.0)
            decimals.append(_decimals(cuts[index], row, index) if is_number else None)
            stays_positive = is_number and min([value, *cuts[index]]) >= 0.0
            ranges.append((0.0, math.inf) if stays_positive else _ALL_NUMBERS)
        return cls(tuple(sizes), tuple(decimals), tuple(ranges), _frequencies_in_tree(tree))


def level_frequencies(
    schema: Schema, values: NDArray[np.float64]
) -> tuple[tuple[float, ...] | None, ...]:
    """Count the levels of the columns without an order in encoded rows.

    Returns
    -------
    tuple of tuples of float, or None
        For each column the proportion of each level; None where no level is known.
    """
    found: list[tuple[float, ...] | None] = []
    for n_levels, codes in zip(schema.n_levels, values.T, strict=True):
        known = codes[~np.isnan(codes)]
        counts = np.bincount(known.astype(int), minlength=n_levels) if n_levels else ()
        found.append(tuple((counts / known.size).tolist()) if n_levels and known.size else None)
    return tuple(found)


def _frequencies_in_tree(tree: Tree) -> tuple[tuple[float, ...] | None, ...]:
    """Give what the branches of the largest split on each column tell of its levels."""
    largest: dict[int, Node] = {}
    found: list[tuple[float, ...] | None] = [None] * tree.schema.n_columns
    for index in range(tree.n_nodes):
        node = tree.node(index)
        match node.predicate:
            case Subset(column) | Multiway(column) as split:
                if column in largest and largest[column].weight >= node.weight:
                    continue
                largest[column] = node
                found[column] = _frequencies_at(tree, node, split)
            case Axis() | Linear() | Pair() | Machine() | None:
                pass
            case _:
                assert_never(node.predicate)
    return tuple(found)


def _frequencies_at(tree: Tree, node: Node, split: Subset | Multiway) -> tuple[float, ...]:
    weights = [tree.node(child).weight for child in node.children]
    total = sum(weights)
    frequencies = [0.0] * len(tree.schema.columns[split.column].levels)
    for codes, weight in zip(split.levels_of_branch, weights, strict=True):
        proportion = weight / total if total > 0.0 else 1.0 / len(weights)
        for code in codes:
            frequencies[code] = proportion / len(codes)
    return tuple(frequencies)


def _decimals(cuts: list[float], row: Row, column: int) -> int | None:
    # Cuts in the middle between whole numbers, such as 54.5, come from columns of whole numbers.
    if row.is_whole(column) and all((2.0 * cut).is_integer() for cut in cuts):
        return 0
    return _decimals_of_all([*cuts, float(row.values[column])]) if cuts else None


def decimals_of(number: float) -> int:
    """Count the digits behind the point of the shortest text that gives the number back.

    Examples
    --------
    >>> decimals_of(42.0), decimals_of(2.45), decimals_of(1e-7)
    (0, 2, 7)
    """
    exponent = Decimal(repr(float(number))).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _decimals_of_all(numbers: Iterable[float]) -> int | None:
    most = 0
    for number in numbers:
        most = max(most, decimals_of(number))
        if most > _MOST_DECIMALS:
            return None
    return most


def _tests(tree: Tree) -> Iterator[SinglePredicate]:
    """Give all splits and their surrogates, pairs taken apart."""
    for index in range(tree.n_nodes):
        node = tree.node(index)
        if node.predicate is not None:
            yield from parts_of(node.predicate)
            yield from (surrogate.predicate for surrogate in node.surrogates)


def _named_numbers(tree: Tree) -> tuple[dict[int, list[float]], dict[int, list[float]]]:
    """Give for each column the cuts on it, and where it alone would turn the sums it is in."""
    cuts: dict[int, list[float]] = defaultdict(list)
    in_sums: dict[int, list[float]] = defaultdict(list)

    def note(columns: Sequence[int], coefficients: Sequence[float], number: float) -> None:
        for column, coefficient in zip(columns, coefficients, strict=True):
            if coefficient != 0.0:
                in_sums[column].append(_ratio(number, coefficient))

    for predicate in _tests(tree):
        match predicate:
            case Axis(column, threshold):
                cuts[column].append(threshold)
            case Linear(_, _, threshold):
                numeric = [(j, c) for j, c, level in predicate.terms if level is None]
                note([j for j, _ in numeric], [c for _, c in numeric], threshold)
            case Machine(columns, rows, intercepts):
                for row, intercept in zip(rows, intercepts, strict=True):
                    note(columns, row, intercept)
            case Subset() | Multiway():
                pass
            case _:
                assert_never(predicate)
    return cuts, in_sums


def _ratio(number: float, coefficient: float) -> float:
    with np.errstate(over="ignore"):
        ratio = float(np.float64(number) / np.float64(coefficient))
    return ratio if math.isfinite(ratio) else 0.0
