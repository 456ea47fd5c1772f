"""Limits of a tree's numbers and words, which a change of one sign once passed unseen."""

from __future__ import annotations

import math

import handmade
import numpy as np
import pytest
from handmade import build, inner, leaf

from treewright import TreeClassifier, TreeRegressor
from treewright.exceptions import DataError, ModelFileError
from treewright.predicates import Axis
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.leaf_rules import LeafRule
from treewright.tree.tree_text import divided_note, rule_text, value_text
from treewright.tree.use import weights_of

TABLE = {"size": [1.0, 2.0, 3.0, 8.0, 9.0, None], "age": [4.0, 1.0, 5.0, 2.0, 7.0, 3.0]}
COSTS = [10.0, 11.0, 12.0, 30.0, 32.0, 90.0]


@pytest.mark.parametrize("n_weights", [2, 4])
def test_too_few_weights_are_refused_like_too_many(n_weights):
    with pytest.raises(DataError, match="one weight a row, 3 in all"):
        weights_of(np.ones(n_weights), 3)


@pytest.mark.parametrize("beyond", [0, 1, 100])
def test_a_node_beyond_the_last_cannot_be_collapsed(beyond):
    tree = handmade.heart()
    with pytest.raises(IndexError):
        tree.collapse([1, tree.n_nodes + beyond])


def test_variance_explained_counts_rows_that_stop_by_the_mean_of_their_node():
    sizes = {"size": TABLE["size"]}
    tree = TreeRegressor(missing="stop", max_leaf_nodes=2).fit(sizes, COSTS).tree_
    residual = np.square(COSTS - tree.predict(sizes)).sum()
    total = np.square(COSTS - np.mean(COSTS)).sum()
    assert tree.training_score == pytest.approx(1.0 - residual / total)


def test_a_tree_without_weight_has_no_cover_and_no_usage():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 1.0), leaf(0, 0), leaf(0, 0)))
    assert tree.feature_importances("usage").tolist() == [0.0]
    rule = LeafRule.of_node(tree.node(1), (), rows=0.0, all_rows=0.0, decimals=0)
    assert math.isnan(rule.cover)


def test_a_rule_counts_all_rows_of_its_leaf_or_those_it_is_given():
    node = handmade.stump().node(0)
    assert rule_text((), node, 0).endswith("8 rows)")
    assert rule_text((), node, 0, rows=2.0).endswith("2 rows)")


def test_twelve_decimals_are_written_and_thirteen_are_not():
    assert value_text(1.5, 12) == "1.500000000000"
    assert value_text(1.5, 13) == "1.5"


@pytest.mark.parametrize("missing", ["fraction", "surrogate", "default", "stop"])
def test_only_a_tree_that_divides_rows_says_so_below_its_rules(missing):
    tree = TreeClassifier(missing=missing).fit(TABLE, ["a", "a", "a", "b", "b", "b"]).tree_
    said = divided_note(tree, tree.walk())
    assert bool(said) == (missing == "fraction")


def test_a_split_that_does_not_fit_its_column_is_found():
    schema = Schema((Column("x", "categorical", ("low", "high")),), ("a", "b"))
    with pytest.raises(ValueError, match="x"):
        build(schema, inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1))).validate()


@pytest.mark.parametrize("row", [[0], [0, 1, 2]])
def test_a_cost_matrix_that_is_not_square_is_refused(row):
    model = TreeClassifier(cost_matrix=[[0, 1], [2, 0]]).fit(TABLE, ["a"] * 3 + ["b"] * 3)
    content = model.tree_.to_json()
    for costs in ([row, [2, 0]], [[0, 1], row]):
        with pytest.raises(ModelFileError, match="must be 2 lists of 2 numbers"):
            Tree.from_json({**content, "cost_matrix": costs}, model.schema_)


def test_a_column_that_stands_in_for_another_shares_its_importance():
    size = [1.0, 2.0, 3.0, 8.0, 9.0, 10.0]
    table = {"size": size, "twin": [2.0 * value for value in size], "noise": [1.0] * 6}
    tree = TreeClassifier(missing="surrogate").fit(table, ["a"] * 3 + ["b"] * 3).tree_
    assert tree.feature_importances(normalized=False).tolist() == [0.5, 0.0, 0.0]
    assert tree.feature_importances("surrogate", normalized=False).tolist() == [0.5, 0.5, 0.0]
