"""What holds of every explanation, for trees with tests of all kinds.

The twin tries every value of a grid on which all thresholds lie; on it the nearest change must be
as small as the best that the twin finds.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from effective import to_the_point
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import GRID, coded_rows, named_rows, trees

from treewright import _core
from treewright.explain import Explanation, Scales, explain_row
from treewright.explain.scales import level_frequencies
from treewright.predicates import decode
from treewright.schema import Schema
from treewright.tree import Tree

STEPS = np.arange(-250, 326, 25) / 100.0  # the grid of the strategies, and a step beyond its ends
LEVEL_KINDS = ("subset", "multiway")
BOX_KINDS = ("axis", "subset", "multiway", "pair")
# Explaining searches, so it is tried on fewer rows where there are many.
some = settings(max_examples=max(40, settings().max_examples // 10))


def drawn(
    data: st.DataObject, tree: Tree, mostly_known: bool = False
) -> tuple[dict[str, Any], np.ndarray]:
    """One row by name, and as the core sees it: of the levels 1 and True it may take the other."""
    missing = not mostly_known or data.draw(st.integers(0, 4)) == 0
    (row,) = named_rows(tree.schema, data.draw(coded_rows(tree.schema, missing, most=1)))
    return row, tree.schema.encode([row])


def on_grid(values: np.ndarray, schema: Schema) -> bool:
    """Whether all numbers of a row lie on the grid that the twin searches."""
    numbers = [v for v, c in zip(values, schema.columns, strict=True) if c.kind == "numeric"]
    return all(math.isnan(v) or v in STEPS for v in numbers)


def answers(tree: Tree, values: np.ndarray) -> list[float]:
    """What the tree says to rows as the core sees them: numbers, or codes of classes.

    As labels, the classes 1, 1.0 and True would be equal.
    """
    core, table = tree.core, _table(tree, values)
    found = core.predict_classes(table) if tree.is_classification else core.predict_values(table)
    return found.tolist()


def label(tree: Tree, answer: float) -> object:
    return answer if tree.schema.classes is None else tree.schema.classes[int(answer)]


def _table(tree: Tree, values: np.ndarray) -> _core.Table:
    return _core.Table(np.ascontiguousarray(values), tree.schema.n_levels)


def twin(
    tree: Tree, values: np.ndarray, most: int, scales: Scales
) -> tuple[int, float, float] | None:
    """The fewest columns, the least cost and the least rarity, by trying the whole grid."""
    (answer,) = answers(tree, values[np.newaxis])
    options: list[list[tuple[float, float, float]]] = []
    for index, (column, value) in enumerate(zip(tree.schema.columns, values, strict=True)):
        if math.isnan(value):
            options.append([(0.0, 0.0, math.nan)])
        elif column.kind == "numeric":
            options.append([(abs(step - value), 0.0, step) for step in STEPS.tolist()])
        else:
            codes = range(len(column.levels))
            reach = max(1, len(codes) - 1)
            is_ordered = column.kind == "ordinal"
            costs = [abs(c - value) / reach if is_ordered else float(c != value) for c in codes]
            rarities = [scales.rarity(index, code) for code in codes]
            options.append(list(zip(costs, rarities, map(float, codes), strict=True)))
    for count in range(1, most + 1):
        best = (math.inf, math.inf)
        for chosen in itertools.combinations(range(len(options)), count):
            changes = list(itertools.product(*(options[column] for column in chosen)))
            rows = np.tile(values, (len(changes), 1))
            rows[:, chosen] = [[value for *_, value in change] for change in changes]
            for change, other in zip(changes, answers(tree, rows), strict=True):
                if other != answer:
                    costs, rarities, _ = zip(*change, strict=True)
                    best = min(best, (math.fsum(costs), math.fsum(rarities)))
        if best[0] < math.inf:
            return count, *best
    return None


def grid_scales(tree: Tree) -> Scales:
    """Sizes of 1; numbers with two digits behind the point, of which the twin tries every 25th."""
    n = tree.schema.n_columns
    return Scales((1.0,) * n, (2,) * n, ((-math.inf, math.inf),) * n)


def changed(tree: Tree, values: np.ndarray, explanation: Explanation) -> np.ndarray:
    """The row with the nearest change made, and only known values of known levels changed."""
    assert explanation.nearest is not None
    row = values.copy()
    for change in explanation.nearest.changes:
        index = tree.schema.index(change.column)
        levels = [(type(level), level) for level in tree.schema.columns[index].levels]
        assert not math.isnan(row[0, index])
        after = levels.index((type(change.after), change.after)) if levels else change.after
        row[0, index] = after
    return row


@pytest.mark.long
@pytest.mark.effective(0.75)
@given(st.data(), trees(forked=True))
@some
def test_the_nearest_change_really_gives_the_answer_it_names(data, tree):
    row, values = drawn(data, tree, mostly_known=True)
    explanation = explain_row(tree, row)
    (answer,) = answers(tree, values)
    assert explanation.label == label(tree, answer)
    if not to_the_point(explanation.nearest):
        assert explanation.note
        return
    (other,) = answers(tree, changed(tree, values, explanation))
    assert other != answer
    assert label(tree, other) == explanation.nearest.label


@pytest.mark.long
@pytest.mark.effective(0.6)
@given(st.data(), trees(max_depth=2, kinds=BOX_KINDS, forked=True))
@some
def test_no_smaller_change_on_the_grid_gives_another_answer(data, tree):
    assume(all(t in GRID for t in thresholds(tree)))
    row, values = drawn(data, tree, mostly_known=True)
    assume(on_grid(values[0], tree.schema))
    most = 2
    scales = grid_scales(tree)
    best = twin(tree, values[0], most, scales)
    found = explain_row(tree, row, scales=scales).nearest
    if not to_the_point(best):
        assert found is None or len(found.changes) > most
        return
    assert best is not None
    assert found is not None
    count, cost, _ = best
    assert len(found.changes) == count
    # A step of the twin is 0.25, one of the search 0.01.
    assert found.cost <= cost + 1e-9
    assert found.cost > cost - 0.25 * count


@pytest.mark.long
@pytest.mark.effective(0.4)
@given(st.data(), trees(max_depth=2, kinds=LEVEL_KINDS, forked=True))
@some
def test_no_equal_change_has_more_frequent_levels(data, tree):
    row, values = drawn(data, tree, mostly_known=True)
    assume(not reads_numbers(tree))  # surrogates may, in finer steps than those of the twin
    counted = data.draw(coded_rows(tree.schema, most=12))
    scales = replace(grid_scales(tree), frequencies=level_frequencies(tree.schema, counted))
    best = twin(tree, values[0], 2, scales)
    explanation = explain_row(tree, row, scales=scales)
    if not to_the_point(best):
        assert explanation.nearest is None or len(explanation.nearest.changes) > 2
        return
    assert best is not None
    after = changed(tree, values, explanation)[0]
    moved = [tree.schema.index(change.column) for change in explanation.nearest.changes]
    rarity = math.fsum(scales.rarity(column, after[column]) for column in moved)
    assert (len(moved), explanation.nearest.cost, rarity) == best


def reads_numbers(tree: Tree) -> bool:
    """Tell whether a split or a surrogate asks for a number."""
    inner = [node for node in range(tree.n_nodes) if tree.core.n_branches[node]]
    tests = [tree.core.test(node) for node in inner]
    tests += [test for node in inner for test, *_ in tree.core.surrogates(node)]
    columns = {column for test in tests if test is not None for column in decode(test).columns}
    return any(tree.schema.n_levels[column] == 0 for column in columns)


def thresholds(tree: Tree) -> list[float]:
    numbers = tree.core.state()["numbers"].tolist()
    for node in range(tree.n_nodes):
        for (_, _, more), *_ in tree.core.surrogates(node) if tree.core.n_branches[node] else ():
            numbers += more
    return numbers


@pytest.mark.long
@given(st.data(), trees())
@some
def test_the_steps_are_the_way_of_the_row(data, tree):
    row, values = drawn(data, tree)
    explanation = explain_row(tree, row)
    visited = set(tree.decision_path([row]).indices.tolist())
    assert {step.node for step in explanation.steps} == {
        node for node in visited if not tree.node(node).is_leaf
    }
    for step in explanation.steps:
        assert set(step.children) <= visited
        unknown = tree.core.route(step.node, _table(tree, values))[0] < 0
        assert (step.decided_by != "test") == unknown
        assert (step.margin is None) or step.margin >= 0.0
    assert bool(explanation.unsure) == any(s.decided_by != "test" for s in explanation.steps)


@pytest.mark.long
@pytest.mark.effective(0.75)
@given(
    st.data(),
    trees(max_depth=2, kinds=BOX_KINDS, policies=("default", "stop", "surrogate"), forked=True),
)
@some
def test_the_possible_answers_are_those_of_filled_rows(data, tree):
    assume(all(t in GRID for t in thresholds(tree)))
    row, values = drawn(data, tree, mostly_known=True)
    column = data.draw(st.sampled_from(tree.node(0).predicate.columns))
    row[tree.schema.names[column]], values[0, column] = None, math.nan
    gaps = [i for i in range(tree.schema.n_columns) if math.isnan(values[0, i])]
    assume(len(gaps) <= 2)
    columns = [tree.schema.columns[index] for index in gaps]
    options = [
        STEPS.tolist() if column.kind == "numeric" else range(len(column.levels))
        for column in columns
    ]
    filled = list(itertools.product(*options))
    rows = np.tile(values, (len(filled), 1))
    rows[:, gaps] = filled
    explanation = explain_row(tree, row)
    if to_the_point(explanation.unsure):
        assert len(explanation.possible) == len(set(answers(tree, rows)))


@pytest.mark.long
@given(st.data(), trees())
@some
def test_each_crossing_turns_its_test(data, tree):
    row, values = drawn(data, tree)
    for step in explain_row(tree, row).steps:
        before = tree.core.route(step.node, _table(tree, values))[0]
        for crossing in step.crossings:
            index = tree.schema.index(crossing.column)
            assert crossing.at - values[0, index] == crossing.change
            slack = 1e-8 * max(abs(crossing.at), abs(values[0, index]), 1e-300)
            moved = np.tile(values, (5, 1))
            with np.errstate(over="ignore"):  # beside the largest number
                moved[:, index] = [
                    crossing.at,
                    np.nextafter(crossing.at, np.inf),
                    np.nextafter(crossing.at, -np.inf),
                    crossing.at + slack,
                    crossing.at - slack,
                ]
            assert any(tree.core.route(step.node, _table(tree, moved)) != before)
