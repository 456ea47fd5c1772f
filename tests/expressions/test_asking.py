"""Questions are asked without a "not" where that is possible."""

from __future__ import annotations

import pytest
from handmade import build, inner, leaf

from treewright import TreeClassifier
from treewright.explain import explain_row
from treewright.export.mermaid import Mermaid
from treewright.plot.words import branch_names, question
from treewright.predicates import Multiway, Subset
from treewright.schema import Column, Schema

SPLITS = (Subset(0, (0,), (1,)), Multiway(0, (0, 1)))


def model():
    """A tree whose first branch is that of most rows, which takes levels that are new, too."""
    cities = ["Oslo", "Rome", "Paris", "Bonn", "Kiev"]
    table = {"city": [city for city in cities for _ in range(10)]}
    y = ["yes" if city in ("Rome", "Kiev") else "no" for city in table["city"]]
    return TreeClassifier().fit(table, y)


def test_the_question_was_asked_with_a_not():
    fitted = model()
    root = fitted.tree_.node(0)
    assert question(root, fitted.tree_.schema) == "city in {Kiev, Rome}?"
    names = branch_names(root, fitted.tree_.schema)
    said = [fitted.classes_[int(fitted.tree_.node(child).value)] for child in root.children]
    assert names == ("no", "yes") == tuple(said)


def test_explanations_and_diagrams_ask_the_same():
    fitted = model()
    step = fitted.explain({"city": ["Oslo"]}).steps[0]
    assert (step.question, step.answer) == ("city in {Kiev, Rome}", "no")
    diagram = fitted.export("mermaid")
    assert "city in #123;Kiev, Rome#125;?" in diagram
    assert "not in" not in diagram


def parcels(split=SPLITS[0], name="express"):
    """A tree that asks for a boolean, whose first branch takes the rows without it."""
    schema = Schema((Column(name, "boolean"),), ("fast", "slow"))
    return build(schema, inner(split, leaf(0.0, 20.0), leaf(20.0, 0.0)))


def sentences(tree):
    return [str(rule).split(" then ")[0] for rule in tree.leaf_rules()]


@pytest.mark.parametrize("split", SPLITS)
def test_a_boolean_is_asked_by_its_name(split):
    tree = parcels(split)
    root = tree.node(0)
    assert question(root, tree.schema) == "express?"
    assert branch_names(root, tree.schema) == ("no", "yes")
    assert sentences(tree) == ["if not express", "if express"]
    diagram = Mermaid().export(tree)
    assert "express?" in diagram
    assert "not express" not in diagram


def test_an_explanation_says_a_boolean_by_its_name():
    explained = explain_row(parcels(), {"express": False})
    step = explained.steps[0]
    assert (step.question, step.value, step.answer) == ("express", "not express", "no")
    assert explained.nearest_sentence.endswith("with express instead of not express.")


def test_the_name_of_a_boolean_could_be_read_as_a_condition():
    tree = parcels(name="not express")
    assert sentences(tree) == ['if not "not express"', 'if "not express"']
    assert question(tree.node(0), tree.schema) == '"not express"?'
