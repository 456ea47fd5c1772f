"""`treewright export`: what it writes, and one sentence when something is wrong."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from command_line import complaint, hostile_table, succeeded

import treewright
from treewright.datasets import load_loans
from treewright.export import EXPORTERS, export_tree


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A tree for the bundled table, saved in an empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    table = load_loans()
    labels = table.pop("repaid")
    treewright.TreeClassifier(max_leaf_nodes=5).fit(table, labels).save("model.json")
    return "model.json"


def test_export(model):
    estimator = treewright.load(model)
    assert succeeded("export", model, "--to", "sql") == estimator.export("sql")
    words = ("--option", "table=loans", "--option", "probabilities=true", "-o", "loans.sql")
    assert succeeded("export", model, "--to", "sql", *words).startswith("Wrote loans.sql: a CASE")
    query = Path("loans.sql").read_text(encoding="utf-8")
    assert query == estimator.export("sql", table="loans", probabilities=True)
    pruned = export_tree(estimator.at(leaves=2), "c")
    assert succeeded("export", model, "--to", "c", "--leaves", 2) == pruned


def test_help_names_every_language_and_option():
    said = re.findall(r"\w+", succeeded("export", "--help"))
    for name, exporter in EXPORTERS.items():
        assert {name, *(option.name for option in dataclasses.fields(exporter))} <= {*said}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "cobol"], "There is no target 'cobol'; there are json, sql"),
        (["--to", "c", "--option", "colour=1"], "Target 'c' has no option 'colour'"),
        (["--to", "c", "--option", "red"], "--option takes NAME=VALUE. Got 'red'"),
        (["--to", "python", "-o", "tree.txt"], "must have a name that ends in .py"),
        (["--to", "json", "-o", "model.json"], "is also an input"),
        (["--to", "c", "--tree", "1"], "not a forest; leave out --tree"),
        (["--to", "sql", "--option", "probabilities=true"], "need a 'table'"),
        (["--to", "sql", "--option", "table=3"], "must be None or a name as text. Got 3"),
        (["--to", "onnx"], "onnx is no text; say by --output where to put it"),
    ],
)
def test_complaints(model, words, sentence):
    assert sentence in complaint("export", model, *words)


def test_a_rule_set_is_no_tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ages, labels = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
    treewright.RuleSetClassifier().fit(ages, labels).save("rules.json")
    assert "predicts by rules" in complaint("export", "rules.json", "--to", "sql", "-o", "t.sql")
    assert not Path("t.sql").exists()


def test_what_is_no_model(model):
    Path("model.json").write_text("{}")
    line = complaint("export", model, "--to", "c")
    assert "model.json" in line
    assert "--help" not in line


@pytest.mark.long
def test_a_forest_and_a_rule_set(model):
    table = load_loans()
    labels = table.pop("repaid")
    forest = treewright.ForestClassifier(n_estimators=3, max_depth=2, random_state=1)
    forest.fit(table, labels).save("forest.json")
    assert "by --tree, from 1 to 3" in complaint("export", "forest.json", "--to", "sql")
    words = ("export", "forest.json", "--to", "python", "--tree", 2)
    assert succeeded(*words) == export_tree(forest.trees_[1], "python")
    assert "leave out --leaves" in complaint(*words, "--leaves", 2)
    treewright.RuleSetClassifier().fit(table, labels).save("rules.json")
    assert "predicts by rules" in complaint("export", "rules.json", "--to", "sql")


@pytest.mark.long
def test_names_that_a_terminal_would_obey(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile_table("hostile.csv")
    succeeded("fit", "hostile.csv", "--target", "[/]target\n", "-o", "m.json")
    assert succeeded("export", "m.json", "--to", "python").replace("\n", "").isprintable()
    assert succeeded("export", "m.json", "--to", "sql") == treewright.load("m.json").export("sql")
