"""Tables as the commands need them: read, taken apart, checked; and what is said about them."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.cli.progress import working
from treewright.cli.screen import quoted_list
from treewright.exceptions import (
    DataError,
    TableFileError,
    WriteError,
    brief,
    brief_path,
)
from treewright.files import read_table
from treewright.schema import Cells, are_codes, is_identifier, keep_rows, read_cells
from treewright.words import name_text, number_text

__all__ = [
    "Target",
    "check_output",
    "choose_task",
    "find_column",
    "keep_known",
    "identifiers",
    "read",
    "target_of",
    "weights_of",
]

Task: TypeAlias = Literal["classification", "regression"]
Columns: TypeAlias = dict[str, Any]

_MOST_CLASSES = 1000  # every node holds a number a class


def read(path: str, *, text: Collection[str] = (), encoding: str | None = None) -> Columns:
    """Read a table, with a bar if it takes long."""
    with working(f"Reading {os.path.basename(path)}"):
        return read_table(path, text=text, encoding=encoding)


def check_output(path: str, inputs: Sequence[str], suffixes: Sequence[str]) -> None:
    """Refuse a place for output before any work is done: better now than in an hour."""
    shown = brief_path(path)
    final = os.path.realpath(path)
    for source in inputs:
        if final == os.path.realpath(source) or (
            os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source)
        ):
            raise WriteError(f"The output {shown} is also an input; give it another name.")
    if os.path.isdir(final):
        raise WriteError(f"The output {shown} is a folder; name a file in it.")
    is_special = os.path.exists(final) and not os.path.isfile(final)  # /dev/null
    if not is_special and not path.lower().endswith(tuple(suffixes)):
        raise WriteError(f"The output {shown} must have a name that ends in {_either(suffixes)}.")
    folder = os.path.dirname(final)
    if not os.path.isdir(folder):
        raise WriteError(f"The folder of the output {shown} is not there; make it first.")
    if os.path.exists(final) and not os.access(final, os.W_OK):
        raise WriteError(f"The output {shown} is there already and may not be changed.")
    if not is_special and not os.access(folder, os.W_OK | os.X_OK):
        raise WriteError(f"The folder of the output {shown} may not be written to.")


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


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
    raise TableFileError(f"{brief_path(path)} has no column {brief(name)}; {hint}")


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


def keep_known(
    table: Columns, target: Target, weights: NDArray[np.float64] | None
) -> tuple[Columns, Target, NDArray[np.float64] | None, list[str]]:
    """Leave out the rows that teach nothing: without a target, or of weight 0; remark on it."""
    is_kept = target.is_known if weights is None else target.is_known & (weights > 0)
    n_unknown = int((~target.is_known).sum())
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


def identifiers(table: Columns) -> list[str]:
    """Remark on columns that seem to name the rows rather than to describe them.

    Raises
    ------
    DataError
        If a column cannot be used at all.
    """
    found = []
    for name, column in table.items():
        try:
            cells = read_cells(column, name)
        except DataError as error:
            reason = str(error).removesuffix(".")
            raise DataError(f"{reason}, or use --drop {_shell_word(name)}.") from error
        if is_identifier(cells):
            found.append(name)
    if not found:
        return []
    what = f"Column {brief(found[0])}" if len(found) == 1 else f"Columns {quoted_list(found)}"
    verb = "has" if len(found) == 1 else "have"
    drop = " ".join(f"--drop {_shell_word(name)}" for name in found[:5])
    return [
        f"{what} {verb} another value in every row and can tell nothing of new rows; try {drop}"
    ]


def _shell_word(name: str) -> str:
    return shlex.quote(name) if len(name) <= 60 else "NAME"
