"""The sets that release 8 of C4.5 was run on, and trees grown on them by the same rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracles import data
from treewright import recipes

RELEASE_8: dict[str, Callable[[], data.DataSet]] = {
    "golf": data.golf,
    "tennis": data.play_tennis,
    "iris": data.iris,
    "wine": lambda: data.wine(("c1", "c2", "c3")),
    "kyphosis": data.kyphosis,
    "stagec": data.stagec,
    "labor-neg": lambda: data.c45_set("labor-neg"),
    "monk1": lambda: data.c45_set("monk1"),
    "monk2": lambda: data.c45_set("monk2"),
    "hypo": lambda: data.c45_set("hypo"),
    "soybean": lambda: data.c45_set("soybean"),
}


def grow(table: data.DataSet) -> Any:
    """Fit C4.5 without pruning, thresholds as C4.5 has them."""
    return recipes.c45().set_params(prune=None, readable=False).fit(table.table, table.target)
