"""Colours and hatches of classes in SVG, and the key to them.

From the ninth class on colours come again with white hatches, which are patterns defined once a
drawing.
"""

from __future__ import annotations

from treewright.plot.svg.text import number, xml_text
from treewright.plot.tree.key import SWATCH, Key
from treewright.plot.tree.style import N_COLOURS

__all__ = ["Paint"]

_RAISED = 4.2  # from the middle of a line to its base
_AFTER_SWATCH = 6.0
_HATCHES = (
    '<path d="M-1,1l2,-2M0,6l6,-6M5,7l2,-2"/>',
    '<circle cx="3" cy="3" r="1.2"/>',
    '<path d="M0,0l6,6M0,6l6,-6"/>',
    '<path d="M-1,5l2,2M0,0l6,6M5,-1l2,2"/>',
    '<circle cx="3" cy="3" r="1.8" fill="none"/>',
    '<path d="M3,0v6M0,3h6"/>',
    '<path d="M0,3h6"/>',
)


class Paint:
    """The colours of one drawing.

    Parameters
    ----------
    prefix : str
        What ids in the drawing begin with.
    """

    def __init__(self, prefix: str) -> None:
        self.notes: list[str] = []  # what is to be said of the colours
        self._prefix = prefix
        self._hatched: set[int] = set()

    def fill(self, code: int) -> str:
        """Give the attribute that fills a shape with the look of a class; -1 is the rest."""
        if code < 0:
            return 'class="rest"'
        if code < N_COLOURS:
            return f'class="c{code}"'
        self._hatched.add(code)
        return f'fill="url(#{self._prefix}h{code})"'

    def key(self, key: Key) -> str:
        """Write the key of a drawing."""
        parts = []
        side = number(SWATCH)
        for entry in key.entries:
            x = entry.x
            if entry.code is not None:
                square = f"M{number(x)},{number(entry.y - 0.5 * SWATCH)}h{side}v{side}h-{side}z"
                parts.append(f'<path {self.fill(entry.code)} d="{square}"/>')
                x += SWATCH + _AFTER_SWATCH
            y = number(entry.y + _RAISED)
            words = xml_text(entry.text)
            parts.append(f'<text class="k" x="{number(x)}" y="{y}">{words}</text>')
        return "".join(parts)

    def patterns(self) -> str:
        """Define the hatches that were used."""
        if not self._hatched:
            return ""
        patterns = (
            f'<pattern id="{self._prefix}h{code}" width="6" height="6" '
            f'patternUnits="userSpaceOnUse"><path class="c{code % N_COLOURS}" d="M0,0h6v6h-6z"/>'
            f'<g fill="#fff" stroke="#fff">{_HATCHES[(code // N_COLOURS - 1) % len(_HATCHES)]}</g>'
            "</pattern>"
            for code in sorted(self._hatched)
        )
        return f"<defs>{''.join(patterns)}</defs>"
