"""Conditions on the best subsets of terms, the slow way: two classes, or numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from treewright.optimal.rounding import round_significant


def impurity(amounts: np.ndarray, classes: bool) -> float:
    if not classes:
        return -(amounts[1] ** 2) / amounts[0] if amounts[0] > 0 else 0.0
    weight = amounts.sum()
    logarithms = [c * np.log(c) for c in amounts if c > 0]
    return (weight * np.log(weight) if weight > 0 else 0.0) - sum(logarithms)


def best_gain(sums: np.ndarray, amounts: np.ndarray, least: float, classes: bool) -> float:
    """The largest gain of all cuts along a sum."""
    best = -np.inf
    total = amounts.sum(axis=0)
    for threshold in np.unique(sums)[:-1]:
        left = amounts[sums <= threshold].sum(axis=0)
        sides = [left, total - left]
        weights = [side.sum() if classes else side[0] for side in sides]
        if min(weights) < least:
            continue
        gain = impurity(total, classes) - sum(impurity(side, classes) for side in sides)
        best = max(best, gain)
    return best


def best_sums(
    terms: np.ndarray,
    amounts: np.ndarray,
    size: int,
    *,
    classes: bool,
    shrinkage: float,
    ridge: float,
    kept: int = 2,
) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """Subsets of the largest distance between the groups, with rounded weights."""
    weights = amounts.sum(axis=1) if classes else amounts[:, 0]
    share = amounts[:, 0] / weights if classes else amounts[:, 1] / weights
    total = weights.sum()
    centred = terms - (terms * weights).sum(axis=1, keepdims=True) / total
    scatter = (centred * weights) @ centred.T
    if classes:
        first, second = amounts[:, 0].sum(), amounts[:, 1].sum()
        apart = (centred * amounts[:, 0]).sum(axis=1) * total / (first * second)
        scatter = scatter - np.outer(apart, apart) * first * second / total
    else:
        apart = (centred * (weights * share)).sum(axis=1) / total
    deviation = np.sqrt(np.diag(scatter) / total)
    correlation = scatter / total / np.outer(deviation, deviation)
    shrunk = (1 - shrinkage) * correlation + shrinkage * np.eye(len(terms))
    difference = apart / deviation
    ranked = []
    for subset in combinations(range(len(terms)), size):
        some = list(subset)
        worth = difference[some] @ np.linalg.solve(shrunk[np.ix_(some, some)], difference[some])
        ranked.append((-worth, subset))
    found = []
    for _, subset in sorted(ranked)[:kept]:
        z = (centred[list(subset)] / deviation[list(subset), None]).T
        design = np.column_stack([z, np.ones(len(z))])
        penalty = ridge * np.diag([1.0] * size + [0.0])
        slopes = np.zeros(size + 1)
        for _ in range(4 if classes else 1):
            eta = design @ slopes
            said = 1 / (1 + np.exp(-eta)) if classes else eta
            bend = weights * (said * (1 - said) if classes else 1.0)
            gradient = design.T @ (weights * (share - said)) - penalty @ slopes
            slopes = slopes + np.linalg.solve(
                design.T @ (bend[:, None] * design) + penalty, gradient
            )
        own = slopes[:size] / deviation[list(subset)]
        one = np.copysign(np.sort(np.abs(own))[(size - 1) // 2], own[0])
        found.append((subset, np.array([round_significant(w / one, 2) for w in own])))
    return found
