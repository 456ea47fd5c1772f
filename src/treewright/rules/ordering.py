"""The order of rules, the default class, and rules that do harm where they stand.

By class (Quinlan 1993, section 5.3): the class goes next whose rules make the fewest false
positives on the rows not covered yet; inside a class the rule with the lowest pessimistic rate goes
first. The default is the class with the most uncovered rows. By accuracy, as textbooks have it: the
rule with the highest training accuracy goes first, and the default is the most frequent class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.rules.candidates import TOLERANCE, Candidate
from treewright.rules.sample import Sample

__all__ = ["answers", "by_accuracy", "by_class", "default_class", "without_harmful"]


def by_accuracy(candidates: Sequence[Candidate], sample: Sample) -> list[Candidate]:
    """Order rules by training accuracy; of equal ones that which covers more goes first."""
    cover = [float(sample.weights[candidate.rows].sum()) for candidate in candidates]
    # Rounded, so that the order of the rows in a sum does not decide.
    keys = [
        (-round(candidate.accuracy, 9), -round(weight, 9))
        for candidate, weight in zip(candidates, cover, strict=True)
    ]
    return [candidates[index] for index in sorted(range(len(keys)), key=keys.__getitem__)]


def by_class(candidates: Sequence[Candidate], sample: Sample) -> list[Candidate]:
    """Order rules by class, and inside a class by pessimistic rate."""
    waiting = sorted({candidate.value for candidate in candidates})
    is_open = np.ones(len(sample.codes), dtype=np.bool_)
    covered = {
        value: _covered([c for c in candidates if c.value == value], len(is_open))
        for value in waiting
    }
    ordered: list[Candidate] = []
    while waiting:
        wrong = [
            sample.weights[covered[value] & is_open & (sample.codes != value)].sum()
            for value in waiting
        ]
        lowest = min(wrong) + TOLERANCE * sample.total
        value = waiting.pop(next(i for i, weight in enumerate(wrong) if weight <= lowest))
        is_open &= ~covered[value]
        own = [candidate for candidate in candidates if candidate.value == value]
        ordered += sorted(own, key=lambda candidate: round(candidate.rate, 9))
    return ordered


def default_class(candidates: Sequence[Candidate], sample: Sample) -> int:
    """Give the most frequent class among uncovered rows; of equal ones the most frequent of all."""
    is_open = ~_covered(candidates, len(sample.codes))
    left = sample.weights_by_class(np.flatnonzero(is_open))
    margin = TOLERANCE * sample.total
    overall = np.where(left >= left.max() - margin, sample.class_weights, -1.0)
    return int(np.flatnonzero(overall >= overall.max() - margin)[0])


def answers(
    candidates: Sequence[Candidate], n_rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give for each row the first rule that covers it and the next one that does.

    Where there is none, the number of rules stands for the default.
    """
    first = np.full(n_rows, len(candidates))
    second = first.copy()
    for index in range(len(candidates) - 1, -1, -1):
        rows = candidates[index].rows
        second[rows] = first[rows]
        first[rows] = index
    return first, second


def without_harmful(
    candidates: Sequence[Candidate], default: int, sample: Sample
) -> list[Candidate]:
    """Drop rules without which more training rows would be classified correctly.

    Of the rows that a rule classifies and that would get another class without it, more must be
    classified correctly by the rule than would be without it. The first rule for which that fails
    goes, and the rows are counted again.
    """
    kept = list(candidates)
    while True:
        first, second = answers(kept, len(sample.codes))
        values = np.array([*(candidate.value for candidate in kept), default])
        differs = values[first] != values[second]
        good = np.where(differs & (values[first] == sample.codes), sample.weights, 0.0)
        bad = np.where(differs & (values[second] == sample.codes), sample.weights, 0.0)
        lost = np.bincount(first, bad - good, minlength=len(values))[:-1]
        harmful = np.flatnonzero(lost > TOLERANCE * sample.total)
        if not len(harmful):
            return kept
        del kept[harmful[0]]


def _covered(candidates: Sequence[Candidate], n_rows: int) -> NDArray[np.bool_]:
    covered = np.zeros(n_rows, dtype=np.bool_)
    for candidate in candidates:
        covered[candidate.rows] = True
    return covered
