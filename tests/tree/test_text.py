"""The readable text of a tree, mostly as golden files; see `golden_files` for renewing them."""

from __future__ import annotations

import handmade
import pytest
from golden_files import check_golden
from handmade import Plan, build, inner, leaf

from treewright.predicates import Axis, Subset
from treewright.schema import Column, Schema
from treewright.tree.tree_text import decimals_for, value_text
from treewright.words import display_width


@pytest.mark.parametrize("name", handmade.ALL)
def test_tree(name):
    check_golden(f"{name}.txt", str(handmade.ALL[name]()))


@pytest.mark.parametrize("name", handmade.ALL)
def test_rules(name):
    check_golden(f"{name}.rules.txt", "\n".join(handmade.ALL[name]().rules()))


@pytest.mark.parametrize("name", ["heart", "six_kinds", "points"])
def test_missing_values_are_explained(name):
    check_golden(f"{name}.missing.txt", handmade.ALL[name]().to_text(show_missing=True))


def test_fractions_alone_are_explained_once():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1), missing="fraction"))
    text = tree.to_text(show_missing=True)
    assert text.endswith(
        "A row with a missing value goes down every branch, by its proportion of the rows."
    )
    assert "or missing" not in text
    assert "missing" not in str(tree)


def test_rows_that_stop_are_counted_where_they_do():
    schema = Schema((Column("age", "numeric"), Column("pulse", "numeric")), ("ill", "well"))
    below = inner(
        Axis(0, 60.0),
        leaf(1, 20),
        leaf(8, 2),
        stopped=(2, 1),
        missing="surrogate_or_stop",
        surrogates=((Axis(1, 90.0), False, 0.8, 0.3),),
    )
    root = inner(Axis(1, 120.0), below, leaf(9, 1), stopped=(3, 4), missing="stop")
    tree = build(schema, root)
    check_golden("stop.missing.txt", tree.to_text(show_missing=True))
    assert str(tree) == tree.to_text(show_missing=True)  # rows below do not add up otherwise
    assert "missing" not in tree.to_text(show_missing=False)
    assert tree.training_score == (20 + 8 + 1 + 9 + 4) / 51


def test_ascii():
    text = handmade.heart().to_text(ascii_only=True)
    assert text.isascii()
    check_golden("heart.ascii.txt", text)
    assert "R2 0.779" in handmade.rent().to_text(ascii_only=True)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_cut_trees_count_what_they_hide(depth):
    text = handmade.heart().to_text(max_depth=depth)
    assert ("more lea" in text) == (depth < 3)
    if depth == 2:
        check_golden("heart.cut.txt", text)
    if depth == 0:
        assert text.splitlines()[-1] == "└─ ... 6 more leaves"
    shown = sum(line.endswith("rows") is False and "more" not in line for line in text.splitlines())
    assert shown > depth


def test_a_deep_tree_stays_narrow():
    check_golden("chain.txt", handmade.chain(24).to_text(width=60))


def test_long_conditions_go_on_below():
    levels = tuple(f"municipality number {i}" for i in range(12))
    schema = Schema((Column("place", "categorical", levels), Column("x", "numeric")), ("a", "b"))
    split = Subset(0, tuple(range(5)), tuple(range(5, 12)))
    tree = build(schema, inner(split, inner(Axis(1, 2.5), leaf(9, 1), leaf(2, 3)), leaf(0, 4)))
    text = tree.to_text(width=72)
    check_golden("long.txt", text)
    assert max(map(len, text.splitlines())) <= 72
    for level in levels:
        assert level in " ".join(text.replace("│", " ").split())


def test_long_class_names_go_on_below():
    classes = ("repaid in full and on time", "sold_to_a_collecting_agency", "年" * 12, "late")
    schema = Schema((Column("income a year", "numeric", unit="EUR"),), classes, "what became of it")
    below = inner(Axis(0, 900.0), leaf(0, 3, 0, 0), leaf(0, 0, 3, 0))
    root = inner(
        Axis(0, 24000.0), below, inner(Axis(0, 48000.0), leaf(0, 0, 0, 2), leaf(4, 0, 0, 0))
    )
    text = build(schema, root).to_text(width=65)
    assert text.splitlines()[3:] == [
        "                                what became of   proportion  rows",
        "                                it",
        "all rows                                                       12",
        "├─ income a year <= 24000 EUR                                   6",
        "│  ├─ income a year <= 900 EUR  sold_to_a_colle       100 %     3",
        "│  │                            cting_agency",
        "│  └─ income a year > 900 EUR   年年年年年年年        100 %     3",
        "│                               年年年年年",
        "└─ income a year > 24000 EUR                                    6",
        "   ├─ income a year <= 48000    late                  100 %     2",
        "   │     EUR",
        "   └─ income a year > 48000     repaid in full        100 %     4",
        "         EUR                    and on time",
    ]
    assert max(map(display_width, text.splitlines()[3:])) <= 65


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_long_target_name_does_not_push_the_numbers_away(width):
    schema = Schema((Column("x", "numeric"),), None, "mean number of seeds in the third year " * 2)
    tree = build(schema, inner(Axis(0, 1.0), leaf(3, 1234.5, 2.0), leaf(2, 4.0, 6.0)))
    table = tree.to_text(width=width).splitlines()[3:]
    assert max(map(len, table)) <= width
    assert table[-1].split() == ["└─", "x", ">", "1", "4", "2", "2"]


def test_wide_characters_are_aligned():
    schema = Schema((Column("年齢", "numeric", unit="歳"),), ("はい", "no"), "買う")
    check_golden("wide.txt", str(build(schema, inner(Axis(0, 42.0), leaf(5, 1), leaf(1, 5)))))


def test_weights_have_a_column_where_they_are_not_the_rows():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 1.0), leaf(2.5, 0, rows=5), leaf(0, 0.75, rows=3)))
    assert str(tree).splitlines()[3:] == [
        "           class  proportion  rows  weight",
        "all rows                         8     3.2",
        "├─ x <= 1  a           100 %     5     2.5",
        "└─ x > 1   b           100 %     3     0.8",
    ]


def test_fractions_of_rows_are_shown():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 1.0), leaf(2.25, 0), leaf(0, 0.75)))
    assert "weight" not in str(tree)
    assert str(tree).splitlines()[-2].endswith("2.2")
    assert tree.rules()[0] == "if x <= 1 then a (100 %, 2.2 rows)"


def test_thresholds_are_printed_as_they_are_used():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 0.1 + 0.2), leaf(1, 0), leaf(0, 1)))
    assert "x <= 0.30000000000000004" in str(tree)
    printed = float(tree.rules()[0].split()[3])
    assert printed == 0.1 + 0.2


@pytest.mark.parametrize(
    ("spread", "value", "decimals"),
    [
        (9.2, 0.0, 2),
        (0.03, 0.0, 4),
        (1500.0, 0.0, 0),
        (0.0, 22.5, 1),
        (0.0, 0.0, 0),
        (1e308, 0.0, 0),
    ],
)
def test_digits_of_predicted_numbers(spread, value, decimals):
    assert decimals_for(spread, value) == decimals


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (22.6043, 2, "22.60"),
        (-0.5, 0, "0"),
        (-0.004, 2, "0.00"),
        (-0.5, 1, "-0.5"),
        (float("nan"), 2, "-"),
        (float("inf"), 2, "-"),
        (1e200, 2, "1e+200"),
        (1e-200, 202, "1e-200"),
    ],
)
def test_predicted_numbers(value, decimals, text):
    assert value_text(value, decimals) == text


def test_extreme_numbers_can_be_printed():
    schema = Schema((Column("x", "numeric"),))
    extremes = [(5e-324, 1e300, 1e300), (1e300, -1e300, 1e300), (1e-300, 1e-300, 0.0), (0, 0, 1)]
    for statistics in extremes:
        children = leaf(*statistics), leaf(*statistics)
        tree = build(schema, Plan(statistics, Axis(0, 1e300), children, rows=1e300))
        assert max(map(len, str(tree).splitlines())) < 100
        assert len(tree.rules()) == 2
