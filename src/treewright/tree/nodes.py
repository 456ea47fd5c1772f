"""The nodes of the compiled tree as values to read."""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright.predicates import Predicate, Simple, decode
from treewright.schema import Schema
from treewright.tree.arrays import Arrays
from treewright.tree.node import MISSING_POLICIES, Node, Surrogate

__all__ = ["node_at", "predicate_at", "surrogates_at"]


def node_at(core: _core.Tree, arrays: Arrays, schema: Schema, index: int, name: str = "") -> Node:
    """Give one node with everything known of it."""
    parent = int(arrays.parent[index])
    first, count = int(arrays.first_child[index]), int(arrays.n_branches[index])
    value, weight = float(arrays.value[index]), float(arrays.weight[index])
    statistics = tuple(arrays.statistics[index].tolist())
    label: str | int | float | bool = value
    share = None
    if schema.classes is not None:
        label = schema.classes[int(value)]
        occurs = arrays.statistics[0, int(value)] > 0.0  # not so the label of referral
        share = statistics[int(value)] / weight if weight > 0.0 and occurs else np.nan
    return Node(
        id=index,
        parent=None if parent < 0 else parent,
        branch=None if parent < 0 else index - int(arrays.first_child[parent]),
        depth=int(arrays.depth[index]),
        predicate=predicate_at(core, index) if count else None,
        children=tuple(range(first, first + count)) if count else (),
        rows=float(arrays.rows[index]),
        weight=weight,
        statistics=statistics,
        value=value,
        label=label,
        share=share,
        probabilities=() if share is None else tuple(arrays.probabilities[index].tolist()),
        gain=float(arrays.gain[index]),
        missing=MISSING_POLICIES[arrays.missing[index]],
        default_branch=int(arrays.default_branch[index]) if count else None,
        surrogates=surrogates_at(core, index) if count else (),
        name=name,
    )


def predicate_at(core: _core.Tree, index: int) -> Predicate:
    """Give the split of an inner node."""
    test = core.test(index)
    assert test is not None, "a leaf has no split"
    return decode(test)


def surrogates_at(core: _core.Tree, index: int) -> tuple[Surrogate, ...]:
    """Give the surrogate splits of a node, the best first."""
    surrogates = []
    for test, swapped, agreement, adjusted in core.surrogates(index):
        predicate = decode(test)
        assert isinstance(predicate, Simple), "the core checks the kind of surrogates"
        surrogates.append(Surrogate(predicate, bool(swapped), agreement, adjusted))
    return tuple(surrogates)
