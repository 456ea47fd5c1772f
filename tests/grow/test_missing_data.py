"""Every policy for missing values on tables with real gaps.

Income, Pima (the 300 rows with gaps), stage C prostate cancer, New York's air, and three sets of
the C4.5 literature. In two of them hardly a row is complete: 39 of 40 labour contracts and all
2,514 thyroid patients lack a value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import data
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, cross_val_score

from treewright import TreeClassifier, TreeRegressor
from treewright.tree.node import MISSING_POLICIES, STOP_POLICIES

pytestmark = data.needs_all

each_policy = pytest.mark.parametrize("missing", MISSING_POLICIES)


def from_manifest(name: str) -> data.DataSet:
    table = data.read(name)
    labels = sorted(table["target"].unique())
    return data.with_classes(table, "target", labels, labels)


SETS: dict[str, tuple[Callable[[], data.DataSet], int, int]] = {  # missing cells, incomplete rows
    "income": (functools.partial(from_manifest, "income"), 4262, 2399),
    "pima_tr2": (functools.partial(from_manifest, "pima_tr2"), 114, 100),
    "stagec": (data.stagec, 12, 12),
    "airquality": (data.airquality, 5, 5),
    "labor-neg": (functools.partial(data.c45_set, "labor-neg"), 232, 39),
    "crx": (functools.partial(data.c45_set, "crx"), 44, 25),
    "hypo": (functools.partial(data.c45_set, "hypo"), 4070, 2514),
}
each_set = pytest.mark.parametrize("name", SETS)


@functools.cache
def load(name: str, at_most: int = 100_000) -> tuple[pd.DataFrame, np.ndarray]:
    """Table and target, or some rows of them that are always the same ones."""
    found = SETS[name][0]()
    rows = np.random.default_rng(0).permutation(len(found.target))[:at_most]
    return found.table.iloc[rows].reset_index(drop=True), found.target[rows]


def estimator(y: np.ndarray, **parameters: Any) -> Any:
    kind = TreeRegressor if y.dtype == float else TreeClassifier
    return kind(**parameters)


def shape_of(model: Any) -> list[Any]:
    """Tests, branches for missing values, surrogates and answers of every node."""
    core = model.tree_.core
    return [
        (
            core.test(node),
            int(core.default_branch[node]),
            [(test, swapped) for test, swapped, _, _ in core.surrogates(node)],
            pytest.approx(core.value[node]),
        )
        for node in range(core.n_nodes)
    ]


@each_set
def test_the_gaps_are_those_of_the_source(name):
    table, _ = load(name)
    _, cells, rows = SETS[name]
    assert int(table.isna().to_numpy().sum()) == cells
    assert int(table.isna().any(axis=1).sum()) == rows


@each_policy
@each_set
def test_no_row_is_lost(name, missing):
    table, y = load(name)
    model = estimator(y, missing=missing).fit(table, y)
    tree, core = model.tree_, model.tree_.core
    tree.validate()
    leaves = core.n_branches == 0
    where = tree.leaf_shares(table)
    np.testing.assert_allclose(where.sum(axis=1), 1.0)
    ended = np.asarray(where.sum(axis=0)).ravel()
    np.testing.assert_allclose(ended[leaves], core.rows[leaves], atol=1e-6)
    below = np.zeros(core.n_nodes)
    np.add.at(below, core.parent[1:], core.rows[1:])
    np.testing.assert_allclose((core.rows - below)[~leaves], ended[~leaves], atol=1e-6)
    stopped = core.stopped_statistics
    weight = core.statistics.sum(axis=1) if model.tree_.is_classification else core.statistics[:, 0]
    weight_stopped = stopped.sum(axis=1) if model.tree_.is_classification else stopped[:, 0]
    assert weight[leaves].sum() + weight_stopped.sum() == pytest.approx(len(y))
    assert (weight_stopped.sum() > 0) == (missing in STOP_POLICIES)
    assert np.isfinite(model.predict(table).astype(float)).all()
    if model.tree_.is_classification:
        np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0)


@each_policy
@each_set
def test_the_order_of_rows_does_not_matter(name, missing):
    table, y = load(name, 3000)
    order = np.random.default_rng(1).permutation(len(y))
    one = estimator(y, missing=missing, max_depth=5).fit(table, y)
    other = estimator(y, missing=missing, max_depth=5).fit(table.iloc[order], y[order])
    assert shape_of(one) == shape_of(other)
    np.testing.assert_allclose(one.tree_.core.statistics, other.tree_.core.statistics)


@pytest.mark.parametrize("missing", [policy for policy in MISSING_POLICIES if policy != "fraction"])
@each_set
def test_whole_weights_are_repeated_rows(name, missing):
    # A surrogate needs two rows on each side, whatever they weigh, so each row is there twice.
    table, y = load(name, 3000)
    twice = np.repeat(np.arange(len(y)), 2)
    weights = np.random.default_rng(2).integers(1, 4, len(twice))
    rows = np.repeat(twice, weights)
    one = estimator(y, missing=missing, max_depth=5).fit(table.iloc[twice], y[twice], weights)
    other = estimator(y, missing=missing, max_depth=5).fit(table.iloc[rows], y[rows])
    assert shape_of(one) == shape_of(other)
    np.testing.assert_allclose(one.tree_.core.statistics, other.tree_.core.statistics)


@each_set
def test_whole_weights_are_repeated_rows_where_rows_are_divided(name):
    # The least number of rows counts parts of rows, so it is multiplied as the rows are.
    table, y = load(name, 3000)
    rows = np.repeat(np.arange(len(y)), 3)
    settings = {"missing": "fraction", "max_depth": 5}
    one = estimator(y, **settings, min_samples_split=2, min_samples_leaf=1)
    other = estimator(y, **settings, min_samples_split=6, min_samples_leaf=3)
    one.fit(table, y, np.full(len(y), 3.0))
    other.fit(table.iloc[rows], y[rows])
    assert shape_of(one) == shape_of(other)
    np.testing.assert_allclose(one.tree_.core.statistics, other.tree_.core.statistics)


def paired_scores(
    table: pd.DataFrame, y: np.ndarray, missing: str, n_repeats: int
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy in each fold with all rows in training, and with the complete ones only."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    complete = ~table.isna().any(axis=1).to_numpy()
    pairs = []
    for train, held_out in folds.split(table, y):
        pair = []
        for rows, policy in ((train, missing), (train[complete[train]], "default")):
            model = TreeClassifier(missing=policy, min_samples_leaf=5)
            model.fit(table.iloc[rows], y[rows])
            pair.append(model.score(table.iloc[held_out], y[held_out]))
        pairs.append(pair)
    with_all, with_some = np.array(pairs).T
    return with_all, with_some


@each_policy
@pytest.mark.parametrize(
    ("name", "n_rows", "n_repeats"),
    [("pima_tr2", 300, 3), ("stagec", 146, 3), ("crx", 490, 2), ("income", 4000, 1)],
)
def test_incomplete_rows_do_no_harm_in_training(name, n_rows, n_repeats, missing):
    """Not worse than leaving them out, beyond two standard errors of the difference by folds."""
    with_all, with_some = paired_scores(*load(name, n_rows), missing, n_repeats)
    difference = with_all - with_some
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    assert difference.mean() > -2 * error


@each_policy
def test_rows_with_holes_teach_more_than_the_few_without(missing):
    """Wine with a tenth of its cells lost: a quarter of the rows is complete."""
    wine = data.wine()
    holes = np.random.default_rng(0).random(wine.table.shape) < 0.1
    with_all, with_some = paired_scores(wine.table.mask(holes), wine.target, missing, 2)
    assert with_all.mean() > with_some.mean() + 0.02


@each_policy
@pytest.mark.parametrize("name", ["labor-neg", "hypo"])
def test_trees_are_learned_where_hardly_a_row_is_complete(name, missing):
    """Leaving rows out leaves nothing to learn from; the frequent class is all one could say."""
    table, y = load(name)
    by_guessing = np.bincount(y).max() / len(y)
    folds = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    scores = cross_val_score(TreeClassifier(missing=missing), table, y, cv=folds)
    assert 1 - scores.mean() < 0.8 * (1 - by_guessing)
