"""Small trees of every shape, and all the trees that can be had by pruning one."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pandas as pd

from treewright import Axis, TreeClassifier, TreeRegressor, split_method
from treewright.tree.node import STOP_POLICIES


@split_method
def between_two_columns(X, y, w, rng):
    """A direction of its own at every node: a tree with tests on several columns."""
    return rng.normal(size=X.shape[1])


def small_tree(seed, kind="classes", **parameters):
    """A tree of some leaves on noisy data with a category, and the data."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "a": random.integers(0, 6, 40).astype(float),
            "b": random.normal(size=40).round(1),
            "city": pd.Categorical(random.choice(["Oslo", "Rome", "Bonn"], 40)),
        }
    )
    number = table["a"] + 2.0 * (table["city"] == "Rome") + random.normal(scale=2.0, size=40)
    if parameters.get("missing") in STOP_POLICIES:
        table = table.mask(random.random(table.shape) < 0.2)
    limits = {"max_leaf_nodes": 8, "random_state": seed, **parameters}
    if kind == "numbers":
        return TreeRegressor(**limits).fit(table, number).tree_, table, number.to_numpy()
    target = np.digitize(number, [2.0, 4.5])
    return TreeClassifier(**limits).fit(table, target).tree_, table, target


SHAPES = {
    "axis": {},
    "multiway": {"categorical": "multiway"},
    "oblique": {"split": between_two_columns},
    "costs": {"cost_matrix": [[0, 1, 4], [1, 0, 2], [3, 1, 0]]},
    "fractions": {"missing": "fraction", "split": Axis(rules="c45"), "criterion": "entropy"},
    "stops": {"missing": "stop"},
    "surrogates or stops": {"missing": "surrogate_or_stop"},
}


def pruned_subtrees(tree):
    """Every tree that can be had by making leaves of inner nodes, as the set of inner nodes."""

    @functools.cache
    def below(node):
        children = tree.node(node).children
        options = [frozenset()]
        if children:
            parts = [below(child) for child in children]
            options += [frozenset([node]).union(*parts) for parts in itertools.product(*parts)]
        return options

    return below(0)


def leaves_of(tree, inner):
    """The leaves of the pruned subtree with these inner nodes."""
    pending, leaves = [0], []
    while pending:
        node = pending.pop()
        if node in inner:
            pending.extend(tree.node(node).children)
        else:
            leaves.append(node)
    return leaves


def inner_nodes(pruned):
    """The inner nodes of a pruned tree by their ids in the tree it was cut from."""
    return frozenset(pruned.origin[pruned.core.n_branches > 0].tolist())


def size_of(tree, inner, penalty):
    if penalty == "leaves":
        return len(leaves_of(tree, inner))
    return 1 + sum(tree.node(node).predicate.n_terms for node in inner)
