"""Edits by hand: what they change, what they leave, and the record they leave behind."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from treewright import TreeClassifier, TreeRegressor, load
from treewright.exceptions import DataError, ModelFileError
from treewright.modelfile import model_from_text
from treewright.tree import Edit

IRIS = load_iris(as_frame=True)
X, y = IRIS.data, IRIS.target_names[IRIS.target]


@pytest.fixture
def model():
    return TreeClassifier(max_leaf_nodes=5).fit(X, y)


def inner_child(tree):
    return next(node.id for node in tree.walk() if not node.is_leaf and node.id > 0)


def test_pruning_at_a_node_makes_a_leaf_of_it(model):
    tree = model.tree_
    node = inner_child(tree)
    pruned = tree.prune_at(node, note="too few rows")
    assert pruned == tree.collapse([node])
    (edit,) = pruned.edits
    assert edit == Edit("prune_at", node, tree.n_leaves_below(node), 1, "too few rows")
    assert tree.edits == ()
    leaf = next(iter(tree.leaves())).id
    with pytest.raises(ValueError, match="is a leaf already"):
        tree.prune_at(leaf)
    with pytest.raises(IndexError, match="id of a node"):
        tree.prune_at(99)


def test_a_moved_threshold_moves_rows(model):
    tree = model.tree_
    root = tree.node(0).predicate
    assert X.columns[root.column] == "petal length (cm)"
    moved = tree.with_threshold(0, 1.25, note="as the botanist measures")
    assert moved.node(0).predicate.threshold == 1.25
    assert (moved.predict(X.assign(**{"petal length (cm)": 1.2})) == "setosa").all()
    assert (moved.predict(X.assign(**{"petal length (cm)": 1.3})) != "setosa").all()
    assert moved.edits[0].before == root.threshold
    assert moved.edits[0].after == 1.25
    assert "petal length <= 1.25" in str(moved).replace(" (cm)", "")


def test_only_finite_thresholds_of_tests_that_have_one(model):
    leaf = next(iter(model.tree_.leaves())).id
    with pytest.raises(ValueError, match="leaf and has no threshold"):
        model.tree_.with_threshold(leaf, 1.0)
    for wrong in (float("nan"), float("inf"), "2", None, True):
        with pytest.raises(ValueError, match="must be a finite number"):
            model.tree_.with_threshold(0, wrong)
    cities = TreeClassifier().fit({"city": ["Oslo", "Rome"]}, [0, 1]).tree_
    with pytest.raises(ValueError, match="subset, which has no single threshold"):
        cities.with_threshold(0, 1.0)


def test_thresholds_of_ordered_levels_are_given_by_name():
    sizes = pd.Categorical(
        ["S", "M", "L", "XL"] * 5, categories=["S", "M", "L", "XL"], ordered=True
    )
    table = pd.DataFrame({"size": sizes})
    tree = TreeClassifier().fit(table, ["no", "no", "yes", "yes"] * 5).tree_
    assert list(tree.with_threshold(0, "L").predict(table)[:4]) == ["no", "no", "no", "yes"]


def test_a_label_that_is_a_class_changes_the_answer(model):
    leaf = next(node.id for node in model.tree_.leaves() if node.label == "versicolor")
    tree = model.tree_.with_label(leaf, "virginica", note="the costlier mistake")
    assert tree.node(leaf).label == "virginica"
    assert "versicolor" not in set(tree.predict(X)[tree.apply(X) == leaf])
    assert tree.edits[0] == Edit(
        "with_label", leaf, "versicolor", "virginica", "the costlier mistake"
    )
    numbers = TreeClassifier().fit(X, IRIS.target).tree_
    assert numbers.with_label(1, "2").node(1).label == 2
    assert numbers.with_label(1, 2).node(1).label == 2


def test_any_other_label_is_a_name_for_readers(model):
    leaf = next(iter(model.tree_.leaves())).id
    tree = model.tree_.with_label(leaf, "small <b>flowers</b>\n")
    assert (tree.predict(X) == model.tree_.predict(X)).all()
    assert tree.node(leaf).name == "small <b>flowers</b>\n"
    assert tree.labels == {leaf: "small <b>flowers</b>\n"}
    assert "small <b>flowers</b>\\n" in str(tree)
    assert any("small <b>flowers</b>" in rule for rule in tree.rules())
    assert tree.with_label(leaf, "").labels == {}
    assert tree != model.tree_
    with pytest.raises(TypeError, match="must be a text"):
        tree.with_label(leaf, 3.5)


def test_names_follow_their_nodes_through_surgery(model):
    tree = model.tree_
    last = max(node.id for node in tree.leaves())
    named = tree.with_label(last, "the last")
    pruned = named.prune_at(inner_child(tree)) if tree.node(last).depth == 1 else named.collapse([])
    (place,) = pruned.labels
    assert pruned.origin[place] == last
    above = tree.node(last).parent
    assert named.prune_at(above).labels == {}


def test_leaves_are_counted_anew(model):
    half = np.arange(0, 150, 2)
    tree = model.tree_.refit_leaves(X.iloc[half], y[half], note="this year's rows")
    assert tree.node(0).rows == 75
    assert tree.n_nodes == model.tree_.n_nodes
    leaves = tree.apply(X.iloc[half])
    for leaf in tree.leaves():
        mine = y[half][leaves == leaf.id]
        assert leaf.rows == len(mine)
        if len(mine):
            counts = [np.sum(mine == name) for name in IRIS.target_names]
            assert list(leaf.statistics) == counts
            assert leaf.label == IRIS.target_names[int(np.argmax(counts))]
        else:
            assert leaf.label == tree.node(leaf.parent).label
    assert tree.edits[0] == Edit("refit_leaves", None, 150.0, 75.0, "this year's rows")
    with pytest.raises(DataError, match="'rose', which is not one of the classes"):
        model.tree_.refit_leaves(X.iloc[:1], ["rose"])


def test_leaves_of_numbers_are_counted_anew():
    number = X["petal width (cm)"].to_numpy()
    tree = TreeRegressor(max_leaf_nodes=4).fit(X, number).tree_
    again = tree.refit_leaves(X, number + 1.0, np.full(150, 2.0))
    np.testing.assert_allclose(again.predict(X), tree.predict(X) + 1.0)
    assert again.node(0).weight == 300.0
    by_median = tree.refit_leaves(X, number, by_median=True)
    leaf = tree.apply(X)
    expected = [np.median(number[leaf == one]) for one in leaf]
    np.testing.assert_allclose(by_median.predict(X), expected)


def test_refitting_on_the_training_rows_changes_nothing(model):
    assert model.tree_.refit_leaves(X, y) == model.tree_


def test_refitted_leaves_were_called_changed_by_hand(model):  # issue 21
    refitted = model.tree_.refit_leaves(X.iloc[:75], y[:75])
    assert "Leaves refitted on 75 rows" in str(refitted)
    assert "by hand" not in str(refitted)
    assert [edit.is_by_hand for edit in refitted.with_label(0, "start").edits] == [False, True]
    both = str(refitted.with_label(0, "start"))
    assert "Changed by hand: 1 edit\nLeaves refitted on 75 rows" in both


def test_the_record_travels_with_the_model(model, tmp_path):
    tree = model.tree_.with_threshold(0, 2.5, note="Ünïcode 🌲").with_label(0, "start")
    tree = tree.prune_at(inner_child(tree))
    edited = model.with_tree(tree)
    edited.save(tmp_path / "edited.json")
    content = json.loads((tmp_path / "edited.json").read_text(encoding="utf-8"))
    assert [edit["action"] for edit in content["tree"]["edits"]] == [
        "with_threshold",
        "with_label",
        "prune_at",
    ]
    again = load(tmp_path / "edited.json").tree_
    assert again == tree
    assert again.edits == tree.edits
    assert again.labels == {0: "start"}
    assert pickle.loads(pickle.dumps(tree)).edits == tree.edits
    assert "Changed by hand: 3 edits" in str(again)


EDIT = {"action": "prune_at", "node": 0, "before": 1, "after": 2, "note": ""}


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("edits", [{"action": "burn"}], "edit"),
        ("edits", "none", "list"),
        ("edits", [{"action": "burn", "node": 0, "before": 1, "after": 2, "note": ""}], "action"),
        (
            "edits",
            [{"action": "prune_at", "node": -1, "before": 1, "after": 2, "note": ""}],
            "node",
        ),
        (
            "edits",
            [{"action": "prune_at", "node": 0, "before": [], "after": 2, "note": ""}],
            "text",
        ),
        ("edits", [{"action": "prune_at", "node": 0, "before": 1, "after": 2, "note": 3}], "note"),
        ("labels", [{"node": 99, "text": "a"}], "node"),
        ("labels", [{"node": 0, "text": "a"}, {"node": 0, "text": "b"}], "two labels"),
        ("labels", {"0": "a"}, "list"),
        ("cost_matrix", [[0, 1]], "cost matrix"),
        ("cost_matrix", [[0, -1, 1], [1, 0, 1], [1, 1, 0]], "cost matrix"),
    ],
)
def test_broken_records_are_refused(model, tmp_path, part, value, words):
    model.save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    content["tree"][part] = value
    with pytest.raises(ModelFileError, match=f"(?i){words}"):
        model_from_text(json.dumps(content))


def test_costs_travel_with_the_tree(tmp_path):
    table = {"a": [1.0, 2.0, np.nan, 4.0, 5.0, np.nan] * 5, "b": list("uvuvww") * 5}
    target = [0, 0, 1, 1, 0, 1] * 5
    model = TreeClassifier(cost_matrix=[[0, 1], [7, 0]], missing="fraction").fit(table, target)
    assert model.tree_.core.cost.tolist() == [0, 1, 7, 0]
    rows = {"a": [np.nan] * 3, "b": ["u", "v", "w"]}
    shares = model.tree_.distribution(rows)
    cheapest = (shares @ np.array([[0, 1], [7, 0]])).argmin(axis=1)
    assert (model.tree_.predict(rows) == cheapest).all()
    assert (model.predict(rows) == cheapest).all()
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == model.tree_
