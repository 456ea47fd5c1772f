"""Subsets of levels at every node of a tree, against sums that are taken row by row."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import _core
from treewright.splits import Best, Categorical

MISSING = 0  # rows without a level are searched over like one more
WEIGHTS = ("one", "whole", "uneven")


def problem(seed, *, n_levels, n_rows, n_classes, weights="one", gaps=0.0):
    """A table of three categorical columns, and a target that two of them tell of."""
    rng = np.random.default_rng(seed)
    # Few levels of many, the first and the last among them, so that each is there several times.
    some = np.unique([0, *rng.integers(0, n_levels, 8), n_levels - 1])
    codes = rng.choice(some, (n_rows, 3)).astype(float)
    signal = np.sin(codes[:, 0]) + np.cos(codes[:, 1]) + rng.normal(size=n_rows)
    codes[rng.random(codes.shape) < gaps] = np.nan
    drawn = {"one": np.ones(n_rows), "whole": rng.integers(1, 4, n_rows)}
    weight = drawn.get(weights, rng.random(n_rows)).astype(float)
    table = _core.Table(np.asfortranarray(codes), np.full(3, n_levels, dtype=np.int32))
    if n_classes == 0:
        numbers = 1e3 + np.round(signal, 1)
        return codes, numbers, weight, table, _core.Target.numbers(numbers, weight)
    labels = np.clip(np.round(signal + 0.5), 0, n_classes - 1).astype(np.int32)
    return codes, labels, weight, table, _core.Target.classes(labels, n_classes, weight)


def grow(table, target, *, kind="subset", missing=MISSING, least=1, gain="plain", ranked=False):
    options = _core.GrowOptions()
    options.measure = "gini" if target.labels.size else "squared_error"
    options.gain = gain
    options.missing = missing
    options.min_samples_leaf = least
    method = Best(Categorical(kind)).build()
    ranks = _core.Ranks(table, target) if ranked else None
    return _core.grow(table, target, method, options, ranks=ranks)[0]


def spread(y, w, n_classes):
    """Return W times the impurity of some rows, taken one by one."""
    if n_classes == 0:
        mean = sum(a * b for a, b in zip(w, y, strict=True)) / sum(w)
        return sum(a * (b - mean) ** 2 for a, b in zip(w, y, strict=True))
    parts = [sum(a for a, b in zip(w, y, strict=True) if b == c) for c in range(n_classes)]
    return sum(w) - sum(part**2 for part in parts) / sum(w)


def best_gain(codes, y, w, n_classes, least):
    """Return the largest decrease by a cut of the levels in the order of their means."""
    levels = np.where(np.isnan(codes), np.inf, codes)  # the last among equal means
    parts = {level: levels == level for level in set(levels)}
    mean = {level: np.average(y[part], weights=w[part]) for level, part in parts.items()}
    best, left = 0.0, np.zeros(len(y), dtype=bool)
    for level in sorted(parts, key=lambda one: (round(mean[one], 9), one))[:-1]:
        left = left | parts[level]
        sides = [set(levels[side]) - {np.inf} for side in (left, ~left)]
        if not all(sides) or min(left.sum(), (~left).sum()) < least:
            continue
        after = sum(spread(y[side], w[side], n_classes) for side in (left, ~left))
        best = max(best, spread(y, w, n_classes) - after)
    return best


def rows_of_nodes(tree, codes):
    """Return the rows of every node, as its splits send them."""
    rows = {0: np.arange(len(codes))}
    for node in range(tree.n_nodes):
        if tree.n_branches[node] == 0:
            continue
        _, features, _ = tree.test(node)
        n_left = features[1]
        level = codes[rows[node], features[0]]
        branch = np.full(len(level), tree.default_branch[node])
        branch[np.isin(level, features[2 : 2 + n_left])] = 0
        branch[np.isin(level, features[2 + n_left :])] = 1
        for b in (0, 1):
            rows[tree.first_child[node] + b] = rows[node][branch == b]
    return rows


@pytest.mark.parametrize("n_levels", [2, 5, 40, 3_000, 70_000])
@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("ranked", [False, True])
def test_every_node_has_the_best_subset(n_levels, n_classes, weights, ranked):
    drawn = {"n_levels": n_levels, "n_classes": n_classes, "weights": weights}
    for n_rows, gaps, least in ((4, 0.0, 1), (60, 0.0, 1), (60, 0.2, 1), (90, 0.1, 4)):
        codes, y, w, table, target = problem(n_rows, n_rows=n_rows, gaps=gaps, **drawn)
        tree = grow(table, target, least=least, ranked=ranked)
        assert n_rows < 10 or tree.n_nodes > 4
        for node, rows in rows_of_nodes(tree, codes).items():
            if tree.n_branches[node] == 0:
                continue
            assert tree.rows[node] == len(rows)
            gains = [
                best_gain(column, y[rows], w[rows], n_classes, least) for column in codes[rows].T
            ]
            assert tree.gain[node] == pytest.approx(max(gains), rel=1e-8)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize(
    ("kind", "n_levels"),
    [(kind, n) for kind in ("subset", "multiway", "grouped") for n in (2, 30)]
    # Too many levels for keys of three classes, and of any.
    + [("subset", 30_000), ("subset", 70_000)],
)
def test_keys_of_levels_change_no_tree(kind, n_levels, n_classes):
    for weights in WEIGHTS:
        for missing in range(5):
            drawn = {"n_levels": n_levels, "n_classes": n_classes, "weights": weights}
            *_, table, target = problem(7, n_rows=80, gaps=0.1, **drawn)
            options = {"kind": kind, "missing": missing, "least": 2}
            ranked = grow(table, target, ranked=True, **options)
            assert ranked == grow(table, target, **options)


@pytest.mark.parametrize("gain", ["plain", "ratio", "balanced"])
def test_of_equal_columns_the_first_is_read(gain):
    codes, _, _, _, target = problem(0, n_levels=6, n_rows=200, n_classes=2)
    twins = np.asfortranarray(codes[:, [0, 0, 1]])
    tree = grow(_core.Table(twins, np.full(3, 6, dtype=np.int32)), target, gain=gain)
    inner = np.flatnonzero(np.asarray(tree.n_branches) > 0)
    assert {tree.test(node)[1][0] for node in inner} == {0, 2}


def test_order_of_rows_is_nothing():
    codes, labels, _, table, target = problem(0, n_levels=50, n_rows=300, n_classes=2, gaps=0.1)
    order = np.random.default_rng(1).permutation(300)
    mixed = _core.Table(np.asfortranarray(codes[order]), np.full(3, 50, dtype=np.int32))
    its_target = _core.Target.classes(labels[order], 2, np.ones(300))
    tree, other = grow(table, target), grow(mixed, its_target)
    assert tree == other


def test_ranks_of_other_levels_are_refused():
    codes, _, _, table, target = problem(0, n_levels=5, n_rows=60, n_classes=2)
    fewer = _core.Table(np.asfortranarray(codes), np.full(3, 6, dtype=np.int32))
    with pytest.raises(ValueError, match="of another table or of other labels"):
        _core.grow(
            table,
            target,
            Best(Categorical("subset")).build(),
            _core.GrowOptions(),
            ranks=_core.Ranks(fewer, target),
        )
