r"""Confidence intervals for what a leaf shows: a proportion or a mean.

A leaf with n rows, a proportion p of which is of its class, is a small sample. Wilson's interval
(1927) for the proportion in the whole population, with z the quantile of the normal distribution,
is

    (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

It stays inside 0 and 1, does not shrink to a point where all rows agree (7 of 7 gives 65 % to
100 %), and covers about as often as it says even for the few rows of a leaf, where the textbook
p +- z sqrt(p (1 - p) / n) does not (Brown, Cai and DasGupta 2001, who recommend it, or Jeffreys'
interval, for 40 rows or fewer). Wilson's has a formula that a reader can check by hand, hence this
one. For a mean it is Student's interval, mean +- t s / sqrt(n).

Both take the rows of a leaf for a sample drawn by chance. The leaf was chosen by looking at them,
so the truth lies outside somewhat more often than said; rows held out have no such fault.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["mean_interval", "share_interval"]


def share_interval(
    share: float, n_rows: float, *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Give Wilson's interval for a proportion.

    Parameters
    ----------
    share : float
        The observed proportion, from 0 to 1.
    n_rows : float
        Rows it was seen on; need not be whole where rows were divided among branches.
    confidence : float, default 0.95
        How often such intervals hold the true proportion.

    Returns
    -------
    tuple of float or None
        Low and high end; None where there was no row.

    Examples
    --------
    >>> [round(end, 3) for end in share_interval(0.9, 10)]
    [0.596, 0.982]
    >>> [round(end, 3) for end in share_interval(1.0, 7)]
    [0.646, 1.0]
    """
    if not n_rows > 0.0 or not 0.0 <= share <= 1.0:
        return None
    squared = NormalDist().inv_cdf(0.5 + confidence / 2.0) ** 2
    middle = share + squared / (2.0 * n_rows)
    half = math.sqrt(squared * (share * (1.0 - share) + squared / (4.0 * n_rows)) / n_rows)
    whole = 1.0 + squared / n_rows
    low = 0.0 if share == 0.0 else (middle - half) / whole
    return low, 1.0 if share == 1.0 else (middle + half) / whole


def mean_interval(
    mean: float, squares: float, n_rows: float, *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Give Student's interval for a mean.

    Parameters
    ----------
    mean : float
        The mean that was seen.
    squares : float
        Sum of the squared deviations from it.
    n_rows : float
        Rows it was seen on.
    confidence : float, default 0.95
        How often such intervals hold the true mean.

    Returns
    -------
    tuple of float or None
        Low and high end; None where there were fewer than two rows.

    Examples
    --------
    >>> [round(end, 2) for end in mean_interval(5.0, 10.0, 5)]
    [3.04, 6.96]
    """
    if not n_rows > 1.0 or not math.isfinite(mean + squares):
        return None
    from scipy.special import stdtrit

    quantile = float(stdtrit(n_rows - 1.0, 0.5 + confidence / 2.0))
    half = quantile * math.sqrt(squares / (n_rows - 1.0) / n_rows)
    return mean - half, mean + half
