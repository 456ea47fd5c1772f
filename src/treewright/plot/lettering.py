"""How wide a text will be, and where to break it, before any drawing program has seen it.

Widths are those of Arial and its likes in thousandths of the type size; a little is added, since
readers' fonts differ. Characters that a terminal shows two columns wide take a whole square.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from treewright.words import display_width

__all__ = ["broken", "fitted", "text_width"]

_WIDTHS = {
    **dict.fromkeys("'|ijl", 222),
    **dict.fromkeys(" !,./:;I[\\]ft", 278),
    **dict.fromkeys("()-`r", 333),
    **dict.fromkeys('"*', 390),
    **dict.fromkeys("Jcksvxyz", 500),
    **dict.fromkeys("+<=>~", 584),
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
_MARGIN = 1.06
_BOLD = 1.08
_BREAKS_AFTER = "_-/.,;:)}"
_MORE = "…"


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
    (23, 43)
    """
    thousandths = sum(_WIDTHS.get(character) or _other_width(character) for character in text)
    return thousandths / 1000.0 * size * _MARGIN * (_BOLD if is_bold else 1.0)


def _other_width(character: str) -> int:
    if character.isascii():
        return _USUAL
    columns = display_width(character)
    if columns != 1:
        return columns * _SQUARE // 2
    return _USUAL if unicodedata.decomposition(character) else _UNUSUAL


def fitted(text: str, width: float, size: float, *, is_bold: bool = False) -> str:
    """Cut the end of a text that is too wide; three dots say so.

    Examples
    --------
    >>> fitted("petal length", 60.0, 13.0), fitted("age", 60.0, 13.0)
    ('petal l…', 'age')
    """
    if text_width(text, size, is_bold=is_bold) <= width:
        return text
    used = text_width(_MORE, size, is_bold=is_bold)
    for place, character in enumerate(text):
        used += text_width(character, size, is_bold=is_bold)
        if used > width:
            return text[:place].rstrip() + _MORE
    return text


def broken(
    text: str, width: float, most_lines: int, size: float, *, is_bold: bool = False
) -> tuple[str, ...]:
    """Break a text into lines, at blanks where possible; what is too much is cut.

    Parameters
    ----------
    text : str
        The text.
    width : float
        The longest line.
    most_lines : int
        The most lines.
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
    ('2 petal length +', 'petal width <= 9.5', 'cm?')
    """
    lines = [""]
    used = 0.0
    for piece in _pieces(text, width, size, is_bold):
        length = text_width(piece.rstrip(), size, is_bold=is_bold)
        if lines[-1] and used + length > width:
            if len(lines) == most_lines:
                lines[-1] = fitted(lines[-1] + piece + _MORE * 2, width, size, is_bold=is_bold)
                break
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            used = 0.0
        lines[-1] += piece
        used += text_width(piece, size, is_bold=is_bold)
    return tuple(line.rstrip() for line in lines)


def _pieces(text: str, width: float, size: float, is_bold: bool) -> Iterator[str]:
    """Give the parts of a text between which a line may end, blanks at their ends."""
    start, used = 0, 0.0
    for place, character in enumerate(text):
        used += text_width(character, size, is_bold=is_bold)
        if character != " " and used > width and place > start:  # a word wider than the line
            yield text[start:place]
            start, used = place, text_width(character, size, is_bold=is_bold)
        elif character == " " and text[place + 1 : place + 2] != " ":
            yield text[start : place + 1]
            start, used = place + 1, 0.0
    if text[start:]:
        yield text[start:]
