"""Trimming and squeezing: against recorded sequences, a slow twin, and on trees of any kind."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracles import logistic
from sklearn.datasets import load_diabetes, load_iris, load_wine

from treewright import MUST, Axis, Best, Logistic, TreeClassifier, TreeRegressor, _core, recipes
from treewright.estimators import EarlyStopping, GrowthRules
from treewright.predicates import Linear
from treewright.prune import (
    CostComplexity,
    Squeeze,
    TreeSequence,
    Trim,
    squeeze_path,
    trim_path,
    trim_steps,
)
from treewright.prune.concise import inside_classes
from treewright.prune.elimination import Visited, hull
from treewright.prune.risks import node_risks
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

# The trees, risks and prices of spec section 13.5: complexity falls by one in every step.
CRABS = [26.6383] * 7 + [32.6607, 32.6607, 19.6078, 134.1712, 249.9337, 472.8561]
PIMA = [
    178.9057, 177.7860, 174.3287, 173.7071, 168.3004, 168.3004, 167.8774, 172.4348, 160.8640,
    170.1669, 170.1669, 173.3213, 180.5568, 181.9740, 180.5568, 180.2799, 185.5778, 194.7405,
    198.0604, 194.9425, 208.2272, 202.2594, 201.1208, 210.3385, 222.8577,
]  # fmt: skip
IRIS = [19.6078] * 4 + [26.6383, 45.3935, 44.8314]
PRINCIPAL = [67.1658, 57.6454, 57.6454, 149.9060]


def package_tree(name: str) -> tuple[Tree, Any, Any]:
    X, y = logistic.load(name)
    return recipes.oblique_tree("oblique").fit(X, y).tree_, X, y


def full_tree(seed: int = 0, n: int = 120, classes: int = 3) -> tuple[Tree, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    y = random.integers(0, classes, n)
    X[:, 0] += y
    X[:, 1] -= y * (y > 1)
    split = Logistic(concise=None)
    model = TreeClassifier(split=split, criterion="deviance", min_samples_leaf=4, max_depth=3)
    return model.fit(X, y).tree_, X, y


def leaf_risk(tree: Tree, risk: str = "deviance") -> float:
    return float(node_risks(tree, risk)[tree.core.n_branches == 0].sum())


# ------------------------------------------------------------------ vectors


@pytest.mark.parametrize(
    ("name", "start", "risks", "corners", "alphas"),
    [
        ("crabs5", 16, CRABS, [7, 6, 5, 4], [0, 114.5634, 115.7625, 222.9224]),
        ("Pima", 29, PIMA, [21, 14, 7, 6, 5], [0, 2.7737, 2.9773, 9.2177, 12.5192]),
        ("iris3", 9, IRIS, None, None),
        ("crabspc", 7, PRINCIPAL, None, None),
    ],
)
@pytest.mark.skipif(not logistic.HAS_DATA, reason="no shared data sets or recorded outputs")
def test_recorded_sequences(name: str, start: int, risks: Any, corners: Any, alphas: Any) -> None:
    tree, X, y = package_tree(name)
    steps = trim_steps(tree, X, y, depth="partial", tau=1e-6, drop_empty=False)
    assert [step.complexity for step in steps] == list(range(start, start - len(risks), -1))
    assert [step.risk for step in steps] == pytest.approx(risks, abs=1e-3)
    if corners is not None:
        found, prices = hull(steps)
        assert [step.complexity for step in found] == corners
        assert prices == pytest.approx(alphas, abs=1e-3)


@pytest.mark.skipif(not logistic.HAS_DATA, reason="no shared data sets or recorded outputs")
def test_trimming_beats_the_package_at_equal_complexity() -> None:
    for name, complexity, ours in (("Pima", 21, 160.9), ("crabs5", 7, 19.6)):
        tree, X, y = package_tree(name)
        steps = {step.complexity: step.risk for step in trim_steps(tree, X, y, depth="partial")}
        assert steps[complexity] == pytest.approx(ours, abs=0.1)
        recorded = logistic.oracle()["trees"][f"{name}.only.none.deviance"]["trim_partial_deviance"]
        theirs = dict(zip(recorded["comp"], recorded["dev"], strict=True))
        assert steps[complexity] < theirs[complexity] - 20.0


@pytest.mark.skipif(not logistic.HAS_DATA, reason="no shared data sets or recorded outputs")
def test_going_down_for_each_price_may_halt_before_a_rise() -> None:
    """The case of the specification: crabs at a price of 5 halts at complexity 10."""
    tree, X, y = package_tree("crabs5")
    by_hull = trim_path(tree, X, y, tau=1e-6)
    by_mesh = trim_path(tree, X, y, tau=1e-6, search="mesh")
    assert by_hull.at(alpha=5.0).complexity == 7
    assert by_mesh.at(alpha=5.0).complexity == 10


# ------------------------------------------------------------------ what must hold


@pytest.mark.parametrize("depth", ["partial", "complete"])
@pytest.mark.parametrize("path", ["backward", "l1"])
@pytest.mark.parametrize("complexity", ["attributes", "path_average"])
def test_what_holds_for_every_tree_on_the_way(depth: str, path: str, complexity: str) -> None:
    tree, X, y = full_tree()
    steps = trim_steps(tree, X, y, depth=depth, path=path, complexity=complexity)
    table, target = table_of(X, tree.schema), target_of(y, tree.schema, len(y))
    for step in steps:
        step.tree.validate()
        again = _core.refit(step.tree.core, table, target)
        np.testing.assert_array_equal(again.statistics, step.tree.core.statistics)
        assert (step.tree.core.rows > 0).all()
        assert step.risk == pytest.approx(leaf_risk(step.tree))
    assert all(a.complexity > b.complexity for a, b in pairwise(steps))
    assert steps[-1].tree.n_leaves == 1 or (
        depth == "partial" and set(steps[-1].tree.node_terms) <= {0, 1}
    )
    corners, alphas = hull(steps)
    assert np.all(np.diff(alphas) > 0)
    for alpha in (0.0, 0.5, 2.0, 10.0, 1e6):
        best = min(step.risk + alpha * step.complexity for step in steps)
        chosen = corners[int(np.searchsorted(alphas, alpha, side="right")) - 1]
        assert chosen.risk + alpha * chosen.complexity == pytest.approx(best)


def check_collapses(steps: list[Visited]) -> None:
    """Check each step against the leaves that could have been made instead, one by one."""
    for here, there in pairwise(steps):
        ratio = (there.risk - here.risk) / (here.complexity - there.complexity)
        assert there.ratio == pytest.approx(ratio, abs=1e-9)
        # Leaves in place of tests on one column cost what the twin says.
        risks = node_risks(here.tree, "deviance")
        for node in here.tree.walk():
            if len(node.children) == 0 or isinstance(node.predicate, Linear):
                continue
            collapsed = here.tree.collapse([node.id])
            lost = leaf_risk(collapsed) - float(risks[here.tree.core.n_branches == 0].sum())
            saved = here.complexity - collapsed.complexity
            assert lost / saved >= there.ratio - 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_no_collapse_is_cheaper_than_the_step_taken(seed: int) -> None:
    tree, X, y = full_tree(seed)
    check_collapses(trim_steps(tree, X, y))


@pytest.mark.parametrize("seed", range(5))
def test_what_is_remembered_is_what_would_be_found_anew(seed: int) -> None:
    """Steps far from a change are not looked at again; with another count of complexity all are."""
    from treewright.prune import elimination

    tree, X, y = full_tree(seed, classes=4)
    remembered = trim_steps(tree, X, y)
    table, target = table_of(X, tree.schema), target_of(y, tree.schema, len(y))
    anew = elimination.Trimming(
        tree, table, target, elimination.ConciseTests("backward", True, 1e-4), risk="deviance",
        complexity="attributes", complete=True,
    )  # fmt: skip
    anew.is_local = False
    found = list(anew.all_steps())
    assert [(s.complexity, s.nodes) for s in found] == [(s.complexity, s.nodes) for s in remembered]
    assert [s.risk for s in found] == pytest.approx([s.risk for s in remembered])


def test_a_falling_test_keeps_its_rows_below_it() -> None:
    """A test trimmed to one column with a negative slope turns round with its branches."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = (X @ [-2.0, 0.3, 0.1] > 0).astype(int)
    split = Logistic(concise=None)
    tree = TreeClassifier(split=split, criterion="deviance", max_depth=1).fit(X, y).tree_
    last = trim_steps(tree, X, y, depth="partial")[-1].tree
    assert last.node(0).predicate.columns == (0,)
    assert (last.predict(X) == y).mean() > 0.9
    turned = trim_steps(tree, X, y, depth="partial", as_package=True)[-1].tree
    assert (turned.predict(X) == (X[:, 0] < 0)).mean() > 0.9  # counts are made anew below


def test_empty_branches_go() -> None:
    has_empty = []
    for seed in range(8):
        tree, X, y = full_tree(seed, n=60)
        kept = trim_steps(tree, X, y, depth="partial", drop_empty=False)
        has_empty.append(any((step.tree.core.rows == 0).any() for step in kept))
        dropped = trim_steps(tree, X, y, depth="partial")
        assert all((step.tree.core.rows > 0).all() for step in dropped)
    assert any(has_empty)


def test_what_a_test_has_inside() -> None:
    assert inside_classes(np.array([5.0, 1.0]), np.array([1.0, 5.0])).tolist() == [False, True]
    mostly_left = inside_classes(np.array([50.0, 9.0]), np.array([1.0, 8.0]))
    assert mostly_left.tolist() == [False, True]
    assert inside_classes(np.array([1.0, 1.0]), np.array([1.0, 1.0])).tolist() == [True, False]


# ------------------------------------------------------------------ as pruners


PRUNERS = [
    Trim(folds=3),
    Trim(folds=3, path="l1", refit=False),
    Trim(folds=3, search="mesh"),
    Trim(holdout=0.3),
    Trim(alpha=2.0),
    Trim(folds=3, judge="deviance", complexity="path_average"),
    Trim(folds=3, depth="partial", se=0.0),
    Squeeze(folds=3),
    Squeeze(folds=3, refit=False, judge="deviance", shares=(1.0, 0.5, 0.1)),
]


@pytest.mark.long
@pytest.mark.parametrize("prune", PRUNERS, ids=repr)
@pytest.mark.parametrize("readable", [True, False])
def test_pruners_of_classes(prune: Any, readable: bool) -> None:
    X, y = load_wine(return_X_y=True)
    X = X[:, :6]
    split = Logistic(concise=None)
    whole = TreeClassifier(split=split, min_samples_leaf=5).fit(X, y)
    model = TreeClassifier(split=split, min_samples_leaf=5, prune=prune, readable=readable)
    model.fit(X, y)
    assert isinstance(model.path_, TreeSequence)
    assert model.path_[model.path_.chosen].tree == model.tree_
    assert model.tree_.complexity <= whole.tree_.complexity
    assert model.score(X, y) > 0.8
    if prune.get_params().get("holdout") is None:
        leaves = model.tree_.core.n_branches == 0
        counted = np.bincount(model.tree_.apply(X), minlength=model.tree_.n_nodes)
        np.testing.assert_array_equal(model.tree_.core.rows[leaves], counted[leaves])
    entry = model.path_[0]
    assert model.at(leaves=entry.leaves) == entry.tree
    assert str(model.path_).count("\n") == len(model.path_)


@pytest.mark.parametrize(
    "split",
    [
        pytest.param(MUST("all"), marks=pytest.mark.slow, id="MUST('all')"),
        *(pytest.param(one, id=repr(one)) for one in (MUST(2), Best(Axis(), MUST(3)), Axis())),
    ],
)
@pytest.mark.parametrize("prune", ["trim", "squeeze"])
def test_trees_of_any_method(split: Any, prune: str) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = TreeClassifier(split=split, min_samples_leaf=5, prune=prune).fit(X, y)
    assert model.score(X, y) > 0.9
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    numbers = TreeRegressor(split=split, min_samples_leaf=20, max_depth=3, prune=prune).fit(X, y)
    assert numbers.score(X, y) > 0.3
    whole = TreeRegressor(split=split, min_samples_leaf=20, max_depth=3).fit(X, y)
    assert numbers.tree_.complexity <= whole.tree_.complexity


def test_trimming_a_tree_on_single_columns_is_cost_complexity_pruning() -> None:
    X, y = load_wine(return_X_y=True)
    rules = {"criterion": "deviance", "min_samples_leaf": 5}
    trimmed = TreeClassifier(prune=Trim(risk="deviance"), **rules).fit(X, y)
    pruned = TreeClassifier(prune=CostComplexity(risk="deviance"), **rules).fit(X, y)
    assert trimmed.path_.alphas == pytest.approx(pruned.path_.alphas)
    assert [e.leaves for e in trimmed.path_] == [e.leaves for e in pruned.path_]
    assert [e.cv_risk for e in trimmed.path_] == pytest.approx([e.cv_risk for e in pruned.path_])
    np.testing.assert_array_equal(trimmed.tree_.apply(X), pruned.tree_.apply(X))
    assert trimmed.tree_.rules() == pruned.tree_.rules()


@pytest.mark.long
def test_costs_missing_values_levels_and_weights() -> None:
    random = np.random.default_rng(1)
    n = 150
    X = {
        "a": random.normal(size=n),
        "b": np.where(random.random(n) < 0.2, np.nan, random.normal(size=n)),
        "level": random.choice(["red", "green", "blue"], n).tolist(),
    }
    y = np.where(X["a"] + np.nan_to_num(X["b"]) > 0, "yes", "no")
    weights = random.integers(1, 4, n).astype(float)
    for missing in ("default", "fraction", "surrogate", "stop"):
        for prune in (Trim(folds=3), Squeeze(folds=3)):
            model = TreeClassifier(
                split=Logistic(concise=None), prune=prune, missing=missing, min_samples_leaf=5,
                cost_matrix=[[0, 1], [3, 0]],
            )  # fmt: skip
            model.fit(X, y, weights)
            model.tree_.validate()
            assert (model.predict(X) == y).mean() > 0.6


@pytest.mark.parametrize("prune", [Trim(folds=3), Squeeze(folds=3)], ids=repr)
def test_leaves_of_absolute_error_answer_with_medians(prune: Any) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = X @ [1.0, -0.5, 0.3, 0.0] + random.exponential(size=300)
    model = TreeRegressor(
        split=MUST("all"), criterion="absolute_error", min_samples_leaf=20, max_depth=3, prune=prune
    ).fit(X, y)
    ends = model.tree_.apply(X)
    for leaf in np.unique(ends):
        assert model.tree_.node(int(leaf)).value == pytest.approx(np.median(y[ends == leaf]))


@pytest.mark.parametrize("prune", [Trim(alpha=0.5), Trim(folds=3), Squeeze(folds=3)], ids=repr)
def test_all_trees_of_a_sequence_count_the_same_rows(prune: Any) -> None:
    X, y = load_wine(return_X_y=True)
    model = TreeClassifier(
        split=Logistic(None),
        min_samples_leaf=5,
        growth_rules=GrowthRules(early_stopping=EarlyStopping(0.3)),
        random_state=0,
        prune=prune,
    )
    assert {entry.tree.core.rows[0] for entry in model.fit(X, y).path_} == {len(y)}


def test_rows_that_stop_cost_what_their_node_answers() -> None:
    """A column with gaps is not worth keeping only because rows without it stop."""
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4))
    y = (X @ [1.0, 1.0, 0.0, 0.05] + random.logistic(size=400) * 0.5 > 0).astype(int)
    X[random.random(400) < 0.4, 3] = np.nan
    rules = {
        "split": Logistic(None),
        "max_depth": 1,
        "criterion": "deviance",
        "min_samples_leaf": 5,
    }
    for missing in ("default", "stop"):
        model = TreeClassifier(missing=missing, prune=Trim(se=0), **rules).fit(X, y)
        assert model.tree_.node(0).predicate.columns == (0, 1)
        for entry in model.path_:
            shares = entry.tree.distribution(X)[np.arange(400), y]
            assert entry.risk == pytest.approx(-2.0 * np.log(shares).sum(), rel=1e-6)


@pytest.mark.parametrize("measure", ["deviance", "gini", "entropy"])
def test_importances_are_those_of_the_tests_in_use(measure: str) -> None:
    X, y = load_wine(return_X_y=True)
    rules = {"criterion": measure, "min_samples_leaf": 5, "split": Logistic(concise=None)}
    grown = TreeClassifier(**rules).fit(X, y).tree_
    path = TreeClassifier(prune=Trim(alpha=0.0), **rules).fit(X, y).path_
    whole = TreeClassifier(prune=Squeeze(folds=2, shares=(1.0,)), **rules).fit(X, y).tree_
    np.testing.assert_allclose(whole.core.gain, grown.core.gain, atol=1e-9)
    for entry in path:
        risks = node_risks(entry.tree, measure)
        ends = entry.tree.core.n_branches == 0
        assert entry.tree.core.gain.sum() == pytest.approx(risks[0] - risks[ends].sum())


def test_gains_stay_those_of_the_growth_if_they_are_no_sum_over_branches() -> None:
    X, y = load_wine(return_X_y=True)
    rules = {"criterion": "twoing", "min_samples_leaf": 5, "split": Logistic(concise=None)}
    grown = TreeClassifier(**rules).fit(X, y).tree_
    whole = TreeClassifier(prune=Squeeze(folds=2, shares=(1.0,)), **rules).fit(X, y).tree_
    np.testing.assert_array_equal(whole.core.gain, grown.core.gain)


def test_one_row_and_no_sum() -> None:
    for prune in (Trim(folds=2), Squeeze(folds=2)):
        assert (
            TreeClassifier(split=Logistic(), prune=prune).fit([[1.0, 2.0]], [0]).tree_.n_leaves == 1
        )
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier(prune="squeeze").fit(X, y)
    assert model.tree_ == TreeClassifier().fit(X, y).tree_


def test_squeezing_never_makes_slopes_longer() -> None:
    tree, X, y = full_tree()
    table, target = table_of(X, tree.schema), target_of(y, tree.schema, len(y))
    rows = np.arange(len(y), dtype=np.uint32)
    inside = (y > 0).astype(np.uint8)
    models = _core.NodeModels(table, target, rows, [0, 1, 2, 3], inside, tau=100.0)
    lengths = [sum(map(abs, m.slopes)) for m in models.squeezed([1.0, 0.99, 0.5, 0.1], False)]
    assert lengths == sorted(lengths, reverse=True)


def test_jobs_do_not_matter() -> None:
    X, y = load_wine(return_X_y=True)
    one = recipes.oblique_logistic("oblique", concise=None, prune=Trim(folds=5)).fit(X, y)
    two = recipes.oblique_logistic("oblique", concise=None, prune=Trim(folds=5, n_jobs=2)).fit(X, y)
    assert one.tree_ == two.tree_
    assert [e.cv_risk for e in one.path_] == [e.cv_risk for e in two.path_]


def test_a_sequence_prints_a_line_for_each_tree() -> None:
    X, y = load_iris(return_X_y=True)
    path = TreeClassifier(split=Logistic(concise=None), prune=Trim(folds=3)).fit(X, y).path_
    head, *lines = str(path).splitlines()
    names = ["alpha", "complexity", "leaves", "effort", "risk", "relative", "held out", "+-"]
    assert re.split(r"\s{2,}", head.strip()) == names
    assert [line.split()[2] for line in lines] == [str(entry.leaves) for entry in path]
    errors = [entry.cv_risk / path.cv_unit for entry in path]
    assert [float(line.split()[6]) for line in lines] == pytest.approx(errors, abs=5e-4)
    assert repr(path).startswith(f"<TreeSequence: {len(path)} trees, complexity ")


def test_paths_by_hand() -> None:
    X, y = load_iris(return_X_y=True)
    tree = recipes.oblique_logistic("oblique", concise=None, prune=None).fit(X, y).tree_
    path = trim_path(tree, X, y, depth="partial")
    assert path.at(complexity=5).complexity == 5
    assert path.at(alpha=1e9).tree == path[-1].tree
    squeezed = squeeze_path(tree, X, y, shares=(1.0, 0.1))
    assert squeezed[0].complexity > squeezed[1].complexity
    with pytest.raises(ValueError, match="Give either"):
        path.at()
    with pytest.raises(ValueError, match="'alpha' must be a number >= 0"):
        path.at(alpha=-1.0)


def test_two_ways_of_choosing_are_refused() -> None:
    with pytest.raises(ValueError, match="either 'alpha' or 'holdout'"):
        TreeClassifier(prune=Trim(alpha=1.0, holdout=0.3)).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Trim(path="forward"), "path"),
        (lambda: Trim(se=-1), "se"),
        (lambda: Trim(holdout=2.0), "holdout"),
        (lambda: Squeeze(shares=()), "shares"),
        (lambda: Squeeze(shares=(0.5, 0.5)), "shares"),
        (lambda: Squeeze(shares="all"), "shares"),
    ],
)
def test_wrong_parameters_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"'{words}' parameter"):
        TreeClassifier(prune=make()).fit([[0.0], [1.0]], [0, 1])
