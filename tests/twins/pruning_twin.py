"""A twin of error-based pruning: the recursion of the textbook, written to be obviously right.

Rows are kept as a vector of shares, one entry a row, at every node; nothing is updated in place and
every estimate is counted anew. Only for small trees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright.tree import Tree


@dataclass
class Branch:
    """A node of the pruned tree; `id` is that of the grown tree."""

    id: int
    children: list[Branch]
    statistics: np.ndarray
    value: int


class ErrorBasedTwin:
    """Prunes one tree; `errors(weight, wrong)` gives expected errors of a leaf."""

    def __init__(
        self,
        tree: Tree,
        values: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray,
        errors: Callable[[float, float], float],
    ) -> None:
        self.tree, self.labels, self.weights, self.errors = tree, labels, weights, errors
        table = _core.Table(values, tree.schema.n_levels)
        self.known = {
            node.id: tree.core.route(node.id, table) for node in tree.walk() if node.children
        }
        self.back_up = {
            node.id: [
                (_core.route(surrogate.predicate.encode(), table), surrogate.swapped)
                for surrogate in node.surrogates
            ]
            for node in tree.walk()
        }

    def run(self, raising: bool = True) -> Branch:
        """The pruned tree."""
        root = self.copied(0)
        return self.prune(root, (self.weights > 0).astype(float), root.value, raising)

    def copied(self, node: int) -> Branch:
        found = self.tree.node(node)
        children = [self.copied(child) for child in found.children]
        return Branch(node, children, np.array(found.statistics), int(found.value))

    def prune(self, t: Branch, shares: np.ndarray, parent: int, raising: bool) -> Branch:
        t.statistics = self.class_weights(shares)
        t.value = self.label(t.statistics, t.value) if np.any(shares) else parent
        if not t.children:
            return t
        if not np.any(shares):
            return Branch(t.id, [], t.statistics, t.value)
        t.children = [
            self.prune(child, part, t.value, raising)
            for child, part in zip(t.children, self.divide(t, shares), strict=True)
        ]
        leaf = self.errors_saying(t.value, shares)
        tree = self.estimate(t, shares)
        weights = [child.statistics.sum() for child in t.children]
        heaviest = max(b for b, weight in enumerate(weights) if weight >= max(weights) * (1 - 1e-9))
        branch = self.estimate(t.children[heaviest], shares) if raising else np.inf
        if leaf <= tree + 0.1 and leaf <= branch + 0.1:
            return Branch(t.id, [], t.statistics, t.value)
        if branch <= tree + 0.1:
            return self.prune(t.children[heaviest], shares, parent, raising)
        return t

    def estimate(self, t: Branch, shares: np.ndarray) -> float:
        """Expected errors of a branch as it stands with these rows."""
        if not np.any(shares):
            return 0.0
        said = self.label(self.class_weights(shares), t.value)
        if not t.children:
            return self.errors_saying(said, shares)
        parts = self.divide(t, shares)
        stopped = np.where(np.any(parts, axis=0), 0.0, shares)
        return self.errors_saying(said, stopped) + sum(
            self.estimate(child, part) for child, part in zip(t.children, parts, strict=True)
        )

    def errors_saying(self, said: int, shares: np.ndarray) -> float:
        """Expected errors of a leaf that answers class `said`."""
        weights = self.class_weights(shares)
        return self.errors(weights.sum(), weights.sum() - weights[said])

    def class_weights(self, shares: np.ndarray) -> np.ndarray:
        counted = np.zeros(self.tree.n_outputs)
        np.add.at(counted, self.labels, shares * self.weights)
        return counted

    def label(self, class_weights: np.ndarray, prior: int) -> int:
        """The heaviest class; the prior one wins ties."""
        if np.isclose(class_weights[prior], class_weights.max(), rtol=1e-12):
            return prior
        return int(np.argmax(class_weights))

    def divide(self, t: Branch, shares: np.ndarray) -> list[np.ndarray]:
        """The shares of each branch of a node; rows that stop have none."""
        node = self.tree.node(t.id)
        branch = self.known[t.id].copy()
        if node.missing in ("surrogate", "surrogate_or_stop"):
            for found, swapped in self.back_up[t.id]:
                helps = (branch < 0) & (found >= 0)
                branch[helps] = 1 - found[helps] if swapped else found[helps]
        n_branches = len(node.children)
        part = np.zeros(n_branches)  # of a row whose branch is not known
        if node.missing in ("default", "surrogate"):
            part[node.default_branch] = 1.0
        elif node.missing == "fraction":
            counted = shares * self.weights
            part = np.array([counted[branch == b].sum() for b in range(n_branches)])
            if part.sum() == 0:
                part = np.array([self.tree.node(child).weight for child in node.children])
            if part.sum() == 0:
                part = np.ones(n_branches)
            part /= part.sum()
        return [
            np.where(branch == b, shares, np.where(branch < 0, shares * part[b], 0.0))
            for b in range(n_branches)
        ]
