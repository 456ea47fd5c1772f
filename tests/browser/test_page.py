"""The page in a real Chromium: driven by mouse and keyboard, and checked for accessibility."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from export_cases import HOSTILE_TEXTS, hostile_schema, random_rows, random_tree
from handmade import build, inner, leaf

import treewright
from treewright import TreeRegressor, _core
from treewright.explain import Scales, explain_row
from treewright.explain.row import read_row
from treewright.explain.scales import level_frequencies
from treewright.page import Measure, Model, PageContent, Sample, Step, Trivial
from treewright.predicates import Axis, Multiway, Subset
from treewright.schema import Column, Schema

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser'").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

LOOKS = ("light", "dark")


def leaves_shown(page) -> int:
    words = page.locator("#size-words").inner_text()
    return int(re.match(r"(\d+) lea", words)[1])


def drawn_leaves(page) -> int:
    return page.locator("#tree g.leaf").count()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("content", ["loans", "rates"])
def test_axe_finds_no_violation(opened, request, content, size, look):
    shown = opened(request.getfixturevalue(content), size, look)
    shown.shoot(f"{content}-{size}-{look}")
    shown.shoot(f"{content}-{size}-{look}-whole", full=True)
    shown.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    results = Axe().run(shown.page)
    assert results.violations_count == 0, results.generate_report()
    shown.page.get_by_role("button", name="Another row").click()
    shown.page.get_by_role("button", name="As a list").click()
    if shown.page.locator("#rows").is_visible():
        shown.page.locator("#rows").click()
        shown.page.locator('#tree [data-node="0"]').focus()
    shown.shoot(f"{content}-{size}-{look}-other-view")
    results = Axe().run(shown.page)
    assert results.violations_count == 0, results.generate_report()


def test_verdict_chart_and_tree_are_on_the_first_screen(opened, loans):
    page = opened(loans).page
    for selector in (".sentence", ".effort .chart", "#size", '#tree [data-node="0"]'):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1400


def test_arrow_keys_on_the_slider_redraw_the_tree_at_once(opened, loans):
    page = opened(loans).page
    slider = page.get_by_label("Size")
    slider.focus()
    seen = []
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        assert slider.get_attribute("aria-valuetext") == page.locator("#size-words").inner_text()
        assert drawn_leaves(page) == leaves_shown(page)
        assert page.locator("#rules tbody tr").count() == leaves_shown(page)
        seen.append(leaves_shown(page))
    assert seen == [step.tree.n_leaves for step in loans.models[0].steps[:4]]
    page.get_by_role("button", name="Recommended").click()
    assert leaves_shown(page) == loans.chosen.tree.n_leaves


def test_another_family_is_shown_when_asked_for(opened, loans):
    page = opened(loans).page
    before = page.locator("#tree").inner_html()
    page.get_by_label(loans.models[1].name).check()
    assert page.locator("#tree").inner_html() != before
    chosen = loans.models[1].steps[loans.models[1].chosen]
    assert leaves_shown(page) == chosen.tree.n_leaves


def test_a_point_of_the_chart_shows_its_tree(opened, loans):
    page = opened(loans).page
    page.locator('.point[data-model="1"][data-step="1"] .mark').click(force=True)
    assert leaves_shown(page) == loans.models[1].steps[1].tree.n_leaves


def test_the_first_sentence_spoke_of_another_tree(opened, loans):
    page = opened(loans).page
    sentence = page.locator(".sentence")
    assert sentence.inner_text().startswith("A tree with")
    page.get_by_label(loans.models[1].name).check()
    for step, _ in enumerate(loans.models[1].steps):
        page.get_by_label("Size").fill(str(step))
        leaves = loans.models[1].steps[step].tree.n_leaves
        assert sentence.inner_text().startswith(f"This tree with {leaves} lea")
        assert "Another tree is recommended." in page.locator(".sure").inner_text()


def test_a_link_shows_the_same_tree(opened, loans):
    page = opened(loans).page
    address = page.url
    page.get_by_label(loans.models[1].name).check()
    page.get_by_label("Size").fill("1")
    drawing = page.locator("#tree").inner_html()
    assert page.url == f"{address}#tree=2.2"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#tree").inner_html() == drawing
    assert page.get_by_label(loans.models[1].name).is_checked()
    page.get_by_label(loans.models[0].name).check()
    assert page.url == address
    page.goto(f"{address}#tree=9.9")
    page.wait_for_selector("html[data-ready]")
    assert leaves_shown(page) == loans.chosen.tree.n_leaves


def test_folded_branches_unfold_when_asked_for(opened, loans):
    page = opened(loans).page
    page.get_by_label("Size").focus()
    page.keyboard.press("End")
    largest = loans.models[0].steps[-1].tree
    assert drawn_leaves(page) < largest.n_leaves
    button = page.get_by_role("button", name="All branches")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert drawn_leaves(page) == largest.n_leaves
    width = page.locator("#tree svg").bounding_box()["width"]
    page.get_by_role("button", name="Shrink to fit").click()
    assert page.locator("#tree svg").bounding_box()["width"] < width
    page.get_by_role("button", name="Another row").click()
    assert page.locator("[data-node].lit").count() > 0
    button.click()
    assert page.locator("[data-node].lit").count() > 0


@pytest.mark.parametrize("row", [0, 6, 41])
def test_a_row_lights_up_its_path(opened, loans, row):
    page = opened(loans).page
    page.get_by_label("Row", exact=True).fill(str(row + 1))
    page.keyboard.press("Enter")
    tree = loans.chosen.tree
    table = _core.Table(loans.sample.values[[row]], tree.schema.n_levels)
    passed = set(tree.decision_path(table).indices.tolist())
    lit = {int(node.get_attribute("data-node")) for node in page.locator("[data-node].lit").all()}
    assert lit == passed
    assert tree.predict(table)[0] in page.locator("#row-result .answer").inner_text()
    assert page.locator("#row-result .way li").count() == len(passed) - 1


@pytest.mark.parametrize("content", ["loans", "rates"])
def test_a_row_has_the_nearest_other_answer_that_explain_finds(opened, request, content):
    content = request.getfixturevalue(content)
    page, tree = opened(content).page, content.chosen.tree
    columns = tree.schema.columns
    is_whole = np.all(np.isnan(content.sample.values) | (content.sample.values % 1 == 0), axis=0)
    frequencies = level_frequencies(tree.schema, content.sample.values)
    compared = 0
    for row in range(12):
        cells = {
            column.name: None
            if np.isnan(value)
            else (column.levels[int(value)] if column.levels else int(value) if whole else value)
            for column, value, whole in zip(
                columns, content.sample.values[row].tolist(), is_whole, strict=True
            )
        }
        scales = Scales.of_tree(tree, read_row(tree, cells))
        explained = explain_row(tree, cells, scales=replace(scales, frequencies=frequencies))
        page.get_by_label("Row", exact=True).fill(str(row + 1))
        page.keyboard.press("Enter")
        said = page.locator("#row-result .nearest").inner_text().replace("\u00a0", " ")
        if explained.nearest is not None and len(explained.nearest.changes) == 1:
            assert said == explained.nearest_sentence
            compared += 1
        else:
            assert said == "No change of one known value gives another prediction."
    assert compared > 6
    page.get_by_role("button", name="Nothing is known").click()
    expect(page.locator("#row-result .nearest")).to_contain_text("No change of one known value")


def test_typed_values_change_the_answer_and_nothing_known_is_allowed(opened, loans):
    page = opened(loans).page
    answer = page.locator("#row-result .answer")
    page.get_by_role("button", name="Nothing is known").click()
    assert "not known" in page.locator("#row-result .way").inner_text()
    page.get_by_label("previous_defaults", exact=True).fill("5")
    assert answer.inner_text() == "repaid: no"
    page.get_by_label("previous_defaults", exact=True).fill("0")
    page.get_by_label("income", exact=True).fill("90.5")
    assert answer.inner_text() == "repaid: yes"


def test_the_questionnaire_asks_only_what_is_needed(opened, loans):
    page = opened(loans).page
    question = page.locator("#question")
    expect(question.get_by_role("heading")).to_have_text("previous_defaults <= 0?")
    question.get_by_role("button", name="Yes").click()
    expect(question.get_by_role("heading")).to_contain_text("income <= 23.4")
    assert question.get_by_role("heading").evaluate("e => e === document.activeElement")
    question.get_by_role("button", name="No", exact=True).click()
    expect(question.get_by_role("heading")).to_have_text("That is all the tree asks.")
    expect(page.locator("#possible h3")).to_have_text("repaid: yes")
    question.get_by_role("button", name="Back").click()
    expect(question.get_by_role("heading")).to_contain_text("income <= 23.4")


def test_not_sure_keeps_all_answers_possible(opened, loans):
    page = opened(loans).page
    question, possible = page.locator("#question"), page.locator("#possible")
    shares = possible.locator(".shares").inner_text()
    question.get_by_role("button", name="Not sure").click()
    assert possible.locator(".shares").inner_text() == shares
    for _ in range(20):
        if question.get_by_role("button", name="Not sure").count() == 0:
            break
        question.get_by_role("button", name="Not sure").click()
    expect(question.get_by_role("heading")).to_have_text("That is all the tree asks.")
    expect(possible).to_contain_text("13 paths through the tree")
    assert page.locator("#tree [data-node].lit").count() == loans.chosen.tree.n_nodes


def test_nothing_is_asked_twice(opened):
    columns = (Column("age", "numeric"), Column("income", "numeric"), Column("debts", "numeric"))
    schema = Schema(columns, ("no", "yes"), "repaid")
    young = inner(Axis(1, 20.0), leaf(30.0, 1.0), leaf(1.0, 30.0))
    old = inner(Axis(1, 30.0), leaf(5.0, 1.0), inner(Axis(2, 5.0), leaf(1.0, 5.0), leaf(4.0, 2.0)))
    tree = build(schema, inner(Axis(0, 40.0), young, old))
    model = Model("any", "Any", "By hand.", (Step(tree, None, None),), 0)
    page = opened(PageContent("t", Measure("accuracy"), Trivial("no", 0.5), (model,), 8)).page
    question, heading = page.locator("#question"), page.locator("#question h3")
    question.get_by_role("button", name="Not sure").click()
    expect(heading).to_have_text("income <= 20?")
    question.get_by_role("button", name="Yes").click()
    expect(heading).to_have_text("That is all the tree asks.")
    expect(page.locator("#possible")).to_contain_text("2 paths through the tree are left.")
    question.get_by_role("button", name="Back").click()
    question.get_by_role("button", name="No", exact=True).click()
    expect(heading).to_have_text("income <= 30?")
    question.get_by_role("button", name="No", exact=True).click()
    expect(heading).to_have_text("debts <= 5?")


@pytest.mark.parametrize("split", [Subset(0, (0,), (1,)), Multiway(0, (0, 1))])
def test_a_boolean_is_said_by_its_name(opened, split):
    schema = Schema((Column("express", "boolean"),), ("fast", "slow"), "delivery")
    tree = build(schema, inner(split, leaf(1.0, 30.0), leaf(20.0, 2.0)))
    model = Model("any", "Any", "By hand.", (Step(tree, None, None),), 0)
    sample = Sample(np.array([[0.0], [1.0]]), [1.0, 0.0])
    content = PageContent("t", Measure("accuracy"), Trivial("slow", 0.5), (model,), 53, sample)
    page = opened(content).page
    question = page.locator("#question")
    expect(question.get_by_role("heading")).to_have_text("express?")
    question.get_by_role("button", name="No", exact=True).click()
    expect(question.locator(".said")).to_have_text("not express")
    expect(page.locator("#possible h3")).to_have_text("delivery: slow")
    expect(page.locator("#row-result .way")).to_contain_text("not express")
    expect(page.locator("#row-result .nearest")).to_contain_text(
        "with express instead of not express."
    )
    assert page.locator("#rules tbody tr").first.inner_text().startswith("not express")
    assert "express?" in page.locator("#tree").text_content()
    assert "is true" not in page.locator("main").inner_text()


CITIES = tuple(f"<b>{letter}</b>" for letter in "ABCDEFGHIJKLMNOP")


def long_set_content(split):
    """A page whose first question is about a set of many levels."""
    schema = Schema((Column("city", "categorical", CITIES),), ("no", "yes"), "repaid")
    leaves = [leaf(9.0 - branch, 1.0 + 3.0 * branch) for branch in range(split.n_branches)]
    tree = build(schema, inner(split, *leaves, default_branch=split.n_branches - 1))
    model = Model("any", "Any", "By hand.", (Step(tree, None, None),), 0)
    sample = Sample(np.array([[0.0], [9.0]]), [1.0, 0.0])
    return PageContent("t", Measure("accuracy"), Trivial("no", 0.5), (model,), 20, sample)


def test_long_sets_are_shown_in_full_on_demand(opened, tmp_path):
    page = opened(long_set_content(Subset(0, tuple(range(8)), tuple(range(8, 16))))).page
    short = f"city in {{{', '.join(CITIES[:4])} and 4 more}}"
    full = f"city in {{{', '.join(CITIES[:8])}}}"
    details = page.locator("#rules .levels", has=page.get_by_text(short, exact=True))
    expect(details.locator("summary")).to_have_text(short)
    whole = details.locator("> bdi")
    assert not whole.is_visible()
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(whole).to_be_visible()
    expect(whole).to_have_text(full)
    drawn = page.locator('#tree [data-node="0"]')
    assert "and 4 more}?" in " ".join(drawn.locator("text").all_text_contents())
    assert f"{full}?" in drawn.locator("title").text_content()
    question = page.locator("#question")
    expect(question.get_by_role("heading")).to_have_text(f"{short}?")
    question.get_by_text("All levels").click()
    expect(question.locator(".whole li")).to_have_text(full)
    question.get_by_role("button", name="Yes").click()
    expect(question.locator(".said summary")).to_have_text(short)
    expect(page.locator("#row-result .way summary")).to_have_text(short)
    page.locator("#row-result .way summary").click()
    expect(page.locator("#row-result .way .levels > bdi")).to_have_text(full)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    with page.expect_download() as download:
        page.get_by_role("button", name="Rules (CSV)").click()
    download.value.save_as(tmp_path / "rules.csv")
    saved = (tmp_path / "rules.csv").read_text("utf-8")
    assert full in saved
    assert "more}" not in saved


def test_branches_of_many_levels_are_named_in_short(opened):
    page = opened(long_set_content(Multiway(0, (0,) * 6 + (1,) * 7 + (2,) * 3))).page
    question = page.locator("#question")
    short = f"city in {{{', '.join(CITIES[:4])} and 2 more}}"
    expect(question.get_by_role("button").first).to_have_text(short)
    question.get_by_text("All levels").click()
    assert question.locator(".whole li").all_inner_texts() == [
        f"city in {{{', '.join(CITIES[:6])}}}",
        f"city in {{{', '.join(CITIES[6:13])}}}",
        f"city in {{{', '.join(CITIES[13:])}}} or unseen",
    ]
    question.get_by_role("button").first.click()
    expect(page.locator("#possible h3")).to_have_text("repaid: no")


def test_numbers_too_small_to_write_out_have_a_page(opened):
    tree = TreeRegressor().fit([[1.0], [2.0]], [1e-30, 3e-30]).tree_
    model = Model("any", "Any", "Tiny.", (Step(tree, None, None),), 0)
    sample = Sample(np.array([[1.0], [2.0]]), [1e-30, 3e-30])
    page = opened(PageContent("t", Measure("score"), Trivial("0", 0.0), (model,), 2, sample)).page
    expect(page.locator("#row-result .answer")).to_have_text("the target: 1.00e-30")


def test_values_are_asked_for_where_a_question_is_a_sum(opened, loans):
    page = opened(loans).page
    page.get_by_label(loans.models[1].name).check()
    question = page.locator("#question")
    for _ in range(6):
        if question.locator("input").count():
            break
        question.get_by_role("button", name="Yes").click()
    fields = question.locator("input")
    assert fields.count() == 2
    fields.nth(0).fill("1")
    fields.nth(1).fill("2")
    page.keyboard.press("Enter")
    assert question.locator(".said li").count() > 0


def test_dark_look_follows_the_button(opened, loans):
    page = opened(loans).page
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) != light
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) == light


def test_paper_is_white_whatever_the_screen_is(opened, loans):
    page = opened(loans, look="dark").page
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(map(int, re.findall(r"\d+", ink))) < 80
    assert not page.locator("#try").is_visible()


def test_no_text_of_tree_or_chart_is_smaller_than_twelve_pixels(opened, loans):
    for size in ("desktop", "phone"):
        page = opened(loans, size).page
        if size == "phone":
            page.get_by_role("button", name="As a list").click()
        smallest = page.evaluate(
            """() => {
                const texts = [...document.querySelectorAll("#tree text, .chart text")];
                return Math.min(...texts.map((text) =>
                    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a));
            }"""
        )
        assert smallest >= 12.0


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_never_scrolls_sideways(opened, loans, size):
    page = opened(loans, size).page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_everything_can_be_reached_by_keyboard(opened, loans):
    page = opened(loans).page
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.id || document.activeElement.textContent")
        )
    assert {"size", "tree", "row-number", "another", "clear", "theme"} <= reached
    assert {"Yes", "No", "Not sure"} <= reached


def test_the_page_can_be_read_without_script(opened, loans):
    page = opened(loans, java_script_enabled=False).page
    assert drawn_leaves(page) > 0
    assert page.locator("#rules tbody tr").count() == loans.chosen.tree.n_leaves
    assert not page.locator("#try").is_visible()
    assert page.locator(".noscript").is_visible()


@pytest.mark.parametrize("family", [0, 1])
def test_the_tree_that_is_shown_can_be_taken_away(opened, loans, family, tmp_path):
    page = opened(loans).page
    page.get_by_label(loans.models[family].name).check()
    page.get_by_label("Size").fill("1")
    tree = loans.models[family].steps[1].tree
    files = {}
    for button in page.locator("[data-take]").all():
        with page.expect_download() as started:
            button.click()
        name = started.value.suggested_filename
        assert re.fullmatch(rf"[a-z0-9-]+-{tree.n_leaves}-leaves\.[a-z.]+", name)
        files[button.get_attribute("data-take")] = tmp_path / name
        started.value.save_as(tmp_path / name)
    assert treewright.load(files["json"]).tree_ == tree
    drawing = ElementTree.parse(files["svg"]).getroot()
    nodes = [part for part in drawing.iter() if part.get("data-node") is not None]
    assert len({part.get("data-node") for part in nodes}) == tree.n_nodes
    assert files["png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with files["csv"].open(encoding="utf-8-sig", newline="") as text:
        header, *rules = csv.reader(text)
    assert header[0] == "if"
    assert len(rules) == tree.n_leaves
    assert {len(rule) for rule in rules} == {len(header)}


def test_code_is_saved(opened, loans, tmp_path):
    page = opened(loans).page
    details = page.locator("details.code").filter(has_text="SQL")
    details.locator("summary").click()
    with page.expect_download() as started:
        details.get_by_role("button", name="Save").click()
    started.value.save_as(tmp_path / "tree.sql")
    assert started.value.suggested_filename.endswith(".sql")
    assert (tmp_path / "tree.sql").read_text("utf-8") == details.locator("code").inner_text()


def test_code_is_copied(opened, loans):
    page = opened(loans, permissions=["clipboard-read", "clipboard-write"]).page
    page.locator("#take summary").first.click()
    page.locator("#take .copy").first.click()
    expect(page.locator("#take .copy").first).to_have_text("Copied")
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == page.locator("#take code").first.inner_text()
    )


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_hostile_texts_do_nothing(opened, task):
    schema = hostile_schema(task)
    trees = [random_tree(seed, schema, depth=2) for seed in range(3)]
    steps = tuple(Step(tree, None, None) for tree in trees)
    model = Model("any", HOSTILE_TEXTS[0], HOSTILE_TEXTS[0], steps, 1)
    sample = Sample(random_rows(0, trees[0], 5), [0.0] * 5)
    measure, trivial = Measure("accuracy"), Trivial(HOSTILE_TEXTS[0], 0.5)
    shown = opened(PageContent(HOSTILE_TEXTS[0], measure, trivial, (model,), 10, sample))
    page = shown.page
    page.on("dialog", lambda dialog: shown.complaints.append(dialog.message))
    slider = page.get_by_label("Size")
    slider.focus()
    for key in ("End", "Home", "ArrowRight"):
        page.keyboard.press(key)
        page.get_by_role("button", name="Another row").click()
        slider.focus()
    question = page.locator("#question")
    for _ in range(2):
        if question.get_by_role("button", name="Not sure").count():
            question.get_by_role("button", name="Not sure").click()
    shown.shoot(f"hostile-{task}", full=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("script").count() == 2
