"""Readable trees keep what experts ask of their columns, every tree of the front."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest
from column_rules import price, violations
from pool_twin import PoolCase
from sklearn.base import clone

import treewright
from treewright import Constraints, ReadableTreeClassifier, ReadableTreeRegressor, _core
from treewright.estimators.constraints import column_limits
from treewright.predicates import Axis, Linear, Subset
from treewright.readable.few_columns import SizedTree, search_few_columns
from treewright.readable.keeping import column_sets, whole_sum
from treewright.readable.pool import GINI, Budget, Problem, search_front
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.readable.terms import Terms
from treewright.tree.column_limits import NO_LIMITS, ColumnLimits

NAMES = ["a", "b", "c", "d", "level", "flag"]
N_COLUMNS = 4
BOTH = pytest.mark.parametrize("kind", [ReadableTreeClassifier, ReadableTreeRegressor])


def table(random: np.random.Generator, n_rows: int = 80) -> dict[str, list]:
    """Return columns of numbers, levels and booleans; some values are missing."""
    columns = {name: random.normal(size=n_rows).round(1) for name in "abcd"}
    for values in columns.values():
        values[random.random(n_rows) < 0.05] = np.nan
    level = random.choice(list("uvw"), n_rows)
    return {**columns, "level": level.tolist(), "flag": (random.random(n_rows) < 0.5).tolist()}


def target(columns: dict[str, list], random: np.random.Generator) -> np.ndarray:
    """Return numbers to which every column contributes."""
    a, b, c, d = (np.nan_to_num(columns[name]) for name in "abcd")
    level = np.array(columns["level"]) == "u"
    return a + 0.6 * b + c * d + level * a + np.array(columns["flag"]) + random.normal(size=len(a))


def some_columns(random: np.random.Generator, most: int = 4) -> list[int]:
    return random.choice(len(NAMES), random.integers(1, most + 1), replace=False).tolist()


def some_pairs(random: np.random.Generator) -> list[list[int]]:
    pairs = list(itertools.combinations(range(len(NAMES)), 2))
    return [list(pairs[i]) for i in random.choice(len(pairs), random.integers(1, 7), replace=False)]


DRAWS = {
    "interactions": lambda random: [some_columns(random) for _ in range(random.integers(1, 4))],
    "forbidden_pairs": some_pairs,
    "max_columns": lambda random: int(random.integers(1, 4)),
    "first_columns": some_columns,
    "max_terms": lambda random: int(random.integers(1, 3)),
    "whole_coefficients": lambda random: int(random.integers(1, 9)),
    "column_costs": lambda random: random.choice([0.0, 0.002, 0.02, 0.1], len(NAMES)).tolist(),
}


def some_constraints(random: np.random.Generator, names=()) -> Constraints:
    """Draw constraints by their names, or several."""
    names = names or random.choice(list(DRAWS), random.integers(2, 5), replace=False)
    return Constraints(**{one: DRAWS[one](random) for one in names})


def assert_kept(model) -> None:
    limits = column_limits("", model.constraints, model.schema_)
    trees = [model.tree_, *(entry.tree for entry in model.front_)]
    evidence = getattr(model, "evidence_", None)
    trees += () if evidence is None else evidence.first_questions
    for tree in trees:
        assert violations(tree, limits) == []
        if limits.costs:
            assert limits.price_of(tree) == pytest.approx(price(tree, limits.costs), abs=1e-9)


# ---------------------------------------------------------------- whole fits


def check_a_fit(seed: int) -> int:
    """Fit a table under some constraints; return how many trees there are."""
    random = np.random.default_rng(seed)
    columns = table(random, int(random.integers(30, 120)))
    number = target(columns, random)
    is_regression = seed % 3 == 0
    kind = ReadableTreeRegressor if is_regression else ReadableTreeClassifier
    few = {} if is_regression else {"n_bootstraps": 1}
    names = [*DRAWS][seed % 8 : seed % 8 + 1]  # one by one, and every eighth time several
    model = kind(
        size=int(random.choice([4, 8, 12])),
        max_leaf_nodes=int(random.choice([8, 12])),
        teacher=None,
        min_samples_leaf=int(random.integers(1, 6)),
        constraints=some_constraints(random, names),
        **few,
    )
    y = number if is_regression else np.digitize(number, np.quantile(number, [0.4, 0.7]))
    weights = None if seed % 2 else random.integers(1, 4, len(number)) * 0.5
    model.fit(columns, y, weights)
    assert_kept(model)
    return len(model.front_)


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_no_tree_of_the_front_violates_a_constraint(part):
    sizes = [check_a_fit(seed) for seed in range(part * 8, part * 8 + 8)]
    assert np.mean(sizes) > 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_no_tree_of_two_thousand_tables_violates_a_constraint(part):
    sizes = [check_a_fit(seed) for seed in range(100 + part * 100, 200 + part * 100)]
    assert np.mean(sizes) > 2


@pytest.mark.long
@BOTH
@pytest.mark.parametrize("name", DRAWS)
def test_chosen_by_folds_with_a_teacher_they_are_kept_too(kind, name):
    random = np.random.default_rng(len(name))
    columns = table(random, 150)
    number = target(columns, random)
    y = number > 0 if kind is ReadableTreeClassifier else number
    model = kind(constraints=some_constraints(random, [name])).fit(columns, y)
    assert_kept(model)
    assert model.certificate_.status in ("optimal", "extended")  # beyond depth three: grown
    assert "constraints" in model.certificate_.tests or "column" in model.certificate_.tests


@pytest.mark.slow
def test_large_tables_keep_them():
    random = np.random.default_rng(0)
    columns = table(random, 25_000)
    y = target(columns, random) > 0
    constraints = Constraints(
        whole_coefficients=3, forbidden_pairs=[("a", "b")], first_columns=["c", "d"]
    )
    assert_kept(ReadableTreeClassifier(size=6, constraints=constraints).fit(columns, y))


def test_a_price_is_paid_only_where_it_is_worth_it():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 2)).round(2)
    X[:, 1] = (X[:, 0] + 0.3 * random.normal(size=300)).round(2)
    y = X[:, 0] > 0
    names = {"dear": X[:, 0], "cheap": X[:, 1]}
    costs = []
    for cost in (0.0, 0.05, 0.5):
        priced = Constraints(column_costs={"dear": cost})
        model = ReadableTreeClassifier(size=4, teacher=None, constraints=priced).fit(names, y)
        costs.append(model.tree_.columns_read)
        assert model.reading_cost_ <= cost
    assert costs[0] == (0,)
    assert costs[-1] == (1,)


def test_sums_within_a_group_are_still_found():
    random = np.random.default_rng(1)
    X = {name: random.normal(size=200).round(2) for name in "abcd"}
    y = X["a"] + X["b"] > 0
    grouped = Constraints(interactions=[["a", "b"], ["c", "d"]])
    model = ReadableTreeClassifier(size=2, teacher=None, constraints=grouped).fit(X, y)
    root = model.tree_.node(0).predicate
    assert isinstance(root, Linear)
    assert set(root.columns) == {0, 1}
    assert model.score(X, y) > 0.95


def test_the_first_split_is_found_among_weak_columns():
    random = np.random.default_rng(1)
    X = {name: random.normal(size=300).round(2) for name in "abcd"}
    y = 3 * X["a"] + 3 * X["b"] + 0.3 * X["c"] > 0  # nothing asks for d at the root
    model = ReadableTreeClassifier(
        size=4, teacher=None, constraints=Constraints(first_columns=["d"])
    ).fit(X, y)
    assert model.tree_.n_leaves == 4
    assert model.tree_.node(0).predicate.columns == (3,)


def test_points_are_whole_numbers():
    random = np.random.default_rng(2)
    X = {name: random.integers(0, 11, 300) for name in "abc"}
    y = 2 * X["a"] + X["b"] - 3 * X["c"] + random.normal(size=300) > 1
    points = Constraints(whole_coefficients=3)
    model = ReadableTreeClassifier(size=2, teacher=None, constraints=points).fit(X, y)
    root = model.tree_.node(0).predicate
    assert isinstance(root, Linear)
    assert set(np.abs(root.coefficients)) <= {1.0, 2.0, 3.0}
    assert model.score(X, y) > 0.9


def test_without_limits_nothing_changes():
    random = np.random.default_rng(3)
    columns = table(random)
    y = target(columns, random) > 0
    settings = {"size": 8, "teacher": None}
    plain = ReadableTreeClassifier(**settings).fit(columns, y)
    nothing = Constraints(max_columns=6, max_terms=3, column_costs=dict.fromkeys(NAMES, 0.0))
    model = ReadableTreeClassifier(**settings, constraints=nothing).fit(columns, y)
    assert str(model.tree_) == str(plain.tree_)


# ---------------------------------------------------------------- the search


def draw_problem(random: np.random.Generator) -> tuple[Problem, list]:
    """Draw a small table, some conditions, and what paths or trees may read."""
    n_rows = int(random.integers(8, 40))
    values = random.integers(0, 4, size=(n_rows, N_COLUMNS)).astype(float)
    weights = random.choice([1.0, 2.0], n_rows)
    if random.random() < 0.5:
        codes = random.integers(0, 3, n_rows).astype(np.int32)
        target = SoftClasses.mixed(codes, None, 1.0, weights, 1.0 - np.eye(3))
    else:
        target = SoftNumbers(random.normal(size=n_rows).round(2), weights)
    proposed = []
    for _ in range(int(random.integers(2, 6))):
        column, other = random.choice(N_COLUMNS, 2, replace=False).tolist()
        if random.random() < 0.5:
            proposed.append(Axis(column, float(random.integers(0, 3)) + 0.5))
        else:
            cut = float(random.integers(0, 5)) + 0.5
            proposed.append(Linear((column, other), (1.0, float(random.integers(1, 4))), cut))
    limits = ColumnLimits(
        max_columns=int(random.integers(1, 4)) if random.random() < 0.5 else None,
        costs=tuple(random.choice([0.0, 0.01, 0.1], N_COLUMNS).tolist())
        if random.random() < 0.4
        else (),
        groups=((0, 1, 2), (2, 3)) if random.random() < 0.3 else (),
        forbidden_pairs=((0, 3),) if random.random() < 0.3 else (),
        first_columns=(0, 1, 2) if random.random() < 0.3 else (),
        max_terms=1 if random.random() < 0.2 else None,
        largest_whole=2 if random.random() < 0.2 else None,
    )
    budget = Budget(8, int(random.integers(1, 4)), 3, 1.0, 0.001, 0, 10, limits)
    n_levels = np.zeros(N_COLUMNS, dtype=np.int32)
    terms = Terms.of(values, n_levels, weights, 1.0)
    return Problem(values, terms, target, budget), proposed


def least_costs(problem: Problem, front) -> np.ndarray:
    """Give the least cost of at most 1, 2, ... leaves by trying all trees over the pool."""
    limits = problem.budget.limits
    met = np.unpackbits(
        front.conditions.bits, axis=1, count=len(problem.values), bitorder="little"
    ).astype(bool)
    columns = front.conditions.columns_read()
    per_weight = replace(limits, costs=tuple(problem.column_prices.tolist()), max_columns=None)
    found = np.full(2**problem.budget.depth + 1, np.inf)
    most = limits.max_columns or N_COLUMNS
    for allowed in itertools.combinations(range(N_COLUMNS), most):
        kept = [place for place, read in enumerate(columns) if read <= set(allowed)]
        case = PoolCase(
            met[kept],
            problem.whole.amounts,
            problem.target.costs(),
            problem.prices([front.conditions.others[place] for place in kept]),
            GINI,
            problem.least,
            problem.budget.depth,
            tuple(columns[place] for place in kept),
            per_weight,
        )
        found = np.minimum(found, case.best())
    found = np.minimum.accumulate(found[1:])
    return np.maximum(problem.whole.scale * (found + problem.whole.offset), 0.0)


def check_a_search(seed: int) -> None:
    random = np.random.default_rng(seed)
    problem, proposed = draw_problem(random)
    front = search_front(problem, proposed, n_jobs=1 + seed % 2)
    for leaves, least in enumerate(least_costs(problem, front).tolist(), 1):
        costs = [cost for size, cost in front.costs.items() if size <= leaves]
        assert min(costs) == pytest.approx(least, rel=1e-9, abs=1e-9)
    assert front.within == {}
    for plan in front.plans.values():
        read = frozenset().union(
            *(front.conditions.columns_read()[test] for test in plan.first if test >= 0)
        )
        assert len(read) <= (problem.budget.limits.max_columns or N_COLUMNS)


@pytest.mark.parametrize(
    ("first", "last"), [(0, 60), pytest.param(60, 2060, marks=pytest.mark.slow)]
)
def test_no_tree_over_the_pool_that_keeps_the_constraints_is_better(first, last):
    for seed in range(first, last):
        check_a_search(seed)


class FakeSearch:
    """Trees of one split that reads all columns it may, and costs less for each."""

    def __init__(self, worth: list[float]) -> None:
        self.columns = [frozenset([column]) for column in range(len(worth))]
        self._worth = worth

    def over(self, allowed: frozenset[int]) -> list[SizedTree]:
        plan = _core.SearchTree(*(np.array([-1], dtype=np.int32),) * 3)
        cost = 100.0 - sum(self._worth[column] for column in allowed)
        return [SizedTree(1, 100.0, plan, frozenset()), SizedTree(2, cost, plan, allowed)]


def test_where_there_are_too_many_sets_of_columns_the_certificate_names_some(monkeypatch):
    exact = search_few_columns(FakeSearch([3.0, 5.0, 2.0, 4.0]), 2)
    assert exact.costs == {1: 100.0, 2: 91.0}
    assert exact.within == {}
    monkeypatch.setattr("treewright.readable.few_columns._MOST_SEARCHES", 0)
    short = search_few_columns(FakeSearch([3.0, 5.0, 2.0, 4.0]), 2)
    assert short.costs == exact.costs
    assert short.within == {2: frozenset({1, 3})}
    random = np.random.default_rng(0)
    columns = table(random, 120)
    y = target(columns, random) > 0
    few = Constraints(max_columns=2)
    model = ReadableTreeClassifier(size=6, teacher=None, constraints=few).fit(columns, y)
    assert "with at most 2 columns" in model.certificate_.tests
    assert "that read no other columns than" in model.certificate_.tests


# ---------------------------------------------------------------- parts


def test_columns_that_may_stand_together():
    assert column_sets(NO_LIMITS, 3) == []
    limits = ColumnLimits(groups=((0, 1), (1, 2)), costs=(0.0, 1.0, 0.0))
    assert column_sets(limits, 3) == [{0, 1}, {1, 2}, {0, 2}]
    pairs = ColumnLimits(forbidden_pairs=((0, 1), (1, 2), (0, 2)))
    assert column_sets(pairs, 4) == [{0, 3}, {2, 3}, {1, 3}]


@pytest.mark.parametrize("seed", range(40))
def test_sums_in_whole_numbers_send_rows_much_the_same_way(seed):
    random = np.random.default_rng(seed)
    values = random.normal(size=(200, 3))
    values[:, 2] = random.integers(0, 3, 200)
    values[random.random(values.shape) < 0.02] = np.nan
    levels = ((), (None, None, 1))[seed % 2]
    n_levels = np.array([0, 0, 3 if levels else 0], dtype=np.int32)
    linear = Linear((0, 1, 2), tuple(random.normal(size=3).tolist()), 0.1, levels)
    core = _core.Table(values, n_levels)
    ways = _core.route(linear.encode(), core)
    strayed = []
    for largest in (1, 4, 20):
        whole = whole_sum(linear, values, n_levels, largest)
        assert ColumnLimits(largest_whole=largest).allows(whole)
        other = _core.route(whole.encode(), core)
        both = (ways >= 0) & (other >= 0)
        off = float(np.mean(ways[both] != other[both]))
        strayed.append(min(off, 1.0 - off))
    assert strayed[2] <= strayed[0]
    assert strayed[2] < 0.05


def test_a_sum_of_which_one_term_is_left_is_a_condition_on_one_column():
    values = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    n_levels = np.array([0, 3], dtype=np.int32)
    linear = Linear((0, 1), (1.0, 0.01), 1.0, (None, 2))
    assert whole_sum(linear, values, n_levels, 3) == Axis(0, 1.0)
    linear = Linear((0, 1), (0.01, 1.0), 0.5, (None, 2))
    assert whole_sum(linear, values, n_levels, 3) == Subset(1, (2,), (0, 1))
    assert whole_sum(linear, values[:1], n_levels, 3) is None


# ---------------------------------------------------------------- manners


@BOTH
def test_constraints_survive_files_and_pickles(kind, tmp_path):
    random = np.random.default_rng(5)
    columns = table(random)
    number = target(columns, random)
    y = number > 0 if kind is ReadableTreeClassifier else number
    constraints = Constraints(column_costs={"a": 0.01}, max_columns=3, whole_coefficients=5)
    model = kind(size=4, teacher=None, constraints=constraints).fit(columns, y)
    model.save(tmp_path / "model.json")
    for other in (treewright.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.constraints.get_params() == constraints.get_params()
        assert other.reading_cost_ == model.reading_cost_
        assert_kept(other)
    again = clone(model).set_params(constraints__max_columns=1).fit(columns, y)
    assert len(again.tree_.columns_read) <= 1


@BOTH
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Constraints(first_columns=["nobody"]), "'first_columns' must name columns"),
        (Constraints(column_costs=[1.0]), "'column_costs' must have one number"),
        (Constraints(max_columns=0), "'max_columns' parameter of Constraints"),
        ({"max_columns": 2}, "'constraints' parameter of ReadableTree"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(kind, given, words):
    random = np.random.default_rng(5)
    columns = table(random)
    number = target(columns, random)
    y = number > 0 if kind is ReadableTreeClassifier else number
    with pytest.raises(ValueError, match=words):
        kind(size=4, teacher=None, constraints=given).fit(columns, y)
