"""Pictures of whole trees: paths, decision regions, skeletons."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import handmade
import matplotlib
import numpy as np
import pictures
import pytest
from handmade import build, inner, leaf
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Outline
from pictures import legend, points, texts, words
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError

from treewright import MUST, TreeClassifier, TreeRegressor, datasets, recipes
from treewright.exceptions import DataError, SchemaError
from treewright.plot import (
    decision_regions,
    path_steps,
    plot_tree,
    skeletons,
    split_panel,
    split_panels,
    tree_layout,
)
from treewright.plot.figures.styles import style_of
from treewright.predicates import Axis, Linear, Machine, Pair, Subset
from treewright.prune import Squeeze, Trim
from treewright.schema import Column, Schema


@pytest.fixture(scope="module")
def iris():
    return pictures.iris()


@pytest.fixture(scope="module")
def model(iris):
    return recipes.cart(random_state=0).fit(*iris)


# ------------------------------------------------------------------ paths


def test_a_path_steps_down_to_the_right(model):
    figure = path_steps(model.path_, relative=False)
    axes = figure.axes[0]
    training, validated, ring = axes.lines
    assert training.get_xdata() == pytest.approx([entry.leaves for entry in model.path_])
    assert training.get_ydata() == pytest.approx([entry.risk for entry in model.path_])
    assert validated.get_ydata() == pytest.approx([entry.cv_risk for entry in model.path_])
    left, right = axes.get_xlim()
    assert left > right
    chosen = model.path_[model.path_.chosen]
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (chosen.leaves, chosen.cv_risk)
    assert figure.get_supxlabel() == "The ring marks the chosen tree: 3 leaves."
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert band.max() == pytest.approx(
        max(entry.cv_risk + entry.cv_standard_error for entry in model.path_)
    )


def test_alphas_have_two_digits_and_do_not_touch():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    noisy = X[:, 0] + X[:, 1] + rng.normal(size=600) > 0
    model = TreeClassifier(prune="cost_complexity", random_state=0).fit(X, noisy)
    figure = path_steps(model.path_)
    figure.draw_without_rendering()
    (above,) = figure.axes[0].child_axes
    labels = [label for label in above.get_xticklabels() if label.get_text()]
    assert 2 < len(labels) < len(model.path_)
    assert "0" in [label.get_text() for label in labels]
    chosen = model.path_[model.path_.chosen].alpha
    assert f"{chosen:.2g}" in [label.get_text() for label in labels]
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
    for one, other in pairwise(boxes):
        assert one.x1 < other.x0


def test_paths_are_drawn_over_each_other(iris, model):
    other = recipes.must(2, random_state=0).fit(*iris)
    figure = path_steps({"$CART$": model.path_, "MUST": other.path_}, size="reading_effort")
    (axes,) = figure.axes
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[0] == "$CART$, training rows"
    assert axes.get_xlabel() == "reading effort (values per row)"
    assert not any(text.get_parse_math() for text in texts(figure))
    assert not axes.child_axes


@dataclass
class Entry:
    """An entry of a path that knows its complexity."""

    alpha: float
    leaves: int
    complexity: int
    risk: float
    relative_risk: float


def test_complexity_stands_below_where_it_is_known(model):
    path = [Entry(0.0, 4, 16, 26.6, 0.048), Entry(114.6, 4, 7, 19.6, 0.035)]
    path.append(Entry(222.9, 4, 4, 472.9, 0.853))
    axes = path_steps(path).axes[0]
    assert axes.get_xlabel() == "complexity"
    assert axes.lines[0].get_ydata()[0] == pytest.approx(0.048)
    assert list(axes.lines[0].get_xdata()) == [16, 7, 4]
    assert path_steps({"one": path, "two": model.path_}).axes[0].get_xlabel() == "leaves"
    with pytest.raises(ValueError, match="must be one that all paths know, 'leaves' or 'readi"):
        path_steps(model.path_, size="complexity")


@pytest.mark.long
@pytest.mark.parametrize("pruner", [Trim(folds=3), Trim(holdout=0.3), Squeeze(folds=3)])
def test_trimming_and_squeezing_are_drawn(iris, pruner):
    model = recipes.oblique_logistic(prune=pruner, random_state=0).fit(*iris)
    figure = model.plot_path()
    figure.draw_without_rendering()
    axes = figure.axes[0]
    path = model.path_
    assert list(axes.lines[0].get_xdata()) == [entry.complexity for entry in path]
    assert axes.lines[0].get_ydata() == pytest.approx([entry.relative_risk for entry in path])
    if path[0].cv_risk is not None:
        shares = [entry.cv_risk / path.cv_unit for entry in path]
        assert axes.lines[1].get_ydata() == pytest.approx(shares)
    skeletons(path).draw_without_rendering()


def test_wrong_paths_are_told(model):
    for wrong in (model.tree_, [], {"a": 3}, 7):
        with pytest.raises(TypeError, match="must be a path, a fitted model that has one"):
            path_steps(wrong)
    with pytest.raises(TypeError, match="must hold a path"):
        path_steps({})
    with pytest.raises(ValueError, match="'size' parameter of path_steps must be None"):
        path_steps(model.path_, size="weight")


# ------------------------------------------------------------------ regions


def regions(figure: Any) -> list[tuple[str, Outline]]:
    """Colour and outline of each region of a picture."""
    return [
        (matplotlib.colors.to_hex(patch.get_facecolor()).upper(), patch.get_path())
        for patch in figure.axes[0].patches
    ]


def segments(figure: Any) -> set[tuple[tuple[float, float], ...]]:
    (lines,) = (c for c in figure.axes[0].collections if isinstance(c, LineCollection))
    return {tuple(sorted(map(tuple, np.round(line, 9)))) for line in lines.get_segments()}


def test_every_point_lies_in_the_region_of_its_answer(iris, model):
    X, y = iris
    figure = decision_regions(model.tree_, X, y, ["petal length", "petal width"])
    assert points(figure.axes[0]) == 150
    codes = {label: code for code, label in enumerate(model.classes_)}
    places = np.column_stack([X["petal length"], X["petal width"]])
    for answer, place in zip(model.predict(X), places, strict=True):
        inside = [colour for colour, outline in regions(figure) if outline.contains_point(place)]
        assert inside == [style_of(codes[answer]).colour]
    assert legend(figure) == ["setosa", "versicolor", "virginica"]


def test_lines_stay_inside_of_the_region_of_their_node(iris):
    X, y = iris
    figure = decision_regions(handmade.iris(), X, y, ["petal length", "petal width"])
    axes = figure.axes[0]
    (_, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    first = ((2.45, round(bottom, 9)), (2.45, round(top, 9)))
    second = ((2.45, 1.75), (round(right, 9), 1.75))
    assert segments(figure) == {first, second}


def plane_case(test: Any, *leaves: Any, **more: Any) -> tuple[Any, Any]:
    """A tree of one test over a, b and a third column c, with rows."""
    rng = np.random.default_rng(0)
    X = {name: rng.uniform(0, 10, 60) for name in "ab"} | {"c": np.linspace(0, 4, 60)}
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"), ("in", "out"))
    return build(schema, inner(test, *(leaves or (leaf(1, 0), leaf(0, 1))), **more)), X


def test_a_pair_has_a_corner():
    tree, X = plane_case(Pair("and", Axis(0, 4.0), Axis(1, 6.0)))
    figure = decision_regions(tree, X, columns=["a", "b"])
    ends = {end for segment in segments(figure) for end in segment}
    assert (4.0, 6.0) in ends
    assert len(segments(figure)) == 2
    assert np.ptp([end[0] for end in ends]) < 6


def test_other_columns_are_held_where_told():
    tree, X = plane_case(Linear((0, 1, 2), (1.0, 1.0, 2.0), 12.0))
    figure = decision_regions(tree, X, columns=["a", "b"], fixed={"c": 1.0})
    (segment,) = segments(figure)
    assert np.sum(segment, axis=1) == pytest.approx(10.0)
    assert "held at c = 1. Rows have" in figure.get_supxlabel()
    (segment,) = segments(decision_regions(tree, X, columns=["a", "b"]))
    assert np.sum(segment, axis=1) == pytest.approx(12.0 - 2.0 * 2.0)


def test_scores_that_differ_by_a_constant_leave_one_region():
    rows = ((1.0, 0.0), (1.0, 0.0), (0.0, 0.0))
    machine = Machine((0, 1), rows, (0.0, 1.0, 5.0))
    tree, X = plane_case(machine, leaf(1, 0), leaf(0, 1), leaf(1, 0))
    y = np.where(X["a"] > 4.0, "out", "in")
    for_regions = decision_regions(tree, X, y, ["a", "b"])
    assert {x for segment in segments(for_regions) for x, _ in segment} == {4.0}
    assert len(regions(for_regions)) == 2
    shown = [text.get_text() for text in split_panel(tree, 0, X, y).axes[0].texts]
    assert shown == ["score 2", "score 3"]


@pytest.mark.parametrize(("policy", "n_regions"), [("default", 1), ("stop", 1), ("surrogate", 2)])
def test_an_unknown_level_goes_the_way_of_its_node(policy, n_regions):
    numbers = Column("a", "numeric"), Column("b", "numeric")
    columns = (*numbers, Column("c", "categorical", ("x", "y", "z")))
    schema = Schema(columns, ("in", "out"))
    surrogates = [(Axis(0, 4.0), False, 0.9, 0.8)] if policy == "surrogate" else []
    stopped = (1, 0) if policy == "stop" else ()
    plan = inner(
        Subset(2, (0,), (1,)), leaf(1, 0), leaf(0, 3),
        missing=policy, default_branch=1, surrogates=surrogates, stopped=stopped, value=1,
    )  # fmt: skip
    X = {"a": [0.0, 8.0, 3.0], "b": [0.0, 8.0, 5.0], "c": ["z", "z", "x"]}
    figure = decision_regions(build(schema, plan), X)
    colours = [colour for colour, _ in regions(figure)]
    assert len(colours) == n_regions
    assert style_of(1).colour in colours
    assert "c = z" in figure.get_supxlabel()


def test_numbers_colour_regions_and_points_alike():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = TreeRegressor(max_depth=2).fit(X, y)
    figure = decision_regions(model.tree_, X, y)
    axes, scale = figure.axes
    (made,) = (c for c in axes.collections if isinstance(c, PathCollection))
    colour = made.cmap(made.norm(model.tree_.node(3).value))
    assert any(np.allclose(patch.get_facecolor(), colour) for patch in axes.patches)
    assert scale.get_ylabel() == "target"


def test_a_single_leaf_fills_the_window(iris):
    X, y = iris
    tree = handmade.iris().collapse([0])
    figure = decision_regions(tree, X, y)
    assert len(regions(figure)) == 1
    assert not segments(figure)


def test_rows_without_a_class_or_a_value():
    loans = datasets.load_loans()
    y = loans.pop("repaid")
    model = TreeClassifier(max_depth=4).fit(loans, y)
    figure = decision_regions(model.tree_, loans, columns=["age", "income"])
    figure.draw_without_rendering()
    assert "without a value left out." in figure.get_supxlabel()
    assert "home = " in words(figure)


def test_hostile_names_and_sizes(tmp_path):
    rng = np.random.default_rng(0)
    X = {"$\\frac{a}{b}$": rng.normal(size=80) * 1e300, "two\nlines": rng.normal(size=80)}
    X["level"] = np.array(["$x$", "long " * 40])[rng.integers(0, 2, 80)]
    y = np.where(X["two\nlines"] > rng.normal(size=80), "$a_1$", "%{\\bf}" * 20)
    model = TreeClassifier(max_depth=4).fit(X, y)
    figure = decision_regions(model.tree_, X, y)
    figure.savefig(tmp_path / "hostile.png")
    assert not any(text.get_parse_math() or text.get_usetex() for text in texts(figure))
    assert "long " * 10 not in words(figure)


def test_wrong_windows_are_told(iris):
    X, y = iris
    tree = handmade.iris()
    with pytest.raises(SchemaError, match="There is no column 'petal'"):
        decision_regions(tree, X, y, ["petal", "petal width"])
    for wrong in ("petal width", ["petal width"], 3):
        with pytest.raises(ValueError, match="must name two columns"):
            decision_regions(tree, X, y, wrong)
    with pytest.raises(ValueError, match=r"two different columns\. Got 'petal width' twice"):
        decision_regions(tree, X, y, ["petal width", 3])
    with pytest.raises(ValueError, match=r"positions from 0 to 3\. Got 4"):
        decision_regions(tree, X, y, [0, 4])
    with pytest.raises(ValueError, match=r"columns that are not drawn\. Got 'petal width'"):
        decision_regions(tree, X, y, [2, 3], fixed={"petal width": 1.0})
    with pytest.raises(DataError, match="not one of the classes"):
        decision_regions(tree, X, ["rose"] * 150)
    with pytest.raises(TypeError, match="must be a Tree"):
        decision_regions(3, X, y)
    with pytest.raises(ValueError, match=r"needs two columns of numbers\. The rows have 1"):
        decision_regions(handmade.stump(), {"x": [1.0]})
    with pytest.raises(TypeError, match="'figure' parameter of decision_regions"):
        decision_regions(tree, X, y, figure=3)


def test_the_estimator_has_doors(iris, model):
    X, y = iris
    own = Figure((8, 4))
    left, right = own.subfigures(1, 2)
    assert model.plot_regions(X, y, ["petal length", "petal width"], figure=left) is left
    assert model.plot_path(size="leaves", figure=right) is right
    own.draw_without_rendering()
    for call in (lambda m: m.plot_path(), lambda m: m.plot_regions(X, y)):
        with pytest.raises(NotFittedError):
            call(TreeClassifier())


@pytest.mark.long
def test_a_model_was_refused_in_place_of_its_tree_or_path(iris, model):  # issue 21
    X, y = iris
    assert words(plot_tree(model)) == words(plot_tree(model.tree_))
    assert words(split_panel(model, 0, X, y)) == words(split_panel(model.tree_, 0, X, y))
    assert words(split_panels(model, X, y)) == words(split_panels(model.tree_, X, y))
    assert words(decision_regions(model, X)) == words(decision_regions(model.tree_, X))
    assert words(path_steps(model)) == words(path_steps(model.path_))
    assert words(skeletons({"a": model})) == words(skeletons({"a": model.tree_}))


# ------------------------------------------------------------------ skeletons


@pytest.mark.long
def test_skeletons_tell_what_a_tree_costs(model):
    figure = skeletons(model.path_)
    titles = [axes.get_title(loc="left") for axes in figure.axes[: len(model.path_)]]
    tree = model.path_[0].tree
    assert titles[0] == (
        f"{tree.n_leaves} leaves, complexity {tree.complexity}\n"
        f"effort {tree.reading_effort:.2f}, accuracy 100 %"
    )
    assert titles[-1].startswith("1 leaf, complexity 1\n")
    for axes, entry in zip(figure.axes, model.path_, strict=False):
        assert points(axes) == entry.tree.n_nodes
    assert legend(figure) == ["setosa", "versicolor", "virginica"]


def test_large_dots_read_many_columns(iris):
    tree = recipes.must("all", random_state=0, prune=None).fit(*iris).tree_
    figure = skeletons({"$MUST$": tree, "CART": handmade.iris()})
    dots = figure.axes[0].collections[1].get_sizes()
    assert np.all(dots == 16.0 * tree.node_terms[tree.node_terms > 0])
    assert figure.axes[0].get_title(loc="left").startswith("$MUST$\n")
    assert not any(text.get_parse_math() for text in texts(figure))
    assert figure.legends[1].get_texts()[0].get_text() == "1 column"


@pytest.mark.long
@pytest.mark.parametrize("n_classes", [3, 12, 26, 40])
def test_legends_and_headings_of_skeletons_stand_apart(n_classes):
    rng = np.random.default_rng(0)
    codes = np.arange(20 * n_classes) % n_classes
    X = rng.normal(size=(len(codes), 4)) + 4.0 * rng.normal(size=(n_classes, 4))[codes]
    y = np.array([f"class {code} of many" for code in range(n_classes)])[codes]
    oblique = recipes.must(split=MUST(2, concise=None), readable=False, prune=None)
    fit = [oblique.set_params(max_depth=depth).fit(X, y).tree_ for depth in (2, 5)]
    for names in (
        "one name that goes on and on and on {} until it ends",
        "CAPITALS WWW MMM {} WMWM",
    ):
        figure = skeletons({names.format(2 * "and on "): fit[0], names.format("W" * 40): fit[1]})
        figure.draw_without_rendering()
        boxes = [found.get_window_extent() for found in figure.legends]
        titles = [axes.title for axes in figure.axes] + [axes._left_title for axes in figure.axes]
        boxes += [title.get_window_extent() for title in titles if title.get_text()]
        assert len(boxes) == 4
        for place, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:place])
            assert box.x0 >= 0.0
            assert box.y0 >= 0.0
            assert box.x1 <= figure.bbox.x1
            assert box.y1 <= figure.bbox.y1


def test_skeletons_of_numbers_share_a_scale():
    X, y = load_diabetes(return_X_y=True)
    path = TreeRegressor(max_depth=3).fit(X, y).path_
    figure = skeletons(path, max_trees=2)
    figure.draw_without_rendering()
    assert len(figure.axes) == 3
    assert figure.get_supxlabel().startswith(f"{len(path) - 2} further trees not drawn")
    assert "explained" in figure.axes[0].get_title(loc="left")


def test_wrong_trees_are_told(iris, model):
    with pytest.raises(
        TypeError, match=r"'trees' parameter of skeletons must be a Tree or .* Got 3"
    ):
        skeletons([3])
    with pytest.raises(TypeError, match="must hold a tree"):
        skeletons([])
    with pytest.raises(ValueError, match="predict the same classes, or numbers"):
        skeletons([model.tree_, handmade.stump()])
    with pytest.raises(ValueError, match="'columns' parameter of skeletons must be None or"):
        skeletons([model.tree_], columns=0)


# ------------------------------------------------------------------ the tree itself


@pytest.mark.parametrize("name", sorted(handmade.ALL))
def test_a_plotted_tree_says_what_the_drawing_says(name):
    tree = handmade.ALL[name]()
    layout = tree_layout(tree)
    figure = plot_tree(tree)
    drawn = [text.get_text() for text in texts(figure)]
    expected = [entry.text for entry in layout.key.entries]
    expected += [line for branch in layout.branches for line in branch.label.lines]
    expected += [line.text for box in layout.boxes for line in box.content.lines]
    assert drawn == expected


@pytest.mark.long
def test_type_of_a_plotted_tree_is_never_smaller_than_12_pixels():
    tree = TreeClassifier(max_leaf_nodes=20).fit(*pictures.two_clouds()).tree_
    sizes = [text.get_fontsize() / 0.75 for text in texts(plot_tree(tree))]
    assert min(sizes) == pytest.approx(12.0)
    assert max(sizes) == pytest.approx(13.0)


def test_words_of_a_plotted_tree_stay_in_their_boxes():
    figure = plot_tree(handmade.heart())
    figure.draw_without_rendering()
    (axes,) = figure.axes
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    assert len(boxes) == handmade.heart().n_nodes
    inside = 0
    for text in axes.texts:
        words = text.get_window_extent()
        middle = 0.5 * (words.x0 + words.x1), 0.5 * (words.y0 + words.y1)
        for box in boxes:
            around = box.get_window_extent()
            if around.contains(*middle):
                inside += 1
                assert around.x0 <= words.x0
                assert words.x1 <= around.x1
    assert inside == sum(len(box.content.lines) for box in tree_layout(handmade.heart()).boxes)


def test_branches_of_a_plotted_tree_are_as_wide_as_their_share():
    (axes,) = plot_tree(handmade.iris()).axes
    ways = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    widths = [way.get_linewidth() for way in ways]
    assert widths[1] == pytest.approx(2.0 * widths[0])


def test_a_tree_is_plotted_on_a_given_figure():
    own = Figure((10, 4))
    left, right = own.subfigures(1, 2)
    assert plot_tree(handmade.iris(), figure=left) is left
    plot_tree(handmade.rent(), figure=right)
    own.draw_without_rendering()
    assert len(own.axes) == 2
    with pytest.raises(TypeError, match="'figure' parameter of plot_tree must be a matplotlib"):
        plot_tree(handmade.iris(), figure="tree.png")


def test_the_estimator_plots_its_tree(model):
    figure = model.plot(max_depth=1)
    assert "2 more leaves" in words(figure)
    with pytest.raises(NotFittedError):
        TreeClassifier().plot()
