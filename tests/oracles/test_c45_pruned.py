"""The same pruned trees as C4.5 release 8 and Weka's J48, and the same estimates of their errors.

Of release 8 sizes, errors and the estimate (in percent, one decimal) are recorded; of J48 the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from oracles import data, reference
from oracles.c45 import RELEASE_8
from treewright import recipes
from treewright.prune import estimated_errors
from treewright.tree import Tree

pytestmark = pytest.mark.oracle

WITH_NEW_ROWS = ("labor-neg", "monk1", "monk2", "hypo")

J48_SETS: dict[str, Callable[[], data.DataSet]] = {
    "iris": data.iris,
    "kyphosis": data.kyphosis,
    "golf": lambda: data.golf(("Dont Play", "Play")),
    "tennis": data.play_tennis,
    "cancer": data.cancer,
    "households": data.households,
    "loans": data.loans,
}
# By the options J48 was run with. Laplace counts change probabilities, not the tree.
J48_OPTIONS: dict[str, dict[str, Any]] = {
    "-C 0.25 -M 2": {},
    "-C 0.25 -M 2 -A": {"smoothing": "laplace"},
    "-C 0.25 -M 2 -S": {"raising": False},
}
NOT_COMPARABLE = {
    "-U -M 2": "not pruned; see test_c45.py",
    "-R -N 3 -M 2 -Q 1": "holds out folds drawn by Weka's own random numbers",
    "-C 0.25 -M 2 -B": "tests one level against all others, which C4.5's growth does not",
}
J48_RUNS = {
    f"J48 {name} {options}": (name, options)
    for name in J48_SETS
    for options in J48_OPTIONS
    if name != "tennis" or options == "-C 0.25 -M 2"
}


def count_errors(tree: Tree, table: data.DataSet) -> int:
    return int(np.sum(tree.predict(table.table) != table.target))


@data.needs_all
def test_every_recorded_run_is_compared_or_known_not_to_be_comparable() -> None:
    left_out = {
        f"J48 {name} {options}"
        for name in ("iris", "kyphosis", "golf", "cancer", "households", "loans")
        for options in NOT_COMPARABLE
    }
    recorded = {name for name in data.oracle()["weka"] if name.startswith("J48")}
    assert set(J48_RUNS) <= recorded <= set(J48_RUNS) | left_out
    results = data.oracle()["c45r8"]["results"]
    assert {name for name in results if "test" in results[name]} == set(WITH_NEW_ROWS)


@pytest.mark.parametrize("name", RELEASE_8)
def test_same_size_errors_and_estimate_as_release_8(name: str) -> None:
    table = RELEASE_8[name]()
    recorded = data.output("c45r8", "results", name)["train"]
    tree = recipes.c45().fit(table.table, table.target).tree_
    if name == "soybean":
        # The grown tree has one node more than the original, whose 32-bit arithmetic is the likely
        # cause (see test_c45.py), and the pruned one a node less; errors and estimate agree, and
        # J48, the same rules in 64 bits, has these 93 nodes too.
        assert tree.n_nodes == recorded["size_after"] - 1
    else:
        assert tree.n_nodes == recorded["size_after"]
    assert count_errors(tree, table) == recorded["errors_after"]
    percent = 100.0 * estimated_errors(tree, bound="c45") / len(table.target)
    assert percent == pytest.approx(recorded["estimate_percent"], abs=0.0501)


@pytest.mark.parametrize("name", WITH_NEW_ROWS)
def test_same_errors_on_new_rows_as_release_8(name: str) -> None:
    recorded = data.output("c45r8", "results", name)["test"]
    table = RELEASE_8[name]()
    tree = recipes.c45().fit(table.table, table.target).tree_
    assert count_errors(tree, data.c45_set(name, "test")) == recorded["errors_after"]


@pytest.mark.parametrize("run", J48_RUNS)
def test_same_tree_as_j48(run: str) -> None:
    name, options = J48_RUNS[run]
    table = J48_SETS[name]()
    recorded = data.output("weka", run)
    found = recipes.j48(**J48_OPTIONS[options]).fit(table.table, table.target).tree_
    expected = reference.read_text(recorded["model"], table.classes)
    rules = reference.Rules(number=1e-5, weight_absolute=0.0051)
    assert reference.differences(expected, reference.read_fitted(found), rules) == []
    assert count_errors(found, table) == recorded["train_errors"]
