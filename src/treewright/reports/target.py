"""What a table is to be learned for: the target, the rows where it is known, the task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.base.tasks import AskedTask, Task, is_regression
from treewright.exceptions import DataError, brief
from treewright.schema import Cells, are_codes, keep_rows, read_cells
from treewright.words import name_text

__all__ = [
    "Columns",
    "Target",
    "choose_task",
    "drop_unknown",
    "keep_known",
    "similar_classes",
    "target_of",
]

Columns: TypeAlias = dict[str, Any]

_MOST_CLASSES = 1000  # every node holds a number a class


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


def choose_task(target: Target, asked: AskedTask) -> tuple[Task, str]:
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
    task: Task
    match asked:
        case "auto":
            task = "classification" if not is_number or few else "regression"
        case "classification":
            task = asked
            if is_number and not is_whole:
                broken = next(value for value in values if not float(value).is_integer())
                raise DataError(
                    f"The target {shown} holds numbers such as {brief(broken)}, which are no "
                    "classes; leave the task to be found out."
                )
        case "regression":
            task = asked
            if not is_number:
                raise DataError(
                    f"The target {shown} holds {_kind(target)}, and regression predicts numbers; "
                    "leave the task to be found out."
                )
        case never:
            assert_never(never)
    if not is_regression(task) and len(values) > _MOST_CLASSES:
        raise DataError(
            f"The target {shown} has {len(values):,} different values, which is too many for "
            f"classification; at most {_MOST_CLASSES:,} classes are possible."
        )
    kind = "whole numbers" if few else _kind(target)
    why = f"Target {name_text(target.name)}: {kind}, {len(values):,} different values: {task}"
    if few and asked == "auto":
        why += " (predict the number with --task regression)"
    return task, why + "."


def _kind(target: Target) -> str:
    words = {"numeric": "numbers", "boolean": "booleans", "ordinal": "ordered levels"}
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
