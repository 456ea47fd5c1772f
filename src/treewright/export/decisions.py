"""What a tree decides at a node: the one walk that every code target takes.

A node sends a row where its split says; where the split cannot know, by the node's policy for
missing values. Here both become a list of cases, tried in order, and a way for what is left:

    age <= 42, "default" to branch 0      [age > 42 -> 1], otherwise 0
    age <= 42, "stop"                     [age <= 42 -> 0, age > 42 -> 1], otherwise the row ends
    age <= 42, "surrogate" by smoker      [age <= 42 -> 0, age > 42 -> 1,
                                           smoker -> 0, not smoker -> 1], otherwise 0
    age <= 42, "fraction"                 [age <= 42 -> 0, age > 42 -> 1], otherwise both, divided

Conditions are settled: they use only what is true with certainty, so that a language whose booleans
have two values may take unknown for false (a comparison with NaN, or with NULL, is not true).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from treewright.expressions import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Score,
    Sum,
    Xor,
    negate,
)
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["COST_ROUNDING", "Case", "Decision", "decide", "node_answers", "settled"]

COST_ROUNDING = 1e-12  # expected costs that differ by less, relatively, are equal to the core


@dataclass(frozen=True, slots=True)
class Case:
    """Where a row goes if a condition is true.

    Parameters
    ----------
    condition : Expression
        The condition.
    child : int
        Id of the node where the row goes on.

    See Also
    --------
    Decision : All cases of a node.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> for case in decide(tree, 0).cases:
    ...     print(case.condition, case.child)
    age > 40 2
    """

    condition: Expression
    child: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What an inner node does with a row.

    Parameters
    ----------
    node : Node
        The node.
    cases : tuple of Case
        The first whose condition is true settles it.
    otherwise : int or None
        The child for a row that no case settles; None if it ends here or is divided.
    shares : tuple of (int, float)
        The children that get a fraction of such a row, and how much, if the node divides rows.

    See Also
    --------
    decide : Makes one of a node.
    Case : One of its cases.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> decision = decide(tree, 0)
    >>> len(decision.cases), decision.otherwise
    (1, 1)
    """

    node: Node
    cases: tuple[Case, ...]
    otherwise: int | None
    shares: tuple[tuple[int, float], ...] = ()

    @property
    def is_direct(self) -> bool:
        """Whether each child is reached in one way, so that code may stand inside the cases."""
        ways = [case.child for case in self.cases]
        if self.otherwise is not None:
            ways.append(self.otherwise)
        return len(ways) == len(set(ways))

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores of which the largest wins, if that is what the node asks; else empty."""
        found: tuple[Score, ...] = ()
        for case in self.cases:
            if not isinstance(case.condition, Largest):
                return ()
            found = case.condition.scores
        return found


def decide(tree: Tree, index: int) -> Decision | None:
    """Say what a node does with a row.

    Parameters
    ----------
    tree : Tree
        Any tree.
    index : int
        Id of a node.

    Returns
    -------
    Decision or None
        None if the node is a leaf.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric"),), ("no", "yes"))
    >>> tree = Tree.from_json({"task": "classification", "nodes": [
    ...     {"id": 0, "rows": 10, "statistics": [6, 4], "value": 0, "gain": 3.2,
    ...      "test": {"kind": "axis", "column": 0, "threshold": 42}, "children": [1, 2],
    ...      "missing": "default", "default_branch": 0},
    ...     {"id": 1, "rows": 7, "statistics": [6, 1], "value": 0},
    ...     {"id": 2, "rows": 3, "statistics": [0, 3], "value": 1}]}, schema)
    >>> decision = decide(tree, 0)
    >>> [(str(case.condition), case.child) for case in decision.cases], decision.otherwise
    ([('age > 42', 2)], 1)
    """
    node = tree.node(index)
    if node.predicate is None:
        return None
    branches = node.predicate.branches(tree.schema)
    ways = list(zip(branches, node.children, strict=True))
    shares: tuple[tuple[int, float], ...] = ()
    otherwise: int | None = None
    match node.missing:
        case "fraction":
            shares = _branch_shares(tree, node)
        case "surrogate" | "surrogate_or_stop":
            for surrogate in node.surrogates:
                children = node.children[::-1] if surrogate.swapped else node.children
                ways += zip(surrogate.predicate.branches(tree.schema), children, strict=True)
    if node.missing in ("default", "surrogate"):
        assert node.default_branch is not None
        otherwise = node.children[node.default_branch]
        if len(ways) == len(branches):  # its own case is said by the rest
            ways = [way for way in ways if way[1] != otherwise]
    cases = tuple(Case(settled(condition), child) for condition, child in ways)
    return Decision(node, cases, otherwise, shares)


def settled(condition: Expression) -> Expression:
    """Say when a condition is true with certainty, in parts of which unknown ones count as false.

    Parameters
    ----------
    condition : Expression
        Any expression.

    Returns
    -------
    Expression
        Without Xor; Not stands before IsMissing only.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> a, b = Column("a", "numeric"), Column("b", "numeric")
    >>> print(settled(Not(Xor((Compare(a, "<=", 1.0), Compare(b, "<=", 2.0))))))
    (a <= 1 and b <= 2) or (a > 1 and b > 2)
    """
    match condition:
        case And(parts):
            return And(tuple(map(settled, parts)))
        case Or(parts):
            return Or(tuple(map(settled, parts)))
        case Xor((first, second)):
            return settled(Or((And((first, negate(second))), And((negate(first), second)))))
        case Not(Xor((first, second))):
            return settled(Or((And((first, second)), And((negate(first), negate(second))))))
        case Not(Largest(index, scores)):
            others = (other for other in range(len(scores)) if other != index)
            return Or(tuple(Largest(other, scores) for other in others))
        case Not(IsMissing()):
            return condition
        case Not(part):
            return settled(negate(part))
        case Compare() | Sum() | In() | IsMissing() | Largest():
            return condition
        case _:
            assert_never(condition)


def node_answers(tree: Tree, node: Node) -> tuple[float, ...]:
    """Give what a node predicts for a row that ends there: class probabilities, or one number.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : Node
        One of its nodes.

    Returns
    -------
    tuple of float
        A probability per class (a node without rows is sure of its class), or the number.
    """
    if not tree.is_classification:
        return (node.value,)
    return node.probabilities


def _weight(tree: Tree, node: Node) -> float:
    if not tree.is_classification:
        return node.statistics[0]
    weight = 0.0
    for part in node.statistics:  # sum() rounds differently
        weight += part
    return weight


def _branch_shares(tree: Tree, node: Node) -> tuple[tuple[int, float], ...]:
    """Give the proportion of rows that each child gets; equal ones when all are empty."""
    weights = [_weight(tree, tree.node(child)) for child in node.children]
    total = 0.0
    for weight in weights:
        total += weight
    if total > 0.0:
        ways = zip(node.children, weights, strict=True)
        return tuple((child, weight / total) for child, weight in ways if weight > 0.0)
    return tuple((child, 1.0 / len(weights)) for child in node.children)
