"""What a user may write, checked by `nox -s typing` with mypy --strict; it runs, too."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import treewright
from treewright import (
    OptimalTreeClassifier,
    ReadableTreeClassifier,
    Tree,
    TreeClassifier,
    TreeRegressor,
    recipes,
    splits,
)

Numbers = NDArray[np.float64]


def table() -> tuple[Numbers, NDArray[np.bool_]]:
    """Invent rows whose class is which of two columns is larger."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    return X, np.asarray(X[:, 0] > X[:, 1])


def leaves(tree: Tree) -> int:
    """Count the leaves."""
    return tree.n_leaves


def grow(folder: Path) -> list[int]:
    """Fit, look at, save and load models of several kinds."""
    X, y = table()
    model: TreeClassifier = TreeClassifier(split=splits.MUST(2), max_depth=2).fit(X, y)
    text: str = str(model.tree_)
    code: str | bytes = model.export("python")  # bytes of formats that are not text
    path = folder / "model.json"
    model.save(path)
    again = treewright.load(path)
    assert text == str(again.tree_)
    assert isinstance(code, str) and "def " in code

    best: OptimalTreeClassifier = OptimalTreeClassifier(max_depth=2).fit(X, y)
    certificate = best.certificate_
    claim: str = "" if certificate is None else certificate.claim
    assert claim.endswith("better.")

    number: float = TreeRegressor(max_depth=3).fit(X, X[:, 0]).score(X, X[:, 0])
    assert number > 0.5
    cart: TreeClassifier = recipes.cart()
    return [leaves(model.tree_), leaves(best.tree_), leaves(cart.fit(X, y).tree_)]


def readable() -> ReadableTreeClassifier:
    """Make a model without fitting it."""
    return ReadableTreeClassifier(size=4)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(grow(Path(name)))
    print(readable())
