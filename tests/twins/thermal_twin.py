"""A second implementation of LMDT's linear machine, row by row as the report has it.

It draws the same random numbers as the core (SplitMix64), so that the machines can be compared
number by number.
"""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

_BITS = (1 << 64) - 1


class Stream:
    """SplitMix64 (Steele, Lea, Flood 2014)."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & _BITS
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _BITS
        return z ^ (z >> 31)

    def below(self, n):
        return ((self.next() >> 32) * n) >> 32

    def unit(self):
        return (self.next() >> 11) * 2.0**-53


def root_stream(random_state):
    """What the root of a tree draws from."""
    return Stream(int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64)))


def machine(X, y, random_state, weights=None, elimination=None, max_epochs=100):
    """Return the scores at the root in the units of X: a row a class, then the intercept."""
    order = np.lexsort((*X.T[::-1], y))
    X, y = X[order], y[order]
    w = np.ones(len(y)) if weights is None else np.asarray(weights)[order]
    mean = w @ X / w.sum()
    scale = np.sqrt(w @ (X - mean) ** 2 / w.sum())
    Z = np.column_stack([(X - mean) / scale, np.ones(len(y))])
    stream, n_classes = root_stream(random_state), y.max() + 1
    used = list(range(X.shape[1]))
    start = np.zeros((n_classes, Z.shape[1]))
    W, accuracy = _train(Z, y, w, start, stream, max_epochs)
    best = accuracy
    while elimination is not None and len(used) > 1:
        pairs = [(a, b) for a in range(n_classes) for b in range(a)]
        spread = [sum((W[a, j] - W[b, j]) ** 2 for a, b in pairs) for j in used]
        out = used[int(np.argmin(spread))]
        fewer = [j for j in used if j != out]
        start = np.where(np.isin(np.arange(Z.shape[1]), [*fewer, X.shape[1]]), W, 0.0)
        kept = np.where(np.isin(np.arange(Z.shape[1]), [*fewer, X.shape[1]]), Z, 0.0)
        smaller, accuracy = _train(kept, y, w, start, stream, max_epochs)
        if accuracy < best - elimination:
            break
        best, W, used = max(best, accuracy), smaller, fewer
    coefficients = W[:, :-1] / scale
    return np.column_stack([coefficients, W[:, -1] - coefficients @ mean])


def _train(Z, y, w, start, stream, max_epochs):
    def accuracy(W):
        return w[(Z @ W.T).argmax(axis=1) == y].sum() / w.sum()

    W, temperature, has_grown = start.copy(), 2.0, False
    pocket, best = W.copy(), accuracy(W)
    order = list(range(len(y)))
    for _ in range(max_epochs):
        if best >= 1.0 or temperature < 0.001:
            break
        for i in range(len(order) - 1):
            other = i + stream.below(len(order) - i)
            order[i], order[other] = order[other], order[i]
        for i in order:
            x, own = Z[i], y[i]
            scores = W @ x
            taken_for = int(scores.argmax())
            if taken_for == own:
                continue
            k = (scores[taken_for] - scores[own]) / (2 * x @ x)
            c = temperature / (temperature + k) * w[i] / w.mean()
            before = (W**2).sum()
            W[own] += c * x
            W[taken_for] -= c * x
            grows = (W**2).sum() > before
            if has_grown and not grows:
                temperature = 0.995 * temperature - 0.0005
            has_grown = grows
            if temperature < 0.001:
                break
        if accuracy(W) > best:
            pocket, best = W.copy(), accuracy(W)
    return pocket, best
