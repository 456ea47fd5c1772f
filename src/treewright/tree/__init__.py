"""The tree: what every learner makes and every reader takes.

In this order, each using only what stands before: ``arrays`` (the compiled tree, one entry a node),
``nodes`` (one node as a value), ``summaries`` (numbers about the whole tree), ``use`` (a tree on
rows of data), ``checks`` (whether tree and schema belong together), ``tree`` (Tree).
"""

from treewright.node import Node, Surrogate
from treewright.tree.tree import Tree

__all__ = ["Node", "Surrogate", "Tree"]
