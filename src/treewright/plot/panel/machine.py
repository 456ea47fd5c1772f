"""The largest of several linear scores: the regions of the branches, and what each branch gets."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from treewright.plot.geometry import Box, clipped, rectangle
from treewright.plot.panel.along import column_along, rows_along
from treewright.plot.panel.levels import lines_by_branch
from treewright.plot.panel.marks import Cut, Description, Flat, Mark, Name, Region, Ruler
from treewright.plot.panel.over import rows_over
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import box_of, limits
from treewright.plot.rows import drawable
from treewright.predicates import Machine

__all__ = ["describe_machine", "machine_regions"]


def describe_machine(panel: Panel, predicate: Machine) -> Description:
    """Show where the branches lie: exactly for one or two columns, else by their scores."""
    match len(predicate.columns), predicate.n_branches:
        case 1, _:
            aside = column_along(panel, predicate.columns[0], _equal_scores(predicate))
        case 2, _:
            box = box_of(panel, predicate.columns)
            marks = _named_regions(panel, machine_regions(predicate, box))
            aside = rows_over(panel, predicate.columns, box, marks, has_sides=False)
        case _, 2:
            scores = _scores(panel, predicate)
            lead = drawable(scores[1] - scores[0])
            aside = rows_along(panel, lead, [0.0], _is_ahead, "lead of score 2 over score 1")
        case _:
            aside = _score_plane(panel, _scores(panel, predicate))
    return panel.described(lines_by_branch(panel), aside, has_sides=predicate.n_branches == 2)


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
        if len(polygon):
            regions.append(Region(polygon, branch))
    return regions


def _named_regions(panel: Panel, regions: Iterable[Region]) -> list[Mark]:
    """Give the regions, their borders and their names."""
    marks: list[Mark] = []
    for region in regions:
        marks += [region, Cut(np.vstack([region.corners, region.corners[:1]]))]
        marks.append(_name(panel, region.branch, region.corners.mean(axis=0)))
    return marks


def _name(panel: Panel, branch: int, place: NDArray[np.float64]) -> Name:
    return Name(panel.branch_names[branch], (float(place[0]), float(place[1])))


def _scores(panel: Panel, predicate: Machine) -> NDArray[np.float64]:
    """Return scores times rows."""
    return np.array(
        [
            panel.rows.weighted_sum(predicate.columns, row, intercept)
            for row, intercept in zip(predicate.coefficients, predicate.intercepts, strict=True)
        ]
    )


def _score_plane(panel: Panel, scores: NDArray[np.float64]) -> Flat:
    """Show the rows where their scores differ most.

    Only differences of scores matter, so the mean score of a row is taken off. What is left of
    three scores lies in a plane, which is drawn with its regions; of more scores the
    projection that holds most of their variance is drawn.
    """
    scores = scores / max(float(np.abs(scores).max(initial=0.0)), 1e-300)
    contrasts = scores - scores.mean(axis=0)
    centre = contrasts.sum(axis=1) / max(scores.shape[1], 1)
    contrasts = contrasts - centre[:, np.newaxis]
    axes_of_plane = np.linalg.eigh(contrasts @ contrasts.T)[1][:, :-3:-1]  # largest variance first
    places = axes_of_plane.T @ contrasts
    across, up = (
        Ruler(f"{name} direction in which the scores differ", limits(place), n_ticks=0)
        for name, place in zip(("first", "second"), places, strict=True)
    )
    marks: list[Mark] = []
    if len(scores) == 3:
        box = np.array([across.ends[0], up.ends[0]]), np.array([across.ends[1], up.ends[1]])
        plane = Machine((0, 1), tuple(map(tuple, axes_of_plane.tolist())), tuple(centre.tolist()))
        marks += _named_regions(panel, machine_regions(plane, box))
    else:
        for branch in np.unique(panel.rows.branches).tolist():
            which = panel.rows.branches == branch
            marks.append(_name(panel, branch, places[:, which].mean(axis=1)))
    points = panel.points(*places[:, panel.sample])
    return Flat(across, up, (*marks, points), len(scores), notes=points.notes)
