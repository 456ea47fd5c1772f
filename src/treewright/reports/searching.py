"""Cross-validation of the best trees of every size: each fold has its own search."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.prune import TreeSequence, balanced_folds, standard_errors
from treewright.readable.folds import usual_folds
from treewright.reports.parts import Part
from treewright.tree import Tree

__all__ = ["cross_validated_front"]


def cross_validated_front(
    make: Callable[[float, Part], Any],
    rows: Part,
    lose: Callable[[Tree, Part], NDArray[np.float64]],
    *,
    seconds: float,
    seed: int,
    progress: Callable[[float], None] | None,
) -> tuple[Any, TreeSequence]:
    """Search for the best trees on all rows, and evaluate them by searches without a fold.

    Parameters
    ----------
    make : callable
        ``make(seconds, part)`` gives an estimator with a time limit for some rows, not fitted yet.
    rows : Part
        The rows.
    lose : callable
        ``lose(tree, part)`` gives what each row loses by a tree.
    seconds : float
        For all searches together.
    seed : int
        Of the folds.
    progress : callable or None
        Called with the fraction of all searches done.

    Returns
    -------
    estimator
        Fitted on all rows.
    front : TreeSequence
        Its trees with cross-validated risks, the largest first.
    """
    n_folds = usual_folds(rows.n_rows)
    ends = time.monotonic() + seconds

    def search(part: Part, n_left: int) -> Any:
        limit = max(0.1, (ends - time.monotonic()) / n_left)
        found = make(limit, part).fit(part.table, part.answers)
        if progress is not None:
            progress(1.0 - (n_left - 1) / (n_folds + 1))
        return found

    model = search(rows, n_folds + 1)
    front: TreeSequence = model.front_
    fold = balanced_folds(rows.strata, n_folds, np.random.RandomState(seed))
    risk, squares = np.zeros(len(front)), np.zeros(len(front))
    for number in range(n_folds):
        held_out = rows.take(np.flatnonzero(fold == number))
        other = search(rows.take(np.flatnonzero(fold != number)), n_folds - number)
        for place, size in enumerate(front.leaves.tolist()):
            losses = lose(other.front_.at(leaves=size).tree, held_out)
            risk[place] += losses.sum()
            squares[place] += np.square(losses).sum()
    errors = standard_errors(risk, squares, float(rows.n_rows))
    return model, front.with_cross_validation(risk, errors, front.chosen or 0, front.root_risk)
