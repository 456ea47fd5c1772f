"""What is drawn of each kind of split; a file of this room knows one kind or two alike."""

from __future__ import annotations

from typing import assert_never

from treewright.plot.panel.along import column_along
from treewright.plot.panel.levels import lines_by_level
from treewright.plot.panel.linear import describe_linear
from treewright.plot.panel.machine import describe_machine
from treewright.plot.panel.marks import Description
from treewright.plot.panel.pair import describe_pair
from treewright.plot.panel.panel import Panel
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset

__all__ = ["describe"]


def describe(panel: Panel) -> Description:
    """Say what is drawn of the split of a panel with its rows."""
    predicate = panel.predicate
    match predicate:
        case Axis(column, threshold):
            return panel.described(column_along(panel, column, [threshold]))
        case Linear():
            return describe_linear(panel, predicate)
        case Subset(column):
            return panel.described(lines_by_level(panel, column), has_sides=False)
        case Multiway(column):
            has_sides = predicate.n_branches == 2
            return panel.described(lines_by_level(panel, column), has_sides=has_sides)
        case Pair():
            return describe_pair(panel, predicate)
        case Machine():
            return describe_machine(panel, predicate)
        case _:
            assert_never(predicate)
