"""What the splits of a tree make of a window over two columns: convex polygons, one or more a leaf.

All other columns are held at fixed values, so that a split is a line in the window, several lines
(a pair of thresholds, the largest of several scores), or decided already. The window is cut along
these lines from the root down, without a grid. Which branch a piece takes is asked of the core, at
the middle of the piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import Box, area, clipped, rectangle
from treewright.plot.panel.machine import machine_regions
from treewright.plot.rows import drawable, route_points
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.predicates.linear import term_factors
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["Plane", "leaf_pieces"]

Polygon = NDArray[np.float64]
Piece = tuple[Polygon, int]  # corners in order, node it belongs to
Line = tuple[NDArray[np.float64], float]  # coefficients of the two columns, threshold

_LEAST_AREA = 1e-12  # of the window
_STEP = 1e-6  # beside a border, in windows


@dataclass(frozen=True)
class Plane:
    """A window over two columns of a table.

    Parameters
    ----------
    columns : pair of int
        Positions of the columns, across and up.
    fixed : ndarray of float64
        The value of each column of the table; those of the two do not matter.
    box : pair of ndarray of float64
        The lowest and the highest corner of the window.
    n_levels : ndarray of int32
        Number of levels of each column.
    """

    columns: tuple[int, int]
    fixed: NDArray[np.float64]
    box: Box
    n_levels: NDArray[np.int32]

    def branches(self, predicate: Predicate, points: NDArray[np.float64]) -> NDArray[np.int32]:
        """Find the branches of some points of the window; -1 where unknown."""
        values = {
            column: np.full(len(points), value) for column, value in enumerate(self.fixed.tolist())
        }
        values.update(zip(self.columns, points.T, strict=True))
        return route_points(predicate, self.n_levels, values)

    def line(
        self,
        columns: Sequence[int],
        coefficients: Sequence[float],
        bound: float,
        levels: Sequence[int | None] = (),
    ) -> Line:
        """Write ``sum w_j x_j = t`` in terms of the two columns, the others being fixed.

        The right side is NaN where a value is missing.
        """
        slopes, rest = np.zeros(2), bound
        factors = term_factors(self.fixed, columns, levels)
        for column, coefficient, factor in zip(columns, coefficients, factors, strict=True):
            if column in self.columns:
                slopes[self.columns.index(column)] += coefficient
            else:
                with np.errstate(over="ignore"):
                    product = np.multiply(coefficient, factor)
                rest = float(drawable(np.array(rest - drawable(product))))
        return slopes, rest


def leaf_pieces(tree: Tree, plane: Plane) -> tuple[list[Piece], list[NDArray[np.float64]]]:
    """Cut a window along the splits of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    plane : Plane
        The window.

    Returns
    -------
    pieces : list of pair of ndarray and int
        Convex polygons that fill the window, each with the node where its points end: a leaf, or an
        inner node that has no branch for the fixed values.
    borders : list of ndarray
        Both ends of the lines along which branches of a split meet, inside of the region of its
        node.
    """
    ended: list[Piece] = []
    borders: list[NDArray[np.float64]] = []
    pending: list[Piece] = [(rectangle(plane.box), 0)]
    while pending:
        polygon, index = pending.pop()
        node = tree.node(index)
        if node.predicate is None:
            ended.append((polygon, index))
            continue
        found = _by_branch(node.predicate, plane, polygon)
        borders += _borders(node.predicate, plane, polygon, found)
        for piece, branch in found:
            if branch >= 0:
                pending.append((piece, node.children[branch]))
            else:
                parts, stopped = _without_branch(node, plane, piece)
                pending += parts
                ended += stopped
    return ended, borders


def _by_branch(predicate: Predicate, plane: Plane, polygon: Polygon) -> list[tuple[Polygon, int]]:
    """Cut a polygon so that all points of a piece take one branch."""
    match predicate:
        case Machine():
            seen = _seen(predicate, plane)
            regions = [] if seen is None else machine_regions(seen, plane.box, polygon)
            pieces = list(_worth_drawing([region.corners for region in regions], plane.box))
        case Axis() | Linear() | Subset() | Multiway() | Pair():
            pieces = [polygon]
            for slopes, bound in _lines(predicate, plane):
                sides = ((slopes, bound), (-slopes, -bound))
                parts = [clipped(piece, *side, plane.box) for piece in pieces for side in sides]
                pieces = list(_worth_drawing(parts, plane.box))
        case _:
            assert_never(predicate)
    pieces = pieces or [polygon]
    middles = np.array([piece.mean(axis=0) for piece in pieces])
    return list(zip(pieces, plane.branches(predicate, middles).tolist(), strict=True))


def _worth_drawing(pieces: Sequence[Polygon], box: Box) -> Iterator[Polygon]:
    return (piece for piece in pieces if area(piece, box) > _LEAST_AREA)


def _lines(predicate: Axis | Linear | Subset | Multiway | Pair, plane: Plane) -> list[Line]:
    """Return the lines of a window where the branch of a split may change."""
    match predicate:
        case Axis(column, threshold):
            lines = [plane.line([column], [1.0], threshold)]
        case Linear(columns, coefficients, threshold, levels):
            lines = [plane.line(columns, coefficients, threshold, levels)]
        case Pair(_, first, second):
            lines = [*_lines(first, plane), *_lines(second, plane)]
        case Subset() | Multiway():
            lines = []
        case _:
            assert_never(predicate)
    return [(slopes, bound) for slopes, bound in lines if slopes.any() and not np.isnan(bound)]


def _seen(predicate: Machine, plane: Plane) -> Machine | None:
    """Return the scores as they are in the window; None if they are unknown there."""
    scores = [
        plane.line(predicate.columns, row, -intercept)
        for row, intercept in zip(predicate.coefficients, predicate.intercepts, strict=True)
    ]
    if any(np.isnan(bound) for _, bound in scores):
        return None
    rows = tuple(tuple(slopes.tolist()) for slopes, _ in scores)
    return Machine((0, 1), rows, tuple(-bound for _, bound in scores))


def _without_branch(node: Node, plane: Plane, polygon: Polygon) -> tuple[list[Piece], list[Piece]]:
    """Send points whose branch is unknown the way the node sends such rows.

    Returns
    -------
    pieces : list of pair of ndarray and int
        Those that go on, with the nodes they go to.
    stopped : list of pair of ndarray and int
        Those that end here.
    """
    going: list[Piece] = []
    unknown = [polygon]
    for surrogate in node.surrogates:
        found = [
            part for piece in unknown for part in _by_branch(surrogate.predicate, plane, piece)
        ]
        unknown = [piece for piece, branch in found if branch < 0]
        going += [
            (piece, node.children[branch ^ surrogate.swapped])
            for piece, branch in found
            if branch >= 0
        ]
    if node.may_stop:
        return going, [(piece, node.id) for piece in unknown]
    assert node.default_branch is not None, "an inner node has a default branch"
    return going + [(piece, node.children[node.default_branch]) for piece in unknown], []


def _borders(
    predicate: Predicate, plane: Plane, polygon: Polygon, pieces: Sequence[tuple[Polygon, int]]
) -> list[NDArray[np.float64]]:
    """Return the edges between pieces of different branches, each once.

    A point a little outside of an edge tells what is behind it: nothing at the border of the
    polygon, else a piece of some branch.
    """
    low, high = plane.box
    outline = (polygon - low) / (high - low)
    borders = []
    for piece, branch in pieces:
        corners = (piece - low) / (high - low)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = end - start
            length = float(np.hypot(*along))
            if length > _STEP:
                outside = np.array([along[1], -along[0]]) / length
                beyond = 0.5 * (start + end) + _STEP * outside
                if _is_inside(outline, beyond):
                    there = low + beyond * (high - low)
                    if branch < plane.branches(predicate, there[np.newaxis])[0]:
                        borders.append(low + np.array([start, end]) * (high - low))
    return borders


def _is_inside(polygon: Polygon, point: NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex polygon whose corners go round to the left."""
    along = np.roll(polygon, -1, axis=0) - polygon
    to_point = point - polygon
    return bool(np.all(along[:, 0] * to_point[:, 1] - along[:, 1] * to_point[:, 0] >= 0.0))
