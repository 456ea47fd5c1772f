"""An axis of one number: where it ends, and how the cuts of a split divide it by branch.

A cut among whole numbers may stand anywhere between two of them. It is drawn halfway, so that no
bar stands on it: `x <= 42` divides ages at 42.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.spacing import MOST_VALUES, limits, value_gap
from treewright.schema import Column

__all__ = ["BranchOf", "Scale", "Stretch", "scale_of"]

BranchOf = Callable[[NDArray[np.float64]], NDArray[np.int32]]
Stretch = tuple[float, float, int]  # start, end, branch


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis.

    Parameters
    ----------
    stretches : list of (float, float, int)
        Start, end and branch of each stretch between two cuts, from left to right.
    is_whole : bool
        Whether all values are whole numbers.
    is_few : bool
        Whether they are so few that each can have a bar.
    gap : float
        The least distance of two values.
    """

    stretches: list[Stretch]
    is_whole: bool
    is_few: bool
    gap: float

    @property
    def ends(self) -> tuple[float, float]:
        """Where the axis ends."""
        return self.stretches[0][0], self.stretches[-1][1]

    @property
    def only_cut(self) -> float | None:
        """The place where the branch changes, if there is only one."""
        return self.stretches[1][0] if len(self.stretches) == 2 else None


def scale_of(
    values: NDArray[np.float64], column: Column | None, cuts: Sequence[float], branch_of: BranchOf
) -> Scale:
    """Choose the axis for some values.

    Parameters
    ----------
    values : ndarray of float64
        The values to show, or codes of levels.
    column : Column or None
        Their column, if they have one.
    cuts : sequence of float
        Where the branch may change.
    branch_of : callable
        The branches of some values.

    Returns
    -------
    Scale
        An axis that holds all values and, unless they are far away, the cuts.
    """
    found = np.unique(values)
    if column is not None and column.levels:
        found = np.arange(len(column.levels), dtype=np.float64)
    gap = float(np.diff(found).min()) if len(found) > 1 else 1.0
    is_whole = _are_whole_numbers(found)
    is_few = is_whole and len(found) <= MOST_VALUES and float(np.ptp(found)) < 40.0 * gap
    near = [cut for cut in cuts if _is_near(cut, values)]
    if is_few:
        inside = [first + 0.5 * (second - first) for first, second in pairwise(found.tolist())]
    else:
        inside = sorted(_between_whole_numbers(near) if is_whole else set(near))
    # Room for bars, or for points moved apart.
    around = 0.5 * gap if is_few or value_gap(values) is not None else 0.5 * is_whole
    room = [found[0] - around, found[-1] + around] if found.size else []
    low, high = limits(np.array([*inside, *room]))
    borders = np.array([low, *inside, high])
    if is_few:
        probes = found
    else:
        probes = np.floor(borders[:-1]) + 1.0 if is_whole else 0.5 * (borders[:-1] + borders[1:])
    return Scale(_stretches(borders, branch_of(probes)), is_whole, is_few, gap)


def _between_whole_numbers(cuts: Sequence[float]) -> set[float]:
    """Return places halfway between whole numbers that divide these as some cuts do.

    At a cut that is a whole number itself, that number may go either way: both its sides are given.
    """
    return {side for cut in cuts for side in (math.floor(cut) + 0.5, math.ceil(cut) - 0.5)}


def _are_whole_numbers(found: NDArray[np.float64]) -> bool:
    """Tell whether a cut may stand anywhere between two whole numbers."""
    if not found.size:
        return False
    return bool(np.all(found == np.floor(found))) and float(np.abs(found).max()) < 1e9


def _is_near(cut: float, values: NDArray[np.float64]) -> bool:
    """Tell whether a cut can be shown without squeezing the rows into a corner."""
    if not values.size:
        return abs(cut) < 1e9
    low, high = float(values.min()), float(values.max())
    room = high - low if high > low else max(1.0, abs(low))
    return low - room <= cut <= high + room


def _stretches(borders: NDArray[np.float64], branches: NDArray[np.int32]) -> list[Stretch]:
    """Divide an axis by branch; neighbours of the same branch are one."""
    stretches: list[Stretch] = []
    for (start, end), branch in zip(pairwise(borders.tolist()), branches.tolist(), strict=True):
        if stretches and stretches[-1][2] == branch:
            start = stretches.pop()[0]
        stretches.append((start, end, branch))
    return stretches
