"""One row and one tree: the way it takes, how close each test was, what would change the answer.

In this order, each using only what stands before: ``row`` (a row of any form), ``scales`` (what
counts as a small change in a column), ``grid`` (the nearest number with few digits), ``cuts``
(where along a column a test may turn), ``answers`` (what the tree says to changed rows),
``regions`` (the rows that take one way down), ``linear_moves`` (the smallest change into a region
bounded by sums), ``search`` (the nearest region with another answer), ``nearest`` (the smallest
change that gives another answer), ``explanation`` (what is found, and its words), ``cell_words``
(values in words), ``margins`` (how close a test was), ``steps`` (the way down in words),
``explaining`` (all of it together).
"""

from treewright.explain.explaining import explain_row
from treewright.explain.explanation import Change, Crossing, Explanation, Nearest, Step, Unsure
from treewright.explain.scales import Scales

__all__ = [
    "Change",
    "Crossing",
    "Explanation",
    "Nearest",
    "Scales",
    "Step",
    "Unsure",
    "explain_row",
]
