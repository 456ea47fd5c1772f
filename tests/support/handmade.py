"""Trees put together by hand, for tests of everything that reads a tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.rules import Condition, Rule, RuleSet
from treewright.schema import Column, Schema
from treewright.tree import Tree


@dataclass
class Plan:
    """A node to be: a leaf if it has no test.

    Statistics of inner nodes follow from those of the leaves and of the rows that `stopped`.
    """

    statistics: Sequence[float] = ()
    test: Predicate | None = None
    children: Sequence[Plan] = ()
    stopped: Sequence[float] = ()
    value: float | None = None
    rows: float | None = None
    gain: float = 0.0
    missing: str = "default"
    default_branch: int = 0
    surrogates: Sequence[tuple[Predicate, bool, float, float]] = field(default_factory=tuple)


def leaf(*statistics: float, **more: Any) -> Plan:
    return Plan(statistics, **more)


def inner(test: Predicate, *children: Plan, **more: Any) -> Plan:
    return Plan(test=test, children=children, **more)


def build(schema: Schema, root: Plan) -> Tree:
    """Number the nodes in canonical order and make the tree."""
    return Tree.from_json(nodes_of(schema, root), schema)


def nodes_of(schema: Schema, root: Plan) -> dict[str, Any]:
    """The JSON form of a tree, not yet checked by anything."""
    order, first, stack = [root], {}, [root]
    while stack:
        plan = stack.pop()
        if plan.test is not None:
            first[id(plan)] = len(order)
            order += plan.children
            stack += list(plan.children)[::-1]
    is_classification = schema.classes is not None
    for plan in reversed(order):
        if plan.statistics == ():
            merge = _add if is_classification else _pool
            parts = [child.statistics for child in plan.children]
            plan.statistics = merge([*parts, plan.stopped] if plan.stopped else parts)
        if plan.rows is None:
            own = plan.statistics if plan.test is None else plan.stopped
            weight = sum(own) if is_classification else sum(own[:1])
            plan.rows = weight + sum(child.rows or 0 for child in plan.children)
        if plan.value is None:
            best = max(plan.statistics)
            index = list(plan.statistics).index(best)
            plan.value = index if is_classification else plan.statistics[1]
    nodes = []
    for number, plan in enumerate(order):
        node: dict[str, Any] = {
            "id": number,
            "rows": plan.rows,
            "statistics": list(plan.statistics),
            "value": plan.value,
        }
        if plan.test is not None:
            start = first[id(plan)]
            node["gain"] = plan.gain
            node["test"] = plan.test.to_json()
            node["children"] = list(range(start, start + len(plan.children)))
            node["missing"] = plan.missing
            node["default_branch"] = plan.default_branch
            if plan.surrogates:
                node["surrogates"] = [
                    {"test": test.to_json(), "swapped": swapped, "agreement": a, "adjusted": b}
                    for test, swapped, a, b in plan.surrogates
                ]
        nodes.append(node)
    return {"task": "classification" if is_classification else "regression", "nodes": nodes}


def _add(parts: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*parts, strict=True)]


def _pool(parts: Sequence[Sequence[float]]) -> list[float]:
    """Weight, mean and sum of squared deviations of several groups together."""
    weight = sum(part[0] for part in parts)
    if weight == 0.0:
        return [0.0, 0.0, 0.0]
    mean = sum(part[0] * part[1] for part in parts) / weight
    squares = sum(part[2] + part[0] * (part[1] - mean) ** 2 for part in parts)
    return [weight, mean, squares]


def iris() -> Tree:
    """Three classes, one column a test."""
    columns = tuple(
        Column(name, "numeric", unit="cm")
        for name in ("sepal length", "sepal width", "petal length", "petal width")
    )
    schema = Schema(columns, ("setosa", "versicolor", "virginica"), "species")
    return build(
        schema,
        inner(
            Axis(2, 2.45),
            leaf(50, 0, 0),
            inner(Axis(3, 1.75), leaf(0, 49, 5), leaf(0, 1, 45), gain=38.97, default_branch=1),
            gain=50.0,
            default_branch=1,
        ),
    )


def iris_rules() -> RuleSet:
    """The rules that C4.5 makes for the iris data."""
    length, narrow, wide = Axis(2, 4.9), Axis(3, 0.6), Axis(3, 1.7)
    rules = (
        Rule((Condition(narrow, 0),), 0, (50.0, 0.0, 0.0), 0.027, 50.0, 50.0),
        Rule(
            (Condition(length, 0), Condition(narrow, 1), Condition(wide, 0)),
            1,
            (0.0, 47.0, 1.0),
            0.054,
            48.0,
            47.0,
        ),
        Rule((Condition(wide, 1),), 2, (0.0, 1.0, 45.0), 0.056, 46.0, 45.0),
        Rule((Condition(length, 1),), 2, (0.0, 2.0, 44.0), 0.082, 6.0, 4.0),
    )
    default = Rule((), 0, (0.0, 0.0, 0.0), 0.664, 0.0, 0.0)
    return RuleSet(iris().schema, rules, default, (50.0, 50.0, 50.0))


def heart() -> Tree:
    """Two classes; numbers with units, truth values, levels, an order, surrogates, fractions."""
    schema = Schema(
        (
            Column("age", "numeric", unit="years"),
            Column("smoker", "boolean"),
            Column("chest pain", "categorical", ("typical", "atypical", "none", "not asked")),
            Column("activity", "ordinal", ("low", "medium", "high")),
            Column("cholesterol", "numeric", unit="mg/dl"),
        ),
        ("healthy", "ill"),
        "disease",
    )
    return build(
        schema,
        inner(
            Axis(0, 54.5),
            inner(
                Subset(1, (0,), (1,)),
                leaf(61, 4),
                inner(Axis(3, 0.5), leaf(5, 9), leaf(14, 3), default_branch=1, gain=3.9),
                gain=5.25,
            ),
            inner(
                Multiway(2, (0, 1, 1, 2)),
                leaf(2, 38),
                leaf(17, 15),
                leaf(0, 0, value=1),
                missing="fraction",
                gain=8.5,
            ),
            missing="surrogate",
            surrogates=(
                (Axis(4, 243.0), False, 0.746, 0.41),
                (Subset(1, (1,), (0,)), True, 0.61, 0.08),
            ),
            gain=14.625,
        ),
    )


def rent() -> Tree:
    """A number to predict."""
    schema = Schema(
        (
            Column("size", "numeric", unit="m²"),
            Column("city", "categorical", ("Bergen", "Oslo", "Tromsø", "Trondheim", "Voss")),
        ),
        None,
        "rent",
    )
    return build(
        schema,
        inner(
            Axis(0, 62),
            inner(Subset(1, (1,), (0, 2, 3, 4)), leaf(40, 1420.5, 9e5), leaf(55, 1010.0, 1.1e6)),
            leaf(33, 1930.25, 3e6),
        ),
    )


def six_kinds() -> Tree:
    """One test of each kind, with names that are hard to print."""
    schema = Schema(
        (
            Column("income", "numeric"),
            Column("debt", "numeric"),
            Column("home\ntown", "categorical", ("Oslo", "Rome, Italy", "", "not Paris")),
            Column("rank ", "ordinal", (1, 2, 3, 4)),
            Column("mixed", "categorical", (1, 1.0, "1", True)),
        ),
        (False, True),
    )
    machine = Machine((0, 3), ((1.0, -0.5), (0.25, 0.0), (0.0, 0.0)), (0.0, -2.0, 1.5))
    return build(
        schema,
        inner(
            Linear((0, 1, 3), (1.2, -3.0, 1.0), 40.0),
            inner(
                Pair("and", Axis(0, 30.0), Subset(2, (0, 1), (2, 3))),
                inner(
                    Pair("xor", Axis(1, -2.5), Axis(3, 1.5)),
                    leaf(3, 1),
                    leaf(0, 2),
                ),
                inner(Pair("or", Subset(4, (0, 2), (3,)), Axis(0, 1e-7)), leaf(1, 1), leaf(4, 0)),
            ),
            inner(
                machine,
                inner(Multiway(4, (1, 0, 1, 2)), leaf(2, 5), leaf(6, 1), leaf(0, 1)),
                inner(Axis(3, 2.0), leaf(1, 2), leaf(2, 1)),
                leaf(0.25, 0.125, rows=3),
            ),
        ),
    )


def points() -> Tree:
    """Sums in which levels count, also several of one column, a boolean and a hostile one."""
    schema = Schema(
        (
            Column("income", "numeric", unit="1000 EUR"),
            Column("home", "categorical", ("own", "rent", "parents", "rent <= 40 + 3")),
            Column("married", "boolean"),
            Column("debt", "numeric"),
        ),
        ("refuse", "grant"),
        "credit",
    )
    return build(
        schema,
        inner(
            Linear((0, 1), (1.0, 12.0), 40.0, (None, 1)),
            inner(
                Linear((0, 1, 1, 2), (1.0, -4.5, 3.0, 1.0), 15.0, (None, 2, 3, 1)),
                leaf(30, 5),
                leaf(8, 9),
                default_branch=1,
            ),
            inner(
                Linear((2, 3), (-5.0, 0.5), 2.0, (0, None)), leaf(1, 20), leaf(4, 3), missing="stop"
            ),
        ),
    )


def chain(length: int) -> Tree:
    """A path of tests with a leaf at each: the deepest tree of its size."""
    schema = Schema((Column("x", "numeric"), Column("y", "numeric")), ("a", "b"))
    plan = leaf(0, 1)
    for step in range(length):
        plan = Plan((step + 1, 1), Axis(step % 2, float(step)), (plan, leaf(1, 0)), rows=step + 2)
    return build(schema, plan)


def stump() -> Tree:
    """A tree without a test."""
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    return build(schema, leaf(3, 5))


ALL = {tree.__name__: tree for tree in (iris, heart, rent, six_kinds, points, stump)}


def close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)
