"""The tree is the same for any number of threads."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from treewright import TreeClassifier, TreeRegressor
from treewright.prune import CostComplexity
from treewright.splits import MUST, Axis, Best, Climb, FTest, Logistic, split_method

N_ROWS = 25_000  # of which large nodes are divided on threads


def table(
    seed: int, n_classes: int, n_rows: int = N_ROWS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows with ties and missing values, their target and weights."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 7)).round(2)
    X[:, 3] = random.integers(0, 5, n_rows)
    X[:, 6] = X[:, 5]  # a twin: the first of equal cuts stays
    X[random.random(X.shape) < 0.02] = np.nan
    known = np.nan_to_num(X)
    score = known[:, 0] + known[:, 1] * known[:, 2] + known[:, 5] + random.normal(size=n_rows)
    y = score if n_classes == 0 else np.digitize(score, np.linspace(-1, 1, n_classes - 1))
    return X, y, random.integers(1, 4, n_rows) / 4.0


def states(kind: type, settings: dict, *data: object) -> list[dict[str, np.ndarray]]:
    """Return all numbers of the trees grown on one, two and three threads."""
    return [kind(n_jobs=n_jobs, **settings).fit(*data).tree_.core.state() for n_jobs in (1, 2, 3)]


def assert_equal(one: dict[str, np.ndarray], *others: dict[str, np.ndarray]) -> None:
    for other in others:
        assert all(np.array_equal(one[name], other[name]) for name in one)


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
        assert_equal(*states(kind, settings, X, y, weighted))


@pytest.mark.parametrize(
    ("n_classes", "settings"),
    [
        (2, {}),
        (3, {"criterion": "entropy", "gain": "ratio", "min_samples_leaf": 3}),
        (2, {"missing": "surrogate", "max_depth": 9}),
        (2, {"missing": "stop"}),
        (2, {"missing": "fraction", "max_depth": 6}),  # rows in several nodes: on one thread
        (3, {"max_features": 2, "random_state": 4}),
        (2, {"max_leaf_nodes": 40}),  # best-first: on one thread
        (0, {"min_samples_leaf": 5}),
        (0, {"criterion": "absolute_error", "max_depth": 6}),
        (2, {"split": MUST(features=2)}),
        (3, {"split": MUST(features="all", concise=None), "min_samples_leaf": 5}),
        (0, {"split": MUST(features=2, direction="bipartition"), "min_samples_leaf": 20}),
        (2, {"split": Logistic(), "min_samples_leaf": 10}),
        (4, {"split": Logistic(concise="bic"), "min_samples_leaf": 30, "random_state": 2}),
        (3, {"split": Best(Axis(), MUST(2)), "max_depth": 7}),
        (2, {"split": FTest(), "max_depth": 5}),  # keeps numbers between nodes: on one thread
    ],
    ids=str,
)
def test_subtrees_on_threads_make_the_same_tree(n_classes: int, settings: dict) -> None:
    X, y, weights = table(3, n_classes, 3_000)
    kind = TreeClassifier if n_classes else TreeRegressor
    for weighted in (None, weights):
        assert_equal(*states(kind, settings, X, y, weighted))


@pytest.mark.long
@pytest.mark.parametrize(
    "split",
    [
        *("oc1", "hhcart", "sadt", "wodt", "cart_lc", "best_subset", "pairs"),
        *(MUST(1), MUST(3, multiclass="scatter"), Climb(MUST(2))),
    ],
)
def test_searched_planes_on_threads_make_the_same_tree(split: object) -> None:
    X, y, _ = table(5, 2, 2_000)
    X = np.nan_to_num(X)
    settings = {"split": split, "random_state": 3, "max_depth": 4, "min_samples_leaf": 20}
    assert_equal(*states(TreeClassifier, settings, X, y))


@pytest.mark.parametrize("kind", ["subset", "multiway", "grouped"])
def test_levels_on_threads_make_the_same_tree(kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    X, y, _ = table(6, 2, 3_000)
    frame = pandas.DataFrame(X, columns=list("abcdefg"))
    frame["d"] = frame["d"].map(lambda level: f"level {level:g}").astype("category")
    assert_equal(*states(TreeClassifier, {"categorical": kind, "max_depth": 8}, frame, y))


def test_a_method_in_python_is_asked_by_one_thread() -> None:
    seen = set()

    @split_method
    def of_columns(X: np.ndarray, y: np.ndarray, w: np.ndarray, rng: object) -> np.ndarray:
        seen.add(threading.get_ident())
        return np.nan_to_num(X).T @ (y - y.mean())

    X, y, _ = table(7, 2, 2_000)
    settings = {"split": of_columns, "max_depth": 4}
    assert_equal(*states(TreeClassifier, settings, np.nan_to_num(X), y))
    assert len(seen) == 1


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

    random = np.random.default_rng(0)
    X, y = random.normal(size=(200_000, 10)), random.integers(2, size=200_000)
    model = TreeClassifier(n_jobs=2, progress=interrupt)  # takes longer than until the first report
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "tree_")


@pytest.mark.long
def test_what_progress_raises_ends_subtrees_on_threads() -> None:
    X, y, _ = table(8, 4)
    shares = []

    def interrupt(done: float) -> None:
        shares.append(done)
        if done > 0.1:
            raise KeyboardInterrupt

    model = TreeClassifier("logistic", n_jobs=3, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "tree_")
    assert shares == sorted(shares)
    assert 0.1 < shares[-1] < 1.0
