"""Small and deep branches folded into notes, so that a large tree can be drawn in readable type."""

from __future__ import annotations

import handmade
import pytest
from drawings import branch, groups, parsed, title, words
from handmade import build, inner, leaf
from sklearn.datasets import load_iris

from treewright import TreeClassifier
from treewright.plot import tree_layout, tree_svg
from treewright.predicates import Axis, Multiway
from treewright.schema import Column, Schema


def many_levels() -> Schema:
    levels = tuple(f"level {number}" for number in range(6))
    columns = (Column("x", "numeric"), Column("city", "categorical", levels))
    return Schema(columns, ("no", "yes"))


def bush():
    """Two large branches and four small ones, of which one goes on below."""
    below = inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 2))
    return build(
        many_levels(),
        inner(
            Multiway(1, (0, 1, 2, 3, 4, 5)),
            leaf(60, 0),
            leaf(0, 30),
            leaf(2, 0),
            below,
            leaf(1, 1),
            leaf(2, 0),
        ),
    )


def test_small_branches_are_folded_into_one_note():
    root = parsed(tree_svg(bush(), fold_below=0.05))
    (fold,) = groups(root, "fold")
    assert words(fold) == ["5 more leaves", "9 % of rows"]
    assert fold.get("data-folds") == "3 4 5 6"
    assert words(branch(root, 3)) == ["4 other levels"]
    assert branch(root, 3).get("data-folds") == "3 4 5 6"  # any of them lights it up
    assert title(branch(root, 3)) == "level 2, level 3, level 4, level 5"
    assert len(groups(root, "leaf")) == 2


def test_a_small_leaf_alone_is_drawn():
    tree = build(many_levels(), inner(Axis(0, 1.0), leaf(999, 0), leaf(0, 1)))
    assert not groups(parsed(tree_svg(tree, fold_below=0.1)), "fold")


def test_a_small_branch_is_folded_where_it_stands():
    below = inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 2))
    tree = build(many_levels(), inner(Axis(0, 2.0), below, leaf(500, 0)))
    first, second = tree_layout(tree, fold_below=0.1).boxes[1:]
    assert (first.kind, first.folded) == ("fold", (1,))
    assert [line.text for line in first.content.lines] == ["2 more leaves", "1 % of rows"]
    assert second.kind == "leaf"
    assert first.x < second.x


def test_what_lies_too_deep_is_folded():
    boxes = tree_layout(handmade.chain(9), max_depth=3).boxes
    assert [box.kind for box in boxes].count("fold") == 1
    (fold,) = [box for box in boxes if box.kind == "fold"]
    assert fold.content.lines[0].text == "7 more leaves"
    (box,) = tree_layout(handmade.iris(), max_depth=0).boxes
    assert [line.text for line in box.content.lines] == ["3 more leaves", "100 % of rows"]


def test_a_wide_tree_is_folded_to_the_width_asked_for():
    tree = TreeClassifier(max_leaf_nodes=40).fit(*load_iris(return_X_y=True)).tree_
    whole = tree_layout(tree)
    assert not any(box.folded for box in tree_layout(tree, width=whole.width).boxes)
    for width in (whole.width - 1.0, 500.0, 380.0):
        layout = tree_layout(tree, width=width)
        assert layout.width <= width
        assert any(box.folded for box in layout.boxes)
    assert len(tree_layout(tree, width=1.0).boxes) == 1


@pytest.mark.parametrize(
    ("classes", "target", "expected"),
    [
        (("no", "yes"), "late", {"late: no", "late: yes"}),
        (("good", "bad"), "late", {"good", "bad"}),
        (("no", "yes"), None, {"no", "yes"}),
        (("no", "yes"), "a name of some thirty letters", {"no", "yes"}),
    ],
)
def test_leaves_name_the_target_where_classes_are_named_as_branches(classes, target, expected):
    schema = Schema((Column("x", "numeric"),), classes, target)
    layout = tree_layout(build(schema, inner(Axis(0, 1.0), leaf(5, 0), leaf(0, 5))))
    said = {box.content.lines[0].text for box in layout.boxes if box.content.answer is not None}
    assert said == expected


def test_the_key_does_not_fold_a_narrow_tree():
    target = "a name of some thirty letters"
    leaves = {("no", "yes"): [leaf(5, 0), leaf(0, 5)], None: [leaf(5, 1.0, 2.0), leaf(5, 3.0, 2.0)]}
    for names, children in leaves.items():
        schema = Schema((Column("x", "numeric"),), names, target)
        layout = tree_layout(build(schema, inner(Axis(0, 1.0), *children)), width=330.0)
        assert layout.width <= 330.0
        assert len(layout.boxes) == 3
