"""Optimal trees: the tests they may use, their search, and what it proves.

    columns -> tests as bits -> whole numbers -> search (in the core) -> Tree and Certificate

In this order, each using only what stands before: ``dictionary`` (tests and the bits they give),
``thresholds`` (which cuts of a column are offered), ``levels`` (tests on categories), ``columns``
(the tests of a whole table), ``units`` (weights, costs and numbers as whole numbers),
``certificate``, ``building`` (the Tree from the answer of the core), ``search`` (one search),
``bounds`` (what thresholds left out can cost), ``front`` (a tree for every size), ``refinement``
(more thresholds where the tree has its own).
"""

from treewright.optimal.certificate import Certificate, SearchProgress
from treewright.optimal.columns import THRESHOLDS

__all__ = ["THRESHOLDS", "Certificate", "SearchProgress"]
