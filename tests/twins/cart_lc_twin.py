"""CART-LC once more, plainly: every step tried by dividing the rows anew.

For tables without equal values, where no two steps are worth the same by accident.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sweep_twin import Rows


@dataclass
class Plane:
    """Rows with offset + z @ slopes > 0 stand right."""

    offset: float
    slopes: np.ndarray

    def moved(self, offset: float, slopes: np.ndarray) -> Plane:
        offset, slopes = self.offset + offset, self.slopes + slopes
        scale = 2.0 ** -math.floor(math.log2(np.abs(slopes).max()))
        return Plane(offset * scale, slopes * scale)


def quantile(x: np.ndarray, w: np.ndarray, share: float) -> float:
    """The value up to which a share of the weight lies; the middle of two at the end of one."""
    order = np.argsort(x)
    below = np.cumsum(w[order]) / w.sum()
    at = int(np.searchsorted(below, share - 1e-12))
    is_end = abs(below[at] - share) < 1e-12
    return float(x[order][at : at + 1 + is_end].mean())


class Search:
    """The search on one table."""

    def __init__(self, X: np.ndarray, rows: Rows, beta: float, tolerance: float) -> None:
        spread = [quantile(x, rows.w, 0.75) - quantile(x, rows.w, 0.25) for x in X.T]
        self.z = (X - [quantile(x, rows.w, 0.5) for x in X.T]) / spread
        self.rows, self.beta, self.tolerance = rows, beta, tolerance

    def run(self) -> tuple[float, list[int]]:
        """The score and the columns of the plane where the search ends."""
        columns = list(range(self.z.shape[1]))
        plane = self.climb(self.best_axis(columns), columns)
        plane, columns = self.delete(plane, [j for j in columns if plane.slopes[j] != 0])
        plane = self.climb(plane, columns)
        return self.score(plane), columns

    def values(self, plane: Plane) -> Any:
        return plane.offset + self.z @ plane.slopes

    def score(self, plane: Plane) -> float:
        return self.rows.score(self.values(plane) > 0)

    def best_axis(self, columns: list[int]) -> Plane:
        found = []
        for j in columns:
            x = np.sort(self.z[:, j])
            unit = np.eye(len(columns))[j]
            found += [Plane(-cut, unit) for cut in (x[:-1] + x[1:]) / 2]
        return max(found, key=self.score)

    def best_step(self, plane: Plane, x: np.ndarray) -> tuple[float, float]:
        v = self.values(plane)
        points = np.sort(-v[x != 0] / x[x != 0])
        steps = [points[0] - 1, *(points[:-1] + points[1:]) / 2, points[-1] + 1]
        return max((self.rows.score(v + t * x > 0), -i, t) for i, t in enumerate(steps))[::2]

    def settle(self, plane: Plane) -> Plane:
        score, t = self.best_step(plane, np.ones(len(self.z)))
        return plane.moved(t, 0 * plane.slopes) if score > self.score(plane) + 1e-10 else plane

    def climb(self, plane: Plane, columns: list[int]) -> Plane:
        least = self.tolerance * self.impurity()
        for _ in range(100):
            before = self.score(plane)
            for j in columns:
                unit = np.eye(self.z.shape[1])[j]
                steps = [(*self.best_step(plane, self.z[:, j] + g), g) for g in (-0.25, 0, 0.25)]
                score, t, gamma = max(steps, key=lambda step: round(step[0], 10))
                if score > self.score(plane) + 1e-10:
                    plane = plane.moved(t * gamma, t * unit)
            plane = self.settle(plane)
            if self.score(plane) - before < least:
                break
        return plane

    def delete(self, plane: Plane, columns: list[int]) -> tuple[Plane, list[int]]:
        while len(columns) > 1:
            without = {}
            for j in columns:
                slopes = plane.slopes.copy()
                slopes[j] = 0.0
                without[j] = self.settle(Plane(plane.offset, slopes))
            worth = {j: self.score(other) for j, other in without.items()}
            weak = max(columns, key=lambda j: round(worth[j], 10))
            now = self.score(plane)
            if now - worth[weak] > self.beta * (now - min(worth.values())) + 1e-12:
                break
            plane = without[weak]
            columns = [j for j in columns if j != weak]
        return plane, columns

    def impurity(self) -> float:
        shares = np.bincount(self.rows.y, self.rows.w) / self.rows.w.sum()
        return float(1 - (shares**2).sum())
