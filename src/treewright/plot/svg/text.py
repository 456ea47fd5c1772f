"""Texts and numbers as they may stand in SVG."""

from __future__ import annotations

import re
from html import escape

__all__ = ["number", "xml_text"]

# What XML 1.0 cannot hold, not even as a character reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Words from right to left, with what stands between them.
_FROM_THE_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]"
    "(?:[^A-Za-z0-9<>=]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])*"
)


def xml_text(text: str) -> str:
    r"""Write a text so that XML shows it and nothing else.

    Characters that XML forbids are shown as escapes. Words from right to left are set apart, so
    that they do not carry the signs and numbers around them along.

    Examples
    --------
    >>> print(xml_text("age <= 42 & home"), xml_text(chr(0) + "x"))
    age &lt;= 42 &amp; home \x00x
    """
    if not text.isascii():
        text = _FROM_THE_RIGHT.sub(lambda found: f"\u2068{found[0]}\u2069", text)
    shown = _FORBIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
    return escape(shown)


def number(value: float) -> str:
    """Write a length with one decimal at most.

    Examples
    --------
    >>> number(12.0), number(3.14159), number(-0.01)
    ('12', '3.1', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
