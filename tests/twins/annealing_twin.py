"""A second implementation of SADT at the root, change by change.

It draws the same random numbers as the core, judges every plane from its rows by the measures of
`twins`, and tries every threshold along the best plane seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from must_twin import best_threshold
from thermal_twin import root_stream
from twins import big_enough, gain


@dataclass(frozen=True)
class Annealed:
    """The best plane seen on standardised columns, its score, and that of the best threshold."""

    slopes: np.ndarray
    score: float
    gain: float


def sadt(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    random_state: int,
    *,
    measure: str,
    start: str = "ones",
    patience: int = 3000,
    cooling: float = 0.999,
    initial_temperature: float | str = "auto",
    min_leaf: int = 1,
) -> Annealed:
    """Anneal a plane at the root of a table without equal rows."""
    mean = w @ X / w.sum()
    Z = np.column_stack([(X - mean) / np.sqrt(w @ (X - mean) ** 2 / w.sum()), np.ones(len(y))])
    stream, n_columns = root_stream(random_state), X.shape[1]

    def score(plane: np.ndarray) -> float:
        branch = (Z @ plane > 0).astype(int)
        return gain(measure, y, w, branch) / w.sum() if big_enough(branch, min_leaf) else -np.inf

    def changed(plane: np.ndarray) -> np.ndarray:
        other = plane.copy()
        other[stream.below(n_columns + 1)] += stream.unit() - 0.5
        return other

    plane = np.array([1.0] * n_columns + [0.0])
    if start == "random":
        plane = np.array([2 * stream.unit() - 1 for _ in plane])
    now = score(plane)
    temperature = initial_temperature
    if initial_temperature == "auto":
        losses = [now - score(changed(plane)) for _ in range(100)]
        losses = [loss for loss in losses if 1e-12 < loss < np.inf]
        temperature = float(np.mean(losses)) if losses else 0.0
    best, best_score, waited = plane, now, 0
    while waited < patience:
        waited += 1
        other = changed(plane)
        then, chance = score(other), stream.unit()
        loss = 0.0 if then == now else now - then
        with np.errstate(divide="ignore"):
            if loss <= 1e-12 or chance < np.exp(-np.divide(loss, temperature)):
                plane, now = other, then
        temperature *= cooling
        if now > best_score + 1e-10 * abs(best_score):
            best, best_score, waited = plane, now, 0
    along = Z[:, :-1] @ best[:-1]
    reached, _ = best_threshold(along, y, w, min_leaf, partial(gain, measure))
    return Annealed(best[:-1], best_score, reached)
