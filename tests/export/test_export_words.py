"""Trees exported as words: the same words as printed, and harmless in Markdown."""

from __future__ import annotations

import handmade
import pytest
from export_cases import hostile_schema, random_tree
from golden_files import check_golden
from markdown_it import MarkdownIt

from treewright.export import export_tree
from treewright.expressions import TextRenderer


@pytest.mark.parametrize("name", handmade.ALL)
def test_words_are_those_that_are_printed(name):
    tree = handmade.ALL[name]()
    assert export_tree(tree, "text") == tree.to_text(show_missing=True) + "\n"
    narrow = export_tree(tree, "text", width=60, missing=False, ascii_only=True)
    assert narrow == tree.to_text(width=60, ascii_only=True) + "\n"
    assert export_tree(tree, "rules").splitlines() == [str(rule) for rule in tree.leaf_rules()]
    by_rows = [str(rule) for rule in tree.leaf_rules("rows")]
    assert export_tree(tree, "rules", order="rows").splitlines() == by_rows


@pytest.mark.parametrize("target", ["rules", "markdown"])
def test_an_order_that_there_is_not(target):
    with pytest.raises(ValueError, match=r"'order' parameter of .* must be 'reading' or 'rows'"):
        export_tree(handmade.iris(), target, order="length")


@pytest.mark.parametrize("name", ["heart", "rent"])
def test_golden_table(name):
    check_golden(
        f"{name}.rules.md", export_tree(getattr(handmade, name)(), "markdown").rstrip("\n")
    )


def cells_of(text: str) -> list[list[str]]:
    """What a reader of the first table sees; fails if a cell is more than text."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and rows:
            assert {part.type for part in token.children} <= {"text", "text_special"}
            rows[-1].append("".join(part.content for part in token.children))
    return rows


@pytest.mark.long
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_hostile_text_is_shown_as_it_is(task):
    tree = random_tree(task, hostile_schema(task), depth=4)
    _, *rows = cells_of(export_tree(tree, "markdown"))
    rules = tree.leaf_rules()
    renderer = TextRenderer()
    assert len(rows) == len(rules)
    for row, rule in zip(rows, rules, strict=True):
        conditions = " and ".join(renderer.nested(part) for part in rule.conditions)
        assert row[0] == conditions.strip()
        assert row[1] == rule.answer.strip()


def test_a_name_of_a_leaf_stands_beside_its_answer():
    tree = handmade.iris().with_label(1, "the *small* ones")
    first = cells_of(export_tree(tree, "markdown"))[1]
    assert first == ["petal length <= 2.45 cm", "setosa, the *small* ones", "100 %", *first[3:]]
