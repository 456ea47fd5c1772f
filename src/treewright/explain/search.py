"""The nearest region with another prediction: fewest columns, smallest change, frequent levels.

Best first: paths are taken from a queue in the order of what the limits met so far cost at
least, so the first complete one that gives another prediction is the nearest; so it is with how
rare the levels are, which decides between equal costs. Bounds and levels cost exactly what the row
must change to meet them. Half-spaces need a linear program for each
choice of columns, which waits until its turn comes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, count
from typing import NamedTuple

import numpy as np

from treewright.explain.answers import Question
from treewright.explain.grid import just_above, just_below
from treewright.explain.linear_moves import is_reachable, smallest_move
from treewright.explain.regions import Region, TooManyWaysError, ways

__all__ = ["Found", "nearest_region", "possible_answers"]

_MOST_STATES = 20_000
_MOST_CHOICES = 200  # of columns to change, tried one by one for a region


@dataclass(frozen=True, slots=True)
class Found:
    """A change that gives another prediction, and whether it is the smallest."""

    changes: dict[int, float]
    is_smallest: bool


class _State(NamedTuple):
    """A path, so far: what it costs at least, nodes still to pass, and what must hold."""

    n_changed: int
    cost: float
    rarity: float
    serial: int
    pending: tuple[int, ...]
    region: Region
    solution: Found | None


def nearest_region(question: Question, *, at_least: int = 2) -> tuple[Found | None, bool]:
    """Find the smallest change of several columns that gives another prediction.

    Parameters
    ----------
    question : Question
        Tree, row and scales.
    at_least : int, default 2
        Number of columns that must change at least, as fewer are known not to do.

    Returns
    -------
    found : Found or None
        The change; None if none was found.
    is_complete : bool
        False if the search was given up, so that there may be one.
    """
    missing = frozenset(np.flatnonzero(np.isnan(question.values)).tolist())
    serial = count()
    queue = [_State(0, 0.0, 0.0, next(serial), (0,), Region(), None)]
    for _ in range(_MOST_STATES):
        if not queue:
            return None, True
        state = heapq.heappop(queue)
        if state.solution is not None:
            return state.solution, True
        if state.pending:
            try:
                onward = list(_onward(question, state, missing))
            except TooManyWaysError:
                return None, False
            for pending, region in onward:
                needed = _needed(question, region)
                if needed is None:
                    continue
                n_changed = max(len(needed), _lower_bound(question, region, needed))
                cost = question.total_cost(needed.items())
                rarity = question.total_rarity(needed.items())
                entry = _State(n_changed, cost, rarity, next(serial), pending, region, None)
                heapq.heappush(queue, entry)
            continue
        for solved in _solved(question, state, at_least, serial):
            heapq.heappush(queue, solved)
    return None, False


def _onward(
    question: Question, state: _State, missing: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], Region]]:
    """Take the next node that a path has to pass."""
    node = question.tree.node(state.pending[0])
    rest = state.pending[1:]
    if node.is_leaf:
        yield rest, state.region
        return
    for way in ways(question.tree, node, missing):
        region = state.region.within(way.limits)
        if region is not None:
            yield way.children + rest, region


def _needed(question: Question, region: Region) -> dict[int, float] | None:
    """Give the changes that bounds and levels ask for; None if they cannot be made."""
    needed: dict[int, float] = {}
    for column, (low, high) in region.bounds.items():
        value = float(question.values[column])
        if low < value <= high:
            continue
        if not question.may_change(column):
            return None
        kind, decimals = question.tree.schema.columns[column].kind, question.scales.decimals[column]
        if kind == "ordinal":
            low, high, decimals = max(low, -0.5), min(high, question.n_levels(column) - 1.0), 0
        toward = just_above(low, high, value, decimals) if value <= low else None
        if value > high:
            toward = just_below(high, low, value, decimals)
        least, most = question.scales.ranges[column]
        if toward is None or not least <= toward <= most:
            return None
        needed[column] = toward
    for column, codes in region.levels.items():
        if question.values[column] in codes:
            continue
        if not question.may_change(column):
            return None
        needed[column] = _best_level(question, column, codes)
    return needed


def _best_level(question: Question, column: int, codes: Iterable[int]) -> float:
    """Choose the nearest level; of equally near ones the most frequent."""
    rarity = question.scales.rarity
    tried = ((question.cost(column, code), rarity(column, code), code) for code in codes)
    return float(min(tried)[-1])


def _lower_bound(question: Question, region: Region, needed: dict[int, float]) -> int:
    """Count the columns that must change: one more where a sum is off and none of its own does."""
    for space in region.half_spaces:
        if not any(c in needed for c in space.columns) and not space.holds(question.values):
            return len(needed) + 1
    return len(needed)


def _solved(
    question: Question, state: _State, at_least: int, serial: count[int]
) -> Iterator[_State]:
    """Find the nearest row of a complete path, or say that more columns must change."""
    region, needed = state.region, _needed(question, state.region)
    assert needed is not None
    if not region.half_spaces:
        if len(needed) >= at_least and question.flips(needed):
            yield _solution(question, state, Found(needed, True), serial)
        return
    in_sums = {column for space in region.half_spaces for column in space.moving}
    optional = sorted(c for c in in_sums if question.may_change(c) and c not in needed)
    levels = {column: needed[column] for column in needed if column in region.levels}
    numbers = [column for column in needed if column not in levels]
    extra = max(state.n_changed, at_least) - len(needed)
    if extra > len(optional):
        return
    if math.comb(len(optional), extra) > _MOST_CHOICES:
        found = smallest_move(question, region, [*numbers, *optional], levels)
        if found is not None:
            yield _solution(question, state, Found(found, False), serial)
        return
    is_found = False
    for chosen in combinations(optional, extra):
        found = smallest_move(question, region, [*numbers, *chosen], levels)
        if found is not None:
            is_found = True
            yield _solution(question, state, Found(found, True), serial)
    if not is_found:
        yield state._replace(n_changed=len(needed) + extra + 1, serial=next(serial))


def _solution(question: Question, state: _State, found: Found, serial: count[int]) -> _State:
    cost = question.total_cost(found.changes.items())
    rarity = question.total_rarity(found.changes.items())
    return _State(len(found.changes), cost, rarity, next(serial), (), state.region, found)


def possible_answers(question: Question) -> tuple[frozenset[float], bool]:
    """Give the predictions that the row may get once its missing values are known.

    Returns
    -------
    answers : frozenset of float
        Codes of classes, or numbers, of all nodes where it may end. Its own prediction, if numbers
        are so large that no other can be computed.
    is_complete : bool
        False if the search was given up, so that there may be more.
    """
    free = [
        column
        for column in np.flatnonzero(np.isnan(question.values)).tolist()
        if question.tree.schema.columns[column].kind in ("numeric", "ordinal")
    ]
    values, answers = question.tree.core.value, set[float]()
    n_answers = len(set(values.tolist()))
    pending = [(0, Region())]
    for _ in range(_MOST_STATES):
        if not pending or len(answers) == n_answers:
            return frozenset(answers or {question.answer}), True
        index, region = pending.pop()
        node = question.tree.node(index)
        if node.is_leaf:
            if not region.half_spaces or is_reachable(question, region, free):
                answers.add(float(values[index]))
            continue
        try:
            onward = list(ways(question.tree, node, ()))
        except TooManyWaysError:
            break
        for way in onward:
            inside = region.within(way.limits)
            if inside is not None and _agrees(question, inside):
                if way.children:
                    pending.extend((child, inside) for child in way.children)
                else:
                    answers.add(float(values[index]))
    return frozenset(answers or {question.answer}), False


def _agrees(question: Question, region: Region) -> bool:
    """Tell whether a row with these known values can meet the bounds and levels of a region."""
    for column, (low, high) in region.bounds.items():
        value = float(question.values[column])
        if math.isnan(value):
            last = question.n_levels(column) - 1  # -1 where it holds numbers, any of which will do
            if last >= 0 and not max(low, -1.0) < math.floor(min(high, last)):
                return False
        elif not low < value <= high:
            return False
    return all(
        math.isnan(question.values[column]) or question.values[column] in codes
        for column, codes in region.levels.items()
    )
