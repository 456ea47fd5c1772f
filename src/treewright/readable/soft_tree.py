"""The tree of a plan: counts are those of true labels, predictions those of soft targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.building import Written, build_tree
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.order import in_order
from treewright.readable.pool import ParetoFront
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["soft_tree"]

Numbers = NDArray[np.float64]


def soft_tree(
    front: ParetoFront,
    leaves: int,
    goal: ClassGoal | NumberGoal,
    target: SoftClasses | SoftNumbers,
    schema: Schema,
    table: _core.Table,
    *,
    is_read: bool = True,
    known: Written | None = None,
    trends: Sequence[int] = (),
) -> Tree:
    """Make the tree of a plan.

    Parameters
    ----------
    front : ParetoFront
        The plans.
    leaves : int
        Size of the one to take.
    goal : ClassGoal or NumberGoal
        What is true of the rows, which is counted.
    target : SoftClasses or SoftNumbers
        What was learned of them, which is predicted.
    schema : Schema
        Their columns.
    table : treewright._core.Table
        The rows.
    is_read : bool, default True
        Whether sums are written in the fewest words.
    known : dict or None, default None
        What trees over the same rows and conditions have written already; filled.
    trends : sequence of int, default ()
        The direction in which predictions may go with each column.

    Returns
    -------
    Tree
        The tree.
    """
    plan, conditions = front.plans[leaves], front.conditions
    tree = build_tree(plan, conditions, goal, schema, table, shortens_sums=is_read, known=known)
    tree = tree.with_core(_with_soft_predictions(tree.core, table, target))
    return in_order(tree, trends, target)


def _with_soft_predictions(
    core: _core.Tree, table: _core.Table, target: SoftClasses | SoftNumbers
) -> _core.Tree:
    nodes, state = core.apply(table), core.state()
    match target:
        case SoftClasses():
            sums = _sums_of_nodes(core, nodes, target.amounts())
            probabilities = sums / sums.sum(axis=1, keepdims=True)
            state["value"] = target.labels(probabilities).astype(np.float64)
            n_further = core.n_outputs - probabilities.shape[1]  # the label of referral
            if n_further:
                probabilities = np.pad(probabilities, ((0, 0), (0, n_further)))
            state["probabilities"] = np.ascontiguousarray(probabilities.ravel())
        case SoftNumbers(numbers=numbers, weights=weights):
            sums = _sums_of_nodes(core, nodes, np.column_stack([weights, weights * numbers]))
            state["value"] = sums[:, 1] / sums[:, 0]
    return _core.Tree.from_state(state)


def _sums_of_nodes(core: _core.Tree, leaf_of_row: NDArray[np.int32], amounts: Numbers) -> Numbers:
    """Add up the amounts of the rows of every node."""
    sums = np.zeros((core.n_nodes, amounts.shape[1]))
    np.add.at(sums, leaf_of_row, amounts)
    parents = core.parent
    for node in range(core.n_nodes - 1, 0, -1):
        sums[parents[node]] += sums[node]
    return sums
