"""Leaves as rules, and the intervals of their answers."""

from __future__ import annotations

import math

import handmade
import numpy as np
import pytest
from handmade import build, inner, leaf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import coded_rows, named_rows, trees

from treewright.predicates import Axis
from treewright.schema import Column, Schema
from treewright.statistics.intervals import mean_interval, share_interval
from treewright.tree import Tree, answer_interval


@given(st.integers(1, 400), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_of_a_share_is_that_of_scipy(n_rows, data, confidence):
    right = data.draw(st.integers(0, n_rows))
    found = share_interval(right / n_rows, n_rows, confidence=confidence)
    known = stats.binomtest(right, n_rows).proportion_ci(confidence, method="wilson")
    assert found == pytest.approx((known.low, known.high), abs=1e-12)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30), st.sampled_from([0.8, 0.95]))
def test_the_interval_of_a_mean_is_that_of_scipy(numbers, confidence):
    mean = float(np.mean(numbers))
    squares = float(np.sum((np.array(numbers) - mean) ** 2))
    found = mean_interval(mean, squares, len(numbers), confidence=confidence)
    error = math.sqrt(squares / (len(numbers) - 1) / len(numbers))
    quantile = stats.t.ppf(0.5 + confidence / 2, len(numbers) - 1)
    assert found == pytest.approx((mean - quantile * error, mean + quantile * error))


@pytest.mark.parametrize(("share", "rows"), [(0.5, 0), (math.nan, 10), (math.nan, 0)])
def test_no_rows_give_no_interval(share, rows):
    assert share_interval(share, rows) is None
    assert mean_interval(3.0, 0.0, min(rows, 1)) is None


def test_weights_do_not_make_the_interval_of_a_mean_narrower():
    schema = Schema((Column("x", "numeric"),))
    light, heavy = (
        build(schema, leaf(5 * weight, 2.0, 10.0 * weight, rows=5)) for weight in (1, 100)
    )
    assert answer_interval(light.node(0)) == pytest.approx(answer_interval(heavy.node(0)))


def test_a_median_has_no_interval_of_the_mean():
    schema = Schema((Column("x", "numeric"),))
    assert answer_interval(build(schema, leaf(5, 2.0, 10.0, value=1.5)).node(0)) is None


def test_the_words():
    assert [str(rule) for rule in handmade.heart().leaf_rules()][:2] == [
        "if age <= 54.5 years and not smoker then healthy "
        "(94 %, 85 % to 98 %; 65 rows, 39 % of all)",
        "if age <= 54.5 years and smoker and activity is low then ill "
        "(64 %, 39 % to 84 %; 14 rows, 8 % of all)",
    ]
    assert str(handmade.rent().leaf_rules()[-1]) == (
        "if size > 62 m² then 1930 (1822 to 2039; 33 rows, 26 % of all)"
    )
    empty = handmade.heart().leaf_rules()[-1]
    assert str(empty).endswith("then ill (0 rows, 0 % of all)")
    named = handmade.stump().with_label(0, "everybody").leaf_rules()
    assert str(named[0]) == "always b (62 %, 31 % to 86 %; 8 rows, 100 % of all): everybody"


def orders(tree: Tree, order: str) -> list[int]:
    return [rule.node for rule in tree.leaf_rules(order)]


def test_orders():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(
        schema, inner(Axis(0, 1.0), leaf(3, 0), inner(Axis(0, 5.0), leaf(30, 20), leaf(0, 9)))
    )
    assert orders(tree, "reading") == [1, 3, 4]
    assert orders(tree, "rows") == [3, 4, 1]
    assert orders(tree, "certainty") == [4, 3, 1]  # 3 of 3 may be 44 %, 30 of 50 hardly below 46 %
    assert orders(tree, "answer") == [3, 1, 4]
    assert orders(handmade.rent(), "answer") == [4, 3, 2]
    numbers = Schema((Column("x", "numeric"),), (2, 10, "a"))
    tests = inner(Axis(0, 1.0), leaf(0, 9, 0), inner(Axis(0, 5.0), leaf(0, 0, 9), leaf(9, 0, 0)))
    assert orders(build(numbers, tests), "answer") == [4, 1, 3]  # 10 does not come before 2
    with pytest.raises(ValueError, match=r"must be one of 'reading', .* Got 'size'"):
        tree.leaf_rules("size")


@pytest.mark.long
@given(st.data(), trees(policies=("default",)))
def test_a_known_row_meets_the_rule_of_its_leaf_and_no_other(data, tree):
    values = data.draw(coded_rows(tree.schema, missing=False, most=3))
    rules = tree.leaf_rules()
    assert [rule.node for rule in rules] == [node.id for node in tree.leaves()]
    for row, drawn in zip(named_rows(tree.schema, values), values, strict=True):
        if not np.array_equal(tree.schema.encode([row])[0], drawn):
            continue  # of the levels 1 and 1.0 the schema took the other
        met = [rule for rule in rules if all(c.evaluate(row) for c in rule.conditions)]
        assert [rule.node for rule in met] == [int(tree.apply([row])[0])]
        assert all(rule.label == tree.predict([row])[0] for rule in met)


@pytest.mark.long
@given(trees(policies=("default",)))
def test_rules_cover_all_rows_once(tree):
    covers = [rule.cover for rule in tree.leaf_rules()]
    if tree.node(0).rows > 0:
        assert math.fsum(covers) == pytest.approx(1.0)
