"""Missing values in conditions: adding them, taking them out, and seeing where they are said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from treewright.expressions.values import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Sum,
    Xor,
)
from treewright.schema import Column

__all__ = ["any_missing", "or_missing", "split_missing", "without_missing"]


def any_missing(columns: Sequence[Column]) -> Expression:
    """Say that one value at least of some columns is missing.

    Parameters
    ----------
    columns : sequence of Column
        The columns, one at least.

    Returns
    -------
    Expression
        True where a value is missing.
    """
    parts = tuple(map(IsMissing, columns))
    return parts[0] if len(parts) == 1 else Or(parts)


def or_missing(condition: Expression) -> Or:
    """Let a condition hold also where a value it needs is missing.

    Parameters
    ----------
    condition : Expression
        The condition.

    Returns
    -------
    Or
        The condition, and one for each column it reads.

    Examples
    --------
    >>> from treewright.expressions import Compare
    >>> print(or_missing(Compare(Column("age", "numeric"), "<=", 42.0)))
    age <= 42 or missing
    """
    return Or((condition, *map(IsMissing, condition.columns)))


def split_missing(condition: Expression) -> tuple[Expression, bool]:
    """Undo `or_missing`.

    Parameters
    ----------
    condition : Expression
        What `or_missing` may have made.

    Returns
    -------
    condition : Expression
        The condition that needs its values.
    or_missing : bool
        Whether missing values were added to it; if not, it is the one given.
    """
    if isinstance(condition, Or) and condition.parts:
        first, *others = condition.parts
        # Columns by name: their levels may be many.
        missing = [part.column.name for part in others if isinstance(part, IsMissing)]
        is_whole = len(missing) == len(others) > 0
        if is_whole and missing == [column.name for column in first.columns]:
            return first, True
    return condition, False


def without_missing(condition: Expression, keep: Callable[[Column], bool]) -> Expression | None:
    """Say a condition for rows in which the values of some columns are never missing.

    Parameters
    ----------
    condition : Expression
        A condition in which Not does not stand before IsMissing.
    keep : callable of Column to bool
        Tells the columns whose values may be missing.

    Returns
    -------
    Expression or None
        None if the condition holds only where one of the others is missing.

    Examples
    --------
    >>> from treewright.expressions import Compare
    >>> condition = or_missing(Compare(Column("age", "numeric"), "<=", 42.0))
    >>> print(without_missing(condition, lambda column: False))
    age <= 42
    """
    match condition:
        case IsMissing(column):
            return condition if keep(column) else None
        case And(parts):
            kept = [without_missing(part, keep) for part in parts]
            said = [part for part in kept if part is not None]
            return None if len(said) < len(parts) else And(tuple(said))
        case Or(parts):
            kept = [without_missing(part, keep) for part in parts]
            said = [part for part in kept if part is not None]
            if len(said) == 1:
                return said[0]
            return Or(tuple(said)) if said else None
        case Compare() | Sum() | In() | Xor() | Not() | Largest():
            return condition
        case _:
            assert_never(condition)
