"""Trees in other languages: one file a target, one list of them.

In this order, each using only what stands before: ``base`` (what a target is), ``decisions`` (what
a tree decides at a node, missing values included), ``literals`` (other people's text made harmless
in code), ``code_renderer`` and ``code`` (what programming languages have in common), ``carriers``
(levels as values of one type), ``diagrams`` (what drawings show), ``onnx_graph`` and
``onnx_renderer`` (operators of ONNX), ``sql_text`` and ``sql_shares`` (parts of SQL), ``xml_text``,
``pmml_fields`` and ``pmml_predicates`` (parts of PMML), then one file a target, ``registry`` (the
list of targets).
"""

from treewright.export.base import Exporter
from treewright.export.decisions import Case, Decision, decide
from treewright.export.registry import EXPORTERS, as_exporter, export_tree, targets

__all__ = [
    "EXPORTERS",
    "Case",
    "Decision",
    "Exporter",
    "as_exporter",
    "decide",
    "export_tree",
    "targets",
]
