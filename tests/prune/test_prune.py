"""Pruners against brute force over all pruned subtrees, and what each promises."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from handmade import build, inner, leaf
from pruned_subtrees import (
    SHAPES,
    inner_nodes,
    leaves_of,
    pruned_subtrees,
    small_tree,
)
from sklearn.base import clone
from sklearn.datasets import load_iris

from treewright import MUST, TreeClassifier, TreeRegressor
from treewright.exceptions import DataError
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Linear, Machine, Multiway, Pair, Subset
from treewright.prune import (
    PRUNERS,
    CostComplexity,
    CriticalValue,
    DescriptionLength,
    Honest,
    Path,
    ReducedError,
    as_pruner,
    critical_value,
    description_length,
    merge_siblings,
    reduced_error,
)
from treewright.prune.description_length import _test_bits, class_bits
from treewright.schema import Column, Schema

IRIS = load_iris()


# ---------------------------------------------------------------- reduced error


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(5))
def test_reduced_error_is_the_smallest_of_the_best_pruned_subtrees(shape, seed):
    tree, _, _ = small_tree(seed, **SHAPES[shape])
    _, held_out, truth = small_tree(seed + 100, missing=tree.node(0).missing)
    cost = np.array(SHAPES[shape].get("cost_matrix", 1.0 - np.eye(3)), dtype=float)
    codes = np.searchsorted(tree.schema.classes, truth)

    def loss(inner):
        cut = tree.collapse(set(range(tree.n_nodes)) - inner)
        answers = cut.core.value[cut.apply(held_out)].astype(int)
        return cost[codes, answers].sum()

    losses = {inner: loss(inner) for inner in pruned_subtrees(tree)}
    pruned = reduced_error(tree, held_out, truth)
    best = [inner for inner, one in losses.items() if one <= min(losses.values()) + 1e-9]
    assert inner_nodes(pruned) == min(best, key=len)


def test_unseen_subtrees_may_be_kept():
    tree, _, _ = small_tree(1)
    one_row = pd.DataFrame({"a": [0.0], "b": [0.0], "city": ["Oslo"]})
    truth = [tree.predict(one_row)[0]]
    assert reduced_error(tree, one_row, truth, keep_unseen=True).n_leaves >= 1
    kept = reduced_error(tree, one_row, truth, keep_unseen=True)
    assert kept.n_leaves >= reduced_error(tree, one_row, truth).n_leaves


def test_reduced_error_of_numbers_and_weights():
    tree, table, number = small_tree(2, "numbers")
    pruned = reduced_error(tree, table, number, np.linspace(0.1, 2.0, 40))
    assert pruned == tree  # every test lowers the squared error of the rows it was found on
    assert reduced_error(tree, table, np.full(40, tree.node(0).value)).n_leaves == 1


def test_refit_counts_all_rows():
    parameters = {"share": 0.4}
    plain = TreeClassifier(prune=ReducedError(**parameters)).fit(IRIS.data, IRIS.target)
    full = TreeClassifier(prune=ReducedError(refit=True, **parameters))
    full.fit(IRIS.data, IRIS.target)
    assert plain.tree_.node(0).rows == 90
    assert full.tree_.node(0).rows == 150
    assert plain.tree_.n_nodes == full.tree_.n_nodes


# ---------------------------------------------------------------- description length


def test_class_bits_of_the_worked_examples():
    expected = {
        (9, 5): 16.219177,
        (4, 0): 2.151496,
        (3, 2): 7.167213,
        (10, 0): 2.812460,
        (50, 50, 50): 246.624690,
    }
    for counts, bits in expected.items():
        assert class_bits(np.array([counts], dtype=float))[0] == pytest.approx(bits, abs=1e-6)
    assert class_bits(np.zeros((1, 3)))[0] == 0.0
    # One row is told by the constant alone: log2(1 / 2) would be less than no bits.
    assert class_bits(np.array([[1.0, 0.0]]))[0] == pytest.approx(math.log2(math.pi))


@pytest.mark.parametrize(
    ("predicate", "bits"),
    [
        (AxisTest(0, 3.0), math.log2(4) + math.log2(8 - 1)),
        (Linear((0, 1), (1.0, 1.0), 9.0), math.log2(6) + math.log2(8) / 2 + math.log2(8 - 1)),
        (Subset(2, (0,), (1, 2)), math.log2(4) + math.log2(2**3 - 2)),
        (Multiway(2, (0, 1, 2)), math.log2(4)),
        (
            Machine((0, 1), ((2.0, 0.0), (0.0, 1.0), (0.0, 0.0)), (1.0, 0.0, 0.5)),
            math.log2(6) + 2 * 3 / 2 * math.log2(8),
        ),
        (
            Pair("and", AxisTest(0, 3.0), Subset(2, (0,), (1, 2))),
            math.log2(5) + 2 * math.log2(4) + math.log2(8 - 1) + math.log2(2**3 - 2),
        ),
    ],
    ids=lambda given: type(given).__name__,
)
def test_bits_of_splits_by_hand(predicate, bits):
    numbers = np.arange(8.0)
    values = np.column_stack([numbers, 2.0 * numbers, numbers % 3, np.full(8, np.nan)])
    assert _test_bits(predicate, values, n_columns=4) == pytest.approx(bits)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "costs"])
@pytest.mark.parametrize("seed", range(4))
def test_description_length_is_the_least_of_all_pruned_subtrees(shape, seed):
    tree, table, _ = small_tree(seed, **SHAPES[shape])
    paths = tree.decision_path(table).toarray()
    values = tree.schema.encode(table)

    def n_distinct(cells):
        return len(np.unique(cells[~np.isnan(cells)]))

    def split_bits(number):
        rows, test = paths[:, number] > 0, tree.node(number).predicate
        bits = math.log2(math.comb(3, len(test.columns)))
        match type(test).__name__:
            case "Axis":
                return bits + math.log2(n_distinct(values[rows, test.columns[0]]) - 1)
            case "Subset":
                return bits + math.log2(2 ** n_distinct(values[rows, test.columns[0]]) - 2)
            case "Multiway":
                return bits
            case "Linear":
                sums = values[rows][:, list(test.columns)] @ np.array(test.coefficients)
                bits += (len(test.columns) - 1) / 2 * math.log2(rows.sum())
                return bits + math.log2(n_distinct(sums) - 1)

    def bits(inner):
        leaves = leaves_of(tree, inner)
        told = class_bits(tree.core.statistics[leaves]).sum()
        told += class_bits(tree.core.stopped_statistics[list(inner)]).sum()
        return told + len(leaves) + sum(1.0 + split_bits(node) for node in inner)

    pruned = description_length(tree, table)
    least = min(bits(inner) for inner in pruned_subtrees(tree))
    assert bits(inner_nodes(pruned)) == pytest.approx(least)


def test_description_length_is_for_classes_without_costs():
    tree, table, _ = small_tree(0, "numbers")
    with pytest.raises(ValueError, match="cost_complexity"):
        description_length(tree, table)
    costly, table, _ = small_tree(0, cost_matrix=SHAPES["costs"]["cost_matrix"])
    with pytest.raises(ValueError, match="knows no costs"):
        description_length(costly, table)


# ---------------------------------------------------------------- critical value


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_test_stays_if_it_or_one_below_is_strong(kind):
    tree, _, _ = small_tree(4, kind)
    strength = {
        node.id: node.gain / node.weight for node in tree.walk() if node.predicate is not None
    }
    for value in [0.0, *sorted(strength.values())]:
        pruned = inner_nodes(critical_value(tree, value))
        strong = {node for node, one in strength.items() if one > value}
        above = set()
        for node in strong:
            while node is not None:
                above.add(node)
                node = tree.node(node).parent
        assert pruned == above


def test_p_values_are_those_of_the_textbook():
    from scipy.stats import chi2_contingency, f_oneway

    tree, table, _ = small_tree(5, max_leaf_nodes=2)
    counts = tree.core.statistics[1:]
    counts = counts[:, counts.sum(axis=0) > 0]
    p_value = chi2_contingency(counts, correction=False).pvalue
    assert critical_value(tree, p_value * 1.001, statistic="p_value").n_leaves == 2
    assert critical_value(tree, p_value * 0.999, statistic="p_value").n_leaves == 1
    tree, table, number = small_tree(5, "numbers", max_leaf_nodes=2)
    leaf = tree.apply(table)
    p_value = f_oneway(*(number[leaf == one] for one in np.unique(leaf))).pvalue
    assert critical_value(tree, p_value * 1.001, statistic="p_value").n_leaves == 2
    assert critical_value(tree, p_value * 0.999, statistic="p_value").n_leaves == 1


# ---------------------------------------------------------------- merging


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_merging_keeps_every_answer_and_leaves_nothing_to_merge(shape, seed):
    tree, table, _ = small_tree(seed, max_leaf_nodes=12, **SHAPES[shape])
    merged = merge_siblings(tree)
    assert (merged.predict(table) == tree.predict(table)).all()
    assert merge_siblings(merged) == merged
    for node in merged.walk():
        answers = {merged.node(child).value for child in node.children}
        assert all(merged.node(child).is_leaf for child in node.children) <= (len(answers) != 1)


def test_merging_keeps_what_rows_that_stop_are_told():
    """All leaves say "a", but a row without b stops where most rows are of class "b"."""
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("a", "b"))
    below = inner(AxisTest(1, 0.0), leaf(3, 1), leaf(3, 1), stopped=(0, 9), missing="stop")
    tree = build(schema, inner(AxisTest(0, 0.0), below, leaf(20, 0)))
    assert merge_siblings(tree) == tree
    assert tree.predict([{"a": -1.0, "b": None}]) == ["b"]


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("name", PRUNERS)
def test_every_pruner_cuts_back_and_commutes_with_the_order_of_rows(name):
    random = np.random.default_rng(8)
    X = random.normal(size=(300, 4))
    y = ((X[:, 0] > 0) ^ (random.random(300) < 0.2)).astype(int)
    fold = np.arange(300) % 5
    prune = as_pruner(name)
    if hasattr(prune, "folds"):
        prune.folds = fold
    # Squeezing is about sums of columns alone.
    split = MUST(2) if name == "squeeze" else "axis"
    grown = TreeClassifier(split=split, min_samples_leaf=3).fit(X, y)
    model = TreeClassifier(split=split, min_samples_leaf=3, prune=prune).fit(X, y)
    assert model.tree_.complexity < grown.tree_.complexity
    assert model.score(X, y) > 0.7
    if name == "reduced_error":  # its part depends on the order of the rows
        return
    order = random.permutation(300)
    if hasattr(prune, "folds"):
        prune.folds = fold[order]
    assert model.tree_ == clone(model).set_params(prune=prune).fit(X[order], y[order]).tree_


@pytest.mark.parametrize("name", PRUNERS)
def test_pruners_for_numbers_and_costs(name):
    X, y = IRIS.data, IRIS.target
    regressor = TreeRegressor(prune=name)
    classifier = TreeClassifier(prune=name, cost_matrix=[[0, 1, 4], [1, 0, 2], [3, 1, 0]])
    if PRUNERS[name].for_numbers:
        assert regressor.fit(X, y).tree_.n_leaves < 20
    else:
        with pytest.raises(ValueError, match=r"^The 'prune' parameter .* pruner for regression"):
            regressor.fit(X, y)
    if PRUNERS[name].knows_costs:
        assert classifier.fit(X, y).tree_.n_leaves < 20
    else:
        with pytest.raises(ValueError, match=r"^The 'prune' parameter .* knows costs"):
            classifier.fit(X, y)


def test_names_of_pruners_mean_their_defaults():
    defaults = {"cost_complexity": CostComplexity(), "mdl": DescriptionLength()}
    defaults |= {"reduced_error": ReducedError(), "critical_value": CriticalValue()}
    for name, pruner in defaults.items():
        by_name = TreeClassifier(prune=name).fit(IRIS.data, IRIS.target)
        by_object = TreeClassifier(prune=pruner).fit(IRIS.data, IRIS.target)
        assert by_name.tree_ == by_object.tree_


@pytest.mark.parametrize(
    ("pruner", "words"),
    [
        (CostComplexity(se=-1), "'se' parameter of CostComplexity"),
        (CostComplexity(folds=1), "'folds' parameter"),
        (CostComplexity(folds="ten"), "'folds' parameter"),
        (CostComplexity(risk="mae"), "'risk' parameter"),
        (CostComplexity(risk="squared_error"), "'risk' of a classification tree"),
        (CostComplexity(penalty="depth"), "'penalty' parameter"),
        (CostComplexity(cp=-0.1), "'cp' parameter"),
        (CostComplexity(holdout=1.0), "'holdout' parameter"),
        (CostComplexity(holdout=0.1, alpha=1.0), "either 'alpha' or 'holdout'"),
        (CostComplexity(n_jobs=0), "'n_jobs' parameter"),
        (ReducedError(share=0.0), "'share' parameter"),
        (CriticalValue(statistic="t"), "'statistic' parameter"),
    ],
)
def test_wrong_parameters_of_pruners_are_refused(pruner, words):
    with pytest.raises(ValueError, match=words):
        TreeClassifier(prune=pruner).fit(IRIS.data, IRIS.target)


def test_a_path_knows_its_length_and_prints_itself_briefly():
    path = TreeClassifier().fit(IRIS.data, IRIS.target).path_
    assert isinstance(path, Path)
    assert repr(path) == f"<Path: {len(path)} nested trees, {path[0].leaves} to 1 leaves>"
    assert path[1:][0] == path[1]


# ---------------------------------------------------------------- honest leaves


def test_honest_leaves_count_only_rows_that_took_no_part_in_growing():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(2000, 5)), random.integers(0, 2, 2000)
    flattered = TreeClassifier(max_leaf_nodes=30).fit(X, y)
    honest = TreeClassifier(max_leaf_nodes=30, prune=Honest(0.5)).fit(X, y)
    assert honest.tree_.node(0).rows == 1000
    assert honest.tree_.edits == ()
    # Nothing can be learned here, and only the honest tree says so.
    assert flattered.tree_.training_score > 0.56
    assert honest.tree_.training_score < 0.56


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_honest_paths_are_cut_from_the_honest_tree(kind):
    model = kind(prune=Honest(0.4, "cost_complexity"), random_state=1)
    model.fit(IRIS.data, IRIS.target)
    assert model.path_.largest.node(0).rows == 60
    assert model.tree_ == model.path_[model.path_.chosen].tree
    assert model.at(leaves=1).node(0).rows == 60


def test_honest_medians():
    random = np.random.default_rng(2)
    X = random.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0, 10.0, 0.0) + random.exponential(size=200)
    model = TreeRegressor(criterion="absolute_error", max_depth=1, prune=Honest(0.5)).fit(X, y)
    for node in model.tree_.leaves():
        assert node.value < node.statistics[1]  # the median of a skewed leaf is below its mean


def test_a_part_that_cannot_be_held_out_is_refused():
    with pytest.raises(DataError, match="cannot be taken from 1 sample"):
        TreeClassifier(prune=Honest(0.3)).fit([[1.0]], ["a"])
