"""One column of a schema, and the rules for what may stand in it.

Names and levels are other people's text and are kept as they are: any character, any length. Only
what could not be written to a file and read back the same is refused: text that is no valid
Unicode, numbers that are not finite or need more than 64 bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import SchemaError, brief
from treewright.schema.cells import Cells, Kind, Level

__all__ = [
    "Column",
    "check_keys",
    "check_levels",
    "check_text",
    "exactly",
    "learn_column",
    "with_missing",
]

_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name, what it holds, and in which unit.

    Parameters
    ----------
    name : str
        The name, kept as it is.
    kind : {"numeric", "boolean", "categorical", "ordinal"}
        What the column holds.
    levels : tuple of str, int, float or bool, default ()
        The levels of a categorical or ordinal column, in order of their codes. The number 1, the
        number 1.0, the text "1" and True are four different levels. A categorical column that had
        no value at all has no levels.
    unit : str or None, default None
        The unit of a number, for printing.
    has_missing : bool, default False
        Whether values were missing in training. What becomes of a missing value is then printed
        wherever the column decides. Columns that differ only in this are equal.

    Raises
    ------
    SchemaError
        If the parts do not fit together.

    See Also
    --------
    treewright.Schema : All columns, and the target.
    NumberForm : How numbers are written in a file.

    Examples
    --------
    >>> Column("home", "categorical", ("own", "rent")).n_levels
    2
    >>> Column("member", "boolean").levels
    (False, True)
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()
    unit: str | None = None
    has_missing: bool = False

    def __post_init__(self) -> None:
        check_text(self.name, "A column name")
        if self.kind not in _KINDS:
            raise SchemaError(
                f"The kind of column {brief(self.name)} must be one of "
                f"{', '.join(map(repr, _KINDS))}. Got {brief(self.kind)}."
            )
        if self.unit is not None:
            check_text(self.unit, f"The unit of column {brief(self.name)}")
        if type(self.has_missing) is not bool:
            raise SchemaError(
                f"'has_missing' of column {brief(self.name)} must be a bool. "
                f"Got {brief(self.has_missing)}."
            )
        if self.kind == "boolean" and self.levels == ():
            object.__setattr__(self, "levels", (False, True))
        if self.levels != ():  # wide tables have thousands of columns without
            check_levels(self.levels, f"column {brief(self.name)}")
        if self.kind == "numeric" and self.levels:
            raise SchemaError(f"Column {brief(self.name)} is numeric and cannot have levels.")
        if self.kind == "boolean" and exactly(self.levels) != exactly((False, True)):
            raise SchemaError(f"The levels of boolean column {brief(self.name)} are false, true.")
        if self.kind == "ordinal" and not self.levels:
            raise SchemaError(f"Ordinal column {brief(self.name)} needs at least one level.")

    @property
    def n_levels(self) -> int:
        """Number of levels the core distinguishes; 0 if it takes the column as numbers."""
        return len(self.levels) if self.kind in ("boolean", "categorical") else 0

    @cached_property
    def codes(self) -> dict[object, int]:
        """The code of each level by its type and value, and of each number by its value alone.

        So 1, 1.0 and True find each other across libraries, unless they are levels themselves.
        """
        known: dict[object, int] = {}
        for code, level in enumerate(self.levels):
            known[type(level), level] = code
            if not isinstance(level, str):
                known.setdefault(level, code)
        return known

    def to_json(self) -> dict[str, Any]:
        """Return the column as JSON: text, numbers, lists and dicts only."""
        parts: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind != "numeric":
            parts["levels"] = list(self.levels)
        if self.unit is not None:
            parts["unit"] = self.unit
        if self.has_missing:
            parts["has_missing"] = True
        return parts

    @classmethod
    def from_json(cls, data: object) -> Column:
        """Read what :meth:`to_json` wrote, trusting nothing.

        Parameters
        ----------
        data : object
            What was read from JSON.

        Returns
        -------
        Column
            The column.
        """
        parts = check_keys(data, "A column", ("name", "kind"), ("levels", "unit", "has_missing"))
        levels = parts.get("levels", [])
        if not isinstance(levels, list):
            raise SchemaError(
                f"The levels of column {brief(parts['name'])} must be a list. Got {brief(levels)}."
            )
        return cls(
            parts["name"],
            parts["kind"],
            tuple(levels),
            parts.get("unit"),
            parts.get("has_missing", False),
        )

    def _identity(self) -> tuple[object, ...]:
        return self.name, self.kind, exactly(self.levels), self.unit

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


def exactly(levels: Iterable[Level]) -> tuple[tuple[type, Level], ...]:
    """Levels with their types: 1, 1.0 and True are equal in Python, but not as levels."""
    levels = tuple(levels)
    return tuple(zip(map(type, levels), levels, strict=True))


def check_keys(
    data: object, what: str, required: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, Any]:
    """Raise unless `data` is a dict with these keys; return it."""
    if not isinstance(data, dict):
        raise SchemaError(f"{what} must be a JSON object. Got {brief(data)}.")
    for key in required:
        if key not in data:
            raise SchemaError(f"{what} lacks {key!r}.")
    for key in data:
        if key not in required and key not in optional:
            raise SchemaError(f"{what} has an unknown key {brief(key)}.")
    return data


def check_text(value: object, what: str) -> None:
    """Raise unless `value` is text that can be written to a file."""
    if not isinstance(value, str):
        raise SchemaError(f"{what} must be text. Got {brief(value)}.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise SchemaError(f"{what} is no valid Unicode text: {brief(value)}.") from None


def check_levels(levels: object, where: str) -> None:
    """Raise unless `levels` are distinct scalars that JSON can hold."""
    if not isinstance(levels, tuple):
        raise SchemaError(f"The levels of {where} must be a tuple. Got {brief(levels)}.")
    if _are_sound_texts(levels):  # thousands of them at once
        return
    for level in levels:
        if type(level) is str:
            check_text(level, f"A level of {where}")
        elif type(level) is float:
            if not math.isfinite(level):
                raise SchemaError(f"A level of {where} is not finite: {level}.")
        elif type(level) is int:
            if not -(2**63) <= level < 2**64:
                raise SchemaError(f"A level of {where} is an integer of more than 64 bits.")
        elif type(level) is not bool:
            raise SchemaError(
                f"A level of {where} must be text, a number or a boolean. Got {brief(level)}."
            )
    if len(set(exactly(levels))) != len(levels):
        seen: set[tuple[type, Level]] = set()
        for level in exactly(levels):
            if level in seen:
                raise SchemaError(f"Level {brief(level[1])} of {where} stands twice.")
            seen.add(level)


def _are_sound_texts(levels: tuple[object, ...]) -> bool:
    """Tell whether all levels are different texts that can be written to a file."""
    texts = [level for level in levels if type(level) is str]
    if not len(set(texts)) == len(texts) == len(levels):
        return False
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def with_missing(columns: tuple[Column, ...], values: NDArray[np.float64]) -> tuple[Column, ...]:
    """Note of each column whether values are missing in the training table."""
    with np.errstate(over="ignore", invalid="ignore"):
        suspects = np.flatnonzero(np.isnan(values.sum(axis=0)))
    if not len(suspects):
        return columns
    noted = list(columns)
    for index in suspects.tolist():
        if np.isnan(values[:, index]).any():  # else large numbers of both signs
            noted[index] = replace(noted[index], has_missing=True)
    return tuple(noted)


def learn_column(name: str, cells: Cells) -> Column:
    """Make a column of its cells; one without any value is categorical, without levels."""
    if cells.kind == "empty":
        return Column(name, "categorical")
    return Column(name, cells.kind, cells.levels)
