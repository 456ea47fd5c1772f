r"""How many bits it takes to send the class of every row with the help of some rules.

Sender and receiver know the table but not the classes; rules for one class are sent, then the rows
that they get wrong (Quinlan and Rivest 1989, Inferring decision trees using the minimum description
length principle; Quinlan 1993, *C4.5: Programs for Machine Learning*, section 5.2). The length of
rules is 0.5 * theory + exceptions.

Theory. A condition on column v takes A + B_v bits: B_v for where it cuts, which is the entropy of a
categorical column over all rows and 1 + log2(number of values) / 2 of a numeric one (0 if
constant; missing is one more value), and A for naming the column, the entropy of the fractions
B_v / sum B. A condition on several columns takes the sum. The order of k conditions, and of r
rules, says nothing, so

    rule = sum of its conditions + log2(k) - log2(k!),        theory = sum of rules - log2(r!)

Exceptions, where the rules fire for F of n rows, FP of them wrongly, and leave FN of the class out:

    log2(n) + bias(F, FP, x) + bias(n - F, FN, y),
    bias(N, E, x) = -E log2(x / N) - (N - E) log2(1 - x / N)

with x = (FP + FN) / 2 and y = FN if F > n / 2, else x = FP and y = (FP + FN) / 2: of the two
numbers of errors only one need be sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treewright.rules.condition import Condition
from treewright.rules.sample import Sample
from treewright.schema import Schema

__all__ = ["column_bits", "description_length", "exception_bits", "rule_bits"]

_THEORY_WEIGHT = 0.5
_IMPOSSIBLE = 1e6  # bits for what the other number of errors rules out
_NEARLY = 1e-6  # numbers of rows this close are equal

Numbers: TypeAlias = NDArray[np.float64]


def column_bits(sample: Sample, schema: Schema) -> Numbers:
    """Give the bits of a condition on each column, A + B_v.

    Parameters
    ----------
    sample : Sample
        The training rows.
    schema : Schema
        Their columns.

    Returns
    -------
    ndarray of float64
        One number per column.
    """
    cuts = np.zeros(schema.n_columns)
    for column, n_levels in enumerate(schema.n_levels.tolist()):
        values = sample.values[:, column]
        known = ~np.isnan(values)
        if n_levels:
            codes = values[known].astype(np.intp)
            cuts[column] = _entropy(np.bincount(codes, sample.weights[known]) / sample.total)
        else:
            n_values = len(np.unique(values[known])) + int(not known.all())
            cuts[column] = 1.0 + np.log2(n_values) / 2.0 if n_values > 1 else 0.0
    total = cuts.sum()
    return cuts + (_entropy(cuts / total) if total > 0.0 else 0.0)


def rule_bits(conditions: Sequence[Condition], bits: Numbers) -> float:
    """Give the bits of one rule; `bits` are those of a condition on each column."""
    tests = sum(float(bits[sorted(set(condition.test.columns))].sum()) for condition in conditions)
    count = len(conditions)
    return tests + float(np.log2(count)) - float(_log2_factorial(count))


def exception_bits(
    n: float, fired: Numbers, false_positives: Numbers, false_negatives: Numbers
) -> Numbers:
    """Give the bits of the rows that rules get wrong, for several sets of rules at once."""
    either = (false_positives + false_negatives) / 2.0
    fires_often = fired > n / 2.0
    inside = _bias(fired, false_positives, np.where(fires_often, either, false_positives))
    outside = _bias(n - fired, false_negatives, np.where(fires_often, false_negatives, either))
    bits: Numbers = np.log2(n) + inside + outside
    return bits


def description_length(theory: Numbers, n_rules: NDArray[np.int64], exceptions: Numbers) -> Numbers:
    """Give the length of rules, for several sets at once.

    Parameters
    ----------
    theory : ndarray of float64
        Sum of the bits of the rules.
    n_rules : ndarray of int64
        Number of rules.
    exceptions : ndarray of float64
        Bits of the rows they get wrong.

    Returns
    -------
    ndarray of float64
        Bits.
    """
    return _THEORY_WEIGHT * (theory - _log2_factorial(n_rules)) + exceptions


def _bias(rows: Numbers, errors: Numbers, expected: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = expected / rows
        bits = -errors * np.log2(share) - (rows - errors) * np.log2(1.0 - share)
    bits = np.where(
        expected >= rows - _NEARLY, np.where(errors >= rows - _NEARLY, 0.0, _IMPOSSIBLE), bits
    )
    return np.where(expected <= _NEARLY, np.where(errors <= _NEARLY, 0.0, _IMPOSSIBLE), bits)


def _entropy(shares: Numbers) -> float:
    positive = shares[shares > 0.0]
    return float(-(positive * np.log2(positive)).sum())


def _log2_factorial(count: NDArray[np.int64] | int) -> Numbers:
    result: Numbers = gammaln(np.asarray(count) + 1.0) / np.log(2.0)
    return result
