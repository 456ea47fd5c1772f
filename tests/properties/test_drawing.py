"""Properties of drawn trees: nothing overlaps, nothing is lost, everything can be read back."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from drawings import groups, parsed, words
from handmade import Plan, build, inner, leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import KINDS, cases, trees

from treewright.plot import TreeLayout, panel_svg, tree_layout, tree_svg
from treewright.plot.tree.contents import SMALL, Bar
from treewright.plot.tree.layout import LABEL_LINE
from treewright.plot.tree.lettering import broken, fitted, text_width
from treewright.plot.tree.tidy import tidy_places
from treewright.predicates import Axis, Multiway
from treewright.schema import Column, Schema
from treewright.tree import Tree

FEW = settings(max_examples=settings().max_examples // 2)
WAYS = 9


@st.composite
def shapes(draw: st.DrawFn) -> list[list[int]]:
    """The children of each node, parents before children."""
    children: list[list[int]] = [[]]
    for parent, count in draw(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 7)))):
        place = parent % len(children)
        for _ in range(count):
            children.append([])
            children[place].append(len(children) - 1)
    return children


def depths_of(children: list[list[int]]) -> list[int]:
    depths = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            depths[child] = depths[node] + 1
    return depths


def in_reading_order(children: list[list[int]]) -> list[int]:
    order, pending = [], [0]
    while pending:
        order.append(pending.pop())
        pending += reversed(children[order[-1]])
    return order


@given(children=shapes(), data=st.data())
def test_nodes_side_by_side_keep_their_distance(children, data):
    width = st.sampled_from([0.0, 1.0, 10.0, 200.0])
    widths = data.draw(st.lists(width, min_size=len(children), max_size=len(children)))
    places = tidy_places(children, widths, 3.0)
    lefts = [place - 0.5 * width for place, width in zip(places, widths, strict=True)]
    assert min(lefts) == pytest.approx(0.0, abs=1e-9)
    depths = depths_of(children)
    order = in_reading_order(children)
    for depth in range(max(depths) + 1):
        for left, right in pairwise(node for node in order if depths[node] == depth):
            assert lefts[right] >= lefts[left] + widths[left] + 3.0 - 1e-6
    for node, below in enumerate(children):
        if below:
            assert places[node] == pytest.approx(0.5 * (places[below[0]] + places[below[-1]]))


@given(children=shapes())
def test_a_mirrored_tree_is_as_wide(children):
    widths = [10.0] * len(children)
    mirrored = [below[::-1] for below in children]
    places, others = (tidy_places(shape, widths, 3.0) for shape in (children, mirrored))
    # Rounding aside: only subtrees that change no outline have room to be elsewhere.
    assert max(places) == pytest.approx(max(others))


@st.composite
def bushes(draw: st.DrawFn) -> Tree:
    """Trees of two-way and many-way tests with leaves of very different sizes."""
    names = draw(st.lists(st.text(max_size=40), min_size=WAYS, max_size=WAYS, unique=True))
    columns = (Column("x", "numeric"), Column("level", "categorical", tuple(names)))
    schema = Schema(columns, ("a", "b", "c"))

    def plan(depth: int) -> Plan:
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            rows = st.sampled_from([0, 1, 5, 100, 10_000])
            return leaf(*(draw(rows) for _ in range(3)))
        if draw(st.booleans()):
            return inner(Axis(0, draw(st.floats(-1e6, 1e6))), plan(depth - 1), plan(depth - 1))
        return inner(Multiway(1, tuple(range(WAYS))), *(plan(depth - 1) for _ in range(WAYS)))

    return build(schema, plan(draw(st.integers(0, 3))))


def rectangles(layout: TreeLayout) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of boxes, of the words on branches, and of the key."""
    found = [(box.x, box.y, box.x + box.width, box.bottom) for box in layout.boxes]
    for branch in layout.branches:
        half = 0.5 * max(text_width(line, SMALL) for line in branch.label.lines)
        height = 0.5 * LABEL_LINE * len(branch.label.lines)
        middle = branch.end[0]
        found.append(
            (middle - half, branch.label_y - height, middle + half, branch.label_y + height)
        )
    for entry in layout.key.entries:
        end = entry.x + text_width(entry.text, SMALL)
        found.append((entry.x, entry.y - 6.0, end, entry.y + 6.0))
    return found


@FEW
@given(tree=st.one_of(bushes(), trees()), fold_below=st.sampled_from([0.0, 0.01, 0.2]))
def test_nothing_in_a_drawing_overlaps(tree, fold_below):
    layout = tree_layout(tree, fold_below=fold_below)
    corners = np.array(rectangles(layout))
    assert np.all(corners[:, :2] >= 0.0)
    assert np.all(corners[:, 2:] <= [layout.width, layout.height])
    left, top, right, bottom = corners.T
    apart = (
        (left[:, None] >= right - 1e-6)
        | (left >= right[:, None] - 1e-6)
        | (top[:, None] >= bottom - 1e-6)
        | (top >= bottom[:, None] - 1e-6)
    )
    assert np.all(apart | np.eye(len(corners), dtype=bool))


@pytest.mark.long
@FEW
@given(tree=st.one_of(bushes(), trees()), fold_below=st.sampled_from([0.0, 0.01, 0.2]))
def test_every_leaf_is_drawn_or_counted(tree, fold_below):
    boxes = tree_layout(tree, fold_below=fold_below).boxes
    leaves = [box for box in boxes if box.kind == "leaf"]
    folded = [node for box in boxes for node in box.folded]
    assert all(tree.node(box.node).is_leaf for box in leaves)
    assert len(leaves) + sum(map(tree.n_leaves_below, folded)) == tree.n_leaves


@FEW
@given(tree=st.one_of(bushes(), trees()))
def test_text_stays_inside_of_its_box(tree):
    for box in tree_layout(tree).boxes:
        for line in box.content.lines:
            assert line.width <= box.width - 12.0
        if isinstance(box.content.bar, Bar):
            assert sum(share for _, share in box.content.bar.segments) == pytest.approx(1, abs=0.02)


@pytest.mark.long
@FEW
@given(tree=trees(), theme=st.sampled_from(["light", "dark", "auto"]))
def test_a_drawing_is_well_formed_and_the_same_each_time(tree, theme):
    drawing = tree_svg(tree, theme=theme, id_prefix="<&>")
    assert drawing == tree_svg(tree, theme=theme, id_prefix="<&>")
    root = parsed(drawing)
    assert len(groups(root, "leaf")) == tree.n_leaves
    numbers = [group.get("data-node") for group in root.iter() if group.get("data-node")]
    assert sorted(map(int, numbers)) == list(range(tree.n_nodes))
    assert len(words(root)) >= 2 * tree.n_nodes


@given(text=st.text(), width=st.floats(40.0, 400.0), most=st.integers(1, 4))
def test_broken_lines_fit(text, width, most):
    lines = broken(text, width, most, 13.0)
    assert 1 <= len(lines) <= most
    assert all(text_width(line, 13.0) <= width for line in lines)
    if "…" not in lines[-1]:
        assert "".join("".join(lines).split()) == "".join(text.split())
    assert text_width(fitted(text, width, 13.0), 13.0) <= width


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(data=st.data())
def test_a_panel_of_any_test_is_well_formed(kind, data):
    tree, rows, y = data.draw(cases(kind))
    drawing = panel_svg(tree, 0, rows, y)
    assert "nan" not in re.sub("<(title|desc|text).*?</(title|desc|text)>", "", drawing)
    root = parsed(drawing)
    height = float(root.get("height", "nan"))
    for text in root.iter():
        assert 0.0 <= float(text.get("y", "0")) <= height
    assert len(drawing) < 15_000
