"""Where a table or a model is to be read from: what can be said of a path without opening it.

Needs nothing heavy, so that a mistyped name is reported at once. A pipe or a device is refused
before it is opened: opening could wait for a writer, and reading might never end.
"""

from __future__ import annotations

import os
import stat
from typing import Literal

from treewright.exceptions import ModelFileError, TableFileError, brief_path

__all__ = ["STANDARD_INPUT", "SUFFIXES", "check_model_path", "check_table_path", "shown_path"]

#: Ends of file names that can be read; the text formats also with .gz behind.
SUFFIXES = (
    ".csv",
    ".tsv",
    ".tab",
    ".txt",
    ".json",
    ".jsonl",
    ".ndjson",
    ".parquet",
    ".feather",
    ".arrow",
    ".xlsx",
)
BINARY_SUFFIXES = (".parquet", ".feather", ".arrow", ".xlsx")
STANDARD_INPUT = "-"
_Trouble = Literal["absent", "folder", "special", "invalid"]
_OF_TABLES: dict[_Trouble, str] = {
    "absent": "is not there",
    "folder": "is a folder, not a table",
    "special": "is no regular file; give what comes through a pipe as standard input, named -",
    "invalid": "cannot be the name of a file",
}
_OF_MODELS: dict[_Trouble, str] = {
    "absent": "there is no such file",
    "folder": "it is a folder",
    "special": "it is not a regular file",
    "invalid": "this cannot be the name of a file",
}


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return what messages call a table."""
    return "Standard input" if os.fspath(path) == STANDARD_INPUT else brief_path(path)


def split_suffix(path: str | os.PathLike[str]) -> tuple[str, bool]:
    """Return the end of a name that says what it is, and whether it is compressed.

    Raises
    ------
    TableFileError
        If that is nothing that can be read.

    Examples
    --------
    >>> split_suffix("loans.csv.gz")
    ('.csv', True)
    """
    stem, suffix = os.path.splitext(os.fspath(path).lower())
    is_compressed = suffix == ".gz"
    if is_compressed:
        suffix = os.path.splitext(stem)[1]
    if suffix not in SUFFIXES or (is_compressed and suffix in BINARY_SUFFIXES):
        raise TableFileError(
            f"{shown_path(path)} is of a kind that cannot be read; supported are "
            f"{', '.join(SUFFIXES)}, and the text formats also with .gz."
        )
    return suffix, is_compressed


def check_table_path(path: str | os.PathLike[str]) -> None:
    """Raise a TableFileError where a path cannot lead to a table."""
    if os.fspath(path) == STANDARD_INPUT:
        return
    split_suffix(path)
    trouble = _trouble_at(path)
    if trouble is not None:
        raise TableFileError(f"{shown_path(path)} {_OF_TABLES[trouble]}.")


def check_model_path(path: str | os.PathLike[str]) -> None:
    """Raise a ModelFileError where a path cannot lead to a model file."""
    trouble = _trouble_at(path)
    if trouble is not None:
        raise ModelFileError(
            f"Model file {brief_path(path)} cannot be used: {_OF_MODELS[trouble]}."
        )


def _trouble_at(path: str | os.PathLike[str]) -> _Trouble | None:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "absent"
    except ValueError:  # a NUL, or what is no valid text
        return "invalid"
    except OSError:
        return None  # opening it says why
    if stat.S_ISDIR(mode):
        return "folder"
    return None if stat.S_ISREG(mode) else "special"
