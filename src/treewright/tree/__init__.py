"""The tree: what every learner makes and every reader takes.

In this order, each using only what stands before: ``arrays`` (the compiled tree, one entry a node),
``nodes`` (one node as a value), ``edits`` (the record of changes by hand), ``editing`` (their
surgery), ``summaries`` (numbers about the whole tree), ``use`` (a tree on rows of data), ``checks``
(whether tree and schema belong together), ``reading`` (sizes, nodes and words), ``notebook`` (how
notebooks show a tree), ``tree`` (Tree).
"""

from treewright.node import Node, Surrogate
from treewright.tree.edits import Edit
from treewright.tree.tree import Tree
from treewright.tree.use import decision_path, table_of, target_of

__all__ = ["Edit", "Node", "Surrogate", "Tree", "decision_path", "table_of", "target_of"]
