"""Pruners against brute force over all pruned subtrees, and what each promises."""

from __future__ import annotations

import functools
import itertools
import math
import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from handmade import build, inner, leaf
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold

from treewright import Axis, TreeClassifier, TreeRegressor, load, split_method
from treewright.exceptions import DataError
from treewright.node import STOP_POLICIES
from treewright.predicates import Axis as AxisTest
from treewright.prune import (
    PRUNERS,
    CostComplexity,
    CriticalValue,
    DescriptionLength,
    Path,
    ReducedError,
    cost_complexity_path,
    critical_value,
    description_length,
    merge_siblings,
    reduced_error,
)
from treewright.prune.cost_complexity import choose_by_standard_errors
from treewright.prune.description_length import class_bits
from treewright.prune.risks import node_risks
from treewright.schema import Column, Schema

IRIS = load_iris()


@split_method
def between_two_columns(X, y, w, rng):
    """A direction of its own at every node: a tree with tests on several columns."""
    return rng.normal(size=X.shape[1])


def small_tree(seed, kind="classes", **parameters):
    """A tree of some leaves on noisy data with a category, and the data."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "a": random.integers(0, 6, 40).astype(float),
            "b": random.normal(size=40).round(1),
            "city": pd.Categorical(random.choice(["Oslo", "Rome", "Bonn"], 40)),
        }
    )
    number = table["a"] + 2.0 * (table["city"] == "Rome") + random.normal(scale=2.0, size=40)
    if parameters.get("missing") in STOP_POLICIES:
        table = table.mask(random.random(table.shape) < 0.2)
    limits = {"max_leaves": 8, "random_state": seed, **parameters}
    if kind == "numbers":
        return TreeRegressor(**limits).fit(table, number).tree_, table, number.to_numpy()
    target = np.digitize(number, [2.0, 4.5])
    return TreeClassifier(**limits).fit(table, target).tree_, table, target


SHAPES = {
    "axis": {},
    "multiway": {"categorical": "multiway"},
    "oblique": {"split": between_two_columns},
    "costs": {"cost_matrix": [[0, 1, 4], [1, 0, 2], [3, 1, 0]]},
    "fractions": {"missing": "fraction", "split": Axis(rules="c45"), "measure": "entropy"},
    "stops": {"missing": "stop"},
    "surrogates or stops": {"missing": "surrogate_or_stop"},
}


def pruned_subtrees(tree):
    """Every tree that can be had by making leaves of inner nodes, as the set of inner nodes."""

    @functools.cache
    def below(node):
        children = tree.node(node).children
        options = [frozenset()]
        if children:
            parts = [below(child) for child in children]
            options += [frozenset([node]).union(*parts) for parts in itertools.product(*parts)]
        return options

    return below(0)


def leaves_of(tree, inner):
    """The leaves of the pruned subtree with these inner nodes."""
    pending, leaves = [0], []
    while pending:
        node = pending.pop()
        if node in inner:
            pending.extend(tree.node(node).children)
        else:
            leaves.append(node)
    return leaves


def inner_nodes(pruned):
    """The inner nodes of a pruned tree by their ids in the tree it was cut from."""
    return frozenset(pruned.origin[pruned.core.n_branches > 0].tolist())


def size_of(tree, inner, penalty):
    if penalty == "leaves":
        return len(leaves_of(tree, inner))
    return 1 + sum(tree.node(node).predicate.n_terms for node in inner)


# ---------------------------------------------------------------- cost-complexity


@pytest.mark.parametrize("penalty", ["leaves", "attributes"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(6))
def test_weakest_links_are_the_best_of_all_pruned_subtrees(shape, penalty, seed):
    tree, _, _ = small_tree(seed, **SHAPES[shape])
    for risk in ("errors", "deviance", "gini"):
        check_against_all_subtrees(tree, risk, penalty)


@pytest.mark.parametrize("seed", range(6))
def test_weakest_links_of_numbers_are_the_best_of_all_pruned_subtrees(seed):
    tree, _, _ = small_tree(seed, "numbers")
    check_against_all_subtrees(tree, "squared_error", "leaves")


def check_against_all_subtrees(tree, risk, penalty):
    risks = node_risks(tree, risk)
    subtrees = [
        (sum(risks[leaf] for leaf in leaves_of(tree, inner)), size_of(tree, inner, penalty), inner)
        for inner in pruned_subtrees(tree)
    ]
    path = cost_complexity_path(tree, risk=risk, penalty=penalty)
    alphas = path.alphas
    between = np.append((alphas[:-1] + alphas[1:]) / 2, alphas[-1] + 1.0)
    for entry, alpha in zip(path, between, strict=True):
        least = min(cost + alpha * size for cost, size, _ in subtrees)
        tolerance = 1e-9 * (1.0 + abs(least))
        own = entry.risk + alpha * size_of(tree, inner_nodes(entry.tree), penalty)
        assert own == pytest.approx(least, abs=tolerance)
        # Just at its alpha it is the smallest of the best.
        least_here = min(cost + entry.alpha * size for cost, size, _ in subtrees)
        equally_good = [
            inner
            for cost, size, inner in subtrees
            if cost + entry.alpha * size <= least_here + 1e-7 * (1.0 + abs(least_here))
        ]
        assert inner_nodes(entry.tree) == min(equally_good, key=len)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_entries_say_what_their_trees_are(shape, seed):
    tree, _, _ = small_tree(seed, **SHAPES[shape])
    path = cost_complexity_path(tree)
    assert list(path.alphas) == sorted(set(path.alphas))
    previous = None
    for entry in path:
        assert entry.leaves == entry.tree.n_leaves
        assert entry.reading_effort == pytest.approx(entry.tree.reading_effort)
        own = node_risks(entry.tree)[entry.tree.core.n_branches == 0].sum()
        assert entry.risk == pytest.approx(own, abs=1e-9)
        inner = inner_nodes(entry.tree)
        assert previous is None or inner < previous
        previous = inner
    assert path[-1].leaves == 1


def test_a_tie_between_nested_links_is_one_step():
    """Two nested tests that save one error each for one leaf each are cut together."""
    X = np.arange(8.0)[:, None]
    path = TreeClassifier(max_leaves=3).fit(X, list("aaaabbcc")).path_
    assert [(entry.alpha, entry.leaves) for entry in path] == [(0.0, 3), (2.0, 1)]


def test_trees_by_leaves_and_by_alpha():
    model = TreeClassifier().fit(IRIS.data, IRIS.target)
    sizes = [entry.leaves for entry in model.path_]
    for leaves in range(1, 12):
        assert model.at(leaves=leaves).n_leaves == max(size for size in sizes if size <= leaves)
    for entry in model.path_:
        assert model.at(alpha=entry.alpha) == entry.tree
        assert model.at(alpha=entry.alpha * 1.0001 + 1e-6).n_leaves == entry.leaves
    for wrong in ({}, {"leaves": 2, "alpha": 1.0}, {"leaves": 0}, {"alpha": -1.0}):
        with pytest.raises(ValueError, match=r"leaves|alpha"):
            model.at(**wrong)


def test_a_model_with_another_tree_predicts_and_saves(tmp_path):
    model = TreeClassifier().fit(IRIS.data, IRIS.target)
    small = model.with_tree(model.at(leaves=3))
    assert small.get_n_leaves() == 3
    assert model.get_n_leaves() > 3
    small.save(tmp_path / "small.json")
    assert (load(tmp_path / "small.json").predict(IRIS.data) == small.predict(IRIS.data)).all()
    with pytest.raises(ValueError, match="other columns or classes"):
        model.with_tree(TreeClassifier().fit([[1.0], [2.0]], [0, 1]).tree_)


@pytest.mark.parametrize("missing", ["default", *STOP_POLICIES])
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_cross_validation_by_hand(kind, missing):
    """The held-out losses of trees grown on each part and pruned at the scaled middles."""
    random = np.random.default_rng(3)
    X = random.normal(size=(120, 3))
    number = X[:, 0] + random.normal(size=120)
    y = (number > 0).astype(int) if kind is TreeClassifier else number
    fold = random.integers(0, 5, 120)
    X[random.random(X.shape) < 0.1] = np.nan
    settings = {"readable": False, "missing": missing}
    model = kind(prune=CostComplexity(folds=fold, se=0.5), **settings).fit(X, y)
    alphas = model.path_.alphas
    losses = np.zeros((120, len(alphas)))
    for part in range(5):
        grown = kind(**settings).fit(X[fold != part], y[fold != part])
        for k in range(len(alphas)):
            beta = math.sqrt(alphas[k] * alphas[k + 1]) if k + 1 < len(alphas) else math.inf
            pruned = cost_complexity_path(grown.tree_).at(alpha=beta * np.mean(fold != part)).tree
            answer = pruned.predict(X[fold == part])
            truth = y[fold == part]
            wrong = answer != truth if kind is TreeClassifier else (answer - truth) ** 2
            losses[fold == part, k] = wrong
    risk = losses.sum(axis=0)
    error = np.sqrt((losses**2).sum(axis=0) - risk**2 / 120)
    np.testing.assert_allclose([entry.cv_risk for entry in model.path_], risk)
    np.testing.assert_allclose([entry.cv_standard_error for entry in model.path_], error)
    assert model.path_.chosen == choose_by_standard_errors(risk, error, 0.5)
    assert model.tree_ == model.path_[model.path_.chosen].tree


def test_folds_as_a_number_as_labels_and_as_a_splitter():
    y = IRIS.target
    labels = np.empty(150, dtype=int)
    for number, (_, held_out) in enumerate(KFold(5, shuffle=True, random_state=1).split(y)):
        labels[held_out] = number
    by_splitter = TreeClassifier(
        prune=CostComplexity(folds=KFold(5, shuffle=True, random_state=1))
    ).fit(IRIS.data, y)
    by_labels = TreeClassifier(prune=CostComplexity(folds=labels)).fit(IRIS.data, y)
    by_names = TreeClassifier(prune=CostComplexity(folds=[f"f{k}" for k in labels]))
    assert list(by_splitter.path_) == list(by_labels.path_)
    assert list(by_names.fit(IRIS.data, y).path_) == list(by_labels.path_)
    for wrong, words in {
        "one fold a row": labels[:10],
        "two folds at least": np.zeros(150),
        "more than once": _Splitter([(0, [0, 1]), (0, [1, 2])]),
        "never hold out row 3": _Splitter([(0, [0, 1, 2]), (0, list(range(4, 150)))]),
    }.items():
        with pytest.raises(DataError, match=wrong):
            TreeClassifier(prune=CostComplexity(folds=words)).fit(IRIS.data, y)


class _Splitter:
    def __init__(self, parts):
        self.parts = parts

    def split(self, X, y):
        return iter(self.parts)

    def get_n_splits(self):
        return len(self.parts)


def test_given_folds_keep_to_their_rows_when_others_have_no_weight():
    weights = np.ones(150)
    weights[::7] = 0.0
    fold = np.arange(150) % 4
    whole = TreeClassifier(prune=CostComplexity(folds=fold))
    kept = weights > 0
    part = clone(whole).set_params(prune__folds=fold[kept])
    whole.fit(IRIS.data, IRIS.target, sample_weight=weights)
    part.fit(IRIS.data[kept], IRIS.target[kept])
    assert list(whole.path_) == list(part.path_)


def test_folds_are_balanced_and_repeat_unless_there_is_a_random_state():
    def fit(**more):
        return TreeClassifier(prune="cost_complexity", **more).fit(IRIS.data, IRIS.target)

    assert list(fit().path_) == list(fit().path_)
    assert list(fit(random_state=1).path_) == list(fit(random_state=1).path_)
    assert list(fit(random_state=1).path_) != list(fit(random_state=2).path_)


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_any_number_of_threads_gives_the_same_path(kind):
    model = kind(prune=CostComplexity(n_jobs=1)).fit(IRIS.data, IRIS.target)
    other = kind(prune=CostComplexity(n_jobs=2)).fit(IRIS.data, IRIS.target)
    assert list(model.path_) == list(other.path_)
    assert model.tree_ == other.tree_


def test_fewer_rows_than_folds():
    model = TreeClassifier(prune="cost_complexity").fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert model.tree_.n_leaves in (1, 2)
    assert TreeClassifier(prune="cost_complexity").fit([[1.0]], ["a"]).tree_.n_leaves == 1


def test_absolute_errors_are_weighed_as_such():
    """One outlier dominates squared errors, and not absolute ones."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 1))
    y = (X[:, 0] > 0) + random.normal(scale=0.1, size=60)
    y[5] = 1000.0
    model = TreeRegressor(measure="absolute_error", prune=CostComplexity(alpha=0.0)).fit(X, y)
    assert model.path_.root_risk == pytest.approx(np.abs(y - np.median(y)).sum())


def test_parameters_of_pruners_can_be_searched_and_saved(tmp_path):
    search = GridSearchCV(
        TreeClassifier(prune=CostComplexity()), {"prune__se": [0.0, 1.0, 50.0]}, cv=3
    ).fit(IRIS.data, IRIS.target)
    assert search.best_params_["prune__se"] < 50.0
    model = TreeClassifier(prune=CostComplexity(se=0.25, folds=np.arange(150) % 3))
    model.fit(IRIS.data, IRIS.target).save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert (again.prune.se, again.prune.folds) == (0.25, 3)
    assert again.tree_ == model.tree_
    assert [entry.leaves for entry in again.path_] == [
        entry.leaves for entry in model.path_ if entry.leaves <= model.tree_.n_leaves
    ]
    assert pickle.loads(pickle.dumps(model)).path_.chosen == model.path_.chosen


def test_the_path_prints_as_a_table():
    pruner = CostComplexity(folds=np.arange(150) % 10)
    model = TreeClassifier(prune=pruner, readable=False)
    text = str(model.fit(IRIS.data, IRIS.target).path_)
    lines = text.splitlines()
    assert lines[0].split() == [
        "alpha",
        "leaves",
        "effort",
        "risk",
        "share",
        "cross-validated",
        "+-",
    ]
    assert sum("<- chosen" in line for line in lines) == 1
    assert "0.060  0.024  <- chosen" in text


def test_progress_covers_all_growths():
    told = []
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60_000, 10)), random.integers(0, 2, 60_000)
    TreeClassifier(prune=CostComplexity(folds=3), progress=told.append).fit(X, y)
    assert told == sorted(told)
    assert told[0] >= 0.0
    assert 0.5 < told[-1] <= 1.0


def test_interrupt_ends_a_cross_validation():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(50_000, 10)), random.integers(0, 2, 50_000)
    calls = []

    def stop(share):
        calls.append(share)
        if share > 0.3:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        TreeClassifier(prune=CostComplexity(folds=20, n_jobs=2), progress=stop).fit(X, y)
    assert calls
    assert threading.active_count() <= before + 4


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
    assert math.isfinite(class_bits(np.array([[1.0, 0.0]]))[0])


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

    tree, table, _ = small_tree(5, max_leaves=2)
    counts = tree.core.statistics[1:]
    counts = counts[:, counts.sum(axis=0) > 0]
    p_value = chi2_contingency(counts, correction=False).pvalue
    assert critical_value(tree, p_value * 1.001, statistic="p_value").n_leaves == 2
    assert critical_value(tree, p_value * 0.999, statistic="p_value").n_leaves == 1
    tree, table, number = small_tree(5, "numbers", max_leaves=2)
    leaf = tree.apply(table)
    p_value = f_oneway(*(number[leaf == one] for one in np.unique(leaf))).pvalue
    assert critical_value(tree, p_value * 1.001, statistic="p_value").n_leaves == 2
    assert critical_value(tree, p_value * 0.999, statistic="p_value").n_leaves == 1


# ---------------------------------------------------------------- merging


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_merging_keeps_every_answer_and_leaves_nothing_to_merge(shape, seed):
    tree, table, _ = small_tree(seed, max_leaves=12, **SHAPES[shape])
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
    prune = CostComplexity(folds=fold) if name == "cost_complexity" else name
    grown = TreeClassifier(random_state=0).fit(X, y)
    model = TreeClassifier(prune=prune).fit(X, y)
    assert model.tree_.n_leaves < grown.tree_.n_leaves
    assert model.score(X, y) > 0.7
    if name == "reduced_error":  # its part depends on the order of the rows
        return
    order = random.permutation(300)
    if name == "cost_complexity":
        prune = CostComplexity(folds=fold[order])
    assert TreeClassifier(prune=prune).fit(X[order], y[order]).tree_ == model.tree_


@pytest.mark.parametrize("name", PRUNERS)
def test_pruners_for_numbers_and_costs(name):
    X, y = IRIS.data, IRIS.target
    regressor = TreeRegressor(prune=name)
    classifier = TreeClassifier(prune=name, cost_matrix=[[0, 1, 4], [1, 0, 2], [3, 1, 0]])
    if PRUNERS[name].for_numbers:
        assert regressor.fit(X, y).tree_.n_leaves < 20
    else:
        with pytest.raises(ValueError, match=r"^The 'prune' parameter .* pruner for numbers"):
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
    flattered = TreeClassifier(max_leaves=30).fit(X, y)
    honest = TreeClassifier(max_leaves=30, honest_fraction=0.5).fit(X, y)
    assert honest.tree_.node(0).rows == 1000
    assert honest.tree_.edits == ()
    # Nothing can be learned here, and only the honest tree says so.
    assert flattered.tree_.training_score > 0.56
    assert honest.tree_.training_score < 0.56


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_honest_paths_are_cut_from_the_honest_tree(kind):
    model = kind(prune="cost_complexity", honest_fraction=0.4, random_state=1)
    model.fit(IRIS.data, IRIS.target)
    assert model.path_.largest.node(0).rows == 60
    assert model.tree_ == model.path_[model.path_.chosen].tree
    assert model.at(leaves=1).node(0).rows == 60


def test_honest_medians():
    random = np.random.default_rng(2)
    X = random.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0, 10.0, 0.0) + random.exponential(size=200)
    model = TreeRegressor(measure="absolute_error", max_depth=1, honest_fraction=0.5).fit(X, y)
    for node in model.tree_.leaves():
        assert node.value < node.statistics[1]  # the median of a skewed leaf is below its mean


def test_a_part_that_cannot_be_held_out_is_refused():
    with pytest.raises(DataError, match="cannot be taken from 1 sample"):
        TreeClassifier(honest_fraction=0.3).fit([[1.0]], ["a"])
