"""What holds for every tree that is grown, by whatever method, measure, gain and policy.

Tables are small and their numbers coarse, so that ties, constant columns, pure nodes and rows
without a known branch are common. Weights and targets are small multiples of a power of two: sums
of them are exact in any order, except where rows are divided into shares.
"""

from __future__ import annotations

import pickle
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from sklearn.base import clone
from strategies import GRID

from treewright import TreeClassifier, TreeRegressor, _core, load, split_method, splits
from treewright.estimators import GrowthRules
from treewright.measures import CLASS_MEASURES, GAINS, NUMBER_MEASURES
from treewright.predicates import Axis, Linear, Pair
from treewright.predicates.base import FlatKind
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES, STOP_POLICIES


@split_method
def some_direction(X, y, w, rng):
    """Return a short random direction."""
    return rng.integers(-2, 3, size=X.shape[1])


@split_method
def some_tests(node, rng):
    """Propose tests of several kinds on what is there."""
    columns = node.numeric_columns
    if not columns:
        return None
    first, last = columns[0], columns[-1]
    cut = float(rng.choice(GRID))
    tests = [Axis(first, cut), Pair("xor", Axis(first, cut), Axis(last, 0.5))]
    return tests if first == last else [*tests, Linear((first, last), (1.0, -0.5), cut)]


PLANES = splits.OC1 | splits.CARTLC | splits.SADT | splits.WODT | splits.HHCART
METHODS = [*splits.registered(), some_direction, some_tests]
KINDS = [TreeClassifier, TreeRegressor]
# Two coordinates may spread the classes of a few rows equally, and two classes have equal means
# under a power: rounding decides then. Their own tests change the order of less coarse rows.
BY_ROUNDING = [splits.Example(), splits.QUEST(linear=True), splits.CRUISE()]
ORDERLESS = [method for method in splits.registered() if method not in BY_ROUNDING]
# What C4.5 charges for a choice of cuts, and what information criteria and a ridge weigh against
# the likelihood, depends on the number of rows, which weights stand for; so do the weights that
# dGMML's paper prints for columns on which not the same classes have values.
WEIGHTLESS = [
    method
    for method in METHODS
    if method != splits.Axis("c45")
    and getattr(method, "variant", None) != "paper"
    and not any(isinstance(one, splits.Logistic | splits.PBOT) for one in (method, *method.parts))
]


def chooses_first(method: Any) -> bool:
    """Tell whether columns are chosen by a statistic, before any is cut, or taken one by one.

    Nor does the order matter little where one of several equally good directions is taken, or where
    one column is singled out.
    """
    by_contribution = isinstance(method, splits.MUST) and method.features != "all"
    others = splits.FTest | splits.QUEST | splits.CRUISE | splits.LMDT | splits.LinearProgram
    return by_contribution or isinstance(method, others | PLANES | splits.Climb)


each_method = pytest.mark.parametrize("method", METHODS, ids=repr)
each_kind = pytest.mark.parametrize("kind", KINDS)
# Each property is tried on many methods, so on fewer tables for each of them.
few = effort(max_examples=1 if effort().derandomize else effort().max_examples // 5)
# Rounding shows in one table of hundreds: where examples are random, all of them.
many = few if effort().derandomize else effort()


@dataclass(frozen=True)
class Problem:
    """A table as a dict of lists, a target and weights."""

    X: dict[str, list[Any]]
    y: list[Any]
    w: list[float]

    def rows(self, order: list[int]) -> Problem:
        X = {name: [cells[i] for i in order] for name, cells in self.X.items()}
        return Problem(X, [self.y[i] for i in order], [self.w[i] for i in order])

    def columns(self, order: list[int]) -> Problem:
        names = list(self.X)
        return replace(self, X={names[i]: self.X[names[i]] for i in order})


@st.composite
def problems(draw: st.DrawFn, kind: type, missing: bool = True, levels: bool = True) -> Problem:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(1, 24))
    gaps = draw(st.sampled_from([0.0, 0.2, 0.5])) if missing else 0.0
    X: dict[str, list[Any]] = {}
    for index in range(draw(st.integers(1, 3))):
        values = random.choice(GRID, n_rows).tolist()
        X[f"number {index}"] = [None if random.random() < gaps else value for value in values]
    for index in range(draw(st.integers(0, 2)) if levels else 0):
        names = [f"level {i}" for i in range(int(random.integers(1, 5)))]
        values = random.choice(names, n_rows).tolist()
        X[f"category {index}"] = [None if random.random() < gaps else value for value in values]
    for name, cells in X.items():  # a column without any value has no kind of its own
        if all(cell is None for cell in cells):
            cells[0] = 0.5 if name.startswith("number") else "level 0"
    if kind is TreeClassifier:
        y = random.choice(["a", "b", "c"][: draw(st.integers(1, 3))], n_rows).tolist()
    else:
        y = (random.integers(-8, 9, n_rows) / 4).tolist()
    w = random.integers(1, 5, n_rows) / 2 if draw(st.booleans()) else np.ones(n_rows)
    return Problem(X, y, w.tolist())


@st.composite
def settings(draw: st.DrawFn, kind: type, **fixed: Any) -> dict[str, Any]:
    classes = kind is TreeClassifier
    chosen = {
        "criterion": draw(st.sampled_from(CLASS_MEASURES if classes else NUMBER_MEASURES)),
        "missing": draw(st.sampled_from(MISSING_POLICIES)),
        "categorical": draw(st.sampled_from(["subset", "multiway"])),
        "min_samples_leaf": draw(st.integers(1, 3)),
        "max_depth": draw(st.sampled_from([None, 1, 3])),
        "growth_rules": GrowthRules(zero_gain=draw(st.booleans())),
        "readable": draw(st.booleans()),
        "random_state": draw(st.integers(0, 3)),
    }
    if classes:
        chosen["gain"] = draw(st.sampled_from(GAINS))
    if chosen["criterion"] == "twoing":  # judges two branches only
        chosen["categorical"] = "subset"
    return {**chosen, **fixed}


def with_gaps(cells: np.ndarray, random: np.random.Generator) -> list[Any]:
    """A quarter of the cells is lost."""
    return [None if random.random() < 0.25 else cell for cell in cells.tolist()]


def is_for_classes_only(method: Any) -> bool:
    return getattr(method, "for_classes_only", False)


def fit(kind: type, method: Any, parameters: dict[str, Any], problem: Problem) -> Any:
    branchy = method in (splits.Categorical("multiway"), splits.Categorical("grouped"))
    machines = splits.FACT | splits.CRUISE | splits.LMDT | splits.PBOT
    branchy = branchy or isinstance(method, machines)
    if parameters["criterion"] == "twoing" and branchy:
        parameters = {**parameters, "criterion": "gini"}
    if parameters["criterion"] == "absolute_error" and method == splits.Categorical("grouped"):
        parameters = {**parameters, "criterion": "squared_error"}
    if parameters["criterion"] == "hddt" and method == splits.Categorical("grouped"):
        parameters = {**parameters, "criterion": "hellinger"}
    searches = splits.OC1 | splits.CARTLC | splits.Climb | splits.SADT
    if parameters["criterion"] == "absolute_error" and isinstance(method, searches):
        parameters = {**parameters, "criterion": "squared_error"}
    depth = parameters["max_depth"]
    if isinstance(method, splits.PBOT) and depth is not None and (method.levels or 0) > depth:
        method = splits.PBOT(levels=depth)
    if kind is TreeRegressor and is_for_classes_only(method):
        pytest.skip("for classes only")
    model = kind(split=method, **parameters)
    return model.fit(problem.X, problem.y, problem.w)


def table_of(model: Any, problem: Problem) -> _core.Table:
    return _core.Table(model.schema_.encode(problem.X), model.schema_.n_levels)


def statistics_of(model: Any, problem: Problem, shares: np.ndarray) -> np.ndarray:
    """Statistics of a node that holds these shares of the rows."""
    weights = np.array(problem.w) * shares
    if isinstance(model, TreeClassifier):
        return np.array([weights[np.array(problem.y) == label].sum() for label in model.classes_])
    total = weights.sum()
    mean = (weights * problem.y).sum() / total if total > 0 else 0.0
    return np.array([total, mean, (weights * (np.array(problem.y) - mean) ** 2).sum()])


def same_tests(a: Any, b: Any) -> bool:
    """Same tests at all nodes; coefficients and their thresholds but for rounding."""
    return all(same_test(a.test(node), b.test(node)) for node in range(a.n_nodes))


def same_test(a: Any, b: Any) -> bool:
    if a is None or b is None or a[0] not in (FlatKind.LINEAR, FlatKind.MACHINE):
        return bool(a == b)
    return a[:2] == b[:2] and np.allclose(a[2], b[2], rtol=1e-7, atol=1e-9)


def same_structure(one: Any, other: Any) -> bool:
    """Same tests and branches, and statistics equal but for rounding."""
    a, b = one.tree_.core, other.tree_.core
    return (
        a.n_nodes == b.n_nodes
        and same_tests(a, b)
        and np.array_equal(a.first_child, b.first_child)
        and np.array_equal(a.default_branch, b.default_branch)
        and np.allclose(a.rows, b.rows)
        and np.allclose(a.statistics, b.statistics)
        and np.allclose(a.value, b.value)
        and np.allclose(a.gain, b.gain, atol=1e-9)
    )


@each_kind
@each_method
@few
@given(data=st.data())
def test_rows_end_where_the_tree_remembers_them(kind, method, data):
    problem = data.draw(problems(kind))
    model = fit(kind, method, data.draw(settings(kind)), problem)
    tree, table = model.tree_, table_of(model, problem)
    tree.validate()
    core = tree.core
    assert (core.gain >= -1e-9 * sum(problem.w)).all()
    held = tree.leaf_shares(table).toarray()
    np.testing.assert_allclose(held.sum(axis=1), 1.0)
    leaves = core.n_branches == 0
    stopped = held[:, ~leaves].any(axis=0)
    assert model.missing in STOP_POLICIES or not stopped.any()
    if model.missing != "fraction":
        assert ((held == 0) | (held == 1)).all()
        np.testing.assert_array_equal(held.argmax(axis=1), tree.apply(table))
    # Bottom-up: what a node holds is what its branches hold, and what stopped there.
    for node in range(core.n_nodes - 1, -1, -1):
        first, count = int(core.first_child[node]), int(core.n_branches[node])
        if count:
            branch = core.route(node, table)
            assert ((branch >= -1) & (branch < count)).all()
            assert (branch[held[:, node] > 0] == -1).all()
            np.testing.assert_allclose(
                core.stopped_statistics[node],
                statistics_of(model, problem, held[:, node]),
                atol=1e-7,
            )
            held[:, node] += held[:, first : first + count].sum(axis=1)
            known = (branch >= 0) & (held[:, node] > 0)
            np.testing.assert_allclose(
                held[known, first + branch[known]], held[known, node], atol=1e-12
            )
            assert (core.rows[first : first + count] > 0).sum() >= 2
        assert core.rows[node] == pytest.approx(held[:, node].sum(), abs=1e-9)
        np.testing.assert_allclose(
            core.statistics[node], statistics_of(model, problem, held[:, node]), atol=1e-9
        )


@each_kind
@each_method
@few
@given(data=st.data())
def test_stopping_rules_hold_at_every_node(kind, method, data):
    problem = data.draw(problems(kind))
    model = fit(kind, method, data.draw(settings(kind)), problem)
    core = model.tree_.core
    if model.max_depth is not None:
        assert model.get_depth() <= model.max_depth
    for node in np.flatnonzero(core.n_branches).tolist():
        first, count = int(core.first_child[node]), int(core.n_branches[node])
        enough = (core.rows[first : first + count] >= model.min_samples_leaf - 1e-9).sum()
        assert enough == 2 if count == 2 else enough >= 2
        if not model.growth_rules.zero_gain:
            assert core.gain[node] > 0


@each_kind
@each_method
@few
@given(data=st.data())
def test_best_first_without_a_limit_is_depth_first(kind, method, data):
    problem, parameters = data.draw(problems(kind)), data.draw(settings(kind))
    one = fit(kind, method, parameters, problem)
    other = fit(kind, method, {**parameters, "max_leaf_nodes": 1000}, problem)
    assert one.tree_ == other.tree_


@each_kind
@pytest.mark.parametrize("method", ORDERLESS, ids=repr)
@many
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(kind, method, data):
    # Not for means of columns (the example), nor for medians of rows that are divided: their last
    # digits depend on the order of the sum, and a value may lie exactly there.
    problem, parameters = data.draw(problems(kind)), data.draw(settings(kind))
    if parameters["criterion"] == "absolute_error" and parameters["missing"] == "fraction":
        parameters["missing"] = "default"
    order = data.draw(st.permutations(range(len(problem.y))))
    one = fit(kind, method, parameters, problem)
    other = fit(kind, method, parameters, problem.rows(order))
    assert same_structure(one, other)


@each_kind
@pytest.mark.parametrize(
    "method", [m for m in splits.registered() if not chooses_first(m)], ids=repr
)
@few
@given(data=st.data())
def test_the_order_of_columns_matters_for_ties_only(kind, method, data):
    # Not where columns are chosen before they are cut: a tie there may end in different cuts.
    problem = data.draw(problems(kind))
    only_plain = {"gain": "plain"} if kind is TreeClassifier else {}
    parameters = data.draw(settings(kind, max_depth=1, **only_plain))
    order = data.draw(st.permutations(range(len(problem.X))))
    one = fit(kind, method, parameters, problem)
    other = fit(kind, method, parameters, problem.columns(order))
    assert one.tree_.core.gain[0] == pytest.approx(other.tree_.core.gain[0], abs=1e-9)
    assert (one.tree_.n_nodes == 1) == (other.tree_.n_nodes == 1)


@each_method
@few
@given(data=st.data())
def test_names_do_not_matter(method, data):
    problem, parameters = data.draw(problems(TreeClassifier)), data.draw(settings(TreeClassifier))
    one = fit(TreeClassifier, method, parameters, problem)
    renamed = Problem(
        {f"my {name}": cells for name, cells in problem.X.items()},
        [f"class {label}" for label in problem.y],
        problem.w,
    )
    other = fit(TreeClassifier, method, parameters, renamed)
    assert one.tree_.core == other.tree_.core
    assert [f"class {label}" for label in one.predict(problem.X)] == list(other.predict(renamed.X))


@each_kind
@pytest.mark.parametrize("method", splits.registered(), ids=repr)
@few
@given(data=st.data(), power=st.integers(-4, 20))
def test_scaled_columns_have_scaled_thresholds(kind, method, data, power):
    problem = data.draw(problems(kind, levels=False))
    parameters = data.draw(settings(kind, readable=False))
    scale = 2.0**power
    scaled = {
        name: [None if cell is None else cell * scale for cell in cells]
        for name, cells in problem.X.items()
    }
    one = fit(kind, method, parameters, problem)
    other = fit(kind, method, parameters, replace(problem, X=scaled))
    a, b = one.tree_.core, other.tree_.core
    assert a.n_nodes == b.n_nodes
    np.testing.assert_array_equal(a.statistics, b.statistics)
    np.testing.assert_allclose(a.gain, b.gain, 1e-12)
    for node in np.flatnonzero(a.n_branches).tolist():
        (kind_a, features_a, numbers_a), (kind_b, features_b, numbers_b) = (
            a.test(node),
            b.test(node),
        )
        assert (kind_a, features_a) == (kind_b, features_b)
        if kind_a == FlatKind.LINEAR:  # the threshold scales against the coefficients
            *numbers_a, threshold = numbers_a
            unit = max(map(abs, numbers_a)) / max(map(abs, numbers_b[:-1]))
            in_unit = [number * unit for number in numbers_b]
            assert in_unit == pytest.approx([*numbers_a, threshold * scale])
        elif kind_a == FlatKind.MACHINE:  # the other way round, unless they are cuts of one column
            by_branch = np.reshape(numbers_b, (-1, len(features_b) + 1))
            by_branch[:, :-1] *= 1.0 if len(features_b) == 1 else scale
            by_branch[:, -1] /= scale if len(features_b) == 1 else 1.0
            assert numbers_a == pytest.approx(by_branch.ravel().tolist())
        else:
            assert [number * scale for number in numbers_a] == numbers_b


def without_counts(method: Any, kind: type) -> Any:
    """The method without what counts rows: bits that columns cost, and the ridge for numbers.

    That ridge is also what planes choose a few columns by, so they take all.
    """
    changes = {}
    for name in method.get_params():
        if name.endswith("concise"):
            changes[name] = "score"
        elif kind is TreeRegressor and name.endswith("direction"):
            changes[name] = "covariance"
        elif kind is TreeRegressor and name == "features" and isinstance(method, PLANES):
            changes[name] = "all"
    return clone(method).set_params(**changes)


@each_kind
@pytest.mark.parametrize("method", WEIGHTLESS, ids=repr)
@few
@given(data=st.data(), power=st.integers(-10, 10))
def test_scaled_weights_give_the_same_tree(kind, method, data, power):
    method = without_counts(method, kind)
    problem, parameters = data.draw(problems(kind)), data.draw(settings(kind))
    one = fit(kind, method, parameters, problem)
    scale = 2.0**power
    other = fit(kind, method, parameters, replace(problem, w=[w * scale for w in problem.w]))
    a, b = one.tree_.core, other.tree_.core
    assert a.n_nodes == b.n_nodes
    assert same_tests(a, b)
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_array_equal(a.value, b.value)
    np.testing.assert_allclose(a.gain * scale, b.gain, atol=1e-9 * scale)


@each_kind
@pytest.mark.parametrize("method", splits.registered(), ids=repr)
@few
@given(data=st.data())
def test_rows_of_weight_0_are_as_if_absent(kind, method, data):
    problem, parameters = data.draw(problems(kind)), data.draw(settings(kind))
    extra = {
        name: ["elsewhere" if name.startswith("category") else 99.0, *cells]
        for name, cells in problem.X.items()
    }
    label = "z" if kind is TreeClassifier else 99.0
    one = fit(kind, method, parameters, problem)
    other = fit(kind, method, parameters, Problem(extra, [label, *problem.y], [0.0, *problem.w]))
    assert one.tree_ == other.tree_
    assert one.schema_ == other.schema_


@each_kind
@each_method
@few
@given(data=st.data())
def test_readable_numbers_divide_the_rows_alike(kind, method, data):
    problem = data.draw(problems(kind))
    parameters = data.draw(settings(kind, max_depth=1))
    exact = fit(kind, method, {**parameters, "readable": False}, problem)
    short = fit(kind, method, {**parameters, "readable": True}, problem)
    table = table_of(exact, problem)
    assert exact.tree_.n_nodes == short.tree_.n_nodes
    if exact.tree_.n_nodes > 1:
        one, other = exact.tree_.core.route(0, table), short.tree_.core.route(0, table)
        turned = np.where(other >= 0, 1 - other, other)  # a linear test may be turned round
        assert np.array_equal(one, other) or np.array_equal(one, turned)


@each_kind
@each_method
@few
@given(data=st.data())
def test_a_model_survives_every_way_of_carrying_it(kind, method, data):
    problem, parameters = data.draw(problems(kind)), data.draw(settings(kind))
    if kind is TreeClassifier:
        parameters["smoothing"] = data.draw(st.sampled_from([None, "laplace", 2.0]))
    model = fit(kind, method, parameters, problem)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.json")
        loaded = load(Path(folder) / "model.json")
    for other in (loaded, pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.schema_ == model.schema_
        np.testing.assert_array_equal(other.predict(problem.X), model.predict(problem.X))
        if kind is TreeClassifier:
            shares = model.predict_proba(problem.X)
            np.testing.assert_array_equal(other.predict_proba(problem.X), shares)
            np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    nodes = [model.tree_.node(index) for index in range(model.tree_.n_nodes)]
    # A node where rows without a value stop has a rule of its own.
    n_ends = sum(node.is_leaf or node.may_stop for node in nodes)
    assert model.get_n_leaves() <= len(model.rules()) <= n_ends
    assert str(loaded.tree_) == str(model.tree_)


@pytest.mark.parametrize("missing", MISSING_POLICIES)
@each_method
@few
@given(data=st.data())
def test_rows_are_answered_where_they_end(missing, method, data):
    # A skip of one example would skip them all.
    kind = data.draw(st.sampled_from(KINDS[:1] if is_for_classes_only(method) else KINDS))
    problem = data.draw(problems(kind))
    model = fit(kind, method, data.draw(settings(kind, missing=missing)), problem)
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    X = {
        name: with_gaps(random.permutation(np.array(cells, object)), random)
        for name, cells in problem.X.items()
    }
    tree, table = model.tree_, table_of(model, replace(problem, X=X))
    core, shares, ends = tree.core, tree.leaf_shares(table), tree.apply(table)
    for other in (pickle.loads(pickle.dumps(tree)), Tree.from_json(tree.to_json(), tree.schema)):
        assert other == tree
        np.testing.assert_array_equal(other.apply(table), ends)
    passed = tree.decision_path(table).toarray()
    assert (passed[np.arange(len(ends)), ends] == 1).all()
    assert (passed[shares.nonzero()] == 1).all()
    if missing != "fraction":
        np.testing.assert_array_equal(shares.indices, ends)
        np.testing.assert_array_equal(core.parent[ends] >= 0, passed[:, 1:].any(axis=1))
        np.testing.assert_array_equal(core.depth[ends] + 1, passed.sum(axis=1))
    if kind is TreeRegressor:
        np.testing.assert_allclose(model.predict(X), shares @ core.value, atol=1e-12)
        return
    weights = core.statistics.sum(axis=1, keepdims=True)
    votes = np.eye(len(model.classes_))[core.value.astype(int)]  # of empty leaves
    of_node = np.divide(core.statistics, weights, out=votes, where=weights > 0)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(probabilities, shares @ of_node, atol=1e-12)
    if missing != "fraction":
        labels = model.classes_[core.value[ends].astype(int)]
        np.testing.assert_array_equal(model.predict(X), labels)


@each_kind
@pytest.mark.parametrize("missing", [policy for policy in MISSING_POLICIES if policy != "fraction"])
@few
@given(data=st.data())
def test_the_training_score_counts_rows_wherever_they_end(kind, missing, data):
    problem = data.draw(problems(kind))
    chosen = data.draw(settings(kind, missing=missing))
    if kind is TreeRegressor:
        chosen["criterion"] = "squared_error"
    model = fit(kind, splits.Axis(), chosen, problem)
    if len(set(problem.y)) > 1:
        score = model.score(problem.X, problem.y, problem.w)
        assert model.tree_.training_score == pytest.approx(score, abs=1e-9)
