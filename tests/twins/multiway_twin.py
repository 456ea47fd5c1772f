"""The best tree with a branch per level among its splits, by trying every tree of small depth.

    V(R, d) = min of loss(R) and, over every split of R into k parts that each hold enough rows,
              penalty (k - 1) + sum over the parts of V(part, d - 1)

Splits are all thresholds and all sets of levels of the whole table, and the levels that the rows R
have, one by one; rows without a value are put with any one of the parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

Rows = tuple[int, ...]


class MultiwayTwin:
    """Tries every tree over a table of numbers, NaN where missing; `is_level`: of levels or not."""

    def __init__(
        self,
        X: np.ndarray,
        is_level: list[bool],
        loss: Callable[[np.ndarray], float],
        penalty: float = 0.0,
        min_rows: int = 1,
    ) -> None:
        self.X, self.is_level, self.loss = X, is_level, loss
        self.penalty, self.min_rows = penalty, min_rows
        self.known: dict[tuple[Rows, int], float] = {}

    def best(self, depth: int) -> float:
        """Give the least objective."""
        return self._best(tuple(range(len(self.X))), depth)

    def _best(self, rows: Rows, depth: int) -> float:
        if (rows, depth) not in self.known:
            best = self.loss(np.array(rows))
            for parts in self.splits(rows) if depth else ():
                if min(map(len, parts)) < self.min_rows:
                    continue
                cost = self.penalty * (len(parts) - 1)
                best = min(best, cost + sum(self._best(part, depth - 1) for part in parts))
            self.known[rows, depth] = best
        return self.known[rows, depth]

    def splits(self, rows: Rows) -> Iterator[list[Rows]]:
        for column, is_level in enumerate(self.is_level):
            values = {row: self.X[row, column] for row in rows}
            missing = [row for row in rows if np.isnan(values[row])]
            all_values = self.X[:, column]
            every = np.unique(all_values[~np.isnan(all_values)]).tolist()
            if is_level:
                sizes = range(1, len(every))
                chosen = [set(c) for n in sizes for c in itertools.combinations(every, n)]
            else:
                chosen = [{*every[:n]} for n in range(1, len(every))]
            divisions = [[one, {*every} - one] for one in chosen]
            present = [level for level in every if level in values.values()]
            if is_level and len(present) > 1:
                divisions.append([{level} for level in present])
            for division in divisions:
                known = [[row for row in rows if values[row] in part] for part in division]
                for place in range(len(known) if missing else 1):
                    parts = [
                        tuple(sorted(part + missing)) if at == place else tuple(part)
                        for at, part in enumerate(known)
                    ]
                    if all(parts):
                        yield parts
