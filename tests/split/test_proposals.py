"""Conditions proposed for soft targets beside a twin that finds them the slow way."""

from __future__ import annotations

import numpy as np
import pytest
import subset_twin

from treewright import _core


def propose(
    terms,
    amounts,
    *,
    classes=True,
    n_terms=3,
    least=5.0,
    depth=1,
    samples=0,
    enough=1000,
    numeric=None,
):
    return _core.propose_conditions(
        np.ascontiguousarray(terms),
        np.ascontiguousarray(amounts),
        classes,
        len(terms) if numeric is None else numeric,
        n_terms,
        least,
        depth,
        3,
        samples,
        10,
        0.3,
        10.0,
        not classes,
        enough,
        0,
    )


def draw(seed: int, classes: bool, n_terms: int = 4, n_rows: int = 60):
    random = np.random.default_rng(seed)
    terms = random.normal(size=(n_terms, n_rows)) * random.choice([0.1, 1.0, 50.0], (n_terms, 1))
    score = np.sum(terms / terms.std(axis=1, keepdims=True), axis=0) + random.normal(size=n_rows)
    weights = random.integers(1, 4, n_rows).astype(float)
    if not classes:
        return terms, np.column_stack([weights, weights * (score - score.mean())])
    share = 1 / (1 + np.exp(-score))
    return terms, np.column_stack([weights * share, weights * (1 - share)])


def value_of(condition, terms) -> np.ndarray:
    used, weights, _, _ = condition
    return (weights[:, None] * terms[used]).sum(axis=0)


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_single_terms_are_cut_where_the_gain_is_largest(seed, classes):
    terms, amounts = draw(seed, classes)
    (only,) = propose(terms, amounts, classes=classes, n_terms=1)
    own = terms[int(only[0][0])]
    left = amounts[own <= only[2]].sum(axis=0)
    gain = subset_twin.impurity(amounts.sum(axis=0), classes) - sum(
        subset_twin.impurity(side, classes) for side in (left, amounts.sum(axis=0) - left)
    )
    best = max(subset_twin.best_gain(term, amounts, 5.0, classes) for term in terms)
    assert gain == pytest.approx(best)


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_the_twin(seed, size, classes):
    terms, amounts = draw(seed, classes, n_terms=5)
    proposed = propose(terms, amounts, classes=classes, n_terms=max(size, 3))
    found = {tuple(one[0].tolist()): one for one in proposed}
    expected = subset_twin.best_sums(
        terms, amounts, size, classes=classes, shrinkage=0.3, ridge=10.0
    )
    gains = [
        subset_twin.best_gain(weights @ terms[list(subset)], amounts, 5.0, classes)
        for subset, weights in expected
    ]
    subset, weights = expected[int(np.argmax(gains))]
    of_size = [one for key, one in found.items() if len(key) == size]
    if classes:  # the best of all sizes is followed, so a size may not be there
        of_size = [one for one in of_size if one[0].tolist() == list(subset)]
    for one in of_size:
        assert one[0].tolist() == list(subset)
        np.testing.assert_allclose(one[1], weights)
        assert one[1][0] > 0.0
        assert (np.abs(one[1]) == 1.0).any()
    assert of_size or classes


def test_rows_are_divided_as_the_printed_numbers_say():
    terms, amounts = draw(1, True, n_terms=6, n_rows=200)
    found = propose(terms, amounts, depth=4, samples=3)
    assert {len(one[0]) for one in found} == {1, 2, 3}
    assert [len(one[0]) for one in found] == sorted(len(one[0]) for one in found)
    sides = set()
    for one in found:
        met = value_of(one, terms) <= one[2]
        np.testing.assert_array_equal(met, one[3].astype(bool))
        sides.add(min(met.tobytes(), (~met).tobytes()))
    assert len(sides) == len(found)


def test_a_level_may_stand_beside_one_number():
    terms, amounts = draw(2, True, n_terms=5, n_rows=150)
    terms[2:] = terms[2:] > 0.0
    found = propose(terms, amounts, depth=3, samples=3, numeric=2)
    levels = [sum(term >= 2 for term in one[0].tolist()) for one in found if len(one[0]) > 1]
    assert max(levels) == 1
    assert all(len(one[0]) == 2 for one in found if len(one[0]) > 1)
    assert all(set(one[0].tolist()) & {0, 1} for one in found if len(one[0]) > 1)


def test_no_sample_is_drawn_when_there_are_enough_conditions():
    terms, amounts = draw(2, True, n_terms=5, n_rows=150)
    own = len(propose(terms, amounts, depth=3))
    assert len(propose(terms, amounts, depth=3, samples=5, enough=own)) == own
    one_sample = len(propose(terms, amounts, depth=3, samples=1))
    assert len(propose(terms, amounts, depth=3, samples=5, enough=own + 1)) == one_sample
    assert len(propose(terms, amounts, depth=3, samples=5)) > one_sample


def test_levels_of_numbers_are_followed_from_the_top():
    terms, amounts = draw(4, False, n_terms=5, n_rows=200)
    whole = propose(terms, amounts, classes=False, depth=3)
    some = propose(terms, amounts, classes=False, depth=3, enough=10)
    assert 10 <= len(some) < len(whole)
    assert {tuple(one[0].tolist()) for one in some} <= {tuple(one[0].tolist()) for one in whole}


def test_the_same_seed_gives_the_same_conditions():
    terms, amounts = draw(3, True)
    first, second = (propose(terms, amounts, depth=3, samples=4) for _ in range(2))
    assert [(a.tolist(), b.tolist(), c) for a, b, c, _ in first] == [
        (a.tolist(), b.tolist(), c) for a, b, c, _ in second
    ]


def test_constant_terms_and_pure_targets_propose_nothing():
    amounts = np.column_stack([np.ones(30), np.zeros(30)])
    assert propose(np.zeros((2, 30)), np.full((30, 2), 0.5)) == []
    random = np.random.default_rng(0)
    assert propose(random.normal(size=(2, 30)), amounts) == []


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_levels_are_cut_as_the_numbers_0_and_1_are(seed, classes):
    terms, amounts = draw(seed, classes, n_terms=6)
    terms[2:] = terms[2:] > np.quantile(terms[2:], 0.6, axis=1, keepdims=True)
    given = {"classes": classes, "n_terms": 1, "depth": 3, "least": 4.5}  # weights are whole
    as_levels = propose(terms, amounts, **given, numeric=2)
    as_numbers = propose(terms, amounts, **given)
    assert len(as_levels) > 2
    for one, other in zip(as_levels, as_numbers, strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        assert one[2] == other[2]


@pytest.mark.parametrize("classes", [True, False])
def test_a_level_beside_a_number_has_the_weight_that_a_number_would_have(classes):
    found = 0
    for seed in range(12):
        terms, amounts = draw(seed, classes, n_terms=2)
        terms[1] = terms[1] > 0
        alike = propose(terms, amounts, classes=classes, n_terms=2, numeric=2)
        sums = propose(terms, amounts, classes=classes, n_terms=2, numeric=1)
        for one in sums:
            if len(one[0]) == 2:
                (other,) = (numbers for numbers in alike if len(numbers[0]) == 2)
                np.testing.assert_array_equal(one[1], other[1])
                assert one[2] == other[2]
                found += 1
    assert found > 3
