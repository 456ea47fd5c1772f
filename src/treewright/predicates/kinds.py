"""The closed set of predicates: who tells kinds apart matches on it and ends in `assert_never`.

A seventh kind is added to `Predicate` here; mypy then lists every place that must know it.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from treewright.predicates.linear import Linear, Machine
from treewright.predicates.one_column import Axis, Multiway, Subset
from treewright.predicates.pair import Pair

__all__ = ["Predicate", "SinglePredicate", "parts_of"]

Predicate: TypeAlias = Axis | Linear | Subset | Multiway | Pair | Machine
SinglePredicate: TypeAlias = Axis | Linear | Subset | Multiway | Machine


def parts_of(predicate: Predicate) -> tuple[SinglePredicate, ...]:
    """Give the two parts of a pair, or the predicate itself.

    Parameters
    ----------
    predicate : Predicate
        A split of any of the six kinds.

    Returns
    -------
    tuple of Axis, Linear, Subset, Multiway or Machine
        Two of a pair, else one.

    Examples
    --------
    >>> parts_of(Pair("and", Axis(0, 1.5), Axis(1, 2.5)))
    (Axis(column=0, threshold=1.5), Axis(column=1, threshold=2.5))
    """
    match predicate:
        case Pair(_, first, second):
            return first, second
        case Axis() | Linear() | Subset() | Multiway() | Machine():
            return (predicate,)
        case _:
            assert_never(predicate)
