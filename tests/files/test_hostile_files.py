"""Files that are damaged or larger than they seem: one sentence, soon, and little memory."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from command_line import complaint, run

from treewright.exceptions import TableFileError
from treewright.files import MAX_BYTES, read_table
from treewright.files.sources import LONGEST_LINE


def workbook(path: Path, rows: list[list[Any]]) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path.read_bytes()


def refused(path: Path, match: str, **options: Any) -> None:
    with pytest.raises(TableFileError, match=match) as caught:
        read_table(path, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def is_refused(path: Path) -> bool:
    """Whether a file that may be damaged is refused in one sentence; any other error is raised."""
    message = ""
    try:
        read_table(path)
    except TableFileError as error:
        message = str(error)
    assert "\n" not in message
    return message != ""


def bomb(n_bytes: int, unit: bytes) -> bytes:
    """Repeated text, packed without ever being whole in memory."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=1) as file:
        file.write(b"a,b\n")
        piece = unit * ((1 << 20) // len(unit))
        for _ in range(n_bytes // len(piece)):
            file.write(piece)
    return packed.getvalue()


# ---------------------------------------------------------------------------- size


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(bomb(64 << 20, b"1,2\n"))
    assert path.stat().st_size < 1 << 20
    refused(path, r"unpacks to more than 32 MiB; .*--max-size \(max_bytes", max_bytes=32 << 20)
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"a\n1\n") + bomb(8 << 20, b"1\n"))
    refused(tmp_path / "b.csv.gz", "unpacks to more than 4 MiB", max_bytes=4 << 20)
    (tmp_path / "a.csv").write_bytes(b"a\n" + b"1\n" * 1000)
    refused(tmp_path / "a.csv", "unpacks to more than 1 KiB", max_bytes=1 << 10)
    assert MAX_BYTES == 2 << 30


def test_the_limit_stands_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(bomb(4 << 20, b"1,2\n"))
    words = ("fit", path, "--target", "b")
    assert "unpacks to more than 1 MiB" in complaint(*words, "--max-size", "1MiB")
    assert "--max-size takes a size such as 500MB or 4GiB" in complaint(*words, "--max-size", "x")
    assert "nothing to learn" in complaint(*words, "--max-size", "1GB")


@pytest.mark.long
def test_a_line_without_end_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(bomb(100 << 20, b"x"))
    tracemalloc.start()
    try:
        refused(path, f"Line 2 of .* has more than {LONGEST_LINE:,} characters")
        assert tracemalloc.get_traced_memory()[1] < 80 << 20
    finally:
        tracemalloc.stop()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"{}\n" + b"x" * (20 << 20), 1))
    refused(tmp_path / "a.jsonl.gz", "Line 2 of .* has more than")


@pytest.mark.long
def test_a_workbook_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    workbook(path, [["a", "b"], [1, 2]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/more.xml", b" " * (8 << 20))
    refused(path, "unpacks to more than 4 MiB", max_bytes=4 << 20)
    assert read_table(path) == {"a": [1], "b": [2]}
    # One cell at the far right of each row makes thousands of cells that nobody wrote.
    workbook(path, [["a"], *([*[None] * 16_000, 1] for _ in range(40))])
    refused(path, "unpacks to more than 1 MiB", max_bytes=1 << 20)


def test_a_parquet_file_that_declares_much_is_refused(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    table = pyarrow.table({"a": [1] * 1_000_000})
    parquet.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, tmp_path / "a.feather", compression="zstd")
    for name in ("a.parquet", "a.feather"):
        assert (tmp_path / name).stat().st_size < 1 << 18
        refused(tmp_path / name, "unpacks to more than 4 MiB", max_bytes=4 << 20)
        assert len(read_table(tmp_path / name)["a"]) == 1_000_000


# ---------------------------------------------------------------------------- damage


def test_a_damaged_workbook_gave_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    whole = workbook(path, [["a", "b"], *([n, f"text {n}"] for n in range(50))])
    n_refused = 0
    for place in range(0, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) * 3 + whole[place + 3 :])
        n_refused += is_refused(path)
    assert n_refused > 10
    for part in ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml"):
        for content in (b"", b"<worksheet", b"<a><b/></a>", b"\xff\xfe\0"):
            _replace_part(path, whole, part, content)
            result = run("fit", path, "--target", "b")
            assert result.exit_code == 2
            assert result.stderr.count("\n") == 1


def _replace_part(path: Path, whole: bytes, name: str, content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, content if info.filename == name else old.read(info))


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
@pytest.mark.parametrize("package", ["pyarrow", "polars"])
def test_damaged_parquet_and_feather(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, package: str
) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    if package == "polars":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / f"a{suffix}"
    frame = polars.DataFrame({"a": [1.5, None] * 50, "b": ["x", "yy"] * 50})
    frame.write_parquet(path) if suffix == ".parquet" else frame.write_ipc(path)
    whole, n_refused = path.read_bytes(), 0
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        for data in (whole[:place], whole[:place] + b"\xff\xff" + whole[place + 2 :]):
            path.write_bytes(data)
            n_refused += is_refused(path)
    assert n_refused > 60


# ---------------------------------------------------------------------------- what is no file


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx", ".csv.gz"])
def test_pipes_and_devices_are_refused_unopened(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    refused(path, "is no regular file; give what comes through a pipe as standard input")
    (tmp_path / f"zero{suffix}").symlink_to("/dev/zero")
    refused(tmp_path / f"zero{suffix}", "is no regular file")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes("größe,b\n1,é\n".encode(encoding))
    assert list(read_table(tmp_path / "a.csv")) == ["größe", "b"]
    (tmp_path / "a.json").write_bytes('[{"größe": 1}]'.encode(encoding))
    assert list(read_table(tmp_path / "a.json")) == ["größe"]


@pytest.mark.parametrize(
    "content",
    [
        '{"a": ' * 200_000 + "1" + "}" * 200_000,  # deeper than any release of Python reads
        '{"a": ' + "9" * 9000 + "}",
        '{"a": 1}\0',
    ],
    ids=["deep", "digits", "zero byte"],
)
def test_hostile_lines_of_json(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    refused(tmp_path / "a.jsonl", "Line 1 of|binary data")
