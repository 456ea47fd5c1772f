"""Which rules are made and kept, in cases that a change of one sign or word once went unseen."""

from __future__ import annotations

import numpy as np
import pytest
from handmade import build, inner, leaf

from treewright.predicates import Axis
from treewright.rules import Condition, rule_set
from treewright.rules.candidates import Candidate, error_rate
from treewright.rules.ordering import default_class
from treewright.rules.sample import Sample
from treewright.schema import Column, Schema
from treewright.statistics.error_bounds import BOUNDS, extra_errors

SIZES = Schema((Column("size", "numeric"),), ("small", "middling", "large"), "kind")


def test_a_class_without_a_leaf_does_not_end_the_search_for_rules():
    tree = build(SIZES, inner(Axis(0, 5.0), leaf(6, 1, 0), leaf(0, 0, 7)))
    table = {"size": [1, 2, 3, 4, 4, 5, 5, *range(6, 13)]}
    kinds = ["small"] * 6 + ["middling"] + ["large"] * 7
    rules = rule_set(tree, table, kinds)
    assert any(SIZES.classes[rule.value] == "large" for rule in rules.rules)


def test_a_light_leaf_gives_no_rule_however_good_it_would_be():
    schema = Schema((Column("size", "numeric"),), ("small", "large"), "kind")
    table = {"size": [1, 2, 3, 4, 6, 7, 8, 9]}
    kinds = ["small"] * 4 + ["large"] * 4
    for weight, said in ((0.9, {"size > 5"}), (1.0, {"size <= 5", "size > 5"})):
        tree = build(schema, inner(Axis(0, 5.0), leaf(weight, 0), leaf(0, 4)))
        rules = rule_set(tree, table, kinds, selection="none")
        assert {str(rule.expressions(schema)[0]) for rule in rules.rules} == said


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_rate_of_a_rule_is_pessimistic_by_its_bound(bound):
    weight, errors = np.array([10.0, 3.0]), np.array([2.0, 1.0])
    extra = extra_errors(weight, errors, confidence=0.25, bound=bound)
    assert (extra > 0.0).all()
    np.testing.assert_allclose(error_rate(0.25, bound)(weight, errors), (errors + extra) / weight)
    np.testing.assert_allclose(error_rate(0.25, "none")(weight, errors), errors / weight)


def test_the_default_is_the_class_of_the_rows_that_no_rule_covers():
    kinds = ["small"] * 4 + ["middling"] * 2
    sample = Sample.of({"size": range(6)}, kinds, None, SIZES)
    rule = Candidate((Condition(Axis(0, 5.0), 0),), 0, np.arange(4, dtype=np.int32), 0.1, 1.0)
    assert default_class([], sample) == 0
    assert default_class([rule], sample) == 1


@pytest.mark.parametrize("branch", [-1, 2])
def test_a_branch_on_either_side_is_refused(branch):
    with pytest.raises(ValueError, match=rf"must be in \[0, 1\]. Got {branch}"):
        Condition(Axis(0, 1.0), branch)
