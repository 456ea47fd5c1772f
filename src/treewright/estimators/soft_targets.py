"""Soft targets: what a teacher says of each row, which trees are grown by beside the truth.

A row then is some of every class, or a number that somebody else predicts. Splits, pruning and the
predictions of leaves follow what the teacher says; the counts of nodes stay those of the true
classes and numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.refusals import check_pruner_only_cuts, refused
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.estimators.tree_growth import GrownTree
from treewright.estimators.weights import on_grid
from treewright.exceptions import DataError, brief
from treewright.optimal.losses import LossGoal
from treewright.splits import as_split
from treewright.tree import Tree

__all__ = [
    "check_proportions",
    "check_soft",
    "soft_classes",
    "soft_decisions",
    "soft_numbers",
    "with_true_counts",
]

_BESIDE = "a 'soft_target'"

_STEP = 2.0**-16  # of proportions: times weights on a grid, their sums are exact
_SLACK = 1e-6  # by which the proportions of a row may miss 1


def check_soft(model: Any, beside: str = _BESIDE) -> None:
    """Refuse parameters that have no meaning beside soft targets.

    Parameters
    ----------
    model : TreeClassifier or TreeRegressor
        Its parameters are checked one by one already.
    beside : str
        What the targets were made of, for the message.

    Raises
    ------
    ValueError
        With the parameter, and what to choose.
    """
    check_pruner_only_cuts(model, beside, by_all_rows=True)
    if model.growth_rules is not None and model.growth_rules.early_stopping is not None:
        raise refused(model, "growth_rules", "without early stopping", beside)


def check_proportions(model: Any, beside: str = _BESIDE) -> None:
    """Refuse parameters that have no meaning for rows of several classes.

    Parameters
    ----------
    model : TreeClassifier
        Its parameters are checked one by one already.
    beside : str
        What the proportions were made of, for the message.

    Raises
    ------
    ValueError
        With the parameter, and what to choose.
    """
    check_soft(model, beside)
    if not as_split(model.split).takes_proportions:
        raise refused(model, "split", "'axis', 'categorical' or 'best_subset'", beside)
    if model.missing not in ("default", "stop"):
        raise refused(model, "missing", "'default' or 'stop'", beside)
    if model.monotonic_cst is not None:
        raise refused(model, "monotonic_cst", "None", beside)
    for name in ("smoothing", "abstain_cost"):
        if getattr(model, name) is not None:
            raise refused(model, name, "None", beside)


def soft_classes(given: Any, rows: TrainingRows, weighting: ClassWeighting) -> ClassTarget:
    """Read the proportions of classes that `fit` of a classifier gets.

    Parameters
    ----------
    given : array-like of shape (n_rows, n_classes) or data frame
        The proportions: in the order of the classes, or in columns named by them.
    rows : TrainingRows
        The rows that are learned from.
    weighting : ClassWeighting
        Weights of classes, and costs.

    Returns
    -------
    ClassTarget
        What trees are grown by.

    Raises
    ------
    DataError
        With the row whose proportions are none.
    ValueError
        If costs shall reach splits as priors.
    """
    if weighting.cost is not None and weighting.cost_in_split == "priors":
        raise ValueError(
            "A 'cost_matrix' cannot reach splits as priors when there is a 'soft_target'. Give "
            "Costs(..., in_split='gini') or Costs(..., in_split='none')."
        )
    labels = rows.labels
    shares = _matrix(given, rows, labels)
    totals = shares.sum(axis=1)
    wrong = ~(np.isfinite(shares).all(axis=1) & (shares >= 0.0).all(axis=1))
    wrong |= ~(np.abs(totals - 1.0) <= _SLACK)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"Row {int(rows.places[place])} of 'soft_target' is {brief(shares[place].tolist())}; "
            "the proportions of a row must be 0 or more and add up to 1."
        )
    shares /= totals[:, np.newaxis]
    true = weighting.target(rows.truth, rows.weights)
    expected = rows.weights @ shares
    amounts = rows.weights[:, np.newaxis] * shares * weighting.factors(expected)
    weights = amounts.sum(axis=1)
    shares = np.divide(
        amounts, weights[:, np.newaxis], out=np.zeros_like(amounts), where=weights[:, None] > 0.0
    )
    return replace(
        true,
        weights=on_grid(weights, float(weights.sum()) / _STEP),
        altered=None,
        proportions=_on_steps(shares),
    )


def soft_decisions(goal: LossGoal) -> ClassTarget:
    """Make classes of actions: a row is more of those by which it loses less.

    What a row gains by an action over its dearest one is its amount of this action. The errors of a
    prediction are then what it loses more than the best one, and a constant.

    Parameters
    ----------
    goal : LossGoal
        What each action costs each row; no row may lose the same by all.

    Returns
    -------
    ClassTarget
        What trees are grown by.
    """
    gains = goal.regrets.max(axis=1, keepdims=True) - goal.regrets
    gains /= gains.max()
    totals = gains.sum(axis=1)
    weights = goal.weights * totals
    return ClassTarget(
        goal.cheapest,
        gains.shape[1],
        on_grid(weights, float(weights.sum()) / _STEP),
        goal.weights,
        proportions=_on_steps(gains / totals[:, np.newaxis]),
    )


def _matrix(given: Any, rows: TrainingRows, labels: tuple[Any, ...]) -> NDArray[np.float64]:
    """Give the proportions of the rows that count, one column per class."""
    if getattr(given, "columns", None) is not None:
        names = list(given.columns)
        by_text = {str(name): name for name in names}  # some frames have names of text only
        of_labels = [label if label in names else by_text.get(str(label)) for label in labels]
        if None in of_labels or len(names) != len(labels):
            raise DataError(
                f"The columns of 'soft_target' must be the classes, {brief(list(labels))}. Got "
                f"{brief(names)}."
            )
        given = np.column_stack([np.asarray(given[name]) for name in of_labels])
    try:
        shares = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("'soft_target' must be a matrix of proportions.") from None
    if shares.shape != (rows.n_given, len(labels)):
        raise DataError(
            f"'soft_target' must have {rows.n_given} rows and a column for each of the "
            f"{len(labels)} classes, {brief(list(labels))}. Got the shape {shares.shape}."
        )
    return shares[rows.places]


def _on_steps(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round proportions to steps that add up to 1 exactly; the largest takes what is over."""
    steps = np.rint(shares / _STEP)
    largest = shares.argmax(axis=1)
    steps[np.arange(len(steps)), largest] += 1.0 / _STEP - steps.sum(axis=1)
    return np.ascontiguousarray(steps * _STEP)


def soft_numbers(given: Any, rows: TrainingRows, weights: NDArray[np.float64]) -> NumberTarget:
    """Read the numbers of a teacher that `fit` of a regressor gets.

    Parameters
    ----------
    given : array-like of shape (n_rows,)
        The numbers.
    rows : TrainingRows
        The rows that are learned from.
    weights : ndarray of float64
        Their weights.

    Returns
    -------
    NumberTarget
        What trees are grown by.

    Raises
    ------
    DataError
        With the row whose number is none.
    """
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("'soft_target' must be a list of numbers.") from None
    if numbers.shape != (rows.n_given,):
        raise DataError(
            f"'soft_target' must have one number for each of the {rows.n_given} rows. Got the "
            f"shape {numbers.shape}."
        )
    numbers = np.ascontiguousarray(numbers[rows.places])
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        raise DataError(
            f"Row {int(rows.places[wrong[0]])} of 'soft_target' is {numbers[wrong[0]]}; each must "
            "be a finite number."
        )
    return NumberTarget(numbers, weights)


def with_true_counts(
    grown: GrownTree, rows: TrainingRows, truth: ClassTarget | NumberTarget
) -> GrownTree:
    """Put the counts of true classes or numbers in place of those of soft targets.

    Parameters
    ----------
    grown : GrownTree
        What was grown by soft targets.
    rows : TrainingRows
        The rows it was grown on.
    truth : ClassTarget or NumberTarget
        What is true of them.

    Returns
    -------
    GrownTree
        The same splits and predictions.
    """
    table = _core.Table(rows.values, rows.schema.n_levels)
    core_of_truth = truth.core()

    def counted(tree: Tree) -> Tree:
        core = _core.refit(tree.core, table, core_of_truth)
        state = core.state()
        state["value"] = tree.core.value
        if rows.schema.classes is not None:
            state["probabilities"] = np.ascontiguousarray(tree.core.probabilities.ravel())
        return tree.with_core(_core.Tree.from_state(state))

    path = None if grown.path is None else grown.path.mapped(counted)
    return replace(grown, tree=counted(grown.tree), path=path)
