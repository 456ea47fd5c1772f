"""One node of a tree, as a value to read: its place, split, prediction and statistics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from treewright.predicates import Predicate, Simple

__all__ = ["MISSING_POLICIES", "STOP_POLICIES", "MissingPolicy", "Node", "Surrogate"]

MissingPolicy: TypeAlias = Literal["default", "fraction", "surrogate", "stop", "surrogate_or_stop"]

# In the order of the numbers the core uses.
MISSING_POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)

# Those that may let a row end at an inner node.
STOP_POLICIES: tuple[MissingPolicy, ...] = ("stop", "surrogate_or_stop")

_SURROGATE_POLICIES: tuple[MissingPolicy, ...] = ("surrogate", "surrogate_or_stop")


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A surrogate split for rows whose value is missing in the node's own split.

    Parameters
    ----------
    predicate : Axis or Subset
        The surrogate split.
    swapped : bool
        Whether its branch 0 stands for branch 1 of the node's own split.
    agreement : float
        Proportion of known training rows that both splits send the same way.
    adjusted : float
        What the agreement adds to sending every row to the heavier branch: 0 nothing, 1 all.

    See Also
    --------
    treewright.estimators.Surrogates : How many are looked for in growth.
    Node : Has them, the best first.

    Examples
    --------
    >>> from treewright.predicates import Axis
    >>> surrogate = Surrogate(Axis(1, 2.5), swapped=False, agreement=0.9, adjusted=0.8)
    >>> surrogate.predicate
    Axis(column=1, threshold=2.5)
    """

    predicate: Simple
    swapped: bool
    agreement: float
    adjusted: float


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree.

    Parameters
    ----------
    id : int
        Position in the tree; the root is 0 and children stand behind their parent.
    parent : int or None
        Id of the parent; None for the root.
    branch : int or None
        Which branch of the parent leads here; None for the root.
    depth : int
        Number of splits on the path from the root.
    predicate : Predicate or None
        The split; None for a leaf.
    children : tuple of int
        Ids of the children in the order of the branches; empty for a leaf.
    rows : float
        Number of training rows; fractional if rows with missing values were divided. It may exceed
        the sum over the children: rows may have stopped here.
    weight : float
        Sum of the weights of these rows.
    statistics : tuple of float
        Weight of each class; or weight, mean and sum of squared deviations of the numbers.
    value : float
        Predicted class as a position in the schema's classes, or predicted number.
    label : str, int, float or bool
        Predicted class by its name, or predicted number.
    share : float or None
        Proportion of the predicted class in the weight; NaN if no row came here, None in
        regression.
    probabilities : tuple of float
        Predicted probability of each class: the proportions in `statistics`, unless the tree has
        learned others from a teacher; empty in regression.
    gain : float
        Weighted decrease of impurity by the split; 0 for a leaf.
    missing : {"default", "fraction", "surrogate", "stop", "surrogate_or_stop"}
        What happens to rows whose branch is unknown.
    default_branch : int or None
        The branch for such rows under "default", and under "surrogate" when no surrogate knows; the
        heavier one where the policy does not use it.
    surrogates : tuple of Surrogate
        Surrogate splits, the best first.
    name : str
        What readers call the node; empty if it has no name.

    See Also
    --------
    treewright.Tree.node : One node of a tree.
    Surrogate : A surrogate split of a node.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> root = tree.node(0)
    >>> root.predicate, root.children, root.rows
    (Axis(column=0, threshold=40.0), (1, 2), 4.0)
    """

    id: int
    parent: int | None
    branch: int | None
    depth: int
    predicate: Predicate | None
    children: tuple[int, ...]
    rows: float
    weight: float
    statistics: tuple[float, ...]
    value: float
    label: str | int | float | bool
    share: float | None
    probabilities: tuple[float, ...]
    gain: float
    missing: MissingPolicy
    default_branch: int | None
    surrogates: tuple[Surrogate, ...]
    name: str = ""

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no split."""
        return self.predicate is None

    @property
    def may_stop(self) -> bool:
        """Whether a row whose branch is unknown can end here though the node has children."""
        return self.missing in STOP_POLICIES

    @property
    def has_back_up(self) -> bool:
        """Whether surrogate splits are tried first for a row whose branch is unknown."""
        return self.missing in _SURROGATE_POLICIES and bool(self.surrogates)

    @property
    def standard_deviation(self) -> float | None:
        """Spread of the target around its mean; NaN if no row came here, None in classification."""
        if self.share is not None:
            return None
        weight, _, squares = self.statistics
        return math.sqrt(squares / weight) if weight > 0.0 else math.nan
