"""Brute-force twins of the split search: the formulas again, written to be obviously right.

Every candidate is built, every branch is weighed from its rows, and the best is kept; nothing is
updated, sorted once or shortened. Only for small tables. Class targets are codes 0, 1, ...; NaN is
a missing value; a gain is the decrease of the weighted impurity, ``W i(t) - sum_b W_b i(b)``.

Sources: Breiman et al. (1984) for gini, twoing, subsets and surrogates; Quinlan (1993, 1996) for
gain ratio and the numeric rule of C4.5 release 8; Akash et al. (2019) for the inter-node Hellinger
distance; Cieslak and Chawla (2008) for HDDT; rpart 4.1 for the counting of surrogates.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CLASS_IMPURITIES = ("gini", "entropy", "misclassification", "deviance")
CLASS_MEASURES = (*CLASS_IMPURITIES, "twoing", "hellinger", "hddt")
NUMBER_MEASURES = ("squared_error", "absolute_error")


# ---------------------------------------------------------------- measures


def class_weights(y: np.ndarray, w: np.ndarray, n_classes: int) -> np.ndarray:
    """Weight of every class."""
    return np.array([math.fsum(w[y == c]) for c in range(n_classes)])


def impurity(measure: str, weights: Sequence[float]) -> float:
    """Impurity of class weights, per unit of weight."""
    total = math.fsum(weights)
    if total == 0:
        return 0.0
    shares = [weight / total for weight in weights if weight > 0]
    if measure == "gini":
        return 1 - math.fsum(p * p for p in shares)
    if measure == "entropy":
        return -math.fsum(p * math.log2(p) for p in shares)
    if measure == "deviance":
        return -2 * math.fsum(p * math.log(p) for p in shares)
    if measure == "misclassification":
        return 1 - max(shares)
    raise ValueError(measure)


def cost_gini(weights: Sequence[float], costs: np.ndarray) -> float:
    """Gini with a cost matrix (rows are the truth): the sum of cost(i, j) p_i p_j."""
    shares = np.asarray(weights, dtype=float) / math.fsum(weights)
    return float(shares @ np.asarray(costs, dtype=float) @ shares)


def weighted_median(y: np.ndarray, w: np.ndarray) -> float:
    """The smallest value with at least half of the weight at or below it."""
    order = np.argsort(y, kind="stable")
    below = np.cumsum(w[order])
    return float(y[order][np.searchsorted(below, below[-1] / 2)])


def spread(measure: str, y: np.ndarray, w: np.ndarray) -> float:
    """Sum of squared or absolute deviations of numbers, weighted."""
    if w.sum() == 0:
        return 0.0
    if measure == "squared_error":
        mean = math.fsum(w * y) / math.fsum(w)
        return math.fsum(w * (y - mean) ** 2)
    if measure == "absolute_error":
        return math.fsum(w * np.abs(y - weighted_median(y, w)))
    raise ValueError(measure)


def gain(measure: str, y: np.ndarray, w: np.ndarray, branch: np.ndarray) -> float:
    """Weighted decrease when row i goes to branch[i]; rows with branch -1 are left out."""
    known = branch >= 0
    y, w, branch = y[known], w[known], branch[known]
    sides = [branch == b for b in np.unique(branch)]
    if measure in NUMBER_MEASURES:
        return spread(measure, y, w) - math.fsum(spread(measure, y[s], w[s]) for s in sides)
    n_classes = int(y.max()) + 1 if len(y) else 0
    parent = class_weights(y, w, n_classes)
    children = [class_weights(y[s], w[s], n_classes) for s in sides]
    return class_gain(measure, parent, children)


def class_gain(measure: str, parent: np.ndarray, children: Sequence[np.ndarray]) -> float:
    """Weighted decrease from class weights."""
    total = math.fsum(parent)
    children = [child for child in children if child.sum() > 0]
    if measure == "twoing":
        left, right = children
        apart = math.fsum(abs(left / left.sum() - right / right.sum()))
        return total * (left.sum() / total) * (right.sum() / total) / 4 * apart**2
    if measure == "hellinger":
        return math.fsum(
            child.sum() * (1 - math.fsum(np.sqrt(child / child.sum() * parent / total)))
            for child in children
        )
    if measure == "hddt":
        return total * max(
            (
                math.dist(
                    [math.sqrt(child[c] / parent[c]) for child in children],
                    [math.sqrt(np.delete(child, c).sum() / rest) for child in children],
                )
                for c in range(len(parent))
                if parent[c] > 0 and (rest := np.delete(parent, c).sum()) > 0
            ),
            default=0.0,
        )
    return total * impurity(measure, parent) - math.fsum(
        child.sum() * impurity(measure, child) for child in children
    )


# ---------------------------------------------------------------- thresholds


@dataclass(frozen=True)
class Best:
    """The largest gain and every candidate that reaches it (to `tolerance`), first one first."""

    gain: float
    candidates: tuple


def keep_best(scored: list[tuple[float, object]], tolerance: float = 1e-10) -> Best | None:
    """Reduce scored candidates to the best; None if none has a positive gain."""
    if not scored:
        return None
    largest = max(score for score, _ in scored)
    if largest <= 0:
        return None
    ties = tuple(item for score, item in scored if score >= largest * (1 - tolerance))
    return Best(largest, ties)


def midpoints(x: np.ndarray) -> list[float]:
    """A cut between every two neighbouring values."""
    values = np.unique(x[~np.isnan(x)])
    cuts = []
    for low, high in itertools.pairwise(values):
        middle = low + (high - low) / 2
        cuts.append(float(middle if middle < high else low))
    return cuts


def send(x: np.ndarray, cut: float) -> np.ndarray:
    """Branch of every row: 0 where x <= cut, 1 where above, -1 where missing."""
    return np.where(np.isnan(x), -1, np.where(x <= cut, 0, 1))


def big_enough(branch: np.ndarray, min_leaf: int) -> bool:
    """Both branches have rows enough."""
    return min(np.sum(branch == 0), np.sum(branch == 1)) >= min_leaf


def best_threshold(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, measure: str, min_leaf: int = 1
) -> Best | None:
    """The best cut of one numeric column on its known rows; zero-weight rows are absent."""
    x, y, w = x[w > 0], y[w > 0], w[w > 0]
    scored = []
    for cut in midpoints(x):
        branch = send(x, cut)
        if big_enough(branch, min_leaf):
            scored.append((gain(measure, y, w, branch), cut))
    return keep_best(scored)


def best_threshold_and_side(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, measure: str, min_leaf: int = 1
) -> Best | None:
    """The best cut when all rows with a missing value go to one side, whichever is better."""
    x, y, w = x[w > 0], y[w > 0], w[w > 0]
    scored = []
    for cut in midpoints(x):
        for side in (0, 1):
            branch = send(x, cut)
            branch[branch < 0] = side
            if big_enough(branch, min_leaf):
                scored.append((gain(measure, y, w, branch), (cut, side)))
    return keep_best(scored)


# ---------------------------------------------------------------- categories


def best_subset(
    codes: np.ndarray, y: np.ndarray, w: np.ndarray, measure: str, min_leaf: int = 1
) -> Best | None:
    """The best two groups of the levels that occur, by trying all of them.

    A candidate is the pair of level sets; the first holds the lowest level that occurs.
    """
    codes, y, w = codes[w > 0], y[w > 0], w[w > 0]
    levels = [int(level) for level in np.unique(codes[~np.isnan(codes)])]
    scored = []
    for size in range(len(levels) - 1):
        for others in itertools.combinations(levels[1:], size):
            left = {levels[0], *others}
            branch = np.where(np.isnan(codes), -1, np.where(np.isin(codes, list(left)), 0, 1))
            if big_enough(branch, min_leaf):
                groups = (frozenset(left), frozenset(levels) - left)
                scored.append((gain(measure, y, w, branch), groups))
    return keep_best(scored)


@dataclass(frozen=True)
class InformationGain:
    """Gain per unit of node weight and split information, both in bits."""

    gain: float
    split_information: float
    threshold: float | None = None
    tries: int = 0

    @property
    def ratio(self) -> float:
        return self.gain / self.split_information

    @property
    def balanced(self) -> float:
        return self.gain / (1 + self.split_information)


def information_gain(y: np.ndarray, w: np.ndarray, branch: np.ndarray) -> InformationGain:
    """Quinlan's gain and split information of any split; missing rows are one more branch."""
    total = math.fsum(w)
    parts = [math.fsum(w[branch == b]) / total for b in np.unique(branch)]
    split_information = -math.fsum(q * math.log2(q) for q in parts if q > 0)
    return InformationGain(gain("entropy", y, w, branch) / total, split_information)


def multiway(codes: np.ndarray, y: np.ndarray, w: np.ndarray) -> InformationGain:
    """One branch for every level that occurs."""
    return information_gain(y, w, np.where(np.isnan(codes), -1, codes).astype(int))


# ---------------------------------------------------------------- C4.5 release 8


def c45_categorical(
    codes: np.ndarray, y: np.ndarray, w: np.ndarray, min_objects: float = 2
) -> InformationGain | None:
    """A multiway candidate: at least two branches of enough weight."""
    known = ~np.isnan(codes)
    heavy = [level for level in np.unique(codes[known]) if w[codes == level].sum() >= min_objects]
    return multiway(codes, y, w) if len(heavy) >= 2 else None


def c45_numeric(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, n_classes: int, min_objects: float = 2
) -> InformationGain | None:
    """The numeric rule: best cut by gain, then minus log2(tries) / W (Quinlan 1996)."""
    known_weight = float(w[~np.isnan(x)].sum())
    if known_weight < 2 * min_objects:
        return None
    min_split = min(max(0.1 * known_weight / n_classes, min_objects), 25)
    values = np.unique(x[~np.isnan(x)])
    tried: list[InformationGain] = []
    for low, high in itertools.pairwise(values):
        branch = send(x, low)
        sides = w[branch == 0].sum(), w[branch == 1].sum()
        if high - low > 1e-5 and min(sides) >= min_split - 1e-9:
            plain = information_gain(y, w, branch)
            middle = (low + high) / 2
            tried.append(InformationGain(plain.gain, plain.split_information, float(middle)))
    if not tried:
        return None
    best = max(tried, key=lambda candidate: candidate.gain)  # the first one on ties
    corrected = best.gain - math.log2(len(tried)) / w.sum()
    if corrected <= 0:
        return None
    return InformationGain(corrected, best.split_information, best.threshold, len(tried))


def c45_choice(
    candidates: Sequence[InformationGain | None], counts_in_average: Sequence[bool] | None = None
) -> int | None:
    """Index of the candidate with the best ratio among those of at least average gain."""
    eps = 1e-3
    present = [(i, candidate) for i, candidate in enumerate(candidates) if candidate is not None]
    counted = [c for i, c in present if counts_in_average is None or counts_in_average[i]]
    if not present:
        return None
    averaged = counted or [candidate for _, candidate in present]
    average = math.fsum(candidate.gain for candidate in averaged) / len(averaged)
    allowed = [
        (i, candidate)
        for i, candidate in present
        if candidate.gain >= average - eps and candidate.split_information > eps
    ]
    if not allowed:
        return None
    return max(allowed, key=lambda pair: pair[1].ratio)[0]  # the first one on ties


# ---------------------------------------------------------------- surrogates


@dataclass(frozen=True)
class SurrogateSplit:
    """A back-up split: agreement, the same above the baseline, and where its values go.

    `swapped`: the low side (or the first level set) goes to the primary test's branch 1.
    """

    agreement: float
    adjusted: float
    test: object
    swapped: bool = False


def surrogate_threshold(primary: np.ndarray, x: np.ndarray, w: np.ndarray) -> SurrogateSplit | None:
    """The cut of another numeric column that repeats the primary branches best (rpart, style 0).

    Only rows whose primary test is known count; those that miss the surrogate disagree. The cuts
    lie between the values of all rows of the node, also of those that miss the primary test. Each
    side needs two rows; the first cut wins a tie, and at one cut the straight direction.
    """
    rows = primary >= 0
    cuts = midpoints(x)
    primary, x, w = primary[rows], x[rows], w[rows]
    best: SurrogateSplit | None = None
    for cut in cuts:
        branch = send(x, cut)
        if not big_enough(branch, 2):
            continue
        for swapped in (False, True):
            sent = np.where(branch < 0, -1, 1 - branch if swapped else branch)
            best = better(best, primary, sent, w, cut, swapped)
    return best


def surrogate_levels(
    primary: np.ndarray, codes: np.ndarray, w: np.ndarray
) -> SurrogateSplit | None:
    """Every level goes where most of its weight goes, a tied one where most with a level go."""
    rows = primary >= 0
    primary, codes, w = primary[rows], codes[rows], w[rows]
    has_level = ~np.isnan(codes)
    sent_by_level = [w[has_level & (primary == side)].sum() for side in (0, 1)]
    heavier = 0 if sent_by_level[0] >= sent_by_level[1] else 1
    side_of_level = {}
    for level in np.unique(codes[has_level]):
        left = w[(codes == level) & (primary == 0)].sum()
        right = w[(codes == level) & (primary == 1)].sum()
        side_of_level[int(level)] = heavier if left == right else int(right > left)
    sent = np.array([-1 if np.isnan(code) else side_of_level[int(code)] for code in codes])
    if not big_enough(sent, 2):
        return None
    groups = tuple(
        frozenset(level for level, side in side_of_level.items() if side == wanted)
        for wanted in (0, 1)
    )
    return better(None, primary, sent, w, groups, swapped=False)


def better(
    best: SurrogateSplit | None,
    primary: np.ndarray,
    sent: np.ndarray,
    w: np.ndarray,
    test: object,
    swapped: bool,
) -> SurrogateSplit | None:
    """The new surrogate if it agrees more than the best so far and more than the baseline."""
    total = math.fsum(w)
    agreement = math.fsum(w[sent == primary]) / total
    baseline = max(math.fsum(w[primary == 0]), math.fsum(w[primary == 1])) / total
    if baseline >= 1 or agreement <= baseline + 1e-10 * (1 - baseline):
        return best
    if best is not None and agreement <= best.agreement * (1 + 1e-12):
        return best
    return SurrogateSplit(agreement, (agreement - baseline) / (1 - baseline), test, swapped)
