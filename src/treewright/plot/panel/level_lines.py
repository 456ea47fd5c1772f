"""Rows by level of a column, or by branch: a line for each, levels grouped under their branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treewright.plot.panel.panel import Panel
from treewright.plot.words import levels_words
from treewright.schema.shortening import shortened
from treewright.words import plural

__all__ = ["MOST_LEVELS", "LevelLine", "branch_lines", "in_words", "level_lines"]

MOST_LEVELS = 16

_LONGEST_BRANCH = 40
_UNLISTED = "not in training here"


@dataclass(frozen=True, slots=True)
class LevelLine:
    """One line of the picture and its rows.

    A heading stands above the levels of a branch; a branch is a line by itself; the rest are levels
    too rare to be shown one by one.
    """

    kind: Literal["heading", "level", "branch", "rest"]
    name: str
    which: NDArray[np.bool_]


def level_lines(panel: Panel, column: int, branch_of_level: NDArray[np.int32]) -> list[LevelLine]:
    """Give a line for each level of a column, grouped by the branch the level takes.

    Levels without a branch stand last; of many levels those with the most rows are shown.
    """
    values = panel.rows.column(column)
    names = levels_words(panel.column(column))
    counts = np.bincount(values.astype(np.int64), panel.rows.shares, minlength=len(names))
    occur = np.flatnonzero(counts > 0.0)
    if len(occur) < len(names):
        panel.notes.append(f"{plural(len(names) - len(occur), 'level')} without rows not shown.")
    common = set(np.argsort(-counts, kind="stable")[:MOST_LEVELS].tolist())
    n_levels_of = np.bincount(branch_of_level + 1, minlength=panel.predicate.n_branches + 1)
    if n_levels_of[0] == 0 and np.all(n_levels_of[1:] == 1):
        found = sorted(common.intersection(occur.tolist()), key=branch_of_level.item)
        _note_hidden(panel, len(occur) - len(found), "level")
        return [LevelLine("branch", names[code], values == code) for code in found]
    lines = []
    for branch in _branches_to_show(panel):
        codes = [code for code in occur.tolist() if branch_of_level[code] == branch]
        rare = [code for code in codes if code not in common]
        if codes:
            lines.append(_heading(panel, branch))
        for code in codes:
            if code in common or len(rare) == 1:
                lines.append(LevelLine("level", names[code], values == code))
        if len(rare) > 1:
            lines.append(LevelLine("rest", f"{len(rare)} other levels", np.isin(values, rare)))
    return lines


def branch_lines(panel: Panel) -> list[LevelLine]:
    """Give a line for each branch."""
    return [
        LevelLine(
            "branch", shortened(panel.branch_names[branch], 24), panel.rows.branches == branch
        )
        for branch in _branches_to_show(panel)
        if branch >= 0
    ]


def _branches_to_show(panel: Panel) -> list[int]:
    """Return the branches with the most rows in their order, then that of rows without one."""
    n_branches = panel.predicate.n_branches
    sizes = [panel.rows.shares[panel.rows.branches == branch].sum() for branch in range(n_branches)]
    largest = np.argsort(-np.array(sizes), kind="stable")[:MOST_LEVELS]
    _note_hidden(panel, n_branches - len(largest), "branch")
    return [*sorted(largest.tolist()), -1]


def _note_hidden(panel: Panel, n_hidden: int, noun: str) -> None:
    if n_hidden:
        panel.notes.append(f"{plural(n_hidden, noun)} of fewer rows not shown.")


def _heading(panel: Panel, branch: int) -> LevelLine:
    which = panel.rows.branches == branch
    name = _UNLISTED if branch < 0 else shortened(panel.branch_names[branch], _LONGEST_BRANCH)
    return LevelLine("heading", f"{name}: {in_words(panel, which)}", which)


def in_words(panel: Panel, which: NDArray[np.bool_]) -> str:
    """Say how many rows a line has, and what is most of them or their mean."""
    return ", ".join(word for word in panel.summary(which) if word)
