"""Referral: a prediction "refer to a person" that has a price of its own.

It is one more label behind the classes, which no row has: a column of the cost matrix, where every
class costs the same. A leaf says it where no class costs less,

    min over classes j of sum_c p_c cost(c, j)  >  abstain_cost

with the class proportions p of the leaf. As trees know labels and costs, they print, prune, export
and load such leaves as any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, none, number, one_of
from treewright.estimators.targets import ClassTarget
from treewright.exceptions import DataError, SchemaError, brief
from treewright.schema import Level, Schema, encode_labels
from treewright.tree import Tree
from treewright.tree.summaries import REFERRAL_LABELS

__all__ = [
    "ABSTAIN_CHECK",
    "Referral",
    "classes_before_referral",
    "referral_label",
    "score_with_referrals",
]

ABSTAIN_CHECK: Check = one_of(none(), number(0, above=True))
"""What the `abstain_cost` parameter may be."""

_ROUNDING = 1e-12  # relative, of sums of doubles


def referral_label(labels: tuple[Level, ...], owner: str) -> Level:
    """Return what rows that are referred are labelled with.

    Parameters
    ----------
    labels : tuple
        The classes.
    owner : str
        Name of the estimator, for messages.

    Returns
    -------
    str or int
        ``"refer"`` beside text, -1 beside integers.

    Raises
    ------
    DataError
        If that is a class, or the classes are neither text nor integers.
    """
    kinds = {type(label) for label in labels}
    if kinds == {str}:
        label: Level = REFERRAL_LABELS[0]
    elif kinds == {int}:
        label = REFERRAL_LABELS[1]
    else:
        raise DataError(
            f"The 'abstain_cost' parameter of {owner} must be None unless the classes are text or "
            f"integers. Got {brief(labels[0])} among them; name the classes by text."
        )
    if label in labels:
        raise DataError(
            f"The 'abstain_cost' parameter of {owner} must be None where {brief(label)}, which "
            "rows that are referred get, is a class; rename the class."
        )
    return label


@dataclass(frozen=True)
class Referral:
    """Classes with the label of referral behind them, and what all labels cost.

    Parameters
    ----------
    labels : tuple
        The classes.
    label : str or int
        The label of referral.
    cost : ndarray of shape (n_classes + 1, n_classes + 1)
        Row the true class, column the label; the last row is 0, as no row has that class.
    """

    labels: tuple[Level, ...]
    label: Level
    cost: NDArray[np.float64]

    @classmethod
    def of(
        cls, model: Any, labels: tuple[Level, ...], cost: NDArray[np.float64] | None
    ) -> Referral | None:
        """Take the parameters of an estimator, and the costs of mistakes; None without a price."""
        if model.abstain_cost is None:
            return None
        n_classes = len(labels)
        whole = np.zeros((n_classes + 1, n_classes + 1))
        whole[:-1, :-1] = 1.0 - np.eye(n_classes) if cost is None else cost
        whole[:-1, -1] = float(model.abstain_cost)
        return cls(labels, referral_label(labels, type(model).__name__), whole)

    @property
    def n_labels(self) -> int:
        """Number of classes, and one."""
        return len(self.cost)

    def schema(self, schema: Schema) -> Schema:
        """Return a schema with the label of referral behind the classes."""
        return schema.with_target(schema.target, (*self.labels, self.label))

    def target(self, target: ClassTarget) -> ClassTarget:
        """Return a target with one class more, which no row has."""
        return replace(target, n_classes=self.n_labels)

    def labelled(self, tree: Tree) -> Tree:
        """Return a tree whose nodes refer where that is cheaper than every class."""
        state, statistics = tree.core.state(), tree.core.statistics
        said = tree.core.value.astype(np.intp)
        expected = np.take_along_axis(statistics @ self.cost[:-1, :-1], said[:, None], axis=1)
        referred = statistics @ self.cost[:-1, -1]
        is_dearer = expected[:, 0] > referred * (1.0 + _ROUNDING)
        state["value"] = np.where(is_dearer, float(self.n_labels - 1), tree.core.value)
        state["statistics"] = np.pad(statistics, ((0, 0), (0, 1)))
        state["cost"] = self.cost.ravel()
        return Tree(_core.Tree.from_state(state), self.schema(tree.schema))


def classes_before_referral(model: Any, schema: Schema) -> tuple[Level, ...]:
    """Return the classes of a fitted or loaded estimator, without the label of referral.

    Raises
    ------
    SchemaError
        If the label of referral is not the last class, as in a broken file.
    """
    classes = schema.classes or ()
    if getattr(model, "abstain_cost", None) is None:
        return classes
    if len(classes) < 2 or classes[-1] != referral_label(classes[:-1], type(model).__name__):
        raise SchemaError(
            "The classes of a model with 'abstain_cost' must end with the label of referral. Got "
            f"{brief(classes)}."
        )
    return classes[:-1]


def score_with_referrals(model: Any, X: Any, y: Any, sample_weight: Any) -> float:
    """Return 1 less the mean cost of the predictions of a fitted model.

    Parameters
    ----------
    model : estimator
        With `abstain_cost`.
    X, y, sample_weight
        Rows, their classes and weights.

    Returns
    -------
    float
        The accuracy where nothing is referred and every mistake costs 1.
    """
    tree: Tree = model.tree_
    cost = tree.core.cost.reshape(tree.n_outputs, tree.n_outputs)
    codes, present = encode_labels(y, estimator_name=type(model).__name__)
    place = {label: code for code, label in enumerate(tree.schema.classes or ())}
    strange = [label for label in present if label not in place]
    if strange:
        raise DataError(f"The class {brief(strange[0])} is none of the model's.")
    true = np.array([place[label] for label in present])[codes]
    said = np.array([place[label] for label in model.predict(X).tolist()])
    return 1.0 - float(np.average(cost[true, said], weights=sample_weight))
