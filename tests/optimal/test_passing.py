"""Which rows pass conditions: bits and ranks say the same."""

from __future__ import annotations

import numpy as np
import pytest

from treewright import OptimalTreeClassifier
from treewright.optimal.columns import table_tests
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.goals import ClassGoal
from treewright.optimal.passing import Packed, Ranked, packed


@pytest.mark.parametrize("n_rows", [1, 7, 8, 9, 70_001])
def test_ranks_become_bits_and_bits_ranks(n_rows: int) -> None:
    random = np.random.default_rng(n_rows)
    n_tests = 600 if n_rows < 100 else 3
    ranks = random.integers(0, n_tests + 1, n_rows).astype(np.int32)
    ranked = Ranked(ranks, n_tests)
    expected = ranks <= np.arange(n_tests)[:, None]
    assert (ranked.bits() == packed(expected)).all()
    assert (ranked.bits_at(1) == packed(expected)[1]).all()
    chain = np.zeros(n_tests, dtype=np.int32)
    for rows in (ranked, Packed(ranked.bits())):
        assert len(rows) == n_tests
        (found,) = rows.ranks(chain, n_rows)
        assert found.tolist() == ranks.tolist()


def dictionary_of(values: np.ndarray) -> Dictionary:
    """All conditions of a table with a two-valued, two long and two short columns."""
    n_levels = np.zeros(values.shape[1], dtype=np.int32)
    n_levels[-1] = 4
    goal = ClassGoal((np.arange(len(values)) % 2).astype(np.int32), np.ones(len(values)), 2)
    return table_tests(values, n_levels, goal, "all").dictionary()


def table(seed: int, *, gaps: bool) -> np.ndarray:
    random = np.random.default_rng(seed)
    n_rows = 97
    values = np.column_stack(
        [
            random.integers(0, 2, n_rows),
            random.normal(size=n_rows),
            random.normal(size=n_rows).round(1),
            random.integers(0, 5, n_rows),
            random.integers(0, 4, n_rows),
        ]
    ).astype(float)
    if gaps:
        values[random.random(values.shape) < 0.2] = np.nan
    return values


@pytest.mark.parametrize("gaps", [False, True])
def test_a_dictionary_gives_bits_of_some_conditions_without_making_all(gaps: bool) -> None:
    values = table(0, gaps=gaps)
    some = [0, 3, 50, 51, 120]
    apart, whole = dictionary_of(values), dictionary_of(values).bits
    assert (apart.bits_of(some) == whole[some]).all()
    assert "bits" not in apart.__dict__
    assert (apart.bits == whole).all()
    assert (apart.bits_of(some) == whole[some]).all()


@pytest.mark.parametrize("gaps", [False, True])
def test_ranks_count_the_conditions_of_a_chain_that_fail(gaps: bool) -> None:
    values = table(1, gaps=gaps)
    dictionary = dictionary_of(values)
    passes = np.array([dictionary.passes(test) for test in range(len(dictionary))])
    expected, chains = [], dictionary.chain.tolist()
    for test, chain in enumerate(chains):
        if chain < 0 or test == 0 or chain != chains[test - 1]:
            expected.append(np.zeros(len(values), dtype=int))
        expected[-1] += ~passes[test]
    assert dictionary.ranks().tolist() == np.array(expected).tolist()


def test_all_thresholds_of_a_large_table_take_little_memory() -> None:
    """Bits of 40,000 thresholds would take 100 MB; no array of a search has so many cells."""
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 2))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > -0.2)
    model = OptimalTreeClassifier(max_depth=2, thresholds="all", memory_limit=30).fit(X, y)
    assert model.certificate_.proven
    assert model.certificate_.objective == 0.0
