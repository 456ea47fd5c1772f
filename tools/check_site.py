"""Check a built site: what it loads comes with it, and every link inside it leads somewhere.

    python tools/check_site.py build/site

Links to other sites are left alone: they are only followed when a reader asks for it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "embed": "src"}
LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "manifest"}
STYLE_LOADS = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s;]+)")


class Page(HTMLParser):
    """What a page loads, where its links lead, and what can be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "link" and LOADED_LINKS & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        elif tag in LOADED and values.get(LOADED[tag]):
            self.loads.append(values[LOADED[tag]])
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])


def complaints(folder: Path) -> Iterator[str]:
    """Say what is wrong, one sentence each."""
    files = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in files}
    for path, page in sorted(pages.items()):
        place = path.relative_to(folder)
        for address in page.loads:
            if is_outside(address):
                yield f"{place} loads {address} from the network."
            elif not target_of(address, path, folder).exists():
                yield f"{place} loads {address}, which is not there."
        for address in page.links:
            if is_outside(address):
                continue
            target, anchor = target_of(address, path, folder), unquote(urlsplit(address).fragment)
            if not target.exists():
                yield f"{place} links to {address}, which is not there."
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{place} links to {address}, where that place is missing."
    for style in sorted(folder.rglob("*.css")):
        for address in STYLE_LOADS.findall(style.read_text(encoding="utf-8")):
            yield f"{style.relative_to(folder)} loads {address} from the network."
    if not pages:
        yield f"There is no page in {folder}."


def is_outside(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "mailto", "data")


def target_of(address: str, page: Path, folder: Path) -> Path:
    name = unquote(urlsplit(address).path)
    if not name:
        return page
    target = (folder / name.lstrip("/")) if name.startswith("/") else (page.parent / name)
    target = target.resolve()
    return target / "index.html" if target.is_dir() else target


def main() -> None:
    found = list(complaints(Path(sys.argv[1]).resolve()))
    print(*found, f"{len(found)} complaints.", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
