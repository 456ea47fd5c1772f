"""What drawings say of rows whose value is missing: in tooltips, and in boxes where asked to."""

from __future__ import annotations

import pytest
from drawings import node, parsed, title, words
from handmade import build, inner, leaf

from treewright import TreeClassifier
from treewright.exceptions import SchemaError
from treewright.plot import tree_layout, tree_svg
from treewright.predicates import Axis, Multiway
from treewright.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("age", "numeric"),
        Column("pulse", "numeric"),
        Column("town", "categorical", ("Bergen", "Oslo", "Voss")),
    ),
    ("no", "yes"),
)
STAND_IN = [(Axis(1, 82.0), False, 0.9, 0.8)]


def drawn(missing: str, **options):
    """A drawing of two tests on age, then town, the first of them with a policy."""
    towns = inner(Multiway(2, (0, 1, 2)), leaf(2, 0), leaf(0, 3), leaf(1, 1), default_branch=1)
    stopped = (1, 0) if "stop" in missing else ()
    surrogates = STAND_IN if "surrogate" in missing else []
    plan = inner(
        Axis(0, 50.0), leaf(5, 0), towns,
        missing=missing, default_branch=1, surrogates=surrogates, stopped=stopped, value=1,
    )  # fmt: skip
    return parsed(tree_svg(build(SCHEMA, plan), **options))


@pytest.mark.parametrize(
    ("missing", "sentences", "line"),
    [
        ("default", ["If missing: no"], "if missing: no"),
        (
            "fraction",
            ["If missing: every branch, by its proportion of the rows"],
            "if missing: every branch",
        ),
        (
            "surrogate",
            ["If missing: yes when pulse <= 82 (agrees 90 %)", "If that is not known either: no"],
            "if missing: by pulse, else no",
        ),
        (
            "surrogate_or_stop",
            [
                "If missing: yes when pulse <= 82 (agrees 90 %)",
                "If that is not known either: stop here and predict yes",
            ],
            "if missing: by pulse, else stop here (1 row)",
        ),
        ("stop", ["If missing: stop here and predict yes"], "if missing: stop here (1 row)"),
    ],
)
def test_a_test_tells_what_becomes_of_missing_values(missing, sentences, line):
    root = drawn(missing)
    assert title(node(root, 0)).split("\n")[-len(sentences) :] == sentences
    assert title(node(root, 2)).endswith("\nIf missing: Oslo")
    # Where rows have stopped, those below do not add up: the box says why without being asked.
    assert (line in " ".join(words(node(root, 0)))) == ("stop" in missing)
    asked = drawn(missing, show_missing=True)
    assert " ".join(words(node(asked, 0))[2:]) == line
    assert words(node(asked, 2))[2:] == ["if missing: Oslo"]


def test_only_tests_on_columns_with_gaps_speak_of_them():
    root = drawn("default", show_missing=["town"])
    assert len(words(node(root, 0))) == 2
    assert words(node(root, 2))[2:] == ["if missing: Oslo"]


def test_a_swapped_stand_in_is_said_the_right_way_round():
    plan = inner(
        Axis(0, 50.0), leaf(5, 0), leaf(0, 5),
        missing="surrogate", default_branch=0, surrogates=[(Axis(1, 82.0), True, 0.9, 0.8)],
    )  # fmt: skip
    found = title(node(parsed(tree_svg(build(SCHEMA, plan))), 0))
    assert "If missing: yes when pulse > 82 (agrees 90 %)" in found


def test_matplotlib_shows_the_same():
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    from treewright.plot import plot_tree

    model = TreeClassifier().fit({"age": [20, 30, 50, None]}, ["no", "no", "yes", "yes"])
    unsaid = model.plot(show_missing=False).axes[0].texts
    assert not any("missing" in text.get_text() for text in unsaid)
    unasked = [text.get_text() for text in model.plot().axes[0].texts]
    shown = [text.get_text() for text in model.plot(show_missing=True).axes[0].texts]
    assert "if missing: no" in shown
    assert shown == unasked  # as there were missing values in training
    assert shown == [
        text.get_text() for text in plot_tree(model.tree_, show_missing=["age"]).axes[0].texts
    ]


def test_files_show_it_too(tmp_path):
    model = TreeClassifier().fit({"age": [20, 30, 50, None]}, ["no", "no", "yes", "yes"])
    path = tmp_path / "tree.svg"
    model.draw(path, show_missing=True)
    assert ">if missing: no</text>" in path.read_text(encoding="utf-8")


def test_a_wrong_column_is_told():
    tree = build(SCHEMA, inner(Axis(0, 50.0), leaf(5, 0), leaf(0, 5)))
    with pytest.raises(SchemaError, match="There is no column 'height'"):
        tree_layout(tree, show_missing=["height"])
    for wrong in ("age", 3, [1]):
        with pytest.raises(ValueError, match="must be None, True or False or a list of names"):
            tree_layout(tree, show_missing=wrong)
