"""ONNX: a tree as a graph of standard operators, which predicts as the tree does, bit for bit.

For every node, a boolean per row says whether the row comes there: the conditions of
`treewright.export.decisions` are computed for all rows at once and joined along the tree. Where a
node divides rows, a fraction per row goes with it. Predictions are then looked up by where a row
ends, or averaged by its fractions in the order of the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.export.base import Exporter
from treewright.export.carriers import json_texts
from treewright.export.decisions import COST_ROUNDING, decide, node_answers
from treewright.export.diagrams import title
from treewright.export.onnx_graph import Graph
from treewright.export.onnx_renderer import GraphRenderer
from treewright.schema import Level
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["ONNX"]

_UINT8, _INT64 = 2, 7  # the numbers of these types in the format


@dataclass(frozen=True)
class ONNX(Exporter):
    """A tree as an ONNX model; needs the package onnx.

    Every column that the tree reads is an input of shape [rows, 1]: doubles with NaN where missing,
    or text, where any text that is no level counts as missing. The outputs are ``label`` and
    ``probabilities``, or ``value``.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> import onnxruntime
    >>> session = onnxruntime.InferenceSession(ONNX().export(model.tree_))
    >>> label, probabilities = session.run(None, {"age": [[24.0], [55.0]]})
    >>> label.tolist(), probabilities.tolist()
    (['no', 'yes'], [[1.0, 0.0], [0.0, 1.0]])
    """

    name: ClassVar[str] = "onnx"
    suffix: ClassVar[str] = ".onnx"
    words: ClassVar[str] = "a model for ONNX runtimes"
    is_text: ClassVar[bool] = False
    predicts: ClassVar[bool] = True

    def export(self, tree: Tree) -> bytes:
        """Write a tree as a graph of operators on doubles."""
        graph = Graph(tree.schema)
        ends = _ends(tree, graph)
        answers = np.array([node_answers(tree, end.node) for end in ends])
        values = np.array([end.node.value for end in ends])
        if not tree.is_classification:
            if tree.core.divides_rows:
                mixed = _mixed(graph, ends, answers)
                flat = graph.add("Squeeze", mixed, graph.constant(np.array([1])))
            else:
                flat = graph.add("Gather", graph.constant(values), _place(graph, ends))
            return graph.model([("value", flat, values, ["rows"])], title(tree))
        if tree.core.divides_rows:
            shares = _mixed(graph, ends, answers)
            code = _class_of_mixed(graph, tree, ends, shares)
        else:
            place = _place(graph, ends)
            shares = graph.add("Gather", graph.constant(answers), place)
            code = graph.add("Gather", graph.constant(values.astype(np.int64)), place)
        labels = _label_array(tree.schema.classes or ())
        label = graph.add("Gather", graph.constant(labels), code)
        outputs = [
            ("label", label, labels, ["rows"]),
            ("probabilities", shares, answers, ["rows", answers.shape[1]]),
        ]
        return graph.model(outputs, title(tree))


@dataclass(frozen=True, slots=True)
class _End:
    """A node where rows end: for which rows, and with which fraction of each; None means all."""

    node: Node
    mask: str | None
    share: str | None


def _ends(tree: Tree, graph: Graph) -> list[_End]:
    """Find where each row ends, in reading order."""
    renderer = GraphRenderer(graph)
    ends = []
    here: dict[int, str | None] = {0: None}
    share: dict[int, str | None] = {0: None}
    for node in tree.walk():
        decision = decide(tree, node.id)
        rest, share_here = here.pop(node.id), share.pop(node.id)
        if decision is None:
            ends.append(_End(node, rest, share_here))
            continue
        coming: dict[int, list[str]] = {child: [] for child in node.children}
        for case in decision.cases:
            condition = renderer.render(case.condition)
            coming[case.child].append(_both(graph, rest, condition))
            rest = _both(graph, rest, graph.add("Not", condition))
        assert rest is not None, "a decision has a case"
        for child, part in decision.shares:
            share[child] = _share(graph, share_here, rest, part)
            coming[child].append(rest)
        if decision.otherwise is not None:
            coming[decision.otherwise].append(rest)
        elif not decision.shares:
            ends.append(_End(node, rest, share_here))
        for child, masks in coming.items():
            here[child] = graph.fold("Or", masks)
            share.setdefault(child, share_here)
    return ends


def _both(graph: Graph, first: str | None, second: str) -> str:
    return second if first is None else graph.add("And", first, second)


def _share(graph: Graph, above: str | None, divided: str, part: float) -> str:
    """Multiply the fraction of a row where it is divided."""
    factor = graph.add("Where", divided, graph.number(part), graph.number(1.0))
    return factor if above is None else graph.add("Mul", above, factor)


def _place(graph: Graph, ends: list[_End]) -> str:
    """Look up the position of the end of each row, the first if there are several."""
    masks = [end.mask for end in ends if end.mask is not None]
    if not masks:
        return graph.zeros()
    return graph.add("ArgMax", _bytes(graph, masks), axis=1, keepdims=0)


def _bytes(graph: Graph, masks: list[str]) -> str:
    """Put booleans beside each other, as 0 and 1."""
    return graph.add("Cast", graph.add("Concat", *masks, axis=1), to=_UINT8)


def _mixed(graph: Graph, ends: list[_End], answers: NDArray[np.float64]) -> str:
    """Add up the predictions of all ends by the fraction of the row, in reading order."""
    parts = []
    for end, answer in zip(ends, answers, strict=True):
        assert end.mask is not None, "a tree that divides rows has a split"
        share = graph.number(1.0) if end.share is None else end.share
        reached = graph.add("Where", end.mask, share, graph.number(0.0))
        parts.append(graph.add("Mul", reached, graph.constant(answer.reshape(1, -1))))
    return graph.fold("Add", parts)


def _class_of_mixed(graph: Graph, tree: Tree, ends: list[_End], shares: str) -> str:
    """Choose the class of the one end of a row, or the cheapest by averaged probabilities."""
    masks = [end.mask for end in ends if end.mask is not None]
    reached = _bytes(graph, masks)
    counted = graph.add("Cast", reached, to=_INT64)
    count = graph.add("ReduceSum", counted, graph.constant(np.array([1])), keepdims=0)
    is_one = graph.add("Equal", count, graph.constant(np.array([1])))
    values = np.array([int(end.node.value) for end in ends], dtype=np.int64)
    place = graph.add("ArgMax", reached, axis=1, keepdims=0)
    of_end = graph.add("Gather", graph.constant(values), place)
    if len(tree.core.cost):
        best = _cheapest(graph, shares, tree.core.cost.reshape(tree.n_outputs, -1))
    else:
        best = graph.add("ArgMax", shares, axis=1, keepdims=0)
    return graph.add("Where", is_one, of_end, best)


def _cheapest(graph: Graph, shares: str, cost: NDArray[np.float64]) -> str:
    """Choose the class of least expected cost, the first of equal ones."""
    n_classes = len(cost)
    expected = graph.fold(
        "Add",
        [
            graph.add("Mul", _part(graph, shares, truth), graph.constant(cost[truth : truth + 1]))
            for truth in range(n_classes)
        ],
    )
    best, least = graph.constant(np.array([[0]])), _part(graph, expected, 0)
    for code in range(1, n_classes):
        here = _part(graph, expected, code)
        margin = graph.add("Mul", graph.number(COST_ROUNDING), least)
        is_less = graph.add("Less", here, graph.add("Sub", least, margin))
        best = graph.add("Where", is_less, graph.constant(np.array([[code]])), best)
        least = graph.add("Where", is_less, here, least)
    return graph.add("Squeeze", best, graph.constant(np.array([1])))


def _part(graph: Graph, table: str, column: int) -> str:
    """Take one column of several, as a column."""
    return graph.add("Gather", table, graph.constant(np.array([column])), axis=1)


def _label_array(classes: tuple[Level, ...]) -> NDArray[Any]:
    """Give classes as an array of one type."""
    kinds = {type(label) for label in classes}
    if kinds == {str}:
        return np.array(classes, dtype=object)
    labels = np.array(classes)
    if kinds in ({bool}, {float}) or (kinds == {int} and labels.dtype == np.int64):
        return labels
    return np.array(json_texts(classes), dtype=object)
