"""Cuts that lose least, found without sorting all rows: the same as by sorting them."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import _core


def all_cuts(values, extra, gap):
    order = np.argsort(values, kind="stable")
    values, lost = values[order], np.cumsum(extra[order])
    ends = np.flatnonzero(values[1:] - values[:-1] > gap)
    return lost[ends], values[ends], values[ends + 1]


def drawn(seed):
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(0, 1500))
    kinds = [
        random.normal(size=n_rows),
        random.integers(0, 9, n_rows).astype(float),
        np.exp(9.0 * random.normal(size=n_rows)),
        random.normal(size=n_rows).round(1) + 1e6,
        1e-300 * random.normal(size=n_rows),
        np.where(random.random(n_rows) < 0.1, 1e308, -1e308),
    ]
    values = kinds[seed % len(kinds)]
    extra = random.normal(size=n_rows) if seed % 2 else random.integers(-4, 5, n_rows) * 0.25
    return values, extra, float(random.choice([0.0, 1e-12, 0.1]) * np.abs(values).max(initial=0.0))


@pytest.mark.parametrize("seed", range(120))
def test_the_cuts_that_lose_least_are_among_them(seed):
    values, extra, gap = drawn(seed)
    with np.errstate(over="ignore"):
        expected = np.array(all_cuts(values, extra, gap))
        found = np.array(_core.cheap_cuts(values, extra, gap))
    assert (found.shape[1] == 0) == (expected.shape[1] == 0)
    if not expected.shape[1]:
        return
    np.testing.assert_allclose(found[0].min(), expected[0].min(), rtol=1e-9, atol=1e-9)
    of_all = {(low, high): lost for lost, low, high in expected.T}
    best = expected[:, expected[0] == expected[0].min()] if seed % 2 == 0 else expected[:, :0]
    cuts = {(low, high): lost for lost, low, high in found.T}
    assert {(low, high) for _, low, high in best.T} <= cuts.keys()
    for cut, lost in cuts.items():
        np.testing.assert_allclose(lost, of_all[cut], rtol=1e-9, atol=1e-9)
    assert (np.diff(found[1]) > 0.0).all()


def test_most_rows_are_not_sorted():
    random = np.random.default_rng(0)
    values = random.normal(size=100_000)
    extra = np.where(random.random(100_000) < 0.5 + 0.3 * np.tanh(values), 1.0, -1.0)
    lost, _, _ = _core.cheap_cuts(values, extra, 0.0)
    assert len(lost) < 20_000


def test_one_loss_a_value():
    with pytest.raises(ValueError, match="one loss a value"):
        _core.cheap_cuts(np.zeros(3), np.zeros(2), 0.0)
