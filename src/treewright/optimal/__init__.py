"""Optimal trees: the conditions they may use, their search, and what it proves.

    columns -> conditions as bits -> whole numbers -> search (in the core) -> Tree and Certificate

In this order, each using only what stands before: ``units`` (weights, costs and numbers as whole
numbers), ``goals`` (classes or numbers to predict), ``dictionary`` (conditions and the bits they
give), ``thresholds`` (which cuts of a column are offered), ``levels`` (conditions on categories),
``columns`` (the conditions of a whole table), ``certificate``, ``building`` (the Tree from the plan
of the core), ``front`` (a tree for every size), ``search`` (one search), ``bounds`` (what
thresholds left out can cost), ``refinement`` (more thresholds where the tree has its own),
``alternatives`` (all trees that are nearly as good); for conditions that split methods propose
``proposals`` and ``column_generation``.
"""

from treewright.optimal.alternatives import Alternative, Alternatives, FirstSplit
from treewright.optimal.certificate import Certificate, SearchProgress
from treewright.optimal.columns import THRESHOLDS

__all__ = [
    "THRESHOLDS",
    "Alternative",
    "Alternatives",
    "Certificate",
    "FirstSplit",
    "SearchProgress",
]
