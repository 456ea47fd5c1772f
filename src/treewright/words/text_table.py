"""Lines of words with cells aligned to their right, as trees and rule sets are printed.

Words and the text of the first cell that are too long for the line go on below; nothing is left
out. Widths are those of a terminal, where many East Asian characters take two columns.
"""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest

from treewright.words import display_width

__all__ = ["Line", "Rails", "aligned", "rails_for"]

# Where a line is short, first the text of the first cell goes on below, down to the second number
# of columns, so that the words keep the first; then the words have to do with half of it.
_NARROWEST = 24
_NARROWEST_ANSWER = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the text: where it hangs, what it says, and the cells to its right.

    Parameters
    ----------
    prefix : str
        What stands before the words: the lines of the tree.
    below : str
        What stands before further lines of the same entry.
    words : str
        What the entry says; broken into several lines where it is long.
    cells : tuple of str, default ()
        What stands in the columns to its right.
    """

    prefix: str
    below: str  # prefix of further lines of the same entry
    words: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rails:
    """The lines that lead the eye from a node to its children.

    Parameters
    ----------
    down, middle, last : str
        Beside further children, before a child that has more below it, and before the last one.
    none : str
        Below the last child.
    """

    down: str
    middle: str
    last: str
    none: str = "   "


_BOX = Rails("│  ", "├─ ", "└─ ")
_ASCII = Rails("|  ", "|- ", "`- ")


def rails_for(*, ascii_only: bool) -> Rails:
    """Return the lines that can be written.

    Parameters
    ----------
    ascii_only : bool
        Whether there are only ASCII characters.

    Returns
    -------
    Rails
        The pieces that lines are made of.

    Examples
    --------
    >>> rails_for(ascii_only=True).middle
    '|- '
    """
    return _ASCII if ascii_only else _BOX


def aligned(
    headings: Sequence[str], lines: Sequence[Line], is_number: Sequence[bool], width: int
) -> list[str]:
    r"""Write lines under headings, the cells of each column below each other.

    Parameters
    ----------
    headings : sequence of str
        One a column of cells; further cells of a line are left out.
    lines : sequence of Line
        The entries; one without cells may use the whole width.
    is_number : sequence of bool
        Whether each column stands to the right.
    width : int
        Longest line to aim at.

    Returns
    -------
    list of str
        Lines without trailing blanks.

    Examples
    --------
    >>> lines = [Line("1 ", "  ", "age <= 42", ("yes", "7")), Line("2 ", "  ", "else", ("no", "9"))]
    >>> print("\n".join(aligned(["buys", "rows"], lines, [False, True], 80)))
                 buys  rows
    1 age <= 42  yes      7
    2 else       no       9
    """
    rows = [(line.cells or ("",) * len(headings))[: len(headings)] for line in lines]
    widths = [max(map(display_width, column)) for column in zip(headings, *rows, strict=True)]
    deepest = max(len(line.prefix) for line in lines)
    natural = max(len(line.prefix) + display_width(line.words) for line in lines if line.cells)
    room = width - sum(widths[1:]) - 2 * len(widths)  # for words and first cells
    least = max(len(row[0]) for row in rows) if is_number[0] else _NARROWEST_ANSWER
    widths[0] = min(widths[0], max(room - min(natural, deepest + _NARROWEST), least))
    left = min(natural, max(room - widths[0], deepest + _NARROWEST // 2))

    def fit(cells: Sequence[str]) -> list[str]:
        first, *more = _fold(cells[0], widths[0])
        parts = zip([first, *cells[1:]], widths, is_number, strict=True)
        line = "  ".join(_pad(cell, size, right) for cell, size, right in parts)
        return [line, *(_pad(piece, widths[0], is_number[0]) for piece in more)]

    output = [" " * (left + 2) + text for text in fit(headings)]
    for line, cells in zip(lines, rows, strict=True):
        end = left if line.cells else width
        pieces = _wrap(line.words, end - len(line.prefix), len(line.below) - len(line.prefix))
        answers = fit(cells) if line.cells else []
        start = line.prefix
        for words, answer in zip_longest(pieces, answers, fillvalue=""):
            output.append(_pad(start + words, left, to_the_right=False) + "  " + answer)
            start = line.below
    return [line.rstrip() for line in output]


def _fold(name: str, room: int) -> list[str]:
    """Break a name that is too wide, behind blanks where it has them."""
    ends = list(accumulate(map(display_width, name)))  # width of the name up to each character
    pieces, start, before = [], 0, 0
    while ends and ends[-1] - before > room:
        stop = max(bisect_right(ends, before + room), start + 1)
        blank = name.rfind(" ", start + 1, stop + 1)
        stop = stop if blank < 0 else blank + 1
        pieces.append(name[start:stop].rstrip())
        start, before = stop, ends[stop - 1]
    return [*pieces, name[start:]]


def _wrap(words: str, room: int, indent: int) -> list[str]:
    """Break words that are too long for the line, in a set of levels behind commas.

    Lines behind the first are `indent` columns shorter.
    """
    if display_width(words) <= room:
        return [words]
    room = max(room, _NARROWEST // 2)
    blank = "\0"  # no name holds one any more
    glued = words.replace(" %", f"{blank}%")  # a number keeps its sign
    if "{" in glued:
        before, levels = glued.split("{", 1)
        pieces = [
            piece if len(piece) > room else piece.replace(" ", blank)
            for piece in levels.split(", ")
        ]
        glued = before + "{" + ", ".join(pieces)
    lines = textwrap.wrap(
        glued,
        room,
        subsequent_indent=blank * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.lstrip(blank).replace(blank, " ") for line in lines] or [""]


def _pad(text: str, width: int, to_the_right: bool) -> str:
    blanks = " " * (width - display_width(text))
    return blanks + text if to_the_right else text + blanks
