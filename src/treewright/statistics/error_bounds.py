r"""How many errors a leaf must be expected to make on new rows, beyond those it made in training.

A leaf with weight N and e training errors is taken for a sample of N rows; the upper limit U of the
confidence interval of its error rate, at the confidence factor CF, gives N U - e extra errors
(Quinlan 1993, *C4.5: Programs for Machine Learning*, section 4.2). Three ways to find the limit:

    exact    U solves P(Binomial(N, U) <= e) = CF, the quantile 1 - CF of Beta(e + 1, N - e)
             (Clopper and Pearson 1934)
    normal   the normal approximation with continuity correction, as Weka's J48 has it
    c45      the same as release 8 of C4.5 has it: z by linear interpolation in a short table

For the last two e = 0 is exact, N (1 - CF^(1/N)), and below one error there is a straight line
between the limits for 0 and 1. Smaller CF is more pessimistic and prunes more.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["BOUNDS", "extra_errors"]

Bound: TypeAlias = Literal["exact", "normal", "c45"]
BOUNDS: tuple[Bound, ...] = ("exact", "normal", "c45")

# Quantiles of the normal distribution as release 8 has them: confidence factor, z.
_TABLE_CF = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_TABLE_Z = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
_NO_ERROR, _ONE_ERROR = 1e-6, 0.9999  # release 8 takes these for 0 and 1


def extra_errors(
    weight: ArrayLike, errors: ArrayLike, *, confidence: float = 0.25, bound: str = "exact"
) -> NDArray[np.float64]:
    """Give the expected errors of leaves beyond those made in training.

    Parameters
    ----------
    weight : array-like of float
        Weight N of the rows of each leaf.
    errors : array-like of float
        Weight e of the rows among them that the leaf gets wrong; at most `weight`.
    confidence : float, default 0.25
        The confidence factor CF, above 0 and at most 1; smaller is more pessimistic.
    bound : {"exact", "normal", "c45"}, default "exact"
        How the upper limit is found.

    Returns
    -------
    ndarray of float64
        N U - e for each leaf; 0 for empty leaves.

    Examples
    --------
    >>> extra_errors([6, 16, 100], [0, 1, 10], bound="c45").round(6)
    array([1.237797, 1.506894, 2.814705])
    >>> extra_errors([6, 16, 100], [0, 1, 10]).round(6)
    array([1.237797, 1.553771, 2.821059])
    """
    total = np.atleast_1d(np.asarray(weight, dtype=np.float64))
    wrong = np.minimum(np.atleast_1d(np.asarray(errors, dtype=np.float64)), total)
    total, wrong = np.broadcast_arrays(total, wrong)
    extra = np.zeros(total.shape)
    filled = total > 0.0
    if bound == "exact":
        extra[filled] = _exact(total[filled], wrong[filled], confidence)
    elif bound in ("normal", "c45"):
        extra[filled] = _approximate(total[filled], wrong[filled], confidence, bound == "c45")
    else:
        raise ValueError(f"The 'bound' must be one of {', '.join(BOUNDS)}. Got {bound!r}.")
    return extra


def _exact(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    from scipy.special import betaincinv

    extra = np.zeros_like(total)
    some_right = wrong < total
    n, e = total[some_right], wrong[some_right]
    limit = betaincinv(e + 1.0, n - e, 1.0 - confidence)
    # The quantile of many more than 1e15 rows can get lost; it is the rate itself then.
    limit = np.where(np.isfinite(limit), limit, e / n)
    extra[some_right] = np.maximum(n * limit - e, 0.0)
    return extra


def _approximate(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float, as_c45: bool
) -> NDArray[np.float64]:
    if as_c45:
        z = float(np.interp(confidence, _TABLE_CF, _TABLE_Z))
        none, one, nearly_all = _NO_ERROR, _ONE_ERROR, 0.67
    else:
        from scipy.special import ndtri

        z = max(float(ndtri(1.0 - confidence)), 0.0)  # not below the rate that was seen
        none, one, nearly_all = np.finfo(float).tiny, 1.0, 1.0
    without_errors = total * (1.0 - confidence ** (1.0 / total))

    def with_errors(e: Any) -> NDArray[np.float64]:
        """At least one error."""
        corrected, c = e + 0.5, z * z
        inside = np.maximum(c * (corrected * (1.0 - corrected / total) + c / 4.0), 0.0)
        limit = (corrected + c / 2.0 + np.sqrt(inside)) / (total + c)
        nearly_none_right = nearly_all * np.maximum(total - e, 0.0)
        return np.asarray(np.where(corrected >= total, nearly_none_right, total * limit - e))

    below_one = without_errors + wrong * (with_errors(np.ones_like(wrong)) - without_errors)
    some = np.where(wrong < one, below_one, with_errors(wrong))
    return np.asarray(np.where(wrong < none, without_errors, some))
