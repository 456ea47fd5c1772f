"""Split panels as SVG: the rows of a test in a few kilobytes, without matplotlib."""

from __future__ import annotations

import re

import handmade
import numpy as np
import pytest
from drawings import SVG, parsed, title, words
from export_cases import HOSTILE_TEXTS
from handmade import build, inner, leaf
from sklearn.datasets import load_iris

from treewright import MUST, TreeClassifier, TreeRegressor
from treewright.plot import panel_svg, panel_svgs
from treewright.plot.svg.frame import Frame, number_ticks
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.schema import Column, Schema


@pytest.fixture(scope="module")
def iris():
    data = load_iris()
    return dict(zip(data.feature_names, data.data.T, strict=True)), data.target_names[data.target]


def towns(n_rows: int = 300):
    """Levels, whole numbers, numbers, and a class that depends on them."""
    rng = np.random.default_rng(0)
    X = {
        "town": rng.choice(["Bergen", "Oslo", "Voss"], n_rows),
        "rooms": rng.integers(1, 6, n_rows),
        "size": rng.normal(60.0, 15.0, n_rows),
    }
    number = X["size"] + 10.0 * X["rooms"] + 30.0 * (X["town"] == "Oslo")
    return X, number


SCHEMA = Schema(
    (
        Column("town", "categorical", ("Bergen", "Oslo", "Voss")),
        Column("rooms", "numeric"),
        Column("size", "numeric", unit="m²"),
    ),
    ("cheap", "dear"),
    "rent",
)


def one_test(test, schema=SCHEMA):
    statistics = (1, 0) if schema.classes else (1.0, 0.0, 0.0)
    return build(schema, inner(test, *(leaf(*statistics) for _ in range(test.n_branches))))


def panel(test, **options):
    X, number = towns()
    y = np.where(number > 95.0, "dear", "cheap")
    return panel_svg(one_test(test), 0, X, y, **options)


def paths(root, look: str) -> list[str]:
    """The shapes of some look."""
    return [
        found.get("d", "")
        for found in root.iter(f"{SVG}path")
        if look in (found.get("class") or "").split()
    ]


def test_rows_along_a_column_stand_beside_the_cut(iris):
    X, y = iris
    tree = TreeClassifier(max_depth=2).fit(X, y).tree_
    asked = f"{tree.node(0).predicate.branches(tree.schema)[0]}?"
    assert asked.startswith("petal length (cm) <= 2")
    root = parsed(panel_svg(tree, 0, X, y))
    assert title(root) == asked
    found = words(root)
    assert found[:5] == [
        asked,
        "yes: 50 rows",
        "100 % setosa",
        "no: 100 rows",
        "50 % versicolor",
    ]
    assert "Node 0: 150 rows." in found
    assert {"setosa", "versicolor", "virginica"} <= set(found)
    (cut,) = paths(root, "cut")
    place = float(re.match(r"M([\d.]+),", cut)[1])
    # Bars of setosa lie to the left of the cut, all others to the right.
    corners = {
        code: [
            float(x) for bars in paths(root, f"c{code}") for x in re.findall(r"[MH]([\d.]+)", bars)
        ]
        for code in range(3)
    }
    bars = {code: found[:-1] for code, found in corners.items()}  # without the square of the key
    assert max(bars[0]) <= place + 0.1
    assert min(min(bars[1]), min(bars[2])) >= place - 0.1


def test_bars_add_up_to_the_rows(iris):
    X, y = iris
    tree = handmade.iris()
    root = parsed(panel_svg(tree, 0, dict(zip(tree.schema.names, X.values(), strict=True)), y))
    bars = "".join(paths(root, f"c{code}")[0] for code in range(3))
    ends = re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)H", bars)
    heights = sum(float(bottom) - float(top) for bottom, top in ends)
    (grid,) = paths(root, "grid")
    lines = [float(y) for y in re.findall(r"M[\d.]+,([\d.]+)h", grid)]
    (highest,) = [text for text in words(root) if re.fullmatch(r"\d+ rows", text)]
    scale = (lines[0] - lines[-1]) / float(highest.removesuffix(" rows"))  # pixels a row
    assert heights / scale == pytest.approx(150, rel=0.02)


def test_levels_are_bars_under_their_branch():
    root = parsed(panel(Subset(0, (1,), (0, 2))))
    found = words(root)
    assert found[0] == "town is Oslo or unseen?"
    places = [found.index(name) for name in ("Oslo", "Bergen", "Voss")]
    assert places == sorted(places)
    headings = [text for text in found if text.startswith(("yes:", "no:"))]
    assert len(headings) == 2
    assert not paths(root, "cut")


def test_a_branch_a_level_is_one_bar_each():
    found = words(parsed(panel(Multiway(0, (0, 1, 2)))))
    assert [name for name in found if name in SCHEMA.columns[0].levels] == [
        "Bergen",
        "Oslo",
        "Voss",
    ]


def test_two_columns_are_points_with_the_line():
    root = parsed(panel(Linear((1, 2), (10.0, 1.0), 90.0)))
    (line,) = paths(root, "cut")
    assert len(re.findall(r"[\d.]+,[\d.]+", line)) == 2
    points = sum(len(re.findall("h0", shape)) for shape in paths(root, "p"))
    assert 200 <= points <= 300  # equal ones are drawn once
    assert "size (m²)" in words(root)
    assert "rooms" in words(root)
    assert any(text.startswith("no (shaded): ") for text in words(root))


def test_more_columns_are_drawn_along_their_sum():
    columns = (*SCHEMA.columns, Column("age", "numeric"))
    schema = Schema(columns, SCHEMA.classes, "rent")
    tree = one_test(Linear((1, 2, 3), (10.0, 1.0, -1.0), 60.0), schema)
    X, number = towns()
    X["age"] = np.arange(300.0) % 40
    found = words(parsed(panel_svg(tree, 0, X, np.where(number > 95.0, "dear", "cheap"))))
    assert found[0] == "10 rooms + size - age <= 60?"
    assert "weighted sum of the 3 columns" in found


def test_joined_tests_are_regions():
    root = parsed(panel(Pair("and", Axis(1, 2.5), Axis(2, 60.0))))
    assert len(paths(root, "no")) == 3
    assert len(paths(root, "cut")) == 2
    root = parsed(panel(Pair("or", Axis(2, 50.0), Subset(0, (1,), (0, 2)))))
    assert {"Bergen", "Oslo", "Voss"} <= set(words(root))


def test_scores_are_shown_by_branch():
    machine = Machine((1, 2), ((10.0, 0.0), (0.0, 1.0), (5.0, 0.5)), (0.0, 0.0, 1.0))
    found = words(parsed(panel(machine)))
    assert [name for name in found if name.startswith("score ")] == [
        "score 1",
        "score 2",
        "score 3",
    ]


def test_numbers_to_predict_are_points_with_means():
    X, number = towns()
    tree = TreeRegressor(max_leaf_nodes=4).fit(X, number).tree_
    drawings = panel_svgs(tree, X, number)
    schema = Schema(SCHEMA.columns, None, "rent")
    along = parsed(panel_svg(one_test(Axis(2, 60.0), schema), 0, X, number))
    assert len(paths(along, "average")) == 2
    assert any(text.startswith("mean ") for text in words(along))
    over = parsed(panel_svg(one_test(Linear((1, 2), (1.0, 0.1), 9.0), schema), 0, X, number))
    assert any(paths(over, f"q{tint}") for tint in range(5))
    assert "purple up to" in " ".join(words(over))
    levels = parsed(panel_svg(one_test(Subset(0, (1,), (0, 2)), schema), 0, X, number))
    assert len(list(levels.iter(f"{SVG}circle"))) == 3
    assert all(len(drawing) < 15_000 for drawing in drawings.values())


def test_many_rows_take_few_bytes():
    X, number = towns(20_000)
    y = np.where(number > 95.0, "dear", "cheap")
    model = TreeClassifier(split=MUST(features=2), max_leaf_nodes=6).fit(X, y)
    drawings = panel_svgs(model.tree_, X, y, with_style=False)
    assert len(drawings) == model.tree_.n_nodes - model.tree_.n_leaves
    assert max(map(len, drawings.values())) < 8_000
    assert panel_svg(model.tree_, 0, X, y, with_style=False) == drawings[0]


def test_weights_are_told():
    X, number = towns()
    y = np.where(number > 95.0, "dear", "cheap")
    drawing = panel_svg(one_test(Axis(2, 60.0)), 0, X, y, np.full(300, 2.5))
    assert any(text.endswith("weight of rows") for text in words(parsed(drawing)))


def test_rows_without_a_value_are_counted():
    X, number = towns()
    X["size"][:7] = np.nan
    y = np.where(number > 95.0, "dear", "cheap")
    found = words(parsed(panel_svg(one_test(Axis(2, 60.0)), 0, X, y)))
    assert "7 rows without a value left out." in " ".join(found)


def test_hostile_text_is_shown_and_nothing_else():
    columns = (
        Column(HOSTILE_TEXTS[0], "categorical", HOSTILE_TEXTS),
        Column(HOSTILE_TEXTS[-1], "numeric", unit=HOSTILE_TEXTS[1]),
        Column(HOSTILE_TEXTS[2], "numeric"),
    )
    schema = Schema(columns, HOSTILE_TEXTS, HOSTILE_TEXTS[3])
    rng = np.random.default_rng(0)
    X = {column.name: rng.normal(size=60) for column in columns[1:]}
    X[HOSTILE_TEXTS[0]] = rng.choice(np.array(HOSTILE_TEXTS, dtype=object), 60)
    y = rng.choice(np.array(HOSTILE_TEXTS, dtype=object), 60)
    everything = [1] * len(HOSTILE_TEXTS)
    for test in (
        Axis(1, 0.0),
        Linear((1, 2), (1.0, 1.0), 0.0),
        Multiway(0, tuple(range(len(HOSTILE_TEXTS)))),
    ):
        tree = build(schema, inner(test, *(leaf(*everything) for _ in range(test.n_branches))))
        drawing = panel_svg(tree, 0, X, y, id_prefix='"><script>')
        parsed(drawing)
        assert "\u202e" not in drawing
        assert len(drawing) < 60_000


def test_a_leaf_has_no_panel(iris):
    X, y = iris
    tree = TreeClassifier(max_depth=2).fit(X, y).tree_
    with pytest.raises(ValueError, match="Node 1 is a leaf and has no split to draw; inner nodes"):
        panel_svg(tree, 1, X, y)
    with pytest.raises(ValueError, match="'theme' parameter of panel_svgs must be"):
        panel_svg(tree, 0, X, y, theme="blue")


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0.0, 10.0), ["0", "2", "4", "6", "8", "10"]),
        ((0.3, 0.9), ["0.4", "0.6", "0.8"]),
        ((-3.0, 120.0), ["0", "25", "50", "75", "100"]),
        ((1e9, 3e9), ["1e+09", "1.5e+09", "2e+09", "2.5e+09", "3e+09"]),
        (
            (20_200_000.0, 20_204_000.0),
            ["20200000", "20201000", "20202000", "20203000", "20204000"],
        ),
        (
            (1e-5, 1.0004e-5),
            ["0.00001", "0.000010001", "0.000010002", "0.000010003", "0.000010004"],
        ),
    ],
)
def test_ticks_are_round_numbers(ends, expected):
    assert [words for _, words in number_ticks(*ends, 5)] == expected


def test_ticks_of_whole_numbers_are_whole():
    assert [value for value, _ in number_ticks(1.0, 3.0, 5, is_whole=True)] == [1.0, 2.0, 3.0]


def test_texts_of_ticks_do_not_touch_nor_leave_the_picture():
    frame = Frame(60.0, 0.0, 200.0, 160.0, (0.0, 4e6), (0.0, 1.0))
    axis = frame.bottom_axis(number_ticks(0.0, 4e6, 6), "price")
    root = parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{axis}</svg>')
    assert words(root) == ["0", "2000000", "price"]


def test_a_note_tells_that_points_of_many_classes_look_alike():
    X, _ = towns()
    y = np.array([f"class {code}" for code in np.arange(300) % 10])
    schema = Schema(SCHEMA.columns, tuple(f"class {code}" for code in range(10)))
    leaves = [leaf(*[1] * 10) for _ in range(2)]
    tree = build(schema, inner(Linear((1, 2), (10.0, 1.0), 90.0), *leaves))
    assert "some classes look alike" in " ".join(words(parsed(panel_svg(tree, 0, X, y))))
    few = np.where(np.isin(y, ["class 8", "class 9"]), "class 0", y)
    assert "look alike" not in " ".join(words(parsed(panel_svg(tree, 0, X, few))))
