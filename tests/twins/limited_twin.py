"""The best tree under constraints of columns, by trying every tree of small depth."""

from __future__ import annotations

import itertools

import numpy as np

from treewright.tree.column_limits import ColumnLimits


class LimitedTwin:
    """Tries every tree over conditions given as columns of booleans.

    ``passes`` has one row per condition, ``columns`` the set of columns each reads; ``loss`` gives
    what a leaf of some rows costs, ``unit`` what a penalty or price of 1 stands for.
    """

    def __init__(
        self, passes, columns, loss, weights, unit, limits: ColumnLimits, penalty=0.0, min_rows=1
    ) -> None:
        self.passes, self.columns, self.loss = passes, [frozenset(c) for c in columns], loss
        self.weights, self.unit, self.limits = weights, unit, limits
        self.penalty, self.min_rows = penalty, min_rows

    def allows(self, above: frozenset, own: frozenset) -> bool:
        together, limits = above | own, self.limits
        if limits.groups and not any(together <= set(group) for group in limits.groups):
            return False
        return not any(set(pair) <= together for pair in limits.forbidden_pairs)

    def best(self, depth: int) -> float:
        """Give the least objective."""
        every = frozenset().union(*self.columns) if self.columns else frozenset()
        rows = np.ones(self.passes.shape[1], dtype=bool)
        most = self.limits.max_columns
        if most is None or most >= len(every):
            return self._best(rows, depth, frozenset(), every, True)
        return min(
            self._best(rows, depth, frozenset(), frozenset(some), True)
            for some in itertools.combinations(sorted(every), most)
        )

    def _best(self, rows, depth, above, readable, is_root=False) -> float:
        best = self.loss(rows)
        if depth == 0 or best == 0.0:
            return best
        share = self.weights[rows].sum() / self.weights.sum()
        for passes, own in zip(self.passes, self.columns, strict=True):
            if not own <= readable or not self.allows(above, own):
                continue
            if is_root and self.limits.first_columns and not own <= set(self.limits.first_columns):
                continue
            inside, outside = rows & passes, rows & ~passes
            if min(inside.sum(), outside.sum()) < self.min_rows:
                continue
            price = sum(self.limits.costs[c] for c in own - above) if self.limits.costs else 0.0
            fixed = (self.penalty + price * share) * self.unit
            if fixed >= best:
                continue
            below = above | own
            cost = fixed + self._best(inside, depth - 1, below, readable)
            if cost < best:
                best = min(best, cost + self._best(outside, depth - 1, below, readable))
        return best


def class_loss(y, weights):
    """Give the weight of the rows that one class for all gets wrong."""

    def loss(rows) -> float:
        totals = np.bincount(y[rows], weights[rows])
        return float(totals.sum() - totals.max()) if len(totals) else 0.0

    return loss


def number_loss(y, weights):
    """Give the squared error around the mean."""

    def loss(rows) -> float:
        w = weights[rows]
        if not w.sum() > 0:
            return 0.0
        mean = w @ y[rows] / w.sum()
        return float(w @ (y[rows] - mean) ** 2)

    return loss
