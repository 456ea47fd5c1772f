"""The largest of several linear scores: the regions of the branches, and what each branch gets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from treewright.plot.figures.along import rows_along
from treewright.plot.figures.axes import FONT, number_axis
from treewright.plot.figures.levels import draw_lines
from treewright.plot.figures.points import draw_coloured
from treewright.plot.figures.scatter import Region, draw_regions, scatter
from treewright.plot.figures.styles import CUT
from treewright.plot.geometry import Box, clipped, rectangle
from treewright.plot.panel.level_lines import branch_lines
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of, limits
from treewright.plot.rows import drawable
from treewright.predicates import Machine

__all__ = ["draw_machine", "machine_regions"]


def draw_machine(figure: Figure | SubFigure, panel: Panel, predicate: Machine) -> list[Axes]:
    """Draw where the branches lie: exactly for one or two columns, else by their scores."""
    axes, bars = figure.subplots(1, 2)
    match len(predicate.columns), predicate.n_branches:
        case 1, _:
            (column,) = predicate.columns
            values, where = panel.rows.column(column), panel.branch_along(column)
            rows_along(axes, panel, values, _equal_scores(predicate), where, panel.column(column))
        case 2, _:
            box = box_of(panel, predicate.columns)
            _draw_regions(axes, panel, machine_regions(predicate, box))
            scatter(axes, panel, predicate.columns, box)
        case _, 2:
            scores = _scores(panel, predicate)
            lead = drawable(scores[1] - scores[0])
            label = "lead of score 2 over score 1"
            rows_along(axes, panel, lead, [0.0], _is_ahead, label)
        case _:
            _draw_score_plane(axes, panel, _scores(panel, predicate))
    draw_lines(bars, panel, branch_lines(panel))
    return [axes, bars]


def _is_ahead(lead: NDArray[np.float64]) -> NDArray[np.int32]:
    return (lead > 0.0).astype(np.int32)


def _equal_scores(predicate: Machine) -> list[float]:
    """Return where two scores of one column are equal."""
    slopes = [row[0] for row in predicate.coefficients]
    places = [
        (predicate.intercepts[second] - predicate.intercepts[first])
        / (slopes[first] - slopes[second])
        for first, second in combinations(range(predicate.n_branches), 2)
        if slopes[first] != slopes[second]
    ]
    return [float(place) for place in drawable(np.array(places)) if np.isfinite(place)]


def machine_regions(
    predicate: Machine, box: Box, inside: NDArray[np.float64] | None = None
) -> list[Region]:
    """Return the polygon of each branch over two columns, in a box or a convex polygon in it."""
    rows, intercepts = np.array(predicate.coefficients), np.array(predicate.intercepts)
    # Differences of the largest doubles must not overflow.
    rows, intercepts = 0.25 * rows, 0.25 * intercepts
    regions = []
    for branch in range(predicate.n_branches):
        polygon = rectangle(box) if inside is None else inside
        for other in range(predicate.n_branches):
            against = rows[branch] - rows[other], intercepts[other] - intercepts[branch]
            is_first = other > branch and not against[0].any() and against[1] == 0.0
            if other != branch and len(polygon) and not is_first:
                polygon = clipped(polygon, *against, box)
        regions.append((polygon, branch))
    return regions


def _draw_regions(axes: Axes, panel: Panel, regions: list[Region]) -> None:
    draw_regions(axes, panel, regions)
    for polygon, branch in regions:
        if len(polygon):
            axes.fill(*polygon.T, fill=False, edgecolor=CUT, linewidth=1.6, zorder=4)
            _name_region(axes, panel, branch, polygon.mean(axis=0))


def _name_region(axes: Axes, panel: Panel, branch: int, place: NDArray[np.float64]) -> None:
    axes.text(
        float(place[0]),
        float(place[1]),
        panel.branch_names[branch],
        fontsize=FONT,
        horizontalalignment="center",
        verticalalignment="center",
        bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "0.6", "pad": 2.0},
        zorder=6,
    )


def _scores(panel: Panel, predicate: Machine) -> NDArray[np.float64]:
    """Return scores times rows."""
    return np.array(
        [
            panel.rows.weighted_sum(predicate.columns, row, intercept)
            for row, intercept in zip(predicate.coefficients, predicate.intercepts, strict=True)
        ]
    )


def _draw_score_plane(axes: Axes, panel: Panel, scores: NDArray[np.float64]) -> None:
    """Draw the rows where their scores differ most.

    Only differences of scores matter, so the mean score of a row is taken off. What is left of
    three scores lies in a plane, which is drawn with its regions; of more scores the
    projection that holds most of their variance is drawn.
    """
    if not scores.size:
        return
    scores = scores / max(float(np.abs(scores).max()), 1e-300)
    contrasts = scores - scores.mean(axis=0)
    centre = contrasts.mean(axis=1)
    contrasts = contrasts - centre[:, np.newaxis]
    axes_of_plane = np.linalg.eigh(contrasts @ contrasts.T)[1][:, :-3:-1]  # largest variance first
    places = axes_of_plane.T @ contrasts
    ends = [limits(place) for place in places]
    box = np.array([low for low, _ in ends]), np.array([high for _, high in ends])
    if len(scores) == 3:
        plane = Machine((0, 1), tuple(map(tuple, axes_of_plane.tolist())), tuple(centre.tolist()))
        _draw_regions(axes, panel, machine_regions(plane, box))
    else:
        for branch in range(len(scores)):
            which = panel.rows.branches == branch
            if which.any():
                _name_region(axes, panel, branch, places[:, which].mean(axis=1))
    draw_coloured(axes, panel, *places[:, panel.sample])
    axes.set_xlim(box[0][0], box[1][0])
    axes.set_ylim(box[0][1], box[1][1])
    for axis, name in ((axes.xaxis, "first"), (axes.yaxis, "second")):
        number_axis(axis, f"{name} direction in which the scores differ")
        axis.set_ticks([])
