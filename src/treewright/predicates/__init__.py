"""The predicate of a node: six frozen dataclasses, one for each way of routing a row.

    Axis      x <= t                      branch 0 when true, else 1
    Linear    c1 x1 + ... + ck xk <= t    branch 0 when true, else 1
    Subset    level in left or in right   branch 0 in left, 1 in right
    Multiway  the branch of the level
    Pair      a and b, a or b, a xor b,   branch 0 when true, else 1; a, b are Axis or Subset
              a and not b
    Machine   the largest linear score    the branch of that score, the first of equal ones

A predicate knows columns and levels by position. The compiled core decides the branch; the classes
here carry it between the core ("flat", see `decode`), the model file and the reader.
`branches` says each branch as an expression: a row takes branch b exactly where expression b is
true, and its branch is unknown where none is.

In this order, each using only what stands before: ``base`` (what all have), ``one_column`` (Axis,
Subset, Multiway), ``linear`` (Linear, Machine), ``pair`` (Pair), ``kinds`` (all six),
``flat_tests`` (`decode`), ``trends`` (`trend_of`).
"""

from treewright.predicates.base import FlatTest
from treewright.predicates.flat_tests import decode
from treewright.predicates.kinds import Predicate, SinglePredicate, parts_of
from treewright.predicates.linear import Linear, Machine
from treewright.predicates.one_column import Axis, Multiway, Simple, Subset
from treewright.predicates.pair import Connective, Pair

__all__ = [
    "Axis",
    "Connective",
    "FlatTest",
    "Linear",
    "Machine",
    "Multiway",
    "Pair",
    "Predicate",
    "Simple",
    "SinglePredicate",
    "Subset",
    "decode",
    "parts_of",
]
