"""The search over a pool of conditions beside one that tries all trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pool_twin import PoolCase, draw, with_limits

from treewright import _core


def search(case: PoolCase, n_jobs: int = 1, max_leaves: int = 8):
    bits = np.packbits(case.met, axis=1, bitorder="little")
    limits = (case.gini, case.min_weight, case.max_depth, max_leaves, n_jobs)
    columns = [sorted(read) for read in case.columns]
    rules = case.limits.core() if columns else None
    return _core.search_pool(
        bits,
        case.amounts,
        case.costs,
        case.prices,
        *limits,
        columns=columns,
        rules=rules,
        trends=np.array(case.trends, dtype=np.int32) if case.trends else None,
    ).trees


def n_leaves(tree) -> int:
    return int((tree.first >= 0).sum()) + 1


def cost_of(case: PoolCase, tree) -> float:
    """What a tree costs, from its plan alone."""

    def below(place: int, rows: np.ndarray, above: frozenset) -> float:
        test = tree.first[place]
        if test < 0:
            return case.loss(rows)
        path = above | case.columns[test] if case.columns else above
        yes = below(tree.passed[place], rows & case.met[test], path)
        no = below(tree.failed[place], rows & ~case.met[test], path)
        return yes + no + case.price(test, above, rows)

    return below(0, np.ones(len(case.amounts), dtype=bool), frozenset())


@pytest.mark.parametrize(
    ("first", "last"), [(0, 150), pytest.param(150, 2000, marks=pytest.mark.slow)]
)
def test_every_size_costs_what_the_best_of_all_trees_costs(first, last):
    for seed in range(first, last):
        case = draw(np.random.default_rng(seed))
        found = search(case, n_jobs=1 + seed % 2)
        expected = np.minimum.accumulate(case.best()[1:])
        assert [n_leaves(one.tree) for one in found] == sorted(
            {n_leaves(one.tree) for one in found}
        )
        for leaves, best in enumerate(expected.tolist(), 1):
            costs = [one.cost for one in found if n_leaves(one.tree) <= leaves]
            assert min(costs) == pytest.approx(best, rel=1e-9)
        for one in found:
            assert cost_of(case, one.tree) == pytest.approx(one.cost, rel=1e-9)


@pytest.mark.parametrize(
    ("first", "last"), [(0, 150), pytest.param(150, 2000, marks=pytest.mark.slow)]
)
def test_under_limits_of_columns_every_size_is_the_best_that_keeps_them(first, last):
    n_better = 0
    for seed in range(first, last):
        random = np.random.default_rng(seed)
        case = with_limits(draw(random), random)
        found = search(case, n_jobs=1 + seed % 2)
        expected = np.minimum.accumulate(case.best()[1:])
        for leaves, best in enumerate(expected.tolist(), 1):
            costs = [one.cost for one in found if n_leaves(one.tree) <= leaves]
            assert min(costs) == pytest.approx(best, rel=1e-9)
        for one in found:
            assert cost_of(case, one.tree) == pytest.approx(one.cost, rel=1e-9)
        n_better += len(found) > 1
    assert n_better > 0.3 * (last - first)


@pytest.mark.parametrize(
    ("first", "last"), [(0, 150), pytest.param(150, 2000, marks=pytest.mark.slow)]
)
def test_with_trends_every_size_is_the_best_whose_leaves_stand_in_order(first, last):
    n_larger = 0
    for seed in range(first, last):
        random = np.random.default_rng(seed)
        case = draw(random)
        if case.amounts.shape[1] != 2:
            continue
        if random.random() < 0.3:
            case = with_limits(case, random)
        case = replace(case, trends=tuple(random.integers(-1, 2, len(case.met)).tolist()))
        found = search(case, n_jobs=1 + seed % 2)
        expected = np.minimum.accumulate(case.best()[1:])
        for leaves, best in enumerate(expected.tolist(), 1):
            costs = [one.cost for one in found if n_leaves(one.tree) <= leaves]
            assert min(costs) == pytest.approx(best, rel=1e-9)
        for one in found:
            assert cost_of(case, one.tree) == pytest.approx(one.cost, rel=1e-9)
        n_larger += len(found) > 2
    assert n_larger > 0.05 * (last - first)


def test_trends_of_three_classes_are_refused():
    amounts = np.eye(3, dtype=np.uint32)[[0, 1, 2]]
    met = np.array([[True, False, False]])
    case = PoolCase(met, amounts, 1.0 - np.eye(3), np.zeros(1), 0.5, 1.0, 2, trends=(1,))
    with pytest.raises(ValueError, match="two classes or numbers"):
        search(case)


def test_rules_without_the_columns_of_conditions_are_refused():
    case = with_limits(draw(np.random.default_rng(0)), np.random.default_rng(0))
    bits = np.packbits(case.met, axis=1, bitorder="little")
    limits = (case.gini, case.min_weight, case.max_depth, 8, 1)
    given = (bits, case.amounts, case.costs, case.prices, *limits)
    rules = _core.ColumnRules()
    with pytest.raises(ValueError, match="columns of each condition"):
        _core.search_pool(*given, columns=[[0]] * (len(bits) + 1), rules=rules)
    rules.costs = [1.0]
    with pytest.raises(ValueError, match="must have its price"):
        _core.search_pool(*given, columns=[[3]] * len(bits), rules=rules)
    with pytest.raises(ValueError, match="reads columns, ascending"):
        _core.search_pool(*given, columns=[[]] * len(bits), rules=rules)


@pytest.mark.parametrize("seed", range(80))
def test_a_split_of_a_leaf_costs_what_its_two_leaves_cost(seed):
    random = np.random.default_rng(seed)
    case = draw(random)
    rows = np.flatnonzero(random.random(len(case.amounts)) < 0.7)
    one_leaf, costs = _core.split_costs(
        np.ascontiguousarray(case.met.T, dtype=float),
        case.amounts.astype(float),
        rows.astype(np.uint32),
        case.costs,
        case.gini,
        case.min_weight,
    )
    some = np.isin(np.arange(len(case.amounts)), rows)
    assert one_leaf == pytest.approx(case.loss(some), rel=1e-9)
    expected = [case.loss(some & met) + case.loss(some & ~met) for met in case.met]
    np.testing.assert_allclose(costs, expected, rtol=1e-9)


def test_splits_of_rows_that_are_not_there_are_refused():
    met, amounts, costs = np.ones((3, 2)), np.ones((3, 2)), np.empty((0, 0))
    with pytest.raises(ValueError, match="no such row"):
        _core.split_costs(met, amounts, np.array([3], dtype=np.uint32), costs, 0.5, 1.0)
    with pytest.raises(ValueError, match="meet or fail every condition"):
        _core.split_costs(met[:2], amounts, np.array([0], dtype=np.uint32), costs, 0.5, 1.0)


@pytest.mark.parametrize("seed", range(60))
def test_each_group_of_roots_has_its_best_tree(seed):
    random = np.random.default_rng(seed)
    case = draw(random)
    groups = random.integers(0, 3, len(case.met)).astype(np.int32)
    groups = np.unique(groups, return_inverse=True)[1].astype(np.int32)
    bits = np.packbits(case.met, axis=1, bitorder="little")
    limits = (case.gini, case.min_weight, case.max_depth, 8, 1)
    found = _core.search_pool(
        bits, case.amounts, case.costs, case.prices, *limits, groups=groups
    ).by_group
    roots = [{int(groups[one.tree.first[0]]) for one in trees} for trees in found]
    assert all(len(one) == 1 for one in roots)
    seen = [group for (group,) in roots]
    assert len(set(seen)) == len(seen)
    assert [trees[-1].cost for trees in found] == sorted(trees[-1].cost for trees in found)
    for group in range(groups.max() + 1):
        expected = np.full(9, np.inf)
        for root in np.flatnonzero(groups == group):
            sides = [
                case.best(side, case.max_depth - 1) for side in (case.met[root], ~case.met[root])
            ]
            for met, yes in enumerate(sides[0]):
                for failed, no in enumerate(sides[1]):
                    if met and failed and met + failed < 9:
                        cost = yes + no + case.prices[root]
                        expected[met + failed] = min(expected[met + failed], cost)
        expected = np.minimum.accumulate(expected)
        if group not in seen:
            assert not np.isfinite(expected[-1])
            continue
        trees = found[seen.index(group)]
        for leaves in range(2, 9):
            costs = [one.cost for one in trees if n_leaves(one.tree) <= leaves]
            assert min(costs, default=np.inf) == pytest.approx(expected[leaves], rel=1e-9)
        for one in trees:
            assert cost_of(case, one.tree) == pytest.approx(one.cost, rel=1e-9)


def test_the_trees_are_the_same_for_any_number_of_threads():
    random = np.random.default_rng(0)
    met = random.random((70, 300)) < random.random((70, 1))
    amounts = random.multinomial(127, [0.5, 0.3, 0.2], 300).astype(np.uint32)
    case = PoolCase(met, amounts, 1.0 - np.eye(3), np.zeros(70), 0.5, 500.0, 3)
    alone, together = search(case), search(case, n_jobs=2)
    assert len(alone) > 4
    for one, other in zip(alone, together, strict=True):
        assert one.cost == other.cost
        np.testing.assert_array_equal(one.tree.first, other.tree.first)


def test_of_equally_good_trees_the_first_conditions_are_taken():
    met = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)
    amounts = np.eye(2, dtype=np.uint32)[[0, 0, 1, 1]]
    case = PoolCase(met, amounts, 1.0 - np.eye(2), np.zeros(3), 0.5, 1.0, 2)
    assert search(case)[-1].tree.first.tolist() == [0, -1, -1]


def test_without_conditions_there_is_one_leaf():
    amounts = np.eye(2, dtype=np.uint32)[[0, 1, 1]]
    case = PoolCase(np.empty((0, 3), bool), amounts, 1.0 - np.eye(2), np.empty(0), 0.5, 1.0, 3)
    (only,) = search(case)
    assert n_leaves(only.tree) == 1


@pytest.mark.parametrize(
    ("depth", "leaves", "words"), [(4, 8, "depth of 1, 2 or 3"), (3, 9, "1 to 8 leaves")]
)
def test_larger_trees_are_refused(depth, leaves, words):
    amounts = np.eye(2, dtype=np.uint32)[[0, 1, 1]]
    met = np.array([[True, False, False]])
    case = PoolCase(met, amounts, 1.0 - np.eye(2), np.zeros(1), 0.5, 1.0, depth)
    with pytest.raises(ValueError, match=words):
        search(case, max_leaves=leaves)
