"""A compiled tree as a JSON object, and back.

    {"task": "classification",
     "nodes": [{"id": 0, "rows": 150, "statistics": [50, 50, 50], "value": 0, "gain": 50,
                "test": {"kind": "axis", "column": 2, "threshold": 2.45}, "children": [1, 2],
                "missing": "default", "default_branch": 1},
               {"id": 1, "rows": 50, "statistics": [50, 0, 0], "value": 0}, ...]}

Nodes stand in the order of their ids; a leaf has no split, and nothing that goes with one. Reading
checks every value by itself; the core then checks that the whole is a tree. Nothing here calls
itself, so a tree may be as deep as it likes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.jsonform import (
    JSON,
    plain_number,
    read_choice,
    read_flag,
    read_index,
    read_list,
    read_number,
    read_numbers,
    read_object,
)
from treewright.base.tasks import TASKS, is_regression, task_name
from treewright.exceptions import ModelFileError
from treewright.predicates import FlatTest, decode
from treewright.predicates.base import FlatKind
from treewright.predicates.predicate_json import predicate_from_json
from treewright.schema import Schema
from treewright.tree.node import MISSING_POLICIES

__all__ = ["core_from_json", "core_to_json"]

_LEAF_KEYS = ("id", "rows", "statistics", "value")
_INNER_KEYS = (*_LEAF_KEYS, "gain", "test", "children", "missing", "default_branch")
_SURROGATE_KEYS = ("test", "swapped", "agreement", "adjusted")
_HEAVIEST = 1e300  # so that sums of weights stay finite


def core_to_json(core: _core.Tree) -> JSON:
    """Write a compiled tree as a JSON object.

    Parameters
    ----------
    core : treewright._core.Tree
        The compiled tree.

    Returns
    -------
    dict
        Plain lists, texts and numbers.
    """
    rows, values, gains = core.rows.tolist(), core.value.tolist(), core.gain.tolist()
    statistics, probabilities = core.statistics.tolist(), core.probabilities.tolist()
    first_child, n_branches = core.first_child.tolist(), core.n_branches.tolist()
    missing, default_branch = core.missing.tolist(), core.default_branch.tolist()
    nodes: list[JSON] = []
    for node in range(core.n_nodes):
        data: JSON = {
            "id": node,
            "rows": plain_number(rows[node]),
            "statistics": [plain_number(number) for number in statistics[node]],
            "value": plain_number(values[node]),
        }
        if core.has_own_probabilities:
            data["probabilities"] = probabilities[node]
        nodes.append(data)
        test = core.test(node)
        if test is None:
            continue
        data["gain"] = plain_number(gains[node])
        data["test"] = decode(test).to_json()
        first = first_child[node]
        data["children"] = list(range(first, first + n_branches[node]))
        data["missing"] = MISSING_POLICIES[missing[node]]
        data["default_branch"] = default_branch[node]
        surrogates = [
            {
                "test": decode(back_up).to_json(),
                "swapped": bool(swapped),
                "agreement": plain_number(agreement),
                "adjusted": plain_number(adjusted),
            }
            for back_up, swapped, agreement, adjusted in core.surrogates(node)
        ]
        if surrogates:
            data["surrogates"] = surrogates
    content: JSON = {"task": task_name(is_classification=core.is_classification)}
    if len(core.cost):
        costs = core.cost.reshape(core.n_outputs, core.n_outputs).tolist()
        content["cost_matrix"] = [[plain_number(cost) for cost in row] for row in costs]
    return {**content, "nodes": nodes}


def core_from_json(value: object, schema: Schema) -> _core.Tree:
    """Read a compiled tree from parsed JSON that nobody has checked yet.

    Parameters
    ----------
    value : object
        What the JSON parser made.
    schema : Schema
        Columns and classes of the tree.

    Returns
    -------
    treewright._core.Tree
        A tree that satisfies all invariants.

    Raises
    ------
    ModelFileError
        If it is not a tree over this schema.
    """
    data = read_object(value, "The tree", ("task", "nodes"), ("cost_matrix", "labels", "edits"))
    task = read_choice(data["task"], "The task of the tree", TASKS)
    is_classification = not is_regression(task)
    if is_classification != (schema.classes is not None):
        expected = "needs" if is_classification else "must not have"
        raise ModelFileError(f"A tree for {task} {expected} classes in its schema.")
    nodes = read_list(data["nodes"], "The nodes of the tree")
    if not nodes:
        raise ModelFileError("The tree has no nodes.")
    cost = _read_costs(data.get("cost_matrix"), schema)
    reader = _NodeReader(schema, is_classification, len(nodes))
    for node in nodes:
        reader.read(node)
    try:
        return _core.Tree.from_state({**reader.state(), "cost": cost})
    except ValueError as error:
        raise ModelFileError(f"The tree is broken: {error}") from None


def _read_costs(value: object, schema: Schema) -> NDArray[np.float64]:
    """Read the misclassification costs; a row for each true class."""
    if value is None:
        return np.empty(0)
    if schema.classes is None:
        raise ModelFileError("A tree for regression must not have a cost matrix.")
    where, n_classes = "The cost matrix", len(schema.classes)
    rows = [read_numbers(row, where) for row in read_list(value, where)]
    if len(rows) != n_classes or any(len(row) != n_classes for row in rows):
        raise ModelFileError(f"{where} must be {n_classes} lists of {n_classes} numbers.")
    for cost in (cost for row in rows for cost in row):
        read_number(cost, where, least=0.0, most=_HEAVIEST)
    return np.array(rows, np.float64).ravel()


class _Tests:
    """Flat predicates on their way into the pools of the core."""

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.features: list[int] = []
        self.numbers: list[float] = []
        self.feature_end: list[int] = []
        self.number_end: list[int] = []

    def append(self, test: FlatTest) -> None:
        kind, features, numbers = test
        self.kind.append(kind)
        self.features += features
        self.numbers += numbers
        self.feature_end.append(len(self.features))
        self.number_end.append(len(self.numbers))

    def state(self, prefix: str) -> dict[str, NDArray[Any]]:
        return {
            f"{prefix}kind": np.array(self.kind, np.int8),
            f"{prefix}features": np.array(self.features, np.int32),
            f"{prefix}feature_end": np.array(self.feature_end, np.int64),
            f"{prefix}numbers": np.array(self.numbers, np.float64),
            f"{prefix}number_end": np.array(self.number_end, np.int64),
        }


class _NodeReader:
    """Collects the nodes of a file in the arrays of the core."""

    def __init__(self, schema: Schema, is_classification: bool, n_nodes: int) -> None:
        self.schema = schema
        self.is_classification = is_classification
        self.n_nodes = n_nodes
        self.n_outputs = len(schema.classes or ()) if is_classification else 3
        self.first_child: list[int] = []
        self.n_branches: list[int] = []
        self.rows: list[float] = []
        self.statistics: list[list[float]] = []
        self.probabilities: list[list[float]] = []
        self.value: list[float] = []
        self.gain: list[float] = []
        self.missing: list[int] = []
        self.default_branch: list[int] = []
        self.tests = _Tests()
        self.surrogates = _Tests()
        self.surrogate_end: list[int] = []
        self.swapped: list[bool] = []
        self.agreement: list[float] = []
        self.adjusted: list[float] = []

    def read(self, value: object) -> None:
        """Take the next node."""
        number = len(self.rows)
        where = f"Node {number}"
        is_leaf = isinstance(value, dict) and "test" not in value
        if is_leaf:
            data = read_object(value, where, _LEAF_KEYS, ("probabilities",))
        else:
            data = read_object(value, where, _INNER_KEYS, ("probabilities", "surrogates"))
        if type(data["id"]) is not int or data["id"] != number:
            raise ModelFileError(f"{where} must have the id {number}: ids count from 0 in order.")
        self.rows.append(
            read_number(data["rows"], f"The rows of node {number}", least=0.0, most=_HEAVIEST)
        )
        self.statistics.append(self._statistics(data["statistics"], number))
        self.value.append(self._value(data["value"], number))
        self._read_probabilities(data, number)
        if is_leaf:
            self.tests.append((FlatKind.LEAF, [], []))
            self.first_child.append(-1)
            self.n_branches.append(0)
            self.gain.append(0.0)
            self.missing.append(0)
            self.default_branch.append(-1)
        else:
            self._read_test(data, number)
        self.surrogate_end.append(len(self.swapped))

    def _statistics(self, value: object, number: int) -> list[float]:
        where = f"The statistics of node {number}"
        statistics = read_numbers(value, where)
        if len(statistics) != self.n_outputs:
            raise ModelFileError(f"{where} must be {self.n_outputs} numbers.")
        # Weights and squared deviations; the mean, in the middle, may be negative.
        for statistic in statistics if self.is_classification else statistics[::2]:
            read_number(statistic, where, least=0.0, most=_HEAVIEST)
        return statistics

    def _read_probabilities(self, data: JSON, number: int) -> None:
        if number > 0 and ("probabilities" in data) != bool(self.probabilities):
            raise ModelFileError("Either all nodes have probabilities of their own, or none.")
        if "probabilities" not in data:
            return
        where = f"The probabilities of node {number}"
        if not self.is_classification:
            raise ModelFileError(f"{where} must be left out: the tree predicts numbers.")
        probabilities = read_numbers(data["probabilities"], where)
        if len(probabilities) != self.n_outputs:
            raise ModelFileError(f"{where} must be {self.n_outputs} numbers.")
        for probability in probabilities:
            read_number(probability, where, least=0.0, most=1.0)
        self.probabilities.append(probabilities)

    def _value(self, value: object, number: int) -> float:
        where = f"The value of node {number}"
        if self.is_classification:
            return float(read_index(value, where, self.n_outputs))
        return read_number(value, where)

    def _read_test(self, data: JSON, number: int) -> None:
        predicate = predicate_from_json(data["test"], self.schema, f"The split of node {number}")
        self.tests.append(predicate.encode())
        where = f"The children of node {number}"
        children = read_list(data["children"], where)
        if len(children) != predicate.n_branches:
            raise ModelFileError(
                f"{where} must be {predicate.n_branches}, one per branch. Got {len(children)}."
            )
        first = read_index(children[0], where, self.n_nodes)
        for position, child in enumerate(children):
            if read_index(child, where, self.n_nodes) != first + position:
                raise ModelFileError(f"{where} must have neighbouring ids.")
        self.first_child.append(first)
        self.n_branches.append(len(children))
        self.gain.append(read_number(data["gain"], f"The gain of node {number}", most=_HEAVIEST))
        policy = read_choice(
            data["missing"], f"The missing policy of node {number}", MISSING_POLICIES
        )
        self.missing.append(MISSING_POLICIES.index(policy))
        self.default_branch.append(
            read_index(
                data["default_branch"], f"The default branch of node {number}", len(children)
            )
        )
        for surrogate in read_list(data.get("surrogates", []), f"The surrogates of node {number}"):
            self._read_surrogate(surrogate, f"a surrogate of node {number}")

    def _read_surrogate(self, value: object, where: str) -> None:
        data = read_object(value, where.capitalize(), _SURROGATE_KEYS)
        test = predicate_from_json(data["test"], self.schema, f"The split of {where}")
        self.surrogates.append(test.encode())
        self.swapped.append(read_flag(data["swapped"], f"'swapped' in {where}"))
        self.agreement.append(
            read_number(data["agreement"], f"'agreement' in {where}", least=0.0, most=1.0)
        )
        self.adjusted.append(read_number(data["adjusted"], f"'adjusted' in {where}"))

    def state(self) -> dict[str, Any]:
        """Give the arrays the core is made from."""
        return {
            "is_classification": self.is_classification,
            "n_levels": np.ascontiguousarray(self.schema.n_levels, np.int32),
            **self.tests.state(""),
            "first_child": np.array(self.first_child, np.int32),
            "n_branches": np.array(self.n_branches, np.int32),
            "rows": np.array(self.rows, np.float64),
            "statistics": np.array(self.statistics, np.float64).reshape(-1, self.n_outputs),
            "value": np.array(self.value, np.float64),
            "probabilities": np.array(self.probabilities, np.float64).ravel(),
            "gain": np.array(self.gain, np.float64),
            "missing": np.array(self.missing, np.int8),
            "default_branch": np.array(self.default_branch, np.int32),
            "surrogate_end": np.array(self.surrogate_end, np.int64),
            **self.surrogates.state("surrogate_"),
            "surrogate_swapped": np.array(self.swapped, np.int8),
            "surrogate_agreement": np.array(self.agreement, np.float64),
            "surrogate_adjusted": np.array(self.adjusted, np.float64),
        }
