"""What surrounds a search in the core: columns with two values, and the nodes of its answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from optimal_twin import NUMBERS, Problem
from search_cases import SCALE, ask, draw_larger

from treewright import _core

GAP = np.nan


@pytest.mark.parametrize("kernel", _core.search_kernels())
@pytest.mark.parametrize("n_rows", [1, 2, 7, 8, 9, 16, 65])
@pytest.mark.parametrize("order", ["C", "F", "C, last row first", "C, last column first"])
def test_columns_with_two_values_are_found(n_rows: int, order: str, kernel: str) -> None:
    random = np.random.default_rng(n_rows)
    values = np.column_stack(
        [
            *random.choice([0.0, 1.0], size=(12, n_rows)),
            random.choice([3.5, -1.0], size=n_rows),
            np.full(n_rows, 7.0),
            random.choice([0.0, 1.0, 2.0], size=n_rows),
            random.choice([1.0, 0.0], size=n_rows, p=[0.1, 0.9]),
            random.choice([1.0, GAP], size=n_rows),
            random.choice([0.0, -0.0], size=n_rows),
            np.where(np.arange(n_rows) == n_rows - 1, 9.0, 4.0),
        ]
    )
    given = np.array(values, order=order[0])
    if "row" in order:
        values, given = values[::-1], given[::-1]
    if "column" in order:
        values, given = values[:, ::-1], given[:, ::-1]
    columns, low, high, bits, rest = _core.two_valued_columns(given, kernel)
    n_values = [len({*column}) for column in values.T.tolist()]  # each gap is a value of its own
    gaps = np.isnan(values).any(axis=0)
    places = range(values.shape[1])
    assert columns.tolist() == [j for j in places if n_values[j] == 2 and not gaps[j]]
    assert rest.tolist() == [j for j in places if n_values[j] > 2 or gaps[j]]
    for place, column in enumerate(columns):
        assert (low[place], high[place]) == (values[:, column].min(), values[:, column].max())
        expected = np.packbits(values[:, column] == low[place], bitorder="little")
        np.testing.assert_array_equal(bits[place], expected)


def test_a_table_without_rows_or_columns_has_no_such_column() -> None:
    for shape in ((0, 3), (3, 0)):
        columns, _, _, bits, rest = _core.two_valued_columns(np.empty(shape))
        assert len(columns) == len(rest) == 0
        assert bits.shape == (0, (shape[0] + 7) // 8)


def rows_of_nodes(problem: Problem, tree: _core.SearchTree, nodes: dict) -> list[np.ndarray]:
    """Send all rows down and check where they end."""
    rows = [np.arange(problem.n_rows)] * len(nodes["places"])
    for node, place in enumerate(nodes["places"].tolist()):
        child = nodes["first_child"][node]
        if child < 0:
            assert tree.first[place] == -1
            assert (nodes["leaf_of_row"][rows[node]] == node).all()
            continue
        assert nodes["places"][[child, child + 1]].tolist() == [
            tree.passed[place],
            tree.failed[place],
        ]
        a, b = problem.passes[tree.first[place]], problem.passes[tree.second[place]]
        passes = {0: a, 1: a & b, 2: a | b, 3: a ^ b, 4: a & ~b}[int(tree.function[place])]
        passes = passes[rows[node]]
        rows[child], rows[child + 1] = rows[node][passes], rows[node][~passes]
    return rows


@pytest.mark.parametrize("seed", range(8))
def test_nodes_of_classes(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_classes = 2 + seed % 3
    problem = draw_larger(seed, 70, 8, n_classes=n_classes, pair_levels=1, pair_functions=5)
    tree = ask(problem).tree
    bits = np.packbits(problem.passes, axis=1, bitorder="little")
    weights = random.integers(1, 5, size=70) / 2.0
    costs = problem.costs.astype(float)
    nodes = _core.class_nodes(tree, bits, problem.targets.astype(np.int32), weights, costs)
    gini, totals = [], []
    for node, rows in enumerate(rows_of_nodes(problem, tree, nodes)):
        counts = np.bincount(problem.targets[rows], weights[rows], minlength=n_classes)
        np.testing.assert_allclose(nodes["statistics"][node], counts)
        assert nodes["rows"][node] == len(rows)
        gini.append(counts.sum() - np.square(counts).sum() / counts.sum())
        totals.append(counts.sum())
        told = tree.answers[nodes["places"][node]]
        if told >= 0:
            assert nodes["value"][node] == told
        else:
            assert (counts @ costs)[int(nodes["value"][node])] == (counts @ costs).min()
    check_worth(nodes, gini, totals)


@pytest.mark.parametrize("seed", range(4))
def test_nodes_of_numbers(seed: int) -> None:
    random = np.random.default_rng(seed)
    numbers, weights = random.normal(1e3, 1.0, size=60), random.integers(1, 5, size=60) / 2.0
    targets = (SCALE * numbers).astype(np.int64)
    problem = replace(draw_larger(seed, 60, 8), targets=targets, costs=NUMBERS)
    tree = ask(problem).tree
    bits = np.packbits(problem.passes, axis=1, bitorder="little")
    nodes = _core.number_nodes(tree, bits, numbers, weights)
    squares, totals = [], []
    for node, rows in enumerate(rows_of_nodes(problem, tree, nodes)):
        mean = np.average(numbers[rows], weights=weights[rows])
        squares.append(weights[rows] @ np.square(numbers[rows] - mean))
        totals.append(weights[rows].sum())
        expected = [totals[-1], mean, squares[-1]]
        np.testing.assert_allclose(nodes["statistics"][node], expected, rtol=1e-9)
        assert nodes["value"][node] == pytest.approx(mean)
    check_worth(nodes, squares, totals)


def check_worth(nodes: dict, impurities: list[float], totals: list[float]) -> None:
    for node, child in enumerate(nodes["first_child"].tolist()):
        if child < 0:
            assert (nodes["gain"][node], nodes["heavier"][node]) == (0.0, -1)
            continue
        gain = impurities[node] - impurities[child] - impurities[child + 1]
        assert nodes["gain"][node] == pytest.approx(gain, abs=1e-9)
        assert nodes["heavier"][node] == (totals[child + 1] > totals[child])


def test_of_equally_cheap_classes_a_node_answers_as_its_parent() -> None:
    """All rows say 1; those that pass the first test, as many of both classes, say 1 as well."""
    passes = np.array([[1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 1, 0, 0]], dtype=bool)
    targets = np.array([0, 0, 1, 1, 1, 1, 1])
    once = np.array([0, 255], dtype=np.int32)  # the first test stands at the root only
    problem = Problem(passes, targets, prices=np.array([0, 0]), last_levels=once, max_depth=2)
    result = ask(replace(problem, min_rows=2))
    assert result.objective == 0
    bits = np.packbits(passes, axis=1, bitorder="little")
    costs = problem.costs.astype(float)
    nodes = _core.class_nodes(result.tree, bits, targets.astype(np.int32), np.ones(7), costs)
    assert nodes["statistics"].tolist()[:2] == [[2.0, 5.0], [2.0, 2.0]]
    assert nodes["value"].tolist()[:2] == [1.0, 1.0]


def test_wrong_arrays_are_refused() -> None:
    problem = draw_larger(0, 20, 4)
    tree = ask(problem).tree
    bits = np.packbits(problem.passes, axis=1, bitorder="little")
    codes, costs = problem.targets.astype(np.int32), np.ones((2, 2))
    with pytest.raises(ValueError, match="bit in every condition"):
        _core.class_nodes(tree, bits[:, :1].copy(), codes, np.ones(20), costs)
    with pytest.raises(ValueError, match="not among the columns"):
        _core.class_nodes(tree, bits[:0], codes, np.ones(20), costs)
    with pytest.raises(ValueError, match="has no costs"):
        _core.class_nodes(tree, bits, codes + 1, np.ones(20), costs)
    with pytest.raises(ValueError, match="a number and a weight"):
        _core.number_nodes(tree, bits, np.ones(20), np.ones(19))
