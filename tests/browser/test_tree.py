"""The tree of the page in a real Chromium: as a list, folded, zoomed, and with rows in it."""

from __future__ import annotations

import re

import pytest

from treewright import _core

pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser'")

FIRST_ON_THE_PATH = 6  # a row of the sample


def passed_nodes(content, row: int) -> set[int]:
    tree = content.chosen.tree
    table = _core.Table(content.sample.values[[row]], tree.schema.n_levels)
    return set(tree.decision_path(table).indices.tolist())


def lit_nodes(page, view: str) -> set[int]:
    lit = page.locator(f"{view} [data-node].lit").all()
    return {int(node.get_attribute("data-node")) for node in lit}


def pick_row(page, row: int) -> None:
    page.get_by_label("Row", exact=True).fill(str(row + 1))
    page.keyboard.press("Enter")


@pytest.mark.parametrize("has_script", [True, False])
def test_a_phone_shows_the_tree_as_a_list_that_needs_no_zoom(opened, loans, has_script):
    shown = opened(loans, "phone", java_script_enabled=has_script)
    page, tree = shown.page, loans.chosen.tree
    outline = page.locator("#outline")
    assert not page.locator("#tree").is_visible()
    assert outline.locator("li").count() == tree.n_nodes
    for leaf in outline.locator("li.leaf").all():
        assert leaf.is_visible()
        box = leaf.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert re.search(r"(yes|no): (yes|no) \d+ %, [\d,]+ rows?", leaf.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    outline.scroll_into_view_if_needed()
    shown.shoot(f"phone-list-{has_script}")


def test_a_wide_screen_shows_the_list_when_asked_for(opened, loans):
    page = opened(loans).page
    outline, button = page.locator("#outline"), page.get_by_role("button", name="As a list")
    assert not outline.is_visible()
    button.click()
    assert outline.is_visible()
    assert not page.locator("#tree").is_visible()
    assert not page.get_by_role("button", name="Shrink to fit").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    button.click()
    assert page.locator("#tree").is_visible()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_list_follows_the_tree_and_lights_the_path_of_a_row(opened, loans, look):
    shown = opened(loans, "phone", look)
    page = shown.page
    pick_row(page, FIRST_ON_THE_PATH)
    assert lit_nodes(page, "#outline") == passed_nodes(loans, FIRST_ON_THE_PATH)
    page.locator("#tree-heading").scroll_into_view_if_needed()
    shown.shoot(f"phone-path-{look}", full=True)
    page.get_by_label("Size").fill("1")
    leaves = loans.models[0].steps[1].tree.n_leaves
    assert page.locator("#outline li.leaf").count() == leaves
    assert lit_nodes(page, "#outline") == set()


def test_branches_of_the_list_fold_without_a_mouse(opened, loans):
    page = opened(loans, "phone").page
    n_seen = page.locator("#outline li.leaf:visible").count()
    page.locator("#outline summary").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.locator("#outline li.leaf:visible").count() < n_seen
    page.get_by_label("Size").fill("1")
    page.get_by_role("button", name="Recommended").click()
    assert page.locator("#outline li.leaf:visible").count() == n_seen


def test_rules_are_cards_on_a_phone(opened, loans):
    shown = opened(loans, "phone")
    rules = shown.page.locator("#rules tbody tr")
    assert rules.count() == loans.chosen.tree.n_leaves
    for rule in rules.all():
        box = rule.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    view = "document.querySelector('#rules .scroll')"
    assert shown.page.evaluate(f"{view}.scrollWidth <= {view}.clientWidth")
    assert "then yes" in shown.page.evaluate(
        "getComputedStyle(document.querySelector('#rules .then'), '::before').content"
        " + document.querySelector('#rules .then').textContent"
    ).replace('"', "")
    rules.first.scroll_into_view_if_needed()
    shown.shoot("phone-rules")
