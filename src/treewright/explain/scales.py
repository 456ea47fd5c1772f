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
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, assert_never

import numpy as np

from treewright.explain.row import Row
from treewright.predicates import Axis, Linear, Machine, Multiway, SinglePredicate, Subset, parts_of
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Scales", "decimals_of"]

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

    See Also
    --------
    explain_row : Uses them to find the nearest counterfactual.

    Examples
    --------
    >>> schema, _ = Schema.from_data({"age": [31, 58], "home": ["rent", "own"]})
    >>> scales = Scales.of_rows(schema, {"age": [30, 40, 50], "home": ["own", "own", "rent"]})
    >>> scales.sizes, scales.decimals, scales.ranges[0]
    ((8.16496580927726, 1.0), (0, None), (30.0, 50.0))
    """

    sizes: tuple[float, ...]
    decimals: tuple[int | None, ...]
    ranges: tuple[tuple[float, float], ...]

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
            Standard deviations, the digits that the numbers have, and their ranges.
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
        return cls(tuple(sizes), tuple(decimals), tuple(ranges))

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
        return cls(tuple(sizes), tuple(decimals), tuple(ranges))


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
