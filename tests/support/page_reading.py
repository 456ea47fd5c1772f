"""A page read back: its elements, the texts in them, and what is packed beside them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    content: list[Element | str] = field(default_factory=list)

    @property
    def children(self) -> list[Element]:
        """Elements directly inside."""
        return [part for part in self.content if isinstance(part, Element)]

    @property
    def text(self) -> str:
        """All text inside."""
        return "".join(part if isinstance(part, str) else part.text for part in self.content)

    def all(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Elements inside with this tag and these attributes."""
        found = []
        for child in self.children:
            fits = tag in (None, child.tag) and attributes.items() <= child.attributes.items()
            found += ([child] if fits else []) + child.all(tag, **attributes)
        return found


class _Reader(HTMLParser):
    """Reads elements and insists that each is closed where it should be."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"{tag} has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open[-1])
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes {self.open[-1].tag}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read_html(text: str) -> Element:
    """The elements of a page or of a part of one."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert [element.tag for element in reader.open] == ["document"]
    return reader.open[0]


def read_data(page: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of a page, and what is packed in it."""
    (text,) = re.findall(r'<script type="application/json" id="page-data">(.*?)</script>', page)
    data = json.loads(text)
    digits = data.pop("store").translate(str.maketrans(",./", "<>&"))
    return data, json.loads(zlib.decompress(base64.b85decode(digits)))
