"""Rows kept in a temporary file are those that the source has, and nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from parquet_tables import loans, write_parts
from partition_questions import CountRows, SumColumn

from treewright import ReadableTreeClassifier, TreeClassifier, TreeRegressor, bigdata
from treewright.bigdata import keeping
from treewright.bigdata.encoding import Encoder
from treewright.bigdata.engines import StreamingEngine
from treewright.bigdata.keeping import KeptRows, open_scratch
from treewright.bigdata.partitions import runs_of
from treewright.bigdata.schemas import Survey, choose_roles, schema_of
from treewright.bigdata.sources import open_source
from treewright.exceptions import DataError, TableFileError, UnsupportedError

ROOM = 2**30


def encoder_of(stored, *, weight=None, factors=None, target="repaid"):
    roles = choose_roles(
        stored, target, weight, [], has_classes=target == "repaid", estimator_name="a test"
    )
    found = StreamingEngine(stored.pieces, False).run(Survey.of(stored, roles))
    total = float(found.weight)
    return Encoder(schema_of(stored, roles, found), roles, factors, total, total)


def all_rows(reader, stored, columns):
    """Read all partitions, and copy what holds only until the next are asked for."""
    rows = []
    for run in runs_of(stored.pieces):
        for piece, one in reader.read(run, columns):
            places = [one.columns.index(column) for column in columns]
            numbers = [one.target, one.weights, one.case_weights]
            copies = [None if some is None else some.copy() for some in numbers]
            rows.append((piece.number, one.part, one.values[:, places].copy(), copies))
    return rows


def check_same(found, wanted):
    assert [one[:2] for one in found] == [one[:2] for one in wanted]
    for (_, _, values, numbers), (_, _, others, other_numbers) in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(values, others)
        assert (np.signbit(values) == np.signbit(others))[~np.isnan(values)].all()
        for some, other in zip(numbers, other_numbers, strict=True):
            assert (some is None) == (other is None)
            if some is not None:
                assert some.dtype == other.dtype
                np.testing.assert_array_equal(some, other)


@pytest.fixture
def scratch():
    """Return what makes temporary files, which are closed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda folder, room: stack.enter_context(open_scratch(folder, room))


@pytest.fixture
def nothing_is_unpacked(monkeypatch):
    """Return a function after whose call no partition can be read from its source."""

    def forbid():
        def read(self, run, columns):
            raise AssertionError("read again")

        monkeypatch.setattr(Encoder, "read", read)

    return forbid


@pytest.mark.parametrize("rows_per_partition", [30, 7])  # row groups have 40: slices, too
@pytest.mark.parametrize(
    "how",
    [{}, {"weight": "weight"}, {"weight": "weight", "factors": (1.5, 0.25)}, {"target": "amount"}],
)
def test_kept_rows_are_those_of_the_source(
    folder, rows_per_partition, how, scratch, nothing_is_unpacked
):
    with open_source(folder, rows_per_partition=rows_per_partition) as stored:
        encoder = encoder_of(stored, **how)
        n_columns = encoder.schema.n_columns
        subsets = [tuple(range(n_columns)), (0,), (1, n_columns - 1), ()]
        wanted = [all_rows(encoder, stored, columns) for columns in subsets]
        kept = KeptRows(encoder, scratch(None, ROOM))
        check_same(all_rows(kept, stored, subsets[0]), wanted[0])
        nothing_is_unpacked()
        for columns, rows in zip(subsets, wanted, strict=True):
            check_same(all_rows(kept, stored, columns), rows)


def test_numbers_that_need_eight_bytes_keep_them(scratch, tmp_path):
    import pyarrow as pa

    values = {
        "exact": [0.5, -0.0, None, 16777216.0, 1e-45],
        "large": [16777217, 1, 2, 3, 4],
        "fine": [0.1, 0.2, None, 1e300, 5e-324],
        "repaid": ["a", "b", "a", "b", "a"],
    }
    path = write_parts(pa.table(values), tmp_path / "numbers", 1)
    with open_source(path) as stored:
        encoder = encoder_of(stored)
        wanted = all_rows(encoder, stored, (0, 1, 2))
        kept = KeptRows(encoder, scratch(None, ROOM))
        all_rows(kept, stored, (0, 1, 2))
        check_same(all_rows(kept, stored, (0, 1, 2)), wanted)
    assert keeping._narrowed(wanted[0][2][:, 1]).dtype == np.float64
    # 1e-45 is no 32-bit number, the others of its column are.
    assert keeping._narrowed(wanted[0][2][:4, 0]).dtype == np.float32


def test_a_partition_without_weight_is_kept_as_none(scratch, tmp_path):
    table = loans(90)
    place = table.column_names.index("weight")
    weights = np.where(np.arange(90) < 40, 0.0, 1.0)
    table = table.set_column(place, "weight", [weights])
    path = write_parts(table, tmp_path / "unweighed", 1, row_group_size=30)
    with open_source(path, rows_per_partition=30) as stored:
        encoder = encoder_of(stored, weight="weight")
        columns = tuple(range(encoder.schema.n_columns))
        wanted = all_rows(encoder, stored, columns)
        kept = KeptRows(encoder, scratch(None, ROOM))
        for _ in range(2):
            check_same(all_rows(kept, stored, columns), wanted)
        assert [len(rows[2]) for rows in wanted] == [0, 20, 30]
        assert len(kept._kept) == 3


def test_only_a_pass_over_all_columns_is_kept(scratch, folder):
    with open_source(folder, rows_per_partition=30) as stored:
        engine = StreamingEngine(stored.pieces, False)
        file = scratch(None, ROOM)
        engine.keep(file)
        encoder = encoder_of(stored)
        engine.read_by(encoder, stored.n_rows)
        engine.ask(SumColumn((2,)))
        assert file._end == 0
        everything = tuple(range(encoder.schema.n_columns))
        engine.ask(CountRows(everything))
        assert file._end > 0
        end = file._end
        engine.ask(CountRows(everything))
        assert file._end == end


@pytest.mark.parametrize("rows_per_partition", [30, 7])
@pytest.mark.parametrize("room", [0, 1, 3000])
def test_partitions_without_room_are_read_again(scratch, folder, room, rows_per_partition):
    with open_source(folder, rows_per_partition=rows_per_partition) as stored:
        encoder = encoder_of(stored)
        columns = tuple(range(encoder.schema.n_columns))
        wanted = all_rows(encoder, stored, columns)
        file = scratch(None, room)
        kept = KeptRows(encoder, file)
        ends = set()
        for _ in range(3):
            check_same(all_rows(kept, stored, columns), wanted)
            ends.add(file._end)
        assert len(ends) == 1  # what was kept is not written again
        assert (0 < len(kept._kept) < len(stored.pieces)) == (room == 3000)


def test_a_disk_that_fills_up_ends_keeping(scratch, folder):
    with open_source(folder, rows_per_partition=30) as stored:
        encoder = encoder_of(stored)
        columns = tuple(range(encoder.schema.n_columns))
        wanted = all_rows(encoder, stored, columns)
        file = scratch(None, ROOM)
        file._file = _Fills(file._file, 2000)
        kept = KeptRows(encoder, file)
        for _ in range(2):
            check_same(all_rows(kept, stored, columns), wanted)
        assert 0 < len(kept._kept) < len(stored.pieces)


class _Fills:
    """A file that takes a few bytes at a time, and only so many."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def close(self):
        self._file.close()

    def seek(self, place):
        self._file.seek(place)

    def write(self, data):
        if self._file.tell() + 100 > self._room:
            raise OSError(28, "No space left on device")
        return self._file.write(data[:100])

    def readinto(self, to):
        return self._file.readinto(to[:100])


def test_a_file_that_is_cut_short_is_said(scratch, folder):
    with open_source(folder, rows_per_partition=30) as stored:
        encoder = encoder_of(stored)
        file = scratch(None, ROOM)
        kept = KeptRows(encoder, file)
        columns = tuple(range(encoder.schema.n_columns))
        all_rows(kept, stored, columns)
        file._file.truncate(file._end // 2)
        with pytest.raises(DataError, match=r"temporary file in .* has been cut short; choose"):
            all_rows(kept, stored, columns)


@pytest.mark.parametrize("change", ["vanishes", "changes"])
def test_a_source_that_is_gone_or_changed_is_named_all_the_same(scratch, folder, change):
    with open_source(folder, rows_per_partition=30) as stored:
        encoder = encoder_of(stored)
        kept = KeptRows(encoder, scratch(None, ROOM))
        columns = tuple(range(encoder.schema.n_columns))
        all_rows(kept, stored, columns)
        path = folder / "part-1.parquet"
        if change == "vanishes":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes() + b"more")
        words = "is not there any more" if change == "vanishes" else "has changed since"
        with pytest.raises(TableFileError, match=rf"part-1\.parquet' {words}"):
            all_rows(kept, stored, columns)


def test_nothing_is_kept_where_files_take_memory(scratch, folder, tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(keeping, "_MOUNTS", str(mounts))
    lines = ["disk / ext4 rw 0 0", f"tmpfs {tmp_path} tmpfs rw 0 0"]
    with open_source(folder, rows_per_partition=30) as stored:
        encoder = encoder_of(stored)
        columns = tuple(range(encoder.schema.n_columns))
        for shown, is_kept in ((lines[:1], True), (lines, False)):
            mounts.write_text("\n".join(shown))
            kept = KeptRows(encoder, scratch(tmp_path, ROOM))
            all_rows(kept, stored, columns)
            assert bool(kept._kept) == is_kept


# ------------------------------------------------------------------------------------------- fits


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return write_parts(loans(3000, seed=5), tmp_path_factory.mktemp("many") / "loans", 2, 200)


@pytest.mark.long
@pytest.mark.parametrize("estimator", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize("prune", [None, "cost_complexity"])
def test_the_tree_does_not_depend_on_what_is_kept(many, estimator, prune):
    target, other = ("repaid", "amount") if estimator is TreeClassifier else ("amount", "repaid")
    trees = []
    for n_bytes in (0, 30_000, None):
        model = bigdata.fit(
            estimator(max_depth=4, prune=prune),
            many,
            target,
            drop=[other],
            weight="weight",
            progress=False,
            rows_in_memory=0,
            rows_per_partition=150,
            scratch_bytes=n_bytes,
        )
        assert model.exactness_.is_proven
        trees.append(model.tree_.to_json())
    assert trees[0] == trees[1] == trees[2]


def test_parquet_is_unpacked_once(many, monkeypatch):
    counted = []
    before = Encoder.read

    def read(self, run, columns):
        counted.append(len(run))
        return before(self, run, columns)

    monkeypatch.setattr(Encoder, "read", read)

    def unpacked(n_bytes):
        counted.clear()
        model = TreeClassifier(max_depth=3)
        settings = {"progress": False, "rows_in_memory": 0, "rows_per_partition": 200}
        bigdata.fit(model, many, "repaid", scratch_bytes=n_bytes, **settings)
        return sum(counted), model.exactness_.passes

    assert unpacked(None)[0] == 16  # 15 row groups of 200 rows, cut in two files
    n_read, passes = unpacked(0)
    assert n_read == 16 * passes


def open_files(folder: Path) -> list[str]:
    """Return files there that this process has open, those without a name among them."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        try:
            path = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if path.startswith(str(folder)):
            found.append(path)
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
@pytest.mark.parametrize("ends", ["well", "interrupted", "vanished"])
def test_nothing_is_left_behind(tmp_path, ends):
    many = write_parts(loans(600, seed=5), tmp_path / "loans", 2, 100)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    seen = set()

    def look(number, n_done, n_all):
        if number < 4:
            return
        seen.update(open_files(scratch))
        assert not os.listdir(scratch)  # nothing with a name, that a killed process would leave
        if ends == "interrupted":
            raise KeyboardInterrupt
        if ends == "vanished":
            (many / "part-1.parquet").unlink(missing_ok=True)

    model = TreeClassifier(max_depth=3)
    settings = {"progress": look, "rows_in_memory": 0, "scratch_folder": scratch}
    error = {"well": None, "interrupted": KeyboardInterrupt, "vanished": TableFileError}[ends]
    if error is None:
        bigdata.fit(model, many, "repaid", **settings)
    else:
        with pytest.raises(error):
            bigdata.fit(model, many, "repaid", **settings)
        assert not hasattr(model, "tree_")
    assert len(seen) == 1
    assert not open_files(scratch)
    assert not os.listdir(scratch)


def test_where_nothing_can_be_kept_is_said(folder, tmp_path):
    absent = tmp_path / "absent"
    with pytest.raises(DataError, match=r"No temporary file can be made in .*'scratch_bytes' to 0"):
        bigdata.fit(TreeClassifier(), folder, "repaid", scratch_folder=absent, progress=False)
    settings = {"scratch_folder": absent, "scratch_bytes": 0, "progress": False}
    assert bigdata.fit(TreeClassifier(max_depth=2), folder, "repaid", **settings).tree_


def test_room_that_would_not_be_used_is_refused(folder):
    with pytest.raises(UnsupportedError, match="a cluster reads here; leave it out"):
        bigdata.fit(TreeClassifier(), folder, "repaid", client=2, scratch_bytes=100)
    with pytest.raises(UnsupportedError, match="a ReadableTreeClassifier is searched for"):
        bigdata.fit(ReadableTreeClassifier(), folder, "repaid", scratch_bytes=100)


@pytest.mark.parametrize("n_bytes", [keeping.SCRATCH_BYTES, 2**45])
def test_as_much_room_as_the_default_and_more_can_be_asked_for(folder, n_bytes):
    model = TreeClassifier(max_depth=2)
    assert bigdata.fit(model, folder, "repaid", scratch_bytes=n_bytes, progress=False).tree_


@pytest.mark.parametrize("wrong", [-1, 1.5, True])
def test_room_that_is_no_number_of_bytes_is_refused(folder, wrong):
    with pytest.raises(ValueError, match=r"'scratch_bytes'.* must be None or an int >= 0\. Got"):
        bigdata.fit(TreeClassifier(), folder, "repaid", scratch_bytes=wrong)
