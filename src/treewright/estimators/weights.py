"""Weights of rows and numbers by class: sample weights, class weights, priors and costs.

    weight of a row = sample weight * class weight * (prior of its class / proportion of its class)

Costs reach the choice of splits as altered priors (Breiman et al. 1984, section 4.4): the weight of
class i is multiplied by the sum over j of cost(i, j), and all are scaled to keep their total.

Sums of weights must not depend on the order of the rows, which may come in partitions. Weights that
are multiples of 2^(ceil(log2 W) - 52), W being their total, add up exactly in doubles in any order;
growth rounds them to such. Whole numbers stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.class_settings import Priors
from treewright.exceptions import DataError, brief
from treewright.schema import Level

__all__ = [
    "altered_priors",
    "check_total",
    "check_weights",
    "class_factors",
    "cost_of_classes",
    "exact_sum",
    "on_grid",
    "on_own_grid",
    "prior_factors",
    "read_weights",
    "totals_by_class",
]

_LARGEST_TOTAL = 1e100  # of all weights, and 1 / this the smallest: products stay doubles

Numbers = NDArray[np.float64]
Labels = tuple[Level, ...]


def read_weights(sample_weight: Any) -> Numbers | None:
    """Return sample weights as an array; they are not checked yet."""
    if sample_weight is None:
        return None
    try:
        return np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"sample_weight must be numbers, one per row. Got {brief(sample_weight)}."
        ) from None


def check_weights(weights: Numbers | None, n_rows: int) -> Numbers:
    """Return one finite, positive weight a row; all 1 by default."""
    if weights is None:
        return np.ones(n_rows)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    # The words of the next two are scikit-learn's, whose estimator checks look for them.
    if weights.ndim != 1:
        raise DataError("Sample weights must be 1D array or scalar")
    if len(weights) != n_rows:
        raise DataError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise DataError(
            f"sample_weight must be finite and not negative; {int(bad.sum())} of {n_rows} are not, "
            f"the first is {weights[first]} in row {first}. Set them to 0 to leave rows out."
        )
    return check_total(weights, "sample_weight")


def totals_by_class(codes: NDArray[np.int32], weights: Numbers, labels: Labels) -> Numbers:
    """Return the summed weight of each class, whatever the order of the rows."""
    totals = np.bincount(codes, weights, minlength=len(labels)).astype(np.float64)
    if _are_whole(weights, float(totals.sum())):
        return totals
    return np.array([float(exact_sum(weights[codes == code])) for code in range(len(labels))])


def check_total(weights: Numbers, name: str) -> Numbers:
    """Refuse weights that leave no row, or whose products a double cannot hold."""
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if not total > 0:
        raise DataError(f"By {name} the weight of every row is zero; give some a positive weight.")
    if not 1.0 / _LARGEST_TOTAL <= total <= _LARGEST_TOTAL:
        raise DataError(
            f"By {name} the weights of all rows must add up to a number from "
            f"{1.0 / _LARGEST_TOTAL:g} to {_LARGEST_TOTAL:g}. Got {total:g}; multiply them by a "
            "constant."
        )
    return weights


def exact_sum(weights: Numbers) -> Fraction:
    """Return the sum of finite numbers without any rounding, which no order of them changes.

    Examples
    --------
    >>> float(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    mantissas, exponents = np.frexp(weights)
    whole = np.ldexp(mantissas, 53).astype(np.int64)  # doubles have 53 binary digits
    low, high = whole & (2**27 - 1), whole >> 27  # sums of either fit into 64 bits
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        there = exponents == exponent
        digits = (int(high[there].sum()) << 27) + int(low[there].sum())
        total += Fraction(digits) * Fraction(2) ** (exponent - 53)
    return total


def on_grid(weights: Numbers, total: float) -> Numbers:
    """Round weights so that all their sums are exact, whatever the order.

    Parameters
    ----------
    weights : ndarray of float64
        Some of the weights; whole numbers stay as they are where `total` is below 2^53.
    total : float
        The sum of all.

    Returns
    -------
    ndarray of float64
        Multiples of a power of 2; none above 0 becomes 0.

    Examples
    --------
    >>> on_grid(np.array([0.1, 3.0]), 1e6).tolist()
    [0.10000000009313226, 3.0]
    """
    if _are_whole(weights, total):
        return weights
    step = 2.0 ** (math.ceil(math.log2(total)) - 52)
    rounded = np.rint(weights / step)
    return np.where(weights > 0, np.maximum(rounded, 1.0), 0.0) * step


def on_own_grid(weights: Numbers) -> Numbers:
    """Round all weights of a fit so that their sums are exact, whatever the order.

    Examples
    --------
    >>> on_own_grid(np.array([1.0, 2.0, 5.0])).tolist()
    [1.0, 2.0, 5.0]
    """
    if _are_whole(weights, float(weights.sum())):
        return weights
    return on_grid(weights, float(exact_sum(weights)))


def _are_whole(weights: Numbers, total: float) -> bool:
    """Whether these are whole numbers that add up exactly, as part of such a total."""
    return total <= 2.0**52 and bool((weights == np.rint(weights)).all())


def class_factors(class_weight: Any, labels: Labels, totals: Numbers) -> Numbers:
    """Return what `class_weight` multiplies the weights of each class by.

    Parameters
    ----------
    class_weight : mapping, "balanced", Priors or None
        Classes that a mapping does not name have weight 1. ``"balanced"`` makes the total weights
        of the classes equal, priors make them proportional to these.
    labels : tuple
        The classes.
    totals : ndarray of float64
        Weight of each class before.

    Returns
    -------
    ndarray of float64
        One factor a class.
    """
    if class_weight is None:
        return np.ones(len(labels))
    if isinstance(class_weight, Priors):
        return prior_factors(class_weight.probabilities, labels, totals)
    if isinstance(class_weight, str):  # "balanced"
        return prior_factors(np.ones(len(labels)), labels, totals)
    unnamed = [label for label in labels if label not in class_weight]
    strangers = [label for label in class_weight if label not in labels]
    if unnamed and strangers:  # otherwise the class may just be absent from these rows
        raise _stranger("class_weight", strangers[0], labels)
    return _numbers("class_weight", [class_weight.get(label, 1.0) for label in labels], labels, 1)


def prior_factors(priors: Any, labels: Labels, totals: Numbers) -> Numbers:
    """Return the factors that bring the class proportions, as `totals` has them, to the priors."""
    name = "class_weight"  # where priors are given
    wanted = _by_label(name, priors, labels) if isinstance(priors, Mapping) else priors
    wanted = _numbers(name, wanted, labels, 1)
    reached = np.where(totals > 0, wanted, 0.0)
    if not reached.sum() > 0:
        raise DataError(
            "The 'class_weight' parameter must have priors above 0 for a class that occurs."
        )
    scale = totals.sum() / reached.sum()
    factors: Numbers = reached * scale / np.where(totals > 0, totals, 1.0)
    return factors


def cost_of_classes(cost_matrix: Any, labels: Labels) -> Numbers:
    """Return the costs as a matrix, row the true class, column the predicted one."""
    given = cost_matrix
    if isinstance(given, Mapping):
        rows = dict(zip(labels, _by_label("cost_matrix", given, labels), strict=True))
        for true, row in rows.items():
            if not isinstance(row, Mapping):
                raise DataError(
                    "The 'cost_matrix' parameter must be a matrix or {true: {predicted: cost}}. "
                    f"Got {brief(row)} for the class {brief(true)}."
                )
        given = [_by_label("cost_matrix", {true: 0.0, **row}, labels) for true, row in rows.items()]
    cost = _numbers("cost_matrix", given, labels, 2)
    if np.diag(cost).any():
        raise DataError(
            "The 'cost_matrix' parameter must have zeros on its diagonal: being right costs "
            f"nothing. Got {np.diag(cost).tolist()}."
        )
    if len(labels) > 1 and not cost.any():
        raise DataError("The 'cost_matrix' parameter must have a cost above 0 somewhere.")
    return cost


def altered_priors(cost: Numbers, totals: Numbers) -> Numbers | None:
    """Return what costs multiply the weights of each class by, or None if nothing changes."""
    factors: Numbers = cost.sum(axis=1)
    altered = float((totals * factors).sum())
    if not altered > 0:  # one class, or costs of absent classes only
        return None
    factors = factors * (totals.sum() / altered)
    return None if np.allclose(factors, 1.0) else factors


def _by_label(name: str, given: Mapping[Any, Any], labels: Labels) -> list[Any]:
    unnamed = [label for label in labels if label not in given]
    if unnamed:
        strangers = [label for label in given if label not in labels]
        if strangers:
            raise _stranger(name, strangers[0], labels)
        raise DataError(
            f"The {name!r} parameter must name every class. It lacks {brief(unnamed[0])}."
        )
    return [given[label] for label in labels]


def _stranger(name: str, label: Any, labels: Labels) -> DataError:
    return DataError(
        f"The {name!r} parameter names the class {brief(label)}, but the classes are "
        f"{_words(labels)}."
    )


def _numbers(name: str, given: Any, labels: Labels, ndim: int) -> Numbers:
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"The {name!r} parameter must hold numbers. Got {brief(given)}.") from None
    shape = (len(labels),) * ndim
    if numbers.shape != shape:
        raise DataError(
            f"The {name!r} parameter must have the shape {shape}, for the classes "
            f"{_words(labels)}. Got {numbers.shape}."
        )
    wrong = numbers[~(np.isfinite(numbers) & (numbers >= 0))]
    if wrong.size:
        raise DataError(
            f"The {name!r} parameter must hold finite numbers, none below 0. Got {wrong[0]}."
        )
    return numbers


def _words(labels: Labels) -> str:
    shown = [brief(label) for label in labels[:10]]
    return ", ".join(shown) + (f" and {len(labels) - 10} more" if len(labels) > 10 else "")
