"""Decisions by losses of rows: the least regret by brute force, and what goes with it."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from treewright import Constraints, OptimalTreeClassifier, load
from treewright.exceptions import DataError
from treewright.predicates import Axis


def least_loss(X, losses, depth, min_rows=1, penalty=0.0):
    """Give what the best tree loses, by trying all of them."""
    cuts = [X[:, j] <= value for j in range(X.shape[1]) for value in np.unique(X[:, j])[:-1]]

    def best(rows, depth):
        found = losses[rows].sum(axis=0).min()
        for cut in cuts if depth > 0 else ():
            passed, failed = rows & cut, rows & ~cut
            if min(passed.sum(), failed.sum()) >= min_rows:
                found = min(found, best(passed, depth - 1) + best(failed, depth - 1) + penalty)
        return found

    return best(np.ones(len(X), dtype=bool), depth)


def check_against_brute_force(seed):
    random = np.random.default_rng(seed)
    n_rows, n_actions = int(random.integers(3, 28)), int(random.integers(2, 6))
    depth = int(random.integers(1, 4))
    X = random.integers(0, int(random.integers(2, 5)), size=(n_rows, int(random.integers(1, 4))))
    losses = random.normal(scale=10.0, size=(n_rows, n_actions))
    if seed % 2:
        losses = losses.round(int(random.integers(0, 3)))
    if seed % 5 == 0:
        losses[random.random(n_rows) < 0.3] = 1.0
    weights = random.choice([0.5, 1.0, 3.0], size=n_rows) if seed % 3 == 0 else np.ones(n_rows)
    min_rows, penalty = int(random.integers(1, 4)), float(random.choice([0.0, 0.0, 0.3]))
    model = OptimalTreeClassifier(depth, min_samples_leaf=min_rows, penalty=penalty)
    model.fit(X.astype(float), losses=losses, sample_weight=weights)
    weighted = weights[:, None] * losses
    expected = least_loss(X, weighted, depth, min_rows, penalty * weights.sum())
    certificate, cheapest = model.certificate_, weighted.min(axis=1).sum()
    assert certificate.proven
    assert certificate.objective + cheapest == pytest.approx(expected, rel=1e-9, abs=1e-9)
    said = model.predict(X.astype(float))
    lost = weighted[np.arange(n_rows), said].sum()
    paid = penalty * weights.sum() * (model.tree_.n_leaves - 1)
    assert lost + paid == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert model.action_losses_.mean_loss == pytest.approx(lost / weights.sum(), abs=1e-9)


@pytest.mark.parametrize("seed", range(50))
def test_no_tree_loses_less(seed):
    check_against_brute_force(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50, 2050))
def test_no_tree_loses_less_on_many_tables(seed):
    check_against_brute_force(seed)


@pytest.mark.long
@pytest.mark.parametrize("n_actions", [2, 3, 8])
def test_no_tree_over_all_thresholds_of_long_columns_loses_less(n_actions):
    random = np.random.default_rng(n_actions)
    X = random.normal(size=(70, 2))
    losses = random.normal(size=(70, n_actions))
    losses[:, 0] += X[:, 0]
    model = OptimalTreeClassifier(2, thresholds="all").fit(X, losses=losses)
    expected = least_loss(X, losses, 2) - losses.min(axis=1).sum()
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(expected)


AGES = {"age": [20.0, 25.0, 30.0, 60.0, 65.0, 70.0]}
LOSSES = {"call": [1, 2, 1, 5, 6, 4], "letter": [4, 3, 3, 2, 1, 2]}


@pytest.mark.parametrize(
    ("losses", "labels"),
    [
        (LOSSES, ["call", "letter"]),
        (pd.DataFrame(LOSSES), ["call", "letter"]),
        (pl.DataFrame(LOSSES), ["call", "letter"]),
        (pd.DataFrame(LOSSES)[["letter", "call"]], ["letter", "call"]),
        (np.column_stack([*LOSSES.values()]), [0, 1]),
    ],
)
def test_columns_name_the_actions(losses, labels):
    model = OptimalTreeClassifier(1).fit(AGES, losses=losses)
    assert model.classes_.tolist() == labels
    young, old = ("call", "letter") if isinstance(labels[0], str) else (0, 1)
    assert model.predict(AGES).tolist() == [young] * 3 + [old] * 3


def test_rewards_are_losses_with_another_sign_and_constants_do_not_matter():
    losses = np.column_stack([*LOSSES.values()]).astype(float)
    shifted = losses - np.arange(6.0)[:, None] * 7 - 100
    one, other = (OptimalTreeClassifier(1).fit(AGES, losses=given) for given in (losses, shifted))
    assert one.tree_ == other.tree_
    assert one.certificate_.objective == other.certificate_.objective == 0.0


def test_losses_of_classes_are_errors():
    """Losses of 0 for the true class and 1 for the others: the tree with the fewest errors."""
    random = np.random.default_rng(3)
    X, y = random.normal(size=(60, 3)).round(1), random.integers(0, 3, size=60)
    model = OptimalTreeClassifier(2).fit(X, losses=1.0 - np.eye(3)[y])
    plain = OptimalTreeClassifier(2).fit(X, y)
    assert model.certificate_.objective == plain.certificate_.objective
    assert (model.predict(X) != y).sum() == plain.certificate_.objective


def test_leaves_tell_what_every_action_loses():
    random = np.random.default_rng(1)
    X, losses = random.normal(size=(80, 2)), random.normal(size=(80, 3))
    weights = random.integers(1, 4, size=80).astype(float)
    model = OptimalTreeClassifier(2).fit(X, losses=losses, sample_weight=weights)
    told, leaf_of_row = model.action_losses_, model.apply(X)
    assert told.leaves.tolist() == sorted(set(leaf_of_row.tolist()))
    assert told.actions == (0, 1, 2)
    for place, leaf in enumerate(told.leaves):
        inside = np.repeat(losses[leaf_of_row == leaf], weights[leaf_of_row == leaf].astype(int), 0)
        assert told.rows[place] == (leaf_of_row == leaf).sum()
        assert told.means[place] == pytest.approx(inside.mean(axis=0))
        errors = inside.std(axis=0) / np.sqrt(len(inside))
        assert told.standard_errors[place] == pytest.approx(errors)
        assert told.decisions[place] == inside.mean(axis=0).argmin()
    assert str(told) in model.summary()
    assert told.claim.startswith("Mean loss")


def test_a_loss_that_is_the_same_for_all_rows_has_no_error():
    random = np.random.default_rng(4)
    X, losses = random.normal(size=(999, 2)), random.normal(size=(999, 2))
    model = OptimalTreeClassifier(2).fit(X, losses=np.column_stack([losses, np.full(999, 1.8)]))
    assert not model.action_losses_.standard_errors[:, 2].any()
    assert model.action_losses_.standard_errors[:, :2].all()


def test_the_path_weighs_leaves_by_what_they_lose():
    random = np.random.default_rng(2)
    X, losses = random.normal(size=(60, 2)), random.normal(size=(60, 3))
    model = OptimalTreeClassifier(2).fit(X, losses=losses)
    assert model.path_[0].risk == pytest.approx(model.certificate_.objective)
    alone = losses.sum(axis=0).min() - losses.min(axis=1).sum()
    assert model.path_[-1].risk == pytest.approx(alone)
    assert model.at(leaves=2).n_leaves <= 2


def test_rows_of_weight_zero_are_as_if_absent():
    random = np.random.default_rng(4)
    X, losses = random.normal(size=(40, 2)), random.normal(size=(40, 3))
    weights = np.where(np.arange(40) % 4 == 0, 0.0, 1.0)
    kept = weights > 0
    whole = OptimalTreeClassifier(2).fit(X, losses=losses, sample_weight=weights)
    part = OptimalTreeClassifier(2).fit(X[kept], losses=losses[kept])
    assert whole.tree_ == part.tree_


def test_a_policy_is_saved_pickled_and_exported(tmp_path):
    model = OptimalTreeClassifier(1).fit(AGES, losses=LOSSES)
    model.save(tmp_path / "policy.json")
    loaded = load(tmp_path / "policy.json")
    assert loaded.tree_ == model.tree_
    assert loaded.certificate_ == model.certificate_
    assert loaded.predict(AGES).tolist() == model.predict(AGES).tolist()
    assert not hasattr(loaded, "action_losses_")
    assert str(pickle.loads(pickle.dumps(model)).action_losses_) == str(model.action_losses_)
    with closing(sqlite3.connect(":memory:")) as database:
        code = model.export("sql")
        database.execute("create table people (age)")
        database.executemany("insert into people values (?)", [[age] for age in AGES["age"]])
        said = [row[0] for row in database.execute(f"select {code} from people")]
    assert said == model.predict(AGES).tolist()


def test_action_losses_go_with_their_tree():
    model = OptimalTreeClassifier(1).fit(AGES, losses=LOSSES)
    assert not hasattr(model.with_tree(model.at(leaves=1)), "action_losses_")
    assert not hasattr(model.fit(AGES, list("aabbab")), "action_losses_")


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_nodes": 2},
        {"pair_levels": 1, "max_depth": 3, "dictionary": [Axis(j, 0.0) for j in range(3)]},
        {"smallest": True},
        {"n_jobs": 2},
        {"max_depth": None, "penalty": 0.2},
        {"dictionary": [Axis(0, 0.0), Axis(1, 0.5)]},
        {"constraints": Constraints(max_columns=1)},
        {"thresholds": "guess"},
        {"thresholds": "quantile"},
    ],
)
def test_other_parameters_go_with_losses(parameters):
    random = np.random.default_rng(6)
    X, losses = random.normal(size=(60, 3)).round(1), random.normal(size=(60, 4))
    model = OptimalTreeClassifier(**{"max_depth": 2, **parameters}).fit(X, losses=losses)
    assert model.certificate_.proven
    taken = losses[np.arange(60), model.predict(X)].sum() - losses.min(axis=1).sum()
    paid = model.penalty * 60 * (model.tree_.n_leaves - 1)
    assert model.certificate_.objective == pytest.approx(taken + paid)


def test_missing_values_and_levels_are_split_on():
    table = pd.DataFrame(
        {"color": ["red", "blue", "green", "red"] * 5, "size": [1.0, None, 3.0, 4.0] * 5}
    )
    losses = np.where(table[["color"]] == "red", [[0.0, 1.0, 2.0]], [[2.0, 1.5, 0.0]])
    losses[table["size"].isna()] = [3.0, 0.0, 3.0]
    model = OptimalTreeClassifier(2).fit(table, losses=losses)
    assert model.certificate_.objective == 0.0


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"cost_matrix": [[0, 1], [1, 0]]}, "'cost_matrix' parameter .* must be None beside 'los"),
        ({"class_weight": "balanced"}, "'class_weight' parameter .* must be None"),
        ({"tune": "cv"}, "'tune' parameter .* must be None"),
        ({"smoothing": "laplace"}, "'smoothing' parameter .* must be None"),
        ({"front": True}, "'front' parameter .* must be False"),
        ({"min_weight_fraction_leaf": 0.1}, "'min_weight_fraction_leaf' parameter .* must be 0"),
        ({"dictionary": ["axis"]}, "'dictionary' parameter .* list of predicates"),
        ({"constraints": Constraints(first_columns=["age"])}, "'constraints' parameter .* paths"),
    ],
)
def test_what_losses_do_not_go_with_is_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        OptimalTreeClassifier(**parameters).fit(AGES, losses=LOSSES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("losses", "sentence"),
    [
        ({"call": [1.0] * 6}, "two actions at least. Got 1 column"),
        ({**LOSSES, "visit": [1, 2, np.nan, 3, 4, np.nan]}, "Got nan in row 2 .*'visit' .2 rows"),
        ({**LOSSES, "visit": [1, 2, 3, np.inf, 4, 5]}, "'losses' .* finite.*'visit' .*; give an"),
        ({**LOSSES, "visit": [1, 2, 3, 1e200, 4, 5]}, "1e.140 at most. Got 1e.200 in row 3"),
        ({**LOSSES, "visit": list("abcdef")}, "numbers. Got text in the column 'visit'"),
        ({"call": [1, 2], "letter": [2, 1]}, "6|2"),
    ],
)
def test_broken_losses_are_refused_in_one_sentence(losses, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        OptimalTreeClassifier().fit(AGES, losses=losses)
    assert "\n" not in str(caught.value)


def test_losses_take_the_place_of_the_target():
    with pytest.raises(ValueError, match="either 'y' or 'losses', not both"):
        OptimalTreeClassifier().fit(AGES, list("aabbab"), losses=LOSSES)
    with pytest.raises(ValueError, match="y"):
        clone(OptimalTreeClassifier()).fit(AGES)
