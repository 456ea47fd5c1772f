"""Evidence of the page in a real Chromium: groups, costs, thresholds, why a tree is recommended."""

from __future__ import annotations

import re

import numpy as np
import pytest

import treewright
from treewright.datasets import load_loans

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

RATIOS = (1 / 20, 1 / 10, 1 / 5, 1 / 3, 1 / 2, 1, 2, 3, 5, 10, 20)


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    """A whole report about the loans."""
    page = tmp_path_factory.mktemp("report") / "page.html"
    found = treewright.report(load_loans(), "repaid", page, drop=["interest_rate"], time_limit=2.0)
    return found.content


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_no_violation_in_a_report(opened, analysed, size, look):
    shown = opened(analysed, size, look)
    shown.shoot(f"report-{size}-{look}")
    shown.shoot(f"report-{size}-{look}-whole", full=True)
    results = Axe().run(shown.page)
    assert results.violations_count == 0, results.generate_report()


def test_the_recommended_tree_says_why_and_no_other_does(opened, analysed):
    page = opened(analysed).page
    verdict = page.locator('[data-part="verdict"]')
    assert "Why this tree? In cross-validation" in verdict.inner_text()
    page.get_by_label("One column per question").check(force=True)
    assert "Why this tree?" not in verdict.inner_text()
    assert "Another tree is recommended." in verdict.inner_text()


def test_figures_of_groups_follow_the_tree_and_the_chosen_column(opened, analysed):
    page = opened(analysed).page
    home = [analysed.schema.names[one.column] for one in analysed.groupings].index("home")
    page.locator("#grouping").select_option("home")
    for family in (0, 1):
        page.locator(f'input[name="model"][value="{family}"]').check(force=True)
        model = analysed.models[family]
        figures = model.steps[model.chosen].evidence.groups[home]
        rows = page.locator("#groups tbody tr").all()
        assert len(rows) == len(figures)
        for row, words, one in zip(rows, analysed.groupings[home].words, figures, strict=True):
            cells = row.locator("th, td").all_inner_texts()
            assert cells[0] == words
            assert cells[2] == f"{round(100 * one.score)}\u00a0%"
            assert cells[4] == f"{round(100 * one.observed)}\u00a0%"
            assert cells[5] == f"{round(100 * one.predicted)}\u00a0%"


def cost(thresholds, ratio, threshold):
    probabilities, found, alarms = map(np.array, zip(*thresholds, strict=True))
    reached = int((probabilities >= threshold - 1e-9).sum())
    hits, false = (found[reached - 1], alarms[reached - 1]) if reached else (0.0, 0.0)
    return (ratio * (found[-1] - hits) + false) / (found[-1] + alarms[-1])


@pytest.mark.parametrize("place", [0, 2, 8, 10])
def test_the_slider_of_costs_moves_tree_and_threshold(opened, analysed, place):
    page = opened(analysed).page
    steps, ratio = analysed.models[0].steps, RATIOS[place]
    page.locator("#cost").fill(str(place))
    threshold = 1 / (1 + ratio)
    costs = [cost(step.thresholds, ratio, threshold) for step in steps]
    best = int(np.argmin(costs))
    leaves = steps[best].tree.n_leaves
    assert page.locator("#size-words").inner_text().startswith(f"{leaves} lea")
    words = page.locator("#cost-words").inner_text()
    assert f"from a probability of {round(100 * threshold)}\u00a0% on" in words
    usual = cost(analysed.chosen.thresholds, ratio, 0.5)
    written = re.search(r"cross-validation: ([\d.]+), against ([\d.]+)", words)
    assert float(written[1]) == pytest.approx(costs[best], rel=0.01)
    assert float(written[2]) == pytest.approx(usual, rel=0.01)
    page.locator("#cost").fill("5")
    chosen = analysed.chosen.tree.n_leaves
    assert page.locator("#size-words").inner_text().startswith(f"{chosen} lea")


def test_trees_with_other_first_questions_unfold_and_the_page_stays_narrow(opened, analysed):
    page = opened(analysed, "phone").page
    rows = page.locator(".firsts tbody tr")
    assert rows.count() == len(analysed.first_questions) > 1
    for row, step in zip(rows.all(), analysed.first_questions, strict=True):
        row.locator("summary").click()
        text = row.locator("pre").inner_text()
        assert f"{step.tree.n_leaves} leaves" in text
        score = row.locator("td").last.inner_text()
        assert score == f"{round(100 * step.evidence.score)}\u00a0%"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]


def test_every_question_of_the_recommended_tree_has_its_stability(opened, analysed):
    page = opened(analysed).page
    table = page.locator("#stability table").first
    assert table.locator("tbody tr").count() == len(analysed.questions) > 0
    assert table.locator("td.number").all_inner_texts() == [
        f"{round(100 * one.share)}\u00a0%" for one in analysed.questions
    ]
