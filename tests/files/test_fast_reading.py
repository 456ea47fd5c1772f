"""Delimited text read by pyarrow: always the table of the plain reader, or left to it."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.exceptions import TableFileError
from treewright.files import fast, read_table
from treewright.files.delimited import Dialect, read_delimited
from treewright.files.sources import MAX_BYTES, Source

pytest.importorskip("pyarrow")

PLAIN = ["0", "7", "-3", "12.5", "-0.25", "1e3", "1E-7", "3.", ".5", "", "9007199254740993"]
ODD = [
    *("+5", "1e+5", "007", "00.5", "-07", "0x1F", "1_000", " 4", "5 ", "٣", "1e999", "1e-999"),
    *("9223372036854775807", "9223372036854775808", "inf", "-inf", "nan", "NaN", "Infinity"),
    *("-", "--1", "1-", "e5", "1e", "5.5.5", "NA", "n/a", "?", "null", " ", "\t", "-0", "-0.0"),
    *("0.1000000000000000055511151231257827", "4.9e-324", "123456789012345678901234567890"),
]
WORDS = ["rent", "own", "É", "x y", "true", "False", "TRUE", "", "a,b", 'say "hi"', "two\nlines"]


def cell_pool(chance: random.Random) -> list[str]:
    """The cells that one column draws from: mostly of one kind, sometimes with a few others."""
    pools = [PLAIN[:3], PLAIN, [*PLAIN, "NA"], ["true", "false", ""], WORDS[:4], WORDS, ODD]
    pool = list(chance.choice(pools))
    if chance.random() < 0.3:
        pool += chance.sample(ODD + WORDS, chance.randint(1, 2))
    return pool


def quoted(cell: str, delimiter: str, chance: random.Random) -> str:
    needs = delimiter in cell or '"' in cell or "\n" in cell
    if needs or chance.random() < 0.02:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def random_file(chance: random.Random) -> bytes:
    """Delimited text, mostly well-formed."""
    delimiter = chance.choice(",,,,;\t|")
    end = chance.choice(["\n", "\n", "\n", "\r\n", "\r"] if chance.random() < 0.3 else ["\n"])
    width, n_rows = chance.randint(1, 6), chance.choice([1, 3, 40, 700])
    pools = [cell_pool(chance) for _ in range(width)]
    names = [chance.choice(["a", "b", "größe", 'n"x', "", "long name"]) for _ in range(width)]
    lines = [delimiter.join(quoted(name, delimiter, chance) for name in names)]
    for _ in range(n_rows):
        cells = [quoted(chance.choice(pool), delimiter, chance) for pool in pools]
        lines.append(delimiter.join(cells))
    if chance.random() < 0.1:
        lines[chance.randrange(len(lines))] += chance.choice([delimiter, '"', "\0", " ", "\ufeff"])
    if chance.random() < 0.2:
        lines.insert(chance.randint(0, len(lines)), chance.choice(["", "", " "]))
    text = end.join(lines) + (end if chance.random() < 0.8 else "")
    data = text.encode("utf-8-sig" if chance.random() < 0.1 else "utf-8")
    return data + b"\xff" if chance.random() < 0.03 else data


def assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert list(one) == list(other)
    for name, cells in one.items():
        assert cells.dtype == other[name].dtype, name
        if cells.dtype == object:
            assert cells.tolist() == other[name].tolist()
        else:
            # Exactly, but for the sign of a zero, which follows from where blocks end.
            np.testing.assert_array_equal(cells, other[name])


def compare(path: Path, chance: random.Random) -> bool:
    """Read one random file in both ways; tell whether pyarrow could."""
    path.write_bytes(random_file(chance))
    text = frozenset(["a"]) if chance.random() < 0.2 else frozenset()
    missing = frozenset(["7", "own"]) if chance.random() < 0.2 else frozenset()
    dialect = Dialect(None, text, missing)
    said: list[list[str]] = [[], []]
    with Source(path, None, MAX_BYTES) as source:
        try:
            expected = read_delimited(source, dialect, said[0].append)
        except TableFileError:
            expected = None
        found = fast.read_fast(source, dialect, said[1].append)
    if found is None:
        return False
    assert expected is not None
    assert_same(found, expected)
    assert said[0] == said[1]
    return True


@pytest.mark.long
@pytest.mark.parametrize("n_files", [120, pytest.param(1500, marks=pytest.mark.slow)])
def test_both_readers_give_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_files: int
) -> None:
    monkeypatch.setattr(fast, "SMALLEST", 0)
    chance, n_fast = random.Random(n_files), 0
    for _ in range(n_files):
        monkeypatch.setattr(fast, "BLOCK", chance.choice([50, 300, 4000, 1 << 20]))
        n_fast += compare(tmp_path / "a.csv", chance)
    assert n_fast > n_files / 2  # the rest is what must be left to the plain reader


@pytest.mark.long
def test_a_large_file_is_read_by_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(60_000) / 8
    lines = ["x,home,code", *(f"{n},{'rent' if n % 3 else 'own'},0{n:.0f}" for n in numbers)]
    data = "\n".join(lines).encode()
    (tmp_path / "a.csv").write_bytes(data)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(data, 1))
    expected = read_table(tmp_path / "a.csv")
    monkeypatch.setattr(fast, "SMALLEST", 1 << 18)
    monkeypatch.setattr("treewright.files.reading.read_delimited", None)
    for name in ("a.csv", "a.csv.gz"):
        assert_same(read_table(tmp_path / name), expected)


def test_errors_of_a_large_file_are_those_of_the_plain_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "SMALLEST", 0)
    path = tmp_path / "a.csv"
    for content, message in (
        (b"a,b\n" + b"1,2\n" * 9000 + b"3\n", "Line 9002 of .* has 1 cell"),
        (b"a,b\n" + b"1,2\n" * 9000 + b'"3,4\n', "quotation mark that is not closed"),
        (b"a,b\n" + b"1,2\n" * 9000 + b"\xff,1\n", "is not UTF-8 text"),
        (b"a,b\n", "has column names but no rows"),
        (b"a,b\n1," + b"x" * 200_000 + b"\n", "field larger than field limit"),
    ):
        path.write_bytes(content)
        with pytest.raises(TableFileError, match=message):
            read_table(path)


def test_without_pyarrow_the_plain_reader_does_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "SMALLEST", 0)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")
    assert read_table(tmp_path / "a.csv")["a"].tolist() == [1]


@pytest.mark.long
def test_reading_does_not_import_pandas(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1.5,x\n,y\n")
    script = "import sys; from treewright.files import fast, read_table; fast.SMALLEST = 0\n"
    script += "read_table(sys.argv[1]); print('pandas' in sys.modules, 'pyarrow' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a.csv")], capture_output=True, text=True
    )
    assert done.stdout.split() == ["False", "True"], done.stderr


@pytest.mark.parametrize("late", ["007", "0x1F", "nan", "inf", "2.5", "word", " 8", "NA", ""])
def test_a_cell_of_another_kind_in_a_late_block(
    late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "SMALLEST", 0)
    monkeypatch.setattr(fast, "BLOCK", 64)
    path = tmp_path / "a.csv"
    for early in ("7", "1.5", "rent"):
        path.write_text("a,b\n" + f"{early},{early}\n" * 60 + f"{late},{early}\n" * 3)
        with Source(path, None, MAX_BYTES) as source:
            expected = read_delimited(source, Dialect(), lambda sentence: None)
            found = fast.read_fast(source, Dialect(), lambda sentence: None)
        assert found is not None
        assert_same(found, expected)
