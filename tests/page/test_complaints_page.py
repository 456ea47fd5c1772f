"""What readers of other libraries' trees complain about, each held against the page."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest
from page_contents import classification_content, loans_content
from page_reading import Element, read_data, read_html

from treewright.datasets import load_loans
from treewright.page import page_html
from treewright.words.colours import class_colour


@cache
def page_text() -> str:
    return page_html(loans_content())


@cache
def page() -> Element:
    return read_html(page_text())


def drawing() -> Element:
    (region,) = page().all("div", id="tree")
    (svg,) = region.all("svg")
    return svg


def texts() -> list[str]:
    """Every text in the drawing."""
    return [element.text for element in drawing().all("text")]


def rules() -> list[list[str]]:
    """The cells of the table of rules, line by line."""
    (table,) = page().all("table", **{"class": "rules"})
    (body,) = table.all("tbody")
    return [[cell.text.strip() for cell in row.all("td")] for row in body.all("tr")]


def boxes(kind: str) -> list[Element]:
    return drawing().all("g", **{"class": kind})


def style_text() -> str:
    return "\n".join(style.text for style in page().all("style"))


@pytest.mark.long
def test_type_is_never_smaller_than_twelve_pixels():
    style = style_text()
    sizes = [float(size) for size in re.findall(r"(?:font-size|font):\s*([\d.]+)px", style)]
    assert sizes
    assert min(sizes) >= 12.0
    # Relative sizes are of 16 pixels, and the smallest of them is that of code.
    relative = [float(size) for size in re.findall(r"font-size:\s*([\d.]+)rem", style)]
    assert 16.0 * min(relative) >= 12.0
    assert drawing().attributes["viewbox"].split()[2] == drawing().attributes["width"]


def test_categories_keep_their_names():
    conditions = " ".join(line[0] for line in rules())
    for level in ("own", "with parents", "mortgage", "furniture"):
        assert level in conditions
    assert "home in {" in conditions


def test_there_are_no_chains_of_one_hot_columns():
    schema = loans_content().schema
    _, store = read_data(page_text())
    for model in store["parts"]["data"]:
        for tree in model:
            for node in tree["nodes"]:
                if node.get("test", {}).get("kind") == "axis":
                    assert schema.columns[node["test"]["column"]].kind in ("numeric", "ordinal")
    assert not any(re.search(r"_\w+ <= 0\.5", line[0]) for line in rules())


def test_no_threshold_has_ten_digits():
    data, store = read_data(page_text())
    words = [words for model in store["parts"]["data"] for tree in model for words in tree["words"]]
    numbers = re.findall(r"\d[\d.]*", " ".join(" ".join(branches) for branches in words))
    assert numbers
    assert max(sum(digit.isdigit() for digit in number) for number in numbers) <= 6
    assert data["columns"]


def test_whole_numbers_are_cut_at_whole_numbers():
    conditions = [condition for line in rules() for condition in line[0].split(" and ")]
    ages = [condition for condition in conditions if re.match(r"age [<>]", condition)]
    assert ages
    assert all(re.fullmatch(r"age (<=|>) \d+ years", condition) for condition in ages)


def test_colours_are_those_colour_blind_readers_can_tell_and_never_alone():
    style = style_text()
    for code in range(6):
        assert class_colour(code).lower() in style.lower()
    for leaf in boxes("leaf"):
        answer = leaf.all("text", **{"class": "b"})[0].text
        assert answer in ("repaid: yes", "repaid: no")  # branches are named yes and no


def test_numbers_stand_in_their_own_units():
    assert any("thousand a year" in text for text in [line[0] for line in rules()])
    amounts = load_loans()["amount"]
    cuts = [
        float(cut) for line in rules() for cut in re.findall(r"amount (?:<=|>) ([\d.]+)", line[0])
    ]
    assert cuts
    assert all(min(amounts) <= cut <= max(amounts) for cut in cuts)


def test_sums_begin_with_a_plus_and_name_their_columns():
    content = loans_content()
    _, store = read_data(page_text())
    sums = [
        words[0]
        for tree in store["parts"]["data"][1]
        for node, words in zip(tree["nodes"], tree["words"], strict=True)
        if node.get("test", {}).get("kind") == "linear"
    ]
    assert sums
    for words in sums:
        assert not words.startswith("-")
        assert sum(name in words for name in content.schema.names) >= 2


def test_branches_say_yes_and_no():
    words = {
        branch.all("text")[0].text
        for branch in drawing().all("g")
        if "data-branch" in branch.attributes
    }
    assert words == {"yes", "no"}


def test_leaves_show_how_certain_they_are():
    for leaf in boxes("leaf"):
        assert re.search(r"\d+ %, \d+ rows?", " ".join(text.text for text in leaf.all("text")))
    for line in rules():
        assert re.search(r"\d+\s%.*\d+ % to \d+ %", line[2], re.DOTALL)


def test_one_row_can_be_followed():
    assert page().all("section", id="try")
    boxes = [group for group in drawing().all("g") if "data-node" in group.attributes]
    drawn = {int(box.attributes["data-node"]) for box in boxes}
    folded = {int(node) for box in boxes for node in box.attributes.get("data-folds", "").split()}
    tree = loans_content().chosen.tree
    for node in tree.walk():
        if node.parent in folded:
            folded.add(node.id)
    assert drawn | folded == set(range(tree.n_nodes))


def test_no_siblings_answer_the_same():
    tree = loans_content().models[0].steps[-1].tree
    for node in tree.walk():
        children = [tree.node(child) for child in node.children]
        if children and all(child.is_leaf for child in children):
            assert len({child.value for child in children}) > 1


def test_the_same_table_gives_the_same_page():
    options = {"sample_rows": 20, "max_leaf_nodes": 8}
    contents = [classification_content(load_loans(), "repaid", **options) for _ in range(2)]
    first, second = map(page_html, contents)
    assert first == second


def test_nothing_else_needs_to_be_installed_or_running():
    (policy,) = page().all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy.attributes["content"].startswith("default-src 'none';")
    assert "connect-src" not in policy.attributes["content"]
    assert not [element for element in page().all() if "src" in element.attributes]


@pytest.mark.parametrize("sample_rows", [0, 200])
def test_the_page_is_small(sample_rows):
    assert len(page_html(loans_content(sample_rows=sample_rows)).encode()) < 400_000


def test_trees_of_the_path_have_fewer_and_fewer_leaves():
    for model in loans_content().models:
        sizes = [step.tree.n_leaves for step in model.steps]
        assert all(before < after for before, after in pairwise(sizes))
