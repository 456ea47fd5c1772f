"""Names, levels and sets of levels cut short, so that they fit into a picture or a diagram.

Names and levels are other people's text of any length. They are shortened once, in a copy of the
schema, and everything in one picture is written with that copy.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count, takewhile

from treewright.schema import Column, Level, Schema
from treewright.words import display_width, visible

__all__ = ["LONGEST_LEVEL", "LONGEST_NAME", "few_levels", "short_schema", "shortened", "wrapped"]

LONGEST_NAME = 32
LONGEST_LEVEL = 24
_MOST_LEVELS = 5  # of a set that is written out


def shortened(text: str, width: int) -> str:
    """Cut a long text in the middle: names often differ at their ends.

    Examples
    --------
    >>> shortened("mean corpuscular haemoglobin", 15)
    'mean co…globin'
    """
    if display_width(text) <= width:
        return text
    start, end = text[: width // 2], text[-(width // 2 - 1) :]
    while display_width(start) + display_width(end) + 1 > width and len(end) > 1:
        start, end = start[:-1], end[1:]
    return f"{start.rstrip()}…{end.lstrip()}"


def few_levels(texts: Sequence[str]) -> str:
    """Join the levels of a set; of a long one the first few, and how many more there are.

    Examples
    --------
    >>> few_levels(["Bonn", "Oslo"]), few_levels(list("abcdefgh"))
    ('Bonn, Oslo', 'a, b, c, d and 4 more')
    """
    if len(texts) <= _MOST_LEVELS:
        return ", ".join(texts)
    shown = texts[: _MOST_LEVELS - 1]
    return f"{', '.join(shown)} and {len(texts) - len(shown)} more"


def wrapped(text: str, width: int, most_lines: int) -> str:
    """Break a text into lines; what does not fit is left out, and three dots say so."""
    lines = textwrap.wrap(text, max(width, 10), max_lines=most_lines, placeholder=" …")
    return "\n".join(lines)


def short_schema(
    schema: Schema, *, names: int = LONGEST_NAME, levels: int = LONGEST_LEVEL
) -> Schema:
    """Return the schema with names, units, levels and classes that fit into a picture.

    Those that differ still do.

    Parameters
    ----------
    schema : Schema
        Any schema.
    names, levels : int
        Longest name of a column; longest level, unit or class.

    Returns
    -------
    Schema
        The same columns and classes in fewer letters.
    """
    columns = tuple(
        _short_column(column, name, levels)
        for column, name in zip(schema.columns, _distinct(schema.names, names), strict=True)
    )
    classes = None if schema.classes is None else _short_levels(schema.classes, levels)
    return replace(schema, columns=columns, classes=classes)


def _short_column(column: Column, name: str, width: int) -> Column:
    unit = None if column.unit is None else shortened(visible(column.unit), width)
    levels = _short_levels(column.levels, width)
    if (name, unit, levels) == (column.name, column.unit, column.levels):
        return column
    return replace(column, name=name, unit=unit, levels=levels)


def _short_levels(levels: tuple[Level, ...], width: int) -> tuple[Level, ...]:
    texts = [level for level in levels if isinstance(level, str)]
    short = dict(zip(texts, _distinct(texts, width), strict=True))
    return tuple(short[level] if isinstance(level, str) else level for level in levels)


def _distinct(texts: Iterable[str], width: int) -> list[str]:
    """Shorten texts; those that become equal start where they differ, else they are numbered."""
    whole = [visible(text) for text in texts]
    short = [shortened(text, width) for text in whole]
    alike: dict[str, list[int]] = {}
    for place, text in enumerate(short):
        alike.setdefault(text, []).append(place)
    for places in alike.values():
        if len(places) > 1:
            start = _end_of_same_words([whole[place] for place in places])
            for place in places:
                short[place] = shortened(
                    f"…{whole[place][start:]}" if start else whole[place], width
                )
    taken = set(whole) | set(short) if len(set(short)) < len(short) else set()
    seen: set[str] = set()
    for place, text in enumerate(short):
        if text in seen:
            numbered = (f"{text} ({number})" for number in count(2))
            short[place] = next(name for name in numbered if name not in taken)
            taken.add(short[place])
        seen.add(short[place])
    return short


def _end_of_same_words(texts: Sequence[str]) -> int:
    """Return where the words begin that are not the same in all texts."""
    letters = zip(*texts, strict=False)
    n_same = sum(1 for _ in takewhile(lambda here: len(set(here)) == 1, letters))
    return texts[0].rfind(" ", 0, n_same) + 1
