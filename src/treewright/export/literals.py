r"""Other people's text made harmless in code: names, levels and classes may be any Unicode.

A text becomes a literal, where every character that could end the literal, be obeyed or not be seen
is an escape; an identifier, made of ASCII letters, digits and underscores; or a comment, where the
marks by which languages end a comment are taken apart. Text that runs from right to left is written
in escapes, because an editor would show the code around it in another order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from treewright.words import visible

__all__ = ["comment_text", "identifiers", "quoted"]

_LEFT_TO_RIGHT = frozenset({"L", "EN", "ES", "ET", "CS", "ON", "NSM", "WS"})
_LONGEST_COMMENT = 90
# What opens or ends a comment, a script or a page in one of the languages.
_MARKS = ("*/", "/*", "//", "--", "</", "<!", "->", "?>", "<?", "??", "]]", "{{", "}}", "${")
_BETWEEN_MARKS = re.compile(
    "|".join(f"(?<={re.escape(mark[0])})(?={re.escape(mark[1])})" for mark in _MARKS)
)


def quoted(text: str, escape: Callable[[int], str], *, quote: str = '"', also: str = "") -> str:
    r"""Write a text as a literal in which backslashes are escapes.

    Parameters
    ----------
    text : str
        Any text.
    escape : callable
        Writes a code point as an escape of the language.
    quote : str, default '"'
        What stands at both ends.
    also : str, default ""
        Further characters to escape.

    Returns
    -------
    str
        The literal.

    Examples
    --------
    >>> print(quoted('say "no"\n', lambda point: f"\\u{point:04x}"))
    "say \u0022no\u0022\u000a"
    """
    escaped = {*quote, "\\", *also}
    return (
        quote
        + "".join(
            character
            if character not in escaped and _is_plain(character)
            else escape(ord(character))
            for character in text
        )
        + quote
    )


def identifiers(
    names: Sequence[str], reserved: Iterable[str] = (), *, stem: str, longest: int = 40
) -> list[str]:
    """Make an identifier of every name: ASCII, short, none twice.

    Parameters
    ----------
    names : sequence of str
        Any texts.
    reserved : iterable of str, default ()
        Words that are taken.
    stem : str
        What stands before a number where a name has no letters, or where two would be the same.
    longest : int, default 40
        Where names are cut.

    Returns
    -------
    list of str
        One a name, in their order.

    Examples
    --------
    >>> identifiers(["petal length", "class", "*/", "petal-length"], ["class"], stem="column")
    ['petal_length', 'class_1', 'column_2', 'petal_length_3']
    """
    taken = set(reserved)
    found = []
    for position, name in enumerate(names):
        ascii_name = unicodedata.normalize("NFKD", name[: 4 * longest])
        word = re.sub(r"[^0-9A-Za-z]+", "_", ascii_name)[:longest].strip("_")
        if not word[:1].isalpha():
            word = f"{stem}_{word}" if word else f"{stem}_{position}"
        if word in taken:
            word = f"{word}_{position}"
        while word in taken:
            word += "_"
        taken.add(word)
        found.append(word)
    return found


def comment_text(text: str) -> str:
    r"""Write a text so that it can stand in a comment of any language, on one line.

    Examples
    --------
    >>> print(comment_text("*/ system(); // <script>\n"))
    * / system(); / / <script>\n
    """
    shown = text if len(text) <= _LONGEST_COMMENT else text[: _LONGEST_COMMENT - 3] + "..."
    line = "".join(
        character if _is_plain(character) else f"\\u{{{ord(character):x}}}"
        for character in visible(shown)
    )
    return _BETWEEN_MARKS.sub(" ", line).rstrip("\\")


def _is_plain(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    return character.isprintable() and unicodedata.bidirectional(character) in _LEFT_TO_RIGHT
