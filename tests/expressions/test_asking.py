"""Questions are asked without a "not" where that is possible."""

from __future__ import annotations

from treewright import TreeClassifier
from treewright.plot.words import branch_names, question


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
