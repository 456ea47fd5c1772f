"""How a tree does in parts of the hold-out set: for each level, or range, of a column."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.page import GroupFigures, Grouping
from treewright.schema import Column
from treewright.statistics.intervals import mean_interval, share_interval
from treewright.words import level_texts, number_text

__all__ = ["Grouped", "figures_of_classes", "figures_of_numbers", "grouped_by"]

_MOST_GROUPS = 12
_RANGES = 4
_FEWEST_GROUPS = 2


class Grouped(NamedTuple):
    """Rows in groups.

    Parameters
    ----------
    grouping : Grouping
        What the groups are.
    codes : ndarray of int
        The group of each row.
    """

    grouping: Grouping
    codes: NDArray[np.intp]


def grouped_by(place: int, column: Column, values: NDArray[np.float64]) -> Grouped | None:
    """Put rows into groups by the values of a column.

    Levels are groups of their own, the rarest together where there are many; numbers are divided
    at their quartiles; missing values are a group.

    Parameters
    ----------
    place : int
        Position of the column in the schema.
    column : Column
        What it holds.
    values : ndarray of float64
        Numbers or level codes, NaN where missing.

    Returns
    -------
    Grouped or None
        None where all rows would be in one group.

    Examples
    --------
    >>> found = grouped_by(0, Column("age", "numeric"), np.arange(20.0, 100.0, 10.0))
    >>> found.grouping.words, found.grouping.rows
    (('at most 38', '38 to 55', '55 to 70', 'above 70'), (2, 2, 2, 2))
    """
    is_known = ~np.isnan(values)
    codes = np.zeros(len(values), dtype=np.intp)
    if column.kind == "numeric":
        words, codes[is_known] = _ranges(values[is_known])
    else:
        words, codes[is_known] = _levels(column, values[is_known].astype(np.intp))
    if not is_known.all():
        codes[~is_known] = len(words)
        words = (*words, "missing")
    rows = np.bincount(codes, minlength=len(words))
    kept = np.flatnonzero(rows)
    if len(kept) < _FEWEST_GROUPS:
        return None
    codes = np.searchsorted(kept, codes)
    words = tuple(words[code] for code in kept.tolist())
    return Grouped(Grouping(place, words, tuple(rows[kept].tolist())), codes)


def _ranges(numbers: NDArray[np.float64]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    distinct = np.unique(numbers)
    if len(distinct) <= _RANGES:
        return tuple(map(number_text, distinct.tolist())), np.searchsorted(distinct, numbers)
    steps = np.arange(1, _RANGES) / _RANGES
    edges = np.unique([_rounded(edge, distinct) for edge in np.quantile(numbers, steps).tolist()])
    texts = [number_text(edge) for edge in edges.tolist()]
    between = [f"{low} to {high}" for low, high in itertools.pairwise(texts)]
    words = (f"at most {texts[0]}", *between, f"above {texts[-1]}")
    return words, np.searchsorted(edges, numbers, side="left")


def _rounded(edge: float, distinct: NDArray[np.float64]) -> float:
    """Give the shortest number that divides the values where an edge does."""
    after = int(np.searchsorted(distinct, edge, side="right"))
    if after in (0, len(distinct)):
        return edge
    for digits in range(1, 15):
        short = float(f"{edge:.{digits}g}")
        if distinct[after - 1] <= short < distinct[after]:
            return short
    return edge


def _levels(column: Column, codes: NDArray[np.intp]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    texts = tuple(level_texts(column.levels))
    if len(texts) <= _MOST_GROUPS:
        return texts, codes
    rows = np.bincount(codes, minlength=len(texts))
    common = np.sort(np.argsort(-rows, kind="stable")[: _MOST_GROUPS - 1])
    group = np.full(len(texts), len(common))
    group[common] = np.arange(len(common))
    others = f"{len(texts) - len(common)} other levels"
    return (*(texts[level] for level in common.tolist()), others), group[codes]


def figures_of_classes(
    grouped: Grouped,
    pairs: NDArray[np.int64],
    values: NDArray[np.float64],
    positive: int | None,
) -> tuple[GroupFigures, ...]:
    """Evaluate predicted classes in each group.

    Parameters
    ----------
    grouped : Grouped
        The groups.
    pairs : ndarray of int64
        For each row, the true class times the number of classes, plus the predicted one.
    values : ndarray of float64
        What each prediction (column) is worth, or costs, where a class (row) is true.
    positive : int or None
        The class that readers look for.

    Returns
    -------
    tuple of GroupFigures
        One a group; only the score without a positive class.
    """
    count = np.array(grouped.grouping.rows, dtype=np.float64)
    places = grouped.codes * values.size + pairs
    cells = np.bincount(places, minlength=len(count) * values.size)
    cells = cells.reshape(len(count), *values.shape)
    score = np.sum(cells * values, axis=(1, 2)) / count
    spread = np.sum(cells * np.square(values - score[:, None, None]), axis=(1, 2))
    observed = predicted = recall = np.full(len(count), math.nan)
    if positive is not None:
        observed = cells[:, positive].sum(axis=1) / count
        predicted = cells[:, :, positive].sum(axis=1) / count
        with np.errstate(invalid="ignore"):
            recall = cells[:, positive, positive] / count / observed
    is_share = bool(np.array_equal(values, np.eye(len(values))))
    return _figures(count, score, spread, observed, predicted, recall, is_share=is_share)


def figures_of_numbers(
    grouped: Grouped, truth: NDArray[np.float64], answers: NDArray[np.float64]
) -> tuple[GroupFigures, ...]:
    """Evaluate predicted numbers in each group, by their mean absolute error.

    Parameters
    ----------
    grouped : Grouped
        The groups.
    truth, answers : ndarray of float64
        True and predicted numbers.

    Returns
    -------
    tuple of GroupFigures
        One a group.
    """
    count = np.array(grouped.grouping.rows, dtype=np.float64)

    def means(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(grouped.codes, numbers, minlength=len(count)) / count)

    losses = np.abs(answers - truth)
    score = means(losses)
    spread = means(np.square(losses - score[grouped.codes])) * count
    recall = np.full(len(count), math.nan)
    return _figures(count, score, spread, means(truth), means(answers), recall, is_share=False)


def _figures(
    count: NDArray[np.float64],
    score: NDArray[np.float64],
    spread: NDArray[np.float64],
    *others: NDArray[np.float64],
    is_share: bool,
) -> tuple[GroupFigures, ...]:
    figures = []
    columns = (numbers.tolist() for numbers in (count, score, spread, *others))
    for rows, mean, squares, *rest in zip(*columns, strict=True):
        limits = share_interval(mean, rows) if is_share else mean_interval(mean, squares, rows)
        figures.append(GroupFigures(mean, *(limits or (math.nan, math.nan)), *rest))
    return tuple(figures)
