"""The pool: conditions that small trees over soft targets propose, and the best trees over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report
from treewright.optimal.dictionary import Dictionary, predicate_tests
from treewright.predicates import Predicate
from treewright.readable.soft import SoftTarget, are_whole
from treewright.readable.terms import Terms

__all__ = ["Budget", "ParetoFront", "search_front"]

_DEPTH_OF_PROPOSALS, _DEPTH_OF_SAMPLES = 4, 3
_DEPTH_OF_NUMBERS = 3  # where all conditions of a node are followed
_SHRINKAGE_OF_CLASSES, _SHRINKAGE_OF_NUMBERS = 0.3, 0.1
_RIDGE = 10.0
_MOST_CONDITIONS = 160
_GINI = 0.5  # what the Gini index counts beside the cost of wrong predictions


@dataclass(frozen=True)
class Budget:
    """How large a tree may be, and what is proposed for it.

    Parameters
    ----------
    leaves : int
        Most leaves.
    depth : int
        Most conditions on a path.
    terms : int
        Most terms in a condition.
    min_weight : float
        Least weight of a leaf.
    term_price : float
        What each term beyond the first in a condition costs, as a proportion of what is at stake.
    samples : int
        Bootstrap samples that propose conditions.
    screened : int
        Terms that sums are made of in one node.
    """

    leaves: int
    depth: int
    terms: int
    min_weight: float
    term_price: float
    samples: int
    screened: int


@dataclass(frozen=True)
class ParetoFront:
    """The best tree of each size over a pool.

    Parameters
    ----------
    conditions : Dictionary
        The pool.
    plans : dict of int to treewright._core.SearchTree
        By the number of leaves.
    costs : dict of int to float
        What each of them costs.
    is_exact : bool
        Whether neither numbers nor weights had to be rounded for the search.
    """

    conditions: Dictionary
    plans: dict[int, _core.SearchTree]
    costs: dict[int, float]
    is_exact: bool

    def at_most(self, leaves: int) -> int:
        """Give the largest size there is up to a number of leaves."""
        return max(size for size in self.plans if size <= leaves)


def search_front(
    table: _core.Table,
    values: NDArray[np.float64],
    terms: Terms,
    target: SoftTarget,
    budget: Budget,
    *,
    given: Iterable[Predicate] = (),
    seed: int = 0,
    n_jobs: int = 1,
    report: Report | None = None,
) -> ParetoFront:
    """Find the best tree of every size over the conditions that are proposed.

    Parameters
    ----------
    table : treewright._core.Table
        The rows.
    values : ndarray of shape (n_rows, n_columns)
        The same rows.
    terms : Terms
        What conditions are made of.
    target : SoftTarget
        What is to be predicted.
    budget : Budget
        Which trees are allowed.
    given : iterable of Predicate, default ()
        Conditions that others propose.
    seed : int, default 0
        Of the bootstrap samples.
    n_jobs : int, default 1
        Threads.
    report : callable or None, default None
        Called now and then; what it raises ends the search.

    Returns
    -------
    ParetoFront
        With one leaf at least.
    """
    proposed = [*_proposed(values, terms, target, budget, seed, report), *given]
    proposed.sort(key=lambda predicate: predicate.n_terms)
    conditions = _without_twins(predicate_tests(proposed, table), table.n_rows)
    amounts, unit, scale, offset = target.whole_amounts()
    price = budget.term_price * target.price_unit() / scale
    prices = price * (_n_terms(conditions) - 1.0)
    found = _core.search_pool(
        conditions.bits,
        amounts,
        target.costs(),
        prices,
        _GINI,
        max(budget.min_weight * unit, 1.0),
        budget.depth,
        budget.leaves,
        n_jobs,
        report,
    )
    plans, costs = {}, {}
    for one in found:
        leaves = int((one.tree.first >= 0).sum()) + 1
        plans[leaves], costs[leaves] = one.tree, max(scale * (one.cost + offset), 0.0)
    is_exact = target.is_classification and are_whole(target.weights)
    return ParetoFront(conditions, plans, costs, is_exact)


def _proposed(
    values: NDArray[np.float64],
    terms: Terms,
    target: SoftTarget,
    budget: Budget,
    seed: int,
    report: Report | None,
) -> list[Predicate]:
    """Give the conditions of small greedy trees."""
    if not len(terms.columns):
        return []
    classes = target.is_classification
    found = _core.propose_conditions(
        terms.matrix(values),
        target.amounts(),
        classes,
        terms.n_numeric,
        budget.terms,
        budget.min_weight,
        _DEPTH_OF_PROPOSALS if classes else _DEPTH_OF_NUMBERS,
        _DEPTH_OF_SAMPLES,
        budget.samples if classes else 0,
        budget.screened,
        _SHRINKAGE_OF_CLASSES if classes else _SHRINKAGE_OF_NUMBERS,
        _RIDGE,
        not classes,
        seed,
        report,
    )
    return [
        terms.predicate(used.tolist(), weights.tolist(), threshold)
        for used, weights, threshold, _ in found
    ]


def _n_terms(conditions: Dictionary) -> NDArray[np.float64]:
    return np.array([one.n_terms for one in conditions.others], dtype=np.float64)


def _without_twins(conditions: Dictionary, n_rows: int) -> Dictionary:
    """Keep the first of conditions that divide the rows alike, and not too many."""
    if not len(conditions):
        return conditions
    last = np.uint8((1 << (n_rows - 1) % 8 + 1) - 1)  # bits of the last byte that are rows
    turned = np.where(conditions.bits[:, :1] & 1, ~conditions.bits, conditions.bits)
    turned[:, -1] &= last
    _, first = np.unique(turned, axis=0, return_index=True)
    divides = np.asarray(turned.any(axis=1))
    kept = np.array([place for place in np.sort(first) if divides[place]], dtype=np.intp)
    kept = kept[:_MOST_CONDITIONS]
    return Dictionary.of_predicates(
        conditions.bits[kept],
        [conditions.others[place] for place in kept.tolist()],
        conditions.source[kept],
        conditions.unknown[kept],
    )
