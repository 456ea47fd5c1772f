"""OptimalTreeClassifier and OptimalTreeRegressor: the best tree, by an independent count.

The twin below knows nothing of bits, units or bounds: it tries every test that a raw table offers,
with gaps on either side, and all trees of depth 1 and 2 over them.
"""

from __future__ import annotations

import json
import pickle
from itertools import product

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    load,
    recipes,
)
from treewright.estimators import Priors
from treewright.exceptions import ModelFileError, SchemaError
from treewright.modelfile import model_schema
from treewright.optimal.columns import TableTests
from treewright.predicates import Axis, Linear, Subset

GAP = float("nan")
IRIS = load_iris()


# ---------------------------------------------------------------- the twin


def sides_of(values):
    """Every way a table of numbers can be divided by one test."""
    for column in values.T:
        known = ~np.isnan(column)
        for threshold in np.unique(column[known])[:-1]:
            below = column <= threshold
            yield below
            if not known.all():
                yield below | ~known


def class_loss(rows, y, weights, cost):
    totals = np.array([weights[rows & (y == c)].sum() for c in range(len(cost))])
    return (totals @ cost).min()


def number_loss(rows, y, weights, cost):
    mean = np.average(y[rows], weights=weights[rows])
    return (weights[rows] * (y[rows] - mean) ** 2).sum()


def least(rows, depth, tests, loss, penalty=0.0, min_rows=1, n_tests=99):
    best = loss(rows)
    if depth == 0 or n_tests == 0:
        return best
    for test in tests:
        left, right = rows & test, rows & ~test
        if left.sum() < min_rows or right.sum() < min_rows:
            continue
        for share in range(n_tests) if n_tests < 4 else [99]:
            parts = (
                [(left, share), (right, n_tests - 1 - share)]
                if n_tests < 4
                else [
                    (left, 99),
                    (right, 99),
                ]
            )
            value = penalty + sum(
                least(part, depth - 1, tests, loss, penalty, min_rows, count)
                for part, count in parts
            )
            best = min(best, value)
    return best


tables = st.integers(2, 9).flatmap(
    lambda n: st.tuples(
        st.lists(
            st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, 3.5, GAP])] * 2), min_size=n, max_size=n
        ),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.sampled_from([1.0, 2.0, 0.5, 0.3]), min_size=n, max_size=n),
    )
)


@given(tables, st.integers(1, 2), st.booleans(), st.sampled_from([0.0, 0.1, 0.15]))
def test_no_tree_has_a_smaller_weight_of_errors(table, depth, with_costs, penalty):
    values, y, weights = np.array(table[0]), np.array(table[1]), np.array(table[2])
    labels, codes = np.unique(y, return_inverse=True)
    cost = 1.0 - np.eye(len(labels))
    if with_costs and len(labels) > 1:
        cost[0, 1:] = 2.5
    model = OptimalTreeClassifier(
        depth, penalty=penalty, cost_matrix=cost if with_costs and len(labels) > 1 else None
    ).fit(values, y, sample_weight=weights)
    every_row = np.ones(len(y), dtype=bool)
    expected = least(
        every_row,
        depth,
        list(sides_of(values)),
        lambda rows: class_loss(rows, codes, weights, cost),
        penalty * weights.sum(),
    )
    certificate = model.certificate_
    assert certificate.proven
    assert certificate.objective == pytest.approx(expected)
    assert certificate.lower_bound == pytest.approx(expected)
    lost = cost[codes, np.searchsorted(labels, model.predict(values))] @ weights
    leaves = model.tree_.n_leaves
    assert lost + penalty * weights.sum() * (leaves - 1) == pytest.approx(expected)


@given(tables, st.integers(1, 2), st.sampled_from([0.0, 0.05]))
def test_no_tree_has_a_smaller_squared_error(table, depth, penalty):
    values, weights = np.array(table[0]), np.array(table[2])
    y = np.array(table[1]) * 1.7 + values[:, 0].astype(str).astype("<U3").view(np.int32)[::3] % 5
    y = y[: len(weights)].astype(float)
    model = OptimalTreeRegressor(depth, penalty=penalty).fit(values, y, sample_weight=weights)
    every_row = np.ones(len(y), dtype=bool)
    price = penalty * number_loss(every_row, y, weights, None)
    expected = least(
        every_row,
        depth,
        list(sides_of(values)),
        lambda rows: number_loss(rows, y, weights, None),
        price,
    )
    certificate = model.certificate_
    assert certificate.objective == pytest.approx(expected, abs=1e-9)
    assert certificate.lower_bound <= certificate.objective
    assert certificate.lower_bound == pytest.approx(expected, rel=1e-2, abs=1e-4)
    lost = weights @ (y - model.predict(values)) ** 2
    assert lost + price * (model.tree_.n_leaves - 1) == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
@settings(max_examples=20)
@given(tables, st.integers(1, 3), st.integers(1, 2))
def test_budgets_and_small_leaves(table, max_nodes, min_rows):
    values, y = np.array(table[0]), np.array(table[1])
    codes = np.unique(y, return_inverse=True)[1]
    model = OptimalTreeClassifier(2, max_nodes=max_nodes, min_samples_leaf=min_rows).fit(values, y)
    cost = 1.0 - np.eye(codes.max() + 1)
    expected = least(
        np.ones(len(y), dtype=bool),
        2,
        list(sides_of(values)),
        lambda rows: class_loss(rows, codes, np.ones(len(y)), cost),
        min_rows=min_rows,
        n_tests=max_nodes,
    )
    assert model.certificate_.objective == expected
    assert model.tree_.n_leaves <= max_nodes + 1
    core = model.tree_.core
    if model.tree_.n_leaves > 1:
        assert core.rows[core.n_branches == 0].min() >= min_rows


@given(tables)
def test_a_row_with_a_gap_ends_where_training_put_it(table):
    values, y = np.array(table[0]), np.array(table[1])
    model = OptimalTreeClassifier(2).fit(values, y)
    counts = np.bincount(model.apply(values), minlength=model.tree_.n_nodes)
    core = model.tree_.core
    leaves = core.n_branches == 0
    assert counts[leaves].tolist() == core.rows[leaves].tolist()
    model.tree_.validate()


# ---------------------------------------------------------------- manners


@parametrize_with_checks([OptimalTreeClassifier(2), OptimalTreeRegressor(2)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def mixed_table():
    random = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": random.integers(20, 70, 90).astype(float),
            "home": random.choice(["own", "rent", "parents"], 90),
            "student": random.random(90) < 0.4,
            "grade": pd.Categorical(
                random.choice(["low", "mid", "high"], 90), ["low", "mid", "high"], ordered=True
            ),
        }
    )
    frame.loc[::7, "age"] = np.nan
    frame.loc[3::11, "home"] = None
    good = (frame["age"].fillna(0) > 40) ^ (frame["home"] == "rent")
    return frame, np.where(good, "yes", "no")


def test_any_table_library_gives_the_same_tree():
    frame, y = mixed_table()
    expected = OptimalTreeClassifier(2).fit(frame, y)
    assert expected.certificate_.objective == 0
    polars = pl.from_pandas(frame.drop(columns="grade"))
    same = OptimalTreeClassifier(2).fit(frame.drop(columns="grade"), y)
    assert OptimalTreeClassifier(2).fit(polars, y).rules() == same.rules()
    assert (expected.predict(frame) == y).all()
    assert expected.predict_proba(frame).max(axis=1).min() == 1.0


def test_ordered_levels_are_cut_like_numbers():
    frame, _ = mixed_table()
    y = np.where(frame["grade"].isin(["mid", "high"]), 1, 0)
    model = OptimalTreeClassifier(1).fit(frame[["grade"]], y)
    assert isinstance(model.tree_.node(0).predicate, Axis)
    assert model.rules()[0].startswith("if grade")
    assert model.certificate_.objective == 0


def test_many_levels_are_tested_by_sets():
    random = np.random.default_rng(0)
    city = random.choice(list("abcdefghij"), 200)
    y = np.isin(city, list("aceg"))
    model = OptimalTreeClassifier(1).fit({"city": city}, y)
    predicate = model.tree_.node(0).predicate
    assert isinstance(predicate, Subset)
    assert model.certificate_.objective == 0
    assert "sets of levels of 1 categorical column" in model.certificate_.tests


def test_class_weights_are_costs_of_classes():
    frame, y = mixed_table()
    y = np.where(np.arange(90) % 5 == 0, "no", y)
    by_weight = OptimalTreeClassifier(2, class_weight={"yes": 3}).fit(frame, y)
    by_cost = OptimalTreeClassifier(2, cost_matrix={"yes": {"no": 3}, "no": {"yes": 1}}).fit(
        frame, y
    )
    assert by_weight.certificate_.objective == by_cost.certificate_.objective
    balanced = OptimalTreeClassifier(2, class_weight="balanced").fit(frame, y)
    wrong = balanced.predict(frame) != y
    share = sum((wrong & (y == label)).sum() / (y == label).sum() for label in ("yes", "no"))
    assert balanced.certificate_.objective == pytest.approx(45 * share)
    assert balanced.certificate_.gap < 1e-4
    neutral = OptimalTreeClassifier(2, class_weight=Priors([0.5, 0.5])).fit(frame, y)
    assert neutral.certificate_.objective == balanced.certificate_.objective


def test_a_class_that_weighs_nothing_is_as_if_absent():
    model = OptimalTreeClassifier(2, class_weight={0: 0}).fit(IRIS.data, IRIS.target)
    alone = OptimalTreeClassifier(2).fit(IRIS.data[50:], IRIS.target[50:])
    assert model.certificate_.objective == alone.certificate_.objective
    assert model.tree_.core.rows[0] == 100
    assert model.predict_proba(IRIS.data).shape == (150, 3)


def test_weights_stand_for_repeated_rows():
    frame, y = mixed_table()
    counts = np.arange(90) % 3
    weighted = OptimalTreeClassifier(2, thresholds="all").fit(frame, y, sample_weight=counts)
    rows = np.repeat(np.arange(90), counts)
    repeated = OptimalTreeClassifier(2, thresholds="all").fit(frame.iloc[rows], y[rows])
    assert weighted.certificate_.objective == repeated.certificate_.objective


def test_given_tests_are_all_that_is_used():
    tests = [Axis(0, 5.0), Axis(2, 2.0), Linear((0, 3), (1.0, -2.0), 3.0)]
    model = OptimalTreeClassifier(2, dictionary=tests).fit(IRIS.data, IRIS.target)
    used = [model.tree_.node(i).predicate for i in range(model.tree_.n_nodes)]
    assert {*filter(None, used)} <= {*tests}
    assert "over 3 given conditions" in model.certificate_.tests
    assert model.certificate_.lower_bound_all_thresholds is None
    dear = OptimalTreeClassifier(2, dictionary=tests, term_penalty=1.0)
    tree = dear.fit(IRIS.data, IRIS.target).tree_
    used = [tree.node(i).predicate for i in range(tree.n_nodes)]
    assert not any(isinstance(predicate, Linear) for predicate in used)


def test_pairs_of_tests_at_the_root():
    bits = np.array(list(product([0, 1], repeat=4)) * 2)
    y = bits[:, 0] ^ bits[:, 1]
    alone = OptimalTreeClassifier(3, max_nodes=1).fit(bits, y)
    joined = OptimalTreeClassifier(3, max_nodes=1, pair_levels=1).fit(bits, y)
    assert alone.certificate_.objective == 16
    assert joined.certificate_.objective == 0
    assert joined.rules() == recipes.murtree(3, max_nodes=1).fit(bits, y).rules()
    assert joined.tree_.node(0).predicate.connective == "xor"
    assert "join two conditions at the root" in joined.certificate_.tests


def test_never_worse_than_a_grown_tree():
    for depth in (1, 2):
        grown = TreeClassifier(max_depth=depth).fit(IRIS.data, IRIS.target)
        errors = (grown.predict(IRIS.data) != IRIS.target).sum()
        model = OptimalTreeClassifier(depth, thresholds="all").fit(IRIS.data, IRIS.target)
        assert model.certificate_.objective <= errors
        numbers = TreeRegressor(max_depth=depth).fit(IRIS.data[:, 1:], IRIS.data[:, 0])
        error = ((numbers.predict(IRIS.data[:, 1:]) - IRIS.data[:, 0]) ** 2).sum()
        best = OptimalTreeRegressor(depth, thresholds="all").fit(IRIS.data[:, 1:], IRIS.data[:, 0])
        assert best.certificate_.objective <= error + 1e-9


def test_fewer_thresholds_cost_no_more_than_the_bound_says(monkeypatch):
    monkeypatch.setattr(TableTests, "is_quick", lambda *_, **__: False)
    random = np.random.default_rng(2)
    values = random.normal(size=(120, 3))
    y = (values[:, 0] * values[:, 1] > 0).astype(int)
    everything = OptimalTreeClassifier(2, thresholds="all").fit(values, y).certificate_
    assert everything.lower_bound_all_thresholds == everything.lower_bound
    for thresholds in ("auto", "quantile", "guess"):
        some = OptimalTreeClassifier(2, thresholds=thresholds, refine=0).fit(values, y)
        certificate = some.certificate_
        assert certificate.lower_bound_all_thresholds <= everything.objective
        assert certificate.objective >= everything.objective
        finer = OptimalTreeClassifier(2, thresholds=thresholds, refine=3).fit(values, y)
        assert everything.objective <= finer.certificate_.objective <= certificate.objective


@pytest.mark.parametrize("penalty", [0.0, 0.02, 0.4])
def test_the_front_marks_the_tree_that_was_chosen(penalty):
    model = OptimalTreeClassifier(3, front=True, penalty=penalty).fit(IRIS.data, IRIS.target)
    chosen = list(model.front_)[model.front_.chosen]
    assert chosen.tree == model.tree_
    alone = OptimalTreeClassifier(3, penalty=penalty).fit(IRIS.data, IRIS.target)
    assert alone.certificate_.objective == pytest.approx(model.certificate_.objective)


def test_the_front_has_the_best_tree_of_every_size():
    model = OptimalTreeClassifier(2, front=True).fit(IRIS.data, IRIS.target)
    leaves = [entry.leaves for entry in model.front_]
    risks = [entry.risk for entry in model.front_]
    assert leaves == sorted(leaves, reverse=True)
    assert risks == sorted(risks)
    assert model.path_ is model.front_
    for entry in model.front_:
        small = OptimalTreeClassifier(2, max_nodes=entry.leaves - 1).fit(IRIS.data, IRIS.target)
        assert small.certificate_.objective == entry.risk
        assert model.at(leaves=entry.leaves) == entry.tree
    assert model.at(alpha=1e9).n_leaves == 1
    plain = OptimalTreeClassifier(2).fit(IRIS.data, IRIS.target)
    assert not hasattr(plain, "front_")
    assert plain.at(leaves=2).n_leaves == 2
    model.set_params(front=False).fit(IRIS.data, IRIS.target)
    assert not hasattr(model, "front_")


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("penalty", [0.0, 0.02])
def test_the_front_is_in_the_model_file(estimator, penalty, tmp_path):
    path = tmp_path / "model.json"
    model = estimator(2, front=True, penalty=penalty).fit(IRIS.data, IRIS.target)
    model.save(path)
    loaded = load(path)
    assert list(loaded.front_) == list(model.front_)
    assert loaded.front_.chosen == model.front_.chosen
    assert str(loaded.front_) == str(model.front_)
    assert loaded.path_ is loaded.front_
    assert loaded.at(leaves=2) == model.at(leaves=2)
    jsonschema.validate(json.loads(path.read_text()), model_schema())
    smaller = model.with_tree(model.at(leaves=2))
    assert not hasattr(smaller, "front_")
    assert smaller.path_[0].tree.n_leaves == 2
    smaller.save(path)
    assert not hasattr(load(path), "front_")


@pytest.mark.parametrize("damage", ["reversed", "without the tree", "of a TreeClassifier"])
def test_a_front_that_does_not_fit_is_refused(damage, tmp_path):
    path = tmp_path / "model.json"
    OptimalTreeClassifier(2, front=True).fit(IRIS.data, IRIS.target).save(path)
    content = json.loads(path.read_text())
    if damage == "reversed":
        content["front"].reverse()
    elif damage == "without the tree":
        content["front"].pop()
    else:
        del content["certificate"]
        content["estimator"], content["parameters"] = "TreeClassifier", {}
    path.write_text(json.dumps(content))
    words = "has none" if damage == "of a TreeClassifier" else "more and more leaves"
    with pytest.raises(ModelFileError, match=words):
        load(path)


def test_the_front_takes_the_words_of_the_schema():
    model = OptimalTreeClassifier(2, front=True).fit(IRIS.data, IRIS.target)
    model._set_schema(model.schema_.with_target("species", model.schema_.classes))
    assert model.path_ is model.front_
    assert {entry.tree.schema.target for entry in model.front_} == {"species"}


def test_copies_files_and_searches_over_parameters(tmp_path):
    frame, y = mixed_table()
    model = OptimalTreeClassifier(
        2,
        dictionary=[Axis(0, 40.0), Subset(1, (0,), (1, 2))],
        class_weight={"no": 1.5},
        progress=lambda report: None,
    ).fit(frame, y)
    twin = pickle.loads(pickle.dumps(clone(model).set_params(progress=None).fit(frame, y)))
    assert twin.tree_ == model.tree_
    assert twin.certificate_.objective == model.certificate_.objective
    model.save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text())
    jsonschema.Draft202012Validator(model_schema()).validate(content)
    loaded = load(tmp_path / "model.json")
    assert loaded.tree_ == model.tree_
    assert loaded.certificate_ == model.certificate_
    assert loaded.get_params()["dictionary"] == model.dictionary
    assert (loaded.predict(frame) == model.predict(frame)).all()
    loaded.fit(frame, y)
    search = GridSearchCV(OptimalTreeClassifier(), {"max_depth": [1, 2]}, cv=2)
    assert search.fit(IRIS.data, IRIS.target).best_score_ > 0.6


def test_a_regressor_comes_back_from_its_file(tmp_path):
    model = OptimalTreeRegressor(1, penalty=0.01).fit(IRIS.data[:, 1:], IRIS.data[:, 0])
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.certificate_ == model.certificate_
    assert loaded.predict(IRIS.data[:, 1:]).tolist() == model.predict(IRIS.data[:, 1:]).tolist()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"status": "optimal"', '"status": "perfect"', "status must be one of"),
        ('"objective": 50', '"objective": -1', "0 <= lower_bound <= objective"),
        ('"seconds"', '"hours"', "certificate"),
        ("OptimalTreeClassifier", "TreeClassifier", "TreeClassifier has no"),
    ],
)
def test_a_broken_certificate_is_refused(tmp_path, old, new, complaint):
    model = OptimalTreeClassifier(1).fit(IRIS.data, IRIS.target)
    model.save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    assert old in text
    (tmp_path / "model.json").write_text(text.replace(old, new))
    with pytest.raises(ModelFileError, match=complaint):
        load(tmp_path / "model.json")


def test_another_tree_has_no_certificate(tmp_path):
    model = OptimalTreeClassifier(2).fit(IRIS.data, IRIS.target)
    assert str(model.certificate_) in model.summary()
    assert model.with_tree(model.tree_).certificate_ == model.certificate_
    edited = model.with_tree(model.tree_.prune_at(0))
    assert edited.certificate_ is None
    assert edited.summary() == edited.tree_.to_text()
    edited.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").certificate_ is None
    with pytest.raises(SchemaError):
        model.with_tree(OptimalTreeClassifier(1).fit(IRIS.data[:, :2], IRIS.target).tree_)


def test_leaves_have_their_share_of_the_weight():
    random = np.random.default_rng(4)
    values, y = random.integers(0, 3, (60, 3)), random.integers(0, 2, 60)
    weights = random.choice([0.5, 1.0, 3.0], 60)
    for more in ({}, {"penalty": 0.001}, {"class_weight": {1: 2.5}}):
        model = OptimalTreeClassifier(3, min_weight_fraction_leaf=0.1, **more)
        model.fit(values, y, sample_weight=weights)
        counted = weights * np.where(y == 1, more.get("class_weight", {1: 1.0})[1], 1.0)
        leaves, shares = model.apply(values), counted / counted.sum()
        assert model.tree_.n_leaves > 2
        assert min(shares[leaves == leaf].sum() for leaf in set(leaves)) >= 0.1


def test_probabilities_can_be_smoothed():
    model = OptimalTreeClassifier(2, smoothing="laplace").fit(IRIS.data, IRIS.target)
    shares = model.predict_proba(IRIS.data)
    assert 0.0 < shares.min() < shares.max() < 1.0
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert np.isfinite(model.predict_log_proba(IRIS.data)).all()


def test_importances_follow_the_gini_index():
    model = OptimalTreeClassifier(2).fit(IRIS.data, IRIS.target)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.feature_importances_[2:].sum() > 0.9
