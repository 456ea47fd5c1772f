"""The same trees as R's oblique.tree: nodes, columns, coefficients, and their pruned trees."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from sampling import some_quick

from oracles import logistic
from treewright import _core, recipes
from treewright.predicates import Axis, Linear
from treewright.prune import cost_complexity_path
from treewright.prune.risks import node_risks
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

pytestmark = pytest.mark.oracle

TREES = [name for name in logistic.recorded_trees() if "lasso" not in name]
PENALISED = [name for name in logistic.recorded_trees() if "lasso" in name]


@functools.cache
def grown(name: str) -> Any:
    data, mode, concise, measure = logistic.split_name(name)
    model = recipes.oblique_tree(mode, concise=concise, criterion=measure)
    return model.fit(*logistic.load(data))


def recorded_nodes(name: str) -> dict[int, dict[str, Any]]:
    return {node["id"]: node for node in logistic.oracle()["trees"][name]["tree"]["nodes"]}


def leaf_sum(tree: Tree, risk: str) -> float:
    return float(node_risks(tree, risk)[tree.core.n_branches == 0].sum())


def is_separated(tree: Tree, node: int) -> bool:
    """Tell whether a test leaves every class on one side: its coefficients mean little then."""
    first = int(tree.core.first_child[node])
    left, right = tree.core.statistics[first : first + 2]
    return bool(np.all((left == 0.0) | (right == 0.0)))


@pytest.mark.parametrize("name", TREES)
def test_same_nodes(name: str) -> None:
    """All 60 trees; the prototype of the specification had 59."""
    tree = grown(name).tree_
    places = logistic.by_heap(tree, swapped_levels=True)
    expected = recorded_nodes(name)
    assert {number: tree.node(node).rows for number, node in places.items()} == {
        number: node["n"] for number, node in expected.items()
    }
    for number, node in places.items():
        shares = tree.core.statistics[node] / tree.core.statistics[node].sum()
        np.testing.assert_allclose(shares, expected[number]["yprob"], atol=1e-9)
    summary = logistic.oracle()["trees"][name]["tree"]
    assert leaf_sum(tree, "deviance") == pytest.approx(summary["leaf_dev"], abs=1e-6)
    if name != "fgl.on.none.deviance":  # the package counts a slope of 0 there, we do not
        assert abs(tree.complexity - summary["complexity"]) <= 1


@pytest.mark.parametrize("name", TREES)
def test_same_tests(name: str) -> None:
    """Columns and coefficients; where groups are separated, the passes of R end elsewhere."""
    model = grown(name)
    tree, names = model.tree_, [column.name for column in model.schema_.columns]
    places = logistic.by_heap(tree, swapped_levels=True)
    compared = 0
    for number, expected in recorded_nodes(name).items():
        here = tree.node(places[number]).predicate
        if expected["kind"] == "oblique":
            coefficients = {k: v for k, v in expected["coef"].items() if v}
            intercept = coefficients.pop("(Intercept)")
            assert isinstance(here, Linear)
            if is_separated(tree, places[number]):
                continue
            found = {
                names[column]: slope
                for column, slope in zip(here.columns, here.coefficients, strict=True)
            }
            assert found == pytest.approx(coefficients, rel=1e-3)
            assert -here.threshold == pytest.approx(intercept, rel=1e-3)
            compared += 1
        elif expected["kind"] == "univariate" and isinstance(here, Axis):
            assert names[here.column] == expected["var"]
            assert here.threshold == pytest.approx(expected["cut"], rel=1e-5, abs=2e-6)
            compared += 1
    assert compared > 0 or "crabs" in name


@pytest.mark.long
@pytest.mark.parametrize("name", some_quick(PENALISED, every=3))
def test_penalised_tests_differ_where_the_package_counts_short(name: str) -> None:
    """The package charges a step for one column less than it uses and does not scale columns.

    So the trees are others. They are about as large, and not worse on the rows they were grown on.
    """
    tree = grown(name).tree_
    summary = logistic.oracle()["trees"][name]["tree"]
    assert abs(tree.n_leaves - summary["leaves"]) <= 2
    errors = leaf_sum(tree, "errors")
    assert errors <= summary["train_errors"] + 0.03 * tree.node(0).rows


@pytest.mark.parametrize("data", ["crabs5", "crabspc", "Pima", "fgl", "iris3"])
def test_every_ideal_split_of_the_root(data: str) -> None:
    """Deviance, passes, rows on each side and impurity of all bipartitions."""
    X, y = logistic.load(data)
    schema = recipes.oblique_tree("axis").fit(X, y).schema_
    table, target = table_of(X, schema), target_of(y, schema, len(y))
    columns = list(range(X.shape[1]))
    ways = _core.ways_to_divide(table, columns, target, "exhaustive", 0, 0)
    rows = np.arange(len(y), dtype=np.uint32)
    recorded = logistic.root_splits(data)
    assert len(ways) == len(recorded)
    for way, expected in zip(ways, recorded, strict=True):
        inside = np.array(way, dtype=np.uint8)[y]
        model = _core.NodeModels(table, target, rows, columns, inside, solver="irls").fit()
        separated = expected["deviance"] < 1e-3
        assert model.deviance == pytest.approx(expected["deviance"], rel=1e-6, abs=1e-4)
        if not separated:
            assert model.converged == expected["converged"]
            assert model.iterations == expected["iter"]
            intercept, *slopes = expected["coef"]
            assert model.intercept == pytest.approx(intercept, rel=1e-4)
            assert model.slopes == pytest.approx(slopes, rel=1e-4)
        right = _core.route(model.test, table) == 1
        assert (np.sum(~right), np.sum(right)) == (expected["n_left"], expected["n_right"])


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("penalty", ["size", "complexity"])
@pytest.mark.parametrize("risk", ["deviance", "misclass"])
def test_same_pruned_trees(name: str, penalty: str, risk: str) -> None:
    """Leaves, risk and price of every nested tree, wherever the package finished."""
    recorded = logistic.oracle()["trees"][name].get(f"prune_{penalty}_{risk}")
    if recorded is None or "error" in recorded:
        pytest.skip("the package stopped with an error, or the tree is one leaf")
    tree = grown(name).tree_
    if penalty == "complexity" and tree.complexity != recorded_complexity(name):
        pytest.skip("the package counts a column that has slope 0")
    path = cost_complexity_path(
        tree,
        risk="deviance" if risk == "deviance" else "errors",
        penalty="leaves" if penalty == "size" else "attributes",
    )
    found = {entry.leaves: (entry.risk, entry.alpha) for entry in path}
    for size, loss, price in zip(recorded["size"], recorded["dev"], recorded["k"], strict=True):
        if price == "-inf":
            continue
        if size not in found:  # the package prunes at one price in several steps
            assert any(alpha == pytest.approx(price) for _, alpha in found.values()) or price == 0
            continue
        assert found[size][0] == pytest.approx(loss, abs=1e-4)
        assert found[size][1] == pytest.approx(price, abs=1e-4)


def recorded_complexity(name: str) -> int:
    return int(logistic.oracle()["trees"][name]["tree"]["complexity"])


def test_the_tree_its_help_page_speaks_of() -> None:
    """Held-out deviance of the mixture tree on Pima is least at a price of 8.148 a column."""
    tree = grown("Pima.on.none.deviance").tree_
    X, y = logistic.load("Pima.te")
    losses = {}
    for entry in cost_complexity_path(tree, risk="deviance", penalty="attributes"):
        shares = np.maximum(entry.tree.distribution(X), 1e-3)
        losses[entry.alpha] = -2.0 * np.log(shares[np.arange(len(y)), y]).sum()
    best = min(losses, key=losses.__getitem__)
    assert best == pytest.approx(8.148267, abs=1e-5)
    assert losses[best] == pytest.approx(348.4272, abs=1e-3)
