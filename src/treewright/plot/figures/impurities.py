"""The impurity that is left after a cut, for every cut along a number.

With the rows in order of the number, L the rows below a cut and R those above, and W the weight of
rows:

    I = (W_L i(L) + W_R i(R)) / (W_L + W_R)

where i is the impurity of the core. The smaller I, the better the cut. Where only some rows K of
all rows A have a value, the cut leaves the others as they are, and lessens the impurity by no more
than its decrease among the known times their proportion, as in the growth of a tree:

    I = i(A) - W_K / W_A (i(K) - I(K))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import check_arguments, choice, integer, none, one_of
from treewright.exceptions import DataError, brief
from treewright.measures import MEASURES
from treewright.schema import Schema, encode_labels, encode_numbers, target_kind, target_name
from treewright.tree.use import weights_of

__all__ = ["Sample", "cuts_along", "impurity_after", "read_sample"]

_CRITERIA = sorted(name for name, measure in MEASURES.items() if measure.adds_up)
_FOR_CLASSES = "deviance"
_FOR_NUMBERS = "squared_error"
_MOST_CUTS = 1000  # along one number; of more, so many are taken at equal numbers of rows
_LARGEST = 1e140  # the squares of some thousand such numbers can be added
_NO_COSTS = np.empty(0)


@dataclass(frozen=True)
class Sample:
    """Rows and what is known of them, with the criterion by which cuts are judged.

    Parameters
    ----------
    schema : Schema
        The columns and the classes.
    values : ndarray of float64
        The rows as the core reads them.
    target : ndarray
        Class codes, or numbers.
    weights : ndarray of float64
        Weights of the rows.
    criterion : str
        How impurity is measured.
    least : int
        The least number of rows on either side of a cut.
    """

    schema: Schema
    values: NDArray[np.float64]
    target: NDArray[Any]
    weights: NDArray[np.float64]
    criterion: str
    least: int

    def take(self, which: NDArray[np.bool_]) -> Sample:
        """Return some of the rows."""
        return replace(
            self,
            values=self.values[which],
            target=self.target[which],
            weights=self.weights[which],
        )

    @property
    def label(self) -> str:
        """What an axis of impurities is called."""
        return f"{self.criterion_words} after the cut"

    @property
    def criterion_words(self) -> str:
        """What the impurity is called."""
        return self.criterion.replace("_", " ")


def read_sample(
    function: str, X: Any, y: Any, sample_weight: Any, criterion: str | None, min_samples_leaf: int
) -> Sample:
    """Read rows and what is known of them, as the arguments of a function.

    Without a criterion the target decides: deviance for classes, squared error for regression.

    Raises
    ------
    ValueError
        If an argument is not one that the function takes.
    DataError
        If the rows cannot be read.
    """
    check_arguments(
        function,
        {"criterion": criterion, "min_samples_leaf": min_samples_leaf},
        {
            "criterion": one_of(none(), choice(*_CRITERIA)),
            "min_samples_leaf": integer(1),
        },
    )
    schema, values = Schema.from_data(X, target=target_name(y))
    n_rows = len(values)
    criterion = _criterion_for(function, y, n_rows, criterion)
    target: NDArray[Any]
    if not MEASURES[criterion].for_classes:
        target = encode_numbers(y, n_rows=n_rows, estimator_name=function)
        largest = float(np.abs(target).max(initial=0.0))
        if largest > _LARGEST:
            raise DataError(
                f"The target holds numbers as large as {largest:g}, whose squares a double cannot "
                "hold; divide the target by a constant."
            )
    else:
        target, classes = encode_labels(y, n_rows=n_rows, estimator_name=function)
        schema = schema.with_target(schema.target, classes)
    weights = weights_of(sample_weight, n_rows)
    if not weights.any():
        raise DataError(f"{function} needs a row with a weight above 0. Got {brief(weights)}.")
    sample = Sample(schema, values, target, weights, criterion, min_samples_leaf)
    return sample.take(weights > 0.0)


def _criterion_for(function: str, y: Any, n_rows: int, criterion: str | None) -> str:
    """Return the criterion to use; refuse one that does not fit the target."""
    kind = target_kind(y, n_rows=n_rows, estimator_name=function)
    if criterion is None:
        return _FOR_CLASSES if kind in ("labels", "codes") else _FOR_NUMBERS
    for_classes = MEASURES[criterion].for_classes
    if for_classes and kind == "numbers":
        raise DataError(
            f"The criterion {criterion!r} of {function} is for classes, but the target holds "
            f"numbers with decimals; leave 'criterion' out, or give {_FOR_NUMBERS!r}."
        )
    if not for_classes and kind == "labels":
        _, classes = encode_labels(y, n_rows=n_rows, estimator_name=function)
        text = next((label for label in classes if isinstance(label, str)), None)
        if text is not None:
            raise DataError(
                f"The criterion {criterion!r} of {function} is for regression, but the target "
                f"holds text such as {brief(text)}; leave 'criterion' out, or give "
                f"{_FOR_CLASSES!r}."
            )
    return criterion


def cuts_along(
    sample: Sample, numbers: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Judge the cuts halfway between neighbouring values of a number.

    Parameters
    ----------
    sample : Sample
        The rows.
    numbers : ndarray of float64
        A number of each row; rows without one are not divided.

    Returns
    -------
    cuts : ndarray of float64
        The cuts that leave enough rows on both sides, rising.
    impurities : ndarray of float64
        The impurity after each.

    Examples
    --------
    >>> sample = read_sample("an example", {"x": [1, 2, 3, 4]}, list("aabb"), None, "gini", 1)
    >>> cuts, left = cuts_along(sample, sample.values[:, 0])
    >>> cuts.tolist(), left.round(3).tolist()
    ([1.5, 2.5, 3.5], [0.333, 0.0, 0.333])
    """
    known = np.flatnonzero(~np.isnan(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    ordered = numbers[order]
    n_below = np.arange(1, len(ordered))
    is_legal = (n_below >= sample.least) & (len(ordered) - n_below >= sample.least)
    ends = n_below[is_legal & (ordered[1:] > ordered[:-1])]
    if len(ends) > _MOST_CUTS:
        ends = ends[np.linspace(0, len(ends) - 1, _MOST_CUTS).round().astype(np.intp)]
    cuts = 0.5 * ordered[ends - 1] + 0.5 * ordered[ends] if len(ends) else np.empty(0)
    sums = _running_sums(sample, order)
    left = np.array([_after(sample.criterion, sums[end], sums[-1]) for end in ends.tolist()])
    if len(ends) and len(known) < len(numbers):
        everything = _running_sums(sample, np.arange(len(numbers)))[-1]
        weight, before = _impurity(sample.criterion, everything)
        known_weight, known_before = _impurity(sample.criterion, sums[-1])
        left = before - known_weight / weight * (known_before - left)
    return cuts, left


def impurity_after(sample: Sample, is_below: NDArray[np.bool_]) -> float:
    """Judge a split of all rows in two; NaN if it leaves too few rows on a side."""
    n_below = np.count_nonzero(is_below)
    if min(n_below, len(is_below) - n_below) < sample.least:
        return np.nan
    sums = _running_sums(sample, np.argsort(~is_below, kind="stable"))
    return _after(sample.criterion, sums[n_below], sums[-1])


def _running_sums(sample: Sample, order: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return sums over the first rows, none to all: class weights, or weight and two moments."""
    weights, target = sample.weights[order], sample.target[order]
    if sample.schema.classes is None:
        # Taken around their mean, the numbers lose no digits in the squares.
        away = target - np.average(target, weights=weights) if len(order) else target
        parts = weights[:, np.newaxis] * np.stack([np.ones(len(order)), away, away**2], axis=1)
    else:
        parts = weights[:, np.newaxis] * np.eye(len(sample.schema.classes))[target]
    return np.vstack([np.zeros(parts.shape[1]), np.cumsum(parts, axis=0)])


def _after(measure: str, below: NDArray[np.float64], total: NDArray[np.float64]) -> float:
    """Return the impurity that a cut leaves, of running sums."""
    left, weight = 0.0, 0.0
    for sums in (below, total - below):
        size, impurity = _impurity(measure, sums)
        left += size * impurity
        weight += size
    return left / weight


def _impurity(measure: str, sums: NDArray[np.float64]) -> tuple[float, float]:
    """Return the weight of rows and their impurity, of their sums."""
    if MEASURES[measure].for_classes:
        size, statistics = sums.sum(), sums
    else:
        size, mean = sums[0], sums[1] / sums[0]
        statistics = np.array([size, mean, max(sums[2] - size * mean**2, 0.0)])
    return float(size), float(_core.impurity(measure, statistics, _NO_COSTS))
