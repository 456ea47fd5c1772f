"""Tables of any library through one schema: the same data, the same array, the same complaint."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import pickle
import string
import sys
import warnings
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from treewright.exceptions import (
    DataError,
    DataTypeError,
    SchemaError,
    TreewrightError,
    UnseenLevelWarning,
    brief,
)
from treewright.schema import Column, Schema, encode_labels, encode_numbers, target_name

Table = dict[str, list[Any]]

# ---------------------------------------------------------------------------- containers


def to_pandas(table: Table) -> Any:
    return pytest.importorskip("pandas").DataFrame(table)


def to_pandas_objects(table: Table) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({k: pandas.Series(v, dtype=object) for k, v in table.items()})


def to_pandas_nullable(table: Table) -> Any:
    return to_pandas(table).convert_dtypes()


def to_polars(table: Table) -> Any:
    return pytest.importorskip("polars").DataFrame(table, strict=False)


def to_pyarrow(table: Table) -> Any:
    return pytest.importorskip("pyarrow").table(table)


def to_pyarrow_chunks(table: Table) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    whole = pyarrow.table(table)
    return pyarrow.concat_tables([whole.slice(0, 1), whole.slice(1)])


def to_records(table: Table) -> Any:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def to_arrays(table: Table) -> Any:
    return {name: np.array(cells, dtype=object) for name, cells in table.items()}


CONTAINERS: dict[str, Callable[[Table], Any]] = {
    "pandas": to_pandas,
    "pandas objects": to_pandas_objects,
    "pandas nullable": to_pandas_nullable,
    "polars": to_polars,
    "pyarrow": to_pyarrow,
    "pyarrow chunks": to_pyarrow_chunks,
    "list of dicts": to_records,
    "dict of arrays": to_arrays,
}
every_container = pytest.mark.parametrize("container", CONTAINERS)

PEOPLE: Table = {
    "age": [31, 58, None, 44],
    "income": [20.5, None, 41.0, 33.25],
    "home": ["rent", "own", "rent", None],
    "member": [True, None, False, True],
}
PEOPLE_VALUES = np.array(
    [
        [31, 20.5, 1, 1],
        [58, np.nan, 0, np.nan],
        [np.nan, 41.0, 1, 0],
        [44, 33.25, np.nan, 1],
    ]
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw tables of one to four columns; each column has a cell that is not missing."""
    n_rows = draw(st.integers(1, 8))
    cells = [
        st.integers(-(2**40), 2**40),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.text(st.characters(codec="utf-8"), max_size=5),
    ]
    table: Table = {}
    for name in draw(st.lists(st.text(string.ascii_letters, min_size=1), min_size=1, unique=True)):
        kind = draw(st.sampled_from(cells))
        column = draw(st.lists(st.none() | kind, min_size=n_rows, max_size=n_rows))
        column[draw(st.integers(0, n_rows - 1))] = draw(kind)
        table[name] = column
    return table


# ---------------------------------------------------------------------------- learning


@every_container
def test_each_container_gives_the_same_schema_and_array(container: str) -> None:
    schema, values = Schema.from_data(CONTAINERS[container](PEOPLE))
    assert schema == Schema(
        (
            Column("age", "numeric"),
            Column("income", "numeric"),
            Column("home", "categorical", ("own", "rent")),
            Column("member", "boolean"),
        )
    )
    np.testing.assert_array_equal(values, PEOPLE_VALUES)
    assert values.flags.f_contiguous
    assert values.dtype == np.float64
    assert schema.n_levels.tolist() == [0, 0, 2, 2]
    assert schema.n_levels.dtype == np.int32


@given(tables())
def test_containers_agree(table: Table) -> None:
    expected_schema, expected = Schema.from_data(table)
    for make in (to_pandas, to_pandas_objects, to_polars, to_pyarrow, to_records):
        schema, values = Schema.from_data(make(table))
        assert schema == expected_schema
        np.testing.assert_array_equal(values, expected)


@given(tables(), st.randoms())
def test_encoding_does_not_depend_on_container_order_or_further_columns(
    table: Table, random: Any
) -> None:
    schema, values = Schema.from_data(table)
    names = list(table)
    random.shuffle(names)
    shuffled = {name: table[name] for name in names}
    shuffled["!"] = [datetime.date(2020, 1, 1)] * len(values)
    for make in (dict, to_pandas, to_polars, to_pyarrow, to_records):
        np.testing.assert_array_equal(schema.encode(make(shuffled)), values)


@given(tables(), st.data())
def test_encoding_part_of_the_rows_gives_part_of_the_array(table: Table, data: Any) -> None:
    schema, values = Schema.from_data(table)
    rows = data.draw(st.lists(st.integers(0, len(values) - 1), min_size=1))
    part = {name: [cells[row] for row in rows] for name, cells in table.items()}
    for make in (dict, to_pandas, to_polars, to_pyarrow, to_records):
        np.testing.assert_array_equal(schema.encode(make(part)), values[rows])


@pytest.mark.parametrize("order", ["C", "F"])
def test_float_arrays_are_not_copied(order: Any) -> None:
    X = np.asarray(np.random.default_rng(0).normal(size=(50, 3)), order=order)
    X[3, 1] = np.nan
    X.flags.writeable = False
    schema, values = Schema.from_data(X)
    assert np.shares_memory(values, X)
    assert np.shares_memory(schema.encode(X), X)
    assert schema.names == ("x0", "x1", "x2")
    assert not schema.named


def test_strided_and_swapped_arrays_become_contiguous_ones() -> None:
    X = np.arange(24.0).reshape(6, 4)
    for part in (X[::2, 1:], X.astype(">f8"), X.astype(np.float32), X.astype(np.uint8)):
        _, values = Schema.from_data(part)
        assert values.flags.c_contiguous or values.flags.f_contiguous
        assert values.dtype == np.float64
        assert values.dtype.isnative
        np.testing.assert_array_equal(values, part)


def test_memory_maps_are_read_as_plain_arrays(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.eye(3))
    _, values = Schema.from_data(np.load(tmp_path / "x.npy", mmap_mode="r"))
    assert type(values) is np.ndarray


def test_arrays_of_other_types_are_read_column_by_column() -> None:
    rows = [[1, "a", True], [2, "b", None]]
    expected = [("numeric", ()), ("categorical", ("a", "b")), ("boolean", (False, True))]
    for X in (rows, tuple(map(tuple, rows)), np.array(rows, dtype=object)):
        schema, values = Schema.from_data(X)
        assert [(c.kind, c.levels) for c in schema.columns] == expected
        np.testing.assert_array_equal(values, [[1, 0, 1], [2, 1, np.nan]])
    text, codes = Schema.from_data(np.array([["b", "x"], ["a", "x"]]))
    assert text.columns[0].levels == ("a", "b")
    np.testing.assert_array_equal(codes, [[1, 0], [0, 0]])
    truth, _ = Schema.from_data(np.array([[True], [False]]))
    assert truth.columns[0].kind == "boolean"
    masked, values = Schema.from_data(np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]))
    assert masked.columns[1].kind == "numeric"
    np.testing.assert_array_equal(values, [[1, np.nan], [3, 4]])


class ArrayLike:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.eye(2)


def test_whatever_turns_into_an_array_is_a_table() -> None:
    np.testing.assert_array_equal(Schema.from_data(ArrayLike())[1], np.eye(2))


def test_marks_of_missing_cells() -> None:
    pandas = pytest.importorskip("pandas")
    marks = [None, float("nan"), np.nan, pandas.NA, pandas.NaT]
    for cell in ("x", True, 2, 2.5, decimal.Decimal("1.5")):
        _, values = Schema.from_data({"a": [cell, *marks]})
        assert np.isnan(values[1:]).all()
        assert not np.isnan(values[0, 0])


def test_a_column_without_any_value_keeps_its_place() -> None:
    schema, values = Schema.from_data({"a": [None, None], "b": [1, 2]})
    assert schema.columns[0] == Column("a", "categorical")
    assert schema.n_levels.tolist() == [0, 0]
    assert np.isnan(values[:, 0]).all()
    with pytest.warns(UnseenLevelWarning, match="'a' .'new': 1"):
        assert np.isnan(schema.encode([{"a": "new", "b": 1}])[0, 0])


def test_declared_categories_keep_their_order() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    sizes, cells = ["S", "M", "L"], ["L", "S", None]
    unordered = pandas.DataFrame({"a": pandas.Categorical(cells, sizes)})
    tables = [
        unordered,
        polars.DataFrame({"a": polars.Series(cells, dtype=polars.Enum(sizes))}),
        pyarrow.Table.from_pandas(unordered),
    ]
    for table in tables:
        schema, values = Schema.from_data(table)
        assert schema.columns[0] == Column("a", "categorical", ("S", "M", "L"))
        np.testing.assert_array_equal(values[:, 0], [2, 0, np.nan])
    ordered = pandas.DataFrame({"a": pandas.Categorical(cells, sizes, ordered=True)})
    for table in (ordered, pyarrow.Table.from_pandas(ordered)):
        schema, values = Schema.from_data(table)
        assert schema.columns[0] == Column("a", "ordinal", ("S", "M", "L"))
        assert schema.n_levels.tolist() == [0]
        np.testing.assert_array_equal(values[:, 0], [2, 0, np.nan])
        np.testing.assert_array_equal(schema.encode([{"a": "M"}]), [[1]])


def test_polars_categories_do_not_depend_on_what_was_read_before() -> None:
    polars = pytest.importorskip("polars")
    polars.Series(["zebra", "b"], dtype=polars.Categorical)
    table = polars.DataFrame({"a": polars.Series(["c", "a", "c"], dtype=polars.Categorical)})
    schema, values = Schema.from_data(table)
    assert schema.columns[0].levels == ("a", "c")
    assert values[:, 0].tolist() == [1, 0, 1]


def test_categories_that_are_no_text() -> None:
    pandas = pytest.importorskip("pandas")
    schema, values = Schema.from_data(pandas.DataFrame({"a": pandas.Categorical([3, 1, None])}))
    assert schema.columns[0] == Column("a", "categorical", (1, 3))
    np.testing.assert_array_equal(values[:, 0], [1, 0, np.nan])
    intervals, _ = Schema.from_data(pandas.DataFrame({"a": pandas.cut([1, 2, 9], [0, 5, 10])}))
    assert intervals.columns[0] == Column("a", "ordinal", ("(0, 5]", "(5, 10]"))
    with pytest.raises(DataError, match="infinite category"):
        Schema.from_data(pandas.DataFrame({"a": pandas.Categorical([1.0, math.inf])}))


def test_a_dictionary_may_name_a_level_twice_or_none() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 2, None]), [None, "b", "b"])
    schema, values = Schema.from_data(pyarrow.table({"a": column}))
    assert schema.columns[0].levels == ("b",)
    np.testing.assert_array_equal(values[:, 0], [np.nan, 0, 0, np.nan])


def test_numbers_of_every_type() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    money = [decimal.Decimal("1.5"), None]
    tables = [
        {"a": money},
        polars.DataFrame({"a": money}),
        pandas.DataFrame({"a": pandas.array([1.5, None], dtype="Float64")}),
        pandas.DataFrame({"a": pandas.arrays.SparseArray([1.5, np.nan])}),
        polars.DataFrame({"a": polars.Series([1.5, None], dtype=polars.Float32)}),
    ]
    for table in tables:
        schema, values = Schema.from_data(table)
        assert schema.columns[0].kind == "numeric"
        np.testing.assert_array_equal(values, [[1.5], [np.nan]])


def test_hostile_names_and_levels_are_kept_as_they_are() -> None:
    names = ["a\nb", "\x1b[31m", "'\"", "🌲" * 2, "", "x" * 10_000, "\u202e", "\ufeff"]
    levels = [*names, " ", "NaN", "None", "\0"]
    schema, values = Schema.from_data(dict.fromkeys(names, levels))
    assert schema.names == tuple(names)
    assert schema.columns[0].levels == tuple(sorted(levels))
    assert sorted(values[:, 0]) == list(range(len(levels)))
    assert Schema.from_json(json.loads(json.dumps(schema.to_json()))) == schema


def test_names_that_are_no_text() -> None:
    pandas = pytest.importorskip("pandas")
    schema, _ = Schema.from_data(pandas.DataFrame([[1, 2]]))
    assert schema.names == ("0", "1")
    np.testing.assert_array_equal(schema.encode([[3, 4]]), [[3, 4]])  # without a warning
    with pytest.raises(DataError, match=r"'0' stands twice .once as 0, once as '0'"):
        Schema.from_data(pandas.DataFrame([[1, 2]], columns=[0, "0"]))


# ---------------------------------------------------------------------------- refusing

NESTED = "must be a string, a boolean or a number"
REFUSED: list[tuple[Any, type[Exception], str]] = [
    (None, TypeError, "Expected a table .* got None"),
    ("loans.csv", TypeError, "got 'loans.csv'"),
    (object(), TypeError, "got an object of type object"),
    (np.zeros(3), ValueError, "Expected 2D array, got 1D array instead.* Reshape your data"),
    ([1, 2], ValueError, "Reshape your data"),
    (np.float64(1), ValueError, "Reshape your data"),
    (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3"),
    (
        np.zeros((0, 3)),
        ValueError,
        r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\.",
    ),
    (
        np.zeros((5, 0)),
        ValueError,
        r"0 feature\(s\) \(shape=\(5, 0\)\) while a minimum of 1 is required\.",
    ),
    ({}, ValueError, r"0 feature\(s\)"),
    ([{}], ValueError, r"0 feature\(s\)"),
    ({"a": []}, ValueError, r"0 sample\(s\)"),
    ([[1, 2], [3]], ValueError, "not of one length"),
    ({"a": [1], "b": [1, 2]}, ValueError, "'b' has 2 cells, but column 'a' has 1"),
    ({"age": 31}, TypeError, r"'age' .* pass \[row\]"),
    ({"age": "old"}, TypeError, r"'age' .* pass \[row\]"),
    ([{"a": 1}, None], TypeError, "got None among them"),
    ([{"a": 1}, [2]], TypeError, r"got \[2\] among them"),
    (np.array([(1, 2)], dtype=[("a", "i4"), ("b", "i4")]), TypeError, "Structured arrays"),
    (np.eye(1).view(np.matrix), TypeError, "np.matrix is not supported"),
    (np.array([[1 + 1j]]), ValueError, "Complex data not supported: column 'x0'"),
    ({"z": [1j, 2]}, ValueError, "Complex data not supported: column 'z'"),
    ({"when": [None, datetime.date(2020, 1, 31)]}, TypeError, "'when' .* '2020-01-31' .1 value"),
    ({"when": np.array(["2020-01-31"], "M8[D]")}, TypeError, "'when' holds dates"),
    ({"when": [datetime.timedelta(1)]}, TypeError, "'when' holds dates or times"),
    ({"tags": [["a"], ["b"]]}, TypeError, rf"'tags' .* \['a'\] .2 values.*{NESTED}"),
    ({"tags": [1.5, {"foo": "bar"}]}, TypeError, f"'tags' holds dict .1?.*{NESTED}"),
    ({"tags": np.zeros((2, 2))}, TypeError, f"'tags' holds ndarray .*{NESTED}"),
    ({"raw": [b"x"]}, TypeError, "'raw' holds bytes such as b'x' .1 value"),
    (np.array([[b"x"]]), TypeError, "'x0' holds bytes"),
    ({"a": [1, "b", 2]}, TypeError, r"'a' mixes numbers such as 1 \(2 values\) with text .* 'b'"),
    ({"a": [True, "b"]}, TypeError, "'a' mixes booleans such as True"),
    ({"a": [datetime.date(2020, 1, 31), 3]}, TypeError, "'a' mixes dates"),
    ({"a": [10**400]}, ValueError, "'a' holds a number too large"),
    ({"a": ["\ud800"]}, ValueError, "'a' is no valid Unicode"),
    (
        {"a": [1.0, math.inf, -math.inf]},
        ValueError,
        r"'a' holds infinity: inf at position 1 \(2 values in all\)",
    ),
    (
        np.array([[1.0, np.nan], [2.0, -np.inf]]),
        ValueError,
        r"'x1' holds infinity: -inf at position 1 \(1 value in all\)",
    ),
]


@pytest.mark.parametrize(("X", "error", "message"), REFUSED)
def test_what_is_no_table_is_refused_in_one_sentence(
    X: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        Schema.from_data(X)
    assert isinstance(caught.value, DataError)
    assert "\n" not in str(caught.value)


def test_sparse_data_is_refused() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for make in (sparse.csr_array, sparse.coo_matrix):
        with pytest.raises(TypeError, match="Sparse data was passed"):
            Schema.from_data(make(np.eye(3)))


def test_frames_that_are_no_tables_are_refused() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    twice = [
        pandas.DataFrame([[1, 2]], columns=["a", "a"]),
        pyarrow.table([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"]),
    ]
    for table in twice:
        with pytest.raises(DataError, match="Column name 'a' stands twice"):
            Schema.from_data(table)
    with pytest.raises(DataTypeError, match="collect"):
        Schema.from_data(polars.LazyFrame({"a": [1]}))
    for series in (pandas.Series([1]), polars.Series([1])):
        with pytest.raises(DataError, match="Reshape your data"):
            Schema.from_data(series)
    for empty in (pandas.DataFrame(), polars.DataFrame()):
        with pytest.raises(DataError, match="0 feature"):
            Schema.from_data(empty)
    with pytest.raises(DataError, match=r"0 sample\(s\) \(shape=\(0, 1\)\)"):
        Schema.from_data(pandas.DataFrame({"a": []}))
    for column in ([datetime.datetime(2020, 1, 31)], [[1]], [{"k": 1}], [b"x"], [math.inf]):
        with pytest.raises(DataError, match="Column 'a'"):
            Schema.from_data(polars.DataFrame({"a": column}))
        with pytest.raises(DataError, match="Column 'a'"):
            Schema.from_data(pyarrow.table({"a": column}))
    with pytest.raises(DataError, match="Column 'a'"):
        Schema.from_data(pandas.DataFrame({"a": pandas.period_range("2020", periods=2)}))


# ---------------------------------------------------------------------------- encoding


@pytest.fixture
def schema() -> Schema:
    return Schema(
        (
            Column("age", "numeric"),
            Column("home", "categorical", ("own", "rent")),
            Column("member", "boolean"),
            Column("grade", "categorical", (1, 2)),
            Column("size", "ordinal", ("S", "M", "L")),
        )
    )


ROW = {"age": 5, "home": "rent", "member": False, "grade": 2, "size": "M"}


@pytest.mark.parametrize(
    ("change", "column", "expected"),
    [
        ({"age": 5.5}, 0, 5.5),
        ({"age": True}, 0, 1),
        ({"age": np.int8(3)}, 0, 3),
        ({"age": None}, 0, np.nan),
        ({"home": np.str_("own")}, 1, 0),
        ({"member": 1}, 2, 1),
        ({"member": 0.0}, 2, 0),
        ({"member": np.bool_(True)}, 2, 1),
        ({"member": None}, 2, np.nan),
        ({"grade": 1.0}, 3, 0),
        ({"grade": True}, 3, 0),
        ({"size": "L"}, 4, 2),
        ({"extra": object()}, 0, 5),
    ],
)
def test_cells_of_another_type_mean_the_same(
    schema: Schema, change: dict[str, Any], column: int, expected: float
) -> None:
    expected_row = np.array([[5, 1, 0, 1, 1]], dtype=float)
    expected_row[0, column] = expected
    np.testing.assert_array_equal(schema.encode([{**ROW, **change}]), expected_row)


def test_categories_of_another_order_mean_the_same(schema: Schema) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([ROW, {**ROW, "home": "own", "grade": 1}]).assign(
        home=lambda f: f["home"].astype(pandas.CategoricalDtype(["zoo", "rent", "own"])),
        age=lambda f: f["age"].astype("category"),
        grade=lambda f: f["grade"].astype("float32"),
        size=lambda f: f["size"].astype(pandas.CategoricalDtype(["L", "M"])),
    )
    np.testing.assert_array_equal(schema.encode(frame), [[5, 1, 0, 1, 1], [5, 0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": "old"}, "'age' held numbers .* text such as 'old' .1 value.; convert"),
        ({"home": 3}, "'home' held text such as 'own' .* numbers such as 3 .1 value"),
        ({"home": True}, "'home' held text .* numbers such as True"),
        ({"member": 2}, "'member' held true and false .* holds 2 .1 value"),
        ({"member": "yes"}, "'member' held true and false .* holds 'yes'"),
        ({"grade": "2"}, "'grade' held numbers such as 1 .* text such as '2'"),
        ({"size": 1}, "'size' held text .* numbers such as 1"),
    ],
)
def test_text_for_numbers_and_the_reverse_is_refused(
    schema: Schema, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        schema.encode([{**ROW, **change}])


@every_container
def test_unseen_levels_become_missing_and_are_counted_once(schema: Schema, container: str) -> None:
    table = {name: [cell] * 4 for name, cell in ROW.items()}
    table["home"] = ["tent", "own", "boat", "tent"]
    table["grade"] = [1, 2, 7, 7]
    with pytest.warns(UnseenLevelWarning) as caught:
        values = schema.encode(CONTAINERS[container](table))
    np.testing.assert_array_equal(values[:, 1], [np.nan, 0, np.nan, np.nan])
    np.testing.assert_array_equal(values[:, 3], [0, 1, np.nan, np.nan])
    assert str(caught[0].message) == (
        "3 values of column 'home' ('boat': 1, 'tent': 2), 2 values of column 'grade' (7: 2) "
        "did not occur when the tree was grown; they are treated as missing."
    )
    assert len(caught) == 1


def test_many_unseen_levels_make_a_short_warning(schema: Schema) -> None:
    rows = [{**ROW, "home": f"{n:03}" + "x" * 1000} for n in range(500)]
    with pytest.warns(UnseenLevelWarning, match="500 values .* and 497 more") as caught:
        schema.encode(rows)
    assert len(str(caught[0].message)) < 500


def test_a_level_is_its_type_and_its_value() -> None:
    schema = Schema((Column("a", "categorical", ("1", 1, 1.0, True)),))
    for code, level in enumerate(schema.columns[0].levels):
        column = Schema((Column("a", "categorical", (level,)),))
        if isinstance(level, str | bool):
            assert schema.encode({"a": [level]})[0, 0] == code
        assert column.encode({"a": [level]})[0, 0] == 0
    assert Schema((Column("a", "categorical", (1,)),)) != Schema(
        (Column("a", "categorical", (True,)),)
    )
    assert Column("a", "categorical", (1,)) != Column("a", "categorical", (1.0,))


def test_missing_columns_are_named(schema: Schema) -> None:
    row: dict[str, Any] = dict(ROW)
    row["Age"] = row.pop("age")
    with pytest.raises(SchemaError, match=r"Column 'age' is missing .*there is 'Age'"):
        schema.encode([row])
    with pytest.raises(SchemaError, match="'age', 'home', 'member' and 2 more are missing"):
        schema.encode([{"else": 1}])


def test_columns_by_position(schema: Schema) -> None:
    X = np.array([[5, "rent", False, 2, "M"]], dtype=object)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but TreeClassifier"):
        values = schema.encode(X, estimator_name="TreeClassifier")
    np.testing.assert_array_equal(values, [[5, 1, 0, 1, 1]])
    message = "X has 3 features, but TreeClassifier is expecting 5 features as input"
    with pytest.raises(SchemaError, match=message):
        schema.encode(np.zeros((1, 3)), estimator_name="TreeClassifier")


def test_names_that_training_did_not_have() -> None:
    schema, _ = Schema.from_data(np.eye(2))
    with pytest.warns(UserWarning, match="X has feature names, but TreeClassifier was fitted"):
        values = schema.encode({"b": [1], "a": [2]}, estimator_name="TreeClassifier")
    np.testing.assert_array_equal(values, [[1, 2]])
    np.testing.assert_array_equal(schema.encode({"x1": [1], "x0": [2]}), [[2, 1]])
    with pytest.raises(SchemaError, match="X has 3 features"):
        schema.encode({"a": [1], "b": [2], "c": [3]})


def test_a_numeric_array_for_a_schema_with_categories() -> None:
    schema = Schema((Column("x0", "categorical", (1, 2)), Column("x1", "numeric")), named=False)
    values = schema.encode(np.array([[2.0, 0.5], [np.nan, 1.5]]))
    np.testing.assert_array_equal(values, [[1, 0.5], [np.nan, 1.5]])


def test_infinity_is_refused_in_new_data(schema: Schema) -> None:
    with pytest.raises(DataError, match="'age' holds infinity"):
        schema.encode([{**ROW, "age": math.inf}])


# ---------------------------------------------------------------------------- schema and JSON

levels = st.text(st.characters(codec="utf-8"), max_size=4) | st.integers(-3, 3) | st.booleans()
levels |= st.floats(allow_nan=False, allow_infinity=False) | st.just(2**64 - 1)
level_lists = st.lists(levels, min_size=1, unique_by=lambda level: (type(level), level)).map(tuple)
texts = st.text(st.characters(codec="utf-8"))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    columns = []
    for name in draw(st.lists(texts, min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(["numeric", "boolean", "categorical", "ordinal"]))
        chosen = draw(level_lists) if kind in ("categorical", "ordinal") else ()
        columns.append(Column(name, kind, chosen, draw(st.none() | texts)))  # type: ignore[arg-type]
    return Schema(
        tuple(columns), draw(st.none() | level_lists), draw(st.none() | texts), draw(st.booleans())
    )


@given(schemas())
def test_json_round_trip_is_exact(schema: Schema) -> None:
    again = Schema.from_json(json.loads(json.dumps(schema.to_json(), allow_nan=False)))
    assert again == schema
    assert hash(again) == hash(schema)
    assert repr(again) == repr(schema)
    assert pickle.loads(pickle.dumps(schema)) == schema


GOOD = {
    "columns": [{"name": "a", "kind": "categorical", "levels": ["x"], "unit": None}],
    "classes": ["no", "yes"],
    "target": "t",
    "named": True,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ([], "must be a JSON object"),
        ({"columns": None}, "must be a list"),
        ({"columns": []}, "at least one column"),
        ({"columns": [3]}, "A column must be a JSON object. Got 3"),
        ({"columns": [{"name": "a"}]}, "lacks 'kind'"),
        ({"columns": [{"name": "a", "kind": "numeric", "more": 1}]}, "unknown key 'more'"),
        ({"columns": [{"name": "a", "kind": "magic"}]}, "'a' must be one of .* Got 'magic'"),
        ({"columns": [{"name": "a", "kind": []}]}, r"'a' must be one of .* Got \[\]"),
        ({"columns": [{"name": 1, "kind": "numeric"}]}, "name must be text. Got 1"),
        ({"columns": [{"name": "\ud800", "kind": "numeric"}]}, "no valid Unicode"),
        ({"columns": [{"name": "a", "kind": "numeric", "levels": [1]}]}, "cannot have levels"),
        ({"columns": [{"name": "a", "kind": "numeric", "unit": 5}]}, "unit .* must be text"),
        ({"columns": [{"name": "a", "kind": "ordinal"}]}, "at least one level"),
        ({"columns": [{"name": "a", "kind": "boolean", "levels": [0, 1]}]}, "are false, true"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": "xy"}]}, "must be a list"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": [1, 1]}]}, "1 .* stands twice"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": [math.nan]}]}, "not finite"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": [[1]]}]}, r"Got \[1\]"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": [None]}]}, "Got None"),
        ({"columns": [{"name": "a", "kind": "ordinal", "levels": [2**64]}]}, "64 bits"),
        ({"columns": [{"name": "a", "kind": "numeric"}] * 2}, "'a' stands twice"),
        ({"classes": "ab"}, "must be a list or null"),
        ({"classes": []}, "at least one label"),
        ({"classes": ["a", "a"]}, "stands twice"),
        ({"classes": [10**5000]}, "64 bits"),
        ({"target": 5}, "target must be text"),
        ({"named": 1}, "must be a bool"),
        ({"extra": 1}, "unknown key 'extra'"),
    ],
)
def test_broken_json_is_refused_in_one_sentence(change: Any, message: str) -> None:
    data = {**GOOD, **change} if isinstance(change, dict) else change
    with pytest.raises(SchemaError, match=message) as caught:
        Schema.from_json(data)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(list(GOOD)), inner),
)


@pytest.mark.long
@given(anything)
def test_any_json_is_read_or_refused(data: Any) -> None:
    try:
        Schema.from_json(data)
    except SchemaError:
        return


def test_units_and_target() -> None:
    plain = Schema((Column("age", "numeric"), Column("income", "numeric", unit="euro")))
    schema = plain.with_units({"age": "years"})
    assert [column.unit for column in schema.columns] == ["years", "euro"]
    assert plain.columns[0].unit is None
    with pytest.raises(SchemaError, match=r"no column 'agee' .but there is 'age'"):
        plain.with_units({"agee": "years"})
    target = schema.with_target("repaid", ["no", "yes"])
    assert (target.target, target.classes) == ("repaid", ("no", "yes"))
    assert target.with_target("rate").classes is None


def test_a_schema_cannot_be_changed() -> None:
    schema = Schema((Column("age", "numeric"),))
    with pytest.raises(AttributeError):
        schema.target = "x"  # type: ignore[misc]
    with pytest.raises(SchemaError, match="must be Columns"):
        Schema(("age",))  # type: ignore[arg-type]


# ---------------------------------------------------------------------------- target


@pytest.mark.parametrize(
    ("y", "codes", "classes"),
    [
        (["b", "a", "b"], [1, 0, 1], ("a", "b")),
        ([3, -1, 3], [1, 0, 1], (-1, 3)),
        ([1.0, 0.0], [1, 0], (0.0, 1.0)),
        ((True, False), [1, 0], (False, True)),
        (np.array([2**62, 5]), [1, 0], (5, 2**62)),
        (np.array(["b", "a"]), [1, 0], ("a", "b")),
        (np.array([1, 0], dtype=object), [1, 0], (0, 1)),
        (np.array([200, 3], dtype=np.uint8), [1, 0], (3, 200)),
        (np.array([127, -128], dtype=np.int8), [1, 0], (-128, 127)),
        (np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64), [1, 0], (2**64 - 3, 2**64 - 1)),
        (np.array([5, 4, 6]), [1, 0, 2], (4, 5, 6)),
        ([7], [0], (7,)),
    ],
)
def test_labels(y: Any, codes: list[int], classes: tuple[Any, ...]) -> None:
    found, labels = encode_labels(y, n_rows=len(codes))
    assert found.tolist() == codes
    assert found.dtype == np.int32
    assert [(type(label), label) for label in labels] == [(type(c), c) for c in classes]


@given(st.lists(st.integers(-1000, 1000) | st.integers(-(2**60), 2**60), min_size=1))
def test_labels_follow_the_order_of_numpy_unique(y: list[int]) -> None:
    expected, inverse = np.unique(y, return_inverse=True)
    codes, labels = encode_labels(y)
    assert list(labels) == expected.tolist()
    np.testing.assert_array_equal(codes, inverse)


def test_targets_of_every_library() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    series = [
        pandas.Series(["b", "a"], name="t"),
        pandas.Series(pandas.Categorical(["b", "a"], ["c", "b", "a"]), name="t"),
        polars.Series("t", ["b", "a"]),
        polars.Series("t", ["b", "a"], dtype=polars.Categorical),
        pyarrow.chunked_array([["b"], ["a"]]),
        pyarrow.array(["b", "a"]),
    ]
    for y in series:
        codes, classes = encode_labels(y)
        assert (codes.tolist(), classes) == ([1, 0], ("a", "b"))
    assert [target_name(y) for y in series] == ["t", "t", "t", "t", None, None]
    for y in (pandas.Series([1, 2]), polars.Series([1, 2]), pyarrow.array([1, 2])):
        assert encode_numbers(y).tolist() == [1.0, 2.0]


def test_numbers_to_predict() -> None:
    y = np.array([1.5, 2.5])
    assert encode_numbers(y) is y
    assert encode_numbers([True, False]).tolist() == [1, 0]
    assert encode_numbers(np.arange(6.0)[::2]).flags.c_contiguous
    with pytest.raises(DataError, match="'y' holds text such as 'a', but Reg predicts numbers"):
        encode_numbers(["a"], estimator_name="Reg")


both = pytest.mark.parametrize("encode", [encode_labels, encode_numbers])


@both
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "Tree.* requires y to be passed, but the target y is None"),
        ([1, 2], r"Found input variables with inconsistent numbers of samples: \[3, 2\]"),
        (np.zeros((3, 2)), r"y should be a 1d array, got an array of shape \(3, 2\)"),
        ([[1], [2, 3], [4]], "y should be a 1d array"),
        ("abc", "y should be a 1d array, got 'abc'"),
        (5, "y should be a 1d array"),
        ([1.0, math.nan, None], "'y' is missing in 2 of 3 rows, first at position 1"),
        (["a", None, "b"], "'y' is missing in 1 of 3 rows, first at position 1"),
        ([None] * 3, "'y' is missing in 3 of 3 rows"),
        ([1.0, math.inf, 2.0], "'y' holds infinity"),
        ([1, "a", 2], "'y' mixes"),
        ([1j, 2, 3], "Complex data not supported"),
        ([datetime.date(2020, 1, 31)] * 3, "'y' holds dates"),
    ],
)
def test_a_target_that_is_none_is_refused(encode: Any, y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode(y, n_rows=3)


def test_continuous_labels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.* 0.5 \(2 values"):
        encode_labels([1.0, 0.5, 2.5])
    with pytest.raises(DataError, match=r"0 sample\(s\)"):
        encode_labels([])


def test_a_column_vector_is_taken_with_a_warning() -> None:
    exceptions = pytest.importorskip("sklearn.exceptions")
    pandas = pytest.importorskip("pandas")
    for y in (np.array([[1], [0]]), [[1], [0]], pandas.DataFrame({"t": [1, 0]})):
        with pytest.warns(exceptions.DataConversionWarning, match="A column-vector y was passed"):
            codes, _ = encode_labels(y)
        assert codes.tolist() == [1, 0]
    assert target_name(pandas.DataFrame({"t": [1, 0]})) == "t"


# ---------------------------------------------------------------------------- the rest


@given(st.text() | st.integers() | st.floats() | st.binary() | st.just(10**5000))
def test_quoted_values_are_short_and_on_one_line(value: Any) -> None:
    text = brief(value)
    assert len(text) <= 60
    assert text.isprintable()


def test_our_errors_are_also_the_usual_ones() -> None:
    assert issubclass(DataError, TreewrightError)
    assert issubclass(DataError, ValueError)
    assert issubclass(DataTypeError, TypeError)
    assert issubclass(SchemaError, DataError)


def test_no_frame_library_is_imported_for_plain_data() -> None:
    import subprocess

    program = (
        "import sys; from treewright.schema import Schema; import numpy as np\n"
        "Schema.from_data([{'a': 1, 'b': 'x'}]); Schema.from_data(np.eye(2))\n"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'narwhals', 'sklearn', 'scipy')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_nothing_is_warned_about_clean_data() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema, values = Schema.from_data(PEOPLE)
        np.testing.assert_array_equal(schema.encode(to_records(PEOPLE)), values)


def test_a_column_remembers_that_values_were_missing_in_training() -> None:
    table = {"age": [1.0, None], "city": ["Oslo", None], "size": [1e308, 1e308], "kin": ["a", "b"]}
    schema, _ = Schema.from_data(table)
    assert [column.has_missing for column in schema.columns] == [True, True, False, False]
    again = Schema.from_json(json.loads(json.dumps(schema.to_json())))
    assert [column.has_missing for column in again.columns] == [True, True, False, False]
    with pytest.raises(SchemaError, match="'has_missing' of column 'age' must be a bool"):
        Column.from_json({"name": "age", "kind": "numeric", "has_missing": 1})
