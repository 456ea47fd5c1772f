"""Rows by level of a column, or by branch: a line for each, levels grouped under their branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.marks import Line, Lines, Points, Ruler
from treewright.plot.panel.panel import Panel
from treewright.plot.panel.spacing import jittered, limits
from treewright.plot.words import levels_words
from treewright.schema.shortening import shortened
from treewright.words import count_text, plural

__all__ = ["lines_by_branch", "lines_by_level"]

_MOST_LEVELS = 16
_LONGEST_BRANCH = 40
_LONGEST_BRANCH_IN_LINE = 24
_UNLISTED = "not in training here"
_JITTER = 0.25  # of a line


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of one line."""

    kind: Literal["heading", "level", "branch", "rest"]
    name: str
    which: NDArray[np.bool_]


def lines_by_level(panel: Panel, column: int) -> Lines:
    """Give a line for each level of a column, grouped by the branch the level takes.

    Levels without a branch stand last; of many levels those with the most rows are shown.
    """
    values = panel.rows.column(column)
    names = levels_words(panel.column(column))
    branch_of_level = panel.branch_of({column: np.arange(len(names), dtype=np.float64)})
    n_branches = panel.predicate.n_branches
    counts = np.bincount(values.astype(np.int64), panel.rows.shares, minlength=len(names))
    occur = np.flatnonzero(counts > 0.0)
    notes = []
    if len(occur) < len(names):
        notes.append(f"{plural(len(names) - len(occur), 'level')} without rows not shown.")
    common = set(np.argsort(-counts, kind="stable")[:_MOST_LEVELS].tolist())
    n_levels_of = np.bincount(branch_of_level + 1, minlength=n_branches + 1)
    if n_levels_of[0] == 0 and np.all(n_levels_of[1:] == 1):
        found = sorted(common.intersection(occur.tolist()), key=branch_of_level.item)
        notes += _hidden_notes(len(occur) - len(found), "level")
        groups = [_Group("branch", names[code], values == code) for code in found]
        return _lines(panel, groups, min(len(names), _MOST_LEVELS), notes)
    shown = _largest_branches(panel)
    notes += _hidden_notes(n_branches - len(shown), "branch")
    groups = []
    for branch in [*shown, -1]:
        codes = [code for code in occur.tolist() if branch_of_level[code] == branch]
        rare = [code for code in codes if code not in common]
        if codes:
            groups.append(_heading(panel, branch))
        for code in codes:
            if code in common or len(rare) == 1:
                groups.append(_Group("level", names[code], values == code))
        if len(rare) > 1:
            groups.append(_Group("rest", f"{len(rare)} other levels", np.isin(values, rare)))
    n_headings = 2 * min(n_branches, _MOST_LEVELS)  # a heading, and a rest, for each
    return _lines(panel, groups, min(len(names), _MOST_LEVELS) + n_headings, notes)


def lines_by_branch(panel: Panel) -> Lines:
    """Give a line for each branch."""
    shown = _largest_branches(panel)
    names = [shortened(panel.branch_names[branch], _LONGEST_BRANCH_IN_LINE) for branch in shown]
    groups = [
        _Group("branch", name, panel.rows.branches == branch)
        for name, branch in zip(names, shown, strict=True)
    ]
    notes = _hidden_notes(panel.predicate.n_branches - len(shown), "branch")
    return _lines(panel, groups, len(groups), notes)


def _largest_branches(panel: Panel) -> list[int]:
    """Return the branches with the most rows in their order."""
    n_branches = panel.predicate.n_branches
    sizes = [panel.rows.shares[panel.rows.branches == branch].sum() for branch in range(n_branches)]
    return sorted(np.argsort(-np.array(sizes), kind="stable")[:_MOST_LEVELS].tolist())


def _hidden_notes(n_hidden: int, noun: str) -> list[str]:
    return [f"{plural(n_hidden, noun)} of fewer rows not shown."] if n_hidden else []


def _heading(panel: Panel, branch: int) -> _Group:
    which = panel.rows.branches == branch
    name = _UNLISTED if branch < 0 else shortened(panel.branch_names[branch], _LONGEST_BRANCH)
    return _Group("heading", f"{name}: {_in_words(panel, which)}", which)


def _in_words(panel: Panel, which: NDArray[np.bool_]) -> str:
    """Say how many rows each line has, and what is most of them or their mean."""
    return ", ".join(word for word in panel.summary(which) if word)


def _lines(panel: Panel, groups: Sequence[_Group], n_lines: int, notes: Sequence[str]) -> Lines:
    lines = tuple(_line(panel, group) for group in groups)
    if panel.classes is None:
        across = Ruler(panel.target, limits(panel.rows.target), role="target")
        return Lines(lines, across, _points(panel, groups), n_lines, tuple(notes))
    longest = max((line.counts.sum() for line in lines if line.counts is not None), default=0.0)
    across = Ruler(panel.amount, (0.0, float(longest) or 1.0), role="amount")
    return Lines(lines, across, None, n_lines, tuple(notes))


def _line(panel: Panel, group: _Group) -> Line:
    if group.kind == "heading":
        return Line(group.kind, group.name)
    if panel.classes is not None:
        if group.kind == "rest":
            return Line(group.kind, group.name, _in_words(panel, group.which))
        counts = panel.class_counts(group.which)
        is_short = group.kind == "level"
        words = count_text(float(counts.sum())) if is_short else _in_words(panel, group.which)
        return Line(group.kind, group.name, words, counts)
    mean, weights = panel.mean(group.which), panel.rows.weights[group.which]
    spread = np.nan
    if np.isfinite(mean):
        numbers = panel.rows.target[group.which]
        spread = float(np.sqrt(np.average((numbers - mean) ** 2, weights=weights)))
    return Line(group.kind, group.name, _in_words(panel, group.which), None, mean, spread)


def _points(panel: Panel, groups: Sequence[_Group]) -> Points:
    """Give the numbers of all lines as points, moved a little up or down."""
    heights = np.full(len(panel.rows.ids), np.nan)
    for place, group in enumerate(groups):
        if group.kind != "heading":
            heights[group.which] = -place
    numbers = panel.rows.target[panel.sample]
    return panel.points(numbers, jittered(heights[panel.sample], _JITTER), is_coloured=False)
