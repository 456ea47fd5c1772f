"""Fitting by what every action costs every row: reading the losses, and what goes with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.refusals import refused
from treewright.estimators.search_options import SearchOptions
from treewright.estimators.soft_targets import check_proportions
from treewright.estimators.training import TrainingRows, read_numbers
from treewright.exceptions import DataError, InfinityError, brief
from treewright.optimal.losses import LossGoal
from treewright.schema import Schema
from treewright.splits import SplitMethod
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["EITHER", "check_losses", "check_losses_of_growth", "read_losses", "with_decisions"]

EITHER = "Give fit either 'y' or 'losses', not both."

TARGET = "decision"
_BESIDE = "'losses'"
_MOST = 1e140  # of a loss: sums of squares stay finite


def check_losses(model: Any) -> None:
    """Refuse parameters that have no meaning, or no support, beside losses.

    Parameters
    ----------
    model : OptimalTreeClassifier
        Its parameters are checked one by one already.

    Raises
    ------
    ValueError
        With the parameter, and what it must be.
    """
    _check_absent(model, "abstain_cost", "tune", "smoothing", "monotonic_cst")
    if not model._objective().is_usual:
        raise refused(model, "objective", "'errors'", _BESIDE)
    if model.front:
        raise refused(model, "front", "False", _BESIDE)
    options = SearchOptions.of(model)
    if any(isinstance(item, SplitMethod) for item in options.given() or ()):
        raise refused(model, "dictionary", "None or a list of predicates", _BESIDE)
    if options.rules_of_paths():
        raise refused(model, "constraints", "None, or without rules for paths,", _BESIDE)
    if options.has_multiway:
        raise refused(model, "categorical", "'subset'", _BESIDE)


def check_losses_of_growth(model: Any) -> None:
    """Refuse parameters that have no meaning, or no support, where trees are grown by losses.

    Parameters
    ----------
    model : TreeClassifier
        Its parameters are checked one by one already.

    Raises
    ------
    ValueError
        With the parameter, and what it must be.
    """
    _check_absent(model)
    check_proportions(model, _BESIDE)


def _check_absent(model: Any, *others: str) -> None:
    for name in ("cost_matrix", "class_weight", *others):
        if getattr(model, name) is not None:
            raise refused(model, name, "None", _BESIDE)
    if model.min_weight_fraction_leaf > 0.0:
        raise refused(model, "min_weight_fraction_leaf", "0 (see min_samples_leaf)", _BESIDE)


def read_losses(
    X: Any, losses: Any, sample_weight: Any, estimator_name: str
) -> tuple[TrainingRows, NDArray[np.float64]]:
    """Read rows and what each action costs each of them.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows.
    losses : data frame, 2-D array, list of dicts, or dict of lists
        One row per row of `X`, one column per action.
    sample_weight : array-like of float or None
        Weights of the rows.
    estimator_name : str
        For messages.

    Returns
    -------
    rows : TrainingRows
        The rows, with the cheapest action of each as its class.
    losses : ndarray of shape (n_rows, n_actions)
        The losses of these rows.

    Raises
    ------
    DataError
        If the losses are not one finite number for each row and action.
    """
    who = f"The 'losses' of {estimator_name}"
    try:
        actions, matrix = Schema.from_data(losses)
    except InfinityError as error:
        found = str(error).rpartition(";")[0]
        raise DataError(
            f"{who} must be finite. {found}; give an action that is out of the question a loss "
            "larger than all others."
        ) from None
    if len(matrix.T) < 2:
        raise DataError(
            f"{who} must have a column for each of two actions at least. Got "
            f"{plural(len(matrix.T), 'column')}."
        )
    for column, name in enumerate(actions.names):
        if actions.n_levels[column] > 0:
            raise DataError(f"{who} must be numbers. Got text in the column {brief(name)}.")
        wrong = np.flatnonzero(~(np.abs(matrix[:, column]) <= _MOST))
        if len(wrong):
            raise DataError(
                f"{who} must be finite, {_MOST:g} at most. Got {matrix[wrong[0], column]} in row "
                f"{wrong[0]} of the column {brief(name)} ({plural(len(wrong), 'row')} in all); "
                "fill them or leave the rows out."
            )
    rows = read_numbers(X, np.zeros(len(matrix)), sample_weight, estimator_name)
    matrix = np.ascontiguousarray(matrix[rows.places])
    labels = actions.names if actions.named else tuple(range(len(actions.names)))
    cheapest = matrix.argmin(axis=1).astype(np.int32)
    return replace(rows, schema=rows.schema.with_target(TARGET, labels), truth=cheapest), matrix


def with_decisions(tree: Tree, table: _core.Table, goal: LossGoal) -> Tree:
    """Decide in each node for the action by which its rows lose least, and count its rows.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : treewright._core.Table
        Rows.
    goal : LossGoal
        What each action costs them.

    Returns
    -------
    Tree
        The same splits; rows are counted by their cheapest action.
    """
    core = _core.refit(tree.core, table, goal.core())
    state = core.state()
    state["value"] = goal.node_sums(core, table).argmin(axis=1).astype(np.float64)
    return tree.with_core(_core.Tree.from_state(state))
