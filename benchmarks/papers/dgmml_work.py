"""The methods of dgmml.py, and one fold of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import Fold, fit, rows_of, seed_of
from benchmarks.common.data_sets import DataSet, read_sets
from benchmarks.common.measuring import timed
from benchmarks.common.two_class_sets import AUTHORS, as_numbers
from treewright import Axis, FTest, TreeClassifier, recipes
from treewright.estimators import GrowthRules
from treewright.prune import ErrorBased

FOLDS = 10
AUTHORS_SEEDS = 5  # of forests on the authors' folds
PRUNED = ", pruned"
# Their own copies of sets, with the rows in the order that makes their folds.
AUTHORS_SETS = ("cloud", "spectf", "kungchi3", "knuggetchase3", "wilt")

Make = Callable[[int], Any]  # an estimator of treewright from a seed


def grown(**parameters: Any) -> Make:
    """Grow as the paper does: nodes of at least 10 rows are split, none is pruned away."""
    settings = {"min_samples_split": 10, "readable": False, **parameters}
    return lambda seed: TreeClassifier(**settings, random_state=seed)


def dgmml(threshold: str, features: int | str = 1, **parameters: Any) -> Make:
    """Grow dGMML trees, whose tests need not take impurity away."""
    return grown(
        split=FTest(features, threshold=threshold, **parameters),
        growth_rules=GrowthRules(zero_gain=True),
    )


# Grown to the end, and cut back as well.
GROWN: dict[str, Make] = {
    "C4.5": grown(split=Axis(rules="cart"), criterion="entropy", gain="ratio"),
    "C4.5 release 8": grown(
        split=Axis(rules="c45"),
        criterion="entropy",
        gain="ratio",
        min_samples_split=4,
        min_samples_leaf=2,
    ),
    "CART": grown(),
    "iHD": grown(criterion="hellinger"),
    "HDDT": grown(criterion="hddt"),
    "dGMML closest": dgmml("closest"),
    "dGMML median": dgmml("median"),
    "dGMML mean": dgmml("mean"),
    "dGMML class_midpoint": dgmml("class_midpoint"),
    "dGMML impurity": dgmml("impurity"),
    "MDT printed": dgmml("closest", "all", variant="paper"),
    "MDT corrected, closest": dgmml("closest", "all"),
    "MDT corrected, impurity": dgmml("impurity", "all"),
    "MDT corrected, 1 column": dgmml("class_midpoint", 1),
    "MDT corrected, 2 columns": dgmml("class_midpoint", 2),
    "MDT corrected, 3 columns": dgmml("class_midpoint", 3),
    "MDT corrected, all columns": dgmml("class_midpoint", "all"),
}
FORESTS: dict[str, Make] = {
    "C4.5-RF": lambda seed: recipes.c45_forest(paper=True, random_state=seed),
    "CART-RF": lambda seed: recipes.cart_forest(paper=True, random_state=seed),
    "iHD-RF": lambda seed: recipes.ihd_forest(paper=True, random_state=seed),
    "dGMML-RF": lambda seed: recipes.dgmml_forest(paper=True, random_state=seed),
}
DEFAULTS: dict[str, Make] = {
    "dgmml()": lambda seed: recipes.dgmml(random_state=seed),
    "dgmml_mdt()": lambda seed: recipes.dgmml_mdt(random_state=seed),
    "ihd()": lambda seed: recipes.ihd(random_state=seed),
    "cart()": lambda seed: recipes.cart(random_state=seed),
    "cart(se=0)": lambda seed: recipes.cart(se=0, random_state=seed),
    "c45()": lambda seed: recipes.c45(random_state=seed),
}


def cut_back(model: TreeClassifier) -> TreeClassifier:
    """Prune by the usual confidence of 0.25; no subtree takes the place of its parent."""
    return model.set_params(prune=ErrorBased(raising=False))


def make(method: str, seed: int) -> Any:
    """Return the estimator of a method."""
    if method.endswith(PRUNED):
        return cut_back(GROWN[method.removesuffix(PRUNED)](seed))
    return (GROWN | FORESTS | DEFAULTS)[method](seed)


def judge(data: DataSet, trained: np.ndarray, held_out: np.ndarray, model: Any) -> tuple[Any, ...]:
    """Return what a fold says of an estimator, from its accuracy on; of a forest its mean tree."""
    if isinstance(model, TreeClassifier):
        return fit(data, trained, held_out, model)
    seconds, _ = timed(model.fit, data.rows(trained), data.target[trained])
    accuracy = model.score(data.rows(held_out), data.target[held_out])
    means = [
        float(np.mean([getattr(tree, name) for tree in model.trees_]))
        for name in ("n_leaves", "depth", "reading_effort")
    ]
    return accuracy, *means, seconds


@dataclass(frozen=True)
class Task:
    """Fit one method on nine tenths of the rows, judge it on the rest."""

    method: str
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        model = make(self.method, seed_of(self.repeat, self.fold))
        found = judge(data, *rows_of(data, self.repeat, self.fold, FOLDS), model)
        return [Fold(data.name, self.method, self.repeat, self.fold, *found)]


def tasks_of(methods: Iterable[str], repeats: int) -> list[Task]:
    places = [(repeat, fold) for repeat in range(repeats) for fold in range(FOLDS)]
    return [Task(method, *place) for place in places for method in methods]


@dataclass(frozen=True)
class AuthorsTask(Task):
    """The same on the authors' folds: ten blocks of rows, the last one with the rest of them."""

    def do(self, data: DataSet) -> list[Fold]:
        rows = np.arange(data.n_rows)
        block = np.minimum(rows // (data.n_rows // FOLDS), FOLDS - 1)
        model = make(self.method, seed_of(self.repeat, self.fold))
        found = judge(data, rows[block != self.fold], rows[block == self.fold], model)
        return [Fold(data.name, self.method, self.repeat, self.fold, *found)]


def authors_tasks(method: str, seeds: int) -> list[Task]:
    return [AuthorsTask(method, seed, fold) for seed in range(seeds) for fold in range(FOLDS)]


def read_authors_sets(folder: Path, names: Iterable[str]) -> list[DataSet]:
    """Return the authors' copies that are there."""
    found, _ = read_sets(folder, [AUTHORS + name for name in AUTHORS_SETS if name in names])
    return [as_numbers(data) for data in found]
