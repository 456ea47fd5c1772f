"""Readable trees that may refer rows to a person."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.base import clone

import treewright
from treewright import Constraints, ReadableTreeClassifier
from treewright.cli import main
from treewright.exceptions import DataError
from treewright.readable.soft import SoftClasses

RANDOM = np.random.default_rng(5)
X = pd.DataFrame(RANDOM.normal(size=(300, 3)).round(1), columns=list("abc"))
X["level"] = RANDOM.choice(list("uvw"), 300)
SCORE = X["a"] + X["b"] * (X["level"] == "u") + RANDOM.normal(size=300) * 0.8
TWO = np.where(SCORE > 0, "yes", "no")
THREE = np.digitize(SCORE, [-0.5, 0.5])
COSTS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [3.0, 1.0, 0.0]])


def check_leaves(model, price, costs) -> int:
    """Hold every leaf of every tree against the price; return how many refer."""
    n_classes, n_referred = len(model.classes_), 0
    for tree in [model.tree_, *(entry.tree for entry in model.front_)]:
        core = tree.core
        leaves = core.n_branches == 0
        stated = core.probabilities[leaves]
        assert (stated[:, n_classes:] == 0.0).all()
        least = (stated[:, :n_classes] @ costs).min(axis=1)
        is_clear = np.abs(least - price) > 1e-9
        refers = core.value[leaves] == n_classes
        np.testing.assert_array_equal(refers[is_clear], (least > price)[is_clear])
        n_referred += int(refers.sum())
    return n_referred


@pytest.mark.parametrize(
    ("y", "costs", "price"), [(TWO, None, 0.15), (THREE, None, 0.3), (THREE, COSTS, 0.4)]
)
def test_leaves_refer_where_every_class_is_expected_to_cost_more(y, costs, price):
    model = ReadableTreeClassifier(size=6, teacher=None, cost_matrix=costs, abstain_cost=price)
    model.fit(X, y)
    known = 1.0 - np.eye(len(model.classes_)) if costs is None else costs
    assert check_leaves(model, price, known) > 0
    assert model.abstain_label_ == ("refer" if y is TWO else -1)
    said = model.predict(X)
    decided = said != model.abstain_label_
    assert 10 < decided.sum() < 300
    codes = {label: code for code, label in enumerate(model.classes_.tolist())}
    lost = [
        price if not sure else known[codes[true], codes[label]]
        for true, label, sure in zip(y.tolist(), said.tolist(), decided, strict=True)
    ]
    assert model.score(X, y) == pytest.approx(1.0 - np.mean(lost))
    assert model.predict_proba(X).shape == (300, len(model.classes_))


def test_no_split_parts_rows_that_are_referred_on_both_sides():
    for seed in range(6):
        random = np.random.default_rng(seed)
        table = random.normal(size=(200, 3)).round(1)
        y = table[:, 0] + table[:, 1] + random.normal(size=200) > 0
        model = ReadableTreeClassifier(size=8, teacher=None, abstain_cost=0.2)
        model.fit(table, np.where(y, "yes", "no"))
        for node in model.tree_.walk():
            if node.is_leaf:
                continue
            below = [model.tree_.node(child) for child in node.children]
            assert not all(one.is_leaf and one.label == "refer" for one in below)


def test_a_price_above_all_costs_changes_nothing():
    settings = {"size": 5, "teacher": None}
    plain = ReadableTreeClassifier(**settings).fit(X, TWO)
    never = ReadableTreeClassifier(**settings, abstain_cost=2.0).fit(X, TWO)
    assert plain.rules() == never.rules()
    np.testing.assert_array_equal(plain.predict_proba(X), never.predict_proba(X))
    said = ReadableTreeClassifier(**settings, abstain_cost=1e-6).fit(X, TWO).predict(X)
    assert (said == "refer").mean() > 0.3
    np.testing.assert_array_equal(said[said != "refer"], TWO[said != "refer"])  # no mistake


def test_a_referred_leaf_is_counted_as_one_that_costs_as_much():
    cost = np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.2]])
    target = SoftClasses(np.array([[0.8, 0.2]]), np.ones(1), cost)
    assert target.costs()[0, -1] == pytest.approx(0.2 + 0.5 * (1.0 - 0.8**2 - 0.2**2))
    assert target.labels(np.array([[0.8, 0.2], [0.79, 0.21], [0.1, 0.9]])).tolist() == [0, 2, 1]


@pytest.mark.long
def test_sizes_are_chosen_and_told_by_mean_cost():
    model = ReadableTreeClassifier(abstain_cost=0.15).fit(X, TWO)
    evidence = model.evidence_
    assert evidence.baseline == pytest.approx(0.85)
    assert 0.85 < evidence.score < 1.0
    assert all(0.8 < one.score < 1.0 for one in evidence.ceilings)
    assert evidence.thresholds == {}
    assert "1 less the mean cost of mistakes and referrals" in str(model)
    assert "no leaf predicts" not in str(model)


@pytest.mark.slow
def test_large_tables_are_counted_whole():
    random = np.random.default_rng(0)
    table = random.normal(size=(22_000, 3)).round(2)
    y = np.where(table[:, 0] + random.normal(size=22_000) > 0, "yes", "no")
    model = ReadableTreeClassifier(size=3, abstain_cost=0.1).fit(table, y)
    assert model.tree_.node(0).rows == 22_000
    assert "refer" in set(model.predict(table))


def test_beside_constraints():
    constraints = Constraints(max_columns=1)
    model = ReadableTreeClassifier(
        size=4, teacher=None, abstain_cost=0.15, constraints=constraints
    ).fit(X, TWO)
    assert len(model.tree_.columns_read) == 1
    assert "refer" in set(model.predict(X))


def test_models_survive_files_pickles_and_pages(tmp_path):
    model = ReadableTreeClassifier(size=4, teacher=None, abstain_cost=0.15).fit(X, TWO)
    model.save(tmp_path / "model.json")
    for other in (treewright.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert other.classes_.tolist() == ["no", "yes"]
        assert other.abstain_label_ == "refer"
    model.report(tmp_path / "page.html", X, TWO)
    assert "refer" in (tmp_path / "page.html").read_text()
    again = clone(model).set_params(abstain_cost=None).fit(X, TWO)
    assert not hasattr(again, "abstain_label_")


@pytest.mark.parametrize(
    ("y", "price", "words"),
    [
        (TWO == "yes", 0.1, "text or integers"),
        (np.where(TWO == "yes", "refer", "no"), 0.1, "rename the class"),
        (TWO, 0.0, "'abstain_cost' parameter of ReadableTreeClassifier"),
        (TWO, "much", "'abstain_cost' parameter of ReadableTreeClassifier"),
    ],
)
def test_what_cannot_be_is_refused(y, price, words):
    with pytest.raises((ValueError, DataError), match=words):
        ReadableTreeClassifier(size=3, teacher=None, abstain_cost=price).fit(X, y)


@pytest.mark.parametrize("method", [[], ["--method", "cart"], ["--method", "optimal"]])
def test_the_command_line_refers(tmp_path, method):
    table = X.assign(answer=TWO)
    table.to_csv(tmp_path / "rows.csv", index=False)
    asked = ["fit", str(tmp_path / "rows.csv"), "--target", "answer", "--abstain-cost", "0.15"]
    if method[1:] == ["cart"]:
        asked += ["--max-depth", "3", "--prune", "none"]
    result = CliRunner().invoke(main, [*asked, *method, "-o", str(tmp_path / "model.json")])
    assert result.exit_code == 0, result.output
    assert "refer" in result.output
    assert treewright.load(tmp_path / "model.json").abstain_cost == 0.15


def test_the_command_line_refuses_what_cannot_be(tmp_path):
    table = X.assign(answer=SCORE)
    table.to_csv(tmp_path / "rows.csv", index=False)
    asked = ["fit", str(tmp_path / "rows.csv"), "--target", "answer", "--abstain-cost"]
    result = CliRunner().invoke(main, [*asked, "0.1"])
    assert result.exit_code != 0
    assert "--abstain-cost is for classification" in result.output
    for price in ("0", "-1", "nan", "inf"):
        assert CliRunner().invoke(main, [*asked, price]).exit_code == 2
