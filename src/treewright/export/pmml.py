"""PMML 4.4: a tree as a TreeModel (Data Mining Group, 2019), which many scoring systems read.

A child has a predicate that is true for the rows of its branch. What becomes of a row whose branch
is unknown is said by one strategy for the whole model where all nodes agree ("defaultChild",
"lastPrediction"), else in the predicates themselves: "surrogate" takes the first part that is not
unknown, and the last part is True or False. Nodes that divide rows are refused: the standard has a
strategy for them ("weightedConfidence"), but JPMML does not know it and PMML4S applies it to the
first split only, so that a model would be refused or predict something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import ClassVar

from treewright.base.tasks import task_name
from treewright.exceptions import UnsupportedError
from treewright.export.base import Exporter
from treewright.export.code import used_columns
from treewright.export.decisions import node_answers
from treewright.export.diagrams import title
from treewright.export.pmml_fields import Fields, values_of
from treewright.export.pmml_predicates import FALSE, TRUE, PredicateRenderer, branches, compound
from treewright.export.xml_text import element, legal, start
from treewright.schema import Column
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["PMML"]

_NAMESPACE = "http://www.dmg.org/PMML-4_4"
_DEEPEST_INDENT = 40
_LARGEST_INTEGER = 2**31 - 1
_STRATEGIES = {"default": "defaultChild", "stop": "lastPrediction"}


@dataclass(frozen=True)
class PMML(Exporter):
    r"""A tree as a PMML document.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> lines = PMML().export(model.tree_).splitlines()
    >>> print(*(line.strip() for line in lines if "SimplePredicate" in line), sep="\n")
    <SimplePredicate field="age" operator="lessOrEqual" value="40.0"/>
    <SimplePredicate field="age" operator="greaterThan" value="40.0"/>
    """

    name: ClassVar[str] = "pmml"
    suffix: ClassVar[str] = ".pmml"
    words: ClassVar[str] = "a TreeModel of PMML 4.4"
    predicts: ClassVar[bool] = True

    def export(self, tree: Tree) -> str:
        """Write a tree as a document with a data dictionary and one model."""
        columns = used_columns(tree)
        fields = Fields(columns, map(legal, tree.schema.names))
        target = fields.take(legal(tree.schema.target or "") or "prediction")
        writer = _Nodes(tree, fields)
        nodes = "\n".join(writer.lines())  # before the derived fields that they need
        model = {
            "functionName": task_name(is_classification=tree.is_classification),
            "algorithmName": "treewright",
            "missingValueStrategy": writer.strategy,
            "noTrueChildStrategy": "returnLastPrediction",
            "splitCharacteristic": "multiSplit",
        }
        dictionary = [_data_field(column, fields) for column in columns]
        dictionary.append(_target_field(target, tree))
        parts = [
            start("PMML", {"xmlns": _NAMESPACE, "version": "4.4"}),
            element(
                "Header",
                {"description": title(tree)},
                [element("Application", {"name": "treewright"})],
            ),
            element("DataDictionary", {"numberOfFields": str(len(dictionary))}, dictionary),
            start("TreeModel", model),
            element("MiningSchema", None, _mining_fields(columns, fields, target)),
            element("Output", None, _outputs(tree, fields)),
        ]
        if fields.elements:
            parts.append(element("LocalTransformations", None, fields.elements))
        document = ['<?xml version="1.0" encoding="UTF-8"?>', *parts, nodes]
        return "\n".join([*document, "</TreeModel>", "</PMML>", ""])


class _Nodes:
    """Writes the nodes of a tree from the root down."""

    def __init__(self, tree: Tree, fields: Fields) -> None:
        self._tree = tree
        self._fields = fields
        self._renderer = PredicateRenderer(fields)
        self._labels = _class_values(tree)[1] if tree.is_classification else ()
        policies = {node.missing for node in tree.walk() if not node.is_leaf}
        self.strategy = "none"
        if len(policies) == 1:
            self.strategy = _STRATEGIES.get(policies.pop(), "none")

    def lines(self) -> Iterator[str]:
        """Give the elements of all nodes, indented by their depth."""
        predicates = {0: TRUE}
        open_ids: list[int] = []
        for node in self._tree.walk():
            while open_ids and open_ids[-1] != node.parent:
                yield _indented("</Node>", len(open_ids))
                open_ids.pop()
            yield _indented(start("Node", self._attributes(node)), node.depth + 1)
            yield _indented(predicates.pop(node.id), node.depth + 2)
            for line in self._distribution(node):
                yield _indented(line, node.depth + 2)
            predicates |= self._predicates(node)
            open_ids.append(node.id)
        for depth in range(len(open_ids), 0, -1):
            yield _indented("</Node>", depth)

    def _attributes(self, node: Node) -> dict[str, str]:
        score = self._labels[int(node.value)] if self._labels else repr(node.value)
        attributes = {"id": str(node.id), "score": score, "recordCount": repr(node.weight)}
        if self.strategy == "defaultChild" and node.default_branch is not None:
            attributes["defaultChild"] = str(node.children[node.default_branch])
        return attributes

    def _distribution(self, node: Node) -> Iterator[str]:
        """Write the weight of each class; a node without rows is sure of its class."""
        if not self._labels:
            return
        shares = node_answers(self._tree, node)
        for label, weight, share in zip(self._labels, node.statistics, shares, strict=True):
            attributes = {"value": label, "recordCount": repr(weight)}
            if self._tree.core.has_own_probabilities or not node.weight > 0.0:
                attributes["probability"] = repr(share)
            yield element("ScoreDistribution", attributes)

    def _predicates(self, node: Node) -> dict[int, str]:
        """Write the predicate of each child."""
        if node.predicate is None:
            return {}
        if node.missing == "fraction":
            raise UnsupportedError(
                f"Node {node.id} divides rows with a missing value among its branches "
                "(missing='fraction'), which programs that read PMML cannot do; fit the tree with "
                "another 'missing', or export it to 'onnx'."
            )
        schema = self._tree.schema
        ways = [branches(node.predicate, schema, self._fields)]
        if node.missing in ("surrogate", "surrogate_or_stop"):
            for surrogate in node.surrogates:
                found = branches(surrogate.predicate, schema, self._fields)
                ways.append(found[::-1] if surrogate.swapped else found)
        predicates = {}
        for branch, child in enumerate(node.children):
            parts = [self._renderer.render(way[branch]) for way in ways]
            if self.strategy == "none":
                goes_here = not node.may_stop and branch == node.default_branch
                parts.append(TRUE if goes_here else FALSE)
            predicates[child] = parts[0] if len(parts) == 1 else compound("surrogate", parts)
        return predicates


def _class_values(tree: Tree) -> tuple[str, tuple[str, ...]]:
    """Give the type that holds the classes, and their texts."""
    classes = tree.schema.classes or ()
    if all(type(label) is int and abs(label) <= _LARGEST_INTEGER for label in classes):
        return "integer", tuple(map(str, classes))
    return values_of(classes, "the classes")


def _data_field(column: Column, fields: Fields) -> str:
    field = fields.field(column)
    if column.kind == "numeric":
        kind = "continuous"
    else:
        kind = "ordinal" if column.kind == "ordinal" else "categorical"
    attributes = {"name": field.name, "optype": kind, "dataType": field.data_type}
    values = [element("Value", {"value": text}) for text in field.texts]
    return element("DataField", attributes, values)


def _target_field(name: str, tree: Tree) -> str:
    if not tree.is_classification:
        return element("DataField", {"name": name, "optype": "continuous", "dataType": "double"})
    data_type, texts = _class_values(tree)
    attributes = {"name": name, "optype": "categorical", "dataType": data_type}
    return element("DataField", attributes, [element("Value", {"value": text}) for text in texts])


def _mining_fields(columns: list[Column], fields: Fields, target: str) -> Iterator[str]:
    yield element("MiningField", {"name": target, "usageType": "target"})
    for column in columns:
        # A level that was never seen counts as missing.
        attributes = {"name": fields.field(column).name, "invalidValueTreatment": "asMissing"}
        yield element("MiningField", attributes)


def _outputs(tree: Tree, fields: Fields) -> Iterator[str]:
    """Write the predictions; one that is called like a column would hide it from the model."""
    predicted = "class" if tree.is_classification else "value"
    name = fields.take(f"predicted {predicted}")
    if not tree.is_classification:
        attributes = {"name": name, "optype": "continuous", "dataType": "double"}
        yield element("OutputField", attributes | {"feature": "predictedValue"})
        return
    data_type, texts = _class_values(tree)
    attributes = {"name": name, "optype": "categorical", "dataType": data_type}
    yield element("OutputField", attributes | {"feature": "predictedValue"})
    attributes = {"optype": "continuous", "dataType": "double", "feature": "probability"}
    for text in texts:
        name = fields.take(f"probability of {text}")
        yield element("OutputField", {"name": name} | attributes | {"value": text})


def _indented(text: str, depth: int) -> str:
    return indent(text, "  " * min(depth, _DEEPEST_INDENT))
