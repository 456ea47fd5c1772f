"""Alternatives: all trees that are nearly as good as the best one (a Rashomon set).

    objective of a tree <= least objective + tolerance * weight of all rows

The set is counted, not listed: how many trees it holds and how many of them read each column is
exact. Two trees are different if they ask something else somewhere; at a node, conditions of the
same columns that divide its rows alike are one. Each leaf predicts its cheapest class, and no tree
has a split whose two leaves predict the same. Trees that are listed differ in their predictions for
the training rows, too.

References
----------
Xin, Zhong, Chen, Takagi, Seltzer, Rudin (2022), Exploring the whole Rashomon set of sparse decision
trees, *NeurIPS*.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from treewright import _core
from treewright.optimal.certificate import Certificate, Status, ending_of, is_closed
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.search import Asked, Search
from treewright.tree import Tree
from treewright.words import name_text, plural

__all__ = ["Alternative", "Alternatives", "FirstSplit", "find_near_trees"]

_LARGEST_WHOLE = 2.0**53  # up to which numbers of trees are exact
_FEW = 5  # columns that a summary names


@dataclass(frozen=True)
class Alternative:
    """One of the trees that are nearly as good as the best one.

    Parameters
    ----------
    tree : Tree
        The tree; ``model.with_tree(tree)`` makes a model of it.
    objective : float
        As in the certificate: the cost of the training rows with what the size of the tree costs.
    loss : float
        The cost of the training rows alone: the weight of wrong predictions, the summed costs, or
        the summed squared error.

    See Also
    --------
    Alternatives : All of them.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> X, y = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, ["no", "no", "yes", "yes"]
    >>> model = OptimalTreeClassifier(max_depth=1).fit(X, y)
    >>> [(one.loss, one.tree.n_leaves) for one in model.alternatives(X, y, tolerance=0.25).trees]
    [(0.0, 2), (1.0, 2)]
    """

    tree: Tree
    objective: float
    loss: float

    def __str__(self) -> str:
        return f"Objective {self.objective:.10g}, {plural(self.tree.n_leaves, 'leaf')}\n{self.tree}"


@dataclass(frozen=True)
class FirstSplit:
    """The best of all trees whose first split reads certain columns.

    Parameters
    ----------
    columns : tuple of str
        The columns of the first split.
    tree : Tree
        The best tree that begins with them.
    certificate : Certificate
        Its objective, and the proof that no tree that begins with them is better.

    See Also
    --------
    Alternatives : Has one for each column.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> X, y = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, ["no", "no", "yes", "yes"]
    >>> model = OptimalTreeClassifier(max_depth=1).fit(X, y)
    >>> for first in model.alternatives(X, y).first:
    ...     print(first.columns, first.certificate.objective, first.certificate.proven)
    ('a',) 0.0 True
    ('b',) 1.0 True
    """

    columns: tuple[str, ...]
    tree: Tree
    certificate: Certificate


@dataclass(frozen=True, repr=False)
class Alternatives:
    """The trees that are nearly as good as the best one: how many, which, and what they read.

    Printing it gives a summary.

    Parameters
    ----------
    trees : tuple of Alternative
        The best of them, the best first and of equally good ones the smallest; no two have the same
        predictions for the training rows. Unless all were counted there may be better ones.
    count : int
        How many trees there are, counted as trees: some of them may have the same predictions.
        Exact up to 2^53, beyond that to about 15 digits.
    status : {"optimal", "time_limit", "memory_limit", "interrupted", "stopped"}
        How counting ended. Unless it is ``optimal`` there are at least `count` trees.
    columns : mapping of str to float
        The proportion of all these trees that read each column: 1 if it is needed, 0 if it is
        needless. Empty unless all trees were counted: one that was not may read any column.
    first : tuple of FirstSplit
        For each column, the best tree that begins with it, the best first; without those for which
        there was no time.
    objective : float
        The least objective of any tree; where none could be counted, that of the model's tree.
    largest : float
        The largest objective that these trees may have.
    words : str
        Among which trees and conditions they were looked for.

    See Also
    --------
    treewright.OptimalTreeClassifier.alternatives : Finds them.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> X, y = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, ["no", "no", "yes", "yes"]
    >>> found = OptimalTreeClassifier(max_depth=1).fit(X, y).alternatives(X, y)
    >>> print(found)
    1 tree has an objective of at most 0.04; the best has 0.
    Columns in every tree: a; in none: b.
    Least objective by column of the first split: a 0, b 1.
    >>> found.count, found.columns
    (1, {'a': 1.0, 'b': 0.0})
    """

    trees: tuple[Alternative, ...]
    count: int
    status: Status
    columns: Mapping[str, float]
    first: tuple[FirstSplit, ...]
    objective: float
    largest: float
    words: str

    @property
    def is_complete(self) -> bool:
        """Whether all trees were counted; otherwise there are at least as many."""
        return ending_of(self.status).is_complete

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that every one of these trees reads."""
        return tuple(name for name, share in self.columns.items() if share == 1.0)

    @property
    def needless(self) -> tuple[str, ...]:
        """The columns that none of these trees reads."""
        return tuple(name for name, share in self.columns.items() if share == 0.0)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.count == 0:
            return f"No tree was counted: {ending_of(self.status).reason}."
        least = "" if self.is_complete else "at least "
        number = f"{self.count:,}" if self.count < _LARGEST_WHOLE else f"about {self.count:.3g}"
        trees = "tree has" if self.count == 1 else "trees have"
        lines = [
            f"{least}{number} {trees} an objective of at most {self.largest:.6g}; "
            f"the best has {self.objective:.6g}."
        ]
        if not self.is_complete:
            lines.append(f"There may be more: {ending_of(self.status).reason}.")
        if self.columns:
            lines.append(self._columns_in_words())
        if self.first:
            parts = [
                f"{' and '.join(map(name_text, one.columns))} {one.certificate.objective:.6g}"
                for one in self.first
            ]
            lines.append(f"Least objective by column of the first split: {_few(parts)}.")
        lines[0] = lines[0][0].upper() + lines[0][1:]
        return "\n".join(lines)

    def _columns_in_words(self) -> str:
        some = sorted(
            ((share, name) for name, share in self.columns.items() if 0.0 < share < 1.0),
            key=lambda one: -one[0],
        )
        parts = {
            "in every tree": [name_text(name) for name in self.needed],
            "in some": [f"{name_text(name)} {_percent(share)}" for share, name in some],
            "in none": [name_text(name) for name in self.needless],
        }
        told = [f"{where}: {_few(names)}" for where, names in parts.items() if names]
        return f"Columns {'; '.join(told)}."


def find_near_trees(
    search: Search, dictionary: Dictionary, words: str, known: Tree, tolerance: float, n: int
) -> Alternatives:
    """Find the trees that are nearly as good as the best one over a dictionary.

    Parameters
    ----------
    search : Search
        What is to be predicted, and which trees are allowed: of single conditions and of any
        number of splits and columns.
    dictionary : Dictionary
        The conditions.
    words : str
        Which conditions these are.
    known : Tree
        A good tree over these conditions.
    tolerance : float
        How much larger than the least one their objective may be, in the measure of `penalty`.
    n : int
        How many of them are listed.

    Returns
    -------
    Alternatives
        What was found.
    """
    began = time.perf_counter()
    asked = search.asked(dictionary, search.limits.seconds)
    asked.options.memory = max(search.limits.memory - dictionary.n_bytes(along_chains=False), 0)
    near = _core.NearOptions()
    near.slack = asked.units.whole(tolerance * search.goal.price_unit)
    near.n_trees = n
    least = search.objective_of(known)
    near.known = asked.units.limit(least, search.limits.most_tests)
    result = _core.search_near_trees(
        **asked.problem(dictionary),
        columns=[sorted(read) for read in dictionary.columns_read()],
        n_columns=search.schema.n_columns,
        options=asked.options,
        near=near,
        progress=search.report(asked.units.unit),
    )
    if result.counts:
        least = result.optimum * asked.units.unit
    total, names = math.fsum(result.counts), search.schema.names
    status = cast("Status", result.status)
    is_complete = ending_of(status).is_complete
    shares = [1.0 - without / total for without in result.without] if is_complete else []
    trees = [search.tree_of(one.tree, dictionary) for one in result.trees]
    if trees and not is_complete and search.objective_of(known) < search.objective_of(trees[0]):
        trees = [known, *trees][:n]  # was not met yet
    seconds = time.perf_counter() - began
    first = [_first(one, search, dictionary, words, asked, seconds) for one in result.first]
    return Alternatives(
        tuple(
            Alternative(
                tree, search.objective_of(tree), search.goal.tree_loss(tree.core, search.table)
            )
            for tree in trees
        ),
        int(total),
        status,
        dict(zip(names, shares, strict=True)) if shares else {},
        tuple(sorted(first, key=lambda one: one.certificate.objective)),
        least,
        least + tolerance * search.goal.price_unit,
        search.words(words),
    )


def _first(
    found: _core.FirstTree,
    search: Search,
    dictionary: Dictionary,
    words: str,
    asked: Asked,
    seconds: float,
) -> FirstSplit:
    """Make the tree of a first split, and its certificate."""
    tree, units = search.tree_of(found.tree, dictionary), asked.units
    objective = search.objective_of(tree)
    bound = found.cost * units.unit - units.slack(objective, search.limits.most_tests)
    is_proven = objective <= units.noise or is_closed(objective, bound)
    names = tuple(search.schema.names[column] for column in found.columns)
    trees = f"trees {search.limits.words()} whose first split reads"
    certificate = Certificate(
        objective,
        objective if is_proven else max(min(bound, objective), 0.0),
        "optimal" if is_proven else "rounded",
        seconds,
        f"{trees} {' and '.join(map(name_text, names))}, over {words}",
    )
    return FirstSplit(names, tree, certificate)


def _few(texts: Sequence[str]) -> str:
    """Name some, and tell how many more there are."""
    shown = ", ".join(texts[:_FEW])
    more = len(texts) - _FEW
    return f"{shown} and {more} more" if more > 0 else shown


def _percent(share: float) -> str:
    """Write a proportion that is neither none nor all."""
    return f"{min(max(round(100.0 * share), 1), 99)} %"
