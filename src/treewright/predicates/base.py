"""What the six predicates have in common: numbers in the core, size, checks of their parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

from treewright.expressions import Expression, any_missing, or_missing
from treewright.schema import Schema

__all__ = [
    "BasePredicate",
    "FlatTest",
    "FlatKind",
    "check_codes",
    "check_columns",
    "check_numbers",
]

FlatTest: TypeAlias = tuple[int, list[int], list[float]]

_N_CODES = 2**31 - 1  # columns, levels and nodes are 32-bit numbers in the core


class FlatKind:
    """The number of each kind in the core: plain ints, as the core takes them."""

    LEAF: Final = -1
    AXIS: Final = 0
    LINEAR: Final = 1
    SUBSET: Final = 2
    MULTIWAY: Final = 3
    PAIR: Final = 4
    MACHINE: Final = 5


class _ReadsColumns(Protocol):
    @property
    def columns(self) -> tuple[int, ...]: ...

    def branches(self, schema: Schema) -> tuple[Expression, ...]: ...


class BasePredicate:
    """What all six predicates have."""

    __slots__ = ()

    @property
    def n_branches(self) -> int:
        """Number of branches: two, unless the kind says otherwise."""
        return 2

    @property
    def n_terms(self: _ReadsColumns) -> int:
        """How many values a reader looks at: one per column, or per level in a sum."""
        return len(self.columns)

    def possible_branches(self: _ReadsColumns, schema: Schema) -> tuple[Expression, ...]:
        """Say of each branch which rows may take it: those that do, and those of unknown branch.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            One per branch.
        """
        return tuple(map(or_missing, self.branches(schema)))

    def unknown(self: _ReadsColumns, schema: Schema) -> Expression:
        """Say for which rows the branch is not known.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        Expression
            True where the branch is unknown.
        """
        return any_missing([schema.columns[column] for column in dict.fromkeys(self.columns)])


def check_codes(name: str, codes: Sequence[int]) -> None:
    """Raise unless all can be positions of columns, levels or branches."""
    for code in codes:
        if not 0 <= code < _N_CODES:
            raise ValueError(f"The '{name}' of a predicate must be positions. Got {code!r}.")


def check_columns(columns: Sequence[int]) -> None:
    """Raise unless they are positions of different columns, one at least."""
    check_codes("columns", columns)
    if not columns or len(set(columns)) != len(columns):
        raise ValueError(f"The 'columns' of a predicate must be different columns. Got {columns}.")


def check_numbers(name: str, numbers: Sequence[float], count: int | None = None) -> None:
    """Raise unless all are finite and, where a count is given, as many as that."""
    if count is not None and len(numbers) != count:
        raise ValueError(
            f"The '{name}' of a predicate must be {count} numbers. Got {len(numbers)}."
        )
    for number in numbers:
        if not math.isfinite(number):
            raise ValueError(f"The '{name}' of a predicate must be finite. Got {number!r}.")
