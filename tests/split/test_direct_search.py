"""What all methods that search for planes promise, and their recipes; files of each have more."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
from clocked import clocked
from sklearn.base import clone
from sklearn.datasets import load_wine

from treewright import TreeClassifier, TreeRegressor, recipes
from treewright.exceptions import TimeLimitWarning
from treewright.predicates import Axis as AxisTest
from treewright.prune import CostComplexity
from treewright.splits import CARTLC, HHCART, MUST, OC1, SADT, WODT, Climb

RANDOM = [
    OC1(n_restarts=3),
    OC1(2, n_restarts=2, order="sequential"),
    OC1(n_restarts=2, order="random", n_random=10, n_jumps=2),
    SADT(patience=100),
    WODT(),
]
METHODS = [
    *RANDOM,
    *(CARTLC(), Climb(MUST(2), n_jumps=2)),
    *(HHCART(), HHCART("dominant"), HHCART(standardize=True)),
]

each_method = pytest.mark.parametrize("method", METHODS, ids=repr)
each_seed = pytest.mark.parametrize("seed", range(3))


def problem(
    seed: int, n_rows: int = 80, n_columns: int = 4, n_classes: int = 3
) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of different units and classes along a random direction, with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns)) @ random.normal(size=(n_columns, n_columns))
    score = X @ random.normal(size=n_columns) + 0.5 * random.normal(size=n_rows)
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    return X * 10.0 ** random.integers(-3, 4, n_columns) + random.normal(size=n_columns), y


def stump(method: Any, X: Any, y: Any, weights: Any = None, **more: Any) -> Any:
    settings = {"max_depth": 1, "readable": False, "random_state": 0, **more}
    return TreeClassifier(split=method, **settings).fit(X, y, weights)


def gain(model: Any) -> float:
    return float(model.tree_.core.gain[0])


def root(model: Any) -> Any:
    return model.tree_.node(0).predicate


def same_sides(one: Any, other: Any) -> bool:
    """The same rows together, whichever branch is called the first."""
    return bool((one == other).all() or ((one == 1) == (other == 2)).all())


@pytest.mark.parametrize("features", [1, 2, 3])
@pytest.mark.parametrize("make", [OC1, CARTLC, SADT, WODT, HHCART])
def test_no_test_of_a_tree_has_more_columns_than_asked_for(make, features):
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(split=make(features=features), min_samples_leaf=5, random_state=0).fit(
        X, y
    )
    asked = [node.predicate for node in model.tree_.walk() if node.predicate is not None]
    assert max(len(test.columns) for test in asked) <= features
    if features == 1:
        assert all(isinstance(test, AxisTest) for test in asked)


@each_method
@each_seed
@pytest.mark.parametrize("factor", [0.25, 3.0, 1e6])
def test_a_common_factor_of_weights_does_not_matter(method, seed, factor):
    X, y = problem(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
    one, other = (stump(method, X, y, scale * weights) for scale in (1.0, factor))
    np.testing.assert_array_equal(one.apply(X), other.apply(X))


@each_method
@each_seed
def test_neither_order_nor_weights_matter_where_half_of_the_rows_are_known(method, seed):
    random = np.random.default_rng(seed)
    X, y = problem(seed, n_rows=40, n_columns=3, n_classes=2)
    X[:20, 1] = np.nan
    X[20:, 2] = np.nan
    weights = np.concatenate([random.permutation(np.repeat([0.1, 0.2, 0.3, 0.7], 5)) for _ in "ab"])
    one = stump(method, X, y, weights)
    for _ in range(5):
        order = random.permutation(40)
        other = stump(method, X[order], y[order], weights[order])
        assert root(other).columns == root(one).columns
    thirds = stump(method, X, y, weights / 3)
    assert root(thirds).columns == root(one).columns


@pytest.mark.parametrize(
    "method",
    [
        SADT(patience=10**9),
        WODT(n_starts=10**9),
        OC1(n_restarts=10**6),
        OC1(n_restarts=10**6, n_jobs=2),
        Climb(MUST(2, concise=None), n_jumps=10**9),
    ],
    ids=repr,
)
@pytest.mark.parametrize("max_leaf_nodes", [None, 3])
def test_the_time_limit_ends_a_search_within_a_node(method, max_leaf_nodes):
    X, y = problem(0)
    with pytest.warns(TimeLimitWarning, match="Growth stopped at the time limit"):
        model = stump(method, X, y, time_limit=0.2, max_leaf_nodes=max_leaf_nodes)
    assert model.stopped_by_time_limit_
    assert gain(model) >= gain(stump("axis", X, y)) * (1 - 1e-9)


@pytest.mark.parametrize(
    "method",
    [
        OC1(n_restarts=10**7),
        *(OC1(10**10), WODT(n_starts=2**32 + 1), WODT(max_iterations=10**12)),
        *(SADT(patience=10**30), CARTLC(max_cycles=10**30), HHCART(features=10**10)),
    ],
    ids=repr,
)
def test_a_number_beyond_what_can_be_counted_is_refused(method):
    with pytest.raises(ValueError, match=r"must be an int >= \d and <= 1,000,"):
        stump(method, *problem(0))


@each_method
@each_seed
def test_the_order_of_classes_does_not_matter(method, seed):
    X, y = problem(seed)
    one, other = stump(method, X, y), stump(method, X, 2 - y)
    assert gain(one) == pytest.approx(gain(other))
    assert same_sides(one.apply(X), other.apply(X))


@pytest.mark.parametrize("method", RANDOM, ids=repr)
def test_the_seed_reproduces_the_tree_and_another_gives_another(method):
    X, y = problem(5, n_rows=150, n_columns=8)
    trees = [stump(method, X, y, max_depth=4, random_state=seed).tree_ for seed in (0, 0, 1, 2, 3)]
    assert trees[0] == trees[1]
    assert any(tree != trees[0] for tree in trees[2:])


@each_method
def test_rows_with_gaps_take_no_part_in_the_search(method):
    X, y = problem(3, n_rows=120)
    holes = X.copy()
    holes[::10] = np.nan
    complete = np.delete(X, np.s_[::10], axis=0), np.delete(y, np.s_[::10])
    one, other = stump(method, holes, y, missing="stop"), stump(method, *complete)
    assert root(one) == root(other)
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.15] = np.nan
    for missing in ("default", "fraction", "surrogate", "stop"):
        model = stump(method, holes, y, missing=missing, max_depth=3)
        assert model.tree_.n_leaves > 2
        assert model.score(holes, y) > 0.5


@each_method
def test_rounded_planes_send_every_row_the_same_way(method):
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(split=method, min_samples_leaf=3, random_state=0).fit(X, y)
    raw = clone(model).set_params(readable=False).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), raw.predict_proba(X))
    assert len(str(model.tree_)) < len(str(raw.tree_))


@clocked
def test_interrupt_ends_a_search_within_a_node():
    program = """
        import os, signal, threading, time
        import numpy as np
        from treewright import TreeClassifier
        from treewright.splits import HHCART, OC1, SADT, CARTLC
        random = np.random.default_rng(0)
        X, y = random.normal(size=(30_000, 30)), random.integers(0, 20, 30_000)
        methods = [OC1(n_restarts=1000), OC1(n_restarts=1000, n_jobs=2), HHCART(), CARTLC()]
        methods.append(SADT(patience=10**7))
        for method in methods:
            sent = []
            def interrupt():
                sent.append(time.process_time())
                os.kill(os.getpid(), signal.SIGINT)
            threading.Timer(0.3, interrupt).start()
            try:
                TreeClassifier(split=method, max_depth=1, random_state=0).fit(X, y)
                print("not stopped", method)
            except KeyboardInterrupt:
                print("stopped after", time.process_time() - sent[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 5, done.stderr
    for line in lines:
        assert line.startswith("stopped after"), line
        assert float(line.split()[-1]) < 1.0  # of CPU time, as machines may be busy


def test_recipes_are_as_published_and_can_be_put_under_one_rule():
    for recipe in (recipes.oc1, recipes.oc1_ap, recipes.sadt, recipes.hhcart):
        model = recipe()
        assert model.prune == CostComplexity(holdout=0.1, se=0.0)
        assert (model.criterion, model.min_samples_split, model.max_depth) == ("twoing", 4, 50)
        assert recipe(prune="cost_complexity").prune == "cost_complexity"
    assert (recipes.oc1().split.n_restarts, recipes.oc1().split.n_jumps) == (20, 5)
    assert recipes.oc1(2).split.features == 2
    assert recipes.hhcart("dominant").split == HHCART("dominant")
    assert recipes.cart_lc(beta=0.1, se=0.5).split.beta == 0.1
    for recipe in (recipes.cart_lc, recipes.wodt):
        assert recipe(se=0.5).prune == CostComplexity(se=0.5)
    assert isinstance(recipes.cart_lc(task="regression"), TreeRegressor)
    with pytest.raises(ValueError, match=r"'task' parameter of cart_lc .* Got 'ranking'"):
        recipes.cart_lc(task="ranking")
