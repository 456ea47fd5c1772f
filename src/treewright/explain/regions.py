"""The rows that take one path down a tree, as bounds, sets of levels and half-spaces.

At each node a row takes a branch because its split says so, because a surrogate says so, or because
the value is not known and the node has a policy for that. `ways` lists what must hold of the known
values for each of these; a `Region` is what must hold for all steps of one path. Which values
are missing is given, as they stay missing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.predicates import (
    Axis,
    Linear,
    Machine,
    Multiway,
    Pair,
    Predicate,
    SinglePredicate,
    Subset,
)
from treewright.predicates.linear import term_factors
from treewright.predicates.pair import Connective
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["HalfSpace", "Region", "TooManyWaysError", "Way", "ways"]

_MOST_FIXED = 4096  # ways to choose the levels in one sum


class TooManyWaysError(Exception):
    """A sum has levels of so many columns that their combinations cannot all be tried."""


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """Rows with ``sum of coefficient * column <= bound``, or ``<`` where it is strict.

    Where terms have levels, it stands beside limits under which these terms do not change.
    """

    columns: tuple[int, ...]
    coefficients: tuple[float, ...]
    bound: float
    strict: bool
    levels: tuple[int | None, ...] = ()

    @property
    def moving(self) -> tuple[int, ...]:
        """The columns that move the sum: those without a level."""
        levels = self.levels or (None,) * len(self.columns)
        pairs = zip(self.columns, levels, strict=True)
        return tuple(column for column, level in pairs if level is None)

    def products(self, values: NDArray[np.float64]) -> list[float]:
        """Give the terms of the sum for a row."""
        factors = term_factors(values, self.columns, self.levels).tolist()
        return [c * factor for c, factor in zip(self.coefficients, factors, strict=True)]

    def holds(self, values: NDArray[np.float64]) -> bool:
        """Tell whether a row lies in it, adding up in stored order as the core does."""
        total = 0.0
        for term in self.products(values):
            total += term
        return total < self.bound or (total == self.bound and not self.strict)


@dataclass(frozen=True, slots=True)
class _Bound:
    """Rows with ``low < column <= high``."""

    column: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class _Levels:
    """Rows whose level is one of some codes."""

    column: int
    codes: frozenset[int]


_Limit: TypeAlias = HalfSpace | _Bound | _Levels
_Limits: TypeAlias = tuple[_Limit, ...]
_Outcome: TypeAlias = tuple[int | None, _Limits]  # a branch, None for unknown, and its limits


@dataclass(frozen=True, slots=True)
class Way:
    """Where rows go from a node, and what must hold of them for that.

    `children` is empty where they end at the node, and has several where they are divided.
    """

    children: tuple[int, ...]
    limits: _Limits


@dataclass(frozen=True, slots=True)
class Region:
    """What must hold of a row: bounds and levels by column, and half-spaces."""

    bounds: dict[int, tuple[float, float]] = field(default_factory=dict)
    levels: dict[int, frozenset[int]] = field(default_factory=dict)
    half_spaces: tuple[HalfSpace, ...] = ()

    def within(self, limits: Iterable[_Limit]) -> Region | None:
        """Give the part of the region where further limits hold; None if plainly no row is left."""
        bounds, levels, half_spaces = dict(self.bounds), dict(self.levels), list(self.half_spaces)
        for limit in limits:
            if isinstance(limit, HalfSpace):
                half_spaces.append(limit)
            elif isinstance(limit, _Bound):
                low, high = bounds.get(limit.column, (-math.inf, math.inf))
                low, high = max(low, limit.low), min(high, limit.high)
                if not low < high:
                    return None
                bounds[limit.column] = low, high
            else:
                codes = levels.get(limit.column, limit.codes) & limit.codes
                if not codes:
                    return None
                levels[limit.column] = codes
        return Region(bounds, levels, tuple(half_spaces))


def ways(tree: Tree, node: Node, missing: Collection[int]) -> Iterator[Way]:
    """Give the ways on from an inner node.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : Node
        One of its inner nodes.
    missing : collection of int
        Columns whose value is missing.
    """
    assert node.predicate is not None
    for branch, limits in _outcomes(node.predicate, tree.schema, missing):
        if branch is not None:
            yield Way((node.children[branch],), limits)
        else:
            yield from _ways_of_unknown(tree, node, missing, limits)


def _ways_of_unknown(
    tree: Tree, node: Node, missing: Collection[int], limits: _Limits
) -> Iterator[Way]:
    """Give the ways on for rows whose branch is not known."""
    if node.missing == "fraction":
        weights = tree.node_weights[list(node.children)]
        if weights.sum() <= 0.0:
            yield Way(node.children, limits)
        else:
            shared = zip(node.children, weights, strict=True)
            yield Way(tuple(child for child, weight in shared if weight > 0.0), limits)
        return
    undecided = [limits]
    if node.missing in ("surrogate", "surrogate_or_stop"):
        for surrogate in node.surrogates:
            outcomes = list(_outcomes(surrogate.predicate, tree.schema, missing))
            later = []
            for held, (branch, further) in product(undecided, outcomes):
                if branch is None:
                    later.append(held + further)
                else:
                    side = 1 - branch if surrogate.swapped else branch
                    yield Way((node.children[side],), held + further)
            undecided = later
    assert node.default_branch is not None
    children = () if node.may_stop else (node.children[node.default_branch],)
    yield from (Way(children, held) for held in undecided)


def _outcomes(predicate: Predicate, schema: Schema, missing: Collection[int]) -> Iterator[_Outcome]:
    """Give the branches of a split, None for unknown, with what must hold for each."""
    match predicate:
        case Pair(connective, one, other):
            yield from _joined_outcomes(
                connective, _outcomes(one, schema, missing), _outcomes(other, schema, missing)
            )
        case Axis() | Linear() | Subset() | Multiway() | Machine():
            yield from _single_outcomes(predicate, schema, missing)
        case _:
            assert_never(predicate)


def _joined_outcomes(
    connective: Connective, first: Iterable[_Outcome], second: Iterable[_Outcome]
) -> Iterator[_Outcome]:
    for (one, limits), (other, further) in product(first, second):
        yield _joined(connective, one, other), limits + further


def _single_outcomes(
    predicate: SinglePredicate, schema: Schema, missing: Collection[int]
) -> Iterator[_Outcome]:
    if any(column in missing for column in predicate.columns):
        yield None, ()
        return
    match predicate:
        case Axis(column, threshold):
            yield 0, (_Bound(column, -math.inf, threshold),)
            yield 1, (_Bound(column, threshold, math.inf),)
        case Linear(columns, coefficients, threshold, levels):
            under = HalfSpace(columns, coefficients, threshold, False, levels)
            over = HalfSpace(columns, _negated(coefficients), -threshold, True, levels)
            for fixed in _fixed_levels(predicate, schema):
                yield 0, (*fixed, under)
                yield 1, (*fixed, over)
        case Subset(column, left, right):
            yield from _by_level(column, (left, right), len(schema.columns[column].levels))
        case Multiway(column):
            groups = predicate.levels_of_branch
            yield from _by_level(column, groups, len(schema.columns[column].levels))
        case Machine():
            yield from _by_score(predicate)
        case _:
            assert_never(predicate)


def _fixed_levels(predicate: Linear, schema: Schema) -> Iterator[tuple[_Levels, ...]]:
    """Give the levels that columns may have such that the terms with levels do not change."""
    named: dict[int, list[int]] = {}
    for column, _, level in predicate.terms:
        if level is not None:
            named.setdefault(column, []).append(level)
    choices = []
    for column, codes in named.items():
        others = frozenset(range(len(schema.columns[column].levels))) - {*codes}
        groups = [frozenset({code}) for code in codes] + [others] * bool(others)
        choices.append([_Levels(column, group) for group in groups])
    if math.prod(map(len, choices)) > _MOST_FIXED:
        raise TooManyWaysError
    yield from product(*choices)


def _by_level(column: int, groups: Iterable[tuple[int, ...]], n_levels: int) -> Iterator[_Outcome]:
    others = set(range(n_levels))
    for branch, codes in enumerate(groups):
        others -= set(codes)
        yield branch, (_Levels(column, frozenset(codes)),)
    if others:
        yield None, (_Levels(column, frozenset(others)),)


def _by_score(machine: Machine) -> Iterator[_Outcome]:
    """Give for each branch that no other score is larger; of equal ones the first wins."""
    scores = list(zip(machine.coefficients, machine.intercepts, strict=True))
    for branch, (own, start) in enumerate(scores):
        limits = tuple(
            HalfSpace(
                machine.columns,
                tuple(b - a for a, b in zip(own, coefficients, strict=True)),
                start - intercept,
                strict=other < branch,
            )
            for other, (coefficients, intercept) in enumerate(scores)
            if other != branch
        )
        yield branch, limits


def _joined(connective: Connective, one: int | None, other: int | None) -> int | None:
    """Join the branches of two parts as the core does; branch 0 is true, None is unknown."""
    is_known = one is not None and other is not None
    match connective:
        case "and":
            return 1 if 1 in (one, other) else 0 if is_known else None
        case "or":
            return 0 if 0 in (one, other) else 1 if is_known else None
        case "xor":
            return int(one == other) if is_known else None
        case "and not":
            return 1 if one == 1 or other == 0 else 0 if is_known else None
        case _:
            assert_never(connective)


def _negated(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-number for number in numbers)
