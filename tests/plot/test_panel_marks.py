"""What is drawn of a test is said once; painters know marks and no kind of test."""

from __future__ import annotations

import ast
from pathlib import Path

import handmade
import numpy as np
import pytest
from drawings import parsed, words
from handmade import build, inner, leaf
from matplotlib.figure import Figure
from pictures import bars, texts

import treewright.plot
from treewright.plot import panel_svg, split_panel
from treewright.plot.figures.views import draw_views
from treewright.plot.panel.describe import describe
from treewright.plot.panel.marks import (
    Average,
    Cut,
    Description,
    Flat,
    Lines,
    Name,
    Points,
    Region,
    Ruler,
    Stack,
)
from treewright.plot.panel.panel import panel_of
from treewright.plot.rows import Router
from treewright.plot.svg.marks import draw_flat
from treewright.plot.svg.paint import Paint
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Column, Schema

ROOM = Path(treewright.plot.__file__).parent

SCHEMA = Schema(
    (
        Column("town", "categorical", ("Bergen", "Oslo", "Voss")),
        Column("rooms", "numeric"),
        Column("size", "numeric", unit="m²"),
        Column("age", "numeric"),
    ),
    ("cheap", "dear"),
    "rent",
)

KINDS = {
    "axis": Axis(2, 60.0),
    "one column": Linear((2,), (-2.0,), -120.0),
    "line": Linear((1, 2), (10.0, 1.0), 90.0),
    "plane": Linear((1, 2, 3), (10.0, 1.0, -1.0), 80.0),
    "subset": Subset(0, (1,), (0, 2)),
    "multiway": Multiway(0, (0, 1, 2)),
    "and": Pair("and", Axis(1, 2.5), Axis(2, 60.0)),
    "xor": Pair("xor", Axis(2, 50.0), Axis(2, 70.0)),
    "or": Pair("or", Subset(0, (1,), (0, 2)), Subset(0, (2,), (0, 1))),
    "machine": Machine((1, 2), ((10.0, 0.0), (0.0, 1.0), (5.0, 0.5)), (0.0, 0.0, 1.0)),
}


def rows(n_rows: int = 200):
    rng = np.random.default_rng(0)
    X = {
        "town": rng.choice(["Bergen", "Oslo", "Voss"], n_rows),
        "rooms": rng.integers(1, 6, n_rows).astype(float),
        "size": rng.normal(60.0, 15.0, n_rows),
        "age": rng.integers(0, 80, n_rows).astype(float),
    }
    X["size"][:9] = np.nan
    return X, np.where(rng.random(n_rows) < 0.5, "dear", "cheap")


def one_test(test: Predicate):
    return build(SCHEMA, inner(test, *(leaf(1, 1) for _ in range(test.n_branches))))


def description_of(test: Predicate) -> Description:
    tree, (X, y) = one_test(test), rows()
    return describe(panel_of(tree, 0, Router(tree, X, y).at(0), SCHEMA))


def test_painters_decided_for_themselves_what_a_kind_of_test_shows():
    for name in ("svg/marks", "svg/panels", "figures/views", "figures/points", "figures/panels"):
        file = ROOM / f"{name}.py"
        used = {
            node.module
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom)
        }
        assert "treewright.predicates" not in used, file


@pytest.mark.parametrize("test", KINDS.values(), ids=KINDS)
def test_both_painters_say_what_the_description_says(test):
    description, (X, y) = description_of(test), rows()
    tree = one_test(test)
    figure = split_panel(tree, 0, X, y)
    drawing = " ".join(words(parsed(panel_svg(tree, 0, X, y))))
    drawn = " ".join(text.get_text() for text in texts(figure)).replace("\n", " ")
    for note in (*description.notes, *description.main.notes):
        assert note in drawn
        assert note in drawing
    match description.main:
        case Flat(across, _, marks):
            assert across.name in drawn
            assert across.name in drawing
            stacks = [mark for mark in marks if isinstance(mark, Stack)]
            heights = sum(bar.get_height() for bar in bars(figure.axes[-1]))
            assert heights == sum(stack.counts.sum() for stack in stacks)
        case Lines(lines):
            for line in lines:
                assert line.name in drawn
                assert line.name in drawing
            widths = sum(bar.get_width() for bar in bars(figure.axes[-1]))
            assert widths == sum(line.counts.sum() for line in lines if line.counts is not None)


def test_every_mark_is_drawn_by_both_painters():
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 4.0]])
    marks = (
        Region(corners, 1),
        Region(corners, -1),
        Stack(np.array([0.5, 1.5]), np.array([[1.0, 2.0], [0.0, 1.0]]), 0.8),
        Points((np.array([0.5, 1.5]), np.array([1.0, 2.0])), codes=np.array([0, 1])),
        Average(0.0, 2.0, 3.0),
        Cut(corners),
        Name("inside", (1.0, 2.0)),
        Name("above", (1.0, 4.0), 2.0),
        Name("too long for its stretch " * 4, (1.0, 4.0), 0.5),
    )
    flat = Flat(Ruler("x", (0.0, 2.0)), Ruler("y", (0.0, 4.0)), marks, n_branches=3)
    description = Description(flat, None, (), False, ((0, "a"), (1, "b")), ("A note.",))
    figure = Figure()
    (axes,), notes = draw_views(figure, description, 4.0)
    assert notes == ["A note."]
    assert [text.get_text() for text in axes.texts] == ["inside", "above"]
    assert len(axes.lines) == 1
    assert len(axes.collections) == 4  # regions, points of two classes, an average
    assert sum(bar.get_height() for bar in bars(axes)) == 4.0
    elements, _ = draw_flat(flat, Paint(""), 0.0)
    root = parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{elements}</svg>')
    assert {"inside", "above", "x", "y"} <= set(words(root))
    assert not any(text.startswith("too long") for text in words(root))
    looks = [found.get("class") for found in root.iter() if found.get("class")]
    for look in ("no", "none", "cut", "average", "p c0", "p c1", "c0", "c1"):
        assert looks.count(look) == 1, look


def test_halves_of_rows_stood_on_the_axis_of_few_rows():
    tree = handmade.iris()
    X = {name: [1.0, 6.0] for name in tree.schema.names}
    (axes,) = split_panel(tree, 0, X, ["setosa", "virginica"]).axes
    ticks = axes.get_yticks()
    assert len(ticks) >= 2
    assert np.all(ticks == np.round(ticks))


def test_names_of_many_levels_lay_on_top_of_each_other():
    levels = tuple(f"place {code}" for code in range(40))
    up = Ruler("place", (-0.5, 39.5), levels)
    points = Points((np.array([0.5]), np.array([7.0])))
    elements, _ = draw_flat(Flat(Ruler("x", (0.0, 1.0)), up, (points,), 2), Paint(""), 0.0)
    root = parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{elements}</svg>')
    named = [found for found in root.iter() if (found.text or "").startswith("place ")]
    heights = sorted(float(found.get("y")) for found in named)
    assert len(heights) >= 8
    assert np.diff(heights).min() >= 12.0
