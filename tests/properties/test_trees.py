"""What holds for every expression, predicate, tree and model file, whatever is in it."""

from __future__ import annotations

import copy
import json
import pickle
import unicodedata

import jsonschema
import numpy as np
import pytest
from handmade import close
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    KINDS,
    TESTS_OF_KIND,
    coded_rows,
    expressions,
    named_rows,
    schemas,
    trees,
)

from treewright import _core
from treewright.expressions import And, Not, merge_conditions, negate
from treewright.modelfile import ModelFile, model_from_text, model_schema, model_to_text
from treewright.predicates import Linear, decode
from treewright.predicates.predicate_json import predicate_from_json
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

ONE_WAY = tuple(policy for policy in MISSING_POLICIES if policy != "fraction")
PUBLISHED = jsonschema.Draft202012Validator(model_schema())


def is_plain(text: str) -> bool:
    """Whether a terminal would show every character of it."""
    hidden = {"Cc", "Cs", "Zl", "Zp"}
    return all(c == "\n" or unicodedata.category(c) not in hidden for c in text)


@pytest.mark.long
@given(st.data())
def test_opposite_is_true_where_the_expression_is_false(data):
    schema = data.draw(schemas())
    expression = data.draw(expressions(schema))
    for row in named_rows(schema, data.draw(coded_rows(schema))):
        answer = expression.evaluate(row)
        expected = None if answer is None else not answer
        assert negate(expression).evaluate(row) is expected
        assert Not(expression).evaluate(row) is expected


@pytest.mark.long
@given(st.data())
def test_merged_conditions_hold_where_all_conditions_hold(data):
    schema = data.draw(schemas())
    conditions = data.draw(st.lists(expressions(schema, 1), max_size=6))
    merged = merge_conditions(conditions)
    assert merge_conditions(merged) == merged
    half = len(conditions) // 2
    assert merge_conditions((*merge_conditions(conditions[:half]), *conditions[half:])) == merged
    for row in named_rows(schema, data.draw(coded_rows(schema))):
        assert And(merged).evaluate(row) is And(tuple(conditions)).evaluate(row)


@given(st.data())
def test_every_expression_has_words(data):
    schema = data.draw(schemas())
    expression = data.draw(expressions(schema))
    assert str(expression)
    assert is_plain(str(expression))
    assert "\n" not in str(expression)
    assert set(expression.columns) <= set(schema.columns)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_words_of_a_branch_say_what_the_core_does(kind, data):
    schema = data.draw(schemas())
    predicate = data.draw(TESTS_OF_KIND[kind](schema))
    values = data.draw(coded_rows(schema))
    branches = predicate.branches(schema)
    routed = _core.route(predicate.encode(), _core.Table(values, schema.n_levels))
    for row, branch in zip(named_rows(schema, values), routed.tolist(), strict=True):
        holding = [i for i, part in enumerate(branches) if part.evaluate(row) is True]
        assert holding == ([] if branch < 0 else [branch])


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_predicate_survives_every_way_of_carrying_it(kind, data):
    schema = data.draw(schemas())
    predicate = data.draw(TESTS_OF_KIND[kind](schema))
    assert decode(predicate.encode()) == predicate
    carried = json.loads(json.dumps(predicate.to_json()))
    assert predicate_from_json(carried, schema) == predicate
    assert pickle.loads(pickle.dumps(predicate)) == predicate
    assert _core.check_test(predicate.encode(), schema.n_levels) == predicate.n_branches
    assert len(predicate.branches(schema)) == predicate.n_branches
    read = {column.name for part in predicate.branches(schema) for column in part.columns}
    assert read == {schema.columns[column].name for column in predicate.columns}
    terms = len(predicate.terms) if isinstance(predicate, Linear) else len(read)
    assert predicate.n_terms == terms


@pytest.mark.long
@given(trees())
def test_a_tree_survives_every_way_of_carrying_it(tree):
    tree.validate()
    carried = Tree.from_json(json.loads(json.dumps(tree.to_json())), tree.schema)
    carried.validate()
    for other in (carried, pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert other == tree
        assert hash(other) == hash(tree)


@pytest.mark.long
@given(trees(), st.dictionaries(st.text(), st.none() | st.integers(-9, 9) | st.text()))
def test_a_model_survives_its_file(tree, parameters):
    model = ModelFile(tree, "TreeClassifier", parameters)
    text = model_to_text(model)
    loaded = model_from_text(text.encode())
    assert loaded == model
    assert model_to_text(loaded) == text
    PUBLISHED.validate(json.loads(text))


@pytest.mark.long
@given(st.data())
def test_exactly_one_path_leads_each_complete_row_to_its_leaf(data):
    # A level on neither side of a subset, and sums that overflow, are unknown too.
    tree = data.draw(trees(kinds=("axis", "multiway"), max_depth=4))
    values = data.draw(coded_rows(tree.schema, missing=False))
    leaves = tree.apply(_core.Table(values, tree.schema.n_levels))
    paths = [(leaf.id, And(path), And(merge_conditions(path))) for leaf, path in tree.paths()]
    for row, leaf in zip(named_rows(tree.schema, values), leaves.tolist(), strict=True):
        assert [number for number, path, _ in paths if path.evaluate(row)] == [leaf]
        assert [number for number, _, path in paths if path.evaluate(row)] == [leaf]


@pytest.mark.long
@given(st.data())
def test_a_row_passes_from_the_root_to_where_it_ends(data):
    tree = data.draw(trees(policies=ONE_WAY))
    values = data.draw(coded_rows(tree.schema))
    table = _core.Table(values, tree.schema.n_levels)
    passed = tree.decision_path(table)
    assert passed.shape == (len(values), tree.n_nodes)
    for row, end in enumerate(tree.apply(table).tolist()):
        node, way = tree.node(end), []
        assert node.is_leaf or node.may_stop
        while node.parent is not None:
            way.append(node.id)
            assert tree.node(node.parent).children[node.branch] == node.id
            node = tree.node(node.parent)
        assert passed[[row]].indices.tolist() == [0, *reversed(way)]


@pytest.mark.long
@given(st.data())
def test_shares_of_a_row_add_up(data):
    tree = data.draw(trees())
    table = _core.Table(data.draw(coded_rows(tree.schema)), tree.schema.n_levels)
    shares = tree.leaf_shares(table)
    assert np.allclose(shares.sum(axis=1), 1.0)
    ends = np.array([node.is_leaf or node.may_stop for node in map(tree.node, range(tree.n_nodes))])
    assert ends[shares.indices].all()
    if tree.is_classification:
        distribution = tree.distribution(table)
        assert np.allclose(distribution.sum(axis=1), 1.0)
        known = [(type(label), label) for label in tree.schema.classes]
        assert all((type(label), label) in known for label in tree.predict(table).tolist())
    else:
        assert np.isfinite(tree.predict(table)).all()


@pytest.mark.long
@given(trees())
def test_sizes_are_those_of_the_walk(tree):
    nodes = list(tree.walk())
    leaves = [node for node in nodes if node.is_leaf]
    assert sorted(node.id for node in nodes) == list(range(tree.n_nodes))
    assert [leaf.id for leaf in tree.leaves()] == [leaf.id for leaf in leaves]
    assert [leaf.id for leaf, _ in tree.paths()] == [leaf.id for leaf in leaves]
    assert len(leaves) == tree.n_leaves == tree.n_leaves_below(0)
    assert max(node.depth for node in nodes) == tree.depth
    for leaf, path in tree.paths():
        assert leaf.depth == len(path)
    terms = {node.id: node.predicate.n_terms if node.predicate else 0 for node in nodes}
    assert tree.complexity == 1 + sum(terms.values())
    root = nodes[0].weight
    effort = sum(terms[node.id] * node.weight for node in nodes) / root if root else 0.0
    assert close(tree.reading_effort, effort)
    average = 0.0
    for leaf in leaves:
        node, total = leaf, 0
        while node.parent is not None:
            node = tree.node(node.parent)
            total += terms[node.id]
        average += total / leaf.depth if leaf.depth else 1.0
    assert close(tree.path_complexity, average)


@pytest.mark.long
@given(st.data())
def test_cutting_keeps_what_is_above(data):
    tree = data.draw(trees())
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1), max_size=4))
    cut = tree.collapse(chosen)
    cut.validate()
    assert tree.collapse([]) == tree
    origin = cut.origin.tolist()
    for new, old in enumerate(origin):
        after, before = cut.node(new), tree.node(old)
        assert after.statistics == before.statistics
        assert after.label == before.label
        assert after.is_leaf == (before.is_leaf or old in chosen)
        assert [origin[child] for child in after.children] == (
            [] if after.is_leaf else list(before.children)
        )


@pytest.mark.long
@given(st.data(), trees(policies=ONE_WAY, forked=True))
def test_rows_end_in_a_cut_tree_where_they_passed_before(data, tree):
    cut = tree.collapse(data.draw(st.sets(st.integers(0, tree.n_nodes - 1), max_size=4)))
    table = _core.Table(data.draw(coded_rows(tree.schema)), tree.schema.n_levels)
    passed = tree.decision_path(table).toarray()
    for row, leaf in enumerate(cut.apply(table).tolist()):
        assert passed[row, cut.origin[leaf]] == 1


@pytest.mark.long
@given(trees(), st.integers(20, 120), st.booleans(), st.none() | st.integers(0, 3))
def test_every_tree_can_be_read(tree, width, flag, max_depth):
    text = tree.to_text(width=width, show_missing=flag, ascii_only=not flag, max_depth=max_depth)
    assert is_plain(text)
    assert all(line == line.rstrip() for line in text.splitlines())
    rules = tree.rules()
    ends = [tree.node(rule.node) for rule in tree.leaf_rules()]
    assert len(rules) == len(ends)
    assert [end.id for end in ends if end.is_leaf] == [leaf.id for leaf in tree.leaves()]
    assert all(end.is_leaf or end.may_stop for end in ends)
    assert all(is_plain(rule) and "\n" not in rule for rule in rules)


@pytest.mark.long
@given(trees())
def test_importances_share_out_the_gain(tree):
    importances = tree.feature_importances(normalized=False)
    gain = sum(node.gain for node in tree.walk())
    weight = tree.node(0).weight
    assert len(importances) == len(tree.schema.columns)
    assert close(importances.sum(), gain / weight if weight > 0 else 0.0)
    total = tree.feature_importances().sum()
    assert close(total, 1.0) or (gain == 0.0 and total == 0.0)
