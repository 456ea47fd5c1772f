"""Predictions only rise, or only fall, with the columns that say so."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.base import is_regressor

import treewright
from treewright import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor, bigdata
from treewright.exceptions import UnsupportedError
from treewright.prune import ErrorBased, Honest, ReducedError
from treewright.splits import split_names

UP, DOWN = "up", "down"
CONSTRAINTS = {UP: 1, DOWN: -1}
OF_OTHERS = {"best": "best(axis, must)", "climb": "climb(must)"}


def table(random: np.random.Generator, n_rows: int = 120, *, gaps: bool = True) -> dict[str, list]:
    """Return columns of numbers, levels and booleans; some values are missing."""
    columns = {
        UP: random.integers(0, 12, n_rows).astype(float),
        DOWN: random.normal(size=n_rows).round(1),
        "free": random.normal(size=n_rows).round(2),
        "also": random.integers(0, 3, n_rows).astype(float),
    }
    if gaps:
        for values in columns.values():
            values[random.random(n_rows) < 0.1] = np.nan
    level = random.choice(list("abcd"), n_rows)
    return {**columns, "level": level.tolist(), "flag": (random.random(n_rows) < 0.5).tolist()}


def score_of(columns: dict[str, list], random: np.random.Generator) -> np.ndarray:
    """Return what depends on all columns, with and against the constraints, and on chance."""
    known = {name: np.nan_to_num(values) for name, values in columns.items() if name != "level"}
    level = np.isin(columns["level"], ["a", "c"])
    return (
        0.2 * known[UP] * random.choice([-1, 1])
        - known[DOWN] * random.choice([-1, 1])
        + known["free"] * known["also"]
        + level * known["free"]
        + random.normal(size=len(level))
    )


def most_against(model, columns: dict[str, list], constraints: dict[str, int]) -> float:
    """Return by how much predictions go against a constraint at most, row by row."""
    n_rows = len(columns["level"])
    worst = 0.0
    for name, direction in constraints.items():
        values = sorted({value for value in columns[name] if value == value})
        grid = [{**columns, name: [value] * n_rows} for value in values]
        if is_regressor(model):
            answers = np.array([model.predict(one) for one in grid])
        else:
            answers = np.array([model.predict_proba(one)[:, 1] for one in grid])
        worst = max(worst, float(-(direction * np.diff(answers, axis=0)).min(initial=0.0)))
    return worst


def classes_of(score: np.ndarray) -> np.ndarray:
    return np.where(score > np.median(score), "yes", "no")


@pytest.mark.parametrize("split", [OF_OTHERS.get(name, name) for name in split_names()])
@pytest.mark.parametrize("seed", range(3))
def test_no_split_method_goes_against_a_constraint(split, seed):
    random = np.random.default_rng(seed)
    columns = table(random, gaps=seed > 0)
    y = classes_of(score_of(columns, random))
    weights = random.integers(1, 4, len(y)) * 0.5
    constraints = {**CONSTRAINTS, "flag": 1}
    model = TreeClassifier(split, max_depth=6, monotonic_cst=constraints, random_state=0)
    model.fit(columns, y, weights)
    assert most_against(model, columns, constraints) == 0.0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("missing", ["default", "stop"])
@pytest.mark.parametrize("grown", ["whole", "best first", "pruned"])
def test_trees_of_classes_and_numbers(seed, missing, grown):
    random = np.random.default_rng(seed)
    columns = table(random)
    score = score_of(columns, random)
    how = {"whole": {}, "best first": {"max_leaf_nodes": 9}, "pruned": {"prune": "cost_complexity"}}
    constraints = {UP: int(random.choice([-1, 1])), DOWN: int(random.choice([-1, 1])), "flag": -1}
    for model, y in (
        (TreeClassifier(criterion="entropy"), classes_of(score)),
        (TreeClassifier("must(3)", class_weight="balanced"), score > 1.0),
        (TreeRegressor(), score),
        (TreeRegressor("must(2)"), score),
    ):
        model.set_params(missing=missing, monotonic_cst=constraints, **how[grown])
        model.fit(columns, y)
        assert most_against(model, columns, constraints) == 0.0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("split", ["axis", "must(2)"])
def test_forests_keep_it_in_every_tree(split, seed, tmp_path):
    random = np.random.default_rng(seed)
    columns = table(random)
    score = score_of(columns, random)
    constraints = {UP: int(random.choice([-1, 1])), DOWN: int(random.choice([-1, 1])), "flag": 1}
    for model, y in (
        (ForestClassifier(), classes_of(score)),
        (ForestClassifier(voting="hard", class_weight="balanced_subsample"), score > 1.0),
        (ForestRegressor(), score),
    ):
        model.set_params(n_estimators=12, split=split, max_depth=5, random_state=seed)
        free = most_against(model.fit(columns, y), columns, constraints)
        model.set_params(monotonic_cst=constraints).fit(columns, y)
        rounding = 1e-12  # of a mean over the trees
        assert most_against(model, columns, constraints) <= rounding < free
        model.save(tmp_path / "forest.json")
        assert treewright.load(tmp_path / "forest.json").monotonic_cst == constraints


def test_forests_refuse_what_would_break_it():
    random = np.random.default_rng(0)
    columns = table(random)
    y = classes_of(score_of(columns, random))
    refusals = {
        "missing": (ForestClassifier(missing="fraction", monotonic_cst={UP: 1}), y),
        "criterion": (
            ForestRegressor(criterion="absolute_error", monotonic_cst={UP: 1}),
            y == "no",
        ),
        "monotonic_cst": (ForestClassifier(monotonic_cst={"level": 1}), y),
    }
    for parameter, (model, target) in refusals.items():
        with pytest.raises(ValueError, match=f"'{parameter}' parameter of Forest"):
            model.fit(columns, target)


@pytest.mark.slow
@pytest.mark.parametrize("split", ["axis", "must(2)", "logistic", "best_subset", "oc1"])
def test_hundreds_of_tables(split):
    for seed in range(400):
        random = np.random.default_rng(seed)
        columns = table(random, int(random.integers(10, 80)), gaps=bool(seed % 2))
        score = score_of(columns, random)
        constraints = {name: int(random.choice([-1, 0, 1])) for name in (UP, DOWN, "free", "flag")}
        model = TreeClassifier(split, monotonic_cst=constraints, max_depth=5, random_state=seed)
        model.fit(columns, classes_of(score), random.choice([0.5, 1.0, 3.0], len(score)))
        assert most_against(model, columns, constraints) == 0.0, seed


def test_without_it_they_go_against():
    random = np.random.default_rng(0)
    columns = table(random)
    model = TreeClassifier().fit(columns, classes_of(score_of(columns, random)))
    assert most_against(model, columns, CONSTRAINTS) > 0.5


@pytest.mark.parametrize("seed", range(30))
def test_the_first_split_is_the_best_of_those_allowed(seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 8, (40, 3)).astype(float)
    y = random.integers(0, 2, 40)
    directions = random.choice([-1, 0, 1], 3)
    found = TreeClassifier(max_depth=1, monotonic_cst=directions).fit(X, y).tree_

    def gini(labels):
        p = labels.mean()
        return 2 * p * (1 - p) * len(labels)

    best = 0.0
    for column, value in itertools.product(range(3), range(7)):
        left = X[:, column] <= value
        if left.all() or not left.any():
            continue
        rise = y[~left].mean() - y[left].mean()
        if directions[column] * rise >= 0:
            best = max(best, gini(y) - gini(y[left]) - gini(y[~left]))
    children = [found.core.statistics[node] for node in range(1, found.n_nodes)]
    impurity = sum(2 * n[0] * n[1] / n.sum() for n in children) if children else gini(y)
    assert gini(y) - impurity == pytest.approx(best)


def test_by_position_and_by_name_are_the_same():
    random = np.random.default_rng(3)
    columns = table(random)
    y = classes_of(score_of(columns, random))
    by_name = TreeClassifier(monotonic_cst=CONSTRAINTS).fit(columns, y)
    by_position = TreeClassifier(monotonic_cst=[1, -1, 0, 0, 0, 0]).fit(columns, y)
    assert by_name.tree_.to_json() == by_position.tree_.to_json()
    free = TreeClassifier(monotonic_cst=np.zeros(6, int)).fit(columns, y)
    assert free.tree_.to_json() == TreeClassifier().fit(columns, y).tree_.to_json()


def test_it_is_kept_in_the_model_file(tmp_path):
    random = np.random.default_rng(3)
    columns = table(random)
    model = TreeClassifier(monotonic_cst=CONSTRAINTS)
    model.fit(columns, classes_of(score_of(columns, random))).save(tmp_path / "m.json")
    loaded = treewright.load(tmp_path / "m.json")
    assert loaded.monotonic_cst == CONSTRAINTS
    assert (loaded.predict(columns) == model.predict(columns)).all()


def test_ordered_levels_may_have_a_direction():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    levels = ["low", "middle", "high"]
    given = pandas.Categorical(random.choice(levels, 90), levels, ordered=True)
    frame = pandas.DataFrame({"grade": given, "x": random.normal(size=90)})
    y = random.normal(size=90) + frame["x"] * (frame["grade"] == "middle")
    model = TreeRegressor(monotonic_cst={"grade": -1}).fit(frame, y)
    assert model.tree_.n_leaves > 5
    answers = [
        model.predict(frame.assign(grade=pandas.Categorical([level] * 90, levels, ordered=True)))
        for level in levels
    ]
    assert np.diff(answers, axis=0).max() <= 0.0


REFUSED = {
    "missing": ({"missing": "fraction"}, "'missing' parameter .* 'default' or 'stop'"),
    "surrogates": ({"missing": "surrogate"}, "'missing' parameter"),
    "smoothing": ({"smoothing": "laplace"}, "'smoothing' parameter .* None"),
    "honest": ({"prune": Honest(0.3)}, "only cuts"),
    "raising": ({"prune": ErrorBased()}, "only cuts"),
    "refit": ({"prune": ReducedError(refit=True)}, "only cuts"),
    "levels": ({"monotonic_cst": {"level": 1}}, "'level', whose levels have no order"),
    "no such column": (
        {"monotonic_cst": {"<b>": 1}},
        "must name columns of the table, .* Got '<b>'",
    ),
    "too few": ({"monotonic_cst": [1]}, "each of the 6 columns. Got 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_kept_is_refused_by_name(name):
    parameters, message = REFUSED[name]
    random = np.random.default_rng(0)
    columns = table(random)
    model = TreeClassifier(**{"monotonic_cst": CONSTRAINTS, **parameters})
    with pytest.raises(ValueError, match=message):
        model.fit(columns, classes_of(score_of(columns, random)))


def test_three_classes_absolute_errors_and_large_tables_are_refused(tmp_path):
    columns = {"x": [1.0, 2.0, 3.0]}
    with pytest.raises(ValueError, match="two classes, and there are 3"):
        TreeClassifier(monotonic_cst={"x": 1}).fit(columns, ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"'criterion' parameter .* 'squared_error'"):
        TreeRegressor(criterion="absolute_error", monotonic_cst={"x": 1}).fit(columns, [1, 2, 3])
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    parquet.write_table(pyarrow.table({**columns, "y": [0, 1, 0]}), tmp_path / "t.parquet")
    with pytest.raises(UnsupportedError, match=r"'monotonic_cst' parameter .* must be None"):
        bigdata.fit(TreeClassifier(monotonic_cst={"x": 1}), tmp_path / "t.parquet", target="y")
