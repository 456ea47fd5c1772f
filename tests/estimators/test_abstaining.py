"""Rows that are referred to a person: when leaves do so, and who knows of it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from export_runs import all_runs, check_agreement
from sklearn.base import clone

from treewright import OptimalTreeClassifier, TreeClassifier, bigdata, load
from treewright.estimators import GrowthRules
from treewright.exceptions import DataError, ModelFileError, UnsupportedError
from treewright.prune import CostComplexity, Honest
from treewright.tree.node import MISSING_POLICIES

RANDOM = np.random.default_rng(5)
X = pd.DataFrame(RANDOM.normal(size=(300, 3)).round(1), columns=list("abc"))
X["level"] = RANDOM.choice(list("uvw"), 300)
SCORE = X["a"] + X["b"] * (X["level"] == "u") + RANDOM.normal(size=300) * 0.8
TWO = np.where(SCORE > 0, "yes", "no")
THREE = np.digitize(SCORE, [-0.5, 0.5])
COSTS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [3.0, 1.0, 0.0]])

BOTH = [
    OptimalTreeClassifier(2, abstain_cost=0.2),
    TreeClassifier(max_depth=3, abstain_cost=0.2),
]


def least_cost(table, codes, weights, cost, depth, min_rows, price):
    """Give what the best tree costs, by trying all; `cost` has a column for referral."""
    cuts = [table[:, j] <= v for j in range(table.shape[1]) for v in np.unique(table[:, j])[:-1]]

    def best(rows, depth):
        found = (np.bincount(codes[rows], weights[rows], len(cost)) @ cost).min()
        for cut in cuts if depth > 0 else ():
            passed, failed = rows & cut, rows & ~cut
            if min(passed.sum(), failed.sum()) >= min_rows:
                found = min(found, best(passed, depth - 1) + best(failed, depth - 1) + price)
        return found

    return best(np.ones(len(codes), dtype=bool), depth)


def check_against_brute_force(seed):
    random = np.random.default_rng(seed)
    n_rows, n_classes = int(random.integers(4, 26)), 2 + seed % 3
    table = random.integers(0, 4, size=(n_rows, int(random.integers(1, 4)))).astype(float)
    codes = np.append(np.arange(n_classes), random.integers(0, n_classes, n_rows))[:n_rows]
    weights = random.choice([0.5, 1.0, 3.0], size=n_rows) if seed % 4 == 0 else np.ones(n_rows)
    costs = random.integers(1, 9, size=(n_classes, n_classes)) / (1.0, 7.0)[seed % 2]
    np.fill_diagonal(costs, 0.0)
    given = costs if seed % 3 == 0 else None
    price = float(random.choice([0.1, 0.25, 1 / 3, 0.45]))
    depth, min_rows = int(random.integers(1, 4)), int(random.integers(1, 4))
    penalty = float(random.choice([0.0, 0.0, 0.02]))
    model = OptimalTreeClassifier(
        depth, abstain_cost=price, cost_matrix=given, penalty=penalty, min_samples_leaf=min_rows
    )
    labels = np.array(list("abcd"))[codes]
    model.fit(table, labels, sample_weight=weights)
    n_classes = len(model.classes_)
    whole = np.column_stack(
        [1.0 - np.eye(n_classes) if given is None else costs, np.full(n_classes, price)]
    )
    total = weights.sum()
    expected = least_cost(table, codes, weights, whole, depth, min_rows, penalty * total)
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    place = {**{label: code for code, label in enumerate("abcd")}, "refer": n_classes}
    said = np.array([place[label] for label in model.predict(table)])
    lost = weights @ whole[codes, said] + penalty * total * (model.tree_.n_leaves - 1)
    assert lost == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(50))
def test_no_tree_that_may_refer_costs_less(seed):
    check_against_brute_force(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50, 2050))
def test_no_tree_that_may_refer_costs_less_on_many_tables(seed):
    check_against_brute_force(seed)


# ---------------------------------------------------------------- leaves


@pytest.mark.parametrize("missing", MISSING_POLICIES)
@pytest.mark.parametrize(("costs", "price"), [(None, 0.2), (COSTS, 0.5)])
def test_rows_are_referred_where_every_class_costs_more(missing, costs, price):
    holes = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    model = TreeClassifier(max_depth=3, missing=missing, cost_matrix=costs, abstain_cost=price)
    model.fit(holes, THREE)
    plain = TreeClassifier(max_depth=3, missing=missing, cost_matrix=costs).fit(holes, THREE)
    np.testing.assert_array_equal(model.apply(holes), plain.apply(holes))  # the same splits
    stated = model.predict_proba(holes)
    np.testing.assert_allclose(stated, plain.predict_proba(holes))
    expected = (stated @ (1.0 - np.eye(3) if costs is None else costs)).min(axis=1)
    is_clear = np.abs(expected - price) > 1e-9
    said = model.predict(holes)
    assert 10 < (said == -1).sum() < 290
    np.testing.assert_array_equal((said == -1)[is_clear], (expected > price)[is_clear])
    decided = said != -1
    np.testing.assert_array_equal(said[decided], plain.predict(holes)[decided])


def test_a_tie_is_decided_and_not_referred():
    table, y = [[0.0]] * 4, ["a", "a", "a", "b"]
    for kind in (TreeClassifier, OptimalTreeClassifier):
        model = kind(max_depth=1, abstain_cost=0.25).fit(table, y)
        assert set(model.predict(table)) == {"a"}
        model = kind(max_depth=1, abstain_cost=0.2).fit(table, y)
        assert set(model.predict(table)) == {"refer"}


def test_a_dear_referral_changes_no_prediction():
    for kind in (TreeClassifier, OptimalTreeClassifier):
        plain = kind(max_depth=2).fit(X, TWO)
        dear = kind(max_depth=2, abstain_cost=0.6).fit(X, TWO)
        np.testing.assert_array_equal(plain.predict(X), dear.predict(X))
        assert dear.score(X, TWO) == pytest.approx(plain.score(X, TWO))


@pytest.mark.parametrize("prune", ["cost_complexity", CostComplexity(alpha=3.0), Honest(0.3)])
def test_pruning_counts_what_referrals_cost(prune):
    model = TreeClassifier(max_depth=5, abstain_cost=0.2, prune=prune, random_state=0).fit(X, TWO)
    assert "refer" in set(model.predict(X))
    leaves = model.tree_.core.n_branches == 0
    cost = model.tree_.core.cost.reshape(3, 3)
    statistics = model.tree_.core.statistics[leaves]
    assert not statistics[:, 2].any()
    said = model.tree_.core.value[leaves].astype(int)
    lost = statistics @ cost
    np.testing.assert_allclose(lost[np.arange(len(said)), said], lost.min(axis=1))
    if prune == "cost_complexity":
        entry = next(one for one in model.path_ if one.leaves == model.tree_.n_leaves)
        assert entry.risk == pytest.approx((statistics * cost.T[said]).sum())


def test_a_pruner_that_knows_no_costs_is_refused():
    with pytest.raises(ValueError, match=r"^The 'prune' parameter .* when there is an 'abstain"):
        TreeClassifier(prune="error_based", abstain_cost=0.2).fit(X, TWO)


@pytest.mark.parametrize(
    "parameters",
    [
        {"front": True},
        {"tune": "cv"},
        {"max_nodes": 2},
        {"smallest": True},
        {"n_jobs": 2},
        {"class_weight": "balanced"},
        {"min_weight_fraction_leaf": 0.1},
        {"dictionary": ["axis", "must(2)"], "refine": 1},
        {"thresholds": "quantile"},
        {"smoothing": "laplace"},
    ],
)
def test_other_parameters_go_with_referral(parameters):
    model = OptimalTreeClassifier(2, abstain_cost=0.2, **parameters).fit(X, TWO)
    assert model.certificate_.proven
    assert "refer" in set(model.predict(X))
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(300))
    if "class_weight" not in parameters:
        assert model.certificate_.objective == pytest.approx(300 * (1 - model.score(X, TWO)))


def test_alternatives_may_refer_too():
    model = OptimalTreeClassifier(2, abstain_cost=0.2).fit(X, TWO)
    found = model.alternatives(X, TWO, tolerance=0.005)
    assert found.trees[0].objective == pytest.approx(model.certificate_.objective)


# ---------------------------------------------------------------- labels and scores


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize(
    ("y", "label"), [(TWO, "refer"), ((TWO == "yes") * 1, -1), ((TWO == "yes") * 1 - 5, -1)]
)
def test_the_label_is_none_of_the_classes(model, y, label):
    model = clone(model).fit(X, y)
    assert model.abstain_label_ == label
    assert model.classes_.tolist() == sorted(set(y.tolist()))
    assert model.tree_.schema.classes == (*model.classes_.tolist(), label)
    assert label in set(model.predict(X).tolist())
    assert model.predict_proba(X).shape == (300, 2)
    assert not hasattr(clone(model).set_params(abstain_cost=None).fit(X, y), "abstain_label_")


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.where(TWO == "yes", "refer", "no"), "where 'refer', which rows .* rename the class"),
        (np.where(TWO == "yes", 1, -1), "where -1, which rows"),
        (TWO == "yes", "unless the classes are text or integers. Got False"),
        (np.where(TWO == "yes", 1.0, 2.5e10), "unless the classes are text or integers. Got 1.0"),
    ],
)
def test_classes_that_leave_no_label_are_refused(model, y, sentence):
    with pytest.raises(DataError, match=f"^The 'abstain_cost' parameter .*{sentence}") as caught:
        clone(model).fit(X, y)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", BOTH)
def test_the_score_charges_mistakes_and_referrals(model):
    model = clone(model).fit(X, TWO)
    said, weights = model.predict(X), np.linspace(1, 2, 300)
    cost = np.where(said == "refer", 0.2, said != TWO)
    assert model.score(X, TWO) == pytest.approx(1 - cost.mean())
    assert model.score(X, TWO, weights) == pytest.approx(1 - np.average(cost, weights=weights))
    with pytest.raises(DataError, match="The class 'maybe' is none of the model's"):
        model.score(X, np.where(TWO == "yes", "maybe", "no"))


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("model", BOTH)
def test_readers_see_referrals(model, tmp_path):
    model = clone(model).fit(X, TWO)
    assert " refer " in model.summary()
    rules = [rule for rule in model.rules() if " then refer (" in rule]
    assert rules
    assert all("%" not in rule for rule in rules)  # no proportion of rows is "refer"
    row = X[model.predict(X) == "refer"].iloc[0]
    assert str(model.explain(row)).startswith("The prediction is refer (")
    model.report(tmp_path / "page.html", X, TWO, test=True)
    assert "refer" in (tmp_path / "page.html").read_text()
    model.draw(tmp_path / "tree.svg")
    assert ">refer<" in (tmp_path / "tree.svg").read_text()


@pytest.mark.parametrize(("target", "program"), all_runs())
def test_exported_code_refers(target, program, tmp_path):
    model = TreeClassifier(max_depth=3, abstain_cost=0.2).fit(X, TWO)
    check_agreement(model.tree_, target, program, tmp_path, 300)


@pytest.mark.parametrize("model", BOTH)
def test_models_are_saved_pickled_and_copied(model, tmp_path):
    model = clone(model).fit(X, TWO)
    model.save(tmp_path / "model.json")
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.tree_ == model.tree_
        assert other.abstain_cost == 0.2
        assert other.abstain_label_ == "refer"
        assert other.classes_.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
        assert other.score(X, TWO) == model.score(X, TWO)
    small = model.with_tree(model.at(leaves=1))
    assert len(set(small.predict(X))) == 1


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize("wrong", [0, -1.0, "0.2", [0.2], True])
def test_wrong_prices_are_refused_also_in_files(model, wrong, tmp_path):
    with pytest.raises(
        ValueError, match=r"^The 'abstain_cost' parameter of .* a finite number > 0"
    ):
        clone(model).set_params(abstain_cost=wrong).fit(X, TWO)
    path = tmp_path / "model.json"
    clone(model).fit(X, TWO).save(path)
    content = json.loads(path.read_text())
    content["parameters"]["abstain_cost"] = wrong
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match="abstain_cost"):
        load(path)


@pytest.mark.parametrize("model", BOTH)
def test_a_file_whose_classes_do_not_end_with_referral_is_refused(model, tmp_path):
    path = tmp_path / "model.json"
    clone(model).set_params(abstain_cost=None).fit(X, TWO).save(path)
    content = json.loads(path.read_text())
    content["parameters"]["abstain_cost"] = 0.2
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match="must end with the label of referral"):
        load(path)


# ---------------------------------------------------------------- what is refused


def test_what_referral_does_not_go_with_is_refused():
    soft = np.eye(2)[(TWO == "yes") * 1]
    with pytest.raises(
        ValueError, match=r"'abstain_cost' parameter .* must be None beside a 'soft"
    ):
        TreeClassifier(abstain_cost=0.2).fit(X, TWO, soft_target=soft)
    with pytest.raises(ValueError, match=r"'abstain_cost' parameter .* must be None beside 'losse"):
        OptimalTreeClassifier(abstain_cost=0.2).fit(X, losses=1 - soft)
    for objective in ("balanced_accuracy", "f1", "brier", "log_loss"):
        model = OptimalTreeClassifier(abstain_cost=0.2, objective=objective)
        with pytest.raises(ValueError, match=r"'abstain_cost' parameter .* beside objective="):
            model.fit(X, TWO)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        *((model, "abstain_cost") for model in BOTH),
        (OptimalTreeClassifier(2, objective="f1"), "objective"),
    ],
)
def test_tables_beyond_memory_are_refused(model, name):
    with pytest.raises(UnsupportedError, match=f"^The '{name}' parameter .* beyond memory; fit on"):
        bigdata.fit(clone(model), X.assign(y=TWO), target="y")


def test_growth_rules_go_with_referral():
    rules = GrowthRules(collapse=True)
    model = TreeClassifier(max_depth=4, abstain_cost=0.2, growth_rules=rules).fit(X, TWO)
    assert "refer" in set(model.predict(X))


@pytest.mark.parametrize(("y", "label"), [(TWO, "refer"), (THREE, -1)])
def test_the_heading_of_a_tree_counts_rows_that_are_decided(y, label):
    model = OptimalTreeClassifier(2, abstain_cost=0.2).fit(X, y)
    said = model.predict(X)
    decided = said != label
    assert 0 < decided.sum() < len(X)
    assert model.tree_.undecided_share == pytest.approx(1 - decided.mean())
    right = 100 * (said == y)[decided].mean()
    words = f"accuracy {right:.1f} % of the {100 * decided.mean():.1f} % of rows that are decided"
    assert words in str(model.tree_)
    assert TreeClassifier(max_depth=2).fit(X, y).tree_.undecided_share == 0.0


def test_the_heading_of_a_tree_that_refers_every_row():
    model = OptimalTreeClassifier(1, abstain_cost=1e-6).fit(np.zeros((300, 1)), TWO)
    assert "every row is referred" in str(model.tree_)
