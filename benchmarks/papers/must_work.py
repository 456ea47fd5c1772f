"""The methods of must.py, and one fold of one of them.

To see another method beside the paper's numbers, add it to `PRESETS` under the name that the
paper's tables have for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cross_validation import Fold, fit, rows_of, seed_of
from data_sets import DataSet

from treewright import recipes

Make = Callable[[int], Any]  # an estimator of treewright from a seed

PRESETS: dict[str, Make] = {
    "MUST-1": lambda seed: recipes.must_paper(1, random_state=seed),
    "MUST-2": lambda seed: recipes.must_paper(2, random_state=seed),
    "MUST-3": lambda seed: recipes.must_paper(3, random_state=seed),
    "MUST-F": lambda seed: recipes.must_paper("all", random_state=seed),
    "FS": lambda seed: recipes.must_paper("full_search", random_state=seed),
}
FEW = ("must(1)", "must(2)", "must(3)")  # so few columns that the test can be drawn
ALL, PLAIN = 'must("all")', "cart()"
READABLE: dict[str, Make] = {
    FEW[0]: lambda seed: recipes.must(1, random_state=seed),
    FEW[1]: lambda seed: recipes.must(2, random_state=seed),
    FEW[2]: lambda seed: recipes.must(3, random_state=seed),
    ALL: lambda seed: recipes.must("all", random_state=seed),
    PLAIN: lambda seed: recipes.cart(random_state=seed),
}


@dataclass(frozen=True)
class Task:
    """Fit one method on four fifths of the rows, judge it on the rest."""

    method: str
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        make = (PRESETS | READABLE)[self.method]
        model = make(seed_of(self.repeat, self.fold))
        found = fit(data, *rows_of(data, self.repeat, self.fold), model)
        return [Fold(data.name, self.method, self.repeat, self.fold, *found)]
