"""The best tree of every size over a few conditions, by trying all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from treewright.tree.column_limits import NO_LIMITS, ColumnLimits


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
    columns: tuple[frozenset[int], ...] = ()  # that each condition reads, under limits
    limits: ColumnLimits = NO_LIMITS  # prices for a unit of weight
    trends: tuple[int, ...] = ()  # 1: larger answers where the condition fails, -1: where it is met

    def answer(self, rows: np.ndarray) -> float:
        """The share of the second class, or the mean."""
        with np.errstate(invalid="ignore"):
            return float(self.amounts[rows, 1].sum() / np.float64(self.weight(rows)))

    def sides(self, test: int, rows: np.ndarray, answers=(-np.inf, np.inf)):
        """The rows that meet a condition and those that fail it, with what they may answer."""
        yes, no = rows & self.met[test], rows & ~self.met[test]
        if not self.trends or not self.trends[test]:
            return (yes, answers), (no, answers)
        middle = 0.5 * (self.answer(yes) + self.answer(no))
        lower, upper = (answers[0], min(answers[1], middle)), (max(answers[0], middle), answers[1])
        first, second = (lower, upper) if self.trends[test] > 0 else (upper, lower)
        return (yes, first), (no, second)

    def weight(self, rows: np.ndarray) -> float:
        """What rows weigh."""
        amounts = self.amounts[rows].sum(axis=0).astype(float)
        return amounts.sum() if self.costs.size else amounts[0]

    def price(self, test: int, above: frozenset[int], rows: np.ndarray) -> float:
        """What rows pay for a condition; infinity where it may not stand."""
        limits = self.limits
        if limits == NO_LIMITS:
            return self.prices[test]
        own = self.columns[test]
        together = above | own
        if limits.groups and not any(together <= set(group) for group in limits.groups):
            return np.inf
        if any(set(pair) <= together for pair in limits.forbidden_pairs):
            return np.inf
        is_root = rows.all()
        if is_root and limits.first_columns and not own <= set(limits.first_columns):
            return np.inf
        new = sum(limits.costs[c] for c in own - above) if limits.costs else 0.0
        return self.prices[test] + new * self.weight(rows)

    def loss(self, rows: np.ndarray) -> float:
        """What a leaf with these rows costs."""
        amounts = self.amounts[rows].sum(axis=0).astype(float)
        weight = self.weight(rows)
        if weight < self.min_weight:
            return np.inf
        if not self.costs.size:
            return -(amounts[1] ** 2) / weight
        risks, n_classes = amounts @ self.costs, len(self.costs)
        least = risks[:n_classes].min() + self.gini * (weight - (amounts**2).sum() / weight)
        return min([least, *risks[n_classes:]])  # referral, whatever the rows hold

    def best(
        self,
        rows: np.ndarray | None = None,
        depth: int | None = None,
        above: frozenset[int] = frozenset(),
        answers: tuple[float, float] = (-np.inf, np.inf),
    ) -> list[float]:
        """Cost of the best tree by its number of leaves; the first entry is not used."""
        rows = np.ones(self.amounts.shape[0], dtype=bool) if rows is None else rows
        depth = self.max_depth if depth is None else depth
        found = [np.inf] * (2**depth + 1)
        found[1] = self.loss(rows)
        if self.trends and not answers[0] <= self.answer(rows) <= answers[1]:
            found[1] = np.inf
        if depth == 0:
            return found
        for test in range(len(self.met)):
            price = self.price(test, above, rows)
            if not np.isfinite(price):
                continue
            path = above | self.columns[test] if self.columns else above
            both = self.sides(test, rows, answers)
            yes, no = (self.best(side, depth - 1, path, told) for side, told in both)
            for i, one in enumerate(yes[1:], 1):
                for j, other in enumerate(no[1:], 1):
                    found[i + j] = min(found[i + j], one + other + price)
        return found


def with_limits(case: PoolCase, random: np.random.Generator) -> PoolCase:
    """Draw which columns conditions read, and what paths may read, at which prices."""
    n_columns = 4

    def some(most: int) -> tuple[int, ...]:
        size = random.integers(1, most + 1)
        return tuple(sorted(random.choice(n_columns, size, replace=False).tolist()))

    def maybe(draw_one):
        return draw_one() if random.random() < 0.4 else ()

    limits = ColumnLimits(
        costs=maybe(lambda: tuple(random.choice([0.0, 0.01, 0.1], n_columns).tolist())),
        groups=maybe(lambda: tuple(some(3) for _ in range(3))),
        forbidden_pairs=maybe(
            lambda: tuple(
                tuple(sorted(random.choice(n_columns, 2, replace=False).tolist()))
                for _ in range(random.integers(1, 4))
            )
        ),
        first_columns=maybe(lambda: some(2)),
    )
    columns = [frozenset(some(2)) for _ in case.met]
    if not case.costs.size:  # numbers up to 500
        limits = replace(limits, costs=tuple(10_000.0 * cost for cost in limits.costs))
    return replace(case, columns=tuple(columns), limits=limits)


def draw(random: np.random.Generator) -> PoolCase:
    """Draw labels, class proportions, weighted ones, or numbers, with and without costs."""
    n_rows, n_classes = int(random.integers(5, 40)), int(random.integers(2, 5))
    met = random.random((int(random.integers(1, 6)), n_rows)) < random.random((1, 1))
    kind = random.choice(["labels", "proportions", "weighted", "numbers"])
    costs = 1.0 - np.eye(n_classes)
    if random.random() < 0.4:
        costs = costs * random.uniform(0.2, 3.0, costs.shape)
    if random.random() < 0.3:
        costs = np.column_stack([costs, np.full(n_classes, random.uniform(0.05, 0.5))])
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
