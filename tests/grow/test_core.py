"""Small functions of the compiled core, tested directly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import TreeClassifier, TreeRegressor, _core
from treewright.estimators import GrowthRules

finite = st.floats(allow_nan=False, allow_infinity=False)
special = st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 1.0, np.nextafter(1.0, 2.0), 2.0**53, 2.0**53 + 2, 1e300, -1e300]
)


@given(
    st.lists(st.one_of(finite, special, st.integers(-5, 5).map(float)), min_size=2, max_size=60),
    st.booleans(),
)
def test_a_column_is_ranked_by_value_whatever_its_bits(values: list[float], readable: bool) -> None:
    """Grown to the end on its own ranks, a tree gives every value back."""
    x = np.array(values)
    _, ranks = np.unique(x, return_inverse=True)  # -0.0 and 0.0 are one value
    y = ranks.astype(float)
    model = TreeRegressor(readable=readable).fit(x[:, None], y)
    np.testing.assert_array_equal(model.predict(x[:, None]), y)


@given(st.lists(finite, min_size=2, max_size=2, unique=True).map(sorted))
def test_the_shortest_decimal_lies_in_its_interval(ends: list[float]) -> None:
    low, high = ends
    found = _core.shortest_between(low, high)
    assert low <= found < high
    digits = len(
        np.format_float_scientific(found, trim="-").split("e")[0].strip("-").replace(".", "")
    )
    for fewer in range(1, digits):
        for bound in (low, high):
            shorter = _core.round_significant(bound, fewer)
            assert not low <= shorter < high or shorter == found


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(2.44, 2.46, 2.45), (3, 4, 3), (80, 85, 80), (10, 1000, 500), (-5, 3, 0), (0.5, 0.6, 0.5)],
)
def test_shortest_decimals_known_by_hand(low: float, high: float, expected: float) -> None:
    assert _core.shortest_between(low, high) == expected


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_linear_algebra_is_that_of_scipy(n: int, seed: int) -> None:
    square = np.random.default_rng(seed).normal(size=(n, n))
    matrix = square @ square.T + np.eye(n)
    values, vectors = _core.symmetric_eigen(matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), rtol=1e-10)
    np.testing.assert_allclose((vectors.T * values) @ vectors, matrix, atol=1e-10)
    right = np.arange(float(n))
    np.testing.assert_allclose(_core.solve_positive(matrix, right), np.linalg.solve(matrix, right))


def test_a_matrix_that_is_not_positive_definite_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        _core.solve_positive(-np.eye(2), np.ones(2))


def test_a_code_that_is_no_level_is_refused() -> None:
    with pytest.raises(ValueError, match="Column 0, row 1 holds 2"):
        _core.Table(np.array([[0.0], [2.0]]), np.array([2], dtype=np.int32))
    with pytest.raises(ValueError, match="none of its level codes"):
        _core.Table(np.array([[0.5]]), np.array([2], dtype=np.int32))


def test_a_node_cannot_be_used_after_its_call() -> None:
    kept = []

    def propose(node: _core.NodeData, seed: int) -> list[tuple[int, list[int], list[float]]]:
        kept.append(node)
        return []

    table = _core.Table(np.array([[0.0], [1.0]]), np.array([0], dtype=np.int32))
    target = _core.Target.classes(np.array([0, 1], dtype=np.int32), 2, np.ones(2))
    _core.grow(table, target, _core.make_python_method(propose), _core.GrowOptions())
    with pytest.raises(ValueError, match="only be used while"):
        _ = kept[0].n_rows


@pytest.mark.long
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_rows_go_the_same_way_together_and_alone(seed: int, with_gaps: bool) -> None:
    """Many rows take a quick way down a tree of axis tests; a single row takes the general one."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(150, 4)).round(1)
    if with_gaps:
        X[random.random(X.shape) < 0.2] = np.nan
    for missing in ("default", "surrogate", "stop", "surrogate_or_stop"):
        model = TreeClassifier(missing=missing).fit(X, random.integers(0, 3, 150))
        together = model.apply(X)
        assert together.tolist() == [model.apply(X[i : i + 1])[0] for i in range(150)]


def test_absolute_error_counts_missing_rows_once() -> None:
    """A useless column with gaps won by the deviation of its missing rows."""
    table = {"useless": ["a", "b", None, None] * 10, "useful": [0.0, 0.0, 1.0, 1.0] * 10}
    numbers = [0.0, 0.0, 100.0, 100.0] * 10
    model = TreeRegressor(criterion="absolute_error", categorical="multiway", max_depth=1)
    model.fit({"useless": ["a", "b", None, "a", "b", None] * 8}, [1.0, 1.0, 9.0, 9.0, 9.0, 1.0] * 8)
    assert model.tree_.core.gain[0] <= 8 * 24
    model.fit(table, numbers)
    assert model.tree_.core.gain[0] == pytest.approx(2000.0)


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1.0, 1e80])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    x = np.arange(20.0)[:, None]
    weights = np.full(20, scale)
    for y in (x.ravel() > 9, (x.ravel() > 9).astype(float)):
        kind = TreeClassifier if y.dtype == bool else TreeRegressor
        assert (
            kind(growth_rules=GrowthRules(collapse=True))
            .fit(x, y, sample_weight=weights)
            .tree_.n_leaves
            == 2
        )


def test_a_number_test_on_a_categorical_column_is_refused() -> None:
    """It could be grown and saved, but the file was refused when loaded."""
    levels = np.array([3], dtype=np.int32)
    for flat in ((0, [0], [0.5]), (1, [0], [1.0, 0.5]), (5, [0], [1.0, 0.0, 2.0, 0.0])):
        with pytest.raises(ValueError, match="categorical"):
            _core.check_test(flat, levels)
