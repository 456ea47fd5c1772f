"""How often the first question of a tree would be another one, had the rows been drawn again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treewright.page import Stability
from treewright.predicates import Axis
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
    """Grow the first question on resampled rows, and count what it asks for.

    Parameters
    ----------
    grow : callable
        ``grow(rows)`` gives the tree of these rows; only its root counts.
    n_rows : int
        Number of rows.
    seed : int
        Of the resamples; each has as many rows, drawn with replacement, but at most 50,000.
    progress : callable or None, default None
        Told the share that is done.

    Returns
    -------
    tuple of Stability
        The commonest first.
    """
    random = np.random.default_rng(seed)
    thresholds: dict[str, list[float]] = {}
    for number in range(RESAMPLES):
        tree = grow(np.sort(random.integers(n_rows, size=min(n_rows, _MOST_ROWS))))
        predicate = tree.node(0).predicate
        if predicate is None:
            words = _NONE
        else:
            names = [name_text(tree.schema.names[column]) for column in predicate.columns]
            words = " + ".join(names)
        found = thresholds.setdefault(words, [])
        if isinstance(predicate, Axis) and _is_number(tree, predicate):
            found.append(predicate.threshold)
        else:
            found.append(np.nan)
        if progress is not None:
            progress((number + 1) / RESAMPLES)
    common = sorted(thresholds.items(), key=lambda item: -len(item[1]))
    return tuple(Stability(words, len(found) / RESAMPLES, _range(found)) for words, found in common)


def _is_number(tree: Tree, predicate: Axis) -> bool:
    return tree.schema.columns[predicate.column].kind == "numeric"


def _range(found: list[float]) -> str:
    low, high = min(found), max(found)
    if not low <= high:  # no thresholds
        return ""
    if low == high:
        return f"always cut at {number_text(low)}"
    return f"cut between {number_text(low)} and {number_text(high)}"
