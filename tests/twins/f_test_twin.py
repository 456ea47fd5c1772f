"""dGMML trees by hand: a numpy twin of growth with `FTest`, for complete numeric tables.

Written from the formulas, without the library; everything is found anew at every node, so it is
for small tables. A leaf is the tuple of its class counts, an inner node (coefficients by column,
threshold, left, right).
"""

from __future__ import annotations

import numpy as np


def ratio(x, y, w):
    """SSB / SSW of one column; -inf for a constant one, inf for classes without spread."""
    classes = [y == c for c in np.unique(y)]
    means = [np.average(x[c], weights=w[c]) for c in classes]
    within = sum((w[c] * (x[c] - m) ** 2).sum() for c, m in zip(classes, means, strict=True))
    overall = np.average(x, weights=w)
    between = sum(w[c].sum() * (m - overall) ** 2 for c, m in zip(classes, means, strict=True))
    bound = w.sum() * (1e-12 * np.abs(x).max()) ** 2
    if within > bound:
        return between / within
    return np.inf if np.ptp(means) ** 2 > bound else -np.inf


def weight(x, y, w):
    """Equation 9 for two classes, sqrt(SSB / SSW) for more."""
    found = ratio(x, y, w)
    sizes = [w[y == c].sum() for c in np.unique(y)]
    if found < 0:
        return -np.inf
    return np.sqrt(found * (sum(sizes) / np.prod(sizes) if len(sizes) == 2 else 1.0))


def groups(x, y, w):
    """Whether each row is of the high group."""
    order = sorted(
        np.unique(y), key=lambda c: (round(np.average(x[y == c], weights=w[y == c]), 9), c)
    )
    cuts = [np.isin(y, order[cut:]) for cut in range(1, len(order))]
    best = cuts[0]
    for cut in cuts[1:]:
        if weight(x, cut, w) > weight(x, best, w) * (1 + 1e-9):
            best = cut
    return best


def point(x, y, w, rule, k):
    if rule == "mean":
        return np.average(x, weights=w)
    if rule == "median":
        order = np.argsort(x, kind="stable")
        below = np.cumsum(w[order])
        at = int(np.searchsorted(below, below[-1] / 2))
        is_half = below[at] == below[-1] / 2
        return (x[order[at]] + x[order[at + 1]]) / 2 if is_half else x[order[at]]
    high = groups(x, y, w)
    if rule == "class_midpoint":
        return (np.average(x[~high], weights=w[~high]) + np.average(x[high], weights=w[high])) / 2
    low = sorted(zip(-x[~high], -w[~high], strict=True))[:k]
    top = sorted(zip(x[high], -w[high], strict=True))[:k]
    below, above = np.array(low), np.array(top)
    return (
        np.average(-below[:, 0], weights=-below[:, 1])
        + np.average(above[:, 0], weights=-above[:, 1])
    ) / 2


def threshold(x, b, min_leaf):
    """The point, or the nearest middle that leaves enough; None if there is none."""
    slack = 1e-11 * np.ptp(x)
    b = max([b, *x[(x > b) & (x <= b + slack)]])
    if min((x <= b).sum(), (x > b).sum()) >= min_leaf:
        return b
    values = np.unique(x)
    middles = [
        m for m in (values[1:] + values[:-1]) / 2 if min((x <= m).sum(), (x > m).sum()) >= min_leaf
    ]
    return min(middles, key=lambda m: (round(abs(m - b), 9), m), default=None)


def projection(X, y, w, ratios, features, printed):
    """Coefficients of the direction of the best columns, none if fewer than two differ."""
    order = sorted(np.flatnonzero(ratios >= 0), key=lambda j: (-round_off(ratios[j]), j))
    if np.isinf(ratios[order[0]]):
        order = [j for j in order if np.isinf(ratios[j])]
    order = [j for j in order if ratios[j] > 0][:features]
    if len(order) < 2:
        return {}
    high = groups(X[:, order[0]], y, w)
    terms = {}
    for j in order:
        x = X[:, j]
        is_perfect = np.isinf(ratios[j])
        gap = np.average(x[high], weights=w[high]) - np.average(x[~high], weights=w[~high])
        within = sum(
            (w[c] * (x[c] - np.average(x[c], weights=w[c])) ** 2).sum()
            for c in (y == label for label in np.unique(y))
        )
        size = 1.0 if is_perfect else weight(x, y, w) if printed else np.sqrt(ratios[j] / within)
        terms[int(j)] = size if printed else np.sign(gap) * size
    largest = max(map(abs, terms.values()))
    return {j: terms[j] / largest for j in sorted(terms)}


def round_off(x):
    return x if np.isinf(x) else float(f"{x:.10g}")


def grow(
    X, y, w=None, *, rule="closest", k=5, features=1, printed=False, min_parent=10, min_leaf=1
):
    """Return the tree as nested tuples."""
    w = np.ones(len(y)) if w is None else w
    labels = np.unique(y)

    def split(rows):
        counts = tuple(int((y[rows] == c).sum()) for c in labels)
        if max(counts) == len(rows) or len(rows) < max(min_parent, 2 * min_leaf):
            return counts
        here, ours, weights = X[rows], y[rows], w[rows]
        ratios = np.array([ratio(x, ours, weights) for x in here.T])
        order = sorted(np.flatnonzero(ratios >= 0), key=lambda j: (-round_off(ratios[j]), j))
        tried = [{int(j): 1.0} for j in order]
        if features > 1 and order:
            direction = projection(here, ours, weights, ratios, features, printed)
            tried = [direction, *tried] if direction else tried
        for terms in tried:
            line = sum(c * here[:, j] for j, c in terms.items())
            b = threshold(line, point(line, ours, weights, rule, k), min_leaf)
            if b is not None:
                left = line <= b
                return terms, b, split(rows[left]), split(rows[~left])
        return counts

    return split(np.arange(len(y)))
