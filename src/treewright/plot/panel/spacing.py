"""Room for rows on an axis: where it ends, and how rows of equal values are told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import Box
from treewright.plot.panel.panel import Panel

__all__ = ["MOST_VALUES", "box_of", "jittered", "limits", "moved_apart", "places_over", "value_gap"]

MOST_VALUES = 15  # that are few enough to be told apart on an axis

_MARGIN = 0.04
_SEED = 1
_CROWDED = 3  # rows that share a value, on average, before they are moved apart
_SHIFT = 0.25  # of the distance of two values
_TRIES = 6


def limits(values: NDArray[np.float64], *further: float) -> tuple[float, float]:
    """Return the range of some values and further ones, with a margin."""
    known = np.array([*values[np.isfinite(values)], *further])
    low, high = (known.min(), known.max()) if known.size else (-1.0, 1.0)
    # Neighbouring doubles cannot be drawn apart.
    least = 1e-9 * max(abs(low), abs(high), 1e-100)
    margin = _MARGIN * (high - low) if high - low > least else max(0.05 * abs(low), 1e-3)
    return float(low - margin), float(high + margin)


def box_of(panel: Panel, columns: Sequence[int]) -> Box:
    """Return the box around the rows of a panel, with a small margin."""
    ends = []
    for column in columns:
        levels, values = panel.column(column).levels, panel.rows.column(column)
        gap = value_gap(values)
        if levels:
            ends.append((-0.5, len(levels) - 0.5))
        elif gap is None:
            ends.append(limits(values))
        else:
            ends.append((values.min() - 0.5 * gap, values.max() + 0.5 * gap))
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def places_over(
    panel: Panel, columns: Sequence[int]
) -> tuple[list[NDArray[np.float64]], list[float | None]]:
    """Give the places of the sampled rows over some columns, equal ones moved apart.

    Returns
    -------
    places : list of ndarray of float64
        One array a column.
    gaps : list of float or None
        The distance of neighbouring values of each column, if they are few.
    """
    values = [panel.rows.column(column) for column in columns]
    has_levels = [bool(panel.column(column).levels) for column in columns]
    gaps = [
        1.0 if of_levels else value_gap(found)
        for found, of_levels in zip(values, has_levels, strict=True)
    ]
    places = [found[panel.sample] for found in values]

    def branch_of(moved: Sequence[NDArray[np.float64]]) -> NDArray[np.int32]:
        # Between two levels without an order there is nothing: the branch is asked at the level.
        probes = {
            column: place if panel.column(column).n_levels else found
            for column, place, found in zip(columns, places, moved, strict=True)
        }
        return panel.branch_of(probes)

    if not len(panel.sample):
        return places, gaps
    return moved_apart(panel, places, gaps, branch_of), gaps


def jittered(values: NDArray[np.float64], most: float) -> NDArray[np.float64]:
    """Move values a little, always by the same amounts, so that equal ones can be told apart."""
    return values + np.random.default_rng(_SEED).uniform(-most, most, len(values))


def value_gap(values: NDArray[np.float64]) -> float | None:
    """Return the least distance of different values, if they are few and shared by many rows."""
    found = np.unique(values)
    if not 1 < len(found) <= MOST_VALUES or len(values) < _CROWDED * len(found):
        return None
    return float(np.diff(found).min())


def moved_apart(
    panel: Panel,
    places: Sequence[NDArray[np.float64]],
    gaps: Sequence[float | None],
    branch_of: Callable[[Sequence[NDArray[np.float64]]], NDArray[np.int32]],
) -> list[NDArray[np.float64]]:
    """Move the sampled rows apart along axes of few values, but none over a cut.

    Parameters
    ----------
    panel : Panel
        The split and its rows.
    places : sequence of ndarray of float64
        The values of the sampled rows, one array an axis.
    gaps : sequence of float or None
        The distance of neighbouring values of each axis; None to leave an axis as it is.
    branch_of : callable
        The branches at some places.

    Returns
    -------
    list of ndarray of float64
        Where to draw them.
    """
    if all(gap is None for gap in gaps):
        return list(places)
    shifts = np.array(
        [
            np.random.default_rng(_SEED + axis).uniform(-_SHIFT, _SHIFT, len(panel.sample))
            * (gap or 0.0)
            for axis, gap in enumerate(gaps)
        ]
    )
    own = panel.rows.branches[panel.sample]
    for _ in range(_TRIES):
        moved = [values + shift for values, shift in zip(places, shifts, strict=True)]
        strays = branch_of(moved) != own
        if not strays.any():
            break
        shifts[:, strays] *= 0.5
    else:
        shifts[:, strays] = 0.0
    return [values + shift for values, shift in zip(places, shifts, strict=True)]
