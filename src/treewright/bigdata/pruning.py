"""Cost-complexity pruning of trees over partitions, by folds or by a hold-out set.

The trees without a fold are grown in the same passes as that of all rows; one more pass sums what
the rows of each fold lose at the nodes of the tree that has not seen them. What is chosen from
these sums, ``prune.cost_complexity`` says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from treewright.base.tasks import Task
from treewright.bigdata.exactness import Exactness
from treewright.bigdata.folds import EVERY_ROW, Folds, HeldOut, Lost
from treewright.bigdata.growth import Grown, grow_together
from treewright.bigdata.parts import Engine
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import DataError, UnsupportedError, brief
from treewright.measures import MEASURES
from treewright.prune import CostComplexity, Path, Pruner
from treewright.prune.cost_complexity import losses_along
from treewright.prune.held_out import held_out_risks, risks_of_folds
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["check_pruner", "folds_of", "grow_and_prune"]


def check_pruner(pruner: Pruner | None) -> None:
    """Refuse what needs rows in memory to prune by.

    Parameters
    ----------
    pruner : Pruner or None
        What an estimator is to prune by.

    Raises
    ------
    UnsupportedError
        With what to do.
    """
    if pruner is None:
        return
    if not isinstance(pruner, CostComplexity):
        raise UnsupportedError(
            f"prune={brief(pruner)} is not offered by bigdata.fit; use prune='cost_complexity', or "
            "grow with prune=None and take a smaller tree of the path with estimator.at(leaves=...)"
            "."
        )
    by_folds = pruner.alpha is None and pruner.holdout is None
    if by_folds and not isinstance(pruner.folds, int | np.integer):
        raise UnsupportedError(
            "The 'folds' parameter of CostComplexity must be a number to fit a table beyond "
            f"memory, where rows are dealt to folds by a hash. Got {brief(pruner.folds)}."
        )


def folds_of(pruner: Pruner | None, random_state: Any) -> tuple[Folds | None, tuple[int, ...]]:
    """Say how rows are dealt for a pruner.

    Parameters
    ----------
    pruner : Pruner or None
        The pruner.
    random_state : None, int or RandomState
        That of the estimator; None deals the same way in every fit.

    Returns
    -------
    folds : Folds or None
        The folds; None if no row is ever left out.
    left_out : tuple of int
        The fold that each tree to grow leaves out; the tree to prune comes first.
    """
    if not isinstance(pruner, CostComplexity) or pruner.alpha is not None:
        return None, (EVERY_ROW,)
    seed = 0
    if random_state is not None:
        seed = 1 + int(check_random_state(random_state).randint(0, 2**62, dtype=np.int64))
    if pruner.holdout is not None:
        return Folds(2, seed, pruner.holdout), (0,)
    n_folds = int(pruner.folds)
    return Folds(n_folds, seed), (EVERY_ROW, *range(n_folds))


def grow_and_prune(
    engine: Engine,
    schema: Schema,
    target_kind: Task,
    options: GrowthOptions,
    pruner: Pruner | None,
    random_state: Any = None,
    **given: Any,
) -> tuple[Tree, Path | None, Exactness]:
    """Grow the tree of all rows that an engine asks, and prune it.

    Parameters
    ----------
    engine, schema, target_kind, options
        As :func:`~treewright.bigdata.growth.grow` takes them.
    pruner : Pruner or None
        How to prune; see :func:`check_pruner`.
    random_state : None, int or RandomState, default None
        Deals rows to folds.
    **given
        What else growth takes.

    Returns
    -------
    tree : Tree
        The tree.
    path : Path or None
        The trees it was chosen from.
    exactness : Exactness
        What is proven of it.
    """
    folds, left_out = folds_of(pruner, random_state)
    grown = grow_together(engine, schema, target_kind, options, folds, left_out, **given)
    if not isinstance(pruner, CostComplexity):
        return grown.trees[0], None, _exactness(grown, grown.trees[0], grown.passes)
    path = pruner.path_of(grown.trees[0], _risks(pruner, options, grown.trees[0]))
    if path.chosen is not None:
        tree = path[path.chosen].tree
        return tree, path, _exactness(grown, tree, grown.passes)
    assert folds is not None
    judged = [
        (fold, tree) for fold, tree in zip(left_out, grown.trees, strict=True) if fold != EVERY_ROW
    ]
    lost = engine.ask(HeldOut(grown.frame, folds, [(fold, tree.core) for fold, tree in judged]))
    tree, path = _choose(pruner, options, path, [tree for _, tree in judged], lost)
    return tree, path, _exactness(grown, tree, grown.passes + 1)


def _choose(
    pruner: CostComplexity, options: GrowthOptions, path: Path, trees: list[Tree], lost: Lost
) -> tuple[Tree, Path]:
    if pruner.holdout is not None:
        if not lost.weights[0] > 0.0:
            raise DataError(
                f"A hold-out set of {pruner.holdout:g} has none of these rows; give more rows, or "
                "another proportion."
            )
        losses = losses_along(trees[0], path.alphas, path.ends, lost.losses[0])
        return pruner.choose(path, *held_out_risks(losses, *lost.weights.tolist()))
    total = float(lost.weights.sum())
    results = [
        pruner.losses_of_fold(
            tree, _risks(pruner, options, tree), losses, path, 1.0 - weight / total
        )
        for tree, losses, weight in zip(trees, lost.losses, lost.weights.tolist(), strict=True)
    ]
    return pruner.choose(path, *risks_of_folds(results, total))


def _risks(pruner: CostComplexity, options: GrowthOptions, tree: Tree) -> Any:
    return pruner.risks_of(tree, MEASURES[options.criterion])


def _exactness(grown: Grown, tree: Tree, passes: int) -> Exactness:
    """Say what is proven of the tree that pruning left of the first one."""
    gaps = dict(grown.gaps[0])
    kept = range(tree.n_nodes) if tree.origin is None else tree.origin.tolist()
    return Exactness(
        tuple((node, gaps[old]) for node, old in enumerate(kept) if old in gaps),
        passes,
        grown.fetched,
        grown.is_open,
        folds_proven=not any(grown.gaps[1:]),
        finished_in_memory=grown.finished_in_memory,
    )
