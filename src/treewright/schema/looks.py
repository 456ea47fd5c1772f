"""What a column looks like beyond its type: row numbers, names, dates or numbers as text."""

from __future__ import annotations

import re

import numpy as np

from treewright.schema.cells import Cells

__all__ = ["is_free_text", "is_identifier", "looks_like_dates", "looks_like_numbers"]

_FEWEST_TO_IDENTIFY = 5  # that so few rows differ in a column says nothing about it
_FEWEST_TEXTS = 50
_LOOKED_AT = 200  # levels that must look like dates
_FEWEST_NUMBERS, _MOST_ARE = 5, 0.8  # different texts that are numbers, and their share of all
# 1,5 or 1.234,50 or 12 % or $1,200: numbers to a person, text to a reader of files.
_DRESSED_NUMBER = re.compile(
    r"\s*[-+]?[$€£¥]?\s*[-+]?\d{1,3}([.,' \u00a0]?\d{3})*([.,]\d+)?\s*[%$€£¥]?\s*"
)
_MONTH = (
    r"(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?"
    r"|nov(ember)?|dec(ember)?)\.?"
)
_DATE = re.compile(
    r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})"
    rf"|\d{{1,2}}[- ]?{_MONTH}[- ]?(\d{{4}}|\d{{2}})|{_MONTH} \d{{1,2}},? \d{{4}})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[-+]\d{2}:?\d{2})?)?\s*",
    re.IGNORECASE,
)


def is_identifier(cells: Cells) -> bool:
    """Tell whether a column seems to name the rows rather than to describe them.

    Parameters
    ----------
    cells : Cells
        The column as it came.

    Returns
    -------
    bool
        True if it seems to name the rows.

    Examples
    --------
    >>> is_identifier(Cells("numeric", numbers=np.array([1, 2, 3, 4, 5, 6])))
    True
    >>> is_identifier(Cells("numeric", numbers=np.array([1, 2, 4, 4, 5, 6])))
    False
    """
    if cells.kind == "numeric":  # row numbers
        numbers = cells.numbers
        return (
            len(numbers) >= _FEWEST_TO_IDENTIFY
            and numbers[0] in (0, 1)
            and bool((np.diff(numbers) == 1).all())
        )
    known = cells.codes[cells.codes >= 0]
    return (
        cells.kind == "categorical"
        and len(known) >= _FEWEST_TO_IDENTIFY
        and len(np.unique(known)) == len(known)
    )


def is_free_text(cells: Cells) -> bool:
    """Tell whether a column of text has too many different texts to be categories.

    Parameters
    ----------
    cells : Cells
        The column as it came.

    Returns
    -------
    bool
        True if it is free text.

    Examples
    --------
    >>> texts = tuple(f"remark {number}" for number in range(90))
    >>> is_free_text(Cells("categorical", codes=np.arange(100) % 90, levels=texts))
    True
    """
    if cells.kind != "categorical":
        return False
    known = cells.codes[cells.codes >= 0]
    n_levels = len(np.unique(known))
    return n_levels >= _FEWEST_TEXTS and 2 * n_levels > len(known)


def looks_like_dates(cells: Cells) -> bool:
    """Tell whether a column of text holds dates, with or without a time of day.

    Parameters
    ----------
    cells : Cells
        The column as it came.

    Returns
    -------
    bool
        True if it holds dates.

    Examples
    --------
    >>> looks_like_dates(Cells("categorical", codes=np.array([0]), levels=("2024-05-17 09:30",)))
    True
    >>> looks_like_dates(Cells("categorical", codes=np.array([0]), levels=("17 May 2024",)))
    True
    >>> looks_like_dates(Cells("categorical", codes=np.array([0]), levels=("12-34",)))
    False
    """
    texts = [level for level in cells.levels[:_LOOKED_AT] if isinstance(level, str)]
    return bool(texts) and all(_DATE.fullmatch(text) for text in texts)


def looks_like_numbers(cells: Cells) -> bool:
    """Tell whether a column of text would be numbers, were it not for how some are written.

    That is so where most of its texts are numbers, with a decimal comma, a percent sign or the
    like, or plain ones among which stands a word such as "unknown".

    Parameters
    ----------
    cells : Cells
        The column as it came.

    Returns
    -------
    bool
        True if most texts are numbers.

    Examples
    --------
    >>> texts = ("1,5", "2,25", "7", "12,1", "3,75")
    >>> looks_like_numbers(Cells("categorical", codes=np.arange(5), levels=texts))
    True
    >>> looks_like_numbers(Cells("categorical", codes=np.arange(5), levels=("7", *"abcd")))
    False
    """
    texts = [level for level in cells.levels[:_LOOKED_AT] if isinstance(level, str)]
    plain = sum(map(_is_number, texts))
    found = plain + sum(
        bool(_DRESSED_NUMBER.fullmatch(text)) for text in texts if not _is_number(text)
    )
    return plain < len(texts) and found >= max(_FEWEST_NUMBERS, _MOST_ARE * len(texts))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
