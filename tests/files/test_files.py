"""Table files: what is read is what was written, and what is no table is refused in a sentence."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from treewright.exceptions import MissingDependencyError, TableFileError, WriteError
from treewright.files import SUFFIXES, atomic_write, read_table, write_table
from treewright.schema import Schema

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(path: Path, content: str | bytes, **options: Any) -> dict[str, list[Any]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return plain(read_table(path, **options))


def plain(table: dict[str, Any]) -> dict[str, list[Any]]:
    """Plain lists, with None for NaN."""
    lists = {k: v.tolist() if isinstance(v, np.ndarray) else list(v) for k, v in table.items()}
    return {k: [None if cell != cell else cell for cell in v] for k, v in lists.items()}


# ---------------------------------------------------------------------------- types of columns


@pytest.mark.parametrize(
    ("cells", "expected", "dtype"),
    [
        (["1", "2"], [1, 2], np.int64),
        (["1", ""], [1.0, None], np.float64),
        ([" 1", "2.5 "], [1.0, 2.5], np.float64),
        (["1e3", "-.5"], [1000.0, -0.5], np.float64),
        (["9007199254740993", "1"], [9007199254740993, 1], np.int64),
        (["9223372036854775808", "1"], [2.0**63, 1.0], np.float64),
        (["true", "FALSE"], [True, False], np.bool_),
        (["True", ""], [True, None], object),
        (["a", ""], ["a", None], object),
        (["1", "a"], ["1", "a"], object),
        (["1", "true"], ["1", "true"], object),
        (["1_000", "2"], ["1_000", "2"], object),
        (["", ""], [None, None], object),
        (["NA", "3"], [None, 3.0], np.float64),
        (["?", "nan", "n/a", " ", "4"], [None, None, None, None, 4.0], np.float64),
        (["null", "true"], [None, True], object),
        (["NA", "DE"], ["NA", "DE"], object),
        (["NA", "NA"], [None, None], object),
        (["2020-01-31", "1"], ["2020-01-31", "1"], object),
        (["01234", "5"], ["01234", "5"], object),
        (["0", "0.5"], [0.0, 0.5], np.float64),
        (["nan", "nan"], [None, None], object),
        (["nan", "true"], [None, True], object),
    ],
)
def test_the_type_of_a_column_follows_from_its_cells(
    tmp_path: Path, cells: list[str], expected: list[Any], dtype: Any
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("other,a\n" + "".join(f"x,{cell}\n" for cell in cells))
    table = read_table(path)
    assert plain(table)["a"] == expected
    assert table["a"].dtype == dtype
    schema, values = Schema.from_data(table)
    assert schema.names == ("other", "a")
    assert np.isnan(values[:, 1]).tolist() == [cell is None for cell in expected]


def test_a_column_may_turn_into_text_at_the_end_of_a_long_file(tmp_path: Path) -> None:
    lines = ["number,truth,mark,late,text", *(f"{n},true,NA,,t{n % 3}" for n in range(3000))]
    path = tmp_path / "long.csv"
    path.write_text("\n".join([*lines, "x,1,text,7,t0"]))
    table = plain(read_table(path))
    assert table["number"] == [*map(str, range(3000)), "x"]
    assert table["truth"] == ["true"] * 3000 + ["1"]
    assert table["mark"] == ["NA"] * 3000 + ["text"]
    assert table["late"] == [None] * 3000 + [7.0]
    assert table["text"] == [f"t{n % 3}" for n in range(3000)] + ["t0"]


def test_integers_may_turn_into_numbers(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["a", *map(str, range(3000)), "0.5"]))
    assert read_table(path)["a"].tolist() == [*range(3000), 0.5]


def test_the_caller_may_know_better(tmp_path: Path) -> None:
    content = "zip,a,b\n01234,-9,x\n99999,1,-9\n"
    table = read(tmp_path / "a.csv", content, text=["zip", "absent"], missing=["-9"])
    assert table == {"zip": ["01234", "99999"], "a": [None, 1.0], "b": ["x", None]}


# ---------------------------------------------------------------------------- layout of text


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("quoted.csv", 'a,b\n"x, ""y""\n",1\n', {"a": ['x, "y"\n'], "b": [1]}),
        ("mark.csv", b"\xef\xbb\xbfa,b\n1,2\n", {"a": [1], "b": [2]}),
        ("wide.csv", "a,b\né,2\n".encode("utf-16"), {"a": ["é"], "b": [2]}),
        ("windows.csv", "a,b\r\n1,2\r\n", {"a": [1], "b": [2]}),
        ("old_mac.csv", "a,b\r1,2\r", {"a": [1], "b": [2]}),
        ("no_end.csv", "a,b\n1,2", {"a": [1], "b": [2]}),
        ("blank.csv", "\n\na,b\n\n1,2\n\n", {"a": [1], "b": [2]}),
        ("semicolons.csv", 'a;"b,c"\n1;x\n', {"a": [1], "b,c": ["x"]}),
        (
            "comma in a name.csv",
            "a;price, EUR;c\n1;2;x\n",
            {"a": [1], "price, EUR": [2], "c": ["x"]},
        ),
        ("tabs.csv", "a\tb\n1\tx y\n", {"a": [1], "b": ["x y"]}),
        ("tabs.tsv", "a\tb\n1\tx,y\n", {"a": [1], "b": ["x,y"]}),
        ("spaces.csv", 'a, b\n1, x\n2, "y, z"\n', {"a": [1, 2], "b": ["x", "y, z"]}),
        ("rows.csv", ",b\n1,2\n", {"column_1": [1], "b": [2]}),
        ("one.csv", 'a\n1\n""\n', {"a": [1.0, None]}),
        ("UPPER.CSV", "a\n1\n", {"a": [1]}),
        ("small.csv.gz", gzip.compress(b"a,b\n1,x\n"), {"a": [1], "b": ["x"]}),
    ],
)
def test_layouts(tmp_path: Path, name: str, content: Any, expected: dict[str, list[Any]]) -> None:
    assert read(tmp_path / name, content) == expected


def test_other_encodings(tmp_path: Path) -> None:
    content = "a\né\n".encode("latin-1")
    assert read(tmp_path / "a.csv", content, encoding="latin-1") == {"a": ["é"]}
    with pytest.raises(TableFileError, match="no encoding 'klingon'"):
        read_table(tmp_path / "a.csv", encoding="klingon")


# ---------------------------------------------------------------------------- JSON and arrow


def test_json(tmp_path: Path) -> None:
    records = [{"a": 1, "b": "x"}, {"b": None, "c": True}]
    expected = {"a": [1, None], "b": ["x", None], "c": [None, True]}
    lines = "\n\n".join(map(json.dumps, records))
    assert read(tmp_path / "a.json", json.dumps(records)) == expected
    assert read(tmp_path / "a.jsonl", lines) == expected
    assert read(tmp_path / "a.ndjson.gz", gzip.compress(lines.encode())) == expected


def test_parquet_and_feather(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(
        {"a": [1, 2], "b": pandas.Categorical(["lo", "hi"], ["lo", "hi"], ordered=True)},
        index=[5, 9],
    )
    frame.to_parquet(tmp_path / "a.parquet")
    frame.reset_index(drop=True).to_feather(tmp_path / "a.feather")
    for name in ("a.parquet", "a.feather"):
        schema, values = Schema.from_data(read_table(tmp_path / name))
        assert schema.names == ("a", "b")
        assert schema.columns[1].kind == "ordinal"
        np.testing.assert_array_equal(values, [[1, 0], [2, 1]])


def test_a_package_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("pyarrow", "polars", "openpyxl"):
        monkeypatch.setitem(sys.modules, package, None)
    for name, package in (("a.parquet", "pyarrow"), ("a.arrow", "pyarrow"), ("a.xlsx", "openpyxl")):
        (tmp_path / name).write_bytes(b"PAR1")
        with pytest.raises(MissingDependencyError, match=f"pip install {package}"):
            read_table(tmp_path / name)
    assert issubclass(MissingDependencyError, ImportError)


def test_numbers_can_be_taken_as_text_in_every_format(tmp_path: Path) -> None:
    table = {"code": [7, 12, None], "size": [1.5, 2.0, 3.0]}
    records = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    (tmp_path / "a.json").write_text(json.dumps(records))
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, records)))
    (tmp_path / "a.csv").write_text("code,size\n7,1.5\n12,2\n,3\n")
    write_sheet(tmp_path / "a.xlsx", [[*table], *map(list, zip(*table.values(), strict=True))])
    pytest.importorskip("polars").DataFrame(table).write_parquet(tmp_path / "a.parquet")
    for name in ("a.json", "a.jsonl", "a.csv", "a.xlsx", "a.parquet"):
        schema, values = Schema.from_data(read_table(tmp_path / name, text=["code"]))
        assert schema.columns[0].levels == ("12", "7")
        np.testing.assert_array_equal(values[:, 1], [1.5, 2, 3])


def test_polars_reads_what_pyarrow_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1.5, None], "b": ["x", "y"]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.feather")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("a.parquet", "a.feather"):
        schema, values = Schema.from_data(read_table(tmp_path / name))
        assert schema.columns[1].levels == ("x", "y")
        np.testing.assert_array_equal(values, [[1.5, 0], [np.nan, 1]])
    (tmp_path / "b.parquet").write_bytes(b"PAR1")
    with pytest.raises(TableFileError, match="is no parquet table"):
        read_table(tmp_path / "b.parquet")


def write_sheet(path: Path, rows: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_the_first_sheet_of_a_workbook(tmp_path: Path) -> None:
    rows = [
        ["age", "home", None, "member", "mixed", "gaps"],
        [31, "rent", 1.5, True, 1, "n/a"],
        [],
        [None, "#N/A", 2, False, "two", 3],
        [58.0, "own", None, None, None, "#DIV/0!"],
    ]
    path = write_sheet(tmp_path / "a.xlsx", rows)
    expected = {
        "age": [31, None, 58],
        "home": ["rent", None, "own"],
        "column_3": [1.5, 2, None],
        "member": [True, False, None],
        "mixed": ["1", "two", None],
        "gaps": [None, 3, None],
    }
    assert plain(read_table(path)) == expected
    asked = plain(read_table(path, text=["age"], missing=["own"]))
    assert asked == {**expected, "age": ["31", None, "58"], "home": ["rent", None, None]}


def test_sheets_that_are_no_tables(tmp_path: Path) -> None:
    for rows in ([], [["a", "b"]]):
        with pytest.raises(TableFileError, match="has no column names or no rows"):
            read_table(write_sheet(tmp_path / "a.xlsx", rows))


def test_dates_of_a_workbook_stay_dates(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 5, 17)
    path = write_sheet(tmp_path / "a.xlsx", [["day", "mixed"], [day, day], [day, "later"]])
    assert read_table(path) == {"day": [day, day], "mixed": ["2024-05-17", "later"]}


# ---------------------------------------------------------------------------- what is no table


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("absent.csv", None, "is not there"),
        ("absent.parquet", None, "is not there"),
        ("a.xls", "", r"cannot be read; supported are \.csv, \.tsv"),
        ("a.xlsx.gz", "", "cannot be read; supported are"),
        ("absent.xlsx", None, "is not there"),
        ("a.parquet.gz", "", "cannot be read; supported are"),
        ("a", "", "cannot be read; supported are"),
        ("a.csv", "", "is empty"),
        ("a.csv", "\n \n", "is empty"),
        ("a.csv", "a,b\n", "has column names but no rows"),
        ("a.csv", "a,b\n1,2\n\n3\n", "Line 4 of .* has 1 cell, but there are 2 column names"),
        ("a.csv", '\na,b\n"1\n2",2\n3,4,5\n', "Line 5 of .* has 3 cells"),
        ("a.csv", "a,b\n" + "1,2\n" * 2000 + "3\n", "Line 2002 of .* has 1 cell"),
        ("a.csv", 'a,b\n"1,2\n3,4\n', "Line 3 of .* quotation mark that is not closed"),
        ("a.csv", "a\n" + "x" * 200_000, "field larger than field limit"),
        ("a.csv", b"\x89PNG\r\n\0\0\0", "binary data"),
        ("a.csv", "a\né\n".encode("latin-1"), r"not UTF-8 text .*b'\\xe9'"),
        ("a.csv", "a\n" + "x\n" * 100_000 + "\udcff", "not UTF-8 text"),
        ("a.csv", "<!DOCTYPE html>\n<html>", "is no table: it starts with '<!DOCTYPE html>'"),
        ("a.csv", b"a,b\n1,\xff\n", "name its encoding, such as --encoding cp1252"),
        ("a\0.csv", None, "cannot be the name of a file"),
        ("a.csv.gz", "a,b\n1,2\n", "Not a gzipped file"),
        ("a.csv.gz", gzip.compress(os.urandom(9999))[:-500], "ends too early"),
        ("a.json", '{"a": 1}', "must be a JSON list of objects"),
        ("a.json", '[{"a": 1}, 2]', "Entry 2 of .* Got 2"),
        ("a.json", '[{"a": 1},', "is not JSON"),
        ("a.json", "[" * 200_000, "nested too deeply"),
        ("a.json", "[]", "has no rows"),
        ("a.json", "[{}]", "has no columns"),
        ("a.json", '[{"a": ' + "9" * 5000 + "}]", "cannot be read"),
        ("a.jsonl", '{"a": 1}\n{"a": \n', "Line 2 of .* is not JSON"),
        ("a.jsonl", "", "has no rows"),
    ],
)
def test_what_is_no_table_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: Any, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        data = content if isinstance(content, bytes) else content.encode(errors="surrogateescape")
        path.write_bytes(data)
    with pytest.raises(TableFileError, match=message) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_junk_of_every_suffix(tmp_path: Path, suffix: str) -> None:
    if suffix in (".parquet", ".feather", ".arrow"):
        pytest.importorskip("pyarrow")
    if suffix == ".xlsx":
        pytest.importorskip("openpyxl")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(TableFileError, match="is a folder"):
        read_table(tmp_path / f"folder{suffix}")
    (tmp_path / f"junk{suffix}").write_bytes(bytes(range(256)) * 8)
    with pytest.raises(TableFileError):
        read_table(tmp_path / f"junk{suffix}")


@same_folder
@given(st.binary(max_size=200), st.sampled_from([".csv", ".tsv", ".json", ".jsonl", ".csv.gz"]))
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes(content)
    try:
        table = read_table(path)
    except TableFileError:
        return
    assert len({len(cells) for cells in table.values()}) == 1


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be read"
)
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    with pytest.raises(TableFileError, match="Permission denied"):
        read_table(path)


# ---------------------------------------------------------------------------- writing

# NUL marks binary data; text that looks like a number is read as one.
names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
    lambda name: name.strip() != ""
)
words = names.map(lambda text: "w" + text)


@st.composite
def written_tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    n_rows = draw(st.integers(1, 5))
    table = {}
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53)
        cells = st.none() | draw(st.sampled_from([numbers, st.booleans(), words]))
        table[name] = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    return table


@same_folder
@given(written_tables(), st.sampled_from(["a.csv", "a.tsv"]))
def test_what_is_written_is_read(tmp_path: Path, table: dict[str, list[Any]], name: str) -> None:
    write_table(tmp_path / name, table)
    assert plain(read_table(tmp_path / name)) == table


def test_cells_as_text(tmp_path: Path) -> None:
    table = {
        "number": np.array([1.0, np.nan, 0.1, -1e300]),
        "truth": [True, None, False, None],
        "text": ["=1+1", 'say "hi"', " x", "a\r\nb"],
        "date": [datetime.date(2020, 1, 31), None, None, None],
        "wild": [1, "a", np.inf, np.inf],
    }
    write_table(tmp_path / "a.csv", table)
    assert (tmp_path / "a.csv").read_bytes().decode() == (
        "number,truth,text,date,wild\n"
        "1,true,=1+1,2020-01-31,1\n"
        ',,"say ""hi""",,a\n'
        '0.1,false," x",,inf\n'
        '-1e+300,,"a\r\nb",,inf\n'
    )


def test_columns_of_every_library_are_written(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    table = {
        "a": pandas.Categorical([2, None]),
        "b": polars.Series([None, "x"]),
        "c": pyarrow.array([None, datetime.date(2020, 1, 31)]),
        "d": pandas.Series([datetime.datetime(2020, 1, 31), None]),
    }
    write_table(tmp_path / "a.tsv", table)
    text = (tmp_path / "a.tsv").read_text()
    assert text == "a\tb\tc\td\n2\t\t\t2020-01-31 00:00:00\n\tx\t2020-01-31\t\n"


@pytest.mark.long
def test_a_wide_table_is_written_in_order(tmp_path: Path) -> None:
    numbers = np.arange(200_000)
    write_table(tmp_path / "a.csv", {"a": numbers, "b": numbers % 7})
    table = read_table(tmp_path / "a.csv")
    np.testing.assert_array_equal(table["a"], numbers)
    np.testing.assert_array_equal(table["b"], numbers % 7)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.xlsx", r"ends in \.csv, \.tsv"),
        ("absent/a.csv", "No such file"),
        ("folder.csv", "Is a directory"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(WriteError, match=message):
        write_table(tmp_path / name, {"a": [1]})
    assert [path.name for path in tmp_path.rglob("*")] == ["folder.csv"]


def test_text_that_is_none_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="no valid Unicode"):
        write_table(tmp_path / "a.csv", {"a": ["\ud800"]})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, OSError, SystemExit])
@pytest.mark.parametrize("before", [None, "old"])
def test_nothing_half_written_is_ever_seen(
    tmp_path: Path, error: type[BaseException], before: str | None
) -> None:
    path = tmp_path / "a.txt"
    if before is not None:
        path.write_text(before)

    def write_and_fail() -> None:
        with atomic_write(path) as file:
            file.write("half")
            file.flush()
            assert path.exists() == (before is not None)
            raise error

    with pytest.raises(error):
        write_and_fail()
    assert [p.name for p in tmp_path.iterdir()] == ([] if before is None else ["a.txt"])
    assert before is None or path.read_text() == before


def test_a_file_that_is_there_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with atomic_write(path) as file:
        file.write("one\r\n")
    plain_file = tmp_path / "plain.txt"
    plain_file.write_text("")
    assert path.stat().st_mode == plain_file.stat().st_mode
    path.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    with atomic_write(link, binary=True) as file:
        file.write(b"two\n")
    assert path.read_bytes() == b"two\n"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with atomic_write(os.devnull) as file:
        file.write("gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
