"""Numbers written as text, and other ways in which real files differ from tidy ones."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command_line import PROGRAM, complaint, run, succeeded

import treewright
from treewright.cli.reading import Reading
from treewright.cli.tables import as_numbers, read, similar_classes, target_of
from treewright.files import read_numbers, read_table
from treewright.schema import NumberForm, Schema


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def amounts(n_rows: int = 200, seed: int = 1) -> list[float]:
    chance = random.Random(seed)
    return [round(chance.uniform(100, 9999), 2) for _ in range(n_rows)]


def german(number: float) -> str:
    return f"{number:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


FORMS = {
    "plain": str,
    "dollars": lambda number: f"${number:,.2f}",
    "grouped": lambda number: f"{number:,.2f}",
    "percent": lambda number: f"{number} %",
    "german": german,
    "comma": lambda number: f"{number:.2f}".replace(".", ","),
    "unknown": lambda number: str(number) if number > 500 else "unknown",
}


def write(path: str, form: str, numbers: list[float], *, sep: str = ";", footer: str = "") -> None:
    lines = [sep.join(["amount", "home", "late"])]
    for place, number in enumerate(numbers):
        home = ("rent", "own")[place % 2]
        late = "yes" if number > 4000 else "no"
        lines.append(sep.join([FORMS[form](number), home, late]))
    Path(path).write_text("\n".join([*lines, footer]))


# ---------------------------------------------------------------------------- fit and predict


@pytest.mark.parametrize("form", [name for name in FORMS if name != "plain"])
def test_numbers_written_as_text_were_categories(folder, form):
    numbers = amounts()
    write("raw.csv", form, numbers)
    result = run("fit", "raw.csv", "--method=cart", "--target", "late", "-o", "model.json")
    assert result.exit_code == 0, result.stderr
    (line,) = result.stderr.splitlines()  # one a column
    assert "Column 'amount'" in line
    schema = treewright.load("model.json").schema_
    assert schema.columns[0].kind == "numeric"
    if form == "unknown":
        assert "'unknown' is taken as missing" in line
        return
    # The same numbers as from a plain file, and the model reads new files of the same form.
    write("plain.csv", "plain", numbers)
    succeeded("fit", "plain.csv", "--method=cart", "--target", "late", "-o", "plain.json")
    trees = [treewright.load(name).tree_ for name in ("model.json", "plain.json")]
    assert [node.predicate for node in trees[0].walk()] == [
        node.predicate for node in trees[1].walk()
    ]
    row = f"--row=amount={FORMS[form](5000.5)}"
    first = succeeded("explain", "model.json", row).splitlines()[0]
    assert first == succeeded("explain", "plain.json", "--row=amount=5000.5").splitlines()[0]
    write("new.csv", form, amounts(seed=2))
    write("plain.csv", "plain", amounts(seed=2))
    shown = succeeded("predict", "model.json", "new.csv", "-o", "new.out.csv")
    assert shown.replace("new.out", "plain.out") == succeeded(
        "predict", "plain.json", "plain.csv", "-o", "plain.out.csv"
    )
    assert Path("new.out.csv").read_text() == Path("plain.out.csv").read_text()
    explained = succeeded("explain", "model.json", "new.csv", "--number", 3)
    assert (
        explained.split("\n")[0]
        == (succeeded("explain", "plain.json", "plain.csv", "--number", 3).split("\n")[0])
    )


def test_a_footer_turned_a_column_into_categories(folder):
    write("raw.csv", "plain", amounts(), sep=",", footer="Total,,")
    result = run("fit", "raw.csv", "--method=cart", "--target", "late", "-o", "model.json")
    assert result.stderr == "treewright: note: 1 row without a value of 'late' left out.\n"
    assert treewright.load("model.json").schema_.columns[0].kind == "numeric"
    assert "amount > 4" in result.stdout


def test_a_target_of_numbers_written_as_text(folder):
    lines = ["size;price", *(f"{n};${100 * n:,}" for n in range(10, 210, 2))]
    Path("a.csv").write_text("\n".join(lines))
    shown = succeeded("fit", "a.csv", "--method=cart", "--target", "price", "-o", "m.json")
    assert "numbers, 100 different values: regression" in shown
    model = treewright.load("m.json")
    assert model.schema_.forms["price"] == NumberForm(".", ",", "$")
    assert "R² 1.000" in succeeded("predict", "m.json", "a.csv", "-o", "o.csv")


def test_thousands_of_a_file_with_decimal_commas(folder):
    """1.234 is more than a thousand where the same file writes 7784,67."""
    plain = [f"{german(n)};{place + 1}.{place:03d}" for place, n in enumerate(amounts())]
    Path("b.csv").write_text("\n".join(["a;b", *plain]))
    table, forms = as_numbers(read("b.csv", Reading()), Reading(), "b.csv")
    assert forms["b"] == NumberForm(",", ".")
    assert table["b"][:3].tolist() == [1000, 2001, 3002]


@pytest.mark.long
def test_thousands_were_fractions_where_the_table_came_through_a_pipe(folder):
    rows = [
        f"{german(n)};{1 + place % 9}.{place:03d};{'ab'[place % 2]}"
        for place, n in enumerate(amounts())
    ]
    data = "\n".join(["a;b;y", *rows]).encode()
    done = subprocess.run(
        [*PROGRAM, "fit", "-", "--method=cart", "--target=y", "-o", "m.json"],
        input=data,
        capture_output=True,
    )
    assert "Column 'b': numbers such as '1.000' are read as 1000" in done.stderr.decode()
    assert treewright.load("m.json").schema_.forms["b"] == NumberForm(",", ".")


def test_booleans_stayed_text_where_marks_were_named(folder):
    rows = [f"{german(n)};{str(n > 4000).lower()};{'ab'[n > 4000]}" for n in amounts()]
    Path("a.csv").write_text("\n".join(["a;is large;y", *rows]))
    succeeded("fit", "a.csv", "--method=cart", "--target=y", "--drop=a", "-o", "m.json")
    for marks in ((), ("--decimal=,",), ("--decimal=,", "--thousands=.")):
        assert "Accuracy 100.0 %" in succeeded("predict", "m.json", "a.csv", "-o", "o.csv", *marks)
    assert "is a (100 %" in succeeded("explain", "m.json", "a.csv", "--decimal=,")


def test_a_point_for_a_missing_number_was_refused_in_new_rows(folder):
    rows = [
        f"{'.' if place % 9 == 0 else f'{n:,.2f}'};{'ab'[n > 4000]}"
        for place, n in enumerate(amounts())
    ]
    Path("a.csv").write_text("\n".join(["a;y", *rows]))
    succeeded("fit", "a.csv", "--method=cart", "--target=y", "-o", "m.json")
    assert treewright.load("m.json").schema_.forms["a"].missing == (".",)
    succeeded("predict", "m.json", "a.csv", "-o", "o.csv")


def test_marks_can_be_named(folder):
    Path("a.csv").write_text("a;b;c\n1.234;2,5;true\n2.000;3;false\n")
    for options, expected in (
        ({}, ([1.234, 2.0], [2.5, 3])),
        ({"decimal": ","}, ([1234, 2000], [2.5, 3])),
        ({"decimal": ",", "thousands": "."}, ([1234, 2000], [2.5, 3])),
        ({"decimal": ".", "thousands": ","}, ([1.234, 2.0], None)),
    ):
        reading = Reading(**options)
        table, _ = as_numbers(read("a.csv", reading), reading, "a.csv")
        assert table["c"].tolist() == [True, False]
        if options:
            assert table["a"].tolist() == expected[0]
        if expected[1] is not None:
            assert table["b"].tolist() == expected[1]
    assert "'x' is not one of" in complaint("fit", "a.csv", "--target", "c", "--decimal", "x")


# ---------------------------------------------------------------------------- what stays text


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["01234", "99999"], "start with a zero, such as '01234'"),
        (["1", "2", "3", "4", "5", "infant"], "since 'infant' is no number"),
        (["$5", "€6"], ""),
        (["5 %", "0.2"], ""),
        (["2024-01-05", "2024-02-03"], ""),
        (["10.0.0.1", "192.168.1.1"], ""),
        (["1-5", "6-10"], ""),
        (["1/2", "3/4"], ""),
        (["rent", "12,5"], ""),
    ],
)
def test_what_is_not_surely_numbers_stays_text(cells, words):
    said: list[str] = []
    table, forms = read_numbers({"a": np.array(cells, dtype=object)}, say=said.append)
    assert table["a"].tolist() == cells
    assert forms == {}
    assert words in "".join(said)
    assert bool(said) == bool(words)


@pytest.mark.long
def test_a_column_that_is_said_to_be_numbers_is_converted(folder):
    rows = [f"{place % 7 or 'infant'},0{place % 5},{'ab'[place % 7 > 3]}" for place in range(99)]
    Path("a.csv").write_text("\n".join(["age,code,y", *rows]))
    words = (
        "fit",
        "a.csv",
        "--method=cart",
        "--target=y",
        "--type=age=number",
        "--type=code=number",
    )
    result = run(*words, "-o", "m.json")
    assert "15 values that are no number, such as 'infant', taken as missing" in result.stderr
    assert [one.kind for one in treewright.load("m.json").schema_.columns] == ["numeric"] * 2
    result = run("fit", "a.csv", "--target=y", "--type=age=category", "-o", "m.json")
    assert [one.kind for one in treewright.load("m.json").schema_.columns] == ["categorical"] * 2
    assert "has no column 'x'" in complaint("fit", "a.csv", "--target=y", "--type=x=number")
    Path("b.csv").write_text("a,y\nrent,1\nown,2\n")
    line = complaint("fit", "b.csv", "--target=y", "--type=a=number")
    assert "Column 'a' is said to be a number, but is text: none of its values" in line
    assert "--type takes COLUMN=KIND" in complaint("fit", "a.csv", "--target=y", "--type=age=x")


def test_new_rows_that_are_not_of_the_form(folder):
    write("raw.csv", "dollars", amounts())
    succeeded("fit", "raw.csv", "--method=cart", "--target", "late", "-o", "m.json")
    Path("new.csv").write_text("amount;home\n$1,200;rent\nmuch;own\n")
    line = complaint("predict", "m.json", "new.csv", "-o", "o.csv")
    assert "Column 'amount' held numbers when the tree was grown, and 'much' is none" in line
    result = run("predict", "m.json", "new.csv", "-o", "o.csv", "--type", "amount=number")
    assert "1 value that is no number, such as 'much', taken as missing" in result.stderr
    assert Path("o.csv").read_text() == "row,prediction\n1,no\n2,yes\n"


@pytest.mark.parametrize("written", [["0.166", "0.2"], ["16.6 %", "0.2"]])
def test_per_cent_without_their_sign_were_read_without_a_word(written):
    said: list[str] = []
    forms = {"rate": NumberForm(symbol="%")}
    for cells in (written, np.array(written, dtype=object)):
        said.clear()
        table, _ = read_numbers({"rate": cells}, forms=forms, say=said.append)
        assert table["rate"].tolist() == [float(cell.removesuffix(" %")) for cell in written]
        assert len(said) == 1
        assert "has no '%' and is read as it stands" in said[0]
    said.clear()
    read_numbers({"rate": ["16.6 %", "2 %"]}, forms=forms, say=said.append)
    assert said == []
    read_numbers({"rate": np.array([0.166, 0.2])}, forms=forms, say=said.append)
    assert "0.166" in said[0]


def test_the_form_is_part_of_the_schema():
    schema, _ = Schema.from_data({"a": [1.5, 2]})
    known = schema.with_forms({"a": NumberForm(",", ".", "€", ("unknown",))})
    assert known != schema
    assert Schema.from_json(known.to_json()) == known
    assert known.with_target("y").forms == known.forms
    for broken in ({"decimal": "x"}, {"thousands": ","}, {"symbol": "<b>"}, {"missing": 1}):
        content = known.to_json()
        content["forms"]["a"] = {**NumberForm(",").to_json(), **broken}
        with pytest.raises(treewright.exceptions.SchemaError):
            Schema.from_json(content)


# ---------------------------------------------------------------------------- layout


@pytest.mark.parametrize(("name", "sep"), [("a.txt", "|"), ("a.csv", "|"), ("a.txt", "\t")])
def test_bars_and_txt(folder, name, sep):
    Path(name).write_text(f"a{sep}b\n1{sep}x, y\n")
    assert {key: list(cells) for key, cells in read_table(name).items()} == {
        "a": [1],
        "b": ["x, y"],
    }


def test_the_separator_can_be_named(folder):
    Path("a.csv").write_text("a:b,c\n1:2\n")
    assert list(read_table("a.csv", sep=":")) == ["a", "b,c"]
    Path("a.txt").write_text("a   b\n1 2\n3     4\n")
    assert read_table("a.txt", sep="space")["b"].tolist() == [2, 4]
    assert "must be one character. Got '::'" in complaint("fit", "a.csv", "--target=a", "--sep=::")


def test_all_of_it_can_be_named_on_the_command_line(folder):
    rows = [f"{german(n)}:{'für' if n > 4000 else 'wider'}" for n in amounts()]
    Path("a.csv").write_bytes("\n".join(["Größe:y", *rows]).encode("cp1252"))
    named = ("--encoding=cp1252", "--sep=:", "--decimal=,", "--thousands=.")
    shown = succeeded("fit", "a.csv", "--method=cart", "--target=y", *named, "-o", "m.json")
    assert "Größe > 4" in shown
    assert treewright.load("m.json").schema_.forms["Größe"] == NumberForm(",", ".")
    assert "Accuracy 100.0 %" in succeeded("predict", "m.json", "a.csv", *named, "-o", "o.csv")
    for absent in ("--encoding=cp1252", "--sep=:"):
        words = [word for word in named if word != absent]
        assert complaint("fit", "a.csv", "--target=y", *words)


def test_columns_of_the_same_name_are_renamed(folder):
    Path("a.csv").write_text(
        "x,x,y\n" + "".join(f"{n % 5},{n % 3},{'ab'[n % 3 > 0]}\n" for n in range(60))
    )
    result = run("fit", "a.csv", "--method=cart", "--target=y", "-o", "m.json")
    assert "Column name 'x' stands twice; column 2 is called 'x_2'." in result.stderr
    assert treewright.load("m.json").schema_.names == ("x", "x_2")
    succeeded("predict", "m.json", "a.csv", "-o", "o.csv")


@pytest.mark.long
def test_standard_input(folder, monkeypatch):
    write("a.csv", "comma", amounts())
    expected = succeeded("fit", "a.csv", "--method=cart", "--target=late", "-o", "m.json")
    data = Path("a.csv").read_bytes()
    for words in (
        ["fit", "-", "--method=cart", "--target=late"],
        ["predict", "m.json", "-", "-o", "o.csv"],
    ):
        done = subprocess.run([*PROGRAM, *words], input=data, capture_output=True)
        assert done.returncode == 0, done.stderr
        if words[0] == "fit":
            assert done.stdout.decode() == expected.replace("\nWrote m.json\n", "")
    assert len(Path("o.csv").read_text().splitlines()) == 201
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'[{"a": 1}]')))
    assert read_table("-") == {"a": [1]}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\n" + b"1\n" * 999)))
    with pytest.raises(
        treewright.exceptions.TableFileError, match="Standard input unpacks to more"
    ):
        read_table("-", max_bytes=100)
    assert "Only one table" in complaint("fit", "-", "--target=y", "--test=-")


@pytest.mark.long
def test_classes_that_differ_by_case_or_spaces_are_said(folder):
    (line,) = similar_classes(target_of(["Yes", "yes ", "no"], "y"))
    assert line.startswith("Classes 'Yes' and 'yes ' of 'y' differ only by case or spaces")
    assert similar_classes(target_of([0, 1, 1], "y")) == []
    rows = [f"{place % 9},{('Yes', 'yes', 'no')[place % 3]}" for place in range(90)]
    Path("a.csv").write_text("\n".join(["x,y", *rows]))
    assert "differ only by case" in run("fit", "a.csv", "--target=y").stderr


# ---------------------------------------------------------------------------- columns and score


def test_fit_used_names_of_rows(folder):
    chance = random.Random(3)
    numbers = chance.sample(range(10_000), 120)
    lines = ["Customer ID,client,start,same,x,copy,y"]
    for place, number in enumerate(numbers):
        x = chance.randrange(9)
        day = f"2024-01-{1 + place % 28:02d}"
        lines.append(f"{number},c{number},{day},1,{x},{x},{'ab'[x > 4]}")
    Path("a.csv").write_text("\n".join(lines))
    result = run("fit", "a.csv", "--method=cart", "--target=y", "-o", "m.json")
    assert treewright.load("m.json").schema_.names == ("x",)
    said = result.stderr.splitlines()
    assert len(said) == 5
    assert "Column 'Customer ID' left out: it has another value in every row" in said[0]
    assert said[0].endswith("--keep 'Customer ID' uses it.")
    assert "Column 'start' left out: it holds dates" in result.stderr
    succeeded(
        "fit",
        "a.csv",
        "--method=cart",
        "--target=y",
        "--keep=Customer ID",
        "--type=client=category",
        "-o",
        "m.json",
    )
    assert treewright.load("m.json").schema_.names == ("Customer ID", "client", "x")
    assert "has no column 'z'" in complaint("fit", "a.csv", "--target=y", "--keep=z")


def test_fit_prints_the_cross_validated_score(folder):
    write("a.csv", "plain", amounts())
    shown = succeeded("fit", "a.csv", "--method=cart", "--target=late", "-o", "m.json")
    (line,) = [line for line in shown.splitlines() if line.startswith("Cross-validated")]
    assert line == ("Cross-validated accuracy 100.0 % (standard error 0.0 %; always yes: 61.0 %).")
    assert "Cross-validated R² 0." in succeeded("fit", "a.csv", "--method=cart", "--target=amount")
    for words in (["--method=cart", "--prune=none"], ["--method=optimal"]):
        assert "Cross-validated" not in succeeded("fit", "a.csv", "--target=late", *words)
