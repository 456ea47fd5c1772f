"""How often a tree refitted on bootstrap samples would have another split at its root."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.page import Stability
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.words import name_text, number_text

__all__ = ["RESAMPLES", "root_stability"]

RESAMPLES = 20
_MOST_ROWS = 50_000
_NONE = "no question"


def root_stability(
    grow: Callable[[NDArray[np.intp]], Tree],
    n_rows: int,
    *,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> tuple[Stability, ...]:
    """Grow the first split on bootstrap samples, and count which columns it reads.

    Parameters
    ----------
    grow : callable
        ``grow(rows)`` gives the tree of these rows; only its root counts.
    n_rows : int
        Number of rows.
    seed : int
        Of the bootstrap samples; each has as many rows, drawn with replacement, but at most 50,000.
    progress : callable or None, default None
        Called with the fraction of work done.

    Returns
    -------
    tuple of Stability
        The most frequent first.
    """
    random = np.random.default_rng(seed)
    thresholds: dict[str, list[float]] = {}
    for number in range(RESAMPLES):
        tree = grow(np.sort(random.integers(n_rows, size=min(n_rows, _MOST_ROWS))))
        predicate = tree.node(0).predicate
        if predicate is None:
            words = _NONE
        else:
            read = dict.fromkeys(predicate.columns)
            names = [name_text(tree.schema.names[column]) for column in read]
            words = " + ".join(names)
        found = thresholds.setdefault(words, [])
        found.append(_threshold(predicate, tree.schema))
        if progress is not None:
            progress((number + 1) / RESAMPLES)
    common = sorted(thresholds.items(), key=lambda item: -len(item[1]))
    return tuple(Stability(words, len(found) / RESAMPLES, _range(found)) for words, found in common)


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
