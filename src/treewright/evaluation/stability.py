"""How often trees that are refitted on bootstrap samples ask what a tree asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.page import Stability
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.words import name_text, number_text

__all__ = ["RESAMPLES", "every_question", "first_questions", "refitted"]

RESAMPLES = 50
_MOST_ROWS = 50_000
_NONE = "no question"


def refitted(
    grow: Callable[[NDArray[np.intp]], Tree],
    n_rows: int,
    *,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> list[Tree]:
    """Grow a tree on each of some bootstrap samples.

    Parameters
    ----------
    grow : callable
        ``grow(rows)`` gives the tree of these rows.
    n_rows : int
        Number of rows.
    seed : int
        Of the bootstrap samples; each has as many rows, drawn with replacement, but at most 50,000.
    progress : callable or None, default None
        Called with the fraction of work done.

    Returns
    -------
    list of Tree
        The trees.
    """
    random = np.random.default_rng(seed)
    trees = []
    for number in range(RESAMPLES):
        trees.append(grow(np.sort(random.integers(n_rows, size=min(n_rows, _MOST_ROWS)))))
        if progress is not None:
            progress((number + 1) / RESAMPLES)
    return trees


def first_questions(trees: Sequence[Tree]) -> tuple[Stability, ...]:
    """Count which columns the first splits of trees read.

    Parameters
    ----------
    trees : sequence of Tree
        Trees of bootstrap samples.

    Returns
    -------
    tuple of Stability
        The most frequent first.
    """
    thresholds: dict[str, list[float]] = {}
    for tree in trees:
        predicate = tree.node(0).predicate
        words = _NONE if predicate is None else _columns_text(tree, predicate)
        thresholds.setdefault(words, []).append(_threshold(predicate, tree.schema))
    common = sorted(thresholds.items(), key=lambda item: -len(item[1]))
    return tuple(
        Stability(words, len(found) / len(trees), _range(found)) for words, found in common
    )


def every_question(tree: Tree, trees: Sequence[Tree]) -> tuple[Stability, ...]:
    """Count in how many trees each question of a tree comes up again, anywhere in them.

    A question is the same if it reads the same columns; of several thresholds in a tree the one
    next to the tree's own counts.

    Parameters
    ----------
    tree : Tree
        The tree.
    trees : sequence of Tree
        Trees of bootstrap samples.

    Returns
    -------
    tuple of Stability
        One for each split of the tree, from the root down.
    """
    asked = [_questions(other) for other in trees]
    found = []
    for node in map(tree.node, range(tree.n_nodes)):
        if node.predicate is None:
            continue
        columns, ours = frozenset(node.predicate.columns), _threshold(node.predicate, tree.schema)
        known = [one[columns] for one in asked if columns in one]
        nearest = [min(numbers, key=lambda number: abs(number - ours)) for numbers in known]
        words = _columns_text(tree, node.predicate)
        found.append(Stability(words, len(known) / len(trees), _range(nearest or [math.nan])))
    return tuple(found)


def _questions(tree: Tree) -> dict[frozenset[int], list[float]]:
    """Give the thresholds of all questions of a tree, by the columns they read."""
    found: dict[frozenset[int], list[float]] = {}
    for node in map(tree.node, range(tree.n_nodes)):
        if node.predicate is not None:
            columns = frozenset(node.predicate.columns)
            found.setdefault(columns, []).append(_threshold(node.predicate, tree.schema))
    return found


def _columns_text(tree: Tree, predicate: Predicate) -> str:
    read = dict.fromkeys(predicate.columns)
    return " + ".join(name_text(tree.schema.names[column]) for column in read)


def _threshold(predicate: Predicate | None, schema: Schema) -> float:
    """Give the threshold on a column of numbers; NaN if there is none."""
    match predicate:
        case Axis(column, threshold) if schema.columns[column].kind == "numeric":
            return threshold
        case None | Axis() | Linear() | Subset() | Multiway() | Pair() | Machine():
            return math.nan
        case _:
            assert_never(predicate)


def _range(found: list[float]) -> str:
    low, high = min(found), max(found)
    if not low <= high:  # no thresholds
        return ""
    if low == high:
        return f"always cut at {number_text(low)}"
    return f"cut between {number_text(low)} and {number_text(high)}"
