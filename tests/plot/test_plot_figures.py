"""Figures of split panels: words, legends, layout, where they are drawn, and mistakes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import handmade
import numpy as np
import pictures
import pytest
from command_line import python_output
from matplotlib.figure import Figure
from pictures import legend, texts, words
from sklearn.exceptions import NotFittedError

from treewright import TreeClassifier, recipes
from treewright.exceptions import DataError, SchemaError
from treewright.plot import split_panel, split_panels
from treewright.plot.figures.styles import style_of
from treewright.schema import Column, Schema
from treewright.schema.shortening import short_schema, shortened


@pytest.fixture(scope="module")
def iris():
    return pictures.iris()


@pytest.fixture(scope="module")
def two_clouds():
    return pictures.two_clouds()


# ------------------------------------------------------------------ words


HOSTILE = ["$\\frac{a}{b}$", "two\nlines", "long " * 40, "", "100 $ to 200 $"]


def hostile_case() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = {name: rng.normal(size=120) for name in HOSTILE}
    y = np.where(sum(X.values()) > 0, "$x^2$ and $", "%{\\bf}" * 20)
    return recipes.must("all", random_state=0, prune=None, max_depth=2).fit(X, y).tree_, X, y


def test_hostile_names_are_drawn_as_they_are(tmp_path):
    tree, X, y = hostile_case()
    figure = split_panels(tree, X, y)
    figure.savefig(tmp_path / "hostile.png")
    for text in texts(figure):
        assert not text.get_parse_math()
        assert not text.get_usetex()
        assert len(text.get_text().split("\n")) <= 3
    found = words(figure)
    assert "$\\frac{a}{b}$" in found
    assert "two\\nlines" in found
    assert "100 $ to 200 $" in found
    assert "long long" in found
    assert "long " * 10 not in found


def test_shortened_names_stay_distinct():
    names = [f"{'same beginning ' * 5}{middle}{' same end' * 5}" for middle in "abc"]
    schema = short_schema(Schema(tuple(Column(name, "numeric") for name in names)))
    assert len(set(schema.names)) == 3
    assert max(map(len, schema.names)) <= 40
    assert shortened("short", 10) == "short"


def test_long_numbers_are_rounded_in_words_only(two_clouds):
    X, y = two_clouds
    model = recipes.must(2, readable=False, random_state=0, prune=None, max_depth=1).fit(X, y)
    figure = split_panel(model.tree_, 0, X, y)
    assert len(figure.get_suptitle()) < 60
    predicate = model.tree_.node(0).predicate
    corners = np.array(figure.axes[0].lines[0].get_data()).T
    assert corners @ predicate.coefficients == pytest.approx(predicate.threshold)


@pytest.mark.long
def test_texts_are_large_enough_and_do_not_overlap(two_clouds, iris):
    X, y = two_clouds
    deep = recipes.must("all", random_state=0, prune=None, max_depth=3).fit(X, y)
    for tree, rows in ((deep.tree_, (X, y)), (handmade.iris(), iris)):
        figure = split_panels(tree, *rows)
        figure.draw_without_rendering()
        shown = [t for t in texts(figure) if t.get_visible() and t.get_text().strip()]
        assert min(text.get_fontsize() for text in shown) >= 9
        titles = [t for t in shown if t.get_text().startswith(("yes", "no", "Node"))]
        boxes = [text.get_window_extent() for text in titles]
        for number, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:number])


@pytest.mark.long
def test_more_classes_than_colours_differ_by_hatch_and_marker():
    looks = [style_of(code) for code in range(64)]
    assert len({(look.colour, look.hatch) for look in looks}) == 64
    assert len({(look.colour, look.marker) for look in looks}) == 64
    X = {"x": np.arange(400.0)}
    y = [f"class {code:02d}" for code in np.arange(400) // 10]
    model = TreeClassifier(max_depth=1).fit(X, y)
    names = legend(split_panel(model.tree_, 0, X, y))
    assert names[0] == "class 00"
    assert names[-1] == "12 more classes"


# ------------------------------------------------------------------ figures


def test_panels_stand_in_the_order_of_the_nodes(iris):
    X, y = iris
    tree = TreeClassifier().fit(X, y).tree_
    inner_nodes = np.flatnonzero(tree.core.n_branches)
    figure = split_panels(tree, X, y, max_panels=3, columns=3)
    captions = [panel.get_supxlabel().split(":")[0] for panel in figure.subfigs]
    assert captions == [f"Node {node}" for node in inner_nodes[:3]]
    n_hidden = len(inner_nodes) - 3
    assert figure.get_supxlabel().startswith(f"{n_hidden} further splits below not drawn")
    assert len(figure.legends) == 1
    assert not any(panel.legends for panel in figure.subfigs)


def test_a_given_figure_is_drawn_on(iris):
    own = Figure((12, 4))
    left, right = own.subfigures(1, 2)
    assert split_panel(handmade.iris(), 0, *iris, figure=left) is left
    split_panel(handmade.iris(), 2, *iris, figure=right)
    own.draw_without_rendering()
    assert len(own.axes) == 2


@pytest.mark.long
def test_pyplot_is_left_alone():
    assert python_output(
        "import io, sys\n"
        "from treewright import TreeClassifier\n"
        "X, y = {'a': [1, 2, 3, 4]}, ['no', 'no', 'yes', 'yes']\n"
        "figure = TreeClassifier().fit(X, y).plot_split(0, X, y)\n"
        "figure.savefig(io.BytesIO())\n"
        "print('matplotlib.pyplot' in sys.modules)"
    ) == ("False")


@pytest.mark.long
def test_a_missing_matplotlib_is_told_in_one_sentence():
    assert python_output(
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "from treewright import plot\n"
        "try:\n"
        "    plot.skeletons\n"
        "except ImportError as error:\n"
        "    print(error)"
    ) == (
        "treewright.plot.skeletons needs the package matplotlib; install it with "
        "'pip install \"treewright[plot]\"'."
    )


@pytest.mark.long
def test_threads_draw_the_same(iris):
    def picture(_: int) -> bytes:
        figure = split_panels(handmade.iris(), *iris)
        content = BytesIO()
        figure.savefig(content, format="png")
        return content.getvalue()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(picture, range(4)))) == 1


def test_notebooks_show_a_figure(iris):
    assert split_panel(handmade.iris(), 0, *iris)._repr_png_().startswith(b"\x89PNG")


def test_the_estimator_has_a_door(iris):
    X, y = iris
    model = TreeClassifier(max_depth=1).fit(X, y)
    figure = model.plot_split(0, X, y)
    assert figure.get_suptitle() == split_panel(model.tree_, 0, X, y).get_suptitle()
    with pytest.raises(NotFittedError):
        TreeClassifier().plot_split(0, X, y)


def test_no_row_may_reach_a_node(iris):
    X, y = iris
    few = {name: values[:50] for name, values in X.items()}
    figure = split_panels(handmade.iris(), few, y[:50])
    figure.draw_without_rendering()
    assert figure.subfigs[1].get_supxlabel().startswith("Node 2: 0 rows")
    assert "The cut lies outside of these rows." not in figure.subfigs[1].get_supxlabel()


# ------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("node", "error", "sentence"),
    [
        (1, ValueError, r"Node 1 is a leaf and has no split to draw; inner nodes are \[0, 2\]\."),
        (9, IndexError, r"The id of a node must be an int in \[0, 4\]\. Got 9\."),
        (-1, IndexError, r"Got -1\."),
        ("root", IndexError, r"Got 'root'\."),
    ],
)
def test_a_wrong_node_is_told(iris, node, error, sentence):
    with pytest.raises(error, match=sentence):
        split_panel(handmade.iris(), node, *iris)


def test_wrong_rows_are_told(iris):
    X, y = iris
    tree = handmade.iris()
    with pytest.raises(SchemaError, match="Column 'petal width' is missing"):
        split_panel(tree, 0, {name: X[name] for name in list(X)[:3]}, y)
    with pytest.raises(DataError, match="which is not one of the classes of the tree"):
        split_panel(tree, 0, X, ["rose"] * 150)
    with pytest.raises(DataError, match="150"):
        split_panel(tree, 0, X, y[:149])
    with pytest.raises(DataError, match="one weight a row"):
        split_panel(tree, 0, X, y, [1.0])


def test_wrong_arguments_are_told(iris):
    X, y = iris
    model = TreeClassifier(max_depth=1).fit(X, y)
    with pytest.raises(TypeError, match="must be a Tree or a fitted model that has one"):
        split_panel(TreeClassifier(), 0, X, y)
    with pytest.raises(TypeError, match="must be a matplotlib Figure or SubFigure"):
        split_panel(model.tree_, 0, X, y, figure=3)
    with pytest.raises(ValueError, match="'max_panels' parameter of split_panels must be an int"):
        split_panels(model.tree_, X, y, max_panels=0)
    with pytest.raises(ValueError, match="'columns' parameter of split_panels must be None or"):
        split_panels(model.tree_, X, y, columns="two")
    with pytest.raises(ValueError, match="The tree is a single leaf and has no split to draw"):
        split_panels(handmade.stump(), {"x": [1.0]}, ["a"])
    with pytest.raises(ValueError, match="Node 0 is a leaf and has no split to draw; the tree has"):
        split_panel(handmade.stump(), 0, {"x": [1.0]}, ["a"])
