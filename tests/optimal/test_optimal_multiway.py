"""Splits with a branch per level in the search: no such tree is better, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.twins.limited_twin import class_loss, number_loss
from tests.twins.multiway_twin import MultiwayTwin
from treewright import Constraints, OptimalTreeClassifier, OptimalTreeRegressor, load
from treewright.estimators import Tuning
from treewright.exceptions import DataError, NotProvenWarning
from treewright.predicates import Axis, Multiway

LEVELS = "abcde"
MANY = {"max_depth": 1, "categorical": "multiway"}


def table(
    random: np.random.Generator, most_rows: int
) -> tuple[dict[str, list], np.ndarray, list[bool], np.ndarray]:
    """Return columns, the same as codes, which of them are levels, and weights."""
    n_rows = int(random.integers(6, most_rows))
    columns, codes, is_level = {}, [], []
    for j in range(int(random.integers(1, 4))):
        is_level.append(bool(random.random() < 0.7) or j == 0)
        values = random.integers(0, random.integers(2, 6) if is_level[-1] else 4, n_rows)
        values = values.astype(float)
        if random.random() < 0.3:
            values[random.random(n_rows) < 0.2] = np.nan
        if np.isnan(values).all():
            values[0] = 0.0
        codes.append(values)
        is_text = is_level[-1]
        columns[f"x{j}"] = (
            [None if np.isnan(v) else LEVELS[int(v)] for v in values]
            if is_text
            else values.tolist()
        )
    weights = np.ones(n_rows) if random.random() < 0.5 else random.choice([0.5, 1.0, 2.5], n_rows)
    return columns, np.column_stack(codes), is_level, weights


def check_one(seed: int, depth: int) -> int:
    """Compare objective, tree and claim with every tree there is; count the multiway splits."""
    random = np.random.default_rng(seed)
    columns, X, is_level, weights = table(random, 11 + 3 * depth)
    y = np.nan_to_num(X[:, 0], nan=9.0) * 7 + random.integers(0, 3 * depth, len(X))
    y = y.astype(int) % (2 + depth)
    penalty, min_rows = float(random.choice([0.0, 0.0, 0.03, 0.1])), int(random.choice([1, 1, 2]))
    if seed % 3:
        model, labels = OptimalTreeClassifier(), np.unique(y, return_inverse=True)[1]
        loss, unit = class_loss(labels, weights), float(weights.sum())
    else:
        model, y = OptimalTreeRegressor(), y + random.random(len(y)).round(1)
        loss = number_loss(y, weights)
        unit = loss(np.ones(len(y), dtype=bool))
    model.set_params(
        max_depth=depth,
        thresholds="all",
        penalty=penalty,
        min_samples_leaf=min_rows,
        categorical="multiway",
    )
    model.fit(columns, y, weights)
    twin = MultiwayTwin(X, is_level, loss, penalty * unit, min_rows)
    best, certificate = twin.best(depth), model.certificate_
    near = 1e-9 * max(unit, 1.0)
    assert certificate.is_complete
    assert certificate.objective == pytest.approx(best, abs=near)
    assert certificate.proven or (seed % 3 == 0 and certificate.gap < 1e-6)  # rounded numbers
    assert model.tree_.depth <= depth
    leaves = model.apply(columns)
    assert min(np.bincount(leaves)[np.unique(leaves)]) >= min_rows
    assert set(leaves) == {node.id for node in model.tree_.walk() if node.is_leaf}
    own = sum(loss(leaves == leaf) for leaf in np.unique(leaves))
    own += penalty * unit * (model.tree_.n_leaves - 1)
    assert own == pytest.approx(certificate.objective, abs=near)
    return sum(isinstance(node.predicate, Multiway) for node in model.tree_.walk())


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.long)])
def test_no_tree_is_better(depth: int) -> None:
    assert sum(check_one(seed, depth) for seed in range(20)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_two_thousand_tables(depth: int) -> None:
    assert sum(check_one(seed, depth) for seed in range(10_000, 10_700)) > 50


SKY = ["sun", "cloud", "rain", "snow"] * 6
WIND = [float(row // 4) for row in range(24)]
GAME = ["yes", "no", "perhaps", "never"] * 6


def test_a_branch_per_level_is_one_level_of_depth() -> None:
    table = {"sky": SKY, "wind": WIND}
    model = OptimalTreeClassifier(1, categorical="multiway").fit(table, GAME)
    assert (model.certificate_.objective, model.tree_.n_leaves, model.tree_.depth) == (0.0, 4, 1)
    assert isinstance(model.tree_.node(0).predicate, Multiway)
    assert "multiway splits of 1 categorical column" in str(model.certificate_)
    binary = OptimalTreeClassifier(1).fit(table, GAME)
    assert binary.certificate_.objective == 12.0
    assert "multiway" not in str(binary.certificate_)


def test_each_leaf_beyond_the_first_is_paid_for() -> None:
    model = OptimalTreeClassifier(1, categorical="multiway", penalty=0.01).fit({"sky": SKY}, GAME)
    assert model.certificate_.objective == pytest.approx(3 * 0.01 * 24)
    dear = OptimalTreeClassifier(2, categorical="multiway", penalty=0.3).fit({"sky": SKY}, GAME)
    assert dear.tree_.n_leaves == 1
    # Two splits of two branches have four leaves as well, and are tried before.
    deep = OptimalTreeClassifier(2, categorical="multiway", penalty=0.01).fit({"sky": SKY}, GAME)
    assert deep.certificate_.objective == pytest.approx(3 * 0.01 * 24)


def test_rows_without_a_level_and_levels_that_a_node_had_not_follow_one_branch() -> None:
    sky = [None, None, None, "rain", *SKY]
    game = ["perhaps", "perhaps", "perhaps", "perhaps", *GAME]
    model = OptimalTreeClassifier(1, categorical="multiway").fit({"sky": sky}, game)
    assert model.certificate_.objective == 0.0
    assert model.predict({"sky": [None]}).tolist() == ["perhaps"]
    # Below the root, no row with a strong wind has four rooms.
    low = itertools.product(["sun", "cloud", "rain", "snow"], ["one", "two", "three", "four"])
    high = itertools.product(["sun", "cloud", "rain", "snow"], ["one", "two", "three", "two"])
    rows = [(*row, 1.0) for row in low] + [(*row, 9.0) for row in high]
    table = dict(zip(("sky", "rooms", "wind"), zip(*rows, strict=True), strict=True))
    y = [sky if wind < 5 else rooms for sky, rooms, wind in rows]
    model = OptimalTreeClassifier(2, categorical="multiway").fit(table, y)
    assert model.certificate_.objective == 0.0
    assert model.predict({"sky": ["sun"], "rooms": ["four"], "wind": [9.0]}).tolist() == ["two"]


def test_a_multiway_tree_is_kept_in_a_file_and_printed(tmp_path) -> None:
    model = OptimalTreeClassifier(1, categorical="multiway").fit({"sky": SKY}, GAME)
    model.save(tmp_path / "sky.json")
    again = load(tmp_path / "sky.json")
    assert again.tree_ == model.tree_
    assert again.certificate_.tests == model.certificate_.tests
    assert [rule.split(" then ")[0] for rule in model.rules()] == [
        "if sky is cloud or unseen",
        "if sky is rain",
        "if sky is snow",
        "if sky is sun",
    ]


def test_it_is_never_worse_than_two_branches_and_thresholds_left_out_are_reckoned_with() -> None:
    random = np.random.default_rng(3)
    for n_rows in (60, 200):
        table = {
            "x": random.normal(size=n_rows).tolist(),
            "z": random.normal(size=n_rows).tolist(),
            "sky": random.choice(list("abcdefg"), n_rows).tolist(),
        }
        y = (np.array(table["x"]) > 0) ^ np.isin(table["sky"], ["a", "d"])
        y ^= random.random(n_rows) < 0.1
        for thresholds in ("all", "quantile"):
            many = OptimalTreeClassifier(2, categorical="multiway", thresholds=thresholds)
            two = OptimalTreeClassifier(2, thresholds=thresholds).fit(table, y).certificate_
            certificate = many.fit(table, y).certificate_
            assert certificate.proven
            assert certificate.objective <= two.objective
            every = OptimalTreeClassifier(2, categorical="multiway", thresholds="all")
            best = every.fit(table, y).certificate_.objective
            assert certificate.lower_bound_all_thresholds <= best <= certificate.objective


def test_a_search_that_ends_early_says_so() -> None:
    random = np.random.default_rng(0)
    table = {f"x{j}": random.normal(size=300).tolist() for j in range(6)}
    table["sky"] = random.choice(list("abcdefgh"), 300).tolist()
    y = random.integers(0, 2, 300)
    model = OptimalTreeClassifier(4, categorical="multiway", time_limit=0.3)
    with pytest.warns(NotProvenWarning, match="time limit"):
        model.fit(table, y)
    certificate = model.certificate_
    assert certificate.status == "time_limit"
    assert certificate.lower_bound <= certificate.objective
    stopped = OptimalTreeClassifier(4, categorical="multiway", progress=lambda _: False)
    with pytest.warns(NotProvenWarning, match="asked it to stop"):
        assert stopped.fit(table, y).certificate_.status == "stopped"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_nodes", 3),
        ("pair_levels", 1),
        ("dictionary", [Axis(0, 1.0)]),
        ("smallest", True),
        ("front", True),
        ("tune", "cv"),
        ("tune", Tuning()),
        ("constraints", Constraints(max_columns=1)),
    ],
)
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_what_does_not_combine_is_refused_by_name(kind, name: str, value) -> None:
    model = kind(3, categorical="multiway", **{name: value})
    with pytest.raises(
        ValueError, match=rf"'{name}' parameter of {kind.__name__} must be .* with cat"
    ):
        model.fit({"sky": SKY}, WIND)


def test_what_else_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'max_depth' parameter .* categorical='multiway'"):
        OptimalTreeClassifier(None, penalty=0.1, categorical="multiway").fit({"sky": SKY}, GAME)
    with pytest.raises(ValueError, match=r"'categorical' parameter .* must be 'subset'"):
        OptimalTreeClassifier(**MANY, objective="brier").fit({"sky": SKY}, WIND)
    with pytest.raises(ValueError, match=r"'categorical' parameter .* must be 'subset'"):
        OptimalTreeRegressor(**MANY, objective="absolute_error").fit({"sky": SKY}, WIND)
    with pytest.raises(ValueError, match=r"'categorical' parameter .* must be 'subset'"):
        OptimalTreeClassifier(**MANY).fit({"sky": SKY}, losses={"a": WIND, "b": WIND[::-1]})
    model = OptimalTreeClassifier(**MANY).fit({"sky": SKY}, GAME)
    with pytest.raises(ValueError, match=r"'categorical' parameter .* must be 'subset'"):
        model.alternatives({"sky": SKY}, GAME)
    with pytest.raises(ValueError, match=r"'categorical' parameter .* Got 'grouped'"):
        OptimalTreeClassifier(categorical="grouped").fit({"sky": SKY}, GAME)
    many = {"city": [f"city {row % 40}" for row in range(80)]}
    with pytest.raises(DataError, match=r"Column 'city' has 40 levels, more than the 32 branches"):
        OptimalTreeClassifier(**MANY).fit(many, ["a", "b"] * 40)


@pytest.mark.parametrize("objective", ["balanced_accuracy", "f1"])
def test_other_objectives_of_errors_take_a_branch_per_level(objective: str) -> None:
    y = np.isin(SKY, ["sun", "rain"])
    y[0] = False
    plain = OptimalTreeClassifier(1, objective=objective).fit({"sky": SKY}, y).certificate_
    many = OptimalTreeClassifier(**MANY, objective=objective).fit({"sky": SKY}, y).certificate_
    assert many.proven
    assert many.score == pytest.approx(plain.score)
