"""Whatever a large table comes from, its rows and levels are those of the table in memory."""

from __future__ import annotations

import os
import pickle
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from parquet_tables import loans, write_parts
from pyarrow import dataset, parquet

from treewright.bigdata.encoding import EncodedPiece, Encoder
from treewright.bigdata.engines import StreamingEngine
from treewright.bigdata.partitions import read_pieces, runs_of
from treewright.bigdata.schemas import MOST_LEVELS, Survey, choose_roles, schema_of
from treewright.bigdata.sources import open_source
from treewright.exceptions import DataError, DataTypeError, TableFileError
from treewright.schema import Schema


def rows_of(source, size=50, columns=None, **options) -> pa.Table:
    """All rows of a source."""
    with open_source(source, rows_per_partition=size, **options) as stored:
        names = stored.schema.names if columns is None else columns
        assert max(piece.n_rows for piece in stored.pieces) <= size
        assert [piece.number for piece in stored.pieces] == list(range(len(stored.pieces)))
        read = [rows for run in runs_of(stored.pieces) for _, rows in read_pieces(run, names)]
        assert [rows.num_rows for rows in read] == [piece.n_rows for piece in stored.pieces]
        return pa.concat_tables(read)


def learned(source, target="repaid", weight=None, drop=(), *, has_classes=True, size=50):
    """Schema, and how rows are read, of a source."""
    with open_source(source, rows_per_partition=size) as stored:
        roles = choose_roles(
            stored, target, weight, drop, has_classes=has_classes, estimator_name="a test"
        )
        found = StreamingEngine(stored.pieces, False).run(Survey.of(stored, roles))
        schema = schema_of(stored, roles, found)
        total = float(found.weight)
        encoder = Encoder(schema, roles, None, total, total)
        return schema, [EncodedPiece(piece, encoder) for piece in stored.pieces]


def same(one: pa.Table, other: pa.Table) -> bool:
    return one.select(other.column_names).to_pylist() == other.to_pylist()


# ---------------------------------------------------------------------------- files


@pytest.mark.parametrize("size", [1, 7, 40, 99, 1000])
def test_a_file_a_folder_and_a_glob_give_all_rows_in_order(table, folder, size):
    assert same(rows_of(folder, size), table)
    assert same(rows_of(str(folder / "*.parquet"), size), table)
    assert same(rows_of([folder / f"part-{place}.parquet" for place in range(3)], size), table)
    assert same(rows_of(folder / "part-0.parquet", size), table.slice(0, 100))


def test_a_dataset_gives_its_rows_filtered_or_not(table, folder):
    whole = dataset.dataset(folder)
    assert same(rows_of(whole), table)
    assert same(
        rows_of(whole.filter(dataset.field("children") > 2)),
        table.filter(pa.compute.greater(table["children"], 2)),
    )
    assert same(rows_of(dataset.dataset(table)), table)


def test_folders_that_are_named_after_values_are_a_column(tmp_path):
    table = pa.table({"x": [1.0, 2.0, 3.0], "year": [2020, 2020, 2021]})
    dataset.write_dataset(
        table, tmp_path / "t", format="parquet", partitioning=["year"], partitioning_flavor="hive"
    )
    for source in (tmp_path / "t", dataset.dataset(tmp_path / "t", partitioning="hive")):
        assert rows_of(source)["year"].to_pylist() == [2020, 2020, 2021]
        assert rows_of(source, columns=["year"]).num_rows == 3


def test_marks_of_other_programs_in_a_folder_are_left_alone(table, folder):
    (folder / "_SUCCESS").touch()
    (folder / "notes.txt").write_text("not a table")
    assert same(rows_of(folder), table)


def test_hostile_column_names_are_found(tmp_path):
    names = ["a.b", "a", "", "x'\n", "A", "__index_level_0__"]
    table = pa.table([[float(place)] for place in range(6)], names=names)
    parquet.write_table(table, tmp_path / "t.parquet")
    assert same(rows_of(tmp_path / "t.parquet"), table.drop_columns(["__index_level_0__"]))
    assert rows_of(tmp_path / "t.parquet", columns=["a"]).to_pydict() == {"a": [1.0]}


def test_partitions_pickle(folder):
    _, pieces = learned(folder, drop=["weight", "amount"])
    again = pickle.loads(pickle.dumps(pieces))
    assert [piece.load([0]).values.shape for piece in again] == [
        piece.load([0]).values.shape for piece in pieces
    ]
    assert "part-0.parquet" in again[0].name


# ---------------------------------------------------------------------------- lazy tables


def test_a_lazy_frame_of_polars_is_read_once_and_leaves_nothing(table, tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "x": [1.0, None, 3.0] * 40,
            "c": polars.Series(["b", "a", None] * 40, dtype=polars.Categorical),
            "e": polars.Series(["y", "x", None] * 40, dtype=polars.Enum(["z", "y", "x"])),
            "repaid": ["yes", "no", "no"] * 40,
        }
    )
    expected, _ = Schema.from_data(frame.drop("repaid"))
    schema, _ = learned(frame.lazy())
    assert schema.columns == expected.columns
    assert rows_of(frame.lazy(), scratch_folder=tmp_path).num_rows == 120
    assert list(tmp_path.iterdir()) == []


def test_a_relation_of_duckdb_is_read(table):
    duckdb = pytest.importorskip("duckdb")
    plain = table.drop_columns(["grade", "note"])
    relation = duckdb.from_arrow(plain)
    assert same(rows_of(relation), plain)


def test_batches_that_come_once_are_read(table):
    assert same(rows_of(table.to_reader(max_chunksize=13)), table)


def test_a_dask_frame_is_read(table):
    dask_frames = pytest.importorskip("dask.dataframe")
    frame = dask_frames.from_pandas(table.drop_columns(["note"]).to_pandas(), npartitions=4)
    expected, _ = Schema.from_data(frame.compute().drop(columns="repaid"))
    schema, pieces = learned(frame)
    assert schema.columns == expected.columns
    assert sum(piece.piece.n_rows for piece in pieces) == table.num_rows


@pytest.mark.parametrize("source", [3, None, {"a": [1]}, [1.0]])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(DataTypeError, match="A source must be a Parquet file"):
        rows_of(source)


# ---------------------------------------------------------------------------- schema and rows


@pytest.mark.parametrize("size", [3, 50, 1000])
def test_schema_and_values_are_those_of_the_table_in_memory(size, tmp_path):
    table = loans(200, seed=3)
    folder = write_parts(table, tmp_path / "t", 2)
    expected, values = Schema.from_data(table.drop_columns(["repaid"]), target="repaid")
    schema, pieces = learned(folder, size=size)
    assert schema.columns == expected.columns
    assert [one.has_missing for one in schema.columns] == [
        one.has_missing for one in expected.columns
    ]
    for columns in (range(schema.n_columns), [1], [0, 3, 5]):
        read = np.concatenate([piece.load(columns).values for piece in pieces])
        assert np.array_equal(read, values[:, columns], equal_nan=True)


def test_rows_of_weight_zero_are_as_if_absent(tmp_path):
    table = pa.table(
        {"home": ["a", "b", "z"], "x": [1.0, 2.0, np.inf], "y": ["n", "m", "o"], "w": [1, 2, 0]}
    )
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=1)
    schema, pieces = learned(tmp_path / "t.parquet", "y", "w", size=1)
    assert schema.columns[0].levels == ("a", "b")
    assert schema.classes == ("m", "n")
    assert [len(piece.load([0]).target) for piece in pieces] == [1, 1, 0]
    assert pieces[1].load([]).weights.tolist() == [2.0]


def test_categories_keep_the_order_in_which_files_declare_them(tmp_path):
    for place, levels in enumerate([["z", "b"], ["b", "a"]]):
        column = pa.DictionaryArray.from_arrays([0, 1], levels)
        table = pa.table({"c": column, "repaid": ["x", "y"]})
        parquet.write_table(table, tmp_path / f"{place}.parquet")
    whole = parquet.read_table(tmp_path)
    expected, _ = Schema.from_data(whole.select(["c"]))
    schema, pieces = learned(tmp_path)
    assert schema.columns == expected.columns
    assert schema.columns[0].levels == ("z", "b", "a")
    assert pieces[1].load([0]).values.ravel().tolist() == [1.0, 2.0]


# ---------------------------------------------------------------------------- faults, by name


def write(folder: Path, **columns) -> Path:
    columns.setdefault("repaid", ["yes", "no", "yes", "no"])
    parquet.write_table(pa.table(columns), folder / "t.parquet", row_group_size=2)
    return folder / "t.parquet"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"x": [1.0, 2.0, 3.0, np.inf]}, r"row group 1 of .*t\.parquet.*'x' holds infinity"),
        (
            {"x": [1, 2, 3, 4], "repaid": ["a", "b", None, "a"]},
            r"row group 1 of .*t\.parquet.*'repaid' is missing in 1 of 2 rows",
        ),
        (
            {"x": [1, 2, 3, 4], "repaid": [1.0, 2.0, 0.0, 0.5]},
            r"row group 1 of .*t\.parquet.*continuous",
        ),
        ({"x": [1, 2, 3, 4], "repaid": [1.0, np.nan, 0.0, 1.0]}, "row group 0 of .*'repaid'"),
    ],
)
def test_a_fault_of_the_data_names_file_row_group_and_column(tmp_path, columns, words):
    with pytest.raises(DataError, match=words):
        learned(write(tmp_path, **columns))


@pytest.mark.parametrize("weight", [[1.0, -1.0, 1.0, 1.0], [1.0, None, 1.0, 1.0]])
def test_a_weight_that_is_none_is_named(tmp_path, weight):
    path = write(tmp_path, x=[1, 2, 3, 4], w=pa.array(weight))
    with pytest.raises(DataError, match=r"row group 0 of .*'w' must be numbers.*1 of 2"):
        learned(path, weight="w")


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.array([1, 2, 3, 4], pa.timestamp("s")), "'d' is of the type timestamp.*the year"),
        (pa.array([b"a"] * 4), "'d' is of the type binary.*decode bytes"),
        (pa.array([[1]] * 4), "'d' is of the type list.*columns of their own.*drop"),
    ],
)
def test_a_type_that_no_tree_reads_is_refused_before_reading(tmp_path, column, words):
    with pytest.raises(DataTypeError, match=words):
        learned(write(tmp_path, d=column))
    with pytest.raises(DataError, match="no column to predict"):
        learned(write(tmp_path, d=column), drop=["d"])


def test_a_column_that_is_not_there_is_named(tmp_path):
    path = write(tmp_path, x=[1, 2, 3, 4])
    with pytest.raises(DataError, match=r"no column 'Repaid' \(but there is 'repaid'\)"):
        learned(path, target="Repaid")
    with pytest.raises(DataError, match="no column 'w'"):
        learned(path, weight="w")
    with pytest.raises(DataError, match="neither be dropped"):
        learned(path, drop=["repaid"])


def test_files_with_other_columns_are_named(table, folder):
    parquet.write_table(table.drop_columns(["income"]), folder / "part-7.parquet")
    with pytest.raises(DataError, match=r"part-7\.parquet' has no column 'income'"):
        learned(folder)
    parquet.write_table(table.append_column("b", table["income"]), folder / "part-7.parquet")
    with pytest.raises(DataError, match=r"part-7\.parquet' has a column 'b'"):
        learned(folder)
    other = table.set_column(0, "income", table["income"].cast(pa.float32()))
    parquet.write_table(other, folder / "part-7.parquet")
    with pytest.raises(DataError, match=r"'income' is float in .*part-7\.parquet' and double in"):
        learned(folder)


def test_too_many_levels_name_the_column(tmp_path):
    half = MOST_LEVELS // 2 + 1
    names = [f"name {place}" for place in range(2 * half)]
    table = pa.table({"name": names, "repaid": ["a", "b"] * half})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=half)
    with pytest.raises(DataError, match="'name' has more than 10,000 different values"):
        learned(tmp_path / "t.parquet", size=half)


def test_a_file_that_is_no_parquet_is_named(folder):
    (folder / "part-1.parquet").write_bytes(b"PAR1 no longer")
    with pytest.raises(TableFileError, match=r"part-1\.parquet' is no Parquet file"):
        learned(folder)


def test_a_damaged_row_group_names_the_column(tmp_path):
    random = np.random.default_rng(0)
    path = write(tmp_path, x=[1, 2, 3, 4])
    table = pa.table({"x": random.random(2000), "repaid": ["a", "b"] * 1000})
    parquet.write_table(table, path, row_group_size=1000, use_dictionary=False)
    column = parquet.read_metadata(path).row_group(1).column(0)
    content = bytearray(path.read_bytes())
    start = column.data_page_offset
    content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(content)
    with pytest.raises(TableFileError, match=r"'x' in row group 1 of .*t\.parquet' cannot be read"):
        learned(path, size=1000)


def test_a_file_that_vanishes_or_changes_is_named(folder, table):
    _, pieces = learned(folder, drop=["weight"])
    os.utime(folder / "part-0.parquet", (1, 1))
    (folder / "part-1.parquet").unlink()
    with pytest.raises(TableFileError, match=r"part-0\.parquet' has changed since"):
        pieces[0].load([0])
    gone = next(piece for piece in pieces if "part-1" in piece.name)
    with pytest.raises(TableFileError, match=r"part-1\.parquet' is not there any more"):
        gone.load([0])


def test_a_scratch_folder_that_is_not_there_is_named(table):
    with pytest.raises(DataError, match="No temporary folder can be made in 'nowhere'"):
        rows_of(table.to_reader(), scratch_folder="nowhere")


def test_temporary_folders_go_when_the_source_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def batches():
        yield pa.record_batch({"x": [1.0]})
        raise KeyboardInterrupt

    reader = pa.RecordBatchReader.from_batches(pa.schema({"x": pa.float64()}), batches())
    with pytest.raises(KeyboardInterrupt):
        rows_of(reader)
    assert list(tmp_path.iterdir()) == []
