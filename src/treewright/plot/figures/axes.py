"""One pair of axes: names, ticks, limits, stacked bars, and the words for the branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.ticker import Formatter, MaxNLocator
from numpy.typing import NDArray

from treewright.plot.figures.styles import style_of
from treewright.plot.panel.marks import Ruler, Side
from treewright.plot.words import tick_text, ticks_are_right
from treewright.schema.shortening import shortened

__all__ = [
    "CHARACTER",
    "FONT",
    "name_axis",
    "number_axis",
    "say_sides",
    "set_rulers",
    "stack_bars",
]

FONT = 9.0
CHARACTER = 0.076  # inches that a character of that size takes, a little more than on average

_MOST_TICKS = 12
_LEVEL = 1.2  # inches for the name of a level beside an axis that goes up
_STEP_DIGITS = 3  # of the step between ticks
_LABEL_PAD = 4.0  # points


def number_axis(axis: Axis, label: str, n_ticks: int = 5, *, is_whole: bool = False) -> None:
    """Set up an axis of numbers, with ticks at whole ones only if they are."""
    axis.set_label_text(label, fontsize=FONT)
    axis.set_major_locator(MaxNLocator(n_ticks, steps=[1, 2, 2.5, 5, 10], integer=is_whole))
    axis.set_major_formatter(_NumberFormatter())
    axis.get_offset_text().set_fontsize(FONT)
    axis.set_tick_params(labelsize=FONT)


def name_axis(axis: Axis, places: NDArray[np.float64], names: list[str], label: str = "") -> None:
    """Set up an axis of names."""
    axis.set_label_text(label, fontsize=FONT)
    axis.set_ticks(places, names)
    axis.set_tick_params(labelsize=FONT)


def set_rulers(axes: Any, rulers: Sequence[Ruler], width: float) -> None:
    """Set up two or three axes, the first of which is so many inches long."""
    for name, ruler in zip("xyz", rulers, strict=False):
        getattr(axes, f"set_{name}lim")(*ruler.ends)
        axis = getattr(axes, f"{name}axis")
        if ruler.levels:
            _name_levels(axis, ruler, width if name == "x" else _LEVEL * len(ruler.levels))
        elif ruler.n_ticks:
            number_axis(axis, ruler.name, ruler.n_ticks, is_whole=ruler.is_whole)
        else:
            name_axis(axis, np.empty(0), [], ruler.name)


def _name_levels(axis: Axis, ruler: Ruler, width: float) -> None:
    """Write the names of levels, or of every second, third, ... along so many inches."""
    step = -(-len(ruler.levels) // _MOST_TICKS)
    shown = range(0, len(ruler.levels), step)
    room = max(3, int(width / len(shown) / CHARACTER) - 1)
    places = np.array(shown, dtype=np.float64)
    name_axis(axis, places, [shortened(ruler.levels[code], room) for code in shown], ruler.name)


class _NumberFormatter(Formatter):
    """Numbers with few digits; where those are too few, what they are above the first of them."""

    _first = 0.0
    _digits = 0  # after the point

    def format_ticks(self, values: Any) -> list[str]:
        """Return the texts of all ticks."""
        assert self.axis is not None, "ticks belong to an axis"
        ticks = np.asarray(values, dtype=np.float64)
        self._first = 0.0
        step = float(np.diff(np.unique(ticks)).min(initial=np.inf))
        if step < np.inf and not ticks_are_right(ticks.tolist(), step):
            low, high = sorted(self.axis.get_view_interval())
            shown = ticks[(ticks >= low) & (ticks <= high)]
            self._digits = max(0, _STEP_DIGITS - int(np.floor(np.log10(step))))
            self._first = round(float(shown.min(initial=ticks.max())), self._digits)
        if isinstance(self.axis, XAxis):  # there the offset stands in the line of the label
            self.axis.labelpad = _LABEL_PAD + (1.4 * FONT if self._first else 0.0)
        return [self(tick) for tick in ticks.tolist()]

    def get_offset(self) -> str:
        """Return what is to be added to the numbers at the ticks."""
        return f"{self._first:+,.15g}" if self._first else ""

    def __call__(self, value: float, position: int | None = None) -> str:
        """Return the text of a tick."""
        return tick_text(round(value - self._first, self._digits) if self._first else value)


def stack_bars(
    axes: Axes,
    places: NDArray[np.float64],
    counts: NDArray[np.float64],
    thickness: float,
    *,
    horizontal: bool = False,
) -> None:
    """Draw stacked bars around some places, one layer a class that occurs.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    places : ndarray of float64
        The middle of each bar.
    counts : ndarray of float64
        Classes times bars.
    thickness : float
        How wide a bar is.
    horizontal : bool, default False
        Draw bars to the right instead of up.
    """
    below = np.zeros(len(places))
    for code in np.flatnonzero(counts.sum(axis=1) > 0.0).tolist():
        style = style_of(code)
        look: dict[str, Any] = {
            "color": style.colour,
            "hatch": style.hatch,
            "edgecolor": "white",
            "lw": 0.5,
        }
        if horizontal:
            axes.barh(places, counts[code], thickness, left=below, **look)
        else:
            axes.bar(places, counts[code], thickness, bottom=below, **look)
        below = below + counts[code]


def say_sides(axes: Axes, sides: Sequence[Side], left: int, width: float) -> None:
    """Write above the axes how many rows take each of two branches, and what they are.

    `left` is the branch that stands on the left, `width` that of the axes in inches.
    """
    room = max(8, int(width / 2 / CHARACTER))
    for branch, side in enumerate(sides):
        name = side.name + (" (shaded)" if branch == 1 else "")
        is_left = branch == left
        axes.text(
            0.0 if is_left else 1.0,
            1.01,
            f"{shortened(f'{name}: {side.rows}', room)}\n{shortened(side.answer, room)}",
            transform=axes.transAxes,
            horizontalalignment="left" if is_left else "right",
            verticalalignment="bottom",
            fontsize=FONT,
            linespacing=1.15,
        )
