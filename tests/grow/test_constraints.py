"""Greedy trees keep what experts ask of their columns."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import treewright
from tests.support.column_rules import price, violations
from treewright import (
    Constraints,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
    bigdata,
    split_method,
)
from treewright.estimators.constraints import column_limits
from treewright.exceptions import UnsupportedError
from treewright.prune import ErrorBased, Honest, Trim
from treewright.splits import split_names

NAMES = ["a", "b", "c", "d", "level", "flag"]
OF_OTHERS = {"best": "best(axis, must)", "climb": "climb(must)"}
SPLITS = [OF_OTHERS.get(name, name) for name in split_names()]


def table(random: np.random.Generator, n_rows: int = 100, *, gaps: bool = True) -> dict[str, list]:
    """Return columns of numbers, levels and booleans; some values are missing."""
    columns = {
        name: random.normal(size=n_rows).round(1) * scale
        for name, scale in zip("abcd", (1.0, 3.0, 1.0, 0.5), strict=True)
    }
    if gaps:
        for values in columns.values():
            values[random.random(n_rows) < 0.08] = np.nan
    level = random.choice(list("uvw"), n_rows)
    return {**columns, "level": level.tolist(), "flag": (random.random(n_rows) < 0.5).tolist()}


def target(columns: dict[str, list], random: np.random.Generator) -> np.ndarray:
    """Return numbers to which every column contributes."""
    a, b, c, d = (np.nan_to_num(columns[name]) for name in "abcd")
    level = np.array(columns["level"]) == "u"
    return a + 0.4 * b + c * d + level * a + np.array(columns["flag"]) + random.normal(size=len(a))


def classes(number: np.ndarray) -> np.ndarray:
    return np.digitize(number, np.quantile(number, [0.4, 0.7]))


def some_groups(random: np.random.Generator) -> list[list[str]]:
    return [
        random.choice(NAMES, random.integers(1, 5), replace=False).tolist()
        for _ in range(random.integers(1, 4))
    ]


def some_pairs(random: np.random.Generator) -> list[list[str]]:
    pairs = list(itertools.combinations(NAMES, 2))
    return [list(pairs[i]) for i in random.choice(len(pairs), random.integers(1, 8), replace=False)]


DRAWS = {
    "interactions": some_groups,
    "forbidden_pairs": some_pairs,
    "max_columns": lambda random: int(random.integers(1, 5)),
    "first_columns": lambda random: random.choice(NAMES, random.integers(1, 4), replace=False),
    "max_terms": lambda random: int(random.integers(1, 4)),
    "whole_coefficients": lambda random: int(random.integers(1, 12)),
    "column_costs": lambda random: random.choice([0.0, 0.001, 0.01, 0.1], 6),
}


def some_constraints(random: np.random.Generator, name: str | None = None) -> Constraints:
    """Draw one constraint by its name, or several."""
    names = [name] if name else random.choice(list(DRAWS), random.integers(2, 5), replace=False)
    return Constraints(**{one: DRAWS[one](random) for one in names})


def assert_kept(model) -> None:
    limits = column_limits("TreeClassifier", model.constraints, model.schema_)
    for tree in getattr(model, "trees_", None) or [model.tree_]:
        assert violations(tree, limits) == []
        if limits.costs:
            assert limits.price_of(tree) == pytest.approx(price(tree, limits.costs), abs=1e-9)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", [*DRAWS, None])
def test_no_split_method_violates_a_constraint(split, name):
    random = np.random.default_rng(len(split))
    columns = table(random)
    y = target(columns, random) > 0.5
    constraints = some_constraints(random, name)
    model = TreeClassifier(split, max_depth=4, constraints=constraints, random_state=0)
    assert_kept(model.fit(columns, y, random.integers(1, 3, len(y)) * 0.5))


@pytest.mark.parametrize("split", [split for split in SPLITS if split != "categorical"])
def test_linear_splits_become_shorter_but_do_not_end_growth(split):
    random = np.random.default_rng(1)
    columns = {name: random.normal(size=200).round(2) for name in "abcd"}
    y = columns["a"] + columns["b"] + columns["c"] + 0.2 * random.normal(size=200) > 0
    constraints = Constraints(interactions=[["a", "b"], ["c", "d"]], whole_coefficients=3)
    model = TreeClassifier(split, max_depth=3, constraints=constraints, random_state=0)
    assert_kept(model.fit(columns, y))
    assert model.tree_.n_leaves > 2


def test_linear_splits_stay_linear_within_a_group():
    random = np.random.default_rng(1)
    columns = {name: random.normal(size=300).round(2) for name in "abcd"}
    y = 2 * columns["a"] + columns["c"] + 0.5 * columns["b"] > 0
    grouped = Constraints(interactions=[["a", "b"], ["c", "d"]])
    model = TreeClassifier("must(2)", constraints=grouped, max_depth=1).fit(columns, y)
    assert model.tree_.node(0).predicate.columns == (0, 1)
    points = Constraints(whole_coefficients=2)
    model = TreeClassifier("must(2)", constraints=points, max_depth=1).fit(columns, y)
    assert model.tree_.node(0).predicate.coefficients == (2.0, 1.0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("how", ["whole", "best first", "pruned", "drawn", "monotonic"])
def test_trees_of_classes_and_numbers(seed, how):
    random = np.random.default_rng(seed)
    columns = table(random)
    number = target(columns, random)
    settings = {
        "whole": {},
        "best first": {"max_leaf_nodes": 7},
        "pruned": {"prune": "cost_complexity"},
        "drawn": {"max_features": 2},
        "monotonic": {"monotonic_cst": {"a": 1}},
    }[how]
    is_binary = how == "monotonic"
    y = number > 0 if is_binary else classes(number)
    missing = "default" if is_binary else str(random.choice(["default", "fraction", "stop"]))
    for model, truth in (
        (TreeClassifier(criterion="entropy", gain=str(random.choice(["plain", "ratio"]))), y),
        (TreeClassifier("must(3)"), y),
        (TreeRegressor(), number),
        (TreeRegressor("must(2)"), number),
    ):
        constraints = some_constraints(random)
        model.set_params(missing=missing, constraints=constraints, random_state=0, **settings)
        assert_kept(model.fit(columns, truth))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DRAWS, None])
def test_two_thousand_tables(name):
    for seed in range(2000):
        random = np.random.default_rng(seed)
        columns = table(random, int(random.integers(8, 40)), gaps=bool(seed % 2))
        number = target(columns, random)
        split = str(random.choice(["axis", "must(2)", "must(3)", "logistic", "oc1", "pairs"]))
        model = TreeClassifier(split, max_depth=4, random_state=seed)
        if seed % 3 == 0 and split in ("axis", "must(2)", "must(3)"):
            model = TreeRegressor(split, max_depth=4, random_state=seed)
        model.set_params(constraints=some_constraints(random, name))
        if seed % 5 == 0:
            model.set_params(max_leaf_nodes=6)
        y = number if isinstance(model, TreeRegressor) else number > np.median(number)
        assert_kept(model.fit(columns, y))


def gini(labels: np.ndarray) -> float:
    p = labels.mean() if len(labels) else 0.0
    return 2 * p * (1 - p) * len(labels)


def best_net(X, y, allowed, costs) -> float:
    """The largest decrease of the Gini index per row less the price, by trying every cut."""
    best = 0.0
    for column in allowed:
        for value in np.unique(X[:, column])[:-1]:
            left = X[:, column] <= value
            decrease = (gini(y) - gini(y[left]) - gini(y[~left])) / len(y)
            best = max(best, decrease - costs[column])
    return best


@pytest.mark.parametrize("seed", range(60))
def test_the_first_split_is_the_best_of_those_allowed_less_its_price(seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 6, (30, 4)).astype(float)
    y = random.integers(0, 2, 30)
    costs = random.choice([0.0, 0.005, 0.01, 0.02, 0.05], 4)
    first = random.choice(4, random.integers(1, 5), replace=False)
    constraints = Constraints(column_costs=costs, first_columns=first)
    tree = TreeClassifier(max_depth=1, constraints=constraints).fit(X, y).tree_
    net = 0.0
    if tree.n_leaves > 1:
        left, right = (np.array(tree.node(child).statistics) for child in (1, 2))
        impurity = sum(2 * n[0] * n[1] / n.sum() for n in (left, right))
        net = (gini(y) - impurity) / 30 - costs[tree.node(0).predicate.columns[0]]
    assert net == pytest.approx(best_net(X, y, first, costs))


def test_a_column_is_paid_once_along_a_path():
    X = {"dear": [1, 2, 3, 4, 5, 6, 7, 8] * 10}
    y = [0, 0, 1, 1, 0, 0, 1, 1] * 10
    free = TreeClassifier().fit(X, y)
    paid = TreeClassifier(constraints=Constraints(column_costs={"dear": 0.05})).fit(X, y)
    assert paid.tree_.n_leaves == free.tree_.n_leaves == 4
    assert paid.reading_cost_ == pytest.approx(0.05)
    assert free.reading_cost_ == 0.0
    never = TreeClassifier(constraints=Constraints(column_costs={"dear": 0.5})).fit(X, y)
    assert never.tree_.n_leaves == 1
    assert never.reading_cost_ == 0.0


def test_few_columns_go_where_they_are_worth_most():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 5)).round(2)
    y = np.where(X[:, 0] > 0, X[:, 1] > 0, X[:, 2] > 1.5)
    model = TreeClassifier(constraints=Constraints(max_columns=2)).fit(X, y)
    assert model.tree_.columns_read == (0, 1)


def test_columns_in_no_group_form_a_further_one():
    random = np.random.default_rng(0)
    X = {name: random.normal(size=200).round(1) for name in "abcd"}
    y = sum(X.values()) > 0
    model = TreeClassifier(constraints=Constraints(interactions=[["a", "b"]])).fit(X, y)
    read = set(model.tree_.columns_read)
    assert read in ({0, 1}, {2, 3})


def test_by_position_and_by_name_are_the_same():
    random = np.random.default_rng(3)
    columns = table(random)
    y = classes(target(columns, random))
    by_name = Constraints(column_costs={"a": 0.02}, forbidden_pairs=[["b", "c"]])
    by_position = Constraints(column_costs=[0.02, 0, 0, 0, 0, 0], forbidden_pairs=[(1, 2)])
    one = TreeClassifier(constraints=by_name).fit(columns, y)
    other = TreeClassifier(constraints=by_position).fit(columns, y)
    assert one.tree_.to_json() == other.tree_.to_json()
    nothing = Constraints(column_costs=np.zeros(6), interactions=[], max_columns=6)
    free = TreeClassifier(constraints=nothing).fit(columns, y)
    assert free.tree_.to_json() == TreeClassifier().fit(columns, y).tree_.to_json()


def test_a_python_method_that_looks_elsewhere_is_not_followed():
    @split_method
    def always_a(node, rng):
        return treewright.predicates.Axis(0, 0.0)

    random = np.random.default_rng(0)
    X, y = random.normal(size=(50, 2)), random.integers(0, 2, 50)
    model = TreeClassifier(always_a, constraints=Constraints(first_columns=[1])).fit(X, y)
    assert model.tree_.n_leaves == 1


@pytest.mark.parametrize("kind", [ForestClassifier, ForestRegressor])
def test_forests_keep_them_in_every_tree(kind):
    random = np.random.default_rng(3)
    columns = table(random)
    number = target(columns, random)
    y = number if kind is ForestRegressor else classes(number)
    constraints = Constraints(
        interactions=[["a", "b"], ["c", "d", "flag"]], first_columns=["a", "c"], max_terms=2
    )
    model = kind(12, split="must(3)", constraints=constraints, random_state=0).fit(columns, y)
    assert_kept(model)
    assert max(tree.n_leaves for tree in model.trees_) > 4
    with pytest.raises(ValueError, match="must have no 'max_columns'"):
        kind(constraints=Constraints(max_columns=2)).fit(columns, y)


def test_grid_search_and_clone_reach_them():
    random = np.random.default_rng(3)
    columns = {name: random.normal(size=120).round(1) for name in "abc"}
    y = columns["a"] + columns["b"] > 0
    model = TreeClassifier(constraints=Constraints(max_columns=1))
    assert clone(model).constraints == model.constraints
    assert repr(Constraints(max_columns=1)) == "Constraints(max_columns=1)"
    X = np.column_stack(list(columns.values()))
    search = GridSearchCV(model, {"constraints__max_columns": [1, 2]}, cv=3).fit(X, y)
    assert search.best_params_ == {"constraints__max_columns": 2}


def test_they_are_kept_in_the_model_file(tmp_path):
    random = np.random.default_rng(3)
    columns = table(random)
    constraints = Constraints(
        column_costs={"a": 0.02},
        interactions=[["a", "b"], ["c", "level"]],
        forbidden_pairs=[("a", "b")],
        first_columns=["a", "c"],
        max_terms=2,
        whole_coefficients=5,
        max_columns=3,
    )
    model = TreeClassifier("must", constraints=constraints)
    model.fit(columns, classes(target(columns, random))).save(tmp_path / "m.json")
    loaded = treewright.load(tmp_path / "m.json")
    assert loaded.constraints.get_params()["column_costs"] == {"a": 0.02}
    assert loaded.constraints.interactions == [["a", "b"], ["c", "level"]]
    assert loaded.reading_cost_ == model.reading_cost_
    assert (loaded.predict(columns) == model.predict(columns)).all()
    text = (tmp_path / "m.json").read_text().replace('["a", 0.02]', '["nobody", 0.02]')
    assert "nobody" in text
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(ValueError, match=r"no column 'nobody'"):
        treewright.load(tmp_path / "m.json")


REFUSED = {
    "surrogates": ({"missing": "surrogate"}, "'missing' parameter .* surrogates read further"),
    "honest": ({"prune": Honest(0.3)}, "only cuts"),
    "raising": ({"prune": ErrorBased()}, "only cuts"),
    "trim": ({"prune": Trim()}, "only cuts"),
    "no such column": (
        {"constraints": Constraints(first_columns=["levle"])},
        r"'first_columns' must name columns of the table. There is no column 'levle' \(but there "
        "is 'level'",
    ),
    "no such position": (
        {"constraints": Constraints(interactions=[[0, 6]])},
        "'interactions' must name columns .* below 6, the number of columns. Got 6",
    ),
    "too few": ({"constraints": Constraints(column_costs=[1])}, "each of the 6 columns. Got 1"),
    "the same": (
        {"constraints": Constraints(forbidden_pairs=[(0, "a")])},
        "'forbidden_pairs' must hold pairs of two columns. Got 'a' twice",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_kept_is_refused_by_name(name):
    parameters, message = REFUSED[name]
    random = np.random.default_rng(0)
    columns = table(random)
    model = TreeClassifier("must", **{"constraints": Constraints(max_columns=2), **parameters})
    with pytest.raises(ValueError, match=message):
        model.fit(columns, target(columns, random) > 0)


def test_tables_beyond_memory_are_refused(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    columns = {"x": [1.0, 2.0, 3.0], "y": [0, 1, 0]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    model = TreeClassifier(constraints=Constraints(max_columns=1))
    with pytest.raises(UnsupportedError, match=r"'constraints' parameter .* must be None"):
        bigdata.fit(model, tmp_path / "t.parquet", target="y")
