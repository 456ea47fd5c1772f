"""The data sets and recorded outputs of R's oblique.tree 1.1.1.

The outputs, ``logistic-oracle.json``, lie beside the data folder in ``spec``; those for iris are in
``recorded.json``, too. Nodes have the
numbers of a binary heap: 1 is the root, 2 t and 2 t + 1 are the children of t, and rows below the
boundary go to the first. Classes are codes in the order in which the package declares them.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from shared_data import data_folder, why_absent

from oracles import data
from treewright.tree import Tree


def oracle_file() -> Path:
    """Where the recorded outputs are expected."""
    return data_folder().parent / "spec" / "logistic-oracle.json"


HAS_DATA = why_absent() is None and oracle_file().is_file()

MODES = {"off": "axis", "on": "mixture", "only": "oblique"}
CONCISE = {
    "none": None,
    "model.selection.aic": "aic",
    "model.selection.bic": "bic",
    "lasso.aic": "l1_aic",
    "lasso.bic": "l1_bic",
}
_FILES = {
    "crabs5": ("crabs", ("B.M", "B.F", "O.M", "O.F")),
    "crabspc": ("crabs", ("B.M", "B.F", "O.M", "O.F")),
    "crabsex": ("crabs", ("F", "M")),
    "Pima": ("pima_tr", ("No", "Yes")),
    "Pima.te": ("pima_te", ("No", "Yes")),
    "fgl": ("fgl", ("WinF", "WinNF", "Veh", "Con", "Tabl", "Head")),
}


def root_splits(name: str) -> list[dict[str, Any]]:
    """The recorded ideal splits of the root of a set."""
    known = data.recorded()["root_ideal_splits"]
    return known[name] if name in known else oracle()["root_ideal_splits"][name]


@functools.cache
def oracle() -> dict[str, Any]:
    """The recorded outputs; the test is skipped where they are absent."""
    if not HAS_DATA:
        pytest.skip(why_absent() or f"nothing at {oracle_file()}")
    with oracle_file().open(encoding="utf-8") as file:
        return json.load(file)


def recorded_trees() -> list[str]:
    """The names of all trees; none where the file is absent."""
    return sorted(oracle()["trees"]) if HAS_DATA else []


@functools.cache
def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The columns and the class codes of a set."""
    if name == "iris3":
        iris = data.iris()
        return iris.table, iris.target
    data.skip_without_data()
    file, classes = _FILES[name]
    table = pd.read_csv(data_folder() / f"{file}.csv")
    target = table.pop("target")
    if name == "crabspc":
        loadings = oracle()["_about"]["crabspc_loadings"]
        values = table[loadings["order"]].to_numpy()
        centred = values - values.mean(axis=0)
        names = ("Comp.2", "Comp.3")
        table = pd.DataFrame({name: centred @ np.array(loadings[name]) for name in names})
    if name == "crabsex":
        table.insert(0, "sp", pd.Categorical(target.str[0], ["B", "O"]))
        target = target.str[2]
    return table, np.array([classes.index(label) for label in target])


def split_name(name: str) -> tuple[str, str, str | None, str]:
    """The set, mode, way of making tests concise, and measure of a recorded tree."""
    table, mode, *concise, measure = name.split(".")
    return table, MODES[mode], CONCISE[".".join(concise)], measure


def by_heap(tree: Tree, swapped_levels: bool = False) -> dict[int, int]:
    """The id of the node with each number of the heap.

    The package sends the level it met first to the first branch of a categorical test, we the one
    with the smaller share of the last class; `swapped_levels` reads such tests the other way round
    where the first branch does not hold the first level.
    """
    numbers = {1: 0}
    pending = [(1, 0)]
    while pending:
        number, node = pending.pop()
        numbers[number] = node
        here = tree.node(node)
        children = list(here.children)
        if swapped_levels and type(here.predicate).__name__ == "Subset":
            children = children if 0 in here.predicate.left else children[::-1]
        pending.extend((2 * number + branch, child) for branch, child in enumerate(children))
    return numbers
