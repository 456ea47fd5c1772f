"""The signed sweep by brute force: every gap between break points, rows divided anew in each.

Break points are fractions, so that equal ones are equal and no row is placed by rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
import twins

from treewright import _core

NO_COST = np.empty(0)


@dataclass(frozen=True)
class Rows:
    """A target with weights, and how divisions of its rows are judged."""

    y: np.ndarray
    w: np.ndarray
    n_classes: int  # 0: numbers
    measure: str
    gain: str = "plain"
    min_count: int = 1
    min_weight: float = 0.0
    cost: np.ndarray = field(default_factory=lambda: NO_COST)

    def sweep(self) -> _core.Sweep:
        if self.n_classes == 0:
            target = _core.Target.numbers(self.y.astype(float), self.w)
        else:
            target = _core.Target.classes(self.y.astype(np.int32), self.n_classes, self.w)
        rules = (self.measure, self.gain, self.min_count, self.min_weight, self.cost.ravel())
        return _core.Sweep(target, *rules)

    def score(self, right: np.ndarray) -> float:
        """The worth of a division, from its definition."""
        sides = (~right, right)
        if any(
            side.sum() < self.min_count or self.w[side].sum() < self.min_weight or not side.any()
            for side in sides
        ):
            return -math.inf
        decrease = self._decrease(right)
        decrease = 0.0 if abs(decrease) < 1e-14 else decrease
        if self.gain != "balanced":
            return decrease
        shares = [self.w[side].sum() / self.w.sum() for side in sides]
        return decrease / (1 - sum(share * math.log2(share) for share in shares))

    def _decrease(self, right: np.ndarray) -> float:
        if self.measure == "cost_gini":
            sides = [
                twins.class_weights(self.y[side], self.w[side], self.n_classes)
                for side in (~right, right)
            ]
            parent = sum(sides)
            inside = [s.sum() / parent.sum() * twins.cost_gini(s, self.cost) for s in sides]
            return twins.cost_gini(parent, self.cost) - sum(inside)
        return twins.gain(self.measure, self.y, self.w, right.astype(int)) / self.w.sum()


def sides_at(v: np.ndarray, x: np.ndarray, t: Fraction) -> np.ndarray:
    """Which rows stand right of the plane v + t x = 0."""
    pairs = zip(v.tolist(), x.tolist(), strict=True)
    return np.array([Fraction(a) + t * Fraction(b) > 0 for a, b in pairs])


def steps(v: np.ndarray, x: np.ndarray) -> list[Fraction]:
    """One t in each gap between break points but the one that holds 0, in order."""
    pairs = zip(v.tolist(), x.tolist(), strict=True)
    points = sorted({-Fraction(a) / Fraction(b) for a, b in pairs if b != 0})
    if not points:
        return []
    middles = [(low + high) / 2 for low, high in pairwise(points)]
    lows, highs = [-math.inf, *points], [*points, math.inf]
    candidates = [points[0] - 1, *middles, points[-1] + 1]
    gaps = zip(lows, highs, candidates, strict=True)
    return [t for low, high, t in gaps if not low < 0 < high]


def best_step(rows: Rows, v: np.ndarray, x: np.ndarray) -> tuple[Fraction, float]:
    """The first of the best steps and its score; -infinity if none is allowed."""
    best, best_score = Fraction(0), -math.inf
    for t in steps(v, x):
        score = rows.score(sides_at(v, x, t))
        if best_score == -math.inf < score or score > best_score + 1e-10 * abs(best_score):
            best, best_score = t, score
    return best, best_score
