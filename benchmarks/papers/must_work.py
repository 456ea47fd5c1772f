"""The methods of must.py, and one fold of one of them.

The paper sets its own trees, cut back by a rule that it does not name, beside trees of OC1 and
HHCART that a tenth of the rows cut back. `SPLITS` has all of them, to be put under either of two
`RULES`, the same for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.common.cross_validation import (
    FOLDS,
    Fold,
    Outcome,
    fit,
    rows_of,
    seed_of,
    work_through,
)
from benchmarks.common.data_sets import DataSet
from treewright import recipes
from treewright.prune import CostComplexity, Pruner
from treewright.splits import MUST, Climb

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

HELD_OUT, FOLDS_OF_ROWS = "held out", "folds"
RULES: dict[str, Callable[[], Pruner]] = {
    HELD_OUT: lambda: CostComplexity(holdout=0.1, se=0.0),
    FOLDS_OF_ROWS: CostComplexity,
}
OURS = ("MUST-1", "MUST-2", "MUST-3", "MUST-F")
HOUSEHOLDER = ("HHCART-A", "HHCART-D")
RIVALS = ("OC1-AP", "OC1", *HOUSEHOLDER)
SPLITS: dict[str, Callable[..., Any]] = {
    "MUST-1": partial(recipes.must_paper, 1),
    "MUST-2": partial(recipes.must_paper, 2),
    "MUST-3": partial(recipes.must_paper, 3),
    "MUST-F": partial(recipes.must_paper, "all"),
    "OC1-AP": recipes.oc1_ap,
    "OC1": recipes.oc1,
    "HHCART-A": partial(recipes.hhcart, "all"),
    "HHCART-D": partial(recipes.hhcart, "dominant"),
    "CART-LC": recipes.cart_lc,
    "SADT": recipes.sadt,
    "WODT": recipes.wodt,
    "OC1, 2 columns": partial(recipes.oc1, 2),
    "Climb(MUST(2))": partial(recipes.must, split=Climb(MUST(2, selection="mahalanobis"))),
}


def under(split: str, rule: str) -> str:
    """Return the name of a way of splitting under a rule of pruning."""
    return f"{split}, {rule}"


UNDER_RULES: dict[str, Make] = {
    under(split, rule): lambda seed, make=make, prune=prune: make(prune=prune(), random_state=seed)
    for rule, prune in RULES.items()
    for split, make in SPLITS.items()
}
GROWN_OUT: dict[str, Make] = {  # leaves of one row, where the recipes stop at nodes of three
    under(split, "grown out"): lambda seed, make=SPLITS[split]: make(
        min_samples_split=2, random_state=seed
    )
    for split in RIVALS
}
METHODS = PRESETS | READABLE | UNDER_RULES | GROWN_OUT

ON_LARGE_SETS = [under(split, rule) for rule in RULES for split in (*OURS, *RIVALS)]
HOURS = under("OC1", FOLDS_OF_ROWS)  # on large sets; worth it where the paper has OC1

# Under the paper's names: what its authors took from others, of HHCART the better variant a set.
PUBLISHED = {
    "OC1-AP": (under("OC1-AP", HELD_OUT),),
    "OC1": (under("OC1", HELD_OUT),),
    "HHCART": tuple(under(split, HELD_OUT) for split in HOUSEHOLDER),
}


@dataclass(frozen=True)
class Task:
    """Fit one method on four fifths of the rows, judge it on the rest."""

    method: str
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        model = METHODS[self.method](seed_of(self.repeat, self.fold))
        found = fit(data, *rows_of(data, self.repeat, self.fold), model)
        return [Fold(data.name, self.method, self.repeat, self.fold, *found)]


def run(data: DataSet, methods: dict[str, int], n_jobs: int) -> dict[str, Outcome]:
    """Cross-validate methods on one set, each so many times."""
    tasks = [
        Task(method, repeat, fold)
        for repeat in range(max(methods.values(), default=0))
        for fold in range(FOLDS)
        for method, repeats in methods.items()
        if repeat < repeats
    ]
    folds = work_through(data, tasks, n_jobs)
    return {
        method: Outcome(data, method, [one for one in folds if one.method == method])
        for method in methods
    }
