"""The default of `treewright fit`: the best readable tree, its story, and what it is good for."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from command_line import complaint, hostile_table, run, succeeded, write_rows
from export_runs import run_python, run_sqlite

import treewright
from treewright.files import read_table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_patients(n_rows: int = 120) -> str:
    """A table with numbers, text, missing values, a class and a number to predict."""
    chance = random.Random(7)
    rows = []
    for _ in range(n_rows):
        age, pressure = chance.randint(20, 80), chance.randint(90, 180)
        smoker = chance.choice(["never", "former", "daily"])
        risk = age + pressure + 30 * (smoker == "daily")
        cells = ["" if chance.random() < 0.1 else cell for cell in (age, pressure, smoker)]
        rows.append([*cells, "ill" if risk > 195 else "well", risk / 10])
    return write_rows("patients.csv", ["age", "pressure", "smoker", "state", "risk"], *rows)


@pytest.fixture(scope="module", params=["classes", "numbers"])
def fitted(request, tmp_path_factory):
    """Target, what was printed, and a folder with the table and the model, of either kind."""
    place = tmp_path_factory.mktemp("fitted")
    target, other = ("state", "risk") if request.param == "classes" else ("risk", "state")
    with contextlib.chdir(place):
        words = ("--target", target, "--drop", other, "-o", "model.json")
        return target, succeeded("fit", write_patients(), *words), place


@pytest.fixture
def saved(fitted, folder):
    """A saved readable tree: the target, what was printed, and the model."""
    target, shown, place = fitted
    shutil.copytree(place, folder, dirs_exist_ok=True)
    return target, shown, treewright.load("model.json")


# ---------------------------------------------------------------------------- the default


def test_fit_tells_the_story_of_the_best_readable_tree(saved):
    target, shown, model = saved
    name = "Classifier" if target == "state" else "Regressor"
    assert type(model).__name__ == f"ReadableTree{name}"
    assert str(model.tree_) in shown
    story = shown.split(str(model.tree_))[1].strip().splitlines()
    assert story[0].startswith(f"On held-out rows: {'accuracy' if target == 'state' else 'R²'} ")
    assert "one prediction for all rows has" in story[0]
    assert story[1].startswith("The best model too large to read, ")
    proof = f"None of the {model.certificate_.tests} is better."
    assert (proof in story) == model.certificate_.proven
    sizes = ", ".join(str(entry.leaves) for entry in reversed(model.front_))
    assert story[-3:] == [
        f"Trees of {sizes} leaves are at hand: treewright show model.json --leaves N.",
        "",
        "Wrote model.json",
    ]


def test_the_default_can_be_named(folder):
    words = ("fit", write_patients(), "--target=state", "--max-leaves=2")
    assert succeeded(*words, "--method=readable") == succeeded(*words)


def test_another_method_is_what_it_was(folder):
    words = ("fit", write_patients(), "--target=state", "--drop=risk", "--method=cart")
    shown = succeeded(*words, "-o", "model.json")
    assert type(treewright.load("model.json")) is treewright.TreeClassifier
    assert "Cross-validated accuracy" in shown
    assert "at hand" not in shown


def test_limits_that_are_given_are_kept(folder):
    words = ("fit", write_patients(), "--target=state", "--drop=risk", "-o", "model.json")
    succeeded(
        *words,
        "--max-leaves=3",
        "--max-depth=2",
        "--features=1",
        "--min-samples-leaf=12",
        "--seed=5",
    )
    model = treewright.load("model.json")
    assert (model.max_leaf_nodes, model.max_depth, model.max_terms) == (3, 2, 1)
    assert (model.min_samples_leaf, model.random_state) == (12, 5)
    assert model.tree_.n_leaves <= 3
    assert model.tree_.core.rows.min() >= 12


@pytest.mark.long
def test_weights_count(folder):
    rows = [[place % 10, "ab"[place % 10 > 4], 3] for place in range(40)]
    write_rows("t.csv", ["x", "y", "w"], *rows)
    succeeded("fit", "t.csv", "--target=y", "--weights=w", "-o", "model.json")
    assert treewright.load("model.json").tree_.node_weights[0] == 120


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--prune", "mdl"], "--prune mdl is for a tree that is grown"),
        (["--prune", "none"], "add --method cart, or use --max-leaves"),
        (["--max-leaves", "1000"], "other methods, such as --method cart, take more. Got 1000."),
        (["--max-depth", "1000"], "A readable tree takes a --max-depth of "),
        (["--features", "all"], "such as --method must, take more. Got all."),
        (["--time-limit", "0"], "--time-limit must leave some time"),
    ],
)
def test_an_option_of_other_methods_names_the_one_to_add(folder, words, sentence):
    write_patients()
    assert sentence in complaint("fit", "patients.csv", "--target=state", *words, "-o", "m.json")
    assert os.listdir() == ["patients.csv"]


# ---------------------------------------------------------------------------- odd tables


@pytest.mark.parametrize("n_rows", [2, 3, 6, 30])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_few_rows_have_a_tree(folder, n_rows, kind):
    answers = [("ab"[place % 2] if kind == "classes" else place * 0.7) for place in range(n_rows)]
    write_rows("t.csv", ["x", "z", "y"], *[[n % 5, n * 7 % 4, a] for n, a in enumerate(answers)])
    shown = succeeded("fit", "t.csv", "--target=y", "-o", "model.json")
    tree = treewright.load("model.json").tree_
    assert tree.core.rows[0] == n_rows
    if tree.n_leaves == 1:
        assert "One prediction for all rows: no split was found to be worth its place." in shown


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([[1, "a"], [2, "a"]], "The target 'y' is 'a' in every row; there is nothing to learn"),
        ([[1, 2.5], [2, 2.5]], "The target 'y' is 2.5 in every row; there is nothing to learn"),
    ],
)
def test_a_target_of_one_value_is_named(folder, cells, sentence):
    write_rows("t.csv", ["x", "y"], *cells)
    assert sentence in complaint("fit", "t.csv", "--target=y", "-o", "model.json")
    assert os.listdir() == ["t.csv"]


def test_a_table_without_usable_columns_is_named(folder):
    write_rows("t.csv", ["same", "name", "y"], *[["x", f"row {n}", n % 2] for n in range(60)])
    line = complaint("fit", "t.csv", "--target=y", "-o", "model.json")
    assert "No column is left that a tree could use" in line
    assert os.listdir() == ["t.csv"]


def test_a_column_that_is_always_empty_or_the_same_stops_nothing(folder):
    rows = [["", "x", place % 8, "ab"[place % 8 > 3]] for place in range(80)]
    write_rows("t.csv", ["void", "same", "x", "y"], *rows)
    assert "2 leaves" in succeeded("fit", "t.csv", "--target=y")


def test_hostile_names_are_shown_as_escapes(folder):
    hostile_table("evil.csv")
    shown = succeeded("fit", "evil.csv", "--target", "[/]target\n", "-o", "model.json")
    assert all(line.isprintable() for line in shown.splitlines())
    for words in (["show", "model.json"], ["show", "model.json", "--rules", "--leaves", 2]):
        assert all(line.isprintable() for line in succeeded(*words).splitlines())
    succeeded("predict", "model.json", "evil.csv", "-o", "out.csv")
    succeeded("export", "model.json", "--to", "sql", "-o", "model.sql")


# ---------------------------------------------------------------------------- the saved model


def test_predict_gives_what_the_model_gives(saved):
    target, _, model = saved
    table = read_table("patients.csv")
    succeeded("predict", "model.json", "patients.csv", "-o", "out.csv")
    answers = read_table("out.csv")["prediction"]
    expected = model.predict(table)
    if target == "risk":
        np.testing.assert_allclose(np.asarray(answers, dtype=float), expected)
        return
    assert list(answers) == expected.tolist()
    succeeded("predict", "model.json", "patients.csv", "--probabilities", "-o", "out.csv")
    np.testing.assert_allclose(
        np.asarray(read_table("out.csv")["probability_ill"], dtype=float),
        model.predict_proba(table)[:, 0],
    )


def test_show_knows_the_best_tree_of_every_size(saved):
    _, _, model = saved
    proof = f"\nNone of the {model.certificate_.tests} is better.\n"
    is_proven = model.certificate_.proven
    assert succeeded("show", "model.json") == f"{model.tree_}\n{proof if is_proven else ''}"
    for leaves in (1, 2, 100):
        tree = model.at(leaves=leaves)
        assert succeeded("show", "model.json", "--leaves", leaves).startswith(str(tree))
        rules = succeeded("show", "model.json", "--leaves", leaves, "--rules")
        assert rules.splitlines()[: tree.n_leaves] == tree.rules()


def test_sizes_of_a_model_that_has_one_tree_are_refused(folder):
    write_patients()
    succeeded("fit", "patients.csv", "--target=state", "--method=cart", "-o", "model.json")
    assert "one tree; leave out --leaves" in complaint("show", "model.json", "--leaves", 2)
    line = complaint("show", "model.json", "--json", "--leaves", 2)
    assert "leave out --rules, --max-depth, --tree, --leaves and --svg" in line


@pytest.mark.parametrize(
    "target", ["python", "sql", "c", "javascript", "pmml", "rules", "markdown"]
)
def test_every_language_says_it(saved, target):
    suffix = {"python": "py", "javascript": "mjs", "markdown": "md", "rules": "txt"}
    path = f"model.{suffix.get(target, target)}"
    succeeded("export", "model.json", "--to", target, "-o", path)
    assert Path(path).stat().st_size > 100


@pytest.mark.parametrize("run_code", [run_python, run_sqlite], ids=["python", "sqlite"])
def test_exported_code_predicts_as_the_saved_model(saved, folder, run_code):
    _, _, model = saved
    table = {name: list(read_table("patients.csv")[name]) for name in model.schema_.names}
    rows = [
        {name: _plain(cell) for name, cell in zip(table, cells, strict=True)}
        for cells in zip(*table.values(), strict=True)
    ]
    assert any(None in row.values() for row in rows)
    found = run_code(model.tree_, rows, folder)
    expected = model.predict(rows)
    assert list(found.values) == expected.tolist()
    if found.shares is not None:
        np.testing.assert_allclose(found.shares, model.predict_proba(rows))


def _plain(cell: object) -> object:
    """A cell as a record has it: None where it is missing."""
    if cell is None or cell != cell:
        return None
    return cell if isinstance(cell, str) else float(cell)


def test_a_row_is_explained_also_where_values_are_missing(saved):
    target, _, model = saved
    rows = {"age=70": 70, "age=": None}
    for words, age in rows.items():
        said = succeeded("explain", "model.json", "--row", words, "--row", "pressure=170")
        predicted = model.predict([{"age": age, "pressure": 170, "smoker": None}])[0]
        shown = predicted if target == "state" else f"{predicted:.4g}"
        assert said.startswith(f"{target} is {shown}")
    assert succeeded("explain", "model.json", "patients.csv", "--number", 3)


def test_a_loaded_model_has_the_front_that_was_saved(saved):
    _, _, model = saved
    model.save("again.json")
    assert Path("again.json").read_text() == Path("model.json").read_text()
    assert model.front_[-1].leaves == 1
    assert run("show", "again.json", "--svg", "tree.svg").exit_code == 0
