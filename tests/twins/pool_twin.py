"""The best tree of every size over a few conditions, by trying all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PoolCase:
    """Conditions over rows, what the rows hold, and which trees are allowed."""

    met: np.ndarray  # [condition][row]
    amounts: np.ndarray  # [row][output]
    costs: np.ndarray
    prices: np.ndarray
    gini: float
    min_weight: float
    max_depth: int

    def loss(self, rows: np.ndarray) -> float:
        """What a leaf with these rows costs."""
        amounts = self.amounts[rows].sum(axis=0).astype(float)
        weight = amounts.sum() if self.costs.size else amounts[0]
        if weight < self.min_weight:
            return np.inf
        if not self.costs.size:
            return -(amounts[1] ** 2) / weight
        return (amounts @ self.costs).min() + self.gini * (weight - (amounts**2).sum() / weight)

    def best(self, rows: np.ndarray | None = None, depth: int | None = None) -> list[float]:
        """Cost of the best tree by its number of leaves; the first entry is not used."""
        rows = np.ones(self.amounts.shape[0], dtype=bool) if rows is None else rows
        depth = self.max_depth if depth is None else depth
        found = [np.inf] * (2**depth + 1)
        found[1] = self.loss(rows)
        if depth == 0:
            return found
        for met, price in zip(self.met, self.prices, strict=True):
            yes, no = self.best(rows & met, depth - 1), self.best(rows & ~met, depth - 1)
            for i, one in enumerate(yes[1:], 1):
                for j, other in enumerate(no[1:], 1):
                    found[i + j] = min(found[i + j], one + other + price)
        return found


def draw(random: np.random.Generator) -> PoolCase:
    """Draw labels, class proportions, weighted ones, or numbers, with and without costs."""
    n_rows, n_classes = int(random.integers(5, 40)), int(random.integers(2, 5))
    met = random.random((int(random.integers(1, 6)), n_rows)) < random.random((1, 1))
    kind = random.choice(["labels", "proportions", "weighted", "numbers"])
    costs = 1.0 - np.eye(n_classes)
    if random.random() < 0.4:
        costs = costs * random.uniform(0.2, 3.0, costs.shape)
    if kind == "labels":
        amounts = np.eye(n_classes)[random.integers(0, n_classes, n_rows)]
    elif kind == "numbers":
        amounts = np.column_stack([random.integers(1, 5, n_rows), random.integers(0, 500, n_rows)])
        costs = np.empty((0, 0))
    else:
        times = random.integers(1, 9, (n_rows, 1)) if kind == "weighted" else 1
        amounts = random.dirichlet(np.ones(n_classes), n_rows) * 100 * times
    prices = np.where(random.random(len(met)) < 0.5, 0.0, 5.0 * random.random(len(met)))
    return PoolCase(
        met,
        amounts.astype(np.uint32),
        np.ascontiguousarray(costs),
        prices,
        float(random.choice([0.0, 0.5])),
        float(random.choice([1, 5, 20])),
        int(random.integers(1, 4)),
    )
