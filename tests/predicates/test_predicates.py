"""The six predicates: their flat tests, their JSON, their branches, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from treewright import _core
from treewright.exceptions import ModelFileError
from treewright.expressions import And, In, Not, Or, Sum, Term, Xor, merge_conditions
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset, decode
from treewright.predicates.predicate_json import predicate_from_json
from treewright.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("age", "numeric"),
        Column("pulse", "numeric"),
        Column("city", "categorical", ("Bergen", "Oslo", "Rome")),
        Column("smoker", "boolean"),
        Column("size", "ordinal", ("small", "large")),
    )
)

EXAMPLES = {
    "axis": (
        Axis(1, 2.45),
        (0, [1], [2.45]),
        {"kind": "axis", "column": 1, "threshold": 2.45},
    ),
    "linear": (
        Linear((0, 4), (1.2, -3.0), 40.0),
        (1, [0, 4], [1.2, -3.0, 40.0]),
        {"kind": "linear", "columns": [0, 4], "coefficients": [1.2, -3], "threshold": 40},
    ),
    "linear with levels": (
        Linear((0, 2, 2, 3), (1.0, 12.0, -4.5, 1.0), 40.0, (None, 1, 0, 1)),
        (1, [0, 2, 2, 3], [1.0, 12.0, -4.5, 1.0, -1.0, 1.0, 0.0, 1.0, 40.0]),
        {
            "kind": "linear",
            "columns": [0, 2, 2, 3],
            "coefficients": [1, 12, -4.5, 1],
            "levels": [None, 1, 0, 1],
            "threshold": 40,
        },
    ),
    "subset": (
        Subset(2, (0, 2), (1,)),
        (2, [2, 2, 0, 2, 1], []),
        {"kind": "subset", "column": 2, "left": [0, 2], "right": [1]},
    ),
    "multiway": (
        Multiway(2, (1, 0, 1)),
        (3, [2, 1, 0, 1], []),
        {"kind": "multiway", "column": 2, "branches": [[1], [0, 2]]},
    ),
    "pair": (
        Pair("or", Axis(0, 30.0), Subset(3, (1,), (0,))),
        (4, [1, 0, 1, 0, 2, 4, 3, 1, 1, 0], [30.0]),
        {
            "kind": "pair",
            "connective": "or",
            "first": {"kind": "axis", "column": 0, "threshold": 30},
            "second": {"kind": "subset", "column": 3, "left": [1], "right": [0]},
        },
    ),
    "machine": (
        Machine((0, 1), ((2.0, 0.0), (0.0, 1.0), (0.0, 0.0)), (1.0, 0.0, 0.5)),
        (5, [0, 1], [2.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5]),
        {
            "kind": "machine",
            "columns": [0, 1],
            "scores": [
                {"coefficients": [2, 0], "intercept": 1},
                {"coefficients": [0, 1], "intercept": 0},
                {"coefficients": [0, 0], "intercept": 0.5},
            ],
        },
    ),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_flat_test_and_json(kind):
    predicate, flat, data = EXAMPLES[kind]
    assert predicate.encode() == flat
    assert decode(flat) == predicate
    assert predicate.to_json() == data
    assert predicate_from_json(data, SCHEMA) == predicate
    assert _core.check_test(flat, SCHEMA.n_levels) == predicate.n_branches


@pytest.mark.parametrize(
    ("predicate", "columns", "n_terms", "n_branches"),
    [
        (EXAMPLES["axis"][0], (1,), 1, 2),
        (EXAMPLES["linear"][0], (0, 4), 2, 2),
        (EXAMPLES["linear with levels"][0], (0, 2, 2, 3), 4, 2),
        (EXAMPLES["subset"][0], (2,), 1, 2),
        (EXAMPLES["multiway"][0], (2,), 1, 2),
        (EXAMPLES["pair"][0], (0, 3), 2, 2),
        (Pair("and", Axis(0, 1.0), Axis(0, 9.0)), (0,), 1, 2),
        (EXAMPLES["machine"][0], (0, 1), 2, 3),
    ],
)
def test_what_a_reader_looks_at(predicate, columns, n_terms, n_branches):
    assert predicate.columns == columns
    assert predicate.n_terms == n_terms
    assert predicate.n_branches == n_branches


def test_branches_of_a_pair():
    young, smoker = Axis(0, 30.0), Subset(3, (1,), (0,))
    yes, no = (part.branches(SCHEMA) for part in (young, smoker))
    assert Pair("and", young, smoker).branches(SCHEMA) == (
        And((yes[0], no[0])),
        Or((yes[1], no[1])),
    )
    assert Pair("or", young, smoker).branches(SCHEMA) == (Or((yes[0], no[0])), And((yes[1], no[1])))
    assert Pair("and not", young, smoker).branches(SCHEMA) == (
        And((yes[0], no[1])),
        Or((yes[1], no[0])),
    )
    whole = Xor((yes[0], no[0]))
    assert Pair("xor", young, smoker).branches(SCHEMA) == (whole, Not(whole))


def test_xor_is_unknown_for_a_level_on_neither_side():
    pair = Pair("xor", Subset(2, (0,), (2,)), Axis(0, 30.0))
    values = np.array([[20.0, 0, 1, 0, 0], [20.0, 0, 0, 0, 0], [40.0, 0, 0, 0, 0]])
    assert _core.route(pair.encode(), _core.Table(values, SCHEMA.n_levels)).tolist() == [-1, 1, 0]
    rows = [
        {"age": 20, "city": "Oslo"},
        {"age": 20, "city": "Bergen"},
        {"age": 40, "city": "Bergen"},
    ]
    answers = [[branch.evaluate(row) for branch in pair.branches(SCHEMA)] for row in rows]
    assert answers == [[False, False], [False, True], [True, False]]


def test_a_branch_of_a_multiway_test_is_a_set_of_levels():
    branches = Multiway(2, (1, 0, 1)).branches(SCHEMA)
    city = SCHEMA.columns[2]
    assert branches == (In(city, ("Oslo",)), In(city, ("Bergen", "Rome")))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Axis(-1, 0.0), "'column' of a predicate must be positions. Got -1"),
        (lambda: Axis(0, math.nan), "'threshold' of a predicate must be finite. Got nan"),
        (lambda: Axis(0, math.inf), "must be finite"),
        (lambda: Linear((), (), 1.0), "must be different columns"),
        (lambda: Linear((1, 1), (1.0, 2.0), 1.0), "must be different columns"),
        (lambda: Linear((1, 2), (1.0,), 1.0), "'coefficients' of a predicate must be 2 numbers"),
        (lambda: Linear((1, 2), (1.0, 2.0), 1.0, (0,)), "must be one per column, or none at all"),
        (lambda: Linear((1, 1), (1.0, 2.0), 1.0, (0, 0)), "must differ in column or level"),
        (lambda: Linear((1, 1), (1.0, 2.0), 1.0, (None, None)), "must be different columns"),
        (lambda: Linear((1, 2), (1.0, 2.0), 1.0, (None, -1)), "must be positions"),
        (lambda: Linear((1,), (math.inf,), 1.0), "must be finite"),
        (lambda: Subset(0, (), (1,)), "'left' levels of Subset must be rising"),
        (lambda: Subset(0, (1,), (2, 0)), "'right' levels of Subset must be rising"),
        (lambda: Subset(0, (1, 1), (2,)), "'left' levels of Subset must be rising"),
        (lambda: Subset(0, (0, 1), (1, 2)), "must differ"),
        (lambda: Multiway(0, (0, 0)), "two branches or more"),
        (lambda: Multiway(0, (0, 2)), "numbered from 0"),
        (lambda: Multiway(0, ()), "two branches or more"),
        (lambda: Pair("nand", Axis(0, 1.0), Axis(1, 1.0)), "'xor' or 'and not'. Got 'nand'"),
        (lambda: Machine((0,), ((1.0,),), (0.0,)), "each of two branches"),
        (lambda: Machine((0,), ((1.0,), (1.0, 2.0)), (0.0, 0.0)), "must be 1 numbers"),
        (lambda: Machine((0,), ((1.0,), (1.0,)), (0.0,)), "'intercepts'"),
    ],
)
def test_broken_predicates_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_parts_of_a_pair_are_simple():
    with pytest.raises(TypeError, match=r"Axis or Subset predicates\. Got Linear"):
        Pair("and", Axis(0, 1.0), Linear((0,), (1.0,), 1.0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "flat",
    [
        (-1, [], []),
        (9, [0], [1.0]),
        (0, [], []),
        (0, [1, 2], [1.0]),
        (0, [1], [1.0, 2.0]),
        (1, [0, 1], [1.0]),
        (2, [0], []),
        (2, [0, 5, 1], []),
        (3, [0], []),
        (4, [0, 0, 1, 0], [1.0]),
        (4, [0, 1, 1, 0, 0, 1, 0], [1.0, 1.0]),
        (4, [7, 0, 1, 0, 0, 1, 1], [1.0, 1.0]),
        (4, [-1, 0, 1, 0, 0, 1, 1], [1.0, 1.0]),
        (5, [0], [1.0, 1.0]),
        (5, [0], [1.0, 1.0, 1.0]),
    ],
)
def test_malformed_flat_tests_are_refused(flat):
    with pytest.raises(ValueError, match=r"."):
        decode(flat)
    with pytest.raises(ValueError, match=r"."):
        _core.check_test(flat, np.zeros(3, np.int32))


@pytest.mark.parametrize(
    ("features", "numbers"),
    [
        ([0, 2], [1.0, 1.0, -1.0, 3.0, 5.0]),  # there is no such level
        ([0, 2], [1.0, 1.0, -1.0, 0.5, 5.0]),
        ([0, 2], [1.0, 1.0, -2.0, 0.0, 5.0]),
        ([0, 2], [1.0, 1.0, -1.0, -1.0, 5.0]),  # a categorical column without a level
        ([0, 2], [1.0, 1.0, 0.0, 0.0, 5.0]),  # a level of a numeric one
        ([0, 1], [1.0, 1.0, -1.0, -1.0, 5.0]),  # no level at all
        ([2, 2], [1.0, 1.0, 0.0, 0.0, 5.0]),  # the same term twice
        ([0, 0, 2], [1.0, 1.0, 1.0, -1.0, -1.0, 0.0, 5.0]),
        ([0, 2], [1.0, 1.0, 0.0, 5.0]),
    ],
)
def test_terms_that_are_no_terms_are_refused_by_the_core(features, numbers):
    with pytest.raises(ValueError, match=r"split|predicate"):
        _core.check_test((1, features, numbers), SCHEMA.n_levels)


def test_a_level_in_a_sum_counts_where_the_row_has_it():
    test = Linear((0, 2, 3), (1.0, 12.0, -5.0), 40.0, (None, 1, 1))
    rows = np.array(
        [
            [30.0, 0.0, 1.0, 0.0, 0.0],
            [28.0, 0.0, 1.0, 0.0, 0.0],
            [30.0, 0.0, 1.0, 1.0, 0.0],
            [40.0, 0.0, 2.0, 0.0, 0.0],
            [1.0, 0.0, math.nan, 0.0, 0.0],
            [1.0, 0.0, 0.0, math.nan, 0.0],
            [math.nan, 0.0, 0.0, 0.0, 0.0],
        ]
    )
    expected = [1, 0, 0, 0, -1, -1, -1]
    for layout in (np.ascontiguousarray, np.asfortranarray):
        table = _core.Table(layout(rows), SCHEMA.n_levels)
        assert _core.route(test.encode(), table).tolist() == expected
    below = test.branches(SCHEMA)[0]
    assert str(below) == "age + (12 if city is Oslo) - (5 if smoker) <= 40"
    for row, branch in zip(rows, expected, strict=True):
        cells = {
            column.name: None if math.isnan(x) else (column.levels[int(x)] if column.levels else x)
            for column, x in zip(SCHEMA.columns, row, strict=True)
        }
        assert below.evaluate(cells) is {0: True, 1: False, -1: None}[branch]
        assert below.evaluate({**cells, "city": "Atlantis"}) is None


def test_levels_that_are_equal_in_python_are_different_terms():
    mixed = Column("mixed", "categorical", (1, 1.0, True))
    sums = [Sum((Term(2.0, mixed, level),), "<=", 1.0) for level in mixed.levels]
    assert len({*sums}) == 3
    assert len(merge_conditions(sums)) == 3


AXIS = EXAMPLES["axis"][2]
LINEAR = EXAMPLES["linear"][2]
LEVELS = EXAMPLES["linear with levels"][2]
SUBSET = EXAMPLES["subset"][2]
MULTIWAY = EXAMPLES["multiway"][2]
PAIR = EXAMPLES["pair"][2]
MACHINE = EXAMPLES["machine"][2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "The predicate must be an object"),
        ([], "The predicate must be an object"),
        ({}, "The kind of the predicate must be one of 'axis'.* Got null"),
        ({**AXIS, "kind": "magic"}, "Got 'magic'"),
        ({**AXIS, "kind": ["axis"]}, "Got a list of 1"),
        ({"kind": "axis", "column": 1}, "The predicate lacks 'threshold'"),
        ({**AXIS, "extra": 1}, "The predicate has an unknown key: 'extra'"),
        ({**AXIS, "column": 5}, "must be an integer from 0 to 4. Got 5"),
        ({**AXIS, "column": -1}, "Got -1"),
        ({**AXIS, "column": 1.0}, "Got 1.0"),
        ({**AXIS, "column": True}, "Got true"),
        ({**AXIS, "column": "1"}, "Got '1'"),
        (
            {**AXIS, "column": 2},
            "numeric or ordinal column, and column 'city' is categorical",
        ),
        ({**AXIS, "threshold": math.nan}, "The threshold of the predicate must be a finite number"),
        ({**AXIS, "threshold": math.inf}, "must be a finite number. Got inf"),
        ({**AXIS, "threshold": False}, "Got false"),
        ({**AXIS, "threshold": 10**400}, "Got an integer of more than 64 bits"),
        ({**AXIS, "threshold": 2**60}, "must be a finite number. Got 1152921504606846976"),
        ({**LINEAR, "columns": [0, 0]}, "different columns"),
        ({**LINEAR, "columns": []}, "different columns"),
        ({**LINEAR, "columns": [0, 3]}, "column 'smoker' is boolean"),
        ({**LINEAR, "coefficients": [1]}, "must be 2 numbers. Got 1"),
        ({**LINEAR, "coefficients": 1}, "must be a list. Got 1"),
        ({**LEVELS, "levels": [None, 1, 0]}, "must be one per column, and not all null"),
        ({**LEVELS, "levels": 1}, "The levels of the predicate must be a list"),
        ({**LINEAR, "levels": [None, None]}, "not all null"),
        ({**LEVELS, "levels": [None, 1, 3, 1]}, "must be an integer from 0 to 2. Got 3"),
        ({**LEVELS, "levels": [None, 1, "Oslo", 1]}, "Got 'Oslo'"),
        ({**LEVELS, "levels": [None, 1, 1, 1]}, "must differ in column or level"),
        (
            {**LEVELS, "levels": [None, 1, 0, None]},
            "numeric or ordinal column.*'smoker' is boolean",
        ),
        ({**LEVELS, "levels": [0, 1, 0, 1]}, "categorical or boolean column.*'age' is numeric"),
        ({**SUBSET, "column": 0}, "needs a categorical or boolean column"),
        ({**SUBSET, "left": [0, 3]}, "must be an integer from 0 to 2. Got 3"),
        ({**SUBSET, "left": [2, 0]}, "rising"),
        ({**SUBSET, "left": []}, "rising"),
        ({**SUBSET, "right": [0]}, "must differ"),
        ({**MULTIWAY, "branches": [[0, 1]]}, "each level of its column one branch"),
        ({**MULTIWAY, "branches": [[0, 1, 2]]}, "two branches or more"),
        ({**MULTIWAY, "branches": [[0, 1], [1, 2]]}, "each level of its column one branch"),
        ({**MULTIWAY, "branches": [[0, 1, 2], []]}, "each level of its column one branch"),
        ({**PAIR, "connective": "nor"}, "Got 'nor'"),
        ({**PAIR, "first": PAIR}, "The kind of the first part of the predicate must be one of"),
        ({**PAIR, "second": None}, "the second part of the predicate .* Got null"),
        ({**PAIR, "second": {**AXIS, "column": 9}}, "A column of the second part of the predicate"),
        ({**MACHINE, "scores": MACHINE["scores"][:1]}, "each of two branches"),
        ({**MACHINE, "scores": [1, 2]}, "A score of the predicate must be an object"),
        ({**MACHINE, "columns": [0]}, "must be 1 numbers. Got 2"),
    ],
)
def test_broken_json_is_refused_in_words(data, message):
    with pytest.raises(ModelFileError, match=message):
        predicate_from_json(data, SCHEMA)
