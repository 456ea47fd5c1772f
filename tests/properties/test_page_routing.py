"""The script of the page sends rows where the core sends them, and answers as `predict` does."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from importlib import resources
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import coded_rows, trees

from treewright import TreeClassifier, _core
from treewright.tree import Tree

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs the program node")

HARNESS = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { tree, rows } = JSON.parse(line);
  console.log(JSON.stringify(rows.map((cells) => {
    const { steps, ends, mixed, value } = predict(tree, cells.map((cell) => cell ?? NaN));
    const passed = steps.map(({ node }) => node);
    return { passed, ends: ends.map(({ node, share }) => [node, share]), mixed, value };
  })));
});
"""


class Script:
    """The routing of the page, run by one process of node for all examples."""

    def __init__(self) -> None:
        routing = resources.files("treewright.page").joinpath("assets", "routing.js").read_text()
        command = [NODE, "--eval", f'"use strict";{routing}{HARNESS}']
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def answers(self, tree: Tree, values: NDArray[np.float64]) -> list[dict[str, Any]]:
        """What the page says of some rows, by position of nodes and classes."""
        rows = [[None if math.isnan(cell) else cell for cell in row] for row in values.tolist()]
        self.process.stdin.write(json.dumps({"tree": tree.to_json(), "rows": rows}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline(), parse_int=float)


@pytest.fixture(scope="module")
def script():
    script = Script()
    yield script
    script.process.stdin.close()
    script.process.stdout.close()
    script.process.wait()


def assert_agrees(script: Script, tree: Tree, values: NDArray[np.float64]) -> None:
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


@given(pair=trees_with_rows())
def test_the_script_of_the_page_agrees_with_predict(script, pair):
    assert_agrees(script, *pair)


def test_divided_rows_get_the_class_of_least_cost(script):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X.sum(axis=1) > 0).astype(int) + (X[:, 0] > 1)
    costs = [[0, 1, 9], [3, 0, 1], [1, 2, 0]]
    model = TreeClassifier(missing="fraction", cost_matrix=costs, max_depth=4).fit(X, y)
    X[rng.random(X.shape) < 0.3] = np.nan
    assert_agrees(script, model.tree_, X)
