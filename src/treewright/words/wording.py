"""Numbers, names and levels as a person reads them.

Everything that is printed about a tree passes through these few functions, so that a number looks
the same in a tree, in a rule and in an error message. A number is written with the fewest digits
that read back as the same double ("printed = used"): 42, 2.45, 0.1. Characters that a terminal
would hide or obey (line feeds, escape sequences, direction marks) are written as escapes.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

__all__ = [
    "count_text",
    "display_width",
    "flag_text",
    "level_texts",
    "name_text",
    "number_text",
    "plural",
    "share_text",
    "visible",
]

# Joiners are invisible too, but words of several scripts are misspelled without them.
_JOINERS = "\u200c\u200d"
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_WORDS_OF_A_CONDITION = (" and ", " or ", " then ")
_WORDS_AROUND_A_FLAG = frozenset(
    ("always", "and", "if", "in", "is", "missing", "never", "not", "or", "then", "unseen")
)
_MARKS_WITHIN_A_WORD = "_-.'/%#&" + _JOINERS
_WORDS_FOR_VALUES = ("missing", "unseen", "known")
_MARKS_OF_A_SUM = (" + ", " - ", "<", ">", "(", ")")


def visible(text: str) -> str:
    r"""Write characters that would not be seen as escapes.

    Parameters
    ----------
    text : str
        Any text, for example a column name from a file.

    Returns
    -------
    str
        The text itself when all of it can be seen.

    Examples
    --------
    >>> print(visible("blood pressure"))
    blood pressure
    >>> print(visible("first line\nsecond line"))
    first line\nsecond line
    """
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in _HIDDEN_CATEGORIES and character not in _JOINERS
        else character
        for character in text
    )


def _quoted(text: str) -> str:
    # Backslashes first: those of the escapes are not part of the text.
    return visible('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def name_text(name: str) -> str:
    """Write the name of a column or class, in quotes only if its ends could not be seen.

    Parameters
    ----------
    name : str
        The name, which may hold any characters.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(name_text("petal length"), name_text("age "))
    petal length "age "
    """
    return _quoted(name) if not name or name != name.strip() else visible(name)


def flag_text(name: str, value: bool) -> str:
    """Say a boolean column as a condition: its name, or "not" before it.

    A name that alone could be read as something else than a name is quoted: one with a word of
    conditions in it, with marks, or that starts with a digit.

    Parameters
    ----------
    name : str
        The name of the column, which may hold any characters.
    value : bool
        What the column says.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(flag_text("express", True), "|", flag_text("express", False))
    express | not express
    >>> print(flag_text("not in stock", False), "|", flag_text("age <= 42", True))
    not "not in stock" | "age <= 42"
    """
    text = visible(name) if _is_plain(name) else _quoted(name)
    return text if value else f"not {text}"


def _is_plain(name: str) -> bool:
    """Tell whether a name is words only, none of which is a word of conditions."""
    words = name.split(" ")
    return (
        all(word[:1].isalnum() or word[:1] == "_" for word in words)
        and not name[:1].isnumeric()
        and all(map(_is_within_a_word, "".join(words)))
        and _WORDS_AROUND_A_FLAG.isdisjoint(name.casefold().split(" "))
    )


def _is_within_a_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN" or character in _MARKS_WITHIN_A_WORD


def number_text(number: float) -> str:
    """Write a number with the fewest digits that read back as the same double.

    Whole numbers have no decimal point; exponents appear only for very large or very small numbers.

    Parameters
    ----------
    number : float
        The number; NaN and infinity have words.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(number_text(42.0), number_text(2.45), number_text(0.00001), number_text(1e300))
    42 2.45 0.00001 1e+300
    """
    number = float(number)
    if not math.isfinite(number):
        return {math.inf: "infinity", -math.inf: "-infinity"}.get(number, "missing")
    magnitude = abs(number)
    if magnitude == 0.0:
        return "0"
    if magnitude < 1e-6 or magnitude >= 1e16:
        return repr(number)
    return np.format_float_positional(number, unique=True, trim="-")


def _is_ambiguous(text: str, in_set: bool) -> bool:
    if not text or text != text.strip() or any(mark in text for mark in ',{}"'):
        return True
    if in_set:
        return False
    # After "city is": "missing", "not Oslo" and "Oslo and age <= 3" would say something else.
    return (
        text in _WORDS_FOR_VALUES
        or text.startswith("not ")
        or any(word in f" {text} " for word in _WORDS_OF_A_CONDITION)
    )


def level_texts(
    levels: Sequence[str | int | float | bool],
    among: Sequence[str | int | float | bool] | None = None,
    *,
    in_set: bool = True,
    in_sum: bool = False,
) -> tuple[str, ...]:
    """Write levels of a categorical column, in quotes where plain text would be ambiguous.

    Parameters
    ----------
    levels : sequence of str, int, float or bool
        The levels to write.
    among : sequence of str, int, float or bool, optional
        All levels of their column; by default the same. Where text and numbers are mixed, text is
        always quoted.
    in_set : bool, default True
        Whether they stand between braces (``city in {Oslo, Rome}``) or alone (``city is Oslo``).
    in_sum : bool, default False
        Whether they stand alone in a sum (``income + 12 if city is Oslo <= 40``).

    Returns
    -------
    tuple of str
        One text a level, in the order given.

    Examples
    --------
    >>> print(*level_texts(["Oslo", "Rome, Italy"]), *level_texts([True]), *level_texts([3.0]))
    Oslo "Rome, Italy" true 3
    >>> print(*level_texts(["3", 3, 3.0]))
    "3" 3 3.0
    """
    is_mixed = len({type(level) for level in (levels if among is None else among)}) > 1
    texts = []
    for level in levels:
        if isinstance(level, str):
            is_quoted = is_mixed or _is_ambiguous(level, in_set)
            is_quoted |= in_sum and any(mark in level for mark in _MARKS_OF_A_SUM)
            texts.append(_quoted(level) if is_quoted else visible(level))
        elif isinstance(level, bool):
            texts.append("true" if level else "false")
        elif isinstance(level, int) or is_mixed:
            texts.append(repr(level))
        else:
            texts.append(number_text(level))
    return tuple(texts)


def share_text(share: float) -> str:
    """Write a proportion in whole percent; only 1 itself reads "100 %", and only 0 "0 %".

    Parameters
    ----------
    share : float
        The proportion, from 0 to 1; NaN gives a dash.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(share_text(0.934), "|", share_text(0.9996), "|", share_text(1.0))
    93 % | >99 % | 100 %
    """
    if not math.isfinite(share):
        return "-"
    percent = round(100.0 * share)
    if percent == 100 and share < 1.0:
        return ">99 %"
    if percent == 0 and share > 0.0:
        return "<1 %"
    return f"{percent} %"


def count_text(count: float) -> str:
    """Write a count of rows or a sum of weights; at most one decimal when it is not whole.

    Parameters
    ----------
    count : float
        The count, or the sum of weights.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(count_text(41.0), count_text(12.3456))
    41 12.3
    """
    # Shares of rows that were divided among branches add up with a little rounding.
    count = round(float(count), 9) or count
    if float(count).is_integer() or not abs(count) < 1e15:
        return number_text(count)
    rounded = f"{count:.1f}"
    # A small weight must not look like no weight at all.
    return f"{count:.2g}" if rounded in ("0.0", "-0.0") else rounded


@lru_cache(maxsize=256)
def plural(count: float, noun: str) -> str:
    """Write so many of something.

    Parameters
    ----------
    count : float
        How many there are; a sum of weights may have a fraction.
    noun : str
        What they are, in the singular.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> plural(1, "row"), plural(12.5, "row"), plural(3, "leaf"), plural(2, "class")
    ('1 row', '12.5 rows', '3 leaves', '2 classes')
    """
    number = count_text(count)
    if number == "1":
        return f"1 {noun}"
    if noun.endswith("f"):
        more_than_one = noun[:-1] + "ves"
    else:
        more_than_one = noun + ("es" if noun.endswith(("s", "ch")) else "s")
    return f"{number} {more_than_one}"


def display_width(text: str) -> int:
    """Count the columns a text takes in a terminal; many East Asian characters take two.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    int
        Columns of a terminal.

    Examples
    --------
    >>> display_width("age"), display_width("\u5e74\u9f62")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(character) or character in _JOINERS
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )
