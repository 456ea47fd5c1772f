"""Tests that split methods propose for a search: which come, and which stay."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from clocked import clocked
from sklearn.datasets import load_diabetes, load_iris, load_wine

from treewright import MUST, Axis, Best, TreeClassifier, TreeRegressor, _core
from treewright.optimal.column_generation import _other_cuts
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.optimal.proposals import Collection, Proposal, Proposer
from treewright.optimal.search import Limits, Search
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Linear, Pair, Predicate, Subset
from treewright.schema import Schema
from treewright.splits import LMDT, Categorical, Logistic, Pairs, SplitMethod


def make_search(X: Any, y: Any, **limits: Any) -> Search:
    """The problem of a search, with rows of equal weight."""
    schema, values = Schema.from_data(X)
    y = np.asarray(y)
    goal: Any = NumberGoal(y, np.ones(len(y)))
    if y.dtype.kind != "f":
        labels, codes = np.unique(y, return_inverse=True)
        goal = ClassGoal(codes.astype(np.int32), np.ones(len(y)), len(labels))
    table = _core.Table(values, schema.n_levels)
    return Search(goal, schema, table, Limits(**{"max_depth": 2, **limits}))


def collect(methods: list[SplitMethod], search: Search, **options: Any) -> Collection:
    collection = Collection(search.table)
    for proposal in Proposer(methods, search, **options).ask():
        collection.add(proposal)
    return collection


def parts(predicate: Predicate, search: Search) -> bytes:
    """How a test parts the rows, whichever side comes first."""
    branches = _core.route(predicate.encode(), search.table)
    return min(branches.tobytes(), np.where(branches < 0, -1, 1 - branches).tobytes())


WINE = load_wine(as_frame=True)
WINE_SEARCH = make_search(WINE.data, WINE.target)


# ---------------------------------------------------------------- what comes


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("split", [Axis(), MUST(2), Best(Axis(), MUST(2))])
def test_the_trees_that_growth_would_give_are_there(split, depth):
    search = make_search(WINE.data, WINE.target, max_depth=depth)
    tree = TreeClassifier(split, max_depth=depth).fit(WINE.data, WINE.target).tree_
    offered = collect([Axis(), MUST(2)], search).predicates(max_tests=1)
    known = {parts(predicate, search) for predicate in offered}
    for node in range(tree.n_nodes):
        predicate = tree.node(node).predicate
        assert predicate is None or parts(predicate, search) in known


def test_the_trees_of_numbers_are_there_too():
    data = load_diabetes(as_frame=True)
    search = make_search(data.data, data.target, min_rows=20)
    model = TreeRegressor(MUST(3), max_depth=2, min_samples_leaf=20).fit(data.data, data.target)
    known = {parts(predicate, search) for predicate in collect([MUST(3)], search).predicates()}
    for node in range(model.tree_.n_nodes):
        predicate = model.tree_.node(node).predicate
        assert predicate is None or parts(predicate, search) in known


def test_samples_bring_more_tests_and_a_seed_the_same_ones():
    counts = [len(collect([MUST(2)], WINE_SEARCH, n_samples=n)) for n in (0, 5, 20)]
    assert counts[0] < counts[1] < counts[2]
    one, again, other = (
        collect([MUST(2)], WINE_SEARCH, n_samples=5, seed=seed).predicates() for seed in (1, 1, 2)
    )
    assert one == again != other


def test_asking_on_some_rows_reads_no_other_row():
    rows = np.arange(0, 178, 2)
    values = WINE.data.to_numpy().copy()
    values[1::2] = 7.0
    changed = make_search(values, WINE.target)
    proposer, other = Proposer([MUST(2)], WINE_SEARCH), Proposer([MUST(2)], changed)
    assert [p.predicate for p in proposer.ask(rows)] == [p.predicate for p in other.ask(rows)]


def test_tests_have_no_more_terms_than_asked_for():
    tests = collect([Logistic(None), Axis()], WINE_SEARCH, n_samples=2, max_terms=3).predicates()
    assert {predicate.n_terms for predicate in tests} == {1}
    assert any(p.n_terms > 3 for p in collect([Logistic(None)], WINE_SEARCH).predicates())


def test_levels_gaps_and_pairs():
    random = np.random.default_rng(0)
    X = {
        "city": random.choice(["Oslo", "Rome", "Paris", None], 90).tolist(),
        "age": np.where(random.random(90) < 0.2, np.nan, random.normal(size=90)),
        "size": random.normal(size=90),
    }
    y = np.array(
        [(city == "Rome") + (size > 0) for city, size in zip(X["city"], X["size"], strict=True)]
    )
    search = make_search(X, y)
    kinds = {type(p) for p in collect([MUST(2), Pairs()], search).predicates()}
    assert kinds == {Linear, Subset, Pair, AxisTest}


def test_a_branch_a_level_becomes_each_level_against_the_rest():
    X = {"city": ["Oslo", "Rome", "Paris"] * 4, "size": list(range(12))}
    search = make_search(X, ["a", "b", "c"] * 4, max_depth=1)
    tests = collect([Categorical("multiway")], search, n_samples=0).predicates()
    assert tests == [Subset(0, (0,), (1, 2)), Subset(0, (1,), (0, 2)), Subset(0, (2,), (0, 1))]


def test_a_branch_a_class_is_refused():
    with pytest.raises(ValueError, match=r"'dictionary' holds LMDT.* one branch per class"):
        collect([LMDT()], WINE_SEARCH)


@clocked
def test_time_is_kept():
    search = make_search(*load_iris(return_X_y=True))
    began = time.perf_counter()
    assert list(Proposer([MUST(2)], search, n_samples=10_000).ask(seconds=0.05))
    assert time.perf_counter() - began < 1.0


# ---------------------------------------------------------------- what stays


def test_of_tests_that_part_the_rows_alike_the_shorter_one_stays():
    values = np.column_stack([np.arange(6.0), np.zeros(6)])
    collection = Collection(_core.Table(values, np.zeros(2, dtype=np.int32)))
    assert collection.add(Proposal(Linear((0, 1), (1.0, 2.0), 2.5), 0.1, is_kept=False))
    assert not collection.add(Proposal(AxisTest(0, 2.9), 0.3, is_kept=False))
    assert not collection.add(Proposal(Linear((0,), (-1.0,), -2.5), 0.2, is_kept=True))
    assert collection.add(Proposal(AxisTest(0, 3.0), 0.2, is_kept=False))
    assert collection.predicates() == [AxisTest(0, 2.9), AxisTest(0, 3.0)]


def test_a_test_that_parts_no_rows_is_none():
    values = np.array([[1.0], [2.0], [np.nan]])
    collection = Collection(_core.Table(values, np.zeros(1, dtype=np.int32)))
    for threshold in (0.5, 2.0, 9.0):
        assert not collection.add(Proposal(AxisTest(0, threshold), 0.5, is_kept=True))
    assert not collection.predicates()


def test_the_best_of_each_kind_stay_and_those_of_whole_trees():
    values = np.column_stack([np.arange(9.0), np.arange(9.0) % 4])
    collection = Collection(_core.Table(values, np.zeros(2, dtype=np.int32)))
    for cut in range(8):
        collection.add(Proposal(AxisTest(0, float(cut)), cut / 10, is_kept=cut < 1))
    for cut in range(1, 4):
        collection.add(Proposal(Linear((0, 1), (1.0, 4.0), 4.0 * cut), cut / 10, is_kept=False))
    assert collection.predicates(2) == [
        *(AxisTest(0, 0.0), AxisTest(0, 7.0)),
        *(Linear((0, 1), (1.0, 4.0), 12.0), Linear((0, 1), (1.0, 4.0), 8.0)),
    ]


# ---------------------------------------------------------------- other cuts along a sum


def test_other_cuts_lie_around_the_threshold_and_over_all_rows():
    values = np.column_stack([np.arange(100.0), np.zeros(100)])
    found = [one.predicate for one in _other_cuts(Linear((0, 1), (1.0, 1.0), 40.0), values, True)]
    cuts = sorted(int(np.floor(predicate.threshold)) for predicate in found)
    assert set(range(36, 45)) <= set(cuts)
    assert (cuts[0], cuts[-1]) == (0, 98)
    assert len(cuts) < 20


@pytest.mark.parametrize("values", [np.zeros((5, 2)), np.full((3, 2), np.nan), np.empty((0, 2))])
def test_a_sum_that_does_not_differ_has_no_cut(values):
    assert not list(_other_cuts(Linear((0, 1), (1.0, 1.0), 0.0), values, True))
