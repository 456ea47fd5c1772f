"""The page as a file: whole, safe, the same each time, and small."""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import page_contents
import pytest
from export_cases import KINDS, hostile_schema, random_rows, random_tree, schema_of
from handmade import build, inner, leaf
from page_contents import classification_content, loans_content, rates_content
from page_reading import read_data, read_html

from treewright.exceptions import WriteError
from treewright.page import (
    CardField,
    ColumnNote,
    DataNote,
    Measure,
    Model,
    PageContent,
    Sample,
    Stability,
    Step,
    Trivial,
    page_html,
    write_page,
)
from treewright.page.page import _of_first_class
from treewright.predicates import Axis
from treewright.readable.choosing import Thresholds
from treewright.schema import Column, Schema
from treewright.tree.node import MISSING_POLICIES

HOSTILE = "</script><script>alert(1)</script>\n\"quote\" 'n' <!-- & \u2028 {{ 7 * 7 }}"


@cache
def loans_page() -> str:
    return page_html(loans_content())


def content_of(*trees, **more) -> PageContent:
    """A page of some trees of which nothing else is known."""
    steps = tuple(Step(tree, None, None) for tree in trees)
    model = Model("any", "Any questions", "Put together by hand.", steps, len(steps) - 1)
    return PageContent("table", Measure("accuracy"), Trivial("a guess", 0.5), (model,), 10, **more)


def test_the_page_is_whole_and_its_ids_are_unique():
    page = read_html(loans_page())
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    anchors = {link.attributes["href"] for link in page.all("a")}
    assert anchors <= {f"#{name}" for name in ids}
    for name in ("header", "nav", "main", "footer", "h1"):
        assert len(page.all(name)) == 1


def test_headings_do_not_skip_a_level():
    page = read_html(loans_page())
    levels = [int(element.tag[1]) for element in page.all() if re.fullmatch("h[1-6]", element.tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_control_has_a_name():
    page = read_html(loans_page())
    labels = {label.attributes.get("for") for label in page.all("label")}
    for control in (*page.all("input"), *page.all("select")):
        assert control.attributes.get("id") in labels or control.parent.tag == "label"
    for button in page.all("button"):
        assert button.text.strip()


def test_the_verdict_says_how_sure_against_the_trivial_answer():
    text = " ".join(read_html(loans_page()).all("section", **{"class": "verdict"})[0].text.split())
    assert "What decides" in text
    for part in (
        "repaid",
        "13 leaves",
        "250 held-out rows, which it has not seen",
        "always predicting yes",
    ):
        assert part in text
    assert re.search(r"between \d+ and \d+\s%", text)
    assert "not clearly better" not in text


def test_a_tree_no_better_than_the_trivial_answer_is_called_so():
    content = loans_content()
    page = page_html(replace(content, trivial=Trivial("a coin", content.chosen.evidence.score)))
    assert "That is not clearly better than the baseline." in page


def test_a_tree_that_was_not_measured_says_so():
    page = page_html(content_of(random_tree(0, schema_of("classes"))))
    assert "nobody has measured yet" in page


def test_nothing_outside_of_the_file_is_named():
    _, store = read_data(loans_page())
    for text in (loans_page(), str(store)):
        assert set(re.findall(r"\w+://[\w.]*\w", text)) <= {"http://www.w3.org"}
    for element in read_html(loans_page()).all():
        assert "src" not in element.attributes
        assert element.attributes.get("href", "#").startswith("#")
        assert not [name for name in element.attributes if name.startswith("on")]


def test_only_the_script_of_the_page_may_run():
    page = read_html(loans_page())
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    scripts = [script for script in page.all("script") if "type" not in script.attributes]
    (script,) = scripts
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    rules = policy.attributes["content"]
    assert f"script-src 'sha256-{digest}'" in rules
    assert rules.startswith("default-src 'none'")


@pytest.mark.long
def test_the_same_content_gives_the_same_bytes_in_another_process(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from page_contents import rates_content\n"
        "from treewright.page import write_page\n"
        "write_page(rates_content(), sys.argv[2])\n"
    )
    folder, file = str(Path(page_contents.__file__).parent), tmp_path / "page.html"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", program, folder, str(file)]
    subprocess.run(command, check=True, env=environment)
    assert file.read_text("utf-8") == page_html(rates_content())


@pytest.mark.long
def test_fifty_leaves_and_two_thousand_rows_stay_under_500_kilobytes():
    rng = np.random.default_rng(0)
    table = {f"number {i}": rng.normal(size=6000).round(2).tolist() for i in range(9)}
    table |= {f"kind {i}": rng.choice(list("abcdefgh"), 6000).tolist() for i in range(5)}
    noise = rng.normal(size=6000) * 0.7
    first = np.array(table["number 0"]) + np.array(table["number 1"]) ** 2
    is_yes = first + (np.array(table["kind 0"]) < "d") + noise > 1
    table["answer"] = np.where(is_yes, "yes", "no").tolist()
    content = classification_content(table, "answer", max_leaf_nodes=50, sample_rows=2000)
    assert all(45 <= model.steps[-1].tree.n_leaves <= 50 for model in content.models)
    assert len(content.sample.answers) == 2000
    assert len(page_html(content).encode()) < 500_000


@pytest.mark.long
def test_without_a_sample_no_row_is_in_the_page():
    page = page_html(loans_content(sample_rows=0))
    _, store = read_data(page)
    assert store["sample"] is None
    assert 'id="row-number"' not in page
    assert "Type values of your own" in page


@pytest.mark.long
def test_columns_that_no_tree_reads_are_not_in_the_sample():
    content = rates_content()
    read = {
        column
        for step in content.models[0].steps
        for node in step.tree.walk()
        if node.predicate is not None
        for column in node.predicate.columns
    }
    _, store = read_data(page_html(content))
    packed = {code for code, cells in enumerate(store["sample"]["columns"]) if cells is not None}
    assert packed == read


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("policy", MISSING_POLICIES)
def test_every_kind_of_test_and_policy_has_a_page(task, policy):
    schema = schema_of(task)
    trees = [
        random_tree((kind, policy), schema, kinds=(kind,), policies=(policy,), depth=2)
        for kind in KINDS
    ]
    values = random_rows(policy, trees[0], 20)
    page = page_html(content_of(*trees, sample=Sample(values, [0.0] * 20)))
    read_html(page)
    _, store = read_data(page)
    for kind, texts in store["parts"].items():
        assert len(texts[0]) == len(trees)
        if kind in ("tree", "whole", "rules", "evidence"):
            for text in texts[0]:
                read_html(text or "")


@pytest.mark.long
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_hostile_texts_stay_texts(task):
    tree = random_tree("hostile", hostile_schema(task), depth=3)
    note = {
        "stability": (Stability(HOSTILE, 0.5, HOSTILE),),
        "notes": (DataNote("leak", HOSTILE, HOSTILE), DataNote("other", None, HOSTILE)),
        "columns": (ColumnNote(HOSTILE, HOSTILE, 0.1, (HOSTILE, "x" * 10_000)),),
        "card": (CardField(HOSTILE, HOSTILE), CardField("open", None, HOSTILE)),
        "origin": ((HOSTILE, HOSTILE),),
    }
    other = random_tree("other", tree.schema, depth=2)
    content = replace(content_of(other, tree, **note), title=HOSTILE, trivial=Trivial(HOSTILE, 0.5))
    text = page_html(content)
    page = read_html(text)
    assert [script.attributes.get("type") for script in page.all("script")] == [
        "application/json",
        None,
    ]
    assert "49" not in page.all("title")[0].text
    assert "alert(1)" in page.all("h1")[0].text
    _, store = read_data(text)
    kinds = ("tree", "whole", "rules", "evidence")
    parts = [read_html(text or "") for kind in kinds for text in store["parts"][kind][0]]
    for element in [*page.all(), *(element for part in parts for element in part.all())]:
        assert re.fullmatch("[a-z1-6]+", element.tag)
        assert not [name for name in element.attributes if not re.fullmatch("[a-z-]+[12]?", name)]
        assert not [name for name in element.attributes if name.startswith("on")]


@pytest.mark.long
def test_long_names_are_cut_in_the_middle_and_whole_among_the_columns():
    tree = random_tree("hostile", hostile_schema("classes"), depth=3)
    long = "x" * 10_000
    page = page_html(content_of(tree, columns=(ColumnNote("y" * 300, "number", 0.0),)))
    code = page.index('id="take"')
    assert long not in page[:code]
    assert "y" * 300 in page


def test_the_tree_tells_where_gaps_of_the_table_go():
    schema = Schema((Column("age", "numeric"), Column("pulse", "numeric")), ("no", "yes"))
    below = inner(Axis(1, 80.0), leaf(1, 0), leaf(0, 2))
    tree = build(schema, inner(Axis(0, 50.0), leaf(5, 0), below, default_branch=1))
    notes = ColumnNote("age", "number", 0.1), ColumnNote("pulse", "number", 0.0)
    page = page_html(content_of(tree, columns=notes))
    assert page.count(">if missing: no</text>") == 1
    assert page.index(">if missing: no</text>") < page.index(">pulse &lt;= 80?</text>")


@pytest.mark.long
def test_panels_are_packed_beside_the_page():
    _, store = read_data(loans_page())
    panels = [[panel.svg for panel in model.panels] for model in loans_content().models]
    assert store["panels"] == panels
    assert 'href="#questions"' in loans_page()
    assert 'href="#questions"' not in page_html(rates_content())
    assert "of the rows, chosen at random" not in loans_page()
    page = page_html(replace(loans_content(), drawn_rows=2000))
    assert "The pictures hold 2,000 of the rows, chosen at random." in page


@pytest.mark.long
def test_costs_stand_beside_the_counts():
    page = page_html(loans_content(costs=((0, 1), (5, 0))))
    (table,) = read_html(page).all("table", **{"class": "confusion"})
    assert "\N{MULTIPLICATION SIGN} 5" in table.text


@pytest.mark.long
def test_the_positive_class_comes_first():
    content = replace(loans_content(), positive=1)
    page = page_html(content)
    figures = page[page.index("Class by class") :]
    assert figures.index("<bdi>yes</bdi>") < figures.index("<bdi>no</bdi>")


@pytest.mark.long
def test_numbers_have_distances_instead_of_a_confusion_matrix():
    page = page_html(rates_content())
    assert "How far off it is" in page
    assert "Predicted and true" in page
    assert 'class="confusion"' not in page


@pytest.mark.long
def test_distances_are_no_percent_where_the_score_is_a_share():
    content = replace(rates_content(), measure=Measure("explained variance"))
    (table,) = [
        table for table in read_html(page_html(content)).all("table") if "on average" in table.text
    ]
    cells = {row.all("th")[0].text: row.all("td")[0].text for row in table.all("tr")[1:]}
    residuals = content.chosen.evidence.residuals
    assert float(cells["on average"]) == pytest.approx(residuals.mean_absolute, rel=0.01)
    assert float(cells["root mean square"]) == pytest.approx(residuals.root_mean_square, rel=0.01)
    assert cells["variance explained"].endswith("%")


def test_a_score_that_is_no_number_is_not_drawn():
    content = loans_content()
    model = content.models[0]
    steps = (replace(model.steps[0], score=math.nan), *model.steps[1:])
    model = replace(model, steps=steps)
    page = read_html(page_html(replace(content, models=(model,))))
    points = [point for point in page.all("g") if "data-step" in point.attributes]
    assert len(points) == len(steps) - 1
    assert "nan" not in str([path.attributes for point in points for path in point.all("path")])


def test_open_fields_of_the_model_card_are_visibly_open():
    page = read_html(loans_page())
    gaps = page.all("div", **{"class": "open"})
    assert len(gaps) == 2
    assert all("To be filled in." in gap.text for gap in gaps)


@pytest.mark.long
def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    write_page(rates_content(), tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page_html(rates_content())
    with pytest.raises(WriteError, match="Cannot write"):
        write_page(rates_content(), tmp_path / "nowhere" / "page.html")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda model: {"models": ()}, "at least one"),
        (lambda model: {"models": (model, model)}, "must differ"),
    ],
)
def test_a_broken_content_is_refused(change, message):
    content = rates_content()
    with pytest.raises(ValueError, match=message):
        replace(content, **change(content.models[0]))


def test_a_chosen_step_that_is_not_there_is_refused():
    model = rates_content().models[0]
    with pytest.raises(ValueError, match="The chosen step of model 'axis' must be one of its"):
        replace(model, chosen=len(model.steps))


def test_trees_of_different_columns_are_refused():
    trees = [random_tree(0, schema_of(task)) for task in ("classes", "numbers")]
    with pytest.raises(ValueError, match="same schema"):
        content_of(*trees)


def test_thresholds_of_the_first_class_are_those_of_the_second_turned():
    random = np.random.default_rng(7)
    stated = random.integers(1, 9, 100) / 10
    is_second = random.random(100) < stated
    turned = _of_first_class(
        list(zip(*Thresholds.of(stated, is_second, np.ones(100)), strict=True))
    )
    expected = list(zip(*Thresholds.of(1.0 - stated, ~is_second, np.ones(100)), strict=True))
    assert np.allclose(turned, expected)
    assert _of_first_class(()) == []
