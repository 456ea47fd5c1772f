"""The tree of the page in a real Chromium: as a list, folded, zoomed, and with rows in it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from page_contents import loans_content

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
        assert re.search(r"(yes|no): repaid: (yes|no) \d+ %, [\d,]+ rows?", leaf.inner_text())
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


def drawn_leaves(page) -> int:
    return page.locator("#tree g.leaf:visible").count()


@pytest.mark.parametrize("key", [None, "Enter", "Space"])
def test_a_click_or_a_key_folds_a_branch_and_unfolds_it(opened, loans, key):
    shown = opened(loans)
    page, tree = shown.page, loans.chosen.tree
    node = tree.node(0).children[0]
    box = page.locator(f'#tree [data-node="{node}"]')
    before = page.locator("#tree svg").bounding_box()["height"]

    def toggle() -> None:
        if key is None:
            box.click()
        else:
            box.focus()
            page.keyboard.press(key)

    assert box.get_attribute("aria-expanded") == "true"
    toggle()
    assert box.get_attribute("aria-expanded") == "false"
    below = tree.n_leaves_below(node)
    assert drawn_leaves(page) == tree.n_leaves - below
    assert f"{below} leaves folded" in box.text_content()
    assert page.locator("#tree svg").bounding_box()["height"] < before
    shown.shoot("folded")
    toggle()
    assert box.get_attribute("aria-expanded") == "true"
    assert drawn_leaves(page) == tree.n_leaves
    assert page.locator("#tree svg").bounding_box()["height"] == before


def test_what_was_folded_is_forgotten_when_another_tree_is_shown(opened, loans):
    page = opened(loans).page
    page.locator('#tree [data-node="0"]').click()
    assert drawn_leaves(page) == 0
    page.get_by_label("Size").fill("1")
    assert drawn_leaves(page) == loans.models[0].steps[1].tree.n_leaves
    page.get_by_role("button", name="Recommended").click()
    assert drawn_leaves(page) == loans.chosen.tree.n_leaves


def test_a_box_of_small_branches_unfolds_at_a_click(opened, loans):
    page = opened(loans).page
    page.get_by_label("Size").fill(str(len(loans.models[0].steps) - 1))
    page.locator("#tree [data-folds][data-node]").first.click()
    assert drawn_leaves(page) == loans.models[0].steps[-1].tree.n_leaves
    assert page.locator("#all").get_attribute("aria-pressed") == "true"


def test_arrow_keys_go_from_node_to_node(opened, loans):
    page, tree = opened(loans).page, loans.chosen.tree
    assert page.locator('#tree [tabindex="0"]').count() == 1
    page.locator("#tree").focus()
    page.keyboard.press("Tab")
    focused = "Number(document.activeElement.dataset.node)"
    assert page.evaluate(focused) == 0
    page.keyboard.press("ArrowDown")
    child = page.evaluate(focused)
    assert child in tree.node(0).children
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) != child
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == 0


def test_buttons_keys_and_wheel_zoom(opened, loans):
    page = opened(loans).page

    def width() -> float:
        return page.locator("#tree svg").bounding_box()["width"]

    actual = width()
    page.get_by_role("button", name="Zoom in").click()
    assert width() == pytest.approx(1.25 * actual, rel=0.01)
    assert page.locator("#zoom-reset").inner_text() == "125\u00a0%"
    page.locator("#tree").focus()
    page.keyboard.press("0")
    assert width() == pytest.approx(actual)
    page.keyboard.press("-")
    assert width() == pytest.approx(actual / 1.25, rel=0.01)
    page.keyboard.press("+")
    page.get_by_role("button", name="Shrink to fit").click()
    assert width() <= page.locator("#tree").bounding_box()["width"]
    root = page.locator('#tree [data-node="0"]').bounding_box()
    point = (root["x"] + root["width"] / 2, root["y"] + root["height"] / 2)
    page.mouse.move(*point)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(f"document.querySelector('#tree svg').clientWidth > {1.5 * actual}")
    after = page.locator('#tree [data-node="0"]').bounding_box()
    assert after["x"] < point[0] < after["x"] + after["width"]


def test_the_drawing_is_dragged_and_the_drag_folds_nothing(opened, loans):
    page = opened(loans).page
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    page.locator('#tree [data-node="0"]').scroll_into_view_if_needed()
    place = "document.querySelector('#tree').scrollLeft"
    before, leaves = page.evaluate(place), drawn_leaves(page)
    box = page.locator('#tree [data-node="0"]').bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 20, steps=4)
    page.mouse.up()
    assert page.evaluate(place) == pytest.approx(before + 60, abs=1)
    assert drawn_leaves(page) == leaves


@pytest.mark.parametrize("content", ["loans", "rates"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_rows_of_the_sample_are_drawn_in_the_nodes(opened, request, content, look):
    content = request.getfixturevalue(content)
    shown = opened(content, look=look)
    page = shown.page
    button = page.get_by_role("button", name="Rows in the nodes")
    assert page.locator(".thumbnail").count() == 0
    for family, model in enumerate(content.models):
        page.get_by_label(model.name).check()
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        tree = model.steps[model.chosen].tree
        table = _core.Table(content.sample.values, tree.schema.n_levels)
        reached = tree.decision_path(table).toarray().sum(axis=0)
        assert page.locator("#rows-words").is_visible()
        for node in tree.walk():
            box = page.locator(f'#tree [data-node="{node.id}"]')
            if box.count() == 0 or box.get_attribute("data-folds"):
                continue
            assert box.locator(".thumbnail").count() == int(not node.is_leaf)
            if not node.is_leaf:
                title = box.locator(".thumbnail title").text_content()
                assert title.startswith(f"{int(reached[node.id])} rows of the sample")
        page.locator("#tree").evaluate("view => (view.style.maxHeight = 'none')")
        page.locator("#tree-heading").scroll_into_view_if_needed()
        shown.shoot(f"rows-{content.schema.target}-{family}-{look}", full=True)
    button.click()
    assert page.locator(".thumbnail").count() == 0


@pytest.mark.parametrize("node", [0, 1], ids=["few values", "many values"])
def test_bars_on_both_sides_of_the_threshold_hold_the_rows_that_go_there(opened, loans, node):
    page, tree = opened(loans).page, loans.chosen.tree
    page.get_by_role("button", name="Rows in the nodes").click()
    thumbnail = page.locator(f'#tree [data-node="{node}"] .thumbnail')
    place = float(re.match(r"M([\d.]+),", thumbnail.locator(".cut").get_attribute("d"))[1])
    bars = thumbnail.locator("svg rect").evaluate_all(
        "bars => bars.map((bar) => [bar.x, bar.height].map((one) => one.baseVal.value))"
    )
    table = _core.Table(loans.sample.values, tree.schema.n_levels)
    is_here = tree.decision_path(table).toarray()[:, node].astype(bool)
    values = loans.sample.values[is_here, tree.node(node).predicate.column]
    values = values[~np.isnan(values)]
    below = sum(height for left, height in bars if left < place)
    expected = (values <= tree.node(node).predicate.threshold).mean()
    assert below / sum(height for _, height in bars) == pytest.approx(expected, rel=1e-4)


def test_without_a_sample_no_rows_are_offered(opened):
    content = loans_content(sample_rows=0)
    assert opened(content).page.get_by_role("button", name="Rows in the nodes").count() == 0


def test_terms_of_a_sum_are_told_in_standard_units(opened, loans):
    shown = opened(loans)
    page = shown.page
    page.get_by_label(loans.models[1].name).check()
    root = loans.models[1].steps[loans.models[1].chosen].tree.node(0).predicate
    values = loans.sample.values[:, list(root.columns)]
    moves = np.abs(root.coefficients) * np.nanstd(values, axis=0)
    expected = sorted((100 * moves / moves.sum()).round().astype(int), reverse=True)
    terms = page.locator("#row-result .way > li").first.locator(".terms li")
    told = [re.search(r"(\d+)\s%", term.inner_text())[1] for term in terms.all()]
    assert told == [str(part) for part in expected]
    page.locator("#try").scroll_into_view_if_needed()
    shown.shoot("contributions")
    page.get_by_label(loans.models[0].name).check()
    assert page.locator(".terms").count() == 0
