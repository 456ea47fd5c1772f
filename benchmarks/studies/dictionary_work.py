"""The methods of optimal_dictionary.py, and one fold of one of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.common.cross_validation import Fold, fit, rows_of, seed_of
from benchmarks.common.data_sets import DataSet
from treewright import MUST, Axis, Best, OptimalTreeClassifier, TreeClassifier, recipes
from treewright.exceptions import NotProvenWarning

SECONDS = 30.0  # for one search
BOTH = "Axis(), MUST(2)"
OPTIMAL_AXIS, OPTIMAL = "optimal: Axis()", f"optimal: {BOTH}"
ONE_ERROR = "an error a term"  # what is charged for each column beyond the first in a test
LEAF_PRICE, TERM_PRICE = 0.01, 0.005  # of all rows
PRICES = "1 % of rows a leaf, 0.5 % a term"
GREEDY: dict[str, Any] = {
    "greedy: Axis()": Axis(),
    "greedy: MUST(2)": MUST(2),
    f"greedy: {BOTH}": Best(Axis(), MUST(2)),
}
PRUNED: dict[str, Callable[[int], Any]] = {
    "cart()": lambda seed: recipes.cart(random_state=seed),
    "must(2)": lambda seed: recipes.must(2, random_state=seed),
}
SHALLOW = (
    *(*GREEDY, OPTIMAL_AXIS, OPTIMAL, f"{OPTIMAL}, {ONE_ERROR}"),
    *(f"{OPTIMAL_AXIS}, {PRICES}", f"{OPTIMAL}, {PRICES}"),
)


def make(method: str, depth: int, seed: int, n_rows: int) -> Any:
    """Return an estimator of treewright; pruned ones are as deep as they like."""
    if method in PRUNED:
        return PRUNED[method](seed)
    if method in GREEDY:
        return TreeClassifier(GREEDY[method], max_depth=depth)
    settings: dict[str, Any] = {"time_limit": SECONDS, "random_state": seed}
    if method.startswith(OPTIMAL):
        settings["dictionary"] = [Axis(), MUST(2)]
    if method.endswith(ONE_ERROR):
        settings["term_penalty"] = 1.0 / n_rows
    if method.endswith(PRICES):
        settings |= {"penalty": LEAF_PRICE, "term_penalty": TERM_PRICE}
    return OptimalTreeClassifier(depth, **settings)


def name_of(method: str, depth: int) -> str:
    """Return a method with its depth, as the tables name it."""
    return method if method in PRUNED else f"depth {depth}, {method}"


@dataclass(frozen=True)
class Task:
    """Fit one method on four fifths of the rows, judge it on the rest."""

    method: str
    depth: int
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        trained, held_out = rows_of(data, self.repeat, self.fold)
        seed = seed_of(self.repeat, self.fold)
        model = make(self.method, self.depth, seed, len(trained))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotProvenWarning)
            found = fit(data, trained, held_out, model)
        return [Fold(data.name, name_of(self.method, self.depth), self.repeat, self.fold, *found)]
