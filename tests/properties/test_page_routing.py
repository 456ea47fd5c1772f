"""The script of the page sends rows where the core sends them, and answers as `predict` does."""

from __future__ import annotations

import numpy as np
import pytest
from handmade import build, inner, leaf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from page_script import NODE, PageScript
from strategies import coded_rows, trees

from treewright import TreeClassifier, _core
from treewright.predicates import Subset
from treewright.schema import Column, Schema
from treewright.tree import Tree

pytestmark = pytest.mark.skipif(NODE is None, reason="needs the program node")

PREDICT = """(tree, row) => {
  const { steps, ends, mixed, value } = predict(tree, row);
  const passed = steps.map(({ node }) => node);
  return { passed, ends: ends.map(({ node, share }) => [node, share]), mixed, value };
}"""


# Someone whose row is known answers each question as its words have it; a level that a branch takes
# by default is meant by the words of that branch.
ASK = """(tree, row, columns) => {
  const asked = Object.create(Questionnaire.prototype);
  asked.page = { tree, columns, words: tree.nodes.map(() => []) };
  asked.show = () => {};
  asked.restart();
  for (let node = asked.open; node !== undefined; node = asked.open) {
    const { test, default_branch: byDefault } = tree.nodes[node];
    const branch = branchOf(test, row);
    const left = asked.leavesLevels(node) ? ANOTHER : byDefault;
    asked.answer(node, branch === UNKNOWN ? left : branch, "");
  }
  return asked.state.places.map(([node, share]) => [node, share]);
}"""


@pytest.mark.long
@given(data=st.data())
def test_the_questionnaire_leads_where_predict_does_for_levels_on_no_branch(questions, data):
    tree = data.draw(trees(kinds=("subset",), policies=("default", "stop", "fraction")))
    values = data.draw(coded_rows(tree.schema, missing=False, most=30))
    table = _core.Table(np.asfortranarray(values), tree.schema.n_levels)
    shares = tree.leaf_shares(table)
    for row, places in enumerate(questions.answers(tree, values)):
        found: dict[int, float] = {}
        for node, share in places:
            found[node] = found.get(node, 0.0) + share
        expected = dict(zip(shares[row].indices.tolist(), shares[row].data.tolist(), strict=True))
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        # Equal conditions on both sides of a node that divides the row.
        ((("fraction", 0), ("default", 0)), {3: 0.25, 4: 0.25, 5: 0.5}),
        ((("default", 0), ("fraction", 0)), {3: 0.5, 5: 0.25, 6: 0.25}),
        ((("default", 0), ("default", 1)), {3: 0.5, 6: 0.5}),
    ],
)
def test_an_answer_was_taken_for_an_equal_condition_that_sends_other_levels_elsewhere(
    questions, policies, expected
):
    colour = Column("colour", "categorical", ("blue", "green", "red"))
    size = Column("size", "categorical", ("large", "small", "tiny"))
    schema = Schema((colour, size), target="y", classes=("no", "yes"))
    sides = [
        inner(Subset(0, [0], [1]), leaf(5, 0), leaf(0, 5), missing=missing, default_branch=branch)
        for missing, branch in policies
    ]
    tree = build(schema, inner(Subset(1, [0], [1]), *sides, missing="fraction"))
    red_and_tiny = np.array([[2.0, 2.0]])
    (places,) = questions.answers(tree, red_and_tiny)
    assert dict(places) == expected


@pytest.fixture(scope="module")
def questions():
    script = PageScript(("routing.js", "questionnaire.js"), ASK)
    yield script
    script.close()


@pytest.fixture(scope="module")
def script():
    script = PageScript(("routing.js",), PREDICT)
    yield script
    script.close()


def assert_agrees(script: PageScript, tree: Tree, values: NDArray[np.float64]) -> None:
    table = _core.Table(np.asfortranarray(values), tree.schema.n_levels)
    answers = script.answers(tree, values)
    shares, passed = tree.leaf_shares(table), tree.decision_path(table)
    if tree.is_classification:
        expected = tree.core.predict_classes(table).tolist()
        mixed = tree.distribution(table).tolist()
    else:
        expected = tree.predict(table).tolist()
        mixed = [[number] for number in expected]
    for row, answer in enumerate(answers):
        assert sorted(answer["passed"]) == passed[row].indices.tolist()
        ends = shares[row]
        assert dict(answer["ends"]) == dict(
            zip(ends.indices.tolist(), ends.data.tolist(), strict=True)
        )
        assert answer["mixed"] == mixed[row]
        assert answer["value"] == expected[row]


@st.composite
def trees_with_rows(draw: st.DrawFn) -> tuple[Tree, NDArray[np.float64]]:
    tree = draw(trees())
    return tree, draw(coded_rows(tree.schema, most=30))


@pytest.mark.long
@given(pair=trees_with_rows())
def test_the_script_of_the_page_agrees_with_predict(script, pair):
    assert_agrees(script, *pair)


@pytest.mark.long
def test_divided_rows_get_the_class_of_least_cost(script):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X.sum(axis=1) > 0).astype(int) + (X[:, 0] > 1)
    costs = [[0, 1, 9], [3, 0, 1], [1, 2, 0]]
    model = TreeClassifier(missing="fraction", cost_matrix=costs, max_depth=4).fit(X, y)
    X[rng.random(X.shape) < 0.3] = np.nan
    assert_agrees(script, model.tree_, X)
