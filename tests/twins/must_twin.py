"""MUST at one node, written plainly: what the compiled method must find on small tables.

Everything is by definition: scatter matrices as sums over rows, directions by numpy, every
threshold of the projection judged by the measures of `twins`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.cluster import KMeans
from twins import big_enough, gain, information_gain, midpoints

from treewright import TreeClassifier, TreeRegressor


@dataclass(frozen=True)
class Found:
    """A test: columns, one coefficient each, a threshold, and its score."""

    columns: tuple[int, ...]
    coefficients: np.ndarray
    threshold: float
    score: float


def scatter(X: np.ndarray, in_one: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Within scatter of two groups, and the difference of their means."""
    within, means = np.zeros((X.shape[1], X.shape[1])), []
    for group in (~in_one, in_one):
        mean = np.average(X[group], axis=0, weights=w[group])
        off = X[group] - mean
        within += (off * w[group, None]).T @ off
        means.append(mean)
    return within, means[1] - means[0]


def guess(x: np.ndarray, in_one: np.ndarray, w: np.ndarray) -> float:
    """The guessed threshold on one column."""
    mean, deviation = {}, {}
    for group in (False, True):
        rows = in_one == group
        mean[group] = np.average(x[rows], weights=w[rows])
        deviation[group] = np.sqrt(np.average((x[rows] - mean[group]) ** 2, weights=w[rows]))
    high = mean[True] > mean[False]
    low = not high
    edges = mean[low] + deviation[low], mean[high] - deviation[high]
    if edges[1] > edges[0]:
        return float(sum(edges) / 2)
    return float(edges[1] if deviation[high] < deviation[low] else edges[0])


def balanced_gain_ratio(y: np.ndarray, w: np.ndarray, branch: np.ndarray) -> float:
    """Gain in bits over 1 + split information."""
    return information_gain(y, w, branch).balanced


def best_threshold(
    p: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    min_leaf: int,
    goodness: Callable[..., float] = balanced_gain_ratio,
) -> tuple[float, float]:
    """Score and threshold of the best cut of a projection."""
    best = -np.inf, np.nan
    for cut in midpoints(p):
        branch = (p > cut).astype(int)
        if not big_enough(branch, min_leaf):
            continue
        score = goodness(y, w, branch)
        if score > best[0] + 1e-12:
            best = score, cut
    return best


def must(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    in_one: np.ndarray,
    *,
    features: int | str,
    selection: str = "fisher",
    min_leaf: int = 1,
) -> Found:
    """MUST on a table without gaps, with the groups given."""
    within, difference = scatter(X, in_one, w)
    if features == 1:
        scores = []
        for x in X.T:
            branch = (x > guess(x, in_one, w)).astype(int)
            one_side = branch.min() == branch.max()
            scores.append(-np.inf if one_side else balanced_gain_ratio(y, w, branch))
        columns = [int(np.argmax(scores))]
    elif features == "all":
        columns = list(range(X.shape[1]))
    else:
        worth = difference**2 / np.diag(within)
        if selection == "mahalanobis":
            worth = np.abs(np.linalg.solve(within, difference) * difference)
        columns = sorted(np.argsort(-worth, kind="stable")[:features].tolist())
        if selection == "forward":
            columns = forward(
                worth,
                features,
                lambda some: distance(
                    np.linalg.solve(within[np.ix_(some, some)], difference[some]),
                    within[np.ix_(some, some)],
                    difference[some],
                ),
            )
    part = np.ix_(columns, columns)
    direction = np.linalg.solve(within[part], difference[columns])
    direction = scaled(direction) if len(columns) > 1 else np.ones(1)
    score, threshold = best_threshold(X[:, columns] @ direction, y, w, min_leaf)
    return Found(tuple(columns), direction, threshold, score)


def distance(direction: np.ndarray, spread: np.ndarray, towards: np.ndarray) -> float:
    """How far apart groups lie along a direction, in terms of their spread."""
    return float((direction @ towards) ** 2 / (direction @ spread @ direction))


def forward(worth: np.ndarray, n_columns: int, apart: Callable[[list[int]], float]) -> list[int]:
    """The best column, joined one by one by what sets the groups furthest apart with it."""
    chosen = [int(np.argmax(worth))]
    while len(chosen) < min(n_columns, len(worth)):
        others = [column for column in range(len(worth)) if column not in chosen]
        chosen.append(max(others, key=lambda column: apart([*chosen, column])))
    return sorted(chosen)


def scaled(direction: np.ndarray) -> np.ndarray:
    """The largest coefficient 1 or -1, the first one positive."""
    return direction / np.abs(direction).max() * np.sign(direction[0])


def groups_by_means(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The division of the classes whose standardised means lie closest together."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    means = np.array([Z[y == label].mean(axis=0) for label in range(y.max() + 1)])
    divisions = all_divisions(len(means))
    spread = [
        sum(((means[side] - means[side].mean(axis=0)) ** 2).sum() for side in (group, ~group))
        for group in divisions
    ]
    return divisions[int(np.argmin(spread))]


def groups_by_rows(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Classes by the cluster that holds more of them; 2-means starts from the groups of means."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    start = groups_by_means(X, y)
    centres = np.array([Z[~start[y]].mean(axis=0), Z[start[y]].mean(axis=0)])
    model = KMeans(2, init=centres, n_init=1, max_iter=50, tol=0, algorithm="lloyd")
    in_second = model.fit(Z).labels_ == 1
    share = np.array([in_second[y == label].mean() for label in range(y.max() + 1)])
    for limit in (0.5, in_second.mean()):
        group = share > limit
        if group.any() and not group.all():
            return group
    return np.arange(len(share)) == np.argmax(share)


def all_divisions(n_classes: int) -> list[np.ndarray]:
    """Every division of the classes in two, the last class in the second part."""
    firsts = itertools.product([False, True], repeat=n_classes - 1)
    return [np.array([*first, True]) for first in firsts if not all(first)]


def must_for_numbers(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    *,
    features: int | str,
    selection: str = "fisher",
    direction: str = "ridge",
    min_leaf: int = 1,
) -> Found:
    """MUST on a numeric target and a table without gaps."""
    off = X - np.average(X, axis=0, weights=w)
    off_target = y - np.average(y, weights=w)
    spread, towards = (off * w[:, None]).T @ off, off.T @ (w * off_target)
    worth = towards**2 / np.diag(spread)
    if direction == "bipartition":
        cut = best_threshold(y, y, w, min_leaf, squared_error_gain)[1]
        spread, towards = scatter(X, y > cut, w)

    def direction_on(columns: list[int]) -> np.ndarray:
        part, products = spread[np.ix_(columns, columns)], towards[columns]
        plain = np.linalg.solve(part, products)
        if direction != "ridge":
            return plain
        error = (w @ off_target**2 - plain @ products) / (max(w.sum(), len(y)) - len(columns) - 1)
        squares = np.diag(part)
        amount = len(columns) * error / (squares @ plain**2)
        return np.linalg.solve(part + amount * np.diag(squares), products)

    columns = list(range(X.shape[1]))
    if features != "all":
        if selection == "mahalanobis":
            worth = np.abs(direction_on(columns) * towards)
        columns = sorted(np.argsort(-worth, kind="stable")[:features].tolist())
        if selection == "forward":
            columns = forward(
                worth,
                features,
                lambda some: distance(
                    direction_on(some), spread[np.ix_(some, some)], towards[some]
                ),
            )
    found = direction_on(columns)
    found = scaled(found) if len(columns) > 1 else np.ones(1)
    score, cut = best_threshold(X[:, columns] @ found, y, w, min_leaf, squared_error_gain)
    return Found(tuple(columns), found, cut, score)


def squared_error_gain(y: np.ndarray, w: np.ndarray, branch: np.ndarray) -> float:
    """What the squared error of the branches is less than that of the node."""
    return gain("squared_error", y, w, branch)


def root(model: TreeClassifier | TreeRegressor) -> tuple[list[int], np.ndarray, float]:
    """Columns, coefficients and threshold of the first test."""
    _, columns, numbers = model.tree_.core.test(0)
    return columns, np.array(numbers[:-1]), numbers[-1]


def draw_table(seed: int, n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forty rows of four columns that go together, their classes and weights."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(40) % n_classes)
    X = random.normal(size=(40, 4)) @ random.normal(size=(4, 4)) + random.normal(size=(9, 4))[y]
    return X, y, random.integers(1, 4, size=40) / 2


def check_against(found: Found, model: TreeClassifier | TreeRegressor) -> None:
    """The first test of a tree is the one found here."""
    columns, coefficients, threshold = root(model)
    assert tuple(columns) == found.columns
    if len(columns) > 1:
        np.testing.assert_allclose(coefficients, found.coefficients, rtol=1e-6)
        assert threshold == pytest.approx(found.threshold, rel=1e-6, abs=1e-9)
    else:
        assert threshold == pytest.approx(found.threshold)
