"""The subset of the rules of one class that describes its rows in the fewest bits.

Up to 20 rules all subsets are compared at once. Rows are summed by the set s of rules that fire for
them; summing these over all s inside the complement of S (Yates's algorithm, one addition for each
subset and rule) gives the weight that S leaves uncovered, for every S. Of equal lengths the first
in the order "without a rule before with it, earlier rules first" is taken, as release 8 of C4.5
does for up to 10 rules.

Beyond that, hill climbing from 11 random starts, which take each rule with probability 0, 0.1, ...,
1 (Quinlan 1993, section 5.2): the one rule whose coming or going shortens the description most
comes or goes, until none does; the best end is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treewright.rules.description import description_length, exception_bits
from treewright.rules.sample import Rows

__all__ = ["MOST_FOR_ALL_SUBSETS", "best_subset"]

MOST_FOR_ALL_SUBSETS = 20
_N_STARTS = 11
_SHORTER = 1e-9  # bits; less is rounding

Numbers: TypeAlias = NDArray[np.float64]
Choice: TypeAlias = NDArray[np.bool_]


def best_subset(
    covers: Sequence[Rows],
    bits: Numbers,
    is_class: NDArray[np.bool_],
    weights: Numbers,
    random: np.random.RandomState,
) -> Choice:
    """Choose rules of one class by description length.

    Parameters
    ----------
    covers : sequence of ndarray of int
        Positions of the rows that each rule covers.
    bits : ndarray of float64
        Bits of each rule.
    is_class : ndarray of bool
        Whether each row is of the class.
    weights : ndarray of float64
        Weight of each row.
    random : RandomState
        Source of the starts where there are more than 20 rules.

    Returns
    -------
    ndarray of bool
        Whether each rule is chosen.

    Examples
    --------
    The second rule fires wrongly for row 3 and finds nothing that the first does not.

    >>> covers = [np.array([0, 1, 2]), np.array([2, 3])]
    >>> is_class = np.array([True, True, True, False, False, False])
    >>> best_subset(covers, np.array([3.0, 3.0]), is_class, np.ones(6), np.random.RandomState(0))
    array([ True, False])
    """
    problem = _Problem(covers, bits, is_class, weights)
    if len(covers) <= MOST_FOR_ALL_SUBSETS:
        return problem.best_of_all()
    ends = [
        problem.climb(random.random_sample(len(covers)) < start / (_N_STARTS - 1))
        for start in range(_N_STARTS)
    ]
    shortest = min(length for length, _ in ends)
    return next(chosen for length, chosen in ends if length <= shortest + _SHORTER)


class _Problem:
    """The rules of one class and the rows they fire for."""

    def __init__(
        self,
        covers: Sequence[Rows],
        bits: Numbers,
        is_class: NDArray[np.bool_],
        weights: Numbers,
    ) -> None:
        self.covers = covers
        self.bits = bits
        # Columns: weight of rows of the class, weight of other rows.
        self.weights = np.column_stack([weights * is_class, weights * ~is_class])
        self.totals = self.weights.sum(axis=0)

    def lengths(self, left: Numbers, theory: Numbers, n_rules: NDArray[np.int64]) -> Numbers:
        """Give description lengths from what several sets of rules leave uncovered."""
        of_class, of_others = self.totals
        false_negatives = np.clip(left[:, 0], 0.0, of_class)
        false_positives = np.clip(of_others - left[:, 1], 0.0, of_others)
        fired = of_class - false_negatives + false_positives
        exceptions = exception_bits(of_class + of_others, fired, false_positives, false_negatives)
        return description_length(theory, n_rules, exceptions)

    # ------------------------------------------------------------------ all subsets

    def best_of_all(self) -> Choice:
        """Compare all subsets."""
        n_rules = len(self.covers)
        fires = np.zeros(len(self.weights), dtype=np.int64)
        theory, count = np.zeros(1), np.zeros(1, dtype=np.int64)
        # The first rule is the highest bit, so that subsets are numbered in the order of search.
        for rule, rows in enumerate(self.covers):
            fires[rows] |= 1 << (n_rules - 1 - rule)
        for rule_length in self.bits[::-1]:
            theory = np.concatenate([theory, theory + rule_length])
            count = np.concatenate([count, count + 1])
        left = [_sums_inside(fires, kind, n_rules)[::-1] for kind in self.weights.T]
        lengths = self.lengths(np.column_stack(left), theory, count)
        best = int(np.flatnonzero(lengths <= lengths.min() + _SHORTER)[0])
        return np.array([bool(best >> (n_rules - 1 - rule) & 1) for rule in range(n_rules)])

    # ------------------------------------------------------------------ hill climbing

    def climb(self, start: Choice) -> tuple[float, Choice]:
        """Give the length and the rules where the climb from a choice ends."""
        chosen = start.copy()
        count = np.zeros(len(self.weights), dtype=np.int64)  # chosen rules that cover each row
        for rule in np.flatnonzero(chosen).tolist():
            count[self.covers[rule]] += 1
        # For each rule the weights of its rows that no chosen rule covers, and that just one does:
        # what would become covered if it came, or uncovered if it went.
        free, single = (self._sums(np.flatnonzero(count == number)) for number in (0, 1))
        left = self.weights[count == 0].sum(axis=0)
        theory, n_rules = self.bits[chosen].sum(), chosen.sum()
        current = float(self.lengths(left[None], theory[None], n_rules[None])[0])
        while True:
            sign = np.where(chosen, -1, 1)
            change = np.where(chosen[:, None], single, -free)
            theory, n_rules = self.bits[chosen].sum(), chosen.sum()
            lengths = self.lengths(left + change, theory + sign * self.bits, n_rules + sign)
            rule = int(np.argmin(lengths))
            if not lengths[rule] < current - _SHORTER:
                return current, chosen
            current, left = float(lengths[rule]), left + change[rule]
            rows = self.covers[rule]
            step = int(sign[rule])
            # Rows of the rule by how many *other* chosen rules cover them.
            others = count[rows] - chosen[rule]
            none, one = self._sums(rows[others == 0]), self._sums(rows[others == 1])
            free -= step * none
            single += step * (none - one)
            count[rows] += step
            chosen[rule] = step > 0

    def _sums(self, rows: Rows) -> Numbers:
        """Sum the weights of some rows by the rules that cover them."""
        sums: Numbers = self._rules_of_rows[rows].T @ self.weights[rows]
        return sums

    @cached_property
    def _rules_of_rows(self) -> csr_matrix:
        ends = np.cumsum([0, *map(len, self.covers)])
        cells = np.ones(ends[-1]), np.concatenate(self.covers), ends
        shape = len(self.covers), len(self.weights)
        return csr_matrix(cells, shape=shape).T.tocsr()


def _sums_inside(sets: NDArray[np.int64], weights: Numbers, n_bits: int) -> Numbers:
    """Sum for each set of bits the weights of all its subsets."""
    sums = np.bincount(sets, weights, 1 << n_bits).astype(np.float64)
    for bit in range(n_bits):
        halves = sums.reshape(-1, 2, 1 << bit)
        halves[:, 1] += halves[:, 0]
    return sums
