"""Extra errors of leaves: the published values, and what holds for all three bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from treewright.statistics.error_bounds import BOUNDS, extra_errors

# Weight, errors, extra errors at a confidence factor of 0.25.
RELEASE_8 = [
    (1, 0, 0.75),
    (2, 0, 1.0),
    (6, 0, 1.237797),
    (9, 0, 1.284804),
    (16, 1, 1.506894),
    (168, 1, 1.610055),
    (14, 5, 1.794993),
    (100, 10, 2.814705),
    (3, 1, 1.056864),
    (3, 3, 0.0),
    (4, 0.5, 1.180481),
    (5.5, 2.3, 1.274657),
]
J48 = [
    (6, 0, 1.237797),
    (16, 1, 1.475715),
    (168, 1, 1.573759),
    (14, 5, 1.761120),
    (100, 10, 2.749611),
    (3, 1, 1.044310),
    (3, 3, 0.0),
]
# Weight, errors, upper limit of the error rate.
CLOPPER_PEARSON = [
    (6, 0, 0.206299),
    (9, 0, 0.142756),
    (16, 1, 0.159611),
    (168, 1, 0.015947),
    (100, 10, 0.128211),
]

leaves = st.tuples(st.floats(0.01, 1e4), st.floats(0.0, 1.0)).map(lambda x: (x[0], x[0] * x[1]))
confidences = st.floats(0.001, 1.0)


@pytest.mark.parametrize(("weight", "errors", "extra"), RELEASE_8)
def test_release_8_of_c45(weight, errors, extra):
    assert extra_errors(weight, errors, bound="c45") == pytest.approx(extra, abs=5e-7)


@pytest.mark.parametrize(("weight", "errors", "extra"), J48)
def test_j48(weight, errors, extra):
    assert extra_errors(weight, errors, bound="normal") == pytest.approx(extra, abs=5e-7)


@pytest.mark.parametrize(("weight", "errors", "limit"), CLOPPER_PEARSON)
def test_exact_limit_of_the_error_rate(weight, errors, limit):
    found = (errors + extra_errors(weight, errors)) / weight
    assert found == pytest.approx(limit, abs=5e-7)


@given(st.integers(1, 300), st.data(), st.floats(0.001, 0.999))
def test_exact_limit_is_that_of_the_binomial_distribution(weight, data, confidence):
    errors = data.draw(st.integers(0, weight - 1))
    limit = (errors + extra_errors(weight, errors, confidence=confidence)) / weight
    if limit > errors / weight:  # not cut off at the rate that was seen
        assert binom.cdf(errors, weight, limit) == pytest.approx(confidence, rel=1e-6)
    else:
        assert binom.cdf(errors, weight, errors / weight) <= confidence + 1e-9


@pytest.mark.parametrize("bound", BOUNDS)
@given(leaf=leaves, confidence=confidences)
def test_no_leaf_errs_less_than_it_did_or_more_than_always(bound, leaf, confidence):
    weight, errors = leaf
    (extra,) = extra_errors(weight, errors, confidence=confidence, bound=bound)
    # The straight line of the approximations ends at one error, more than a small leaf can make.
    most = weight - errors if weight >= 1 or bound == "exact" else weight
    assert 0.0 <= extra <= most + 1e-9 * weight


@pytest.mark.parametrize("bound", BOUNDS)
@given(leaf=leaves, one=confidences, other=confidences)
def test_smaller_confidence_is_more_pessimistic(bound, leaf, one, other):
    low, high = sorted((one, other))
    cautious = extra_errors(*leaf, confidence=low, bound=bound)
    bold = extra_errors(*leaf, confidence=high, bound=bound)
    assert cautious >= bold - 1e-9 * leaf[0]


@pytest.mark.parametrize("bound", BOUNDS)
def test_many_leaves_at_once(bound):
    weight, errors = np.array([0.0, 0.3, 5.0, 80.0]), np.array([0.0, 0.1, 2.0, 80.0])
    alone = [extra_errors(w, e, bound=bound)[0] for w, e in zip(weight, errors, strict=True)]
    assert extra_errors(weight, errors, bound=bound).tolist() == alone
    assert alone[0] == alone[3] == 0.0


def test_an_unknown_bound_is_refused():
    with pytest.raises(ValueError, match=r"one of exact, normal, c45\. Got 'wilson'"):
        extra_errors(5, 1, bound="wilson")


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("weight", [1e12, 1e18, 1e25, 1e200])
def test_huge_weights_have_finite_bounds(bound, weight):
    extra = extra_errors([weight] * 4, [0.0, 1.0, weight / 3, weight * 0.9], bound=bound)
    assert np.all(np.isfinite(extra))
    assert np.all(extra <= weight * 1e-5)
