"""`treewright report`: any table becomes a page and a model, the same ones every time."""

from __future__ import annotations

import contextlib
import datetime
import json
import math
import os
import re
import signal
import subprocess
from typing import get_args

import numpy as np
import pytest
from command_line import PROGRAM, complaint, hostile_table, run, succeeded, write_rows
from page_reading import read_data

import treewright
from treewright.cli import reading
from treewright.files import read_table
from treewright.prune import Honest
from treewright.reports import Settings, analysis, fitting, infer_columns
from treewright.reports.columns import notes_of
from treewright.reports.settings import ColumnKind

pytestmark = pytest.mark.long

N_ROWS = 160


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loans(n_rows: int = N_ROWS) -> dict[str, list[object]]:
    """A small table: numbers, text, truth values, gaps, and a rule with some noise."""
    chance = np.random.default_rng(5)
    income = chance.normal(40, 12, n_rows).round(1).tolist()
    debts = chance.integers(0, 30, n_rows).tolist()
    home = chance.choice(["own", "rent", "parents"], n_rows).tolist()
    member = (chance.random(n_rows) < 0.3).tolist()
    noise = chance.random(n_rows) < 0.05
    repaid = ["yes" if (a > 35) != wrong else "no" for a, wrong in zip(income, noise, strict=True)]
    income[3] = home[8] = None
    return {"income": income, "debts": debts, "home": home, "member": member, "repaid": repaid}


def rows_of(table: dict[str, list[object]]) -> list[list[object]]:
    return [list(row) for row in zip(*table.values(), strict=True)]


def write_csv(name: str, table: dict[str, list[object]]) -> str:
    cells = [["" if cell is None else cell for cell in row] for row in rows_of(table)]
    return write_rows(name, list(table), *cells)


def page(name: str) -> str:
    with open(name, encoding="utf-8") as file:
        return file.read()


# ---------------------------------------------------------------------------- files


def write_as(name: str) -> None:
    """Write the table in the format that the name says."""
    table = loans()
    records = [dict(zip(table, row, strict=True)) for row in rows_of(table)]
    if name.endswith((".jsonl", ".json")):
        text = "\n".join(map(json.dumps, records)) if name.endswith("l") else json.dumps(records)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    elif name.endswith(".xlsx"):
        book = pytest.importorskip("openpyxl").Workbook()
        for row in [list(table), *rows_of(table)]:
            book.active.append(row)
        book.save(name)
    elif name.endswith((".parquet", ".feather", ".arrow")):
        frame = pytest.importorskip("polars").DataFrame(table)
        frame.write_parquet(name) if name.endswith(".parquet") else frame.write_ipc(name)
    else:
        write_csv(name, table)
        if name.endswith(".tsv"):
            text = page(name).replace(",", "\t")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)


@pytest.fixture(scope="module")
def from_csv(tmp_path_factory):
    """What is printed about the table in a .csv file, and the tree."""
    with contextlib.chdir(tmp_path_factory.mktemp("csv")):
        write_as("other.csv")
        printed = succeeded("report", "other.csv", "--target", "repaid")
        return printed, treewright.load("other.model.json").tree_


@pytest.mark.parametrize(
    "name",
    [
        *("t.csv", "t.json", "t.parquet"),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("t.tsv", "t.jsonl", "t.feather", "t.arrow", "t.xlsx")
        ),
    ],
)
def test_every_format_gives_the_same_tree(folder, from_csv, name):
    printed, tree = from_csv
    write_as(name)
    lines = succeeded("report", name, "--target", "repaid").splitlines()
    assert len(lines) == 14
    assert lines[1:12] == printed.splitlines()[1:12]
    assert treewright.load("t.model.json").tree_ == tree
    assert page("t.report.html").startswith("<!doctype html>")
    succeeded("predict", "t.model.json", name, "-o", "predictions.csv")
    answers = read_table("predictions.csv")["prediction"]
    assert np.mean(answers == np.array(loans()["repaid"])) > 0.85


def test_the_same_bytes_twice_and_others_with_another_seed(folder):
    write_csv("t.csv", loans())

    def files(*words: object) -> tuple[str, str]:
        succeeded("report", "t.csv", "--target", "repaid", *words)
        return page("t.report.html"), page("t.model.json")

    first = files()
    assert files("--seed", 0) == first
    assert files("--seed", 1)[0] != first[0]


def test_files_go_where_they_are_asked_to(folder):
    os.mkdir("in")
    write_csv("in/my table.csv", loans())
    succeeded("report", "in/my table.csv", "--target", "repaid")
    assert {"my table.report.html", "my table.model.json"} < set(os.listdir())
    succeeded("report", "in/my table.csv", "--target", "repaid", "-o", "in/page.html")
    assert set(os.listdir("in")) == {"my table.csv", "page.html", "page.model.json"}


# ---------------------------------------------------------------------------- what is found


def test_the_lines_say_what_the_page_shows(folder):
    write_csv("t.csv", loans())
    text = succeeded("report", "t.csv", "--target", "repaid")
    assert "t.csv: 160 rows. Target repaid: text, 2 different values: classification." in text
    assert "home (category of 3), member (true or false)" in text
    assert "Grown on 120 rows, evaluated on 40 hold-out rows." in text
    (score,) = re.findall(r"Accuracy ([\d.]+) % \(95 % interval", text)
    assert re.search(rf"\b{score.removesuffix('.0')}(\.0)?\s%", page("t.report.html"))
    assert "First question in 4 bootstrap samples: income" in text
    tree = treewright.load("t.model.json").tree_
    assert f"{tree.n_leaves} leaves, depth {tree.depth}" in text


def test_columns_that_cannot_help_are_left_out(folder):
    table = loans()
    table["number"] = list(range(1, N_ROWS + 1))
    table["name"] = [f"customer {place}" for place in range(N_ROWS)]
    table["day"] = [f"2024-05-{1 + place % 28:02}" for place in range(N_ROWS)]
    table["named day"] = [f"{1 + place % 28} May 2024" for place in range(N_ROWS)]
    table["country"] = ["NO"] * N_ROWS
    table["copy"] = table["debts"]
    table["void"] = [None] * N_ROWS
    table["letter"] = [f"remark {place % 120}" for place in range(N_ROWS)]
    write_csv("t.csv", table)
    text = succeeded("report", "t.csv", "--target", "repaid")
    (left_out,) = re.findall(r"Left out: (.*)\.$", text, re.MULTILINE)
    assert [word.split(" (")[0] for word in left_out.split("), ")] == [
        *("number", "name", "day", "named day", "country", "copy", "void", "letter"),
    ]
    html = page("t.report.html")
    for words in (
        "has another value in every row",
        "holds dates",
        "has the same value in every row",
        "is the same as debts in every row",
        "has no value in any row",
        "has 120 different texts",
    ):
        assert words in html
    names = treewright.load("t.model.json").schema_.names
    assert names == ("income", "debts", "home", "member")


def test_types_and_drops_are_obeyed(folder):
    table = loans()
    table["number"] = list(range(1, N_ROWS + 1))
    table["district"] = [place % 7 for place in range(N_ROWS)]
    write_csv("t.csv", table)
    types = ["number=number", "district=category", "debts=identifier"]
    words = [word for kind in types for word in ("--type", kind)]
    succeeded("report", "t.csv", "--target", "repaid", "--drop", "member", *words)
    schema = treewright.load("t.model.json").schema_
    kinds = {column.name: column.kind for column in schema.columns}
    assert kinds == {
        "income": "numeric",
        "home": "categorical",
        "number": "numeric",
        "district": "categorical",
    }
    assert schema.columns[schema.index("district")].levels == tuple("0123456")


def test_units_are_shown(folder):
    write_csv("t.csv", loans())
    succeeded("report", "t.csv", "--target", "repaid", "--unit", "income=thousand a year")
    assert "thousand a year" in page("t.report.html")
    assert "thousand a year" in str(treewright.load("t.model.json").tree_)


def test_a_column_that_gives_the_answer_away_is_named(folder):
    table = loans()
    table["paid_back"] = [100 if label == "yes" else 40 for label in table["repaid"]]
    table["repaid_on_time"] = [place % 3 for place in range(N_ROWS)]
    write_csv("t.csv", table)
    text = succeeded("report", "t.csv", "--target", "repaid")
    assert "May leak the target: repaid_on_time, paid_back; use --drop" in text
    assert "By itself it removes 100 % of the error" in page("t.report.html")


def test_codes_that_look_like_numbers_are_noted(folder):
    table = loans()
    table["district"] = [place % 5 for place in range(N_ROWS)]
    write_csv("t.csv", table)
    succeeded("report", "t.csv", "--target", "repaid")
    assert "--type district=category" in page("t.report.html")


def notes_on(table: dict[str, list[object]], **choices: object) -> dict[str | None, str]:
    """What is noted of the columns of a file, by their names."""
    columns = read_table(write_csv("t.csv", table))
    del columns["repaid"]
    guesses = infer_columns(columns, Settings(**choices))
    return {note.column: note.words for note in notes_of(guesses, "repaid")}


def test_numbers_that_are_written_as_text_are_noted(folder):
    table = loans()
    table["weight"] = [f"{60 + place % 90},{place % 10}" for place in range(N_ROWS)]
    table["height"] = ["unknown" if place % 9 == 0 else 150 + place % 40 for place in range(N_ROWS)]
    notes = notes_on(table)
    assert "too many to be categories; most of its texts are numbers: write" in notes["weight"]
    assert notes["height"].startswith("Taken as categories, but most of its texts are numbers")
    assert "height" not in notes_on(table, types={"height": "category"})


def test_numbers_that_may_name_the_rows_are_noted(folder):
    numbers = [7919 * (place + 13) % 100_003 for place in range(N_ROWS)]
    notes = notes_on({**loans(), "customer no": numbers})
    assert "leave it out with --drop 'customer no'" in notes["customer no"]
    assert "customer no" not in notes_on({**loans(), "customer no": [*numbers[:-1], numbers[0]]})


def test_dates_of_a_typed_file_are_left_out(folder):
    polars = pytest.importorskip("polars")
    day = datetime.date(2024, 5, 17)
    polars.DataFrame({**loans(), "day": [day] * N_ROWS}).write_parquet("t.parquet")
    text = succeeded("report", "t.parquet", "--target", "repaid")
    assert "Left out: day (dates)." in text
    assert "add columns such as the year" in page("t.report.html")


def test_rows_without_an_answer_are_left_out(folder):
    table = loans()
    table["repaid"][:10] = [None] * 10
    write_csv("t.csv", table)
    result = run("report", "t.csv", "--target", "repaid")
    assert result.exit_code == 0
    assert "10 rows without a value of 'repaid' left out" in result.stderr
    assert "t.csv: 150 rows." in result.stdout


def test_no_data_leaves_no_row_in_the_page(folder):
    table = loans()
    table["debts"] = [7919 * (place + 13) for place in range(N_ROWS)]
    write_csv("t.csv", table)
    marks = [str(number) for number in table["debts"]]
    succeeded("report", "t.csv", "--target", "repaid")
    with_rows = sum(mark in page("t.report.html") for mark in marks)
    succeeded("report", "t.csv", "--target", "repaid", "--no-data")
    assert sum(mark in page("t.report.html") for mark in marks) == 0 < with_rows


# ---------------------------------------------------------------------------- choices


@pytest.mark.parametrize("method", ["readable", "cart", "must", "optimal"])
def test_the_method_that_is_asked_for_comes_first(folder, method):
    write_csv("t.csv", loans(80))
    text = succeeded("report", "t.csv", "--target", "repaid", "--method", method)
    names = {
        "readable": "The best readable tree",
        "cart": "One column",
        "must": "Linear combinations of two",
        "optimal": "The best tree of depth 3",
    }
    assert text.splitlines()[3].startswith(names[method])
    assert text.count("Beside it") == 3
    assert ("too large to read" in text) == (method == "readable")


def test_sums_need_two_numbers(folder):
    write_csv("t.csv", loans())
    text = succeeded("report", "t.csv", "--target", "repaid", "--drop", "debts")
    assert text.count("Beside it") == 2
    assert "Linear combinations of two" not in text


def test_costs_change_answers_and_the_measure(folder):
    write_csv("t.csv", loans(80))
    plain = succeeded("report", "t.csv", "--target", "repaid")
    text = succeeded("report", "t.csv", "--target", "repaid", "--cost", "no:yes=20")
    assert "Accuracy" in plain
    (cost,) = re.findall(r"Mean cost ([\d.]+) \(95", text)
    assert "always predicting no" in text
    model = treewright.load("t.model.json")
    assert model.tree_.core.cost.tolist() == [0, 20, 1, 0]
    assert float(cost) < 20


def test_a_largest_size_is_kept(folder):
    write_csv("t.csv", loans(80))
    succeeded("report", "t.csv", "--target", "debts", "--max-leaves", 3)
    assert treewright.load("t.model.json").tree_.n_leaves <= 3


def test_numbers_are_predicted_too(folder):
    table = loans(80)
    table["rate"] = [
        (3 if place % 2 else 7) + (0 if income is None else income / 10)
        for place, income in enumerate(table["income"])
    ]
    write_csv("t.csv", table)
    text = succeeded("report", "t.csv", "--target", "rate")
    assert ": regression." in text
    assert "Explained variance" in text
    assert "baseline (always predicting the mean) 0.0 %" in text
    assert treewright.load("t.model.json").schema_.classes is None
    assert re.search(r">on average</th><td class=\"number\">[\d.]+</td>", page("t.report.html"))


# ---------------------------------------------------------------------------- odd tables


@pytest.mark.parametrize("n_rows", [2, 3, 5, 9])
def test_tiny_tables(folder, n_rows):
    rows = [
        [place, place * 7 % 5, "yes" if place >= n_rows // 2 else "no"] for place in range(n_rows)
    ]
    write_rows("t.csv", ["a", "b", "answer"], *[[row[0] * 1.5, *row[1:]] for row in rows])
    text = succeeded("report", "t.csv", "--target", "answer")
    assert "too large to read" not in text  # no teacher, no ceiling
    assert text.count("Beside it") == 3
    assert treewright.load("t.model.json").tree_.core.rows[0] >= n_rows // 2


@pytest.mark.parametrize("n_rows", [3, 6])
def test_tiny_tables_of_numbers(folder, n_rows):
    rows = [[place * 1.5, place * 7 % 5, place * 0.37] for place in range(n_rows)]
    write_rows("t.csv", ["a", "b", "answer"], *rows)
    text = succeeded("report", "t.csv", "--target", "answer")
    assert "too large to read" not in text
    assert text.count("Beside it") == 3


def test_many_classes_some_of_them_rare(folder):
    chance = np.random.default_rng(2)
    codes = np.minimum(chance.geometric(0.12, 400), 30)
    rows = [[code + chance.normal(), chance.random(), f"class {code}"] for code in codes]
    write_rows("t.csv", ["a", "b", "kind"], *rows)
    text = succeeded("report", "t.csv", "--target", "kind")
    assert "classes with fewer than 5 rows" in page("t.report.html")
    n_classes = len(set(codes.tolist()))
    assert f"{n_classes} different values: classification" in text
    assert len(treewright.load("t.model.json").classes_) == n_classes


def test_hostile_names_and_levels(folder):
    hostile_table("t.csv")
    text = succeeded("report", "t.csv", "--target", "[/]target\n")
    assert all(line.isprintable() for line in text.splitlines())
    # Code has levels as they are; that of a tree that reads no such column has none.
    succeeded("report", "t.csv", "--target=[/]target\n", "--method=cart", "--max-leaves=4")
    html = page("t.report.html")
    assert "\x1b" not in html
    assert "\x9b" not in html
    succeeded("predict", "t.model.json", "t.csv", "-o", "predictions.csv")


def test_markup_in_names_stays_text(folder):
    bad = "<script>alert(1)</script>"
    rows = [
        [place, f'<img src=x onerror="{place % 3}">', f"{bad}{place % 2}"] for place in range(60)
    ]
    write_rows("t.csv", [f"{bad} a", "</style>", "</title><b>"], *rows)
    succeeded("report", "t.csv", "--target", "</title><b>", "--type", f"{bad} a=number")
    html = page("t.report.html")
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "</title><b>" not in html


def test_gaps_everywhere(folder):
    table = loans()
    for name in ("income", "debts", "home", "member"):
        column = table[name]
        table[name] = [
            None if (place * 7 + len(name)) % 3 == 0 else cell for place, cell in enumerate(column)
        ]
    write_csv("t.csv", table)
    succeeded("report", "t.csv", "--target", "repaid")
    assert "Missing in 33 % of the rows." in page("t.report.html")


def test_the_command_offers_what_settings_know():
    assert get_args(ColumnKind) == reading.KINDS


# ---------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "repayed"], "did you mean 'repaid'?"),
        (["--target", "repaid", "--drop", "nothing"], "has no column 'nothing'"),
        (["--target", "repaid", "--drop", "repaid"], "for columns beside the target"),
        (["--target", "repaid", "--type", "income"], "--type takes COLUMN=KIND"),
        (["--target", "repaid", "--type", "income=red"], "out of number, category, date"),
        (["--target", "repaid", "--type", "home=number"], "is said to be a number, but is"),
        (["--target", "repaid", "--unit", "income"], "--unit takes COLUMN=UNIT"),
        (["--target", "repaid", "--unit", "home=km"], "'home' is no number and has no unit"),
        (["--target", "repaid", "--positive", "maybe"], "there are 'no', 'yes'"),
        (["--target", "repaid", "--cost", "no:yes"], "--cost takes TRUE:PREDICTED=COST"),
        (["--target", "repaid", "--cost", "no:yes=-1"], "a number of at least 0"),
        (["--target", "repaid", "--cost", "no:no=1"], "two different classes out of"),
        (["--target", "repaid", "--cost", "no:perhaps=1"], "two different classes out of"),
        (["--target", "income", "--positive", "yes"], "are for classification"),
        (["--target", "repaid", "--task", "regression"], "holds text"),
        (["--target", "repaid", "--test-share", "2"], "--test-share"),
        (["--target", "repaid", "--time-limit", "nan"], "Got nan"),
        (["--target", "repaid", "-o", "page.txt"], "ends in .html or .htm"),
        (["--target", "repaid", "-o", "no/page.html"], "is not there; make it first"),
        (["--target", "repaid", "-o", "t.csv"], "is also an input"),
        (["--target", "same"], "is 'x' in every row; there is nothing to learn"),
        (
            [
                "--target=repaid",
                *(f"--drop={name}" for name in ("income", "debts", "home", "member")),
            ],
            "No column is left that a tree could use",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(folder, words, message):
    write_csv("t.csv", {**loans(), "same": ["x"] * N_ROWS})
    assert message in complaint("report", "t.csv", *words)
    assert os.listdir() == ["t.csv"]


def test_ctrl_c_leaves_nothing_behind(folder):
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(60_000, 12)).round(3).tolist()
    write_rows("t.csv", [*"abcdefghijkl"], *rows)
    with subprocess.Popen(
        [*PROGRAM, "report", "t.csv", "--target", "a"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("t.csv: 60,000 rows.")  # it grows now
        process.send_signal(signal.SIGINT)
        _, complaint_made = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaint_made == "treewright: Stopped; no file is half-written.\n"
    assert os.listdir() == ["t.csv"]


# ---------------------------------------------------------------------------- fitted models


def test_a_fitted_model_writes_the_same_page(folder):
    table = loans()
    repaid = table.pop("repaid")
    model = treewright.TreeClassifier(prune="cost_complexity", min_samples_leaf=5)
    model.fit(table, repaid).report("page.html", table, repaid, title="Loans")
    assert "Loans</title>" in page("page.html")
    model.report("test.html", table, repaid, test=True, with_rows=False)
    accuracy = np.mean(model.predict(table) == np.array(repaid))
    assert f"{100 * accuracy:.1f}".removesuffix(".0") in page("test.html")


@pytest.mark.parametrize(
    "model",
    [
        treewright.OptimalTreeClassifier(2),
        treewright.TreeClassifier(class_weight="balanced", prune="cost_complexity"),
        treewright.TreeClassifier(cost_matrix=[[0, 3], [1, 0]], max_leaf_nodes=4),
        treewright.TreeClassifier(prune=Honest(0.3)),
        treewright.TreeClassifier(split=treewright.MUST(2), prune="trim", missing="fraction"),
    ],
)
def test_every_kind_of_model_has_a_page(folder, model):
    table = loans()
    repaid = table.pop("repaid")
    model.fit(table, repaid).report("page.html", table, repaid, test=True)
    assert page("page.html").startswith("<!doctype html>")


def test_a_model_of_numbers_has_a_page(folder):
    table = loans()
    debts = [float(debt) for debt in table.pop("debts")]
    model = treewright.TreeRegressor(max_leaf_nodes=5).fit(table, debts)
    model.report("page.html", table, debts, test=True)
    assert math.isfinite(model.score(table, debts))
    model.report("page.html", table, debts)


def test_a_fitted_model_shows_its_questions_and_how_stable_the_first_is(folder):
    table = loans()
    repaid = table.pop("repaid")
    model = treewright.TreeClassifier(max_leaf_nodes=4, cost_matrix=[[0, 3], [1, 0]])
    model.fit(table, repaid).report("page.html", table, repaid)
    _, store = read_data(page("page.html"))
    assert len(store["panels"][0]) == model.tree_.n_nodes - model.tree_.n_leaves
    assert re.search(r"income</bdi></th><td class=.number.>\d+", page("page.html"))
    model.report("page.html", table, repaid, with_rows=False)
    _, store = read_data(page("page.html"))
    assert store["panels"] == [[]]


def test_rows_that_cannot_tell_of_the_first_question_leave_it_alone(folder):
    table = loans()
    repaid = table.pop("repaid")
    model = treewright.TreeClassifier(max_leaf_nodes=4, cost_matrix=[[0, 3], [1, 0]])
    model.fit(table, repaid)
    yes = [place for place, label in enumerate(repaid) if label == "yes"]
    for rows, is_shown in ((yes, False), (range(9), False), (range(30), True)):
        some = {name: [cells[row] for row in rows] for name, cells in table.items()}
        model.report("page.html", some, [repaid[row] for row in rows])
        assert ('id="stability"' in page("page.html")) == is_shown


def test_the_card_speaks_of_cross_validation_only_where_there_was_some(folder):
    table = loans()
    repaid = table.pop("repaid")
    said = {}
    for prune in (None, "cost_complexity"):
        model = treewright.TreeClassifier(prune=prune, max_leaf_nodes=4).fit(table, repaid)
        model.report("page.html", table, repaid, test=True)
        said[prune] = "compared by cross-validation" in page("page.html")
    assert said == {None: False, "cost_complexity": True}


def test_infinity_is_named_and_nothing_is_written(folder):
    rows = [[math.inf if i == 3 else i, i % 5, "uv"[i > 20]] for i in range(40)]
    write_rows("t.csv", ["a", "b", "y"], *rows)
    said = complaint("report", "t.csv", "--target", "y")
    assert "Column 'a' holds infinity" in said
    assert not os.path.exists("t.report.html")


def test_levels_and_classes_that_a_sample_would_miss_are_kept(folder, monkeypatch):
    monkeypatch.setattr(fitting, "_MOST_ROWS_JUDGED", 80)
    table = loans()
    table["home"][20:32] = [f"rare {place}" for place in range(12)]
    table["repaid"][:3] = ["late"] * 3
    table["member"] = [True if place in (50, 51, 52, 53) else None for place in range(N_ROWS)]
    table["score"] = [place / 7 if place in (60, 61, 62, 63) else None for place in range(N_ROWS)]
    write_csv("t.csv", table)
    succeeded("report", "t.csv", "--target", "repaid", "--cost", "late:yes=3")
    assert "Searched on" in page("t.report.html")
    assert "The pictures hold" not in page("t.report.html")
    monkeypatch.setattr(analysis, "ROWS_DRAWN", 50)
    succeeded("report", "t.csv", "--target", "repaid")
    assert "The pictures hold 50 of the rows" in page("t.report.html")
    assert treewright.load("t.model.json").classes_.tolist() == ["late", "no", "yes"]


@pytest.mark.long
def test_trees_of_a_large_table_come_from_a_sample_and_count_all_rows(folder, monkeypatch):
    monkeypatch.setattr(fitting, "_MOST_ROWS_JUDGED", 60)
    monkeypatch.setattr(fitting, "_MOST_ROWS_GROWN", 90)
    table = loans()
    table["home"][20:26] = [f"rare {place}" for place in range(6)]
    table["repaid"][:3] = ["late"] * 3
    made = treewright.report(table, target="repaid", output="t.html")
    n_training = made.estimator.tree_.node_weights[0]
    assert n_training > 90
    grown = [one for one in made.families if "Grown on 9" in one.words]
    assert [one.key for one in grown] == ["cart", "must2"]
    for family in grown:
        for step in family.steps:
            assert step.tree.node_weights[0] == n_training
            assert step.tree.schema.classes == ("late", "no", "yes")
    assert "cross-validation worked on 60" in page("t.html")
