"""Optimal trees keep what experts ask of columns, and what they prove of such trees is true."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import treewright
from tests.support.column_rules import price, violations
from tests.twins.limited_twin import LimitedTwin, class_loss, number_loss
from treewright import Constraints, OptimalTreeClassifier, OptimalTreeRegressor
from treewright.estimators.constraints import column_limits
from treewright.predicates import Axis, Linear

N_COLUMNS = 4


def some_columns(random: np.random.Generator, most: int = N_COLUMNS) -> list[int]:
    return random.choice(N_COLUMNS, random.integers(1, most + 1), replace=False).tolist()


def some_pairs(random: np.random.Generator) -> list[tuple[int, int]]:
    pairs = list(itertools.combinations(range(N_COLUMNS), 2))
    return [pairs[i] for i in random.choice(len(pairs), random.integers(1, 4), replace=False)]


DRAWS = {
    "column_costs": lambda random: random.choice([0.0, 0.01, 0.037, 0.1, 0.2], N_COLUMNS).tolist(),
    "max_columns": lambda random: int(random.integers(1, 4)),
    "interactions": lambda random: [some_columns(random, 3) for _ in range(random.integers(1, 3))],
    "forbidden_pairs": some_pairs,
    "first_columns": lambda random: some_columns(random, 2),
}


def table(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows of few values, some missing, classes with some sense in them, and weights."""
    n_rows = int(random.integers(6, 16))
    X = random.integers(0, random.integers(2, 4), (n_rows, N_COLUMNS)).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + random.integers(0, 2, n_rows)).astype(int) % 3
    if random.random() < 0.3:
        X[random.random(X.shape) < 0.1] = np.nan
    weights = np.ones(n_rows) if random.random() < 0.5 else random.choice([0.5, 1.0, 2.5], n_rows)
    return X, y, weights


def cuts_of(X: np.ndarray) -> tuple[np.ndarray, list[set[int]]]:
    passes, columns = [], []
    for column in range(X.shape[1]):
        values = X[:, column]
        is_missing = np.isnan(values)
        for value in np.unique(values[~is_missing])[:-1]:
            passes += [values <= value, (values <= value) | is_missing]
            columns += [{column}] * 2
    return np.array(passes).reshape(-1, len(X)), columns


def check_one(seed: int, name: str | None, depth: int) -> None:
    """Compare the objective, the tree and the claim with every tree there is."""
    random = np.random.default_rng(seed)
    X, y, weights = table(random)
    names = [name] if name else random.choice(list(DRAWS), 2, replace=False).tolist()
    constraints = Constraints(**{one: DRAWS[one](random) for one in names})
    penalty = float(random.choice([0.0, 0.03]))
    min_rows = int(random.choice([1, 2]))
    if seed % 3:
        model, labels = OptimalTreeClassifier(), np.unique(y, return_inverse=True)[1]
        loss, unit = class_loss(labels, weights), weights.sum()
    else:
        model, y = OptimalTreeRegressor(), y + random.random(len(y)).round(1)
        loss = number_loss(y, weights)
        unit = loss(np.ones(len(y), dtype=bool))
    model.set_params(
        max_depth=depth,
        thresholds="all",
        penalty=penalty,
        min_samples_leaf=min_rows,
        constraints=constraints,
    )
    model.fit(X, y, weights)
    limits = column_limits("OptimalTreeClassifier", constraints, model.schema_)
    passes, columns = cuts_of(X)
    twin = LimitedTwin(passes, columns, loss, weights, unit, limits, penalty, min_rows)
    best, certificate = twin.best(depth), model.certificate_
    assert violations(model.tree_, limits) == []
    assert certificate.proven
    assert certificate.objective == pytest.approx(best, abs=1e-9 * max(unit, 1.0))
    assert certificate.lower_bound == certificate.objective
    leaves = model.apply(X)
    own = sum(loss(leaves == leaf) for leaf in np.unique(leaves))
    own += penalty * unit * (model.tree_.n_leaves - 1)
    own += price(model.tree_, limits.costs or [0.0] * N_COLUMNS) * unit
    assert own == pytest.approx(certificate.objective, abs=1e-9 * max(unit, 1.0))


@pytest.mark.parametrize("name", [*DRAWS, None])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_tree_that_keeps_them_is_better(name, depth):
    for seed in range(8):
        check_one(seed, name, depth)


def test_a_tree_that_was_proven_up_to_rounding_only_without_prices_is_proven_with_them():
    check_one(1521, "column_costs", 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DRAWS, None])
def test_two_thousand_tables(name):
    for seed in range(2000):
        check_one(1000 + seed, name, 2 + seed % 2)


def sums_of(random: np.random.Generator) -> list[Linear | Axis]:
    """Return conditions of one to three columns, with whole coefficients and others."""
    found: list[Linear | Axis] = []
    for _ in range(14):
        columns = tuple(sorted(some_columns(random, 3)))
        threshold = float(random.integers(0, 4)) + 0.5
        if len(columns) == 1:
            found.append(Axis(columns[0], threshold))
            continue
        scale = float(random.choice([1.0, 1.0, 0.5]))
        numbers = [scale * float(random.choice([-3, -1, 1, 2])) for _ in columns]
        found.append(Linear(columns, tuple(numbers), threshold))
    return found


def check_sums(seed: int, name: str) -> None:
    random = np.random.default_rng(seed)
    X, y, weights = table(random)
    dictionary = sums_of(random)
    most = int(random.integers(1, 4))
    constraints = Constraints(**{name: most}, forbidden_pairs=some_pairs(random)[: seed % 2])
    model = OptimalTreeClassifier(2, dictionary=dictionary, constraints=constraints)
    model.fit(X, y, weights)
    limits = column_limits("OptimalTreeClassifier", constraints, model.schema_)
    assert violations(model.tree_, limits) == []

    def keeps(one) -> bool:
        if name == "max_terms":
            return len(one.columns) <= most
        return isinstance(one, Axis) or all(
            number == int(number) and abs(number) <= most for number in one.coefficients
        )

    passes, columns = [], []
    for one in filter(keeps, dictionary):
        numbers = [1.0] if isinstance(one, Axis) else one.coefficients
        scores = X[:, list(one.columns)] @ np.array(numbers)
        passes += [scores <= one.threshold, (scores <= one.threshold) | np.isnan(scores)]
        columns += [one.columns] * 2
    labels = np.unique(y, return_inverse=True)[1]
    loss = class_loss(labels, weights)
    bits = np.array(passes).reshape(-1, len(X))
    twin = LimitedTwin(bits, columns, loss, weights, weights.sum(), limits)
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(twin.best(2), abs=1e-9)


@pytest.mark.parametrize("name", ["max_terms", "whole_coefficients"])
def test_long_conditions_are_left_out(name):
    for seed in range(20):
        check_sums(seed, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["max_terms", "whole_coefficients"])
def test_two_thousand_dictionaries(name):
    for seed in range(2000):
        check_sums(seed, name)


@pytest.mark.parametrize("seed", range(6))
def test_conditions_that_methods_propose_keep_them(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(80, N_COLUMNS)).round(1)
    y = X[:, 0] + X[:, 1] - X[:, 2] > 0
    constraints = Constraints(
        whole_coefficients=3, max_terms=2, interactions=[[0, 1], [1, 2, 3]], max_columns=3
    )
    model = OptimalTreeClassifier(2, dictionary=["axis", "must(3)"], constraints=constraints)
    model.fit(X, y)
    limits = column_limits("OptimalTreeClassifier", constraints, model.schema_)
    assert violations(model.tree_, limits) == []
    assert any(isinstance(model.tree_.node(i).predicate, Linear) for i in range(3))


@pytest.mark.filterwarnings("ignore::treewright.exceptions.NotProvenWarning")
@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(forbidden_pairs=[(0, 1), (2, 3)], column_costs={0: 0.01}),
        Constraints(max_columns=2),
        Constraints(max_columns=3, first_columns=[4]),
    ],
)
def test_a_search_that_is_cut_short_keeps_them_and_claims_what_is_true(constraints):
    random = np.random.default_rng(0)
    X = random.integers(0, 4, (200, 6)).astype(float)
    y = random.integers(0, 2, 200)
    whole = OptimalTreeClassifier(3, constraints=constraints).fit(X, y)
    assert whole.certificate_.proven
    for seconds in (0.0, 0.002, 0.01, 0.05):
        model = OptimalTreeClassifier(3, time_limit=seconds, constraints=constraints).fit(X, y)
        limits = column_limits("OptimalTreeClassifier", constraints, model.schema_)
        assert violations(model.tree_, limits) == []
        assert model.certificate_.lower_bound <= whole.certificate_.objective + 1e-9
        assert model.certificate_.objective >= whole.certificate_.objective - 1e-9
        assert seconds > 0.0 or not model.certificate_.proven


def test_columns_are_paid_once_along_a_path():
    X = {"dear": [1, 2, 3, 4] * 5, "cheap": [1, 1, 2, 2] * 5}
    y = [0, 1, 0, 1] * 5
    priced = Constraints(column_costs={"dear": 0.1})
    model = OptimalTreeClassifier(2, constraints=priced).fit(X, y)
    assert model.certificate_.objective == pytest.approx(2.0)
    assert model.reading_cost_ == pytest.approx(0.1)
    assert "keep the constraints" in model.certificate_.tests


def test_they_are_kept_in_the_model_file(tmp_path):
    X = {"a": [1, 2, 3, 4, 5, 6], "b": [1, 1, 2, 2, 1, 1]}
    constraints = Constraints(first_columns=["b"], column_costs={"a": 0.01})
    model = OptimalTreeClassifier(2, constraints=constraints).fit(X, [0, 0, 1, 1, 0, 1])
    model.save(tmp_path / "m.json")
    loaded = treewright.load(tmp_path / "m.json")
    assert loaded.constraints.first_columns == ["b"]
    assert loaded.reading_cost_ == model.reading_cost_
    text = (tmp_path / "m.json").read_text().replace('["a", 0.01]', '["nobody", 0.01]')
    assert "nobody" in text
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(ValueError, match="no column 'nobody'"):
        treewright.load(tmp_path / "m.json")


REFUSED = {
    "max_nodes": ({"max_nodes": 2}, Constraints(column_costs=[1, 0]), "'column_costs'"),
    "pair_levels": ({"pair_levels": 1}, Constraints(interactions=[[0]]), "'interactions'"),
    "smallest": ({"smallest": True}, Constraints(max_columns=1), "'max_columns'"),
    "front": ({"front": True}, Constraints(first_columns=[0]), "'first_columns'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_supported_is_refused_by_name(name):
    parameters, constraints, told = REFUSED[name]
    model = OptimalTreeClassifier(3, constraints=constraints, **parameters)
    with pytest.raises(ValueError, match=f"'{name}' parameter .* under the constraint {told}"):
        model.fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        (Constraints(max_columns=1), "of depth 2 at most and with 1 column at most"),
        (
            Constraints(max_columns=2, first_columns=[0]),
            "of depth 2 at most, with 2 columns at most and that keep the constraints",
        ),
        (Constraints(column_costs={0: 0.1}), "of depth 2 at most and that keep the constraints"),
    ],
    ids=["max_columns", "both", "column_costs"],
)
def test_a_certificate_says_that_there_are_constraints(constraints, words):
    random = np.random.default_rng(0)
    X = random.integers(0, 4, (30, 3)).astype(float)
    y = (X.sum(axis=1) > 4).astype(int)
    model = OptimalTreeClassifier(max_depth=2, constraints=constraints).fit(X, y)
    assert words in str(model.certificate_)
