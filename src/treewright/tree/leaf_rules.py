"""A leaf as a rule: its conditions, its prediction, how many rows it covers, how sure it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from treewright.expressions import Expression
from treewright.schema import Level
from treewright.statistics.intervals import mean_interval, share_interval
from treewright.tree.node import Node
from treewright.tree.tree_text import class_text, sentence, value_text
from treewright.words import name_text, plural, share_text

__all__ = [
    "LeafRule",
    "RuleOrder",
    "answer_interval",
    "answer_text",
    "interval_text",
    "ordered_rules",
]

RuleOrder: TypeAlias = Literal["reading", "rows", "certainty", "answer"]


@dataclass(frozen=True, slots=True)
class LeafRule:
    """One leaf of a tree as a rule.

    Parameters
    ----------
    node : int
        Id of the leaf, or of the inner node where rows stop for want of a value.
    conditions : tuple of Expression
        What holds of every row of the leaf, merged: one condition a column where possible.
    label : str, int, float or bool
        The prediction: a class, or a number.
    answer : str
        The same in words.
    rows : float
        Training rows that end there.
    cover : float
        Their proportion of all training rows.
    probability : float or None
        Proportion of the predicted class in their weight; NaN if there are none, None in
        regression.
    interval : tuple of two float or None
        95 % confidence interval of that proportion (Wilson) or of the mean (Student); None where
        there are too few rows.
    interval_text : str
        The same in words; empty where it is None.
    name : str
        What readers call the leaf; empty if it has no name.

    See Also
    --------
    treewright.Tree.leaf_rules : All rules of a tree.
    treewright.rules.RuleSet : Fewer and simpler rules.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> rule = tree.leaf_rules()[0]
    >>> print(rule)
    if age <= 40 then no (100 %, 34 % to 100 %; 2 rows, 50 % of all)
    >>> rule.node, rule.label, rule.cover
    (1, 'no', 0.5)
    """

    node: int
    conditions: tuple[Expression, ...]
    label: Level
    answer: str
    rows: float
    cover: float
    probability: float | None
    interval: tuple[float, float] | None
    interval_text: str
    name: str

    @classmethod
    def of_node(
        cls,
        leaf: Node,
        conditions: tuple[Expression, ...],
        rows: float,
        all_rows: float,
        decimals: int,
    ) -> LeafRule:
        """Make the rule of the rows that end at a node; `decimals` are those of a number.

        Parameters
        ----------
        leaf : Node
            The leaf, or an inner node where rows stop.
        conditions : tuple of Expression
            What holds of every row that ends there.
        rows : float
            Training rows that end there.
        all_rows : float
            Training rows of the tree.
        decimals : int
            Digits behind the point of a predicted number.

        Returns
        -------
        LeafRule
            The rule.
        """
        interval = answer_interval(leaf)
        return cls(
            node=leaf.id,
            conditions=conditions,
            label=leaf.label,
            answer=answer_text(leaf, decimals),
            rows=rows,
            cover=rows / all_rows if all_rows > 0.0 else math.nan,
            probability=leaf.share,
            interval=interval,
            interval_text=interval_text(leaf, interval, decimals),
            name=leaf.name,
        )

    @property
    def is_class(self) -> bool:
        """Whether a class is predicted; otherwise a number."""
        return self.probability is not None

    @property
    def certainty_text(self) -> str:
        """How sure the prediction is and how many rows say so, in words."""
        parts = []
        if self.probability is not None and math.isfinite(self.probability):
            parts.append(share_text(self.probability))
        if self.interval_text:
            parts.append(self.interval_text)
        rows = f"{plural(self.rows, 'row')}, {share_text(self.cover)} of all"
        return f"{', '.join(parts)}; {rows}" if parts else rows

    def __str__(self) -> str:
        name = f": {name_text(self.name)}" if self.name else ""
        return sentence(self.conditions, f"{self.answer} ({self.certainty_text}){name}")


def answer_interval(node: Node) -> tuple[float, float] | None:
    """Give the 95 % interval of the proportion of the predicted class, or of the mean.

    The rows of the node count, whatever they weigh. None where they are too few, and where a
    number other than the mean is predicted, such as a median.

    Parameters
    ----------
    node : Node
        The node.

    Returns
    -------
    tuple of two float, or None
        The lower and the upper end.
    """
    if node.share is not None:
        return share_interval(node.share, node.rows)
    _, mean, squares = node.statistics
    if not math.isclose(node.value, mean, rel_tol=1e-9, abs_tol=1e-300) or node.weight <= 0.0:
        return None
    # The squares are weighted; n rows of the same spread have n / weight times as much.
    return mean_interval(mean, squares * node.rows / node.weight, node.rows)


def answer_text(node: Node, decimals: int) -> str:
    """Write the prediction of a node; `decimals` are the digits of a predicted number.

    Parameters
    ----------
    node : Node
        The node.
    decimals : int
        Digits behind the point of a predicted number.

    Returns
    -------
    str
        The class or the number.
    """
    return value_text(node.value, decimals) if node.share is None else class_text(node.label)


def interval_text(node: Node, interval: tuple[float, float] | None, decimals: int) -> str:
    """Write the interval of the prediction of a node; empty if there is none.

    Parameters
    ----------
    node : Node
        The node.
    interval : tuple of two float, or None
        What :func:`answer_interval` gives for it.
    decimals : int
        Digits behind the point of a predicted number.

    Returns
    -------
    str
        The interval in words.
    """
    if interval is None:
        return ""
    if node.share is not None:
        return f"{share_text(interval[0])} to {share_text(interval[1])}"
    return f"{value_text(interval[0], decimals)} to {value_text(interval[1], decimals)}"


def ordered_rules(rules: Iterable[LeafRule], order: str) -> list[LeafRule]:
    """Put rules in order; equal ones stay in reading order.

    Raises
    ------
    ValueError
        If there is no such order.
    """
    keys: dict[str, Callable[[LeafRule], Any]] = {
        "reading": lambda rule: 0,
        "rows": lambda rule: -rule.rows,
        "certainty": lambda rule: -_sureness(rule),
        # Text and numbers, which cannot be compared, may both be classes.
        "answer": lambda rule: (isinstance(rule.label, str), rule.label, -rule.rows),
    }
    if order not in keys:
        names = ", ".join(map(repr, get_args(RuleOrder)))
        raise ValueError(f"The 'order' of rules must be one of {names}. Got {order!r}.")
    return sorted(rules, key=keys[order])


def _sureness(rule: LeafRule) -> float:
    """Say how sure a rule is: the low end of its interval, or how narrow that of a mean is."""
    if rule.interval is None:
        return -math.inf
    return rule.interval[0] if rule.is_class else rule.interval[0] - rule.interval[1]
