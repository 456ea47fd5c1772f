"""Properties of split panels: any test of any kind is drawn, with exactly the rows of its node."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from strategies import KINDS, Case, cases

from treewright.plot import split_panel
from treewright.plot.geometry import clipped, cut_in_box, rectangle

# A figure takes a tenth of a second.
FEW = settings(max_examples=settings().max_examples // 5)

finite = st.floats(-1e6, 1e6)


def draw_all(figure: Figure) -> None:
    """Lay out and draw, also characters that the font lacks."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support")
        figure.draw_without_rendering()


def rows_in(axes: Axes) -> float | None:
    """Count the rows in a picture: as points, or in bars; None if it shows something else."""
    points = [made for made in axes.collections if isinstance(made, PathCollection)]
    bars = [bar for container in axes.containers for bar in container]
    if points:
        return sum(len(made.get_offsets()) for made in points)
    if axes.get_xlabel() == "rows":
        return sum(bar.get_width() for bar in bars)
    if axes.get_ylabel() == "rows":
        return sum(bar.get_height() for bar in bars)
    return None


def check_inside(axes: Axes) -> None:
    """Nothing that stands for rows is cut off by the ends of flat axes, no bar by the only cut."""
    if axes.name == "3d":
        return
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    margin = 1e-6 * (high - low)
    for made in axes.collections:
        if isinstance(made, PathCollection):
            places = np.asarray(made.get_offsets())
            assert np.all((places >= low - margin) & (places <= high + margin))
    cuts = [line.get_xdata()[0] for line in axes.lines if axes.get_ylabel() == "rows"]
    for bar in (bar for container in axes.containers for bar in container):
        (left, bottom), (right, top) = bar.get_bbox().get_points()
        assert left >= low[0] - margin[0]
        assert right <= high[0] + margin[0]
        assert bottom >= low[1] - margin[1]
        assert top <= high[1] + margin[1]
        if len(cuts) == 1:
            assert right <= cuts[0] + margin[0] or left >= cuts[0] - margin[0]


def check_case(case: Case) -> None:
    tree, table, y = case
    figure = split_panel(tree, 0, table, y)
    draw_all(figure)
    predicate = tree.node(0).predicate
    is_known = ~np.isnan(table.values[:, list(predicate.columns)]).any(axis=1)
    found = [rows_in(axes) for axes in figure.axes]
    for n_rows in found:
        assert n_rows is None or n_rows == pytest.approx(np.count_nonzero(is_known))
    for axes in figure.axes:
        check_inside(axes)
    assert not is_known.any() or any(n_rows is not None for n_rows in found)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_row_with_a_value_is_drawn_once(kind):
    @FEW
    @given(case=cases(kind))
    def check(case):
        check_case(case)

    check()


@given(data=st.data(), n_columns=st.sampled_from([2, 3]))
def test_a_cut_lies_on_its_line_and_in_its_box(data, n_columns):
    size = {"min_size": n_columns, "max_size": n_columns}
    coefficients = np.array(data.draw(st.lists(finite, **size)))
    low = np.array(data.draw(st.lists(finite, **size)))
    high = low + np.array(data.draw(st.lists(st.floats(1e-3, 1e6), **size)))
    inside = low + (high - low) * np.array(data.draw(st.lists(st.floats(0.01, 0.99), **size)))
    threshold = float(coefficients @ inside)
    spread = np.abs(coefficients) @ (high - low)
    assume(spread > 1e-6 * np.abs(coefficients) @ np.maximum(np.abs(low), np.abs(high)))
    assume(spread > 0.0)
    cut = cut_in_box(coefficients, threshold, (low, high))
    assert cut is not None
    assert len(cut) >= n_columns
    assert np.all(np.abs(cut @ coefficients - threshold) <= 1e-6 * spread)
    assert np.all((cut >= low - 1e-9 * (high - low)) & (cut <= high + 1e-9 * (high - low)))


@given(data=st.data())
def test_what_is_shaded_lies_above_the_threshold(data):
    two = {"min_size": 2, "max_size": 2}
    coefficients = np.array(data.draw(st.lists(st.floats(-10, 10), **two)))
    threshold = data.draw(st.floats(-10, 10))
    box = np.full(2, -1.0), np.full(2, 1.0)
    shaded = clipped(rectangle(box), coefficients, threshold, box)
    rest = clipped(rectangle(box), -coefficients, -threshold, box)
    assert np.all(shaded @ coefficients >= threshold - 1e-9 * (1 + abs(threshold)))
    if np.abs(coefficients).max() > 1e-6:
        assert _area(shaded) + _area(rest) == pytest.approx(4.0)


def _area(polygon: NDArray[np.float64]) -> float:
    if not len(polygon):
        return 0.0
    (x, y), (next_x, next_y) = polygon.T, np.roll(polygon, -1, axis=0).T
    return 0.5 * abs(float(np.sum(x * next_y - next_x * y)))
