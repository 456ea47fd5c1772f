"""Split panels: what is drawn is what the tree does with the rows."""

from __future__ import annotations

from typing import Any

import handmade
import matplotlib
import numpy as np
import pictures
import pytest
from handmade import build, inner, leaf
from matplotlib.collections import PathCollection
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from pictures import bars, legend, points, texts, words
from sklearn.datasets import load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from treewright import TreeClassifier, TreeRegressor, datasets, recipes
from treewright.plot import split_panel, split_panels
from treewright.plot.figures.styles import style_of
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.schema import Column, Schema
from treewright.words import plural


@pytest.fixture(scope="module")
def iris():
    return pictures.iris()


@pytest.fixture(scope="module")
def two_clouds():
    return pictures.two_clouds()


# ------------------------------------------------------------------ one column


def test_rows_left_and_right_of_a_cut(iris):
    figure = split_panel(handmade.iris(), 2, *iris)
    (axes,) = figure.axes
    (cut,) = axes.lines
    assert list(cut.get_xdata()) == [1.75, 1.75]
    left = sum(bar.get_height() for bar in bars(axes) if bar.get_x() < 1.75 - 1e-9)
    assert left == 54
    assert sum(bar.get_height() for bar in bars(axes)) == 100
    assert figure.get_suptitle() == "petal width <= 1.75 cm?"
    assert figure.get_supxlabel() == "Node 2: 100 rows where petal length > 2.45 cm."
    assert legend(figure) == ["versicolor", "virginica"]
    assert axes.get_xlabel() == "petal width (cm)"
    assert axes.get_ylabel() == "rows"
    assert "yes: 54 rows\nspecies = versicolor (91 %)" in words(figure)
    assert "no (shaded): 46 rows\nspecies = virginica (98 %)" in words(figure)


def test_classes_keep_their_colours_from_panel_to_panel(iris):
    figure = split_panels(handmade.iris(), *iris)
    colours = [
        {matplotlib.colors.to_hex(bar.get_facecolor()).upper() for bar in bars(axes)}
        for axes in figure.axes
    ]
    first, second, third = (style_of(code).colour for code in range(3))
    assert colours == [{first, second, third}, {second, third}]


def test_a_cut_at_a_whole_number_stands_behind_its_bar():
    X = {"count": [0, 1, 1, 2, 3, 3, 4]}
    y = ["a", "a", "a", "b", "b", "b", "b"]
    tree = build(
        Schema((Column("count", "numeric"),), ("a", "b")),
        inner(Axis(0, 1.0), leaf(3, 0), leaf(0, 4)),
    )
    (axes,) = split_panel(tree, 0, X, y).axes
    assert list(axes.lines[0].get_xdata()) == [1.5, 1.5]
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in bars(axes)}
    assert sum(bar.get_height() for bar in bars(axes)) == 7
    assert heights[4] == 1


def test_no_bar_of_many_whole_numbers_holds_both_sides():
    ages = np.repeat(np.arange(20, 80), 2)
    y = np.where(ages <= 42, "young", "old")
    schema = Schema((Column("age", "numeric", unit="years"),), ("old", "young"))
    tree = build(schema, inner(Axis(0, 42.0), leaf(0, 1), leaf(1, 0)))
    (axes,) = split_panel(tree, 0, {"age": ages}, y).axes
    assert axes.lines[0].get_xdata()[0] == 42.5
    assert sum(bar.get_height() for bar in bars(axes) if bar.get_x() < 42) == 46
    assert all(bar.get_x() + bar.get_width() <= 42.5 or bar.get_x() >= 42.5 for bar in bars(axes))


def test_a_negative_coefficient_turns_the_sides():
    X = {"count": [0, 1, 2, 3]}
    tree = build(
        Schema((Column("count", "numeric"),), ("a", "b")),
        inner(Linear((0,), (-1.0,), -2.0), leaf(0, 2), leaf(2, 0)),
    )
    figure = split_panel(tree, 0, X, ["a", "a", "b", "b"])
    assert list(figure.axes[0].lines[0].get_xdata()) == [1.5, 1.5]
    yes, no = (next(t for t in texts(figure) if t.get_text().startswith(s)) for s in ("yes", "no"))
    assert yes.get_position()[0] > no.get_position()[0]


def test_ordered_levels_stand_on_the_axis_by_name():
    tree = handmade.heart()
    rows = [{"age": 40, "smoker": True, "activity": a} for a in ("low", "medium", "high")]
    rows = [{**row, "chest pain": "none", "cholesterol": 200} for row in rows]
    figure = split_panel(tree, tree.node(1).children[1], rows, ["ill", "healthy", "healthy"])
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["low", "medium", "high"]
    assert list(axes.lines[0].get_xdata()) == [0.5, 0.5]


def test_weights_fill_the_bars(iris):
    X, y = iris
    figure = split_panel(handmade.iris(), 0, X, y, np.full(150, 0.5))
    (axes,) = figure.axes
    assert axes.get_ylabel() == "weight of rows"
    assert sum(bar.get_height() for bar in bars(axes)) == 75
    assert figure.get_supxlabel() == "Node 0: 150 rows."


# ------------------------------------------------------------------ several columns


@pytest.mark.parametrize("features", [2, 3])
def test_the_cut_satisfies_its_equation_inside_the_axes(two_clouds, features, monkeypatch):
    drawn = []

    def polygon(corners, **look):
        drawn.append(corners[0])
        return Poly3DCollection(corners, **look)

    monkeypatch.setattr("treewright.plot.figures.views.Poly3DCollection", polygon)
    X, y = two_clouds
    model = recipes.must(features, random_state=0, prune=None, max_depth=1).fit(X, y)
    predicate = model.tree_.node(0).predicate
    assert isinstance(predicate, Linear)
    axes = split_panel(model.tree_, 0, X, y).axes[0]
    assert points(axes) == 200
    corners = drawn[0] if features == 3 else np.array(axes.lines[0].get_data()).T
    ends = np.array([getattr(axes, f"get_{name}lim")() for name in "xyz"[:features]])
    assert corners @ predicate.coefficients == pytest.approx(predicate.threshold)
    assert np.all(corners >= ends[:, 0] - 1e-9)
    assert np.all(corners <= ends[:, 1] + 1e-9)


def test_a_coefficient_of_nothing_gives_a_line_along_the_axis(two_clouds):
    X, y = two_clouds
    schema = Schema(tuple(Column(name, "numeric") for name in X), ("high", "low"))
    tree = build(schema, inner(Linear((0, 1), (1.0, 1e-15), 0.5), leaf(1, 1), leaf(1, 1)))
    (axes,) = split_panel(tree, 0, X, y).axes
    assert axes.lines[0].get_xdata() == pytest.approx([0.5, 0.5], abs=1e-14)
    assert axes.lines[0].get_ydata() == pytest.approx(axes.get_ylim())


def test_the_projection_is_cut_at_the_threshold(two_clouds):
    X, y = two_clouds
    model = recipes.must("all", random_state=0, prune=None, max_depth=1).fit(X, y)
    figure = split_panel(model.tree_, 0, X, y)
    coefficients, projection = figure.axes
    predicate = model.tree_.node(0).predicate
    assert projection.lines[0].get_xdata()[0] == predicate.threshold
    left = sum(b.get_height() for b in bars(projection) if b.get_x() < predicate.threshold - 1e-9)
    n_first = np.count_nonzero(model.tree_.decision_path(X)[:, 1].toarray())
    assert left == n_first
    spreads = [np.std(X[name]) for name in X]
    moves = sorted(np.multiply(predicate.coefficients, spreads), key=abs, reverse=True)
    assert [bar.get_width() for bar in bars(coefficients)] == pytest.approx(moves)
    assert "standard deviation" in coefficients.get_xlabel()
    assert figure.get_suptitle().startswith("A weighted sum of 4 columns <= ")


@pytest.mark.long
def test_many_rows_are_sampled_for_points_only():
    rng = np.random.default_rng(0)
    X = {"a": rng.normal(size=5000), "b": rng.normal(size=5000), "c": rng.normal(size=5000)}
    y = np.where(X["a"] + X["b"] + X["c"] > 0, "up", "down")
    model = recipes.must(3, random_state=0, prune=None, max_depth=1).fit(X, y)
    figure = split_panel(model.tree_, 0, X, y)
    space, projection = figure.axes
    assert points(space) == 2000
    assert sum(bar.get_height() for bar in bars(projection)) == 5000
    assert "2000 of 5000 rows are drawn as points, chosen at random." in words(figure)
    again = split_panel(model.tree_, 0, X, y).axes[0]
    for one, other in zip(space.collections, again.collections, strict=True):
        assert np.array_equal(one.get_offsets(), other.get_offsets())


def test_points_that_share_a_place_stay_on_their_side():
    rng = np.random.default_rng(0)
    X = {"a": rng.integers(0, 4, 300), "b": rng.integers(0, 4, 300)}
    y = np.where(X["a"] + X["b"] <= 3, "few", "many")
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("few", "many"))
    tree = build(schema, inner(Linear((0, 1), (1.0, 1.0), 3.0), leaf(1, 0), leaf(0, 1)))
    (axes,) = split_panel(tree, 0, X, y).axes
    for code, above in ((0, False), (1, True)):
        colour = matplotlib.colors.to_rgb(style_of(code).colour)
        (own,) = (
            c
            for c in axes.collections
            if isinstance(c, PathCollection) and tuple(c.get_facecolor()[0][:3]) == colour
        )
        assert np.all((own.get_offsets().sum(axis=1) > 3.0) == above)


# ------------------------------------------------------------------ levels, pairs, machines


def loans() -> tuple[dict[str, Any], list[str]]:
    table = datasets.load_loans()
    y = table.pop("repaid")
    del table["interest_rate"]
    return table, y


def test_levels_are_grouped_by_branch():
    X, y = loans()
    levels = ("mortgage", "own", "rent", "with parents")
    schema, _ = Schema.from_data(X)
    column = schema.index("home")
    assert schema.columns[column].levels == levels
    schema = schema.with_target("repaid", ("no", "yes"))
    tree = build(schema, inner(Subset(column, (0, 2), (1, 3)), leaf(1, 0), leaf(0, 1)))
    figure = split_panel(tree, 0, X, y)
    (axes,) = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["mortgage", "rent", "own", "with parents"]
    n_rent = X["home"].count("rent")
    assert sum(b.get_width() for b in bars(axes) if b.get_y() < -1.5 and b.get_y() > -2.5) == n_rent
    headings = [text for text in words(figure).split("\n") if text.startswith(("yes: ", "no: "))]
    assert len(headings) == 2
    multiway = build(schema, inner(Multiway(column, (3, 2, 1, 0)), *(leaf(1, 1) for _ in "abcd")))
    (axes,) = split_panel(multiway, 0, X, y).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == list(levels[::-1])


@pytest.mark.long
def test_rare_levels_are_told_in_words():
    n_levels = 40
    codes = np.repeat(np.arange(n_levels), np.arange(1, n_levels + 1))
    column = Column("town", "categorical", tuple(f"town {code}" for code in range(n_levels)))
    schema = Schema((column,), ("a", "b"))
    halves = tuple(range(20)), tuple(range(20, 40))
    tree = build(schema, inner(Subset(0, *halves), leaf(1, 0), leaf(0, 1)))
    X = {"town": [f"town {code}" for code in codes]}
    figure = split_panel(tree, 0, X, np.where(codes < 20, "a", "b"))
    assert "20 other levels" in words(figure)
    assert " 210 rows, 100 % a" in words(figure)
    multiway = build(schema, inner(Multiway(0, tuple(range(40))), *(leaf(1, 1) for _ in range(40))))
    figure = split_panel(multiway, 0, X, np.where(codes < 20, "a", "b"))
    assert "24 levels of fewer rows not shown." in words(figure)


def test_a_pair_is_shaded_where_it_does_not_hold():
    rng = np.random.default_rng(0)
    X = {"a": rng.uniform(0, 10, 100), "b": rng.uniform(0, 10, 100)}
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("in", "out"))
    tree = build(schema, inner(Pair("and", Axis(0, 4.0), Axis(1, 6.0)), leaf(1, 0), leaf(0, 1)))
    y = np.where((X["a"] <= 4) & (X["b"] <= 6), "in", "out")
    (axes,) = split_panel(tree, 0, X, y).axes
    cells = axes.collections[0]
    greys = {
        tuple(path.vertices[0] < (4.0, 6.0)): grey
        for path, grey in zip(cells.get_paths(), cells.get_facecolor()[:, 0], strict=True)
    }
    assert greys.pop((True, True)) == 1.0
    assert len(greys) == 3
    assert all(grey < 1.0 for grey in greys.values())
    ends = {tuple(end) for line in axes.lines for end in line.get_xydata().tolist()}
    assert (4.0, 6.0) in ends
    assert points(axes) == 100


def test_a_machine_shows_regions_and_branches(iris):
    X, y = iris
    schema = handmade.iris().schema
    scores = Machine((2, 3), ((-1.0, 0.0), (0.0, 0.0), (0.5, 1.0)), (2.5, 0.0, -4.2))
    tree = build(schema, inner(scores, leaf(1, 0, 0), leaf(0, 1, 0), leaf(0, 0, 1)))
    figure = split_panel(tree, 0, X, y)
    regions, branches = figure.axes
    assert points(regions) == 150
    shown = [text.get_text() for text in regions.texts]
    assert shown == ["score 1", "score 2", "score 3"]
    assert sum(bar.get_width() for bar in bars(branches)) == 150
    assert [t.get_text() for t in branches.get_yticklabels()] == shown


@pytest.mark.parametrize("n_rows", [1, 150])
def test_scores_of_many_columns_are_shown_in_a_plane(iris, n_rows):
    X, y = iris
    X = {name: values[:n_rows] for name, values in X.items()}
    discriminant = LinearDiscriminantAnalysis().fit(np.stack(list(iris[0].values()), axis=1), y)
    rows = tuple(map(tuple, discriminant.coef_.tolist()))
    scores = Machine((0, 1, 2, 3), rows, tuple(discriminant.intercept_.tolist()))
    tree = build(handmade.iris().schema, inner(scores, *(leaf(1, 1, 1) for _ in range(3))))
    plane = split_panel(tree, 0, X, y[:n_rows]).axes[0]
    assert points(plane) == n_rows
    regions = {
        text.get_text(): path
        for text, path in zip(plane.texts, plane.collections[0].get_paths(), strict=True)
    }
    # Every row lies in the region of its own largest score.
    branches = tree.apply(X) - 1
    for code, name in enumerate(discriminant.classes_):
        for made in plane.collections:
            if matplotlib.colors.same_color(made.get_facecolor()[0][:3], style_of(code).colour):
                inside = [
                    regions[f"score {branch + 1}"].contains_point(place, radius=1e-6)
                    for place, branch in zip(
                        made.get_offsets(), branches[y[:n_rows] == name], strict=True
                    )
                ]
                assert all(inside)


# ------------------------------------------------------------------ numbers


def test_numbers_are_points_with_the_means_of_the_branches():
    X, y = load_diabetes(return_X_y=True)
    model = TreeRegressor(max_depth=1).fit(X, y)
    figure = split_panel(model.tree_, 0, X, y)
    (axes,) = figure.axes
    assert points(axes) == 442
    means = [
        made.get_segments()[0][0][1] for made in axes.collections if hasattr(made, "get_segments")
    ]
    assert means == pytest.approx([model.tree_.node(1).value, model.tree_.node(2).value])
    assert not figure.legends


def test_numbers_are_colours_over_two_columns():
    X, y = load_diabetes(return_X_y=True)
    model = recipes.must(2, task="regression", prune=None, max_depth=1).fit(X, y)
    axes, scale = split_panel(model.tree_, 0, X, y).axes
    assert points(axes) == 442
    assert scale.get_ylabel() == "value"


# ------------------------------------------------------------------ missing values


@pytest.mark.parametrize("missing", ["default", "fraction", "stop", "surrogate"])
def test_rows_without_a_value_are_left_out_and_counted(missing):
    X, y = loans()
    model = TreeClassifier(missing=missing, max_depth=3).fit(X, y)
    tree = model.tree_
    inner_nodes = [node for node in tree.walk() if not node.is_leaf]
    figure = split_panels(tree, X, y)
    for node, panel in zip(sorted(inner_nodes, key=lambda n: n.id), figure.subfigs, strict=True):
        caption = panel.get_supxlabel().replace("\n", " ")
        assert caption.startswith(f"Node {node.id}: {plural(node.rows, 'row')}")
        (column,) = node.predicate.columns
        routed = np.isnan(tree.schema.encode(X)[:, column])
        reach = tree.decision_path(X)[:, node.id].toarray().ravel() > 0
        assert ("without a value left out." in caption) == bool(np.any(routed & reach))
