"""Reading drawings back, for tests of SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"

# What a drawing of ours may hold; anything else came in through somebody's text.
ALLOWED = {
    "svg", "title", "desc", "style", "rect", "text", "path", "g", "circle", "defs", "pattern",
}  # fmt: skip


def parsed(drawing: str) -> Element:
    """The root element of a drawing that holds nothing but what is allowed."""
    root = ElementTree.fromstring(drawing.encode("utf-8"))
    found = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert found <= ALLOWED, found - ALLOWED
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    return root


def words(element: Element) -> list[str]:
    """All texts that are drawn, one a line."""
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def title(element: Element) -> str:
    return element.findtext(f"{SVG}title") or ""


def node(root: Element, number: int) -> Element:
    (found,) = [group for group in root.iter(f"{SVG}g") if group.get("data-node") == str(number)]
    return found


def branch(root: Element, child: int) -> Element:
    (found,) = [group for group in root.iter(f"{SVG}g") if group.get("data-branch") == str(child)]
    return found


def groups(root: Element, kind: str) -> list[Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == kind]
