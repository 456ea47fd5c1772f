"""A split method of one's own: the best of a few random directions.

Run it to see the trees they grow. `random_direction` is the easy way: the function returns a
direction, and the best threshold along it is found for it. `random_pairs` has full control: it
looks at the node and returns tests, the best of which is taken.

In your own tests, let `treewright.testing.check_split_method` try your method on difficult tables.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from treewright import TreeClassifier, load, split_method


@split_method
def random_direction(X, y, w, rng, *, columns=2):
    """Weigh a few columns, each in units of its own spread, at random."""
    spread = X.std(axis=0)
    usable = np.flatnonzero(spread > 0)
    direction = np.zeros(X.shape[1])
    if usable.size == 0:
        return None
    chosen = rng.choice(usable, size=min(columns, usable.size), replace=False)
    direction[chosen] = rng.normal(size=chosen.size) / spread[chosen]
    return direction


@split_method
def random_pairs(node, rng, *, tries=10):
    """Propose the best cut along each of several random directions in two columns."""
    columns = node.numeric_columns
    if len(columns) < 2:
        return None
    spread = np.nanstd(node.X, axis=0)
    tests = []
    for _ in range(tries):
        first, second = rng.choice(len(columns), size=2, replace=False)
        if spread[first] > 0 and spread[second] > 0:
            weights = rng.normal(size=2) / spread[[first, second]]
            tests.append(node.cut([columns[first], columns[second]], weights.tolist()))
    return [test for test in tests if test is not None]


def main() -> None:
    """Grow, print, save and load a tree on 20,000 rows."""
    random = np.random.default_rng(1)
    height, weight = random.normal(170, 10, 20_000), random.normal(70, 12, 20_000)
    table = {"height": height.round(), "weight": weight.round(1)}
    heavy = np.where(weight / (height / 100) ** 2 > 25, "above 25", "up to 25")
    for method in (random_direction, random_pairs(tries=20)):
        model = TreeClassifier(split=method, max_leaf_nodes=4, random_state=0).fit(table, heavy)
        print(f"{method}: {model.score(table, heavy):.1%} of the rows are right")
        print(model.tree_, end="\n\n")
        with tempfile.TemporaryDirectory() as folder:
            model.save(Path(folder) / "model.json")
            assert load(Path(folder) / "model.json").tree_ == model.tree_


if __name__ == "__main__":
    main()
