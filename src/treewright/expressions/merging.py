"""Conditions that all hold, such as those on the path to a leaf, said one per column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from treewright.expressions.missing import any_missing, or_missing, split_missing
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
    exact,
)
from treewright.schema import Column

__all__ = ["measured", "merge_conditions"]


def merge_conditions(conditions: Iterable[Expression]) -> tuple[Expression, ...]:
    """Say several conditions that all hold as few conditions, one per column where possible.

    Bounds on one column (or on one weighted sum) become an interval, sets of levels become their
    intersection, repeated conditions are said once; a missing value fits what is left if it fits
    each of them. Columns keep the order of their first appearance. Conditions that contradict each
    other stay a contradiction.

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
    order: dict[object, _Allowed | Expression] = {}
    pending = list(conditions)[::-1]
    while pending:
        condition = pending.pop()
        if isinstance(condition, And):
            pending.extend(condition.parts[::-1])
            continue
        key = _key(condition)
        if key is None:
            order.setdefault(condition, condition)
            continue
        allowed = order.setdefault(key, _Allowed(condition.columns))
        assert isinstance(allowed, _Allowed), "an expression is the key of itself only"
        allowed.restrict(condition)
    merged: list[Expression] = []
    for found in order.values():
        merged.extend(found.conditions() if isinstance(found, _Allowed) else [found])
    return tuple(merged)


@dataclass
class _Allowed:
    """What may stand in one column, or come out of one weighted sum."""

    columns: tuple[Column, ...]
    lower: Compare | Sum | None = None
    upper: Compare | Sum | None = None
    inside: In | None = None
    outside: set[object] | None = None
    missing: bool = True
    must_be_missing: bool = False

    def restrict(self, condition: Expression) -> None:
        """Let one more condition hold."""
        condition, or_missing = split_missing(condition)
        is_missing = isinstance(condition, IsMissing)
        self.missing &= or_missing or is_missing
        self.must_be_missing |= is_missing
        self._restrict_values(condition)

    def _restrict_values(self, condition: Expression) -> None:
        match condition:
            case And(parts):
                for part in parts:
                    self._restrict_values(part)
            # Of equal bounds the earlier is kept, so 0.0 and -0.0 do not change places.
            case Compare() | Sum() if condition.operator == "<=":
                self.upper = min(self.upper or condition, condition, key=_bound)
            case Compare() | Sum():
                self.lower = max(self.lower or condition, condition, key=_bound)
            case In(column):
                levels = set(map(exact, condition.levels))
                known = column.levels if self.inside is None else self.inside.levels
                self.inside = In(column, tuple(level for level in known if exact(level) in levels))
            case Not(In(_, levels)):
                self.outside = {*(self.outside or ()), *map(exact, levels)}
            case IsMissing() | Or() | Xor() | Not() | Largest():  # has no key, or tells no value
                pass
            case _:
                assert_never(condition)

    def conditions(self) -> Iterator[Expression]:
        """Say what is left: one condition, or several that contradict each other."""
        values = self._values()
        if not self.missing:
            if values is not None:
                yield values
            if self.must_be_missing:
                yield any_missing(self.columns)
        elif self.must_be_missing or values is None or self._is_impossible(values):
            yield any_missing(self.columns)
        else:
            yield or_missing(values)

    def _values(self) -> Expression | None:
        """Say which values are allowed; None if no condition told."""
        if self.lower is not None and self.upper is not None:
            return And((self.lower, self.upper))
        if self.lower is not None or self.upper is not None:
            return self.lower or self.upper
        outside = self.outside or set()
        if self.inside is not None:
            left = (level for level in self.inside.levels if exact(level) not in outside)
            return In(self.inside.column, tuple(left))
        if self.outside is None:
            return None
        [column] = self.columns
        return Not(In(column, tuple(level for level in column.levels if exact(level) in outside)))

    def _is_impossible(self, values: Expression) -> bool:
        match values:
            case And():
                assert self.lower is not None
                assert self.upper is not None
                return self.lower.value >= self.upper.value
            case In(_, levels):
                return not levels
            case Not(In(column, levels)):
                return len(levels) == len(column.levels)  # new levels count as missing
            case Compare() | Sum() | IsMissing() | Or() | Xor() | Not() | Largest():
                return False
            case _:
                assert_never(values)


def _key(condition: Expression) -> object | None:
    """Name what a condition is about, if conditions about it can be merged."""
    condition, _ = split_missing(condition)
    match condition:
        case Compare() | Sum():
            return measured(condition)
        case And((Compare() | Sum() as low, Compare() | Sum() as high)):  # of an Or: see `_values`
            return measured(low) if measured(low) == measured(high) else None
        case In(column) | Not(In(column)):
            return "levels", column.name
        case IsMissing(column):
            return ("levels", column.name) if column.n_levels else column.name
        case And() | Or() | Xor() | Not() | Largest():
            return None
        case _:
            assert_never(condition)


def _bound(condition: Compare | Sum) -> float:
    return condition.value


def measured(condition: Compare | Sum) -> object:
    """Name what is compared; columns by name, since the levels of a column may be many."""
    match condition:
        case Compare(column):
            return column.name
        case Sum(terms):
            return tuple((term.coefficient, term.column.name, exact(term.level)) for term in terms)
        case _:
            assert_never(condition)
