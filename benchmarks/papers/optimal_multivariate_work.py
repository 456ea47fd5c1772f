"""The methods of optimal_multivariate.py, and one tree of one of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.common.measuring import timed
from treewright import recipes
from treewright.exceptions import NotProvenWarning

FOLDS = 10
SEED = 42  # of the shuffle, as in the paper
DEPTHS = (3, 4)
METHODS = ("CART-0", "CART-1", "MurTree-0", "MurTree-1", "MurTree-2")


@dataclass(frozen=True)
class Tree:
    """One tree: what it knows of the rows it was made from."""

    data: str
    method: str
    depth: int
    fold: int  # -1: the whole file
    rows: int
    errors: int
    seconds: float  # process CPU time
    leaves: int
    effort: float
    proven: bool

    @property
    def accuracy(self) -> float:
        return 100 * (1 - self.errors / self.rows)


def is_defined(method: str, depth: int) -> bool:
    """Whether there is such a method: the last two levels of an optimal tree have no pairs."""
    name, alpha = method.split("-")
    return name == "CART" or int(alpha) <= depth - 2


def make(method: str, depth: int, limit: float) -> Any:
    name, alpha = method.split("-")
    if name == "CART":
        return recipes.cart_alpha(max_depth=depth, alpha=int(alpha))
    return recipes.murtree(max_depth=depth, alpha=int(alpha), time_limit=limit)


def fit(
    data: str, method: str, depth: int, X: np.ndarray, y: np.ndarray, limit: float, fold: int = -1
) -> Tree:
    model = make(method, depth, limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)  # the certificate says so, too
        seconds, _ = timed(model.fit, X, y)
    errors = int(np.sum(np.asarray(model.predict(X)) != y))
    tree, certificate = model.tree_, getattr(model, "certificate_", None)
    size = tree.n_leaves, tree.reading_effort
    proven = certificate is None or certificate.proven
    return Tree(data, method, depth, fold, len(y), errors, seconds, *size, proven)


def folds_of(n_rows: int) -> list[np.ndarray]:
    """Return ten parts of the shuffled rows, each of which a tree is made from."""
    order = np.random.default_rng(SEED).permutation(n_rows)
    return np.array_split(order, FOLDS)


def trees_of(
    data: str, X: np.ndarray, y: np.ndarray, limit: float, *, whole: bool
) -> Iterator[Tree]:
    """Fit every method to every fold, or to the whole file."""
    parts = [(-1, np.arange(len(y)))] if whole else [*enumerate(folds_of(len(y)))]
    for depth in DEPTHS:
        for method in METHODS:
            if is_defined(method, depth):
                for fold, rows in parts:
                    yield fit(data, method, depth, X[rows], y[rows], limit, fold)
