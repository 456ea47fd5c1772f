"""The bytes of a table: of a file, of what a file unpacks to, or of standard input.

However small a file is, what it unpacks to may be endless. No more than `max_bytes` of it are
read, and no line longer than `LONGEST_LINE`, before one sentence says so.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

from treewright.exceptions import TableFileError, brief
from treewright.files.paths import STANDARD_INPUT, check_table_path, shown_path, split_suffix

__all__ = [
    "LONGEST_LINE",
    "MAX_BYTES",
    "Source",
    "TooLargeError",
    "lines_of",
    "one_sentence",
    "too_large",
]

#: What a table may take unpacked, unless asked for more: 2 GiB.
MAX_BYTES = 2 << 30
LONGEST_LINE = 16 << 20  # characters; a row of a million cells takes less
_SNIFFED = 4096
# UTF-32 first: its mark starts with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KINDS = (  # how data without a name starts
    (b"\x1f\x8b", ".csv.gz"),
    (b"PAR1", ".parquet"),
    (b"ARROW1", ".arrow"),
    (b"PK\x03\x04", ".xlsx"),
    (b"[", ".json"),
    (b"{", ".jsonl"),
)


class Source:
    """A table to be read, perhaps more than once.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is standard input, which is copied to a temporary file first.
    encoding : str or None
        The encoding of text; None for UTF-8, or what a byte order mark says.
    max_bytes : int
        The most to unpack.

    Attributes
    ----------
    path : str
        Where the bytes are.
    shown : str
        What messages call it.
    suffix : str
        What it is: ".csv", ".parquet", ...

    Raises
    ------
    TableFileError
        If there is nothing that could be a table.
    """

    def __init__(self, path: str | os.PathLike[str], encoding: str | None, max_bytes: int) -> None:
        check_table_path(path)
        if encoding is not None:
            try:
                codecs.lookup(encoding)
            except (LookupError, ValueError):
                raise TableFileError(f"There is no encoding {brief(encoding)} of text.") from None
        self.path: str = os.fspath(path)
        self.shown: str = shown_path(path)
        self.max_bytes = max_bytes
        self._encoding = encoding
        self._folder: str | None = None
        if self.path == STANDARD_INPUT:
            self.path = self._copied_input()
        self.suffix: str
        self.suffix, self._is_compressed = split_suffix(self.path)
        if self.size > max_bytes:
            raise too_large(self.shown, max_bytes)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def size(self) -> int:
        """Bytes that the file has, or seems to unpack to."""
        with one_sentence(self.shown), open(self.path, "rb") as file:
            packed = os.fstat(file.fileno()).st_size
            if not self._is_compressed or packed < 4:
                return packed
            # The file says how much it unpacks to. No deflated byte gives more than 1,032.
            file.seek(-4, os.SEEK_END)
            unpacked = int.from_bytes(file.read(4), "little")
            return unpacked if unpacked <= 1032 * packed else packed

    @contextlib.contextmanager
    def open_bytes(self) -> Iterator[io.BufferedReader]:
        """Open what the file unpacks to."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(one_sentence(self.shown))
            file: Any = stack.enter_context(open(self.path, "rb"))
            if self._is_compressed:
                import gzip

                file = stack.enter_context(gzip.GzipFile(fileobj=file))
            limited = _Limited(file, self.max_bytes, self.shown)
            yield stack.enter_context(io.BufferedReader(limited, buffer_size=1 << 16))

    @contextlib.contextmanager
    def open_text(self) -> Iterator[IO[str]]:
        """Open the text, with line ends as they are."""
        with self.open_bytes() as raw:
            encoding = self.encoding_of(raw.peek(_SNIFFED)[:_SNIFFED])
            with io.TextIOWrapper(raw, encoding=encoding, newline="") as file:
                yield file

    def encoding_of(self, start: bytes) -> str:
        """Return the encoding of text that starts in some way; raise if it is no text."""
        marked = (found for mark, found in _BYTE_ORDER_MARKS if start.startswith(mark))
        encoding = self._encoding or next(marked, "utf-8")
        if b"\0" in start and encoding.startswith("utf-8"):
            raise TableFileError(f"{self.shown} is no text but binary data, despite its name.")
        return encoding

    def _copied_input(self) -> str:
        """Copy standard input to a file whose name says what it is."""
        self._folder = tempfile.mkdtemp(prefix="treewright-")
        limited = io.BufferedReader(_Limited(sys.stdin.buffer, self.max_bytes, self.shown))
        try:
            start = limited.peek(_SNIFFED).lstrip()
            kind = next((kind for mark, kind in _KINDS if start.startswith(mark)), ".csv")
            path = os.path.join(self._folder, f"input{kind}")
            with one_sentence(self.shown), open(path, "wb") as file:
                shutil.copyfileobj(limited, file)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return path


class _Limited(io.RawIOBase):
    """Bytes that end with an error once there are too many."""

    def __init__(self, file: Any, most: int, shown: str) -> None:
        self._file, self._most, self._shown, self._count = file, most, shown, 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes."""
        count: int = self._file.readinto(buffer)
        self._count += count
        if self._count > self._most:
            raise too_large(self._shown, self._most)
        return count


class TooLargeError(TableFileError):
    """A table that is larger than allowed."""


def too_large(shown: str, most: int) -> TooLargeError:
    """Say that a table is larger than allowed, and what to do."""
    return TooLargeError(
        f"{shown} unpacks to more than {_size_text(most)}; if that is wanted, allow more with "
        "--max-size (max_bytes in Python)."
    )


def _size_text(count: int) -> str:
    for name, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.4g} {name}"
    return f"{count} bytes"


def lines_of(file: IO[str], shown: str) -> Iterator[str]:
    """Read line by line; a line without end is refused rather than held in memory."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise TableFileError(
                f"Line {number} of {shown} has more than {LONGEST_LINE:,} characters; a table has "
                "one line per row."
            )
        yield line


@contextlib.contextmanager
def one_sentence(shown: str) -> Iterator[None]:
    """Turn what reading can raise into one sentence about the file."""
    try:
        yield
    except TableFileError:
        raise
    except UnicodeDecodeError as error:
        offender = brief(error.object[error.start : error.start + 1])
        raise TableFileError(
            f"{shown} is not {error.encoding.upper()} text (first unreadable byte: {offender}); "
            "save it as UTF-8, or name its encoding, such as --encoding cp1252."
        ) from error
    except UnicodeError as error:
        raise TableFileError(f"{shown} cannot be read: {error}.") from error
    except (EOFError, zlib.error) as error:
        raise TableFileError(f"{shown} is damaged: its compressed data ends too early.") from error
    except OSError as error:
        raise TableFileError(f"{shown} cannot be read: {error.strerror or error}.") from error
