"""The page on paper: what Chromium prints of it."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser'")

A4_INSIDE = {"width": 703, "height": 1032}  # without margins of 12 mm, in pixels


def n_pages(paper: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", paper))


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("content", ["loans", "rates"])
def test_the_page_is_printed_on_six_sheets_at_most(opened, request, content, size):
    page = opened(request.getfixturevalue(content), size).page
    assert n_pages(page.pdf(prefer_css_page_size=True)) <= 6
    page.get_by_label("Size").fill(page.get_by_label("Size").get_attribute("max"))
    assert n_pages(page.pdf(prefer_css_page_size=True)) <= 6


@pytest.mark.parametrize("as_list", [False, True])
def test_paper_has_the_drawing_in_its_width_and_nothing_to_click(opened, loans, as_list):
    shown = opened(loans, look="dark")
    page = shown.page
    if as_list:
        page.get_by_role("button", name="As a list").click()
    page.set_viewport_size(A4_INSIDE)
    page.emulate_media(media="print")
    assert page.locator("button:visible, input:visible, select:visible, nav:visible").count() == 0
    assert not page.locator("#outline").is_visible()
    drawing = page.locator("#tree svg").bounding_box()
    assert drawing["x"] >= 0
    assert drawing["x"] + drawing["width"] <= A4_INSIDE["width"]
    assert drawing["height"] <= A4_INSIDE["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown.shoot(f"print-{as_list}", full=True)
