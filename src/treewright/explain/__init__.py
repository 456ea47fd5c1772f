"""One row and one tree: its decision path, how close each split was, the nearest counterfactual.

In this order, each using only what stands before: ``row`` (a row of any form), ``scales`` (what
counts as a small change in a column), ``grid`` (the nearest number with few digits), ``cuts``
(where along a column a split may turn), ``answers`` (what the tree predicts for changed rows),
``regions`` (the rows that take one path), ``linear_moves`` (the smallest change into a region
bounded by linear inequalities), ``search`` (the nearest region with another prediction),
``nearest`` (the smallest change that gives another prediction), ``explanation`` (what is found, and
its words), ``cell_words`` (values in words), ``margins`` (how close a split was), ``steps`` (the
decision path in words), ``explaining`` (all of it together).
"""

from treewright.explain.explaining import explain_row
from treewright.explain.explanation import (
    Change,
    Crossing,
    Explanation,
    Nearest,
    Others,
    Step,
    Unsure,
)
from treewright.explain.scales import Scales

__all__ = [
    "Change",
    "Crossing",
    "Explanation",
    "Nearest",
    "Others",
    "Scales",
    "Step",
    "Unsure",
    "explain_row",
]
