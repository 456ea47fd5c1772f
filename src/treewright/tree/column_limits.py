"""What experts ask of the columns that a tree reads, with columns by position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from treewright import _core
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

__all__ = ["NO_LIMITS", "ColumnLimits", "columns_on_paths"]


@dataclass(frozen=True)
class ColumnLimits:
    """Constraints as growth and search take them.

    Parameters
    ----------
    costs : tuple of float
        Price of reading each column, paid by a row where its path first reads it; empty for none.
    max_columns : int or None
        Most columns in the whole tree.
    groups : tuple of tuple of int
        A path stays within one of these; empty for no limit.
    forbidden_pairs : tuple of tuple of int
        Two columns that no path reads both.
    first_columns : tuple of int
        Those that the first split reads; empty for any.
    max_terms : int or None
        Most values that a split looks at.
    largest_whole : int or None
        Coefficients are whole numbers no larger than this.
    """

    costs: tuple[float, ...] = ()
    max_columns: int | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    forbidden_pairs: tuple[tuple[int, int], ...] = ()
    first_columns: tuple[int, ...] = ()
    max_terms: int | None = None
    largest_whole: int | None = None

    @property
    def limits_paths(self) -> bool:
        """Whether it matters which columns stand on one path."""
        return bool(self.costs or self.groups or self.forbidden_pairs)

    @property
    def asks_where(self) -> bool:
        """Whether it matters where in a tree a condition stands."""
        return self.limits_paths or bool(self.first_columns)

    @property
    def of_any_number(self) -> ColumnLimits:
        """The same with as many columns as a tree likes."""
        return replace(self, max_columns=None)

    @property
    def of_paths(self) -> ColumnLimits:
        """What can be asked of a path, prices aside, if its conditions are allowed."""
        return replace(self, costs=(), max_columns=None, max_terms=None, largest_whole=None)

    @property
    def of_conditions(self) -> ColumnLimits:
        """What can be asked of a condition wherever it stands, prices aside."""
        return replace(self, costs=(), max_columns=None, first_columns=())

    def core(self) -> _core.ColumnRules:
        """Return the constraints as growth takes them."""
        rules = _core.ColumnRules()
        rules.costs = list(self.costs)
        rules.max_columns = self.max_columns or 0
        rules.groups = [list(group) for group in self.groups]
        rules.enemies = list(self.forbidden_pairs)
        rules.first = list(self.first_columns)
        rules.max_terms = self.max_terms or 0
        rules.largest_whole = self.largest_whole or 0
        return rules

    def join(self, columns: frozenset[int]) -> bool:
        """Whether columns may stand together, in one condition or on one path.

        Parameters
        ----------
        columns : frozenset of int
            The columns.

        Returns
        -------
        bool
            All of one group, and no forbidden pair among them.
        """
        if self.groups and not any(columns.issubset(group) for group in self.groups):
            return False
        return not any(columns.issuperset(pair) for pair in self.forbidden_pairs)

    def allows(self, predicate: Predicate) -> bool:
        """Whether a condition has few enough terms, and whole coefficients where asked.

        Parameters
        ----------
        predicate : Predicate
            The condition.

        Returns
        -------
        bool
            Where it may stand is another question.
        """
        if self.max_terms is not None and predicate.n_terms > self.max_terms:
            return False
        if self.largest_whole is None:
            return True
        largest = float(self.largest_whole)
        match predicate:
            case Linear():
                return all(c.is_integer() and abs(c) <= largest for c in predicate.coefficients)
            case Machine():
                return len(predicate.columns) == 1
            case Axis() | Subset() | Multiway() | Pair():
                return True
            case _:
                assert_never(predicate)

    def are_kept_on_paths(self, tree: Tree) -> bool:
        """Whether no path reads columns that it may not, or that cost something.

        Parameters
        ----------
        tree : Tree
            The tree.

        Returns
        -------
        bool
            Without prices to pay and pairs, groups or first columns to mind, nothing is lost.
        """
        for node, above, own in columns_on_paths(tree):
            if node == 0 and self.first_columns and not own <= set(self.first_columns):
                return False
            if not self.join(above | own):
                return False
        return self.price_of(tree) == 0.0

    def price_of(self, tree: Tree) -> float:
        """Return what a training row pays on average for the columns that its path reads.

        Parameters
        ----------
        tree : Tree
            The tree.

        Returns
        -------
        float
            The mean over training rows, by their weights; every column is paid once along a path.
        """
        if not self.costs:
            return 0.0
        weights = tree.node_weights
        if not weights[0] > 0.0:
            return 0.0
        paid = 0.0
        for node, above, own in columns_on_paths(tree):
            paid += float(weights[node]) * sum(self.costs[column] for column in own - above)
        return paid / float(weights[0])


NO_LIMITS = ColumnLimits()


def columns_on_paths(tree: Tree) -> Iterator[tuple[int, frozenset[int], frozenset[int]]]:
    """Give each inner node, the columns read above it and those that its split reads.

    Parameters
    ----------
    tree : Tree
        The tree.

    Yields
    ------
    node : int
        Parents stand before their children.
    above : frozenset of int
        Columns that the splits on the path to the node read.
    own : frozenset of int
        Columns that the split of the node reads.
    """
    read: dict[int, frozenset[int]] = {0: frozenset()}
    for node in range(tree.n_nodes):
        one = tree.node(node)
        if one.predicate is None:
            continue
        above, own = read[node], frozenset(one.predicate.columns)
        yield node, above, own
        for child in one.children:
            read[child] = above | own
