"""Columns that predict the target nearly by themselves: often they are only known once it is.

A small tree on one column alone is grown on half of some rows and evaluated on the other half. Its
skill is the proportion of the baseline's loss that it removes: 1 for never wrong, 0 for no better
than the baseline.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.exceptions import UnseenLevelWarning
from treewright.page import DataNote
from treewright.prune import balanced_part
from treewright.reports.parts import Part
from treewright.words import share_text

__all__ = ["suspected_leaks"]

_ENOUGH_ROWS = 4000
_FEWEST_ROWS = 40
_SUSPICIOUS = 0.98
_LEAVES = 64


def suspected_leaks(rows: Part) -> list[DataNote]:
    """Find columns that predict the target nearly perfectly by themselves.

    Parameters
    ----------
    rows : Part
        All rows, with the columns that trees may use.

    Returns
    -------
    list of DataNote
        One for each such column.
    """
    if rows.n_rows < _FEWEST_ROWS:
        return []
    some = rows.sample(_ENOUGH_ROWS, 0)
    is_second = balanced_part(some.strata, some.n_rows // 2)
    grown = some.take(np.flatnonzero(~is_second))
    judged = some.take(np.flatnonzero(is_second))
    notes = []
    for name in rows.table:
        skill = _skill(name, grown, judged)
        if skill >= _SUSPICIOUS:
            notes.append(
                DataNote(
                    "leak",
                    name,
                    f"By itself it removes {share_text(skill)} of the error of the baseline. Is it "
                    "known before the target is? If not, leave it out.",
                )
            )
    return notes


def _skill(name: str, grown: Part, judged: Part) -> float:
    estimator: Any = TreeRegressor if grown.is_regression else TreeClassifier
    model = estimator(max_leaf_nodes=_LEAVES, min_samples_leaf=2)
    model.fit({name: grown.table[name]}, grown.answers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLevelWarning)
        answers = model.predict({name: judged.table[name]})
    if grown.is_regression:
        lost = float(np.square(judged.strata - answers).sum())
        trivial = float(np.square(judged.strata - grown.strata.mean()).sum())
    else:
        lost = float((answers != judged.answers).sum())
        trivial = float((judged.strata != np.bincount(grown.strata).argmax()).sum())
    return 1.0 - lost / trivial if trivial > 0.0 else 0.0
