"""Error-based pruning on grown trees: what it promises, what it refuses, and how it stops."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pandas as pd
import pytest
from clocked import clocked
from handmade import build, inner, leaf
from sklearn.base import clone

from treewright import Axis, TreeClassifier, TreeRegressor, _core, split_method
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Multiway, Pair, Subset
from treewright.prune import ErrorBased, error_based, estimated_errors, simplify
from treewright.schema import Column, Schema


@split_method
def random_direction(X, y, w, rng):
    """A direction of its own at every node: tests on several columns."""
    return rng.normal(size=X.shape[1])


GROWN = {
    "cart": {},
    "multiway": {"categorical": "multiway"},
    "oblique": {"split": random_direction},
    "c45": {"split": Axis(rules="c45"), "gain": "ratio", "categorical": "multiway"},
    "fraction": {"missing": "fraction"},
    "surrogate": {"missing": "surrogate"},
    "stop": {"missing": "stop"},
    "surrogate or stop": {"missing": "surrogate_or_stop"},
}


def noisy(n_rows=400, missing=0.0, seed=0):
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "a": random.normal(size=n_rows).round(1),
            "b": random.normal(size=n_rows).round(1),
            "city": pd.Categorical(random.choice(["Oslo", "Rome", "Bonn", "Bern"], n_rows)),
        }
    )
    signal_part = table["a"] + (table["city"] == "Rome") * table["b"]
    target = np.digitize(signal_part + random.normal(size=n_rows), [-0.5, 0.8])
    for column in table:
        table.loc[random.random(n_rows) < missing, column] = None
    return table, target


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("kind", GROWN)
def test_trees_of_every_kind_become_smaller(kind, missing, raising):
    table, target = noisy(missing=missing)
    model = TreeClassifier(random_state=0, **GROWN[kind]).fit(table, target)
    pruned = error_based(model.tree_, table, target, raising=raising)
    pruned.validate()
    assert 1 < pruned.n_leaves < model.tree_.n_leaves
    assert estimated_errors(pruned) < estimated_errors(model.tree_)
    assert pruned.core.rows[0] == len(table)
    for node in pruned.walk():
        if node.children:
            below = sum(pruned.node(child).rows for child in node.children)
            stopped = pruned.core.stopped_statistics[node.id].sum()
            assert below + stopped == pytest.approx(node.rows)
    fitted = clone(model).set_params(prune=ErrorBased(raising=raising)).fit(table, target)
    assert fitted.tree_ == pruned


@pytest.mark.parametrize("kind", GROWN)
def test_the_training_rows_give_what_the_tree_already_knows(kind):
    table, target = noisy(missing=0.15)
    tree = TreeClassifier(random_state=0, **GROWN[kind]).fit(table, target).tree_
    assert error_based(tree, table, target, raising=False, simplify=False) == error_based(
        tree, raising=False, simplify=False
    )
    rows = _core.Table(tree.schema.encode(table), tree.schema.n_levels)
    labels = _core.Target.classes(target.astype(np.int32), 3, np.ones(len(target)))
    assert _core.refit(tree.core, rows, labels) == tree.core


@pytest.mark.parametrize("measure", ["squared_error", "absolute_error"])
def test_refitting_numbers_gives_the_tree_they_grew(measure):
    table, _ = noisy(missing=0.1)
    number = table["b"].fillna(0.0).to_numpy() + np.arange(len(table)) % 3
    tree = TreeRegressor(criterion=measure, max_leaf_nodes=12).fit(table, number).tree_
    rows = _core.Table(tree.schema.encode(table), tree.schema.n_levels)
    target = _core.Target.numbers(number, np.ones(len(number)))
    fitted = _core.refit(tree.core, rows, target, measure == "absolute_error")
    np.testing.assert_allclose(fitted.statistics, tree.core.statistics)
    np.testing.assert_allclose(fitted.value, tree.core.value)


def test_a_smaller_confidence_prunes_more_here():
    table, target = noisy()
    tree = TreeClassifier().fit(table, target).tree_
    sizes = [error_based(tree, table, target, confidence=c).n_leaves for c in (0.01, 0.25, 1.0)]
    assert sizes == sorted(set(sizes))


# ---------------------------------------------------------------- raising


COLUMNS = (
    Column("x", "numeric"),
    Column("z", "numeric"),
    Column("city", "categorical", levels=("Oslo", "Rome", "Bonn")),
)
SCHEMA = Schema(COLUMNS, ("no", "yes"), "buys")


def test_a_branch_takes_the_place_of_its_parent():
    """The root parts a few rows from many, and the many are told apart by z alone."""
    tree = build(
        SCHEMA,
        inner(
            AxisTest(0, 0.0),
            leaf(2, 1),
            inner(AxisTest(1, 0.0), leaf(30, 0), leaf(0, 30)),
        ),
    )
    table = {
        "x": [-1.0] * 3 + [1.0] * 60,
        "z": [-1.0, -1.0, 1.0] + [-1.0] * 30 + [1.0] * 30,
        "city": ["Oslo"] * 63,
    }
    target = ["no", "no", "yes"] + ["no"] * 30 + ["yes"] * 30
    raised = error_based(tree, table, target)
    assert raised.rules() == [
        "if z <= 0 then no (100 %, 32 rows)",
        "if z > 0 then yes (100 %, 31 rows)",
    ]
    assert raised.origin.tolist() == [2, 3, 4]
    assert error_based(tree, table, target, raising=False) == tree


def test_of_equally_heavy_branches_the_last_is_raised():
    def told_apart(threshold):
        return inner(AxisTest(1, threshold), leaf(30, 0), leaf(0, 30))

    tree = build(SCHEMA, inner(AxisTest(0, 0.0), told_apart(-0.5), told_apart(0.5)))
    table = {"x": [-1.0, 1.0] * 60, "z": [-1.0] * 60 + [1.0] * 60, "city": ["Oslo"] * 120}
    raised = error_based(tree, table, ["no"] * 60 + ["yes"] * 60)
    assert raised.node(0).predicate == AxisTest(1, 0.5)


def test_a_node_keeps_its_class_where_classes_are_even():
    tree = build(SCHEMA, inner(AxisTest(0, 0.0), leaf(1, 9), leaf(9, 1)))
    table = {"x": [-1.0, -1.0, 1.0, 1.0], "z": [0.0] * 4, "city": ["Rome"] * 4}
    rows = _core.Table(SCHEMA.encode(table), SCHEMA.n_levels)
    target = _core.Target.classes(np.array([0, 1, 1, 0], dtype=np.int32), 2, np.ones(4))
    assert _core.refit(tree.core, rows, target).value.tolist() == [0.0, 1.0, 0.0]


# ---------------------------------------------------------------- simplify


def test_decided_tests_are_dropped():
    """Below city = Rome a test on the city, below x <= 0 one of x <= 1."""
    tree = build(
        SCHEMA,
        inner(
            Multiway(2, (0, 1, 2)),
            inner(AxisTest(0, 0.0), inner(AxisTest(0, 1.0), leaf(4, 0), leaf(0, 1)), leaf(0, 3)),
            inner(Subset(2, (0, 2), (1,)), leaf(0, 1), leaf(5, 2)),
            inner(AxisTest(0, 0.0), leaf(3, 0), inner(AxisTest(0, -1.0), leaf(1, 0), leaf(0, 3))),
        ),
    )
    simple = simplify(tree)
    assert simple.n_leaves == tree.n_leaves - 3
    assert simple.rules() == [
        "if (city is Oslo or unseen) and x <= 0 then no (100 %, 4 rows)",
        "if (city is Oslo or unseen) and x > 0 then yes (100 %, 3 rows)",
        "if city is Rome then no (71 %, 7 rows)",
        "if city is Bonn and x <= 0 then no (100 %, 3 rows)",
        "if city is Bonn and x > 0 then yes (100 %, 3 rows)",
    ]


def test_levels_that_an_earlier_test_does_not_know_keep_a_test():
    """Bonn is sent along with Oslo by the missing policy, and the second test tells them apart."""
    second = inner(Subset(2, (0,), (2,)), leaf(4, 0), leaf(0, 4))
    tree = build(SCHEMA, inner(Subset(2, (0,), (1,)), second, leaf(5, 0)))
    assert simplify(tree) is tree


def test_tests_on_several_columns_are_left_alone():
    pair = Pair("and", AxisTest(0, 5.0), AxisTest(0, 7.0))
    tree = build(SCHEMA, inner(AxisTest(0, 3.0), inner(pair, leaf(4, 0), leaf(0, 4)), leaf(5, 0)))
    assert simplify(tree) is tree


# ---------------------------------------------------------------- refusals


def test_raising_needs_rows():
    tree = build(SCHEMA, leaf(3, 2))
    with pytest.raises(ValueError, match="give X and y, or raising=False"):
        error_based(tree)
    with pytest.raises(ValueError, match="X and y together"):
        error_based(tree, {"x": [1.0], "z": [1.0], "city": ["Oslo"]}, raising=False)


def test_trees_of_numbers_are_refused():
    tree = TreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0]).tree_
    for call in (error_based, estimated_errors):
        with pytest.raises(TypeError, match="predicts numbers: use cost_complexity"):
            call(tree)


def test_cost_matrices_are_refused():
    costs = [[0, 1], [5, 0]]
    tree = TreeClassifier(cost_matrix=costs).fit([[1.0], [2.0]], ["a", "b"]).tree_
    with pytest.raises(ValueError, match="cost matrix: use cost_complexity or reduced_error"):
        error_based(tree, [[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("confidence", 0, "> 0 and <= 1. Got 0"),
        ("confidence", 1.5, "> 0 and <= 1. Got 1.5"),
        ("bound", "wilson", "'exact' or 'normal' or 'c45'. Got 'wilson'"),
        ("raising", "yes", "True or False. Got 'yes'"),
        ("simplify", 2, "True or False. Got 2"),
    ],
)
def test_parameters_are_checked(parameter, value, message):
    tree = build(SCHEMA, leaf(3, 2))
    with pytest.raises(ValueError, match=f"The '{parameter}' parameter of ErrorBased.*{message}"):
        error_based(tree, **{"raising": False, parameter: value})


def test_rows_without_weight_are_refused():
    tree = build(SCHEMA, leaf(3, 2))
    table = {"x": [1.0], "z": [1.0], "city": ["Oslo"]}
    with pytest.raises(ValueError, match="no row with a positive weight"):
        error_based(tree, table, ["no"], [0.0])


def test_an_error_in_the_bound_comes_through():
    table, target = noisy(100)
    tree = TreeClassifier().fit(table, target).tree_
    rows = _core.Table(tree.schema.encode(table), tree.schema.n_levels)
    labels = _core.Target.classes(target.astype(np.int32), 3, np.ones(len(target)))

    def broken(weights, errors):
        raise RuntimeError("no bound")

    with pytest.raises(RuntimeError, match="no bound"):
        _core.error_based(tree.core, rows, labels, broken)
    with pytest.raises(ValueError, match="one number of extra errors a leaf"):
        _core.error_based(tree.core, rows, labels, lambda weights, errors: np.zeros(0))


# ---------------------------------------------------------------- at the edges


@pytest.mark.long
def test_trees_may_be_thousands_of_levels_deep():
    blocks = np.arange(40_000) // 20
    X, y = np.arange(40_000, dtype=float)[:, np.newaxis], blocks % 2
    tree = TreeClassifier().fit(X, y).tree_
    assert tree.depth == blocks[-1]
    assert error_based(tree, X, y) == tree
    reverse = error_based(tree, X, 1 - y)
    assert reverse.n_nodes == tree.n_nodes


def test_a_single_leaf_stays():
    table = {"x": [1.0], "z": [1.0], "city": ["Oslo"]}
    pruned = error_based(build(SCHEMA, leaf(3, 2)), table, ["yes"])
    assert pruned.core.statistics.tolist() == [[0.0, 1.0]]
    assert pruned.predict(table).tolist() == ["yes"]


def test_branches_that_no_row_reaches_become_leaves():
    branch = inner(AxisTest(1, 0.0), leaf(3, 1), leaf(1, 3))
    other = inner(AxisTest(1, 0.0), leaf(9, 0), leaf(0, 9))
    tree = build(SCHEMA, inner(AxisTest(0, 0.0), branch, other))
    table = {"x": [1.0] * 40, "z": [-1.0] * 20 + [1.0] * 20, "city": ["Rome"] * 40}
    for raising in (True, False):
        pruned = error_based(tree, table, ["no"] * 20 + ["yes"] * 20, raising=raising)
        assert pruned.n_leaves == (2 if raising else 3)
        assert pruned.predict(table).tolist() == ["no"] * 20 + ["yes"] * 20


def test_threads_prune_side_by_side():
    table, target = noisy(2000)
    tree = TreeClassifier().fit(table, target).tree_
    alone = error_based(tree, table, target)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(error_based(tree, table, target)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@clocked
def test_interrupt_ends_long_pruning_at_once():
    program = """
        import os, signal, threading, time
        import numpy as np
        from treewright import TreeClassifier
        from treewright.prune import error_based
        X = np.arange(20_000, dtype=float)[:, np.newaxis]
        y = np.arange(20_000) // 20 % 2
        X[::7] = np.nan  # these rows are divided at every one of a thousand levels
        tree = TreeClassifier(missing="fraction").fit(X, y).tree_
        sent = []
        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1.0, interrupt).start()
        try:
            error_based(tree, X, y)
        except KeyboardInterrupt:
            print("stopped after", time.perf_counter() - sent[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.startswith("stopped after"), done.stderr
    # A fraction of a second; the bound leaves room for a busy machine.
    assert float(done.stdout.split()[-1]) < 2.0
