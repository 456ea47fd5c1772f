"""Linear programs: each class against the others, compared with all vertices tried by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV

from treewright import TreeClassifier, TreeRegressor, load, predicates, recipes
from treewright.estimators import GrowthRules
from treewright.splits import LinearProgram

seeds = st.integers(0, 2**32 - 1)
ALL = [LinearProgram(), LinearProgram("minimax")]
each_loss = pytest.mark.parametrize("split", ALL, ids=repr)
few = effort(max_examples=10)


def stump(X, y, split, weights=None, **parameters):
    parameters = {
        "readable": False,
        "max_depth": 1,
        "growth_rules": GrowthRules(zero_gain=True),
        **parameters,
    }
    return TreeClassifier(split=split, **parameters).fit(X, y, weights)


def root(model):
    return model.tree_.node(0).predicate


def direction(test, n_columns=2):
    """Coefficients of all columns, of length 1 and with a positive lead."""
    found = np.zeros(n_columns)
    found[list(test.columns)] = getattr(test, "coefficients", 1.0)
    return pointed(found)


def pointed(found):
    return found / np.linalg.norm(found) * np.sign(found[np.flatnonzero(np.abs(found) > 1e-9)[0]])


def mixed(seed, n_rows=12):
    """Two classes that overlap; the last row of each lies among the others."""
    random = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    X = random.normal(size=(n_rows, 2)) + 1.5 * y[:, None]
    X[-2:] = X[-2:][::-1] + 0.1 * random.normal(size=(2, 2))
    return X, y


def standard(X, w):
    mean = w @ X / w.sum()
    return (X - mean) / np.sqrt(w @ (X - mean) ** 2 / w.sum())


# ---------------------------------------------------------------- the programs


@few
@given(seed=seeds)
def test_hinge_is_the_best_of_all_vertices(seed):
    X, y = mixed(seed)
    w = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    Z, sign = np.column_stack([standard(X, w), -np.ones(len(y))]), np.where(y == 0, 1.0, -1.0)
    shares = w / np.where(y == 0, w[y == 0].sum(), w[y == 1].sum())

    def loss(solution):
        return shares @ np.maximum(0.0, 1.0 + sign * (Z @ solution))

    # At a vertex three rows lie just on their margin.
    vertices = [np.linalg.solve(Z[[*rows]], -sign[[*rows]]) for rows in combinations(range(12), 3)]
    losses = np.array([loss(vertex) for vertex in vertices])
    best = vertices[int(losses.argmin())]
    found = direction(root(stump(X, y, LinearProgram(), w)))
    scale = np.sqrt(w @ (X - w @ X / w.sum()) ** 2 / w.sum())
    if 1e-9 < losses.min() < np.sort(losses)[1] - 1e-9:
        np.testing.assert_allclose(found, pointed(best[:2] / scale), atol=1e-6)


def best_vertex(rows, condition, const):
    """(w, b, d) of the least d with rows @ (w, b, d) <= 0: three rows are tight at a vertex."""
    best = None
    for tight in combinations(range(len(rows)), 3):
        matrix = np.vstack([rows[[*tight]], condition])
        if np.linalg.matrix_rank(matrix) < 4:
            continue
        vertex = np.linalg.solve(matrix, [0.0, 0.0, 0.0, const])
        if (rows @ vertex <= 1e-9).all() and (best is None or vertex[3] < best[3] - 1e-12):
            best = vertex
    return best


@pytest.mark.long
@few
@given(seed=seeds)
def test_minimax_is_the_best_of_all_vertices(seed):
    X, y = mixed(seed)
    Z, sign = standard(X, np.ones(12)), np.where(y == 0, 1.0, -1.0)
    rows = np.column_stack([sign[:, None] * np.column_stack([Z, -np.ones(12)]), -np.ones(12)])
    means = Z[y == 1].mean(axis=0) - Z[y == 0].mean(axis=0)
    by_means = best_vertex(rows, [*means, 0.0, 0.0], 1.0)
    assume(by_means[3] > 1e-6)  # otherwise they can be separated
    published = [best_vertex(rows, [1.0, 1.0, 1.0, 0.0], const) for const in (1.0, -1.0)]
    published = [one for one in published if np.abs(one[:2]).max() > 1e-9]
    found = direction(root(stump(X, y, LinearProgram("minimax"))))
    expected = [pointed(one[:2] / X.std(axis=0)) for one in published or [by_means]]
    assert min(np.abs(found - other).max() for other in expected) < 1e-6


def test_the_offset_is_the_best_along_the_direction():
    X, y = load_iris(return_X_y=True)
    two = y > 0
    for split in ALL:
        model = stump(X[two], y[two], split)
        test = root(model)
        along = X[two][:, list(test.columns)] @ np.array(test.coefficients)
        best = TreeClassifier(max_depth=1).fit(along[:, None], y[two])
        assert model.tree_.core.gain[0] == pytest.approx(best.tree_.core.gain[0])


def test_a_few_outliers_decide_minimax_but_not_hinge():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 5))
    y = X[:, 0] + X[:, 1] > 0
    X[:2, :3] = [[4.0, 4.0, 4.0], [-4.0, -4.0, 4.0]]
    y[:2] = [False, True]
    hinge, minimax = (stump(X, y, split).score(X, y) for split in ALL)
    assert hinge > 0.97
    assert minimax < hinge - 0.05


def test_each_class_stands_against_the_others():
    # Only the class in the middle of the line cannot be told from the others by a line.
    X = np.column_stack([np.arange(30.0), np.random.default_rng(0).normal(size=30)])
    y = np.repeat(["low", "middle", "high"], 10)
    for split in ALL:
        model = stump(X, y, split, max_depth=2)
        assert (model.score(X, y), model.tree_.n_leaves) == (1.0, 3)


@each_loss
@few
@given(seed=seeds)
def test_classes_that_can_be_separated_are(split, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(60, 3))
    distance = X @ random.normal(size=3) - 0.3
    X, y = X[np.abs(distance) > 0.05], (distance > 0)[np.abs(distance) > 0.05]
    assert stump(X, y, split).score(X, y) == 1.0


# ---------------------------------------------------------------- weights, order, difficult data


@each_loss
@few
@given(seed=seeds)
def test_weights_are_as_repeated_rows(split, seed):
    X, y = mixed(seed, 40)
    random = np.random.default_rng(seed)
    weights, order = random.integers(1, 4, len(y)), random.permutation(len(y))
    one = stump(X, y, split, weights)
    other = stump(
        np.repeat(X[order], weights[order], axis=0), np.repeat(y[order], weights[order]), split
    )
    np.testing.assert_allclose(direction(root(one)), direction(root(other)), atol=1e-9)
    np.testing.assert_array_equal(one.apply(X), other.apply(X))


@each_loss
@few
@given(seed=seeds)
def test_units_and_offsets_do_not_matter(split, seed):
    X, y = mixed(seed, 40)
    scales = np.array([1000.0, 0.01])
    one, other = stump(X, y, split), stump(X * scales + 5, y, split)
    found = pointed(direction(root(other)) * scales)
    np.testing.assert_allclose(direction(root(one)), found, atol=1e-6)


@each_loss
def test_constant_repeated_tiny_and_missing_data(split):
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([np.full(150, 7.0), X, X[:, 1] * -2 + 3])
    model = stump(more, y, split, max_depth=2)
    assert 0 not in root(model).columns
    assert model.score(more, y) > 0.95
    assert stump(np.ones((6, 2)), [0, 1] * 3, split).tree_.n_leaves == 1
    assert stump([[0.0], [1.0]], ["a", "b"], split).tree_.n_leaves == 2
    assert stump([[1.0]], ["a"], split).tree_.n_leaves == 1
    holes = X.copy()
    holes[::10, 1] = np.nan
    complete = np.delete(X, np.s_[::10], axis=0), np.delete(y, np.s_[::10])
    found, expected = root(stump(holes, y, split, missing="stop")), root(stump(*complete, split))
    np.testing.assert_allclose(direction(found, 4), direction(expected, 4))


@each_loss
def test_rows_that_are_equal_are_not_divided(split):
    X = np.array([[0.0, 1.0], [1.0, 0.0]] * 6)
    y = np.arange(12) // 6  # both rows as often in both classes
    assert stump(X, y, split, growth_rules=GrowthRules(zero_gain=False)).tree_.n_leaves == 1


# ---------------------------------------------------------------- use


@each_loss
def test_a_tree_of_programs_is_an_ordinary_one(split, tmp_path):
    pytest.importorskip("pandas")
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = TreeClassifier(split=split, min_samples_leaf=3).fit(X, y)
    assert model.score(X, y) > 0.9
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert (loaded.tree_, loaded.split) == (model.tree_, split)
    assert clone(model).split == split


def test_the_loss_can_be_searched():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        recipes.linear_program(prune=None), {"split__loss": ["hinge", "minimax"]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.9


def test_one_column_is_an_ordinary_test():
    X, y = load_iris(return_X_y=True)
    for split in ALL:
        assert isinstance(root(stump(X[:, :1], y, split)), predicates.Axis)


def test_wrong_parameters_and_numbers_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="'loss' parameter of LinearProgram must be"):
        stump(X, y, LinearProgram("square"))
    with pytest.raises(ValueError, match="LinearProgram is for classification only"):
        TreeRegressor(split=LinearProgram()).fit(X, X[:, 0])
