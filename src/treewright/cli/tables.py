"""Tables as the commands need them: read, taken apart, checked; and what is said about them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.cli.progress import working
from treewright.cli.reading import Reading
from treewright.cli.screen import note, quoted_list
from treewright.exceptions import (
    DataError,
    TableFileError,
    brief,
)
from treewright.files import MAX_BYTES, read_numbers
from treewright.files.numbers import float_columns_in_doubt
from treewright.files.paths import STANDARD_INPUT, shown_path, split_suffix
from treewright.files.reading import read_source
from treewright.files.sources import Source
from treewright.schema import Cells, NumberForm, are_codes, keep_rows, read_cells
from treewright.words import name_text, number_text

__all__ = [
    "Target",
    "as_numbers",
    "choose_task",
    "drop_unknown",
    "find_column",
    "keep_known",
    "read",
    "similar_classes",
    "target_of",
    "weights_of",
]

Task: TypeAlias = Literal["classification", "regression"]
Columns: TypeAlias = dict[str, Any]

_DELIMITED = (".csv", ".tsv", ".tab", ".txt")
_MOST_CLASSES = 1000  # every node holds a number a class


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
    as_text = {*text, *reading.of_kind("category")}
    most = MAX_BYTES if reading.max_bytes is None else reading.max_bytes
    has_marks = reading.decimal is not None or reading.thousands is not None
    raw = None if has_marks else {*forms, *reading.of_kind("number")}
    with (
        working(f"Reading {os.path.basename(path)}"),
        Source(path, reading.encoding, most) as source,
    ):
        table = read_source(source, text=as_text, sep=reading.sep, raw=raw, say=note)
        if raw is not None and source.suffix in _DELIMITED:
            doubtful = float_columns_in_doubt(table)
            if doubtful:
                raw = {*raw, *doubtful}
                table = read_source(source, text=as_text, sep=reading.sep, raw=raw)
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
        plain=path == STANDARD_INPUT or split_suffix(path)[0] in (*_DELIMITED, ".xlsx"),
        say=note,
    )


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


# ---------------------------------------------------------------------------- target and weights


@dataclass(frozen=True)
class Target:
    """What is to be predicted, in the rows where it is known."""

    name: str
    column: Any
    cells: Cells
    is_known: NDArray[np.bool_]

    @property
    def values(self) -> list[str | int | float | bool]:
        """The different values that occur, sorted."""
        if self.cells.kind == "numeric":
            found: list[Any] = np.unique(self.cells.numbers[self.is_known]).tolist()
            return found
        codes = np.unique(self.cells.codes[self.is_known])
        return [self.cells.levels[code] for code in codes]

    @property
    def labels(self) -> list[str | int | float | bool]:
        """The value of every row where it is known."""
        if self.cells.kind == "numeric":
            numbers: list[Any] = self.cells.numbers[self.is_known].tolist()
            return numbers
        return [self.cells.levels[code] for code in self.cells.codes[self.is_known]]


def target_of(column: Any, name: str) -> Target:
    """Read a target column."""
    cells = read_cells(column, name)
    if cells.kind == "numeric":
        is_known = ~np.isnan(cells.numbers.astype(np.float64))
    else:
        is_known = np.asarray(cells.codes >= 0)
    if cells.kind == "empty" or not is_known.any():
        raise DataError(f"The target {brief(name)} is missing in every row.")
    return Target(name, column, cells, is_known)


def choose_task(target: Target, asked: str) -> tuple[Task, str]:
    """Decide between classes and numbers, and say why; an error if neither can be learned."""
    shown = brief(target.name)
    values = target.values
    is_number = target.cells.kind == "numeric"
    if len(values) == 1:
        raise DataError(
            f"The target {shown} is {brief(values[0])} in every row; there is nothing to learn."
        )
    is_whole = is_number and all(float(value).is_integer() for value in values)
    few = is_number and are_codes(target.cells.numbers[target.is_known])
    if asked == "regression" and not is_number:
        raise DataError(
            f"The target {shown} holds {_kind(target)}, and regression predicts numbers; "
            "leave out --task regression."
        )
    task: Task = "classification" if not is_number or few else "regression"
    if asked == "classification":
        task = "classification"
        if is_number and not is_whole:
            broken = next(value for value in values if not float(value).is_integer())
            raise DataError(
                f"The target {shown} holds numbers such as {brief(broken)}, which are no classes; "
                "leave out --task classification."
            )
    elif asked == "regression":
        task = "regression"
    if task == "classification" and len(values) > _MOST_CLASSES:
        raise DataError(
            f"The target {shown} has {len(values):,} different values, which is too many for "
            f"classes; at most {_MOST_CLASSES:,} can be told apart."
        )
    kind = "whole numbers" if few else _kind(target)
    why = f"Target {name_text(target.name)}: {kind}, {len(values):,} different values: {task}"
    if few and asked == "auto":
        why += " (predict the number with --task regression)"
    return task, why + "."


def _kind(target: Target) -> str:
    words = {"numeric": "numbers", "boolean": "truth values", "ordinal": "ordered levels"}
    return words.get(target.cells.kind, "text")


def similar_classes(target: Target) -> list[str]:
    """Remark on classes that differ only by case or spaces, and may be the same.

    Examples
    --------
    >>> similar_classes(target_of(["yes", "Yes ", "no"], "late"))[0].partition(";")[0]
    "Classes 'Yes ' and 'yes' of 'late' differ only by case or spaces"
    """
    groups: dict[str, list[str]] = {}
    for value in target.values:
        if isinstance(value, str):
            groups.setdefault(" ".join(value.split()).casefold(), []).append(value)
    return [
        f"Classes {', '.join(map(brief, same[:-1]))} and {brief(same[-1])} of "
        f"{brief(target.name)} differ only by case or spaces; if they are the same, write them "
        "alike."
        for same in groups.values()
        if len(same) > 1
    ][:3]


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


def drop_unknown(table: Columns, name: str) -> tuple[Columns, int]:
    """Leave out the rows without a target, such as a line of totals; count them.

    This comes before numbers are read: one word in such a row would make a column text.
    """
    target = target_of(table[name], name)
    if target.is_known.all():
        return table, 0
    others = {one: column for one, column in table.items() if one != name}
    kept, column, _ = keep_rows(others, table[name], target.is_known.astype(np.float64))
    return {one: column if one == name else kept[one] for one in table}, int(
        (~target.is_known).sum()
    )


def keep_known(
    table: Columns, target: Target, weights: NDArray[np.float64] | None, n_before: int = 0
) -> tuple[Columns, Target, NDArray[np.float64] | None, list[str]]:
    """Leave out the rows that teach nothing: without a target, or of weight 0; remark on it."""
    is_kept = target.is_known if weights is None else target.is_known & (weights > 0)
    n_unknown = n_before + int((~target.is_known).sum())
    remarks = []
    if n_unknown:
        rows = "1 row" if n_unknown == 1 else f"{n_unknown:,} rows"
        remarks.append(f"{rows} without a value of {brief(target.name)} left out.")
    if is_kept.all():
        return table, target, weights, remarks
    if not is_kept.any():
        raise DataError(f"No row has both a value of {brief(target.name)} and a weight above 0.")
    table, column, _ = keep_rows(table, target.column, is_kept.astype(np.float64))
    kept_weights = None if weights is None else weights[is_kept]
    return table, target_of(column, target.name), kept_weights, remarks
