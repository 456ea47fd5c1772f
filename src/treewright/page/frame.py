"""Frame: a drawing with two axes, as SVG.

Colours come from the style sheet of the page through classes, so that drawings follow its light and
dark look. Type is 12 px or more where a drawing is shown in its own size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

__all__ = ["MARKERS", "Frame", "nice_ticks"]

# Shapes around the origin, about ten wide.
MARKERS = (
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",  # circle
    "M-4-4h8v8h-8z",  # square
    "M0-5.2L5 3.8H-5z",  # triangle
    "M0-5.5L5.5 0L0 5.5L-5.5 0z",  # diamond
)

_Ticks = Sequence[tuple[float, str]]


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Choose round numbers from a range.

    Examples
    --------
    >>> nice_ticks(0.0, 4.7), nice_ticks(0.61, 0.9)
    ([0.0, 1.0, 2.0, 3.0, 4.0], [0.65, 0.7, 0.75, 0.8, 0.85, 0.9])
    """
    if not high > low:
        return [low]
    least_step = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least_step))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least_step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{position * step:.12g}") for position in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawing with two axes.

    Parameters
    ----------
    width, height : float
        Size of the drawing.
    x_range, y_range : tuple of (float, float)
        The numbers at the ends of the axes.
    left, right, top, bottom : float
        Room around the axes.
    """

    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    left: float = 50.0
    right: float = 12.0
    top: float = 30.0
    bottom: float = 46.0

    def x(self, value: float) -> float:
        """Return where a number stands on the axis to the right."""
        low, high = self.x_range
        share = (value - low) / (high - low)
        return round(self.left + share * (self.width - self.left - self.right), 1)

    def y(self, value: float) -> float:
        """Return where a number stands on the axis upward."""
        low, high = self.y_range
        share = (value - low) / (high - low)
        return round(self.height - self.bottom - share * (self.height - self.top - self.bottom), 1)

    def drawing(
        self,
        parts: Iterable[str],
        *,
        name: str,
        x_words: str,
        y_words: str,
        x_ticks: _Ticks,
        y_ticks: _Ticks,
    ) -> Markup:
        """Put axes and parts together.

        Parameters
        ----------
        parts : iterable of str
            SVG elements, drawn over the axes.
        name : str
            What the drawing shows, for readers who cannot see it.
        x_words, y_words : str
            What the axes show.
        x_ticks, y_ticks : sequence of (float, str)
            Numbers on the axes and their texts.

        Returns
        -------
        Markup
            An svg element.
        """
        bottom, right = self.height - self.bottom, self.width - self.right
        lines = [
            f'<svg class="chart" viewBox="0 0 {self.width:g} {self.height:g}" role="img" '
            f'aria-label="{escape(name)}">'
        ]
        for value, text in y_ticks:
            y = self.y(value)
            lines.append(f'<path class="grid" d="M{self.left:g} {y:g}H{right:g}"/>')
            lines.append(_text(self.left - 7, y + 4, text, "tick", "end"))
        lines.append(f'<path class="axis" d="M{self.left:g} {bottom:g}H{right:g}"/>')
        for value, text in x_ticks:
            x = self.x(value)
            lines.append(f'<path class="axis" d="M{x:g} {bottom:g}v4"/>')
            lines.append(_text(x, bottom + 18, text, "tick", "middle"))
        lines.append(_text((self.left + right) / 2, self.height - 7, x_words, "title", "middle"))
        lines.append(_text(0, 14, y_words, "title", "start"))
        return Markup("".join([*lines, *parts, "</svg>"]))


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'
