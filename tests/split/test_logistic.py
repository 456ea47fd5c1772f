"""Logistic splits: the fits, the bipartitions, concise tests, and data that are hard to fit."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracles import logistic
from scipy.optimize import minimize
from shared_data import data_folder, why_absent
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from treewright import Axis, Best, Logistic, TreeClassifier, TreeRegressor, _core, recipes
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Linear
from treewright.prune.risks import node_risks


def models(X: Any, inside: Any, weights: Any = None, **how: Any) -> _core.NodeModels:
    """The logistic models of a table on all its columns."""
    X = np.ascontiguousarray(X, dtype=np.float64)
    inside = np.asarray(inside, dtype=np.uint8)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    table = _core.Table(X, np.zeros(X.shape[1], dtype=np.int32))
    target = _core.Target.classes(inside.astype(np.int32), 2, weights)
    rows = np.arange(len(X), dtype=np.uint32)
    return _core.NodeModels(table, target, rows, list(range(X.shape[1])), inside, **how)


def random_problem(seed: int, n: int = 80, k: int = 4) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, k)) * 10.0 ** random.integers(-3, 4, k) + random.normal(size=k)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, (z @ random.normal(size=k) + random.logistic(size=n) > 0.3).astype(np.uint8)


def leaf_sum(model: Any, risk: str) -> float:
    tree = model.tree_
    return float(node_risks(tree, risk)[tree.core.n_branches == 0].sum())


# ------------------------------------------------------------------ one fit


def test_vectors_of_one_column() -> None:
    x = np.arange(1.0, 9.0)[:, None]
    y = [0, 0, 1, 0, 1, 0, 1, 1]
    likely = models(x, y, solver="irls").fit()
    assert likely.intercept == pytest.approx(-2.67337962, abs=1e-8)
    assert likely.slopes == pytest.approx([0.59408436], abs=1e-8)
    assert likely.deviance == pytest.approx(8.44958107, abs=1e-8)
    ridge = models(x, y, tau=1e-4).fit()
    assert (ridge.intercept, *ridge.slopes) == pytest.approx((-2.67311737, 0.59402608), abs=1e-7)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"tau": 1e-4}, (-32.15634142, 12.86253657)),
        ({"tau": 1e-6}, (-52.71818004, 21.08727202)),
        ({"solver": "irls"}, (-118.174481, 47.269792)),
    ],
)
def test_vectors_of_groups_that_can_be_separated(how: Any, expected: Any) -> None:
    model = models([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], **how).fit()
    assert (model.intercept, *model.slopes) == pytest.approx(expected, rel=1e-5)
    kind, columns, (cut,) = model.test
    assert (kind, columns) == (0, [0])
    assert cut == pytest.approx(2.5)
    if how == {"tau": 1e-4}:
        assert model.deviance == pytest.approx(0.0064364638, abs=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_the_fit_is_that_of_a_general_optimiser(seed: int) -> None:
    X, y = random_problem(seed)
    weights = np.random.default_rng(seed).integers(1, 5, len(y)).astype(float)
    mean = np.average(X, axis=0, weights=weights)
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    z, tau = (X - mean) / scale, 0.3

    def loss(b: np.ndarray) -> float:
        eta = b[0] + z @ b[1:]
        return float(weights @ (np.logaddexp(0.0, eta) - y * eta) + tau / 2 * b[1:] @ b[1:])

    found = minimize(loss, np.zeros(X.shape[1] + 1), method="BFGS", options={"gtol": 1e-9}).x
    model = models(X, y, weights, tau=tau).fit()
    assert model.slopes == pytest.approx(found[1:] / scale, rel=1e-5)
    assert model.intercept == pytest.approx(found[0] - found[1:] @ (mean / scale), rel=1e-4)


def test_both_solvers_are_those_of_scikit_learn_without_a_penalty() -> None:
    X, y = random_problem(3, n=300)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the name of the absent penalty changed
        other = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(z, y)
    for how in ({"tau": 1e-9}, {"solver": "irls"}):
        model = models(X, y, **how).fit()
        assert model.slopes * X.std(axis=0) == pytest.approx(other.coef_[0], rel=1e-4)


@pytest.mark.parametrize("solver", ["ridge", "irls"])
def test_repeated_rows_are_weights(solver: str) -> None:
    X, y = random_problem(5)
    counts = np.random.default_rng(5).integers(1, 4, len(y))
    one = models(X, y, counts, solver=solver).fit()
    other = models(np.repeat(X, counts, axis=0), np.repeat(y, counts), solver=solver).fit()
    # The passes of R start from another point with weights, and stop a little elsewhere.
    assert one.slopes == pytest.approx(other.slopes, rel=1e-9 if solver == "ridge" else 1e-5)


def test_a_column_that_others_make_up_for_is_left_out_as_in_r() -> None:
    X, y = random_problem(7)
    doubled = np.column_stack([X, X[:, 0] + X[:, 1]])
    model = models(doubled, y, solver="irls").fit()
    assert model.columns == [0, 1, 2, 3]
    assert model.slopes == pytest.approx(models(X, y, solver="irls").fit().slopes, rel=1e-6)


# ------------------------------------------------------------------ concise fits


def test_columns_leave_in_the_order_of_what_they_cost() -> None:
    X, y = random_problem(11, n=200, k=5)
    left = list(range(5))
    for model in models(X, y).dropping():
        costs = {}
        for out in left:
            kept = [column for column in left if column != out]
            costs[out] = models(X[:, kept], y).fit().deviance
        left.remove(min(costs, key=costs.__getitem__))
        assert model.columns == left
        assert model.deviance == pytest.approx(min(costs.values()), rel=1e-9)


def test_the_l1_path_is_that_of_scikit_learn() -> None:
    X, y = random_problem(2, n=150, k=4)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    path = models(z, y).lasso()
    assert path[0].columns == []
    for model in path[5::20]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = LogisticRegression(
                l1_ratio=1.0,
                C=1.0 / (model.penalty * len(y)),
                solver="saga",
                tol=1e-12,
                max_iter=100_000,
                penalty="elasticnet",
            ).fit(z, y)
        slopes = np.zeros(4)
        slopes[model.columns] = model.slopes
        np.testing.assert_allclose(slopes, other.coef_[0], atol=1e-5)


def test_columns_enter_an_l1_path_one_at_a_time() -> None:
    X, y = random_problem(4, n=120, k=8)
    sizes = [len(model.columns) for model in models(X, y).lasso()]
    assert all(abs(b - a) <= 1 for a, b in pairwise(sizes))
    assert sizes[-1] == 8


def test_l1_paths_on_raw_columns_depend_on_units() -> None:
    X, y = random_problem(6, n=120, k=3)
    in_units = [model.columns for model in models(X, y).lasso(in_raw_units=True)]
    scaled = [model.columns for model in models(X * [1.0, 1e4, 1.0], y).lasso(in_raw_units=True)]
    assert in_units != scaled
    free = [model.columns for model in models(X, y).lasso()]
    assert free == [model.columns for model in models(X * [1.0, 1e4, 1.0], y).lasso()]


def test_squeezed_slopes_sum_to_their_share() -> None:
    X, y = random_problem(9, n=200, k=5)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    full, half, tenth = models(z, y).squeezed([1.0, 0.5, 0.1], False)
    length = sum(map(abs, full.slopes))
    assert full.slopes == pytest.approx(models(z, y).fit().slopes, rel=1e-4)
    assert sum(map(abs, half.slopes)) == pytest.approx(length / 2, rel=1e-9)
    assert sum(map(abs, tenth.slopes)) == pytest.approx(length / 10, rel=1e-9)
    refitted = models(z, y).squeezed([0.1], True)[0]
    assert refitted.columns == tenth.columns
    assert refitted.deviance <= tenth.deviance


# ------------------------------------------------------------------ bipartitions


def ways(n_classes: int, kind: str = "auto", at_most: int = 127, seed: int = 0) -> list[list[int]]:
    random = np.random.default_rng(n_classes)
    y = np.repeat(np.arange(n_classes, dtype=np.int32), 6)
    X = random.normal(size=(len(y), 3)) + random.normal(size=(n_classes, 3))[y] * 3
    table = _core.Table(X, np.zeros(3, dtype=np.int32))
    target = _core.Target.classes(y, n_classes, np.ones(len(y)))
    return [
        list(way) for way in _core.ways_to_divide(table, [0, 1, 2], target, kind, at_most, seed)
    ]


def test_the_order_of_bipartitions() -> None:
    words = ["".join(map(str, way)) for way in ways(4)]
    assert words == ["1000", "1100", "1010", "1110", "1001", "1101", "1011"]


@pytest.mark.parametrize("n_classes", range(2, 11))
def test_number_of_bipartitions(n_classes: int) -> None:
    every = ways(n_classes, "exhaustive")
    assert len(every) == 2 ** (n_classes - 1) - 1
    found = ways(n_classes)
    assert len(found) == min(len(every), 127)
    assert len({tuple(way) for way in found}) == len(found)
    assert all(way[0] == 1 and 0 in way for way in found)
    assert ways(n_classes) == found
    if n_classes > 8:
        singles = {tuple(int(j == i) for j in range(n_classes)) for i in range(n_classes)}
        complements = {tuple(1 - x for x in way) for way in singles}
        assert {way for way in singles | complements if way[0] == 1} <= set(map(tuple, found))
        assert ways(n_classes, seed=1) == found
        assert ways(n_classes, "random", seed=1) != ways(n_classes, "random", seed=2)


def test_kinds_of_bipartitions() -> None:
    assert len(ways(12, "one_vs_rest")) == 12
    assert len(ways(12, "clustered", 1000)) > 12
    assert len(ways(12, "random", 30)) == 30


def test_too_many_classes_to_try_all() -> None:
    y = np.repeat(np.arange(21), 8)
    X = np.random.default_rng(0).normal(size=(len(y), 3))
    model = TreeClassifier(split=Logistic(bipartitions="exhaustive"))
    with pytest.raises(ValueError, match="21 classes, too many to divide in all ways"):
        model.fit(X, y)


@pytest.mark.skipif(why_absent() is not None, reason=str(why_absent()))
def test_the_list_finds_the_best_of_all_on_six_classes() -> None:
    import pandas as pd

    table = pd.read_csv(data_folder() / "fgl.csv")
    y = table.pop("target")
    found = []
    for kind in ("exhaustive", "clustered", "one_vs_rest"):
        model = TreeClassifier(split=Logistic(None, bipartitions=kind), **settings(max_depth=1))
        found.append(leaf_sum(model.fit(table, y), "deviance") / len(y))
    best, clustered, single = found
    assert best == pytest.approx(2.2454, abs=1e-3)
    assert clustered == pytest.approx(2.2454, abs=1e-3)
    assert single == pytest.approx(2.3542, abs=1e-3)


# ------------------------------------------------------------------ trees


def settings(**more: Any) -> dict[str, Any]:
    return {"criterion": "deviance", "min_samples_leaf": 5, "min_samples_split": 10, **more}


def test_the_two_solvers_grow_the_same_trees() -> None:
    X, y = load_iris(return_X_y=True)
    for mode in ("oblique", "mixture"):
        for concise in (None, "bic"):
            package = recipes.oblique_tree(mode, concise=concise).fit(X, y).tree_
            split = package_split(mode, concise)
            model = recipes.oblique_logistic(prune=None, readable=False, split=split)
            ours = model.fit(X, y).tree_
            np.testing.assert_array_equal(ours.core.rows, package.core.rows)
            np.testing.assert_array_equal(ours.core.statistics, package.core.statistics)


def package_split(mode: str, concise: str | None) -> Any:
    logistic = Logistic(concise, events=None)
    return logistic if mode == "oblique" else Best(Axis(), logistic)


def test_a_tie_goes_to_the_test_on_one_column() -> None:
    X, y = load_iris(return_X_y=True)
    root = recipes.oblique_logistic("mixture", prune=None).fit(X, y).tree_.node(0)
    assert isinstance(root.predicate, AxisTest)


def test_units_and_places_do_not_matter() -> None:
    X, y = load_wine(return_X_y=True)
    one = TreeClassifier(split=Logistic("bic"), readable=False, **settings()).fit(X, y)
    scaled = X * 10.0 ** np.arange(-6, 7) + np.arange(13)
    other = TreeClassifier(split=Logistic("bic"), readable=False, **settings()).fit(scaled, y)
    np.testing.assert_array_equal(one.tree_.apply(X), other.tree_.apply(scaled))
    assert one.tree_.node_terms.tolist() == other.tree_.node_terms.tolist()


def test_the_order_of_rows_does_not_matter() -> None:
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    for split in (Logistic(None), Logistic("aic"), Logistic("l1_bic"), Logistic(climb=True)):
        one = TreeClassifier(split=split, **settings()).fit(X, y)
        other = TreeClassifier(split=split, **settings()).fit(X[order], y[order])
        assert one.tree_.core == other.tree_.core


def test_renamed_classes_change_no_row() -> None:
    X, y = load_wine(return_X_y=True)
    one = TreeClassifier(split=Logistic("bic"), **settings()).fit(X, y)
    other = TreeClassifier(split=Logistic("bic"), **settings()).fit(X, 2 - y)
    np.testing.assert_array_equal(one.predict(X), 2 - other.predict(X))


def test_repeated_rows_grow_the_same_tree_as_weights() -> None:
    X, y = load_wine(return_X_y=True)
    counts = np.random.default_rng(1).integers(1, 4, len(y))
    rules = settings(min_samples_leaf=1, min_samples_split=2, readable=False)
    one = TreeClassifier(split=Logistic("bic"), **rules).fit(X, y, counts)
    other = TreeClassifier(split=Logistic("bic"), **rules).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    np.testing.assert_allclose(one.tree_.core.statistics, other.tree_.core.statistics)


@pytest.mark.parametrize("direction", ["backward", "forward", "both"])
@pytest.mark.parametrize("concise", ["aic", "bic"])
def test_no_single_step_improves_a_concise_test(direction: str, concise: str) -> None:
    X, y = random_problem(21, n=150, k=6)
    split = Logistic(concise, direction=direction, events=None)
    tree = TreeClassifier(split=split, max_depth=1).fit(X, y).tree_
    used = set(tree.node(0).predicate.columns)
    k = 2.0 if concise == "aic" else np.log(len(y))

    def criterion(columns: set[int]) -> float:
        kept = sorted(columns)
        return models(X[:, kept], y).fit().deviance + k * (len(kept) + 1)

    if direction != "forward" and len(used) > 1:
        assert all(criterion(used) <= criterion(used - {column}) + 1e-6 for column in used)
    if direction != "backward":
        others = set(range(6)) - used
        assert all(criterion(used) <= criterion(used | {column}) + 1e-6 for column in others)


def test_scope_all_makes_every_bipartition_concise() -> None:
    X, y = load_wine(return_X_y=True)
    best = TreeClassifier(split=Logistic("bic"), **settings()).fit(X, y)
    every = TreeClassifier(split=Logistic("bic", scope="all"), **settings()).fit(X, y)
    full = TreeClassifier(split=Logistic(None), **settings()).fit(X, y)
    assert best.tree_.complexity < full.tree_.complexity
    assert every.tree_.complexity < full.tree_.complexity


def test_events_limit_the_columns_of_small_nodes() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(40, 8))
    y = np.argsort(np.argsort(X.sum(axis=1))) >= 30  # separated by all columns together
    for events, most in ((5.0, 2), (10.0, 1), (2.5, 4)):
        tree = TreeClassifier(split=Logistic("bic", events=events), max_depth=1).fit(X, y).tree_
        assert tree.node_terms[0] <= most
    free = TreeClassifier(split=Logistic("bic", events=None), max_depth=1).fit(X, y).tree_
    assert free.node_terms[0] > 4


@pytest.mark.parametrize("how", [{}, {"direction": "forward"}, {"concise": "l1_bic"}], ids=repr)
def test_events_limit_the_columns_where_a_shorter_test_is_legal(how: Any) -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(300, 8))
    y = (X[:, 0] + 0.5 * X[:, 1] + random.logistic(size=300) > 0).astype(int)
    tree = TreeClassifier(split=Logistic(**how), criterion="deviance", min_samples_leaf=5).fit(X, y)
    for node in tree.tree_.walk():
        if node.predicate is not None and min(node.statistics) >= 10:
            assert node.predicate.n_terms <= min(node.statistics) // 5
        if node.predicate is not None:  # in smaller nodes the shortest legal one
            assert node.predicate.n_terms < 8


def test_many_classes_grow_the_same_tree_in_every_fit() -> None:
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(12), 10)
    X = random.normal(size=(120, 4)) + y[:, None] * 0.2
    trees = [TreeClassifier(split=Logistic(), **settings()).fit(X, y).tree_ for _ in range(2)]
    assert trees[0] == trees[1]


def test_weights_that_sum_to_less_than_the_rows_are_shares() -> None:
    X, y = load_wine(return_X_y=True)
    plain = TreeClassifier(split=Logistic(), **settings()).fit(X, y)
    for factor in (1.0 / len(y), 1e-3):
        shares = TreeClassifier(split=Logistic(), **settings()).fit(X, y, np.full(len(y), factor))
        np.testing.assert_array_equal(shares.apply(X), plain.apply(X))


def test_columns_with_gaps_do_not_use_up_the_rows() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 40))
    y = X[:, :3].sum(axis=1) > 0
    X[random.random(X.shape) < 0.1] = np.nan
    model = TreeClassifier(split=Logistic(), min_samples_leaf=5, max_depth=4).fit(X, y)
    assert model.tree_.n_leaves > 2


@pytest.mark.skipif(not logistic.HAS_DATA, reason="no shared data sets or recorded outputs")
@pytest.mark.parametrize("data", ["crabs5", "crabspc", "Pima", "iris3"])
@pytest.mark.parametrize("concise", [None, "bic"])
@pytest.mark.parametrize("mode", ["oblique", "mixture"])
def test_our_fits_grow_the_trees_of_the_package(data: str, concise: Any, mode: str) -> None:
    X, y = logistic.load(data)
    package = recipes.oblique_tree(mode, concise=concise).fit(X, y).tree_
    split = package_split(mode, concise)
    ours = recipes.oblique_tree(split=split).fit(X, y).tree_
    np.testing.assert_array_equal(ours.core.statistics, package.core.statistics)
    assert [set(node.predicate.columns) for node in ours.walk() if node.predicate] == [
        set(node.predicate.columns) for node in package.walk() if node.predicate
    ]


def test_the_best_threshold_is_not_worse_than_the_boundary() -> None:
    X, y = random_problem(13, n=300, k=3)
    rules = settings(max_depth=1, readable=False)
    at_boundary = TreeClassifier(split=Logistic(None), **rules).fit(X, y)
    at_best = TreeClassifier(split=Logistic(None, threshold="best"), **rules).fit(X, y)
    one, other = at_boundary.tree_.node(0).predicate, at_best.tree_.node(0).predicate
    assert isinstance(one, Linear)
    assert one.coefficients == pytest.approx(other.coefficients)
    assert leaf_sum(at_best, "deviance") <= leaf_sum(at_boundary, "deviance") + 1e-9


def test_climbing_never_makes_a_test_worse_and_adds_no_column() -> None:
    X, y = load_wine(return_X_y=True)
    X = X[:, [0, 2, 4, 9]]
    for concise in (None, "bic"):
        rules = settings(max_depth=1, readable=False)
        plain = TreeClassifier(split=Logistic(concise), **rules).fit(X, y)
        climbed = TreeClassifier(split=Logistic(concise, climb=True), **rules).fit(X, y)
        assert leaf_sum(climbed, "deviance") < leaf_sum(plain, "deviance")
        one, other = (set(model.tree_.node(0).predicate.columns) for model in (plain, climbed))
        assert other <= one


# ------------------------------------------------------------------ hard data


def fits(X: Any, y: Any, **how: Any) -> Any:
    """A fitted tree whose numbers are finite, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TreeClassifier(split=Logistic(**how)).fit(X, y)
    model.tree_.validate()
    for node in model.tree_.walk():
        if node.predicate is not None and isinstance(node.predicate, Linear):
            assert np.all(np.isfinite([*node.predicate.coefficients, node.predicate.threshold]))
    return model


@pytest.mark.parametrize("how", [{}, {"concise": None}, {"concise": "l1_bic"}, {"climb": True}])
class TestHardData:
    def test_one_class(self, how: Any) -> None:
        assert fits(np.eye(4), np.zeros(4), **how).tree_.n_leaves == 1

    def test_two_rows(self, how: Any) -> None:
        assert fits([[0.0, 1.0], [1.0, 0.0]], [0, 1], **how).tree_.n_leaves == 2

    def test_no_numeric_column(self, how: Any) -> None:
        model = fits({"level": ["a", "b", "a", "b"]}, [0, 1, 0, 1], **how)
        assert model.tree_.n_leaves == 2

    def test_one_numeric_column(self, how: Any) -> None:
        model = fits([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], **how)
        assert isinstance(model.tree_.node(0).predicate, AxisTest)
        assert model.predict([[2.0], [3.0]]).tolist() == [0, 1]

    def test_constant_columns(self, how: Any) -> None:
        assert fits(np.ones((20, 3)), np.arange(20) % 2, **how).tree_.n_leaves == 1
        X = np.column_stack([np.ones(20), np.arange(20.0), np.ones(20) * 1e9])
        assert fits(X, np.arange(20) >= 10, **how).tree_.n_leaves == 2

    def test_the_same_column_twice(self, how: Any) -> None:
        X, y = random_problem(1, n=60, k=2)
        doubled = np.column_stack([X, X, X[:, 0] * 2.54])
        model = fits(doubled, y, **how)
        assert model.score(doubled, y) >= 0.6

    def test_groups_that_can_be_separated(self, how: Any) -> None:
        X = np.random.default_rng(0).normal(size=(50, 4))
        y = X @ [1.0, -2.0, 0.5, 0.0] > 0.1
        model = fits(X, y, **how)
        assert model.score(X, y) == 1.0

    def test_a_class_of_one_row(self, how: Any) -> None:
        X, y = random_problem(8, n=40, k=3)
        assert fits(X, np.where(np.arange(40) == 7, 2, y), **how).tree_.n_nodes >= 3

    def test_more_columns_than_rows(self, how: Any) -> None:
        X = np.random.default_rng(2).normal(size=(12, 30))
        assert fits(X, np.arange(12) % 3, **how).tree_.n_leaves >= 2

    def test_missing_values(self, how: Any) -> None:
        X, y = load_wine(return_X_y=True)
        X = X[:, :5].copy()
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
        X[:, 4] = np.nan
        X[:30, 4] = 1.0  # known in a sixth of the rows: not used in sums
        model = fits(X, y, **how)
        assert model.score(X, y) > 0.7
        assert 4 not in model.tree_.node(0).predicate.columns

    def test_huge_offsets(self, how: Any) -> None:
        X, y = random_problem(15, n=100, k=3)
        z = (X - X.mean(axis=0)) / X.std(axis=0)
        near, far = fits(z, y, **how), fits(z + 1e9, y, **how)
        assert far.score(z + 1e9, y) == pytest.approx(near.score(z, y), abs=0.03)

    def test_numbers_that_cannot_be_squared(self, how: Any) -> None:
        X, y = random_problem(16, n=60, k=2)
        z = (X - X.mean(axis=0)) / X.std(axis=0)
        assert fits(np.column_stack([z, z[:, 0] * 1e200]), y, **how).tree_.n_nodes >= 3


def test_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="are for classification"):
        TreeRegressor(split=Logistic()).fit([[1.0, 2.0], [2.0, 1.0], [0.0, 0.0]], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"concise": "cp"}, "concise"),
        ({"tau": 0.0}, "tau"),
        ({"events": -1}, "events"),
        ({"max_bipartitions": 0}, "max_bipartitions"),
        ({"climb": True, "solver": "irls"}, "solver='ridge'"),
    ],
)
def test_wrong_parameters_are_refused(how: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TreeClassifier(split=Logistic(**how)).fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])


def test_a_wrong_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="'mode' must be"):
        recipes.oblique_logistic("both")


@pytest.mark.long
@pytest.mark.parametrize("concise", ["aic", "l1_bic"])
@pytest.mark.parametrize("scope", ["best", "all"])
@pytest.mark.parametrize("max_terms", [1, 3])
def test_no_split_has_more_terms_than_asked(concise, scope, max_terms):
    X, y = load_breast_cancer(return_X_y=True)
    split = Logistic(concise, scope=scope, max_terms=max_terms)
    tree = TreeClassifier(split=split, max_leaf_nodes=4).fit(X[:, :8], y).tree_
    terms = [node.predicate.n_terms for node in tree.walk() if not node.is_leaf]
    assert max(terms) == max_terms


def test_a_climb_needs_ridge():
    with pytest.raises(ValueError, match=r"climb=True\) needs solver='ridge'\. Got 'irls'"):
        TreeClassifier(split=Logistic(climb=True, solver="irls")).fit([[1.0], [2.0]], [0, 1])


def test_a_most_number_of_terms_needs_a_criterion():
    with pytest.raises(ValueError, match=r"max_terms=\) needs a criterion in 'concise'"):
        TreeClassifier(split=Logistic(None, max_terms=2)).fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])
