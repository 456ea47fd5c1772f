"""How wide a text will be, and where to break it, before any drawing program has seen it.

Widths are those of Arial and its likes in thousandths of the type size; a little is added, since
readers' fonts differ. Characters that a terminal shows two columns wide take a whole square.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from treewright.words import display_width

__all__ = ["broken", "fitted", "text_width"]

_THOUSANDTHS = {
    **dict.fromkeys("'|ijl", 222),
    **dict.fromkeys(" !,./:;I[\\]ft", 278),
    **dict.fromkeys("()-`r", 333),
    **dict.fromkeys('"*', 390),
    **dict.fromkeys("Jcksvxyz", 500),
    **dict.fromkeys("+<=>~±", 680),
    **dict.fromkeys("FTZ", 611),
    **dict.fromkeys("&ABEKPSVXY", 667),
    **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("GOQ", 778),
    **dict.fromkeys("Mm", 833),
    **dict.fromkeys("%", 889),
    **dict.fromkeys("…—", 1000),
    **dict.fromkeys("@W", 1015),
}
_USUAL = 556
_UNUSUAL = 680  # letters of other scripts
_SQUARE = 1100  # characters of two columns, emoji among them
_MARGIN = 1.08
_BOLD = 1.08
_MORE = "…"
_LINE_MAY_END_AFTER = frozenset("_-/.,;:)}")
# Before the signs of a test, which then lead the next line: "income / - 2 debt / <= 40".
_SIGN = re.compile(r"(?<= )(?=(?:[-+]|<=|>|and|or) )")


class _Widths(dict[str, int]):
    """The widths of characters, found when they are first met."""

    def __missing__(self, character: str) -> int:
        columns = display_width(character)
        if character.isascii() or (columns == 1 and unicodedata.decomposition(character)):
            width = _USUAL
        else:
            width = _UNUSUAL if columns == 1 else columns * _SQUARE // 2
        self[character] = width
        return width


_width_of = _Widths(_THOUSANDTHS).__getitem__


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Estimate the width of a text.

    Parameters
    ----------
    text : str
        One line.
    size : float
        Size of the type.
    is_bold : bool, default False
        Whether it is bold.

    Returns
    -------
    float
        Its width in the unit of the size, rather too much than too little.

    Examples
    --------
    >>> round(text_width("age", 13.0)), round(text_width("wages", 13.0, is_bold=True))
    (23, 44)
    """
    return sum(map(_width_of, text)) * size * _scale(is_bold)


def _scale(is_bold: bool) -> float:
    return _MARGIN * (_BOLD if is_bold else 1.0) / 1000.0


def fitted(text: str, width: float, size: float, *, is_bold: bool = False) -> str:
    """Cut the end of a text that is too wide; three dots say so.

    Examples
    --------
    >>> fitted("petal length", 60.0, 13.0), fitted("age", 60.0, 13.0)
    ('petal le…', 'age')
    """
    return _cut(text, width / (size * _scale(is_bold)))


def _cut(text: str, room: float) -> str:
    """Cut the end of a text; `room` is in thousandths of the type size."""
    if sum(map(_width_of, text)) <= room:
        return text
    used: float = _width_of(_MORE)
    for place, character in enumerate(text):
        used += _width_of(character)
        if used > room:
            return text[:place].rstrip() + _MORE
    return text


def broken(
    text: str, width: float, most_lines: int, size: float, *, is_bold: bool = False
) -> tuple[str, ...]:
    """Break a text into lines: before signs and joining words, else at blanks, else anywhere.

    Parameters
    ----------
    text : str
        The text.
    width : float
        The longest line.
    most_lines : int
        The most lines; what is too much is cut, and three dots say so.
    size : float
        Size of the type.
    is_bold : bool, default False
        Whether it is bold.

    Returns
    -------
    tuple of str
        One line or more.

    Examples
    --------
    >>> broken("2 petal length + petal width <= 9.5 cm?", 130.0, 3, 13.0)
    ('2 petal length', '+ petal width', '<= 9.5 cm?')
    """
    room = width / (size * _scale(is_bold))
    if sum(map(_width_of, text)) <= room:
        return (text,)
    lines = [""]
    used = 0.0
    for phrase in _SIGN.split(text):
        fits = sum(map(_width_of, phrase.rstrip())) <= room
        for piece in (phrase,) if fits else _pieces(phrase, room):
            if lines[-1] and used + sum(map(_width_of, piece.rstrip())) > room:
                if len(lines) == most_lines:
                    lines[-1] = _cut(lines[-1] + piece + 2 * _MORE, room)
                    return tuple(lines)
                lines[-1] = lines[-1].rstrip()
                lines.append("")
                used = 0.0
            lines[-1] += piece
            used += sum(map(_width_of, piece))
    lines[-1] = lines[-1].rstrip()
    return tuple(lines)


def _pieces(text: str, room: float) -> Iterator[str]:
    """Give the parts of a text between which a line may end, each with the blank behind it."""
    start, used, last = 0, 0, 0
    for place, character in enumerate(text):
        used += _width_of(character)
        if character == " ":
            yield text[start : place + 1]
            start, used, last = place + 1, 0, place + 1
        elif used > room and place > start:  # a word wider than the line
            end = last if last > start else place
            yield text[start:end]
            start, last = end, end
            used = sum(map(_width_of, text[end : place + 1]))
        if character in _LINE_MAY_END_AFTER:
            last = place + 1
    if text[start:]:
        yield text[start:]
