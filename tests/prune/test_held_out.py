"""What held-out rows lose by a tree, beside a count row by row."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import TreeClassifier
from treewright.prune.held_out import losses_of
from treewright.tree.use import table_of, target_of

TABLE = {"size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]}
KINDS = ["a", "a", "b", "a", "c", "b", "c", "c"]


@pytest.mark.parametrize("judge", ["errors", "deviance"])
def test_losses_are_those_of_the_rows(judge):
    tree = TreeClassifier(max_leaf_nodes=3).fit(TABLE, KINDS).tree_
    table, target = table_of(TABLE, tree.schema), target_of(KINDS, tree.schema, len(KINDS))
    expected = []
    for leaf, kind in zip(tree.apply(TABLE), KINDS, strict=True):
        weights = np.array(tree.node(int(leaf)).statistics)
        own = weights[tree.schema.classes.index(kind)]
        if judge == "deviance":
            expected.append(-2.0 * np.log((own + 1.0 / 3.0) / (weights.sum() + 1.0)))
        else:
            expected.append(float(tree.schema.classes[int(weights.argmax())] != kind))
    found = losses_of([tree], table, target, judge, absolute=False)
    sums = [sum(expected), sum(loss**2 for loss in expected)]
    np.testing.assert_allclose(np.array(found).ravel(), sums)
