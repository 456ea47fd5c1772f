"""What readers of decision trees complain of, each as a test that the tree does better.

The complaints come from years of public issue threads about other libraries' trees. These are about
words; those about drawings and the page stand with their tests.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from command_line import succeeded, write_rows
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from treewright import (
    MUST,
    Logistic,
    OptimalTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    load,
)
from treewright.predicates import Linear, Subset
from treewright.splits import registered
from treewright.tree import Tree

RANDOM = np.random.default_rng(8)
CITIES = ["Bergen", "Bodø", "Hamar", "Moss", "Oslo", "Narvik", "Skien", "Tromsø", "Vardø", "Voss"]
COASTAL = {"Bergen", "Bodø", "Narvik", "Tromsø", "Vardø"}


def people(n_rows: int = 300) -> dict[str, list]:
    """Ages in whole years, a city, an income with cents."""
    return {
        "age": RANDOM.integers(18, 90, n_rows).tolist(),
        "city": RANDOM.choice(CITIES, n_rows).tolist(),
        "income": np.round(RANDOM.gamma(3.0, 12345.678, n_rows), 2).tolist(),
    }


def frames() -> dict[str, tuple[dict[str, np.ndarray], np.ndarray]]:
    """Measured data of other people."""
    found = {}
    for loader in (load_iris, load_wine, load_breast_cancer):
        bunch = loader()
        columns = dict(zip(map(str, bunch.feature_names), bunch.data.T, strict=True))
        found[loader.__name__] = columns, bunch.target_names[bunch.target]
    return found


def printed_numbers(text: str) -> list[str]:
    """The numbers of the tests in a tree that is printed: behind <=, >, and before *."""
    return re.findall(r"(?:<=|>) (-?[\d.e+-]+)", text) + re.findall(r"(-?[\d.e+-]+) \*", text)


def significant(number: str) -> int:
    return len(number.split("e")[0].replace(".", "").lstrip("-0"))


def test_category_names_are_kept():
    table = people()
    model = TreeClassifier().fit(
        table, ["coast" if c in COASTAL else "inland" for c in table["city"]]
    )
    text = str(model.tree_)
    assert all(city in text for city in CITIES if city not in COASTAL)
    assert not re.search(r"city[_=]|city (<=|>)", text)
    assert model.predict([{"age": 40, "city": "Oslo", "income": 1.0}])[0] == "inland"


def test_levels_are_asked_for_together_and_not_one_by_one():
    table = people()
    model = TreeClassifier().fit(table, [city in COASTAL for city in table["city"]])
    assert model.tree_.n_leaves == 2
    assert isinstance(model.tree_.node(0).predicate, Subset)


@pytest.mark.parametrize("split", ["axis", MUST(2), Logistic()], ids=str)
def test_no_threshold_has_ten_digits(split):
    for columns, target in frames().values():
        noisy = {name: values * (1.0 + 1e-9 * RANDOM.random()) for name, values in columns.items()}
        raw = str(TreeClassifier(split, readable=False, max_depth=3).fit(noisy, target).tree_)
        text = str(TreeClassifier(split, max_depth=3).fit(noisy, target).tree_)
        assert max(map(significant, printed_numbers(raw))) >= 10
        assert max(map(significant, printed_numbers(text))) <= 6


def test_a_column_of_whole_numbers_is_cut_at_one():
    ages = [20, 33, 47, 55, 56, 61, 74, 80]
    for model in (TreeClassifier(), OptimalTreeClassifier(max_depth=1)):
        text = str(model.fit({"age": ages}, [age > 55 for age in ages]).tree_)
        assert "age <= 55 " in text
        assert "age > 55 " in text


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_columns_of_whole_numbers_have_no_other_cuts(kind):
    table = people(800)
    del table["income"], table["city"]
    table["visits"] = RANDOM.integers(0, 2_000_000, 800).tolist()
    answers = RANDOM.integers(0, 3, 800)
    tree = kind(min_samples_leaf=3).fit(table, answers).tree_
    thresholds = [node.predicate.threshold for node in tree.walk() if not node.is_leaf]
    assert len(thresholds) > 30
    assert all(threshold.is_integer() for threshold in thresholds)


@pytest.mark.parametrize("split", [MUST(2), Logistic(concise=None)], ids=str)
def test_numbers_are_in_the_units_of_the_columns(split):
    """Methods that standardise inside say nothing of it: the printed sum parts the raw rows."""
    columns, target = frames()["load_wine"]
    tree = TreeClassifier(split, max_depth=1).fit(columns, target).tree_
    test = tree.node(0).predicate
    assert isinstance(test, Linear)
    words = tree.to_text(width=1000).split("\n")[5].removeprefix("├─ ").split("  ")[0]
    left, threshold = words.split(" <= ")
    names = "|".join(map(re.escape, sorted(columns, key=len, reverse=True)))
    formula = re.sub(f"({names})", r"columns['\1']", left)
    sums = eval(formula, {"columns": columns})  # the words of a sum are Python's
    np.testing.assert_array_equal(sums <= float(threshold), tree.apply(columns) == 1)


def test_units_are_printed():
    table = {"age": [20, 33, 47, 55, 56, 61, 74, 80]}
    tree = TreeClassifier().fit(table, [age > 55 for age in table["age"]]).tree_
    tree = tree.with_schema(tree.schema.with_units({"age": "years"}))
    assert "age <= 55 years" in str(tree)
    assert "age <= 55 years" in tree.rules()[0]


@pytest.mark.parametrize("method", list(registered()), ids=lambda method: repr(method)[:60])
def test_no_sum_begins_with_a_minus(method):
    columns, target = frames()["load_wine"]
    model = TreeClassifier(method, max_depth=2, min_samples_leaf=5, random_state=0)
    tree = model.fit(columns, target).tree_
    for node in tree.walk():
        if isinstance(node.predicate, Linear):
            shown = [c for c in node.predicate.coefficients if c != 0.0]
            assert shown[0] > 0.0
            assert max(map(abs, shown)) == 1.0
            assert str(node.predicate.branches(tree.schema)[0])[0] != "-"


def test_the_certainty_of_each_leaf_is_shown():
    columns, target = frames()["load_iris"]
    tree = TreeClassifier(max_depth=2).fit(columns, target).tree_
    lines = str(tree).split("\n")[4:]
    for leaf in tree.leaves():
        shown = [line for line in lines if str(leaf.label) in line]
        certainty, rows = f"{round(100 * leaf.share)} %", f" {leaf.rows:.0f}"
        assert any(certainty in line and line.endswith(rows) for line in shown)
    for rule, words in zip(tree.leaf_rules(), tree.rules(), strict=True):
        assert f"{round(100 * rule.probability)} %, {rule.rows:.0f} rows" in words
        low, high = rule.interval
        assert low <= rule.probability <= high
        assert rule.interval_text in str(rule)


def test_the_way_of_one_row_can_be_read():
    columns, target = frames()["load_wine"]
    model = TreeClassifier().fit(columns, target)
    row = {name: values[70] for name, values in columns.items()}
    explanation = model.explain(row)
    way = model.decision_path([row]).indices.tolist()
    assert [step.node for step in explanation.steps] == way[:-1]
    for step in explanation.steps:
        assert step.question in str(explanation)
        assert step.answer in ("yes", "no")
        assert step.margin_text.endswith("the cut")


def has_equal_siblings(tree: Tree) -> bool:
    """Whether leaves side by side give the same answer, so that their test asks for nothing."""
    for node in tree.walk():
        children = [tree.node(child) for child in node.children]
        if children and all(c.is_leaf and c.label == children[0].label for c in children):
            return True
    return False


@pytest.mark.parametrize("method", ["cart", "must", "logistic", "c45", "id3", "optimal"])
def test_no_two_siblings_give_the_same_answer(method, tmp_path):
    """Impure leaves make such tests pay in growth; the command line shows none."""
    table = people(400)
    is_young = np.array(table["age"]) < 40
    late = (is_young | (RANDOM.random(400) < 0.3)).tolist()
    rows = [list(row) for row in zip(*table.values(), late, strict=True)]
    if method == "id3":
        rows = [[row[0] // 10 * 10, row[1], row[2] // 1e4, row[3]] for row in rows]
    file = write_rows(tmp_path / "people.csv", [*table, "late"], *rows)
    model = str(tmp_path / "model.json")
    options = [] if method == "optimal" else ["--prune", "none", "--min-samples-leaf", "10"]
    succeeded("fit", file, "--target", "late", "--method", method, *options, "-o", model)
    tree = load(model).tree_
    assert tree.n_leaves > 1
    assert not has_equal_siblings(tree)
    if method == "cart":
        assert has_equal_siblings(TreeClassifier(min_samples_leaf=10).fit(table, late).tree_)


def test_each_run_gives_the_same_tree():
    columns, target = frames()["load_wine"]
    order = RANDOM.permutation(len(target))
    shuffled = {name: values[order] for name, values in columns.items()}
    for model in (TreeClassifier(), OptimalTreeClassifier(max_depth=2)):
        first = str(model.fit(columns, target).tree_)
        assert str(model.fit(columns, target).tree_) == first
        assert str(model.fit(shuffled, target[order]).tree_) == first


@pytest.mark.long
def test_each_process_gives_the_same_tree():
    program = (
        "from sklearn.datasets import load_wine\n"
        "from treewright import TreeClassifier, recipes\n"
        "bunch = load_wine(as_frame=True)\n"
        "for model in (TreeClassifier(), recipes.must(2)):\n"
        "    print(model.fit(bunch.data, bunch.target).tree_)\n"
    )
    pytest.importorskip("pandas")
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        exec(program, {})
    assert "Classification tree" in here.getvalue()
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONUTF8": "1"},
        check=True,
    )
    assert done.stdout == here.getvalue()
