"""Checks for people who write split methods.

``check_split_method(method)`` grows trees with a method on a battery of small tables and checks
what the rest of the library relies on. Run it in your own tests, once for each method.
"""

from __future__ import annotations

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.loading import load
from treewright.splits import SplitMethod, as_split
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

__all__ = ["Case", "cases", "check_split_method"]


@dataclass(frozen=True)
class Case:
    """One small table to grow a tree on.

    Parameters
    ----------
    name : str
        What is special about it, for messages.
    X : dict of lists
        The columns.
    y : list
        Labels or numbers.
    weights : list of float or None, default None
        Weights of the rows.
    """

    name: str
    X: dict[str, Any]
    y: Any
    weights: Any = field(default=None)

    @property
    def is_classification(self) -> bool:
        """Whether the target holds labels."""
        return isinstance(self.y[0], str)


def check_split_method(method: SplitMethod) -> None:
    """Check that a split method keeps its promises on a battery of small tables.

    For two and many classes, numbers (unless it is for classes only), weights, missing values,
    constant and repeated columns, categorical columns, ties and a single row, with every missing
    policy: the splits it proposes are valid; the same seed gives the same tree; no split loses
    rows, each row takes one branch; the counts in the tree are those of the rows that end there;
    the tree can be printed, saved and loaded; and no split makes impurity grow.

    Parameters
    ----------
    method : SplitMethod
        The method, with the parameters to be checked.

    Raises
    ------
    AssertionError
        With one sentence: the table, the setting, and what is wrong.

    Examples
    --------
    >>> from treewright import split_method
    >>> @split_method
    ... def widest(X, y, w, rng):
    ...     return X.std(axis=0) == X.std(axis=0).max()
    >>> check_split_method(widest)
    """
    method = as_split(method)
    settings: list[dict[str, Any]] = [
        *({"missing": policy} for policy in MISSING_POLICIES),
        {"readable": False},
        {"max_leaf_nodes": 4},
    ]
    with tempfile.TemporaryDirectory() as folder:
        for case, setting in itertools.product(cases(), settings):
            if method.for_classes_only and not case.is_classification:
                continue
            ((name, value),) = setting.items()
            where = f"On {case.name}, with {name}={value!r}"
            model = _check_growth(method, case, setting, where)
            _check_use(model, case, Path(folder) / "model.json", where)


def cases() -> Iterator[Case]:
    """Yield the tables of the battery; always the same ones."""
    random = np.random.default_rng(20)
    n = 60
    a, b = random.normal(size=n).round(2), random.normal(size=n).round(2)
    noise = random.normal(scale=0.5, size=n)
    two = np.where(a + b + noise > 0, "yes", "no").tolist()
    many = np.array(["red", "green", "blue", "grey", "pink"])[
        np.digitize(a - b + noise, [-1.5, -0.5, 0.5, 1.5])
    ].tolist()
    numbers = (2 * a - b + noise).round(3).tolist()
    weights = random.integers(0, 4, n).astype(float)
    weights[:4] = 0.5
    plain = {"a": a.tolist(), "b": b.tolist()}
    level = np.array(["x", "y", "z"])[random.integers(0, 3, n)].tolist()
    holes = [None if hole else cell for hole, cell in zip(random.random(n) < 0.3, a, strict=True)]
    coarse = {"a": np.round(a).tolist(), "b": np.round(b).tolist()}

    yield Case("two classes", plain, two)
    yield Case("five classes", plain, many)
    yield Case("numbers", plain, numbers)
    yield Case("weighted rows, some of weight 0", plain, two, weights.tolist())
    yield Case("weighted numbers", plain, numbers, weights.tolist())
    yield Case("missing values", {"a": holes, "b": plain["b"]}, two)
    yield Case("missing values and numbers", {"a": holes, "b": plain["b"]}, numbers)
    yield Case("a column without values", {"a": [float("nan")] * n, "b": plain["b"]}, two)
    yield Case("a constant column", {"constant": [7.0] * n, **plain}, two)
    yield Case("constant columns only", {"a": [7.0] * n, "b": [0.0] * n}, two)
    yield Case("a repeated column", {**plain, "again": plain["a"]}, many)
    yield Case("a categorical column", {**plain, "level": level}, two)
    yield Case("categorical columns only", {"level": level, "other": level[::-1]}, many)
    yield Case("ties", coarse, two)
    yield Case("equal rows with different labels", {"a": [1.0] * 6 + [2.0] * 6}, ["u", "v"] * 6)
    yield Case("huge and tiny values", {"a": (a * 1e150).tolist(), "b": (b * 1e-150).tolist()}, two)
    yield Case("two rows", {"a": [1.0, 2.0], "b": [5.0, 5.0]}, ["u", "v"])
    yield Case("one row", {"a": [1.0], "b": [5.0]}, ["u"])
    yield Case("one class", plain, ["u"] * n)
    yield Case("equal numbers", plain, [3.0] * n)


def _check_growth(method: SplitMethod, case: Case, settings: dict[str, Any], where: str) -> Any:
    kind: Any = TreeClassifier if case.is_classification else TreeRegressor
    model = kind(split=method, random_state=5, **settings)
    again = kind(split=method, random_state=5, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of the arithmetic inside the method
        try:
            model.fit(case.X, case.y, case.weights)
            again.fit(case.X, case.y, case.weights)
        except Exception as error:
            raise AssertionError(f"{where}, growth fails: {error}") from error
    tree: Tree = model.tree_
    _say(tree == again.tree_, f"{where}, the same seed does not give the same tree twice.")
    _check_numbers(tree, where)
    _check_rows(tree, case, where)
    return model


def _check_numbers(tree: Tree, where: str) -> None:
    try:
        tree.validate()
    except ValueError as error:
        raise AssertionError(f"{where}, the tree is not valid: {error}") from error
    core = tree.core
    for node in np.flatnonzero(core.n_branches).tolist():
        place = f"{where}, at node {node} ({tree.node(node).predicate})"
        root = _weight(tree)[0]
        _say(core.gain[node] >= -1e-9 * root, f"{place}, impurity grows: gain {core.gain[node]}.")
        below = slice(core.first_child[node], core.first_child[node] + core.n_branches[node])
        held, passed = float(core.rows[node]), float(core.rows[below].sum())
        none_lost = np.isclose(held, passed) or (tree.node(node).may_stop and passed < held)
        _say(none_lost, f"{place}, {held} rows come in and {passed} go out.")
        _say(
            np.count_nonzero(core.rows[below] > 0) >= 2,
            f"{place}, all rows take the same branch.",
        )


def _check_rows(tree: Tree, case: Case, where: str) -> None:
    """Send the training rows through the finished tree, and compare with what it remembers."""
    weights = np.ones(len(case.y)) if case.weights is None else np.array(case.weights)
    table = _core.Table(tree.schema.encode(case.X), tree.schema.n_levels)
    shares = tree.leaf_shares(table)
    _say(
        bool(np.allclose(shares.sum(axis=1), 1.0)),
        f"{where}, the weights of a row in the nodes where it ends do not add up to 1.",
    )
    _say(
        bool(np.allclose(shares.T @ (weights > 0), _ending(tree, tree.core.rows))),
        f"{where}, rows end in other nodes than in growth.",
    )
    _say(
        bool(np.allclose(shares.T @ weights, _ending(tree, _weight(tree)))),
        f"{where}, the weights in the nodes are not those of the rows that end there.",
    )
    # At a node every row that comes in takes one branch, or has no known branch.
    for node in np.flatnonzero(tree.core.n_branches).tolist():
        branch = tree.core.route(node, table)
        n_branches = tree.core.n_branches[node]
        _say(
            bool(((branch >= -1) & (branch < n_branches)).all()),
            f"{where}, at node {node}, a row takes a branch that is not there.",
        )


def _check_use(model: Any, case: Case, path: Path, where: str) -> None:
    tree: Tree = model.tree_
    rules = tree.rules()
    _say(len(rules) >= tree.n_leaves and all(rules), f"{where}, a leaf has no rule.")
    _say(bool(str(tree).strip()), f"{where}, the tree prints as nothing.")
    answers = model.predict(case.X)
    model.save(path)
    loaded = load(path)
    _say(loaded.tree_ == tree, f"{where}, the tree is another one after saving and loading.")
    _say(
        bool(np.array_equal(loaded.predict(case.X), answers)),
        f"{where}, the model predicts otherwise after saving and loading.",
    )


def _ending(tree: Tree, held: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of what the nodes hold, what no child holds: all at a leaf, what stops at an inner node."""
    ending = held.copy()
    np.subtract.at(ending, tree.core.parent[1:], held[1:])
    return ending


def _weight(tree: Tree) -> NDArray[np.float64]:
    statistics = tree.core.statistics
    return statistics.sum(axis=1) if tree.is_classification else statistics[:, 0]


def _say(holds: bool | np.bool_, sentence: str) -> None:
    if not holds:
        raise AssertionError(sentence)
