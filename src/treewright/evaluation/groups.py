"""How a tree does in parts of the hold-out set: for each level, or range, of a column."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.page import GroupFigures, Grouping
from treewright.schema import Column
from treewright.statistics.intervals import mean_interval, share_interval
from treewright.words import level_texts, number_text

__all__ = ["Grouped", "group_figures", "grouped_by"]

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


def group_figures(
    grouped: Grouped,
    truth: NDArray[Any],
    answers: NDArray[Any],
    *,
    costs: NDArray[np.float64] | None,
    positive: int | None,
    is_classification: bool,
) -> tuple[GroupFigures, ...]:
    """Evaluate predictions in each group.

    Parameters
    ----------
    grouped : Grouped
        The groups.
    truth, answers : ndarray
        True and predicted classes or numbers.
    costs : ndarray of float64 or None
        What each prediction costs.
    positive : int or None
        The class that readers look for.
    is_classification : bool
        Whether these are classes.

    Returns
    -------
    tuple of GroupFigures
        One a group.
    """
    if not is_classification:
        losses = np.abs(answers - truth)
        sides: tuple[NDArray[Any], NDArray[Any]] | None = (truth, answers)
    else:
        losses = (answers == truth).astype(np.float64) if costs is None else costs[truth, answers]
        sides = None if positive is None else (truth == positive, answers == positive)
    count = np.array(grouped.grouping.rows, dtype=np.float64)

    def means(numbers: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(grouped.codes, numbers, minlength=len(count)) / count)

    score = means(losses)
    squares = np.bincount(grouped.codes, (losses - score[grouped.codes]) ** 2, len(count))
    observed = predicted = recall = np.full(len(count), math.nan)
    if sides is not None:
        observed, predicted = means(sides[0]), means(sides[1])
    if sides is not None and is_classification:
        with np.errstate(invalid="ignore"):
            recall = means(sides[0] & sides[1]) / observed
    figures = []
    for place, mean in enumerate(score.tolist()):
        limits = mean_interval(mean, float(squares[place]), count[place])
        if is_classification and costs is None:
            limits = share_interval(mean, count[place])
        figures.append(
            GroupFigures(
                mean,
                *(limits or (math.nan, math.nan)),
                float(observed[place]),
                float(predicted[place]),
                float(recall[place]),
            )
        )
    return tuple(figures)
