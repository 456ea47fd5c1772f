"""Delimited text read by pyarrow, where that provably gives the table of the plain reader.

pyarrow only finds the cells, and reads numbers that are written in the plainest way: digits, sign,
point and exponent, where both readers round correctly and so give the same number. All that decides
about types is :class:`ColumnBuilder`, which the plain reader uses too; it is shown each different
cell of a block once. What a column was in one block is asked of pyarrow in the next; a block with
anything else is read again as text.

Where a file has anything on which the two readers might differ, and where pyarrow complains of
anything, the plain reader reads it from the start, so that its words are those the user sees. These
are: other encodings than UTF-8, NUL, quotation marks inside of a cell, line ends of a lone carriage
return, spaces that belong to delimiters, cells longer than `csv` allows.
"""

from __future__ import annotations

import codecs
import csv
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import chain
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import TableFileError
from treewright.files.delimited import (
    ColumnBuilder,
    Dialect,
    find_delimiter,
    is_spaced,
    until_settled,
)
from treewright.files.names import Say, header_names
from treewright.files.sources import LONGEST_LINE, Source, TooLargeError

__all__ = ["read_fast"]

SMALLEST = 4 << 20  # bytes; below, importing pyarrow would take longer than it saves
BLOCK = 4 << 20  # bytes that are read at once
_IN_CACHE = 1 << 18  # bytes that several passes over them find in the cache
_DTYPES = {"int32": np.int32, "int64": np.int64, "double": np.float64}
_NUMBERS = ("int64", "double")
_QUOTE, _NEW_LINE = ord('"'), ord("\n")


def _bytes_in(characters: bytes) -> NDArray[np.bool_]:
    found = np.zeros(256, dtype=bool)
    found[list(characters)] = True
    return found


_IN_INTEGERS, _IN_FRACTIONS = b"0123456789-", b".eE"
_IN_NUMBERS = _IN_INTEGERS + _IN_FRACTIONS + b"+"


class _NotSureError(Exception):
    """The plain reader might read this in another way."""


def read_fast(source: Source, dialect: Dialect, say: Say) -> dict[str, NDArray[Any]] | None:
    """Read a table of delimited text by pyarrow.

    Parameters
    ----------
    source : Source
        The file.
    dialect : Dialect
        How to read it.
    say : callable
        Called with each sentence about what was changed.

    Returns
    -------
    dict of str to ndarray, or None
        What :func:`read_delimited` would return; None where that must do it.

    Raises
    ------
    TableFileError
        If the table is larger than allowed.
    """
    if source.size < SMALLEST or ("pyarrow" not in sys.modules and find_spec("pyarrow") is None):
        return None
    try:
        import pyarrow
    except ImportError:
        return None

    def read_once(as_text: set[str]) -> tuple[list[str], list[ColumnBuilder]]:
        try:
            with source.open_bytes() as raw:
                return _read_once(raw, source, dialect, as_text)
        except TooLargeError:
            raise
        except (TableFileError, pyarrow.ArrowException, UnicodeError, csv.Error):
            raise _NotSureError from None

    try:
        return until_settled(read_once, say)
    except _NotSureError:
        return None


def _read_once(
    raw: IO[bytes], source: Source, dialect: Dialect, as_text: set[str]
) -> tuple[list[str], list[ColumnBuilder]]:
    start = raw.peek(4096)[:4096]  # type: ignore[attr-defined]
    encoding = codecs.lookup(source.encoding_of(start)).name
    if encoding not in ("utf-8", "utf-8-sig"):
        raise _NotSureError
    if encoding == "utf-8-sig":
        raw.read(len(codecs.BOM_UTF8))
    blocks = _blocks(raw)
    first = next(blocks, b"").lstrip(b"\r\n")
    line, _, first = first.partition(b"\n")
    header = line.decode().removesuffix("\r")
    # What starts otherwise may be no table, or its names may go on in the next line.
    if not header.strip() or header.lstrip()[0] in "<%{" or header.count('"') % 2:
        raise _NotSureError
    delimiter = dialect.delimiter or find_delimiter(header)
    if not delimiter.isascii() or is_spaced(header, delimiter):
        raise _NotSureError
    cells = next(csv.reader([header], delimiter=delimiter, strict=True))
    names = header_names(cells, lambda sentence: None)
    is_text = [name in as_text or dialect.is_text(name) for name in names]
    builders = [ColumnBuilder(is_one, dialect.missing) for is_one in is_text]
    may_be_numbers = [not dialect.missing and not is_one for is_one in is_text]
    kinds = ["text"] * len(names)
    n_rows = 0
    for columns in _cells_ahead(chain([first], blocks), delimiter, kinds):
        n_rows += len(columns[0])
        for place, column in enumerate(columns):
            kinds[place] = _add(column, builders[place], may_be_numbers[place])
    if not n_rows:
        raise _NotSureError
    return cells, builders


def _cells_ahead(blocks: Iterator[bytes], delimiter: str, kinds: list[str]) -> Iterator[list[Any]]:
    """Part blocks into columns, in another thread while the last block is taken over."""
    with ThreadPoolExecutor(1) as pool:
        waiting = None
        for block in blocks:
            if block:
                coming = pool.submit(_cells_of, block, delimiter, tuple(kinds))
                if waiting is not None:
                    yield waiting.result()
                waiting = coming
        if waiting is not None:
            yield waiting.result()


def _blocks(raw: IO[bytes]) -> Iterator[bytes]:
    """Part a file at ends of rows."""
    rest = b""
    while more := raw.read(BLOCK):
        data = rest + more
        end = _end_of_last_row(data)
        if not end and len(data) > LONGEST_LINE:
            raise _NotSureError
        if end:
            yield data[:end]
        rest = data[end:]
    if rest:
        yield rest


def _end_of_last_row(data: bytes) -> int:
    """Find the last line end that no quotation marks surround; 0 if there is none."""
    if _QUOTE not in data:
        return data.rfind(b"\n") + 1
    whole = np.frombuffer(data, dtype=np.uint8)
    lines = np.flatnonzero(whole == _NEW_LINE)
    outside = lines[np.searchsorted(np.flatnonzero(whole == _QUOTE), lines) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0


def _cells_of(block: bytes, delimiter: str, kinds: Sequence[str]) -> list[Any]:
    """Part whole rows into columns, null where empty.

    Columns are numbers or levels where `kinds` asks for it and the block has nothing else in them;
    all are text otherwise.
    """
    import pyarrow

    has_quotes = _QUOTE in block
    if b"\0" in block or block.startswith(codecs.BOM_UTF8):
        raise _NotSureError
    if len(kinds) == 1 and has_quotes:
        raise _NotSureError
    if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
        raise _NotSureError
    if has_quotes:
        _refuse_loose_quotes(block, delimiter)
    has_numbers = any(kind in _NUMBERS for kind in kinds)
    if not (has_numbers and _may_have_codes(block, delimiter)):
        try:
            columns = _parse(block, delimiter, kinds, has_quotes)
        except pyarrow.ArrowInvalid:
            columns = []
        if columns and all(map(_is_finite, columns)):
            return columns
    return _parse(block, delimiter, ["text"] * len(kinds), has_quotes)


def _parse(block: bytes, delimiter: str, kinds: Sequence[str], has_quotes: bool) -> list[Any]:
    import pyarrow
    from pyarrow import csv as arrow_csv

    types = {
        "text": pyarrow.string(),
        "levels": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "int64": pyarrow.int64(),
        "double": pyarrow.float64(),
    }
    names = [str(place) for place in range(len(kinds))]
    table = arrow_csv.read_csv(
        pyarrow.BufferReader(block),
        arrow_csv.ReadOptions(column_names=names, block_size=len(block) + 1),
        arrow_csv.ParseOptions(
            delimiter=delimiter,
            quote_char='"' if has_quotes else False,
            newlines_in_values=has_quotes,
        ),
        arrow_csv.ConvertOptions(
            column_types={name: types[kind] for name, kind in zip(names, kinds, strict=True)},
            null_values=[""],
            strings_can_be_null=True,
            check_utf8=not block.isascii(),
        ),
    )
    return [column.combine_chunks() for column in table.columns]


def _may_have_codes(block: bytes, delimiter: str) -> bool:
    """Tell whether a cell may start with a zero and a digit or an x: 01234, 00.5 or 0x1F."""
    if any(x in block and b"0" + x in block for x in (b"x", b"X")):
        return True
    whole = np.frombuffer(b"\n" + block, dtype=np.uint8)
    for start in range(0, len(block), _IN_CACHE):
        part = whole[start : start + _IN_CACHE + 2]
        before, zero, after = part[:-2], part[1:-1], part[2:]
        is_edge = (before <= _QUOTE) | (before == ord(delimiter))  # or a space, or a line end
        if (is_edge & (zero == ord("0")) & (after - ord("0") < 10)).any():
            return True
    return False


def _is_finite(column: Any) -> bool:
    """Tell whether a column has none of the numbers that are words: nan, inf."""
    if str(column.type) != "double":
        return True
    is_finite = np.isfinite(_values(column))
    return bool(is_finite.all() or (column.null_count and is_finite[_is_known(column)].all()))


def _refuse_loose_quotes(block: bytes, delimiter: str) -> None:
    """Make sure that every quotation mark starts or ends a cell, or is doubled inside of one."""
    padded = np.frombuffer(b"\n" + block + b"\n", dtype=np.uint8)
    places = np.flatnonzero(padded == _QUOTE)
    if len(places) % 2:
        raise _NotSureError
    is_edge = _bytes_in(delimiter.encode() + b"\r\n")
    opening, closing = places[::2], places[1::2]
    is_doubled = closing[:-1] + 1 == opening[1:]
    opens = is_edge[padded[opening - 1]]
    closes = is_edge[padded[closing + 1]]
    opens[1:] |= is_doubled
    closes[:-1] |= is_doubled
    if not (opens.all() and closes.all()):
        raise _NotSureError


def _add(column: Any, builder: ColumnBuilder, may_be_numbers: bool) -> str:
    """Hand a block of cells to the builder of its column; say what to ask of the next block."""
    kind = str(column.type)
    if kind in _NUMBERS:
        builder.add_numbers(_numbers(column))
        return kind
    is_text = kind == "string"
    offsets, lengths = _places(column if is_text else column.dictionary)
    if len(lengths) and int(lengths.max()) > csv.field_size_limit():
        raise _NotSureError
    if is_text and may_be_numbers:
        numbers = _plain_numbers(column, offsets, lengths)
        if numbers is not None:
            builder.add_numbers(numbers)
            return "double" if numbers.dtype == np.float64 else "int64"
    encoded = column.dictionary_encode() if is_text else column
    texts = [*encoded.dictionary.to_pylist(), ""]
    codes = _values(encoded.indices)
    if column.null_count:
        builder.add(texts, np.where(_is_known(encoded.indices), codes, len(texts) - 1))
    else:
        builder.add(texts[:-1], codes)
    return "levels" if builder.is_text else "text"


def _numbers(column: Any) -> NDArray[Any]:
    """Give the numbers of a column, NaN where null."""
    values = _values(column)
    return np.where(_is_known(column), values, np.nan) if column.null_count else values


def _values(column: Any) -> NDArray[Any]:
    """Give a column as an array, anything where null; pyarrow's own way imports pandas."""
    whole = np.frombuffer(column.buffers()[1], dtype=_DTYPES[str(column.type)])
    return whole[column.offset : column.offset + len(column)]


def _is_known(column: Any) -> NDArray[np.bool_]:
    """Tell where a column that has nulls has none."""
    bits = np.frombuffer(column.buffers()[0], dtype=np.uint8)
    known = np.unpackbits(bits, count=column.offset + len(column), bitorder="little")
    return known[column.offset :].view(bool)


def _places(column: Any) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Find where each text of a column starts and ends, and how many bytes it has."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)
    offsets = offsets[column.offset : column.offset + len(column) + 1]
    return offsets, offsets[1:] - offsets[:-1]


def _plain_numbers(
    column: Any, offsets: NDArray[np.int32], lengths: NDArray[np.int32]
) -> NDArray[Any] | None:
    """Read a column of numbers; None if any cell is written in another than the plainest way."""
    import pyarrow

    if column.null_count == len(column):
        return np.full(len(column), np.nan)
    data = bytes(column.buffers()[2][offsets[0] : offsets[-1]])
    if data[:64].translate(None, _IN_NUMBERS):
        return None
    others = data.translate(None, _IN_INTEGERS)
    if others.translate(None, _IN_NUMBERS):
        return None
    if others and not others.translate(None, b"+"):
        return None
    digits = np.frombuffer(data, dtype=np.uint8)
    starts = offsets[:-1][lengths > 1] - offsets[0]
    after_zero = digits[starts[digits[starts] == ord("0")] + 1]
    if ((after_zero >= ord("0")) & (after_zero <= ord("9"))).any():
        return None  # 01234, or 00.5 perhaps
    kind = pyarrow.float64() if others else pyarrow.int64()
    try:
        return _numbers(column.cast(kind))
    except pyarrow.ArrowInvalid:
        return None
