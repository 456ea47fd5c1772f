"""The tree is the same for any number of threads."""

from __future__ import annotations

import time

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor
from treewright.prune import CostComplexity

N_ROWS = 25_000  # of which large nodes are divided on threads


def table(seed: int, n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows with ties and missing values, their target and weights."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(N_ROWS, 7)).round(2)
    X[:, 3] = random.integers(0, 5, N_ROWS)
    X[:, 6] = X[:, 5]  # a twin: the first of equal cuts stays
    X[random.random(X.shape) < 0.02] = np.nan
    known = np.nan_to_num(X)
    score = known[:, 0] + known[:, 1] * known[:, 2] + known[:, 5] + random.normal(size=N_ROWS)
    y = score if n_classes == 0 else np.digitize(score, np.linspace(-1, 1, n_classes - 1))
    return X, y, random.integers(1, 4, N_ROWS) / 4.0


@pytest.mark.long
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("n_classes", "settings"),
    [
        (2, {"max_depth": 8}),
        (2, {"max_depth": 6, "criterion": "entropy", "gain": "ratio"}),
        (2, {"max_leaf_nodes": 30, "missing": "surrogate"}),
        (2, {"max_depth": 5, "missing": "stop"}),
        (4, {"max_depth": 7, "criterion": "entropy"}),
        (3, {"max_depth": 6, "max_features": 3, "random_state": 1}),
        (0, {"max_depth": 7}),
        (0, {"max_depth": 7, "prune": CostComplexity(alpha=5.0)}),
    ],
    ids=str,
)
def test_threads_change_nothing(n_classes: int, settings: dict, order: str) -> None:
    X, y, weights = table(1, n_classes)
    X = np.asarray(X, order=order)
    kind = TreeClassifier if n_classes else TreeRegressor
    for weighted in (None, weights):
        one, two, three = (
            kind(n_jobs=n_jobs, **settings).fit(X, y, weighted).tree_.core.state()
            for n_jobs in (1, 2, 3)
        )
        assert all(np.array_equal(one[name], two[name]) for name in one)
        assert all(np.array_equal(one[name], three[name]) for name in one)


@pytest.mark.long
def test_a_time_limit_and_what_progress_raises_end_the_threads() -> None:
    X, y, _ = table(2, 2)
    began = time.monotonic()
    with pytest.warns(UserWarning, match="time limit"):
        model = TreeClassifier(n_jobs=2, time_limit=1e-6).fit(X, y)
    assert model.tree_.n_leaves >= 1
    assert time.monotonic() - began < 5.0

    def interrupt(done: float) -> None:
        raise KeyboardInterrupt

    model = TreeClassifier(n_jobs=2, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "tree_")
