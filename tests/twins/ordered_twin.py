"""Twin of the search under monotonic constraints: every tree, and whether its answers are in order.

A tree is in order if its answers do not go against a constraint from one point of a grid to the
next one along a constrained column. A grid has every value that a column has in the table, and a
missing one if it has any: thresholds between values part nothing else.
"""

from __future__ import annotations

import itertools

import numpy as np


class OrderedTwin:
    """Goes through all trees over the cuts of a table.

    ``loss`` gives what a leaf of some rows costs, ``answer`` what it predicts.
    """

    def __init__(self, X, loss, answer, trends, penalty=0.0, min_rows=1) -> None:
        self.loss, self.answer, self.trends = loss, answer, trends
        self.penalty, self.min_rows = penalty, min_rows
        values = [np.unique(column[~np.isnan(column)]) for column in X.T]
        steps = [
            [*own, np.nan] if np.isnan(column).any() else [*own]
            for own, column in zip(values, X.T, strict=True)
        ]
        self.grid = np.array([*itertools.product(*steps)])
        self.after = [self._pairs(column, trend) for column, trend in enumerate(trends) if trend]
        self.on_rows, self.on_grid = [], []
        for column, own in enumerate(values):
            has_missing = np.isnan(X[:, column]).any()
            for cut in own[:-1]:
                for with_missing in (True, False) if has_missing else (False,):
                    for kept, points in ((self.on_rows, X), (self.on_grid, self.grid)):
                        passes = points[:, column] <= cut
                        kept.append(passes | (with_missing & np.isnan(points[:, column])))

    def _pairs(self, column, trend):
        """Give points with neighbours of a larger answer, one row each."""
        place = {tuple(np.nan_to_num(point, nan=-1e9)): i for i, point in enumerate(self.grid)}
        values = np.unique(self.grid[:, column][~np.isnan(self.grid[:, column])])
        following = dict(itertools.pairwise(values.tolist()))
        pairs = []
        for i, point in enumerate(self.grid):
            if point[column] in following:
                beyond = np.nan_to_num(point, nan=-1e9)
                beyond[column] = following[point[column]]
                pairs.append((i, place[tuple(beyond)])[::trend])
        return np.array(pairs, dtype=int).reshape(-1, 2).T

    def is_in_order(self, answers):
        """Tell of each row of answers over the grid whether they are in order."""
        kept = np.ones(len(answers), dtype=bool)
        for before, after in self.after:
            kept &= (answers[:, before] <= answers[:, after]).all(axis=1)
        return kept

    def trees(self, rows, depth):
        """Give costs and answers over the grid of all trees of some rows."""
        costs = [np.array([self.loss(rows)])]
        answers = [np.full((1, len(self.grid)), self.answer(rows))]
        for passes, on_grid in zip(self.on_rows, self.on_grid, strict=True) if depth else ():
            inside, outside = rows & passes, rows & ~passes
            if min(inside.sum(), outside.sum()) < self.min_rows:
                continue
            first, one = self.trees(inside, depth - 1)
            second, other = self.trees(outside, depth - 1)
            costs.append((self.penalty + first[:, None] + second).ravel())
            both = np.where(on_grid, one[:, None, :], other[None, :, :])
            answers.append(both.reshape(-1, len(self.grid)))
        return np.concatenate(costs), np.concatenate(answers)

    def best(self, depth, n_rows) -> float:
        """Give the least objective of a tree in order."""
        rows = np.ones(n_rows, dtype=bool)
        best = self.loss(rows)
        for passes, on_grid in zip(self.on_rows, self.on_grid, strict=True):
            inside, outside = rows & passes, rows & ~passes
            if min(inside.sum(), outside.sum()) < self.min_rows:
                continue
            first, one = self.trees(inside, depth - 1)
            second, other = self.trees(outside, depth - 1)
            order = np.argsort(second, kind="stable")
            second, other = second[order], other[order]
            for place in np.argsort(first, kind="stable"):
                room = best - first[place] - self.penalty
                n_better = np.searchsorted(second, room)
                if n_better == 0:
                    break
                together = np.where(on_grid, one[place], other[:n_better])
                fit = np.flatnonzero(self.is_in_order(together))
                if len(fit):
                    best = first[place] + self.penalty + second[fit[0]]
        return float(best)


class PlacesTwin:
    """Goes through all trees of depth 2 over given conditions, sums and sets of levels among them.

    Sums tell on which side answers are larger, but no place: leaves are compared by the conditions
    of one column on their paths. ``tests`` are pairs of rows that pass and a predicate with the
    branch of missing values; ``cells`` gives the values of each column, None for a missing one.
    """

    def __init__(self, tests, sides, cells, loss, answer, trends, penalty=0.0) -> None:
        self.tests, self.sides, self.cells = tests, sides, cells
        self.loss, self.answer, self.trends, self.penalty = loss, answer, trends, penalty

    def trees(self, rows, depth):
        """Give the cost of each tree with its leaves: answer and path."""
        yield self.loss(rows), [(self.answer(rows), ())]
        for number, (passes, _, _) in enumerate(self.tests) if depth else ():
            inside, outside = rows & passes, rows & ~passes
            if not (inside.any() and outside.any()):
                continue
            for first, some in self.trees(inside, depth - 1):
                for second, others in self.trees(outside, depth - 1):
                    leaves = [(a, ((number, True), *path)) for a, path in some]
                    leaves += [(a, ((number, False), *path)) for a, path in others]
                    yield self.penalty + first + second, leaves

    def best(self, depth, n_rows) -> float:
        """Give the least objective of a tree in order."""
        trees = sorted(self.trees(np.ones(n_rows, dtype=bool), depth), key=lambda tree: tree[0])
        return next(cost for cost, leaves in trees if self.are_in_order(leaves))

    def are_in_order(self, leaves) -> bool:
        """Tell whether no leaf answers more than one whose rows its own may precede."""
        for one, other in itertools.combinations(leaves, 2):
            (number, met) = next(a for a, b in zip(one[1], other[1], strict=False) if a != b)
            side = self.sides[number]
            if side == 0:
                continue
            lower, upper = (one, other) if (side > 0) == met else (other, one)
            if lower[0] > upper[0] and self.may_precede(lower[1], upper[1]):
                return False
        return True

    def may_precede(self, lower, upper) -> bool:
        """Tell whether a row at the end of one path may precede one at the end of another."""
        for column, trend in enumerate(self.trends):
            a, b = self.place(lower, column), self.place(upper, column)
            if None in a and None in b:
                continue
            a, b = a - {None}, b - {None}
            if not a or not b:
                return False
            meets = {0: bool(a & b), 1: min(a) <= max(b), -1: max(a) >= min(b)}
            if not meets[trend]:
                return False
        return True

    def place(self, path, column) -> set:
        """Give the values that may come to the end of a path."""
        found = set(self.cells[column])
        for number, met in path:
            _, predicate, missing_pass = self.tests[number]
            if getattr(predicate, "column", -1) != column:
                continue
            found = {v for v in found if self._passes(predicate, v, missing_pass) == met}
        return found

    @staticmethod
    def _passes(predicate, value, missing_pass) -> bool:
        if value is None:
            return missing_pass
        levels = getattr(predicate, "left", None)
        return value <= predicate.threshold if levels is None else value in levels
