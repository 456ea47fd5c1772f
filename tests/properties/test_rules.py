"""What holds for the rules of every tree, whatever its tests and whatever the rows."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from handmade import Plan, build, inner, leaf
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rule_twins import Maker, Row, TwinRule
from strategies import GRID, named_rows, predicates, schemas

from treewright import _core
from treewright.expressions import And
from treewright.rules import RuleSet
from treewright.rules.candidates import error_rate
from treewright.rules.making import rules_of_sample
from treewright.rules.sample import Sample
from treewright.schema import Schema
from treewright.tree import Tree

WAYS = [
    {},
    {"bound": "exact"},
    {"selection": "none"},
    {"ordering": "accuracy"},
    {"bound": "none", "selection": "none", "ordering": "accuracy"},
]


@dataclass(frozen=True)
class Problem:
    """A tree with rows whose classes have something to do with it."""

    tree: Tree
    values: NDArray[np.float64]
    codes: NDArray[np.int32]
    weights: NDArray[np.float64]

    def make(
        self,
        *,
        bound: str = "c45",
        selection: str = "description_length",
        ordering: str = "class",
    ) -> RuleSet:
        return rules_of_sample(
            self.tree,
            Sample.encoded(self.values, self.codes, self.weights, self.tree.schema),
            rate=error_rate(0.25, bound),
            selection=selection,
            ordering=ordering,
            interval=0.95,
            random=np.random.RandomState(0),
            tell=lambda share: None,
        )

    @property
    def table(self) -> _core.Table:
        return _core.Table(self.values, self.tree.schema.n_levels)

    @property
    def named(self) -> list[dict[str, Any]]:
        return named_rows(self.tree.schema, self.values)

    def taking(self, rows: Any, weights: Any) -> Problem:
        return Problem(self.tree, self.values[rows], self.codes[rows], np.asarray(weights, float))


@st.composite
def full_trees(draw: st.DrawFn, schema: Schema, depth: int) -> Plan:
    """Two tests on every path, of any kinds, and leaves of any classes."""
    count = len(schema.classes or ())
    if depth == 0:
        return leaf(*[5.0] * count, value=draw(st.integers(0, count - 1)))
    test = draw(predicates(schema))
    return inner(test, *(draw(full_trees(schema, depth - 1)) for _ in range(test.n_branches)))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    schema = draw(schemas(classification=True).filter(lambda found: len(found.classes) > 1))
    tree = build(schema, draw(full_trees(schema, 2)))
    labels_of_leaves = [node.value for node in tree.leaves()]
    assume(max(map(labels_of_leaves.count, labels_of_leaves)) <= 7)  # for all subsets
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.integers(1, 60))
    values = random.choice(GRID, (n_rows, schema.n_columns))
    for index, column in enumerate(schema.columns):
        if column.kind != "numeric":
            values[:, index] = random.integers(0, len(column.levels), n_rows)
    values[random.random(values.shape) < 0.05] = np.nan
    # Most classes are those of the tree, some are not.
    leaves = tree.apply(_core.Table(values, schema.n_levels))
    guesses = random.integers(0, tree.n_outputs, n_rows)
    codes = np.where(random.random(n_rows) < 0.2, guesses, tree.core.value[leaves])
    weights = random.integers(1, 4, n_rows).astype(float)
    return Problem(tree, values, codes.astype(np.int32), weights)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
@given(problem=problems())
def test_rules_are_those_made_the_slow_way(way, problem):
    rows = [
        Row(cells, int(label), float(weight))
        for cells, label, weight in zip(problem.named, problem.codes, problem.weights, strict=True)
    ]
    expected, default = Maker(problem.tree, rows, **way).make()
    found = problem.make(**way)
    schema = problem.tree.schema
    assert found.default.value == default
    assert len(found.rules) == len(expected)
    for rule, twin in zip(found.rules, expected, strict=True):
        conditions = tuple(condition.expression(schema) for condition in rule.conditions)
        assert TwinRule(conditions, rule.value, 0.0).merged == twin.merged
        assert rule.value == twin.label
        assert rule.error_rate == pytest.approx(twin.rate, abs=1e-9)


@pytest.mark.long
@given(problem=problems(), way=st.sampled_from(WAYS))
def test_rows_are_answered_as_the_rules_are_printed(problem, way):
    rules = problem.make(**way)
    first = rules.apply(problem.table)
    assert rules.predict(problem.table).tolist() == [
        rules.schema.classes[(rules.rules[place] if place >= 0 else rules.default).value]
        for place in first
    ]
    shares = rules.distribution(problem.table)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    for place, row, share in zip(first, problem.named, shares, strict=True):
        printed = [And(rule.expressions(rules.schema)).evaluate(row) for rule in rules.rules]
        assert place == (printed.index(True) if True in printed else -1)
        answer = (rules.rules[place] if place >= 0 else rules.default).value
        assert share[answer] == share.max()
        assert np.argmax(share) == answer


@pytest.mark.long
@given(problem=problems(), way=st.sampled_from(WAYS))
def test_records_are_those_of_the_training_rows(problem, way):
    rules = problem.make(**way)
    first = rules.apply(problem.table)
    everything = [*rules.rules, rules.default]
    for place, rule in enumerate(everything):
        answered = first == (place if rule.conditions else -1)
        right = answered & (problem.codes == rule.value)
        covered = rule.covers(problem.table) if rule.conditions else answered
        by_class = np.bincount(
            problem.codes[covered], problem.weights[covered], problem.tree.n_outputs
        )
        assert rule.class_weights == tuple(by_class.tolist())
        assert rule.answered == problem.weights[answered].sum()
        assert rule.answered_right == problem.weights[right].sum()
        low, high = rule.interval(0.95)
        assert 0.0 <= low <= high <= 1.0
        if rule.conditions:
            assert rule.cover > 0.0
            assert low <= rule.probability <= high
            assert 1.0 - rule.error_rate <= rule.probability + 1e-12
    accuracy = np.average(first_values(everything, first) == problem.codes, weights=problem.weights)
    assert rules.training_accuracy == pytest.approx(accuracy)
    merged = [rule.expressions(rules.schema) for rule in rules.rules]
    assert len(set(map(frozenset, merged))) == len(merged)


def first_values(rules: list[Any], first: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.array([rule.value for rule in rules])[first]


@pytest.mark.long
@given(problem=problems(), way=st.sampled_from(WAYS), data=st.data())
def test_order_of_rows_and_repeated_rows_do_not_matter(problem, way, data):
    rules = problem.make(**way)
    order = np.array(data.draw(st.permutations(range(len(problem.codes)))))
    assert problem.taking(order, problem.weights[order]).make(**way) == rules
    repeated = np.repeat(np.arange(len(problem.codes)), problem.weights.astype(int))
    assert problem.taking(repeated, np.ones(len(repeated))).make(**way) == rules
    absent = np.concatenate([order, order[:3]])
    weights = np.concatenate([problem.weights[order], np.zeros(len(order[:3]))])
    assert problem.taking(absent, weights).make(**way) == rules


@pytest.mark.long
@given(problem=problems(), way=st.sampled_from(WAYS))
def test_names_of_classes_are_only_names(problem, way):
    schema = problem.tree.schema
    renamed = schema.with_target(schema.target, tuple(range(len(schema.classes))))
    tree = Tree(problem.tree.core, renamed)
    other = Problem(tree, problem.values, problem.codes, problem.weights).make(**way)
    rules = problem.make(**way)
    assert (other.rules, other.default) == (rules.rules, rules.default)


@pytest.mark.long
@given(problem=problems())
def test_a_rule_set_survives_every_way_of_carrying_it(problem):
    rules = problem.make(selection="none")
    carried = RuleSet.from_json(json.loads(json.dumps(rules.to_json())), rules.schema)
    for other in (carried, pickle.loads(pickle.dumps(rules))):
        assert other == rules
        assert hash(other) == hash(rules)
        assert str(other) == str(rules)
    assert len(rules.to_sentences()) == len(rules) + 1
    assert all("\n" not in line for line in rules.to_sentences())
