"""The page of an optimal tree tells of the trees that are nearly as good."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier
from treewright.estimators.near_trees import near_trees
from treewright.exceptions import SchemaError
from treewright.explain import explain_row

RANDOM = np.random.default_rng(1)
ROWS = {
    "age": RANDOM.integers(20, 90, 200),
    "pain": RANDOM.integers(0, 11, 200),
    "biopsy": RANDOM.normal(5, 2, 200).round(1),
    "<b>day</b>": RANDOM.integers(1, 8, 200),
}
SCORE = 1.2 * ROWS["biopsy"] + 0.3 * ROWS["pain"] + RANDOM.normal(0, 1, 200)
ILL = np.where(SCORE > 8.5, "ill", "well")


def section(path) -> str:
    """The words of the part of the page."""
    text = path.read_text()
    begin = text.find('<section id="stability"')
    if begin < 0:
        return ""
    found = text[begin : text.index("</section>", begin)]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", found)))


def test_the_section_says_what_alternatives_found(tmp_path):
    model = OptimalTreeClassifier(2).fit(ROWS, ILL)
    model.report(tmp_path / "page.html", ROWS, ILL)
    words, found = section(tmp_path / "page.html"), model.alternatives(ROWS, ILL, n=0)
    assert "Would another tree do as well?" in words
    assert f"{found.count:,} are as good as this one or nearly so" in words
    best = model.certificate_.objective
    assert (
        f"2 errors more (1 % of the 200 training rows) than the best one, which has {best:g}"
        in words
    )
    assert found.needed
    assert words.count("needed by all") == len(found.needed)
    assert "<b>day</b>" in words
    assert "Needless: " in words
    assert "Proven: none that begins so is better." in words
    assert "errors on the training rows" in words
    for one in found.first:
        assert f" {one.certificate.objective:g} " in words
    assert "held-out rows" not in words
    assert 'href="#stability"' in (tmp_path / "page.html").read_text()
    assert "<b>day" not in (tmp_path / "page.html").read_text()


def test_beside_test_rows_alternatives_are_given(tmp_path):
    train = {name: values[:150] for name, values in ROWS.items()}
    test = {name: values[150:] for name, values in ROWS.items()}
    model = OptimalTreeClassifier(2).fit(train, ILL[:150])
    model.report(tmp_path / "page.html", test, ILL[150:], test=True)
    assert section(tmp_path / "page.html") == ""
    found = model.alternatives(train, ILL[:150], tolerance=0.04)
    model.report(tmp_path / "page.html", test, ILL[150:], test=True, alternatives=found)
    words = section(tmp_path / "page.html")
    assert "6 errors more (4 % of the 150 training rows)" in words
    assert "accuracy on held-out rows" in words


def test_numbers_prices_and_costs_have_words_of_their_own():
    numbers = OptimalTreeRegressor(2).fit(ROWS, SCORE)
    near = near_trees(numbers, numbers.alternatives(ROWS, SCORE, n=0))
    assert "by at most 1 % of what one prediction for all rows has" in near.words
    assert near.measure == "squared error"
    for model in (
        OptimalTreeClassifier(2, penalty=0.01),
        OptimalTreeClassifier(2, cost_matrix={"ill": {"well": 5}, "well": {"ill": 1}}),
    ):
        found = model.fit(ROWS, ILL).alternatives(ROWS, ILL, n=0)
        near = near_trees(model, found)
        assert near.measure == "objective"
        assert f"an objective of at most {found.largest:.6g}" in near.words
    weights = RANDOM.integers(1, 3, 200) * 0.5
    model = OptimalTreeClassifier(2).fit(ROWS, ILL, weights)
    near = near_trees(model, model.alternatives(ROWS, ILL, n=0, sample_weight=weights))
    assert "1 % of the weight of the training rows" in near.words


def test_what_was_not_all_counted_claims_nothing_of_columns():
    model = OptimalTreeClassifier(3).fit(ROWS, ILL)
    found = model.alternatives(ROWS, ILL, tolerance=0.2, n=0, time_limit=0.0)
    near = near_trees(model, found)
    assert near is None or (near.columns == () and "at least" in near.words)
    only = OptimalTreeClassifier(1).fit(ROWS, ILL)
    near = near_trees(only, only.alternatives(ROWS, ILL, tolerance=0.0, n=0))
    assert "no other one is as good" in near.words


@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(2, max_nodes=2),
        OptimalTreeClassifier(2, objective="brier"),
        TreeClassifier(max_depth=2),
    ],
)
def test_pages_of_models_without_alternatives_say_nothing_of_them(model, tmp_path):
    model.fit(ROWS, ILL).report(tmp_path / "page.html", ROWS, ILL)
    assert "Would another tree do as well?" not in section(tmp_path / "page.html")


def test_other_rows_or_no_wish_leave_the_section_out(tmp_path):
    model = OptimalTreeClassifier(2).fit(ROWS, ILL)
    few = {name: values[:50] for name, values in ROWS.items()}
    model.report(tmp_path / "page.html", few, ILL[:50])
    assert section(tmp_path / "page.html") == ""
    model.report(tmp_path / "page.html", ROWS, ILL, alternatives=False)
    assert section(tmp_path / "page.html") == ""


def test_a_row_is_explained_with_what_the_others_predict():
    model = OptimalTreeClassifier(2).fit(ROWS, ILL)
    found = model.alternatives(ROWS, ILL, tolerance=0.05, n=40)
    others = [one.tree for one in found.trees if one.tree != model.tree_]
    for place in range(0, 200, 20):
        row = {name: values[place] for name, values in ROWS.items()}
        told = model.explain(row, alternatives=found)
        table = model._table({name: [value] for name, value in row.items()})
        said = [tree.predict(table)[0] for tree in others]
        assert {one.label: one.n_trees for one in told.others} == {
            str(label): said.count(label) for label in set(said)
        }
        same = said.count(told.label)
        assert f"Of {len(others)} other trees {same} predict the same" in str(told)
        assert model.explain(row).others == ()
        assert "other tree" not in str(model.explain(row))


def test_numbers_of_others_are_told_as_a_range():
    model = OptimalTreeRegressor(2).fit(ROWS, SCORE)
    found = model.alternatives(ROWS, SCORE, tolerance=0.1, n=30)
    told = model.explain({name: values[0] for name, values in ROWS.items()}, alternatives=found)
    labels = [one.label for one in told.others]
    assert labels == sorted(labels)
    assert sum(one.n_trees for one in told.others) == 29
    assert f"the others from {told.others[0].answer} to {told.others[-1].answer}" in str(told)


def test_trees_of_other_tables_are_refused():
    model = OptimalTreeClassifier(1).fit(ROWS, ILL)
    other = OptimalTreeClassifier(1).fit({"age": ROWS["age"]}, ILL)
    row = {name: values[0] for name, values in ROWS.items()}
    with pytest.raises(SchemaError, match="other columns or classes"):
        explain_row(model.tree_, row, others=[other.tree_])
