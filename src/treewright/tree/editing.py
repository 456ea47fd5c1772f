"""The surgery behind the edits of a tree: one compiled tree in, another out."""

from __future__ import annotations

import math
from typing import Any, assert_never

import numpy as np

from treewright import _core
from treewright.base.parameters import number
from treewright.exceptions import brief
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.schema import Schema
from treewright.tree.nodes import predicate_at

__all__ = ["moved_threshold", "with_answer"]


def moved_threshold(
    core: _core.Tree, schema: Schema, node: int, value: Any
) -> tuple[_core.Tree, float, float]:
    """Return the tree with another threshold, the old threshold, and the new one."""
    if core.n_branches[node] == 0:
        raise ValueError(f"Node {node} is a leaf and has no threshold to change.")
    predicate = predicate_at(core, node)
    match predicate:
        case Axis():
            column = schema.columns[predicate.column]
            if column.kind == "ordinal" and value in column.levels:
                value = column.levels.index(value)
        case Linear():
            pass
        case Subset() | Multiway() | Pair() | Machine():
            raise ValueError(
                f"Node {node} has a predicate of the kind {type(predicate).__name__.lower()}, "
                "which has no single threshold to change."
            )
        case _:
            assert_never(predicate)
    if not number(-math.inf).accepts(value):
        raise ValueError(
            f"The new threshold of node {node} must be a finite number. Got {brief(value)}."
        )
    state = core.state()
    place = int(state["number_end"][node]) - 1  # the threshold stands behind the coefficients
    numbers = np.array(state["numbers"])
    numbers[place] = float(value)
    return _core.Tree.from_state({**state, "numbers": numbers}), predicate.threshold, float(value)


def with_answer(core: _core.Tree, node: int, answer: int) -> _core.Tree:
    """Give a node another class."""
    state = core.state()
    values = np.array(state["value"])
    values[node] = answer
    return _core.Tree.from_state({**state, "value": values})
