r"""XML written piece by piece: elements with attributes, and text that no parser misreads.

Attributes carry other people's text, line feeds and tabs as numbered references, since a parser
turns plain ones into blanks. XML has no way to hold most control characters; they are written as
escapes that a reader can see, ``\x01`` for the character of number 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import indent

__all__ = ["element", "legal", "start"]

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_NOT_PLAIN = re.compile('[&<>"\t\n\r\x7f-\x9f\u2028\u2029]')


def legal(text: str) -> str:
    r"""Write characters that XML cannot hold as escapes.

    Examples
    --------
    >>> print(legal("a\x01b"), legal("Łódź"))
    a\x01b Łódź
    """
    return _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def element(
    tag: str,
    attributes: dict[str, str] | None = None,
    inside: Iterable[str] = (),
    *,
    text: str = "",
) -> str:
    r"""Write an element.

    Parameters
    ----------
    tag : str
        Its name.
    attributes : dict of str to str or None
        Any text, which is made legal and escaped here.
    inside : iterable of str
        The elements inside, as they were written here.
    text : str
        What stands inside instead: numbers, or words without line feeds.

    Returns
    -------
    str
        Lines without a final line feed, those inside indented.

    Examples
    --------
    >>> print(element("a", {"b": '<"\n'}, [element("c"), element("d", text="1.5")]))
    <a b="&lt;&quot;&#10;">
      <c/>
      <d>1.5</d>
    </a>
    """
    opening = start(tag, attributes)
    if text:
        return f"{opening}{_escaped(text)}</{tag}>"
    body = "\n".join(inside)
    if not body:
        return f"{opening[:-1]}/>"
    return f"{opening}\n{indent(body, '  ')}\n</{tag}>"


def start(tag: str, attributes: dict[str, str] | None = None) -> str:
    """Write the start of an element, which is closed later.

    Examples
    --------
    >>> start("a", {"b": "1"})
    '<a b="1">'
    """
    parts = "".join(f' {key}="{_escaped(text)}"' for key, text in (attributes or {}).items())
    return f"<{tag}{parts}>"


def _escaped(text: str) -> str:
    def entity(match: re.Match[str]) -> str:
        return _ENTITIES.get(match[0], f"&#{ord(match[0])};")

    return _NOT_PLAIN.sub(entity, legal(text))
