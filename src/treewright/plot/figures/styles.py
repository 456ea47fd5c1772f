"""Colours, markers and hatches that tell classes apart, also for colour-blind readers.

From the ninth class on the colours come again with hatches; markers differ from the first class on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.words.colours import CLASS_COLOURS, class_colour

__all__ = ["CUT", "MEAN", "POINT", "SCALE", "Style", "point_look", "shade", "style_of"]

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h", "d")
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "oo", "++", "--")

CUT = "black"
POINT = CLASS_COLOURS[0]  # where there are no classes
MEAN = CLASS_COLOURS[5]
SCALE = "viridis"  # numbers as colours: rises in lightness too


class Style(NamedTuple):
    """How one class is drawn."""

    colour: str
    marker: str
    hatch: str


def style_of(code: int) -> Style:
    """Return the look of a class; no two of the first 64 are alike.

    Examples
    --------
    >>> style_of(0)
    Style(colour='#0072B2', marker='o', hatch='')
    """
    hatch = _HATCHES[code // len(CLASS_COLOURS) % len(_HATCHES)]
    return Style(class_colour(code), _MARKERS[code % len(_MARKERS)], hatch)


def shade(branch: int, n_branches: int) -> float:
    """Return the grey of the region of a branch: white for the first, never dark."""
    return 1.0 - 0.16 * branch / max(n_branches - 1, 2) if branch else 1.0


def point_look(n_points: int) -> dict[str, float]:
    """Return size and opacity of points: the more there are, the smaller and fainter."""
    crowd = min(max(np.log10(max(n_points, 1) / 50.0), 0.0) / np.log10(40.0), 1.0)
    return {"s": 34.0 - 24.0 * crowd, "alpha": 0.9 - 0.35 * crowd, "linewidths": 0.4}
