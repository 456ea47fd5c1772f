"""The command line: what it prints, what it writes, and one sentence when something is wrong."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
from pathlib import Path

import pytest
from command_line import complaint, hostile_table, run, succeeded, write_rows
from golden_files import check_golden

import treewright
from treewright.cli import console, fit
from treewright.cli.tables import choose_task, find_column, target_of
from treewright.datasets import load_households, load_loans
from treewright.exceptions import DataError, TableFileError
from treewright.files import read_table, write_table
from treewright.prune import PRUNERS

METHODS = ("cart", "must", "c45", "id3", "dgmml", "quest", "cart-lc", "oc1", "hhcart")
FURTHER = ("sadt", "wodt", "linear-program", "lmdt", "pbot", "fact", "cruise", "cart-alpha")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def loans(folder):
    """The bundled table as a file."""
    write_table("loans.csv", load_loans())
    return "loans.csv"


@pytest.fixture
def model(loans):
    succeeded(
        "fit", loans, "--method=cart", "--target", "repaid", "--max-leaves", 5, "-o", "model.json"
    )
    return "model.json"


# ---------------------------------------------------------------------------- demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What `treewright demo` prints, and the folder where it ran."""
    place = tmp_path_factory.mktemp("demo")
    with contextlib.chdir(place):
        return succeeded("demo"), place


@pytest.mark.long
def test_demo_prints_what_it_always_printed(demo):
    printed = re.sub(r"\(\d+ kB\)", "(N kB)", demo[0])
    check_golden("demo.txt", printed.removesuffix("\n"))


@pytest.mark.long
def test_demo_writes_its_files_and_again(demo, folder):
    first, place = demo
    written = {path.name: path.read_bytes() for path in (place / "treewright-demo").iterdir()}
    assert set(written) == {"households.csv", "households.report.html", "households.model.json"}
    again = succeeded("demo", "--folder", "out/of/the/way")
    assert again.replace("out/of/the/way", "treewright-demo") == first
    assert {path.name: path.read_bytes() for path in Path("out/of/the/way").iterdir()} == written
    assert str(treewright.load("out/of/the/way/households.model.json").tree_) in first
    assert read_table("out/of/the/way/households.csv").keys() == load_households().keys()


@pytest.mark.long
def test_demo_shows_an_oblique_tree_that_wins_its_proof_and_the_page(demo):
    printed, _ = demo
    assert "income - housing - " in printed
    (ours,) = re.findall(r"^The best readable tree: .* Accuracy ([\d.]+) %", printed, re.M)
    (large,) = re.findall(r"too large to read, .* accuracy of ([\d.]+) %", printed)
    others = re.findall(r"^Beside it, .* ([\d.]+) %\.$", printed, re.M)
    assert len(others) == 3
    assert float(ours) > max(map(float, [*others, large])) + 4
    assert re.search(r"^Proven: none of the trees of at most \d leaves .* better\.$", printed, re.M)
    assert "Wrote treewright-demo/households.report.html" in printed


@pytest.mark.slow
def test_commands_that_demo_suggests_work(folder):
    lines = succeeded("demo").split("Try next\n")[1].splitlines()
    os.chdir("treewright-demo")
    commands = [line.split()[1:] for line in lines if "treewright " in line and "YOUR" not in line]
    assert len(commands) == 4
    for words in commands:
        succeeded(*words)


# ---------------------------------------------------------------------------- fit


def test_fit_prints_and_saves_the_tree(loans):
    text = succeeded("fit", loans, "--target", "repaid", "--max-depth", 2, "-o", "model.json")
    tree = treewright.load("model.json").tree_
    assert text.startswith("Target repaid: text, 2 different values: classification.\n")
    assert str(tree) in text
    assert 1 <= tree.depth <= 2
    assert tree.schema.target == "repaid"
    assert text.endswith("\nWrote model.json\n")


@pytest.mark.long
def test_fit_without_output_saves_nothing(loans):
    succeeded("fit", loans, "--target", "repaid", "--max-leaves", 3)
    assert os.listdir() == [loans]


@pytest.mark.long
def test_methods_differ(loans):
    words = (
        "fit",
        loans,
        "--method=cart",
        "--target",
        "repaid",
        "--max-depth",
        5,
        "--prune",
        "none",
    )
    texts = {succeeded(*words, "--method", method) for method in METHODS}
    assert len(texts) == len(METHODS)


@pytest.mark.long
def test_thresholds_are_readable(loans):
    for method in METHODS:
        words = ("fit", loans, "--target=repaid", f"--method={method}", "--max-depth=2")
        succeeded(*words, "--prune=none", "-o", "model.json")
        assert treewright.load("model.json").readable


@pytest.mark.parametrize("method", FURTHER)
def test_the_command_line_did_not_know_every_method(loans, method):  # issue 21
    words = ("fit", loans, "--target=repaid", f"--method={method}", "--max-depth=2", "--seed=1")
    succeeded(*words, "-o", "model.json")
    model = treewright.load("model.json")
    assert model.readable
    assert model.tree_.node_weights[0] == len(Path(loans).read_text().splitlines()) - 1


@pytest.mark.long
def test_all_rows_grow_the_trees_that_are_published_with_rows_held_out(loans):
    for method in ("oc1", "hhcart"):
        words = ("fit", loans, "--target=repaid", f"--method={method}", "--max-depth=1")
        succeeded(*words, "-o", "model.json")
        model = treewright.load("model.json")
        assert model.tree_.node_weights[0] == len(Path(loans).read_text().splitlines()) - 1


@pytest.mark.parametrize("method", ["must", "cart-lc", "oc1", "hhcart"])
def test_tests_have_no_more_columns_than_wished(loans, method):
    words = ("fit", loans, "--target=repaid", f"--method={method}", "--prune=none")
    succeeded(*words, "--features=2", "--seed=1", "-o", "model.json")
    tree = treewright.load("model.json").tree_
    assert max(len(node.predicate.columns) for node in tree.walk() if node.predicate) == 2


@pytest.mark.parametrize("method", ["must", "cart-lc", "dgmml"])
def test_numbers_are_predicted_by_those_who_can(loans, method):
    words = ("fit", loans, "--target", "interest_rate", f"--method={method}", "--max-leaves", 4)
    assert "Regression tree for interest_rate" in succeeded(*words)


@pytest.mark.long
def test_numbers_are_predicted_by_regression(loans):
    words = ("fit", loans, "--target", "interest_rate", "--drop", "repaid", "--max-leaves", 4)
    text = succeeded(*words, "--test", loans)
    assert "numbers, 160 different values: regression" in text
    assert "Regression tree for interest_rate" in text
    assert "On loans.csv: R² 0." in text
    assert "mean absolute error" in text


def test_a_test_table_is_measured(loans):
    text = succeeded(
        "fit", loans, "--method=cart", "--target", "repaid", "--max-leaves", 5, "--test", loans
    )
    assert "On loans.csv: accuracy 8" in text
    assert "on 1,000 rows (always yes: 65.3 %)." in text


def test_drop_and_weights_leave_columns_out(loans):
    words = ["--drop", "income", "--drop", "home", "--weights", "term"]
    text = succeeded(
        "fit", loans, "--method=cart", "--target", "repaid", *words, "-o", "model.json"
    )
    names = treewright.load("model.json").schema_.names
    assert {"income", "home", "term", "repaid"}.isdisjoint(names)
    assert "weight" in text


@pytest.mark.long
def test_rows_of_weight_zero_are_as_if_absent(folder):
    rows = [[2 * place, "ab"[place % 2], 1] for place in range(20)]
    write_rows("all.csv", ["x", "y", "w"], *rows, [99, "c", 0])
    write_rows("some.csv", ["x", "y", "w"], *rows)
    words = ("--target", "y", "--weights", "w", "--min-samples-leaf", 1)
    assert succeeded("fit", "all.csv", *words) == succeeded("fit", "some.csv", *words)


def test_a_large_tree_is_cut_and_says_so(folder):
    chance = random.Random(1)
    rows = [[chance.random(), chance.choice("ab")] for _ in range(600)]
    write_rows("noise.csv", ["x", "y"], *rows)
    words = ("--target", "y", "--min-samples-leaf", 1, "--prune", "none", "-o", "model.json")
    text = succeeded("fit", "noise.csv", "--method=cart", *words)
    assert len(text.splitlines()) < 100
    assert "This is the top of the tree" in text
    assert "All of it: treewright show model.json" in text
    assert len(succeeded("show", "model.json").splitlines()) > 200


@pytest.mark.long
def test_columns_that_identify_rows_are_left_out(folder):
    rows = [[place, f"client {place}", place % 3, "ab"[place % 2]] for place in range(1, 41)]
    write_rows("clients.csv", ["number", "full name", "x", "y"], *rows)
    result = run("fit", "clients.csv", "--target", "y", "-o", "model.json")
    (line,) = [line for line in result.stderr.splitlines() if "full name" in line]
    assert line.endswith("can tell nothing of new rows; --keep 'full name' uses it.")
    assert treewright.load("model.json").schema_.names == ("x",)
    again = run(
        "fit", "clients.csv", "--target=y", "--drop=number", "--keep=full name", "-o", "m.json"
    )
    assert "--keep" not in again.stderr
    assert treewright.load("m.json").schema_.names == ("full name", "x")
    line = complaint("fit", "clients.csv", "--target=y", "--drop=x", "--drop=full name")
    assert line.endswith("can tell nothing of new rows; --keep uses a column all the same.")


@pytest.mark.long
def test_rows_without_target_are_left_out_with_a_note(folder):
    rows = [[2 * place, "" if place < 3 else "ab"[place > 20]] for place in range(40)]
    result = run("fit", write_rows("gaps.csv", ["x", "y"], *rows), "--target", "y")
    assert result.stderr == "treewright: note: 3 rows without a value of 'y' left out.\n"
    assert "37 rows" in result.stdout


def test_a_tree_of_one_leaf_suggests_what_to_change(folder):
    rows = [[2 * place, "ab"[place > 2]] for place in range(8)]
    write_rows("few.csv", ["x", "y"], *rows)
    words = ("few.csv", "--target=y", "--min-samples-leaf=7")
    assert "try --prune none" in run("fit", "--method=cart", *words).stderr
    assert "try --min-samples-leaf 1" in run("fit", "--method=cart", *words, "--prune=none").stderr
    assert "2 leaves" in succeeded(
        "fit", "--method=cart", *words[:2], "--prune=none", "--min-samples-leaf=1"
    )


@pytest.mark.long
def test_pruners_of_the_command_line_are_those_of_the_library(loans):
    names = [name.replace("-", "_") for name in fit.PRUNERS]
    assert set(names) == set(PRUNERS)
    for name in fit.PRUNERS:
        words = ("--target=repaid", "--drop=interest_rate", f"--prune={name}", "-o", "model.json")
        succeeded("fit", loans, "--method=cart", *words)
        assert treewright.load("model.json").prune == name.replace("-", "_")


@pytest.mark.long
def test_codes_can_be_kept_as_text(folder):
    rows = [[f"00{place % 4}", "ab"[place % 4 in (0, 3)]] for place in range(40)]
    write_rows("codes.csv", ["code", "y"], *rows)
    text = succeeded("fit", "codes.csv", "--target", "y", "--text", "code", "-o", "model.json")
    assert "code in {000, 003}" in text
    # At prediction the model knows that they are text.
    succeeded("predict", "model.json", "codes.csv", "--id", "code", "-o", "out.csv")
    assert Path("out.csv").read_text().splitlines()[:2] == ["code,prediction", "000,b"]


@pytest.mark.parametrize(
    ("cells", "asked", "task"),
    [
        (["a", "b"] * 10, "auto", "classification"),
        ([True, False] * 10, "auto", "classification"),
        ([0, 1, 2, 3] * 5, "auto", "classification"),
        ([0, 1, 2, 3] * 5, "regression", "regression"),
        ([1.0, 2.0, None] * 7, "auto", "classification"),
        (list(range(20)), "auto", "regression"),
        (list(range(20)), "classification", "classification"),
        ([1, 2, 3], "auto", "regression"),
        ([0.5, 1.5] * 10, "auto", "regression"),
    ],
)
def test_task_is_chosen_by_the_target(cells, asked, task):
    chosen, why = choose_task(target_of(cells, "y"), asked)
    assert chosen == task
    assert why.startswith("Target y: ")


def test_too_many_classes_are_refused():
    names = [f"name {place}" for place in range(1500)]
    with pytest.raises(DataError, match="1,500 different values, which is too many"):
        choose_task(target_of(names, "y"), "auto")


# ---------------------------------------------------------------------------- predict and show


def test_predict_writes_row_numbers_and_predictions(model, loans):
    text = succeeded("predict", model, loans, "-o", "out.csv")
    assert text.startswith("Wrote out.csv: 1,000 predictions\nAccuracy 8")
    out = read_table("out.csv")
    assert list(out) == ["row", "prediction"]
    assert out["row"].tolist() == list(range(1, 1001))
    assert (out["prediction"] == treewright.load(model).predict(load_loans())).all()


def test_predict_without_the_target(model, loans):
    table = {name: cells for name, cells in load_loans().items() if name != "repaid"}
    write_table("new.csv", table)
    assert (
        succeeded("predict", model, "new.csv", "-o", "o.csv") == "Wrote o.csv: 1,000 predictions\n"
    )


def test_predict_with_probabilities_and_identifiers(model, loans):
    words = ("--probabilities", "--id", "age", "--id", "repaid", "-o", "out.tsv")
    succeeded("predict", model, loans, *words)
    out = read_table("out.tsv")
    assert list(out) == ["age", "repaid", "prediction", "probability_no", "probability_yes"]
    shares = treewright.load(model).predict_proba(load_loans())
    assert (out["probability_yes"] == shares[:, 1]).all()
    assert (out["age"] == load_loans()["age"]).all()


def test_unseen_levels_are_one_line(model):
    table = load_loans()
    table["savings"] = ["gold"] * 3 + table["savings"][3:]
    write_table("new.csv", table)
    result = run("predict", model, "new.csv", "--probabilities", "-o", "out.csv")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("treewright: note: 3 values of column 'savings' ('gold': 3)")


def test_show(model):
    tree = treewright.load(model).tree_
    assert succeeded("show", model) == f"{tree}\n"
    assert succeeded("show", model, "--rules").splitlines() == tree.rules()
    assert succeeded("show", model, "--max-depth", 1) == tree.to_text(max_depth=1) + "\n"
    assert len(succeeded("show", model, "--rules", "--max-depth", 1).splitlines()) == 2
    assert succeeded("show", model, "--rules", "--max-depth", 0).startswith("always yes")
    assert json.loads(succeeded("show", model, "--json")) == json.loads(Path(model).read_text())


@pytest.mark.long
def test_show_and_predict_with_a_rule_set(loans):
    table = read_table(loans)
    model = treewright.RuleSetClassifier().fit(
        {name: cells for name, cells in table.items() if name != "repaid"}, table["repaid"]
    )
    model.save("rules.json")
    assert succeeded("show", "rules.json") == f"{model.rules_}\n"
    assert succeeded("show", "rules.json", "--rules").splitlines() == model.rules()
    assert "leave out --max-depth" in complaint("show", "rules.json", "--max-depth", 2)
    assert "1,000 predictions" in succeeded("predict", "rules.json", loans, "-o", "out.csv")
    assert list(read_table("out.csv")["prediction"]) == model.predict(table).tolist()


def test_show_and_predict_with_a_forest(loans):
    table = read_table(loans)
    model = treewright.ForestClassifier(n_estimators=3, max_depth=3, random_state=0).fit(
        {name: cells for name, cells in table.items() if name != "repaid"}, table["repaid"]
    )
    model.save("forest.json")
    shown = succeeded("show", "forest.json")
    assert shown.startswith("Classification forest: 3 trees\nLeaves of a tree: ")
    assert succeeded("show", "forest.json", "--tree", 2) == f"{model.trees_[1]}\n"
    rules = succeeded("show", "forest.json", "--tree", 3, "--rules")
    assert rules.splitlines() == model.trees_[2].rules()
    for words in (["--rules"], ["--max-depth", 1], ["--tree", 4]):
        assert "which tree by --tree, from 1 to 3" in complaint("show", "forest.json", *words)
    assert "leave out --rules" in complaint("show", "forest.json", "--json", "--tree", 1)
    assert json.loads(succeeded("show", "forest.json", "--json"))["forest"]["rows"] == 1000
    assert "1,000 predictions" in succeeded("predict", "forest.json", loans, "-o", "out.csv")
    assert list(read_table("out.csv")["prediction"]) == model.predict(table).tolist()


def test_show_a_tree_of_what_is_no_forest(model):
    assert "not a forest; leave out --tree" in complaint("show", model, "--tree", 1)


# ---------------------------------------------------------------------------- errors


def bad_files(folder: Path) -> None:
    (folder / "empty.csv").touch()
    (folder / "header.csv").write_text("x,y\n")
    (folder / "ragged.csv").write_text("x,y\n1,2\n3\n")
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 8)
    (folder / "latin.csv").write_bytes("größe,y\n1,a\n".encode("latin-1"))
    (folder / "page.csv").write_text("<!DOCTYPE html><html></html>")
    (folder / "one.csv").write_text("x,y\n1,a\n2,a\n")
    (folder / "constant.csv").write_text("x,y\n1,2.5\n2,2.5\n")
    (folder / "unknown.csv").write_text("x,y\n1,\n2,\n")
    (folder / "only.csv").write_text("y\na\nb\n")
    (folder / "record.json").write_text('{"x": 1}')
    (folder / "sheet.xls").touch()
    (folder / "folder.csv").mkdir()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("absent.csv", "'absent.csv' is not there"),
        ("empty.csv", "is empty"),
        ("header.csv", "no rows"),
        ("ragged.csv", "Line 3 of 'ragged.csv'"),
        ("binary.csv", "binary"),
        ("latin.csv", "not UTF-8"),
        ("page.csv", "no table"),
        ("one.csv", "The target 'y' is 'a' in every row"),
        ("constant.csv", "The target 'y' is 2.5 in every row"),
        ("unknown.csv", "missing in every row"),
        ("only.csv", "no column to predict 'y' from"),
        ("record.json", "no table"),
        ("sheet.xls", "supported are .csv"),
        ("folder.csv", "is a folder"),
    ],
)
def test_a_table_that_cannot_be_used(folder, file, words):
    bad_files(folder)
    before = sorted(os.listdir())
    assert words in complaint("fit", file, "--target", "y", "-o", "model.json")
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--target", "Repayed"], "has no column 'Repayed'; did you mean 'repaid'?"),
        (["--target", "q"], "has no column 'q'; it has 'age', 'income',"),
        (["--target", "repaid", "--drop", "hom"], "did you mean 'home'?"),
        (["--target", "repaid", "--weights", "home"], "must be numbers"),
        (["--target", "repaid", "--weights", "savings_"], "did you mean 'savings'?"),
        (["--target", "repaid", "--drop", "repaid"], "can neither be dropped nor"),
        (["--target", "repaid", "--text", "zip"], "has no column 'zip'"),
        (["--target", "repaid", "--test", "absent.csv"], "'absent.csv' is not there"),
        (["--target", "repaid", "--task", "regression"], "holds text"),
        (["--target", "interest_rate", "--task", "classification"], "are no classes"),
        (["--target", "interest_rate", "--method", "id3"], "ID3 predicts classes"),
        *(
            (["--target", "interest_rate", "--method", name], f"{title} predicts classes")
            for name, title in (("oc1", "OC1"), ("hhcart", "HHCART"), ("quest", "QUEST"))
        ),
        *(
            (
                ["--target", "repaid", "--method", name, "--features", "2"],
                "must, cart-lc, oc1, hhcart, sadt and",
            )
            for name in ("cart", "quest", "dgmml", "logistic")
        ),
        *(
            (["--target", "repaid", "--method", name, "--time-limit", "0"], "leave some time")
            for name in ("cart", "must", "hhcart")
        ),
        (["--target", "repaid", "--method", "must", "--features", "4"], "'4' is not one of"),
        (
            ["--target", "interest_rate", "--method=cart", "--prune", "mdl"],
            "--prune mdl is for classification",
        ),
        (
            ["--target", "interest_rate", "--method=cart", "--prune", "error-based"],
            "use --prune cost-complexity",
        ),
        (["--target", "repaid", "--max-depth", "0"], "0 is not in the range x>=1"),
        (["--target", "repaid", "--method", "x"], "'x' is not one of"),
        (["--target", "repaid", "--encoding", "x"], "no encoding 'x'"),
        (["--target", "repaid", "-o", "absent/model.json"], "is not there; make it first"),
        (["--target", "repaid", "-o", "."], "is a folder"),
        (["--target", "repaid", "-o", "loans.csv"], "is also an input"),
        (["--target", "repaid", "-o", "model.txt"], "must have a name that ends in .json"),
        (["--target", "repaid", "--targ"], "No such option"),
        ([], "Missing option '--target'"),
    ],
)
def test_fit_that_cannot_be_done(loans, words, sentence):
    before = Path(loans).read_bytes()
    if "-o" not in words:
        words = [*words, "-o", "model.json"]
    assert sentence in complaint("fit", loans, *words)
    assert os.listdir() == [loans]
    assert Path(loans).read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--target", "repayed"], "has no column 'repayed'; did you mean 'repaid'?"),
        (["--target", "repaid", "--unit", "income"], "--unit takes COLUMN=UNIT. Got 'income'."),
        (["--target", "repaid", "--unit", "income= "], "--unit takes COLUMN=UNIT. Got 'income= '."),
        (["--target", "repaid", "--unit", "repaid=EUR"], "are for columns beside the target"),
        (["--target", "repaid", "--time-limit", "nan"], "take numbers. Got nan."),
        (["--target", "repaid", "--test-share", "nan"], "take numbers. Got nan."),
        (
            ["--target", "interest_rate", "--positive", "yes"],
            "--positive and --cost are for classification, and the task is regression.",
        ),
    ],
)
def test_report_that_cannot_be_done(loans, words, sentence):
    assert sentence in complaint("report", loans, *words)
    assert os.listdir() == [loans]


def test_a_table_that_does_not_fit_into_memory_is_one_sentence(loans, monkeypatch):
    def refuse(*_, **__):
        raise MemoryError

    monkeypatch.setattr("treewright.cli.tables.read_files", refuse)
    said = complaint("fit", loans, "--target", "repaid")
    assert said == "treewright: There is not enough memory for this."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["absent.json", "loans.csv", "-o", "out.csv"], "'absent.json'"),
        (["loans.csv", "loans.csv", "-o", "out.csv"], "'loans.csv'"),
        (["model.json", "absent.csv", "-o", "out.csv"], "'absent.csv' is not there"),
        (["model.json", "short.csv", "-o", "out.csv"], "are missing from the data"),
        (["model.json", "loans.csv", "--id", "x", "-o", "out.csv"], "has no column 'x'"),
        (["model.json", "loans.csv", "-o", "loans.csv"], "is also an input"),
        (["model.json", "loans.csv", "-o", "model.json"], "is also an input"),
        (["model.json", "loans.csv", "-o", "out.xlsx"], "ends in .csv, .tsv or .tab"),
        (["model.json", "loans.csv", "-o", "absent/out.csv"], "make it first"),
        (["model.json", "loans.csv"], "Missing option '-o'"),
    ],
)
def test_predict_that_cannot_be_done(model, words, sentence):
    write_rows("short.csv", ["age"], [30])
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert sentence in complaint("predict", *words)
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_predict_does_not_copy_a_column_twice(model, loans):
    table = {**load_loans(), "prediction": [1] * 1000}
    write_table("new.csv", table)
    words = ("predict", model, "new.csv", "--id", "prediction", "-o", "out.csv")
    assert "do not copy it" in complaint(*words)


def test_numbers_have_no_probabilities(loans):
    succeeded(
        "fit", loans, "--method=cart", "--target", "amount", "--max-leaves", 3, "-o", "model.json"
    )
    words = ("predict", "model.json", loans, "--probabilities", "-o", "out.csv")
    assert "no class probabilities" in complaint(*words)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"format": "treewright-model"}', "[" * 100_000, "\0\x1b[31m", "1e999"],
)
def test_a_broken_model_file(folder, content):
    Path("model.json").write_text(content)
    write_rows("new.csv", ["x"], [1])
    for words in (["show", "model.json"], ["predict", "model.json", "new.csv", "-o", "out.csv"]):
        assert "'model.json'" in complaint(*words)
    assert not Path("out.csv").exists()


def test_a_model_file_with_a_column_that_is_not_there(model):
    content = json.loads(Path(model).read_text())
    content["tree"]["nodes"][0]["test"]["column"] = 99
    Path(model).write_text(json.dumps(content))
    assert "99" in complaint("show", model)


def test_a_command_that_is_not_there(folder):
    assert "did you mean predict?" in complaint("predcit")
    assert "there are demo, report, fit, predict, show, explain" in complaint("\x1b[31m")


def test_demo_where_no_folder_can_be(folder):
    Path("taken").touch()
    assert "'taken' is a file, not a folder" in complaint("demo", "--folder", "taken")
    assert "cannot be made" in complaint("demo", "--folder", "taken/inside")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_that_may_not_be_written_to(loans):
    Path("locked").mkdir(mode=0o555)
    words = ("fit", loans, "--target", "repaid", "-o", "locked/model.json")
    assert "may not be written to" in complaint(*words)


def test_a_suggestion_ignores_case_and_blanks():
    with pytest.raises(TableFileError, match="did you mean ' Income '"):
        find_column({" Income ": [1], "age": [2]}, "income", "x.csv")


# ---------------------------------------------------------------------------- hostile text


@pytest.mark.long
def test_hostile_text_is_harmless(folder):
    hostile_table("evil.csv")
    words = ("--target", "[/]target\n", "--min-samples-leaf", 1, "-o", "m.json")
    outputs = [
        succeeded("fit", "evil.csv", *words, "--test", "evil.csv"),
        succeeded("show", "m.json"),
        succeeded("show", "m.json", "--rules"),
        succeeded("show", "m.json", "--json"),
        succeeded("predict", "m.json", "evil.csv", "--probabilities", "-o", "out.csv"),
        complaint("fit", "evil.csv", "--target", "\x1b[31m\n"),
        complaint("fit", "\x1b[31m\n.csv", "--target", "x"),
        complaint("fit", "evil.csv", "--target", "x", "--\x1b[31m"),
    ]
    for output in outputs:
        assert all(character.isprintable() or character == "\n" for character in output)
    assert "[bold]bold[/bold]" in outputs[1]
    assert r"\x1b[31mno" in outputs[1]
    assert treewright.load("m.json").schema_.names[1] == "[red]number"


def test_one_line():
    assert console.one_line("a\n b\tc\x1b") == r"a b c\x1b"
