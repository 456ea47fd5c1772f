"""The best trees of every size that read few columns: branch and bound over sets of columns.

The trees over more columns than allowed bound those over fewer. Where one of them reads too many,
one of its columns is taken out in one branch, and is sure to be read in the other; once as many are
sure as may be read, only these are left. Good trees to compare with come from adding one column
after the other, each time the best. If there are too many sets, the trees found are the best over
the columns that they were searched with.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from treewright import _core

__all__ = ["FewColumns", "SizedTree", "search_few_columns"]

_MOST_SEARCHES = 150  # of the branch and bound
_ROUNDING = 1e-9  # relative, of sums of doubles

Columns = frozenset[int]


class SizedTree(NamedTuple):
    """The best tree of one size over some columns.

    Parameters
    ----------
    leaves : int
        Its size.
    cost : float
        What it costs.
    plan : treewright._core.SearchTree
        The tree.
    read : frozenset of int
        Columns that it reads.
    """

    leaves: int
    cost: float
    plan: _core.SearchTree
    read: Columns


class PoolSearch(Protocol):
    """Finds the best trees over some columns."""

    columns: list[Columns]

    def over(self, allowed: Columns) -> list[SizedTree]:
        """Give the best trees over the conditions that read these columns alone."""


@dataclass(frozen=True)
class FewColumns:
    """The best trees of few columns.

    Parameters
    ----------
    plans : dict of int to treewright._core.SearchTree
        By their numbers of leaves; sizes that are no better than a smaller one are left out.
    costs : dict of int to float
        What they cost.
    within : dict of int to frozenset of int
        Of trees that are not proven to be the best of all: the columns over which they are.
    """

    plans: dict[int, _core.SearchTree]
    costs: dict[int, float]
    within: dict[int, Columns]


@dataclass(order=True)
class _Open:
    """Columns that may be read, those among them that are sure, and the best trees over them."""

    bound: float
    number: int
    allowed: Columns = field(compare=False)
    sure: Columns = field(compare=False)
    found: list[SizedTree] = field(compare=False)


class _Best:
    """The best trees so far that read few enough columns, by their most leaves."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.trees: dict[int, SizedTree] = {}
        self.over: dict[int, Columns] = {}

    def take(self, found: Sequence[SizedTree], columns: Columns) -> None:
        """Keep what is better."""
        for one in found:
            known = self.trees.get(one.leaves)
            if len(one.read) <= self._most and (known is None or one.cost < known.cost):
                self.trees[one.leaves], self.over[one.leaves] = one, columns

    def cost(self, leaves: int) -> float:
        """Give what the best tree of at most so many leaves costs."""
        costs = (one.cost for one in self.trees.values() if one.leaves <= leaves)
        return min(costs, default=math.inf)

    def open_sizes(self, found: Sequence[SizedTree]) -> list[SizedTree]:
        """Give the trees that read too many columns and are cheaper than what is known."""
        return [
            one
            for one in found
            if len(one.read) > self._most
            and one.cost < (best := self.cost(one.leaves)) - _ROUNDING * abs(best)
        ]


def search_few_columns(search: PoolSearch, most: int) -> FewColumns:
    """Find the best tree of every size that reads so many columns at most.

    Parameters
    ----------
    search : PoolSearch
        Finds the best trees over some columns.
    most : int
        Most columns.

    Returns
    -------
    FewColumns
        With one leaf at least.
    """
    best = _Best(most)
    everything = frozenset[int]().union(*search.columns)
    first = search.over(everything)
    best.take(first, everything)
    if best.open_sizes(first):
        _add_one_by_one(search, everything, most, best)
    left = _branch(search, _Open(first[-1].cost, 0, everything, frozenset(), first), most, best)
    few = FewColumns({}, {}, {})
    for leaves in sorted(best.trees):
        one = best.trees[leaves]
        if few.costs and not one.cost < min(few.costs.values()):
            continue
        few.plans[leaves], few.costs[leaves] = one.plan, one.cost
        bounds = (other.cost for node in left for other in node.found if other.leaves <= leaves)
        if min(bounds, default=math.inf) < one.cost - _ROUNDING * abs(one.cost):
            few.within[leaves] = best.over[leaves]
    return few


def _add_one_by_one(search: PoolSearch, columns: Columns, most: int, best: _Best) -> None:
    """Add the column with which the largest trees are best, until there are enough."""
    chosen: Columns = frozenset()
    for _ in range(most):
        found = []
        for column in sorted(columns - chosen):
            trees = search.over(chosen | {column})
            best.take(trees, chosen | {column})
            found.append((trees[-1].cost, column))
        chosen |= {min(found)[1]}


def _branch(search: PoolSearch, root: _Open, most: int, best: _Best) -> list[_Open]:
    """Look for better trees; give what was left open."""
    open_nodes, number = [root], 0
    while open_nodes and number < _MOST_SEARCHES:
        node = heapq.heappop(open_nodes)
        worse = best.open_sizes(node.found)
        if not worse:
            continue
        votes = Counter(column for one in worse for column in one.read - node.sure)
        column = min(votes, key=lambda one: (-votes[one], one))
        sure = node.sure | {column}
        for allowed, kept in ((node.allowed - {column}, node.sure), (node.allowed, sure)):
            few = kept if len(kept) == most else allowed
            found = node.found
            if few != node.allowed:
                number += 1
                found = search.over(few)
                best.take(found, few)
            heapq.heappush(
                open_nodes, _Open(found[-1].cost, number * 2 + (kept == sure), few, kept, found)
            )
    return open_nodes
