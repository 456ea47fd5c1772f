"""The data sets and the work of oblique_logistic.py: trees, folds, paths and bipartitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from benchmarks.common.cross_validation import Fold, fit, rows_of, seed_of
from benchmarks.common.data_sets import DataSet
from benchmarks.common.measuring import timed
from benchmarks.common.packaged_sets import find_sets
from benchmarks.papers.oblique_logistic_numbers import TESTS, Numbers
from treewright import Axis, Best, Logistic, TreeClassifier, recipes
from treewright.prune import squeeze_path, trim_steps
from treewright.prune.risks import node_risks
from treewright.tree import Tree

# ---------------------------------------------------------------------------------- the data sets

# Classes in the order of the package: it breaks ties, and gives the first a side of its own.
CLASSES = {
    "crabs": ("B.M", "B.F", "O.M", "O.F"),
    "pima_tr": ("No", "Yes"),
    "pima_te": ("No", "Yes"),
    "fgl": ("WinF", "WinNF", "Veh", "Con", "Tabl", "Head"),
    "iris": ("setosa", "versicolor", "virginica"),
}
OTHERS = ("wine", "heart", "bupa", "balance_scale", "breast_cancer_wdbc", "sonar")
TRAINED = ("crabs5", "crabs_pc", "pima_tr", "fgl", "iris")  # the trees of the thesis and of R
VALIDATED = ("crabs5", "pima_532", "iris", "fgl")
COMPARED = (*VALIDATED, *OTHERS)
DIVIDED = ("digits_6", "digits_12", "fgl", "letter")  # of many classes
SETS = tuple(dict.fromkeys((*TRAINED, *COMPARED, *DIVIDED)))


def load_sets(folder: Path) -> tuple[dict[str, DataSet], list[str]]:
    """Return the sets by name, and sentences on those that are not from the folder."""
    found, notes = find_sets(folder, (*CLASSES, *OTHERS, "letter"))
    read = {data.name: _coded(data) for data in found}
    sets = {name: data for name, data in read.items() if name in SETS}
    if "crabs" in read:
        sets["crabs5"] = DataSet("crabs5", read["crabs"].columns, (), read["crabs"].target)
        sets["crabs_pc"] = _augmented(read["crabs"])
    if "pima_tr" in read and "pima_te" in read:
        parts = [read["pima_tr"], read["pima_te"]]
        names = parts[0].columns
        columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in names}
        target = np.concatenate([part.target for part in parts])
        sets["pima_532"] = DataSet("pima_532", columns, (), target)
        sets["pima_te"] = parts[1]
    for n_components in (6, 12):
        sets[f"digits_{n_components}"] = _digits(n_components)
    return sets, notes


def _coded(data: DataSet) -> DataSet:
    """Return the set with classes as their places in the order of the package."""
    if data.name not in CLASSES:
        return data
    codes = [CLASSES[data.name].index(label) for label in data.target]
    return DataSet(data.name, data.columns, data.categorical, np.array(codes))


def _augmented(crabs: DataSet) -> DataSet:
    """Return principal components 2 and 3: the augmented crabs of the thesis (section 4.3.2)."""
    table = np.column_stack([*crabs.columns.values()])
    centred = table - table.mean(axis=0)
    loadings = np.linalg.svd(centred, full_matrices=False)[2][1:3]
    scores = centred @ (loadings * np.sign(loadings[:, :1])).T
    columns = {"Comp.2": scores[:, 0].copy(), "Comp.3": scores[:, 1].copy()}
    return DataSet("crabs_pc", columns, (), crabs.target)


def _digits(n_components: int) -> DataSet:
    pixels, digits = load_digits(return_X_y=True)
    scores = PCA(n_components, svd_solver="full").fit_transform(pixels)
    columns = {f"Comp.{i + 1}": scores[:, i].copy() for i in range(n_components)}
    return DataSet(f"digits_{n_components}", columns, (), digits)


# ------------------------------------------------------------------- trees on all rows, and paths


def leaf_sum(tree: Tree, risk: str) -> float:
    """Return what all training rows lose."""
    return float(node_risks(tree, risk)[tree.core.n_branches == 0].sum())


def numbers_of(tree: Tree) -> Numbers:
    errors = round(leaf_sum(tree, "errors"))
    return tree.n_leaves, leaf_sum(tree, "deviance"), errors, tree.complexity


def as_package(data: DataSet, tests: str = "oblique") -> TreeClassifier:
    """Return the tree that the package would grow."""
    mode, concise = TESTS[tests]
    return recipes.oblique_tree(mode, concise=concise).fit(data.columns, data.target)


def unrounded(data: DataSet, tests: str) -> TreeClassifier:
    """Return our tree without pruning, rounding, and the limit on columns of small nodes."""
    return _without_limit(tests, 0).fit(data.columns, data.target)


def _without_limit(tests: str, seed: int) -> TreeClassifier:
    mode, concise = TESTS[tests]
    logistic = Logistic(concise, events=None)
    split = {"axis": Axis(), "mixture": Best(Axis(), logistic), "oblique": logistic}[mode]
    return recipes.oblique_logistic(split=split, prune=None, readable=False, random_state=seed)


def trimmed(data: DataSet, *, drop_empty: bool) -> dict[int, float]:
    """Return the deviance of the package's tree trimmed our way, by complexity."""
    tree = as_package(data).tree_
    steps = trim_steps(tree, data.columns, data.target, depth="partial", drop_empty=drop_empty)
    return {int(step.complexity): step.risk for step in steps}


def squeezed(data: DataSet, shares: list[float], *, refit: bool) -> list[Numbers]:
    """Return the package's tree with its slopes shrunk to each of these shares."""
    tree = as_package(data).tree_
    path = squeeze_path(tree, data.columns, data.target, shares=shares, refit=refit)
    return [numbers_of(entry.tree) for entry in path]


# ------------------------------------------------------------------------------- cross-validation

Make = Callable[[int], Any]  # an estimator of treewright from a seed


def _unpruned(tests: str, *, readable: bool) -> Make:
    mode, concise = TESTS[tests]
    return lambda seed: recipes.oblique_logistic(
        mode, concise=concise, prune=None, readable=readable, random_state=seed
    )


UNPRUNED: dict[str, Make] = {
    tests + words: _unpruned(tests, readable=readable)
    for tests in ("axis", "mixture", "oblique", "oblique BIC")
    for words, readable in (("", True), (", not rounded", False))
}
UNPRUNED["oblique BIC, not rounded, no limit"] = lambda seed: _without_limit("oblique BIC", seed)
PRUNED: dict[str, Make] = {
    "oblique_logistic()": lambda seed: recipes.oblique_logistic(random_state=seed),
    'oblique_logistic(prune="trim")': lambda seed: recipes.oblique_logistic(
        prune="trim", random_state=seed
    ),
    "must(2)": lambda seed: recipes.must(2, random_state=seed),
    "cart()": lambda seed: recipes.cart(random_state=seed),
}


@dataclass(frozen=True)
class ObliqueFold(Fold):
    """A fold with the number of columns in all tests, and 1."""

    complexity: int


@dataclass(frozen=True)
class Task:
    """Fit one method on all folds but one, judge it on that."""

    method: str
    repeat: int
    fold: int
    n_folds: int

    def do(self, data: DataSet) -> list[Fold]:
        model = (UNPRUNED | PRUNED)[self.method](seed_of(self.repeat, self.fold))
        found = fit(data, *rows_of(data, self.repeat, self.fold, self.n_folds), model)
        place = (data.name, self.method, self.repeat, self.fold)
        return [ObliqueFold(*place, *found, model.tree_.complexity)]


def tasks_of(methods: dict[str, Make], repeats: int, n_folds: int) -> list[Task]:
    places = [(repeat, fold) for repeat in range(repeats) for fold in range(n_folds)]
    return [Task(method, *place, n_folds) for place in places for method in methods]


# ----------------------------------------------------------------------------------- many classes

EXHAUSTIVE_CLASSES = 10
WAYS: dict[str, dict[str, Any]] = {
    "exhaustive": {"bipartitions": "exhaustive"},
    "one_vs_rest": {"bipartitions": "one_vs_rest"},
    "clustered": {"bipartitions": "clustered", "max_bipartitions": 1000},
    "auto, 64": {"max_bipartitions": 64},
    "auto, 127": {},
    "random, 64": {"bipartitions": "random", "max_bipartitions": 64},
    "random, 127": {"bipartitions": "random", "max_bipartitions": 127},
}


def root_impurities(data: DataSet) -> Iterator[tuple[str, list[float]]]:
    """Yield the deviance a row after the first test, by how classes are divided; random ones 5 x.

    Only where all ways of dividing the classes can be tried, they are.
    """
    for name, how in WAYS.items():
        if name == "exhaustive" and len(np.unique(data.target)) > EXHAUSTIVE_CLASSES:
            continue
        seeds = range(5 if "random" in name else 1)
        yield name, [_root_impurity(data, how, seed) for seed in seeds]


def _root_impurity(data: DataSet, how: dict[str, Any], seed: int) -> float:
    stump = TreeClassifier(
        split=Logistic(None, **how),
        criterion="deviance",
        min_samples_leaf=5,
        max_depth=1,
        readable=False,
        random_state=seed,
    )
    tree = stump.fit(data.columns, data.target).tree_
    return leaf_sum(tree, "deviance") / data.n_rows


@dataclass(frozen=True)
class WholeTree:
    """A tree of many classes, grown to the end."""

    tests: str
    rows: int
    seconds: float
    leaves: int
    complexity: int
    accuracy: float  # of the rows not trained on


def whole_tree(data: DataSet, tests: str) -> WholeTree:
    """Grow on three quarters of the rows, chosen at random."""
    order = np.random.default_rng(0).permutation(data.n_rows)
    n_trained = data.n_rows * 3 // 4
    trained, held_out = order[:n_trained], order[n_trained:]
    mode, concise = TESTS[tests]
    model = recipes.oblique_logistic(mode, concise=concise, prune=None, random_state=0)
    seconds, _ = timed(model.fit, data.rows(trained), data.target[trained])
    accuracy = model.score(data.rows(held_out), data.target[held_out])
    tree = model.tree_
    return WholeTree(tests, n_trained, seconds, tree.n_leaves, tree.complexity, accuracy)
