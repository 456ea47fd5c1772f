"""Impurity of every cut and line: agreement with the core, and the numbers of Truong (2009)."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pictures
import pytest
from pictures import texts
from shared_data import data_folder, why_absent
from sklearn.datasets import load_diabetes

from treewright import TreeClassifier, TreeRegressor
from treewright.exceptions import DataError, SchemaError
from treewright.plot import impurity_profile, impurity_surface
from treewright.plot.figures.ideal_splits import ideal_splits, projected
from treewright.plot.figures.impurities import cuts_along, impurity_after, read_sample


@pytest.fixture(scope="module")
def iris():
    return pictures.iris()


# ------------------------------------------------------------------ cuts


@pytest.mark.parametrize("measure", ["deviance", "entropy", "gini", "misclassification"])
def test_the_lowest_cut_is_that_of_the_tree(iris, measure):
    X, y = iris
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 150)
    sample = read_sample("here", X, y, weights, measure, 5)
    stump = TreeClassifier(criterion=measure, max_depth=1, min_samples_leaf=5, readable=False)
    root = stump.fit(X, y, weights).tree_.node(0)
    cuts, left = cuts_along(sample, sample.values[:, root.predicate.column])
    assert root.predicate.threshold == pytest.approx(cuts[left.argmin()])
    lows = [cuts_along(sample, column)[1].min() for column in sample.values.T]
    assert left.min() == pytest.approx(min(lows))


def test_squared_errors_are_those_of_the_tree():
    X, y = load_diabetes(return_X_y=True)
    root = TreeRegressor(max_depth=1, readable=False).fit(X, y + 1e6).tree_
    sample = read_sample("here", X, y + 1e6, None, "squared_error", 1)
    _, left = cuts_along(sample, sample.values[:, root.node(0).predicate.column])
    rest = sum(root.node(child).statistics[2] for child in (1, 2))
    assert left.min() == pytest.approx(rest / len(y))


def test_a_split_is_judged_as_a_cut(iris):
    X, y = iris
    sample = read_sample("here", X, y, None, "gini", 5)
    lengths = sample.values[:, 2]
    cuts, left = cuts_along(sample, lengths)
    assert impurity_after(sample, lengths <= cuts[7]) == pytest.approx(left[7])
    assert np.isnan(impurity_after(sample, lengths <= 1.0))


def test_cuts_leave_rows_and_gaps_alone():
    X = {"x": [1.0, 2.0, None, 3.0, 3.0, 4.0]}
    sample = read_sample("here", X, list("aababb"), [1, 1, 1, 1, 1, 1], "gini", 2)
    assert cuts_along(sample, sample.values[:, 0])[0].tolist() == [2.5]
    sample = read_sample("here", X, list("aababb"), [1, 0, 1, 1, 1, 1], "gini", 1)
    assert cuts_along(sample, sample.values[:, 0])[0].tolist() == [2.0, 3.5]


@pytest.mark.parametrize("measure", ["gini", "squared_error"])
def test_a_column_known_in_few_rows_hardly_helps(iris, measure):
    X, y = iris
    rare = np.where(np.arange(150) % 13 == 0, np.unique(y, return_inverse=True)[1], np.nan)
    X, y = {**X, "rare": rare}, y if measure == "gini" else X["petal width"]
    estimator = TreeClassifier if measure == "gini" else TreeRegressor
    tree = estimator(criterion=measure, max_depth=1, min_samples_leaf=4, missing="stop").fit(X, y)
    sample = read_sample("here", X, y, None, measure, 4)
    lows = [cuts_along(sample, column)[1].min() for column in sample.values.T]
    assert lows[tree.tree_.node(0).predicate.column] == pytest.approx(min(lows))
    alone = estimator(criterion=measure, max_depth=1, min_samples_leaf=4, missing="stop")
    before = 2 / 3 if measure == "gini" else np.var(y)
    root = alone.fit({"rare": rare}, y).tree_.node(0)
    assert lows[4] == pytest.approx(before - root.gain / 150)
    figure = impurity_profile(X, y, criterion=measure, min_samples_leaf=4)
    assert figure.axes[4].get_xlabel() == "rare\nknown in 12 rows"
    assert figure.axes[0].get_xlabel() == "sepal length"


def test_many_cuts_are_thinned():
    X = {"x": np.arange(5000.0)}
    y = np.where(X["x"] < 2500, "a", "b")
    cuts, left = cuts_along(read_sample("here", X, y, None, "gini", 1), X["x"])
    assert len(cuts) == 1000
    assert left.min() < 0.002


# ------------------------------------------------------------------ crabs (Truong 2009, fig. 4.9)


@pytest.fixture(scope="module")
def crabs() -> tuple[dict[str, Any], Any]:
    """The crabs on their second and third principal component."""
    oracle = data_folder().parent / "spec" / "logistic-oracle.json"
    if why_absent() or not oracle.is_file():
        pytest.skip(why_absent() or f"no recorded outputs at {oracle}")
    with (data_folder() / "crabs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    loadings = json.loads(oracle.read_text(encoding="utf-8"))["_about"]["crabspc_loadings"]
    values = np.array([[float(row[name]) for name in loadings["order"]] for row in rows])
    values -= values.mean(axis=0)
    X = {name: values @ loadings[name] for name in ("Comp.2", "Comp.3")}
    return X, [row["target"] for row in rows]


def test_the_surface_of_the_crabs(crabs):
    sample = read_sample("here", *crabs, None, "deviance", 5)
    curves = [cuts_along(sample, projected(sample.values, float(angle))) for angle in range(180)]
    lows = np.array([left.min() for _, left in curves])
    assert lows.min() == pytest.approx(1.4847, abs=5e-5)
    assert np.flatnonzero(lows < lows.min() + 1e-9).tolist() == [52, 53, 54, 55, 56]
    for angle, cut, low in ((0, 0.3709, 1.8172), (90, 0.7360, 1.8498)):
        cuts, left = curves[angle]
        assert left.min() == pytest.approx(low, abs=5e-5)
        assert cuts[left.argmin()] == pytest.approx(cut, abs=5e-5)


def test_the_ideal_splits_of_the_crabs(crabs):
    sample = read_sample("here", *crabs, None, "deviance", 5)
    assert sample.schema.classes == ("B.F", "B.M", "O.F", "O.M")
    first, second, *rest = ideal_splits(sample, sample.values)
    assert len(rest) == 5
    assert (first.inside, second.inside) == ((0, 1), (0, 2))  # by species, by sex
    assert first[1:] == pytest.approx((53.41, 0.080, 1.5335), abs=5e-3)
    assert second[1:] == pytest.approx((156.34, 0.120, 1.7142), abs=5e-3)
    figure = impurity_surface(*crabs, ["Comp.2", "Comp.3"], standardise=False)
    assert "angle 54, offset 0.01946 leaves 1.485." in figure.get_supxlabel()
    listed = [text.get_text() for text in figure.legends[0].get_texts()]
    assert listed[0] == "1  {B.F, B.M}: 1.533"


# ------------------------------------------------------------------ figures


def test_a_profile_marks_the_best_cut(iris):
    figure = impurity_profile(*iris, criterion="gini")
    assert [axes.get_xlabel() for axes in figure.axes] == list(iris[0])
    rings = [len(axes.lines) == 3 for axes in figure.axes]
    assert rings == [False, False, True, False]
    assert figure.get_supxlabel().endswith("petal length at 2.45 leaves a gini of 0.3333.")
    some = impurity_profile(*iris, columns=["petal width", 0])
    assert [axes.get_xlabel() for axes in some.axes] == ["sepal length", "petal width"]


def test_columns_with_worse_cuts_are_counted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 15))
    figure = impurity_profile(X, X[:, 14] > 0)
    assert "3 columns with worse cuts not shown." in figure.get_supxlabel().replace("\n", " ")
    assert "x14" in [axes.get_xlabel() for axes in figure.axes]


@pytest.mark.long
def test_a_surface_is_blank_where_too_few_rows_would_be(iris):
    figure = impurity_surface(*iris, ["petal length", "petal width"], min_samples_leaf=40)
    (mesh,) = (made for made in figure.axes[0].collections if hasattr(made, "get_coordinates"))
    heat = np.ma.filled(mesh.get_array().astype(float), np.nan).reshape(-1, 180)
    assert np.isnan(heat).any()
    assert np.isfinite(heat).any(axis=0).all()
    wide = impurity_surface(*iris, ["petal length", "petal width"], min_samples_leaf=1)
    assert np.ptp(wide.axes[0].get_ylim()) > np.ptp(figure.axes[0].get_ylim())


def test_names_on_a_surface_are_drawn_as_they_are():
    rng = np.random.default_rng(0)
    X = {"$a_1$": rng.normal(size=80), "two\nlines": [None, *rng.normal(size=79)]}
    y = np.where(X["$a_1$"] > 0, "$x^2$", "{\\bf b}")
    figure = impurity_surface(X, y, ["$a_1$", "two\nlines"])
    figure.draw_without_rendering()
    assert not any(text.get_parse_math() for text in texts(figure))
    assert "two\\nlines" in figure.axes[0].get_xlabel()
    assert "1 row without a value left out." in figure.get_supxlabel()


@pytest.mark.long
def test_numbers_have_no_ideal_splits():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    figure = impurity_surface(X, y, ["bmi", "s5"], criterion="squared_error")
    assert not figure.legends
    assert figure.axes[1].get_ylabel() == "squared error after the cut"


@pytest.mark.long
def test_the_target_chooses_the_measure(iris):
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    assert impurity_profile(X, y).axes[0].get_ylabel() == "squared error after the cut"
    assert impurity_surface(X, y, X.columns[:2]).axes[1].get_ylabel().startswith("squared error")
    assert impurity_profile(X, y / 7.0).axes[0].get_ylabel() == "squared error after the cut"
    codes = np.unique(iris[1], return_inverse=True)[1].astype(float)
    for target in (iris[1], codes):
        assert impurity_profile(iris[0], target).axes[0].get_ylabel() == "deviance after the cut"
    with pytest.raises(
        DataError, match=r"criterion 'gini' of impurity_profile is for classes, but"
    ):
        impurity_profile(X, y / 7.0, criterion="gini")


def test_long_names_on_a_surface_stay_inside():
    rng = np.random.default_rng(0)
    X = {
        f"{word} of a question that nobody ever made shorter": rng.normal(size=80) for word in "ab"
    }
    figure = impurity_surface(X, rng.normal(size=80), np.array(list(X)))
    figure.draw_without_rendering()
    box = figure.axes[0].xaxis.label.get_window_extent()
    assert box.x0 >= 0.0
    assert box.x1 <= figure.bbox.x1


@pytest.mark.parametrize(("start", "span"), [(1.7e9, 3600.0), (5e6, 1e-3), (-1e12, 10.0)])
def test_ticks_far_from_0_can_be_told_apart(start, span):
    x = start + span * np.random.default_rng(0).random(100)
    figure = impurity_profile({"time": x}, x - start > 0.5 * span)
    figure.draw_without_rendering()
    axis = figure.axes[0].xaxis
    ticks = [text.get_text() for text in axis.get_ticklabels()]
    assert len(set(ticks)) == len(ticks) > 2
    assert max(map(len, ticks)) <= 7
    assert float(axis.get_offset_text().get_text().replace(",", "")) == pytest.approx(start)
    assert not axis.label.get_window_extent().overlaps(axis.get_offset_text().get_window_extent())


def test_ticks_say_where_they_are():
    """Of 1.6025e9 four digits would say 1.602e9, a fifth of a step off."""
    x = np.linspace(1.6e9, 1.61e9, 100)
    figure = impurity_profile({"time": x}, x > 1.605e9)
    figure.draw_without_rendering()
    axis = figure.axes[0].xaxis
    above = float(axis.get_offset_text().get_text().replace(",", "") or 0.0)
    shown = [above + float(text.get_text()) for text in axis.get_ticklabels()]
    assert shown == pytest.approx(axis.get_ticklocs().tolist(), rel=1e-12)


def test_many_ways_are_listed_in_part():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 6, 300)
    figure = impurity_surface(rng.normal(size=(300, 2)) + codes[:, np.newaxis], codes, [0, 1])
    assert len(figure.legends[0].get_texts()) == 10
    assert "21 ideal splits not shown." in figure.get_supxlabel()


def test_wrong_arguments_are_told(iris):
    X, y = iris
    with pytest.raises(ValueError, match="'criterion' parameter of impurity_profile must be"):
        impurity_profile(X, y, criterion="twoing")
    with pytest.raises(ValueError, match="'min_samples_leaf' parameter of impurity_surface"):
        impurity_surface(X, y, [0, 1], min_samples_leaf=0)
    with pytest.raises(ValueError, match="'standardise' parameter of impurity_surface"):
        impurity_surface(X, y, [0, 1], standardise="no")
    with pytest.raises(ValueError, match="must name two columns"):
        impurity_surface(X, y, [0])
    with pytest.raises(SchemaError, match="There is no column"):
        impurity_profile(X, y, columns=["colour"])
    with pytest.raises(ValueError, match=r"must name columns of numbers\. Got 'c', which has none"):
        impurity_profile({**X, "c": ["x", "y"] * 75}, y, columns=["c"])
    with pytest.raises(DataError, match="No column can be cut so that 100 rows stand on either"):
        impurity_profile(X, y, min_samples_leaf=100)
    with pytest.raises(DataError, match="No line leaves 100 rows on either side"):
        impurity_surface(X, y, [0, 1], min_samples_leaf=100)
    with pytest.raises(DataError, match="weight above 0"):
        impurity_profile(X, y, np.zeros(150))
    words = (
        "criterion 'squared_error' of impurity_profile is for regression, but the target holds text"
    )
    with pytest.raises(DataError, match=words):
        impurity_profile(X, y, criterion="squared_error")
    for columns in ("petal width", [], 3):
        with pytest.raises(ValueError, match="impurity_profile must be a list of one column or"):
            impurity_profile(X, y, columns=columns)
    flat = {"c": ["x", "y"] * 75, "one": np.ones(150)}
    for columns in (None, ["one"]):
        with pytest.raises(DataError, match="a column of numbers with two different values"):
            impurity_profile(flat, y, columns=columns)


def test_numbers_of_any_size_can_be_standardised():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X.sum(axis=1) > 0.0, "a", "b")
    plain, scaled = (
        impurity_surface(X * np.array(sizes), y, [0, 1]).get_supxlabel()
        for sizes in ((1.0, 1.0), (1e300, 1e-300))
    )
    assert plain == scaled
    with pytest.raises(DataError, match="whose squares a double cannot hold"):
        impurity_profile(X, X[:, 0] * 1e200, criterion="squared_error")
