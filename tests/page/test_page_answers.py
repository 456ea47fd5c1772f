"""The page and exported JavaScript find answers by the same functions, stated once."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor, splits
from treewright.export import export_tree
from treewright.export.decisions import COST_ROUNDING
from treewright.export.javascript import answer_functions
from treewright.page.page import _script

COSTS = [[0, 1, 9], [3, 0, 1], [1, 2, 0]]


def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    return X, (X.sum(axis=1) > 0).astype(int) + (X[:, 0] > 1)


def test_javascript_mixed_and_chose_answers_twice():
    assets = resources.files("treewright.page").joinpath("assets")
    own = "".join(file.read_text("utf-8") for file in assets.iterdir() if file.name.endswith("js"))
    template = resources.files("treewright.export").joinpath("templates", "javascript.jinja")
    assert repr(COST_ROUNDING) not in assets.joinpath("routing.js").read_text("utf-8")
    for name, text in answer_functions().items():
        assert _script().count(text) == 1
        for source in (own, template.read_text("utf-8")):
            assert f"function {name}(" not in source


@pytest.mark.parametrize(
    ("model", "used"),
    [
        (TreeClassifier(max_depth=2), set()),
        (TreeClassifier(max_depth=2, missing="fraction"), {"largest", "mix"}),
        (
            TreeClassifier(max_depth=2, missing="fraction", cost_matrix=COSTS),
            {"cheapest", "mix"},
        ),
        (TreeRegressor(max_depth=2, missing="fraction"), {"mix"}),
        (TreeClassifier(max_depth=1, split=splits.LMDT()), {"largest"}),
    ],
    ids=["plain", "divided", "costs", "numbers", "scores"],
)
def test_exported_javascript_holds_the_functions_that_it_calls(model, used):
    code = export_tree(model.fit(*rows()).tree_, "javascript")
    held = {name for name, text in answer_functions().items() if text in code}
    assert held == used
