"""Optimal trees: the conditions they may use, their search, and what it proves.

    columns -> conditions as bits -> whole numbers -> search (in the core) -> Tree and Certificate

In this order, each using only what stands before: ``units`` (weights, costs and numbers as whole
numbers), ``goals`` and ``losses`` (classes or numbers to predict, decisions to take),
``dictionary`` (conditions and the bits they give), ``thresholds`` (which cuts of a column are
offered), ``levels`` (conditions on categories), ``columns`` (the conditions of a whole table),
``certificate``, ``building`` (the Tree from the plan of the core), ``front`` (a tree for every
size), ``search`` (one search), ``bounds`` (what thresholds left out can cost), ``refinement`` (more
thresholds where the tree has its own), ``tuning`` (depth and size by cross-validation),
``alternatives`` (all trees that are nearly as good); for conditions that split methods propose
``proposals`` and ``column_generation``.
"""

from treewright.optimal.action_losses import ActionLosses
from treewright.optimal.alternatives import Alternative, Alternatives, FirstSplit
from treewright.optimal.certificate import Certificate, SearchProgress
from treewright.optimal.columns import THRESHOLDS
from treewright.optimal.tuning import TunedSize, TunedSizes

__all__ = [
    "THRESHOLDS",
    "ActionLosses",
    "Alternative",
    "Alternatives",
    "Certificate",
    "FirstSplit",
    "SearchProgress",
    "TunedSize",
    "TunedSizes",
]
