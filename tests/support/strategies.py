"""Hypothesis strategies for schemas, rows, predicates of all six kinds, expressions and trees.

Numbers come mostly from a small grid, so that values meet thresholds exactly; names and levels are
any text. A schema from `schemas` always has a numeric and a categorical column, so that every kind
of predicate can be made over it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from handmade import Plan, build, inner, leaf
from hypothesis import strategies as st
from numpy.typing import NDArray

from treewright import _core
from treewright.expressions import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Score,
    Sum,
    Term,
    Xor,
)
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.predicates.pair import CONNECTIVES
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES, STOP_POLICIES

Case = tuple[Tree, _core.Table, NDArray[Any]]

KINDS = ("axis", "linear", "subset", "multiway", "pair", "machine")
GRID = (-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)

texts = st.text(max_size=8)
labels = st.one_of(texts, st.integers(-5, 5), st.sampled_from([0.5, 1.0, 2.25]), st.booleans())
grid_numbers = st.sampled_from(GRID)
finite_numbers = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(grid_numbers, grid_numbers, finite_numbers)
weights = st.one_of(st.integers(0, 50).map(float), st.floats(0.0, 1e6))


def distinct_labels(least: int, most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """Different labels of any type; 1, 1.0 and True are different."""
    exactly = st.lists(labels, min_size=least, max_size=most, unique_by=lambda x: (type(x), x))
    return exactly.map(tuple)


@st.composite
def columns(draw: st.DrawFn, name: str | None = None, kind: str | None = None) -> Column:
    name = draw(texts) if name is None else name
    kind = (
        draw(st.sampled_from(["numeric", "boolean", "categorical", "ordinal"]))
        if kind is None
        else kind
    )
    unit = draw(st.none() | texts) if kind == "numeric" else None
    if kind in ("numeric", "boolean"):
        return Column(name, kind, unit=unit)
    return Column(name, kind, draw(distinct_labels(2 if kind == "categorical" else 1, 6)))


@st.composite
def schemas(draw: st.DrawFn, classification: bool | None = None, least_classes: int = 1) -> Schema:
    """Two to six columns; the first is numeric, the second categorical."""
    names = draw(st.lists(texts, min_size=2, max_size=6, unique=True))
    kinds: list[str | None] = ["numeric", "categorical", *[None] * (len(names) - 2)]
    found = tuple(draw(columns(name, kind)) for name, kind in zip(names, kinds, strict=True))
    if classification is None:
        classification = draw(st.booleans())
    classes = draw(distinct_labels(least_classes, 4)) if classification else None
    return Schema(found, classes, draw(st.none() | texts))


@st.composite
def coded_rows(
    draw: st.DrawFn, schema: Schema, missing: bool = True, most: int = 12
) -> NDArray[np.float64]:
    """Rows as the core sees them: numbers and positions of levels, NaN where missing."""
    n_rows = draw(st.integers(1, most))
    values = np.empty((n_rows, len(schema.columns)))
    for index, column in enumerate(schema.columns):
        if column.kind == "numeric":
            cells: st.SearchStrategy[float] = numbers
        else:
            cells = st.integers(0, len(column.levels) - 1).map(float)
        if missing:
            cells = st.one_of(cells, cells, cells, st.just(math.nan))
        values[:, index] = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    return values


def named_rows(schema: Schema, values: NDArray[np.float64]) -> list[dict[str, Any]]:
    """The same rows as a reader sees them: by name, with levels, None where missing."""
    rows = []
    for codes in values.tolist():
        row: dict[str, Any] = {}
        for column, code in zip(schema.columns, codes, strict=True):
            if math.isnan(code):
                row[column.name] = None
            else:
                row[column.name] = code if column.kind == "numeric" else column.levels[int(code)]
        rows.append(row)
    return rows


def _positions(schema: Schema, *kinds: str) -> list[int]:
    return [i for i, column in enumerate(schema.columns) if column.kind in kinds]


def _number_columns(schema: Schema) -> list[int]:
    return _positions(schema, "numeric", "ordinal")


def _level_columns(schema: Schema) -> list[int]:
    return _positions(schema, "categorical", "boolean")


@st.composite
def axis_tests(draw: st.DrawFn, schema: Schema) -> Axis:
    return Axis(draw(st.sampled_from(_number_columns(schema))), draw(numbers))


@st.composite
def linear_tests(draw: st.DrawFn, schema: Schema) -> Linear:
    """Terms that are numbers, and in every other test levels too."""
    terms: list[tuple[int, int | None]] = [(column, None) for column in _number_columns(schema)]
    if draw(st.booleans()):
        terms += [
            (column, level)
            for column in _level_columns(schema)
            for level in range(len(schema.columns[column].levels))
        ]
    chosen = draw(st.lists(st.sampled_from(terms), min_size=1, max_size=4, unique=True))
    found, levels = zip(*chosen, strict=True)
    size = {"min_size": len(chosen), "max_size": len(chosen)}
    return Linear(found, tuple(draw(st.lists(numbers, **size))), draw(numbers), levels)


@st.composite
def subset_tests(draw: st.DrawFn, schema: Schema) -> Subset:
    column = draw(st.sampled_from(_level_columns(schema)))
    count = len(schema.columns[column].levels)
    sides = draw(
        st.lists(st.sampled_from(["left", "right", "neither"]), min_size=count, max_size=count)
    )
    first, second = draw(st.permutations(range(count)))[:2]
    sides[first], sides[second] = "left", "right"
    left, right = (
        tuple(i for i, place in enumerate(sides) if place == side) for side in ("left", "right")
    )
    return Subset(column, left, right)


@st.composite
def multiway_tests(draw: st.DrawFn, schema: Schema) -> Multiway:
    column = draw(st.sampled_from(_level_columns(schema)))
    count = len(schema.columns[column].levels)
    n_branches = draw(st.integers(2, count))
    branches = [*range(n_branches)]
    branches += draw(
        st.lists(
            st.integers(0, n_branches - 1),
            min_size=count - n_branches,
            max_size=count - n_branches,
        )
    )
    return Multiway(column, tuple(draw(st.permutations(branches))))


def simple_tests(schema: Schema) -> st.SearchStrategy[Axis | Subset]:
    return st.one_of(axis_tests(schema), subset_tests(schema))


@st.composite
def pair_tests(draw: st.DrawFn, schema: Schema) -> Pair:
    connective = draw(st.sampled_from(CONNECTIVES))
    return Pair(connective, draw(simple_tests(schema)), draw(simple_tests(schema)))


@st.composite
def machine_tests(draw: st.DrawFn, schema: Schema) -> Machine:
    among = st.sampled_from(_number_columns(schema))
    chosen = draw(st.lists(among, min_size=1, max_size=3, unique=True))
    n_branches = draw(st.integers(2, 4))
    row = st.lists(numbers, min_size=len(chosen), max_size=len(chosen)).map(tuple)
    rows = draw(st.lists(row, min_size=n_branches, max_size=n_branches))
    intercepts = draw(st.lists(numbers, min_size=n_branches, max_size=n_branches))
    return Machine(tuple(chosen), tuple(rows), tuple(intercepts))


TESTS_OF_KIND = {
    "axis": axis_tests,
    "linear": linear_tests,
    "subset": subset_tests,
    "multiway": multiway_tests,
    "pair": pair_tests,
    "machine": machine_tests,
}


def predicates(schema: Schema, kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[Predicate]:
    return st.one_of(*(TESTS_OF_KIND[kind](schema) for kind in kinds))


@st.composite
def expressions(draw: st.DrawFn, schema: Schema, depth: int = 2) -> Expression:
    """Any expression over the columns of a schema."""
    number_columns = [schema.columns[i] for i in _number_columns(schema)]
    level_columns = [c for c in schema.columns if c.kind != "numeric"]
    kinds = ["compare", "sum", "in", "missing", "largest"]
    kind = draw(st.sampled_from([*kinds, "and", "or", "xor", "not"] if depth else kinds))
    operator = draw(st.sampled_from(["<=", ">"]))
    kinds_of_term = [st.builds(Term, numbers, st.sampled_from(number_columns))]
    kinds_of_term += [
        st.builds(Term, numbers, st.just(column), st.sampled_from(column.levels))
        for column in level_columns
        if column.kind != "ordinal"
    ]
    terms = st.lists(st.one_of(kinds_of_term), min_size=1, max_size=3).map(tuple)
    parts = expressions(schema, depth - 1)
    match kind:
        case "compare":
            return Compare(draw(st.sampled_from(number_columns)), operator, draw(numbers))
        case "sum":
            return Sum(draw(terms), operator, draw(numbers))
        case "in":
            column = draw(st.sampled_from(level_columns))
            codes = draw(st.sets(st.integers(0, len(column.levels) - 1)))
            return In(column, tuple(column.levels[code] for code in sorted(codes)))
        case "missing":
            return IsMissing(draw(st.sampled_from(schema.columns)))
        case "largest":
            scores = draw(st.lists(st.builds(Score, terms, numbers), min_size=1, max_size=3))
            return Largest(draw(st.integers(0, len(scores) - 1)), tuple(scores))
        case "and" | "or":
            chosen = tuple(draw(st.lists(parts, max_size=3)))
            return And(chosen) if kind == "and" else Or(chosen)
        case "xor":
            return Xor((draw(parts), draw(parts)))
    return Not(draw(parts))


@st.composite
def leaves(draw: st.DrawFn, schema: Schema) -> Plan:
    if schema.classes is None:
        return Plan((draw(weights), draw(grid_numbers), draw(weights)), value=draw(numbers))
    count = len(schema.classes)
    statistics = draw(st.lists(weights, min_size=count, max_size=count))
    return Plan(tuple(statistics), value=draw(st.none() | st.integers(0, count - 1)))


@st.composite
def plans(
    draw: st.DrawFn,
    schema: Schema,
    depth: int,
    kinds: tuple[str, ...],
    policies: tuple[str, ...],
    forked: bool = False,
) -> Plan:
    if depth == 0 or (not forked and draw(st.integers(0, 3)) == 0):
        return draw(leaves(schema))
    test = draw(predicates(schema, kinds))
    below = [draw(plans(schema, depth - 1, kinds, policies)) for _ in range(test.n_branches)]
    missing = draw(st.sampled_from(policies))
    surrogates: list[tuple[Predicate, bool, float, float]] = []
    if missing in ("surrogate", "surrogate_or_stop") and test.n_branches == 2:
        share = st.floats(0.0, 1.0)
        one = st.tuples(simple_tests(schema), st.booleans(), share, share)
        surrogates = draw(st.lists(one, max_size=2))
    stopped = draw(leaves(schema)).statistics if missing in STOP_POLICIES else ()
    return inner(
        test,
        *below,
        stopped=stopped,
        gain=draw(weights),
        missing=missing,
        default_branch=draw(st.integers(0, test.n_branches - 1)),
        surrogates=tuple(surrogates),
    )


@st.composite
def trees(
    draw: st.DrawFn,
    classification: bool | None = None,
    max_depth: int = 3,
    kinds: tuple[str, ...] = KINDS,
    policies: tuple[str, ...] = MISSING_POLICIES,
    forked: bool = False,
) -> Tree:
    """Trees with tests of all kinds over schemas of all kinds.

    With `forked` the root is split, and leaves beside each other answer differently.
    """
    schema = draw(schemas(classification, least_classes=2 if forked else 1))
    plan = draw(plans(schema, max_depth, kinds, policies, forked))
    if forked:
        answers = GRID if schema.classes is None else range(len(schema.classes))
        for number, end in enumerate(_ends(plan)):
            end.value = answers[number % len(answers)]
    return build(schema, plan)


def _ends(plan: Plan) -> list[Plan]:
    if plan.test is None:
        return [plan]
    return [end for child in plan.children for end in _ends(child)]


@st.composite
def cases(draw: st.DrawFn, kind: str) -> Case:
    """A tree with one test, rows and what is known of them."""
    schema = draw(schemas())
    if schema.classes is not None:
        classes = tuple(f"class {code}" for code in range(len(schema.classes)))
        schema = replace(schema, classes=classes)
    test = draw(TESTS_OF_KIND[kind](schema))
    statistics = [1.0, 0.0, 0.0] if schema.classes is None else [1.0] * len(schema.classes)
    tree = build(schema, inner(test, *(leaf(*statistics) for _ in range(test.n_branches))))
    values = draw(coded_rows(schema, most=40))
    size = {"min_size": len(values), "max_size": len(values)}
    if schema.classes is None:
        y = np.array(draw(st.lists(st.floats(-1e300, 1e300), **size)))
    else:
        y = np.array(draw(st.lists(st.sampled_from(schema.classes), **size)))
    return tree, _core.Table(np.asfortranarray(values), schema.n_levels), y
