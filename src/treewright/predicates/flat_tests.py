"""Predicates read from the flat form of the core: a kind, whole numbers, numbers."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.predicates.base import FlatKind, FlatTest
from treewright.predicates.kinds import Predicate
from treewright.predicates.linear import Linear, Machine
from treewright.predicates.one_column import Axis, Multiway, Simple, Subset
from treewright.predicates.pair import CONNECTIVES, Pair

__all__ = ["decode"]


def decode(test: FlatTest) -> Predicate:
    """Read a predicate in the flat form of the core.

    Parameters
    ----------
    test : tuple of int, list of int, list of float
        The kind's number, then columns and levels, then thresholds and coefficients.

    Returns
    -------
    Predicate
        The predicate whose ``encode()`` gives that flat form.

    Raises
    ------
    ValueError
        If the flat form is malformed.

    Examples
    --------
    >>> decode((0, [3], [2.45]))
    Axis(column=3, threshold=2.45)
    """
    kind, features, numbers = test
    try:
        predicate = _decode(kind, features, numbers)
    except IndexError:
        predicate = None
    if predicate is None or predicate.encode() != (kind, list(features), list(numbers)):
        raise ValueError(f"A flat predicate of kind {kind} is malformed: {features}, {numbers}.")
    return predicate


def _decode(kind: int, features: Sequence[int], numbers: Sequence[float]) -> Predicate | None:
    if kind == FlatKind.AXIS:
        return Axis(features[0], numbers[0])
    if kind == FlatKind.LINEAR:
        count = len(features)
        levels = tuple(None if level == -1 else int(level) for level in numbers[count:-1])
        return Linear(tuple(features), tuple(numbers[:count]), numbers[-1], levels)
    if kind == FlatKind.SUBSET:
        middle = 2 + features[1]
        return Subset(features[0], tuple(features[2:middle]), tuple(features[middle:]))
    if kind == FlatKind.MULTIWAY:
        return Multiway(features[0], tuple(features[1:]))
    if kind == FlatKind.PAIR:
        parts = []
        start, used = 1, 0
        for _ in range(2):
            stop = start + 2 + features[start + 1]
            n_numbers = 1 if features[start] == FlatKind.AXIS else 0
            part = _decode(
                features[start], features[start + 2 : stop], numbers[used : used + n_numbers]
            )
            if not isinstance(part, Simple):
                return None
            parts.append(part)
            start, used = stop, used + n_numbers
        return Pair(CONNECTIVES[features[0]], parts[0], parts[1])
    if kind == FlatKind.MACHINE:
        width = len(features) + 1
        rows = [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]
        return Machine(tuple(features), tuple(row[:-1] for row in rows), tuple(r[-1] for r in rows))
    return None
