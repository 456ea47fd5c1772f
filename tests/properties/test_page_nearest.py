"""The nearest other answer on the page is that of `explain`, where one value is enough."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from handmade import build, inner, leaf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from page_script import NODE, PageScript
from strategies import coded_rows, trees

from treewright import MUST, TreeClassifier, TreeRegressor, datasets
from treewright.explain import Scales, nearest
from treewright.explain.answers import Question
from treewright.explain.row import Row
from treewright.explain.scales import level_frequencies
from treewright.predicates import Linear
from treewright.schema import Column, Schema
from treewright.tree import Tree

pytestmark = pytest.mark.skipif(NODE is None, reason="needs the program node")

NEAREST = """(tree, row, columns, sample) => {
  const isWhole = (column) => Number.isInteger(row[column]);
  const found = nearestChange(tree, row, columns, isWhole, sample);
  return found && [found.column, found.value, found.answer];
}"""


@pytest.fixture(scope="module")
def script():
    script = PageScript(("routing.js", "nearest.js"), NEAREST)
    yield script
    script.close()


def change_of_one_value(
    tree: Tree, values: NDArray[np.float64], sample: NDArray[np.float64] | None
) -> list[float] | None:
    """The column, value and answer that `explain` finds, if it is one column."""
    cells = tuple(int(cell) if cell.is_integer() else cell for cell in values.tolist())
    row = Row(values, cells)
    scales = Scales.of_tree(tree, row)
    if sample is not None:
        scales = replace(scales, frequencies=level_frequencies(tree.schema, sample))
    question = Question(tree, values, scales)
    with patch.object(nearest, "nearest_region", return_value=(None, True)):
        found, _ = nearest.nearest_change(question)
    if found is None:
        return None
    ((column, value),) = found.changes.items()
    answer = question.answers(question.changed(found.changes)[np.newaxis])[0]
    return [column, value, answer]


def assert_agrees(
    script: PageScript,
    tree: Tree,
    values: NDArray[np.float64],
    sample: NDArray[np.float64] | None = None,
) -> None:
    for row, said in zip(values, script.answers(tree, values, sample), strict=True):
        assert said == change_of_one_value(tree, row, sample)


@st.composite
def trees_with_rows(draw: st.DrawFn) -> tuple[Tree, NDArray[np.float64]]:
    tree = draw(trees())
    return tree, draw(coded_rows(tree.schema, most=10))


@pytest.mark.long
@given(pair=trees_with_rows())
def test_the_page_finds_the_change_that_explain_finds(script, pair):
    assert_agrees(script, *pair)


@pytest.mark.long
@given(pair=trees_with_rows(), data=st.data())
def test_the_page_counts_the_levels_of_its_sample_as_explain_those_of_rows(script, pair, data):
    assert_agrees(script, *pair, data.draw(coded_rows(pair[0].schema, most=20)))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_page_stood_still_where_a_change_may_go_beyond_all_numbers(script, sign):
    schema = Schema((Column("x", "numeric"), Column("z", "numeric")), ("no", "yes"))
    split = Linear((0, 1), (1e-300, 1.0), sign * 1.75e8)
    tree = build(schema, inner(split, leaf(9, 1), leaf(1, 9)))
    assert_agrees(script, tree, np.array([[0.5, 0.0], [-0.5, 0.25]]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "model"),
    [
        ("repaid", TreeClassifier(max_leaf_nodes=12)),
        ("repaid", TreeClassifier(split=MUST(2), max_leaf_nodes=8, missing="fraction")),
        ("interest_rate", TreeRegressor(max_leaf_nodes=9, missing="surrogate")),
    ],
)
def test_loans_have_the_same_nearest_answer_on_the_page(script, target, model):
    table = datasets.load_loans()
    model.fit(table, table.pop(target))
    values = model.schema_.encode(table)[::25]
    assert_agrees(script, model.tree_, values)
    assert_agrees(script, model.tree_, values, values)
