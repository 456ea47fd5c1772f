"""One pair of axes as SVG: where numbers stand, ticks with their texts, and names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.marks import Ruler
from treewright.plot.svg.text import number, xml_text
from treewright.plot.tree.contents import SMALL
from treewright.plot.tree.lettering import fitted, text_width
from treewright.plot.words import tick_text, ticks_are_right
from treewright.words import number_text

__all__ = ["Frame", "Tick", "number_ticks", "ruler_ticks", "text"]

Tick = tuple[float, str]

_BASE = 4.2  # from the middle of a line of text to its base
_BELOW = 16.0  # from the axis to the middle of its ticks
_NAME = 33.0  # and of its name
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_BETWEEN_TICKS = 10.0
_BEYOND = 12.0  # how far a text may reach beyond the right end of its axis


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle of pixels for a rectangle of numbers.

    Parameters
    ----------
    left, top, width, height : float
        The pixels.
    across, up : tuple of float
        The numbers at its ends.
    """

    left: float
    top: float
    width: float
    height: float
    across: tuple[float, float]
    up: tuple[float, float]

    @property
    def bottom(self) -> float:
        """Its lower end."""
        return self.top + self.height

    @property
    def right(self) -> float:
        """Its right end."""
        return self.left + self.width

    def x(self, value: float) -> float:
        """Place a number across."""
        low, high = self.across
        return self.left + self.width * min(max((value - low) / (high - low), 0.0), 1.0)

    def y(self, value: float) -> float:
        """Place a number up."""
        low, high = self.up
        return self.bottom - self.height * min(max((value - low) / (high - low), 0.0), 1.0)

    def points(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
        """Write the path of points, each a line of no length; equal ones are drawn once."""
        at = [self.left, self.bottom]
        pixels = [self.width, -self.height]
        ends = np.array([self.across, self.up])
        shares = (np.column_stack([x, y]) - ends[:, 0]) / (ends[:, 1] - ends[:, 0])
        places = np.unique(np.round(at + np.clip(shares, 0.0, 1.0) * pixels), axis=0)
        return "".join(f"M{left:.0f},{top:.0f}h0" for left, top in places.tolist())

    def bottom_axis(self, ticks: Sequence[Tick], name: str) -> str:
        """Write the axis below: a line, its ticks and its name."""
        shown = self._apart(ticks)
        marks = "".join(f"M{number(self.x(value))},{number(self.bottom)}v4" for value, _ in shown)
        return "".join(
            [
                f'<path class="axis" d="M{number(self.left)},{number(self.bottom)}'
                f'h{number(self.width)}{marks}"/>',
                *(text(self.x(at), self.bottom + _BELOW, words, "s") for at, words in shown),
                text(
                    self.left + 0.5 * self.width,
                    self.bottom + _NAME,
                    fitted(name, self.width + self.left, SMALL),
                    "s",
                ),
            ]
        )

    def _apart(self, ticks: Sequence[Tick]) -> list[Tick]:
        """Leave out ticks whose texts would touch or leave the picture: every second, third, ..."""
        halves = [0.5 * text_width(words, SMALL) for _, words in ticks]
        spans = [
            (tick, self.x(tick[0]) - half, self.x(tick[0]) + half)
            for tick, half in zip(ticks, halves, strict=True)
        ]
        spans = [span for span in spans if span[2] <= self.right + _BEYOND]
        for stride in range(1, len(spans) + 1):
            kept = spans[::stride]
            if all(end + _BETWEEN_TICKS <= start for (*_, end), (_, start, _) in pairwise(kept)):
                return [tick for tick, _, _ in kept]
        return []

    def left_axis(self, ticks: Sequence[Tick]) -> str:
        """Write the axis on the left: thin lines across and their texts."""
        lines = "".join(
            f"M{number(self.left)},{number(self.y(value))}h{number(self.width)}"
            for value, _ in ticks
        )
        texts = (text(self.left - 6.0, self.y(value), words, "s e") for value, words in ticks)
        return f'<path class="grid" d="{lines}"/>{"".join(texts)}'


def text(x: float, y: float, words: str, look: str) -> str:
    """Write a line of text around the height `y`."""
    return f'<text class="{look}" x="{number(x)}" y="{number(y + _BASE)}">{xml_text(words)}</text>'


def number_ticks(low: float, high: float, most: int, *, is_whole: bool = False) -> list[Tick]:
    """Choose round numbers between two ends.

    Examples
    --------
    >>> [words for _, words in number_ticks(0.3, 9.7, 5)]
    ['2', '4', '6', '8']
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in _STEPS if power * factor >= rough * (1.0 - 1e-9))
    if is_whole:
        step = max(1.0, float(math.ceil(step)))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = [count * step for count in range(first, last + 1)]
    if ticks_are_right(ticks, step):
        return [(tick, tick_text(tick)) for tick in ticks]
    return [(tick, number_text(float(f"{tick:.15g}"))) for tick in ticks]


def ruler_ticks(ruler: Ruler, most: int, room: float) -> list[Tick]:
    """Choose the ticks of an axis: round numbers, or its levels by name in so many pixels."""
    if not ruler.levels:
        return number_ticks(*ruler.ends, most, is_whole=ruler.is_whole)
    each = max(room / len(ruler.levels), 30.0)
    return [(float(code), fitted(name, each, SMALL)) for code, name in enumerate(ruler.levels)]
