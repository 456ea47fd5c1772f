"""Tables as the commands need them: read, taken apart, checked; and what is said about them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import working
from treewright.cli.console import note, quoted_list
from treewright.cli.large import is_large, is_parquet, read_sample
from treewright.cli.reading import Reading
from treewright.exceptions import (
    DataError,
    TableFileError,
    brief,
)
from treewright.files import MAX_BYTES, read_numbers
from treewright.files.numbers import float_columns_in_doubt
from treewright.files.paths import STANDARD_INPUT, shown_path, split_suffix
from treewright.files.reading import as_text, read_source
from treewright.files.sources import Source
from treewright.reports.target import (
    Columns,
    Target,
    choose_task,
    drop_unknown,
    keep_known,
    similar_classes,
    target_of,
)
from treewright.schema import NumberForm, read_cells
from treewright.words import number_text

__all__ = [
    "Columns",
    "Target",
    "as_numbers",
    "choose_task",
    "drop_unknown",
    "find_column",
    "keep_known",
    "read",
    "read_files",
    "similar_classes",
    "target_of",
    "weights_of",
]

_DELIMITED = (".csv", ".tsv", ".tab", ".txt")


def read_files(
    files: Sequence[str], reading: Reading, *, text: Collection[str] = (), seed: int = 0
) -> Columns:
    """Read a table of one file, or a sample of one that is not read at once.

    Parameters
    ----------
    files : sequence of str
        What the user named.
    reading : Reading
        How to read it.
    text : collection of str, default ()
        Columns to take as text.
    seed : int, default 0
        Of a sample.

    Returns
    -------
    dict of str to column
        As `read` gives it.
    """
    if not is_large(files):
        return read(files[0], reading, text=text)
    table = as_text(read_sample(files, seed), {*text, *reading.of_kind("category")})
    for name in reading.types:
        find_column(table, name, files[0])
    return table


def read(
    path: str,
    reading: Reading,
    *,
    text: Collection[str] = (),
    forms: Mapping[str, NumberForm] = MappingProxyType({}),
) -> Columns:
    """Read a table, with a bar if it takes long, and say what is not as the file has it.

    Parameters
    ----------
    path : str
        The file, or "-" for standard input.
    reading : Reading
        How to read it.
    text : collection of str, default ()
        Columns to take as text, besides those that the user says are categories.
    forms : mapping of str to NumberForm, default {}
        How numbers of some columns are written, as a model remembers it.

    Returns
    -------
    dict of str to column
        The columns; their numbers are still to be read by :func:`as_numbers`.
    """
    texts = {*text, *reading.of_kind("category")}
    most = MAX_BYTES if reading.max_bytes is None else reading.max_bytes
    has_marks = reading.decimal is not None or reading.thousands is not None
    raw = None if has_marks else {*forms, *reading.of_kind("number")}
    with (
        working(f"Reading {os.path.basename(path)}"),
        Source(path, reading.encoding, most) as source,
    ):
        table = read_source(source, text=texts, sep=reading.sep, raw=raw, say=note)
        if raw is not None and source.suffix in _DELIMITED:
            doubtful = float_columns_in_doubt(table)
            if doubtful:
                raw = {*raw, *doubtful}
                table = read_source(source, text=texts, sep=reading.sep, raw=raw)
    for name in reading.types:
        find_column(table, name, path)
    return table


def as_numbers(
    table: Columns,
    reading: Reading,
    path: str,
    *,
    text: Collection[str] = (),
    forms: Mapping[str, NumberForm] = MappingProxyType({}),
) -> tuple[Columns, dict[str, NumberForm]]:
    """Read the numbers that stand in columns of text, and say so.

    Parameters
    ----------
    table : dict of str to column
        By :func:`read`, perhaps with fewer rows.
    reading : Reading
        How to read it.
    path : str
        Where it comes from.
    text : collection of str, default ()
        Columns to leave as they are.
    forms : mapping of str to NumberForm, default {}
        How numbers of some columns are written, as a model remembers it.

    Returns
    -------
    table : dict of str to column
        With numbers.
    forms : dict of str to NumberForm
        How they were written, where that was not the plain way.
    """
    others = [name for name, kind in reading.types.items() if kind != "number"]
    return read_numbers(
        table,
        decimal=reading.decimal,
        thousands=reading.thousands,
        numbers=reading.of_kind("number"),
        text={*text, *others},
        forms=forms,
        plain=path == STANDARD_INPUT or _suffix(path) in (*_DELIMITED, ".xlsx"),
        say=note,
    )


def _suffix(path: str) -> str:
    return ".parquet" if is_parquet(path) else split_suffix(path)[0]


def find_column(table: Columns, name: str, path: str) -> Any:
    """Return a column by its name, or raise an error that suggests another name."""
    if name in table:
        return table[name]
    folded = {known.strip().casefold(): known for known in table}
    near = difflib.get_close_matches(name.strip().casefold()[:200], folded, n=1, cutoff=0.65)
    if near:
        hint = f"did you mean {brief(folded[near[0]])}?"
    else:
        hint = f"it has {quoted_list(list(table))}."
    raise TableFileError(f"{shown_path(path)} has no column {brief(name)}; {hint}")


def weights_of(column: Any, name: str) -> NDArray[np.float64]:
    """Read a column of weights."""
    cells = read_cells(column, name)
    if cells.kind != "numeric":
        raise DataError(f"The weights in column {brief(name)} must be numbers.")
    weights = cells.numbers.astype(np.float64)
    bad = ~(weights >= 0)
    if bad.any():
        first = int(bad.argmax())
        value = "missing" if np.isnan(weights[first]) else number_text(weights[first])
        raise DataError(
            f"The weights in column {brief(name)} must be numbers that are not below 0; "
            f"{int(bad.sum())} of {len(bad)} are not, the first is {value} in row {first + 1}."
        )
    if not weights.any():
        raise DataError(f"The weights in column {brief(name)} are 0 in every row.")
    return weights
