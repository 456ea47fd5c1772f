"""A page of the loans in a real browser: from disk, without a network.

Screenshots are written where TREEWRIGHT_SCREENSHOTS points to, to be looked at; nowhere otherwise.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_contents import loans_content, rates_content

from treewright.page import PageContent, write_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = {"desktop": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 844}}


class OpenPage:
    """A page in the browser, with what it complained about and asked for."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.file = file
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self) -> None:
        self.page.goto(self.file.as_uri())
        self.page.wait_for_selector("html[data-ready]")

    def shoot(self, name: str, *, full: bool = False) -> None:
        """Take a picture for a person to look at."""
        folder = os.environ.get("TREEWRIGHT_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=f"{folder}/{name}.png", full_page=full)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs the program chromium; `nox -s browser` installs it where it may")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # The sandbox of Chromium refuses to run as root.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=sandbox)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory):
    """Write pages, each content once."""
    folder = tmp_path_factory.mktemp("pages")
    files: list[tuple[PageContent, Path]] = []

    def written(content: PageContent) -> Path:
        for known, file in files:
            if known is content:
                return file
        file = folder / f"{len(files)}.html"
        write_page(content, file)
        files.append((content, file))
        return file

    return written


@pytest.fixture
def opened(chromium: Browser, write):
    """Open pages in windows of their own; no network, no complaint, no request but the file."""
    pages = []

    def open_page(
        content: PageContent, size: str = "desktop", look: str = "light", **options: object
    ) -> OpenPage:
        context = chromium.new_context(
            viewport=SIZES[size], color_scheme=look, offline=True, **options
        )
        context.set_default_timeout(30_000)
        shown = OpenPage(context.new_page(), write(content))
        pages.append((context, shown))
        if options.get("java_script_enabled", True):
            shown.open()
        else:
            shown.page.goto(shown.file.as_uri())
        return shown

    yield open_page
    for context, shown in pages:
        context.close()
        assert shown.complaints == []
        asked = {request.split("#")[0] for request in shown.requests}
        assert {one for one in asked if not one.startswith("blob:")} == {shown.file.as_uri()}


@pytest.fixture(scope="session")
def loans() -> PageContent:
    return loans_content()


@pytest.fixture(scope="session")
def rates() -> PageContent:
    return rates_content()
