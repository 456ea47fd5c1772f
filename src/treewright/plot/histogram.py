"""Stacked bars of classes along one number, in which no bar holds rows of both sides of a cut."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from treewright.plot.axes import stack_bars
from treewright.plot.panel import Panel

__all__ = ["bars_at_values", "bin_grid", "histogram"]

_MOST_BARS = 40
_FEWEST_BARS = 8
_BAR = 0.8
_HEADROOM = 1.06


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


def histogram(
    axes: Axes,
    panel: Panel,
    values: NDArray[np.float64],
    cut: float | None,
    left: int,
    grid: tuple[float, float, float],
) -> None:
    """Draw bars over bins.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    panel : Panel
        The rows.
    values : ndarray of float64
        The number of each row.
    cut : float or None
        The only place where the branch changes, if it is only one.
    left : int
        The branch to the left of the cut.
    grid : tuple of float
        What `bin_grid` chose.
    """
    assert panel.classes is not None, "numbers are not counted"
    first, last, thickness = grid
    n_bins = round((last - first) / thickness)
    # Bins are closed above, as `x <= t` is.
    bins = np.ceil((values - first) / thickness).astype(np.int64) - 1
    if cut is not None:
        # Rounding must not carry a row over the cut.
        middle = round((cut - first) / thickness)
        is_left = panel.rows.branches == left
        bins = np.where(is_left, np.minimum(bins, middle - 1), np.maximum(bins, middle))
    counts = np.zeros((len(panel.classes), n_bins))
    np.add.at(counts, (panel.rows.target, np.clip(bins, 0, n_bins - 1)), panel.rows.weights)
    middles = first + thickness * (np.arange(n_bins, dtype=np.float64) + 0.5)
    _draw(axes, middles, counts, thickness)


def bars_at_values(axes: Axes, panel: Panel, values: NDArray[np.float64], gap: float) -> None:
    """Draw a bar at each whole number; `gap` is the least distance of two."""
    if not values.size:
        return
    found = np.unique(values)
    counts = np.stack([panel.class_counts(values == value) for value in found], axis=1)
    _draw(axes, found, counts, _BAR * gap)


def _draw(
    axes: Axes, places: NDArray[np.float64], counts: NDArray[np.float64], thickness: float
) -> None:
    stack_bars(axes, places, counts, thickness)
    tallest = float(counts.sum(axis=0).max(initial=0.0))
    axes.set_ylim(0.0, _HEADROOM * tallest if tallest > 0.0 else 1.0)
