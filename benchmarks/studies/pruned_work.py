"""One fold of pruned_classics.py: grow, choose and judge one tree.

scikit-learn has no categorical columns: each level becomes a column of zeros and ones, a missing
cell a level of its own. Its `ccp_alpha` is chosen by its `GridSearchCV` from the alphas of its
`cost_complexity_pruning_path`, thinned so that the sizes of the trees are in equal ratios.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common.cross_validation import Fold, fit, rows_of, seed_of
from benchmarks.common.data_sets import DataSet, as_numbers
from benchmarks.common.measuring import timed
from treewright import recipes

INNER_FOLDS = 10  # of the choice of a tree, in both libraries
LIMITS = {"min_samples_split": 20, "min_samples_leaf": 7, "max_depth": 30}  # of R's rpart
TREEWRIGHT: dict[str, Callable[[int], Any]] = {
    "cart()": lambda seed: recipes.cart(random_state=seed),
    "cart(se=0)": lambda seed: recipes.cart(se=0, random_state=seed),
    "cart(), rpart's limits": lambda seed: recipes.cart(random_state=seed, **LIMITS),
    "c45()": lambda seed: recipes.c45(random_state=seed),
}
PEER, PEER_ONE_ERROR = "scikit-learn", "scikit-learn, 1 SE"


@dataclass(frozen=True)
class Task:
    """Fit one method on four fifths of the rows, judge it on the rest."""

    method: str
    repeat: int
    fold: int
    n_alphas: int  # of scikit-learn's grid
    shuffle_columns: bool

    def do(self, data: DataSet) -> list[Fold]:
        """Return what was found; scikit-learn's two choices share one search."""
        trained, held_out = rows_of(data, self.repeat, self.fold)
        seed = seed_of(self.repeat, self.fold)
        if self.shuffle_columns:
            data = data.shuffled(seed)
        if self.method == PEER:
            found = _search(data, trained, held_out, seed, self.n_alphas)
        else:
            found = [(self.method, *fit(data, trained, held_out, TREEWRIGHT[self.method](seed)))]
        return [Fold(data.name, name, self.repeat, self.fold, *rest) for name, *rest in found]


def thin(alphas: np.ndarray, n_alphas: int) -> np.ndarray:
    """Return at most so many alphas, the largest first, the ranks of the trees in equal ratios."""
    falling = np.unique(np.maximum(alphas, 0.0))[::-1]
    ranks = np.geomspace(1, len(falling), n_alphas).round().astype(int) - 1
    return falling[np.unique(ranks)]


def _search(
    data: DataSet, trained: np.ndarray, held_out: np.ndarray, seed: int, n_alphas: int
) -> list[tuple[Any, ...]]:
    """Return the tree of the best alpha, and that of the largest within one standard error."""
    X, X_held_out = (part.astype(np.float32) for part in as_numbers(data, trained, held_out))
    y, y_held_out = data.target[trained], data.target[held_out]
    plain = DecisionTreeClassifier(random_state=seed)
    inner = StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=seed)

    def search() -> GridSearchCV:
        alphas = thin(plain.cost_complexity_pruning_path(X, y).ccp_alphas, n_alphas)
        # The first of equally good alphas is taken: the one with the smaller tree.
        return GridSearchCV(plain, {"ccp_alpha": alphas}, cv=inner).fit(X, y)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")  # glass
        seconds, found = timed(search)
    scores = found.cv_results_["mean_test_score"]
    error = found.cv_results_["std_test_score"][found.best_index_] / np.sqrt(INNER_FOLDS - 1)
    within = int(np.argmax(scores >= scores[found.best_index_] - error))
    alpha = found.cv_results_["param_ccp_alpha"][within]
    smaller = DecisionTreeClassifier(random_state=seed, ccp_alpha=alpha)
    extra, _ = timed(smaller.fit, X, y)
    return [
        (PEER, *_judge(found.best_estimator_, X_held_out, y_held_out), seconds),
        (PEER_ONE_ERROR, *_judge(smaller, X_held_out, y_held_out), seconds + extra),
    ]


def _judge(model: DecisionTreeClassifier, X: np.ndarray, y: np.ndarray) -> tuple[Any, ...]:
    tree = model.tree_
    weight = tree.weighted_n_node_samples
    effort = weight[tree.children_left >= 0].sum() / weight[0]  # each test looks at one value
    return model.score(X, y), int(model.get_n_leaves()), int(model.get_depth()), float(effort)
