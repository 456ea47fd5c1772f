"""Fitting one tree: from rows, target and options to a grown and pruned tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from treewright.base.parameters import Check, choice, none, one_of
from treewright.base.workers import Workers
from treewright.estimators.abstaining import Referral
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.growing import Grower, RowsOrAll
from treewright.estimators.monotonic import MONOTONIC_CHECK
from treewright.estimators.options import GROWTH_CHECKS, GrowthOptions
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.exceptions import brief
from treewright.measures import MEASURES
from treewright.prune import PRUNERS, Growth, Path, Pruner, TreeSequence, as_pruner
from treewright.tree import Tree

__all__ = ["TREE_CHECKS", "GrownTree", "Run", "check_pruner", "grow_tree"]

TREE_CHECKS: dict[str, Check] = {
    **GROWTH_CHECKS,
    "prune": one_of(
        none(), choice(*PRUNERS), Check("a Pruner", lambda value: isinstance(value, Pruner))
    ),
    "monotonic_cst": MONOTONIC_CHECK,
}
"""What the parameters of estimators that grow one tree may be."""


@dataclass(frozen=True)
class Run:
    """How one fit is run: seed, time limit, who is told of progress, and threads."""

    random_state: Any
    time_limit: float | None
    progress: Callable[[float], None] | None
    n_jobs: int | None

    @classmethod
    def of(cls, model: Any) -> Run:
        """Take the parameters of an estimator."""
        return cls(model.random_state, model.time_limit, model.progress, model.n_jobs)


@dataclass(frozen=True)
class GrownTree:
    """What a fit ends in.

    Parameters
    ----------
    tree : Tree
        The tree, pruned if it was to be.
    path : Path, TreeSequence or None
        The trees it was chosen from, where the pruner makes some.
    out_of_time : bool
        Whether the time limit ended growth.
    """

    tree: Tree
    path: Path | TreeSequence | None
    out_of_time: bool


def grow_tree(
    rows: TrainingRows,
    target: ClassTarget | NumberTarget,
    options: GrowthOptions,
    pruner: Pruner | None,
    run: Run,
    weighting: ClassWeighting | None = None,
    referral: Referral | None = None,
) -> GrownTree:
    """Grow the tree of some rows, and prune it.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    target : ClassTarget or NumberTarget
        What to predict, with the weights of the rows.
    options : GrowthOptions
        How to grow.
    pruner : Pruner or None
        How to prune.
    run : Run
        Random state, time limit, progress and threads.
    weighting : ClassWeighting or None, default None
        Of classes, what mistakes cost.
    referral : Referral or None, default None
        Of classes, what it costs to refer a row to a person.

    Returns
    -------
    GrownTree
        The tree, and what the estimator tells of it.
    """
    random = check_random_state(run.random_state)
    weights, schema = target.weights, rows.schema
    core = options.core(int(np.count_nonzero(weights)), float(weights.sum()), schema.n_columns)
    core.trends = options.trends(schema)
    core.columns = options.limits(schema).core()
    if weighting is not None:
        weighting.put_costs(core)
    n_growths = 1 if pruner is None else pruner.n_growths(len(rows.values))
    core.n_threads = Workers(run.n_jobs).n_threads if n_growths == 1 else 1
    core.seed = int(random.randint(0, 2**63 - 1, dtype=np.int64))
    stopping = options.early_stopping
    grower = Grower(
        schema,
        rows.values,
        target.core,
        lambda: options.method(schema),
        core,
        None if weighting is None else rows.truth,
        None if stopping is None else stopping.fraction,
        run.time_limit,
        run.progress,
        n_growths,
    )
    judged = target
    if referral is not None:
        assert isinstance(target, ClassTarget)
        judged = referral.target(target)

    def grow(part: RowsOrAll) -> Tree:
        tree = grower.grow(part)
        return tree if referral is None else referral.labelled(tree)

    if pruner is None:
        return GrownTree(grow(None), None, grower.out_of_time)
    growth = Growth(
        grow=grow,
        data=lambda part: (grower.table(part), judged.core(part)),
        n_rows=len(rows.values),
        strata=rows.truth,
        random_state=None if run.random_state is None else random,
        measure=MEASURES[options.criterion],
        readable=options.readable,
        n_given=rows.n_given,
        kept=rows.kept,
        n_jobs=run.n_jobs,
    )
    tree, path = pruner.prune(growth)
    return GrownTree(tree, path, grower.out_of_time)


def check_pruner(model: Any, *, numbers: bool) -> None:
    """Refuse a pruner that does not know numbers, or the costs of mistakes, where there are such.

    Raises
    ------
    ValueError
        With the pruner.
    """
    pruner = as_pruner(model.prune)
    for one in () if pruner is None else (pruner, *pruner.parts):
        if numbers and not one.for_numbers:
            raise ValueError(
                f"The 'prune' parameter of {type(model).__name__} must be a pruner for regression, "
                f"such as 'cost_complexity'. Got {brief(model.prune)}."
            )
        has_costs = not numbers and (model.cost_matrix is not None or _refers(model))
        if has_costs and not one.knows_costs:
            given = "an 'abstain_cost'" if model.cost_matrix is None else "a 'cost_matrix'"
            raise ValueError(
                f"The 'prune' parameter of {type(model).__name__} must be a pruner that knows "
                "costs, such as 'cost_complexity' or 'reduced_error', when there is "
                f"{given}. Got {brief(model.prune)}."
            )


def _refers(model: Any) -> bool:
    return getattr(model, "abstain_cost", None) is not None
