"""Properties of decision regions: polygons fill the window, and points end where rows do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from handmade import build
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sampling import some_quick
from sklearn.datasets import load_iris
from strategies import KINDS, coded_rows, plans, schemas

from treewright import TreeClassifier, _core, splits
from treewright.plot import decision_regions
from treewright.plot.figures.pieces import Plane, leaf_pieces
from treewright.plot.geometry import area
from treewright.plot.tree.tidy import tidy_places
from treewright.schema import Column
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

# Rows divided among branches end in several leaves, which no single polygon can show.
FEW = settings(max_examples=settings().max_examples // 2)
POLICIES = tuple(policy for policy in MISSING_POLICIES if policy != "fraction")
MARGIN = 1e-4  # of the window: points nearer to a border may be on either side of it


@st.composite
def windows(draw: st.DrawFn) -> tuple[Tree, Plane]:
    """A tree with tests of all kinds, and a window over two of its columns."""
    schema = draw(schemas())
    schema = replace(schema, columns=(*schema.columns, Column("a second number", "numeric")))
    tree = build(schema, draw(plans(schema, 3, KINDS, POLICIES)))
    fixed = draw(coded_rows(schema, most=1))[0]
    low = np.array(draw(st.tuples(st.floats(-5, 0), st.floats(-5, 0))))
    high = np.array(draw(st.tuples(st.floats(1, 5), st.floats(1, 5))))
    return tree, Plane((0, schema.n_columns - 1), fixed, (low, high), schema.n_levels)


def depth_inside(polygon: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far inside of a convex polygon each point is; negative outside."""
    along = np.roll(polygon, -1, axis=0) - polygon
    lengths = np.hypot(*along.T)
    along, polygon = along[lengths > 0], polygon[lengths > 0]
    to_point = points[:, np.newaxis] - polygon
    cross = along[:, 0] * to_point[..., 1] - along[:, 1] * to_point[..., 0]
    return (cross / lengths[lengths > 0]).min(axis=1)


@pytest.mark.long
@FEW
@given(case=windows(), seed=st.integers(0, 2**32 - 1))
def test_points_end_where_rows_do(case, seed):
    tree, plane = case
    low, high = plane.box
    pieces, borders = leaf_pieces(tree, plane)
    assert sum(area(polygon, plane.box) for polygon, _ in pieces) == pytest.approx(1.0, abs=1e-6)
    points = np.random.default_rng(seed).uniform(low, high, (50, 2))
    rows = np.tile(plane.fixed, (len(points), 1))
    rows[:, list(plane.columns)] = points
    ends = tree.apply(_core.Table(np.asfortranarray(rows), plane.n_levels))
    for polygon, node in pieces:
        inside = depth_inside(polygon, points) > MARGIN
        assert np.all(ends[inside] == node)
    for start, end in borders:
        assert np.all((start >= low - 1e-9) & (start <= high + 1e-9))
        assert np.all((end >= low - 1e-9) & (end <= high + 1e-9))


@pytest.mark.parametrize("method", some_quick(splits.registered(), every=4), ids=repr)
def test_trees_of_every_method_are_drawn(method):
    data = load_iris()
    model = TreeClassifier(split=method, max_depth=3, random_state=0).fit(data.data, data.target)
    figure = decision_regions(model.tree_, data.data, data.target)
    figure.draw_without_rendering()
    assert len(figure.axes[0].patches) >= 1


@pytest.mark.long
@FEW
@given(data=st.data())
def test_nodes_of_a_skeleton_do_not_touch(data):
    schema = data.draw(schemas())
    tree = build(schema, data.draw(plans(schema, 5, KINDS, POLICIES)))
    children = [tree.node(node).children for node in range(tree.n_nodes)]
    places = np.array(tidy_places(children, [0.0] * tree.n_nodes, 1.0))
    assert places.min() == pytest.approx(0.0, abs=1e-9)
    for depth in range(tree.depth + 1):
        of_depth = places[tree.core.depth == depth]
        assert np.all(np.diff(np.sort(of_depth)) >= 1.0 - 1e-9)
    for node in tree.walk():
        if node.children:
            children = places[list(node.children)]
            assert np.all(np.diff(children) > 0.0)
            middle = 0.5 * (children[0] + children[-1])
            assert places[node.id] == pytest.approx(middle)
