"""The tree: what every learner makes and every reader takes.

In this order, each using only what stands before: ``node`` (one node as a value), ``branching``
(which rows take a branch, in words), ``tree_text`` (a tree as text), ``missing_text`` (what
becomes of missing values), ``tree_json``, ``arrays`` (the compiled tree, one entry per node),
``nodes`` (all nodes as values), ``edits`` (the record of changes by hand), ``editing`` (their
surgery), ``summaries`` (numbers about the whole tree), ``use`` (a tree on rows of data), ``checks``
(whether tree and schema belong together), ``leaf_rules`` (a leaf as a rule), ``reading`` (sizes,
nodes and words), ``tree`` (Tree).
"""

from treewright.tree.edits import Edit
from treewright.tree.leaf_rules import LeafRule, answer_interval, answer_text, interval_text
from treewright.tree.node import Node, Surrogate
from treewright.tree.tree import Tree
from treewright.tree.use import decision_path, table_of, target_of

__all__ = [
    "Edit",
    "LeafRule",
    "Node",
    "Surrogate",
    "Tree",
    "answer_interval",
    "answer_text",
    "decision_path",
    "interval_text",
    "table_of",
    "target_of",
]
