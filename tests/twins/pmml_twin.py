"""A reader of PMML 4.4 tree models, written from the standard and knowing nothing of treewright.

It takes a document and rows of field values, and answers as the sections "Trees",
"Transformations", "Built-in functions" and "Mining schema" of the standard say. Only what tree
models need is here; an element or attribute it does not know raises.
"""

from __future__ import annotations

import math
import operator
import shlex
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

SPACE = "{http://www.dmg.org/PMML-4_4}"

_FUNCTIONS = {
    "+": operator.add,
    "*": operator.mul,
    "greaterThan": operator.gt,
    "greaterOrEqual": operator.ge,
}
_OPERATORS = {
    "equal": operator.eq,
    "lessOrEqual": operator.le,
    "greaterThan": operator.gt,
}


class Document:
    """A parsed model, ready to answer."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text.encode())
        assert root.tag == f"{SPACE}PMML"
        self.model = _child(root, "TreeModel")
        self.fields = {
            field.get("name"): field for field in _children(_child(root, "DataDictionary"))
        }
        assert len(self.fields) == int(_child(root, "DataDictionary").get("numberOfFields"))
        mining = _children(_child(self.model, "MiningSchema"))
        self.inputs = [field for field in mining if field.get("usageType") != "target"]
        (self.target,) = [f.get("name") for f in mining if f.get("usageType") == "target"]
        local = self.model.find(f"{SPACE}LocalTransformations")
        self.derived = {field.get("name"): field for field in _children(local)}
        outputs = [field.get("name") for field in _children(_child(self.model, "Output"))]
        names = [*self.fields, *self.derived, *outputs]
        assert len(set(names)) == len(names), "two fields have one name"

    def evaluate(self, row: Mapping[str, Any]) -> tuple[Any, dict[Any, float]]:
        """The answer for a row of field values, None where missing, and the class shares."""
        return _Scoring(self, row).answer()


class _Scoring:
    def __init__(self, document: Document, row: Mapping[str, Any]) -> None:
        self.document = document
        self.values: dict[str, Any] = {}
        for field in document.inputs:
            assert field.get("invalidValueTreatment") == "asMissing"
            self.values[field.get("name")] = self._valid(field.get("name"), row)

    def _valid(self, name: str, row: Mapping[str, Any]) -> Any:
        declared = self.document.fields[name]
        allowed = [_typed(entry.get("value"), declared) for entry in _children(declared)]
        value = row[name]
        return None if allowed and value not in allowed else value

    # ------------------------------------------------------------------ fields

    def value(self, name: str) -> Any:
        if name not in self.values:
            (body,) = _children(self.document.derived[name])
            self.values[name] = self._expression(body)
        return self.values[name]

    def _expression(self, body: ElementTree.Element) -> Any:
        match _tag(body):
            case "FieldRef":
                return self.value(body.get("field"))
            case "Constant":
                return _typed(body.text, body)
            case "NormDiscrete":
                value = self.value(body.get("field"))
                if value is None:
                    return None
                declared = self.document.fields[body.get("field")]
                return 1.0 if value == _typed(body.get("value"), declared) else 0.0
            case "Apply":
                return self._function(body.get("function"), _children(body))
        raise NotImplementedError(_tag(body))

    def _function(self, name: str, arguments: list[ElementTree.Element]) -> Any:
        if name == "if":
            condition = self._expression(arguments[0])
            if condition is None:
                return None
            chosen = arguments[1:2] if condition else arguments[2:3]
            return self._expression(chosen[0]) if chosen else None
        values = [self._expression(argument) for argument in arguments]
        if name == "isNotMissing":
            return values != [None]
        if name == "and":
            return False if False in values else None if None in values else True
        if name == "sum":  # leaves out what is missing
            known = [value for value in values if value is not None]
            return math.fsum(known) if known else None
        if None in values:
            return None
        first, second = values
        return _FUNCTIONS[name](first, second)

    # ------------------------------------------------------------------ predicates

    def truth(self, predicate: ElementTree.Element) -> bool | None:
        match _tag(predicate):
            case "True":
                return True
            case "False":
                return False
            case "SimplePredicate":
                value = self.value(predicate.get("field"))
                if value is None:
                    return None
                bound = _like(value, predicate.get("value"))
                return _OPERATORS[predicate.get("operator")](value, bound)
            case "SimpleSetPredicate":
                value = self.value(predicate.get("field"))
                (array,) = _children(predicate)
                entries = shlex.split(array.text, posix=True)
                assert len(entries) == int(array.get("n"))
                assert predicate.get("booleanOperator") == "isIn"
                return None if value is None else value in [_like(value, text) for text in entries]
            case "CompoundPredicate":
                parts = (self.truth(part) for part in _children(predicate))
                return _joined(predicate.get("booleanOperator"), parts)
        raise NotImplementedError(_tag(predicate))

    # ------------------------------------------------------------------ nodes

    def answer(self) -> tuple[Any, dict[Any, float]]:
        node = self._end(_child(self.document.model, "Node"))
        if self.document.model.get("functionName") == "regression":
            return float(node.get("score")), {}
        declared = self.document.fields[self.document.target]
        shares = {_typed(label, declared): share for label, share in _distribution(node).items()}
        return _typed(node.get("score"), declared), shares

    def _end(self, node: ElementTree.Element) -> ElementTree.Element:
        """The node where the row ends."""
        strategy = self.document.model.get("missingValueStrategy")
        assert self.document.model.get("noTrueChildStrategy") == "returnLastPrediction"
        while True:
            children = [part for part in _children(node) if _tag(part) == "Node"]
            for child in children:
                truth = self.truth(_children(child)[0])
                if truth:
                    break
                if truth is None and strategy == "defaultChild":
                    (child,) = [c for c in children if c.get("id") == node.get("defaultChild")]
                    break
                if truth is None and strategy == "lastPrediction":
                    return node
                assert truth is False or strategy == "none"
            else:
                return node
            node = child


def _distribution(node: ElementTree.Element) -> dict[str, float]:
    entries = [part for part in _children(node) if _tag(part) == "ScoreDistribution"]
    if entries[0].get("probability") is not None:
        return {entry.get("value"): float(entry.get("probability")) for entry in entries}
    counts = {entry.get("value"): float(entry.get("recordCount")) for entry in entries}
    total = 0.0
    for count in counts.values():
        total += count
    return {label: count / total for label, count in counts.items()}


def _joined(name: str, parts: Any) -> bool | None:
    if name == "surrogate":
        return next((part for part in parts if part is not None), None)
    truths = list(parts)
    assert len(truths) >= 2
    if name == "and":
        return False if False in truths else None if None in truths else True
    assert name == "or"
    return True if True in truths else None if None in truths else False


def _typed(text: str | None, declared: ElementTree.Element) -> Any:
    match declared.get("dataType"):
        case "double":
            return float(text)
        case "integer":
            return int(text)
        case "boolean":
            return {"true": True, "false": False}[text]
    assert declared.get("dataType") == "string"
    return text


def _like(value: Any, text: str) -> Any:
    """The text as a value of the type of another."""
    if isinstance(value, bool):
        return {"true": True, "false": False}[text]
    return text if isinstance(value, str) else type(value)(text)


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(SPACE)


def _children(element: ElementTree.Element | None) -> list[ElementTree.Element]:
    return [] if element is None else list(element)


def _child(element: ElementTree.Element, tag: str) -> ElementTree.Element:
    (found,) = element.findall(f"{SPACE}{tag}")
    return found
