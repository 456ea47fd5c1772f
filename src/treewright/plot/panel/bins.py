"""Rows counted along one number; no bar holds rows of both sides of a cut."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.marks import Stack
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.scale import Scale

__all__ = ["bars_along", "bin_grid"]

_MOST_BARS = 40
_FEWEST_BARS = 8
_BAR = 0.8


def bin_grid(
    low: float, high: float, cut: float | None, n_rows: int, *, is_whole: bool = False
) -> tuple[float, float, float]:
    """Choose bins, one of which ends at the cut; bins for whole numbers hold equally many.

    Returns
    -------
    tuple of float
        Start of the first bin, end of the last, and the thickness of each.

    Examples
    --------
    >>> bin_grid(0.0, 8.0, 2.5, 10)
    (-0.5, 8.5, 1.0)
    """
    n_bars = min(max(np.ceil(2.5 * np.cbrt(n_rows)), _FEWEST_BARS), _MOST_BARS)
    thickness = (high - low) / float(n_bars)
    if is_whole:
        thickness = float(np.ceil(thickness))
    origin = low if cut is None else cut
    first = origin - np.ceil((origin - low) / thickness) * thickness
    last = origin + np.ceil((high - origin) / thickness) * thickness
    return float(first), float(last), thickness


def bars_along(
    panel: Panel, values: NDArray[np.float64], scale: Scale
) -> tuple[Stack, tuple[float, float]]:
    """Count the rows of each class along an axis.

    Parameters
    ----------
    panel : Panel
        The rows.
    values : ndarray of float64
        The number of each row.
    scale : Scale
        The axis.

    Returns
    -------
    bars : Stack
        The weight of each class in each bar.
    ends : tuple of float
        Where the axis ends, so that all bars are on it.
    """
    if scale.is_few:
        return _bars_at_values(panel, values, scale.gap), scale.ends
    stretches = scale.stretches
    first_cut = stretches[0][1] if len(stretches) > 1 else None
    grid = bin_grid(*scale.ends, first_cut, len(values), is_whole=scale.is_whole)
    return _bars_in_bins(panel, values, scale, grid), grid[:2]


def _bars_in_bins(
    panel: Panel, values: NDArray[np.float64], scale: Scale, grid: tuple[float, float, float]
) -> Stack:
    """Count in bins; where the branch changes only once, rows stay on their side."""
    assert panel.classes is not None, "numbers are not counted"
    first, last, thickness = grid
    n_bins = round((last - first) / thickness)
    # Bins are closed above, as `x <= t` is.
    bins = np.ceil((values - first) / thickness).astype(np.int64) - 1
    if scale.only_cut is not None:
        # Rounding must not carry a row over the cut.
        middle = round((scale.only_cut - first) / thickness)
        is_left = panel.rows.branches == scale.stretches[0][2]
        bins = np.where(is_left, np.minimum(bins, middle - 1), np.maximum(bins, middle))
    counts = np.zeros((len(panel.classes), n_bins))
    np.add.at(counts, (panel.rows.target, np.clip(bins, 0, n_bins - 1)), panel.rows.weights)
    middles = first + thickness * (np.arange(n_bins, dtype=np.float64) + 0.5)
    return Stack(middles, counts, thickness)


def _bars_at_values(panel: Panel, values: NDArray[np.float64], gap: float) -> Stack:
    """Count the rows of each class at each whole number; `gap` is the least distance of two."""
    assert panel.classes is not None, "numbers are not counted"
    found = np.unique(values)
    counts = np.zeros((len(panel.classes), len(found)))
    np.add.at(counts, (panel.rows.target, np.searchsorted(found, values)), panel.rows.weights)
    return Stack(found, counts, _BAR * gap)
