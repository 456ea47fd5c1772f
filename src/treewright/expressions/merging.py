"""Conditions that all hold, such as those on the path to a leaf, said one a column."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.expressions.values import And, Compare, Expression, In, Sum, exact

__all__ = ["measured", "merge_conditions"]


def merge_conditions(conditions: Iterable[Expression]) -> tuple[Expression, ...]:
    """Say several conditions that all hold as few conditions, one a column where possible.

    Bounds on one column (or on one weighted sum) become an interval, sets of levels become their
    intersection, repeated conditions are said once. Columns keep the order of their first
    appearance. Conditions that contradict each other stay a contradiction.

    Parameters
    ----------
    conditions : iterable of Expression
        For example the branches on the path to a leaf.

    Returns
    -------
    tuple of Expression
        Conditions that hold together exactly when the given ones do.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> age = Column("age", "numeric")
    >>> bounds = [Compare(age, "<=", 70.0), Compare(age, ">", 18.0), Compare(age, "<=", 55.0)]
    >>> print(*merge_conditions(bounds))
    18 < age <= 55
    """
    lower: dict[object, Compare | Sum] = {}
    upper: dict[object, Compare | Sum] = {}
    sets: dict[object, In] = {}
    order: dict[object, Expression] = {}
    pending = list(conditions)[::-1]
    while pending:
        condition = pending.pop()
        key: object = condition
        match condition:
            case And(parts):
                pending.extend(parts[::-1])
                continue
            case Compare() | Sum():
                key = measured(condition)
                side, better = (upper, min) if condition.operator == "<=" else (lower, max)
                # Of equal bounds the earlier is kept, so 0.0 and -0.0 do not change places.
                side[key] = better(side.get(key, condition), condition, key=_bound)
            case In(column):
                key = ("levels", column.name)
                levels = set(map(exact, condition.levels))
                known = sets[key].levels if key in sets else column.levels
                sets[key] = In(column, tuple(level for level in known if exact(level) in levels))
            case _:
                pass
        order.setdefault(key, condition)
    merged: list[Expression] = []
    for key, condition in order.items():
        if key in lower and key in upper:
            merged.append(And((lower[key], upper[key])))
        else:
            merged.append(lower.get(key) or upper.get(key) or sets.get(key) or condition)
    return tuple(merged)


def _bound(condition: Compare | Sum) -> float:
    return condition.value


def measured(condition: Compare | Sum) -> object:
    """Name what is compared; columns by name, since the levels of a column may be many."""
    if isinstance(condition, Compare):
        return condition.column.name
    return tuple((coefficient, column.name) for coefficient, column in condition.terms)
